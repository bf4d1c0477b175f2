#pragma once
// The call of the C function of an extern stage.

#include "loopnest/loop_nest.h"

namespace fluorite::lowering {

/// Computes the region of an extern stage at its site: makes the headers of its operands and outputs, checks that the
/// operands hold what the function has asked for, and calls it unless the region is empty. A result that is not 0 ends
/// the pipeline.
ir::Stmt call_extern_stage(const loopnest::BoundedLoopNest &nest, FuncId func);

/// The header of a box of what an access names; those of one statement differ in `number`. Precondition: the storage is
/// not folded.
Expr header_of_box(int number, const Expr &access, const analysis::Box &box);

} // namespace fluorite::lowering
