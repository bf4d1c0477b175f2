#pragma once
// The numbers of the automatic scheduler, from costs.def.

#include <array>
#include <cstdint>

namespace fluorite::autoschedule::costs {

// NOLINTBEGIN: the parentheses of a list become braces.
#define FLUORITE_LIST_VALUES(...) {__VA_ARGS__}
#define COST(name, value, unit, basis, source) inline constexpr double name = value;
#define COUNT(name, value, unit, basis, source) inline constexpr int64_t name = value;
#define LIST(name, values, unit, basis, source)                                                                        \
    inline constexpr auto name = std::to_array<int64_t>(FLUORITE_LIST_VALUES values);
#include "autoschedule/costs.def"
#undef FLUORITE_LIST_VALUES
#undef COST
#undef COUNT
#undef LIST
// NOLINTEND

} // namespace fluorite::autoschedule::costs
