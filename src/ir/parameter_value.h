#pragma once
// The current value of a scalar parameter as an expression.

#include "ir/parameter.h"

namespace fluorite::ir {

/// A constant of the parameter's type. Undefined if it has no value, or is a pointer.
Expr value_of(const Parameter &parameter);

} // namespace fluorite::ir
