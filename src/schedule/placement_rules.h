#pragma once
// Where Funcs may be computed, stored and have their memory taken: one set of rules, which answers with a value.

#include "schedule/schedule.h"
#include "schedule/site.h"

#include <map>
#include <span>
#include <vector>

namespace fluorite::schedule {

/// A stage that shares its outer loops with others. All of them stand in the loops of the first, `parent`, which has
/// itself as parent.
struct Fusion {
    Site parent;                          // the innermost shared loop
    LoopId loop = LoopId(0);              // the innermost shared loop of this stage
    std::vector<LoopAlignStrategy> align; // by shared loop, outermost first; empty: NoAlign
    Location location;
    /// The site in shared loops where the loop of this stage is.
    Site shared(LoopId own_loop) const { return {parent.stage, outward(parent.loop, own_loop.value - loop.value)}; }
};
using FusedStages = std::map<StageId, Fusion>;

/// Where the nest of a site stands: in the loops it shares, or where its Func is computed. `computed` is by FuncId.
Site around(const Site &site, std::span<const Site> computed, const FusedStages *fused);
/// From root inward: the sites that enclose the body of a stage.
void find_path(StageId stage, const Schedule &schedule, std::span<const Site> computed, const FusedStages *fused,
               std::vector<Site> &path);

/// Legal, or the rule that a place breaks and the loop that it breaks it at.
struct PlacementVerdict {
    enum class Rule : uint8_t {
        None,
        OutOfScope, // a loop around the place where it is computed does not enclose every use of it, or one around its
                    // storage not that place, or one around its memory not the storage
        AtOnce,     // iterations of `loop` run at once, and would share what each computes into
    };
    Rule broken = Rule::None;
    Site loop; // AtOnce
    constexpr explicit operator bool() const { return broken == Rule::None; }
};

/// The sites of a pipeline under a schedule. Questions are answered without a throw, an allocation or a copy; a Func
/// that is moved costs the next question about each Func that it reads a walk over the loops around their uses.
class PlacementRules {
  public:
    struct Nests {
        std::vector<FuncId> order; // Funcs that are computed, producers first
        std::vector<std::vector<StageId>>
            uses;                      // by FuncId: the stages that read each; inlined Funcs hand their uses on
        std::vector<bool> has_updates; // by FuncId
    };
    /// The schedule and the fused stages live longer than this.
    PlacementRules(const Schedule &schedule, Nests nests, const FusedStages *fused = nullptr);

    /// From root inward: the sites that enclose all uses of a Func; root alone where it has none.
    std::span<const Site> legal(FuncId func) const noexcept;
    PlacementVerdict compute_at(FuncId func, const Site &compute) const noexcept;
    PlacementVerdict store_at(FuncId func, const Site &compute, const Site &store) const noexcept;
    PlacementVerdict hoist_at(FuncId func, const Site &store, const Site &hoist) const noexcept;

    void move(FuncId func, const Site &compute) noexcept;
    const Site &computed(FuncId func) const { return computed_[func.index()]; }

    /// From root inward: the sites that enclose the body of a stage.
    void path_of(StageId stage, std::vector<Site> &path) const;
    const Nests &nests() const { return nests_; }
    /// Null where the site is root, or outside of the loops of its stage.
    const LoopDim *loop_at(const Site &site) const noexcept;

  private:
    const Schedule &schedule_;
    Nests nests_;
    const FusedStages *fused_;
    std::vector<Site> computed_;
    std::vector<size_t> position_; // in order_, by FuncId
    struct Legal {
        std::vector<Site> sites;
        bool is_current = false;
    };
    mutable std::vector<Legal> legal_;
    mutable std::vector<Site> path_;

    void find_legal(FuncId func) const;
};

} // namespace fluorite::schedule
