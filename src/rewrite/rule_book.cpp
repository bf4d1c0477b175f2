// The rule book: reads the rows of rules/*.def and indexes them.
//
// Before: rows of text. After: for each kind of the root and of its first operand, the patterns that could match, in
// file order; a second mask rejects by the kind of the second operand. A pattern with commutative operators is entered
// once for each order of their operands, so matching itself never searches. Canonical order puts constants on the
// right, so an operator with a constant operand has one order only.
//
// Earlier rows win. The book is read once, on first use, in about a millisecond.

#include "rewrite/rule_book.h"

#include "rewrite/match.h"
#include "support/numeric.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace fluorite::rewrite {

using ir::ExprKind;

namespace {

constexpr size_t kind_count = 0
#define FLUORITE_EXPR(kind, ...) +1
#include "ir/expr_kinds.def"
#undef FLUORITE_EXPR
    ;
static_assert(kind_count <= 64, "operand kinds are kept in masks of 64 bits");

uint8_t parse_classes(const std::string &text) {
    constexpr std::pair<const char *, int> names[] = {
        {"signed", signed_class},
        {"unsigned", unsigned_class},
        {"int", signed_class | unsigned_class},
        {"bool", bool_class},
        {"float", float_class},
        {"any", signed_class | unsigned_class | bool_class | float_class},
        {"index", index_class},
        {"machine", machine_class},
        {"lemma", lemma_class},
        {"conversion", conversion_class},
    };
    std::istringstream words(text);
    int classes = 0;
    for (std::string word; words >> word;) {
        const auto *found =
            std::find_if(std::begin(names), std::end(names), [&](auto &name) { return word == name.first; });
        check(found != std::end(names), concat("unknown class of rules: ", word));
        classes |= found->second;
    }
    return static_cast<uint8_t>(classes);
}

bool is_number(const Term &term) { return term.kind != TermKind::Node && term.is_constant; }

/// All operand orders of the commutative nodes of a pattern, as roots of new trees in `terms`.
std::vector<int> orders_of(std::vector<Term> &terms, int root) {
    const Term term = terms[root];
    if (term.kind != TermKind::Node) {
        return {root};
    }
    std::vector<Term> partial{term};
    for (int i = 0; i < term.count; i++) {
        std::vector<Term> extended;
        for (int choice : orders_of(terms, term.args[i])) {
            for (Term &next : partial) {
                next.args[i] = static_cast<int16_t>(choice);
                extended.push_back(next);
            }
        }
        partial = std::move(extended);
    }
    std::vector<int> roots;
    const bool swaps = is_commutative(term.node) && !is_number(terms[term.args[1]]) && !is_number(terms[term.args[0]]);
    for (Term &next : partial) {
        terms.push_back(next);
        roots.push_back(static_cast<int>(terms.size()) - 1);
        if (swaps) {
            std::swap(next.args[0], next.args[1]);
            terms.push_back(next);
            roots.push_back(static_cast<int>(terms.size()) - 1);
        }
    }
    return roots;
}

uint64_t operand_mask(const Term &term) {
    constexpr uint64_t all = ~uint64_t{0};
    auto bit = [](ExprKind kind) { return uint64_t{1} << static_cast<int>(kind); };
    const uint64_t numbers =
        bit(ExprKind::IntImm) | bit(ExprKind::UIntImm) | bit(ExprKind::FloatImm) | bit(ExprKind::Broadcast);
    switch (term.kind) {
    case TermKind::Node:
        return bit(term.node);
    case TermKind::Wild:
    case TermKind::Flag:
        return all;
    default:
        return numbers;
    }
}

size_t slot_of(ExprKind root, ExprKind first) {
    return static_cast<size_t>(root) * kind_count + static_cast<size_t>(first);
}

} // namespace

std::string Row::text() const {
    return name + ": " + pattern_text + " -> " + result_text + (condition_text.empty() ? "" : " if " + condition_text) +
           " (" + classes_text + ")";
}

uint64_t Row::fingerprint() const { return hash_text(text()); }

RuleBook::RuleBook() : by_root_(kind_count * kind_count) {
#define RULE(name, pattern, result, condition, classes) add_row(#name, pattern, result, condition, classes);
#include "rewrite/rules/rules.def"
#undef RULE
    std::set<std::string> names;
    for (size_t i = 0; i < rows_.size(); i++) {
        check(names.insert(rows_[i].name).second, concat("two rules have the name ", rows_[i].name));
        if (!(rows_[i].classes & lemma_class)) {
            index_row(i);
        }
    }
}

void RuleBook::add_row(const char *name, const char *pattern, const char *result, const char *condition,
                       const char *classes) {
    Row row;
    row.name = name;
    row.pattern_text = pattern;
    row.result_text = result;
    row.condition_text = condition;
    row.classes_text = classes;
    row.pattern = parse_term(pattern, row.terms);
    row.result = parse_term(result, row.terms);
    row.condition = row.condition_text.empty() ? -1 : parse_condition(condition, row.terms);
    row.classes = parse_classes(classes);
    rows_.push_back(std::move(row));
}

void RuleBook::index_row(size_t number) {
    Row &row = rows_[number];
    std::set<std::string> seen;
    for (int root : orders_of(row.terms, row.pattern)) {
        if (!seen.insert(print_term(row.terms, root)).second) {
            continue;
        }
        const Term &term = row.terms[root];
        check(term.kind == TermKind::Node, concat("the pattern of rule ", row.name, " is not an operation"));
        Variant variant;
        variant.row = static_cast<uint16_t>(number);
        variant.pattern = static_cast<int16_t>(root);
        variant.first_operand = operand_mask(row.terms[term.args[0]]);
        variant.second_operand = term.count > 1 ? operand_mask(row.terms[term.args[1]]) : ~uint64_t{0};
        for (size_t first = 0; first < kind_count; first++) {
            if (variant.first_operand >> first & 1) {
                by_root_[slot_of(term.node, static_cast<ExprKind>(first))].push_back(variant);
            }
        }
    }
}

Expr RuleBook::apply(const Expr &expr, Arithmetic arithmetic, RuleHost &host, int *row) const {
    if (expr->arg_count() == 0) {
        return {};
    }
    const uint64_t second =
        expr->arg_count() > 1 ? uint64_t{1} << static_cast<int>(expr->arg(1)->kind()) : ~uint64_t{0};
    for (const Variant &variant : by_root_[slot_of(expr->kind(), expr->arg(0)->kind())]) {
        if ((variant.second_operand & second) == 0) {
            continue;
        }
        Match match(rows_[variant.row], arithmetic, host);
        if (match.matches(variant.pattern, expr)) {
            if (const Expr result = match.result(expr.type()); result.defined()) {
                if (row) {
                    *row = variant.row;
                }
                return result;
            }
        }
    }
    return {};
}

Expr RuleBook::apply_row(size_t number, const Expr &expr, Arithmetic arithmetic, RuleHost &host) const {
    if (expr->arg_count() == 0) {
        return {};
    }
    for (const Variant &variant : by_root_[slot_of(expr->kind(), expr->arg(0)->kind())]) {
        Match match(rows_[variant.row], arithmetic, host);
        if (variant.row == number && match.matches(variant.pattern, expr)) {
            return match.result(expr.type());
        }
    }
    return {};
}

const RuleBook &rule_book() {
    static const RuleBook book;
    return book;
}

} // namespace fluorite::rewrite
