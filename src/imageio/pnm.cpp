// PGM and PPM, text (P2, P3) and binary (P5, P6), 8 and 16 bits.
//
// Reading: samples are relative to the declared maximum. A maximum up to 255 gives uint8, a larger one uint16; samples
// are scaled to the full range with rounding unless it is 255 or 65535. A sample above the maximum is an error.
// Comments (`#` to the end of the line) may occur between the numbers of the header. The size of the file is checked
// before memory is allocated. Writing: binary, maximum 255 or 65535.

#include "imageio/formats.h"

#include <bit>

namespace fluorite::imageio {

namespace {

class Reader {
  public:
    explicit Reader(InputFile &file) : file_(file) {}

    Buffer<> read() {
        char magic[2];
        file_.read_exactly(magic, 2);
        const bool text = magic[1] == '2' || magic[1] == '3';
        Shape shape;
        shape.channels = magic[1] == '3' || magic[1] == '6' ? 3 : 1;
        shape.width = read_number("its width");
        shape.height = read_number("its height");
        maximum_ = read_number("its maximum");
        if (maximum_ < 1 || maximum_ > 65535) {
            file_.origin().fail_corrupt("the PNM file declares a maximum of " + std::to_string(maximum_) +
                                        ", not of 1 to 65535");
        }
        shape.type = maximum_ > 255 ? UInt(16) : UInt(8);
        check_shape(shape, file_.origin());
        // A text sample takes at least one digit and, except for the last, a space.
        const int64_t samples = shape.width * shape.height * shape.channels;
        const int64_t needed = file_.position() + (text ? samples * 2 - 1 : samples * shape.type.bytes());
        if (file_.size() < needed) {
            file_.origin().fail_truncated("the PNM file has " + std::to_string(file_.size()) +
                                          " bytes where at least " + std::to_string(needed) + " are needed");
        }
        Buffer<> image = allocate(shape, file_.origin());
        std::vector<uint8_t> row(static_cast<size_t>(shape.width * shape.channels * shape.type.bytes()));
        for (int y = 0; y < image.height(); y++) {
            text ? read_text_row(row, shape.type) : read_binary_row(row, shape.type);
            scatter_row(image, y, row.data());
        }
        return image;
    }

  private:
    int next_byte() {
        uint8_t byte = 0;
        return file_.read(&byte, 1) == 1 ? byte : -1;
    }

    // Reads a decimal number; skips white space and comments before it and consumes the one byte after it.
    int64_t read_number(const char *what) {
        int byte = next_byte();
        while (byte == ' ' || (byte >= 9 && byte <= 13) || byte == '#') {
            while (byte == '#' || (in_comment_ && byte != '\n' && byte != -1)) {
                in_comment_ = true;
                byte = next_byte();
            }
            in_comment_ = false;
            byte = byte == -1 ? -1 : next_byte();
        }
        if (byte == -1) {
            file_.origin().fail_truncated("the PNM file ends before " + std::string(what));
        }
        if (byte < '0' || byte > '9') {
            file_.origin().fail_corrupt("the PNM file has byte " + std::to_string(byte) + " where " + what +
                                        " should be");
        }
        int64_t number = 0;
        for (; byte >= '0' && byte <= '9'; byte = next_byte()) {
            number = number < int64_t{1} << 40 ? number * 10 + (byte - '0') : number;
        }
        if (byte != -1 && byte != ' ' && !(byte >= 9 && byte <= 13)) {
            file_.origin().fail_corrupt("the PNM file has byte " + std::to_string(byte) + " inside " + what);
        }
        return number;
    }

    uint32_t scaled(int64_t sample, int64_t full) const {
        if (sample > maximum_) {
            file_.origin().fail_corrupt("the PNM file has a sample of " + std::to_string(sample) +
                                        " above its maximum of " + std::to_string(maximum_));
        }
        return static_cast<uint32_t>(maximum_ == full ? sample : (sample * full * 2 + maximum_) / (maximum_ * 2));
    }

    void store(std::vector<uint8_t> &row, size_t i, Type type, int64_t sample) const {
        if (type.bits() == 8) {
            row[i] = static_cast<uint8_t>(scaled(sample, 255));
        } else {
            const auto value = static_cast<uint16_t>(scaled(sample, 65535));
            std::memcpy(&row[2 * i], &value, 2);
        }
    }

    void read_text_row(std::vector<uint8_t> &row, Type type) {
        for (size_t i = 0; i < row.size() / static_cast<size_t>(type.bytes()); i++) {
            store(row, i, type, read_number("a sample"));
        }
    }

    void read_binary_row(std::vector<uint8_t> &row, Type type) {
        file_.read_exactly(row.data(), row.size());
        for (size_t i = 0; i < row.size() / static_cast<size_t>(type.bytes()); i++) {
            store(row, i, type, type.bits() == 8 ? row[i] : row[2 * i] * 256 + row[2 * i + 1]);
        }
    }

    InputFile &file_;
    int64_t maximum_ = 255;
    bool in_comment_ = false;
};

bool matches(std::span<const uint8_t> head) {
    return head.size() >= 2 && head[0] == 'P' &&
           (head[1] == '2' || head[1] == '3' || head[1] == '5' || head[1] == '6') &&
           (head.size() == 2 || head[2] == '#' || head[2] == ' ' || (head[2] >= 9 && head[2] <= 13));
}

Buffer<> load(InputFile &file) { return Reader(file).read(); }

void save(const ConstImage &image, OutputFile &file, const SaveOptions &) {
    const Shape shape = shape_to_save(image, 3, "PNM", file.origin());
    if (shape.type != UInt(8) && shape.type != UInt(16)) {
        fail_unsupported_type(shape.type, "PNM", "uint8 and uint16", file.origin());
    }
    if (shape.channels == 2) {
        file.origin().fail("image-unsupported", "the picture has 2 channels; PNM files hold 1 or 3; save it as .png");
    }
    const std::string header = std::string(shape.channels == 1 ? "P5" : "P6") + "\n" + std::to_string(shape.width) +
                               " " + std::to_string(shape.height) + "\n" + (shape.type.bits() == 8 ? "255" : "65535") +
                               "\n";
    file.write(header.data(), header.size());
    const size_t samples = static_cast<size_t>(shape.width * shape.channels);
    std::vector<uint8_t> row(samples * static_cast<size_t>(shape.type.bytes()));
    for (int y = 0; y < static_cast<int>(shape.height); y++) {
        gather_row(image, shape, y, row.data());
        if (shape.type.bits() == 16 && std::endian::native == std::endian::little) {
            swap_bytes(row.data(), samples, 2);
        }
        file.write(row.data(), row.size());
    }
}

Type closest_type(Type type) { return type.bits() <= 8 ? UInt(8) : UInt(16); }

} // namespace

const Format pnm_format{"PNM", {"pgm", "ppm", "pnm"}, matches, load, save, closest_type};

} // namespace fluorite::imageio
