#pragma once
// Limits on the size of a compilation.

#include <cstddef>

namespace fluorite::loopnest {

/// Limits that keep a compilation from running away. All of them are counts, so a program is refused on every machine
/// or on none. They allow large programs: at each limit, a compilation takes one to a few minutes and some gigabytes on
/// one core of a 2.6 GHz server.
struct Budget {
    /// The distinct nodes of the expressions of one stage, as written and after inlining. Lowering takes some 40
    /// microseconds for each node, and the code generator as much again.
    size_t stage_nodes = 500'000;
    /// The nodes that inlining visits in total: a definition is visited again for each call of it.
    size_t inlined_nodes = 4'000'000;
    /// The depth of one expression. Passes recurse over operands on a stack of 512 MB and use up to 3 KB for each
    /// level.
    size_t levels = 150'000;
    /// Funcs, including the copies that inlined reductions and specializations need.
    size_t funcs = 20'000;
    /// The nodes of the statement; a vector counts once for each register of 512 bits that it fills. The code generator
    /// takes some 1.3 KB of memory for each.
    size_t statement_nodes = 2'000'000;
};

} // namespace fluorite::loopnest
