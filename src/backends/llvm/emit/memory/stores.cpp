// Stores.
//
// The linear form of an index (addresses.h) determines the instructions:
//   scalar                       store
//   ramp of stride 1             vector store; -1: reverse and vector store; 0: a store of the last lane
//   ramp of dense vectors        one store for each vector
//   anything else                one scalar store for each lane, in order, so that the last lane wins
// A predicate with one value for all lanes becomes a branch. Others become masked stores and scatters if the target has
// them; if it does not, the first of dense lanes are stored in pieces (prefix_accesses.h), and otherwise each inactive
// lane accesses a harmless address instead of its own.
//
// Vectors of buffers that stream are stored past the caches where their address is a multiple of their size.

#include "backends/llvm/emit/memory/stores.h"

#include "backends/llvm/emit/expressions.h"
#include "lowering/access/access_shape.h"

#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <tuple>

namespace fluorite::backends {

using llvm::Value;
using lowering::AccessShape;

void Stores::store(const ir::Store &node) {
    const Type type = node.value.type();
    buffers_.host(node.buffer);
    if (checks_) {
        expressions_.value(node.value); // the reads of the value are checked first
        checks_->check_access(node.buffer, node.index, node.predicate);
    }
    const auto whole = [&](const Expr &mask) {
        Value *stored = expressions_.value(node.value);
        if (type.is_scalar()) {
            store_lane(type, stored,
                       addresses_.address(node.buffer, memory_type(m_.context, type), addresses_.linear(node.index)),
                       node.buffer);
        } else {
            store_vector(type, node, stored, mask.defined() ? expressions_.value(mask) : nullptr);
        }
    };
    const Expr &predicate = node.predicate;
    const bool is_always = !predicate.defined() || ir::is_true(predicate);
    const Expr uniform = is_always ? Expr() : lowering::uniform_value(predicate);
    if (!uniform.defined()) {
        whole(is_always ? Expr() : predicate);
    } else {
        Value *condition = expressions_.value(uniform);
        llvm::BasicBlock *then = frame_.new_block("store"), *after = frame_.new_block("stored");
        b_.CreateCondBr(condition, then, after);
        b_.SetInsertPoint(then);
        values_.open_scope();
        whole(Expr());
        values_.close_scope();
        b_.CreateBr(after);
        b_.SetInsertPoint(after);
    }
    values_.forget_memory();
}

void Stores::store_lane(Type type, Value *lane, Value *address, const ir::Symbol &symbol) {
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    buffers_.tag(b_.CreateAlignedStore(arith_.to_memory(type.element_of(), lane), address, alignment), symbol);
}

// ---- Nontemporal stores.

/// Stores a whole vector of a buffer that streams: past the caches if the address is a multiple of the vector's size,
/// otherwise normally. Returns false if the buffer does not stream or the vector does not have a suitable size.
bool Stores::stream(const ir::Symbol &symbol, Value *stored, Value *at, llvm::Align alignment) {
    const uint64_t bytes = m_.module.getDataLayout().getTypeStoreSize(stored->getType());
    const uint64_t widest = static_cast<uint64_t>(m_.target.natural_vector_bytes());
    if (!llvm::is_contained(m_.program.streams, symbol) || bytes < 16 || !llvm::isPowerOf2_64(bytes)) {
        return false;
    }
    has_streamed_ = true;
    const uint64_t unit = std::min(bytes, widest);
    Value *low = b_.CreateAnd(b_.CreatePtrToInt(at, m_.i64), b_.getInt64(unit - 1));
    llvm::BasicBlock *past = frame_.new_block("stream"), *plain = frame_.new_block("store");
    llvm::BasicBlock *after = frame_.new_block("stored");
    b_.CreateCondBr(b_.CreateICmpEQ(low, b_.getInt64(0)), past, plain);
    b_.SetInsertPoint(past);
    llvm::Instruction *streamed = b_.CreateAlignedStore(stored, at, llvm::Align(unit));
    streamed->setMetadata(llvm::LLVMContext::MD_nontemporal,
                          llvm::MDNode::get(m_.context, llvm::ConstantAsMetadata::get(b_.getInt32(1))));
    buffers_.tag(streamed, symbol);
    b_.CreateBr(after);
    b_.SetInsertPoint(plain);
    buffers_.tag(b_.CreateAlignedStore(stored, at, alignment), symbol);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    return true;
}

void order_streams(const ModuleContext &m) {
    if (m.machine.instruction_set == machine::InstructionSet::X86) {
        m.b.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {});
    } else {
        m.b.CreateFence(llvm::AtomicOrdering::Release);
    }
}

