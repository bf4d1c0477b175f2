#pragma once
// What values Funcs can have, wherever they are computed. See func_ranges.cpp.

#include "analysis/interval.h"
#include "ir/graph.h"

#include <map>

namespace fluorite::analysis {

class FuncRanges {
  public:
    /// The graph outlives the object, and does not change meanwhile but by bounded().
    explicit FuncRanges(const ir::Graph &graph) : graph_(graph) {}

    /// The range of an integer value of a Func, in constants, parameters and fields of buffers. A side is undefined if
    /// it is not known to be less than what the type can hold.
    const Interval &of(FuncId func, size_t value);

    /// A coordinate in a stage of `func`. Where the ranges of other Funcs' values, on which it depends, bound it more
    /// closely than it is bounded, these values are clamped to their ranges, which changes none of them.
    Expr bounded(const Expr &coordinate, FuncId func);

    /// The same for all coordinates of calls and inputs in an expression.
    Expr with_bounded_coordinates(const Expr &expr, FuncId func);

  private:
    const ir::Graph &graph_;
    std::map<std::pair<FuncId, size_t>, Interval> ranges_;

    Interval find(const ir::FuncDef &func, size_t value);
    Expr clamped(const Expr &expr, FuncId func);
};

} // namespace fluorite::analysis
