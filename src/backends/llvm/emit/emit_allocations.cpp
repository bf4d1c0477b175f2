// Memory of allocations. An Allocate becomes, depending on its size and position:
//   constant and small     a block on the stack, aligned to 64 bytes
//   outside of loops       fluorite_malloc; freed at the end of the scope, or earlier at a Free statement
//   inside a loop          a slot: a heap block that is kept for the next iteration, grows on demand and is freed when
//                          the function returns; allocations with disjoint lifetimes share a slot
// Every exit from a scope frees its heap blocks (emit_frame.cpp).

#include "backends/llvm/emit/emitter.h"

#include "support/check.h"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>

namespace fluorite::backends {

using llvm::Value;

/// The size in bytes as an i64, checked for overflow; negative extents count as zero.
Value *Emitter::allocation_bytes(const ir::Allocate &node) {
    const auto multiply = [&](Value *a, Value *b) {
        return b_.CreateIntrinsic(llvm::Intrinsic::umul_with_overflow, {i64_}, {a, b});
    };
    Value *bytes = b_.getInt64(static_cast<uint64_t>(node.type.bytes()));
    Value *overflow = b_.getFalse();
    for (const Expr &extent : node.extents) {
        Value *count = scalar_i64(extent);
        count = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, count, b_.getInt64(0));
        Value *product = multiply(bytes, count);
        bytes = b_.CreateExtractValue(product, 0);
        overflow = b_.CreateOr(overflow, b_.CreateExtractValue(product, 1));
    }
    overflow = b_.CreateOr(overflow, b_.CreateICmpSLT(bytes, b_.getInt64(0)));
    require(b_.CreateNot(overflow), [&] {
        return runtime_call("fluorite_error_buffer_allocation_too_large", i32_,
                            {frame_.context, globals_.text(node.buffer.name()), bytes, b_.getInt64(~uint64_t{0} >> 1)});
    });
    return bytes;
}

Value *Emitter::checked_malloc(const std::string &name, Value *bytes) {
    Value *block = runtime_call("fluorite_malloc", ptr_, {frame_.context, bytes});
    auto *function = module_.getFunction("fluorite_malloc");
    function->addRetAttr(llvm::Attribute::NoAlias);
    require(b_.CreateIsNotNull(block), [&] {
        return runtime_call("fluorite_error_out_of_memory", i32_, {frame_.context, globals_.text(name), bytes});
    });
    return block;
}

/// Takes a free slot. The allocations that use a slot share one alias tag: an access of a later one must not be moved
/// before an access of an earlier one.
size_t Emitter::take_slot() {
    const auto at =
        std::find_if(frame_.slots.rbegin(), frame_.slots.rend(), [](const Slot &slot) { return !slot.is_taken; });
    if (at != frame_.slots.rend()) {
        at->is_taken = true;
        return static_cast<size_t>(frame_.slots.rend() - at) - 1;
    }
    Slot slot{entry_alloca(ptr_, 1, 8, "kept"), entry_alloca(i64_, 1, 8, "kept_size"),
              globals_.alias_tag(concat("slot ", frame_.slots.size())), true};
    llvm::IRBuilder<> entry(frame_.entry); // after the allocas
    entry.CreateStore(llvm::Constant::getNullValue(ptr_), slot.pointer);
    entry.CreateStore(entry.getInt64(0), slot.size);
    frame_.slots.push_back(slot);
    return frame_.slots.size() - 1;
}

/// The block of a slot, which is replaced by a larger one if it is too small.
Value *Emitter::slot_block(const ir::Allocate &node, const Slot &slot, Value *bytes) {
    Value *kept = b_.CreateLoad(ptr_, slot.pointer);
    Value *fits = b_.CreateAnd(b_.CreateIsNotNull(kept), b_.CreateICmpULE(bytes, b_.CreateLoad(i64_, slot.size)));
    llvm::BasicBlock *before = b_.GetInsertBlock(), *grow = new_block("grow"), *after = new_block("fits");
    branch_cold(fits, after, grow);
    b_.SetInsertPoint(grow);
    runtime_call("fluorite_free", void_, {frame_.context, kept});
    b_.CreateStore(llvm::Constant::getNullValue(ptr_), slot.pointer);
    Value *larger = checked_malloc(node.buffer.name(), bytes);
    b_.CreateStore(larger, slot.pointer);
    b_.CreateStore(bytes, slot.size);
    llvm::BasicBlock *grown = b_.GetInsertBlock();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    llvm::PHINode *block = b_.CreatePHI(ptr_, 2, node.buffer.name());
    block->addIncoming(kept, before);
    block->addIncoming(larger, grown);
    return block;
}

