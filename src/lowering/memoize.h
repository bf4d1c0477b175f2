#pragma once
// Keys of memoized Funcs, and the code that asks the cache. See memoize.cpp.

#include "ir/stmt.h"
#include "lowering/regions.h"

#include <string>
#include <vector>

namespace fluorite::lowering {

/// What the values of a Func are computed from, beside what the text of the pipeline says: expressions over Params and buffer
/// fields, each once. Takes definitions that have their memoize_tags yet. Throws where the Func reads an input.
std::vector<Expr> memoize_key(const Working &working, FuncId func);

/// `stages`, run only where the cache has no result for the Func; then the result is stored. `identity` is a text that
/// differs wherever code does.
ir::Stmt memoized(const ir::Stmt &stages, const Working &working, FuncId func, const Regions &regions,
                  const std::string &identity);

/// An operation, on the index of a Func, that stands for the Func's memory until that is laid out (flatten.cpp).
extern const char *const memoization_blocks;

} // namespace fluorite::lowering
