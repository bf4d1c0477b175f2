#pragma once
// Static libraries: archives as GNU's ar writes and reads them, and the runtime in them.

#include "fluorite/target.h"

#include <string>
#include <vector>

namespace fluorite::driver {

/// A file of an archive, and the names that a linker looks for in it.
struct ArchiveMember {
    std::string name, bytes;
    std::vector<std::string> symbols;
};
/// An archive with a table of the symbols.
std::string archive_of(const std::vector<ArchiveMember> &members);
/// The members of such an archive; none if it has another form.
std::vector<ArchiveMember> members_of(const std::string &archive);

/// The archive of the runtime, which stands beside this library. Throws CompileError [not-built] if it does not; `who`
/// asks for it.
std::string runtime_archive(const std::string &who);
/// The static library of a function, with the members of the runtime. A linker takes those that it needs from one of
/// the libraries of a program. Without them if the target has no_runtime, or is another than the machine of this
/// library.
std::string with_runtime(const std::string &archive, const Target &target, const std::string &function);

} // namespace fluorite::driver
