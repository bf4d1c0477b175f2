#pragma once
// Extern stages in the interpreter: a C function computes a box of a Func in buffers of its own.

#include "interpret/bindings.h"
#include "interpret/interpret.h"
#include "interpret/scalar.h"

#include <functional>
#include <vector>

namespace fluorite::interpret {

/// What the interpreter does for an extern stage.
struct ExternHost {
    /// The values of expressions without Vars.
    std::function<std::vector<Cell>(const std::vector<Expr> &)> values;
    /// Value `element` of an earlier Func at a point.
    std::function<Cell(size_t func, size_t element, const int32_t *point)> read;
    /// The values of all elements at a point of the box.
    std::function<void(const int32_t *point, const std::vector<Cell> &values)> store;
};

/// Asks the function what it reads for a nonempty box of the Func, computes that, and has it compute the box. Throws
/// RuntimeError [extern-failed] where it returns anything but 0.
void run_extern_stage(Bindings &bindings, const ir::FuncDef &func, const Region &box, const ExternHost &host);

} // namespace fluorite::interpret
