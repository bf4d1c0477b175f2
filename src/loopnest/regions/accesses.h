#pragma once
// The reads and writes of stages.

#include "ir/graph.h"

#include <utility>
#include <vector>

namespace fluorite::loopnest {

/// A call of a Func or a read of an input: its coordinates and its condition.
struct Access {
    ir::Symbol symbol;
    std::vector<Expr> args;
    Expr condition;   // the condition under which it happens; undefined: always
    int operand = -1; // of an extern stage: the operand that is a buffer, of which a bounds query says what is read
};

struct StageAccesses {
    std::vector<Access> calls, images;
    std::vector<std::pair<ir::Symbol, Expr>> lets; // outermost first
};

StageAccesses find_accesses(const ir::Stage &stage);
/// The store of a stage.
Access write_of(const ir::FuncDef &func, size_t stage);
/// Whether values of the stage's own Func are used other than as operands of arithmetic: in coordinates, conditions of
/// the domain or of requirements, or arguments of C functions. Then all of them must be defined.
bool decides_by_own_values(const ir::Stage &stage, const ir::Symbol &own);

} // namespace fluorite::loopnest
