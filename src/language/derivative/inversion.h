#pragma once
// Solves coordinates for the variables that they are made of.

#include "language/derivative/gather.h"
#include "rewrite/linear.h"

#include <optional>
#include <vector>

namespace fluorite::language::derivative {

/// coordinate = floor((scale * variable + inner) / divisor) + outer
struct AffineCoordinate {
    int64_t scale = 0, divisor = 1;
    Expr inner, outer; // without the variable
};
std::optional<AffineCoordinate> affine_in(const Expr &coordinate, const ir::Symbol &variable);

/// The form without one of its terms.
rewrite::Linear without_term(const rewrite::Linear &form, size_t i);

/// Solves args = vars for the dims of a space, one variable of one coordinate at a time.
class Inversion {
  public:
    Inversion(const std::vector<Expr> &args, std::vector<SpaceDim> dims, const std::vector<ir::Symbol> &vars);

    /// The variables that are left, among them those that divisions by a constant have introduced.
    const std::vector<SpaceDim> &left() const { return left_; }
    /// The variables that are solved, over the target's Vars and those that are left.
    struct Solution {
        SpaceDim dim;
        Expr value;
    };
    const std::vector<Solution> &solutions() const { return solutions_; }
    /// Whether a coordinate has been used to solve a variable: it equals the target's Var then.
    bool is_solved(size_t coordinate) const { return solved_[coordinate]; }
    /// A coordinate that is not, over the target's Vars and the variables that are left.
    const Expr &coordinate(size_t i) const { return args_[i]; }
    /// What has to hold beyond the ranges: divisibility.
    const std::vector<Expr> &conditions() const { return conditions_; }

  private:
    std::vector<Expr> args_;
    std::vector<Expr> vars_;
    std::vector<bool> solved_;
    std::vector<SpaceDim> left_;
    std::vector<Solution> solutions_;
    std::vector<Expr> conditions_;

    bool solve_one();
    void solve(size_t coordinate, size_t variable, const AffineCoordinate &form);
};

} // namespace fluorite::language::derivative
