// Skipping of stages whose values are not needed.
//
// For f(x, y) = select(p > 0, g(x, y), h(x, y)), where g and h have loops of their own:
//   produce g { .. } consume g { produce h { .. } .. }
//   -->  if (p > 0) { produce g { .. } } consume g { if (!(p > 0)) { produce h { .. } } .. }
// The consumer then reads memory that was not written, but the select discards the value.
//
// Method. For each stage of a consumer, find the condition under which its expressions read the Func: a select reads a
// branch under its condition, an update reads everything under its predicate, every other expression reads what its
// operands read. A condition can be used if it is valid at the site where the Func is computed: it may depend on
// Params, and on loops that enclose the site if the Func is also stored there (a sliding window relies on earlier
// iterations). A consumer that is itself skipped by a condition over Params adds this condition.
//
// Does not skip what is observable: Funcs with print, require or C functions in their definitions, and Funcs that read
// these; nothing if anything is traced. Does not skip outputs, async Funcs and Funcs with fused stages, nor handle
// conditions that vary within one computation of the Func. Relies on: coordinates that depend on unread values being
// clamped, as bounds inference demands. Cost: linear in the stages.

#include "lowering/from_nest/skip_stages.h"

#include "ir/expr_traits.h"
#include "ir/operations.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <unordered_map>

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;

namespace {

constexpr size_t largest_condition = 40; // nodes

Expr no() { return make_bool(false); }
Expr yes() { return make_bool(true); }
Expr either(const Expr &a, const Expr &b) {
    return is_true(a) || is_true(b) ? yes() : is_false(a) ? b : is_false(b) ? a : make_binary(ExprKind::Or, a, b);
}
Expr both(const Expr &a, const Expr &b) {
    return is_false(a) || is_false(b) ? no() : is_true(a) ? b : is_true(b) ? a : logical_and(a, b);
}

/// The condition under which the value of an expression needs a value of a Func, over the variables of the definition.
class ReadCondition {
  public:
    explicit ReadCondition(const Symbol &func) : func_(func) {}

    Expr of(const Expr &expr) {
        const auto known = done_.find(expr.get());
        if (known != done_.end()) {
            return known->second;
        }
        Expr result = no();
        const bool is_select = expr->kind() == ExprKind::Select && expr->arg(0).type().is_scalar();
        const Expr condition = is_select ? plain(expr->arg(0)) : Expr();
        if (expr->kind() == ExprKind::Call && expr->symbol() == func_) {
            result = yes();
        } else if (condition.defined()) {
            result = either(of(expr->arg(0)), either(both(condition, of(expr->arg(1))),
                                                     both(make_unary(ExprKind::Not, condition), of(expr->arg(2)))));
        } else {
            for (const Expr &arg : expr->args()) {
                result = either(result, of(arg));
            }
        }
        result = node_count(result) > largest_condition ? yes() : result;
        done_.emplace(expr.get(), result);
        return result;
    }

    /// The condition without hints, if no node of it is data, a let, or has an effect; otherwise undefined.
    static Expr plain(const Expr &condition) {
        bool ok = condition.type().is_bool();
        const Expr result = transform(condition, [&](const Expr &node) {
            const ExprKind kind = node->kind();
            ok = ok && !is_data(kind) && !may_have_effect(kind) && kind != ExprKind::Let;
            return is_hint(kind) ? node->arg(0) : node;
        });
        return ok ? result : Expr();
    }

  private:
    const Symbol &func_;
    std::unordered_map<const ExprNode *, Expr> done_; // nodes live as long as the stage
};

class Needs {
  public:
    explicit Needs(const BoundedLoopNest &nest)
        : graph_(nest.graph), placement_(nest.placement), regions_(nest.regions), consumers_(graph_.consumers),
          effects_(consumers_.size()), result_(consumers_.size()) {}

    std::vector<Expr> run() {
        const Graph &graph = graph_.pipeline.graph;
        for (const FuncDef &func : graph.funcs) {
            if (graph.trace_pipeline || func.trace_loads || func.trace_stores || func.trace_realizations ||
                !func.debug_file.empty()) {
                return result_;
            }
        }
        for (const InputDef &input : graph.inputs) {
            if (input.trace_loads) {
                return result_;
            }
        }
        for (FuncId id : graph_.order) {
            note_effects(id);
        }
        for (size_t i = graph_.order.size(); i-- > 0;) {
            const FuncId id = graph_.order[i];
            if (!graph.is_output(id) && !effects_[id.index()] && !is_fused(id) &&
                !graph_.schedule(id).marks.has(schedule::DirectiveName::async)) {
                const Expr need = rewrite::simplify(need_of(id));
                result_[id.index()] = is_true(need) ? Expr() : need;
            }
        }
        return result_;
    }

