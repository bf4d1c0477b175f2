#pragma once
// Shared by reduction.cpp and reduction_chain.cpp: the decomposition of one value of an update.

#include "analysis/reduction.h"

#include <algorithm>

namespace fluorite::analysis {

using Test = std::function<bool(const Expr &)>;

/// A value as old op e; no op if it is the old value itself.
struct Chain {
    std::optional<ir::ReduceOp> op;
    Expr value;
    Law split = Law::Exact, commute = Law::Exact;
};

/// Nothing if the value is not recognized as a chain.
std::optional<Chain> match_chain(const Expr &value, const Test &is_old, const Test &reads);

inline Law weaker(Law a, Law b) { return std::min(a, b); }

} // namespace fluorite::analysis
