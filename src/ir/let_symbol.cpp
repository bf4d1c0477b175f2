#include "ir/let_symbol.h"

namespace fluorite::ir {

namespace {

constexpr int32_t level_of_memory = 1;

} // namespace

Symbol let_symbol(std::string name, const Expr &value, SymbolOwner owner) {
    owner.level = value->reads_memory() ? level_of_memory : -1;
    return Symbol(SymbolKind::Let, std::move(name), owner);
}

Symbol let_symbol_like(const Symbol &symbol, const Expr &value) {
    const bool is_silent = symbol.kind() == SymbolKind::Let && value->reads_memory() && !says_it_reads_memory(symbol);
    return is_silent ? let_symbol(symbol.name(), value, symbol.owner()) : symbol;
}

bool says_it_reads_memory(const Symbol &symbol) {
    return symbol.defined() && symbol.kind() == SymbolKind::Let && symbol.owner().level == level_of_memory;
}

} // namespace fluorite::ir
