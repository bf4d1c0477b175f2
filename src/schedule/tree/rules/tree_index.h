#pragma once
// What rules read off a tree: its nodes in the order in which they run, and who reads a Func.

#include "schedule/placement/uses.h"
#include "schedule/text/schedule_text.h"
#include "schedule/tree/tree.h"

#include <set>
#include <string>
#include <vector>

namespace fluorite::schedule {

/// All nodes in the order in which they run, with the way outward.
struct TreeIndex {
    struct Entry {
        const TreeNode *node;
        int parent;
        int end = 0; // one past the last node below
    };
    const Tree &tree;
    std::vector<Entry> entries;

    explicit TreeIndex(const Tree &tree) : tree(tree) { add(tree.root, -1); }

    std::string name(FuncId func) const { return tree.graph->func(func).name(); }
    std::string name(FuncId func, int stage) const { return stage_text(name(func), stage); }

    template <typename Test> std::vector<int> find(const Test &test) const {
        std::vector<int> found;
        for (size_t i = 0; i < entries.size(); i++) {
            if (test(*entries[i].node)) {
                found.push_back(static_cast<int>(i));
            }
        }
        return found;
    }
    std::vector<int> stores(FuncId func) const {
        return find([&](const TreeNode &node) { return node.kind == TreeNode::Kind::Store && node.func == func; });
    }
    std::vector<int> stages(FuncId func) const {
        return find([&](const TreeNode &node) { return node.kind == TreeNode::Kind::Stage && node.func == func; });
    }
    const TreeNode &node(int at) const { return *entries[static_cast<size_t>(at)].node; }
    int parent(int at) const { return entries[static_cast<size_t>(at)].parent; }
    bool holds(int outer, int inner) const { return outer < inner && inner < entries[static_cast<size_t>(outer)].end; }
    bool is_computed(FuncId func) const { return tree.graph->is_output(func) || !stages(func).empty(); }

    /// Compute nodes, not inlined, whose definitions read the Func, directly or through the inlined ones below them.
    std::vector<int> readers(FuncId func) const;
    /// The stage's own loops and compute node below its stage node, outermost first.
    std::vector<int> own_nodes(int stage_node) const;

  private:
    void add(const TreeNode &node, int parent);
    bool reads(const TreeNode &at, FuncId func, int stage, std::set<FuncId> &seen) const;
};

} // namespace fluorite::schedule
