#pragma once
// A normal form of clamped sums: a maximum of groups, each of which is a minimum of linear forms.

#include "ir/expr_node.h"
#include "rewrite/linear.h"

#include <optional>
#include <vector>

namespace fluorite::analysis {

/// max over groups of the min over the group's linear forms. No form of a group, and no group, is known to be
/// redundant.
class MaxOfMins {
  public:
    using Group = std::vector<rewrite::Linear>;

    /// Which minima and maxima inside of sums are expanded; others stay one term of the sum.
    enum class Expanded : uint8_t { Moving, All };

    /// The form of an Int(32) expression. `Expanded::Moving` expands those of `moving` variables in sums, which keeps
    /// forms small; `All` also the others that are added, such as min(extent, 2) + min of a buffer's dimension, whose
    /// difference from another such sum is then known. Nothing where the form would be large, or subtracts a moving
    /// minimum or maximum.
    static std::optional<MaxOfMins> of(const Expr &expr, const std::vector<ir::Symbol> &moving,
                                       Expanded expanded = Expanded::Moving);

    const std::vector<Group> &groups() const { return groups_; }
    MaxOfMins plus(int64_t value) const;
    /// The form with `value` substituted for the variable.
    std::optional<MaxOfMins> with(const ir::Symbol &variable, const Expr &value) const;
    bool operator==(const MaxOfMins &other) const { return groups_ == other.groups_; }

    /// The expression, simplified; undefined where a number does not fit.
    Expr to_expr() const;
    /// The expression with hints: where a group has forms that move and forms that bound them, the moving ones are
    /// likely.
    Expr to_likely_expr(const std::vector<ir::Symbol> &moving) const;
    /// Whether no linear form decreases (`up` false: increases) as the variable grows.
    bool is_monotonic(const ir::Symbol &variable, bool up) const;

    friend std::optional<MaxOfMins> greatest_of(const MaxOfMins &a, const MaxOfMins &b);
    friend std::optional<MaxOfMins> least_of(const MaxOfMins &a, const MaxOfMins &b);

  private:
    std::vector<Group> groups_;

    class Builder;
    bool tidy();
};

std::optional<MaxOfMins> greatest_of(const MaxOfMins &a, const MaxOfMins &b);
std::optional<MaxOfMins> least_of(const MaxOfMins &a, const MaxOfMins &b);

/// The least constant known to bound a - b from above.
std::optional<int64_t> greatest_difference(const MaxOfMins &a, const MaxOfMins &b);
/// Whether one sum of clamps is known not to exceed another.
bool is_at_most(const Expr &a, const Expr &b);
inline bool is_at_most(const MaxOfMins &a, const MaxOfMins &b) {
    const std::optional<int64_t> difference = greatest_difference(a, b);
    return difference && *difference <= 0;
}

} // namespace fluorite::analysis
