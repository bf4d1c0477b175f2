#pragma once
// Files as the image formats use them, and their errors. Internal to imageio.

#include "fluorite/errors.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace fluorite::imageio {

/// The call that an operation belongs to, for its errors.
struct Origin {
    std::string call; // load_image("x.png")
    Location place;
    /// Throws RuntimeError `in <call>: <text>`.
    [[noreturn]] void fail(const char *slug, const std::string &text) const;
    [[noreturn]] void fail_truncated(const std::string &seen) const;
    [[noreturn]] void fail_corrupt(const std::string &seen) const;
};

/// A regular file open for reading from its start.
class InputFile {
  public:
    /// Throws image-missing or image-empty.
    InputFile(const std::string &path, Origin origin);
    ~InputFile();
    InputFile(const InputFile &) = delete;
    InputFile &operator=(const InputFile &) = delete;

    const Origin &origin() const { return origin_; }
    int64_t size() const { return size_; }
    int64_t position() const;
    bool seek(int64_t position);
    /// Reads up to `bytes`; the returned count is smaller only at the end of the file or after an I/O error.
    size_t read(void *to, size_t bytes);
    /// Reads exactly `bytes`; throws image-truncated if the file ends before.
    void read_exactly(void *to, size_t bytes);

  private:
    Origin origin_;
    std::FILE *file_ = nullptr;
    int64_t size_ = 0;
};

/// A temporary file beside `path` that commit renames to `path`; otherwise it is removed.
class OutputFile {
  public:
    /// Throws image-write-failed.
    OutputFile(const std::string &path, Origin origin);
    ~OutputFile();
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;

    const Origin &origin() const { return origin_; }
    int64_t position() const;
    int64_t size();
    bool seek(int64_t position);
    /// Both return the number of bytes moved; commit reports a failure again.
    size_t write(const void *from, size_t bytes);
    size_t read(void *to, size_t bytes);
    /// Replaces the target by this file; throws image-write-failed if any operation has failed.
    void commit();

  private:
    [[noreturn]] void fail(int error) const;

    Origin origin_;
    std::string target_;
    std::string temporary_;
    std::FILE *file_ = nullptr;
    int error_ = 0;
};

} // namespace fluorite::imageio
