#pragma once
// Vectors that read an image at an edge beyond which it is mirrored or repeated. See near_edges.cpp.

#include "analysis/periodic_coordinate.h"
#include "ir/stmt.h"
#include "lowering/pass_context.h"

#include <optional>

namespace fluorite::lowering {

/// What a store may be replaced by where the condition, a scalar, holds.
struct NearStore {
    Expr condition;
    ir::Stmt store;
};

class NearEdges {
  public:
    /// Finds the coordinates in a statement with hints.
    NearEdges(const ir::Stmt &hinted, const PassContext &context);

    /// Finds a faster form of a store without hints; nothing where it reads at none of the coordinates.
    std::optional<NearStore> near(const ir::Store &store) const;

  private:
    const PassContext &context_;
    ir::ExprMap<analysis::PeriodicCoordinate> coordinates_; // by the coordinate without hints
};

} // namespace fluorite::lowering
