// Format features that our own writer does not use, and files that are truncated, damaged or declare a wrong size.

#include "imageio/test_files.h"

#include <cstdio>
#include <functional>
#include <jpeglib.h>
#include <png.h>
#include <tiffio.h>

namespace fluorite::imageio_test::formats_test {

namespace {

// ---- PNG ----------------------------------------------------------------------------------------------------------

struct PngFile {
    int width, height, bits, color, interlace;
    std::vector<Bytes> rows;
    std::vector<png_color> palette;
    Bytes palette_alpha;
    int transparent_gray = -1;
};

void write_png(const std::string &path, PngFile file) {
    std::FILE *out = std::fopen(path.c_str(), "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, out);
    png_set_IHDR(png, info, static_cast<png_uint_32>(file.width), static_cast<png_uint_32>(file.height), file.bits,
                 file.color, file.interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (!file.palette.empty()) {
        png_set_PLTE(png, info, file.palette.data(), static_cast<int>(file.palette.size()));
    }
    if (!file.palette_alpha.empty()) {
        png_set_tRNS(png, info, file.palette_alpha.data(), static_cast<int>(file.palette_alpha.size()), nullptr);
    }
    if (file.transparent_gray >= 0) {
        png_color_16 color{};
        color.gray = static_cast<png_uint_16>(file.transparent_gray);
        png_set_tRNS(png, info, nullptr, 0, &color);
    }
    png_write_info(png, info);
    std::vector<uint8_t *> rows;
    for (Bytes &row : file.rows) {
        rows.push_back(row.data());
    }
    png_write_image(png, rows.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    std::fclose(out);
}

TEST(Png, Palette) {
    const std::string path = scratch("palette.png");
    PngFile file{3, 1, 2, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, {{0b00011000}}, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}},
                 {}};
    write_png(path, file);
    const Buffer<uint8_t, 3> image = load_image(path);
    EXPECT_EQ(image.channels(), 3);
    EXPECT_EQ(image(1, 0, 0), 4);
    EXPECT_EQ(image(2, 0, 2), 9);
    file.palette_alpha = {255, 128};
    write_png(path, file);
    const Buffer<uint8_t, 3> with_alpha = load_image(path);
    EXPECT_EQ(with_alpha.channels(), 4);
    EXPECT_EQ(with_alpha(1, 0, 3), 128);
    EXPECT_EQ(with_alpha(2, 0, 3), 255);
}

TEST(Png, LowBitGrayAndTransparentColor) {
    const std::string path = scratch("gray1.png");
    PngFile file{8, 2, 1, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, {{0b10100000}, {0b00000001}}, {}, {}};
    write_png(path, file);
    const Buffer<uint8_t, 2> image = load_image(path);
    EXPECT_EQ(image(0, 0), 255);
    EXPECT_EQ(image(1, 0), 0);
    EXPECT_EQ(image(7, 1), 255);
    file.transparent_gray = 1;
    write_png(path, file);
    const Buffer<uint8_t, 3> with_alpha = load_image(path);
    EXPECT_EQ(with_alpha.channels(), 2);
    EXPECT_EQ(with_alpha(0, 0, 1), 0);
    EXPECT_EQ(with_alpha(1, 0, 1), 255);
}

TEST(Png, Interlaced) {
    const std::string path = scratch("interlaced.png");
    const Buffer<uint8_t> expected = random_image(UInt(8), {37, 23, 3}, 3);
    PngFile file{37, 23, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_ADAM7, {}, {}, {}};
    for (int y = 0; y < 23; y++) {
        Bytes row;
        for (int i = 0; i < 37 * 3; i++) {
            row.push_back(expected(i / 3, y, i % 3));
        }
        file.rows.push_back(row);
    }
    write_png(path, file);
    EXPECT_TRUE(same_image(load_image(path), expected));
}

TEST(Png, CutAndDamagedFiles) {
    const std::string path = scratch("small.png");
    save_image(random_image(UInt(8), {9, 5, 3}, 2), path);
    expect_prefixes_refused(path);
    EXPECT_GT(count_damages_noticed(path, 4), static_cast<int>(read_bytes(path).size() * 9 / 10));
    Bytes bytes = read_bytes(path);
    bytes.resize(bytes.size() - 1);
    write_bytes(path, bytes);
    EXPECT_EQ(load_message(path, "image-truncated"),
              "in load_image(\"small.png\"): the PNG file ends after " + std::to_string(bytes.size()) +
                  " bytes, before its end mark; an image file must be complete; copy or download it again");
}

// A PNG file that has only a header, with the correct checksum.
Bytes png_header(uint32_t width, uint32_t height) {
    Bytes bytes{0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R'};
    for (const uint32_t value : {width, height}) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes.push_back(static_cast<uint8_t>(value >> shift));
        }
    }
    bytes.insert(bytes.end(), {8, 2, 0, 0, 0});
    uint32_t crc = 0xFFFFFFFFU;
    for (size_t i = 12; i < bytes.size(); i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++) {
            crc = crc >> 1 ^ (crc % 2 != 0 ? 0xEDB88320U : 0);
        }
    }
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes.push_back(static_cast<uint8_t>(~crc >> shift));
    }
    // The start of the image data, so that the header counts as read.
    bytes.insert(bytes.end(), {0, 0, 0, 4, 'I', 'D', 'A', 'T', 0, 0, 0, 0, 0, 0, 0, 0});
    return bytes;
}

