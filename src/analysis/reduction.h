#pragma once
// Reduction operators: how an update combines the old value of a Func with what an iteration brings.
//
// An update f(p) = E(f(p), r) is a reduction by an operator where E(x, r) = x op y(r). Two laws free its order:
//   split     x op y1 op ... op yn is x op (id op y1 ... op yk) op (id op yk+1 ... op yn): pieces, combined in order
//   commute   x op a op b is x op b op a: iterations in any order, each indivisible
// Where both hold, iterations may be grouped in any way. Laws are of bits: sums and products of floats round, so they
// hold only where the program allows reassociation (Law::Rounded).

#include "ir/graph.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::analysis {

enum class Law : uint8_t {
    No,
    Rounded, // holds for real numbers: the bits may differ by rounding, or where a NaN or a zero of either sign takes part
    Exact
};

struct ReductionOperator {
    std::string name; // "+ of int32", "argmin", "(+, max)"; for messages
    Law split = Law::No, commute = Law::No;
    std::vector<Expr> identity; // one a value; undefined where an operator has none
    /// The values of left op right.
    std::function<std::vector<Expr>(const std::vector<Expr> &left, const std::vector<Expr> &right)> combine;
};

struct ReductionMatch {
    std::optional<ReductionOperator> op;
    std::string reason; // where there is no operator: why
};

/// What is known of an update. `func` holds the symbol that self-calls name, and the other stages, whose start values
/// may exclude NaNs and negative zeros.
ReductionMatch prove_reduction(const ir::FuncDef &func, const ir::Stage &update);

/// One value: old op contribution, for an operator whose lanes can be reduced.
struct Contribution {
    ir::ReduceOp op = ir::ReduceOp::Add;
    Expr value;
    Law split = Law::No, commute = Law::No;
};

/// Recognizes `value` as old op e; `is_old` says which expressions are the old value, `reads` whether an expression
/// reads what the update writes.
std::optional<Contribution> find_contribution(const Expr &value, const std::function<bool(const Expr &)> &is_old,
                                              const std::function<bool(const Expr &)> &reads);
/// The operand that changes nothing: x op identity is x, bit for bit.
Expr reduction_identity(ir::ReduceOp op, Type type);
/// left op right on one value.
Expr apply_reduction(ir::ReduceOp op, const Expr &left, const Expr &right);

} // namespace fluorite::analysis
