#pragma once
// The simplifier: applies the proved rules of rewrite/rules.def to a fixed point, bottom up, with facts about
// variables (constant intervals, alignment) where given.

#include "ir/stmt.h"

#include <optional>

namespace fluorite::rewrite {

/// A constant interval; an absent side is unbounded.
struct ConstInterval {
    std::optional<int64_t> min, max;
};

/// What is known where an expression stands.
struct Facts {
    ir::SymbolMap<ConstInterval> ranges;
    std::vector<Expr> truths; // Bool expressions known to hold
};

/// How integer arithmetic of 32 bits and more may be treated.
enum class Arithmetic : uint8_t {
    Wrapping, // values of the algorithm: only rules that hold under wrap-around
    Index, // coordinates and bounds: rules that rely on the absence of signed overflow hold too (entry checks make sure
           // of it as far as ranges are known; checked code checks all of it: docs/rationale/lowering.md)
};

Expr simplify(const Expr &expr, Arithmetic arithmetic = Arithmetic::Index, const Facts &facts = {});
/// Simplifies a statement: loop bounds, indices, coordinates and conditions as Index; stored values as Wrapping; drops
/// dead code, unused lets, loops of extent zero or one; substitutes trivial lets; uses loop ranges and asserted or
/// branched-on conditions as facts.
ir::Stmt simplify(const ir::Stmt &stmt, const Facts &facts = {});
/// Whether the condition is proved to hold (false: not known).
bool can_prove(const Expr &condition, const Facts &facts = {});
/// The constant value of `expr` in Index arithmetic, where it simplifies to one.
std::optional<int64_t> constant_value(const Expr &expr, const Facts &facts = {});

} // namespace fluorite::rewrite
