#pragma once
// Reads of inputs that stay where the input is, whatever points of a stage are computed.

#include "ir/graph.h"
#include "loopnest/regions/accesses.h"

namespace fluorite::autoschedule {

/// A coordinate without the lets of its stage.
Expr without_lets(Expr coordinate, const loopnest::StageAccesses &accesses);

/// Whether a coordinate of an input, without lets, stays where the input is, or where values beyond the stage's end
/// read it too: it does not follow the stage's loops except through data, or it is clamped to the input's own box. An
/// input of which a program clamps to 0 .. extent - 1 is taken to begin at 0.
bool is_held(const ir::FuncDef &func, const ir::InputDef &input, size_t dimension, const Expr &coordinate);

} // namespace fluorite::autoschedule