/// Ends the life of an allocation unless that has been done before. A heap block is freed; a slot or a block on the
/// stack becomes available to the next allocation.
void Emitter::free(const ir::Symbol &buffer) {
    const auto placed = std::find_if(frame_.placed.rbegin(), frame_.placed.rend(),
                                     [&](const Placed &one) { return one.buffer == buffer; });
    if (placed != frame_.placed.rend()) {
        frame_.values.forget_memory();
        if (placed->block) {
            b_.CreateLifetimeEnd(placed->block);
        } else {
            frame_.slots[placed->slot].is_taken = false;
        }
        frame_.placed.erase(std::next(placed).base());
        return;
    }
    const auto at =
        std::find_if(frame_.live.rbegin(), frame_.live.rend(), [&](const Live &live) { return live.buffer == buffer; });
    if (at == frame_.live.rend()) {
        return;
    }
    runtime_call("fluorite_free", void_, {frame_.context, at->block});
    const auto next = frame_.live.erase(std::next(at).base());
    for (auto later = next; later != frame_.live.end(); ++later) {
        later->cleanup = nullptr; // exits no longer pass through this block
    }
}

void Emitter::allocate(const ir::Allocate &node) {
    int64_t elements = 1;
    bool is_constant = true;
    for (const Expr &extent : node.extents) {
        int64_t count = 0;
        is_constant &= ir::is_const_int(extent, &count) &&
                       !__builtin_mul_overflow(elements, std::max<int64_t>(count, 0), &elements);
    }
    const int64_t most =
        node.memory == ir::MemoryType::Auto ? machine_.stack_block_bytes : machine_.wanted_stack_block_bytes;
    const bool on_stack = is_constant && node.memory != ir::MemoryType::Heap && elements <= most / node.type.bytes();
    if (node.memory == ir::MemoryType::Register && !on_stack) {
        const auto place = std::find_if(storage_places_.begin(), storage_places_.end(),
                                        [&](const auto &entry) { return entry.first == node.buffer; });
        throw CompileError("register-needs-constant-size",
                           concat("in ", node.buffer.name(),
                                  ": stored in registers, but its size is not a small constant; ",
                                  "registers hold a fixed number of values; bound its extents or store it elsewhere"),
                           place == storage_places_.end() ? Location() : place->second);
    }
    frame_.values.forget_memory();
    Buffer made;
    made.depth = frame_.values.depth();
    const bool is_scoped = !on_stack && frame_.loops == 0;
    Value *bytes = on_stack ? b_.getInt64(static_cast<uint64_t>(elements * node.type.bytes())) : allocation_bytes(node);
    if (on_stack) {
        llvm::AllocaInst *block =
            entry_alloca(memory_type(context_, node.type), static_cast<uint64_t>(std::max<int64_t>(elements, 1)), 64,
                         node.buffer.name().c_str());
        b_.CreateLifetimeStart(block);
        made.host = block;
        frame_.placed.push_back({node.buffer, block, 0});
    } else if (is_scoped) {
        made.host = checked_malloc(node.buffer.name(), bytes);
    } else {
        const size_t slot = take_slot();
        made.host = slot_block(node, frame_.slots[slot], bytes);
        made.alias = frame_.slots[slot].alias;
        frame_.placed.push_back({node.buffer, nullptr, slot});
    }
    if (is_checked()) {
        poison(made.host, bytes);
        made.first = b_.getInt64(0);
        made.last =
            b_.CreateSub(b_.CreateUDiv(bytes, b_.getInt64(static_cast<uint64_t>(node.type.bytes()))), b_.getInt64(1));
    }
    const auto hidden = frame_.buffers.find(node.buffer);
    const std::optional<Buffer> outer = hidden == frame_.buffers.end() ? std::nullopt : std::optional(hidden->second);
    frame_.buffers[node.buffer] = made;
    if (is_scoped) {
        frame_.live.push_back({node.buffer, made.host, nullptr, nullptr});
    }
    stmt(node.body);
    free(node.buffer);
    frame_.buffers.erase(node.buffer);
    if (outer) {
        frame_.buffers[node.buffer] = *outer;
    }
    frame_.values.forget_memory();
}

} // namespace fluorite::backends
