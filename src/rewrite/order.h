#pragma once
// The termination order: every rule decreases it.

#include "rewrite/rule_book.h"

#include <string>

namespace fluorite::rewrite {

/// The measure of an expression: a weighted size. It saturates for very large shared expressions.
uint64_t measure(const Expr &expr);
/// Whether every instance of the row's result has a smaller measure than the matching instance of its pattern, in every
/// context. Otherwise `reason` says why not.
bool decreases(const Row &row, std::string *reason = nullptr);

} // namespace fluorite::rewrite
