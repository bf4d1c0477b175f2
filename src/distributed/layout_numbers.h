#pragma once
// The numbers of layouts, and the edges of views, that are known only when a pipeline runs.

#include "ranks/compiled/description.h"
#include "schedule/schedule.h"

#include <optional>
#include <vector>

namespace fluorite::distributed {

/// Collects the numbers of ranks and tiles in schedules, and those of edges.
class LayoutNumbers {
  public:
    /// The cuts of a Func. Throws RuntimeError [bad-distribution] for numbers that are made of anything but Params.
    std::vector<distribute::DimensionPartition> cuts_of(const schedule::FuncSchedule &schedule,
                                                        const std::vector<std::string> &dimensions,
                                                        const std::string &name);
    /// A number of layouts. Throws in the same way.
    distribute::LayoutNumber number_of(const Expr &expr, const std::string &name);
    size_t count() const { return exprs_.size(); }
    /// A pipeline that writes those numbers that are not constants into a buffer of int32. Precondition: there are
    /// some.
    schedule::ScheduledGraph pipeline() const;

  private:
    std::vector<Expr> exprs_;
};

} // namespace fluorite::distributed
