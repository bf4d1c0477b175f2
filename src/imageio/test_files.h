#pragma once
// Helpers of the image file tests: scratch files, random images, comparison, expected errors.

#include "fluorite/image_io.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace fluorite::imageio_test {

using Bytes = std::vector<uint8_t>;

/// A path in a folder of this process that is removed at exit. The folder is in memory if the system offers that,
/// because the tests write thousands of small files.
inline std::string scratch(const std::string &name) {
    struct Folder {
        std::filesystem::path base =
            ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : std::filesystem::temp_directory_path();
        std::filesystem::path path = base / ("fluorite_imageio_" + std::to_string(::getpid()));
        Folder() { std::filesystem::create_directories(path); }
        ~Folder() {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
    };
    static const Folder folder;
    return (folder.path / name).string();
}

inline void write_bytes(const std::string &path, const Bytes &bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}
inline void write_text(const std::string &path, const std::string &text) {
    write_bytes(path, {text.begin(), text.end()});
}

inline Bytes read_bytes(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Random bytes in every element; bools are 0 or 1.
inline Buffer<> random_image(Type type, const std::vector<int> &sizes, unsigned seed) {
    Buffer<> image(type, sizes);
    std::mt19937 random(seed);
    for (size_t i = 0; i < image.size_in_bytes(); i++) {
        image.data()[i] = static_cast<uint8_t>(type.is_bool() ? random() % 2 : random());
    }
    return image;
}

/// Same type, extents and bits.
inline bool same_image(const Buffer<> &a, const Buffer<> &b) {
    if (a.type() != b.type() || a.dimensions() != b.dimensions()) {
        return false;
    }
    bool same = true;
    for (int d = 0; d < a.dimensions(); d++) {
        same &= a.extent(d) == b.extent(d);
    }
    if (same) {
        a.for_each_element([&](const int *at) {
            std::vector<int> other(at, at + a.dimensions());
            for (int d = 0; d < a.dimensions(); d++) {
                other[static_cast<size_t>(d)] += b.min(d) - a.min(d);
            }
            same &= std::memcmp(a.address_of(at), b.address_of(other), static_cast<size_t>(a.type().bytes())) == 0;
        });
    }
    return same;
}

/// The message that a call throws, with `path` shortened to its last component; "" if it throws none.
template <typename Call> std::string message_of(const Call &call, const std::string &path, const char *slug) {
    try {
        call();
    } catch (const RuntimeError &error) {
        EXPECT_EQ(error.slug(), slug);
        EXPECT_TRUE(error.location().known());
        std::string text = error.message();
        const size_t at = text.find(path);
        return at == std::string::npos ? text : text.replace(at, path.size(), std::filesystem::path(path).filename());
    }
    return "";
}
inline std::string load_message(const std::string &path, const char *slug) {
    return message_of([&] { load_image(path); }, path, slug);
}

/// Loads the file; false if it throws RuntimeError. Any other outcome fails the test.
inline bool loads(const std::string &path) {
    try {
        load_image(path);
        return true;
    } catch (const RuntimeError &) {
        return false;
    }
}

/// Expects every proper prefix of the file to be refused.
inline void expect_prefixes_refused(const std::string &path) {
    const Bytes whole = read_bytes(path);
    const std::string cut = scratch("cut" + std::filesystem::path(path).extension().string());
    ASSERT_TRUE(loads(path));
    for (size_t length = 0; length < whole.size(); length++) {
        write_bytes(cut, {whole.begin(), whole.begin() + static_cast<ptrdiff_t>(length)});
        ASSERT_FALSE(loads(cut)) << "a prefix of " << length << " of " << whole.size() << " bytes was loaded";
    }
}

/// Damages each single byte, which must give an image or an error; returns how many damages were noticed.
inline int count_damages_noticed(const std::string &path, unsigned seed) {
    const Bytes whole = read_bytes(path);
    const std::string damaged = scratch("damaged" + std::filesystem::path(path).extension().string());
    std::mt19937 random(seed);
    int noticed = 0;
    for (size_t at = 0; at < whole.size(); at++) {
        Bytes bytes = whole;
        bytes[at] = static_cast<uint8_t>(bytes[at] ^ (1 + random() % 255));
        write_bytes(damaged, bytes);
        noticed += loads(damaged) ? 0 : 1;
    }
    return noticed;
}

} // namespace fluorite::imageio_test
