#pragma once
// The results of bounds inference for one Func: its regions, its storage, and the lets and assertions for both.

#include "ir/stmt.h"
#include "loopnest/regions/site_views.h"
#include "support/refusal.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// The memory of a Func with ring_buffer: `extent` copies, of which an iteration uses number `index`.
struct Ring {
    Expr extent, index;
    bool is_in_turn = false; // any `extent` successive iterations use different copies
};

/// A stage reads a Func at these coordinates and therefore needs this box of it.
struct Reason {
    StageId reader;
    std::vector<Expr> coordinates;
    analysis::Box box;
};

/// A sliding window: along the dimension, later iterations of the loop compute only what is new.
struct SlidWindow {
    size_t dimension = 0;
    Site loop;
};

/// Optimizations of windows that a target can disable (no_sliding, no_folding).
struct WindowOptions {
    bool slides = true;
    bool folds = true; // folds that no directive requests
};

/// What bounds inference finds of one Func.
struct FuncBounds {
    std::vector<std::shared_ptr<const StageNest>> nests; // by stage; after share_loops, with the shared loops
    std::vector<Region> regions;                         // by stage
    /// Everything written or read of it, valid at the compute site.
    analysis::Box touched;
    /// By dimension: min and extent of the storage, valid at the store site.
    std::vector<ir::Range> storage;
    /// By dimension: the size of the circular buffer that the dimension is folded into; undefined: not folded.
    std::vector<Expr> folds;
    /// The windows that slide.
    std::vector<SlidWindow> slides;
    /// The loops along which the region is invariant, innermost first. The Func is computed where the iterations of all
    /// are the first.
    std::vector<InvariantLoop> invariant_loops;
    /// By dimension: the extent in memory, valid where memory is allocated; undefined where `folds` or `storage` gives
    /// it.
    std::vector<Expr> extents;
    /// With ring_buffer: the number of iterations that have their own memory, valid where memory is allocated, and the
    /// number of the current one, valid where the Func is stored.
    std::optional<Ring> ring;
    /// Of an async Func: how many iterations of its loops the producer may begin before the first is consumed;
    /// undefined: any number, because it overwrites nothing that is still read.
    Expr ahead;
    /// Of an extern stage: the box of each operand that is a buffer of a Func, valid at the compute site; empty boxes
    /// for other operands.
    std::vector<analysis::Box> operands;
    /// Which consumers need which boxes.
    std::vector<Reason> reasons;
};

/// The bounds of one Func as they are before share_loops. `loops` holds its nests, regions and invariant loops, and
/// `bounds` the rest.
struct FuncRegions {
    std::shared_ptr<const FuncLoops> loops;
    FuncBounds bounds;
    std::vector<std::pair<Site, SiteLet>> lets; // in order: values refer to earlier symbols
};

/// A Func during inference: its consumers are known, and its own results are added one by one.
class FuncInProgress {
  public:
    FuncInProgress(SiteViews &views, FuncId id, const WindowOptions &windows);

    const SiteViews &views;
    const FuncId id;
    const WindowOptions windows;
    const std::shared_ptr<FuncLoops> loops; // the loops of `regions`, which the views refer to already
    FuncRegions regions;
    FuncBounds &bounds() { return regions.bounds; }
    const FuncBounds &bounds() const { return regions.bounds; }

    const LoweringGraph &graph() const { return views.graph(); }
    const ir::FuncDef &func() const { return graph().func(id); }
    const schedule::FuncSchedule &schedule() const { return graph().schedule(id); }
    bool is_output() const { return graph().pipeline.graph.is_output(id); }
    const Site &compute() const { return views.placement().compute[id.index()]; }
    const Site &store() const { return views.placement().store[id.index()]; }
    const Site &hoist() const { return views.placement().hoist[id.index()]; }

    void bind(const Site &site, const ir::Symbol &symbol, const Expr &value);
    /// Adds what the views have bound since the last let: it may name earlier lets, and later ones may name it.
    void bind_seen();
    /// Adds an assertion at a site, unless the condition is known to hold.
    void require_at(const Site &site, const Expr &condition, const char *error, const std::vector<Expr> &args);
    /// Refuses the schedule of the Func. The first refusal counts; what is inferred after it has no meaning.
    void refuse(const char *slug, const std::string &text, const Location &location);
    void refuse(Refusal refusal);
    const Verdict &verdict() const { return verdict_; }

  private:
    Verdict verdict_;
};

} // namespace fluorite::loopnest
