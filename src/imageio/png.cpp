// PNG through libpng.
//
// Reading: palettes become RGB(A), gray below 8 bits becomes 8 bits, a transparent color becomes an alpha channel,
// 16-bit samples take the machine's byte order. Rows are read one by one; interlaced files need the whole picture
// twice. Checksums and the end mark are verified, so every truncated file is refused. A file that is too short for its
// declared size, even at deflate's best ratio, is refused before memory is allocated.
//
// Errors: libpng's handlers jump (setjmp/longjmp) out of single guarded calls that own nothing; the text is kept and
// thrown as RuntimeError afterwards. Nothing prints or exits. Warnings (ancillary chunks) are dropped.

#include "imageio/formats.h"

#include <bit>
#include <csetjmp>
#include <cstdio>
#include <png.h>

namespace fluorite::imageio {

namespace {

// The state of the callbacks. The struct is plain data because jumps skip destructors.
struct Session {
    std::jmp_buf jump;
    char message[160] = "";
    bool file_ended = false;
    InputFile *input = nullptr;
    OutputFile *output = nullptr;
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
    auto *session = static_cast<Session *>(png_get_error_ptr(png));
    std::snprintf(session->message, sizeof(session->message), "%s", message);
    std::longjmp(session->jump, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep to, size_t bytes) {
    auto *session = static_cast<Session *>(png_get_io_ptr(png));
    if (session->input->read(to, bytes) != bytes) {
        session->file_ended = true;
        png_error(png, "the file ends early");
    }
}

void on_write(png_structp png, png_bytep from, size_t bytes) {
    auto *session = static_cast<Session *>(png_get_io_ptr(png));
    if (session->output->write(from, bytes) != bytes) {
        png_error(png, "the file cannot be written");
    }
}

void on_flush(png_structp) {}

// Runs calls of libpng; returns false if one failed. The step must own nothing that needs destruction.
template <typename Step> [[gnu::noinline]] bool guarded(Session &session, const Step &step) {
    if (setjmp(session.jump) != 0) { // NOLINT(cert-err52-cpp): libpng offers no other way
        return false;
    }
    step();
    return true;
}

class Reader {
  public:
    explicit Reader(InputFile &file) : file_(file) {
        session_.input = &file;
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &session_, on_error, on_warning);
        info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
        if (info_ == nullptr) {
            png_destroy_read_struct(&png_, nullptr, nullptr);
            file.origin().fail("image-corrupt", "libpng cannot be started; its version must fit; install libpng again");
        }
        png_set_read_fn(png_, &session_, on_read);
        png_set_user_limits(png_, 0x7FFFFFFF, 0x7FFFFFFF); // check_shape defines the limits
    }
    ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;

    Buffer<> read() {
        const Shape shape = read_header();
        Buffer<> image = allocate(shape, file_.origin());
        passes_ == 1 ? read_rows(image) : read_interlaced(image, shape);
        check(guarded(session_, [&] { png_read_end(png_, nullptr); }));
        return image;
    }

  private:
    void check(bool succeeded) const {
        if (!succeeded) {
            session_.file_ended
                ? file_.origin().fail_truncated("the PNG file ends after " + std::to_string(file_.size()) +
                                                " bytes, before its end "
                                                "mark")
                : file_.origin().fail_corrupt("libpng reports: " + std::string(session_.message));
        }
    }

    Shape read_header() {
        check(guarded(session_, [&] { png_read_info(png_, info_); }));
        // Limits are checked on the declared size, before libpng allocates its rows.
        Shape shape{png_get_image_width(png_, info_), png_get_image_height(png_, info_), 4, UInt(16)};
        shape.type = UInt(png_get_bit_depth(png_, info_) == 16 ? 16 : 8);
        check_shape(shape, file_.origin());
        check(guarded(session_, [&] {
            png_set_expand(png_);
            if (std::endian::native == std::endian::little) {
                png_set_swap(png_);
            }
            passes_ = png_set_interlace_handling(png_);
            png_read_update_info(png_, info_);
        }));
        shape.channels = png_get_channels(png_, info_);
        row_bytes_ = png_get_rowbytes(png_, info_);
        constexpr int64_t best_ratio = 1032 * 8; // deflate's best, and 1-bit samples that become bytes
        if (static_cast<int64_t>(row_bytes_) * shape.height / best_ratio > file_.size()) {
            file_.origin().fail_truncated("the PNG file has " + std::to_string(file_.size()) + " bytes, too few for " +
                                          std::to_string(shape.width) + " x " + std::to_string(shape.height));
        }
        return shape;
    }

