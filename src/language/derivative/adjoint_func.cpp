// The Funcs of adjoints, and the values of Funcs between their updates.

#include "fluorite/ops.h"
#include "language/derivative/propagation.h"
#include "language/operands.h"
#include "rewrite/simplify.h"

namespace fluorite::language::derivative {

using ir::ExprKind;

Values AdjointState::at(const std::vector<Expr> &args, const std::vector<Type> &types, const Location &location) const {
    if (!is_zero()) {
        return Tuple(func(args, location)).as_vector();
    }
    Values zeros;
    for (const Type &type : types) {
        zeros.push_back(ir::make_zero(adjoint_type(type)));
    }
    return zeros;
}

bool calls_itself(const Expr &expr, const Function &function) {
    bool found = false;
    ir::for_each_node(expr, [&](const Expr &node) {
        found = found || (node->kind() == ExprKind::Call && function_of(node->symbol()) == &function);
    });
    return found;
}

Expr with_own_calls(const Expr &expr, const Function &function, const OwnCall &replace) {
    return ir::transform(expr, [&](const Expr &node) {
        return node->kind() == ExprKind::Call && function_of(node->symbol()) == &function ? replace(node) : node;
    });
}

void check_repeatable(const Expr &expr, const DerivativeSite &site) {
    ir::for_each_node(expr, [&](const Expr &node) {
        if (node->kind() == ExprKind::Random) {
            fail("no-derivative", *site.function, site.stage,
                 "its derivative depends on a random number; another Func that asks for it gets another one; let a "
                 "Func of its own have the random numbers, and read that",
                 site.location);
        }
    });
}

Domain make_domain(const std::vector<SpaceDim> &dims, const Location &location) {
    Region region;
    for (const SpaceDim &dim : dims) {
        region.emplace_back(dim.min, rewrite::simplify(dim.max - dim.min + 1));
    }
    Domain result{RDom(region, "r", location), {}};
    for (size_t i = 0; i < dims.size(); i++) {
        result.rvars[dims[i].symbol] = result.domain[static_cast<int>(i)];
    }
    return result;
}

FreshSpace::FreshSpace(const std::vector<SpaceDim> &dims, const Expr &predicate) {
    IterationSpace fresh;
    for (const SpaceDim &dim : dims) {
        const ir::Symbol symbol(ir::SymbolKind::Var, anonymous_name("v"));
        fresh.dims.push_back({symbol, dim.min, dim.max, dim.is_pure});
        symbols[dim.symbol] = ir::make_var(Int(32), symbol);
    }
    fresh.predicate = predicate.defined() ? ir::substitute(predicate, symbols) : predicate;
    space = std::make_shared<const IterationSpace>(std::move(fresh));
}

Contribution FreshSpace::contribution(const std::vector<Expr> &args, int value, const Expr &adjoint,
                                      const Expr &condition) const {
    Contribution result;
    result.space = space;
    for (const Expr &arg : args) {
        result.args.push_back(ir::substitute(arg, symbols));
    }
    result.value = value;
    result.adjoint = ir::substitute(adjoint, symbols);
    result.condition = condition.defined() ? ir::substitute(condition, symbols) : condition;
    return result;
}

Func define_adjoint(const std::string &name, const Target &target, const std::vector<Type> &types, const Values &base,
                    const std::vector<Contribution> &contributions, const Location &location) {
    std::vector<Expr> vars;
    for (const ir::Symbol &var : target.vars) {
        vars.push_back(ir::make_var(Int(32), var));
    }
    Values pure = base;
    pure.resize(types.size());
    std::vector<Term> sums;
    bool reassociates = true;
    for (const Contribution &contribution : contributions) {
        for (Term &term : terms_of(contribution, target)) {
            if (!term.dims.empty()) {
                sums.push_back(std::move(term));
                reassociates = reassociates && contribution.reassociates;
                continue;
            }
            Expr &value = pure[static_cast<size_t>(term.value)];
            value = value.defined() && !ir::is_zero(value) ? value + term.summand : term.summand;
        }
    }
    for (size_t i = 0; i < types.size(); i++) {
        pure[i] = pure[i].defined() ? pure[i] : ir::make_zero(adjoint_type(types[i]));
    }
    Func adjoint(name);
    adjoint(vars, location) = Tuple(pure);
    Function &function = *adjoint.function();
    function.def.reassociates = function.def.reassociates || (!sums.empty() && reassociates);
    for (const Term &term : sums) {
        const Domain domain = make_domain(term.dims, location);
        RDom r = domain.domain;
        if (term.predicate.defined()) {
            r.where(ir::substitute(term.predicate, domain.rvars), location);
        }
        std::vector<Expr> args;
        for (const Expr &arg : term.args) {
            args.push_back(ir::substitute(arg, domain.rvars));
        }
        adjoint(args, location)[term.value] += ir::substitute(term.summand, domain.rvars);
    }
    return adjoint;
}

namespace {

std::vector<Expr> vars_of(const Function &function) {
    std::vector<Expr> vars;
    for (const ir::Symbol &arg : function.def.args) {
        vars.push_back(ir::make_var(Int(32), arg));
    }
    return vars;
}

/// Adds a copy of an update to another Func of the same values.
void add_copy(const Func &copy, const Function &function, size_t index, const DerivativeSite &site) {
    const ir::Stage &stage = function.algorithm_of(index);
    const OwnCall of_copy = [&](const Expr &call) {
        const std::vector<Expr> args(call->args().begin(), call->args().end());
        return Tuple(copy(args, site.location))[call->member().index];
    };
    ir::SymbolMap<Expr> rvars;
    RDom domain;
    if (!stage.rvars.empty()) {
        Region region;
        for (const ir::ReductionVar &rvar : stage.rvars) {
            region.emplace_back(rvar.min, rvar.extent);
        }
        domain = RDom(region, "r", site.location);
        for (size_t i = 0; i < stage.rvars.size(); i++) {
            rvars[stage.rvars[i].var] = domain[static_cast<int>(i)];
        }
    }
    const auto copied = [&](const Expr &expr) {
        check_repeatable(expr, site);
        return ir::substitute(with_own_calls(expr, function, of_copy), rvars);
    };
    if (stage.predicate.defined() && domain.defined()) {
        domain.where(copied(stage.predicate), site.location);
    }
    std::vector<Expr> args, values;
    for (const Expr &arg : stage.args) {
        args.push_back(copied(arg));
    }
    for (size_t i = 0; i < stage.values.size(); i++) {
        const Expr old = Tuple(copy(args, site.location))[static_cast<int>(i)];
        values.push_back(as_differentiable(copied(stage.values[i]), old));
    }
    copy(args, site.location) = Tuple(values);
}

} // namespace

Func Prefixes::after(Function &function, size_t stage) {
    if (stage + 1 == function.def.stages.size()) {
        return Func(detail::Ref<Function>(&function));
    }
    size_t known = stage + 1; // the first stage whose Func is to be made, plus one
    while (known > 0 && !funcs_.contains({&function, known - 1})) {
        known--;
    }
    for (size_t k = known; k <= stage; k++) {
        Func copy(concat(shown_name(function.name), "_after_", k));
        const std::vector<Expr> vars = vars_of(function);
        if (k == 0) {
            Values values;
            for (const Expr &value : function.algorithm_of(0).values) {
                check_repeatable(value, site_);
                values.push_back(as_differentiable(value, ir::make_zero(value.type())));
            }
            copy(vars, site_.location) = Tuple(values);
        } else {
            copy(vars, site_.location) = Tuple(funcs_.at({&function, k - 1})(vars, site_.location));
            add_copy(copy, function, k, site_);
        }
        made_.push_back(copy);
        funcs_[{&function, k}] = copy;
    }
    return funcs_.at({&function, stage});
}

} // namespace fluorite::language::derivative
