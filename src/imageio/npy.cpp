// NPY, NumPy's array files: versions 1 to 3, C and Fortran order, both byte orders (support/npy_header.h).
//
// The result of reading is dense with dimension 0 innermost, in either order. The dtype V2 denotes bfloat16. Before
// allocating memory, reading checks that the file holds exactly what its header declares. Writing: little endian, C
// order, version 1 (2 if the header is long).

#include "imageio/formats.h"
#include "support/npy_header.h"

#include <bit>
#include <optional>

namespace fluorite::imageio {

namespace {

struct Header {
    Type type;
    npy::Header form;
};

/// The type of elements; nothing if there is none.
std::optional<Type> type_of(const npy::Header &form) {
    const int bits = static_cast<int>(form.bytes) * 8;
    const bool is_size = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    switch (form.kind) {
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

char kind_of(Type type) {
    switch (type.code()) {
    case TypeCode::Int:
        return 'i';
    case TypeCode::UInt:
        return type.is_bool() ? 'b' : 'u';
    case TypeCode::Float:
        return 'f';
    default:
        return 'V';
    }
}

[[noreturn]] void fail_unknown_element(const std::string &dtype, const Origin &origin) {
    origin.fail("image-unsupported", "the NPY file holds elements of dtype " + dtype +
                                         "; integers, bool and floats up to 64 bits are read; convert it with astype() "
                                         "first");
}

Header parse_header(const std::string &text, const Origin &origin) {
    const auto parsed = npy::parse_dictionary(text);
    if (const auto *refusal = std::get_if<npy::Refusal>(&parsed)) {
        switch (refusal->kind) {
        case npy::Refusal::Kind::Records:
            origin.fail("image-unsupported", "the NPY file holds records; arrays of numbers are read; save its fields "
                                             "as separate arrays");
        case npy::Refusal::Kind::UnknownElement:
            fail_unknown_element(refusal->dtype, origin);
        case npy::Refusal::Kind::NoDictionary:
            origin.fail_corrupt("the NPY header is not a dictionary of descr, fortran_order and shape");
        }
    }
    const auto &form = std::get<npy::Header>(parsed);
    const std::optional<Type> type = type_of(form);
    if (!type) {
        fail_unknown_element(form.dtype(), origin);
    }
    return {*type, form};
}

Header read_header(InputFile &file) {
    std::string start(npy::prefix_bytes, '\0');
    file.read_exactly(start.data(), 8);
    if (start[6] < 1 || start[6] > 3) {
        file.origin().fail("image-unsupported", "the NPY file is of version " +
                                                    std::to_string(static_cast<unsigned char>(start[6])) +
                                                    "; versions 1 to 3 are read; save it with an older NumPy");
    }
    file.read_exactly(start.data() + 8, start[6] == 1 ? 2 : 4);
    const int64_t length = npy::read_prefix(start).length;
    if (length > file.size()) {
        file.origin().fail_truncated("the NPY header takes " + std::to_string(length) + " bytes, the file has " +
                                     std::to_string(file.size()));
    }
    std::string text(static_cast<size_t>(length), ' ');
    file.read_exactly(text.data(), text.size());
    return parse_header(text, file.origin());
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
    for (size_t d = 0; d < header.form.shape.size(); d++) {
        const int64_t extent = header.form.shape[d];
        fits &= extent <= INT32_MAX && stride <= INT32_MAX && fortran_stride <= INT32_MAX;
        bytes = std::min<__int128>(bytes * extent, most);
        stride = std::min<__int128>(stride * std::max<int64_t>(header.form.shape[header.form.shape.size() - 1 - d], 1),
                                    most);
        fortran_stride = header.form.fortran_order
                             ? std::min<__int128>(fortran_stride * std::max<int64_t>(extent, 1), most)
                             : fortran_stride;
        sizes.insert(sizes.begin(), static_cast<int>(extent));
    }
    if (!fits || bytes > max_image_bytes || header.form.shape.size() > 16) {
        file.origin().fail("image-too-large", "the NPY file declares " + std::to_string(header.form.shape.size()) +
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
        storage_order.push_back(static_cast<int>(header.form.fortran_order ? sizes.size() - 1 - d : d));
    }
    Buffer<> array(header.type, sizes, storage_order);
    const size_t bytes = array.size_in_bytes();
    auto *data = array.data();
    file.read_exactly(data, bytes);
    if (header.form.is_swapped()) {
        swap_bytes(data, bytes / static_cast<size_t>(header.type.bytes()), header.type.bytes());
    }
    if (header.type.is_bool()) {
        for (size_t i = 0; i < bytes; i++) {
            data[i] = data[i] != 0 ? 1 : 0;
        }
    }
    if (header.form.fortran_order && sizes.size() > 1) {
        Buffer<> dense(header.type, sizes);
        dense.copy_from(array);
        return dense;
    }
    return array;
}

void write_header(const ConstImage &array, OutputFile &file) {
    npy::Header header = npy::Header::native(kind_of(array.type()), array.type().bytes(), {});
    header.order = header.order == '|' ? '|' : '<';
    for (int d = array.dimensions() - 1; d >= 0; d--) {
        header.shape.push_back(array.extent(d));
    }
    const std::string bytes = npy::written(header);
    file.write(bytes.data(), bytes.size());
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
    return head.size() >= 4 &&
           std::equal(head.begin(), head.begin() + std::min(head.size(), npy::magic.size()), npy::magic.begin(),
                      [](uint8_t a, char b) { return a == static_cast<uint8_t>(b); });
}

Type closest_type(Type type) { return type; }

} // namespace

const Format npy_format{"NPY", {"npy"}, matches, load, save, closest_type};

} // namespace fluorite::imageio
