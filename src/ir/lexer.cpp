// Splits IR text into tokens. White space only separates tokens; comments run from // to the end of the line. The
// longest operator wins: `<=` before `<`.

#include "ir/lexer.h"

#include "ir/text_names.h"
#include "support/check.h"

#include <array>
#include <charconv>

namespace fluorite::ir {

void fail_parse(const std::string &file, const Token &at, const std::string &message) {
    throw CompileError("bad-ir-text", concat(file, ":", at.line, ":", at.column, ": ", message));
}

namespace {

constexpr std::array operators{"...", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
constexpr std::string_view single_operators = "+-*/%<>=!~&|^(){}[],:;.@";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
  public:
    Lexer(std::string_view text, const std::string &file) : text_(text), file_(file) {}

    std::vector<Token> run() {
        std::vector<Token> tokens;
        for (skip_space(); at_ < text_.size(); skip_space()) {
            tokens.push_back(next());
        }
        tokens.push_back(start(TokenKind::End));
        return tokens;
    }

  private:
    char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    Token start(TokenKind kind) const {
        Token token;
        token.kind = kind;
        token.line = line_;
        token.column = static_cast<int>(at_ - line_start_) + 1;
        return token;
    }

    void skip_space() {
        while (at_ < text_.size()) {
            if (text_[at_] == '\n') {
                line_++;
                line_start_ = ++at_;
            } else if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r') {
                at_++;
            } else if (peek() == '/' && peek(1) == '/') {
                while (at_ < text_.size() && text_[at_] != '\n') {
                    at_++;
                }
            } else {
                return;
            }
        }
    }

    Token next() {
        const char c = peek();
        if (is_name_start(c)) {
            return take_while(TokenKind::Word, is_name_part);
        }
        if (is_digit(c)) {
            return number();
        }
        if (c == '"' || c == '\'') {
            return quoted(c);
        }
        return punctuation();
    }

    template <typename Part> Token take_while(TokenKind kind, const Part &part) {
        Token token = start(kind);
        while (at_ < text_.size() && part(text_[at_])) {
            token.text += text_[at_++];
        }
        return token;
    }

    Token number() {
        if (peek() == '0' && peek(1) == 'x') {
            return take_while(TokenKind::Number, [](char c) {
                return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == 'x';
            });
        }
        Token token = take_while(TokenKind::Number, is_digit);
        if (peek() == '.' && is_digit(peek(1))) {
            token.text += text_[at_++];
            token.text += take_while(TokenKind::Number, is_digit).text;
        }
        const size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
        if (peek() == 'e' && is_digit(peek(1 + sign))) {
            token.text += text_.substr(at_, 1 + sign);
            at_ += 1 + sign;
            token.text += take_while(TokenKind::Number, is_digit).text;
        }
        return token;
    }

    Token quoted(char quote) {
        Token token = start(quote == '"' ? TokenKind::Text : TokenKind::QuotedName);
        at_++;
        while (peek() != quote) {
            if (at_ >= text_.size() || peek() == '\n') {
                fail_parse(file_, token, "the text is not closed on its line");
            }
            token.text += peek() == '\\' ? escape(token) : text_[at_++];
        }
        at_++;
        return token;
    }

    char escape(const Token &token) {
        const char c = peek(1);
        at_ += 2;
        switch (c) {
        case 'n':
            return '\n';
        case 't':
            return '\t';
        case '\\':
        case '"':
        case '\'':
            return c;
        case 'x': {
            unsigned value = 0;
            const char *digits = text_.data() + at_;
            const char *end = digits + std::min<size_t>(2, text_.size() - std::min(at_, text_.size()));
            if (std::from_chars(digits, end, value, 16).ptr == digits + 2) {
                at_ += 2;
                return static_cast<char>(value);
            }
            break;
        }
        default:
            break;
        }
        fail_parse(file_, token, "the text has an unknown escape after a backslash");
    }

    Token punctuation() {
        Token token = start(TokenKind::Punctuation);
        for (const char *each : operators) {
            if (text_.substr(at_).starts_with(each)) {
                token.text = each;
                at_ += token.text.size();
                return token;
            }
        }
        token.text = text_[at_];
        if (single_operators.find(text_[at_]) == std::string_view::npos) {
            fail_parse(file_, token, "the character '" + token.text + "' has no meaning here");
        }
        at_++;
        return token;
    }

    std::string_view text_;
    const std::string &file_;
    size_t at_ = 0, line_start_ = 0;
    int line_ = 1;
};

} // namespace

std::vector<Token> split_tokens(std::string_view text, const std::string &file) { return Lexer(text, file).run(); }

} // namespace fluorite::ir
