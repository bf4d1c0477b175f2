#pragma once
// The reverse of one definition: from the adjoints of its values to those of what it reads.

#include "fluorite/derivative.h"
#include "ir/expr_node.h"
#include "language/function.h"

#include <string>
#include <vector>

namespace fluorite::language::derivative {

/// The definition that is differentiated, for messages.
struct DerivativeSite {
    const Function *function = nullptr;
    int stage = 0;
    const DerivativeOptions *options = nullptr;
    Location location; // of the call of propagate_adjoints
};

/// A value that the definition reads: a Call, an Image or a Param; and its adjoint.
struct ReadAdjoint {
    Expr read, adjoint;
};

/// The adjoints of all floats that the values read, in order of first occurrence; equal reads are one. `seeds` are the
/// adjoints of the values; those of values that are no floats may be undefined. The values contain no undef and no
/// effects (as_differentiable). Where a select or a comparison decides that a read does not matter, its adjoint is
/// 0, whatever the derivative of the branch would be. Throws CompileError [no-derivative]. Cost: linear in distinct
/// nodes.
std::vector<ReadAdjoint> adjoints_of_reads(const std::vector<Expr> &values, const std::vector<Expr> &seeds,
                                           const DerivativeSite &site);

/// The value without prints, requirements, tags and lets, which have been evaluated where the value was computed. Where
/// it is undefined, it is `old`, the value that the point keeps.
Expr as_differentiable(const Expr &value, const Expr &old);

/// adjoint where the condition holds, else 0.
Expr guarded(const Expr &condition, const Expr &adjoint);

} // namespace fluorite::language::derivative
