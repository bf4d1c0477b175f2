#pragma once
// What is known of the operators of reductions, whose laws a certificate may use.

#include "analysis/reduction.h"

#include <optional>

namespace fluorite::verify {

/// The laws of an operator of two operands, which is a node of that kind and type; nothing where it reduces nothing.
std::optional<analysis::Contribution> reduction_by(const Expr &op);

} // namespace fluorite::verify
