#pragma once
// Vectors that are loaded or stored by one scalar access for each lane. Knows addresses, not how they come about.

#include "backends/llvm/emit/memory/buffers.h"

#include <array>
#include <functional>

namespace fluorite::backends {

/// Whether dense vectors of this element type can be loaded and stored under a mask. Otherwise each lane is accessed.
inline bool has_masked_access(const machine::MachineModel &machine, Type type) {
    return machine.least_masked_bits > 0 && type.bits() >= machine.least_masked_bits;
}

class LaneAccesses {
  public:
    LaneAccesses(const ModuleContext &m, FunctionFrame &frame, Buffers &buffers)
        : m_(m), b_(m.b), frame_(frame), buffers_(buffers) {}

    /// The addresses of the active lanes; for inactive ones, the address of a zero on the stack.
    llvm::Value *harmless(llvm::Value *addresses, llvm::Value *mask);
    /// The elements at the addresses, in memory representation.
    llvm::Value *load(Type type, llvm::Value *addresses);
    /// The elements of the active lanes, in memory representation, and zeros: a branch for each lane. `at` is the
    /// address of lane i.
    llvm::Value *load_where(Type type, const ir::Symbol &symbol, llvm::Value *mask,
                            const std::function<llvm::Value *(uint64_t)> &at);
    void store_where(Type type, const ir::Symbol &symbol, llvm::Value *stored, llvm::Value *mask,
                     const std::function<llvm::Value *(uint64_t)> &at);
    /// In the order of the lanes.
    void store(Type type, llvm::Value *stored, llvm::Value *addresses);
    /// The elements at base + offsets (counted in elements), in memory representation. `stays`: the innermost loop
    /// changes the offsets, so nothing is lost if LLVM cannot analyze the loads and hoist them.
    llvm::Value *load_at_offsets(Type type, const ir::Symbol &symbol, llvm::Value *base, llvm::Value *offsets,
                                 bool stays);
    /// A function (base, offsets) -> elements that loads lane by lane, for code that would be too long inline.
    llvm::Function *loader(Type type, llvm::Type *offsets);

  private:
    llvm::Value *load_by_offsets(llvm::IRBuilderBase &b, Type type, llvm::Value *base, llvm::Value *offsets,
                                 llvm::Value *slot, const std::function<void(llvm::Instruction *)> &tag_load);

    const ModuleContext &m_;
    llvm::IRBuilder<> &b_;
    FunctionFrame &frame_;
    Buffers &buffers_;
    llvm::Value *spare_ = nullptr; // the address that inactive lanes load from and store to
    /// Memory through which offsets of lanes pass, and the offsets that it has, stored in a block.
    struct LaneSlot {
        llvm::Value *memory = nullptr, *offsets = nullptr;
        llvm::BasicBlock *block = nullptr;
    };
    llvm::Value *slot_with(llvm::Value *offsets);
    std::array<LaneSlot, 4> lane_slots_{}; // used in rotation
    size_t next_lane_slot_ = 0;
    int lanes_in_place_ = 0; // lanes loaded one by one in this function so far
};

} // namespace fluorite::backends
