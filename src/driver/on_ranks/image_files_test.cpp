// DistributedImages in files: what other programs read and write, any number of ranks, what does not fit.
#include "driver/on_ranks/test_images.h"
#include "fluorite/image_io.h"

#include <cstring>
#include <filesystem>
#include <fstream>

namespace fluorite::image_files_test {
namespace {

using namespace driver::testing;

class ImageFiles : public testing::Test {
  protected:
    static constexpr int w = 45, h = 38;

    template <typename T> static void place(DistributedImage<T> &image, bool by_grid) {
        Var x("x"), y("y"), c("c");
        image.dimensions() == 2 ? image.set_domain(x, y) : image.set_domain(x, y, c);
        by_grid ? image.placement().distribute(x, y) : image.placement().distribute(y);
        image.allocate();
    }
    template <typename T> static T value(int x, int y, int c) { return value_at<T>(x, y, c); }

    /// Writes an image of so many channels (0: of two dimensions) on some ranks, reads it with load_image, and reads it
    /// on other numbers of ranks.
    template <typename T>
    static void expect_round_trip(const std::string &path, int channels, const ImageFile &file, bool is_image = true) {
        SCOPED_TRACE(path + " " + std::to_string(channels));
        const std::vector<int> sizes = channels == 0 ? std::vector{w, h} : std::vector{w, h, channels};
        const auto each = [&](const DistributedImage<T> &image, const std::function<void(T &, T)> &visit) {
            for (int c = 0; c < std::max(channels, 1); c++) {
                for (int j = 0; j < image.height(); j++) {
                    for (int i = 0; i < image.width(); i++) {
                        visit(channels == 0 ? image(i, j) : image(i, j, c),
                              value<T>(image.global(0, i), image.global(1, j), c));
                    }
                }
            }
        };
        for (const int writers : {1, 4}) {
            run_on_ranks(writers, [&] {
                DistributedImage<T> image(sizes, "image");
                place(image, true);
                each(image, [](T &element, T wanted) { element = wanted; });
                image.write(path, file);
            });
            if (is_image) {
                const Buffer<T> whole = load_image(path);
                ASSERT_EQ(whole.dimensions(), static_cast<int>(sizes.size()));
                int wrong = 0;
                for (int c = 0; c < std::max(channels, 1); c++) {
                    for (int j = 0; j < h; j++) {
                        for (int i = 0; i < w; i++) {
                            wrong += (channels == 0 ? whole(i, j) : whole(i, j, c)) == value<T>(i, j, c) ? 0 : 1;
                        }
                    }
                }
                EXPECT_EQ(wrong, 0);
            }
            for (const int readers : {1, 3, 6}) {
                std::atomic<int> wrong = 0, points = 0;
                run_on_ranks(readers, [&] {
                    DistributedImage<T> image(sizes, "image");
                    place(image, false);
                    image.read(path, file);
                    each(image, [&](T &element, T wanted) { points++, wrong += element == wanted ? 0 : 1; });
                });
                EXPECT_EQ(points, w * h * std::max(channels, 1));
                EXPECT_EQ(wrong, 0) << readers << " ranks";
            }
        }
    }

