// compute_with: stages that share their outer loops.
//
// Before: for y { g }  for y { f }      After: for y in the union { if y is g's { g }  if y is f's { f } }
//
// One stage, the parent, owns the loops. They range over the union of the ranges of all members, each shifted according
// to its alignment (StageNest::fuse), and a stage runs in the iterations of its own range. Funcs computed at a shared
// loop are computed there for all members.
//
// compute_with connects stages to a graph, and each connected component has one parent. The Funcs of a component are
// made adjacent in LoweringGraph::order, which is possible unless they depend on each other.
// Refuses Funcs that are inlined, loops with different names or kinds, Funcs that depend on each other, and stages that
// no order satisfies.
// Cost: linear in the Funcs for each compute_with.

#include "loopnest/placement/fused_loops.h"

#include "schedule/directives/common.h"
#include "schedule/directives/table.h"
#include "support/check.h"
#include "support/loop_name.h"

#include <algorithm>
#include <set>

namespace fluorite::loopnest {

using namespace ir;
using schedule::ComputeWith;
using schedule::StageSchedule;

namespace {

struct Pair {
    StageId stage;
    const ComputeWith *with = nullptr;
    FuncId other() const { return with->level.func.owner().func; }
};

std::vector<Pair> find_pairs(const LoweringGraph &graph) {
    std::vector<Pair> pairs;
    for (const FuncId id : graph.order) {
        const std::vector<StageSchedule> &stages = graph.schedule(id).stages;
        for (size_t k = 0; k < stages.size(); k++) {
            if (stages[k].with) {
                pairs.push_back({{id, k}, &*stages[k].with});
            }
        }
    }
    return pairs;
}

Refusal refused(const LoweringGraph &graph, const Pair &pair, const char *slug, const std::string &text) {
    const int definition = graph.variant(pair.stage).definition;
    return {slug,
            "in " + graph.func(pair.stage.func).name() + ", stage " + std::to_string(definition) +
                ": it is computed with " + graph.func(pair.other()).name() + ", " + with_dotted_loops(text),
            pair.with->level.location};
}

/// The stage of the working copy that a compute_with names.
Result<StageId> stage_of(const LoweringGraph &graph, const Pair &pair) {
    const FuncId other = pair.other();
    for (size_t k = 0; k < graph.func(other).stages.size(); k++) {
        const StageId stage(other, k);
        if (graph.variant(stage).definition == pair.with->level.stage) {
            const auto [first, end] = graph.alternatives(stage);
            if (end - first > 1) {
                return refused(graph, pair, "compute-with-specialization",
                               "which is specialized; fused loops are one nest; use one of the two");
            }
            return stage;
        }
    }
    return refused(graph, pair, "compute-with-loops-differ",
                   "which has no stage " + std::to_string(pair.with->level.stage) +
                       "; stages are numbered from 0; name one that it has");
}

std::set<FuncId> callees_of(const FuncDef &func) {
    std::set<FuncId> found;
    for (const Stage &stage : func.stages) {
        for (const Expr &expr : stage_exprs(stage)) {
            for_each_node(expr, [&](const Expr &node) {
                if (node->kind() == ExprKind::Call && !(node->symbol() == func.symbol)) {
                    found.insert(node->symbol().owner().func);
                }
            });
        }
    }
    return found;
}

} // namespace

Result<std::vector<FuncId>> fused_order(const LoweringGraph &graph) {
    const std::vector<Pair> pairs = find_pairs(graph);
    if (pairs.empty()) {
        return graph.order;
    }
    const size_t count = graph.pipeline.graph.funcs.size();
    std::vector<size_t> group(count);
    for (size_t i = 0; i < count; i++) {
        group[i] = i;
    }
    for (const Pair &pair : pairs) {
        if (std::find(graph.order.begin(), graph.order.end(), pair.other()) == graph.order.end()) {
            return refused(
                graph, pair, "compute-with-inlined",
                "which is computed inline; what is inlined has no loops; call compute_root() or compute_at() on it");
        }
        const size_t from = group[pair.stage.func.index()], to = group[pair.other().index()];
        std::replace(group.begin(), group.end(), from, to);
    }
    // Groups in topological order: repeatedly append the first one, in the existing order, whose callees are all done.
    std::vector<std::set<FuncId>> callees(count);
    for (const FuncId id : graph.order) {
        callees[id.index()] = callees_of(graph.func(id));
    }
    std::vector<FuncId> order;
    std::vector<bool> done(count, false), computed(count, false);
    for (const FuncId id : graph.order) {
        computed[id.index()] = true;
    }
    auto is_ready = [&](size_t which) {
        return std::all_of(graph.order.begin(), graph.order.end(), [&](FuncId id) {
            return group[id.index()] != which ||
                   std::all_of(callees[id.index()].begin(), callees[id.index()].end(),
                               [&](FuncId callee) { return done[callee.index()] || !computed[callee.index()]; });
        });
    };
    while (order.size() < graph.order.size()) {
        const auto next = std::find_if(graph.order.begin(), graph.order.end(),
                                       [&](FuncId id) { return !done[id.index()] && is_ready(group[id.index()]); });
        if (next == graph.order.end()) {
            const auto stuck = std::find_if(pairs.begin(), pairs.end(),
                                            [&](const Pair &pair) { return !done[pair.stage.func.index()]; });
            return refused(
                graph, *stuck, "compute-with-dependent",
                "and one of the two, or of those that are computed with them, needs the other; loops that are shared "
                "compute both at once; use compute_at");
        }
        const size_t which = group[next->index()];
        for (const FuncId id : graph.order) {
            if (group[id.index()] == which) {
                order.push_back(id);
            }
        }
        for (const FuncId id : order) {
            done[id.index()] = true;
        }
    }
    return order;
}

namespace {

/// Adds stages that share loops, one at a time.
class FusedFinder {
  public:
    explicit FusedFinder(const LoweringGraph &graph) : graph_(graph) {}

