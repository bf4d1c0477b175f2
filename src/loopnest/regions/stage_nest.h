#pragma once
// The loops of one stage of a Func, with its splits applied to a given region, and the intervals of its variables as
// seen from any of its loops.

#include "analysis/interval.h"
#include "loopnest/placement/placement.h"

#include <optional>
#include <string>
#include <vector>

namespace fluorite::loopnest {

/// If a guard could skip more iterations than this in one piece, the inner loop is limited to the extent of what was
/// split.
constexpr int64_t most_idle_iterations = 65'536;

/// A region of a Func: symbolic min and max (inclusive) for each dimension. The `exact` members are the same values
/// with region symbols expanded where that exposes constants.
struct Region {
    std::vector<Expr> min, max;             // what code refers to: symbols or constants
    std::vector<Expr> exact_min, exact_max; // the same, expanded
};

inline Expr plus_one(const Expr &e) { return ir::add(e, ir::int32(1)); }
inline Expr minus_one(const Expr &e) { return ir::sub(e, ir::int32(1)); }

/// One loop; index 0 is the innermost.
struct NestLoop {
    ir::Symbol var; // of the loop in the code; differs from `own` if the loop is shared
    ir::Symbol own; // the stage's own variable, which definitions, defs and guards refer to
    std::string name;
    Expr min, extent;
    ForType for_type = ForType::Serial;
    Partition partition = Partition::Auto;
    bool is_distributed = false; // each rank runs a part of it
};
/// All values of a skewed loop, whose terms may lie beyond 32 bits: Int64.
struct SkewedRange {
    std::string name;
    Expr min, max;
};
/// A value bound inside loop `depth` (the number of loops: outside all of them).
struct NestDef {
    ir::Symbol symbol;
    Expr value;
    int depth = 0;
};
/// A condition that holds for the iterations that the stage has to run, and not for the excess of a tail.
struct NestGuard {
    enum class Kind : uint8_t {
        Body,     // the body of loop `depth` runs under the condition
        Accesses, // the loads and stores of the definition, and what is computed for them, run under it
        Loads,    // only the loads: in other iterations, arbitrary values may be stored
        Stores,   // only the stores
        Blend     // in other iterations the old value is stored again
    };
    Expr condition;
    int depth = 0; // the innermost loop that the condition depends on
    Kind kind = Kind::Body;
};

/// A split whose tail strategy differs from the requested one.
struct ChangedTail {
    std::string loop;
    TailStrategy asked, used;
    const char *reason;
};

/// A split because of which more is touched than the region.
struct WideSplit {
    std::string loop;
    Expr factor;
    TailStrategy tail;
    Expr extent; // of the loop that is split
};

/// A loop that several stages share: its range, and the relation to the loop of one of them.
struct SharedLoop {
    ir::Symbol var;
    Expr min, extent;
    Expr own; // the stage's own loop variable in terms of `var`
};

/// Which accesses are considered. Tails may load and store different points. Either: points that are loaded or stored.
/// Wanted: points that are read for the stage's region, without those that RoundUp adds.
enum class AccessKind : uint8_t { Read, Write, Either, Wanted };

class StageNest {
  public:
    /// Own: memory holds values of one iteration of the enclosing loops. Shared: the Func is stored further out than it
    /// is computed, so its memory also holds values of other iterations (or lanes).
    enum class Storage : uint8_t { Own, Shared };
    StageNest(const LoweringGraph &graph, StageId id, const Region &region, Storage storage, bool is_steady);

    StageId id() const { return id_; }
    FuncId func() const { return id_.func; }
    int stage() const { return id_.stage; }
    const std::vector<NestLoop> &loops() const { return loops_; }
    const NestLoop &loop(LoopId id) const { return loops_[id.index()]; }
    /// The depth from which no loop is fixed (vars_at, loops_at): further out than the place around all loops.
    int outside() const { return static_cast<int>(loops_.size()) + 1; }
    const std::vector<NestDef> &defs() const { return defs_; }
    const std::vector<NestGuard> &guards() const { return guards_; }
    const std::vector<ChangedTail> &changed_tails() const { return changed_tails_; }
    const std::vector<SkewedRange> &skewed_ranges() const { return skewed_ranges_; }
    /// The pure Vars and RVars of the definition, in terms of loops and defs.
    const ir::SymbolMap<Expr> &values() const { return values_; }

