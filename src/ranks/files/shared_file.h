#pragma once
// Files of which each rank writes and reads rows of its own, at known offsets. They lie in a file system that all ranks
// share, with POSIX semantics for writes to disjoint ranges.

#include "ranks/plan/array_view.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace fluorite::distribute {

/// An open file; closes it.
class SharedFile {
  public:
    SharedFile() = default;
    SharedFile(const std::string &path, int flags) : descriptor_(::open(path.c_str(), flags, 0666)) {}
    ~SharedFile() { close(); }
    SharedFile(const SharedFile &) = delete;
    SharedFile &operator=(const SharedFile &) = delete;

    bool is_open() const { return descriptor_ >= 0; }
    bool close() {
        const bool closed = descriptor_ < 0 || ::close(descriptor_) == 0;
        descriptor_ = -1;
        return closed;
    }
    bool write(const char *data, int64_t bytes, int64_t offset) const {
        while (bytes > 0) {
            const ssize_t count = ::pwrite(descriptor_, data, static_cast<size_t>(bytes), offset);
            if (count < 0 && errno == EINTR) {
                continue;
            }
            if (count <= 0) {
                return false;
            }
            data += count, bytes -= count, offset += count;
        }
        return true;
    }
    /// Reads up to so many bytes; returns how many there were, or -1.
    int64_t read(char *data, int64_t bytes, int64_t offset) const {
        int64_t done = 0;
        while (done < bytes) {
            const ssize_t count = ::pread(descriptor_, data + done, static_cast<size_t>(bytes - done), offset + done);
            if (count < 0 && errno == EINTR) {
                continue;
            }
            if (count < 0) {
                return -1;
            }
            if (count == 0) {
                break;
            }
            done += count;
        }
        return done;
    }
    bool resize(int64_t bytes) const { return ::ftruncate(descriptor_, bytes) == 0; }
    bool flush() const { return ::fsync(descriptor_) == 0; }

  private:
    int descriptor_ = -1;
};

/// Calls visit with each row of a part: its first coordinates, its number of elements and its index in the domain.
template <typename Visit> void for_each_row(const Box &domain, const Box &part, const Visit &visit) {
    if (empty(part)) {
        return;
    }
    std::vector<int64_t> at;
    for (const Span &span : part) {
        at.push_back(span.begin);
    }
    const int64_t length = part.empty() ? 1 : part[0].extent();
    while (true) {
        int64_t index = 0;
        for (size_t d = domain.size(); d-- > 0;) {
            index = index * domain[d].extent() + at[d] - domain[d].begin;
        }
        visit(at, length, index);
        size_t d = 1;
        while (d < part.size() && ++at[d] == part[d].end) {
            at[d] = part[d].begin;
            d++;
        }
        if (d >= part.size()) {
            return;
        }
    }
}

/// The elements of a row, dense: those of the view where they are, else copied to `room`.
const char *dense_row(const ArrayView &view, const std::vector<int64_t> &at, int64_t length, std::vector<char> &room);

} // namespace fluorite::distribute
