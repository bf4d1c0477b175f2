#pragma once
// Index expressions, conditions and loops of a term at given sizes. Elements are not computed: what stores where
// depends on indices alone.

#include "verify/certify.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fluorite::verify {

/// The values of index names.
using Values = std::map<std::string, int64_t>;

/// Throws Unsupported for names without a value, and for divisors that are not positive.
int64_t evaluate(const Index &index, const Values &values);
bool evaluate(const Condition &condition, const Values &values);

/// Calls `store` for each element that the target stores, in the order of its loops: with the Func (as graph.funcs) and
/// its coordinates, the first dimension first. What is null because a guard leaves the Func's region is not an element.
/// Throws Unsupported as above.
void for_each_store(const ScheduledTerm &term, const Values &values,
                    const std::function<void(size_t func, const std::vector<int64_t> &at)> &store);

} // namespace fluorite::verify
