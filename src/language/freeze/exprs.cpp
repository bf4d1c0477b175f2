// Expressions of a frozen graph.
//
// Contraction: where requested, a*b + c, c + a*b, a*b - c and c - a*b of float32 and float64 become one Fma. Where both
// operands of an Add or Sub are products, the left one is contracted: Fma(a, b, c*d). Contraction applies to the
// definition as written, independently of the schedule, and never across Funcs. Hence every schedule, and the
// interpreter, computes the same bits.

#include "language/freeze/exprs.h"

#include "language/freeze/target_queries.h"
#include "support/check.h"

namespace fluorite::language {

using ir::ExprKind;
using ir::ExprNode;
using ir::Symbol;
using ir::SymbolKind;

namespace {

bool is_product(const Expr &expr) {
    // A negation is -0.0 - x; a product of constants was folded.
    return expr->kind() == ExprKind::Mul;
}

Expr negate(const Expr &expr) { return ir::sub(ir::make_float(expr.type(), -0.0), expr); }

/// Fuses a product and a sum into one rounded operation; an undefined Expr where that does not apply.
Expr contract(ExprKind kind, const Expr &a, const Expr &b) {
    const Type type = a.type();
    if (type.code() != TypeCode::Float || (type.bits() != 32 && type.bits() != 64)) {
        return Expr();
    }
    const bool is_sub = kind == ExprKind::Sub;
    if (is_product(a)) {
        return ir::make_fma(a->arg(0), a->arg(1), is_sub ? negate(b) : b);
    }
    if (is_product(b)) {
        return ir::make_fma(is_sub ? negate(b->arg(0)) : b->arg(0), b->arg(1), a);
    }
    return Expr();
}

} // namespace

Expr ExprFreezer::rewrite(const Expr &root) {
    if (!root.defined()) {
        return root;
    }
    std::vector<const ExprNode *> stack{root.get()};
    while (!stack.empty()) {
        const ExprNode *node = stack.back();
        if (done_.count(node) != 0) {
            stack.pop_back();
            continue;
        }
        bool ready = true;
        for (const Expr &arg : node->args()) {
            if (done_.count(arg.get()) == 0) {
                stack.push_back(arg.get());
                ready = false;
            }
        }
        if (ready) {
            stack.pop_back();
            done_.emplace(node, make(Expr(node)));
        }
    }
    return done_.at(root.get());
}

Expr ExprFreezer::make(const Expr &node) {
    std::vector<Expr> args;
    bool same = true;
    for (const Expr &arg : node->args()) {
        args.push_back(done_.at(arg.get()));
        same = same && args.back().same_as(arg);
    }
    switch (node->kind()) {
    case ExprKind::Variable:
        return variable(node);
    case ExprKind::BufferField:
        return ir::make_field(scope_.symbols.parameter(node->symbol()), node->member().field, node->member().index);
    case ExprKind::Image: {
        const Function *wrapper = function_ ? image_as_read_by(*ir::parameter_of(node->symbol()), *function_) : nullptr;
        return wrapper ? ir::make_call(node->type(), scope_.symbols.func(wrapper), 0, args)
                       : ir::make_image(node->type(), scope_.symbols.parameter(node->symbol()), args);
    }
    case ExprKind::Call: {
        check(function_ != nullptr, "schedules and constraints call no Funcs");
        const Function *callee = function_of(node->symbol())->as_called_by(*function_);
        return ir::make_call(node->type(), scope_.symbols.func(callee), node->member().index, args);
    }
    case ExprKind::Add:
    case ExprKind::Sub:
        if (scope_.contracts_fma) {
            const Expr contracted = contract(node->kind(), args[0], args[1]);
            if (contracted.defined()) {
                return contracted;
            }
        }
        break;
    case ExprKind::Extern:
        if (const Expr value = value_of_target_query(*node, scope_.target); value.defined()) {
            return value;
        }
        break;
    default: // kinds that refer to no object of the program, and are not contracted
        break;
    }
    return same ? node : ir::with_args(node, args);
}

Expr ExprFreezer::variable(const Expr &node) const {
    const Symbol &symbol = node->symbol();
    switch (symbol.kind()) {
    case SymbolKind::Param:
        return ir::make_var(node->type(), scope_.symbols.parameter(symbol));
    case SymbolKind::Let:
        return ir::make_int(Int(32), scope_.objects.random_id(symbol));
    default: // variables of the definition, looked up below
        break;
    }
    const auto found = variables_.find(symbol);
    check(found != variables_.end(), "a definition's variables are its own: " + symbol.name());
    return found->second;
}

} // namespace fluorite::language
