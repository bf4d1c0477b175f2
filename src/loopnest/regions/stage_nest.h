#pragma once
// The loops of one stage of a Func, with its splits applied to a given region; and the intervals that its variables
// take as seen from any of its loops.

#include "analysis/interval.h"
#include "loopnest/placement/placement.h"

#include <optional>
#include <string>
#include <vector>

namespace fluorite::loopnest {

/// Beyond so many iterations that a guard may leave with nothing to do, the loop ends with what was split.
constexpr int64_t most_idle_iterations = 65'536;

/// A region of a Func: symbolic min and max (inclusive) for each dimension. `exact` holds the same values with region
/// symbols expanded, where that helps to see constants.
struct Region {
    std::vector<Expr> min, max;             // what code refers to: symbols, or constants
    std::vector<Expr> exact_min, exact_max; // the same, expanded
};

/// One loop; innermost is index 0.
struct NestLoop {
    ir::Symbol var; // of the loop; where it is shared, the stage's own is another
    ir::Symbol own; // what definitions, defs and guards refer to
    std::string name;
    Expr min, extent;
    ForType for_type = ForType::Serial;
    Partition partition = Partition::Auto;
};
/// A value bound inside loop `depth` (the number of loops: outside all).
struct NestDef {
    ir::Symbol symbol;
    Expr value;
    int depth = 0;
};
/// A condition that holds where the iteration is one of the stage's own, and not of a tail.
struct NestGuard {
    enum class Kind : uint8_t {
        Body,     // the body of loop `depth` runs under it
        Accesses, // so do the loads and stores of the definition, and what is computed for them
        Loads,    // only the loads: elsewhere anything may be stored
        Stores,   // only the stores
        Blend     // elsewhere the old value is stored again
    };
    Expr condition;
    int depth = 0; // of the innermost loop that the condition depends on
    Kind kind = Kind::Body;
};

/// A tail that is another than the one that a split asks for.
struct ChangedTail {
    std::string loop;
    TailStrategy asked, used;
    const char *reason;
};

/// A loop that several stages share: its range, and what it is for one of them.
struct SharedLoop {
    ir::Symbol var;
    Expr min, extent;
    Expr own; // the stage's own loop variable, over `var`
};

/// Tails may load and store different points; Either: those that are loaded or stored. Wanted: those of the stage's
/// region, of what is read, without what RoundUp adds to it.
enum class Touch : uint8_t { Read, Write, Either, Wanted };

class StageNest {
  public:
    /// Where the Func is stored further out than it is computed, its memory holds values of other iterations (or
    /// lanes).
    enum class Storage : uint8_t { Own, Shared };
    StageNest(const LoweringGraph &graph, FuncId func, int stage, const Region &region, Storage storage,
              bool is_steady);

    FuncId func() const { return func_; }
    int stage() const { return stage_; }
    const std::vector<NestLoop> &loops() const { return loops_; }
    const std::vector<NestDef> &defs() const { return defs_; }
    const std::vector<NestGuard> &guards() const { return guards_; }
    const std::vector<ChangedTail> &changed_tails() const { return changed_tails_; }
    /// The pure Vars and RVars of the definition, in terms of loops and defs.
    const ir::SymbolMap<Expr> &values() const { return values_; }

    /// Makes the loops from `first` outward shared ones. Seen from a shared loop, the stage's own variable is that of
    /// the shared one, clamped to the stage's range: outside of it the stage does not run.
    void fuse(int first, const std::vector<SharedLoop> &shared);
    /// The first shared loop; the number of loops and one more where none is.
    int first_shared() const { return own_vars_.empty() ? static_cast<int>(loops_.size()) + 1 : first_shared_; }
    /// To bind around the stage in shared loops: its own variables.
    const std::vector<NestDef> &own_vars() const { return own_vars_; }
    /// When the stage runs in shared loops.
    const std::vector<Expr> &own_range() const { return own_range_; }
    /// The expression in terms of shared loops instead of the stage's own.
    Expr in_shared(const Expr &expr) const { return expr.defined() ? substitute(expr, shared_) : expr; }
    /// The definition's variables as intervals, seen from inside loop `loop` (number of loops: from outside all): loops
    /// further in range, this one and those around it stand still. Where iterations of a tail run that load nothing,
    /// what is read there is empty: min is greater than max.
    analysis::Scope vars_at(int loop, Touch touch) const;
    /// Whether vars_at is the same for every touch.
    bool touches_alike() const;
    /// Whether both are made for the same kind of Func and memory, over extents that are as steady. With the same
    /// stage, schedule and region they are then the same.
    bool is_made_alike(const StageNest &other) const {
        return is_update_ == other.is_update_ && is_output_ == other.is_output_ && storage_ == other.storage_ &&
               is_steady_ == other.is_steady_;
    }
    /// The nest's own loop variables and defs as intervals, seen from inside loop `loop`; what stands still is absent.
    analysis::Scope loops_at(int loop) const;

