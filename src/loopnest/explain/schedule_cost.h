#pragma once
// What a schedule costs, Func by Func, in numbers.

#include "loopnest/explain/nest_values.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fluorite::loopnest {

/// The loops around the place where a Func is computed, outermost first.
struct LoopsAround {
    std::vector<const NestLoop *> loops;
    std::vector<StageId> stages; // of each loop
    std::vector<const NestGuard *> guards;
};
LoopsAround loops_around(const BoundedLoopNest &nest, const Site &site);

/// Of one Func that has loops of its own. A number is missing where it depends on an input that is not bound, a Param
/// without a value, or outputs of unknown sizes.
struct FuncCost {
    /// The extents of its memory, dimension by dimension and then of its ring: the largest in any piece, and as
    /// expressions.
    std::optional<std::vector<int64_t>> storage;
    std::vector<Expr> storage_extents;
    /// Of all elements of the tuple of one point.
    int64_t value_bytes = 0;
    /// How many points its pure definition computes in one run, and how many it would compute at root.
    std::optional<int64_t> values_computed, values_needed;
    /// There are more different pieces than are counted, so `values_computed` is missing.
    bool has_too_many_pieces = false;

    std::optional<int64_t> storage_bytes() const;
};

/// Counts for a schedule and output sizes (innermost dimension first; none: the outputs' estimates).
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
