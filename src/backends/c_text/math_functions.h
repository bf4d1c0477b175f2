#pragma once
// The table of math functions in OpenCL C, to the bit as the runtime computes them. OpenCL's own are exact only where
// IEEE arithmetic defines them; the others are the kernels of fluorite/runtime/math_kernels.h, as functions of the
// program.

#include "backends/c_text/operators.h"

#include <string>
#include <vector>

namespace fluorite::backends::c_text {

/// The function of operands of the type, as an expression of the result's value_type.
std::string math_text(Operators &operators, ir::MathOp op, Type type, const std::vector<std::string> &args);

} // namespace fluorite::backends::c_text
