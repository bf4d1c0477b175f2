#include "language/serialize/byte_stream.h"

#include "support/check.h"
#include "support/numeric.h"
#include "support/write_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace fluorite::language {

void ByteWriter::number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
        bytes_.push_back(static_cast<uint8_t>(value | 0x80));
    }
    bytes_.push_back(static_cast<uint8_t>(value));
}

void ByteWriter::fixed(uint64_t value) {
    for (int i = 0; i < 8; i++, value >>= 8) {
        bytes_.push_back(static_cast<uint8_t>(value));
    }
}

void ByteWriter::text(std::string_view value) {
    number(value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
}

void ByteReader::fail(const std::string &seen) const {
    throw CompileError("serialized-damaged",
                       concat("in ", name_, ", at byte ", at_, ": ", seen,
                              "; what is read is what this library has written, unchanged; write it anew"),
                       location_);
}

std::span<const uint8_t> ByteReader::raw(uint64_t count) {
    if (count > remaining()) {
        fail(concat("it ends where ", count, " more bytes are expected"));
    }
    at_ += static_cast<size_t>(count);
    return bytes_.subspan(at_ - static_cast<size_t>(count), static_cast<size_t>(count));
}

uint64_t ByteReader::number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        const uint8_t byte = raw(1)[0];
        value |= static_cast<uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    fail("a number has more than 64 bits");
}

int64_t ByteReader::signed_number() {
    const uint64_t value = number();
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

bool ByteReader::flag() { return index(2, "a yes or no") == 1; }

uint64_t ByteReader::fixed() {
    uint64_t value = 0;
    int shift = 0;
    for (const uint8_t byte : raw(8)) {
        value |= static_cast<uint64_t>(byte) << shift;
        shift += 8;
    }
    return value;
}

std::string ByteReader::text() {
    const std::span<const uint8_t> bytes = raw(number());
    return {bytes.begin(), bytes.end()};
}

size_t ByteReader::index(size_t end, const char *what) {
    const uint64_t value = number();
    if (value >= end) {
        fail(concat(what, " has number ", value, " of ", end));
    }
    return static_cast<size_t>(value);
}

size_t ByteReader::count(const char *what) {
    const uint64_t value = number();
    if (value > remaining()) {
        fail(concat(value, " ", what, " are announced, and ", remaining(), " bytes remain"));
    }
    return static_cast<size_t>(value);
}

int32_t ByteReader::int32(const char *what) {
    const int64_t value = signed_number();
    if (value < INT32_MIN || value > INT32_MAX) {
        fail(concat(what, " is ", value, ", which does not fit 32 bits"));
    }
    return static_cast<int32_t>(value);
}

namespace {

uint64_t hash_of(std::span<const uint8_t> bytes) {
    return hash_text({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

constexpr size_t frame_bytes = 8 + 3 * 8;

} // namespace

Bytes framed(const FileKind &kind, const Bytes &content) {
    ByteWriter writer;
    for (const char c : kind.magic) {
        const auto byte = static_cast<uint8_t>(c);
        writer.raw({&byte, 1});
    }
    writer.fixed(kind.version);
    writer.fixed(content.size());
    writer.fixed(hash_of(content));
    writer.raw(content);
    return writer.take();
}

std::span<const uint8_t> unframed(const FileKind &kind, std::span<const uint8_t> bytes, const std::string &name,
                                  const Location &location) {
    const auto damaged = [&](const std::string &seen) {
        throw CompileError(
            "serialized-damaged",
            concat("in ", name, ": ", seen, "; a serialized ", kind.what, " is read as it was written; write it anew"),
            location);
    };
    const auto *begin = reinterpret_cast<const char *>(bytes.data());
    if (bytes.size() < kind.magic.size() || std::string_view(begin, kind.magic.size()) != kind.magic) {
        damaged(concat("it does not begin with the word ", kind.magic));
    }
    if (bytes.size() < frame_bytes) {
        damaged(concat("it ends after ", bytes.size(), " bytes"));
    }
    ByteReader reader(bytes.subspan(kind.magic.size(), frame_bytes - kind.magic.size()), name, location);
    const uint64_t version = reader.fixed(), size = reader.fixed(), hash = reader.fixed();
    if (version != kind.version) {
        throw CompileError("serialized-version",
                           concat("in ", name, ": it has version ", version, " of the format, and this library reads ",
                                  kind.version, "; a file is read by libraries of its version; write it anew"),
                           location);
    }
    const std::span<const uint8_t> content = bytes.subspan(frame_bytes);
    if (size != content.size()) {
        damaged(concat("its content has ", content.size(), " bytes, and the header says ", size));
    }
    if (hash_of(content) != hash) {
        damaged("the hash of its content is not that of the header");
    }
    return content;
}

Bytes read_bytes(const std::string &path, const Location &location) {
    std::ifstream file(path, std::ios::binary);
    std::error_code ignored;
    const bool is_folder = std::filesystem::is_directory(path, ignored); // it opens, and throws where it is read
    Bytes bytes;
    if (file.is_open() && !is_folder) {
        bytes.assign(std::istreambuf_iterator<char>(file), {});
    }
    if (!file.is_open() || file.bad() || is_folder) {
        throw CompileError("serialized-file",
                           "cannot read the file '" + path + "'; it must exist and be readable; give another path",
                           location);
    }
    return bytes;
}

void write_bytes(const std::string &path, const Bytes &bytes, const Location &location) {
    if (!write_file(path, {bytes.begin(), bytes.end()})) {
        throw CompileError(
            "serialized-file",
            "cannot write the file '" + path + "'; its folder must exist and be writable; give another path", location);
    }
}

} // namespace fluorite::language
