// Reverse mode on one expression: nodes in reverse order of evaluation, each adding to the adjoints of its operands.
//
//   z = x * sin(x)       adjoint of z: v        -->   adjoint of x: v * sin(x) + v * x * cos(x)
//
// An adjoint that passes a select is select(c, v, 0). Each further operation is linear in v, and is applied inside:
// select(c, v * p, 0). So a branch that is not taken gives 0 even where its derivative p is infinite or a NaN, as in
// select(x > 0, sqrt(x), 0) at 0. Nested guards are joined by and.
//
// The adjoint of a read is the sum over its occurrences, in reverse order of evaluation. Integers, Bools and casts to
// them have no derivative: they are constant wherever a derivative exists. Bits that are reinterpreted count likewise.
//
// Relies on: the operands of a node are nodes before it (ir::for_each_node). Cost: linear in distinct nodes.

#include "language/derivative/local_adjoints.h"

#include "fluorite/ops.h"
#include "ir/expr_cases.h"
#include "ir/operations.h"
#include "language/derivative/math_partials.h"
#include "language/function.h"
#include "language/operands.h"

#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace fluorite::language::derivative {

using ir::ExprKind;

namespace {

using LinearMap = std::function<Expr(const Expr &)>;

bool is_guarded(const Expr &adjoint) { return ir::is_kind(adjoint, ExprKind::Select) && ir::is_zero(adjoint->arg(2)); }

/// A function that is linear in the adjoint, inside of its guard.
Expr through(const Expr &adjoint, const LinearMap &apply) {
    return is_guarded(adjoint) ? guarded(adjoint->arg(0), apply(adjoint->arg(1))) : apply(adjoint);
}

/// Whether one condition is the negation of the other.
bool are_opposite(const Expr &a, const Expr &b) {
    return (ir::is_kind(a, ExprKind::Not) && ir::equal(a->arg(0), b)) ||
           (ir::is_kind(b, ExprKind::Not) && ir::equal(b->arg(0), a));
}

Expr plus(const Expr &a, const Expr &b) {
    if (!a.defined()) {
        return b;
    }
    if (is_guarded(a) && is_guarded(b) && are_opposite(a->arg(0), b->arg(0))) { // both branches of a select
        const bool swapped = ir::is_kind(a->arg(0), ExprKind::Not);
        const Expr &yes = swapped ? b : a, &no = swapped ? a : b;
        return ir::equal(yes->arg(1), no->arg(1)) ? yes->arg(1) : choose(yes->arg(0), yes->arg(1), no->arg(1));
    }
    return a + b;
}

Expr times(const Expr &adjoint, const Expr &factor) {
    if (ir::is_one(factor)) {
        return adjoint;
    }
    return through(adjoint, [&](const Expr &v) { return v * factor; });
}

Expr negated(const Expr &adjoint) {
    return through(adjoint, [](const Expr &v) { return -v; });
}

Expr zero_of(const Expr &value) { return ir::make_zero(value.type()); }

/// Whether the value depends on anything that may have an adjoint.
bool reads_floats(const Expr &value) {
    bool found = false;
    ir::for_each_node(value, [&](const Expr &node) {
        const bool is_param = node->kind() == ExprKind::Variable && node->symbol().kind() == ir::SymbolKind::Param;
        const bool is_access = node->kind() == ExprKind::Call || node->kind() == ExprKind::Image;
        found = found || (node.type().is_float() && (is_param || is_access));
    });
    return found;
}

class Reverse {
  public:
    explicit Reverse(const DerivativeSite &site) : site_(site) {}

    std::vector<ReadAdjoint> run(const std::vector<Expr> &values, const std::vector<Expr> &seeds) {
        std::vector<Expr> order;
        std::unordered_set<const ir::ExprNode *> seen;
        for (const Expr &value : values) {
            ir::for_each_node(value, [&](const Expr &node) {
                if (seen.insert(node.get()).second) {
                    order.push_back(node);
                }
            });
        }
        for (size_t i = 0; i < values.size(); i++) {
            if (seeds[i].defined()) {
                add(values[i], seeds[i]);
            }
        }
        for (size_t i = order.size(); i-- > 0;) {
            if (const auto found = adjoints_.find(order[i].get()); found != adjoints_.end()) {
                visit(order[i], found->second);
            }
        }
        return in_order_of(order);
    }

