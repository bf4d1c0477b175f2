#pragma once
// Vectors that read an image at an edge beyond which it is mirrored or repeated. See masked_edge_loads.cpp.

#include "analysis/periodic_coordinate.h"
#include "ir/stmt.h"
#include "lowering/loops/edge_state.h"
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
    /// Finds the coordinates in a statement with hints; none in an undefined one.
    NearEdges(const ir::Stmt &hinted, const PassContext &context);

    /// Finds a faster form of a store without hints; nothing where it reads at none of the coordinates.
    std::optional<NearStore> near(const ir::Store &store) const;
    enum class Piece : uint8_t { Before, After };
    /// The coordinates of loads, in a statement with hints, that `near` will find in the piece before or after an
    /// interior, each with its replacement. The replacement takes the place of the conditions that the solver would
    /// solve inside of the coordinate; coordinates without such a condition are not among them.
    ir::ExprMap<Expr> found_beside_interior(const ir::Stmt &hinted, Piece piece, const EdgeState &edges);

  private:
    /// The edges beyond which lanes may lie.
    struct Coordinate {
        analysis::PeriodicCoordinate periodic;
        bool below = true, above = true;
    };
    class LoadSplitter;

    const PassContext &context_;
    ir::ExprMap<Coordinate> coordinates_; // by the coordinate without hints
    ir::ExprMap<Expr> hinted_;            // by the coordinate with hints: without
};

} // namespace fluorite::lowering
