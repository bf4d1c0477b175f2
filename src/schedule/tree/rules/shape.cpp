// Rules of shape: every Func has the nodes that it must have, and no others. The rules of placement and loops rely on
// it. Cost: linear in the tree for each Func.

#include "schedule/tree/rules/rules.h"
#include "schedule/tree/rules/stage_replay.h"
#include "schedule/tree/rules/tree_index.h"

#include <algorithm>
#include <set>

namespace fluorite::schedule {

using Kind = TreeNode::Kind;

namespace {

void check_loops_of_stage(const TreeIndex &index, int stage_node, Objections &out) {
    const TreeNode &stage = index.node(stage_node);
    const ir::FuncDef &func = index.tree.graph->func(stage.func);
    const StageSchedule &rest = index.tree.rest.stage({stage.func, stage.stage});
    StageReplay replay(func, rest, stage.stage);
    replay.steps(rest.splits);
    std::vector<std::string> wanted = loop_names(replay.loops), seen;
    int computes = 0, around = stage_node;
    for (int at : index.own_nodes(stage_node)) {
        computes += index.node(at).kind == Kind::Compute ? 1 : 0;
        if (index.node(at).kind == Kind::Loop) {
            seen.push_back(index.node(at).var);
        }
        if (!index.holds(around, at)) {
            object(out, "nodes", "the loops of " + index.name(stage.func, stage.stage) + " do not lie in each other");
        }
        around = at;
    }
    std::sort(wanted.begin(), wanted.end());
    std::sort(seen.begin(), seen.end());
    if (wanted != seen) {
        object(out, "nodes",
               index.name(stage.func, stage.stage) + " has the loops " + join(seen) +
                   "; its definition and splits make " + join(wanted));
    }
    if (computes != 1 || index.node(around).kind != Kind::Compute) {
        object(out, "nodes",
               index.name(stage.func, stage.stage) + " has " + std::to_string(computes) +
                   " compute nodes inside its loops; it has one");
    }
}

void check_inlined(const TreeIndex &index, const TreeNode &caller, int stage, std::set<FuncId> &drawn,
                   Objections &out) {
    const ir::FuncDef &func = index.tree.graph->func(caller.func);
    std::set<FuncId> wanted, seen;
    const int first = caller.inlined ? 0 : stage;
    const int last = caller.inlined ? static_cast<int>(func.stages.size()) - 1 : stage;
    for (int k = first; k <= last; k++) {
        for (FuncId callee : callees(func, func.stages[static_cast<size_t>(k)])) {
            if (!index.is_computed(callee)) {
                wanted.insert(callee);
            }
        }
    }
    for (const TreeNode &child : caller.children) {
        if (child.kind != Kind::Compute || !child.inlined || !seen.insert(child.func).second) {
            object(out, "inlined",
                   "below the compute node of " + index.name(caller.func, stage) +
                       " stand other nodes than one for each inlined Func that it calls");
            return;
        }
        if (drawn.insert(child.func).second) {
            check_inlined(index, child, 0, drawn, out);
        } else if (!child.children.empty()) {
            object(out, "inlined",
                   "the calls of " + index.name(child.func) + " are drawn twice below one compute node");
        }
    }
    for (FuncId callee : wanted) {
        if (!seen.count(callee)) {
            object(out, "inlined",
                   index.name(callee) + " is not computed in loops, and does not stand below the compute node of " +
                       index.name(caller.func, stage) + ", which reads it");
        }
    }
    for (FuncId callee : seen) {
        if (!wanted.count(callee)) {
            object(out, "inlined",
                   index.name(callee) + " stands below the compute node of " + index.name(caller.func, stage) +
                       (index.is_computed(callee) ? ", but has loops of its own" : ", which does not read it"));
        }
    }
}

} // namespace

void nodes_exist(const Tree &tree, Objections &out) {
    const TreeIndex index(tree);
    for (const ir::FuncDef &func : tree.graph->funcs) {
        const FuncId id = func.id();
        const std::vector<int> stores = index.stores(id), stages = index.stages(id);
        const size_t wanted_stores = tree.graph->is_output(id) || stages.empty() ? 0 : 1;
        if (tree.graph->is_output(id) && stages.empty()) {
            object(out, "nodes", func.name() + " is an output and has no stage node; an output is never inlined");
            continue;
        }
        if (stores.size() != wanted_stores) {
            object(out, "nodes",
                   func.name() + " has " + std::to_string(stores.size()) + " store nodes; " +
                       (tree.graph->is_output(id) ? "an output has none, its caller stores it"
                        : stages.empty()          ? "an inlined Func has none"
                                                  : "a Func that is computed has one"));
        }
        if (!stages.empty() && stages.size() != func.stages.size()) {
            object(out, "nodes",
                   func.name() + " has " + std::to_string(stages.size()) + " stage nodes and " +
                       std::to_string(func.stages.size()) + " stages");
        }
        for (int stage : stages) {
            check_loops_of_stage(index, stage, out);
        }
    }
}

void stages_follow(const Tree &tree, Objections &out) {
    const TreeIndex index(tree);
    for (const ir::FuncDef &func : tree.graph->funcs) {
        const std::vector<int> stages = index.stages(func.id());
        for (size_t k = 0; k < stages.size(); k++) {
            const bool after = k == 0 || stages[k] == index.entries[static_cast<size_t>(stages[k - 1])].end;
            const bool beside = k == 0 || index.parent(stages[k]) == index.parent(stages[k - 1]);
            if (index.node(stages[k]).stage != static_cast<int>(k) || !after || !beside) {
                object(out, "stages",
                       "the stages of " + func.name() + " do not stand side by side in the order of its definitions");
                break;
            }
        }
    }
}

void inlined_below_callers(const Tree &tree, Objections &out) {
    const TreeIndex index(tree);
    for (int at : index.find([](const TreeNode &node) { return node.kind == Kind::Compute && !node.inlined; })) {
        std::set<FuncId> drawn;
        check_inlined(index, index.node(at), index.node(at).stage, drawn, out);
    }
    for_each_stage(tree, [&](const ir::FuncDef &func, const StageSchedule &rest, int k) {
        if (!index.is_computed(func.id()) && !rest.splits.empty()) {
            object(out, "inlined", index.name(func.id(), k) + " has splits, but is inlined and has no loops");
        }
    });
}

} // namespace fluorite::schedule
