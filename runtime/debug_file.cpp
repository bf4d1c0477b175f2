// Values of Funcs in files (Func::debug_to_file).
//
// What: writes the elements of a buffer densely, dimension 0 innermost, in the form that the end of the path asks for:
//   .tif .tiff  an image of width and height of the first two dimensions; the further ones are its channels, one after
//               the other
//   .npy        an array of NumPy, whose last index is dimension 0, as image files are
//   .mat        a variable of MATLAB (level 5) with the dimensions of the buffer and the name of the file
//   any other   five 32-bit numbers, which are the extents of four dimensions, the further ones folded into the last,
//               and the code of the type; that is the peer's form, which is usual in files *.tmp
// A type that a format lacks is an error, as is a file that cannot be written. One file is written at a time, so that
// one of several productions is in the file as a whole: the last one.
//
// Relies on: buffers in memory of the host, of any strides. Cost: a copy of each element.

#include "fluorite/runtime/checks.h"
#include "fluorite/runtime_abi.h"
#include "runtime/replaceable.h"
#include "runtime/text.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

namespace {

using Bytes = std::string;

template <typename T> void append(Bytes &to, T value) {
    to.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

std::string lower_extension(const std::string &path) {
    const size_t dot = path.rfind('.'), slash = path.rfind('/');
    std::string extension =
        dot == std::string::npos || (slash != std::string::npos && dot < slash) ? "" : path.substr(dot);
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

int64_t extent_of(const fluorite_buffer_t &buffer, int dim) {
    return dim < buffer.dimensions ? std::max(buffer.dim[dim].extent, 0) : 1;
}

/// The number of elements in dimensions `from` and further.
int64_t folded(const fluorite_buffer_t &buffer, int from) {
    int64_t count = 1;
    for (int d = from; d < buffer.dimensions; d++) {
        count *= extent_of(buffer, d);
    }
    return count;
}

/// All elements, dimension 0 innermost.
void append_elements(Bytes &to, const fluorite_buffer_t &buffer) {
    const auto size = static_cast<size_t>(buffer.type.bytes());
    std::vector<int64_t> at(static_cast<size_t>(buffer.dimensions), 0);
    for (int64_t left = folded(buffer, 0); left > 0; left--) {
        int64_t offset = 0;
        for (size_t d = 0; d < at.size(); d++) {
            offset += at[d] * buffer.dim[d].stride;
        }
        to.append(reinterpret_cast<const char *>(buffer.host) + offset * static_cast<int64_t>(size), size);
        for (size_t d = 0; d < at.size() && ++at[d] == buffer.dim[d].extent; d++) {
            at[d] = 0;
        }
    }
}

// ---- Formats. Each returns false for a type or a size that it lacks.

bool is_float(fluorite_type_t type) { return type.code == fluorite_type_float; }
bool is_whole(fluorite_type_t type) { return type.code == fluorite_type_int || type.code == fluorite_type_uint; }

bool write_raw(Bytes &to, const fluorite_buffer_t &buffer) {
    int code = -1;
    if (is_float(buffer.type) && buffer.type.bits >= 32) {
        code = buffer.type.bits == 32 ? 0 : 1;
    } else if (is_whole(buffer.type)) {
        const int of_size = buffer.type.bytes() == 1   ? 2
                            : buffer.type.bytes() == 2 ? 4
                            : buffer.type.bytes() == 4 ? 6
                                                       : 8;
        code = of_size + (buffer.type.code == fluorite_type_int ? 1 : 0);
    }
    for (int d = 0; d < 3; d++) {
        append(to, static_cast<int32_t>(extent_of(buffer, d)));
    }
    append(to, static_cast<int32_t>(folded(buffer, 3)));
    append(to, code);
    append_elements(to, buffer);
    return code >= 0;
}

bool write_npy(Bytes &to, const fluorite_buffer_t &buffer) {
    const char *kind = buffer.type.code == fluorite_type_bfloat ? "|V"
                       : is_float(buffer.type)                  ? "<f"
                       : buffer.type.code == fluorite_type_int  ? "<i"
                       : buffer.type.bits == 1                  ? "|b"
                                                                : "<u";
    std::string header = "{'descr': '" + std::string(kind) + fluorite_runtime::to_text(int64_t{buffer.type.bytes()}) +
                         "', 'fortran_order': False, 'shape': (";
    for (int d = buffer.dimensions; d-- > 0;) {
        header += fluorite_runtime::to_text(extent_of(buffer, d)) + ",";
    }
    header += "), }";
    constexpr size_t before = 10, unit = 64;
    header.resize((before + header.size() + 1 + unit - 1) / unit * unit - before - 1, ' ');
    header += '\n';
    to.append("\x93NUMPY\x01\x00", 8);
    append(to, static_cast<uint16_t>(header.size()));
    to += header;
    append_elements(to, buffer);
    return buffer.type.code != fluorite_type_handle;
}

struct TiffField {
    uint16_t tag, type; // 3: 16 bits, 4: 32 bits
    std::vector<uint32_t> values;
};

bool write_tiff(Bytes &to, const fluorite_buffer_t &buffer) {
    const int64_t width = extent_of(buffer, 0), height = extent_of(buffer, 1), channels = folded(buffer, 2),
                  strip = width * height * buffer.type.bytes();
    constexpr int64_t most_channels = 65535, most_bytes = int64_t{1} << 32;
    if (buffer.type.code > fluorite_type_float || channels > most_channels ||
        strip * channels >= most_bytes - 4096 * 1024) {
        return false;
    }
    const auto format = static_cast<uint32_t>(is_float(buffer.type)                   ? 3
                                              : buffer.type.code == fluorite_type_int ? 2
                                                                                      : 1);
    const auto count = static_cast<size_t>(channels);
    const auto bits = static_cast<uint32_t>(buffer.type.bytes() * 8);
    std::vector<TiffField> fields = {
        {256, 4, {static_cast<uint32_t>(width)}},
        {257, 4, {static_cast<uint32_t>(height)}},
        {258, 3, std::vector<uint32_t>(count, bits)},
        {259, 3, {1}}, // not compressed
        {262, 3, {1}}, // 0 is black
        {273, 4, std::vector<uint32_t>(count)},
        {277, 3, {static_cast<uint32_t>(channels)}},
        {278, 4, {static_cast<uint32_t>(height)}},
        {279, 4, std::vector<uint32_t>(count, static_cast<uint32_t>(strip))},
        {284, 3, {static_cast<uint32_t>(channels > 1 ? 2 : 1)}}, // channel by channel
        {339, 3, std::vector<uint32_t>(count, format)},
    };
    if (channels > 1) { // beyond the one that is black and white
        fields.insert(fields.end() - 1, {338, 3, std::vector<uint32_t>(count - 1, 0)});
    }
    const auto bytes_of = [](const TiffField &field) { return field.values.size() * (field.type == 3 ? 2 : 4); };
    uint32_t end = static_cast<uint32_t>(8 + 2 + 12 * fields.size() + 4);
    uint32_t data = end;
    for (const TiffField &field : fields) {
        data += bytes_of(field) > 4 ? static_cast<uint32_t>((bytes_of(field) + 3) / 4 * 4) : 0;
    }
    for (size_t c = 0; c < count; c++) {
        fields[5].values[c] = data + static_cast<uint32_t>(c) * static_cast<uint32_t>(strip);
    }
    to.append("II", 2);
    append(to, uint16_t{42});
    append(to, uint32_t{8});
    append(to, static_cast<uint16_t>(fields.size()));
    Bytes longer;
    for (const TiffField &field : fields) {
        append(to, field.tag);
        append(to, field.type);
        append(to, static_cast<uint32_t>(field.values.size()));
        Bytes values;
        for (const uint32_t value : field.values) {
            field.type == 3 ? append(values, static_cast<uint16_t>(value)) : append(values, value);
        }
        values.resize((values.size() + 3) / 4 * 4, 0);
        if (values.size() > 4) {
            append(to, end + static_cast<uint32_t>(longer.size()));
            longer += values;
        } else {
            to += values;
        }
    }
    append(to, uint32_t{0});
    to += longer;
    append_elements(to, buffer);
    return true;
}

void append_element_of_mat(Bytes &to, uint32_t type, const Bytes &data) {
    append(to, type);
    append(to, static_cast<uint32_t>(data.size()));
    to += data;
    to.resize((to.size() + 7) / 8 * 8, 0);
}

bool write_mat(Bytes &to, const fluorite_buffer_t &buffer, const std::string &path) {
    const int size = buffer.type.bytes() == 1 ? 0 : buffer.type.bytes() == 2 ? 1 : buffer.type.bytes() == 4 ? 2 : 3;
    constexpr uint32_t array_of_whole[2][4] = {{8, 10, 12, 14}, {9, 11, 13, 15}},
                       data_of_whole[2][4] = {{1, 3, 5, 12}, {2, 4, 6, 13}};
    uint32_t array = 0, data = 0;
    if (is_whole(buffer.type)) {
        array = array_of_whole[buffer.type.code][size];
        data = data_of_whole[buffer.type.code][size];
    } else if (is_float(buffer.type) && buffer.type.bits >= 32) {
        array = buffer.type.bits == 32 ? 7 : 6;
        data = buffer.type.bits == 32 ? 7 : 9;
    }
    if (array == 0 || folded(buffer, 0) * buffer.type.bytes() >= (int64_t{1} << 32) - 4096) {
        return false;
    }
    Bytes flags, dims, elements, matrix;
    append(flags, array);
    append(flags, uint32_t{0});
    for (int d = 0; d < std::max(buffer.dimensions, 2); d++) { // a matrix has two dimensions or more
        append(dims, static_cast<int32_t>(extent_of(buffer, d)));
    }
    const size_t slash = path.rfind('/');
    std::string name = path.substr(slash == std::string::npos ? 0 : slash + 1);
    name.resize(name.rfind('.'));
    for (char &c : name) {
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    name = name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0 ? "f" + name : name;
    append_elements(elements, buffer);
    append_element_of_mat(matrix, 6, flags);
    append_element_of_mat(matrix, 5, dims);
    append_element_of_mat(matrix, 1, name);
    append_element_of_mat(matrix, data, elements);
    Bytes text = "MATLAB 5.0 MAT-file";
    text.resize(124, ' ');
    to += text;
    append(to, uint16_t{0x0100});
    to.append("IM", 2);
    append_element_of_mat(to, 14, matrix);
    return true;
}

bool write_form(Bytes &to, const fluorite_buffer_t &buffer, const std::string &path) {
    const std::string extension = lower_extension(path);
    return extension == ".npy"                           ? write_npy(to, buffer)
           : extension == ".mat"                         ? write_mat(to, buffer, path)
           : extension == ".tif" || extension == ".tiff" ? write_tiff(to, buffer)
                                                         : write_raw(to, buffer);
}

int fail(void *context, const char *path, const std::string &why) {
    const std::string text = std::string("in debug_to_file: '") + path + "' " + why + " [debug-file]";
    return fluorite_error(context, fluorite_error_code_debug_to_file_failed, text.c_str());
}

} // namespace

extern "C" {

int32_t fluorite_own_halide_debug_to_file(void *context, const char *path, fluorite_buffer_t *buffer) {
    Bytes bytes;
    if (!write_form(bytes, *buffer, path)) {
        return fail(context, path,
                    "cannot hold " + fluorite_runtime::to_text(fluorite_type_t(buffer->type)) +
                        "; each format has its types and sizes, .npy all but handles; name another file");
    }
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    std::FILE *file = std::fopen(path, "wb");
    const bool is_written = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    if (file == nullptr || std::fclose(file) != 0 || !is_written) {
        return fail(context, path,
                    "cannot be written; it is a new file in a folder that exists, on a disk with space; name another "
                    "file");
    }
    return 0;
}

int fluorite_debug_to_file(void *context, const char *path, const fluorite_buffer_t *buffer) {
    return halide_debug_to_file(context, path, const_cast<fluorite_buffer_t *>(buffer));
}
}

FLUORITE_REPLACEABLE(int32_t, halide_debug_to_file, (void *context, const char *path, fluorite_buffer_t *buffer));
