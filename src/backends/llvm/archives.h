#pragma once
// Static libraries: the archives that linkers read. No LLVM type appears here.

#include "fluorite/target.h"

#include <optional>
#include <string>
#include <vector>

namespace fluorite::backends {

/// An object file in an archive.
struct ArchiveMember {
    std::string name, bytes;
};

/// An archive in the form that linkers of the target's system read, with a table of what the object files define. Equal
/// arguments give equal bytes.
std::string archive_of(const std::vector<ArchiveMember> &members, const Target &target);
/// The members in their order; nothing where the bytes are no archive.
std::optional<std::vector<ArchiveMember>> members_of(const std::string &archive);

} // namespace fluorite::backends
