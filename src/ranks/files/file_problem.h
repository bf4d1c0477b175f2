#pragma once
// What a rank could not do with a file that all ranks share.

#include "ranks/transport/transport.h"

#include <string>

namespace fluorite::distribute {

/// No slug where all went well.
struct FileProblem {
    const char *slug = nullptr;
    std::string text;
};

/// [image-missing]: the file cannot be opened; [image-write-failed]: `what` failed. Both state errno.
FileProblem open_problem();
FileProblem write_problem(const std::string &what);

/// Collective. Lets all ranks fail if one does, by RuntimeError; those without a problem name the first that has one.
void agree(const std::string &path, const FileProblem &problem, Transport &transport);

/// Collective. Gives the file its name when all ranks have written their parts of `unfinished`.
void put_in_place(const std::string &unfinished, const std::string &path, Transport &transport);
/// The name of a file until it is complete.
inline std::string unfinished_name(const std::string &path) { return path + ".part"; }

} // namespace fluorite::distribute