TEST(Png, HugeDeclaredSizes) {
    const std::string path = scratch("huge.png");
    write_bytes(path, png_header(0x7FFFFFFF, 0x7FFFFFFF));
    EXPECT_EQ(
        load_message(path, "image-too-large"),
        "in load_image(\"huge.png\"): the file declares a picture of 2147483647 x 2147483647 x 4 of uint8; at most "
        "16777216 elements a side and 8589934592 bytes together are read; cut it into smaller files");
    write_bytes(path, png_header(40000, 40000));
    EXPECT_EQ(
        load_message(path, "image-truncated"),
        "in load_image(\"huge.png\"): the PNG file has 49 bytes, too few for 40000 x 40000; an image file must be "
        "complete; copy or download it again");
}

// ---- JPEG ---------------------------------------------------------------------------------------------------------

void write_jpeg(const std::string &path, int width, int height, int channels, J_COLOR_SPACE space, bool progressive) {
    jpeg_compress_struct codec{};
    jpeg_error_mgr errors{};
    codec.err = jpeg_std_error(&errors);
    jpeg_create_compress(&codec);
    std::FILE *out = std::fopen(path.c_str(), "wb");
    jpeg_stdio_dest(&codec, out);
    codec.image_width = static_cast<JDIMENSION>(width);
    codec.image_height = static_cast<JDIMENSION>(height);
    codec.input_components = channels;
    codec.in_color_space = space;
    jpeg_set_defaults(&codec);
    if (progressive) {
        jpeg_simple_progression(&codec);
    }
    jpeg_start_compress(&codec, TRUE);
    Bytes row(static_cast<size_t>(width * channels), 77);
    JSAMPROW rows[] = {row.data()};
    for (int y = 0; y < height; y++) {
        jpeg_write_scanlines(&codec, rows, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    std::fclose(out);
}

TEST(Jpeg, ProgressiveAndCmyk) {
    const std::string path = scratch("kinds.jpg");
    write_jpeg(path, 20, 10, 3, JCS_RGB, true);
    const Buffer<uint8_t, 3> image = load_image(path);
    EXPECT_TRUE(image.all_equal(77));
    write_jpeg(path, 20, 10, 4, JCS_CMYK, false);
    EXPECT_EQ(load_message(path, "image-unsupported"),
              "in load_image(\"kinds.jpg\"): the JPEG file is in CMYK; gray and RGB files are read; convert it to RGB "
              "with another program");
}

TEST(Jpeg, CutAndDamagedFiles) {
    const std::string path = scratch("small.jpg");
    save_image(random_image(UInt(8), {19, 11, 3}, 2), path);
    expect_prefixes_refused(path);
    EXPECT_GT(count_damages_noticed(path, 4), 10);
    write_jpeg(path, 40, 30, 3, JCS_RGB, true);
    expect_prefixes_refused(path);
    count_damages_noticed(path, 5);
    write_bytes(path, {0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF});
    EXPECT_EQ(
        load_message(path, "image-truncated"),
        "in load_image(\"small.jpg\"): the JPEG file ends after 9 bytes, before its end mark; an image file must be "
        "complete; copy or download it again");
    write_bytes(path, {0xFF, 0xD8, 0xFF, 0xD9});
    EXPECT_EQ(
        load_message(path, "image-corrupt"),
        "in load_image(\"small.jpg\"): libjpeg reports: JPEG datastream contains no image; the file must follow its "
        "format; write it again with another program");
}

TEST(Jpeg, HugeDeclaredSizes) {
    const std::string path = scratch("huge.jpg");
    write_jpeg(path, 16, 16, 1, JCS_GRAYSCALE, false);
    Bytes bytes = read_bytes(path);
    for (size_t i = 0; i + 9 < bytes.size(); i++) {
        if (bytes[i] == 0xFF && bytes[i + 1] == 0xC0) { // the frame header: length, precision, height, width
            bytes[i + 5] = bytes[i + 7] = 0xEA;
            bytes[i + 6] = bytes[i + 8] = 0x60;
        }
    }
    write_bytes(path, bytes);
    EXPECT_EQ(load_message(path, "image-truncated"),
              "in load_image(\"huge.jpg\"): the JPEG file has " + std::to_string(bytes.size()) +
                  " bytes, too few for 60000 x 60000; an image file must be complete; copy or download it again");
}

// ---- TIFF ---------------------------------------------------------------------------------------------------------

using Fields = std::function<void(TIFF *)>;

// Writes a picture whose i-th byte of each strip or tile is `value(i)`.
void write_tiff(const std::string &path, const char *mode, int width, int height, int channels, int bits,
                const Fields &fields, const Buffer<> &image) {
    TIFF *tiff = TIFFOpen(path.c_str(), mode);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, channels);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, channels >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    fields(tiff);
    uint16_t planar = 0;
    TIFFGetField(tiff, TIFFTAG_PLANARCONFIG, &planar);
    const bool separate = planar == PLANARCONFIG_SEPARATE;
    const bool tiled = TIFFIsTiled(tiff) != 0;
    uint32_t tile_width = static_cast<uint32_t>(width);
    uint32_t tile_height = 1;
    if (tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &tile_width);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &tile_height);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 1);
    }
    const int bytes = image.type().bytes();
    const int in_tile = separate ? 1 : channels;
    for (int plane = 0; plane < (separate ? channels : 1); plane++) {
        for (int top = 0; top < height; top += static_cast<int>(tile_height)) {
            for (int left = 0; left < width; left += static_cast<int>(tile_width)) {
                Bytes data(static_cast<size_t>(in_tile * bytes) * tile_width * tile_height);
                for (int y = top; y < std::min(height, top + static_cast<int>(tile_height)); y++) {
                    for (int x = left; x < std::min(width, left + static_cast<int>(tile_width)); x++) {
                        for (int c = 0; c < in_tile; c++) {
                            const int at =
                                (((y - top) * static_cast<int>(tile_width) + x - left) * in_tile + c) * bytes;
                            std::memcpy(&data[static_cast<size_t>(at)],
                                        channels == 1 ? image.address_of(x, y)
                                                      : image.address_of(x, y, separate ? plane : c),
                                        static_cast<size_t>(bytes));
                        }
                    }
                }
                const auto size = static_cast<tmsize_t>(data.size());
                const auto x = static_cast<uint32_t>(left);
                const auto y = static_cast<uint32_t>(top);
                const auto sample = static_cast<uint16_t>(plane);
                tiled ? TIFFWriteEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, sample), data.data(), size)
                      : TIFFWriteEncodedStrip(tiff, TIFFComputeStrip(tiff, y, sample), data.data(), size);
            }
        }
    }
    TIFFClose(tiff);
}

