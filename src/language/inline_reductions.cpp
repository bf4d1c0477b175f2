// Reductions inside expressions: each creates a helper Func over the free variables of its operand.
//
// Free variables are the pure Vars and the RVars of RDoms other than the reduced one; the latter become Vars of the
// helper.
//   sum(e)      -->   helper(free...) = 0;  helper(free...) += e;   the value is helper(free...)

#include "fluorite/inline_reductions.h"

#include "fluorite/ops.h"
#include "language/function.h"
#include "language/operands.h"

#include <algorithm>
#include <functional>

namespace fluorite {

using namespace language;
using ir::ExprKind;
using ir::Symbol;
using ir::SymbolKind;

namespace {

/// The ingredients of a reduction.
struct Reduction {
    Func helper;
    RDom domain;
    Expr value;                  // over the helper's Vars and the domain's RVars
    std::vector<Var> free_vars;  // of the helper
    std::vector<Expr> free_args; // the arguments for them at the call
};

using DomainRef = detail::Ref<ReductionDomain>;

std::vector<Symbol> free_variables(const Expr &expr) {
    std::vector<Symbol> found;
    ir::for_each_node(expr, [&](const Expr &node) {
        if (node->kind() != ExprKind::Variable) {
            return;
        }
        const Symbol &symbol = node->symbol();
        const bool counts = symbol.kind() == SymbolKind::Var || symbol.kind() == SymbolKind::RVar;
        if (counts && std::find(found.begin(), found.end(), symbol) == found.end()) {
            found.push_back(symbol);
        }
    });
    return found;
}

DomainRef domain_of(const Symbol &symbol) {
    return DomainRef(const_cast<ReductionDomain *>(dynamic_cast<const ReductionDomain *>(symbol.object())));
}

/// The only domain that the operand uses.
RDom find_domain(const char *op, const LocatedExpr &value, const std::vector<Symbol> &variables) {
    DomainRef found;
    for (const Symbol &symbol : variables) {
        if (symbol.kind() != SymbolKind::RVar) {
            continue;
        }
        const DomainRef domain = domain_of(symbol);
        if (found && !(found == domain)) {
            fail("several-rdoms", std::string("an inline ") + op,
                 "its operand uses " + both_names(*found, *domain) +
                     "; it reduces over one of them; give that one first, as in " + op + "(r, e)",
                 value.location);
        }
        found = domain;
    }
    if (!found) {
        fail("no-rdom", std::string("an inline ") + op,
             "its operand uses no RDom; a reduction runs over one; use an RVar in the operand", value.location);
    }
    return RDom(found);
}

Reduction prepare(const char *op, const RDom *domain, const LocatedExpr &value, const Func &helper) {
    const Expr operand = checked({op, value.location}, value);
    if (domain && !domain->defined()) {
        fail("rdom-rank", std::string("an inline ") + op,
             "it is given an undefined RDom; a reduction runs over the points of one; give the RDom ranges, as in "
             "RDom(0, 10)",
             value.location);
    }
    std::vector<Symbol> variables = free_variables(operand);
    Reduction reduction{helper, domain ? *domain : find_domain(op, value, variables), operand, {}, {}};
    if (reduction.domain.predicate().defined()) {
        for (const Symbol &symbol : free_variables(reduction.domain.predicate())) {
            if (std::find(variables.begin(), variables.end(), symbol) == variables.end()) {
                variables.push_back(symbol);
            }
        }
    }
    ir::SymbolMap<Expr> renamed;
    for (const Symbol &symbol : variables) {
        if (symbol.kind() == SymbolKind::Var) {
            reduction.free_vars.push_back(Var(symbol.name()));
            reduction.free_args.push_back(reduction.free_vars.back());
        } else if (!(domain_of(symbol) == reduction.domain.domain())) {
            reduction.free_vars.push_back(Var());
            reduction.free_args.push_back(ir::make_var(Int(32), symbol));
            renamed[symbol] = reduction.free_vars.back();
        }
    }
    reduction.value = renamed.empty() ? operand : ir::substitute(operand, renamed);
    if (helper.defined()) {
        fail("helper-defined", *helper.function(), -1,
             std::string("it is given to an inline ") + op +
                 " but has a definition; the helper of a reduction is defined by it; give a Func without definition",
             value.location);
    }
    return reduction;
}

FuncRef at(const Reduction &reduction, const Location &location) {
    return reduction.helper(reduction.free_vars, location);
}

Expr call(const Reduction &reduction, const Location &location) {
    return reduction.helper(reduction.free_args, location);
}

/// A helper with an initial value and one combining step.
Expr reduce(const char *op, const RDom *domain, const LocatedExpr &value, const Func &helper,
            const std::function<Expr(Type)> &start, const std::function<Expr(Expr, Expr)> &combine) {
    const Reduction reduction = prepare(op, domain, value, helper);
    const Location &location = value.location;
    at(reduction, location) = start(reduction.value.type());
    at(reduction, location) = combine(at(reduction, location), reduction.value);
    return call(reduction, location);
}

void refuse_bools(const char *op, const LocatedExpr &value) {
    if (value.expr.defined() && value.expr.type().is_bool()) {
        fail("sum-of-bools", std::string("an inline ") + op,
             "its operand is a bool; a bool has one bit, in which a sum wraps; cast it, as in cast<int>(e)",
             value.location);
    }
}
Expr make_sum(const RDom *domain, const LocatedExpr &value, const Func &helper) {
    refuse_bools("sum", value);
    return reduce("sum", domain, value, helper, ir::make_zero, [](const Expr &a, const Expr &b) { return a + b; });
}
Expr make_saturating_sum(const RDom *domain, const LocatedExpr &value, const Func &helper) {
    return reduce("saturating_sum", domain, value, helper, ir::make_zero,
                  [](const Expr &a, const Expr &b) { return saturating_add(a, b); });
}
Expr make_product(const RDom *domain, const LocatedExpr &value, const Func &helper) {
    refuse_bools("product", value);
    return reduce("product", domain, value, helper, ir::make_one, [](const Expr &a, const Expr &b) { return a * b; });
}
Expr make_maximum(const RDom *domain, const LocatedExpr &value, const Func &helper) {
    return reduce("maximum", domain, value, helper, ir::type_min,
                  [](const Expr &a, const Expr &b) { return max(a, b); });
}
Expr make_minimum(const RDom *domain, const LocatedExpr &value, const Func &helper) {
    return reduce("minimum", domain, value, helper, ir::type_max,
                  [](const Expr &a, const Expr &b) { return min(a, b); });
}

/// Coordinates and value of the first extreme.
Tuple arg_extreme(const char *op, const RDom *domain, const LocatedExpr &value, const Func &helper, bool greatest) {
    const Reduction reduction = prepare(op, domain, value, helper);
    const Location &location = value.location;
    const Type type = reduction.value.type();
    std::vector<Expr> start, candidate;
    for (int i = 0; i < reduction.domain.dimensions(); i++) {
        start.push_back(0); // as in Halide, where programs tell by it that no value was better
        candidate.push_back(reduction.domain[i]);
    }
    start.push_back(greatest ? ir::type_min(type) : ir::type_max(type));
    candidate.push_back(reduction.value);
    at(reduction, location) = Tuple(start);
    const Tuple best = at(reduction, location);
    const Expr old = best[best.size() - 1];
    const Expr better = greatest ? reduction.value > old : reduction.value < old;
    at(reduction, location) = select(better, Tuple(candidate), best);
    return reduction.helper(reduction.free_args, location);
}

} // namespace

Expr sum(const LocatedExpr &value, const std::string &name) { return make_sum(nullptr, value, Func(name)); }
Expr sum(const LocatedExpr &value, const Func &helper) { return make_sum(nullptr, value, helper); }
Expr sum(const RDom &domain, const LocatedExpr &value, const std::string &name) {
    return make_sum(&domain, value, Func(name));
}
Expr sum(const RDom &domain, const LocatedExpr &value, const Func &helper) { return make_sum(&domain, value, helper); }

Expr saturating_sum(const LocatedExpr &value, const std::string &name) {
    return make_saturating_sum(nullptr, value, Func(name));
}
Expr saturating_sum(const LocatedExpr &value, const Func &helper) {
    return make_saturating_sum(nullptr, value, helper);
}
Expr saturating_sum(const RDom &domain, const LocatedExpr &value, const std::string &name) {
    return make_saturating_sum(&domain, value, Func(name));
}
Expr saturating_sum(const RDom &domain, const LocatedExpr &value, const Func &helper) {
    return make_saturating_sum(&domain, value, helper);
}

Expr product(const LocatedExpr &value, const std::string &name) { return make_product(nullptr, value, Func(name)); }
Expr product(const LocatedExpr &value, const Func &helper) { return make_product(nullptr, value, helper); }
Expr product(const RDom &domain, const LocatedExpr &value, const std::string &name) {
    return make_product(&domain, value, Func(name));
}
Expr product(const RDom &domain, const LocatedExpr &value, const Func &helper) {
    return make_product(&domain, value, helper);
}

Expr maximum(const LocatedExpr &value, const std::string &name) { return make_maximum(nullptr, value, Func(name)); }
Expr maximum(const LocatedExpr &value, const Func &helper) { return make_maximum(nullptr, value, helper); }
Expr maximum(const RDom &domain, const LocatedExpr &value, const std::string &name) {
    return make_maximum(&domain, value, Func(name));
}
Expr maximum(const RDom &domain, const LocatedExpr &value, const Func &helper) {
    return make_maximum(&domain, value, helper);
}

Expr minimum(const LocatedExpr &value, const std::string &name) { return make_minimum(nullptr, value, Func(name)); }
Expr minimum(const LocatedExpr &value, const Func &helper) { return make_minimum(nullptr, value, helper); }
Expr minimum(const RDom &domain, const LocatedExpr &value, const std::string &name) {
    return make_minimum(&domain, value, Func(name));
}
Expr minimum(const RDom &domain, const LocatedExpr &value, const Func &helper) {
    return make_minimum(&domain, value, helper);
}

Tuple argmax(const LocatedExpr &value, const std::string &name) {
    return arg_extreme("argmax", nullptr, value, Func(name), true);
}
Tuple argmax(const LocatedExpr &value, const Func &helper) {
    return arg_extreme("argmax", nullptr, value, helper, true);
}
Tuple argmax(const RDom &domain, const LocatedExpr &value, const std::string &name) {
    return arg_extreme("argmax", &domain, value, Func(name), true);
}
Tuple argmax(const RDom &domain, const LocatedExpr &value, const Func &helper) {
    return arg_extreme("argmax", &domain, value, helper, true);
}
Tuple argmin(const LocatedExpr &value, const std::string &name) {
    return arg_extreme("argmin", nullptr, value, Func(name), false);
}
Tuple argmin(const LocatedExpr &value, const Func &helper) {
    return arg_extreme("argmin", nullptr, value, helper, false);
}
Tuple argmin(const RDom &domain, const LocatedExpr &value, const std::string &name) {
    return arg_extreme("argmin", &domain, value, Func(name), false);
}
Tuple argmin(const RDom &domain, const LocatedExpr &value, const Func &helper) {
    return arg_extreme("argmin", &domain, value, helper, false);
}

} // namespace fluorite
