#pragma once
// Closures: what a function that is outlined needs of the function that it was in.

#include "ir/lowered.h"

#include <vector>

namespace fluorite::lowering {

/// The arguments of a function of that body: its free symbols other than the indices, in the order of their names.
/// `buffers` are the buffers in scope; other symbols are values.
std::vector<ir::LoweredArg> closure_of(const ir::Stmt &body, const std::vector<ir::Symbol> &indices,
                                       const ir::SymbolMap<ir::LoweredArg> &buffers);

/// What a Launch passes for the arguments where the symbols are the same on both sides.
std::vector<Expr> values_of(const std::vector<ir::LoweredArg> &args);

} // namespace fluorite::lowering
