#pragma once
// Values as seen from other sites of the loop nest, in terms of the Funcs whose loops are known.

#include "loopnest/regions/accesses.h"
#include "loopnest/regions/extern_queries.h"
#include "loopnest/regions/func_loops.h"
#include "loopnest/regions/lifted_ends.h"

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// What a computation has used: the loops of Funcs, and ends that are bound to symbols.
struct Seen {
    std::vector<std::pair<FuncId, std::shared_ptr<const FuncLoops>>> loops;
    std::vector<SharedEnd> ends;
};

/// Records which Funcs it is queried about, including their sites, so that results can be memoized with what they
/// depend on.
class SiteViews {
  public:
    /// The graph and the placement must outlive this object.
    SiteViews(const LoweringGraph &graph, const Placement &placement);

    const LoweringGraph &graph() const { return graph_; }
    /// Queries through it are not recorded: memoized results must not depend on the sites of other Funcs obtained from
    /// it.
    const Placement &placement() const { return placement_; }
    /// Null while they are not known.
    const std::shared_ptr<const FuncLoops> &loops(FuncId func) const { return loops_[func.index()]; }
    void set_loops(FuncId func, std::shared_ptr<const FuncLoops> loops);

    /// Starts a new record of used Funcs.
    void begin_seen() const { seen_ = {}, seen_ends_ = {}; }
    /// The Funcs used since then, except `but`.
    Seen seen(FuncId but) const;
    /// Whether the current loops are still these objects.
    bool are_current(const Seen &seen) const;

    const StageNest &nest(StageId stage) const { return *see(stage.func).nests[stage.index()]; }
    const StageAccesses &accesses(StageId stage) const { return see(stage.func).accesses[stage.index()]; }
    const Site &compute(FuncId func) const { return see(func).compute; }
    const std::vector<InvariantLoop> &invariant_loops(FuncId func) const { return see(func).invariant_loops; }
    /// As in Placement and LoweringGraph.
    Site around(const Site &site) const;
    const Fusion *fusion(StageId stage) const;
    Variant variant(StageId stage) const;
    std::pair<size_t, size_t> alternatives(StageId stage) const;
    /// The stages of other Funcs that call this one.
    const std::vector<Consumer> &consumers(FuncId func) const { return graph_.consumers[func.index()]; }

    /// Replaces region symbols by their values, where these are short.
    Expr expand(const Expr &expr) const;
    /// The same for an end of an interval that is to be seen from root: windows as if they did not slide, where the end
    /// then is no further inward. (A window that slides is inside of the one that does not.)
    Expr expand_for_root(const Expr &end, ir::Side side) const;
    /// Whether it names ends of windows that slide, or of regions that follow them.
    bool follows_slides(const Expr &expr) const;
    /// The value of a region symbol, or the symbol itself if it is kept.
    Expr expanded(const Expr &symbol) const;
    /// Converts an interval in terms of what is known at `from` to one in terms of what is known at `to`, further out.
    analysis::Interval lift(const analysis::Interval &interval, const Site &from, const Site &to) const;
    /// The greatest value as seen from `to`, if it is a constant that is found without long values in between.
    std::optional<int64_t> greatest_constant(const Expr &value, const Site &from, const Site &to) const;
    /// Whether `site` is strictly inside `outer`.
    bool is_inside(Site site, const Site &outer) const;
    /// The intervals of a stage's variables, seen from a site that encloses its reads.
    analysis::BoundsFinder consumer_bounds(StageId stage, const Site &site, AccessKind access = AccessKind::Read) const;
    analysis::BoundsFinder with_lets(StageId stage, analysis::Scope scope) const;
    static analysis::Box box_of(const Access &access, analysis::BoundsFinder &bounds);
    /// The same for a read of stage `reader`, of which an extern stage says in a bounds query what it reads. `bounds`
    /// is seen from the site.
    analysis::Box read_box(const Consumer &reader, const Access &access, const Site &site,
                           analysis::BoundsFinder &bounds) const;
    /// The boxes of the operands of an extern stage, seen from a site around it; empty for those that are no queried
    /// buffers. The first call for a site adds the bounds query there.
    const std::vector<analysis::Box> &operand_boxes(FuncId func, const Site &site) const;
    /// What bounds queries bind and assert, and the lifted ends that were used for the first time since begin_seen(),
    /// that were added since the last call; in order.
    std::vector<std::pair<Site, SiteLet>> take_lets() const { return queries_.take_lets(); }
    /// Records that the end is used, and has take_lets() return it.
    void use(const SharedEnd &end) const;
    /// Makes the end known to these views.
    void adopt(const SharedEnd &end) const { ends_.adopt(end); }
    /// A value in terms of the loops of a nest: expands region symbols and those definitions of the nest that are
    /// inside loop `end`.
    Expr in_loops(const StageNest &owner, const Expr &value, int end = std::numeric_limits<int>::max()) const;
    /// Whether a simplified value is the same in terms of the loops of any nest: it names nothing to expand.
    bool is_in_loops(const Expr &value) const;
    /// The least value and the extent of a loop as in_loops, without hints.
    const std::pair<Expr, Expr> &range_in_loops(const StageNest &owner, int loop) const;
    /// As in_loops; also expands region symbols that depend on loops inside `site`, while the result is short.
    Expr in_all_loops(const StageNest &owner, const Expr &value, const Site &site) const;
    /// Whether a value is known to be invariant in the loops inside `site`.
    bool is_invariant_in(const Expr &value, const StageNest &owner, const Site &site) const;
    /// Whether the expression contains a kept symbol whose value may depend on loops inside `site`.
    bool hides_loops(const Expr &expr, const Site &site) const;
    /// Whether the extents are known to be invariant in all enclosing loops.
    bool has_steady_extents(const Region &region) const;
    /// Whether it is a region symbol that is bound at root and not expanded.
    bool is_kept_at_root(const ir::Symbol &symbol) const;
    /// Null where the symbol is no region symbol.
    const RegionValue *value_of(const ir::Symbol &symbol) const;

