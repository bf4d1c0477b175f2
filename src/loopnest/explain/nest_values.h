#pragma once
// Numeric values for the symbols of a loop nest.

#include "loopnest/loop_nest.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// The value of an expression of numbers and Params, which have their values or estimates.
std::optional<int64_t> number_of(const Expr &expr);

/// Evaluates expressions of a loop nest. Outputs, inputs, Params and loops have given values; lets and definitions have
/// the values of their expressions. `sizes` are the extents of the outputs, innermost dimension first; if there are
/// none, the estimates of the outputs are used. Inputs that are not bound and Params without a value have their
/// estimates.
class NestValues {
  public:
    /// `more` is added to the extents of all buffers, for values at other sizes.
    NestValues(const BoundedLoopNest &nest, const std::vector<int32_t> &sizes, int64_t more = 0);

    /// Whether the extents of all outputs are known.
    bool know_outputs() const { return know_outputs_; }
    void set_loop(const ir::Symbol &loop, int64_t value);
    /// Nothing if the expression depends on an unknown value.
    std::optional<int64_t> operator()(const Expr &expr);
    /// The expression with lets and definitions substituted, up to a nesting depth of 8.
    Expr expanded(const Expr &expr) const;
    /// Whether the value depends on the loop, directly or through lets and definitions.
    bool depends(const Expr &expr, const ir::Symbol &loop) const;

  private:
    const BoundedLoopNest &nest_;
    ir::SymbolMap<Expr> definitions_;
    ir::SymbolMap<int64_t> loops_;
    ir::SymbolMap<std::optional<int64_t>> known_;
    mutable ir::ExprMap<Expr> expanded_; // that were asked for
    std::vector<std::pair<FuncId, std::vector<int64_t>>> extents_;
    bool know_outputs_ = true;
    const int64_t more_;

    void set_output(FuncId output, const std::vector<int32_t> &sizes);
    std::optional<int64_t> of_symbol(const Expr &variable);
    std::optional<int64_t> of_field(const Expr &node) const;
    std::optional<int64_t> of_given_field(const Expr &node) const;
};

} // namespace fluorite::loopnest
