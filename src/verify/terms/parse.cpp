#include "verify/terms/parse.h"

#include <cctype>
#include <charconv>
#include <map>

namespace fluorite::verify {

static bool is_word_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string("_.$+-*/%<=").find(c) != std::string::npos;
}

std::vector<Expression> parse_expressions(const std::string &text, int first_line, int deepest) {
    std::vector<std::vector<Expression>> open(1);
    std::vector<std::pair<int, int>> positions;
    int line = first_line, column = 0;
    for (size_t at = 0; at < text.size(); at++) {
        char c = text[at];
        column++;
        if (c == '\n') {
            line++;
            column = 0;
        } else if (c == ';') {
            while (at + 1 < text.size() && text[at + 1] != '\n') {
                at++;
            }
        } else if (c == '(') {
            if (int(open.size()) > deepest) {
                throw ParseError(line, column, "parentheses are nested more than " + std::to_string(deepest) + " deep");
            }
            open.emplace_back();
            positions.emplace_back(line, column);
        } else if (c == ')') {
            if (positions.empty()) {
                throw ParseError(line, column, "this parenthesis closes none");
            }
            Expression list{"", std::move(open.back()), positions.back().first, positions.back().second};
            open.pop_back();
            positions.pop_back();
            open.back().push_back(std::move(list));
        } else if (is_word_character(c)) {
            Expression word{std::string(1, c), {}, line, column};
            while (at + 1 < text.size() && is_word_character(text[at + 1])) {
                word.word += text[++at];
                column++;
            }
            open.back().push_back(std::move(word));
        } else if (!std::isspace(static_cast<unsigned char>(c))) {
            throw ParseError(line, column, "a character that occurs in no term");
        }
    }
    if (!positions.empty()) {
        throw ParseError(positions.back().first, positions.back().second,
                         "the text ends before this parenthesis is closed");
    }
    return std::move(open[0]);
}

std::string to_text(const Expression &expression) {
    if (expression.is_word()) {
        return expression.word;
    }
    std::string text = "(";
    for (size_t i = 0; i < expression.items.size(); i++) {
        text += (i > 0 ? " " : "") + to_text(expression.items[i]);
    }
    return text + ")";
}

[[noreturn]] static void fail(const Expression &e, const std::string &what) {
    throw ParseError(e.line, e.column,
                     what + " is expected here, not " +
                         (e.is_word()                                ? "'" + e.word + "'"
                          : !e.items.empty() && e.items[0].is_word() ? "'(" + e.items[0].word + " ...)'"
                                                                     : "a list"));
}
static bool is_name(const std::string &word) {
    return !word.empty() && (std::isalpha(static_cast<unsigned char>(word[0])) || word[0] == '_');
}
const std::string &name_of(const Expression &e) {
    if (!is_name(e.word)) {
        fail(e, "a name");
    }
    return e.word;
}
static bool to_number(const std::string &word, int64_t &value) {
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size();
}

Index to_index(const Expression &e) {
    static const std::map<std::string, Index::Kind> kinds = {
        {"+", Index::Kind::Add}, {"-", Index::Kind::Sub},   {"*", Index::Kind::Mul},  {"/", Index::Kind::Div},
        {"%", Index::Kind::Mod}, {"min", Index::Kind::Min}, {"max", Index::Kind::Max}};
    int64_t value;
    if (e.is_word() && to_number(e.word, value)) {
        return value;
    }
    if (is_name(e.word)) {
        return Index(e.word);
    }
    auto kind = e.items.size() == 3 ? kinds.find(e.items[0].word) : kinds.end();
    if (kind == kinds.end()) {
        fail(e, "an index expression of at most 63 bits");
    }
    return Index::binary(kind->second, to_index(e.items[1]), to_index(e.items[2]));
}

