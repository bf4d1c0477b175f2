// NPY, NumPy's array files: versions 1 to 3, C and Fortran order, both byte orders.
//
// A file is a magic text, a version, a Python dictionary with dtype, order and shape, and the elements. Element a[i, j,
// k] is buffer(k, j, i) in either order; the result is dense with dimension 0 innermost. The dtype V2 denotes bfloat16.
// Before allocating memory, reading checks that the file holds exactly what its header declares. Writing: little
// endian, C order, version 1 (2 if the header is long).

#include "imageio/formats.h"

#include <bit>
#include <cctype>
#include <optional>

namespace fluorite::imageio {

namespace {

constexpr uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

struct Header {
    Type type;
    bool swapped = false; // relative to this machine's byte order
    bool fortran_order = false;
    std::vector<int64_t> shape;
};

// The element type of a dtype text such as `<f4`.
std::optional<Type> parse_dtype(const std::string &text) {
    if (text.size() != 3) {
        return std::nullopt;
    }
    const int bits = (text[2] - '0') * 8;
    const bool is_size = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    switch (text[1]) {
    case 'b':
        return bits == 8 ? std::optional(Bool()) : std::nullopt;
    case 'i':
        return is_size ? std::optional(Int(bits)) : std::nullopt;
    case 'u':
        return is_size ? std::optional(UInt(bits)) : std::nullopt;
    case 'f':
        return is_size && bits > 8 ? std::optional(Float(bits)) : std::nullopt;
    case 'V':
        return bits == 16 ? std::optional(BFloat(16)) : std::nullopt;
    default:
        return std::nullopt;
    }
}

std::string dtype_of(Type type) {
    const std::string size = std::to_string(type.bytes());
    const std::string order = type.bytes() == 1 ? "|" : "<";
    switch (type.code()) {
    case TypeCode::Int:
        return order + "i" + size;
    case TypeCode::UInt:
        return order + (type.is_bool() ? "b" : "u") + size;
    case TypeCode::Float:
        return order + "f" + size;
    default:
        return order + "V" + size;
    }
}

// Parses the header's dictionary, which is a small, fixed subset of Python.
class DictionaryParser {
  public:
    DictionaryParser(const std::string &text, const Origin &origin) : text_(text), origin_(origin) {}

    Header parse() {
        expect('{');
        while (!accept('}')) {
            const std::string key = parse_string();
            expect(':');
            parse_entry(key);
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skip_space();
        if (seen_ != 7 || at_ != text_.size()) {
            fail();
        }
        return header_;
    }

  private:
    void parse_entry(const std::string &key) {
        const int bit = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
        if (bit == 0 || (seen_ & bit) != 0) {
            fail();
        }
        seen_ |= bit;
        if (bit == 1) {
            parse_descr();
        } else if (bit == 2) {
            header_.fortran_order = parse_bool();
        } else {
            parse_shape();
        }
    }

    void parse_descr() {
        skip_space();
        if (at_ < text_.size() && text_[at_] == '[') {
            origin_.fail("image-unsupported", "the NPY file holds records; arrays of numbers are read; save its fields "
                                              "as separate arrays");
        }
        const std::string dtype = parse_string();
        const std::optional<Type> type = parse_dtype(dtype);
        if (!type || std::string("<>|=").find(dtype[0]) == std::string::npos) {
            origin_.fail("image-unsupported", "the NPY file holds elements of dtype " + dtype +
                                                  "; integers, bool and floats up to 64 bits are read; convert it "
                                                  "with astype() first");
        }
        header_.type = *type;
        const char native = std::endian::native == std::endian::little ? '<' : '>';
        header_.swapped = type->bytes() > 1 && (dtype[0] == '<' || dtype[0] == '>') && dtype[0] != native;
    }

    void parse_shape() {
        expect('(');
        while (!accept(')')) {
            skip_space();
            size_t digits = 0;
            int64_t extent = 0;
            for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0; at_++, digits++) {
                extent = extent < int64_t{1} << 50 ? extent * 10 + (text_[at_] - '0') : extent;
            }
            if (digits == 0) {
                fail();
            }
            header_.shape.push_back(extent);
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
    }

    bool parse_bool() {
        skip_space();
        for (const char *word : {"True", "False"}) {
            if (text_.compare(at_, std::string(word).size(), word) == 0) {
                at_ += std::string(word).size();
                return word[0] == 'T';
            }
        }
        fail();
    }

    std::string parse_string() {
        skip_space();
        const char quote = at_ < text_.size() ? text_[at_] : 0;
        const size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string::npos;
        if (end == std::string::npos) {
            fail();
        }
        const std::string result = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return result;
    }

    void skip_space() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
            at_++;
        }
    }
    bool accept(char c) {
        skip_space();
        const bool found = at_ < text_.size() && text_[at_] == c;
        at_ += found ? 1 : 0;
        return found;
    }
    void expect(char c) {
        if (!accept(c)) {
            fail();
        }
    }
    [[noreturn]] void fail() const {
        origin_.fail_corrupt("the NPY header is not a dictionary of descr, fortran_order and shape");
    }

