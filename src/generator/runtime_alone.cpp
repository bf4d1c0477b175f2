// The runtime as a file of its own: the archive that stands beside the library of the compiler, under another name.

#include "generator/runtime_alone.h"

#include "driver/archive.h"
#include "driver/lowered_file.h"
#include "fluorite/errors.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::generators {

void write_runtime_to(const std::string &path) {
    if (path.size() > 2 && path.compare(path.size() - 2, 2, ".o") == 0) {
        throw CompileError("not-built", concat("in the runtime: ", path,
                                               " is asked for, an object, and it is an archive of several; give the "
                                               "path of a static library"));
    }
    driver::write_text_file(path, driver::runtime_archive("in the runtime"));
}

std::vector<std::string> write_runtime(const std::string &prefix, const std::vector<OutputFileType> &kinds) {
    const auto has = [&](OutputFileType kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
    if (has(OutputFileType::object)) {
        throw CompileError("not-built",
                           "in the command line of a generator: -r and -e object ask for the runtime as an "
                           "object, and it is an archive of several; give -e static_library");
    }
    if (!has(OutputFileType::static_library)) {
        return {};
    }
    const std::string path = prefix + std::string(row_of(OutputFileType::static_library).extension);
    driver::write_text_file(path, driver::runtime_archive("in the command line of a generator: -r"));
    return {path};
}

} // namespace fluorite::generators