  private:
    // A name in the making: a dimension or loop that splits may take apart.
    struct Node {
        ir::Symbol symbol;
        std::string name;
        Expr min, max, extent; // as code refers to them; extent is constant where known
        std::optional<int64_t> known_extent;
        enum class Kind : uint8_t { Leaf, Split, Fuse } kind = Kind::Leaf;
        int outer = -1, inner = -1;                // Split: parts
        TailStrategy tail = TailStrategy::RoundUp; // resolved
        bool exact = true;                         // no tail: the factor divides the extent
        Expr factor;
        Expr start;        // Split: the least point of the piece, were it not shifted
        int base_def = -1; // index into bases_
        ir::Symbol point;  // Split that is guarded: what it stands for; bound at depth point_depth
        int point_depth = -1;
        int loop = -1;              // Leaf: position in loops_
        int fused = -1;             // Fuse: the loop that this one came out of
        bool is_outer_part = false; // Fuse: the quotient, not the remainder
        Expr width;                 // Fuse: the extent of the inner part
        bool overlaps = false;      // the inner part of a split: more iterations would run into the next piece
        bool is_part = false;       // of a split: iterations of its own may lead to one point
        bool covered = false;       // the outer part of a split whose tail bounds it: more iterations do no harm

        bool shifts() const;
        bool clips(Touch touch) const;
    };
    struct Base {
        ir::Symbol symbol;
        Expr value; // over node symbols
        int depth = 0;
    };

    FuncId func_;
    int stage_ = 0;
    bool is_update_ = false;
    bool is_output_ = false;
    Storage storage_ = Storage::Own;
    bool is_steady_ = true; // the region's extents are the same in all iterations of the loops around; of updates
    std::string prefix_;
    std::vector<Node> nodes_;
    std::vector<Base> bases_;
    std::vector<std::pair<ir::Symbol, int>> variables_; // definition's variables and their nodes
    std::vector<NestLoop> loops_;
    std::vector<NestDef> defs_;
    std::vector<NestGuard> guards_;
    std::vector<ChangedTail> changed_tails_;
    ir::SymbolMap<Expr> values_;

    int add_node(const std::string &name, const Expr &min, const Expr &max, const Expr &extent);
    void apply_split(const schedule::Split &split, std::vector<int> &current);
    void apply_fuse(const schedule::Split &split, std::vector<int> &current);
    TailStrategy resolve_tail(const schedule::Split &split, const Node &old) const;
    Expr value_of(int node);
    void finish(const schedule::StageSchedule &schedule, const std::vector<int> &current);
    int depth_of(const Expr &expr) const;
    bool ranges_fully(int node, int loop) const;
    void add_guard(const Node &node);
    /// A name for the value of a guarded split: further out, where loops range, the guard's limit is known of the name.
    void name_point(Node &node);
    // The intervals of the nodes, as seen from inside one loop.
    struct View {
        int loop;
        Touch touch;
        std::vector<analysis::Interval> memo;
        std::vector<bool> done;
    };
    View view(int loop, Touch touch) const;
    analysis::Interval full_interval(const Node &node, const analysis::Interval &outer, const analysis::Interval &inner,
                                     Touch touch) const;
    analysis::Interval part_interval(const Node &node, View &view) const;
    analysis::Interval interval_of(int node, View &view) const;

    std::vector<Expr> resolved_;

    int first_shared_ = 0;
    ir::SymbolMap<Expr> shared_; // own variables and defs, by shared loops
    std::vector<NestDef> own_vars_;
    std::vector<Expr> own_range_;
    analysis::Scope in_shared(analysis::Scope scope) const;
};

} // namespace fluorite::loopnest
