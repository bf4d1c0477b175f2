#pragma once
// Symbolic intervals: the values that an expression can take while some variables range over intervals and all others
// are fixed. Loop bounds, allocation sizes, input checks, tiles and partitions all use this one analysis.

#include "ir/expr_node.h"

#include <memory>
#include <vector>

namespace fluorite::analysis {

/// [min, max], both inclusive. An undefined side is unbounded.
struct Interval {
    Expr min, max;

    static Interval everything() { return {}; }
    static Interval point(const Expr &value) { return {value, value}; }
    bool is_point() const { return min.defined() && min.same_as(max); }
    bool is_bounded() const { return min.defined() && max.defined(); }
};

/// The variables that range, with their intervals.
using Scope = ir::SymbolMap<Interval>;

/// Bounds of `expr`. Values that are unknown before they are computed (Call, Image, Load, Extern, Random) range over
/// their type. 32- and 64-bit integers among them are unbounded: such a coordinate would be a mistake that must be
/// reported. Sound under two assumptions: index arithmetic does not overflow, and narrow arithmetic that may wrap
/// ranges over its type. Cost: linear in distinct nodes, plus simplification of the sides.
Interval bounds_of(const Expr &expr, const Scope &scope);

/// bounds_of for many expressions over one scope: shared subexpressions are visited once.
class BoundsFinder {
  public:
    explicit BoundsFinder(Scope scope);
    BoundsFinder(BoundsFinder &&) noexcept;
    BoundsFinder &operator=(BoundsFinder &&) noexcept;
    ~BoundsFinder();

    Interval bounds_of(const Expr &expr);
    /// From here on the variable ranges over the interval. Precondition: no earlier query contained the variable.
    void learn(const ir::Symbol &symbol, const Interval &interval);
    const Scope &scope() const;

  private:
    class Bounder;
    std::unique_ptr<Bounder> bounder_;
};

/// The smallest interval that contains both.
Interval union_of(const Interval &a, const Interval &b);

/// One interval per dimension; an empty box touches nothing.
using Box = std::vector<Interval>;
/// Grows `box` to contain `other`; an empty `box` becomes `other`.
void merge(Box &box, const Box &other);

/// The extent max - min + 1, simplified.
Expr extent_of(const Interval &interval);

} // namespace fluorite::analysis
