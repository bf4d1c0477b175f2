// Inlining on the graph, before any loop exists.
//
// Before: f(x) = g(x - 1) + g(x + 1), g(x) = h(x) * 2 inlined.    After: f(x) = h(x - 1) * 2 + h(x + 1) * 2.
//
// Pure Funcs scheduled inline are substituted into their consumers, starting with the last consumers: a call is
// replaced by the definition as written, whose calls are then expanded as well. Each distinct call (Func, value,
// coordinates) is expanded once and shared. Coordinates are simplified so that equal points have equal expressions: a
// chain of k inlined stencils gives a graph of O(k^2) nodes, not 3^k. If the expressions of a stage then share many
// nodes, the shared values are bound with Let, so that later passes, which traverse trees, remain linear.
//
// A Func with updates has no expression. If it is scheduled inline, it is cloned for every consuming stage and computed
// inside the innermost loop of that stage.
//
// Refuses directives on the loops, the region or the storage of an inlined pure Func, where they could have no effect.
// Relies on rewrite::simplify for coordinates. Cost: linear in the nodes of the result, whose number is limited
// (budget.h).

#include "loopnest/inline/inline.h"

#include "analysis/func_ranges.h"
#include "ir/access.h"
#include "ir/let_symbol.h"
#include "loopnest/inline/clone.h"
#include "loopnest/inline/compute_in_stages.h"
#include "loopnest/inline/hint_clamps.h"
#include "loopnest/inline/inline_budget.h"
#include "loopnest/inline/inline_memo.h"
#include "loopnest/inline/inlined_directives.h"
#include "loopnest/inline/memoize_key.h"
#include "loopnest/inline/periodic_funcs.h"
#include "loopnest/inline/specialize.h"
#include "loopnest/placement/fused_loops.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <functional>
#include <map>

namespace fluorite::loopnest {

using namespace ir;

namespace {

bool is_inlined(const LoweringGraph &graph, FuncId id) {
    return !graph.pipeline.graph.is_output(id) && graph.schedule(id).compute.is_inlined();
}

bool is_pure(const FuncDef &func) { return func.stages.size() == 1; }

/// Whether calls of the Func are replaced by its expression.
bool is_substituted(const LoweringGraph &graph, FuncId id) { return is_inlined(graph, id) && is_pure(graph.func(id)); }

// Replaces calls of inlined pure Funcs, including the calls in their definitions.
class Inliner {
  public:
    explicit Inliner(LoweringGraph &graph) : graph_(graph), budget_(graph) {}

    /// Refuses definitions that are too large to be traversed.
    Verdict check_written(FuncId id) const {
        for (size_t k = 0; k < graph_.func(id).stages.size(); k++) {
            if (const Verdict written = budget_.check_written(id, k); !written) {
                return written;
            }
        }
        return {};
    }
    /// Expands all stages of a Func, as far as the budget allows it.
    Verdict expand_func(FuncId id, InlineMemo &known) {
        std::vector<Stage> &stages = graph_.pipeline.graph.funcs[id.index()].stages;
        const InlineMemo::Expansion *expansion =
            known.find_expansion(id, [&](FuncId callee) { return is_substituted(graph_, callee); });
        if (expansion && budget_.try_add(expansion->walked)) {
            stages = expansion->stages;
            return {};
        }
        memo_.clear();
        met_.clear();
        const size_t before = budget_.walked();
        for (size_t k = 0; k < stages.size(); k++) {
            budget_.begin_stage(id, k);
            change_exprs(stages[k], [&](const Expr &expr) { return expand(expr); });
            budget_.end_stage();
        }
        if (!budget_.is_exceeded()) {
            known.keep_expansion(id, {{met_.begin(), met_.end()}, stages, budget_.walked() - before});
        }
        return budget_.verdict();
    }

  private:
    LoweringGraph &graph_;
    InlineBudget budget_;
    ExprMap<Expr> memo_;         // of one Func
    std::map<FuncId, bool> met_; // the Funcs that it calls, and whether their calls are substituted
    int depth_ = 0;              // the nesting of definitions that have replaced calls

    Expr expand(const Expr &expr) {
        auto found = memo_.find(expr);
        if (found != memo_.end()) {
            return found->second;
        }
        const InlineBudget::Level level(budget_);
        if (budget_.is_exceeded()) {
            return expr;
        }
        Expr result = map_operands(expr, [&](const Expr &operand) { return expand(operand); });
        if (result->kind() == ExprKind::Call) {
            result = expand_call(result);
        } else if (result->kind() == ExprKind::Image && (depth_ > 0 || !result.same_as(expr))) {
            result = simplify_coordinates(result);
        }
        memo_.emplace(expr, result);
        return result;
    }

