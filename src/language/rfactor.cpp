// rfactor: splits an update into partial results and their combination.
//
//   f(x) = f(x) op e(x, r, s)     with the loops over r kept as dimension u
//   -->  f_intm(x, u) = identity;  f_intm(x, u) = f_intm(x, u) op e(x, u, s)      u replaces r
//        f(x) = f(x) op f_intm(x, r')                                        r' a new RVar over the iterations of r
//
// Loops, not RVars, are kept. An RVar that was split is base + outer * factor + inner over the current loops, and a
// tail becomes a predicate of the partial update. Directives on pure Vars stay with both updates; those on RVars move
// with their loops. An argument of f that depends on RVars (as in a histogram) becomes a Var of f in the combination:
// points that no iteration updates are combined with the identity, which changes no bit.
//
// The program's own definition is kept (Function::algorithm). The interpreter evaluates it, the compiler the rewritten
// one. Relies on: analysis/reduction.h for op and identity; schedule::check_rfactor for legality. Cost: linear in the
// update.

#include "language/function.h"
#include "language/operands.h"

#include "rewrite/simplify.h"
#include "schedule/dependence.h"

#include <algorithm>

namespace fluorite::language {

using ir::ExprKind;
using ir::Symbol;
using ir::SymbolKind;

namespace {

using Names = std::vector<std::string>;

std::optional<size_t> position_of(const Names &names, const std::string &name) {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? std::nullopt : std::optional(position_in(names, at));
}

/// Visits what a stage evaluates at each point.
template <typename Visit> void for_each_node_of(const ir::Stage &stage, const Visit &visit) {
    for (const std::vector<Expr> *exprs : {&stage.values, &stage.args}) {
        for (const Expr &expr : *exprs) {
            ir::for_each_node(expr, visit);
        }
    }
    if (stage.predicate.defined()) {
        ir::for_each_node(stage.predicate, visit);
    }
}

/// The loops that splits derive from the RVars, and the RVars as expressions over them.
class RVarLoops {
  public:
    struct Loop {
        std::string name;
        Expr min, extent;
        Expr placeholder; // stands for the loop in values and predicate
    };
    std::vector<Loop> loops;
    std::vector<schedule::Split> pure_splits;
    Expr predicate; // of tails; undefined if there are none

    RVarLoops(const ir::Stage &stage, const schedule::StageSchedule &schedule) {
        for (const ir::ReductionVar &rvar : stage.rvars) {
            add(rvar.name, rvar.min, rvar.extent);
            values_[rvar.var] = loops.back().placeholder;
        }
        for (const schedule::Split &split : schedule.splits) {
            apply(split);
        }
    }

    const Loop *find(const std::string &name) const {
        for (const Loop &loop : loops) {
            if (loop.name == name) {
                return &loop;
            }
        }
        return nullptr;
    }

    /// An expression of the update with its RVars expressed through `variables` (by loop).
    Expr over(const Expr &expr, const ir::SymbolMap<Expr> &variables) const {
        return expr.defined() ? ir::substitute(ir::substitute(expr, values_), variables) : expr;
    }
    Expr tail_over(const ir::SymbolMap<Expr> &variables) const {
        return predicate.defined() ? ir::substitute(predicate, variables) : predicate;
    }

  private:
    ir::SymbolMap<Expr> values_; // RVars as expressions over placeholders
    int made_ = 0;

    Loop &add(const std::string &name, const Expr &min, const Expr &extent) {
        const Symbol symbol(SymbolKind::Var, concat("$loop", made_++));
        loops.push_back({name, min, rewrite::simplify(extent), ir::make_var(Int(32), symbol)});
        return loops.back();
    }

    Loop take(const std::string &name) {
        const auto at = std::find_if(loops.begin(), loops.end(), [&](const Loop &loop) { return loop.name == name; });
        check(at != loops.end(), "a split of RVar loops names one of them: " + name);
        Loop loop = *at;
        loops.erase(at);
        return loop;
    }

