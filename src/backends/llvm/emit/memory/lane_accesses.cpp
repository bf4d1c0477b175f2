// Vectors that are loaded or stored by one scalar access for each lane.
//
// Inactive lanes access a harmless address instead of their own: that needs no branches, and the size of the code is
// linear in the lanes. On devices, each lane has a branch: their memory has kinds, and an address is of one of them.
// Loads of lanes are slow to compile; beyond a number of them in a function, functions of the module load the lanes.
//
// Relies on LLVM to assemble vectors from scalar loads by insertions.

#include "backends/llvm/emit/memory/lane_accesses.h"

#include "support/check.h"

namespace fluorite::backends {

using llvm::Value;

namespace {

/// The number of lanes of a function that are loaded one by one inline. They are slow to compile, and code with many of
/// them is mostly that of image borders; beyond this number, a function of the module loads them, at the price of
/// saving registers around the call.
constexpr int most_lanes_in_place = 256;

} // namespace

Value *LaneAccesses::harmless(Value *addresses, Value *mask) {
    if (!spare_) {
        spare_ = frame_.entry_alloca(m_.i64, 1, 8, "spare");
    }
    b_.CreateStore(b_.getInt64(0), spare_);
    return b_.CreateSelect(mask, addresses, m_.lanes.broadcast(spare_, lanes_of(mask)));
}

/// No alias tag: inactive lanes read memory that does not belong to the buffer.
Value *LaneAccesses::load(Type type, Value *addresses) {
    llvm::Type *element = memory_type(m_.context, type.element_of());
    Value *result = llvm::PoisonValue::get(memory_type(m_.context, type));
    for (int i = 0; i < type.lanes(); i++) {
        Value *at = b_.CreateExtractElement(addresses, static_cast<uint64_t>(i));
        llvm::Instruction *one = b_.CreateAlignedLoad(element, at, llvm::Align(static_cast<uint64_t>(type.bytes())));
        result = b_.CreateInsertElement(result, one, static_cast<uint64_t>(i));
    }
    return result;
}

void LaneAccesses::store(Type type, Value *stored, Value *addresses) {
    stored = m_.arith.to_memory(type, stored);
    for (int i = 0; i < type.lanes(); i++) {
        const uint64_t lane = static_cast<uint64_t>(i);
        b_.CreateAlignedStore(b_.CreateExtractElement(stored, lane), b_.CreateExtractElement(addresses, lane),
                              llvm::Align(static_cast<uint64_t>(type.bytes())));
    }
}

// ---- Branches.

Value *LaneAccesses::load_where(Type type, const ir::Symbol &symbol, Value *mask,
                                const std::function<Value *(uint64_t)> &at) {
    llvm::Type *element = memory_type(m_.context, type.element_of());
    Value *result = llvm::PoisonValue::get(memory_type(m_.context, type));
    for (uint64_t i = 0; i < static_cast<uint64_t>(type.lanes()); i++) {
        llvm::BasicBlock *before = b_.GetInsertBlock(), *active = frame_.new_block("lane");
        llvm::BasicBlock *after = frame_.new_block("loaded");
        b_.CreateCondBr(b_.CreateExtractElement(mask, i), active, after);
        b_.SetInsertPoint(active);
        auto *one = b_.CreateAlignedLoad(element, at(i), llvm::Align(static_cast<uint64_t>(type.bytes())));
        buffers_.tag(one, symbol);
        b_.CreateBr(after);
        b_.SetInsertPoint(after);
        llvm::PHINode *lane = b_.CreatePHI(element, 2);
        lane->addIncoming(one, active);
        lane->addIncoming(llvm::Constant::getNullValue(element), before);
        result = b_.CreateInsertElement(result, lane, i);
    }
    return result;
}

void LaneAccesses::store_where(Type type, const ir::Symbol &symbol, Value *stored, Value *mask,
                               const std::function<Value *(uint64_t)> &at) {
    stored = m_.arith.to_memory(type, stored);
    for (uint64_t i = 0; i < static_cast<uint64_t>(type.lanes()); i++) {
        llvm::BasicBlock *active = frame_.new_block("lane"), *after = frame_.new_block("stored");
        b_.CreateCondBr(b_.CreateExtractElement(mask, i), active, after);
        b_.SetInsertPoint(active);
        auto *one = b_.CreateAlignedStore(b_.CreateExtractElement(stored, i), at(i),
                                          llvm::Align(static_cast<uint64_t>(type.bytes())));
        buffers_.tag(one, symbol);
        b_.CreateBr(after);
        b_.SetInsertPoint(after);
    }
}

// ---- Lanes at offsets from one address.

Value *LaneAccesses::load_at_offsets(Type type, const ir::Symbol &symbol, Value *base, Value *offsets, bool stays) {
    const int lanes = type.lanes();
    if (lanes > 4 && m_.machine.has_vectors && (lanes >= 64 || lanes_in_place_ + lanes > most_lanes_in_place)) {
        return b_.CreateCall(loader(type, offsets->getType()), {base, offsets});
    }
    lanes_in_place_ += lanes;
    Value *slot = nullptr;
    if (stays && lanes > 4 && m_.machine.has_vectors) {
        slot = slot_with(offsets);
    }
    return load_by_offsets(b_, type, base, offsets, slot, [&](llvm::Instruction *load) { buffers_.tag(load, symbol); });
}

/// The memory that the offsets are in: stored at most once in a block for all loads at them. The store is volatile so
/// that LLVM does not forward it.
Value *LaneAccesses::slot_with(Value *offsets) {
    for (const LaneSlot &slot : lane_slots_) {
        if (slot.offsets == offsets && slot.block == b_.GetInsertBlock()) {
            return slot.memory;
        }
    }
    LaneSlot &next = lane_slots_[next_lane_slot_++ % lane_slots_.size()];
    next.memory = next.memory ? next.memory : frame_.entry_alloca(m_.i64, 64, 64, "lanes");
    next.offsets = offsets;
    next.block = b_.GetInsertBlock();
    b_.CreateAlignedStore(offsets, next.memory, llvm::Align(64), /*isVolatile=*/true);
    return next.memory;
}

/// One load for each lane. With `slot`, the offsets are read from memory: extracting a lane from a register costs two
/// instructions, which compete with those that assemble the result.
Value *LaneAccesses::load_by_offsets(llvm::IRBuilderBase &b, Type type, Value *base, Value *offsets, Value *slot,
                                     const std::function<void(llvm::Instruction *)> &tag_load) {
    llvm::Type *element = memory_type(m_.context, type.element_of());
    llvm::Type *offset = offsets->getType()->getScalarType();
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    Value *result = llvm::PoisonValue::get(memory_type(m_.context, type));
    for (uint64_t i = 0; i < static_cast<uint64_t>(type.lanes()); i++) {
        Value *place =
            slot ? b.CreateLoad(offset, b.CreateConstGEP1_64(offset, slot, i)) : b.CreateExtractElement(offsets, i);
        auto *one = b.CreateAlignedLoad(element, b.CreateGEP(element, base, b.CreateSExt(place, m_.i64)), alignment);
        tag_load(one);
        result = b.CreateInsertElement(result, one, i);
    }
    return result;
}

llvm::Function *LaneAccesses::loader(Type type, llvm::Type *offsets) {
    const std::string name = concat("fluorite.lanes.", type, ".", offsets->getScalarSizeInBits());
    if (llvm::Function *made = m_.module.getFunction(name)) {
        return made;
    }
    auto *signature = llvm::FunctionType::get(memory_type(m_.context, type), {m_.ptr, offsets}, false);
    llvm::Function *function = m_.globals.new_function(name, signature, false);
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::WillReturn);
    function->setOnlyReadsMemory(); // besides its own stack slot
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(m_.context, "entry", function));
    llvm::AllocaInst *slot = b.CreateAlloca(offsets);
    slot->setAlignment(llvm::Align(64));
    b.CreateAlignedStore(function->getArg(1), slot, llvm::Align(64), /*isVolatile=*/true);
    b.CreateRet(load_by_offsets(b, type, function->getArg(0), function->getArg(1), slot, [](llvm::Instruction *) {}));
    return function;
}

} // namespace fluorite::backends