    // Simplifies coordinates so that equal points have equal expressions. In large coordinates that depend on memory,
    // only the arithmetic outside of their own reads is simplified: the coordinates of these reads are simplified
    // already, and simplifying them again for every enclosing call would take quadratic time.
    static Expr simplify_coordinates(const Expr &call) {
        constexpr size_t most = 64;
        return map_operands(call, [](const Expr &arg) {
            return arg->reads_memory() && has_more_nodes(arg, most) ? simplify_around_reads(arg, most)
                                                                    : rewrite::simplify(arg);
        });
    }

    // Simplifies with each outermost read as one read without coordinates, if at most so many nodes are then left. Such
    // a coordinate may lose its reads altogether, as min(cast<int32>(f(...):uint8), 0) does.
    static Expr simplify_around_reads(const Expr &expr, size_t most) {
        ExprMap<Expr> outlined;
        ExprMap<Expr> reads;
        const std::function<Expr(const Expr &)> outline = [&](const Expr &node) {
            const auto found = outlined.find(node);
            if (found != outlined.end()) {
                return found->second;
            }
            Expr result = node;
            if (is_access(node)) {
                result =
                    make_image(node->type(), Symbol(SymbolKind::Buffer, "read" + std::to_string(reads.size())), {});
                reads.emplace(result, node);
            } else if (outlined.size() <= most) {
                result = map_operands(node, outline);
            }
            outlined.emplace(node, result);
            return result;
        };
        const Expr arithmetic = outline(expr);
        if (outlined.size() > most) {
            return expr;
        }
        ExprMap<Expr> restored;
        const std::function<Expr(const Expr &)> restore = [&](const Expr &node) {
            const auto read = reads.find(node);
            if (read != reads.end()) {
                return read->second;
            }
            const auto found = restored.find(node);
            return found != restored.end() ? found->second
                                           : restored.emplace(node, map_operands(node, restore)).first->second;
        };
        return restore(rewrite::simplify(arithmetic));
    }

    Expr expand_call(const Expr &call) {
        FuncId callee = call->symbol().owner().func;
        const FuncDef &func = graph_.func(callee);
        Expr simple = simplify_coordinates(call);
        const bool takes_place = is_substituted(graph_, callee);
        met_.emplace(callee, takes_place);
        if (!takes_place) {
            return simple;
        }
        auto found = memo_.find(simple);
        if (found != memo_.end()) {
            return found->second;
        }
        SymbolMap<Expr> values;
        for (size_t d = 0; d < func.args.size(); d++) {
            values[func.args[d]] = simple->arg(d);
        }
        const Expr &definition = func.stages[0].values[simple->member().position()];
        budget_.note_expanded(callee, definition);
        depth_++;
        Expr result = expand(substitute(definition, values));
        depth_--;
        memo_.emplace(simple, result);
        return result;
    }
};

// Binds values that are used more than once, if the expression is much larger as a tree than as a graph.
class Sharing {
  public:
    explicit Sharing(std::string prefix) : prefix_(std::move(prefix)) {}

    Expr bind(const Expr &expr) {
        size_t nodes = node_count(expr);
        if (tree_size(expr) < 4 * nodes + 256) {
            return expr;
        }
        count_uses(expr);
        Expr body = rebuild(expr);
        for (size_t i = lets_.size(); i-- > 0;) {
            body = make_let(lets_[i].first, lets_[i].second, body);
        }
        return body;
    }

  private:
    std::string prefix_;
    std::unordered_map<const ExprNode *, int> uses_;
    std::unordered_map<const ExprNode *, Expr> done_;
    std::unordered_map<const ExprNode *, double> sizes_;
    std::vector<std::pair<Symbol, Expr>> lets_;

    double tree_size(const Expr &expr) {
        auto found = sizes_.find(expr.get());
        if (found != sizes_.end()) {
            return found->second;
        }
        double size = 1;
        for (const Expr &arg : expr->args()) {
            size += tree_size(arg);
        }
        sizes_[expr.get()] = size;
        return size;
    }

    // A read at coordinates that read nothing: it is left unchanged, so that dense accesses are recognized.
    static bool is_plain_access(const Expr &expr) {
        if (expr->kind() != ExprKind::Call && expr->kind() != ExprKind::Image) {
            return false;
        }
        bool plain = true;
        for (const Expr &arg : expr->args()) {
            for_each_node(arg, [&](const Expr &node) {
                plain = plain && node->kind() != ExprKind::Call && node->kind() != ExprKind::Image;
            });
        }
        return plain;
    }

    void count_uses(const Expr &expr) {
        if (uses_[expr.get()]++ > 0 || is_plain_access(expr)) {
            return;
        }
        for (const Expr &arg : expr->args()) {
            count_uses(arg);
        }
    }

