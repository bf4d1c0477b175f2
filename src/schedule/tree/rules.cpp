// What makes a tree legal. Each rule is a function that says what breaks it, in the user's names.
//
// The first rules are of shape: every Func has the nodes that it must have. The others read storage, order and loops
// off a tree of this shape. Where Funcs may be is asked of the placement rules, about the places that nodes have; the
// rules of loops are asked by replaying the loops of each stage on its default schedule. Cost: linear in the tree for
// each rule, times depth for scopes.

#include "schedule/dependence.h"
#include "schedule/directives/common.h"
#include "schedule/directives/table.h"
#include "schedule/loop_rules.h"
#include "schedule/tree/places.h"
#include "schedule/tree/tree.h"
#include "support/loop_name.h"

#include "rewrite/simplify.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace fluorite::schedule {

namespace {

using Kind = TreeNode::Kind;
using Objections = std::vector<Objection>;

/// All nodes in the order in which they run, with the way outward.
struct Index {
    struct Entry {
        const TreeNode *node;
        int parent;
        int end = 0; // one past the last node below
    };
    const Tree &tree;
    std::vector<Entry> entries;

    explicit Index(const Tree &tree) : tree(tree) { add(tree.root, -1); }

    void add(const TreeNode &node, int parent) {
        const size_t at = entries.size();
        entries.push_back({&node, parent});
        for (const TreeNode &child : node.children) {
            add(child, static_cast<int>(at));
        }
        entries[at].end = static_cast<int>(entries.size());
    }

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
        return find([&](const TreeNode &node) { return node.kind == Kind::Store && node.func == func; });
    }
    std::vector<int> stages(FuncId func) const {
        return find([&](const TreeNode &node) { return node.kind == Kind::Stage && node.func == func; });
    }
    const TreeNode &node(int at) const { return *entries[static_cast<size_t>(at)].node; }
    int parent(int at) const { return entries[static_cast<size_t>(at)].parent; }
    bool holds(int outer, int inner) const { return outer < inner && inner < entries[static_cast<size_t>(outer)].end; }
    bool is_computed(FuncId func) const { return tree.graph->is_output(func) || !stages(func).empty(); }

    /// Compute nodes, not inlined, whose definitions read the Func, directly or through the inlined ones below them.
    std::vector<int> readers(FuncId func) const {
        std::vector<int> result;
        for (int at : find([](const TreeNode &node) { return node.kind == Kind::Compute && !node.inlined; })) {
            std::set<FuncId> seen;
            if (node(at).func != func && reads(node(at), func, node(at).stage, seen)) {
                result.push_back(at);
            }
        }
        return result;
    }

  private:
    bool reads(const TreeNode &at, FuncId func, int stage, std::set<FuncId> &seen) const {
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
};

void object(Objections &out, const char *rule, const std::string &reason) { out.push_back({rule, reason}); }

/// The default schedule of a stage with its steps; its StageRef sees only what it is given here.
struct Replay {
    StageSchedule loops;
    FuncSchedule of_func;
    StageRef ref;

    Replay(const ir::FuncDef &func, const StageSchedule &rest, int stage) {
        const ir::Stage &definition = func.stages[static_cast<size_t>(stage)];
        loops = default_stage_schedule(func, definition, stage > 0);
        loops.atomic = rest.atomic;
        loops.order_is_free = rest.order_is_free;
        loops.allow_race_conditions = rest.allow_race_conditions;
        ref = {func.name(), stage, &loops, &of_func, func.arg_names, &definition, &func, {}};
    }

    /// Takes the steps that are legal; gives what is said of the first that is not, or nothing.
    std::string steps(const std::vector<Split> &splits) {
        for (const Split &step : splits) {
            if (const std::string refusal = refusal_of_step(step); !refusal.empty()) {
                return refusal;
            }
            switch (step.kind) {
            case Split::Kind::Split:
                split(ref, step.old_var, step.outer, step.inner, step.factor, step.tail, step.location);
                break;
            case Split::Kind::Fuse:
                fuse(ref, step.inner, step.outer, step.old_var, step.location);
                break;
            case Split::Kind::Rename:
                rename(ref, step.old_var, step.outer, step.location);
                break;
            }
        }
        return "";
    }

    /// The message where the verdict is not legal, else nothing.
    std::string message_of(const LoopVerdict &verdict, const LoopCall &call) const {
        return verdict ? "" : ref.where() + ": " + with_dotted_loops(refusal_of(ref, verdict, call).text);
    }

