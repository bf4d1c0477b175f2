#pragma once
// From the levels of a schedule to sites: the one resolver, for lowering, the schedule tree, searches and explanations.

#include "schedule/placement/placement.h"
#include "support/refusal.h"

#include <span>
#include <vector>

namespace fluorite::schedule {

/// A rule that the schedule of a Func breaks, and where.
struct BrokenPlacement {
    enum class Rule : uint8_t {
        NoSuchStage,       // a level names a stage of its Func; there is not that one
        NoSuchLoop,        // and a loop of it
        OutOfScope,        // `site` is no legal site of the level
        AtOnce,            // iterations of `loop` run at once, and would share what each needs for itself
        OutputPlaced,      // an output is computed and stored at root,
        OutputStorage,     // in the caller's memory,
        OutputMemoized,    // which is no copy in a cache;
        OutputAsync,       // and nothing waits for it
        StreamOfScalars,   // only vectors bypass the caches
        MemoizedApart,     // what is kept is all that is stored: a memoized Func is stored where it is computed,
        MemoizedReshaped,  // in the shape of its region,
        MemoizedInLanes,   // outside of vectorized loops: `loop` is one,
        MemoizedWithOther, // and not together with `other`
        AsyncInLanes,      // lanes start no tasks: `loop` is vectorized;
        AsyncWithOther,    // a task produces one Func, not `other` as well
        RingNotHoisted,    // iterations of a loop between memory and storage take turns
        ApartFromOther,    // loops that are shared with `other` are at one site
    };
    enum class Level : uint8_t { Compute, Store, Hoist };
    Rule rule;
    FuncId func;
    Location location; // of the directive
    Level level = Level::Compute;
    Site site = {}, loop = {};
    FuncId other = {};

    /// Whether a level has no site, or none that its memory may have: the sites of the Func are then not those that the
    /// schedule asks for.
    bool is_of_levels() const;
};

/// Resolves compute_at, store_at and hoist_storage, consumers first, and checks the directives that depend on sites.
/// Nothing is thrown: a level that has no legal site gives root, and a broken rule.
class PlacementResolver {
  public:
    /// The graph and the schedule live longer than this. `nests` lists the Funcs that are computed.
    PlacementResolver(const ir::Graph &graph, const Schedule &schedule, PlacementRules::Nests nests,
                      FusedStages fused = {});
    PlacementResolver(const PlacementResolver &) = delete; // rules refer to the placement
    PlacementResolver &operator=(const PlacementResolver &) = delete;

    const Placement &placement() const { return placement_; }
    const Site &compute(FuncId func) const { return placement_.compute[func.index()]; }
    const Site &store(FuncId func) const { return placement_.store[func.index()]; }
    /// From root inward, the sites that hold all uses; for an inlined Func, those that it could have.
    std::span<const Site> legal(FuncId func) const { return rules_.legal(func); }
    /// The legal sites of a level: from root to the site that the level is around.
    std::span<const Site> legal(FuncId func, BrokenPlacement::Level level) const;
    const PlacementRules &rules() const { return rules_; }

    /// In the order in which they were found; empty where the schedule is legal.
    const std::vector<BrokenPlacement> &broken() const { return broken_; }
    Refusal refusal_of(const BrokenPlacement &broken, const StageNames &names) const;

  private:
    const ir::Graph &graph_;
    const Schedule &schedule_;
    Placement placement_;
    PlacementRules rules_;
    std::vector<BrokenPlacement> broken_;

    using Rule = BrokenPlacement::Rule;
    using Level = BrokenPlacement::Level;

    void place(FuncId func);
    void place_levels(FuncId func);
    Site choose(FuncId func, Level level);
    std::vector<Site> candidates(const LoopLevel &level) const;
    const LoopLevel &level_of(FuncId func, Level level) const;

    void check_output(FuncId func);
    void check_streams(FuncId func);
    void check_memoize(FuncId func);
    void check_ring(FuncId func);
    void check_lanes(FuncId func, Rule rule, const Location &location);
    void check_shared_loops();
    void check_alone(FuncId func, FuncId other);
};

} // namespace fluorite::schedule