  private:
    const DerivativeSite &site_;
    std::unordered_map<const ir::ExprNode *, Expr> adjoints_;
    ir::ExprMap<Expr> reads_; // structurally equal reads are one

    void add(const Expr &operand, const Expr &adjoint) {
        if (operand.type().is_float() && !ir::is_const(operand)) {
            Expr &sum = adjoints_[operand.get()];
            sum = plus(sum, adjoint);
        }
    }

    std::vector<ReadAdjoint> in_order_of(const std::vector<Expr> &order) {
        std::vector<ReadAdjoint> result;
        for (const Expr &node : order) {
            if (const auto found = reads_.find(node); found != reads_.end()) {
                result.push_back({node, found->second});
                reads_.erase(found);
            }
        }
        return result;
    }

    void visit(const Expr &node, const Expr &v) {
        switch (node->kind()) {
        case FLUORITE_ARITHMETIC:
            return arithmetic(node, v);
        case ExprKind::Cast:
        case ExprKind::SaturatingCast:
            return conversion(node->arg(0), v);
        case ExprKind::Select:
            add(node->arg(1), guarded(node->arg(0), v));
            return add(node->arg(2), guarded(!node->arg(0), v));
        case FLUORITE_HINTS:
            return add(node->arg(0), v);
        case ExprKind::Math:
            return math_function(node, v);
        case ExprKind::Extern:
            return c_function(node, v);
        case ExprKind::Call:
        case ExprKind::Image:
        case ExprKind::Variable: { // of the floats, the Params
            Expr &sum = reads_[node];
            sum = plus(sum, v);
            return;
        }
        default: // constants, numbers of integers or bits, and random numbers: nothing that they read has an adjoint
            return;
        }
    }

    void conversion(const Expr &value, const Expr &v) {
        if (value.type().is_float()) {
            add(value, through(v, [&](const Expr &inner) { return convert(value.type(), inner); }));
        }
    }

    void arithmetic(const Expr &node, const Expr &v) {
        const Expr &a = node->arg(0);
        const Expr b = node->arg_count() > 1 ? node->arg(1) : Expr();
        switch (node->kind()) {
        case ExprKind::Add:
            add(a, v);
            return add(b, v);
        case ExprKind::Sub:
            add(a, v);
            return add(b, negated(v));
        case ExprKind::Mul:
            add(a, times(v, b));
            return add(b, times(v, a));
        case ExprKind::Div:
            return quotient(node, v);
        case ExprKind::Mod: // a - b * floor(a / b)
            add(a, v);
            return add(b, times(v, -floor(a / b)));
        case ExprKind::Min:
            return choice(a < b, a, b, v);
        case ExprKind::Max:
            return choice(a > b, a, b, v);
        case ExprKind::AbsDiff: {
            const Expr slope = sign_of(a, b, v);
            add(a, slope);
            return add(b, negated(slope));
        }
        case ExprKind::Abs:
            return add(a, sign_of(a, zero_of(a), v));
        case ExprKind::Fma:
            add(a, times(v, b));
            add(b, times(v, a));
            return add(node->arg(2), v);
        default: // Quotient and Remainder are of integers
            return;
        }
    }

    void quotient(const Expr &node, const Expr &v) {
        const Expr &a = node->arg(0), &b = node->arg(1);
        add(a, through(v, [&](const Expr &inner) { return inner / b; }));
        if (!ir::is_const(b)) {
            add(b, through(v, [&](const Expr &inner) { return -(inner * node) / b; }));
        }
    }

    /// The adjoint goes to the operand that is chosen.
    void choice(const Expr &condition, const Expr &a, const Expr &b, const Expr &v) {
        add(a, guarded(condition, v));
        add(b, guarded(!condition, v));
    }

    /// v where a > b, -v where a < b, and 0 where they are equal.
    static Expr sign_of(const Expr &a, const Expr &b, const Expr &v) {
        return through(v, [&](const Expr &inner) {
            return guarded(a != b, choose(a > b, inner, choose(a < b, -inner, inner * (a - b)))); // else a NaN
        });
    }

    void math_function(const Expr &node, const Expr &v) {
        for (size_t i = 0; i < node->arg_count(); i++) {
            if (ir::is_const(node->arg(i))) {
                continue;
            }
            if (const Expr partial = math_partial(node, i); partial.defined()) {
                add(node->arg(i), times(v, partial));
            }
        }
    }

