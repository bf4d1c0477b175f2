#pragma once
// Rows of a part in a file that holds all elements of a domain, dense, from an offset on.

#include "ranks/files/array_file.h"
#include "ranks/files/file_problem.h"

namespace fluorite::distribute {

FileProblem read_rows(const std::string &path, int64_t offset, const FilePart &part);
/// Precondition: the file is there. The rows are on the disk when it returns.
FileProblem write_rows(const std::string &path, int64_t offset, const FilePart &part);

} // namespace fluorite::distribute
