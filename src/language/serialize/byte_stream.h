#pragma once
// Bytes of files: numbers of variable length, texts, and the frame around a whole file.
//
// A frame is a magic word of 8 bytes, the version of the format, the number of bytes of the content and their hash,
// each a number of 8 bytes, lowest first; then the content. So a file of another kind, of another version, a truncated
// and a damaged one are told apart before any of the content is read.

#include "fluorite/errors.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fluorite::language {

using Bytes = std::vector<uint8_t>;

class ByteWriter {
  public:
    /// Seven bits a byte, lowest first; small numbers take one byte.
    void number(uint64_t value);
    void signed_number(int64_t value) {
        number(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
    }
    void flag(bool value) { number(value ? 1 : 0); }
    void fixed(uint64_t value); // 8 bytes
    void text(std::string_view value);
    void raw(std::span<const uint8_t> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

    Bytes take() { return std::move(bytes_); }

  private:
    Bytes bytes_;
};

/// Reads what a ByteWriter has written. Every read checks that the bytes are there, and throws [serialized-damaged]
/// otherwise.
class ByteReader {
  public:
    /// `name` is that of the file or the bytes in messages.
    ByteReader(std::span<const uint8_t> bytes, std::string name, const Location &location)
        : bytes_(bytes), name_(std::move(name)), location_(location) {}

    uint64_t number();
    int64_t signed_number();
    bool flag();
    uint64_t fixed();
    std::string text();
    std::span<const uint8_t> raw(uint64_t count);
    /// A number below `end`; `what` says of what it is.
    size_t index(size_t end, const char *what);
    /// A number of things, each of which takes one of the bytes that remain.
    size_t count(const char *what);
    int32_t int32(const char *what);

    bool at_end() const { return at_ == bytes_.size(); }
    size_t remaining() const { return bytes_.size() - at_; }
    const std::string &name() const { return name_; }
    const Location &location() const { return location_; }
    /// Throws CompileError [serialized-damaged].
    [[noreturn]] void fail(const std::string &seen) const;

  private:
    std::span<const uint8_t> bytes_;
    size_t at_ = 0;
    std::string name_;
    Location location_;
};

/// A kind of file. A library reads only files of its own version of the format.
struct FileKind {
    std::string_view magic; // 8 bytes
    uint64_t version;
    const char *what; // for messages: "pipeline"
};
Bytes framed(const FileKind &kind, const Bytes &content);
/// The content within a frame. Throws CompileError [serialized-version] for another version of the format, and
/// [serialized-damaged] for bytes of another kind, and for those that are truncated or changed.
std::span<const uint8_t> unframed(const FileKind &kind, std::span<const uint8_t> bytes, const std::string &name,
                                  const Location &location);

/// The bytes of a file. Throw CompileError [serialized-file].
Bytes read_bytes(const std::string &path, const Location &location);
void write_bytes(const std::string &path, const Bytes &bytes, const Location &location);

} // namespace fluorite::language
