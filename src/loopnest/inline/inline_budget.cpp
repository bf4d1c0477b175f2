// A budget for inlining.
//
// Short programs can produce enormous code. An inlined Func is computed again at each point that calls it, so a chain
// of k Funcs that each read two points that never coincide (2 x and 2 x + 1) has 2^k leaves; inlined reductions and
// specializations copy the Funcs that are computed inside them. Both are counted, and refused beyond the limits of
// budget.h by an error that states the Func, how often it was copied, and what to compute at root instead.
//
// The counts are those of nodes and of the distinct calls that were expanded in the current stage. Cost: linear in what
// is counted.

#include "loopnest/inline/inline_budget.h"

#include "support/check.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace fluorite::loopnest {

using namespace ir;

namespace {

std::string place(const FuncDef &func, size_t stage) { return concat("in ", func.name(), ", stage ", stage, ": "); }

/// The number of all nodes, and the greatest depth.
ExprSize size_of(const Stage &stage) {
    ExprSize total;
    for (const Expr &expr : stage_exprs(stage)) {
        const ExprSize size = loopnest::size_of(expr);
        total.nodes += size.nodes;
        total.levels = std::max(total.levels, size.levels);
    }
    return total;
}

} // namespace

ExprSize size_of(const Expr &expr) {
    ExprSize size;
    std::unordered_map<const ExprNode *, size_t> levels;
    for_each_node(expr, [&](const Expr &node) {
        size_t level = 0;
        for (const Expr &arg : node->args()) {
            const auto found = levels.find(arg.get());
            level = std::max(level, found == levels.end() ? 1 : found->second);
        }
        size.nodes++;
        size.levels = std::max(size.levels, level + 1);
        if (level > 0) { // leaves are many and have one level
            levels[node.get()] = level + 1;
        }
    });
    return size;
}

Verdict InlineBudget::check_written(FuncId id, size_t stage) const {
    const FuncDef &func = graph_.func(id);
    const ExprSize size = size_of(func.stages[stage]);
    if (size.levels > graph_.budget.levels) {
        return Refusal{"expression-too-deep",
                       concat(place(func, stage), "its definition is an expression of ", size.levels,
                              " levels; at most ", graph_.budget.levels,
                              " are compiled; add up over an RDom, or define parts of it as Funcs of their own"),
                       func.stages[stage].location};
    }
    if (size.nodes > graph_.budget.stage_nodes) {
        return Refusal{"program-too-large",
                       concat(place(func, stage), "its definition has ", size.nodes, " operations; at most ",
                              graph_.budget.stage_nodes,
                              " are compiled in one place; use an RDom, or define parts of it as Funcs of their own, "
                              "computed at root"),
                       func.stages[stage].location};
    }
    return {};
}

bool InlineBudget::try_add(size_t walked) {
    const bool fits = walked_ + walked <= graph_.budget.inlined_nodes;
    walked_ += fits ? walked : 0;
    return fits;
}

void InlineBudget::begin_stage(FuncId func, size_t stage) {
    func_ = func, stage_ = stage, level_ = 0;
    copies_.clear();
}

void InlineBudget::note_expanded(FuncId callee, const Expr &definition) {
    copies_[callee]++;
    walked_ += node_count(definition);
    if (walked_ > graph_.budget.inlined_nodes) {
        refuse(concat("more than ", graph_.budget.inlined_nodes, " operations are made"));
    }
}

void InlineBudget::end_stage() {
    if (copies_.empty() || is_exceeded()) {
        return;
    }
    const ExprSize size = size_of(graph_.func(func_).stages[stage_]);
    if (size.nodes > graph_.budget.stage_nodes) {
        refuse(concat(size.nodes, " operations are made"));
    }
    if (size.levels > graph_.budget.levels) {
        refuse_depth();
    }
}

void InlineBudget::refuse_depth() {
    refuse(concat("an expression of more than ", graph_.budget.levels, " levels is made"));
}

// Suggests a Func in the middle: one with so few copies that it has few values to compute, and so many that computing
// them once saves most of the work.
void InlineBudget::refuse(const std::string &seen) {
    if (is_exceeded()) {
        return;
    }
    constexpr size_t most_named = 3;
    std::vector<std::pair<int64_t, FuncId>> inlined;
    for (const auto &[id, count] : copies_) {
        inlined.emplace_back(count, id);
    }
    std::stable_sort(inlined.begin(), inlined.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    const auto name_of = [&](FuncId func) { return graph_.func(func).name(); };
    std::string list;
    for (size_t i = 0; i < inlined.size() && i < most_named; i++) {
        list += concat(list.empty() ? "" : ", ", name_of(inlined[i].second), " ", inlined[i].first, " times");
    }
    if (inlined.size() > most_named) {
        list += concat(" and ", inlined.size() - most_named, " more Funcs");
    }
    const auto few = static_cast<int64_t>(std::sqrt(static_cast<double>(inlined.front().first)));
    const auto middle =
        std::find_if(inlined.begin(), inlined.end(), [&](const auto &one) { return one.first <= 2 * few; });
    const FuncDef &func = graph_.func(func_);
    verdict_ = Refusal{
        "program-too-large",
        concat(place(func, stage_), seen, " of what is inlined in it (", list,
               "); an inlined Func is computed anew at each point that calls it; compute one of them once, as in ",
               name_of(middle == inlined.end() ? inlined.back().second : middle->second), ".compute_root()"),
        func.stages[stage_].location};
}

Verdict check_funcs(const LoweringGraph &graph, FuncId copied) {
    const std::vector<FuncDef> &funcs = graph.pipeline.graph.funcs;
    if (funcs.size() > graph.budget.funcs) {
        const FuncDef &func = graph.func(copied);
        return Refusal{"program-too-large",
                       concat("in ", func.name(), ": the pipeline has more than ", graph.budget.funcs,
                              " Funcs, with copies of those that are computed inside of several others; each stage and "
                              "specialization that uses an inlined reduction gets a copy of it; compute it once, as "
                              "in ",
                              func.name(), ".compute_root()"),
                       func.location};
    }
    return {};
}

} // namespace fluorite::loopnest
