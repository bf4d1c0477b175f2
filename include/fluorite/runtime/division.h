#pragma once
// Division of integers that rounds down.

#include "fluorite/require_cxx17.h"

namespace fluorite {

/// The greatest integer that is at most a / positive. The remainder, a - positive * floor_div(a, positive), is never
/// negative.
template <typename Int> constexpr Int floor_div(Int a, Int positive) {
    return a / positive - (a % positive < 0 ? 1 : 0);
}

static_assert(floor_div(-1, 4) == -1 && floor_div(-4, 4) == -1 && floor_div(-5, 4) == -2);
static_assert(floor_div(0, 4) == 0 && floor_div(3, 4) == 0 && floor_div(4, 4) == 1);

} // namespace fluorite