// ---- Vectors.

/// Stores the registers that a vector was assembled from one by one. Returns false if the vector is not such a
/// concatenation or fits into one register.
bool Stores::store_parts(Value *stored, Value *at, const ir::Symbol &symbol) {
    const auto store_part = [&](Value *part, Value *to) {
        if (!store_parts(part, to, symbol)) {
            const auto size = static_cast<uint64_t>(part->getType()->getScalarSizeInBits() / 8);
            buffers_.tag(b_.CreateAlignedStore(part, to, llvm::Align(size)), symbol);
        }
    };
    uint64_t begin = 0;
    for (Value *part : m_.lanes.stored_parts(stored)) {
        store_part(part, begin == 0 ? at : b_.CreateConstInBoundsGEP1_64(m_.i8, at, begin));
        begin += m_.module.getDataLayout().getTypeStoreSize(part->getType());
    }
    if (begin > 0) {
        return true;
    }
    auto *whole = llvm::dyn_cast<llvm::ShuffleVectorInst>(stored);
    const uint64_t bytes = m_.module.getDataLayout().getTypeStoreSize(stored->getType());
    if (!whole || !whole->isConcat() || bytes < 64) {
        return false;
    }
    for (const unsigned half : {0U, 1U}) {
        Value *part = whole->getOperand(half);
        store_part(part, half == 0 ? at : b_.CreateConstInBoundsGEP1_64(m_.i8, at, bytes / 2));
    }
    return true;
}

void Stores::store_vector(Type type, const ir::Store &node, Value *stored, Value *mask) {
    const ir::Symbol &symbol = node.buffer;
    const auto found = addresses_.ramp(node.index);
    const bool is_constant = found && found->stride.is_constant();
    const int64_t stride = is_constant ? found->stride.constant : 0;
    if (is_constant && (stride == 1 || stride == -1)) {
        LinearIndex first = found->base;
        if (stride < 0) {
            first.constant -= type.lanes() - 1;
            stored = b_.CreateVectorReverse(stored);
            mask = mask ? b_.CreateVectorReverse(mask) : nullptr;
        }
        return store_dense(type, symbol, first, stored, mask);
    }
    if (is_constant && stride == 0 && !mask) {
        Value *last = b_.CreateExtractElement(stored, static_cast<uint64_t>(type.lanes() - 1));
        llvm::Type *element = memory_type(m_.context, type.element_of());
        return store_lane(type, last, addresses_.address(symbol, element, found->base), symbol);
    }
    if (!found && !mask && store_ramp_of_vectors(type, node, stored)) {
        return;
    }
    return mask ? store_scattered(type, node, stored, mask) : store_each(type, node, found, stored);
}

/// Stores adjacent elements.
void Stores::store_dense(Type type, const ir::Symbol &symbol, const LinearIndex &first, Value *stored, Value *mask) {
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    Value *at = addresses_.address(symbol, memory_type(m_.context, type.element_of()), first);
    if (mask && !m_.machine.has_vectors) {
        llvm::Type *element = memory_type(m_.context, type.element_of());
        return lanes_.store_where(type, symbol, stored, mask,
                                  [&](uint64_t i) { return b_.CreateGEP(element, at, b_.getInt64(i)); });
    }
    if (mask && !has_masked_access(m_.machine, type)) {
        if (Value *count = prefixes_.count(mask)) {
            return prefixes_.store(type, symbol, arith_.to_memory(type, stored), at, count);
        }
        return lanes_.store(type, stored, lanes_.harmless(addresses_.dense(type, at), mask));
    }
    stored = arith_.to_memory(type, stored);
    if (!mask && (stream(symbol, stored, at, alignment) || store_parts(stored, at, symbol))) {
        return;
    }
    llvm::Instruction *access =
        mask ? static_cast<llvm::Instruction *>(b_.CreateMaskedStore(stored, at, alignment, mask))
             : b_.CreateAlignedStore(stored, at, alignment);
    buffers_.tag(access, symbol);
}

