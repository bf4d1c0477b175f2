// The parser of the rules' notation: precedence climbing over a small tokenizer. It runs once, when the rule book is
// first used, over a few hundred short texts. Its errors are mistakes in the rule files, and they quote the text.

#include "rewrite/pattern.h"

#include "support/check.h"

#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

namespace fluorite::rewrite {

using ir::ExprKind;

namespace {

struct Operator {
    const char *text;
    int precedence;
    ExprKind kind;
};

// Longer operators come first, so that <= is not read as <.
constexpr Operator operators[] = {
    {"||", 1, ExprKind::Or},    {"&&", 2, ExprKind::And},       {"==", 6, ExprKind::EQ},
    {"!=", 6, ExprKind::NE},    {"<<", 8, ExprKind::ShiftLeft}, {">>", 8, ExprKind::ShiftRight},
    {"<=", 7, ExprKind::LE},    {">=", 7, ExprKind::GE},        {"<", 7, ExprKind::LT},
    {">", 7, ExprKind::GT},     {"|", 3, ExprKind::BitOr},      {"^", 4, ExprKind::BitXor},
    {"&", 5, ExprKind::BitAnd}, {"+", 9, ExprKind::Add},        {"-", 9, ExprKind::Sub},
    {"*", 10, ExprKind::Mul},   {"/", 10, ExprKind::Div},       {"%", 10, ExprKind::Mod},
};

struct NodeName {
    const char *text;
    int arity;
    ExprKind kind;
};

constexpr NodeName node_names[] = {
    {"min", 2, ExprKind::Min},
    {"max", 2, ExprKind::Max},
    {"select", 3, ExprKind::Select},
    {"abs", 1, ExprKind::Abs},
    {"absd", 2, ExprKind::AbsDiff},
    {"quot", 2, ExprKind::Quotient},
    {"rem", 2, ExprKind::Remainder},
    {"ramp", 2, ExprKind::Ramp},
    {"broadcast", 1, ExprKind::Broadcast},
    {"likely", 1, ExprKind::Likely},
    {"likely_if_innermost", 1, ExprKind::LikelyIfInnermost},
    {"popcount", 1, ExprKind::CountOnes},
    {"fma", 3, ExprKind::Fma},
    {"cast", 2, ExprKind::Cast},
    {"saturating_cast", 2, ExprKind::SaturatingCast},
    {"reinterpret", 2, ExprKind::Reinterpret},
};

struct FunctionName {
    const char *text;
    int arity;
    RuleFunction function;
};

constexpr FunctionName function_names[] = {
    {"lo", 1, RuleFunction::Lo},
    {"hi", 1, RuleFunction::Hi},
    {"bits", 0, RuleFunction::Bits},
    {"pow2", 1, RuleFunction::Pow2},
    {"is_pow2", 1, RuleFunction::IsPow2},
    {"gcd", 2, RuleFunction::Gcd},
    {"bits_of", 1, RuleFunction::BitsOf},
    {"is_signed", 1, RuleFunction::IsSigned},
    {"is_int", 1, RuleFunction::IsInt},
    {"is_float", 1, RuleFunction::IsFloat},
    {"represents", 2, RuleFunction::Represents},
    {"same", 2, RuleFunction::Same},
};

class Parser {
  public:
    Parser(const std::string &text, std::vector<Term> &terms) : text_(text), terms_(terms) {}

    int parse() {
        const int root = binary(1);
        skip_space();
        if (at_ != text_.size()) {
            fail("an operator was expected");
        }
        return root;
    }

  private:
    [[noreturn]] void fail(const char *what) {
        internal_error(concat("rule text '", text_, "' at ", at_, ": ", what), Location::current());
    }

    void skip_space() {
        while (at_ < text_.size() && text_[at_] == ' ') {
            at_++;
        }
    }

    bool take(std::string_view token) {
        skip_space();
        if (std::string_view(text_).substr(at_, token.size()) != token) {
            return false;
        }
        at_ += token.size();
        return true;
    }

