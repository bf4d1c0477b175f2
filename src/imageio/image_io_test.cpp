// Round trips of every format, type and odd size; the exact error text for each kind of bad file.

#include "imageio/test_files.h"

#include <cmath>
#include <limits>
#include <sys/stat.h>

namespace fluorite::imageio_test::image_io_test {

namespace {

const std::vector<Type> integer_types = {UInt(8), UInt(16), UInt(32), UInt(64), Int(8), Int(16), Int(32), Int(64)};

void expect_round_trip(const std::string &extension, Type type, const std::vector<int> &sizes, unsigned seed) {
    const std::string path = scratch("trip." + extension);
    const Buffer<> image = random_image(type, sizes, seed);
    save_image(image, path);
    EXPECT_TRUE(same_image(image, load_image(path))) << extension << " " << to_string(type) << " " << sizes[0];
}

std::vector<std::vector<int>> odd_sizes(const std::vector<int> &channels) {
    std::vector<std::vector<int>> result;
    for (const int width : {1, 2, 7, 33}) {
        for (const int height : {1, 5, 17}) {
            result.push_back({width, height});
            for (const int c : channels) {
                result.push_back({width, height, c});
            }
        }
    }
    return result;
}

TEST(ImageIo, PngRoundTrips) {
    unsigned seed = 1;
    for (const Type type : {UInt(8), UInt(16)}) {
        for (const auto &sizes : odd_sizes({2, 3, 4})) {
            expect_round_trip("png", type, sizes, seed++);
        }
    }
}

TEST(ImageIo, TiffRoundTrips) {
    unsigned seed = 1;
    std::vector<Type> types = integer_types;
    types.insert(types.end(), {Float(16), Float(32), Float(64)});
    for (const Type type : types) {
        for (const auto &sizes : odd_sizes({2, 3, 4, 7})) {
            expect_round_trip(seed % 2 == 0 ? "tif" : "tiff", type, sizes, seed);
            seed++;
        }
    }
    expect_round_trip("tiff", UInt(16), {301, 203, 3}, seed); // several strips
}

TEST(ImageIo, PnmRoundTrips) {
    unsigned seed = 1;
    for (const Type type : {UInt(8), UInt(16)}) {
        for (const auto &sizes : odd_sizes({3})) {
            expect_round_trip(sizes.size() == 2 ? "pgm" : "ppm", type, sizes, seed++);
            expect_round_trip("pnm", type, sizes, seed++);
        }
    }
}

TEST(ImageIo, NpyRoundTripsEveryTypeAndRank) {
    unsigned seed = 1;
    std::vector<Type> types = integer_types;
    types.insert(types.end(), {Bool(), Float(16), BFloat(16), Float(32), Float(64)});
    for (const Type type : types) {
        for (const auto &sizes : std::vector<std::vector<int>>{{5}, {3, 7}, {1, 2, 3}, {2, 1, 3, 4}, {3, 0, 2}}) {
            expect_round_trip("npy", type, sizes, seed++);
        }
        const std::string path = scratch("scalar.npy");
        const Buffer<> scalar = random_image(type, {}, seed++);
        save_image(scalar, path);
        EXPECT_TRUE(same_image(scalar, load_image(path)));
    }
}

TEST(ImageIo, JpegIsCloseAndGetsCloserWithQuality) {
    for (const int channels : {1, 3}) {
        Buffer<uint8_t> image(33, 21, channels);
        image.fill(
            [](int x, int y, int c) { return static_cast<uint8_t>(100 + 40 * std::sin(x * 0.3) + y * 2 + c * 20); });
        const Buffer<uint8_t> picture = channels == 1 ? Buffer<uint8_t>(image.sliced(2)) : image;
        double errors[2];
        for (const int quality : {30, 100}) {
            const std::string path = scratch("picture.jpg");
            save_image(picture, path, {quality});
            const Buffer<uint8_t> loaded = load_image(path);
            ASSERT_EQ(loaded.dimensions(), picture.dimensions());
            double error = 0;
            picture.for_each_value([&](uint8_t a, uint8_t b) { error += std::abs(a - b); },
                                   Buffer<const uint8_t>(loaded));
            errors[quality / 100] = error / static_cast<double>(picture.number_of_elements());
        }
        EXPECT_LT(errors[1], 2.0);
        EXPECT_LT(errors[1], errors[0]);
    }
}

TEST(ImageIo, LoadsPlanarAndSavesAnyStridesAndMins) {
    Buffer<uint16_t> image = random_image(UInt(16), {9, 6, 3}, 5);
    image.set_min(-4, 10, 2);
    for (const char *name : {"view.png", "view.tiff", "view.ppm", "view.npy"}) {
        const Buffer<uint16_t> views[] = {image, image.copy_to_interleaved(), image.cropped(0, -2, 5).cropped(1, 11, 3),
                                          image.transposed(0, 1)};
        for (const Buffer<uint16_t> &view : views) {
            save_image(view, scratch(name));
            const Buffer<> loaded = load_image(scratch(name));
            EXPECT_TRUE(same_image(view, loaded)) << name;
            EXPECT_EQ(loaded.stride(0), 1);
            EXPECT_EQ(loaded.stride(1), loaded.width());
            EXPECT_EQ(loaded.stride(2), loaded.width() * loaded.height());
        }
    }
    save_image(image.cropped(2, 3, 1), scratch("one.png"));
    EXPECT_EQ(load_image(scratch("one.png")).dimensions(), 2);
}

TEST(ImageIo, ToolsCheckAndConvert) {
    const std::string path = scratch("tools.png");
    Buffer<uint8_t> image(5, 4);
    image.fill([](int x, int y) { return static_cast<uint8_t>(x * 50 + y); });
    Tools::save_image(image, path);
    const Buffer<uint8_t> same = Tools::load_image(path);
    EXPECT_EQ(same(3, 2), 152);
    const Buffer<float> as_float = Tools::load_and_convert_image(path);
    EXPECT_FLOAT_EQ(as_float(3, 2), 152 / 255.0F);
    const Buffer<uint16_t, 2> as_wide = Tools::load_and_convert_image(path);
    EXPECT_EQ(as_wide(3, 2), 152 * 257);
    EXPECT_EQ(
        message_of([&] { Buffer<float> wrong = Tools::load_image(path); }, path, "wrong-buffer-type"),
        "in a Buffer: the buffer has elements of type uint8; a buffer of float32 was asked for; use the type that "
        "it has");
    Tools::convert_and_save_image(as_float, scratch("back.jpg"));
    EXPECT_EQ(load_image(scratch("back.jpg")).type(), UInt(8));
    Tools::convert_and_save_image(as_float, scratch("back.png"));
    EXPECT_EQ(Buffer<uint16_t>(load_image(scratch("back.png")))(3, 2), 152 * 257);
    Tools::convert_and_save_image(as_float, scratch("back.tiff"));
    EXPECT_EQ(load_image(scratch("back.tiff")).type(), Float(32));
    Buffer<uint8_t> target;
    EXPECT_TRUE(Tools::load(path, &target));
    EXPECT_FALSE(Tools::load(scratch("nothing.png"), &target));
    EXPECT_TRUE(Tools::save(target, path));
    EXPECT_FALSE(Tools::save(target, scratch("no/folder.png")));
}

TEST(ImageIo, BothNamespacesMayBeUsedTogether) {
    using namespace fluorite;
    using namespace fluorite::Tools;
    save_image(random_image(UInt(8), {3, 2}, 1), scratch("both.png"));
    EXPECT_EQ(load_image(scratch("both.png")).width(), 3);
    EXPECT_EQ(load<uint8_t>(scratch("both.png")).width(), 3);
}

TEST(ImageIo, ConvertsValuesByTheirMeaning) {
    auto converted = [](auto value, Type type) {
        Buffer<decltype(value)> image = Buffer<decltype(value)>::make_scalar();
        image() = value;
        return convert_image(image, type);
    };
    for (int v = 0; v < 256; v++) {
        EXPECT_EQ(Buffer<uint16_t>(converted(static_cast<uint8_t>(v), UInt(16)))(), v * 257);
        EXPECT_EQ(Buffer<uint8_t>(converted(static_cast<uint16_t>(v * 257), UInt(8)))(), v);
        EXPECT_EQ(Buffer<uint8_t>(converted(static_cast<float>(v) / 255, UInt(8)))(), v);
        EXPECT_EQ(Buffer<uint32_t>(converted(static_cast<uint8_t>(v), UInt(32)))(),
                  static_cast<uint32_t>(v) * 0x01010101U);
    }
    EXPECT_EQ(Buffer<uint8_t>(converted(uint16_t{128}, UInt(8)))(), 0);
    EXPECT_EQ(Buffer<uint8_t>(converted(uint16_t{129}, UInt(8)))(), 1);
    EXPECT_EQ(Buffer<uint8_t>(converted(2.0F, UInt(8)))(), 255);
    EXPECT_EQ(Buffer<uint8_t>(converted(-2.0F, UInt(8)))(), 0);
    EXPECT_EQ(Buffer<uint8_t>(converted(std::nanf(""), UInt(8)))(), 0);
    EXPECT_EQ(Buffer<uint64_t>(converted(1.0, UInt(64)))(), UINT64_MAX);
    EXPECT_EQ(Buffer<int64_t>(converted(1.0, Int(64)))(), INT64_MAX);
    EXPECT_EQ(Buffer<int64_t>(converted(-3.0, Int(64)))(), INT64_MIN);
    EXPECT_EQ(Buffer<uint8_t>(converted(int8_t{-5}, UInt(8)))(), 0);
    EXPECT_EQ(Buffer<uint8_t>(converted(int8_t{127}, UInt(8)))(), 255);
    EXPECT_EQ(Buffer<uint8_t>(converted(true, UInt(8)))(), 255);
    EXPECT_EQ(Buffer<bool>(converted(uint8_t{127}, Bool()))(), false);
    EXPECT_EQ(Buffer<bool>(converted(uint8_t{128}, Bool()))(), true);
    EXPECT_EQ(static_cast<float>(Buffer<float16_t>(converted(1.5F, Float(16)))()), 1.5F);
    EXPECT_EQ(Buffer<double>(converted(bfloat16_t(0.5), Float(64)))(), 0.5);
    EXPECT_EQ(message_of([&] { converted(1, Handle()); }, "", "image-unsupported"),
              "in convert_image(): the elements are of type int32 and are asked for as handle; numbers of 8 to 64 bits "
              "are converted; choose one of these types");
}

TEST(ImageIo, MissingEmptyAndUnknownFiles) {
    EXPECT_EQ(load_message(scratch("none.png"), "image-missing"),
              "in load_image(\"none.png\"): the file cannot be opened (No such file or directory); an image is read "
              "from an existing file; check path and permissions");
    std::filesystem::create_directory(scratch("folder.png"));
    EXPECT_EQ(load_message(scratch("folder.png"), "image-missing"),
              "in load_image(\"folder.png\"): the path is not a regular file; an image is read from a file; check the "
              "path");
    ::mkfifo(scratch("pipe.png").c_str(), 0600);
    EXPECT_NE(load_message(scratch("pipe.png"), "image-missing"), "");
    write_text(scratch("empty.png"), "");
    EXPECT_EQ(load_message(scratch("empty.png"), "image-empty"),
              "in load_image(\"empty.png\"): the file has no bytes; an image file holds at least a header; write it "
              "again");
    write_text(scratch("text.png"), "this is not an image\n");
    EXPECT_EQ(load_message(scratch("text.png"), "image-corrupt"),
              "in load_image(\"text.png\"): the file does not begin as a PNG file does; the file must follow its "
              "format; write it again with another program");
    write_text(scratch("text.xyz"), "x");
    EXPECT_EQ(
        load_message(scratch("text.xyz"), "image-unknown-format"),
        "in load_image(\"text.xyz\"): the extension is .xyz; .png, .jpg, .jpeg, .tif, .tiff, .pgm, .ppm, .pnm and "
        ".npy are known; choose one of these");
    write_text(scratch("noextension"), "x");
    EXPECT_EQ(load_message(scratch("noextension"), "image-unknown-format"),
              "in load_image(\"noextension\"): the path has no extension; .png, .jpg, .jpeg, .tif, .tiff, .pgm, .ppm, "
              ".pnm and .npy are known; choose one of these");
    save_image(random_image(UInt(8), {4, 4}, 1), scratch("really.png"));
    std::filesystem::copy(scratch("really.png"), scratch("renamed.JPG"));
    EXPECT_EQ(
        load_message(scratch("renamed.JPG"), "image-wrong-extension"),
        "in load_image(\"renamed.JPG\"): the file holds PNG data; the extension must fit the content; rename it to "
        ".png");
}

std::string save_message(const Buffer<const void> &image, const std::string &path, const char *slug) {
    return message_of([&] { save_image(image, path); }, path, slug);
}

TEST(ImageIo, RefusesWhatAFormatCannotHold) {
    EXPECT_EQ(save_message(random_image(Float(32), {4, 4}, 1), scratch("a.png"), "image-unsupported"),
              "in save_image(\"a.png\"): the elements are of type float32; PNG files hold uint8 and uint16; convert "
              "first, or use convert_and_save_image()");
    EXPECT_EQ(save_message(random_image(UInt(16), {4, 4}, 1), scratch("a.jpg"), "image-unsupported"),
              "in save_image(\"a.jpg\"): the elements are of type uint16; JPEG files hold uint8; convert first, or use "
              "convert_and_save_image()");
    EXPECT_EQ(save_message(random_image(UInt(8), {4, 4, 5}, 1), scratch("a.png"), "image-unsupported"),
              "in save_image(\"a.png\"): the buffer is 4 x 4 x 5; PNG files hold width x height or width x height x "
              "1..4; take parts with sliced() or cropped(), or save as .npy");
    EXPECT_EQ(save_message(random_image(UInt(8), {4}, 1), scratch("a.png"), "image-unsupported"),
              "in save_image(\"a.png\"): the buffer is 4; PNG files hold width x height or width x height x 1..4; add "
              "dimensions of extent 1 with embedded(), or save as .npy");
    EXPECT_EQ(
        save_message(random_image(UInt(8), {4, 0}, 1), scratch("a.png"), "image-unsupported"),
        "in save_image(\"a.png\"): the buffer is 4 x 0; PNG files hold width x height or width x height x 1..4, none "
        "of them 0; save a buffer that has pixels, or save as .npy");
    EXPECT_NE(save_message(random_image(UInt(8), {4, 0}, 1), scratch("a.ppm"), "image-unsupported"), "");
    EXPECT_EQ(save_message(random_image(UInt(8), {4, 4, 2}, 1), scratch("a.ppm"), "image-unsupported"),
              "in save_image(\"a.ppm\"): the picture has 2 channels; PNM files hold 1 or 3; save it as .png");
    EXPECT_EQ(save_message(random_image(UInt(8), {4, 4, 2}, 1), scratch("a.jpg"), "image-unsupported"),
              "in save_image(\"a.jpg\"): the picture is 4 x 4 x 2; JPEG files hold up to 65500 a side and 1 or 3 "
              "channels; save it as .png");
    EXPECT_EQ(save_message(random_image(Bool(), {4, 4}, 1), scratch("a.tif"), "image-unsupported"),
              "in save_image(\"a.tif\"): the elements are of type bool; TIFF files hold integers of 8 to 64 bits and "
              "floats of 16 to 64 bits; convert first, or use convert_and_save_image()");
    EXPECT_EQ(save_message({}, scratch("a.png"), "image-unsupported"),
              "in save_image(\"a.png\"): the buffer has no elements in host memory; only existing elements can be "
              "written; allocate and compute the buffer first");
    EXPECT_EQ(message_of([&] { save_image(random_image(UInt(8), {4, 4}, 1), scratch("a.jpg"), {101}); },
                         scratch("a.jpg"), "image-unsupported"),
              "in save_image(\"a.jpg\"): the JPEG quality is 101; it is 1 to 100; choose one of these");
    EXPECT_EQ(save_message(random_image(UInt(8), {4, 4}, 1), scratch("a.gif"), "image-unknown-format"),
              "in save_image(\"a.gif\"): the extension is .gif; .png, .jpg, .jpeg, .tif, .tiff, .pgm, .ppm, .pnm and "
              ".npy are known; choose one of these");
}

TEST(ImageIo, AFailedSaveLeavesTheTargetAlone) {
    const std::string folder = scratch("save");
    std::filesystem::create_directory(folder);
    const std::string path = folder + "/kept.png";
    save_image(random_image(UInt(8), {4, 4}, 1), path);
    const Bytes before = read_bytes(path);
    EXPECT_NE(save_message(random_image(Float(32), {4, 4}, 1), path, "image-unsupported"), "");
    EXPECT_EQ(read_bytes(path), before);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1); // no temporary file is left
    EXPECT_EQ(
        save_message(random_image(UInt(8), {4, 4}, 1), folder + "/no/such.png", "image-write-failed"),
        "in save_image(\"such.png\"): the file cannot be written (No such file or directory); an image is written "
        "to a file in an existing folder with free space; check path, permissions and space");
    std::filesystem::create_directory(folder + "/folder.png");
    EXPECT_NE(save_message(random_image(UInt(8), {4, 4}, 1), folder + "/folder.png", "image-write-failed"), "");
    // A link stays a link; the file it leads to is replaced.
    std::filesystem::create_symlink("kept.png", folder + "/link.png");
    const Buffer<> other = random_image(UInt(8), {5, 4}, 2);
    save_image(other, folder + "/link.png");
    EXPECT_TRUE(std::filesystem::is_symlink(folder + "/link.png"));
    EXPECT_TRUE(same_image(load_image(path), other));
}

TEST(ImageIo, AFullDiskIsAnError) {
    if (!std::filesystem::exists("/dev/full")) {
        GTEST_SKIP() << "no /dev/full";
    }
    // A device is refused as a target, because a rename would replace it.
    std::filesystem::create_symlink("/dev/full", scratch("full.npy"));
    EXPECT_NE(save_message(random_image(UInt(8), {4, 4}, 1), scratch("full.npy"), "image-write-failed"), "");
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

} // namespace

} // namespace fluorite::imageio_test::image_io_test
