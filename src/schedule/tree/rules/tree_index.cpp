#include "schedule/tree/rules/tree_index.h"

#include <algorithm>

namespace fluorite::schedule {

using Kind = TreeNode::Kind;

void TreeIndex::add(const TreeNode &node, int parent) {
    const size_t at = entries.size();
    entries.push_back({&node, parent});
    for (const TreeNode &child : node.children) {
        add(child, static_cast<int>(at));
    }
    entries[at].end = static_cast<int>(entries.size());
}

std::vector<int> TreeIndex::readers(FuncId func) const {
    std::vector<int> result;
    for (int at : find([](const TreeNode &node) { return node.kind == Kind::Compute && !node.inlined; })) {
        std::set<FuncId> seen;
        if (node(at).func != func && reads(node(at), func, node(at).stage, seen)) {
            result.push_back(at);
        }
    }
    return result;
}

std::vector<int> TreeIndex::own_nodes(int stage_node) const {
    const TreeNode &stage = node(stage_node);
    std::vector<int> found;
    for (int at = stage_node + 1; at < entries[static_cast<size_t>(stage_node)].end; at++) {
        const TreeNode &below = node(at);
        const bool own = below.func == stage.func && below.stage == stage.stage && !below.inlined;
        if (own && (below.kind == Kind::Loop || below.kind == Kind::Compute)) {
            found.push_back(at);
        }
    }
    return found;
}

bool TreeIndex::reads(const TreeNode &at, FuncId func, int stage, std::set<FuncId> &seen) const {
    const ir::FuncDef &def = tree.graph->func(at.func);
    const std::vector<FuncId> called = callees(def, def.stages[static_cast<size_t>(stage)]);
    if (std::find(called.begin(), called.end(), func) != called.end()) {
        return true;
    }
    for (const TreeNode &child : at.children) {
        for (size_t k = 0; k < tree.graph->func(child.func).stages.size(); k++) {
            if (reads(child, func, static_cast<int>(k), seen)) {
                return true;
            }
        }
    }
    return false;
}

} // namespace fluorite::schedule
