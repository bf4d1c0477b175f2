#pragma once
// How ranks find elements in HDF5 files: C functions of a library of ours, which runtime/hdf5/ implements over HDF5.
// The core library does not depend on HDF5; it loads that library when a program names such a file.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a dataset is. Extents are HDF5's: the outermost dimension first.
struct fluorite_hdf5_dataset_t {
    const char *file, *name; // name: the path in the file
    char kind;               // NumPy's letter for the element: f, i or u
    int32_t bytes;           // of an element
    int32_t dimensions;
    const uint64_t *extents;
};

/// The results of the functions.
enum { fluorite_hdf5_ok = 0, fluorite_hdf5_unsupported = 1, fluorite_hdf5_corrupt = 2, fluorite_hdf5_failed = 3 };

/// Not collective. `error` gets a text where the result is not 0.
struct fluorite_hdf5_t {
    /// Creates a file with one dataset, whose elements are contiguous from byte `offset` on.
    int (*create)(const struct fluorite_hdf5_dataset_t *dataset, int64_t *offset, char *error, uint64_t error_size);
    /// Finds a dataset of this type and these extents; `offset` is -1 where its elements are in chunks.
    int (*find)(const struct fluorite_hdf5_dataset_t *dataset, int64_t *offset, char *error, uint64_t error_size);
    /// Reads a box of a dataset into dense memory.
    int (*read)(const struct fluorite_hdf5_dataset_t *dataset, const uint64_t *begin, const uint64_t *extents,
                void *memory, char *error, uint64_t error_size);
};

/// The library exports it as `fluorite_open_hdf5`.
typedef void (*fluorite_open_hdf5_t)(struct fluorite_hdf5_t *functions);

#ifdef __cplusplus
}
#endif
