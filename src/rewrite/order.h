#pragma once
// The order in which the rules go down: why rewriting ends.

#include "rewrite/rule_book.h"

#include <string>

namespace fluorite::rewrite {

/// The measure of an expression: a weighted size. Saturates for very large shared expressions.
uint64_t measure(const Expr &expr);
/// Whether every instance of the row's result has a smaller measure than that of its pattern, in every context.
/// `reason` says why not.
bool decreases(const Row &row, std::string *reason = nullptr);

} // namespace fluorite::rewrite
