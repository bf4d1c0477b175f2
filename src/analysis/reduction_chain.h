#pragma once
// What reduction.cpp and reduction_chain.cpp share: one value of an update taken apart.

#include "analysis/reduction.h"

#include <algorithm>

namespace fluorite::analysis {

using Test = std::function<bool(const Expr &)>;

/// A value as old op e; no op where it is the old value itself.
struct Chain {
    std::optional<ir::ReduceOp> op;
    Expr value;
    Law split = Law::Exact, commute = Law::Exact;
};

/// Nothing where the value is not known to be one.
std::optional<Chain> match_chain(const Expr &value, const Test &is_old, const Test &reads);

inline Law weaker(Law a, Law b) { return std::min(a, b); }

} // namespace fluorite::analysis