    static void expect_refused(const char *slug, const std::string &path, const std::string &text,
                               const std::vector<int> &sizes = {w, h}, const ImageFile &file = {}) {
        expect_on_ranks<RuntimeError>(slug, "in the file " + path + ": " + text, [&] {
            DistributedImage<uint8_t> image(sizes, "image");
            image.allocate();
            image.read(path, file);
        });
    }
};

TEST_F(ImageFiles, EveryFormTakesTheElementsOfAnyRanks) {
    const ImageFile small_tiles{"image", 0, 16};
    expect_round_trip<uint8_t>("ranks.tif", 0, small_tiles);
    expect_round_trip<uint8_t>("ranks.tif", 3, small_tiles);
    expect_round_trip<uint16_t>("ranks.tiff", 4, {"image", 0, 32});
    expect_round_trip<float>("ranks.tif", 2, {});
    expect_round_trip<double>("ranks.tif", 0, small_tiles);
    expect_round_trip<int16_t>("ranks.npy", 0, {});
    expect_round_trip<float>("ranks.raw", 3, {}, false);
}

TEST_F(ImageFiles, Hdf5) {
    std::string missing;
    run_on_ranks(1, [&] {
        DistributedImage<uint8_t> image(w, h, "image");
        image.allocate();
        try {
            image.write("ranks.h5");
        } catch (const RuntimeError &error) {
            missing = error.what();
        }
    });
    if (missing.find("libfluorite_hdf5.so cannot be loaded") != std::string::npos) {
        GTEST_SKIP() << "HDF5 is not installed";
    }
    EXPECT_EQ(missing, "");
    expect_round_trip<uint8_t>("ranks.h5", 0, {}, false);
    expect_round_trip<float>("ranks.h5", 3, {"state/density", 0, 0}, false);
    expect_round_trip<int64_t>("ranks.hdf5", 2, {}, false);
    expect_refused("image-unsupported", "ranks.h5",
                   "it has no dataset of this name; the dataset is `image` unless ImageFile says otherwise; name one "
                   "that there is");
    expect_refused("image-unsupported", "ranks.h5",
                   "its elements are not those of the image; ranks do not convert what they read; save it in that form",
                   {w, h, 3}, {"state/density", 0, 0});
    expect_refused("image-unsupported", "ranks.hdf5",
                   "its elements are not those of the image; ranks do not convert what they read; save it in that form",
                   {w, h, 2});
    std::ofstream("ranks.h5") << "no HDF5";
    expect_refused("image-corrupt", "ranks.h5", "it is no HDF5 file; the name says so; name another file");
}

TEST_F(ImageFiles, ElementsThatAFormatDoesNotHave) {
    expect_on_ranks<RuntimeError>(
        "image-unsupported",
        "in the file new.npy: an image of bfloat16 is read or written, for which NumPy has no "
        "name; cast it to float",
        [] {
            DistributedImage<bfloat16_t> image(w, h, "image");
            image.allocate();
            image.write("new.npy");
        });
    expect_on_ranks<RuntimeError>("image-unsupported",
                                  "in the file new.tif: an image of bool is read or written, for which TIFF files of "
                                  "ranks have no elements; cast it to uint8 or float",
                                  [] {
                                      DistributedImage<bool> image(w, h, "image");
                                      image.allocate();
                                      image.write("new.tif");
                                  });
    expect_refused("image-unsupported", "new.raw", "its elements begin at byte -1; an offset is 0 or more; pass one",
                   {w, h}, {"image", -1, 0});
}

// A directory that is changed in one place.
TEST_F(ImageFiles, DamagedDirectories) {
    run_on_ranks(1, [] {
        DistributedImage<uint8_t> image(w, h, "image");
        image.allocate();
        image.write("whole.tif", {"image", 0, 16});
    });
    std::ifstream file("whole.tif", std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const bool is_big = whole.at(2) == 43;
    const size_t word = is_big ? 8 : 4, at = is_big ? 8 : 4, entry = is_big ? 20 : 12;
    const auto number = [&](const std::string &text, size_t begin, size_t bytes) {
        uint64_t value = 0;
        std::memcpy(&value, text.data() + begin, bytes);
        return value;
    };
    const auto expect_damaged = [&](const std::function<void(std::string &)> &change, const std::string &message) {
        std::string text = whole;
        change(text);
        std::ofstream("damaged.tif", std::ios::binary) << text;
        expect_refused("image-corrupt", "damaged.tif", message);
    };
    const size_t directory = number(whole, at, word), first = directory + (is_big ? 8 : 2);
    /// Sets a field of the entry of a tag: its type, its count or its value.
    const auto set = [&](std::string &text, uint64_t tag, size_t field, uint64_t value, size_t bytes) {
        size_t place = first;
        while (number(text, place, 2) != tag) {
            place += entry;
        }
        std::memcpy(text.data() + place + field, &value, bytes);
    };
    constexpr uint64_t tile_width = 322, tile_length = 323, tile_offsets = 324;
    const std::string ends_early = "its directory ends early", nowhere = "its directory lies beyond its end",
                      no_tiles = "its directory does not say where all tiles or strips are";
    const auto damaged = [](const std::string &text) {
        return text + "; a TIFF file has a directory that says where its tiles are; write it again";
    };
    expect_damaged([&](std::string &text) { text[at + word - 2] = 1; }, damaged(nowhere));
    expect_damaged([&](std::string &text) { text.resize(directory + (is_big ? 7 : 1)); }, damaged(nowhere));
    expect_damaged([&](std::string &text) { text.resize(first + entry - 1); }, damaged(ends_early));
    expect_damaged([&](std::string &text) { set(text, tile_offsets, 4, 1, word); }, damaged(no_tiles));
    expect_damaged([&](std::string &text) { set(text, tile_offsets, 2, 7, 2); }, damaged(no_tiles));
    expect_damaged([&](std::string &text) { set(text, tile_width, 4 + word, 0, 2); }, damaged(no_tiles));
    expect_damaged([&](std::string &text) { set(text, tile_length, 4 + word, 0, 2); }, damaged(no_tiles));
    expect_damaged([&](std::string &text) { set(text, tile_width, 4 + word, 32, 2); }, damaged(no_tiles));
}

// libtiff writes strips, channels beside each other.
TEST_F(ImageFiles, StripsOfOtherPrograms) {
    Buffer<uint8_t> image(w, h, 3);
    image.for_each_element([&](int x, int y, int c) { image(x, y, c) = value<uint8_t>(x, y, c); });
    save_image(image, "strips.tif");
    std::atomic<int> wrong = 0;
    run_on_ranks(3, [&] {
        DistributedImage<uint8_t> read(w, h, 3, "read");
        place(read, true);
        read.read("strips.tif");
        for (int c = 0; c < 3; c++) {
            for (int j = 0; j < read.height(); j++) {
                for (int i = 0; i < read.width(); i++) {
                    wrong += read(i, j, c) == value<uint8_t>(read.global(0, i), read.global(1, j), c) ? 0 : 1;
                }
            }
        }
    });
    EXPECT_EQ(wrong, 0);
}

TEST_F(ImageFiles, Mistakes) {
    run_on_ranks(1, [] {
        DistributedImage<uint8_t> image(w, h, "image");
        image.allocate();
        image.write("mistakes.tif", {"image", 0, 16});
    });
    expect_refused("image-unsupported", "picture.jpg",
                   "its name ends with .jpg; ranks read and write .npy, .raw, .tif, .tiff, .h5 and .hdf5; use one of "
                   "these");
    expect_refused(
        "image-unsupported", "folder.d/picture",
        "its name ends with nothing; ranks read and write .npy, .raw, .tif, .tiff, .h5 and .hdf5; use one of "
        "these");
    expect_refused("image-missing", "nowhere.tif",
                   "it cannot be opened: No such file or directory; all ranks read one file; put it where all of them "
                   "see it");
    expect_refused(
        "image-unsupported", "mistakes.tif",
        "it has 45 x 38 points with 1 channels, and the image has 45 x 39 with 1; all of a file is read; make "
        "an image of its size",
        {w, h + 1});
    expect_refused("image-unsupported", "mistakes.tif",
                   "an image of 4 dimensions is read or written; a TIFF file has two, and channels as the third; use a "
                   "file whose name ends with .npy or .h5",
                   {w, h, 1, 1});
    expect_on_ranks<RuntimeError>(
        "image-unsupported",
        "in the file mistakes.tif: its elements are not floats of 32 bits as the image's are; "
        "ranks do not convert what they read; save it in that form",
        [] {
            DistributedImage<float> image(w, h, "image");
            image.allocate();
            image.read("mistakes.tif");
        });
    expect_on_ranks<RuntimeError>("image-unsupported",
                                  "in the file new.tif: tiles of 100 x 100 points are asked for; their width is a "
                                  "multiple of 16 and 65536 at most; use 256",
                                  [] {
                                      DistributedImage<float> image(w, h, "image");
                                      image.allocate();
                                      image.write("new.tif", {"image", 0, 100});
                                  });
    expect_on_ranks<RuntimeError>("bad-distribution",
                                  "in image: read() before allocate(); which part this rank has is known from then on; "
                                  "call placement() and allocate() first",
                                  [] { DistributedImage<float>(w, h, "image").read("mistakes.tif"); });
    std::ofstream("text.tif") << "this is a text and no picture";
    expect_refused("image-corrupt", "text.tif", "it is no TIFF file; the name says so; name another file");
    std::filesystem::resize_file("mistakes.tif", std::filesystem::file_size("mistakes.tif") - 300);
    expect_refused(
        "image-truncated", "mistakes.tif",
        "it ends before the last element of [0, 45) x [0, 38), a part of [0, 45) x [0, 38); a file holds all "
        "tiles of its directory; write it again");
    std::filesystem::resize_file("mistakes.tif", 60);
    expect_refused(
        "image-corrupt", "mistakes.tif",
        "its directory ends early; a TIFF file has a directory that says where its tiles are; write it again");
}

// Every damaged byte of a header gives an error or an image, and nothing else.
TEST_F(ImageFiles, DamagedTiffs) {
    run_on_ranks(1, [] {
        DistributedImage<uint16_t> image(20, 18, 2, "image");
        image.allocate();
        image.write("damaged.tif", {"image", 0, 16});
    });
    std::ifstream stream("damaged.tif", std::ios::binary);
    const std::string good{std::istreambuf_iterator<char>(stream), {}};
    int refused = 0;
    for (size_t at = 0; at < 260; at++) {
        for (const char damage : {'\x00', '\x7f', '\xff'}) {
            std::string bad = good;
            bad[at] = damage;
            std::ofstream("damaged.tif", std::ios::binary) << bad;
            run_on_ranks(1, [&] {
                DistributedImage<uint16_t> image(20, 18, 2, "image");
                image.allocate();
                try {
                    image.read("damaged.tif");
                } catch (const RuntimeError &) {
                    refused++;
                }
            });
        }
    }
    EXPECT_GT(refused, 150);
}

} // namespace
} // namespace fluorite::image_files_test
