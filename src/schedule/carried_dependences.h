#pragma once
// Which loops carry the dependences of an update: whether an order of its loops keeps the order of dependent
// iterations, and whether the iterations of one loop are independent while those around it are fixed.

#include "schedule/dependence.h"
#include "schedule/schedule.h"

#include <span>

namespace fluorite::schedule {

/// Answers for one update whose dependences all have constant distances. Memory is kept from question to question.
class CarriedDependences {
  public:
    explicit CarriedDependences(DependenceDistances dependences) : dependences_(std::move(dependences)) {}

    /// Whether of two dependent iterations the one that is first by the definition is first in these loops, too.
    /// `order` gives positions in schedule.dims, innermost first.
    bool keeps_order(const StageSchedule &schedule, std::span<const size_t> order) const;
    /// Whether iterations of the loop that are equal in the loops around it do not depend on each other. They may then
    /// run in any order, in parallel and as lanes.
    bool is_independent(const StageSchedule &schedule, std::span<const size_t> order, size_t loop) const;

  private:
    /// By how many iterations of a loop two dependent iterations differ: between `low` and `high`.
    struct Step {
        int64_t low = 0, high = 0;
    };
    struct Loop {
        const std::string *name;
        int id;
        Step step;
        int outer = -1; // of the inner part of a split: the id of the outer one
        Step whole;     // and its step where that of the outer part is 0
    };
    enum class Carrier : uint8_t { Around, None, Broken };

    DependenceDistances dependences_;
    mutable std::vector<Loop> loops_;
    mutable std::vector<int> equal_; // the outer parts of splits in which the iterations are taken to be equal

    void follow(const StageSchedule &schedule, const std::vector<int64_t> &distance) const;
    Step take(const std::string &name) const;
    const Loop *find(const std::string &name) const;
    Step step_of(const std::string &name) const;
    Carrier carrier_before(const StageSchedule &schedule, std::span<const size_t> order, size_t end) const;
    static Step fused(const Step &outer, const Step &inner);
};

/// Whether loop `loop` of an update is independent in this sense; false if a dependence has no constant distance.
bool loop_is_independent(const ir::Stage &update, const ir::Symbol &func, const StageSchedule &schedule, size_t loop);

} // namespace fluorite::schedule
