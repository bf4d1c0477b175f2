// Tables of the words of the text form.

#include "ir/text_names.h"

#include "ir/expr_cases.h"
#include "ir/node_types.h"
#include "support/check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

namespace fluorite::ir {

KnownSymbol *NameTable::find(const std::string &name) {
    auto found = known_.find(name);
    return found == known_.end() ? nullptr : &found->second;
}

const KnownSymbol *NameTable::find(const std::string &name) const {
    auto found = known_.find(name);
    return found == known_.end() ? nullptr : &found->second;
}

KnownSymbol &NameTable::enter(const std::string &name, const Symbol &symbol) {
    KnownSymbol &entry = known_[name];
    if (!(entry.symbol == symbol)) {
        entry = {symbol, {}};
    }
    return entry;
}

namespace {

constexpr std::array symbol_kinds{"var", "rvar", "loop", "let", "bound", "param", "buffer", "func"};
constexpr std::array fields{"min", "max", "extent", "stride"};
constexpr std::array reduce_ops{"add",     "mul",    "min",    "max", "and", "or", "saturating_add",
                                "bit_and", "bit_or", "bit_xor"};
constexpr std::array memories{"auto", "heap", "stack", "register", "gpu_shared", "device"};
constexpr std::array partitions{"auto", "never", "always"};

constexpr std::array kind_names{
#define FLUORITE_EXPR(kind, text, ...) text,
#include "ir/expr_kinds.def"
#undef FLUORITE_EXPR
};
constexpr std::array math_names{
#define FLUORITE_MATH(op, text, ...) text,
#include "ir/math_ops.def"
#undef FLUORITE_MATH
};
struct LoopWord {
    ForType kind;
    const char *word;
};
constexpr std::array loop_words{
#define FLUORITE_LOOP_KIND(kind, word, directive) LoopWord{ForType::kind, word},
#include "ir/loop_kinds.def"
#undef FLUORITE_LOOP_KIND
};
constexpr std::array statement_words{"true",    "false",  "inf",       "nan",      "as_call", "as_image", "where",
                                     "stage",   "over",   "partition", "let",      "assert",  "else",     "produce",
                                     "consume", "for",    "realize",   "allocate", "if",      "evaluate", "prefetch",
                                     "atomic",  "free",   "graph",     "func",     "update",  "requires", "output",
                                     "inputs",  "launch", "barrier",   "blocks",   "threads"};

template <typename T, size_t N>
std::optional<T> find_word(const std::array<const char *, N> &words, std::string_view word) {
    for (size_t i = 0; i < N; i++) {
        if (word == words[i]) {
            return static_cast<T>(i);
        }
    }
    return std::nullopt;
}

} // namespace

bool is_reserved(std::string_view word) {
    static const std::unordered_set<std::string_view> words = [] {
        std::unordered_set<std::string_view> all(statement_words.begin(), statement_words.end());
        all.insert(kind_names.begin(), kind_names.end());
        for (const LoopWord &loop : loop_words) {
            all.insert(loop.word);
        }
        for (const char *unwritten :
             {"int", "uint", "float", "string", "var", "field", "math", "call", "image", "load", "serial"}) {
            all.erase(unwritten); // written by other means than their word
        }
        all.insert(math_names.begin(), math_names.end());
        return all;
    }();
    return words.count(word) != 0;
}

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || (c >= '0' && c <= '9') || c == '.' || c == '$'; }

