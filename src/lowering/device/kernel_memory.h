#pragma once
// The memory of a kernel.

#include "lowering/pass_context.h"

#include <utility>
#include <vector>

namespace fluorite::lowering {

/// The indices of a kernel, and how many values each has. The innermost dimension is the first.
struct KernelIndices {
    std::vector<ir::Symbol> blocks;
    std::vector<Expr> block_extents;
    std::vector<ir::Symbol> threads = {};
    std::vector<Expr> thread_extents = {};
};

/// What a kernel gets from the host for its memory.
struct KernelMemory {
    /// Arguments, and the values that the host computes for them.
    std::vector<std::pair<ir::Symbol, Expr>> values;
    /// Memory that the host allocates around the grid, which has a part for each block or thread.
    struct Parts {
        ir::Symbol buffer;
        Type type;
        std::vector<Expr> extents; // in terms of what is outside
    };
    std::vector<Parts> parts;
};

/// Gives sizes to what a kernel allocates outside of the work of threads; see kernel_memory.cpp. Before threads are
/// fused. Throws CompileError [gpu-memory-size] if a size cannot be bounded.
ir::Stmt size_block_memory(const ir::Stmt &body, const KernelIndices &indices, const PassContext &context,
                           KernelMemory &memory);
/// The same for the memory of threads, after they have been fused.
ir::Stmt size_thread_memory(const ir::Stmt &body, const KernelIndices &indices, const PassContext &context,
                            KernelMemory &memory);

/// Allocates the parts around the launch.
ir::Stmt with_parts(ir::Stmt launch, const KernelMemory &memory);

} // namespace fluorite::lowering
