#pragma once
// Arrays in files: each rank reads and writes the part that it owns.

#include "ranks/plan/array_view.h"
#include "ranks/transport/transport.h"

#include <string>

namespace fluorite::distribute {

/// A rank's part of an array. For writing, every element of the domain is owned by one rank at least.
struct FilePart {
    Box domain;
    Box owned;
    ArrayView view; // contains `owned`
};

/// All operations are collective and throw RuntimeError on all ranks if one fails: [image-missing], [image-truncated],
/// [image-corrupt], [image-unsupported] or [image-write-failed]. The number of ranks and their parts are free.
///
/// Raw files hold the elements of the domain, dense, the first dimension innermost, in the byte order of the machine.
/// Reading begins at `offset` and accepts files that are longer. Writing puts a file in the place of an earlier one
/// when all parts are on the disk; until then, and if anything fails, the earlier one stays as it was.
void read_raw(const std::string &path, int64_t offset, const FilePart &part, Transport &transport);
void write_raw(const std::string &path, const FilePart &part, Transport &transport);

/// NPY files: element a[i, j, k] is (k, j, i) of the array, counted from the domain's begin. `kind` is NumPy's letter
/// for the element: f, i, u, b or c; its size is the view's. Files in C order and the byte order of the machine are
/// read, whose shape and element are those of the part.
void read_npy(const std::string &path, char kind, const FilePart &part, Transport &transport);
void write_npy(const std::string &path, char kind, const FilePart &part, Transport &transport);

} // namespace fluorite::distribute
