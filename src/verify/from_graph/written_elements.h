#pragma once
// Which element of its Func a stage writes, and which ones it reads.

#include "ir/graph.h"

namespace fluorite::verify {

/// Whether the stage writes along the dimension at the pure variable.
bool is_pure(const ir::FuncDef &func, const ir::Stage &stage, size_t dimension);
/// Whether a call of the Func itself reads the element that the stage writes.
bool is_written_element(const Expr &call, const ir::Stage &stage);

} // namespace fluorite::verify