TEST(Tiff, LayoutsOrdersAndCompressions) {
    const std::string path = scratch("layouts.tif");
    const Fields tiles = [](TIFF *tiff) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, 32);
    };
    const Fields planes = [](TIFF *tiff) { TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_SEPARATE); };
    const Fields lzw = [](TIFF *tiff) { TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW); };
    const Fields deflate = [](TIFF *tiff) { TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE); };
    const Fields floats = [](TIFF *tiff) { TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP); };
    auto both = [](const Fields &a, const Fields &b) { return [a, b](TIFF *tiff) { a(tiff), b(tiff); }; };
    unsigned seed = 1;
    for (const int channels : {1, 3, 5}) {
        for (const Type type : {UInt(8), UInt(16), Float(32), Float(64)}) {
            const std::vector<int> sizes =
                channels == 1 ? std::vector<int>{35, 19} : std::vector<int>{35, 19, channels};
            const Buffer<> image = random_image(type, sizes, seed++);
            for (const Fields &layout : {Fields(tiles), planes, Fields(both(tiles, planes)), Fields([](TIFF *) {})}) {
                for (const Fields &compression : {lzw, deflate, Fields([](TIFF *) {})}) {
                    for (const char *mode : {"wl", "wb", "w8"}) {
                        const Fields fields =
                            both(layout, type.is_float() ? Fields(both(compression, floats)) : compression);
                        write_tiff(path, mode, 35, 19, channels, type.bits(), fields, image);
                        ASSERT_TRUE(same_image(load_image(path), image)) << channels << to_string(type) << mode;
                    }
                }
            }
        }
    }
}

