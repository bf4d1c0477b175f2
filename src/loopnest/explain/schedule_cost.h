#pragma once
// The cost of a schedule, Func by Func, as numbers.

#include "loopnest/explain/nest_values.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::loopnest {

/// The pipeline with every Func that is not inlined at root: there, each Func computes exactly once what is needed of
/// it.
schedule::ScheduledGraph all_at_root(schedule::ScheduledGraph pipeline);

/// The loops that enclose a site, outermost first.
struct LoopsAround {
    std::vector<const NestLoop *> loops;
    std::vector<StageId> stages; // of each loop
    std::vector<const NestGuard *> guards;
    std::vector<Expr> first_iterations; // of Funcs that are not computed in others (InvariantLoop)
};
LoopsAround loops_around(const BoundedLoopNest &nest, const Site &site);
/// The loops that enclose the production of a Func.
LoopsAround loops_around_func(const BoundedLoopNest &nest, FuncId func);

/// The cost of one Func that has its own loops. A number is missing if it depends on an input that is not bound, a
/// Param without a value, or outputs of unknown sizes.
struct FuncCost {
    /// The extents of its storage, dimension by dimension, followed by that of its ring: as numbers, the maximum over
    /// the enclosing loops, and as expressions.
    std::optional<std::vector<int64_t>> storage;
    std::vector<Expr> storage_extents;
    /// The size of all tuple elements of one point.
    int64_t value_bytes = 0;
    /// How many points its pure definition computes in one run, and how many it would compute at root.
    std::optional<int64_t> values_computed, values_needed;
    /// `values_computed` is missing because there are too many different regions to enumerate.
    bool has_too_many_pieces = false;

    std::optional<int64_t> storage_bytes() const;
};

/// The costs of a schedule for given output sizes (innermost dimension first; if empty, the estimates of the outputs).
class ScheduleCost {
  public:
    ScheduleCost(const schedule::ScheduledGraph &pipeline, const std::vector<int32_t> &sizes,
                 const NestOptions &options = {});

    const BoundedLoopNest &nest() const { return nest_; }
    NestValues &values() { return values_; }
    FuncCost of(FuncId func);

  private:
    BoundedLoopNest nest_;
    NestValues values_;
    BoundedLoopNest at_root_;
    NestValues values_at_root_;

    std::vector<Expr> storage_extents(FuncId id) const;
    std::optional<std::vector<int64_t>> largest_storage(FuncId id, const std::vector<Expr> &extents);
    void count_work(FuncId id, FuncCost &cost);
    std::optional<int64_t> values_needed(FuncId id);
};

} // namespace fluorite::loopnest