    int append(Term term) {
        switch (term.kind) {
        case TermKind::Wild:
        case TermKind::Flag:
            break;
        case TermKind::Node:
            term.is_constant = true;
            for (int i = 0; i < term.count; i++) {
                term.is_constant = term.is_constant && terms_[term.args[i]].is_constant;
            }
            break;
        default:
            term.is_constant = true;
        }
        terms_.push_back(term);
        return static_cast<int>(terms_.size()) - 1;
    }

    int make_node(ExprKind kind, std::initializer_list<int> args) {
        Term term;
        term.kind = TermKind::Node;
        term.node = kind;
        for (int arg : args) {
            term.args[term.count++] = static_cast<int16_t>(arg);
        }
        return append(term);
    }

    std::optional<Operator> take_operator(int least) {
        for (const Operator &candidate : operators) {
            const size_t before = at_;
            if (take(candidate.text)) {
                if (candidate.precedence >= least) {
                    return candidate;
                }
                at_ = before;
                return std::nullopt;
            }
        }
        return std::nullopt;
    }

    int binary(int least) {
        int left = unary();
        while (const std::optional<Operator> found = take_operator(least)) {
            left = make_node(found->kind, {left, binary(found->precedence + 1)});
        }
        return left;
    }

    int unary() {
        if (take("!")) {
            return make_node(ExprKind::Not, {unary()});
        }
        if (take("~")) {
            return make_node(ExprKind::BitNot, {unary()});
        }
        if (take("-0.0")) {
            Term term;
            term.kind = TermKind::NegativeZero;
            return append(term);
        }
        if (take("-")) {
            const int operand = unary();
            if (terms_[operand].kind == TermKind::Number) {
                terms_[operand].number = -terms_[operand].number;
                return operand;
            }
            return make_node(ExprKind::Sub, {append(Term()), operand});
        }
        if (take("(")) {
            const int inside = binary(1);
            expect(")");
            return inside;
        }
        skip_space();
        if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) {
            return number();
        }
        return named(word());
    }

    void expect(const char *token) {
        if (!take(token)) {
            fail(token);
        }
    }

    int number() {
        Term term;
        while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) {
            term.number = term.number * 10 + (text_[at_++] - '0');
        }
        return append(term);
    }

    std::string word() {
        const size_t start = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) {
            at_++;
        }
        return text_.substr(start, at_ - start);
    }

    int leaf(TermKind kind, size_t index, int64_t number = 0) {
        Term term;
        term.kind = kind;
        term.index = static_cast<uint8_t>(index);
        term.number = number;
        return append(term);
    }

    int named(const std::string &name) {
        constexpr std::string_view wilds = "xyzwuv", flags = "pqr";
        if (name.size() == 1 && wilds.find(name) != std::string_view::npos) {
            return leaf(TermKind::Wild, wilds.find(name));
        }
        if (name.size() == 1 && flags.find(name) != std::string_view::npos) {
            return leaf(TermKind::Flag, flags.find(name));
        }
        if (name.size() == 2 && name[0] == 'c' && name[1] >= '0' && name[1] < '0' + constant_count) {
            return leaf(TermKind::Constant, static_cast<size_t>(name[1] - '0'));
        }
        if (name.size() == 2 && name[0] == 't' && name[1] >= '0' && name[1] < '0' + type_count) {
            return leaf(TermKind::TypeName, static_cast<size_t>(name[1] - '0'));
        }
        if (name.size() == 2 && name[0] == 't' && wilds.find(name[1]) != std::string_view::npos) {
            return leaf(TermKind::TypeName, type_count + wilds.find(name[1]));
        }
        if (name == "true" || name == "false") {
            return leaf(TermKind::Truth, 0, name == "true");
        }
        if (name == "tmin" || name == "tmax") {
            return leaf(name == "tmin" ? TermKind::TypeMin : TermKind::TypeMax, 0);
        }
        return application(name);
    }

    int application(const std::string &name) {
        for (const NodeName &candidate : node_names) {
            if (name == candidate.text) {
                return node_application(candidate);
            }
        }
        for (const FunctionName &candidate : function_names) {
            if (name == candidate.text) {
                Term term;
                term.kind = TermKind::Function;
                term.function = candidate.function;
                arguments(term, candidate.arity);
                return append(term);
            }
        }
        fail(("unknown name: " + name).c_str());
    }

    int node_application(const NodeName &name) {
        Term term;
        term.kind = TermKind::Node;
        term.node = name.kind;
        arguments(term, name.arity);
        if (is_conversion(name.kind)) {
            term.index = terms_[term.args[0]].index;
            term.args[0] = term.args[1];
            term.args[1] = -1;
            term.count = 1;
        }
        return append(term);
    }

    void arguments(Term &term, int arity) {
        for (int i = 0; i < arity; i++) {
            expect(i == 0 ? "(" : ",");
            term.args[i] = static_cast<int16_t>(binary(1));
        }
        if (arity > 0) {
            expect(")");
        }
        term.count = static_cast<uint8_t>(arity);
    }

    const std::string &text_;
    std::vector<Term> &terms_;
    size_t at_ = 0;
};

