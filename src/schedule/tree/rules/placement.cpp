// Rules of placement: where Funcs are computed and stored. Order and scopes are read off the tree; for the others, the
// placement rules are asked about the sites of nodes.
//
// Requires a tree of legal shape. Cost: linear in the tree for each Func, times depth for scopes.

#include "schedule/directives/table.h"
#include "schedule/placement_rules.h"
#include "schedule/tree/rules/rules.h"
#include "schedule/tree/rules/tree_index.h"

#include <algorithm>
#include <optional>

namespace fluorite::schedule {

using Kind = TreeNode::Kind;

namespace {

// The placement rules, asked about the places that nodes have.
class Placed {
  public:
    explicit Placed(const Tree &tree) : index_(tree), schedule_(tree.rest) {
        for (int at : index_.find([](const TreeNode &node) { return node.kind == Kind::Stage; })) {
            std::vector<LoopDim> &dims = stage(index_.node(at)).dims;
            dims.clear();
            for (int node : index_.own_nodes(at)) {
                if (index_.node(node).kind == Kind::Loop) {
                    LoopDim dim;
                    dim.var = index_.node(node).var;
                    dim.for_type = index_.node(node).type;
                    dims.insert(dims.begin(), dim);
                }
            }
        }
        PlacementRules::Nests nests;
        for (const ir::FuncDef &func : tree.graph->funcs) {
            nests.order.push_back(func.id());
            nests.has_updates.push_back(func.stages.size() > 1);
            nests.uses.emplace_back();
            for (int reader : index_.readers(func.id())) {
                nests.uses.back().push_back({index_.node(reader).func, index_.node(reader).stage});
            }
        }
        rules_.emplace(schedule_, std::move(nests));
        for (size_t i = tree.graph->funcs.size(); i-- > 0;) {
            if (const std::vector<int> stages = index_.stages(FuncId(i)); !stages.empty()) {
                rules_->move(FuncId(i), place_around(stages[0]));
            }
        }
    }

    const TreeIndex &index() const { return index_; }
    const PlacementRules &rules() const { return *rules_; }
    /// The site that a node stands at.
    Site place_around(int at) const {
        at = index_.parent(at);
        while (index_.node(at).kind == Kind::Store) {
            at = index_.parent(at);
        }
        const TreeNode &node = index_.node(at);
        if (node.kind == Kind::Root) {
            return Site::root();
        }
        const std::vector<LoopDim> &dims = stage(node).dims;
        const auto found = std::find_if(dims.begin(), dims.end(), [&](const LoopDim &dim) {
            return node.kind == Kind::Loop && dim.var == node.var;
        });
        return {{node.func, node.stage}, LoopId(position_in(dims, found))};
    }
    bool encloses(const Site &place, int reader) const {
        std::vector<Site> path;
        rules_->path_of({index_.node(reader).func, index_.node(reader).stage}, path);
        return std::find(path.begin(), path.end(), place) != path.end();
    }

  private:
    const TreeIndex index_;
    Schedule schedule_;
    std::optional<PlacementRules> rules_;

    StageSchedule &stage(const TreeNode &node) { return schedule_.stage({node.func, node.stage}); }
    const StageSchedule &stage(const TreeNode &node) const { return schedule_.stage({node.func, node.stage}); }
};

} // namespace

void outputs_at_root(const Tree &tree, Objections &out) {
    const TreeIndex index(tree);
    for (FuncId output : tree.graph->outputs) {
        for (int at = index.parent(index.stages(output)[0]); at > 0; at = index.parent(at)) {
            if (index.node(at).kind != Kind::Store) {
                object(out, "outputs",
                       index.name(output) + " is an output, but is computed inside of " +
                           index.name(index.node(at).func) + "; outputs are computed at root");
                break;
            }
        }
    }
}

void computed_before_read(const Tree &tree, Objections &out) {
    const TreeIndex index(tree);
    for (const ir::FuncDef &func : tree.graph->funcs) {
        const std::vector<int> stages = index.stages(func.id());
        for (int reader : stages.empty() ? std::vector<int>() : index.readers(func.id())) {
            if (reader < index.entries[static_cast<size_t>(stages.back())].end) {
                object(out, "before",
                       func.name() + " is computed after " +
                           index.name(index.node(reader).func, index.node(reader).stage) + ", which reads it");
            }
        }
    }
}

void storage_in_scope(const Tree &tree, Objections &out) {
    const TreeIndex index(tree);
    for (const ir::FuncDef &func : tree.graph->funcs) {
        const std::vector<int> stores = index.stores(func.id());
        if (stores.empty()) {
            continue;
        }
        if (!index.holds(stores[0], index.stages(func.id())[0])) {
            object(out, "scope", func.name() + " is computed outside of its storage");
        }
        for (int reader : index.readers(func.id())) {
            const std::string name = index.name(index.node(reader).func, index.node(reader).stage);
            if (!index.holds(stores[0], reader)) {
                object(out, "scope", func.name() + " is read by " + name + " outside of its storage");
            }
        }
    }
}

// The place where it is computed must be around every use, else a loop would read what another iteration computes.
void computed_around_uses(const Tree &tree, Objections &out) {
    const Placed placed(tree);
    const TreeIndex &index = placed.index();
    for (const ir::FuncDef &func : tree.graph->funcs) {
        const std::vector<int> stages = index.stages(func.id());
        if (stages.empty() || placed.rules().compute_at(func.id(), placed.rules().computed(func.id()))) {
            continue;
        }
        for (int reader : index.readers(func.id())) {
            if (!placed.encloses(placed.rules().computed(func.id()), reader)) {
                object(out, "scope",
                       func.name() + " is computed in a loop that does not hold " +
                           index.name(index.node(reader).func, index.node(reader).stage) + ", which reads it");
            }
        }
    }
}

void storage_not_shared(const Tree &tree, Objections &out) {
    const Placed placed(tree);
    const TreeIndex &index = placed.index();
    for (const ir::FuncDef &func : tree.graph->funcs) {
        const std::vector<int> stores = index.stores(func.id());
        if (stores.empty()) {
            continue;
        }
        const PlacementVerdict verdict =
            placed.rules().store_at(func.id(), placed.rules().computed(func.id()), placed.place_around(stores[0]));
        if (verdict.broken == PlacementVerdict::Rule::AtOnce) {
            const LoopDim &loop = *placed.rules().loop_at(verdict.loop);
            object(out, "shared",
                   func.name() + " is stored outside of the " + type_word(loop.for_type) + " loop " + loop.var +
                       " of " + index.name(verdict.loop.func(), verdict.loop.stage.stage) +
                       " and computed inside; iterations that run at once must not share storage");
        }
    }
}

} // namespace fluorite::schedule