    /// Replaces the loops from `first` outward by shared ones. Seen from a shared loop, the stage's own variable is
    /// computed from that of the shared loop and clamped to the stage's range, outside of which the stage does not run.
    void fuse(int first, const std::vector<SharedLoop> &shared);
    /// The index of the first shared loop; if there is none, the number of loops plus one.
    int first_shared() const { return own_vars_.empty() ? static_cast<int>(loops_.size()) + 1 : first_shared_; }
    /// The stage's own variables, to be bound around the stage inside the shared loops.
    const std::vector<NestDef> &own_vars() const { return own_vars_; }
    /// The conditions under which the stage runs inside the shared loops.
    const std::vector<Expr> &own_range() const { return own_range_; }
    /// The expression in terms of the shared loops instead of the stage's own.
    Expr in_shared(const Expr &expr) const { return expr.defined() ? substitute(expr, shared_) : expr; }
    /// The intervals of the definition's variables, seen from inside loop `loop` (number of loops: from outside all of
    /// them): loops further in range over their iterations, while this one and those around it are fixed. If excess
    /// iterations of a tail run but load nothing, the interval of their reads is empty: min is greater than max.
    analysis::Scope vars_at(int loop, AccessKind access) const;
    /// Whether vars_at gives the same for every `touch`.
    bool access_kinds_agree() const;
    /// The first split of a variable of the definition that may access more than the region.
    std::optional<WideSplit> wide_split(const ir::Symbol &variable, AccessKind access) const;
    /// Whether both were made for the same kind of Func and storage, and for regions of equal steadiness. If stage,
    /// schedule and region are also the same, the nests are equal.
    bool has_equal_premises(const StageNest &other) const {
        return is_update_ == other.is_update_ && is_output_ == other.is_output_ && storage_ == other.storage_ &&
               is_steady_ == other.is_steady_;
    }
    /// Whether the ends of a stage's ranges depend on loops around it.
    enum class Ranges : uint8_t { Fixed, InLoops };
    /// The intervals of the nest's own loop variables and defs, seen from inside loop `loop`; fixed ones are absent.
    analysis::Scope loops_at(int loop, Ranges ranges) const;

  private:
    // A dimension or loop to which splits and fusions may be applied.
    struct Node {
        ir::Symbol symbol;
        std::string name;
        Expr min, max, extent; // as code refers to them; extent is constant if known
        std::optional<int64_t> known_extent;
        std::vector<int> varies_with; // nodes whose symbols min, max and extent refer to: the range is affine in them
        Expr wide_min, wide_max, wide_extent; // the range over all iterations of these nodes; free of symbols of nodes
        enum class Kind : uint8_t { Leaf, Split, Fuse, Skew } kind = Kind::Leaf;
        int outer = -1, inner = -1; // Split: its results. Skew: the skewed loop, and the one it is skewed by
        TailStrategy tail = TailStrategy::RoundUp; // resolved
        bool exact = true;                         // no tail: the factor divides the extent
        Expr factor;                               // Split, Skew
        Expr start;                                // Split: the least point of the piece before shifting
        int base_def = -1;                         // index into bases_
        ir::Symbol point; // Split with a guard: the name of its value, bound at depth point_depth
        int point_depth = -1;
        int loop = -1;              // Leaf: position in loops_
        int fused = -1;             // Fuse: the loop that contains this one
        bool is_outer_part = false; // Fuse: the quotient, not the remainder
        Expr width;                 // Fuse: the extent of the inner part
        bool overlaps = false;      // the inner loop of a split: rounding it up would run into the next piece
        bool is_part = false;       // the result of a split: distinct iterations may map to one point
        bool covered = false;       // the outer loop of a split whose tail bounds it: excess iterations are harmless