/// Returns false if the index is not a ramp of dense vectors.
bool Stores::store_ramp_of_vectors(Type type, const ir::Store &node, Value *stored) {
    const AccessShape shape = lowering::access_shape(node.index);
    if (shape.kind != AccessShape::Kind::Blocks || !shape.stride.defined()) {
        return false;
    }
    const int pieces = type.lanes() / shape.first.type().lanes();
    const auto base = addresses_.ramp(shape.first), step = addresses_.ramp(shape.stride);
    const bool is_dense = base && step && base->stride.is_constant() && base->stride.constant == 1 &&
                          step->stride.is_constant() && step->stride.constant == 0;
    if (!is_dense) {
        return false;
    }
    llvm::Type *element = memory_type(m_.context, type.element_of());
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    for (int i = 0; i < pieces; i++) {
        Value *part = m_.lanes.slice(stored, i * base->lanes, base->lanes);
        Value *at = addresses_.address(node.buffer, element, add(base->base, step->base, i));
        Value *elements = arith_.to_memory(type.with_lanes(base->lanes), part);
        buffers_.tag(b_.CreateAlignedStore(elements, at, alignment), node.buffer);
    }
    return true;
}

/// Stores the active lanes at arbitrary addresses.
void Stores::store_scattered(Type type, const ir::Store &node, Value *stored, Value *mask) {
    Value *addresses = addresses_.lanes(node.buffer, memory_type(m_.context, type.element_of()), node.index);
    if (!m_.machine.has_vectors) {
        return lanes_.store_where(type, node.buffer, stored, mask,
                                  [&](uint64_t i) { return b_.CreateExtractElement(addresses, i); });
    }
    const bool has_scatter =
        m_.machine.least_scattered_bits > 0 && type.bits() >= m_.machine.least_scattered_bits && type.lanes() >= 4;
    if (!has_scatter || !llvm::isPowerOf2_32(static_cast<uint32_t>(type.lanes()))) {
        return lanes_.store(type, stored, lanes_.harmless(addresses, mask));
    }
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    buffers_.tag(b_.CreateMaskedScatter(arith_.to_memory(type, stored), addresses, alignment, mask), node.buffer);
}

/// One scalar store for each lane, in order. `ramp` is the form of the index, if it has one.
void Stores::store_each(Type type, const ir::Store &node, const std::optional<RampIndex> &ramp, Value *stored) {
    const ir::Symbol &symbol = node.buffer;
    llvm::Type *element = memory_type(m_.context, type.element_of());
    Value *base = ramp ? addresses_.address(symbol, element, ramp->base) : nullptr;
    Value *step = ramp ? addresses_.value_of(ramp->stride) : nullptr;
    Value *offsets = nullptr;
    if (!ramp) {
        std::tie(base, offsets) = addresses_.lane_offsets(symbol, element, node.index);
    }
    for (int i = 0; i < type.lanes(); i++) {
        const uint64_t lane = static_cast<uint64_t>(i);
        Value *at = ramp ? b_.CreateGEP(element, base, b_.CreateNSWMul(step, b_.getInt64(lane)))
                         : b_.CreateGEP(element, base, b_.CreateSExt(b_.CreateExtractElement(offsets, lane), m_.i64));
        store_lane(type, b_.CreateExtractElement(stored, lane), at, symbol);
    }
}

} // namespace fluorite::backends
