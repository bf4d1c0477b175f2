#pragma once
#include "ir/stmt.h"
#include "machine/machine_model.h"

namespace fluorite::lowering {

/// The pass place_memory for a statement that belongs to no pipeline: its errors have no location.
ir::Stmt place_memory(const ir::Stmt &stmt, const machine::MachineModel &machine);

} // namespace fluorite::lowering
