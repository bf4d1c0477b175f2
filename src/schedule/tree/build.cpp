// From a schedule to its tree and back, and the tree as text.
//
// To the tree: the sites of Funcs are resolved; then the loop nest is walked as lowering builds it, one node per step.
// A site first holds the store nodes of Funcs that are computed further in, each around all that follows; then, in the
// order of the graph, the Funcs computed there, each below its store node if it is stored there too; then the site's
// own node. Back: levels are derived from the ancestors of store and stage nodes, the order and kinds of loops from the
// chain of loop nodes. Inlined Funcs are below the compute nodes of their callers; within one, the callees of a Func
// are drawn once, so that a deep graph of inlined Funcs stays small. Cost: linear in the tree.

#include "schedule/directives/common.h"
#include "schedule/placement/uses.h"
#include "schedule/tree/levels.h"
#include "schedule/tree/tree.h"
#include "support/check.h"

#include <algorithm>
#include <map>
#include <set>

namespace fluorite::schedule {

namespace {

using Kind = TreeNode::Kind;

TreeNode make_node(Kind kind, FuncId func = {}, int stage = 0) {
    TreeNode node;
    node.kind = kind;
    node.func = func;
    node.stage = stage;
    return node;
}

class TreeBuilder {
  public:
    TreeBuilder(const ir::Graph &graph, const Schedule &schedule, const PlacementResolver &places)
        : graph_(graph), schedule_(schedule), places_(places) {
        for (const ir::FuncDef &func : graph.funcs) {
            if (!is_inlined(graph, schedule, func.id())) {
                computed_[places.compute(func.id())].push_back(func.id());
                stored_[places.store(func.id())].push_back(func.id());
            }
        }
    }

    TreeNode run() {
        TreeNode root = make_node(Kind::Root);
        fill(root, Site(), std::nullopt);
        return root;
    }

  private:
    const ir::Graph &graph_;
    const Schedule &schedule_;
    const PlacementResolver &places_;
    std::map<Site, std::vector<FuncId>> computed_, stored_;

    static const std::vector<FuncId> &at(const std::map<Site, std::vector<FuncId>> &map, const Site &place) {
        static const std::vector<FuncId> none;
        const auto found = map.find(place);
        return found == map.end() ? none : found->second;
    }

    static TreeNode &open(TreeNode *parent, TreeNode node) {
        parent->children.push_back(std::move(node));
        return parent->children.back();
    }

    // Adds the nodes at a site; `core` is the site's own node.
    void fill(TreeNode &node, const Site &place, std::optional<TreeNode> core) {
        TreeNode *parent = &node;
        for (FuncId id : at(stored_, place)) {
            if (places_.compute(id) != place) {
                parent = &open(parent, make_node(Kind::Store, id));
            }
        }
        for (FuncId id : at(computed_, place)) {
            if (places_.store(id) == place && !graph_.is_output(id)) {
                parent = &open(parent, make_node(Kind::Store, id));
            }
            for (size_t k = 0; k < schedule_.func(id).stages.size(); k++) {
                parent->children.push_back(stage_node(id, static_cast<int>(k)));
            }
        }
        if (core) {
            parent->children.push_back(std::move(*core));
        }
    }

    TreeNode stage_node(FuncId id, int k) {
        const StageSchedule &stage = schedule_.func(id).stages[static_cast<size_t>(k)];
        std::set<FuncId> drawn;
        TreeNode inside = make_node(Kind::Compute, id, k);
        add_inlined(inside, id, k, drawn);
        for (size_t loop = 0; loop < stage.dims.size(); loop++) {
            const LoopDim &dim = stage.dims[loop];
            TreeNode node = make_node(Kind::Loop, id, k);
            node.var = dim.var;
            node.type = dim.for_type;
            node.partition = dim.partition;
            fill(node, {{id, k}, LoopId(loop)}, std::move(inside));
            inside = std::move(node);
        }
        TreeNode node = make_node(Kind::Stage, id, k);
        fill(node, {{id, k}, LoopId(stage.dims.size())}, std::move(inside));
        return node;
    }

    void add_inlined(TreeNode &node, FuncId id, int k, std::set<FuncId> &drawn) {
        const ir::FuncDef &func = graph_.func(id);
        for (FuncId callee : callees(func, func.stages[static_cast<size_t>(k)])) {
            if (!is_inlined(graph_, schedule_, callee)) {
                continue;
            }
            TreeNode child = make_node(Kind::Compute, callee);
            child.inlined = true;
            if (drawn.insert(callee).second) {
                for (size_t s = 0; s < graph_.func(callee).stages.size(); s++) {
                    add_inlined(child, callee, static_cast<int>(s), drawn);
                }
            }
            auto same = [&](const TreeNode &other) { return other.func == callee; };
            if (std::none_of(node.children.begin(), node.children.end(), same)) {
                node.children.push_back(std::move(child));
            }
        }
    }
};

// ---- Back to a schedule.

class ScheduleReader {
  public:
    explicit ScheduleReader(const Tree &tree) : tree_(tree), schedule_(tree.rest) {}

    Schedule run() {
        for (FuncSchedule &func : schedule_.funcs) {
            func.compute = func.store = LoopLevel::inlined();
        }
        for (FuncId output : tree_.graph->outputs) {
            // The levels of an output, root or none, are equivalent; the user's are kept.
            schedule_.func(output).compute = tree_.rest.func(output).compute;
            schedule_.func(output).store = tree_.rest.func(output).store;
        }
        visit(tree_.root, LoopLevel::root());
        return std::move(schedule_);
    }

  private:
    const Tree &tree_;
    Schedule schedule_;