std::string type_name(int index) {
    return index < type_count ? "t" + std::to_string(index) : std::string("t") + "xyzwuv"[index - type_count];
}

std::string print_arguments(const std::vector<Term> &terms, const Term &term, std::string text) {
    for (int i = 0; i < term.count; i++) {
        text += (i == 0 && text.back() == '(' ? "" : ", ") + print_term(terms, term.args[i]);
    }
    return text + ")";
}

} // namespace

bool is_commutative(ExprKind kind) {
    switch (kind) {
    case ExprKind::Add:
    case ExprKind::Mul:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::AbsDiff:
    case ExprKind::EQ:
    case ExprKind::NE:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
        return true;
    default: // operands of a kind that is not listed are never exchanged, which is always correct
        return false;
    }
}

int parse_term(const std::string &text, std::vector<Term> &terms) { return Parser(text, terms).parse(); }

int parse_condition(const std::string &text, std::vector<Term> &terms) {
    static const std::set<ExprKind> known = {ExprKind::Add, ExprKind::Sub, ExprKind::Mul, ExprKind::Div,
                                             ExprKind::Mod, ExprKind::Min, ExprKind::Max, ExprKind::EQ,
                                             ExprKind::NE,  ExprKind::LT,  ExprKind::LE,  ExprKind::GT,
                                             ExprKind::GE,  ExprKind::And, ExprKind::Or,  ExprKind::Not};
    const size_t begin = terms.size();
    const int root = parse_term(text, terms);
    for (size_t i = begin; i < terms.size(); i++) {
        check(terms[i].kind != TermKind::Node || known.contains(terms[i].node),
              concat("the condition ", text, " uses ", ir::kind_name(terms[i].node),
                     "; conditions are over the integers, of + - * / % min max, comparisons, && || !"));
    }
    return root;
}

std::string print_term(const std::vector<Term> &terms, int root) {
    const Term &term = terms[root];
    switch (term.kind) {
    case TermKind::Wild:
        return std::string(1, "xyzwuv"[term.index]);
    case TermKind::Flag:
        return std::string(1, "pqr"[term.index]);
    case TermKind::Constant:
        return "c" + std::to_string(term.index);
    case TermKind::Number:
        return std::to_string(term.number);
    case TermKind::NegativeZero:
        return "-0.0";
    case TermKind::Truth:
        return term.number ? "true" : "false";
    case TermKind::TypeMin:
        return "tmin";
    case TermKind::TypeMax:
        return "tmax";
    case TermKind::TypeName:
        return type_name(term.index);
    case TermKind::Function:
        for (const FunctionName &name : function_names) {
            if (name.function == term.function) {
                return name.arity == 0 ? name.text : print_arguments(terms, term, std::string(name.text) + "(");
            }
        }
        break;
    case TermKind::Node:
        break;
    }
    for (const Operator &op : operators) {
        if (op.kind == term.node) {
            return "(" + print_term(terms, term.args[0]) + " " + op.text + " " + print_term(terms, term.args[1]) + ")";
        }
    }
    if (term.node == ExprKind::Not || term.node == ExprKind::BitNot) {
        return (term.node == ExprKind::Not ? "!" : "~") + print_term(terms, term.args[0]);
    }
    const std::string name = ir::kind_name(term.node);
    return print_arguments(terms, term, name + "(" + (is_conversion(term.node) ? type_name(term.index) : ""));
}

} // namespace fluorite::rewrite
