#include "backends/commands.h"

#include "fluorite/errors.h"
#include "support/check.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace fluorite::backends {

TemporaryFolder::TemporaryFolder(const char *slug)
    : path_((std::filesystem::temp_directory_path() / "fluorite-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) {
        throw CompileError(slug, concat("in a Pipeline: the folder '", path_,
                                        "' cannot be made; this back end runs commands on files in a temporary "
                                        "folder; set TMPDIR to one that is writable"));
    }
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string quoted(const std::string &path) {
    std::string word = "'";
    for (const char letter : path) {
        word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    }
    return word + "'";
}

std::string failure_of(const std::string &command) {
    std::string printed;
    FILE *pipe = popen((command + " 2>&1").c_str(), "r");
    std::array<char, 4096> part{};
    while (pipe != nullptr && fgets(part.data(), static_cast<int>(part.size()), pipe) != nullptr) {
        printed += part.data();
    }
    const bool failed = pipe == nullptr || pclose(pipe) != 0;
    return failed ? printed.empty() ? "it cannot be run" : printed.substr(0, 4000) : "";
}

} // namespace fluorite::backends
