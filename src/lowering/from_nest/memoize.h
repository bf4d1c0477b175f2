#pragma once
// Keys of memoized Funcs, and the code that looks up the cache. See memoize.cpp.

#include "ir/stmt.h"
#include "loopnest/loop_nest.h"

#include <string>
#include <vector>

namespace fluorite::lowering {

/// Runs `stages` only if the cache has no result for the Func, and then stores the result. `identity` is a text that
/// differs wherever code does.
ir::Stmt memoized(const ir::Stmt &stages, const loopnest::BoundedLoopNest &nest, FuncId func,
                  const std::string &identity);

/// A placeholder operation on the index of a Func, which flatten.cpp replaces by operations on the Func's memory.
extern const char *const memoization_blocks;

} // namespace fluorite::lowering
