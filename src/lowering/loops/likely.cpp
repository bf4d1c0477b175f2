// The likely operands of min, max and select.
//
// An expression is likely if it is a hint, or is computed by arithmetic from a likely operand (not through memory), or
// is a min, max or select that takes a likely operand. A min, max or select with exactly one likely operand takes it in
// the steady state:
//   max(min(likely(x), hi), lo)   the min becomes x where x <= hi; the max becomes the min where x >= lo
//   select(c, v, likely(w))       becomes w where !c
//   select(likely(c), v, w)       becomes v where c
//   likely(c), c Bool             becomes true where c
// The condition of an outer node is over the steady form of its operand (x, not the min), which the condition of the
// inner node ensures.
//
// Cost: linear in distinct nodes.

#include "lowering/loops/likely.h"

#include <unordered_map>

namespace fluorite::lowering {

using namespace ir;
using analysis::is_hint;

namespace {

class LikelyFinder {
  public:
    std::vector<LikelyNode> found;

    void find(const Expr &expr) {
        for_each_node(expr, [&](const Expr &node) { states_[node.get()] = examine(node); });
    }

  private:
    enum class Hint : uint8_t { None, Innermost, Strong };
    struct State {
        Hint hint = Hint::None;
        Expr steady; // the node, given that all hints hold
    };
    std::unordered_map<const ExprNode *, State> states_;

    const State &of(const Expr &operand) const { return states_.at(operand.get()); }

    void add(const Expr &node, const Expr &condition, bool is_negated, int operand, Hint hint) {
        found.push_back({node, condition, is_negated, operand, hint == Hint::Innermost});
    }

    static bool passes_hints_on(ExprKind kind) {
        switch (kind) {
        case ExprKind::Add:
        case ExprKind::Sub:
        case ExprKind::Mul:
        case ExprKind::Div:
        case ExprKind::Mod:
        case ExprKind::Cast:
        case ExprKind::Ramp:
        case ExprKind::Broadcast:
            return true;
        default: // kinds of which a likely operand does not make the result the likely one
            return false;
        }
    }

    State examine(const Expr &node) {
        const Expr steady = map_operands(node, [&](const Expr &operand) { return of(operand).steady; });
        if (is_hint(node)) {
            const Hint hint = node->kind() == ExprKind::Likely ? Hint::Strong : Hint::Innermost;
            if (node.type().is_bool()) {
                add(node, steady->arg(0), false, -1, hint);
                return {Hint::None, make_bool(true, node.type().lanes())};
            }
            return {hint, steady->arg(0)};
        }
        switch (node->kind()) {
        case ExprKind::Min:
        case ExprKind::Max:
            return examine_extreme(node, steady);
        case ExprKind::Select:
            return examine_select(node, steady);
        default: // kinds that choose no operand
            break;
        }
        Hint hint = Hint::None;
        if (passes_hints_on(node->kind())) {
            for (const Expr &operand : node->args()) {
                hint = std::max(hint, of(operand).hint);
            }
        }
        return {hint, steady};
    }

    State examine_extreme(const Expr &node, const Expr &steady) {
        const Hint a = of(node->arg(0)).hint;
        const Hint b = of(node->arg(1)).hint;
        if ((a == Hint::None) == (b == Hint::None)) {
            return {Hint::None, steady};
        }
        const int chosen = a != Hint::None ? 0 : 1;
        const Expr taken = steady->arg(static_cast<size_t>(chosen));
        const Expr other = steady->arg(static_cast<size_t>(1 - chosen));
        const bool is_min = node->kind() == ExprKind::Min;
        const Hint hint = std::max(a, b);
        add(node, make_binary(is_min ? ExprKind::LE : ExprKind::GE, taken, other), false, chosen, hint);
        return {hint, taken};
    }

    State examine_select(const Expr &node, const Expr &steady) {
        // A likely condition has been recorded already, and is true in the steady form.
        if (is_true(steady->arg(0)) && is_hint(node->arg(0))) {
            return {of(node->arg(1)).hint, steady->arg(1)};
        }
        const Hint yes = of(node->arg(1)).hint;
        const Hint no = of(node->arg(2)).hint;
        if ((yes == Hint::None) == (no == Hint::None)) {
            return {Hint::None, steady};
        }
        const int chosen = yes != Hint::None ? 1 : 2;
        const Hint hint = std::max(yes, no);
        add(node, steady->arg(0), chosen == 2, chosen, hint);
        return {hint, steady->arg(static_cast<size_t>(chosen))};
    }
};

class HintStripper : public Mutator {
  public:
    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return strip_hints(expr); }
};

class HintedLetExpander : public Mutator {
  public:
    using Mutator::mutate;
    Expr mutate(const Expr &expr) override {
        bool has_let = false, has_hint = false;
        for_each_node(expr, [&](const Expr &node) {
            has_let = has_let || node->kind() == ExprKind::Let;
            has_hint = has_hint || is_hint(node);
        });
        return has_let && has_hint ? expand_lets(expr) : expr;
    }
};

} // namespace

std::vector<LikelyNode> find_likely_nodes(const Expr &expr) {
    LikelyFinder finder;
    finder.find(expr);
    return std::move(finder.found);
}

Stmt strip_hints(const Stmt &stmt) { return HintStripper().mutate(stmt); }

Stmt expand_hinted_lets(const Stmt &stmt) { return HintedLetExpander().mutate(stmt); }

} // namespace fluorite::lowering
