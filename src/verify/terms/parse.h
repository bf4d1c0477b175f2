#pragma once
// Texts to terms: what docs/certificates.md describes, as far as terms of this module have it. Total on bad input:
// errors have a line and a column.

#include "verify/witnesses/prover.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace fluorite::verify {

/// A word, or a list of expressions.
struct Expression {
    std::string word; // empty for lists
    std::vector<Expression> items;
    int line = 1, column = 1;
    bool is_word() const { return !word.empty(); }
    bool is_list(const std::string &head) const { return !items.empty() && items[0].word == head; }
};

class ParseError : public std::runtime_error {
  public:
    ParseError(int line, int column, const std::string &reason)
        : std::runtime_error(std::to_string(line) + ":" + std::to_string(column) + ": " + reason), line(line) {}
    int line;
};

/// The expressions of a text. Throws ParseError, also for text that is nested deeper than `deepest`.
std::vector<Expression> parse_expressions(const std::string &text, int first_line = 1, int deepest = 1000);
std::string to_text(const Expression &expression);
Index to_index(const Expression &expression);
Condition to_condition(const Expression &expression);
Term to_term(const Expression &expression);
Index parse_index(const std::string &text);
Condition parse_condition(const std::string &text);
Term parse_term(const std::string &text);

/// The word, if it is a name as terms have them. Throws ParseError.
const std::string &name_of(const Expression &expression);

} // namespace fluorite::verify