        bool shifts() const;
        bool clips(AccessKind access) const;
    };
    struct Base {
        ir::Symbol symbol;
        Expr value; // in terms of node symbols
        int depth = 0;
    };

    StageId id_;
    bool is_update_ = false;
    bool is_output_ = false;
    Storage storage_ = Storage::Own;
    bool is_steady_ = true; // the region's extents are invariant in the enclosing loops; used for updates
    std::string prefix_;
    std::vector<Node> nodes_;
    std::vector<Base> bases_;
    std::vector<SkewedRange> skewed_ranges_;
    std::vector<Expr> conditions_; // of skews, in terms of node symbols: where iterations are in range
    std::vector<std::pair<ir::Symbol, int>> variables_; // the definition's variables and their nodes
    std::vector<NestLoop> loops_;
    std::vector<NestDef> defs_;
    std::vector<NestGuard> guards_;
    std::vector<ChangedTail> changed_tails_;
    ir::SymbolMap<Expr> values_;

    std::optional<WideSplit> wide_split_of(int node, AccessKind access) const;
    Node &node_at(int index) { return nodes_[static_cast<size_t>(index)]; }
    const Node &node_at(int index) const { return nodes_[static_cast<size_t>(index)]; }
    const Base &base_of(const Node &node) const { return bases_[static_cast<size_t>(node.base_def)]; }
    int add_node(const std::string &name, const Expr &min, const Expr &max, const Expr &extent);
    void let_vary(Node &node, std::vector<int> with, const Expr &wide_min, const Expr &wide_max,
                  const Expr &wide_extent) const;
    int find_node(const std::vector<int> &current, const std::string &name) const;
    void apply_split(const schedule::Split &split, std::vector<int> &current);
    void apply_fuse(const schedule::Split &split, std::vector<int> &current);
    void apply_skew(const schedule::StageSchedule &schedule, size_t step, std::vector<int> &current);
    void limit_to_diagonals(int skewed, int by, const Node &old, int64_t factor);
    TailStrategy resolve_tail(const schedule::Split &split, const Node &old) const;
    Expr value_of(int node);
    /// The expression with the values of nodes in place of their symbols.
    Expr resolved(const Expr &expr);
    void finish(const schedule::StageSchedule &schedule, const std::vector<int> &current);
    int depth_of(const Expr &expr) const;
    bool ranges_fully(int node, int loop) const { return outermost_[static_cast<size_t>(node)] < loop; }
    int find_outermost(int node);
    void add_guard(const Node &node);
    /// Names the value of a guarded split or of a skew. Outside of its loops, the interval of the name takes the guard
    /// into account.
    void name_point(Node &node);
    // The intervals of the nodes, seen from inside one loop.
    struct View {
        int loop;
        AccessKind access;
        std::vector<analysis::Interval> memo;
        std::vector<bool> done;
    };
    View view(int loop, AccessKind access) const;
    /// The range of a node: affine in nodes that are fixed, otherwise over all of their iterations.
    analysis::Interval range_of(const Node &node, View &view) const;
    /// The intervals of the nodes whose symbols the expression uses.
    analysis::Scope scope_of(const Expr &expr, View &view) const;
    analysis::Interval full_interval(const Node &node, const analysis::Interval &outer, const analysis::Interval &inner,
                                     View &view) const;
    analysis::Interval split_interval(int node, View &view) const;
    analysis::Interval skew_interval(int node, View &view) const;
    analysis::Interval part_interval(const Node &node, View &view) const;
    analysis::Interval interval_of(int node, View &view) const;

    std::vector<Expr> resolved_;
    std::vector<int> outermost_; // for each node, the position of the outermost loop that it is made of

    int first_shared_ = 0;
    ir::SymbolMap<Expr> shared_; // own variables and defs in terms of shared loops
    std::vector<NestDef> own_vars_;
    std::vector<Expr> own_range_;
    analysis::Scope in_shared(analysis::Scope scope) const;
};

} // namespace fluorite::loopnest
