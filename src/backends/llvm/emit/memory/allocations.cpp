// Memory of allocations. An Allocate becomes, depending on its size and position:
//   constant and small     a block on the stack, aligned to 64 bytes
//   outside of loops       fluorite_malloc; freed at the end of the scope, or earlier at a Free statement
//   inside a loop          a slot: a heap block that is kept for the next iteration, grows on demand and is freed when
//                          the function returns; allocations with disjoint lifetimes share a slot
// Every exit from a scope frees its heap blocks (function_frame.h).

#include "backends/llvm/emit/memory/allocations.h"

#include "backends/llvm/emit/calls/c_calls.h"
#include "backends/llvm/emit/expressions.h"
#include "backends/llvm/emit/memory/access_checks.h"
#include "backends/llvm/emit/statements.h"
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

/// Takes a free slot. The allocations that use a slot share one alias tag: an access of a later one must not be moved
/// before an access of an earlier one.
size_t Allocations::take_slot() {
    const auto at = std::find_if(slots_.rbegin(), slots_.rend(), [](const Slot &slot) { return !slot.is_taken; });
    if (at != slots_.rend()) {
        at->is_taken = true;
        return static_cast<size_t>(slots_.rend() - at) - 1;
    }
    Slot slot{frame_.entry_alloca(m_.ptr, 1, 8, "kept"), frame_.entry_alloca(m_.i64, 1, 8, "kept_size"),
              m_.globals.alias_tag(concat("slot ", slots_.size())), true};
    llvm::IRBuilder<> entry(frame_.entry()); // after the allocas
    entry.CreateStore(llvm::Constant::getNullValue(m_.ptr), slot.pointer);
    entry.CreateStore(entry.getInt64(0), slot.size);
    frame_.free_at_exit(slot.pointer);
    slots_.push_back(slot);
    return slots_.size() - 1;
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
    const auto placed =
        std::find_if(placed_.rbegin(), placed_.rend(), [&](const Placed &one) { return one.buffer == buffer; });
    if (placed != placed_.rend()) {
        values_.forget_memory();
        if (placed->block) {
            b_.CreateLifetimeEnd(placed->block);
        } else {
            slots_[placed->slot].is_taken = false;
        }
        placed_.erase(std::next(placed).base());
        return;
    }
    frame_.close_block(buffer);
}

/// The number of elements if the block is to be on the stack.
std::optional<int64_t> Allocations::stack_elements(const ir::Allocate &node) const {
    int64_t elements = 1;
    bool is_constant = true;
    for (const Expr &extent : node.extents) {
        int64_t count = 0;
        is_constant &= ir::is_const_int(extent, &count) &&
                       !__builtin_mul_overflow(elements, std::max<int64_t>(count, 0), &elements);
    }
    const int64_t most =
        node.memory == ir::MemoryType::Auto ? m_.machine.stack_block_bytes : m_.machine.wanted_stack_block_bytes;
    if (is_constant && node.memory != ir::MemoryType::Heap && elements <= most / node.type.bytes()) {
        return elements;
    }
    if (node.memory == ir::MemoryType::Register) {
        const auto &places = m_.program.storage_places;
        const auto place =
            std::find_if(places.begin(), places.end(), [&](const auto &entry) { return entry.first == node.buffer; });
        throw CompileError("register-needs-constant-size",
                           concat("in ", node.buffer.name(),
                                  ": stored in registers, but its size is not a small constant; ",
                                  "registers hold a fixed number of values; bound its extents or store it elsewhere"),
                           place == places.end() ? Location() : place->second);
    }
    return std::nullopt;
}

Value *Allocations::stack_block(const ir::Allocate &node, int64_t elements) {
    llvm::AllocaInst *block =
        frame_.entry_alloca(memory_type(m_.context, node.type), static_cast<uint64_t>(std::max<int64_t>(elements, 1)),
                            64, node.buffer.name().c_str());
    b_.CreateLifetimeStart(block);
    placed_.push_back({node.buffer, block, 0});
    return block;
}

void Allocations::allocate(const ir::Allocate &node) {
    const std::optional<int64_t> elements = stack_elements(node);
    values_.forget_memory();
    Buffer made;
    Value *bytes =
        elements ? b_.getInt64(static_cast<uint64_t>(*elements * node.type.bytes())) : allocation_bytes(node);
    if (elements) {
        made.host = stack_block(node, *elements);
    } else if (!frame_.is_in_loop()) {
        made.host = checked_malloc(node.buffer.name(), bytes);
    } else {
        const size_t slot = take_slot();
        made.host = slot_block(node, slots_[slot], bytes);
        made.alias = slots_[slot].alias;
        placed_.push_back({node.buffer, nullptr, slot});
    }
    if (m_.is_checked) {
        poison(m_, made.host, bytes);
        made.first = b_.getInt64(0);
        made.last =
            b_.CreateSub(b_.CreateUDiv(bytes, b_.getInt64(static_cast<uint64_t>(node.type.bytes()))), b_.getInt64(1));
    }
    const std::optional<Buffer> outer = buffers_.bind(node.buffer, made);
    if (!elements && !frame_.is_in_loop()) {
        frame_.open_block(node.buffer, made.host);
    }
    statements_.emit(node.body);
    free(node.buffer);
    buffers_.restore(node.buffer, outer);
    values_.forget_memory();
}

} // namespace fluorite::backends
