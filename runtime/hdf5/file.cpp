// Datasets of HDF5 files: where their elements are, and those of datasets in chunks.
//
// A dataset with contiguous layout, allocated when it is created, is dense memory in the file from an offset on that
// HDF5 tells. So one process creates the file, and all ranks write their rows there by ordinary writes, as they do in
// any other file; no rank needs an HDF5 that is built for its MPI library.
//
// Serial HDF5 is not thread-safe, hence one lock around all calls: ranks may be threads.

#include "fluorite/runtime/hdf5.h"

#include <cstdio>
#include <hdf5.h>
#include <mutex>
#include <vector>

namespace {

std::mutex mutex;

struct Report {
    char *error;
    uint64_t size;
    int operator()(int code, const char *text) const {
        std::snprintf(error, size, "%s", text);
        return code;
    }
};

/// An id that is closed at the end of its scope.
class Id {
  public:
    Id(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Id() {
        if (id_ >= 0) {
            close_(id_);
        }
    }
    Id(const Id &) = delete;
    Id &operator=(const Id &) = delete;
    hid_t get() const { return id_; }
    bool is_open() const { return id_ >= 0; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

hid_t type_of(const fluorite_hdf5_dataset_t &dataset) {
    const int bytes = dataset.bytes;
    switch (dataset.kind) {
    case 'f':
        return bytes == 4 ? H5T_NATIVE_FLOAT : bytes == 8 ? H5T_NATIVE_DOUBLE : -1;
    case 'i':
        return bytes == 1   ? H5T_NATIVE_INT8
               : bytes == 2 ? H5T_NATIVE_INT16
               : bytes == 4 ? H5T_NATIVE_INT32
               : bytes == 8 ? H5T_NATIVE_INT64
                            : -1;
    case 'u':
        return bytes == 1   ? H5T_NATIVE_UINT8
               : bytes == 2 ? H5T_NATIVE_UINT16
               : bytes == 4 ? H5T_NATIVE_UINT32
               : bytes == 8 ? H5T_NATIVE_UINT64
                            : -1;
    default:
        return -1;
    }
}

constexpr const char *no_type =
    "HDF5 files of ranks hold integers, float and double; cast the image to one of these types";

class Call {
  public:
    Call() : lock_(mutex) { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); } // errors are told by us

  private:
    std::lock_guard<std::mutex> lock_;
};

int create(const fluorite_hdf5_dataset_t *dataset, int64_t *offset, char *error, uint64_t error_size) {
    const Call call;
    const Report report{error, error_size};
    const hid_t type = type_of(*dataset);
    if (type < 0) {
        return report(fluorite_hdf5_unsupported, no_type);
    }
    const Id file(H5Fcreate(dataset->file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    const Id space(H5Screate_simple(dataset->dimensions, reinterpret_cast<const hsize_t *>(dataset->extents), nullptr),
                   H5Sclose);
    const Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose), creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (!file.is_open()) {
        return report(fluorite_hdf5_failed, "it cannot be created");
    }
    H5Pset_create_intermediate_group(links.get(), 1);
    H5Pset_layout(creation.get(), H5D_CONTIGUOUS);
    H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
    const Id made(H5Dcreate2(file.get(), dataset->name, type, space.get(), links.get(), creation.get(), H5P_DEFAULT),
                  H5Dclose);
    const haddr_t place = made.is_open() ? H5Dget_offset(made.get()) : HADDR_UNDEF;
    if (place == HADDR_UNDEF) {
        return report(fluorite_hdf5_failed, "its dataset cannot be created");
    }
    *offset = static_cast<int64_t>(place);
    return fluorite_hdf5_ok;
}

/// An open dataset of the wanted type and extents.
struct Opened {
    Id file, data;
    explicit Opened(const fluorite_hdf5_dataset_t &dataset)
        : file(H5Fopen(dataset.file, H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose),
          data(file.is_open() ? H5Dopen2(file.get(), dataset.name, H5P_DEFAULT) : -1, H5Dclose) {}

    int check(const fluorite_hdf5_dataset_t &dataset, const Report &report) const {
        if (!file.is_open()) {
            return report(
                fluorite_hdf5_corrupt,
                "it cannot be opened by HDF5; it may be damaged, or in use by a program that writes; write it again");
        }
        if (!data.is_open()) {
            return report(fluorite_hdf5_unsupported,
                          "it has no dataset of this name; the dataset is `image` unless ImageFile says otherwise; "
                          "name one that there is");
        }
        const hid_t wanted = type_of(dataset);
        if (wanted < 0) {
            return report(fluorite_hdf5_unsupported, no_type);
        }
        const Id type(H5Dget_type(data.get()), H5Tclose), space(H5Dget_space(data.get()), H5Sclose);
        if (H5Tequal(type.get(), wanted) <= 0) {
            return report(fluorite_hdf5_unsupported, "its elements are not those of the image; ranks do not convert "
                                                     "what they read; save it in that form");
        }
        const int rank = H5Sget_simple_extent_ndims(space.get());
        std::vector<hsize_t> extents(static_cast<size_t>(rank < 0 ? 0 : rank));
        H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
        bool is_same = rank == dataset.dimensions;
        for (size_t d = 0; is_same && d < extents.size(); d++) {
            is_same = extents[d] == dataset.extents[d];
        }
        return is_same ? static_cast<int>(fluorite_hdf5_ok)
                       : report(fluorite_hdf5_unsupported, "its dataset has another shape than the image; all of it is "
                                                           "read; make an image of its size");
    }
};

int find(const fluorite_hdf5_dataset_t *dataset, int64_t *offset, char *error, uint64_t error_size) {
    const Call call;
    const Opened opened(*dataset);
    const int code = opened.check(*dataset, {error, error_size});
    if (code == fluorite_hdf5_ok) {
        const haddr_t place = H5Dget_offset(opened.data.get());
        *offset = place == HADDR_UNDEF ? -1 : static_cast<int64_t>(place);
    }
    return code;
}

int read(const fluorite_hdf5_dataset_t *dataset, const uint64_t *begin, const uint64_t *extents, void *memory,
         char *error, uint64_t error_size) {
    const Call call;
    const Report report{error, error_size};
    const Opened opened(*dataset);
    const int code = opened.check(*dataset, report);
    if (code != fluorite_hdf5_ok) {
        return code;
    }
    const auto *count = reinterpret_cast<const hsize_t *>(extents);
    const Id from(H5Dget_space(opened.data.get()), H5Sclose),
        to(H5Screate_simple(dataset->dimensions, count, nullptr), H5Sclose);
    H5Sselect_hyperslab(from.get(), H5S_SELECT_SET, reinterpret_cast<const hsize_t *>(begin), nullptr, count, nullptr);
    const herr_t done = H5Dread(opened.data.get(), type_of(*dataset), to.get(), from.get(), H5P_DEFAULT, memory);
    return done < 0
               ? report(fluorite_hdf5_corrupt, "its elements cannot be read; chunks lie in the file, compressed as "
                                               "this HDF5 knows; write it again")
               : static_cast<int>(fluorite_hdf5_ok);
}

} // namespace

extern "C" void fluorite_open_hdf5(fluorite_hdf5_t *functions) { *functions = {create, find, read}; }
