#pragma once
// Names that stand for a loop by its place, whatever it is called: what a level of compute_at may name beside a loop.

#include <string>

namespace fluorite::schedule {

constexpr const char *outermost_loop = "__outermost"; // around all loops of a stage: Var::outermost()
constexpr const char *block_loop = "__gpu_blocks";    // the innermost one over blocks: Var::gpu_blocks()
constexpr const char *thread_loop = "__gpu_threads";  // the innermost one over threads: Var::gpu_threads()

/// As a program writes the loop.
inline std::string shown_loop(const std::string &var) {
    return var == outermost_loop ? "Var::outermost()"
           : var == block_loop   ? "Var::gpu_blocks()"
           : var == thread_loop  ? "Var::gpu_threads()"
                                 : var;
}

} // namespace fluorite::schedule
