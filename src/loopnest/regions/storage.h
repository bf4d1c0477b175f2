#pragma once
// The memory of a Func.

#include "loopnest/regions/func_regions.h"

namespace fluorite::loopnest {

/// Sets the box that is stored, lifted to the store site, from what is touched at the compute site. Gives its extents,
/// expanded as far as that makes them constants; of an output none, as its memory is the caller's.
std::vector<Expr> set_storage(FuncInProgress &func);
/// With ring_buffer: iterations of the loops between where memory is taken and where the Func is stored take turns.
void set_ring(FuncInProgress &func);
/// Sets the extents in memory, from those of the box; folds are set.
void set_extents(FuncInProgress &func, const std::vector<Expr> &exact);

/// The dimension that a directive names.
size_t dimension_of(const ir::FuncDef &func, const std::string &var);
/// A name at a site for a value that is not one already, or a constant.
Expr bind_named(FuncInProgress &func, size_t dimension, const char *what, const Expr &value, const Site &site);

} // namespace fluorite::loopnest
