#pragma once
// HDF5 files of which each rank reads and writes the part that it owns.

#include "ranks/files/array_file.h"

namespace fluorite::distribute {

/// Element (i, j, k) of the array is [k, j, i] of the dataset, as in NPY files; `kind` is NumPy's letter: f, i or u.
/// Writes a file with one dataset, whose elements are contiguous. Reads datasets that are contiguous or in chunks, with
/// whatever compression the installed HDF5 knows. Collective; throws as array_file.h says, and [image-unsupported]
/// where HDF5 is not installed.
void read_hdf5(const std::string &path, const std::string &dataset, char kind, const FilePart &part,
               Transport &transport);
void write_hdf5(const std::string &path, const std::string &dataset, char kind, const FilePart &part,
                Transport &transport);

} // namespace fluorite::distribute
