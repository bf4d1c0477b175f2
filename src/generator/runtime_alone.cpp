// The runtime as a file of its own: the archive that stands beside the library of the compiler, under another name.

#include "generator/runtime_alone.h"

#include "driver/lowered_file.h"
#include "fluorite/errors.h"
#include "support/check.h"

#include <algorithm>
#include <dlfcn.h>
#include <fstream>
#include <sstream>

namespace fluorite::generators {

namespace {

/// The folder of the shared library, or of the program, that this function is in.
std::string own_folder() {
    Dl_info info = {};
    const auto *address = reinterpret_cast<const void *>(&own_folder); // NOLINT(*-reinterpret-cast)
    if (dladdr(address, &info) == 0 || !info.dli_fname) {
        return ".";
    }
    const std::string path = info.dli_fname;
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash);
}

} // namespace

void write_runtime_to(const std::string &path) {
    if (path.size() > 2 && path.compare(path.size() - 2, 2, ".o") == 0) {
        throw CompileError("not-built", concat("in the runtime: ", path,
                                               " is asked for, an object, and it is an archive of several; give the "
                                               "path of a static library"));
    }
    const std::string archive = own_folder() + "/libfluorite_runtime.a";
    std::ifstream file(archive, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    if (!file || bytes.str().empty()) {
        throw CompileError("not-built", concat("in the runtime: it is asked for and is not at ", archive,
                                               "; it is installed beside the library; install it there"));
    }
    driver::write_text_file(path, bytes.str());
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
    write_runtime_to(path);
    return {path};
}

} // namespace fluorite::generators
