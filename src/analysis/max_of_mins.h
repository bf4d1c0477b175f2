#pragma once
// Clamped sums in a normal form: the greatest of groups, each the least of linear forms.

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

    /// The form of an Int(32) expression in which only `moving` variables are looked for inside of sums: a minimum or
    /// maximum of other values stays one term of a sum. Nothing where the form would be large, or subtracts a moving
    /// minimum or maximum.
    static std::optional<MaxOfMins> of(const Expr &expr, const std::vector<ir::Symbol> &moving);

    const std::vector<Group> &groups() const { return groups_; }
    MaxOfMins plus(int64_t value) const;
    /// With the variable replaced.
    std::optional<MaxOfMins> with(const ir::Symbol &variable, const Expr &value) const;
    bool operator==(const MaxOfMins &other) const { return groups_ == other.groups_; }

    /// The expression, simplified; undefined where a number does not fit.
    Expr to_expr() const;
    /// The same with hints: where some forms of a group move and others bound them, those that move are likely.
    Expr to_likely_expr(const std::vector<ir::Symbol> &moving) const;
    /// Whether each linear form moves up, or stands still, as the variable grows (`up` false: down).
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

/// The least constant that a - b is known not to exceed.
std::optional<int64_t> greatest_difference(const MaxOfMins &a, const MaxOfMins &b);
/// Whether a sum of clamps is known not to exceed another one.
bool is_at_most(const Expr &a, const Expr &b);
inline bool is_at_most(const MaxOfMins &a, const MaxOfMins &b) {
    const std::optional<int64_t> difference = greatest_difference(a, b);
    return difference && *difference <= 0;
}

} // namespace fluorite::analysis