    void c_function(const Expr &node, const Expr &v) {
        const std::string &name = node->text();
        const auto rule = site_.options->externs.find(name);
        if (rule == site_.options->externs.end()) {
            fail_if_needed(node, name);
            return;
        }
        const std::vector<Expr> operands(node->args().begin(), node->args().end());
        const std::vector<Expr> partials = rule->second(operands, node);
        if (partials.size() != operands.size()) {
            fail("no-derivative", *site_.function, site_.stage,
                 concat("the rule for the C function ", name, " gives ", partials.size(), " derivatives; it has ",
                        operands.size(), " operands; give one for each, undefined where it is 0"),
                 site_.location);
        }
        for (size_t i = 0; i < operands.size(); i++) {
            if (partials[i].defined() && operands[i].type().is_float()) {
                add(operands[i],
                    through(v, [&](const Expr &inner) { return convert(operands[i].type(), inner * partials[i]); }));
            }
        }
    }

    void fail_if_needed(const Expr &node, const std::string &name) const {
        for (const Expr &operand : node->args()) {
            if (operand.type().is_float() && reads_floats(operand)) {
                fail("no-derivative", *site_.function, site_.stage,
                     "the C function " + name +
                         " is called with a value that has an adjoint; nothing is known of what a C function computes; "
                         "give its derivatives in DerivativeOptions::externs",
                     site_.location);
            }
        }
    }
};

/// Where a value with undef is defined, and the value there.
class Definedness {
  public:
    /// Undefined: everywhere.
    Expr where(const Expr &node) {
        Expr condition;
        for (size_t i = 0; i < node->arg_count(); i++) {
            const Expr inner = find(node->arg(i));
            if (inner.defined()) {
                condition = condition.defined() ? condition && inner : inner;
            }
        }
        return condition;
    }
    Expr find(const Expr &expr) {
        const auto found = conditions_.find(expr.get());
        return found == conditions_.end() ? Expr() : found->second;
    }
    void visit(const Expr &node) {
        Expr condition;
        if (node->kind() == ExprKind::Undef) {
            condition = ir::make_bool(false);
        } else if (node->kind() == ExprKind::Select) {
            condition = of_select(node);
        } else {
            condition = where(node);
        }
        if (condition.defined()) {
            conditions_[node.get()] = condition;
        }
    }

  private:
    std::unordered_map<const ir::ExprNode *, Expr> conditions_;

    Expr of_select(const Expr &node) {
        const Expr yes = find(node->arg(1)), no = find(node->arg(2)), always = ir::make_bool(true);
        if (!yes.defined() && !no.defined()) {
            return Expr();
        }
        if (yes.defined() && ir::is_false(yes) && !no.defined()) {
            return !node->arg(0);
        }
        if (no.defined() && ir::is_false(no) && !yes.defined()) {
            return node->arg(0);
        }
        return choose(node->arg(0), yes.defined() ? yes : always, no.defined() ? no : always);
    }
};

} // namespace

Expr guarded(const Expr &condition, const Expr &adjoint) {
    if (ir::is_zero(adjoint)) {
        return adjoint;
    }
    if (is_guarded(adjoint)) {
        return choose(condition && adjoint->arg(0), adjoint->arg(1), adjoint->arg(2));
    }
    return choose(condition, adjoint, zero_of(adjoint));
}

std::vector<ReadAdjoint> adjoints_of_reads(const std::vector<Expr> &values, const std::vector<Expr> &seeds,
                                           const DerivativeSite &site) {
    return Reverse(site).run(values, seeds);
}

Expr as_differentiable(const Expr &value, const Expr &old) {
    const Expr pure = ir::transform(ir::expand_lets(value), [](const Expr &node) {
        switch (node->kind()) {
        case FLUORITE_EFFECTS:
            return Expr(node->arg(1));
        case ExprKind::MemoizeTag:
            return Expr(node->arg(0));
        default: // kinds that have no effect
            return node;
        }
    });
    if (!has_undef(pure)) {
        return pure;
    }
    Definedness definedness;
    ir::for_each_node(pure, [&](const Expr &node) { definedness.visit(node); });
    const Expr condition = definedness.find(pure);
    const Expr defined = ir::transform(
        pure, [](const Expr &node) { return node->kind() == ExprKind::Undef ? ir::make_zero(node.type()) : node; });
    return choose(condition, defined, old);
}

} // namespace fluorite::language::derivative