    void replace(const Loop &loop, const Expr &value) {
        const ir::SymbolMap<Expr> change = {{loop.placeholder->symbol(), value}};
        for (auto &[symbol, expr] : values_) {
            expr = ir::substitute(expr, change);
        }
        if (predicate.defined()) {
            predicate = ir::substitute(predicate, change);
        }
    }

    void apply(const schedule::Split &split) {
        using Kind = schedule::Split::Kind;
        const bool ours = split.kind == Kind::Fuse ? find(split.inner) != nullptr : find(split.old_var) != nullptr;
        if (!ours) {
            pure_splits.push_back(split);
        } else if (split.kind == Kind::Rename) {
            const_cast<Loop *>(find(split.old_var))->name = split.outer;
        } else if (split.kind == Kind::Split) {
            apply_split(split);
        } else { // a stage with a skew is refused
            apply_fuse(split);
        }
    }

    void apply_split(const schedule::Split &split) {
        const Loop old = take(split.old_var);
        const Expr one = ir::make_int(Int(32), 1), zero = ir::make_int(Int(32), 0);
        const Expr pieces = ir::div(ir::add(old.extent, ir::sub(split.factor, one)), split.factor);
        const Expr outer = add(split.outer, zero, pieces).placeholder;
        const Expr inner = add(split.inner, zero, split.factor).placeholder;
        const Expr step = ir::add(ir::mul(outer, split.factor), inner);
        replace(old, rewrite::simplify(ir::add(step, old.min)));
        if (!ir::is_true(rewrite::simplify(ir::equals(ir::mod(old.extent, split.factor), zero)))) {
            const Expr inside = ir::make_unary(ExprKind::Likely, ir::less(step, old.extent));
            predicate = predicate.defined() ? ir::logical_and(predicate, inside) : inside;
        }
    }

    void apply_fuse(const schedule::Split &split) {
        const Loop inner = take(split.inner), outer = take(split.outer);
        const Expr fused =
            add(split.old_var, ir::make_int(Int(32), 0), ir::mul(outer.extent, inner.extent)).placeholder;
        replace(outer, ir::add(ir::div(fused, inner.extent), outer.min));
        replace(inner, ir::add(ir::mod(fused, inner.extent), inner.min));
    }
};

class Factoring {
  public:
    Factoring(Function &function, int stage, const Names &rvars, const Names &vars, const Location &location)
        : function_(function), stage_(static_cast<size_t>(stage)), rvars_(rvars), vars_(vars), location_(location),
          op_(schedule::check_rfactor(function.stage_ref(stage, location), rvars, vars, location).or_raise()),
          old_(function.def.stages[stage_]), old_schedule_(function.schedule.stages[stage_]),
          loops_(old_, old_schedule_) {}

    RefPtr<Function> run() {
        partial_ = make_function(shown_name(function_.name) + "_intm");
        define_partial();
        define_combination();
        return partial_;
    }

  private:
    Function &function_;
    size_t stage_;
    const Names &rvars_, &vars_;
    const Location &location_;
    analysis::ReductionOperator op_;
    const ir::Stage old_;
    const schedule::StageSchedule old_schedule_;
    RVarLoops loops_;
    RefPtr<Function> partial_;

    bool is_kept(const std::string &loop) const { return position_of(rvars_, loop).has_value(); }

    /// New RVars for the kept (or the other) loops, in loop order.
    std::vector<ir::ReductionVar> make_rvars(bool kept, ir::SymbolMap<Expr> &variables) const {
        RefPtr<ReductionDomain> domain(new ReductionDomain);
        domain->name = "r";
        domain->used = true;
        domain->location = location_;
        std::vector<const RVarLoops::Loop *> chosen;
        for (const schedule::LoopDim &dim : old_schedule_.dims) {
            if (const RVarLoops::Loop *loop = loops_.find(dim.var); loop && is_kept(dim.var) == kept) {
                domain->dims.push_back({loop->name, loop->min, loop->extent});
                chosen.push_back(loop);
            }
        }
        std::vector<ir::ReductionVar> rvars;
        for (size_t i = 0; i < chosen.size(); i++) {
            const Symbol symbol = domain->symbol(static_cast<int>(i));
            rvars.push_back({symbol, chosen[i]->min, chosen[i]->extent, chosen[i]->name});
            variables[chosen[i]->placeholder->symbol()] = ir::make_var(Int(32), symbol);
        }
        return rvars;
    }

