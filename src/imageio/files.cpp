// Reads and writes whole files, with clear errors.
//
// Reading opens only regular files (a directory, pipe or device is refused without blocking on it). Writing goes to
// `<target>.<process>-<number>.tmp` in the target's folder, which is then renamed, so that readers see either the old
// file or the complete new one. A symbolic link stays; the file it leads to is replaced. Existing targets that are not
// regular files are refused, since a rename would replace them.
//
// Relies on: POSIX. Does not do: fsync; a crash of the machine may lose the file.

#include "imageio/files.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fluorite::imageio {

void Origin::fail(const char *slug, const std::string &text) const {
    throw RuntimeError(slug, "in " + call + ": " + text, place);
}

void Origin::fail_truncated(const std::string &seen) const {
    fail("image-truncated", seen + "; an image file must be complete; copy or download it again");
}

void Origin::fail_corrupt(const std::string &seen) const {
    fail("image-corrupt", seen + "; the file must follow its format; write it again with another program");
}

InputFile::InputFile(const std::string &path, Origin origin) : origin_(std::move(origin)) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        origin_.fail("image-missing", std::string("the file cannot be opened (") + std::strerror(errno) +
                                          "); an image is read from an existing file; check path and permissions");
    }
    struct stat status{};
    const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    file_ = regular ? ::fdopen(descriptor, "rb") : nullptr;
    if (file_ == nullptr) {
        ::close(descriptor);
        origin_.fail("image-missing", "the path is not a regular file; an image is read from a file; check the path");
    }
    size_ = status.st_size;
    if (size_ == 0) {
        std::fclose(file_);
        origin_.fail("image-empty", "the file has no bytes; an image file holds at least a header; write it again");
    }
}

InputFile::~InputFile() { std::fclose(file_); }

int64_t InputFile::position() const { return ::ftello(file_); }

bool InputFile::seek(int64_t position) { return position >= 0 && ::fseeko(file_, position, SEEK_SET) == 0; }

size_t InputFile::read(void *to, size_t bytes) { return std::fread(to, 1, bytes, file_); }

void InputFile::read_exactly(void *to, size_t bytes) {
    const int64_t start = position();
    const size_t count = read(to, bytes);
    if (count != bytes) {
        origin_.fail_truncated("the file ends after " + std::to_string(start + static_cast<int64_t>(count)) +
                               " bytes where at least " + std::to_string(start + static_cast<int64_t>(bytes)) +
                               " are needed");
    }
}

namespace {

// The file that a path denotes, with symbolic links resolved.
std::string resolve(const std::string &path) {
    char *resolved = ::realpath(path.c_str(), nullptr);
    const std::string result = resolved != nullptr ? resolved : path;
    std::free(resolved);
    return result;
}

bool is_other_than_file(const std::string &path) {
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

} // namespace

OutputFile::OutputFile(const std::string &path, Origin origin) : origin_(std::move(origin)), target_(resolve(path)) {
    static std::atomic<unsigned> next{0};
    if (is_other_than_file(target_)) {
        fail(EEXIST);
    }
    for (int attempt = 0; attempt < 100 && file_ == nullptr; attempt++) {
        temporary_ = target_ + "." + std::to_string(::getpid()) + "-" + std::to_string(next++) + ".tmp";
        const int descriptor = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            file_ = ::fdopen(descriptor, "w+b");
        } else if (errno != EEXIST) {
            break;
        }
    }
    if (file_ == nullptr) {
        fail(errno);
    }
}

OutputFile::~OutputFile() {
    if (file_ != nullptr) {
        std::fclose(file_);
        ::unlink(temporary_.c_str());
    }
}

int64_t OutputFile::position() const { return ::ftello(file_); }

int64_t OutputFile::size() {
    struct stat status{};
    std::fflush(file_);
    return ::fstat(::fileno(file_), &status) == 0 ? status.st_size : 0;
}

bool OutputFile::seek(int64_t position) { return position >= 0 && ::fseeko(file_, position, SEEK_SET) == 0; }

size_t OutputFile::write(const void *from, size_t bytes) {
    const size_t count = std::fwrite(from, 1, bytes, file_);
    if (count != bytes && error_ == 0) {
        error_ = errno != 0 ? errno : EIO;
    }
    return count;
}

size_t OutputFile::read(void *to, size_t bytes) {
    std::fflush(file_);
    return std::fread(to, 1, bytes, file_);
}

void OutputFile::commit() {
    if (std::fflush(file_) != 0 && error_ == 0) {
        error_ = errno;
    }
    if (error_ == 0 && ::rename(temporary_.c_str(), target_.c_str()) != 0) {
        error_ = errno;
    }
    if (error_ != 0) {
        fail(error_);
    }
    std::fclose(file_);
    file_ = nullptr;
}

void OutputFile::fail(int error) const {
    origin_.fail("image-write-failed", std::string("the file cannot be written (") + std::strerror(error) +
                                           "); an image is written to a file in an existing folder with free space; "
                                           "check path, permissions and space");
}

} // namespace fluorite::imageio
