#pragma once
// The schedule tree: nodes, rules of legality, operators with inverses, walks. Its public interface is
// fluorite/schedule_tree.h.
//
//   root
//     store blur_x                 storage lives while the subtree runs
//       loop blur_y.y
//         loop blur_x.y            (a Func of several stages has a node `stage` above the loops of each)
//           loop blur_x.x
//             compute blur_x
//         loop blur_y.x
//           compute blur_y
//             compute padded       inlined into blur_y
//
// Nodes define where Funcs are computed and stored, and the order and kinds of loops. `rest` holds what they do not
// show (the splits and fuses that made the loops, promises, memory). Children run in order. Trees that the functions
// below make are in canonical order: at one site, Funcs come in the order of the graph, and stores that extend further
// in come first.

#include "schedule/text/schedule_text.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::schedule {

struct TreeNode {
    enum class Kind : uint8_t { Root, Store, Stage, Loop, Compute };
    Kind kind = Kind::Root;
    FuncId func;
    int stage = 0;
    std::string var; // Loop
    ForType type = ForType::Serial;
    Partition partition = Partition::Auto;
    bool inlined = false; // Compute: below the node of a caller
    std::vector<TreeNode> children;

    bool operator==(const TreeNode &) const = default;
};

struct Tree {
    std::shared_ptr<const ir::Graph> graph;
    TreeNode root;
    Schedule rest; // the steps of each stage, and all that nodes do not show
    MadeFuncs made;
};

// ---- Between schedules and trees.

/// The tree of a schedule; refused [no-schedule-tree] if a Func's levels are not legal.
Result<Tree> try_tree_of(std::shared_ptr<const ir::Graph> graph, const Schedule &schedule, const Location &location);
/// The same; throws CompileError where it is refused.
Tree tree_of(std::shared_ptr<const ir::Graph> graph, const Schedule &schedule, const Location &location);
Tree default_tree(std::shared_ptr<const ir::Graph> graph);
/// The schedule of a tree. Precondition: the tree obeys the rules.
Schedule schedule_of(const Tree &tree);
/// Whether nodes and directives are equal.
bool same_tree(const Tree &a, const Tree &b);
std::string to_text(const Tree &tree);
/// Whether a node is drawn. A stage node is hidden if it is its Func's only one and only encloses the stage's own
/// nodes.
bool is_shown(const Tree &tree, const TreeNode &node);
std::string to_svg(const Tree &tree);

// ---- Legality.

struct Objection {
    const char *rule;
    std::string reason;
};
struct TreeRule {
    const char *name, *summary;
    void (*check)(const Tree &, std::vector<Objection> &);
    bool of_shape; // whether later rules rely on it
};
/// In the order of checking; docs/guides/schedules.md lists them.
std::span<const TreeRule> tree_rules();
/// What makes the tree illegal; empty for legal trees. Rules that rely on a violated rule of shape are skipped.
std::vector<Objection> objections(const Tree &tree);

// ---- The operators.

enum class TreeOp : uint8_t {
    Split,    // vars {old, outer, inner}, factor (undefined: splits a fused loop back), tail
    Fuse,     // vars {inner, outer, fused}
    Reorder,  // vars, innermost first
    LoopType, // vars {loop}, type, partition
    HoistCompute,
    LowerCompute,
    HoistStorage,
    LowerStorage,
    Inline,
    Deinline,
    // Not among the ten, but schedules with these directives need them for their path to the default.
    Rename, // vars {old, new}
    Skew,   // vars {old, by, skewed}, factor; by the negative factor, with the names exchanged, undoes the last step
};
/// Whether the operator is on the loops of one stage.
constexpr bool is_on_loops(TreeOp op) { return op <= TreeOp::LoopType || op >= TreeOp::Rename; }
struct TreeStep {
    TreeOp op;
    StageId stage; // whose loops it changes; the pure definition where the operator is on a Func
    std::vector<std::string> vars = {};
    Expr factor = {};
    TailStrategy tail = TailStrategy::Auto;
    ForType type = ForType::Serial;
    Partition partition = Partition::Auto;
    bool plain = false; // Fuse: makes a fused loop even if it could undo a split
};
std::string to_text(const Tree &tree, const TreeStep &step);

/// From legal tree to legal tree; otherwise refused [illegal-tree-step] with the reason. Objections that `tree` already
/// has do not count.
Result<Tree> try_apply(const Tree &tree, const TreeStep &step, const Location &location = {});
/// The same; throws CompileError where it is refused.
Tree apply(const Tree &tree, const TreeStep &step, const Location &location = {});
/// Steps that lead from apply(tree, step) back to `tree`.
std::vector<TreeStep> inverse(const Tree &tree, const TreeStep &step);
/// Steps that lead from a legal tree to default_tree (except for what `rest` holds besides steps).
std::vector<TreeStep> path_to_default(const Tree &tree);

/// Returns numbers in [0, n).
using RandomBelow = std::function<uint32_t(uint32_t n)>;
struct WalkOptions {
    /// Whether the regions of Funcs that read inputs, directly or through others, may be rounded up, which can require
    /// larger inputs.
    bool may_grow_inputs = false;
};
/// A legal tree, up to `steps` random operators away. Splits of outputs are guarded, so that every size of output runs.
Tree random_walk(const Tree &tree, const RandomBelow &random, int steps, const WalkOptions &options = {});

/// The trip count of a loop if definition, promises and splits make it constant.
std::optional<int64_t> constant_extent(const ir::FuncDef &func, const FuncSchedule &schedule, int stage,
                                       const std::string &loop);

} // namespace fluorite::schedule
