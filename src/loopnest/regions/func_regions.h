#pragma once
// The results of bounds inference for one Func: its regions, its storage, and the lets and assertions for both.

#include "ir/stmt.h"
#include "loopnest/regions/site_views.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// A value to bind at a site, or (if the symbol is undefined) a condition to assert there.
struct SiteLet {
    ir::Symbol symbol;
    Expr value;
    Expr error; // of an assertion
};

/// The memory of a Func with ring_buffer: `extent` copies, of which an iteration uses number `index`.
struct Ring {
    Expr extent, index;
    bool is_in_turn = false; // any `extent` successive iterations use different copies
};

/// A stage reads a Func at these coordinates and therefore needs this box of it.
struct Reason {
    FuncId reader;
    int stage = 0;
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

/// The fields of Regions (regions.h) for one Func.
struct FuncRegions {
    std::shared_ptr<const FuncLoops> loops; // before share_loops
    analysis::Box touched;                  // everything written or read of it, valid at the compute site
    std::vector<ir::Range> storage;
    std::vector<SlidWindow> slides;
    std::vector<Expr> folds, extents;
    std::optional<Ring> ring;
    Expr ahead;
    std::vector<Reason> reasons;
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

    const LoweringGraph &graph() const { return views.graph(); }
    const ir::FuncDef &func() const { return graph().func(id); }
    const schedule::FuncSchedule &schedule() const { return graph().schedule(id); }
    bool is_output() const { return graph().pipeline.graph.is_output(id); }
    const Site &compute() const { return views.placement().compute[id.index()]; }
    const Site &store() const { return views.placement().store[id.index()]; }
    const Site &hoist() const { return views.placement().hoist[id.index()]; }

    void bind(const Site &site, const ir::Symbol &symbol, const Expr &value);
    /// Adds an assertion at a site, unless the condition is known to hold.
    void require_at(const Site &site, const Expr &condition, const char *error, const std::vector<Expr> &args);
    [[noreturn]] void refuse(const char *slug, const std::string &text, const Location &location) const;
};

} // namespace fluorite::loopnest