    Result<FusedStages> run() {
        std::vector<Pair> left = find_pairs(graph_);
        // A stage may be fused with a stage that is itself fused, so parents are processed first.
        for (size_t rounds = left.size(); !left.empty() && rounds-- > 0;) {
            std::vector<Pair> later;
            for (const Pair &pair : left) {
                const Result<StageId> stage = stage_of(graph_, pair);
                if (!stage) {
                    return stage.refusal();
                }
                const bool waits =
                    std::any_of(left.begin(), left.end(), [&](const Pair &one) { return one.stage == *stage; });
                if (waits) {
                    later.push_back(pair);
                } else if (const Verdict added = add(pair, *stage); !added) {
                    return added.refusal();
                }
            }
            left = std::move(later);
        }
        if (!left.empty()) {
            return refused(graph_, left.front(), "compute-with-order",
                           "which is computed with it in turn; one of them owns the loops; remove one compute_with");
        }
        return std::move(fused_);
    }

  private:
    const LoweringGraph &graph_;
    FusedStages fused_;

    Verdict add(const Pair &pair, StageId stage) {
        const StageSchedule &ours = graph_.schedule(pair.stage), &theirs = graph_.schedule(stage);
        if (const Verdict same = check_loops(pair, ours, theirs); !same) {
            return same;
        }
        const Site owner{stage, LoopId(*schedule::find_loop(theirs, pair.with->level.var))};
        Fusion fusion{owner, LoopId(*schedule::find_loop(ours, pair.with->level.var)), pair.with->align,
                      pair.with->level.location};
        const auto known = fused_.find(stage);
        if (known == fused_.end()) {
            fused_[stage] = {owner, owner.loop, {}, pair.with->level.location};
        } else if (known->second.loop != owner.loop) {
            return refused(
                graph_, pair, "compute-with-loops-differ",
                "which shares another number of loops with a third; all share the same loops; name the same loop");
        } else {
            fusion.parent = known->second.parent;
        }
        fused_[pair.stage] = fusion;
        return {};
    }

