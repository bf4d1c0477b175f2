#pragma once
// From the reads of a stage to the terms of the adjoint of what is read.

#include "analysis/interval.h"
#include "fluorite/ops.h"
#include "ir/expr_node.h"

#include <memory>
#include <optional>
#include <vector>

namespace fluorite::language::derivative {

/// a and b, where an undefined condition holds.
inline Expr both(const Expr &a, const Expr &b) { return !a.defined() ? b : !b.defined() ? a : a && b; }

/// The value, which is likely to be in the range, or the nearest end; any value for an empty range.
inline Expr into_range(const Expr &value, const Expr &min, const Expr &max) {
    return ir::max_of(ir::min_of(likely(value), max), min);
}

/// A variable of a stage, and the values that it takes.
struct SpaceDim {
    ir::Symbol symbol;
    Expr min, max; // inclusive; over parameters and sizes
    bool is_pure = false;
};

/// The points at which a stage evaluates its values. Its symbols are no others' (fresh_space).
struct IterationSpace {
    std::vector<SpaceDim> dims;
    Expr predicate; // undefined: all points

    analysis::Scope scope() const;
};

/// A read of value `value` of a Func or input at `args`, whose adjoint is `adjoint` at each point of the space where
/// the condition holds (undefined: everywhere).
struct Contribution {
    std::shared_ptr<const IterationSpace> space;
    std::vector<Expr> args;
    Expr condition;
    Expr adjoint;
    int value = 0;
    bool reassociates = false; // the Func that reads allows its sums to be reassociated
};

/// A term of the adjoint's value `value` at `args`: the sum of `summand` over the points of `dims` where the predicate
/// holds. Without dims, `args` are the target's Vars, and there is no predicate.
struct Term {
    int value = 0;
    std::vector<Expr> args;
    std::vector<SpaceDim> dims;
    Expr predicate;
    Expr summand;
};

/// What a term is added to: the adjoint's Vars and, if it is known, the box in which it will be read.
struct Target {
    std::vector<ir::Symbol> vars;
    analysis::Box box;
};

/// The terms of a contribution. See gather.cpp.
std::vector<Term> terms_of(const Contribution &contribution, const Target &target);

/// The points of a space that a map sends to the target's Vars, where there is at most one: each variable of the
/// space as an expression over the Vars, and whether there is a point (undefined: always). Nothing if the map may send
/// several points to one.
struct Preimage {
    ir::SymbolMap<Expr> point; // inside of the space, whatever the condition
    Expr condition;
};
std::optional<Preimage> preimage_of(const std::vector<Expr> &args, const IterationSpace &space, const Target &target);

/// The contribution for each alternative of coordinates that are min, max or select of others, if one of them can be
/// gathered where the whole cannot.
std::vector<Contribution> alternatives_of(const Contribution &contribution);
/// Whether the coordinate determines the variable: it is an affine function of it, or one divided by a constant.
bool determines(const Expr &coordinate, const ir::Symbol &variable);

} // namespace fluorite::language::derivative
