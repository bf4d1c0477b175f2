// Parsing expressions: precedence climbing over operators, and one function per form of primary.

#include "ir/let_symbol.h"
#include "ir/node_types.h"
#include "ir/parser.h"
#include "support/numeric.h"

#include <bit>
#include <charconv>
#include <limits>

namespace fluorite::ir {

namespace {

constexpr int max_depth = 2000; // twice the printer's nesting limit, as parentheses may add a level to each

std::optional<ExprKind> infix_kind(const Token &token) {
    if (token.kind != TokenKind::Punctuation) {
        return std::nullopt;
    }
    const auto kind = parse_kind(token.text);
    return kind && is_infix(*kind) ? kind : std::nullopt;
}

} // namespace

Expr Parser::checked(const Token &at, Expr expr) const {
    if (options_.check_types) {
        if (auto violation = type_violation(*expr)) {
            fail(at, concat("'", kind_name(expr->kind()), "': ", *violation));
        }
    }
    return expr;
}

Expr Parser::node(const Token &at, ExprKind kind, std::vector<Expr> args, Payload payload, Type written) {
    if (!is_arity_of(kind, args.size())) {
        fail(at, concat("'", kind_name(kind), "' does not take ", args.size(), " operands"));
    }
    Type type = written.is_void() ? default_type(kind, args, payload) : written;
    if (auto suffix = type_suffix()) {
        type = *suffix;
    } else if (type.is_void()) {
        fail(at, concat("'", kind_name(kind), "' needs a type here: write (...):type"));
    }
    return checked(at, ExprNode::create(kind, type, args, std::move(payload)));
}

Expr Parser::expr() { return is("let") ? let() : infix(1); }

/// Parses the name, type and value of a let. A name without owner denotes the symbol that records whether the value
/// depends on memory.
Parser::LetHead Parser::let_head() {
    const SymbolText text = symbol_text();
    Symbol symbol = resolve(text, SymbolKind::Let, true).symbol;
    const Token type_at = peek(1);
    const auto written = type_suffix();
    if (written) {
        names_.enter(symbol).types[KnownSymbol::as_variable] = *written;
    }
    expect("=", "the name of a let");
    const Expr value = expr();
    if (written && *written != value.type()) {
        fail(type_at, concat("the value of the let is ", value.type(), ", not ", *written));
    }
    symbol = text.introduces ? symbol : let_symbol_like(symbol, value);
    names_.enter(symbol).types[KnownSymbol::as_variable] = value.type();
    return {symbol, value};
}

Expr Parser::let() {
    const Token at = peek();
    expect("let", "nothing");
    const LetHead head = let_head();
    expect("in", "the value of a let");
    const Expr body = expr();
    return checked(at, make_let(head.symbol, head.value, body));
}

Expr Parser::infix(int least_precedence) {
    if (++depth_ > max_depth) {
        fail("the expression is nested too deeply");
    }
    Expr left = unary();
    for (;;) {
        const Token at = peek();
        const auto kind = infix_kind(at);
        if (!kind || precedence(*kind) < least_precedence) {
            depth_--;
            return left;
        }
        at_++;
        const Expr args[] = {left, infix(precedence(*kind) + 1)};
        left = checked(at, ExprNode::create(*kind, default_type(*kind, args, {}), args));
    }
}

Expr Parser::unary() {
    const Token at = peek();
    if (is("!") || is("~")) {
        const ExprKind kind = is("!") ? ExprKind::Not : ExprKind::BitNot;
        at_++;
        if (++depth_ > max_depth) {
            fail("the expression is nested too deeply");
        }
        const Expr arg = unary();
        depth_--;
        return checked(at, ExprNode::create(kind, arg.type(), {arg}));
    }
    return primary();
}

Expr Parser::primary() {
    const Token at = peek();
    if (accept("(")) {
        const Expr inner = expr();
        expect(")", "an expression in parentheses");
        const auto suffix = type_suffix();
        return suffix ? checked(at, with_args(inner, inner->args(), *suffix)) : inner;
    }
    if (accept("-")) {
        return literal(true);
    }
    switch (at.kind) {
    case TokenKind::Number:
        return literal(false);
    case TokenKind::Text:
        at_++;
        return checked(at, ExprNode::create(ExprKind::StringImm, type_suffix().value_or(Handle()), {}, at.text));
    case TokenKind::QuotedName:
        return by_name();
    case TokenKind::Word:
        return is_reserved(at.text) ? by_word() : by_name();
    default: // no other token begins an expression
        fail(concat(seen(), " where an expression is expected"));
    }
}

// ---- Literals.

Expr Parser::literal(bool negative) {
    const Token at = peek();
    if (at.kind == TokenKind::Number) {
        return number(at, negative);
    }
    std::string text = take_word("a number");
    if (text != "inf" && text != "nan") {
        fail(at, "'-' stands where an expression is expected; there is no negation, write 0 - x");
    }
    if (text == "nan" && accept("(")) {
        text = peek().text;
        at_++;
        expect(")", "the bits of a nan");
    }
    const auto type = type_suffix();
    return float_literal(at, text, negative, type.value_or(Float(32)));
}

Expr Parser::float_literal(const Token &at, const std::string &text, bool negative, Type type) {
    if (!type.is_float() || !type.is_scalar()) {
        fail(at, concat("a constant of type ", type, " cannot be written as ", text));
    }
    double value = 0;
    if (text == "inf") {
        value = std::numeric_limits<double>::infinity();
    } else if (text == "nan") {
        value = std::bit_cast<double>(uint64_t{0x7FF8000000000000});
    } else if (text.starts_with("0x")) {
        uint64_t bits = 0;
        std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
        value = std::bit_cast<double>(bits);
    } else if (type == Float(32)) {
        float single = 0;
        std::from_chars(text.data(), text.data() + text.size(), single);
        value = static_cast<double>(single);
    } else {
        std::from_chars(text.data(), text.data() + text.size(), value);
        value = round_to_float(type, value);
    }
    return ExprNode::create(ExprKind::FloatImm, type, {}, Payload(negative ? -value : value));
}

Expr Parser::number(const Token &at, bool negative) {
    at_++;
    const bool is_hex = at.text.starts_with("0x");
    const bool is_fraction = !is_hex && at.text.find_first_of(".e") != std::string::npos;
    const Type type = type_suffix().value_or(is_fraction ? Float(32) : Int(32));
    if (is_fraction || type.is_float()) {
        return float_literal(at, at.text, negative, type);
    }
    uint64_t magnitude = 0;
    const char *first = at.text.data() + (is_hex ? 2 : 0);
    const auto [end, error] = std::from_chars(first, at.text.data() + at.text.size(), magnitude, is_hex ? 16 : 10);
    const uint64_t limit = uint64_t{1} << 63;
    const bool fits = error == std::errc() && end == at.text.data() + at.text.size() &&
                      (!negative || magnitude <= limit) && type.is_scalar() && type.is_int_or_uint();
    const int64_t value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
    if (!fits || !(negative ? type.can_represent(value) : type.can_represent(magnitude))) {
        fail(at, concat(negative ? "-" : "", at.text, " is no value of type ", type));
    }
    return make_int(type, value);
}

// ---- Names.

std::vector<Expr> Parser::expr_list(std::string_view end) {
    std::vector<Expr> exprs;
    while (!is(end)) {
        if (!exprs.empty()) {
            expect(",", "an element of a list");
        }
        exprs.push_back(expr());
    }
    at_++;
    return exprs;
}

std::vector<Expr> Parser::operands() {
    expect("(", "the name");
    return expr_list(")");
}

Expr Parser::by_name() {
    const SymbolText text = symbol_text();
    if (is("(")) {
        const Symbol symbol = resolve(text, SymbolKind::Func, false).symbol;
        return access(text.at, symbol, symbol.kind() == SymbolKind::Buffer);
    }
    if (is("[")) {
        return load(text.at, resolve(text, SymbolKind::Buffer, false).symbol);
    }
    if (accept("->")) {
        const Symbol symbol = resolve(text, SymbolKind::Buffer, false).symbol;
        const Token at = peek();
        const auto field = parse_field(take_word("a field"));
        if (!field) {
            fail(at, concat("'", at.text, "' is no field of a buffer (min, max, extent, stride)"));
        }
        expect("[", "the field of a buffer");
        const auto dim = static_cast<int32_t>(integer("a dimension"));
        expect("]", "the dimension");
        return node(text.at, ExprKind::BufferField, {}, Member{symbol, dim, *field}, Int(32));
    }
    KnownSymbol &known = resolve(text, SymbolKind::Var, false);
    Type &type = known.types.emplace(KnownSymbol::as_variable, Int(32)).first->second;
    if (auto suffix = type_suffix()) {
        type = *suffix;
    }
    return checked(text.at, make_var(type, known.symbol));
}

Expr Parser::access(const Token &at, Symbol symbol, bool is_image) {
    std::vector<Expr> args = operands();
    const int32_t index = !is_image && accept(".") ? static_cast<int32_t>(integer("a position in a tuple")) : 0;
    int lanes = 1;
    for (const Expr &arg : args) {
        lanes = std::max(lanes, arg.type().lanes());
    }
    // As in the printer: the table knows the type only while the name still denotes this symbol.
    const KnownSymbol *known = names_.find(symbol.name());
    Type *element = known && known->symbol == symbol ? &names_.enter(symbol).types[index] : nullptr;
    const Type expected = element && !element->is_void() ? element->with_lanes(lanes) : Type();
    const Payload payload = is_image ? Payload(symbol) : Payload(Member{symbol, index, Field::Min});
    const Expr result = node(at, is_image ? ExprKind::Image : ExprKind::Call, std::move(args), payload, expected);
    if (element) {
        *element = result.type().element_of();
    }
    return result;
}

Expr Parser::load(const Token &at, Symbol symbol) {
    expect("[", "the buffer");
    const Expr index = expr();
    const int lanes = index.type().lanes();
    const Expr predicate = accept("where") ? expr() : make_bool(true, lanes);
    expect("]", "the index");
    const KnownSymbol *known = names_.find(symbol.name());
    Type *element = known && known->symbol == symbol ? &names_.enter(symbol).types[0] : nullptr;
    const Type expected = element && !element->is_void() ? element->with_lanes(lanes) : Type();
    const Expr result = node(at, ExprKind::Load, {index, predicate}, symbol, expected);
    if (element) {
        *element = result.type().element_of();
    }
    return result;
}

// ---- Keywords.

Type Parser::with_lanes(const Token &at, Type type, int64_t lanes) {
    if (lanes < 0 || lanes > 65535) { // 0 where a type that follows says how many
        fail(at, concat("a vector has 1 to 65535 lanes, not ", lanes));
    }
    return type.with_lanes(static_cast<int>(lanes));
}

Expr Parser::vector_shape(ExprKind kind) {
    const Token at = peek();
    expect("(", "the word");
    std::vector<Expr> args;
    do {
        args.push_back(expr());
        expect(",", "an operand");
    } while (kind == ExprKind::Ramp && args.size() < 2);
    const int64_t lanes = integer("a number of lanes");
    expect(")", "the lanes");
    const Type base = args[0].type();
    return node(at, kind, std::move(args), {}, with_lanes(at, base, base.lanes() * lanes));
}

Expr Parser::shuffle() {
    const Token at = peek();
    expect("<", "shuffle");
    Indices indices;
    while (!accept(">")) {
        if (!indices.empty()) {
            expect(",", "an index");
        }
        indices.push_back(static_cast<int32_t>(integer("a lane")));
    }
    return node(at, ExprKind::Shuffle, operands(), indices);
}

Expr Parser::vector_reduce() {
    const Token at = peek();
    expect("<", "vector_reduce");
    const auto op = parse_reduce_op(take_word("a reduction"));
    if (!op) {
        fail(at, "there is no such reduction");
    }
    expect(">", "the reduction");
    expect("(", "the reduction");
    const Expr value = expr();
    expect(",", "the value");
    const int64_t lanes = integer("a number of lanes");
    expect(")", "the lanes");
    return node(at, ExprKind::VectorReduce, {value}, *op, with_lanes(at, value.type(), lanes));
}

Expr Parser::by_word() {
    const Token at = peek();
    if (at.text == "inf" || at.text == "nan") {
        return literal(false);
    }
    at_++;
    if (at.text == "true" || at.text == "false") {
        return make_bool(at.text == "true");
    }
    if (const auto math = parse_math(at.text)) {
        std::vector<Expr> args = operands();
        if (static_cast<int>(args.size()) != math_arity(*math)) {
            fail(at, concat("'", at.text, "' does not take ", args.size(), " operands"));
        }
        return node(at, ExprKind::Math, std::move(args), *math);
    }
    if (at.text == "as_call" || at.text == "as_image") {
        return access(at, use(SymbolKind::Func).symbol, at.text == "as_image");
    }
    const auto kind = parse_kind(at.text);
    if (!kind || *kind == ExprKind::Let) {
        fail(at, concat("'", at.text, "' is a word of the language; as a name it must stand in single quotes"));
    }
    switch (*kind) {
    case ExprKind::Cast:
    case ExprKind::SaturatingCast:
    case ExprKind::Reinterpret: {
        expect("<", "the cast");
        const Type to = type();
        expect(">", "the type");
        return node(at, *kind, operands(), {}, to);
    }
    case ExprKind::Ramp:
    case ExprKind::Broadcast:
        return vector_shape(*kind);
    case ExprKind::Shuffle:
        return shuffle();
    case ExprKind::VectorReduce:
        return vector_reduce();
    case ExprKind::Extern: {
        const std::string name = take_name("the name of a function");
        return node(at, *kind, operands(), name);
    }
    case ExprKind::Undef:
        return node(at, *kind, {});
    default: // kinds whose text is the word and the operands
        return node(at, *kind, operands());
    }
}

} // namespace fluorite::ir
