#pragma once
// Tokens of the IR text form, with their positions. Internal to parse*.cpp.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fluorite::ir {

enum class TokenKind : uint8_t { Word, QuotedName, Number, Text, Punctuation, End };

struct Token {
    TokenKind kind = TokenKind::End;
    std::string text; // without quotes, escapes replaced
    int line = 1, column = 1;
};

/// Throws CompileError [bad-ir-text] where no token can be read. The last token is End.
std::vector<Token> split_tokens(std::string_view text, const std::string &file);

/// Throws CompileError [bad-ir-text] with `file:line:column: message`.
[[noreturn]] void fail_parse(const std::string &file, const Token &at, const std::string &message);

} // namespace fluorite::ir
