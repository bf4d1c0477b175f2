// Uses of Funcs.
//
// Consumers come first, so that all uses of an inlined Func are known when it hands them on. Cost: linear in the nodes
// of the graph and in the uses.

#include "schedule/placement/uses.h"

#include <algorithm>

namespace fluorite::schedule {

bool is_inlined(const ir::Graph &graph, const Schedule &schedule, FuncId func) {
    return !graph.is_output(func) && schedule.func(func).compute.is_inlined();
}

std::vector<FuncId> callees(const ir::FuncDef &func, const ir::Stage &stage) {
    std::vector<FuncId> ids;
    auto visit = [&](const Expr &expr) {
        ir::for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ir::ExprKind::Call && !(node->symbol() == func.symbol)) {
                ids.emplace_back(node->symbol().owner().func);
            }
        });
    };
    for (const std::vector<Expr> *list : {&stage.args, &stage.values}) {
        std::for_each(list->begin(), list->end(), visit);
    }
    if (stage.predicate.defined()) {
        visit(stage.predicate);
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

namespace {

/// Adds the uses that a Func makes. Precondition: all uses of the Func itself are known.
void add_uses_by(const ir::FuncDef &func, bool hands_on, std::vector<std::vector<StageId>> &uses) {
    std::vector<StageId> &own = uses[func.id().index()];
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    for (size_t k = 0; k < func.stages.size(); k++) {
        for (FuncId callee : callees(func, func.stages[k])) {
            std::vector<StageId> &its = uses[callee.index()];
            if (hands_on) {
                its.insert(its.end(), own.begin(), own.end());
            } else {
                its.emplace_back(func.id(), k);
            }
        }
    }
}

} // namespace

PlacementRules::Nests nests_of(const ir::Graph &graph, const Schedule &schedule) {
    PlacementRules::Nests nests;
    nests.uses.resize(graph.funcs.size());
    for (size_t i = graph.funcs.size(); i-- > 0;) {
        add_uses_by(graph.funcs[i], is_inlined(graph, schedule, FuncId(i)), nests.uses);
    }
    for (const ir::FuncDef &func : graph.funcs) {
        nests.order.push_back(func.id());
        nests.has_updates.push_back(func.stages.size() > 1);
    }
    return nests;
}

} // namespace fluorite::schedule