    Expr rebuild(const Expr &expr) {
        auto found = done_.find(expr.get());
        if (found != done_.end()) {
            return found->second;
        }
        Expr result =
            is_plain_access(expr) ? expr : map_operands(expr, [&](const Expr &operand) { return rebuild(operand); });
        bool worth = expr->arg_count() > 0 && uses_[expr.get()] > 1 && expr->kind() != ExprKind::Broadcast &&
                     !(expr.type() == Int(32) && sizes_[expr.get()] < 8);
        if (worth) {
            const Symbol symbol = let_symbol(prefix_ + ".t" + std::to_string(lets_.size()), result);
            lets_.emplace_back(symbol, result);
            result = make_var(expr.type(), symbol);
        }
        done_.emplace(expr.get(), result);
        return result;
    }
};

// Schedules a reduction that is computed inline at the innermost loop of its consumer.
void place_in_consumer(LoweringGraph &graph, FuncId id, const Consumer &consumer) {
    const schedule::StageSchedule &loops = graph.schedule(consumer);
    std::string var = loops.dims.empty() ? "__outermost" : "__innermost";
    graph.pipeline.schedule.func(id).compute =
        schedule::LoopLevel::at(graph.func(consumer.func).symbol, consumer.stage, var, graph.func(id).location);
}

} // namespace

std::vector<Expr> stage_exprs(const Stage &stage) {
    std::vector<Expr> exprs = stage.values;
    exprs.insert(exprs.end(), stage.args.begin(), stage.args.end());
    if (stage.predicate.defined()) {
        exprs.push_back(stage.predicate);
    }
    for (const ReductionVar &rvar : stage.rvars) {
        exprs.push_back(rvar.min);
        exprs.push_back(rvar.extent);
    }
    return exprs;
}

/// Removes tags, which only memoize_key reads.
static Expr without_tags(const Expr &expr) {
    return transform(expr,
                     [](const Expr &node) { return node->kind() == ExprKind::MemoizeTag ? Expr(node->arg(0)) : node; });
}

std::vector<FuncId> find_callees(const FuncDef &func, const Stage &stage, InlineMemo &memo) {
    std::vector<FuncId> ids;
    for (const Expr &expr : stage_exprs(stage)) {
        if (expr->arg_count() > 0 || expr->kind() == ExprKind::Call) {
            const std::vector<FuncId> &callees = memo.callees(expr);
            ids.insert(ids.end(), callees.begin(), callees.end());
        }
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    ids.erase(std::remove(ids.begin(), ids.end(), func.id()), ids.end());
    return ids;
}

std::vector<std::vector<Consumer>> find_consumers(const LoweringGraph &graph, InlineMemo &memo) {
    std::vector<std::vector<Consumer>> consumers(graph.pipeline.graph.funcs.size());
    for (FuncId id : graph.order) {
        const FuncDef &func = graph.func(id);
        for (size_t k = 0; k < func.stages.size(); k++) {
            for (FuncId callee : find_callees(func, func.stages[k], memo)) {
                consumers[callee.index()].push_back({id, k});
            }
        }
    }
    return consumers;
}

static void finish_stages(LoweringGraph &graph, InlineMemo &memo) {
    const auto finish = [](const Expr &expr) { return hint_clamps(without_tags(expr)); };
    for (FuncId id : graph.order) {
        FuncDef &func = graph.pipeline.graph.funcs[id.index()];
        for (size_t k = 0; k < func.stages.size(); k++) {
            change_exprs(func.stages[k], [&](const Expr &expr) {
                return expr->arg_count() == 0 ? expr : memo.applied("finish", expr, finish);
            });
            for (size_t v = 0; v < func.stages[k].values.size(); v++) {
                const std::string prefix = func.name() + ".s" + std::to_string(k) + ".v" + std::to_string(v);
                Expr &value = func.stages[k].values[v];
                value = memo.applied(prefix, value, [&](const Expr &expr) { return Sharing(prefix).bind(expr); });
            }
        }
    }
}

/// Bounds coordinates that depend on values of computed Funcs; see analysis/func_ranges.cpp.
static void bound_coordinates(LoweringGraph &graph, InlineMemo &memo) {
    const auto has_indirect = [&](const Expr &expr) {
        bool found = false;
        for_each_node(expr, [&](const Expr &node) {
            const bool has_coordinates = node->kind() == ExprKind::Call || node->kind() == ExprKind::Image;
            for (size_t i = 0; has_coordinates && !found && i < node->arg_count(); i++) {
                found = !memo.callees(node->arg(i)).empty();
            }
        });
        return make_bool(found);
    };
    analysis::FuncRanges ranges(graph.pipeline.graph);
    for (FuncId id : graph.order) {
        for (Stage &stage : graph.pipeline.graph.funcs[id.index()].stages) {
            change_exprs(stage, [&](const Expr &expr) {
                const bool calls = expr->arg_count() > 0 && !memo.callees(expr).empty();
                return calls && is_true(memo.applied("has_indirect", expr, has_indirect))
                           ? ranges.with_bounded_coordinates(expr, id)
                           : expr;
            });
            for (Expr &arg : stage.args) {
                arg = memo.callees(arg).empty() ? arg : ranges.bounded(arg, id);
            }
        }
    }
}

/// Replaces the calls in a Func, unless its own calls are replaced.
static Verdict expand(Inliner &inliner, const LoweringGraph &graph, FuncId id, InlineMemo &known) {
    if (is_inlined(graph, id)) {
        if (Verdict effects = check_inlined(graph.func(id), graph.schedule(id)); !effects) {
            return effects;
        }
    }
    if (!known.is_checked) {
        if (Verdict written = inliner.check_written(id); !written) {
            return written;
        }
    }
    return is_substituted(graph, id) ? Verdict() : inliner.expand_func(id, known);
}

static Verdict order_funcs(LoweringGraph &graph) {
    Result<std::vector<FuncId>> order = fused_order(graph);
    if (order) {
        graph.order = std::move(*order);
    }
    return order.verdict();
}

/// Gives each Func one site and each specialization a stage, and finds the keys of memoized Funcs.
static Verdict make_stages(LoweringGraph &graph, InlineMemo &known) {
    if (Verdict placed = compute_in_stages(graph, known); !placed) {
        return placed;
    }
    // What has no order is refused before specializations ask where it is.
    if (Verdict ordered = fused_order(graph).verdict(); !ordered) {
        return ordered;
    }
    if (Verdict specialized = specialize(graph, known); !specialized) {
        return specialized;
    }
    if (Verdict ordered = order_funcs(graph); !ordered) {
        return ordered;
    }
    for (FuncId id : graph.order) {
        if (graph.schedule(id).marks.has(schedule::DirectiveName::memoize)) {
            Result<std::vector<Expr>> key = memoize_key(graph, id);
            if (!key) {
                return key.refusal();
            }
            graph.memoize_keys[id.value] = std::move(*key);
        }
    }
    return {};
}

Result<LoweringGraph> inline_funcs(schedule::ScheduledGraph pipeline, const Budget &budget, InlineMemo *memo) {
    InlineMemo own;
    InlineMemo &known = memo ? *memo : own;
    LoweringGraph graph{pipeline.rewritten ? *pipeline.rewritten : std::move(pipeline), {}, {}, {}, {}, budget};
    size_t original = graph.pipeline.graph.funcs.size();
    Inliner inliner(graph);
    for (size_t i = 0; i < original; i++) {
        FuncId id(i);
        if (const Verdict verdict = expand(inliner, graph, id, known); !verdict) {
            return verdict.refusal();
        }
    }
    known.is_checked = true;
    // Consumers before producers: a Func is live if it is an output or if a live Func calls it.
    std::vector<FuncId> reversed;
    std::map<FuncId, std::vector<Consumer>> users;
    auto make_live = [&](FuncId id) {
        reversed.push_back(id);
        const FuncDef &func = graph.func(id);
        for (size_t k = 0; k < func.stages.size(); k++) {
            for (FuncId callee : find_callees(func, func.stages[k], known)) {
                users[callee].emplace_back(id, k);
            }
        }
    };
    for (size_t i = original; i-- > 0;) {
        FuncId id(i);
        if (graph.pipeline.graph.is_output(id) || (!is_inlined(graph, id) && users.count(id))) {
            make_live(id);
            continue;
        }
        if (!users.count(id)) {
            continue; // not live
        }
        Symbol symbol = graph.func(id).symbol;
        const std::vector<Consumer> consumers = users[id];
        for (size_t u = 0; u < consumers.size(); u++) {
            const Consumer &consumer = consumers[u];
            if (const Verdict fits = u == 0 ? Verdict() : check_funcs(graph, id); !fits) {
                return fits.refusal();
            }
            FuncId instance = u == 0 ? id : clone_func(graph, id, "$" + std::to_string(u), CopyReason::FurtherStage);
            Symbol to = graph.func(instance).symbol;
            if (u > 0) {
                change_exprs(graph.pipeline.graph.funcs[consumer.func.index()].stages[consumer.index()],
                             [&](const Expr &expr) { return retarget(expr, symbol, to); });
            }
            make_live(instance);
            place_in_consumer(graph, instance, consumer);
        }
    }
    graph.order.assign(reversed.rbegin(), reversed.rend());
    if (const Verdict ordered = make_stages(graph, known); !ordered) {
        return ordered.refusal();
    }
    read_periodic_funcs(graph);
    bound_coordinates(graph, known);
    finish_stages(graph, known);
    graph.consumers = find_consumers(graph, known);
    return graph;
}

} // namespace fluorite::loopnest