    void read_rows(const Buffer<> &image) {
        std::vector<uint8_t> row(row_bytes_);
        uint8_t *data = row.data();
        for (int y = 0; y < image.height(); y++) {
            check(guarded(session_, [&] { png_read_row(png_, data, nullptr); }));
            scatter_row(image, y, data);
        }
    }

    void read_interlaced(const Buffer<> &image, const Shape &shape) {
        const auto height = static_cast<size_t>(shape.height);
        std::vector<uint8_t> picture(row_bytes_ * height);
        std::vector<uint8_t *> rows(height);
        for (size_t y = 0; y < height; y++) {
            rows[y] = picture.data() + y * row_bytes_;
        }
        uint8_t **pointers = rows.data();
        check(guarded(session_, [&] { png_read_image(png_, pointers); }));
        for (size_t y = 0; y < height; y++) {
            scatter_row(image, static_cast<int>(y), rows[y]);
        }
    }

    InputFile &file_;
    Session session_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    int passes_ = 1;
    size_t row_bytes_ = 0;
};

class Writer {
  public:
    explicit Writer(OutputFile &file) : file_(file) {
        session_.output = &file;
        png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &session_, on_error, on_warning);
        info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
        if (info_ == nullptr) {
            png_destroy_write_struct(&png_, nullptr);
            file.origin().fail("image-write-failed", "libpng cannot be started; its version must fit; install libpng "
                                                     "again");
        }
        png_set_write_fn(png_, &session_, on_write, on_flush);
        png_set_user_limits(png_, 0x7FFFFFFF, 0x7FFFFFFF);
    }
    ~Writer() { png_destroy_write_struct(&png_, &info_); }
    Writer(const Writer &) = delete;
    Writer &operator=(const Writer &) = delete;

    void write(const ConstImage &image, const Shape &shape) {
        static constexpr int colors[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                         PNG_COLOR_TYPE_RGB_ALPHA};
        const int color = colors[shape.channels];
        check(guarded(session_, [&] {
            png_set_IHDR(png_, info_, static_cast<png_uint_32>(shape.width), static_cast<png_uint_32>(shape.height),
                         shape.type.bits(), color, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                         PNG_FILTER_TYPE_DEFAULT);
            png_set_compression_level(png_, 3); // takes a third of the default level's time; files are some 5 % larger
            png_write_info(png_, info_);
            if (std::endian::native == std::endian::little && shape.type.bits() == 16) {
                png_set_swap(png_);
            }
        }));
        std::vector<uint8_t> row(static_cast<size_t>(shape.width * shape.channels * shape.type.bytes()));
        uint8_t *data = row.data();
        for (int y = 0; y < static_cast<int>(shape.height); y++) {
            gather_row(image, shape, y, data);
            check(guarded(session_, [&] { png_write_row(png_, data); }));
        }
        check(guarded(session_, [&] { png_write_end(png_, info_); }));
    }

  private:
    void check(bool succeeded) const {
        if (!succeeded) {
            file_.origin().fail("image-write-failed", "libpng reports: " + std::string(session_.message) +
                                                          "; an image is written to a file in an existing folder with "
                                                          "free space; check path, permissions and space");
        }
    }

    OutputFile &file_;
    Session session_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

bool matches(std::span<const uint8_t> head) {
    static constexpr uint8_t signature[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
    return head.size() >= 4 && std::equal(head.begin(), head.begin() + std::min<size_t>(head.size(), 8), signature);
}

Buffer<> load(InputFile &file) { return Reader(file).read(); }

void save(const ConstImage &image, OutputFile &file, const SaveOptions &) {
    const Shape shape = shape_to_save(image, 4, "PNG", file.origin());
    if (shape.type != UInt(8) && shape.type != UInt(16)) {
        fail_unsupported_type(shape.type, "PNG", "uint8 and uint16", file.origin());
    }
    Writer(file).write(image, shape);
}

Type closest_type(Type type) { return type.bits() <= 8 ? UInt(8) : UInt(16); }

} // namespace

const Format png_format{"PNG", {"png"}, matches, load, save, closest_type};

} // namespace fluorite::imageio
