#include "driver/archive.h"

#include "backends/llvm/archives.h"
#include "fluorite/errors.h"
#include "ir/host_target.h"
#include "support/check.h"
#include "support/own_folder.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace fluorite::driver {

std::string runtime_path() { return (own_folder() / "libfluorite_runtime.a").string(); }

std::string runtime_archive(const std::string &who, const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    if (!file || bytes.str().empty()) {
        throw CompileError("not-built", concat(who, " asks for the runtime, which is not at ", path,
                                               "; it is installed beside the library; install it there"));
    }
    return bytes.str();
}

std::string with_runtime(const std::string &archive, const Target &target, const std::string &function,
                         const std::string &path) {
    const Target &host = ir::real_host_target();
    if (target.has_feature(Target::NoRuntime) || target.os != host.os || target.arch != host.arch ||
        target.bits != host.bits) {
        return archive;
    }
    const std::string who = "in " + function + ": a static library";
    std::optional<std::vector<backends::ArchiveMember>> members = backends::members_of(archive);
    check(members.has_value(), "the back end makes archives");
    std::optional<std::vector<backends::ArchiveMember>> runtime = backends::members_of(runtime_archive(who, path));
    if (!runtime) {
        throw CompileError("not-built", concat(who, " asks for the runtime, and what is at ", path,
                                               " is no archive; it is installed beside the library; install it again"));
    }
    std::move(runtime->begin(), runtime->end(), std::back_inserter(*members));
    return backends::archive_of(*members, target);
}

} // namespace fluorite::driver
