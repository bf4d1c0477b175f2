// JPEG through libjpeg.
//
// Reading: gray stays gray, color becomes RGB; CMYK is refused. Baseline and progressive files are read. Truncated data
// is refused, where libjpeg alone would fill the rest with gray; so are all other warnings about the data except stray
// bytes between segments, which are harmless and common.
//
// Errors: libjpeg's handlers jump (setjmp/longjmp) out of single guarded calls that own nothing; the text is kept and
// thrown as RuntimeError afterwards. Nothing prints or exits.

#include "imageio/formats.h"

#include <csetjmp>
#include <cstdio>
#include <jpeglib.h>

#include <jerror.h> // after jpeglib.h

namespace fluorite::imageio {

namespace {

constexpr size_t chunk_bytes = 1 << 16;

// libjpeg's error manager is the first member, so that a pointer to it also points to the Session. The struct is plain
// data because jumps skip destructors.
struct Session {
    jpeg_error_mgr manager;
    std::jmp_buf jump;
    char message[JMSG_LENGTH_MAX];
    bool file_ended;
};

[[noreturn]] void on_error(j_common_ptr common) {
    auto *session = reinterpret_cast<Session *>(common->err);
    common->err->format_message(common, session->message);
    std::longjmp(session->jump, 1);
}

void on_message(j_common_ptr common, int level) {
    if (level < 0 && common->err->msg_code != JWRN_EXTRANEOUS_DATA) {
        on_error(common);
    }
}

void on_output(j_common_ptr) {}

void start_session(Session &session) {
    jpeg_std_error(&session.manager);
    session.manager.error_exit = on_error;
    session.manager.emit_message = on_message;
    session.manager.output_message = on_output;
    session.message[0] = 0;
    session.file_ended = false;
}

// Runs calls of libjpeg; returns false if one failed. The step must own nothing that needs destruction.
template <typename Step> [[gnu::noinline]] bool guarded(Session &session, const Step &step) {
    if (setjmp(session.jump) != 0) { // NOLINT(cert-err52-cpp): libjpeg offers no other way
        return false;
    }
    step();
    return true;
}

struct Source {
    jpeg_source_mgr manager;
    InputFile *file;
    uint8_t chunk[chunk_bytes];
};

void start_source(j_decompress_ptr) {}

boolean fill_source(j_decompress_ptr codec) {
    auto *source = reinterpret_cast<Source *>(codec->src);
    source->manager.next_input_byte = source->chunk;
    source->manager.bytes_in_buffer = source->file->read(source->chunk, chunk_bytes);
    if (source->manager.bytes_in_buffer == 0) {
        reinterpret_cast<Session *>(codec->err)->file_ended = true;
        ERREXIT(codec, JERR_INPUT_EOF);
    }
    return TRUE;
}

void skip_source(j_decompress_ptr codec, long bytes) {
    auto *source = reinterpret_cast<Source *>(codec->src);
    while (bytes > static_cast<long>(source->manager.bytes_in_buffer)) {
        bytes -= static_cast<long>(source->manager.bytes_in_buffer);
        fill_source(codec);
    }
    source->manager.next_input_byte += bytes;
    source->manager.bytes_in_buffer -= static_cast<size_t>(bytes > 0 ? bytes : 0);
}

void end_source(j_decompress_ptr) {}

struct Target {
    jpeg_destination_mgr manager;
    OutputFile *file;
    uint8_t chunk[chunk_bytes];
};

void start_target(j_compress_ptr codec) {
    auto *target = reinterpret_cast<Target *>(codec->dest);
    target->manager.next_output_byte = target->chunk;
    target->manager.free_in_buffer = chunk_bytes;
}

void write_target(j_compress_ptr codec, size_t bytes) {
    auto *target = reinterpret_cast<Target *>(codec->dest);
    if (target->file->write(target->chunk, bytes) != bytes) {
        ERREXIT(codec, JERR_FILE_WRITE);
    }
}

boolean drain_target(j_compress_ptr codec) {
    write_target(codec, chunk_bytes);
    start_target(codec);
    return TRUE;
}

void end_target(j_compress_ptr codec) {
    write_target(codec, chunk_bytes - reinterpret_cast<Target *>(codec->dest)->manager.free_in_buffer);
}

class Reader {
  public:
    explicit Reader(InputFile &file) : file_(file), source_(std::make_unique<Source>()) {
        start_session(session_);
        codec_.err = &session_.manager;
        created_ = guarded(session_, [&] { jpeg_create_decompress(&codec_); });
        check(created_);
        source_->file = &file;
        source_->manager = {nullptr, 0, start_source, fill_source, skip_source, jpeg_resync_to_restart, end_source};
        codec_.src = &source_->manager;
    }
    ~Reader() {
        if (created_) {
            jpeg_destroy_decompress(&codec_);
        }
    }
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;

