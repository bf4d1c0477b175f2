#pragma once
// How much work the values of a stage are.

#include "ir/graph.h"

#include <vector>

namespace fluorite::autoschedule {

/// Operations count in additions of 32 bits: one of 8 bits, of which a vector holds four times as many, is a quarter.
/// Coordinates count only where they read memory. Equal operands and equal loads count once.
struct Work {
    double operations = 0;
    std::vector<Expr> loads; // distinct Call and Image nodes
    /// Values that several points use, and of the widest type, in 32 bits: they wait in registers.
    double shared = 0, widest = 0;
};

/// The work of one point.
Work work_of(const ir::Stage &stage);
/// The work of several points that are computed together, as by unrolled loops: of each, what replaces the pure Vars.
Work work_of(const ir::Stage &stage, const std::vector<ir::SymbolMap<Expr>> &points);

} // namespace fluorite::autoschedule
