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

std::vector<std::string> write_runtime(const std::string &prefix, const std::vector<FileKind> &kinds) {
    const auto has = [&](FileKind kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
    if (has(FileKind::Object)) {
        throw CompileError("not-built",
                           "in the command line of a generator: -r and -e object ask for the runtime as an "
                           "object, and it is an archive of several; give -e static_library");
    }
    if (!has(FileKind::StaticLibrary)) {
        return {};
    }
    const std::string archive = own_folder() + "/libfluorite_runtime.a";
    std::ifstream file(archive, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    if (!file || bytes.str().empty()) {
        throw CompileError("not-built",
                           concat("in the command line of a generator: -r asks for the runtime, which is not "
                                  "at ",
                                  archive, "; it is installed beside the library; install it there"));
    }
    const std::string path = prefix + std::string(row_of(FileKind::StaticLibrary).extension);
    driver::write_text_file(path, bytes.str());
    return {path};
}

} // namespace fluorite::generators
