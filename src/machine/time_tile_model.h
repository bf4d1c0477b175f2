#pragma once
// What time tiling assumes of processors and of domains whose sizes are not known when a program is compiled. No
// processor has numbers of its own yet.

#include "machine/machine_model.h"

#include <cstdint>

namespace fluorite::machine {

/// Extents that are assumed, how many steps a tile has, how the domain is cut, and how many rows are computed together
/// because they share what they read. Each field, with where its value comes from, is a row of costs.def; times there
/// are of float32 fields, and are the least of several runs by turns.
struct TimeTileModel {
#define MACHINE(name, value, unit, basis, source, type, least, most)
#define MODEL(name, value, unit, basis, source, type)
#define TIME_TILE(name, value, unit, basis, source, type) type name = value;
#include "machine/costs.def"
#undef MACHINE
#undef MODEL
#undef TIME_TILE
};

/// The numbers for a processor: those of the defaults, as no other has been measured.
inline TimeTileModel time_tile_model(const MachineModel &) { return {}; }

} // namespace fluorite::machine
