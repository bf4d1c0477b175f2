#pragma once
// Keys of memoized Funcs, and the code that asks the cache. See memoize.cpp.

#include "ir/stmt.h"
#include "loopnest/loop_nest.h"

#include <string>
#include <vector>

namespace fluorite::lowering {

/// `stages`, run only where the cache has no result for the Func; then the result is stored. `identity` is a text that
/// differs wherever code does.
ir::Stmt memoized(const ir::Stmt &stages, const loopnest::BoundedLoopNest &nest, FuncId func,
                  const std::string &identity);

/// An operation, on the index of a Func, that stands for the Func's memory until that is laid out (flatten.cpp).
extern const char *const memoization_blocks;

} // namespace fluorite::lowering
