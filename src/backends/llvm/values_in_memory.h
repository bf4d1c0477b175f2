#pragma once
// Keeps what the blocks of a function share in memory instead of registers.

namespace llvm {
class Function;
}

namespace fluorite::backends {

/// Whether the time of register allocation would depend on which values live across which blocks.
bool has_many_blocks(const llvm::Function &function);
/// Gives each argument, and each value that is used in another block than its own, a place in the frame, which each use
/// reads. So no value lives longer than its block.
void keep_values_in_memory(llvm::Function &function);

} // namespace fluorite::backends
