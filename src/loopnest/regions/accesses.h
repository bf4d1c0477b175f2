#pragma once
// What stages read and write.

#include "ir/graph.h"

#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// A call of a Func or a read of an input, and where in the stage.
struct Access {
    ir::Symbol symbol;
    std::vector<Expr> args;
    Expr condition; // under which it happens; undefined: always
};

struct StageAccesses {
    std::vector<Access> calls, images;
    std::vector<std::pair<ir::Symbol, Expr>> lets; // outermost first
};

StageAccesses find_accesses(const ir::Stage &stage);
/// What a stage stores.
Access write_of(const ir::FuncDef &func, size_t stage);
/// Whether values of the stage's own Func are more than operands of arithmetic: parts of coordinates, conditions of the
/// domain, of requirements and arguments of C functions. Then all of them have to be defined.
bool decides_by_own_values(const ir::Stage &stage, const ir::Symbol &own);

} // namespace fluorite::loopnest