Condition to_condition(const Expression &e) {
    if (e.word == "true") {
        return {};
    }
    if (e.items.size() == 3) {
        const std::string &head = e.items[0].word;
        if (head == "<=" || head == "<" || head == "=") {
            Index a = to_index(e.items[1]), b = to_index(e.items[2]);
            return head == "<=" ? le(a, b) : head == "<" ? lt(a, b) : eq(a, b);
        }
        if (head == "and" || head == "or") {
            Condition p = to_condition(e.items[1]), q = to_condition(e.items[2]);
            return head == "and" ? both(p, q) : Condition{Condition::Kind::Or, {}, {p, q}};
        }
    }
    if (e.items.size() == 2 && e.items[0].word == "not") {
        return negation(to_condition(e.items[1]));
    }
    fail(e, "a condition");
}

static std::vector<Loop> to_loops(const Expression &e) {
    std::vector<Loop> loops;
    for (const Expression &item : e.items) {
        if (item.items.size() != 2) {
            fail(item, "a loop, which is a name and its extent,");
        }
        loops.emplace_back(name_of(item.items[0]), to_index(item.items[1]));
    }
    return loops;
}

Term to_term(const Expression &e) {
    int64_t value;
    if (e.is_word()) {
        return to_number(e.word, value) ? Term::number(value) : Term::var(name_of(e));
    }
    if (e.items.empty() || !e.items[0].is_word()) {
        fail(e, "a program");
    }
    const std::string &head = e.items[0].word;
    size_t n = e.items.size() - 1;
    auto term = [&](size_t i) { return to_term(e.items[i]); };
    if (head == "unit" && n == 1) {
        return Term::unit(name_of(e.items[1]));
    }
    if (head == "gen" && n == 3) {
        return Term::gen(name_of(e.items[1]), to_index(e.items[2]), term(3));
    }
    if (head == "fold" && n == 4) {
        return Term::fold(name_of(e.items[1]), name_of(e.items[2]), to_index(e.items[3]), term(4));
    }
    if (head == "if" && n == 3) {
        return Term::select(to_condition(e.items[1]), term(2), term(3));
    }
    if (head == "let" && n == 3) {
        return Term::let(name_of(e.items[1]), term(2), term(3));
    }
    if (head == "get" && n >= 2) {
        Term result = term(1);
        for (size_t i = 2; i <= n; i++) {
            result = Term::get(result, to_index(e.items[i]));
        }
        return result;
    }
    if ((head == "op1" && n == 2) || (head == "op2" && n == 3) || (head == "op3" && n == 4)) {
        std::vector<Term> operands;
        for (size_t i = 2; i <= n; i++) {
            operands.push_back(term(i));
        }
        return Term::op(name_of(e.items[1]), std::move(operands));
    }
    if (head == "reindex" && n == 3) {
        std::vector<Index> from;
        for (const Expression &item : e.items[2].items) {
            from.push_back(to_index(item));
        }
        return Term::reindex(to_loops(e.items[1]), std::move(from), term(3));
    }
    if (head == "mark" && n == 2) {
        static const std::map<std::string, Term::Mark> marks = {
            {"parallel", Term::Mark::Parallel}, {"vector", Term::Mark::Vector}, {"unroll", Term::Mark::Unroll}};
        auto mark = marks.find(e.items[1].word);
        if (mark == marks.end()) {
            fail(e.items[1], "parallel, vector or unroll");
        }
        return Term::mark(mark->second, term(2));
    }
    if (head == "bind" && n == 3) {
        return Term::bind(name_of(e.items[1]), term(2), term(3));
    }
    if (head == "iter" && n == 5) {
        return Term::iter(name_of(e.items[1]), name_of(e.items[2]), to_index(e.items[3]), term(4), term(5));
    }
    fail(e, "a program");
}

template <typename Convert> static auto parse_one(const std::string &text, const Convert &convert) {
    std::vector<Expression> all = parse_expressions(text);
    if (all.size() != 1) {
        throw ParseError(1, 1, "one expression is expected here, not " + std::to_string(all.size()));
    }
    return convert(all[0]);
}
Index parse_index(const std::string &text) { return parse_one(text, to_index); }
Condition parse_condition(const std::string &text) { return parse_one(text, to_condition); }
Term parse_term(const std::string &text) { return parse_one(text, to_term); }

} // namespace fluorite::verify