  private:
    std::string refusal_of_step(const Split &step) const {
        const LoopRules rules(ref);
        switch (step.kind) {
        case Split::Kind::Split:
            return message_of(rules.split(step.old_var, step.outer, step.inner, step.factor, step.tail),
                              {.var = step.old_var,
                               .outer = step.outer,
                               .inner = step.inner,
                               .factor = step.factor,
                               .tail = step.tail});
        case Split::Kind::Fuse:
            return message_of(rules.fuse(step.inner, step.outer, step.old_var),
                              {.outer = step.outer, .inner = step.inner, .fused = step.old_var});
        case Split::Kind::Rename:
            break;
        }
        return message_of(rules.rename(step.old_var, step.outer), {.var = step.old_var});
    }
};

template <typename Visit> void for_each_stage(const Tree &tree, const Visit &visit) {
    for (const ir::FuncDef &func : tree.graph->funcs) {
        const FuncSchedule &schedule = tree.rest.func(func.id());
        for (size_t k = 0; k < func.stages.size(); k++) {
            visit(func, schedule.stages[k], static_cast<int>(k));
        }
    }
}

// ---- Rules of shape.

void steps_apply(const Tree &tree, Objections &out) {
    for_each_stage(tree, [&](const ir::FuncDef &func, const StageSchedule &rest, int k) {
        if (const std::string refusal = Replay(func, rest, k).steps(rest.splits); !refusal.empty()) {
            object(out, "steps", refusal);
        }
    });
}

// The stage's own loops and compute node below its stage node, outermost first.
std::vector<int> own_nodes(const Index &index, int stage_node) {
    const TreeNode &stage = index.node(stage_node);
    std::vector<int> found;
    for (int at = stage_node + 1; at < index.entries[static_cast<size_t>(stage_node)].end; at++) {
        const TreeNode &node = index.node(at);
        const bool own = node.func == stage.func && node.stage == stage.stage && !node.inlined;
        if (own && (node.kind == Kind::Loop || node.kind == Kind::Compute)) {
            found.push_back(at);
        }
    }
    return found;
}

void check_loops_of_stage(const Index &index, int stage_node, Objections &out) {
    const TreeNode &stage = index.node(stage_node);
    const ir::FuncDef &func = index.tree.graph->func(stage.func);
    const StageSchedule &rest = index.tree.rest.func(stage.func).stages[static_cast<size_t>(stage.stage)];
    Replay replay(func, rest, stage.stage);
    replay.steps(rest.splits);
    std::vector<std::string> wanted = loop_names(replay.loops), seen;
    int computes = 0, around = stage_node;
    for (int at : own_nodes(index, stage_node)) {
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

void nodes_exist(const Tree &tree, Objections &out) {
    const Index index(tree);
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
    const Index index(tree);
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

void check_inlined(const Index &index, const TreeNode &caller, int stage, std::set<FuncId> &drawn, Objections &out) {
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

void inlined_below_callers(const Tree &tree, Objections &out) {
    const Index index(tree);
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

// ---- Rules of placement.

void outputs_at_root(const Tree &tree, Objections &out) {
    const Index index(tree);
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
    const Index index(tree);
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
    const Index index(tree);
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

// The placement rules, asked about the places that nodes have.
class Placed {
  public:
    explicit Placed(const Tree &tree) : index_(tree), schedule_(tree.rest) {
        for (int at : index_.find([](const TreeNode &node) { return node.kind == Kind::Stage; })) {
            std::vector<LoopDim> &dims = stage(index_.node(at)).dims;
            dims.clear();
            for (int node : own_nodes(index_, at)) {
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

    const Index &index() const { return index_; }
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
        return {node.func.value, node.stage, static_cast<int>(found - dims.begin())};
    }
    bool encloses(const Site &place, int reader) const {
        std::vector<Site> path;
        rules_->path_of({index_.node(reader).func, index_.node(reader).stage}, path);
        return std::find(path.begin(), path.end(), place) != path.end();
    }

  private:
    const Index index_;
    Schedule schedule_;
    std::optional<PlacementRules> rules_;

    StageSchedule &stage(const TreeNode &node) {
        return schedule_.func(node.func).stages[static_cast<size_t>(node.stage)];
    }
    const StageSchedule &stage(const TreeNode &node) const {
        return schedule_.func(node.func).stages[static_cast<size_t>(node.stage)];
    }
};

// The place where it is computed must be around every use, else a loop would read what another iteration computes.
void computed_around_uses(const Tree &tree, Objections &out) {
    const Placed placed(tree);
    const Index &index = placed.index();
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
    const Index &index = placed.index();
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
                       " of " + index.name(FuncId(verdict.loop.func), verdict.loop.stage) +
                       " and computed inside; iterations that run at once must not share storage");
        }
    }
}

// ---- Rules of loops.

void widths_constant(const Tree &tree, Objections &out) {
    const Index index(tree);
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
    const Index index(tree);
    for (int at : index.find([](const TreeNode &node) { return node.kind == Kind::Stage; })) {
        const TreeNode &stage = index.node(at);
        const StageSchedule &rest = tree.rest.func(stage.func).stages[static_cast<size_t>(stage.stage)];
        Replay replay(tree.graph->func(stage.func), rest, stage.stage);
        std::string refusal = replay.steps(rest.splits);
        std::vector<std::string> order;
        for (int node : own_nodes(index, at)) {
            if (index.node(node).kind == Kind::Loop) {
                order.insert(order.begin(), index.node(node).var);
            }
        }
        const LoopRules loop_rules(replay.ref);
        if (refusal.empty()) {
            refusal = replay.message_of(loop_rules.reorder(order), {});
        }
        if (refusal.empty()) {
            reorder(replay.ref, order, {});
        }
        for (int node : own_nodes(index, at)) {
            const TreeNode &loop = index.node(node);
            if (!refusal.empty() || loop.kind != Kind::Loop) {
                continue;
            }
            refusal = replay.message_of(loop_rules.mark(loop.var, loop.type), {.var = loop.var, .type = loop.type});
            if (refusal.empty()) {
                set_for_type(replay.ref, loop.var, loop.type, {});
            }
        }
        if (!refusal.empty()) {
            object(out, "reductions", refusal);
        }
    }
}

constexpr std::array rules = {
    TreeRule{"steps", "splits and fuses are legal for the loops that they are given", steps_apply, true},
    TreeRule{"nodes",
             "a computed Func has one store node, one stage node for each definition with one loop node for "
             "each loop and one compute node; an output has no store node",
             nodes_exist, true},
    TreeRule{"stages", "the stages of a Func stand side by side, in order", stages_follow, true},
    TreeRule{"inlined", "an inlined Func stands below the compute node of each caller, and has no other node",
             inlined_below_callers, true},
    TreeRule{"outputs", "outputs are computed at root", outputs_at_root, false},
    TreeRule{"before", "a Func is computed before it is read", computed_before_read, false},
    TreeRule{"scope", "a Func is computed and read below its store node", storage_in_scope, false},
    TreeRule{"scope", "the loop that a Func is computed in holds all its uses", computed_around_uses, false},
    TreeRule{"shared",
             "no parallel loop lies between the storage of a Func and its computation, nor, where it has "
             "updates, a vectorized one",
             storage_not_shared, false},
    TreeRule{"width", "vectorized and unrolled loops have extents that splits, bounds or definitions make constant",
             widths_constant, false},
    TreeRule{"reductions", "loops over RVars keep their order and run one after the other, unless proved independent",
             loops_keep_dependences, false},
};

} // namespace

std::span<const TreeRule> tree_rules() { return rules; }

std::vector<Objection> objections(const Tree &tree) {
    Objections found;
    for (const TreeRule &rule : rules) {
        if (!rule.of_shape && !found.empty()) {
            const bool shape = std::any_of(found.begin(), found.end(), [](const Objection &objection) {
                return std::any_of(rules.begin(), rules.end(), [&](const TreeRule &other) {
                    return other.of_shape && std::string_view(other.name) == objection.rule;
                });
            });
            if (shape) {
                break;
            }
        }
        rule.check(tree, found);
        if (rule.of_shape && std::string_view(rule.name) == "steps" && !found.empty()) {
            break; // the next rule replays the steps
        }
    }
    return found;
}

std::optional<int64_t> constant_extent(const ir::FuncDef &func, const FuncSchedule &schedule, int stage,
                                       const std::string &loop) {
    std::map<std::string, std::optional<int64_t>> extents;
    for (const ir::ReductionVar &rvar : func.stages[static_cast<size_t>(stage)].rvars) {
        extents[rvar.name] = rewrite::constant_value(rvar.extent);
    }
    for (const Bound &bound : schedule.bounds) {
        extents[bound.var] = bound.extent.defined() ? rewrite::constant_value(bound.extent) : std::nullopt;
    }
    for (const Split &step : schedule.stages[static_cast<size_t>(stage)].splits) {
        const std::optional<int64_t> old = extents[step.kind == Split::Kind::Fuse ? step.outer : step.old_var];
        if (step.kind == Split::Kind::Fuse) {
            const std::optional<int64_t> inner = extents[step.inner];
            extents[step.old_var] = old && inner ? std::optional(*old * *inner) : std::nullopt;
        } else if (step.kind == Split::Kind::Rename) {
            extents[step.outer] = old;
        } else {
            const std::optional<int64_t> factor = rewrite::constant_value(step.factor);
            extents[step.outer] =
                old && factor ? std::optional((*old + *factor - 1) / *factor) : std::optional<int64_t>();
            extents[step.inner] = factor;
        }
    }
    const auto found = extents.find(loop);
    return found == extents.end() ? std::nullopt : found->second;
}

} // namespace fluorite::schedule
