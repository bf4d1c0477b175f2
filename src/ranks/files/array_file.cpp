// Arrays in files.
//
// Writing: rank 0 creates the file with its header, at its full size, under another name; each rank writes its rows at
// their offsets; rank 0 renames. Reading: each rank reads the header, which is short, and its rows. After each phase
// the ranks tell each other whether it went well.

#include "ranks/files/array_file.h"

#include "fluorite/errors.h"
#include "ranks/files/file_rows.h"
#include "ranks/files/shared_file.h"
#include "support/check.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace fluorite::distribute {

namespace {

constexpr const char npy_magic[] = "\x93NUMPY";
constexpr size_t magic_bytes = 6;

int64_t bytes_of(const FilePart &part) { return volume(part.domain) * part.view.bytes; }

FileProblem create(const std::string &path, const std::string &header, int64_t bytes) {
    const SharedFile file(path, O_WRONLY | O_CREAT | O_TRUNC);
    const bool is_created = file.is_open() && file.resize(static_cast<int64_t>(header.size()) + bytes) &&
                            file.write(header.data(), static_cast<int64_t>(header.size()), 0);
    return is_created ? FileProblem{} : write_problem("it cannot be created");
}

void write(const std::string &path, const std::string &header, const FilePart &part, Transport &transport) {
    const bool is_first = transport.rank() == 0;
    const std::string unfinished = unfinished_name(path);
    agree(path, is_first ? create(unfinished, header, bytes_of(part)) : FileProblem{}, transport);
    agree(path, write_rows(unfinished, static_cast<int64_t>(header.size()), part), transport);
    put_in_place(unfinished, path, transport);
}

std::string dtype_of(char kind, int64_t bytes) {
    const char order = bytes == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
    return concat(order, kind, bytes);
}

std::string shape_of(const Box &domain) {
    std::string text = "(";
    for (size_t d = domain.size(); d-- > 0;) {
        text += concat(domain[d].extent(), domain.size() == 1 ? "," : d > 0 ? ", " : "");
    }
    return text + ")";
}

std::string npy_header(char kind, const FilePart &part) {
    std::string text = concat("{'descr': '", dtype_of(kind, part.view.bytes),
                              "', 'fortran_order': False, 'shape': ", shape_of(part.domain), ", }");
    const size_t before = magic_bytes + 4; // version and length of the text
    text.resize((before + text.size() + 1 + 63) / 64 * 64 - before, ' ');
    text.back() = '\n';
    std::string header(npy_magic, magic_bytes);
    header += {'\x01', '\x00', static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
    return header + text;
}

/// The text behind a key of the header, without spaces, to the end of the header.
std::string value_of(const std::string &header, const std::string &key) {
    const size_t at = header.find("'" + key + "'");
    const size_t colon = at == std::string::npos ? at : header.find(':', at);
    std::string value = colon == std::string::npos ? "" : header.substr(colon + 1);
    std::erase(value, ' ');
    return value;
}

/// Finds where the elements begin.
FileProblem parse_npy(const std::string &path, char kind, const FilePart &part, int64_t &offset) {
    const SharedFile file(path, O_RDONLY);
    if (!file.is_open()) {
        return {}; // read_rows says so
    }
    unsigned char start[12] = {};
    const int64_t count = file.read(reinterpret_cast<char *>(start), sizeof start, 0); // NOLINT: bytes
    if (count < 10 || std::memcmp(start, npy_magic, magic_bytes) != 0 || start[6] < 1 || start[6] > 3) {
        return {"image-corrupt", "it is no NPY file of version 1, 2 or 3; the name says so; name another file"};
    }
    const bool is_long = start[6] > 1;
    const int64_t length =
        start[8] + start[9] * 256 + (is_long ? start[10] * 65536 + start[11] * int64_t{16777216} : 0);
    const int64_t begin = is_long ? 12 : 10;
    std::string header(static_cast<size_t>(std::min<int64_t>(length, 1 << 20)), ' ');
    if (file.read(header.data(), static_cast<int64_t>(header.size()), begin) != length) {
        return {"image-corrupt", "its header ends early; a header has the length that it states; write it again"};
    }
    offset = begin + length;
    std::string shape = shape_of(part.domain);
    std::erase(shape, ' ');
    const std::string dtype = "'" + dtype_of(kind, part.view.bytes) + "'";
    const bool is_it = value_of(header, "descr").starts_with(dtype) &&
                       value_of(header, "fortran_order").starts_with("False") &&
                       value_of(header, "shape").starts_with(shape);
    if (!is_it) {
        header.erase(std::min(header.find_last_of('}'), header.size() - 1) + 1);
        return {"image-unsupported",
                concat("it holds ", header, ", and ranks read an array of dtype ", dtype, " in C order with shape ",
                       shape_of(part.domain), "; ranks do not convert what they read; save it in that form")};
    }
    return {};
}

} // namespace

void read_raw(const std::string &path, int64_t offset, const FilePart &part, Transport &transport) {
    agree(path, read_rows(path, offset, part), transport);
}

void write_raw(const std::string &path, const FilePart &part, Transport &transport) {
    write(path, "", part, transport);
}

void read_npy(const std::string &path, char kind, const FilePart &part, Transport &transport) {
    int64_t offset = 0;
    agree(path, parse_npy(path, kind, part, offset), transport);
    agree(path, read_rows(path, offset, part), transport);
}

void write_npy(const std::string &path, char kind, const FilePart &part, Transport &transport) {
    write(path, npy_header(kind, part), part, transport);
}

} // namespace fluorite::distribute