const char *to_word(SymbolKind kind) { return symbol_kinds[index_of(kind)]; }
const char *to_word(Field field) { return fields[index_of(field)]; }
const char *to_word(ReduceOp op) { return reduce_ops[index_of(op)]; }
const char *to_word(MemoryType memory) { return memories[index_of(memory)]; }
const char *to_word(Partition partition) { return partitions[index_of(partition)]; }
const char *to_word(ForType kind) {
    switch (kind) {
#define FLUORITE_LOOP_KIND(kind, word, directive)                                                                      \
    case ForType::kind:                                                                                                \
        return word;
#include "ir/loop_kinds.def"
#undef FLUORITE_LOOP_KIND
    }
    unreachable("a loop has one of the kinds");
}
const char *directive_word(ForType kind) {
    switch (kind) {
#define FLUORITE_LOOP_KIND(kind, word, directive)                                                                      \
    case ForType::kind:                                                                                                \
        return directive;
#include "ir/loop_kinds.def"
#undef FLUORITE_LOOP_KIND
    }
    unreachable("a loop has one of the kinds");
}
std::optional<SymbolKind> parse_symbol_kind(std::string_view word) { return find_word<SymbolKind>(symbol_kinds, word); }
std::optional<Field> parse_field(std::string_view word) { return find_word<Field>(fields, word); }
std::optional<ReduceOp> parse_reduce_op(std::string_view word) { return find_word<ReduceOp>(reduce_ops, word); }
std::optional<MemoryType> parse_memory(std::string_view word) { return find_word<MemoryType>(memories, word); }
std::optional<Partition> parse_partition(std::string_view word) { return find_word<Partition>(partitions, word); }
std::optional<ForType> parse_loop_kind(std::string_view word) {
    const auto *found =
        std::find_if(loop_words.begin(), loop_words.end(), [&](const LoopWord &l) { return l.word == word; });
    return found == loop_words.end() ? std::nullopt : std::optional(found->kind);
}
std::optional<ExprKind> parse_kind(std::string_view word) { return find_word<ExprKind>(kind_names, word); }
std::optional<MathOp> parse_math(std::string_view word) { return find_word<MathOp>(math_names, word); }

std::optional<Type> parse_type_word(std::string_view word) {
    if (word == "void") {
        return Type();
    }
    TypeCode code = TypeCode::UInt;
    int bits = 0, lanes = 1;
    auto take = [&](std::string_view prefix) {
        if (word.substr(0, prefix.size()) != prefix) {
            return false;
        }
        word.remove_prefix(prefix.size());
        return true;
    };
    auto take_number = [&](int &number) {
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        word.remove_prefix(static_cast<size_t>(end - word.data()));
        return error == std::errc();
    };
    if (take("bool")) {
        bits = 1;
    } else if (take("handle")) {
        code = TypeCode::Handle;
        bits = 64;
    } else {
        code = take("bfloat") ? TypeCode::BFloat : take("float") ? TypeCode::Float : take("int") ? TypeCode::Int : code;
        if ((code == TypeCode::UInt && !take("uint")) || !take_number(bits)) {
            return std::nullopt;
        }
    }
    if (take("x") && !take_number(lanes)) {
        return std::nullopt;
    }
    if (!word.empty() || bits < 1 || bits > 64 || lanes < 1 || lanes > 65535) {
        return std::nullopt;
    }
    return Type(code, bits, lanes);
}

int precedence(ExprKind kind) {
    switch (kind) {
    case ExprKind::Or:
        return 1;
    case ExprKind::And:
        return 2;
    case ExprKind::BitOr:
        return 3;
    case ExprKind::BitXor:
        return 4;
    case ExprKind::BitAnd:
        return 5;
    case ExprKind::EQ:
    case ExprKind::NE:
        return 6;
    case ExprKind::LT:
    case ExprKind::LE:
    case ExprKind::GT:
    case ExprKind::GE:
        return 7;
    case ExprKind::ShiftLeft:
    case ExprKind::ShiftRight:
        return 8;
    case ExprKind::Add:
    case ExprKind::Sub:
        return 9;
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Mod:
        return 10;
    case ExprKind::Quotient: // those that are written as calls
    case ExprKind::Remainder:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::AbsDiff:
    case FLUORITE_NOT_BINARY:
        return 0;
    }
    unreachable("a node of no kind");
}

} // namespace fluorite::ir
