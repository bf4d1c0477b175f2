#pragma once
// Matches one row against one expression and builds the row's result.

#include "rewrite/fold.h"
#include "rewrite/rule_book.h"

#include <optional>

namespace fluorite::rewrite {

/// One attempt to apply a row. Structurally equal operands must be the same node.
class Match {
  public:
    Match(const Row &row, Arithmetic arithmetic, RuleHost &host)
        : row_(row), index_(arithmetic == Arithmetic::Index), host_(host) {}

    /// Binds the wildcards of a pattern (given by its position in the row's terms); checks types and the condition.
    bool matches(int pattern, const Expr &expr);
    /// The result under the bindings; undefined where a number does not fit or lane counts disagree.
    Expr result(Type type);

  private:
    bool bind(int term, const Expr &expr);
    bool bind_wild(const Term &term, const Expr &expr);
    bool bind_constant(const Term &term, const Expr &expr);
    bool bind_node(const Term &term, const Expr &expr);
    bool is_number(const Term &term, const Expr &expr) const;
    bool type_allowed() const;
    bool note_element(Type type);

    /// Evaluates over the integers with checks: nothing on overflow, for a missing bound, or on division by zero.
    std::optional<int64_t> evaluate(int term);
    std::optional<int64_t> evaluate_node(const Term &term);
    std::optional<int64_t> evaluate_function(const Term &term);
    Type type_named(int term) const;
    /// The value of a constant term in the rule's type, wrapped. In Index rows it must fit.
    std::optional<Scalar> constant(int term);
    Expr build(int term, Type expected);
    Expr build_node(const Term &term, Type expected);
    Expr build_constant(int term, Type type);
    Type result_type(const Term &term, std::span<const Expr> args, Type expected) const;

    const Row &row_;
    bool index_;
    RuleHost &host_;
    Type element_; // of the wildcards; void until known
    const Expr *wilds_[wild_count] = {};
    const Expr *flags_[flag_count] = {};
    std::optional<Scalar> constants_[constant_count];
    Type types_[type_count];
};

} // namespace fluorite::rewrite
