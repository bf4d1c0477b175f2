#pragma once
// What a compile may grow to.

#include <cstddef>

namespace fluorite::loopnest {

/// What a compile may grow to, so that none runs away. All measures are counts, so that a program is refused on every
/// machine or on none. They bound time and memory to what a large program may take: at each of them a compile takes a
/// minute or a few, and some gigabytes, on one core of a 2.6 GHz server.
struct Budget {
    /// Distinct nodes of the expressions of one stage, as written and with what is inlined. Lowering takes some 40
    /// microseconds for each, and the code generator as much again.
    size_t stage_nodes = 500'000;
    /// Nodes that inlining walks in all: a body is walked again for each call of it.
    size_t inlined_nodes = 4'000'000;
    /// Levels of one expression. Passes recurse over operands, on a stack of 512 MB, and take up to 3 KB a level.
    size_t levels = 150'000;
    /// Funcs, with the copies that inlined reductions and specializations get.
    size_t funcs = 20'000;
    /// Nodes of the statement; a vector counts as often as it fills a register of 512 bits. The code generator takes
    /// some 1.3 KB of memory for each.
    size_t statement_nodes = 2'000'000;
};

} // namespace fluorite::loopnest
