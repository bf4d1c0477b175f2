#pragma once
// The simplifier: applies the proved rules of rewrite/rules/ bottom up to a fixpoint, using facts where given: constant
// intervals of variables, and conditions that hold.

#include "ir/stmt.h"

#include <optional>

namespace fluorite::rewrite {

/// A constant interval; an absent end is unbounded.
struct ConstInterval {
    std::optional<int64_t> min, max;
};

/// What is known at an expression's position.
struct Facts {
    ir::SymbolMap<ConstInterval> ranges;
    std::vector<Expr> truths; // Bool expressions known to hold
};

/// The semantics of integer arithmetic of 32 and more bits.
enum class Arithmetic : uint8_t {
    Wrapping, // values of the algorithm: only rules that hold under wrap-around apply
    Index,    // coordinates and bounds: rules that assume the absence of signed overflow apply too,
              // except to expressions that read memory, which wrap. docs/rationale/lowering.md says what checks the
              // assumption.
};

Expr simplify(const Expr &expr, Arithmetic arithmetic = Arithmetic::Index, const Facts &facts = {});
/// Simplifies a statement: loop bounds, indices, coordinates and conditions as Index, stored values as Wrapping. Drops
/// dead code, unused lets and loops of extent zero or one; substitutes trivial lets; takes loop ranges and asserted or
/// branched-on conditions as facts.
ir::Stmt simplify(const ir::Stmt &stmt, const Facts &facts = {});
/// Whether the condition is proved to hold; false means unknown.
bool can_prove(const Expr &condition, const Facts &facts = {});
/// The constant value of `expr` in Index arithmetic, if it simplifies to a constant.
std::optional<int64_t> constant_value(const Expr &expr, const Facts &facts = {});

} // namespace fluorite::rewrite
