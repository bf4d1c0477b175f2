#pragma once
// Exact linear programming over rationals, as far as witnesses need it.

#include <cstdint>
#include <optional>
#include <vector>

namespace fluorite::verify {

using Wide = __int128;

/// Multipliers m >= 0, integers, with sum m[i] * rows[i][j] = 0 for every column j but the last, and negative for the
/// last: a combination of the inequalities rows[i] >= 0 that contradicts itself. Nothing if there is none, or if a
/// number leaves 127 bits. Method: the first phase of the simplex algorithm with Bland's rule, which never cycles.
std::optional<std::vector<Wide>> find_contradiction(const std::vector<std::vector<Wide>> &rows);

} // namespace fluorite::verify