  private:
    const LoweringGraph &graph_;
    const Placement &placement_;
    const Regions &regions_;
    std::vector<std::vector<Consumer>> consumers_;
    std::vector<bool> effects_; // whether a Func, or one that it reads, has an effect
    std::vector<Expr> result_;
    std::unordered_map<const Stage *, bool> reads_always_;

    // A fused stage runs for the sake of the other stages too.
    bool is_fused(FuncId id) const {
        bool found = false;
        for (size_t k = 0; k < graph_.func(id).stages.size(); k++) {
            found = found || placement_.fusion({id, k}) != nullptr;
        }
        return found;
    }

    void note_effects(FuncId id) {
        for (const Stage &stage : graph_.func(id).stages) {
            for (const Expr &expr : stage_exprs(stage)) {
                effects_[id.index()] = effects_[id.index()] || has_effect(expr);
                for_each_node(expr, [&](const Expr &node) {
                    if (node->kind() == ExprKind::Call) {
                        const size_t callee = node->symbol().owner().func.index();
                        effects_[id.index()] = effects_[id.index()] || effects_[callee];
                    }
                });
            }
        }
    }

    /// Whether a stage reads whatever it calls in each of its iterations. A stage may call a thousand Funcs, so this is
    /// found once.
    bool reads_always(const Stage &stage) {
        const auto [at, is_new] = reads_always_.try_emplace(&stage, !stage.predicate.defined());
        if (is_new && at->second) {
            bool chooses = false;
            for (const Expr &expr : stage_exprs(stage)) {
                for_each_node(expr, [&](const Expr &node) { chooses = chooses || node->kind() == ExprKind::Select; });
            }
            at->second = !chooses;
        }
        return at->second;
    }

    Expr need_of(FuncId id) {
        Expr need = no();
        for (const Consumer &consumer : consumers_[id.index()]) {
            const Stage &stage = graph_.stage(consumer);
            if (reads_always(stage)) {
                need = either(need, at_site(yes(), id, consumer));
                continue;
            }
            ReadCondition reads(graph_.func(id).symbol);
            Expr here = no(), guarded = no();
            const std::vector<Expr> exprs = stage_exprs(stage);
            for (size_t i = 0; i < exprs.size(); i++) {
                Expr &sum = i < stage.values.size() + stage.args.size() ? guarded : here;
                sum = either(sum, reads.of(exprs[i]));
            }
            const Expr predicate = stage.predicate.defined() ? ReadCondition::plain(stage.predicate) : Expr();
            need = either(need, either(at_site(here, id, consumer),
                                       predicate.defined()
                                           ? both(at_site(predicate, id, consumer), at_site(guarded, id, consumer))
                                           : at_site(guarded, id, consumer)));
        }
        return need;
    }

    // The condition of a consumer's stage at the Func's site; true if it cannot be expressed there.
    Expr at_site(const Expr &condition, FuncId id, const Consumer &consumer) const {
        const StageNest &nest = regions_.nest(consumer);
        const Site &site = placement_.compute[id.index()];
        const bool encloses =
            placement_.fusion(consumer) == nullptr && site.stage == consumer && site == placement_.store[id.index()];
        const Expr over_loops = substitute(condition, nest.values());
        bool ok = true;
        for_each_node(over_loops, [&](const Expr &node) {
            if (node->kind() == ExprKind::Variable && node->symbol().kind() != SymbolKind::Param) {
                ok = ok && encloses && is_invariant(nest, node->symbol(), site.loop.value);
            }
        });
        const Expr said = ok ? over_loops : yes();
        const Expr &outer = result_[consumer.func.index()];
        return outer.defined() && uses_params_only(outer) ? both(outer, said) : said;
    }

    static bool is_invariant(const StageNest &nest, const Symbol &symbol, int loop) {
        for (size_t i = 0; i < nest.loops().size(); i++) {
            if (nest.loops()[i].var == symbol) {
                return static_cast<int>(i) >= loop;
            }
        }
        return std::any_of(nest.defs().begin(), nest.defs().end(),
                           [&](const NestDef &def) { return def.symbol == symbol && def.depth >= loop; });
    }

    static bool uses_params_only(const Expr &condition) {
        bool only = true;
        for_each_node(condition, [&](const Expr &node) {
            only = only && (node->kind() != ExprKind::Variable || node->symbol().kind() == SymbolKind::Param);
        });
        return only;
    }
};

} // namespace

std::vector<Expr> find_needs(const BoundedLoopNest &nest) { return Needs(nest).run(); }

} // namespace fluorite::lowering
