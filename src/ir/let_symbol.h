#pragma once
// Symbols of lets. The symbol records whether the let's value depends on memory (SymbolOwner::level), so that a
// Variable is known to wrap even where its binder is not available. The record is derived from the value here and
// nowhere else; the verifier checks it.

#include "ir/expr_node.h"

namespace fluorite::ir {

/// The symbol for a Let or LetStmt of the value.
Symbol let_symbol(std::string name, const Expr &value, SymbolOwner owner = {});

/// The given symbol if it already records what the value requires, else a new one that does.
Symbol let_symbol_like(const Symbol &symbol, const Expr &value);

/// Whether a Variable of the symbol counts as reading memory.
bool says_it_reads_memory(const Symbol &symbol);

} // namespace fluorite::ir
