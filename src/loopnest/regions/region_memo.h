#pragma once
// Results of bounds inference that are shared by schedules of one pipeline.

#include "loopnest/regions/func_regions.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// Recent answers. Each is valid for a query and for the loops of other Funcs that its computation has used. If it is
/// found, the views use the lifted ends that its computation has used.
template <typename Query, typename Answer> class LoopMemo {
  public:
    /// Null if no recent answer is valid now. Same: bool(const Query &).
    template <typename Same> const Answer *find(const SiteViews &views, const Same &same) {
        for (size_t i = 0; i < entries_.size(); i++) {
            if (same(entries_[i].query) && views.are_current(entries_[i].seen)) {
                std::rotate(entries_.begin(), entries_.begin() + static_cast<long>(i),
                            entries_.begin() + static_cast<long>(i) + 1);
                for (const SharedEnd &end : entries_.front().seen.ends) {
                    views.use(end);
                }
                return &entries_.front().answer;
            }
        }
        return nullptr;
    }
    void keep(Query query, Seen seen, Answer answer) {
        constexpr size_t most = 12;
        if (entries_.size() == most) {
            entries_.pop_back();
        }
        entries_.insert(entries_.begin(), {std::move(query), std::move(seen), std::move(answer)});
    }
    template <typename Visit> void for_each(const Visit &visit) const {
        for (const Entry &entry : entries_) {
            visit(entry.query, entry.answer);
        }
    }

  private:
    struct Entry {
        Query query;
        Seen seen;
        Answer answer;
    };
    std::vector<Entry> entries_; // most recently used first
};

/// A box of an input that a stage reads, seen from root.
struct RootRead {
    size_t input = 0;
    StageId stage;
    analysis::Box box;
};
using RootReads = std::vector<RootRead>;
/// The reads of one input: the Funcs that read it, each with all its reads.
using InputReads = std::vector<std::pair<FuncId, std::shared_ptr<const RootReads>>>;

class RegionMemo {
  public:
    /// The earlier results for the Func, if its definition, schedule, sites and consumers were the same, and everything
    /// that inference used of other Funcs; the views then have its loops. Null if there are none.
    std::shared_ptr<const FuncRegions> find(SiteViews &views, FuncId func);
    /// Memoizes the results of a Func. If equal loops have been found before, those objects replace the new ones, also
    /// in the views, so that earlier results for producers remain valid.
    std::shared_ptr<const FuncRegions> keep(SiteViews &views, FuncInProgress &func);

    /// The loops of a group of Funcs after share_loops, by their loops before it.
    using Group = std::vector<std::shared_ptr<const FuncLoops>>;
    const Group *find_shared(const Group &own, const FusedStages &fused) const;
    void keep_shared(Group own, FusedStages fused, Group shared);

    std::map<FuncId, LoopMemo<std::shared_ptr<const FuncLoops>, std::shared_ptr<const RootReads>>> reads;
    std::map<size_t, LoopMemo<InputReads, analysis::Box>> input_boxes;
    std::map<FuncId, LoopMemo<std::shared_ptr<const FuncLoops>, analysis::Box>> output_boxes;

  private:
    /// Everything that determines the regions of a Func, except for what inference uses of other Funcs.
    struct Circumstances {
        ir::Symbol symbol;
        std::vector<ir::Stage> stages;
        schedule::FuncSchedule schedule;
        std::vector<Variant> variants; // by stage
        std::vector<Fusion> fusions;   // of its stages that share loops
        Site compute, store, hoist;
        std::vector<Consumer> consumers;
        bool any_fused = false; // whether any stage of the pipeline shares loops
    };
    struct SharedLoopsOf {
        Group own;
        FusedStages fused;
        Group shared;
    };
    std::map<FuncId, LoopMemo<Circumstances, std::shared_ptr<const FuncRegions>>> funcs_;
    std::vector<SharedLoopsOf> shared_;

    static Circumstances circumstances(const SiteViews &views, FuncId func);
    static bool hold(const Circumstances &then, const SiteViews &views, FuncId func);
    static bool has_same_loops(const Circumstances &then, const FuncLoops &loops, const FuncInProgress &now);
};

} // namespace fluorite::loopnest