    static bool calls(const Function &function, const Expr &node) {
        return node->kind() == ExprKind::Call && function_of(node->symbol()) == &function;
    }

    /// Redirects the Func's self-calls to the partial results at `args`; calls of other Funcs own their callees.
    Expr redirected(const Expr &expr, const std::vector<Expr> &args) const {
        return ir::transform(expr, [&](const Expr &node) {
            return calls(function_, node)
                       ? ir::make_call(node->type(), partial_->def.symbol, node->member().index, args)
                       : node;
        });
    }

    // ---- The partial results.

    void define_partial() {
        ir::FuncDef &def = partial_->def;
        def.args = function_.def.args;
        def.arg_names = function_.def.arg_names;
        def.types = function_.def.types;
        def.location = location_;
        ir::SymbolMap<Expr> variables;
        for (size_t i = 0; i < vars_.size(); i++) {
            const Symbol var(SymbolKind::Var, vars_[i]);
            def.args.push_back(var);
            def.arg_names.push_back(vars_[i]);
            variables[loops_.find(rvars_[i])->placeholder->symbol()] = ir::make_var(Int(32), var);
        }
        ir::Stage start;
        for (const Symbol &arg : def.args) {
            start.args.push_back(ir::make_var(Int(32), arg));
        }
        start.values = op_.identity;
        start.location = location_;
        add(*partial_, start);

        ir::Stage update;
        update.location = location_;
        update.rvars = make_rvars(false, variables);
        for (const Expr &arg : old_.args) {
            update.args.push_back(loops_.over(arg, variables));
        }
        for (const std::string &var : vars_) {
            update.args.push_back(ir::make_var(Int(32), Symbol(SymbolKind::Var, var)));
        }
        for (const Expr &value : old_.values) {
            update.values.push_back(redirected(loops_.over(value, variables), update.args));
        }
        update.predicate = loops_.over(old_.predicate, variables);
        if (const Expr tail = loops_.tail_over(variables); tail.defined()) {
            update.predicate = update.predicate.defined() ? ir::logical_and(tail, update.predicate) : tail;
        }
        add(*partial_, update);
        partial_->def.reassociates = function_.def.reassociates;
        partial_->partial_of = &function_;
        partial_->is_partial = true;
        partial_->used = true;
        partial_->schedule.stages[1] = partial_schedule();
    }

    static void add(Function &function, const ir::Stage &stage) {
        const bool is_update = !function.def.stages.empty();
        function.schedule.stages.push_back(schedule::default_stage_schedule(function.def, stage, is_update));
        function.def.stages.push_back(stage);
        for (Function *callee : callees_of(stage, function)) {
            if (std::find(function.callees.begin(), function.callees.end(), callee) == function.callees.end()) {
                function.callees.push_back(callee);
            }
        }
        for_each_node_of(stage, [&](const Expr &node) { // whose wrappers are computed before the partial results
            ir::Parameter *image = node->kind() == ExprKind::Image ? ir::parameter_of(node->symbol()) : nullptr;
            if (image && std::find(function.images.begin(), function.images.end(), image) == function.images.end()) {
                function.images.push_back(image);
            }
        });
        function.edits++;
    }

    schedule::StageSchedule partial_schedule() const {
        schedule::StageSchedule result = schedule_with_pure_splits();
        for (schedule::Split &split : result.splits) { // partial results read no more than the update did
            split.tail = split.tail == TailStrategy::Auto ? TailStrategy::GuardWithIf : split.tail;
        }
        for (schedule::LoopDim dim : old_schedule_.dims) {
            if (const std::optional<size_t> kept = position_of(rvars_, dim.var)) {
                dim.var = vars_[*kept];
                dim.is_rvar = false;
                dim.reorderable = true;
            }
            result.dims.push_back(dim);
        }
        return result;
    }

