#pragma once
// Reduction operators: how an update combines the old value of a Func with the contribution of an iteration.
//
// An update f(p) = E(f(p), r) is a reduction by an operator where E(x, r) = x op y(r). Two laws free its order:
//   split     x op y1 op ... op yn is x op (id op y1 ... op yk) op (id op yk+1 ... op yn): pieces, combined in order
//   commute   x op a op b is x op b op a: iterations in any order, each indivisible
// Where both hold, iterations may be grouped in any way. The laws refer to bits: sums and products of floats round, so
// they hold only where the program allows reassociation (Law::Rounded).

#include "ir/graph.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::analysis {

enum class Law : uint8_t {
    No,
    Rounded, // holds over the reals: bits may differ by rounding, or where a NaN or a zero of either sign occurs
    Exact
};

struct ReductionOperator {
    std::string name; // "+ of int32", "argmin", "(+, max)"; for messages
    Law split = Law::No, commute = Law::No;
    std::vector<Expr> identity; // one per value; undefined where an operator has none
    /// The values of left op right.
    std::function<std::vector<Expr>(const std::vector<Expr> &left, const std::vector<Expr> &right)> combine;
};

struct ReductionMatch {
    std::optional<ReductionOperator> op;
    std::string reason; // why there is no operator
};

/// Analyzes an update. `func` provides the symbol that self-calls name, and the other stages, whose initial values may
/// exclude NaNs and negative zeros.
ReductionMatch prove_reduction(const ir::FuncDef &func, const ir::Stage &update);

/// One value as old op contribution, for an operator that can reduce lanes.
struct Contribution {
    ir::ReduceOp op = ir::ReduceOp::Add;
    Expr value;
    Law split = Law::No, commute = Law::No;
};

/// Matches `value` against old op e. `is_old` recognizes the old value; `reads` tells whether an expression reads what
/// the update writes.
std::optional<Contribution> find_contribution(const Expr &value, const std::function<bool(const Expr &)> &is_old,
                                              const std::function<bool(const Expr &)> &reads);
/// The neutral element: x op identity is x, bit for bit.
Expr reduction_identity(ir::ReduceOp op, Type type);
/// left op right for one value.
Expr apply_reduction(ir::ReduceOp op, const Expr &left, const Expr &right);

} // namespace fluorite::analysis
