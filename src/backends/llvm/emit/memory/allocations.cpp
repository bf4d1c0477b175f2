// Memory of allocations, where the loop IR says that it is:
//   in stack, in register  a block on the stack, aligned to 64 bytes
//   in heap                fluorite_malloc; freed at the Free statement
//   in heap slot k         a heap block that is kept for the next allocation with this slot, grows on demand and is
//                          freed when the function returns
//   in device              memory of a device (kernel_calls.h); freed at the Free statement
// Every exit frees the heap blocks that are open (host_frame.h).

#include "backends/llvm/emit/memory/allocations.h"

#include "backends/llvm/emit/calls/c_calls.h"
#include "backends/llvm/emit/expressions.h"
#include "backends/llvm/emit/kernel_calls.h"
#include "backends/llvm/emit/memory/access_checks.h"
#include "backends/llvm/emit/statements.h"
#include "ir/memory.h"
#include "support/check.h"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>

namespace fluorite::backends {

using llvm::Value;

/// The size in bytes as an i64, checked for overflow; negative extents count as zero.
Value *Allocations::allocation_bytes(const ir::Allocate &node) {
    const auto multiply = [&](Value *a, Value *b) {
        return b_.CreateIntrinsic(llvm::Intrinsic::umul_with_overflow, {m_.i64}, {a, b});
    };
    Value *bytes = b_.getInt64(static_cast<uint64_t>(node.type.bytes()));
    Value *overflow = b_.getFalse();
    for (const Expr &extent : node.extents) {
        Value *count = expressions_.scalar_i64(extent);
        count = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, count, b_.getInt64(0));
        Value *product = multiply(bytes, count);
        bytes = b_.CreateExtractValue(product, 0);
        overflow = b_.CreateOr(overflow, b_.CreateExtractValue(product, 1));
    }
    overflow = b_.CreateOr(overflow, b_.CreateICmpSLT(bytes, b_.getInt64(0)));
    frame_.require(b_.CreateNot(overflow), [&] {
        return call_runtime(
            m_, "fluorite_error_buffer_allocation_too_large", m_.i32,
            {frame_.context(), m_.globals.text(node.buffer.name()), bytes, b_.getInt64(~uint64_t{0} >> 1)});
    });
    return bytes;
}

Value *Allocations::checked_malloc(const std::string &name, Value *bytes) {
    Value *block = call_runtime(m_, "fluorite_malloc", m_.ptr, {frame_.context(), bytes});
    auto *function = m_.module.getFunction("fluorite_malloc");
    function->addRetAttr(llvm::Attribute::NoAlias);
    frame_.require(b_.CreateIsNotNull(block), [&] {
        return call_runtime(m_, "fluorite_error_out_of_memory", m_.i32,
                            {frame_.context(), m_.globals.text(name), bytes});
    });
    return block;
}

/// The slot of this number. The allocations that use a slot share one alias tag: an access of a later one must not be
/// moved before an access of an earlier one.
Allocations::Slot &Allocations::slot(int number) {
    while (slots_.size() <= static_cast<size_t>(number)) {
        Slot made{frame_.entry_alloca(m_.ptr, 1, 8, "kept"), frame_.entry_alloca(m_.i64, 1, 8, "kept_size"),
                  m_.globals.alias_tag(concat("slot ", slots_.size()))};
        llvm::IRBuilder<> entry(frame_.entry()); // after the allocas
        entry.CreateStore(llvm::Constant::getNullValue(m_.ptr), made.pointer);
        entry.CreateStore(entry.getInt64(0), made.size);
        frame_.free_at_exit(made.pointer);
        slots_.push_back(made);
    }
    return slots_[static_cast<size_t>(number)];
}

