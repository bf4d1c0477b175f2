// Parsing tokens, symbols and types, and the entry points. print.h defines the syntax, text_names.h the meaning of
// names.
//
// A recursive descent over a vector of tokens. The parser maintains the same table of names as the printer did, in the
// same order, so that it can supply what the printer omitted.

#include "ir/parser.h"

#include <charconv>

namespace fluorite::ir {

Parser::Parser(std::string_view text, const ParseOptions &options)
    : options_(options), tokens_(split_tokens(text, options_.file)) {}

// ---- Tokens.

bool Parser::is(std::string_view text, size_t ahead) const {
    const Token &token = peek(ahead);
    return (token.kind == TokenKind::Word || token.kind == TokenKind::Punctuation) && token.text == text;
}

bool Parser::accept(std::string_view text) {
    if (!is(text)) {
        return false;
    }
    at_++;
    return true;
}

std::string Parser::seen() const {
    if (peek().kind == TokenKind::End) {
        return "the text ends";
    }
    if (is("...")) {
        return "'...' stands for what the printer left out";
    }
    return "'" + peek().text + "' stands";
}

void Parser::expect(std::string_view text, const char *where) {
    if (!accept(text)) {
        fail(concat(seen(), " where '", text, "' must follow ", where));
    }
}

std::string Parser::take_word(const char *what) {
    if (peek().kind != TokenKind::Word) {
        fail(concat(seen(), " where ", what, " is expected"));
    }
    return tokens_[at_++].text;
}

std::string Parser::take_name(const char *what) {
    if (peek().kind == TokenKind::QuotedName) {
        return tokens_[at_++].text;
    }
    if (peek().kind == TokenKind::Word && is_reserved(peek().text)) {
        fail(concat("'", peek().text, "' is a word of the language; as a name it must stand in single quotes"));
    }
    return take_word(what);
}

std::string Parser::quoted_text(const char *what) {
    if (peek().kind != TokenKind::Text) {
        fail(concat(seen(), " where ", what, " in quotes is expected"));
    }
    return tokens_[at_++].text;
}

int64_t Parser::integer(const char *what) {
    const bool negative = accept("-");
    const std::string text = peek().kind == TokenKind::Number ? tokens_[at_].text : "";
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || value > INT32_MAX) {
        fail(concat(seen(), " where ", what, " is expected"));
    }
    at_++;
    return negative ? -value : value;
}

Type Parser::type() {
    const Token at = peek();
    const auto found = parse_type_word(take_word("a type"));
    if (!found) {
        fail(at, concat("'", at.text, "' is no type"));
    }
    return *found;
}

std::optional<Type> Parser::type_suffix() { return accept(":") ? std::optional(type()) : std::nullopt; }

// ---- Symbols.

SymbolOwner Parser::owner() {
    SymbolOwner owner;
    while (!accept("}")) {
        const Token at = peek();
        const std::string word = take_word("a field of an owner");
        if (word == "max") {
            owner.side = Side::Max;
            continue;
        }
        static const std::string letters = "fsdil";
        int32_t *const fields[] = {&owner.func.value, &owner.stage, &owner.dim.value, &owner.input.value, &owner.level};
        const size_t field = letters.find(word[0]);
        int32_t value = 0;
        const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), value);
        if (field == std::string::npos || error != std::errc() || end != word.data() + word.size()) {
            fail(at, concat("'", word, "' is no field of an owner (f, s, d, i or l and a number, or max)"));
        }
        *fields[field] = value;
    }
    return owner;
}

Parser::SymbolText Parser::symbol_text() {
    SymbolText text;
    text.at = peek();
    text.name = take_name("a name");
    if (!accept("@")) {
        return text;
    }
    text.introduces = true;
    if (peek().kind == TokenKind::Word) {
        text.kind = parse_symbol_kind(peek().text);
        if (!text.kind) {
            fail(concat("'", peek().text, "' is no kind of symbol"));
        }
        at_++;
    }
    if (accept("{")) {
        text.owner = owner();
    }
    return text;
}

Symbol Parser::find_given(const std::string &name, SymbolKind kind, const SymbolOwner &owner, bool any_kind) const {
    for (const Symbol &symbol : options_.symbols) {
        if (symbol.name() == name && (any_kind || (symbol.kind() == kind && symbol.owner() == owner))) {
            return symbol;
        }
    }
    return {};
}

KnownSymbol &Parser::resolve(const SymbolText &text, SymbolKind expected, bool is_binder) {
    if (!text.introduces) {
        KnownSymbol *known = names_.find(text.name);
        if (known && (!is_binder || known->symbol.kind() == expected)) {
            return *known;
        }
    }
    const SymbolKind kind = text.kind.value_or(expected);
    Symbol symbol = find_given(text.name, kind, text.owner, false);
    if (!symbol.defined() && !text.introduces && !is_binder) {
        symbol = find_given(text.name, kind, text.owner, true);
    }
    return names_.enter(symbol.defined() ? symbol : Symbol(kind, text.name, text.owner));
}

// ---- Entry points.

Expr Parser::whole_expr() {
    Expr result = expr();
    if (peek().kind != TokenKind::End) {
        fail(concat(seen(), " after the end of the expression"));
    }
    return result;
}

Expr parse_expr(std::string_view text, const ParseOptions &options) { return Parser(text, options).whole_expr(); }
Stmt parse_stmt(std::string_view text, const ParseOptions &options) { return Parser(text, options).whole_stmt(); }
LoweredFunc parse_lowered(std::string_view text, const ParseOptions &options) {
    return Parser(text, options).whole_lowered();
}
LoweredModule parse_module(std::string_view text, const ParseOptions &options) {
    return Parser(text, options).whole_module();
}
Graph parse_graph(std::string_view text, const ParseOptions &options) { return Parser(text, options).whole_graph(); }

} // namespace fluorite::ir
