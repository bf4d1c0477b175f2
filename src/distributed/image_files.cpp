// DistributedImages in files: the ending of the name says the form; the elements are those of the image.

#include "distributed/image_of_ranks.h"
#include "distributed/ranks.h"
#include "fluorite/distributed.h"
#include "ranks/compiled/buffer_view.h"
#include "ranks/files/array_file.h"
#include "ranks/files/hdf5_file.h"
#include "ranks/files/tiff_file.h"
#include "support/check.h"
#include "support/place.h"

#include <algorithm>
#include <cctype>

namespace fluorite::detail {

namespace {

using distribute::FilePart;
using distribute::SampleFormat;
using distribute::Transport;

/// What a name ends with, in small letters, without the dot.
std::string ending_of(const std::string &path) {
    const size_t dot = path.find_last_of("./");
    std::string ending = dot == std::string::npos || path[dot] != '.' ? "" : path.substr(dot + 1);
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

[[noreturn]] void refuse(const std::string &path, const std::string &text) {
    throw RuntimeError("image-unsupported", concat("in the file ", path, ": ", text));
}

/// NumPy's letter for the elements.
char npy_kind(const Type &type, const std::string &path) {
    if (type.is_bfloat()) {
        refuse(path, "an image of bfloat16 is read or written, for which NumPy has no name; cast it to float");
    }
    return type.is_bool() ? 'b' : type.is_float() ? 'f' : type.is_int() ? 'i' : 'u';
}

SampleFormat sample_format(const Type &type, const std::string &path) {
    if (type.is_bfloat() || type.is_bool()) {
        refuse(path, concat("an image of ", type,
                            " is read or written, for which TIFF files of ranks have no elements; cast it to uint8 or "
                            "float"));
    }
    return type.is_float() ? SampleFormat::Float : type.is_int() ? SampleFormat::Signed : SampleFormat::Unsigned;
}

void transfer(const std::string &path, const ImageFile &file, const Type &type, const FilePart &part, bool is_read,
              Transport &transport) {
    const std::string ending = ending_of(path);
    if (ending == "npy") {
        const char kind = npy_kind(type, path);
        is_read ? distribute::read_npy(path, kind, part, transport)
                : distribute::write_npy(path, kind, part, transport);
    } else if (ending == "raw") {
        if (file.offset < 0) {
            refuse(path, concat("its elements begin at byte ", file.offset, "; an offset is 0 or more; pass one"));
        }
        is_read ? distribute::read_raw(path, file.offset, part, transport)
                : distribute::write_raw(path, part, transport);
    } else if (ending == "tif" || ending == "tiff") {
        const SampleFormat format = sample_format(type, path);
        is_read ? distribute::read_tiff(path, format, part, transport)
                : distribute::write_tiff(path, format, file.tile, part, transport);
    } else if (ending == "h5" || ending == "hdf5") {
        const char kind = npy_kind(type, path);
        is_read ? distribute::read_hdf5(path, file.dataset, kind, part, transport)
                : distribute::write_hdf5(path, file.dataset, kind, part, transport);
    } else {
        refuse(path, concat("its name ends with ", ending.empty() ? "nothing" : "." + ending,
                            "; ranks read and write .npy, .raw, .tif, .tiff, .h5 and .hdf5; use one of these"));
    }
}

FilePart file_part(const ImageOfRanks &image) {
    const distributed::PartOfImage &part = image.input->part();
    return {image.input->domain, part.owned, distribute::view_of(*part.memory.raw_buffer())};
}

} // namespace

void DistributedImageBase::read(const std::string &path, const ImageFile &file, const Location &location) {
    const ImageOfRanks &image = needed("read()", location);
    image.require_allocated("read()", location);
    with_place(location, [&] {
        transfer(path, file, image.type, file_part(image), true, distributed::current_transport(location));
    });
}

void DistributedImageBase::write(const std::string &path, const ImageFile &file, const Location &location) const {
    const ImageOfRanks &image = needed("write()", location);
    image.require_allocated("write()", location);
    with_place(location, [&] {
        transfer(path, file, image.type, file_part(image), false, distributed::current_transport(location));
    });
}

} // namespace fluorite::detail
