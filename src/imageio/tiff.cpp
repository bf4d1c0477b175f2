// TIFF and BigTIFF through libtiff.
//
// Reading: the first image of the file; strips or tiles, interleaved or planar samples, any compression that libtiff
// was built with; integers of 8 to 64 bits, floats of 16, 32 and 64. Palettes, CMYK, YCbCr without JPEG and samples of
// other widths are refused; min-is-white integers are inverted. The position of the directory is checked against the
// file size first, since libtiff accepts a directory that is truncated at its end.
//
// Writing: uncompressed strips of some 64 KiB, interleaved samples; BigTIFF for more than 4 GB. Channels beyond gray or
// RGB are marked as extra samples.
//
// Errors: the handlers belong to the open file, keep the first text, and print nothing. The text is thrown as
// RuntimeError when the failing call returns.

#include "imageio/formats.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <tiffio.h>

namespace fluorite::imageio {

namespace {

struct Session {
    InputFile *input = nullptr;
    OutputFile *output = nullptr;
    bool file_ended = false;
    char message[200] = "";
};

int on_error(TIFF *, void *user, const char *, const char *format, va_list arguments) {
    auto *session = static_cast<Session *>(user);
    if (session->message[0] == 0) {
        std::vsnprintf(session->message, sizeof(session->message), format, arguments);
    }
    return 1;
}
int on_warning(TIFF *, void *, const char *, const char *, va_list) { return 1; }

tmsize_t on_read(thandle_t handle, void *to, tmsize_t bytes) {
    auto *session = static_cast<Session *>(handle);
    const auto wanted = static_cast<size_t>(bytes);
    const size_t count =
        session->input != nullptr ? session->input->read(to, wanted) : session->output->read(to, wanted);
    session->file_ended |= count != wanted;
    return static_cast<tmsize_t>(count);
}
tmsize_t on_write(thandle_t handle, void *from, tmsize_t bytes) {
    auto *session = static_cast<Session *>(handle);
    return session->output != nullptr ? static_cast<tmsize_t>(session->output->write(from, static_cast<size_t>(bytes)))
                                      : -1;
}
toff_t on_size(thandle_t handle) {
    auto *session = static_cast<Session *>(handle);
    return static_cast<toff_t>(session->input != nullptr ? session->input->size() : session->output->size());
}
toff_t on_seek(thandle_t handle, toff_t offset, int whence) {
    auto *session = static_cast<Session *>(handle);
    const auto by = static_cast<int64_t>(offset);
    const bool reading = session->input != nullptr;
    const int64_t base = whence == SEEK_SET   ? 0
                         : whence == SEEK_CUR ? (reading ? session->input->position() : session->output->position())
                                              : static_cast<int64_t>(on_size(handle));
    const bool moved = reading ? session->input->seek(base + by) : session->output->seek(base + by);
    return moved ? static_cast<toff_t>(base + by) : static_cast<toff_t>(-1);
}
int on_close(thandle_t) { return 0; }
int on_map(thandle_t, void **, toff_t *) { return 0; }
void on_unmap(thandle_t, void *, toff_t) {}

// The limit on one allocation by libtiff: a damaged file must not request all memory.
constexpr tmsize_t largest_libtiff_block = tmsize_t{1} << 31;

TIFF *open(Session &session, const char *mode) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == nullptr) {
        return nullptr;
    }
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, &session);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, &session);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, largest_libtiff_block);
    TIFF *tiff = TIFFClientOpenExt("image", mode, &session, on_read, on_write, on_seek, on_close, on_size, on_map,
                                   on_unmap, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

// Throws image-truncated unless the first directory lies inside the file.
void check_directory(InputFile &file) {
    uint8_t head[16];
    const size_t count = file.read(head, sizeof(head));
    const bool swapped = (head[0] == 'M') == (std::endian::native == std::endian::little);
    auto number = [swapped](const uint8_t *at, size_t bytes) {
        uint8_t digits[8] = {};
        std::memcpy(digits, at, bytes);
        if (swapped) {
            std::reverse(digits, digits + bytes);
        }
        uint64_t value = 0;
        for (size_t i = 0; i < bytes; i++) {
            value |= static_cast<uint64_t>(digits[std::endian::native == std::endian::little ? i : bytes - 1 - i])
                     << (8 * i);
        }
        return value;
    };
    const bool big = count >= 4 && number(head + 2, 2) == 43;
    const size_t head_bytes = big ? 16 : 8;
    const auto size = static_cast<uint64_t>(file.size());
    const uint64_t at = count >= head_bytes ? number(head + head_bytes / 2, big ? 8 : 4) : size;
    uint8_t entries[8] = {};
    const size_t count_bytes = big ? 8 : 2;
    bool fits = at < size && file.seek(static_cast<int64_t>(at)) && file.read(entries, count_bytes) == count_bytes;
    if (fits) {
        const uint64_t entry_count = number(entries, count_bytes);
        fits = entry_count < size && at + count_bytes + entry_count * (big ? 20 : 12) + (big ? 8 : 4) <= size;
    }
    if (!fits) {
        file.origin().fail_truncated("the TIFF file has " + std::to_string(file.size()) +
                                     " bytes, and its directory does not lie inside");
    }
    file.seek(0);
}

class Reader {
  public:
    explicit Reader(InputFile &file) : file_(file) {
        session_.input = &file;
        check_directory(file);
        tiff_ = open(session_, "rm"); // m: no memory mapping
        if (tiff_ == nullptr) {
            fail();
        }
    }
    ~Reader() { TIFFClose(tiff_); }
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;

    Buffer<> read() {
        read_shape();
        Buffer<> image = allocate(shape_, file_.origin());
        TIFFIsTiled(tiff_) != 0 ? read_tiles(image) : read_strips(image);
        if (photometric_ == PHOTOMETRIC_MINISWHITE && shape_.type.is_uint()) {
            invert(image);
        }
        return image;
    }

  private:
    [[noreturn]] void fail() const {
        session_.file_ended ? file_.origin().fail_truncated("the TIFF file ends before its last sample")
                            : file_.origin().fail_corrupt("libtiff reports: " + std::string(session_.message));
        std::abort();
    }

    uint16_t field(uint32_t tag) const {
        uint16_t value = 0;
        TIFFGetFieldDefaulted(tiff_, tag, &value);
        return value;
    }

    void read_shape() {
        uint32_t width = 0;
        uint32_t height = 0;
        TIFFGetField(tiff_, TIFFTAG_IMAGEWIDTH, &width);
        TIFFGetField(tiff_, TIFFTAG_IMAGELENGTH, &height);
        planar_ = field(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
        uint16_t photometric = PHOTOMETRIC_MINISBLACK; // the default if the file has none
        TIFFGetField(tiff_, TIFFTAG_PHOTOMETRIC, &photometric);
        photometric_ = photometric;
        if (photometric_ == PHOTOMETRIC_YCBCR && field(TIFFTAG_COMPRESSION) == COMPRESSION_JPEG && !planar_) {
            TIFFSetField(tiff_, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
            photometric_ = PHOTOMETRIC_RGB;
        }
        shape_ = {width, height, field(TIFFTAG_SAMPLESPERPIXEL), sample_type()};
        if (photometric_ > PHOTOMETRIC_RGB) {
            file_.origin().fail("image-unsupported", "the TIFF file has photometric interpretation " +
                                                         std::to_string(photometric_) +
                                                         "; gray and RGB are read; convert it with another program");
        }
        check_shape(shape_, file_.origin());
        if (field(TIFFTAG_COMPRESSION) == COMPRESSION_NONE &&
            shape_.width * shape_.height * shape_.channels * shape_.type.bytes() > file_.size()) {
            file_.origin().fail_truncated("the TIFF file has " + std::to_string(file_.size()) +
                                          " bytes, too few for its samples");
        }
    }

    Type sample_type() const {
        const int bits = field(TIFFTAG_BITSPERSAMPLE);
        const int format = field(TIFFTAG_SAMPLEFORMAT);
        const bool is_size = bits == 8 || bits == 16 || bits == 32 || bits == 64;
        if (is_size && (format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID)) {
            return UInt(bits);
        }
        if (is_size && format == SAMPLEFORMAT_INT) {
            return Int(bits);
        }
        if (is_size && bits > 8 && format == SAMPLEFORMAT_IEEEFP) {
            return Float(bits);
        }
        file_.origin().fail("image-unsupported", "the TIFF file has samples of " + std::to_string(bits) +
                                                     " bits in format " + std::to_string(format) +
                                                     "; integers of 8 to 64 and floats of 16 to 64 bits are read; "
                                                     "convert it with another program");
    }

    size_t bytes_of(int64_t samples) const { return static_cast<size_t>(samples * shape_.type.bytes()); }

    // What a strip or a tile says of its size may be much more than the file holds: no byte is touched before libtiff
    // has decoded it.
    static std::unique_ptr<uint8_t[]> memory_of(size_t bytes) { return std::unique_ptr<uint8_t[]>(new uint8_t[bytes]); }

    void read_strips(const Buffer<> &image) {
        const int64_t strip_bytes = TIFFStripSize64(tiff_);
        const int64_t row_samples = planar_ ? shape_.width : shape_.width * shape_.channels;
        uint32_t strip_rows = 0;
        TIFFGetFieldDefaulted(tiff_, TIFFTAG_ROWSPERSTRIP, &strip_rows);
        const int64_t rows = std::min<int64_t>(strip_rows, shape_.height);
        if (rows < 1 || strip_bytes < static_cast<int64_t>(bytes_of(rows * row_samples)) ||
            strip_bytes > max_image_bytes) {
            file_.origin().fail_corrupt("the TIFF file has strips of a wrong size");
        }
        const auto strip = memory_of(bytes_of(rows * row_samples));
        for (int64_t plane = 0; plane < (planar_ ? shape_.channels : 1); plane++) {
            for (int64_t top = 0; top < shape_.height; top += rows) {
                const int64_t count = std::min(rows, shape_.height - top);
                const auto wanted = static_cast<tmsize_t>(bytes_of(count * row_samples));
                const uint32_t index =
                    TIFFComputeStrip(tiff_, static_cast<uint32_t>(top), static_cast<uint16_t>(plane));
                if (TIFFReadEncodedStrip(tiff_, index, strip.get(), wanted) != wanted) {
                    fail();
                }
                for (int64_t y = 0; y < count; y++) {
                    const uint8_t *row = strip.get() + bytes_of(y * row_samples);
                    planar_ ? scatter_plane_row(image, static_cast<int>(top + y), static_cast<int>(plane), row)
                            : scatter_row(image, static_cast<int>(top + y), row);
                }
            }
        }
    }

    void read_tiles(const Buffer<> &image) {
        uint32_t tile_width = 0;
        uint32_t tile_height = 0;
        TIFFGetField(tiff_, TIFFTAG_TILEWIDTH, &tile_width);
        TIFFGetField(tiff_, TIFFTAG_TILELENGTH, &tile_height);
        const int64_t tile_channels = planar_ ? 1 : shape_.channels;
        const bool fits = tile_width >= 1 && tile_height >= 1 && tile_width <= max_image_extent &&
                          tile_height <= max_image_extent &&
                          int64_t{tile_width} * tile_height * tile_channels <= largest_libtiff_block / 8;
        if (!fits || TIFFTileSize64(tiff_) != bytes_of(int64_t{tile_width} * tile_height * tile_channels)) {
            file_.origin().fail_corrupt("the TIFF file has tiles of a wrong size");
        }
        const auto bytes = static_cast<tmsize_t>(bytes_of(int64_t{tile_width} * tile_height * tile_channels));
        const auto tile = memory_of(static_cast<size_t>(bytes));
        for (int64_t plane = 0; plane < (planar_ ? shape_.channels : 1); plane++) {
            for (int64_t y = 0; y < shape_.height; y += tile_height) {
                for (int64_t x = 0; x < shape_.width; x += tile_width) {
                    const uint32_t index = TIFFComputeTile(tiff_, static_cast<uint32_t>(x), static_cast<uint32_t>(y), 0,
                                                           static_cast<uint16_t>(plane));
                    if (TIFFReadEncodedTile(tiff_, index, tile.get(), bytes) != bytes) {
                        fail();
                    }
                    place_tile(image, tile.get(), {x, y, plane, tile_width, tile_height});
                }
            }
        }
    }

    struct TilePlace {
        int64_t x, y, plane, width, height;
    };
    void place_tile(const Buffer<> &image, const uint8_t *tile, const TilePlace &at) const {
        const int64_t columns = std::min(at.width, shape_.width - at.x);
        const int64_t rows = std::min(at.height, shape_.height - at.y);
        const int64_t tile_channels = planar_ ? 1 : shape_.channels;
        const Buffer<> part = image.cropped(0, static_cast<int>(at.x), static_cast<int>(columns));
        for (int64_t y = 0; y < rows; y++) {
            const uint8_t *row = tile + bytes_of(y * at.width * tile_channels);
            planar_ ? scatter_plane_row(part, static_cast<int>(at.y + y), static_cast<int>(at.plane), row)
                    : scatter_row(part, static_cast<int>(at.y + y), row);
        }
    }

    // The buffer is dense, so its bytes are exactly its samples.
    static void invert(const Buffer<> &image) {
        uint8_t *bytes = image.data();
        const size_t count = image.size_in_bytes();
        for (size_t i = 0; i < count; i++) {
            bytes[i] = static_cast<uint8_t>(~bytes[i]);
        }
    }

    InputFile &file_;
    Session session_;
    TIFF *tiff_ = nullptr;
    Shape shape_;
    bool planar_ = false;
    int photometric_ = 0;
};

class Writer {
  public:
    Writer(OutputFile &file, bool big) : file_(file) {
        session_.output = &file;
        tiff_ = open(session_, big ? "w8" : "w");
        check(tiff_ != nullptr);
    }
    ~Writer() {
        if (tiff_ != nullptr) {
            TIFFClose(tiff_);
        }
    }
    Writer(const Writer &) = delete;
    Writer &operator=(const Writer &) = delete;

    void write(const ConstImage &image, const Shape &shape) {
        const int64_t row_bytes = shape.width * shape.channels * shape.type.bytes();
        const int64_t rows = std::clamp<int64_t>(65536 / row_bytes, 1, shape.height);
        set_fields(shape, rows);
        std::vector<uint8_t> strip(static_cast<size_t>(rows * row_bytes));
        for (int64_t top = 0; top < shape.height; top += rows) {
            const int64_t count = std::min(rows, shape.height - top);
            for (int64_t y = 0; y < count; y++) {
                gather_row(image, shape, static_cast<int>(top + y), strip.data() + y * row_bytes);
            }
            const auto bytes = static_cast<tmsize_t>(count * row_bytes);
            const auto index = static_cast<uint32_t>(top / rows);
            check(TIFFWriteEncodedStrip(tiff_, index, strip.data(), bytes) == bytes);
        }
        check(TIFFFlush(tiff_) == 1);
        TIFFClose(std::exchange(tiff_, nullptr));
        check(session_.message[0] == 0);
    }

  private:
    void set_fields(const Shape &shape, int64_t rows) {
        const bool color = shape.channels >= 3;
        const int format = shape.type.is_float() ? SAMPLEFORMAT_IEEEFP
                           : shape.type.is_int() ? SAMPLEFORMAT_INT
                                                 : SAMPLEFORMAT_UINT;
        const std::vector<uint16_t> extra(static_cast<size_t>(shape.channels - (color ? 3 : 1)),
                                          EXTRASAMPLE_UNSPECIFIED);
        check(TIFFSetField(tiff_, TIFFTAG_IMAGEWIDTH, static_cast<uint32_t>(shape.width)) == 1 &&
              TIFFSetField(tiff_, TIFFTAG_IMAGELENGTH, static_cast<uint32_t>(shape.height)) == 1 &&
              TIFFSetField(tiff_, TIFFTAG_BITSPERSAMPLE, shape.type.bits()) == 1 &&
              TIFFSetField(tiff_, TIFFTAG_SAMPLESPERPIXEL, static_cast<int>(shape.channels)) == 1 &&
              TIFFSetField(tiff_, TIFFTAG_SAMPLEFORMAT, format) == 1 &&
              TIFFSetField(tiff_, TIFFTAG_PHOTOMETRIC, color ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK) == 1 &&
              TIFFSetField(tiff_, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == 1 &&
              TIFFSetField(tiff_, TIFFTAG_COMPRESSION, COMPRESSION_NONE) == 1 &&
              TIFFSetField(tiff_, TIFFTAG_ROWSPERSTRIP, static_cast<uint32_t>(rows)) == 1);
        if (!extra.empty()) {
            check(TIFFSetField(tiff_, TIFFTAG_EXTRASAMPLES, static_cast<int>(extra.size()), extra.data()) == 1);
        }
    }

    void check(bool succeeded) const {
        if (!succeeded) {
            file_.origin().fail("image-write-failed", "libtiff reports: " + std::string(session_.message) +
                                                          "; an image is written to a file in an existing folder with "
                                                          "free space; check path, permissions and space");
        }
    }

    OutputFile &file_;
    Session session_;
    TIFF *tiff_ = nullptr;
};

bool matches(std::span<const uint8_t> head) {
    const bool little =
        head.size() >= 4 && head[0] == 'I' && head[1] == 'I' && (head[2] == 42 || head[2] == 43) && head[3] == 0;
    const bool big =
        head.size() >= 4 && head[0] == 'M' && head[1] == 'M' && head[2] == 0 && (head[3] == 42 || head[3] == 43);
    return little || big;
}

Buffer<> load(InputFile &file) { return Reader(file).read(); }

void save(const ConstImage &image, OutputFile &file, const SaveOptions &) {
    const Shape shape = shape_to_save(image, 65535, "TIFF", file.origin());
    const Type type = shape.type;
    if (type.is_bool() || type.is_bfloat() || type.is_handle()) {
        fail_unsupported_type(type, "TIFF", "integers of 8 to 64 bits and floats of 16 to 64 bits", file.origin());
    }
    const int64_t bytes = shape.width * shape.height * shape.channels * type.bytes();
    Writer(file, bytes > int64_t{4000} << 20).write(image, shape);
}

Type closest_type(Type type) { return type.is_bool() ? UInt(8) : type.is_bfloat() ? Float(32) : type; }

} // namespace

const Format tiff_format{"TIFF", {"tif", "tiff"}, matches, load, save, closest_type};

} // namespace fluorite::imageio