TEST(Tiff, MinIsWhiteAndWhatIsNotRead) {
    const std::string path = scratch("kinds.tif");
    Buffer<uint8_t> image = random_image(UInt(8), {7, 5}, 1);
    auto photometric = [](int kind) { return [kind](TIFF *tiff) { TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, kind); }; };
    write_tiff(path, "w", 7, 5, 1, 8, photometric(PHOTOMETRIC_MINISWHITE), image);
    const Buffer<uint8_t> loaded = load_image(path);
    EXPECT_EQ(loaded(3, 2), 255 - image(3, 2));
    write_tiff(path, "w", 7, 5, 1, 8, photometric(PHOTOMETRIC_CIELAB), image);
    EXPECT_EQ(load_message(path, "image-unsupported"),
              "in load_image(\"kinds.tif\"): the TIFF file has photometric interpretation 8; gray and RGB are read; "
              "convert it with another program");
    write_tiff(path, "w", 7, 5, 1, 4, [](TIFF *) {}, image);
    EXPECT_EQ(load_message(path, "image-unsupported"),
              "in load_image(\"kinds.tif\"): the TIFF file has samples of 4 bits in format 1; integers of 8 to 64 and "
              "floats of 16 to 64 bits are read; convert it with another program");
}

TEST(Tiff, CutAndDamagedFiles) {
    const std::string path = scratch("small.tif");
    save_image(random_image(UInt(16), {9, 5, 3}, 2), path);
    expect_prefixes_refused(path);
    count_damages_noticed(path, 3);
    const Buffer<> image = random_image(UInt(8), {20, 20}, 2);
    for (const int compression : {COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS}) {
        const Fields fields = [compression](TIFF *tiff) {
            TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
            TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
            TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
        };
        write_tiff(path, "w", 20, 20, 1, 8, fields, image);
        expect_prefixes_refused(path);
        count_damages_noticed(path, 6);
    }
    write_bytes(path, {'I', 'I', 42, 0, 200, 0, 0, 0});
    EXPECT_EQ(
        load_message(path, "image-truncated"),
        "in load_image(\"small.tif\"): the TIFF file has 8 bytes, and its directory does not lie inside; an image "
        "file must be complete; copy or download it again");
}

TEST(Tiff, HugeDeclaredSizes) {
    const std::string path = scratch("huge.tif");
    write_tiff(path, "w", 3, 1, 1, 8, [](TIFF *) {}, random_image(UInt(8), {3, 1}, 1));
    Bytes bytes = read_bytes(path);
    const size_t entries = bytes[4] + 2U;
    for (size_t at = entries; at + 12 <= bytes.size(); at += 12) {
        if (bytes[at] == 0 && bytes[at + 1] == 1) { // the width
            bytes[at + 2] = 4;                      // 32-bit
            bytes[at + 8] = bytes[at + 9] = bytes[at + 10] = 0xFF;
            bytes[at + 11] = 0x7F;
        }
    }
    write_bytes(path, bytes);
    EXPECT_EQ(load_message(path, "image-too-large"),
              "in load_image(\"huge.tif\"): the file declares a picture of 2147483647 x 1 x 1 of uint8; at most "
              "16777216 elements a side and 8589934592 bytes together are read; cut it into smaller files");
}

