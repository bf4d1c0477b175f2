#pragma once
// Commands that a back end runs, such as compilers, and their files.

#include <string>

namespace fluorite::backends {

/// A folder for the files of one compilation that exists as long as this object. Throws CompileError with the given
/// slug if it cannot be made.
class TemporaryFolder {
  public:
    explicit TemporaryFolder(const char *slug);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;

    std::string file(const char *name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

/// A path as one word of a command.
std::string quoted(const std::string &path);
/// Runs a command of the shell. Returns nothing if it succeeds, else what it prints.
std::string failure_of(const std::string &command);

} // namespace fluorite::backends
