#pragma once
// Values as seen from other sites of the loop nest, for the Funcs whose loops are known.

#include "loopnest/regions/accesses.h"
#include "loopnest/regions/func_loops.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// Loops that something has been seen of.
using SeenLoops = std::vector<std::pair<FuncId, std::shared_ptr<const FuncLoops>>>;

/// Notes of which Funcs it is asked, their places included, so that answers can be remembered with what they depend on.
class SiteViews {
  public:
    /// The graph and the placement live longer than this.
    SiteViews(const LoweringGraph &graph, const Placement &placement);

    const LoweringGraph &graph() const { return graph_; }
    /// Not for what is computed from the places of other Funcs, and is remembered.
    const Placement &placement() const { return placement_; }
    /// Null until they are known.
    const std::shared_ptr<const FuncLoops> &loops(FuncId func) const { return loops_[func.index()]; }
    void set_loops(FuncId func, std::shared_ptr<const FuncLoops> loops) { loops_[func.index()] = std::move(loops); }

    /// Begins a list of the Funcs that are seen.
    void begin_seen() const { seen_.clear(); }
    /// What has been seen since, but for a Func itself.
    SeenLoops seen(FuncId but) const;
    /// Whether these are the loops now.
    bool are_current(const SeenLoops &seen) const;

    const StageNest &nest(FuncId func, int stage) const { return *see(func).nests[static_cast<size_t>(stage)]; }
    const StageAccesses &accesses(FuncId func, int stage) const {
        return see(func).accesses[static_cast<size_t>(stage)];
    }
    const Site &compute(FuncId func) const { return see(func).compute; }
    /// As in Placement, and in LoweringGraph.
    Site around(const Site &site) const;
    const Fusion *fusion(FuncId func, int stage) const;
    Variant variant(FuncId func, int stage) const;
    std::pair<int, int> alternatives(FuncId func, int stage) const;
    /// The stages of other Funcs that call this one.
    const std::vector<Consumer> &consumers(FuncId func) const { return graph_.consumers[func.index()]; }

    /// With region symbols replaced by what they stand for, as far as that is short.
    Expr expand(const Expr &expr) const;
    /// What a region symbol stands for; the symbol where it stays one.
    Expr expanded(const Expr &symbol) const;
    /// An interval in terms of what is known at `from` becomes one in terms of what is known at `to`, further out.
    analysis::Interval lift(analysis::Interval interval, Site from, const Site &to) const;
    /// Whether `site` lies strictly inside `outer`.
    bool is_inside(Site site, const Site &outer) const;
    /// The variables of a stage as intervals, seen from a site that encloses its reads.
    analysis::BoundsFinder consumer_bounds(FuncId func, int stage, const Site &site, Touch touch = Touch::Read) const;
    analysis::BoundsFinder with_lets(FuncId func, int stage, analysis::Scope scope) const;
    static analysis::Box box_of(const Access &access, analysis::BoundsFinder &bounds);
    /// A value over the loops of a nest: region symbols of its site and the nest's defs expanded.
    /// Defs that stand outside of loop `end` stay names.
    Expr in_loops(const StageNest &owner, const Expr &value, int end = std::numeric_limits<int>::max()) const;
    /// As in_loops, and with region values expanded that depend on loops inside of `site`, as far as they stay short.
    Expr in_all_loops(const StageNest &owner, const Expr &value, const Site &site) const;
    /// Whether a value is known to be the same in all iterations of the loops inside `site`.
    bool stands_still(const Expr &value, const StageNest &owner, const Site &site) const;
    /// Whether a symbol stands for a value that loops inside `site` may move.
    bool hides_loops(const Expr &expr, const Site &site) const;
    /// Whether the extents are known to be the same in all iterations of the loops around.
    bool has_steady_extents(const Region &region) const;

  private:
    struct Lifted {
        Site to;
        analysis::Interval interval;
        std::vector<FuncId> seen;
    };

    const LoweringGraph &graph_;
    const Placement &placement_;
    std::vector<std::shared_ptr<const FuncLoops>> loops_; // by FuncId
    mutable ir::SymbolMap<std::vector<Lifted>> lifted_;   // of region symbols that stay symbols
    mutable std::vector<FuncId> seen_;

    void note(FuncId func) const;
    const FuncLoops &see(FuncId func) const {
        note(func);
        return *loops_[func.index()];
    }
    const RegionValue *value_of(const ir::Symbol &symbol) const;
    /// The value of a node that is a region symbol which stays one.
    const RegionValue *unexpanded(const Expr &node) const;
    const Site &site_of(const ir::Symbol &symbol) const;
    /// Region symbols of sites further in than `to` that were not expanded range over their own bounds at `to`.
    void add_inner_symbols(const Expr &expr, const Site &to, analysis::Scope &scope) const;
    analysis::Interval lifted(const ir::Symbol &symbol, const Expr &value, const Site &to) const;
};

} // namespace fluorite::loopnest
