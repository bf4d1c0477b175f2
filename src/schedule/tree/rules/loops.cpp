// Rules of loops: splits, widths, and the order and kinds of the loops of a stage, which are asked by replaying them on
// its default schedule.
//
// Except for steps_apply, requires a tree of legal shape.

#include "schedule/directives/table.h"
#include "schedule/tree/rules/rules.h"
#include "schedule/tree/rules/stage_replay.h"
#include "schedule/tree/rules/tree_index.h"

namespace fluorite::schedule {

using Kind = TreeNode::Kind;

void steps_apply(const Tree &tree, Objections &out) {
    for_each_stage(tree, [&](const ir::FuncDef &func, const StageSchedule &rest, int k) {
        if (const std::string refusal = StageReplay(func, rest, k).steps(rest.splits); !refusal.empty()) {
            object(out, "steps", refusal);
        }
    });
}

void widths_constant(const Tree &tree, Objections &out) {
    const TreeIndex index(tree);
    for (int at : index.find([](const TreeNode &node) { return node.kind == Kind::Loop; })) {
        const TreeNode &node = index.node(at);
        if (node.type != ForType::Vectorized && node.type != ForType::Unrolled) {
            continue;
        }
        const ir::FuncDef &func = tree.graph->func(node.func);
        if (!constant_extent(func, tree.rest.func(node.func), node.stage, node.var)) {
            object(out, "width",
                   std::string(type_word(node.type)) + " loop " + node.var + " of " +
                       index.name(node.func, node.stage) + " has no constant extent; split it first");
        }
    }
}

void loops_keep_dependences(const Tree &tree, Objections &out) {
    const TreeIndex index(tree);
    for (int at : index.find([](const TreeNode &node) { return node.kind == Kind::Stage; })) {
        const TreeNode &stage = index.node(at);
        const StageSchedule &rest = tree.rest.stage({stage.func, stage.stage});
        StageReplay replay(tree.graph->func(stage.func), rest, stage.stage);
        std::string refusal = replay.steps(rest.splits);
        std::vector<std::string> order;
        for (int node : index.own_nodes(at)) {
            if (index.node(node).kind == Kind::Loop) {
                order.insert(order.begin(), index.node(node).var);
            }
        }
        if (refusal.empty()) {
            refusal = message_of(reorder(replay.ref, order, {}));
        }
        for (int node : index.own_nodes(at)) {
            const TreeNode &loop = index.node(node);
            if (!refusal.empty() || loop.kind != Kind::Loop) {
                continue;
            }
            refusal = message_of(set_for_type(replay.ref, loop.var, loop.type, {}));
        }
        if (!refusal.empty()) {
            object(out, "reductions", refusal);
        }
    }
}

} // namespace fluorite::schedule
