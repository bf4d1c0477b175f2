#pragma once
// TIFF files of which each rank reads and writes the part that it owns.

#include "ranks/files/array_file.h"

namespace fluorite::distribute {

/// What an element is: the SampleFormat of the file.
enum class SampleFormat : uint16_t { Unsigned = 1, Signed = 2, Float = 3 };

/// Images of two dimensions, and of three, whose last one is the channel. Collective; throws as array_file.h says.
///
/// Writes square tiles of this width, a multiple of 16, without compression, each channel in tiles of its own; as
/// BigTIFF where a file would have 4 GB or more. Reads tiles and strips of any size without compression, channels apart
/// or together, of TIFF and BigTIFF files in the byte order of the machine.
void read_tiff(const std::string &path, SampleFormat format, const FilePart &part, Transport &transport);
void write_tiff(const std::string &path, SampleFormat format, int64_t tile, const FilePart &part, Transport &transport);

} // namespace fluorite::distribute
