#pragma once
// What printer and parser share: words of the text form, and the table by which a name means a symbol.
//
// Both sides go through a text in the same order and keep the same table from names to symbols. A name without `@`
// means the symbol that the name meant last; a name not met before means what its position asks for, without an owner.
// `name@kind{owner}` introduces a symbol and makes it the meaning of the name from there on. The name of a let means,
// once its value is read, the symbol that says whether that depends on memory (let_symbol.h). Types work the same way:
// they are written where they differ from what the table knows.

#include "fluorite/schedule_types.h"
#include "ir/expr_node.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace fluorite::ir {

/// What a name means, and the types last seen with it: element types of value k, and `as_variable` of the plain name.
struct KnownSymbol {
    static constexpr int as_variable = -1;
    Symbol symbol;
    std::map<int, Type> types;
};

class NameTable {
  public:
    const KnownSymbol *find(const std::string &name) const;
    /// The entry of the symbol's name, made or taken over by this symbol.
    KnownSymbol &enter(const Symbol &symbol);

  private:
    std::unordered_map<std::string, KnownSymbol> known_;
};

/// Whether the word has a meaning of its own, so that a symbol of this name must be quoted.
bool is_reserved(std::string_view word);
bool is_name_start(char c);
bool is_name_part(char c);

// Words of the small vocabularies; the parse_ functions are their inverses.
const char *to_word(SymbolKind kind);
const char *to_word(Field field);
const char *to_word(ReduceOp op);
const char *to_word(MemoryType memory);
const char *to_word(Partition partition);
std::optional<SymbolKind> parse_symbol_kind(std::string_view word);
std::optional<Field> parse_field(std::string_view word);
std::optional<ReduceOp> parse_reduce_op(std::string_view word);
std::optional<MemoryType> parse_memory(std::string_view word);
std::optional<Partition> parse_partition(std::string_view word);
std::optional<Type> parse_type_word(std::string_view word);
std::optional<ExprKind> parse_kind(std::string_view word);
std::optional<MathOp> parse_math(std::string_view word);

/// Binding strength of a binary operator, larger binds tighter; 0 for what is not infix.
int precedence(ExprKind kind);

} // namespace fluorite::ir
