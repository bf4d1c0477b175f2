#pragma once
// What printer and parser share: the keywords of the text form, and the table that maps names to symbols.
//
// Printer and parser process a text in the same order and maintain the same table. A name without `@` denotes the
// symbol that it denoted last; a new name denotes the kind of symbol that its position requires, without an owner.
// `name@kind{owner}` introduces a symbol, which the name denotes from there on. After its value is read, the name of a
// let denotes the symbol that records whether the value depends on memory (let_symbol.h). Types work the same way: they
// are written where they differ from the table.

#include "fluorite/schedule_types.h"
#include "ir/expr_node.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace fluorite::ir {

/// What a name denotes, and the types last seen with it: element types by value index, and `as_variable` for the plain
/// name.
struct KnownSymbol {
    static constexpr int as_variable = -1;
    Symbol symbol;
    std::map<int, Type> types;
};

class NameTable {
  public:
    /// Null if the name denotes nothing yet.
    KnownSymbol *find(const std::string &name);
    const KnownSymbol *find(const std::string &name) const;
    /// The entry of the symbol's name, created or taken over by this symbol.
    KnownSymbol &enter(const Symbol &symbol) { return enter(symbol.name(), symbol); }
    /// The same under another name, for texts that abbreviate the symbol's.
    KnownSymbol &enter(const std::string &name, const Symbol &symbol);

  private:
    std::unordered_map<std::string, KnownSymbol> known_;
};

/// Whether the word is a keyword, so that a symbol of this name must be quoted.
bool is_reserved(std::string_view word);
bool is_name_start(char c);
bool is_name_part(char c);

// Words of the small vocabularies; the parse_ functions are the inverses.
const char *to_word(SymbolKind kind);
const char *to_word(Field field);
const char *to_word(ReduceOp op);
const char *to_word(MemoryType memory);
const char *to_word(Partition partition);
/// How a loop of the kind runs: `serial`, `parallel`, ...
const char *to_word(ForType kind);
/// The directive that makes a loop of the kind.
const char *directive_word(ForType kind);
std::optional<SymbolKind> parse_symbol_kind(std::string_view word);
std::optional<Field> parse_field(std::string_view word);
std::optional<ReduceOp> parse_reduce_op(std::string_view word);
std::optional<MemoryType> parse_memory(std::string_view word);
std::optional<Partition> parse_partition(std::string_view word);
std::optional<ForType> parse_loop_kind(std::string_view word);
std::optional<Type> parse_type_word(std::string_view word);
std::optional<ExprKind> parse_kind(std::string_view word);
std::optional<MathOp> parse_math(std::string_view word);

/// The precedence of a binary operator, larger binds tighter; 0 if the kind is not infix.
int precedence(ExprKind kind);

} // namespace fluorite::ir
