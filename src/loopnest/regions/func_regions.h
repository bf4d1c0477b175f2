#pragma once
// What is decided of one Func: its regions, its memory, and what to bind and to check for both.

#include "ir/stmt.h"
#include "loopnest/regions/site_views.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// A value to bind at a site, or (symbol undefined) a condition to assert there.
struct SiteLet {
    ir::Symbol symbol;
    Expr value;
    Expr error; // of an assertion
};

struct Ring {
    Expr extent, index;
    bool is_in_turn = false; // no two of `extent` successive iterations have the same memory
};

/// A stage reads a Func at these coordinates, and so needs this box of it.
struct Reason {
    FuncId reader;
    int stage = 0;
    std::vector<Expr> coordinates;
    analysis::Box box;
};

/// Later iterations of the loop compute only what is new along the dimension.
struct SlidWindow {
    size_t dimension = 0;
    Site loop;
};

/// What of windows targets can turn off (no_sliding, no_folding).
struct WindowOptions {
    bool slides = true;
    bool folds = true; // where no directive asks for it
};

/// Fields as in Regions (regions.h), of one Func.
struct FuncRegions {
    std::shared_ptr<const FuncLoops> loops; // none of them shared
    analysis::Box touched;                  // all that is written or read of it, where it is computed
    std::vector<ir::Range> storage;
    std::vector<SlidWindow> slides;
    std::vector<Expr> folds, extents;
    std::optional<Ring> ring;
    Expr ahead;
    std::vector<Reason> reasons;
    std::vector<std::pair<Site, SiteLet>> lets; // in order
};

/// A Func whose regions are being found: what is known of its consumers, and what is decided of it so far.
class FuncInProgress {
  public:
    FuncInProgress(SiteViews &views, FuncId id, const WindowOptions &windows);

    const SiteViews &views;
    const FuncId id;
    const WindowOptions windows;
    const std::shared_ptr<FuncLoops> loops; // those of FuncRegions, which the views see already
    FuncRegions regions;

    const LoweringGraph &graph() const { return views.graph(); }
    const ir::FuncDef &func() const { return graph().func(id); }
    const schedule::FuncSchedule &schedule() const { return graph().schedule(id); }
    bool is_output() const { return graph().pipeline.graph.is_output(id); }
    const Site &compute() const { return views.placement().compute[id.index()]; }
    const Site &store() const { return views.placement().store[id.index()]; }
    const Site &hoist() const { return views.placement().hoist[id.index()]; }

    void bind(const Site &site, const ir::Symbol &symbol, const Expr &value);
    /// Asserts at a site, unless it is known to hold.
    void require_at(const Site &site, const Expr &condition, const char *error, const std::vector<Expr> &args);
    [[noreturn]] void refuse(const char *slug, const std::string &text, const Location &location) const;
};

} // namespace fluorite::loopnest
