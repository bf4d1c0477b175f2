#pragma once
// Reads of the Funcs of one segment whose coordinates repeat an image beyond its edges.

#include "analysis/periodic_coordinate.h"
#include "ir/graph.h"

#include <map>
#include <optional>
#include <vector>

namespace fluorite::distributed {

class PeriodicReads {
  public:
    /// `members` are the Funcs that a segment computes, `outputs` those whose values other segments or the caller see.
    PeriodicReads(const ir::Graph &graph, std::vector<FuncId> outputs, std::vector<FuncId> members)
        : graph_(graph), outputs_(std::move(outputs)), members_(std::move(members)) {}

    /// A coordinate of a read in a stage of `func`, as BoundaryConditions::repeat_image writes it, of which the inner
    /// coordinate stays near the points that are computed: replacing it leaves a region that grows by a few points.
    std::optional<analysis::PeriodicCoordinate> find(const Expr &coordinate, FuncId func, const ir::Stage &stage);

  private:
    const ir::Graph &graph_;
    std::vector<FuncId> outputs_;
    std::vector<FuncId> members_;
    std::map<FuncId, std::vector<bool>> near_; // by argument: whether it stays near a coordinate of an output

    void find_near_arguments();
    bool is_near(const Expr &coordinate, FuncId func, const ir::Stage &stage) const;
};

} // namespace fluorite::distributed