    /// Whether both have the loops down to the one that is named, with the same names and kinds.
    Verdict check_loops(const Pair &pair, const StageSchedule &ours, const StageSchedule &theirs) const {
        if (ours.has_step(schedule::Split::Kind::Skew) || theirs.has_step(schedule::Split::Kind::Skew)) {
            return refused(graph_, pair, "compute-with-skewed-loop",
                           "and a loop of one of them is skewed; the range of a shared loop is the same in all "
                           "iterations of those around it; use one of the two directives");
        }
        constexpr auto alone = schedule::DirectiveName::gpu_single_thread;
        if (ours.marks.has(alone) || theirs.marks.has(alone)) {
            return refused(graph_, pair, "compute-with-loops-differ",
                           "and gpu_single_thread is called for one of them; it takes the loops of one stage alone to "
                           "the device; use one of the two directives");
        }
        const auto own = schedule::find_loop(ours, pair.with->level.var),
                   their = schedule::find_loop(theirs, pair.with->level.var);
        const size_t depth = own ? ours.dims.size() - *own : 0;
        bool same = own && their && theirs.dims.size() - *their == depth;
        for (size_t i = 0; same && i < depth; i++) {
            const schedule::LoopDim &a = ours.dims[*own + i], &b = theirs.dims[*their + i];
            same = a.var == b.var;
            if (same && a.for_type != b.for_type) {
                return refused(graph_, pair, "compute-with-loops-differ",
                               "whose loop " + b.var + " is " + schedule::type_word(b.for_type) + ", and its own is " +
                                   schedule::type_word(a.for_type) +
                                   "; a shared loop runs in one way; mark both alike");
            }
        }
        return same ? Verdict()
                    : refused(graph_, pair, "compute-with-loops-differ",
                              "down to loop " + pair.with->level.var + ", but their loops are " +
                                  schedule::join(schedule::loop_names(theirs)) + ", and its own " +
                                  schedule::join(schedule::loop_names(ours)) +
                                  " (innermost first); shared loops, from the outermost in, have the same names; use "
                                  "split, rename and reorder");
    }
};

} // namespace

Result<FusedStages> find_fused(const LoweringGraph &graph) { return FusedFinder(graph).run(); }

std::vector<FuncId> fused_group(const LoweringGraph &graph, const Placement &placement, FuncId id) {
    std::set<FuncId> group = {id};
    for (size_t size = 0; size != group.size();) {
        size = group.size();
        for (const auto &[stage, fusion] : placement.fused) {
            if (group.count(stage.func) || group.count(fusion.parent.func())) {
                group.insert(stage.func);
                group.insert(fusion.parent.func());
            }
        }
    }
    std::vector<FuncId> found;
    for (const FuncId other : graph.order) {
        if (group.count(other)) {
            found.push_back(other);
        }
    }
    return found;
}

namespace {

Result<std::vector<std::vector<Consumer>>> find_order(const LoweringGraph &graph, const Placement &placement,
                                                      const std::vector<FuncId> &funcs) {
    std::vector<std::vector<Consumer>> order;
    std::map<FuncId, size_t> next;
    auto members = [&](const Site &parent) {
        std::vector<Consumer> found = {parent.stage};
        for (const auto &[stage, fusion] : placement.fused) {
            if (fusion.parent == parent && stage.func != parent.func()) {
                found.push_back(stage);
            }
        }
        return found;
    };
    size_t left = 0;
    for (const FuncId id : funcs) {
        left += graph.func(id).stages.size();
    }
    while (left > 0) {
        const size_t before = left;
        for (const FuncId id : funcs) {
            const StageId stage(id, next[id]);
            if (stage.index() >= graph.func(id).stages.size()) {
                continue;
            }
            const Fusion *fusion = placement.fusion(stage);
            const std::vector<Consumer> ready = fusion ? members(fusion->parent) : std::vector<Consumer>{stage};
            if (std::all_of(ready.begin(), ready.end(),
                            [&](const Consumer &one) { return next[one.func] == one.index(); })) {
                order.push_back(ready);
                for (const Consumer &one : ready) {
                    next[one.func]++;
                }
                left -= ready.size();
            }
        }
        if (left == before) {
            const auto stuck = placement.fused.lower_bound({funcs[0], next[funcs[0]]});
            return Refusal{"compute-with-order",
                           "in " + graph.func(funcs[0]).name() +
                               ": its stages are computed with stages that come in another order; the stages of each "
                               "Func run one after the other; fuse them in their order",
                           stuck == placement.fused.end() ? Location() : stuck->second.location};
        }
    }
    return order;
}

} // namespace

Verdict check_order(const LoweringGraph &graph, const Placement &placement) {
    if (placement.fused.empty()) {
        return {};
    }
    for (const FuncId id : graph.order) {
        const std::vector<FuncId> group = fused_group(graph, placement, id);
        if (group.size() > 1 && group.front() == id) {
            if (const auto order = find_order(graph, placement, group); !order) {
                return order.refusal();
            }
        }
    }
    return {};
}

std::vector<std::vector<Consumer>> order_stages(const LoweringGraph &graph, const Placement &placement,
                                                const std::vector<FuncId> &funcs) {
    auto found = find_order(graph, placement, funcs);
    check(static_cast<bool>(found), "stages whose placement is legal have an order");
    std::vector<std::vector<Consumer>> order = std::move(*found);
    return order;
}

} // namespace fluorite::loopnest
