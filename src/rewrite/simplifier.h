#pragma once
// The engine behind simplify(): one object per call (or per statement), which holds the node table, the memo and the
// facts. Private to rewrite/; other modules use simplify.h.

#include "rewrite/linear.h"
#include "rewrite/rule_book.h"

#include <unordered_map>
#include <unordered_set>

namespace fluorite::rewrite {

class Simplifier final : public RuleHost {
  public:
    explicit Simplifier(const Facts &facts = {});

    Expr simplify(const Expr &expr, Arithmetic arithmetic);
    /// Constant bounds, in the given arithmetic, of an expression that simplify() returned.
    Interval bounds(const Expr &expr, Arithmetic arithmetic);
    /// Whether a Bool expression is proved. Searches harder than simplify does.
    bool prove(const Expr &condition);

    // Scoped facts, which hold for a subtree of a statement. Restoring a mark drops what was derived from later facts.
    struct Mark {
        size_t ranges, truths, replacements, forms;
    };
    Mark mark() const { return {range_log_.size(), truths_.size(), replacement_log_.size(), form_log_.size()}; }
    void forget_to(const Mark &mark);
    void learn_range(const ir::Symbol &symbol, const Interval &range);
    void learn_truth(const Expr &condition);
    /// From here on, replaces the variable by the (simplified) value.
    void replace(const ir::Symbol &symbol, const Expr &value);

    /// Records the value of a let in index arithmetic, so that divisions see its factors.
    void learn_form(const ir::Symbol &symbol, const Expr &value);

    // RuleHost
    Interval bounds(const Expr &expr) override { return bounds(expr, arithmetic_); }
    Expr make(ir::ExprKind kind, Type type, std::span<const Expr> args) override;

  private:
    // simplify.cpp: walking, tables, dispatch
    struct Key {
        const ir::ExprNode *node;
        Arithmetic arithmetic;
        bool operator==(const Key &) const = default;
    };
    struct KeyHash {
        size_t operator()(const Key &key) const {
            return std::hash<const void *>()(key.node) * 2 + static_cast<size_t>(key.arithmetic);
        }
    };
    struct SameNode {
        bool operator()(const Expr &a, const Expr &b) const;
    };
    struct Entry {
        Expr input, result; // keeping the input alive keeps its address unique
    };
    const Expr &intern(const Expr &expr);
    const Expr *find_result(const Expr &expr, Arithmetic arithmetic) const;
    void remember(const Expr &input, Arithmetic arithmetic, const Expr &result);
    static Arithmetic arithmetic_for(const Expr &expr, Arithmetic asked);
    static Arithmetic arithmetic_below(const ir::ExprNode &node, const Expr &arg, Arithmetic arithmetic);
    void walk(const Expr &root, Arithmetic arithmetic);
    void enter_let(const Expr &let, Arithmetic arithmetic);
    Expr leave(const Expr &expr, Arithmetic arithmetic);
    Expr leave_let(const Expr &expr, Arithmetic arithmetic);
    Expr leave_variable(const Expr &expr);
    Expr finish(const Expr &node);
    Expr rewrite_once(const Expr &node);
    Expr canonical_order(const Expr &node);
    Expr scale_ramp(const Expr &node);
    Expr lift_broadcast(const Expr &node);
    Expr apply_truths(const Expr &node);
    bool note_fragile(const Expr &node);
    bool is_index(Type type) const;

    // linear_rewrites.cpp: linear forms of index expressions
    Expr index_step(const Expr &node);
    Expr linear_sum(const Expr &node);
    Expr linear_compare(const Expr &node);
    Expr linear_minmax(const Expr &node);
    Expr build(const Linear &form, Type type);
    bool widen_vectorized_loops(Linear &form, Type type);
    bool combine_pair(Linear &form, Type type);
    bool try_scaled(Linear &form, size_t at, Type type);
    bool try_pair(Linear &form, size_t i, size_t j, Type type);
    bool cancel_minmax_pair(Linear &form, size_t i, size_t j);
    bool cancel_div_mod(Linear &form, size_t i, size_t j);
    bool absorb_term(Linear &form, size_t at, Type type);
    Expr rebuild_comparison(ir::ExprKind kind, const Linear &difference, Type type);

    // linear_division.cpp: linear forms divided by constants
    Expr linear_division(const Expr &node);
    Expr linear_div(const Expr &node, const Linear &form, int64_t divisor);
    Expr linear_mod(const Expr &node, const Linear &form, int64_t divisor);
    Expr divide_ramp(const Expr &node, int64_t divisor);
    std::optional<Linear> form_to_divide(const Expr &expr, int64_t divisor) const;

    // facts.cpp: intervals
    Interval compute_bounds(const Expr &expr, Arithmetic arithmetic, int depth);
    Interval operand_bounds(const Expr &expr, Arithmetic arithmetic, int depth);
    Interval operation_bounds(const Expr &expr, Arithmetic arithmetic, int depth);
    Interval bounds_of(const Linear &form, int splits);
    Interval split_bounds(const Linear &form, size_t at, int splits);
    Interval term_bounds(const Linear &form);
    // truths.cpp
    static bool is_exact(const Expr &operand);
    bool proves_not_positive(const Linear &form, int splits);
    bool proves_by_truths(const Linear &form, int splits);
    bool proves_with(const Linear &form, const Linear &truth, int splits);
    void learn_inequality(const Expr &left, const Expr &right, int64_t slack);
    void learn_one(const Expr &condition, bool value);

    Arithmetic arithmetic_ = Arithmetic::Index;
    int depth_ = 0;
    std::unordered_set<Expr, ir::ExprHash, SameNode> nodes_;
    std::unordered_set<const ir::ExprNode *> fragile_; // contain Undef, Require or Print; only as operands
    std::unordered_map<Key, Entry, KeyHash> results_;
    std::unordered_map<Key, Interval, KeyHash> bounds_;
    struct FreeSymbols {
        Expr let;
        std::unordered_set<ir::Symbol, ir::SymbolHash> symbols;
    } free_of_let_; // of the last Let that was made, so that many inside each other take linear time

    ir::SymbolMap<Interval> ranges_;
    std::vector<std::pair<ir::Symbol, std::optional<Interval>>> range_log_; // what to restore
    ir::SymbolMap<Expr> replacements_;
    std::vector<std::pair<ir::Symbol, Expr>> replacement_log_;
    ir::SymbolMap<Linear> forms_; // of lets whose form has a common factor
    std::vector<std::pair<ir::Symbol, std::optional<Linear>>> form_log_;
    struct Truth {
        Expr condition; // canonical; known to hold or known not to hold
        bool value = true;
        std::optional<Linear> not_positive; // a form that is <= 0
        Expr ranged;                        // a term and its bounds, where the form has one term
        Interval range;
    };
    std::vector<Truth> truths_;
    // Where the truths are, in ascending order, by condition, ranged term and terms of the form. The truths keep the
    // nodes alive.
    using Places = std::vector<size_t>;
    std::unordered_map<const ir::ExprNode *, Places> places_of_conditions_, places_of_ranged_;
    ir::ExprMap<Places> places_of_terms_;
    void add_truth(Truth truth);
    void remove_last_truth();
    /// Of the truths whose forms share a term with this one.
    Places truths_about(const Linear &form) const;
    ir::SymbolMap<Expr> let_values_; // of the Lets visited in this call
    int split_budget_ = 0;
};

} // namespace fluorite::rewrite
