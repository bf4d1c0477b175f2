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
    /// Everywhere: the range over all coordinates. AtPoint: also the range at the coordinates of a call.
    enum class Known : uint8_t { Everywhere, AtPoint };

    const ir::Graph &graph_;
    std::map<std::pair<FuncId, size_t>, Interval> ranges_, at_points_;

    Interval find(const ir::FuncDef &func, size_t value);
    /// In terms of the Func's Vars.
    const Interval &at_point(FuncId func, size_t value);
    Interval find_at_point(const ir::FuncDef &func, size_t value);
    Interval of_call(const Expr &call, Known known);
    Expr clamped(const Expr &expr, FuncId func, Known known);
};

} // namespace fluorite::analysis