    const std::string &text_;
    const Origin &origin_;
    Header header_;
    size_t at_ = 0;
    int seen_ = 0;
};

Header read_header(InputFile &file) {
    uint8_t start[8];
    file.read_exactly(start, sizeof(start));
    if (start[6] < 1 || start[6] > 3) {
        file.origin().fail("image-unsupported", "the NPY file is of version " + std::to_string(start[6]) +
                                                    "; versions 1 to 3 are read; save it with an older NumPy");
    }
    uint8_t length_bytes[4] = {};
    file.read_exactly(length_bytes, start[6] == 1 ? 2 : 4);
    const uint32_t length = length_bytes[0] | static_cast<uint32_t>(length_bytes[1]) << 8 |
                            static_cast<uint32_t>(length_bytes[2]) << 16 | static_cast<uint32_t>(length_bytes[3]) << 24;
    if (length > file.size()) {
        file.origin().fail_truncated("the NPY header takes " + std::to_string(length) + " bytes, the file has " +
                                     std::to_string(file.size()));
    }
    std::string text(length, ' ');
    file.read_exactly(text.data(), length);
    return DictionaryParser(text, file.origin()).parse();
}

// Checks the limits and the size of the file, and returns the sizes of the buffer.
std::vector<int> check_sizes(const Header &header, InputFile &file) {
    std::vector<int> sizes;
    constexpr __int128 most = __int128{1} << 62; // times an extent, it still fits
    __int128 bytes = header.type.bytes();
    // The strides of the next dimension, inside of which the later ones lie, or the earlier ones. They are wanted of
    // arrays without elements, too. An array in Fortran's order is read into memory of that order first.
    __int128 stride = 1;
    __int128 fortran_stride = 1;
    bool fits = true;
    for (size_t d = 0; d < header.shape.size(); d++) {
        const int64_t extent = header.shape[d];
        fits &= extent <= INT32_MAX && stride <= INT32_MAX && fortran_stride <= INT32_MAX;
        bytes = std::min<__int128>(bytes * extent, most);
        stride = std::min<__int128>(stride * std::max<int64_t>(header.shape[header.shape.size() - 1 - d], 1), most);
        fortran_stride = header.fortran_order ? std::min<__int128>(fortran_stride * std::max<int64_t>(extent, 1), most)
                                              : fortran_stride;
        sizes.insert(sizes.begin(), static_cast<int>(extent));
    }
    if (!fits || bytes > max_image_bytes || header.shape.size() > 16) {
        file.origin().fail("image-too-large", "the NPY file declares " + std::to_string(header.shape.size()) +
                                                  " dimensions and more than is read; at most " +
                                                  std::to_string(max_image_bytes) +
                                                  " bytes, strides of 2147483647 elements and 16 dimensions are read; "
                                                  "cut it into smaller files");
    }
    const int64_t needed = file.position() + static_cast<int64_t>(bytes);
    if (file.size() < needed) {
        file.origin().fail_truncated("the NPY file has " + std::to_string(file.size()) + " bytes where " +
                                     std::to_string(needed) + " are needed");
    }
    if (file.size() > needed) {
        file.origin().fail_corrupt("the NPY file has " + std::to_string(file.size() - needed) +
                                   " bytes after its elements");
    }
    return sizes;
}

Buffer<> load(InputFile &file) {
    const Header header = read_header(file);
    const std::vector<int> sizes = check_sizes(header, file);
    std::vector<int> storage_order;
    for (size_t d = 0; d < sizes.size(); d++) {
        storage_order.push_back(static_cast<int>(header.fortran_order ? sizes.size() - 1 - d : d));
    }
    Buffer<> array(header.type, sizes, storage_order);
    const size_t bytes = array.size_in_bytes();
    auto *data = array.data();
    file.read_exactly(data, bytes);
    if (header.swapped) {
        swap_bytes(data, bytes / static_cast<size_t>(header.type.bytes()), header.type.bytes());
    }
    if (header.type.is_bool()) {
        for (size_t i = 0; i < bytes; i++) {
            data[i] = data[i] != 0 ? 1 : 0;
        }
    }
    if (header.fortran_order && sizes.size() > 1) {
        Buffer<> dense(header.type, sizes);
        dense.copy_from(array);
        return dense;
    }
    return array;
}

void write_header(const ConstImage &array, OutputFile &file) {
    std::string text = "{'descr': '" + dtype_of(array.type()) + "', 'fortran_order': False, 'shape': (";
    for (int d = array.dimensions() - 1; d >= 0; d--) {
        text += std::to_string(array.extent(d)) + (array.dimensions() == 1 ? "," : d > 0 ? ", " : "");
    }
    text += "), }";
    const size_t length_bytes = text.size() < 60000 ? 2 : 4;
    const size_t before = sizeof(magic) + 2 + length_bytes;
    text.resize((before + text.size() + 1 + 63) / 64 * 64 - before, ' '); // the elements start at a multiple of 64
    text.back() = '\n';
    file.write(magic, sizeof(magic));
    const uint8_t version[] = {static_cast<uint8_t>(length_bytes == 2 ? 1 : 2), 0};
    file.write(version, 2);
    const uint8_t length[] = {static_cast<uint8_t>(text.size()), static_cast<uint8_t>(text.size() >> 8),
                              static_cast<uint8_t>(text.size() >> 16), static_cast<uint8_t>(text.size() >> 24)};
    file.write(length, length_bytes);
    file.write(text.data(), text.size());
}

void save(const ConstImage &array, OutputFile &file, const SaveOptions &) {
    if (!array.defined() || (!array.has_host_memory() && array.number_of_elements() != 0)) {
        file.origin().fail("image-unsupported", "the buffer has no elements in host memory; only existing elements can "
                                                "be written; allocate and compute the buffer first");
    }
    if (array.type().is_handle()) {
        fail_unsupported_type(array.type(), "NPY", "numbers", file.origin());
    }
    write_header(array, file);
    std::vector<int> sizes;
    std::vector<int> mins;
    for (int d = 0; d < array.dimensions(); d++) {
        sizes.push_back(array.extent(d));
        mins.push_back(array.min(d));
    }
    Buffer<> dense(array.type(), sizes);
    dense.set_min(mins);
    buffer_detail::copy_overlap(*dense.contents(), *array.contents());
    const size_t bytes = dense.size_in_bytes();
    if (std::endian::native == std::endian::big) {
        swap_bytes(dense.data(), bytes / static_cast<size_t>(array.type().bytes()), array.type().bytes());
    }
    file.write(dense.data(), bytes);
}

bool matches(std::span<const uint8_t> head) {
    return head.size() >= 4 && std::equal(head.begin(), head.begin() + std::min<size_t>(head.size(), 6), magic);
}

Type closest_type(Type type) { return type; }

} // namespace

const Format npy_format{"NPY", {"npy"}, matches, load, save, closest_type};

} // namespace fluorite::imageio
