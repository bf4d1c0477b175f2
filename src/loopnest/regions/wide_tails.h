#pragma once
// Tails that reach beyond a region, as texts for messages.

#include "loopnest/loop_nest.h"

#include <span>
#include <string>

namespace fluorite::loopnest {

/// Why more of a dimension may be read of an input, or written of an output, than is asked for.
struct WideTail {
    std::string text; // `loop x of g is split by 8 with TailStrategy::RoundUp`; empty if nothing does that
    Expr matters;     // whether it does so in this run, valid at entry; undefined: not known there
};
/// `readers`: the Funcs that read the input, in the order of the graph.
WideTail tail_of_input(const BoundedLoopNest &nest, const ir::Symbol &input, size_t dimension,
                       std::span<const FuncId> readers);
WideTail tail_of_output(const BoundedLoopNest &nest, FuncId output, size_t dimension);

} // namespace fluorite::loopnest