// ---- PNM ----------------------------------------------------------------------------------------------------------

TEST(Pnm, TextCommentsAndScaling) {
    const std::string path = scratch("text.pnm");
    write_text(path, "P2 # a comment\n#another\n 3\t2\n# more\n255\n0 1 2\n# inside\n3 4 255");
    Buffer<uint8_t, 2> image = load_image(path);
    EXPECT_EQ(image(2, 0), 2);
    EXPECT_EQ(image(2, 1), 255);
    write_text(path, "P3\n1 2\n7\n0 3 7  1 2 4\n");
    const Buffer<uint8_t, 3> color = load_image(path);
    EXPECT_EQ(color(0, 0, 1), 109); // 3 * 255 / 7 = 109.3
    EXPECT_EQ(color(0, 0, 2), 255);
    EXPECT_EQ(color(0, 1, 2), 146); // 145.7
    write_text(path, std::string("P5 2 1 1023\n") + std::string("\x01\x00\x03\xFF", 4));
    const Buffer<uint16_t, 2> wide = load_image(path);
    EXPECT_EQ(wide(0, 0), 16400); // 256 * 65535 / 1023 = 16399.8
    EXPECT_EQ(wide(1, 0), 65535);
}

TEST(Pnm, BadFiles) {
    const std::string path = scratch("bad.pgm");
    auto expect_message = [&](const std::string &content, const char *slug, const std::string &text) {
        write_text(path, content);
        EXPECT_EQ(load_message(path, slug), "in load_image(\"bad.pgm\"): " + text) << content;
    };
    const std::string corrupt = "; the file must follow its format; write it again with another program";
    const std::string truncated = "; an image file must be complete; copy or download it again";
    expect_message("P5 x", "image-corrupt", "the PNM file has byte 120 where its width should be" + corrupt);
    expect_message("P5 3", "image-truncated", "the PNM file ends before its height" + truncated);
    expect_message("P5 3 2x", "image-corrupt", "the PNM file has byte 120 inside its height" + corrupt);
    expect_message("P5 3 2 0\n", "image-corrupt", "the PNM file declares a maximum of 0, not of 1 to 65535" + corrupt);
    expect_message("P5 0 2 255\n", "image-corrupt", "the file declares a picture of 0 x 2 x 1 of uint8" + corrupt);
    expect_message("P5 3 2 255\nabcde", "image-truncated",
                   "the PNM file has 16 bytes where at least 17 are needed" + truncated);
    expect_message("P2 3 1 9\n1 2 10", "image-corrupt",
                   "the PNM file has a sample of 10 above its maximum of 9" + corrupt);
    expect_message("P2 3 1 9\n1       2", "image-truncated", "the PNM file ends before a sample" + truncated);
    expect_message("P5 99999999999999999999 1 255\n", "image-too-large",
                   "the file declares a picture of 9999999999999 x 1 x 1 of uint8; at most 16777216 elements a side "
                   "and 8589934592 bytes together are read; cut it into smaller files");
    save_image(random_image(UInt(16), {7, 5, 3}, 2), scratch("small.ppm"));
    expect_prefixes_refused(scratch("small.ppm"));
    count_damages_noticed(scratch("small.ppm"), 8);
}

// ---- NPY ----------------------------------------------------------------------------------------------------------

std::string npy(const std::string &dictionary, const std::string &data, int version = 1) {
    std::string text = dictionary + "\n";
    std::string file = "\x93NUMPY";
    file += static_cast<char>(version);
    file += '\0';
    file += static_cast<char>(text.size());
    file += '\0';
    file += version > 1 ? std::string(2, '\0') : "";
    return file + text + data;
}

