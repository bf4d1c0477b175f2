// Printing expressions and symbols. See print.h for the syntax.
//
// The printer walks in the order of the text and maintains the table of names that the parser will maintain
// (text_names.h). So it knows what the parser will know, and writes a type or an owner exactly where the parser could
// not infer it. The depth is bounded, chains of binary operators run in a loop, and every node costs one unit of the
// budget.

#include "ir/print.h"

#include "ir/let_symbol.h"
#include "ir/node_types.h"
#include "ir/printer.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <ostream>

namespace fluorite::ir {

// ---- Lexical elements.

namespace {

std::string quoted(const std::string &text, char quote) {
    std::string result(1, quote);
    for (char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == quote || c == '\\') {
            result += {'\\', c};
        } else if (c == '\n') {
            result += "\\n";
        } else if (c == '\t') {
            result += "\\t";
        } else if (byte < 0x20 || byte == 0x7F) {
            static const char digits[] = "0123456789abcdef";
            result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        } else {
            result += c;
        }
    }
    return result + quote;
}

template <typename T> std::string shortest(T value) {
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
    std::string text(buffer, end);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string float_text(Type type, double value) {
    if (std::isnan(value)) {
        const uint64_t bits = std::bit_cast<uint64_t>(value);
        if (bits == 0x7FF8000000000000) {
            return "nan";
        }
        char buffer[24];
        return "nan(0x" + std::string(buffer, std::to_chars(buffer, buffer + sizeof(buffer), bits, 16).ptr) + ")";
    }
    if (std::isinf(value)) {
        return value < 0 ? "-inf" : "inf";
    }
    return type.bits() == 64 ? shortest(value) : shortest(static_cast<float>(value));
}

} // namespace

std::string quoted_name(const std::string &name) {
    const bool plain = !name.empty() && is_name_start(name[0]) && std::all_of(name.begin(), name.end(), is_name_part);
    return plain && !is_reserved(name) ? name : quoted(name, '\'');
}

std::string quoted_text(const std::string &text) { return quoted(text, '"'); }

bool Printer::spend() {
    if (left_ == 0) {
        text("...");
        return false;
    }
    left_--;
    return true;
}

// ---- Symbols.

void Printer::owner(const SymbolOwner &owner) {
    std::string fields;
    auto field = [&](const char *name, int32_t value) {
        if (value != -1) {
            fields += (fields.empty() ? "" : " ") + std::string(name) + std::to_string(value);
        }
    };
    field("f", owner.func.value);
    field("s", owner.stage);
    field("d", owner.dim.value);
    field("i", owner.input.value);
    field("l", owner.level);
    if (owner.side == Side::Max) {
        fields += fields.empty() ? "max" : " max";
    }
    text("{" + fields + "}");
}

KnownSymbol &Printer::symbol(const Symbol &symbol, SymbolKind expected, Position position) {
    if (!symbol.defined()) {
        text("(undefined symbol)");
        return names_.enter(Symbol(expected, ""));
    }
    const KnownSymbol *known = names_.find(symbol.name());
    const bool plain = symbol.kind() == expected && symbol.owner() == SymbolOwner{};
    const bool hidden = !known || (position == Position::Binder && known->symbol.kind() != expected);
    if (hidden ? !plain : !(known->symbol == symbol)) {
        return introduce(symbol, expected);
    }
    text(quoted_name(symbol.name()));
    return names_.enter(symbol);
}

/// Writes the name with the full description of the symbol.
KnownSymbol &Printer::introduce(const Symbol &symbol, SymbolKind expected) {
    text(quoted_name(symbol.name()) + "@");
    if (symbol.kind() != expected || symbol.owner() == SymbolOwner{}) {
        text(to_word(symbol.kind()));
    }
    if (symbol.owner() != SymbolOwner{}) {
        owner(symbol.owner());
    }
    return names_.enter(symbol);
}

void Printer::type_suffix(Type type, Type expected) {
    if (type != expected) {
        text(":" + to_string(type));
    }
}

// ---- Expressions.

void Printer::expr(const Expr &expr, int least_precedence) {
    if (!expr.defined()) {
        text("(undefined)");
        return;
    }
    if (depth_ >= options_.max_depth) {
        text("...");
        return;
    }
    depth_++;
    if (spend()) {
        node(expr, least_precedence);
    }
    depth_--;
}

void Printer::node(const Expr &expr, int least_precedence) {
    if (is_infix(expr->kind())) {
        infix(expr, least_precedence);
        return;
    }
    switch (expr->kind()) {
    case ExprKind::IntImm:
    case ExprKind::UIntImm:
    case ExprKind::FloatImm:
    case ExprKind::StringImm:
        constant(expr);
        break;
    case ExprKind::Variable: {
        KnownSymbol &known = symbol(expr->symbol(), SymbolKind::Var);
        Type &type = known.types.emplace(KnownSymbol::as_variable, Int(32)).first->second;
        type_suffix(expr.type(), type);
        type = expr.type();
        break;
    }
    case ExprKind::BufferField:
        symbol(expr->symbol(), SymbolKind::Buffer);
        text(concat("->", to_word(expr->member().field), "[", expr->member().index, "]"));
        type_suffix(expr.type(), Int(32));
        break;
    case ExprKind::Not:
    case ExprKind::BitNot:
        if (expr.type() == expr->arg(0).type()) {
            text(kind_name(expr->kind()));
            this->expr(expr->arg(0), 11);
        } else {
            text(concat("(", kind_name(expr->kind())));
            this->expr(expr->arg(0), 11);
            text(concat("):", expr.type()));
        }
        break;
    case ExprKind::Let:
        let(expr, least_precedence);
        break;
    case ExprKind::Call:
    case ExprKind::Image:
        access(expr);
        break;
    case ExprKind::Load:
        load(expr);
        break;
    default: // kinds whose text begins with their word; named_operands has all others
        named_operands(expr);
        break;
    }
}

void Printer::constant(const Expr &expr) {
    const Type type = expr.type();
    switch (expr->kind()) {
    case ExprKind::IntImm:
        number(expr->int_value());
        type_suffix(type, Int(32));
        break;
    case ExprKind::UIntImm:
        if (type == Bool()) {
            text(expr->uint_value() ? "true" : "false");
        } else {
            text(concat(expr->uint_value(), ":", type));
        }
        break;
    case ExprKind::FloatImm:
        text(float_text(type, expr->float_value()) + ":" + to_string(type));
        break;
    default: // only constants are asked, of which StringImm is left
        text(quoted_text(expr->text()));
        type_suffix(type, Handle());
        break;
    }
}

void Printer::infix(const Expr &expr, int least_precedence) {
    // The left spine of a chain: operators that need no parentheses around their left operand.
    std::vector<const Expr *> spine{&expr};
    auto is_plain = [](const Expr &e) { return e.type() == default_type(e->kind(), e->args(), e->payload()); };
    auto continues = [&](const Expr &outer, const Expr &left) {
        // Mixed bit operators and comparisons get parentheses that C does not need but readers do.
        return is_infix(left->kind()) && is_plain(left) && precedence(left->kind()) >= precedence(outer->kind()) &&
               (left->kind() == outer->kind() || precedence(outer->kind()) <= 2 || precedence(outer->kind()) >= 9 ||
                ((precedence(outer->kind()) == 6 || precedence(outer->kind()) == 7) && precedence(left->kind()) >= 9));
    };
    while (continues(*spine.back(), (*spine.back())->arg(0))) {
        spine.push_back(&(*spine.back())->arg(0));
    }
    const bool typed = !is_plain(expr);
    const int own = precedence(expr->kind());
    const bool parentheses = typed || own < least_precedence;
    text(parentheses ? "(" : "");
    this->expr((*spine.back())->arg(0), 11);
    for (size_t i = spine.size(); i-- > 0;) {
        const Expr &each = *spine[i];
        if (i > 0 && !spend()) {
            continue;
        }
        text(concat(" ", kind_name(each->kind()), " "));
        const int outer = precedence(each->kind());
        const bool arithmetic = outer <= 2 || outer >= 9;
        const int right = is_infix(each->arg(1)->kind()) ? precedence(each->arg(1)->kind()) : 11;
        const bool readable = arithmetic ? right > outer : outer == 7 || outer == 6 ? right >= 9 : false;
        this->expr(each->arg(1), readable ? 0 : 11);
    }
    text(parentheses ? ")" : "");
    if (typed) {
        text(concat(":", expr.type()));
    }
}

/// Writes name, type and value. The name suffices if let_symbol_like derives the symbol from the name's current
/// meaning.
void Printer::let_head(const Symbol &bound, const Expr &value) {
    const KnownSymbol *known = bound.defined() ? names_.find(bound.name()) : nullptr;
    const bool means_let = known && known->symbol.kind() == SymbolKind::Let;
    const Symbol meant = means_let ? known->symbol : Symbol(SymbolKind::Let, bound.defined() ? bound.name() : "");
    const bool is_made = bound.defined() && value.defined() && let_symbol_like(meant, value) == bound;
    const bool is_told = !is_made && bound.defined();
    KnownSymbol &entry = is_told ? introduce(bound, SymbolKind::Let) : symbol(meant, SymbolKind::Let, Position::Binder);
    entry.types[KnownSymbol::as_variable] = value.type();
    text(concat(":", value.type(), " = "));
    expr(value);
    if (is_made) {
        names_.enter(bound).types[KnownSymbol::as_variable] = value.type();
    }
}

void Printer::let(const Expr &expr, int least_precedence) {
    const bool plain = expr.type() == expr->arg(1).type();
    const bool parentheses = !plain || least_precedence >= 0;
    text(parentheses ? "(let " : "let ");
    let_head(expr->symbol(), expr->arg(0));
    text(" in ");
    this->expr(expr->arg(1), -1);
    text(parentheses ? ")" : "");
    if (!plain) {
        text(concat(":", expr.type()));
    }
}

void Printer::operands(std::span<const Expr> args) {
    text("(");
    for (size_t i = 0; i < args.size(); i++) {
        text(i > 0 ? ", " : "");
        expr(args[i]);
    }
    text(")");
}

void Printer::access(const Expr &expr) {
    const bool is_image = expr->kind() == ExprKind::Image;
    const SymbolKind kind = expr->symbol().kind();
    if (is_image != (kind == SymbolKind::Buffer)) {
        text(is_image ? "as_image " : "as_call "); // the symbol's kind would mislead the parser
    }
    const std::string &name = expr->symbol().name();
    symbol(expr->symbol(), SymbolKind::Func);
    operands(expr->args());
    const int index = is_image ? 0 : expr->member().index;
    if (index != 0) {
        text(concat(".", index));
    }
    // The operands may have changed the meaning of the name: look it up again.
    int lanes = 1;
    for (const Expr &arg : expr->args()) {
        lanes = std::max(lanes, arg.type().lanes());
    }
    const KnownSymbol *known = names_.find(name);
    Type expected;
    if (known && known->symbol == expr->symbol()) {
        KnownSymbol &entry = names_.enter(expr->symbol());
        Type &element = entry.types[index];
        expected = element.is_void() ? Type() : element.with_lanes(lanes);
        element = expr.type().element_of();
    }
    type_suffix(expr.type(), expected);
}

void Printer::load(const Expr &expr) {
    symbol(expr->symbol(), SymbolKind::Buffer);
    text("[");
    this->expr(expr->arg(0));
    const int lanes = expr->arg(0).type().lanes();
    where(expr->arg(1), lanes);
    text("]");
    const KnownSymbol *known = names_.find(expr->symbol().name());
    Type expected;
    if (known && known->symbol == expr->symbol()) {
        Type &element = names_.enter(expr->symbol()).types[0];
        expected = element.is_void() ? Type() : element.with_lanes(lanes);
        element = expr.type().element_of();
    }
    type_suffix(expr.type(), expected);
}

void Printer::where(const Expr &predicate, int lanes) {
    if (!equal(predicate, make_bool(true, lanes))) {
        text(" where ");
        expr(predicate);
    }
}

void Printer::named_operands(const Expr &expr) {
    const ExprKind kind = expr->kind();
    const Type type = expr.type();
    Type expected = default_type(kind, expr->args(), expr->payload());
    switch (kind) {
    case ExprKind::Cast:
    case ExprKind::SaturatingCast:
    case ExprKind::Reinterpret:
        text(concat(kind_name(kind), "<", type, ">"));
        expected = type;
        operands(expr->args());
        break;
    case ExprKind::Math:
        text(math_name(expr->math_op()));
        operands(expr->args());
        break;
    case ExprKind::Ramp:
    case ExprKind::Broadcast: {
        const Type base = expr->arg(0).type();
        const int lanes = type.lanes() / base.lanes();
        expected = base.with_lanes(base.lanes() * lanes);
        text(concat(kind_name(kind), "("));
        for (const Expr &arg : expr->args()) {
            this->expr(arg);
            text(", ");
        }
        text(concat(lanes, ")"));
        break;
    }
    case ExprKind::Shuffle: {
        text("shuffle<");
        const Indices &indices = expr->indices();
        for (size_t i = 0; i < indices.size(); i++) {
            text(concat(i > 0 ? ", " : "", indices[i]));
        }
        text(">");
        operands(expr->args());
        break;
    }
    case ExprKind::VectorReduce:
        expected = expr->arg(0).type().with_lanes(type.lanes());
        text(concat("vector_reduce<", to_word(expr->reduce_op()), ">("));
        this->expr(expr->arg(0));
        text(concat(", ", type.lanes(), ")"));
        break;
    case ExprKind::Extern:
        text("extern " + quoted_name(expr->text()));
        operands(expr->args());
        break;
    case ExprKind::Undef:
        text("undef");
        break;
    default: // kinds whose text is the word and the operands
        text(kind_name(kind));
        operands(expr->args());
        break;
    }
    type_suffix(type, expected);
}

// ---- Entry points.

std::string to_text(const Expr &expr, const PrintOptions &options) {
    Printer printer(options);
    printer.expr(expr, -1);
    return printer.take();
}

} // namespace fluorite::ir