    LoopLevel level(const TreeNode &node, const std::string &var) const {
        const bool only = schedule_.func(node.func).stages.size() == 1;
        return LoopLevel::at(tree_.graph->func(node.func).symbol, only ? -1 : node.stage, var);
    }

    void visit(const TreeNode &node, const LoopLevel &around) {
        LoopLevel inside = around;
        switch (node.kind) {
        case Kind::Root:
            break;
        case Kind::Store:
            schedule_.func(node.func).store = around;
            break;
        case Kind::Stage:
            if (!tree_.graph->is_output(node.func)) {
                FuncSchedule &func = schedule_.func(node.func);
                func.compute = around;
                func.store = func.store == around ? LoopLevel::inlined() : func.store;
            }
            read_loops(node);
            inside = level(node, "__outermost");
            break;
        case Kind::Loop:
            inside = level(node, node.var);
            break;
        case Kind::Compute:
            return;
        }
        for (const TreeNode &child : node.children) {
            visit(child, inside);
        }
    }

    // The stage's own loops below `node`, outermost first.
    static void collect(const TreeNode &node, FuncId func, int stage, std::vector<const TreeNode *> &loops) {
        for (const TreeNode &child : node.children) {
            if (child.kind == Kind::Store) {
                collect(child, func, stage, loops);
            } else if (child.kind == Kind::Loop && child.func == func && child.stage == stage) {
                loops.push_back(&child);
                collect(child, func, stage, loops);
            }
        }
    }

    void read_loops(const TreeNode &node) {
        std::vector<const TreeNode *> loops;
        collect(node, node.func, node.stage, loops);
        StageSchedule &stage = schedule_.stage({node.func, node.stage});
        std::vector<LoopDim> dims;
        for (size_t i = loops.size(); i-- > 0;) {
            const std::optional<size_t> known = find_loop(stage, loops[i]->var);
            LoopDim dim = known ? stage.dims[*known] : LoopDim();
            dim.var = loops[i]->var;
            dim.for_type = loops[i]->type;
            dim.partition = loops[i]->partition;
            dims.push_back(dim);
        }
        stage.dims = std::move(dims);
    }
};

// ---- Text.

class TreePrinter {
  public:
    explicit TreePrinter(const Tree &tree) : tree_(tree) {}

    std::string run() {
        visit(tree_.root, 0);
        return out_;
    }

  private:
    const Tree &tree_;
    std::string out_;

    void visit(const TreeNode &node, int depth) {
        if (is_shown(tree_, node)) {
            out_ += std::string(static_cast<size_t>(depth) * 2, ' ') + label(node) + "\n";
            depth++;
        }
        for (const TreeNode &child : node.children) {
            visit(child, depth);
        }
    }

    std::string label(const TreeNode &node) const {
        static const char *const types[] = {"", " parallel", " vectorized", " unrolled"};
        static const char *const partitions[] = {"", " never partitioned", " always partitioned"};
        if (node.kind == Kind::Root) {
            return "root";
        }
        const std::string &name = tree_.graph->func(node.func).name();
        switch (node.kind) {
        case Kind::Store:
            return "store " + name;
        case Kind::Stage:
            return "stage " + stage_text(name, node.stage);
        case Kind::Loop:
            return "loop " + stage_text(name, node.stage) + "." + node.var + types[index_of(node.type)] +
                   partitions[index_of(node.partition)];
        default:
            return "compute " + stage_text(name, node.stage) + (node.inlined ? " inline" : "");
        }
    }
};

} // namespace

Result<Tree> try_tree_of(std::shared_ptr<const ir::Graph> graph, const Schedule &schedule, const Location &location) {
    for (const ir::FuncDef &func : graph->funcs) {
        for (const StageSchedule &stage : schedule.func(func.id()).stages) {
            if (stage.with) {
                return Refusal{"tree-of-fused-loops",
                               "in " + func.name() +
                                   ": it is computed with another Func; a node of a tree is a loop of one stage; draw "
                                   "the tree before compute_with, or use print_loop_nest()",
                               location};
            }
            if (!stage.specializations.empty()) {
                return Refusal{"tree-of-specialization",
                               "in " + func.name() +
                                   ": it is specialized; the nodes of a tree have one place, and its loops have two; "
                                   "draw the tree before specialize, or use print_loop_nest()",
                               location};
            }
        }
    }
    const PlacementResolver places(*graph, schedule, nests_of(*graph, schedule));
    if (const std::optional<std::string> problem = problem_of_levels(*graph, schedule, places)) {
        return Refusal{"no-schedule-tree",
                       "in a schedule: " + *problem +
                           "; a tree has a place for each Func that is not inlined; change the level",
                       location};
    }
    Tree tree;
    tree.root = TreeBuilder(*graph, schedule, places).run();
    tree.graph = std::move(graph);
    tree.rest = schedule;
    return tree;
}

Tree tree_of(std::shared_ptr<const ir::Graph> graph, const Schedule &schedule, const Location &location) {
    return try_tree_of(std::move(graph), schedule, location).or_raise();
}

Tree default_tree(std::shared_ptr<const ir::Graph> graph) {
    const Schedule schedule = default_schedule(*graph);
    return tree_of(std::move(graph), schedule, {});
}

Schedule schedule_of(const Tree &tree) { return ScheduleReader(tree).run(); }

bool same_tree(const Tree &a, const Tree &b) {
    return a.root == b.root && directives_of(*a.graph, schedule_of(a)) == directives_of(*b.graph, schedule_of(b));
}

bool is_shown(const Tree &tree, const TreeNode &node) {
    return node.kind != Kind::Stage || tree.graph->func(node.func).stages.size() > 1 || node.children.size() != 1 ||
           node.children[0].kind == Kind::Store;
}

std::string to_text(const Tree &tree) { return TreePrinter(tree).run(); }

} // namespace fluorite::schedule