    schedule::StageSchedule schedule_with_pure_splits() const {
        schedule::StageSchedule result;
        result.splits = loops_.pure_splits;
        result.allow_race_conditions = old_schedule_.allow_race_conditions;
        result.order_is_free = old_schedule_.order_is_free;
        result.touched = {"rfactor", {}};
        return result;
    }

    // ---- Their combination.

    bool mentions_rvars(const Expr &expr) const {
        bool found = false;
        ir::for_each_node(expr, [&](const Expr &node) {
            found = found || (node->kind() == ExprKind::Variable && node->symbol().kind() == SymbolKind::RVar);
        });
        return found;
    }

    void define_combination() {
        ir::Stage stage;
        stage.location = old_.location;
        ir::SymbolMap<Expr> variables;
        stage.rvars = make_rvars(true, variables);
        for (size_t d = 0; d < old_.args.size(); d++) {
            const bool moves = mentions_rvars(old_.args[d]);
            stage.args.push_back(moves ? ir::make_var(Int(32), function_.def.args[d]) : old_.args[d]);
        }
        std::vector<Expr> partial_args = stage.args;
        for (const std::string &rvar : rvars_) {
            partial_args.push_back(variables.at(loops_.find(rvar)->placeholder->symbol()));
        }
        std::vector<Expr> left, right;
        for (size_t i = 0; i < function_.def.types.size(); i++) {
            const Type type = function_.def.types[i];
            left.push_back(ir::make_call(type, function_.def.symbol, static_cast<int>(i), stage.args));
            right.push_back(ir::make_call(type, partial_->strong_symbol(), static_cast<int>(i), partial_args));
        }
        stage.values = op_.combine(left, right);

        schedule::StageSchedule combined = schedule_with_pure_splits();
        combined.atomic = old_schedule_.atomic;
        for (schedule::LoopDim dim : old_schedule_.dims) {
            if (const RVarLoops::Loop *loop = loops_.find(dim.var); loop && !is_kept(loop->name)) {
                continue;
            }
            for (const ir::ReductionVar &rvar : stage.rvars) {
                if (dim.is_rvar && rvar.name == dim.var) {
                    dim.reorderable = schedule::rvar_is_independent(stage, function_.def.symbol, rvar.var);
                }
            }
            combined.dims.push_back(dim);
        }
        for (size_t d = 0; d < stage.args.size(); d++) {
            if (mentions_rvars(old_.args[d])) { // a loop that the update did not have
                schedule::LoopDim dim;
                dim.var = function_.def.arg_names[d];
                combined.dims.push_back(dim);
            }
        }
        function_.algorithm.emplace(stage_, old_);
        function_.factored.push_back({stage_, old_schedule_, rvars_, vars_, partial_.get()});
        function_.def.stages[stage_] = std::move(stage);
        function_.schedule.stages[stage_] = std::move(combined);
        function_.callees.push_back(partial_.get());
        function_.edits++;
    }
};

} // namespace

const ir::Stage &Function::algorithm_of(size_t stage) const {
    const auto found = algorithm.find(stage);
    return found == algorithm.end() ? def.stages[stage] : found->second;
}

std::vector<Function *> callees_of(const ir::Stage &stage, const Function &caller) {
    std::vector<Function *> found;
    for_each_node_of(stage, [&](const Expr &node) {
        Function *callee = node->kind() == ExprKind::Call ? function_of(node->symbol()) : nullptr;
        if (callee && callee != &caller && std::find(found.begin(), found.end(), callee) == found.end()) {
            found.push_back(callee);
        }
    });
    return found;
}

std::vector<Function *> Function::algorithm_callees() const {
    if (algorithm.empty()) {
        return callees;
    }
    std::vector<Function *> found;
    for (size_t k = 0; k < def.stages.size(); k++) {
        for (Function *callee : callees_of(algorithm_of(k), *this)) {
            if (std::find(found.begin(), found.end(), callee) == found.end()) {
                found.push_back(callee);
            }
        }
    }
    return found;
}

RefPtr<Function> rfactor(Function &function, int stage, const std::vector<std::string> &rvars,
                         const std::vector<std::string> &vars, const Location &location) {
    return Factoring(function, stage, rvars, vars, location).run();
}

} // namespace fluorite::language