namespace fluorite {

namespace {

bool ends_with_number(const std::string &text) {
    size_t begin = text.size();
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '_' ||
                         text[begin - 1] == '.')) {
        begin--;
    }
    return begin < text.size() && std::isdigit(static_cast<unsigned char>(text[begin])) != 0;
}

/// The text form without what only the parser needs: owners `@loop{f0 d1}`, numbers that the library appended to names
/// (`f$3` becomes f), quotes around names, and types other than those of numbers; `r$x` becomes r.x.
std::string without_owners(const std::string &text) {
    std::string result;
    const auto next_is = [&](size_t i, int (*is)(int)) {
        return i + 1 < text.size() && is(static_cast<unsigned char>(text[i + 1])) != 0;
    };
    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] == '"') { // a string literal
            const size_t begin = i;
            for (i++; i < text.size() && text[i] != '"'; i++) {
                i += text[i] == '\\' ? 1 : 0;
            }
            result += text.substr(begin, i + 1 - begin);
        } else if (text[i] == '@') {
            while (next_is(i, std::isalpha)) {
                i++;
            }
            i = i + 1 < text.size() && text[i + 1] == '{' ? std::min(text.find('}', i), text.size() - 1) : i;
        } else if (text[i] == '$' && next_is(i, std::isdigit)) {
            while (next_is(i, std::isdigit)) {
                i++;
            }
        } else if (text[i] == ':' && next_is(i, std::isalpha) && !ends_with_number(result)) {
            while (next_is(i, std::isalnum)) {
                i++;
            }
        } else if (text[i] != '\'') {
            result += text[i] == '$' ? '.' : text[i];
        }
    }
    return result;
}

} // namespace

std::ostream &operator<<(std::ostream &stream, const Expr &expr) { return stream << without_owners(ir::to_text(expr)); }

} // namespace fluorite
