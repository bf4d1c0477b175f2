#pragma once
// What bounds inference remembers between schedules of one pipeline.

#include "loopnest/regions/func_regions.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// Answers, each with what it follows from: a question, and the loops of Funcs that were seen on the way. The last few.
template <typename Question, typename Answer> class LoopMemo {
  public:
    /// Null where nothing is remembered that follows from what holds now. Same: bool(const Question &).
    template <typename Same> const Answer *find(const SiteViews &views, const Same &same) {
        for (size_t i = 0; i < entries_.size(); i++) {
            if (same(entries_[i].question) && views.are_current(entries_[i].seen)) {
                std::rotate(entries_.begin(), entries_.begin() + static_cast<long>(i),
                            entries_.begin() + static_cast<long>(i) + 1);
                return &entries_.front().answer;
            }
        }
        return nullptr;
    }
    void keep(Question question, SeenLoops seen, Answer answer) {
        constexpr size_t most = 12;
        if (entries_.size() == most) {
            entries_.pop_back();
        }
        entries_.insert(entries_.begin(), {std::move(question), std::move(seen), std::move(answer)});
    }
    template <typename Visit> void for_each(const Visit &visit) const {
        for (const Entry &entry : entries_) {
            visit(entry.question, entry.answer);
        }
    }

  private:
    struct Entry {
        Question question;
        SeenLoops seen;
        Answer answer;
    };
    std::vector<Entry> entries_; // the last one asked for first
};

/// What a stage reads of an input, seen from root.
struct RootRead {
    size_t input = 0;
    int stage = 0;
    analysis::Box box;
};
using RootReads = std::vector<RootRead>;
/// What several Funcs read of one input: those that read it, with their reads.
using InputReads = std::vector<std::pair<FuncId, std::shared_ptr<const RootReads>>>;

class RegionMemo {
  public:
    /// What was found for the Func where it had the same definition, schedule, place and consumers, and what it saw of
    /// other Funcs was the same; the views then have its loops. Null where that is not remembered.
    std::shared_ptr<const FuncRegions> find(SiteViews &views, FuncId func);
    /// Remembers what was found. Loops like those of an earlier time are replaced by these, also in the views, so that
    /// what was found for producers holds on.
    std::shared_ptr<const FuncRegions> keep(SiteViews &views, FuncInProgress &func);

    /// Of shared loops: the loops of a group that are shared, by what they are without.
    using Group = std::vector<std::shared_ptr<const FuncLoops>>;
    const Group *find_shared(const Group &own, const FusedStages &fused) const;
    void keep_shared(Group own, FusedStages fused, Group shared);

    std::map<FuncId, LoopMemo<std::shared_ptr<const FuncLoops>, std::shared_ptr<const RootReads>>> reads;
    std::map<size_t, LoopMemo<InputReads, analysis::Box>> input_boxes;
    std::map<FuncId, LoopMemo<std::shared_ptr<const FuncLoops>, analysis::Box>> output_boxes;

  private:
    /// All that the regions of a Func follow from beside what is seen of other Funcs.
    struct Circumstances {
        ir::Symbol symbol;
        std::vector<ir::Stage> stages;
        schedule::FuncSchedule schedule;
        std::vector<Variant> variants; // by stage
        std::vector<Fusion> fusions;   // of stages that share loops
        Site compute, store, hoist;
        std::vector<Consumer> consumers;
        bool any_fused = false; // any stage of the pipeline
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
