#pragma once
// The structure of loop IR as a short text: loops, memory, accesses and calls, without expressions.

#include "ir/lowered.h"

#include <string>

namespace fluorite::lowering::opt {

/// A line for each loop, allocation, store, branch and call; accesses with element type, lanes and shape, equal ones
/// counted:
///
///     parallel for out.y
///       for out.x in 16
///         store out: uint16x8 dense; load in: 2 of uint16x8 dense; 1 shuffle
///
/// A sequence of equal statements is written once, with its length. Lets and marks are left out, and of assertions
/// there is only the number.
std::string structure_text(const ir::Stmt &stmt);
std::string structure_text(const ir::LoweredModule &module);

} // namespace fluorite::lowering::opt