TEST(Npy, VersionsOrdersAndEndianness) {
    const std::string path = scratch("array.npy");
    const std::string data("\0\1\0\2\0\3\0\4\0\5\0\6", 12);
    for (const int version : {1, 2, 3}) {
        write_text(path, npy("{'descr': '>u2', 'fortran_order': False, 'shape': (2, 3), }", data, version));
        const Buffer<uint16_t, 2> image = load_image(path);
        EXPECT_EQ(image.width(), 3);
        EXPECT_EQ(image(2, 0), 3);
        EXPECT_EQ(image(0, 1), 4);
    }
    write_text(path, npy("{\"shape\":(2,3),\"fortran_order\":True,\"descr\":\">u2\"}", data));
    const Buffer<uint16_t, 2> image = load_image(path);
    EXPECT_EQ(image.stride(0), 1);
    EXPECT_EQ(image(2, 0), 5); // a[0, 2] of a column-major array
    EXPECT_EQ(image(0, 1), 2);
    write_text(path, npy("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", std::string("\0\2\1", 3)));
    const Buffer<bool, 1> flags = load_image(path);
    EXPECT_EQ(*reinterpret_cast<const uint8_t *>(&flags(1)), 1);
    write_text(path, npy("{'descr': '<f8', 'fortran_order': True, 'shape': (), }", std::string(8, '\0')));
    EXPECT_EQ(load_image(path).dimensions(), 0);
    save_image(random_image(Float(32), {5, 3}, 1), path);
    const Bytes saved = read_bytes(path);
    EXPECT_EQ(std::string(saved.begin() + 10, saved.begin() + 69),
              "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }");
    EXPECT_EQ(saved.size(), 128U + 60U);
    EXPECT_EQ(saved[127], '\n');
}

TEST(Npy, BadFiles) {
    const std::string path = scratch("bad.npy");
    auto expect_message = [&](const std::string &content, const char *slug, const std::string &text) {
        write_text(path, content);
        EXPECT_EQ(load_message(path, slug), "in load_image(\"bad.npy\"): " + text) << content;
    };
    const std::string corrupt = "; the file must follow its format; write it again with another program";
    const std::string truncated = "; an image file must be complete; copy or download it again";
    const std::string not_a_dictionary =
        "the NPY header is not a dictionary of descr, fortran_order and shape" + corrupt;
    for (const char *bad : {"", "{", "{}", "{'descr': '<f4', 'fortran_order': False}",
                            "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
                            "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
                            "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}",
                            "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
                            "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x"}) {
        expect_message(npy(bad, "abcd"), "image-corrupt", not_a_dictionary);
    }
    expect_message(
        npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "abcdefgh"), "image-unsupported",
        "the NPY file holds elements of dtype <c8; integers, bool and floats up to 64 bits are read; convert "
        "it with astype() first");
    expect_message(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "abcd"), "image-unsupported",
                   "the NPY file holds records; arrays of numbers are read; save its fields as separate arrays");
    expect_message(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "abc"), "image-truncated",
                   "the NPY file has 69 bytes where 70 are needed" + truncated);
    expect_message(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "abcde"), "image-corrupt",
                   "the NPY file has 1 bytes after its elements" + corrupt);
    // Of arrays without elements, too, whose strides a Buffer could not hold.
    const std::string large = " dimensions and more than is read; at most 8589934592 bytes, strides of 2147483647 "
                              "elements and 16 dimensions are read; cut it into smaller files";
    for (const char *shape : {"(99999999999999, 9999999999999999)", "(0, 65536, 32768)", "(65536, 32768, 0)"}) {
        const bool fortran = shape[1] == '6';
        const std::string order = std::string("'fortran_order': ") + (fortran ? "True" : "False");
        expect_message(npy("{'descr': '<f4', " + order + ", 'shape': " + shape + "}", ""), "image-too-large",
                       std::string("the NPY file declares ") + (shape[1] == '9' ? "2" : "3") + large);
    }
    expect_message(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "abcd", 9), "image-unsupported",
                   "the NPY file is of version 9; versions 1 to 3 are read; save it with an older NumPy");
    save_image(random_image(Int(32), {5, 3}, 2), scratch("small.npy"));
    expect_prefixes_refused(scratch("small.npy"));
    count_damages_noticed(scratch("small.npy"), 8);
}

} // namespace

} // namespace fluorite::imageio_test::formats_test