/// The block of a slot, which is replaced by a larger one if it is too small.
Value *Allocations::slot_block(const ir::Allocate &node, const Slot &slot, Value *bytes) {
    Value *kept = b_.CreateLoad(m_.ptr, slot.pointer);
    Value *fits = b_.CreateAnd(b_.CreateIsNotNull(kept), b_.CreateICmpULE(bytes, b_.CreateLoad(m_.i64, slot.size)));
    llvm::BasicBlock *before = b_.GetInsertBlock(), *grow = frame_.new_block("grow"), *after = frame_.new_block("fits");
    frame_.branch_cold(fits, after, grow);
    b_.SetInsertPoint(grow);
    call_runtime(m_, "fluorite_free", m_.none, {frame_.context(), kept});
    b_.CreateStore(llvm::Constant::getNullValue(m_.ptr), slot.pointer);
    Value *larger = checked_malloc(node.buffer.name(), bytes);
    b_.CreateStore(larger, slot.pointer);
    b_.CreateStore(bytes, slot.size);
    llvm::BasicBlock *grown = b_.GetInsertBlock();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    llvm::PHINode *block = b_.CreatePHI(m_.ptr, 2, node.buffer.name());
    block->addIncoming(kept, before);
    block->addIncoming(larger, grown);
    return block;
}

void Allocations::free(const ir::Symbol &buffer) {
    const auto kept = kept_.find(buffer);
    if (kept == kept_.end()) {
        return frame_.close_block(buffer);
    }
    values_.forget_memory();
    if (kept->second) {
        b_.CreateLifetimeEnd(kept->second);
    }
    kept_.erase(kept);
}

llvm::AllocaInst *Allocations::stack_block(const ir::Allocate &node, int64_t elements) {
    llvm::AllocaInst *block =
        frame_.entry_alloca(memory_type(m_.context, node.type), static_cast<uint64_t>(std::max<int64_t>(elements, 1)),
                            64, node.buffer.name().c_str());
    b_.CreateLifetimeStart(block);
    return block;
}

/// Which elements exist, for checked code.
void Allocations::note_elements(const ir::Allocate &node, Value *bytes, Buffer &made) {
    if (m_.is_checked) {
        made.first = b_.getInt64(0);
        made.last =
            b_.CreateSub(b_.CreateUDiv(bytes, b_.getInt64(static_cast<uint64_t>(node.type.bytes()))), b_.getInt64(1));
    }
}

/// The host does not access the memory.
void Allocations::allocate_on_device(const ir::Allocate &node) {
    Buffer made;
    Value *bytes = allocation_bytes(node);
    made.host = kernels_.begin_memory(node.buffer, bytes);
    note_elements(node, bytes, made);
    const std::optional<Buffer> outer = buffers_.bind(node.buffer, made);
    frame_.open_block(node.buffer, made.host, HostFrame::Memory::Device);
    statements_.emit(node.body);
    buffers_.restore(node.buffer, outer);
}

void Allocations::allocate(const ir::Allocate &node) {
    values_.forget_memory();
    if (node.memory == ir::MemoryType::Device) {
        return allocate_on_device(node);
    }
    Buffer made;
    Value *bytes = nullptr;
    if (node.memory != ir::MemoryType::Heap) {
        const int64_t elements = ir::constant_elements(node).value();
        bytes = b_.getInt64(static_cast<uint64_t>(elements * node.type.bytes()));
        made.host = kept_[node.buffer] = stack_block(node, elements);
    } else if (node.slot == ir::Allocate::no_slot) {
        bytes = allocation_bytes(node);
        made.host = checked_malloc(node.buffer.name(), bytes);
    } else {
        bytes = allocation_bytes(node);
        const Slot &kept = slot(node.slot);
        made.host = slot_block(node, kept, bytes);
        made.alias = kept.alias;
        kept_[node.buffer] = nullptr;
    }
    if (m_.is_checked) {
        poison(m_, made.host, bytes);
    }
    note_elements(node, bytes, made);
    const std::optional<Buffer> outer = buffers_.bind(node.buffer, made);
    if (!kept_.contains(node.buffer)) {
        frame_.open_block(node.buffer, made.host);
    }
    statements_.emit(node.body);
    buffers_.restore(node.buffer, outer);
    values_.forget_memory();
}

} // namespace fluorite::backends
