#pragma once
// The storage of a Func.

#include "loopnest/regions/func_regions.h"

namespace fluorite::loopnest {

/// Sets the stored box, which is the touched box lifted to the store site. Returns its extents, expanded where that
/// makes them constant; none for an output, whose memory is the caller's.
std::vector<Expr> set_storage(FuncInProgress &func);
/// For ring_buffer: iterations of the loops between the allocation and the store site take turns with copies of the
/// memory.
void set_ring(FuncInProgress &func);
/// Sets the extents in memory from the exact ones of the stored box; folds must be set.
void set_extents(FuncInProgress &func, const std::vector<Expr> &exact);

/// The dimension that a directive names.
size_t dimension_of(const ir::FuncDef &func, const std::string &var);
/// Binds a value to a symbol at a site, unless it is a constant or a variable already.
Expr bind_named(FuncInProgress &func, size_t dimension, const char *what, const Expr &value, const Site &site);

} // namespace fluorite::loopnest
