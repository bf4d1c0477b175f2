#pragma once
// The call of the C function of an extern stage.

#include "loopnest/loop_nest.h"

namespace fluorite::lowering {

/// Computes the region of an extern stage at its site: makes the headers of its operands and outputs, checks that the
/// operands hold what the function has asked for, and calls it unless the region is empty. A result that is not 0 ends
/// the pipeline.
ir::Stmt call_extern_stage(const loopnest::BoundedLoopNest &nest, FuncId func);

} // namespace fluorite::lowering
