#pragma once
// Bytes and pages of what stages read for a box of theirs.

#include "autoschedule/roofline/tile_footprint.h"

namespace fluorite::autoschedule {

int64_t element_bytes(const StageGraph &graph, const Read &read);
int64_t source_extent(const StageGraph &graph, const Read &read, size_t dim);

/// Bytes of the box that a read asks for, for all points of a box of its stage.
double read_bytes(const StageGraph &graph, const Read &read, std::span<const int64_t> widths);
/// The same of rows: bytes of one, and how many there are.
double row_bytes_of(const StageGraph &graph, const Read &read, std::span<const int64_t> widths);
double rows_of(const StageGraph &graph, const Read &read, std::span<const int64_t> widths);

/// How many pages the rows lie on. Rows of an array are as far apart as it is long; those of a member of the group, as
/// its box in the tile is, whose widths are `members`.
double read_pages(const Group &group, const MemberWidths &members, const Read &read, std::span<const int64_t> widths,
                  int64_t page_bytes);

} // namespace fluorite::autoschedule
