#pragma once
// Symbols of lets. Whether a let depends on memory stands in its symbol (SymbolOwner::level), so that a Variable of it
// is known to wrap around where its binder is not at hand. That is derived from the value here and nowhere else; the
// verifier checks it.

#include "ir/expr_node.h"

namespace fluorite::ir {

/// The symbol for a Let or LetStmt of the value.
Symbol let_symbol(std::string name, const Expr &value, SymbolOwner owner = {});

/// The symbol where it says all that there is to say of the value, else one that does.
Symbol let_symbol_like(const Symbol &symbol, const Expr &value);

/// Whether a Variable of the symbol counts as reading memory.
bool says_it_reads_memory(const Symbol &symbol);

} // namespace fluorite::ir
