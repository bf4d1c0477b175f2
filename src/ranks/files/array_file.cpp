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
#include "support/npy_header.h"

#include <algorithm>
#include <cstdio>

namespace fluorite::distribute {

namespace {

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

/// Of the whole array.
npy::Header header_of(char kind, const FilePart &part) {
    std::vector<int64_t> shape;
    for (size_t d = part.domain.size(); d-- > 0;) {
        shape.push_back(part.domain[d].extent());
    }
    return npy::Header::native(kind, part.view.bytes, std::move(shape));
}

/// Whether a file with the dictionary has elements and shape in the form that ranks read.
bool is_readable(const std::string &dictionary, const npy::Header &wanted) {
    const auto parsed = npy::parse_dictionary(dictionary);
    const auto *header = std::get_if<npy::Header>(&parsed);
    return header && header->kind == wanted.kind && header->bytes == wanted.bytes && !header->is_swapped() &&
           !header->fortran_order && header->shape == wanted.shape;
}

/// Finds where the elements begin.
FileProblem parse_npy(const std::string &path, char kind, const FilePart &part, int64_t &offset) {
    const SharedFile file(path, O_RDONLY);
    if (!file.is_open()) {
        return {}; // read_rows says so
    }
    std::string start(npy::prefix_bytes, '\0');
    start.resize(static_cast<size_t>(std::max<int64_t>(file.read(start.data(), npy::prefix_bytes, 0), 0)));
    const npy::Prefix prefix = npy::read_prefix(start);
    if (prefix.verdict != npy::Prefix::Verdict::Known) {
        return {"image-corrupt", "it is no NPY file of version 1, 2 or 3; the name says so; name another file"};
    }
    std::string dictionary(static_cast<size_t>(std::min<int64_t>(prefix.length, 1 << 20)), ' ');
    const auto begin = static_cast<int64_t>(prefix.begin);
    if (file.read(dictionary.data(), static_cast<int64_t>(dictionary.size()), begin) != prefix.length) {
        return {"image-corrupt", "its header ends early; a header has the length that it states; write it again"};
    }
    offset = begin + prefix.length;
    const npy::Header wanted = header_of(kind, part);
    if (!is_readable(dictionary, wanted)) {
        dictionary.erase(std::min(dictionary.find_last_of('}'), dictionary.size() - 1) + 1);
        return {"image-unsupported", concat("it holds ", dictionary, ", and ranks read an array of dtype '",
                                            wanted.dtype(), "' in C order with shape ", wanted.shape_text(),
                                            "; ranks do not convert what they read; save it in that form")};
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
    write(path, npy::written(header_of(kind, part)), part, transport);
}

} // namespace fluorite::distribute
