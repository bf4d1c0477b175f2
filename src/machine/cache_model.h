#pragma once
// What memory and threads cost on the target processor: the numbers that automatic schedules and time tiles are made
// from. Registers and instructions, which passes and back ends read, are in machine_model.h; what time tiling assumes
// of domains is in time_tile_model.h.

#include "machine/machine_model.h"

#include <cstdint>

namespace fluorite::machine {

inline constexpr int64_t mebibyte = 1024 * 1024;

/// Bytes are those of a core; the last-level cache is shared. Rates are in bytes a cycle, of a core. Each field, with
/// where its value comes from, is a row of costs.def.
struct CacheModel {
#define MACHINE(name, value, unit, basis, source, type, least, most) type name = value;
#define MODEL(name, value, unit, basis, source, type) type name = value;
#define TIME_TILE(name, value, unit, basis, source, type)
#include "machine/costs.def"
#undef MACHINE
#undef MODEL
#undef TIME_TILE
};

/// The caches of the processor that a model is of.
CacheModel cache_model(const MachineModel &model);

} // namespace fluorite::machine