  private:
    struct Lifted {
        Site from, to;
        analysis::Interval interval;
        std::vector<FuncId> seen;
    };
    struct SeenFuncs {
        std::vector<FuncId> order;
        std::vector<bool> contains; // by FuncId
    };
    /// Lifted ends, without duplicates.
    struct EndList {
        std::vector<SharedEnd> order;
        ir::SymbolMap<bool> contains;

        bool add(const SharedEnd &end) {
            const bool is_new = contains.emplace(end->symbol, true).second;
            if (is_new) {
                order.push_back(end);
            }
            return is_new;
        }
    };

    const LoweringGraph &graph_;
    const Placement &placement_;
    std::vector<std::shared_ptr<const FuncLoops>> loops_;         // by FuncId
    mutable ir::SymbolMap<std::vector<Lifted>> lifted_;           // of region symbols that are kept
    mutable ir::SymbolMap<std::vector<Lifted>> least_, greatest_; // ends of variables and other symbols, as points
    mutable std::map<std::pair<const StageNest *, int>, analysis::Scope> loops_at_;
    mutable std::map<std::pair<const StageNest *, int>, std::pair<Expr, Expr>> ranges_in_loops_;
    mutable SeenFuncs seen_;
    mutable EndList seen_ends_;
    mutable int lifts_ = 0; // that are being computed, one inside of the other
    mutable ExternQueries queries_;
    mutable LiftedEnds ends_;

    void note(FuncId func) const;
    void use_ends_in(const analysis::Interval &interval) const;
    template <typename ValueOf> Expr expand_with(const Expr &expr, const ValueOf &value_to_use) const;
    const FuncLoops &see(FuncId func) const {
        note(func);
        return *loops_[func.index()];
    }
    /// The value of a node that is a kept region symbol; else null.
    const RegionValue *unexpanded(const Expr &node) const;
    /// Where the symbol, which has a value, is bound.
    const Site &site_of(const ir::Symbol &symbol) const;
    /// Adds kept region symbols of sites inside `to`, with their bounds as seen from there.
    void add_inner_symbols(const Expr &expr, const Site &to, analysis::Scope &scope) const;
    analysis::Interval lifted(const ir::Symbol &symbol, const Expr &value, const Site &to) const;
    /// The end of what a variable takes, seen from further out.
    Expr lifted_variable(const Expr &variable, ir::Side side, const Site &from, const Site &to) const;
    /// Converts an end of an interval as `lift` does; undefined if a value in between has more nodes than `most_nodes`.
    Expr lift_end(Expr end, ir::Side side, Site from, const Site &to, size_t most_nodes = SIZE_MAX) const;
    /// Converts it to the next site on the way outward to `to`, which it returns.
    Site leave(Expr &end, ir::Side side, const Site &from, const Site &to) const;
    /// The intervals of the nest's variables, seen from inside of a loop.
    const analysis::Scope &loops_at(const StageNest &nest, int loop, StageNest::Ranges ranges) const;
    template <typename Compute>
    analysis::Interval remembered(ir::SymbolMap<std::vector<Lifted>> &memo, const ir::Symbol &symbol, const Site &from,
                                  const Site &to, const Compute &compute) const;
};

} // namespace fluorite::loopnest