    Buffer<> read() {
        check(guarded(session_, [&] { jpeg_read_header(&codec_, TRUE); }));
        if (codec_.jpeg_color_space == JCS_CMYK || codec_.jpeg_color_space == JCS_YCCK) {
            file_.origin().fail("image-unsupported", "the JPEG file is in CMYK; gray and RGB files are read; convert "
                                                     "it to RGB with another program");
        }
        const bool gray = codec_.num_components == 1;
        const Shape shape{codec_.image_width, codec_.image_height, gray ? 1 : 3, UInt(8)};
        check_shape(shape, file_.origin());
        // A Huffman-coded block of 8 x 8 pixels takes at least one bit.
        if (!codec_.arith_code && shape.width * shape.height / 512 > file_.size()) {
            file_.origin().fail_truncated("the JPEG file has " + std::to_string(file_.size()) + " bytes, too few for " +
                                          std::to_string(shape.width) + " x " + std::to_string(shape.height));
        }
        Buffer<> image = allocate(shape, file_.origin());
        check(guarded(session_, [&] {
            codec_.out_color_space = gray ? JCS_GRAYSCALE : JCS_RGB;
            jpeg_start_decompress(&codec_);
        }));
        std::vector<uint8_t> row(static_cast<size_t>(shape.width * shape.channels));
        uint8_t *data = row.data();
        for (int y = 0; y < image.height(); y++) {
            check(guarded(session_, [&] { jpeg_read_scanlines(&codec_, &data, 1); }));
            scatter_row(image, y, row.data());
        }
        check(guarded(session_, [&] { jpeg_finish_decompress(&codec_); }));
        return image;
    }

  private:
    void check(bool succeeded) const {
        if (!succeeded) {
            session_.file_ended
                ? file_.origin().fail_truncated("the JPEG file ends after " + std::to_string(file_.size()) +
                                                " bytes, before its end mark")
                : file_.origin().fail_corrupt("libjpeg reports: " + std::string(session_.message));
        }
    }

    InputFile &file_;
    Session session_;
    std::unique_ptr<Source> source_;
    jpeg_decompress_struct codec_{};
    bool created_ = false;
};

class Writer {
  public:
    explicit Writer(OutputFile &file) : file_(file), target_(std::make_unique<Target>()) {
        start_session(session_);
        codec_.err = &session_.manager;
        created_ = guarded(session_, [&] { jpeg_create_compress(&codec_); });
        check(created_);
        target_->file = &file;
        target_->manager = {nullptr, 0, start_target, drain_target, end_target};
        codec_.dest = &target_->manager;
    }
    ~Writer() {
        if (created_) {
            jpeg_destroy_compress(&codec_);
        }
    }
    Writer(const Writer &) = delete;
    Writer &operator=(const Writer &) = delete;

    void write(const ConstImage &image, const Shape &shape, int quality) {
        check(guarded(session_, [&] {
            codec_.image_width = static_cast<JDIMENSION>(shape.width);
            codec_.image_height = static_cast<JDIMENSION>(shape.height);
            codec_.input_components = static_cast<int>(shape.channels);
            codec_.in_color_space = shape.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
            jpeg_set_defaults(&codec_);
            jpeg_set_quality(&codec_, quality, TRUE);
            jpeg_start_compress(&codec_, TRUE);
        }));
        std::vector<uint8_t> row(static_cast<size_t>(shape.width * shape.channels));
        uint8_t *data = row.data();
        for (int y = 0; y < static_cast<int>(shape.height); y++) {
            gather_row(image, shape, y, row.data());
            check(guarded(session_, [&] { jpeg_write_scanlines(&codec_, &data, 1); }));
        }
        check(guarded(session_, [&] { jpeg_finish_compress(&codec_); }));
    }

  private:
    void check(bool succeeded) const {
        if (!succeeded) {
            file_.origin().fail("image-write-failed", "libjpeg reports: " + std::string(session_.message) +
                                                          "; an image is written to a file in an existing folder with "
                                                          "free space; check path, permissions and space");
        }
    }

    OutputFile &file_;
    Session session_;
    std::unique_ptr<Target> target_;
    jpeg_compress_struct codec_{};
    bool created_ = false;
};

bool matches(std::span<const uint8_t> head) {
    return head.size() >= 3 && head[0] == 0xFF && head[1] == 0xD8 && head[2] == 0xFF;
}

Buffer<> load(InputFile &file) { return Reader(file).read(); }

void save(const ConstImage &image, OutputFile &file, const SaveOptions &options) {
    const Shape shape = shape_to_save(image, 3, "JPEG", file.origin());
    if (shape.type != UInt(8)) {
        fail_unsupported_type(shape.type, "JPEG", "uint8", file.origin());
    }
    if (shape.channels == 2 || std::max(shape.width, shape.height) > 65500) {
        file.origin().fail("image-unsupported", "the picture is " + std::to_string(shape.width) + " x " +
                                                    std::to_string(shape.height) + " x " +
                                                    std::to_string(shape.channels) +
                                                    "; JPEG files hold up to 65500 a side and 1 or 3 channels; save it "
                                                    "as .png");
    }
    if (options.jpeg_quality < 1 || options.jpeg_quality > 100) {
        file.origin().fail("image-unsupported", "the JPEG quality is " + std::to_string(options.jpeg_quality) +
                                                    "; it is 1 to 100; choose one of these");
    }
    Writer(file).write(image, shape, options.jpeg_quality);
}

Type closest_type(Type) { return UInt(8); }

} // namespace

const Format jpeg_format{"JPEG", {"jpg", "jpeg"}, matches, load, save, closest_type};

} // namespace fluorite::imageio
