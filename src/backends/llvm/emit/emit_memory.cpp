// Loads and stores.
//
// The linear form of an index (emit_index.cpp) determines the instructions of a load:
//   scalar                       load
//   ramp of stride 1             vector load; -1: vector load and reverse; 0: scalar load and broadcast
//   ramp of stride 2..4          the vector loads that cover exactly the accessed span, and one shuffle
//   ramp of another stride       one scalar load for each lane
//   anything else                emit_gather.cpp
// Stores are likewise dense, reversed, or lane by lane in order, so that the last lane wins. A predicate with one value
// for all lanes becomes a branch. Others become masked loads and stores, gathers and scatters if the target has them;
// if it does not, each inactive lane accesses a harmless address instead of its own. That needs no branches, and the
// size of the code is linear in the lanes.
//
// Relies on buffers of different symbols not overlapping; each has an alias tag of its own. Every byte that a load
// reads is a byte that the program reads, is between two such bytes, or is in the same aligned 32-bit word as one.

#include "backends/llvm/emit/emitter.h"

#include "support/check.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <cstddef>

namespace fluorite::backends {

using ir::ExprKind;
using ir::ExprNode;
using llvm::Value;

// ---- Buffers.

Emitter::Buffer &Emitter::buffer(const ir::Symbol &symbol) {
    const auto at = frame_.buffers.find(symbol);
    if (at == frame_.buffers.end()) {
        if (constants_.contains(symbol)) {
            Buffer made;
            made.header = globals_.embedded_buffer(*ir::parameter_of(symbol));
            return frame_.buffers[symbol] = made;
        }
        internal_error(concat("buffer '", symbol.name(), "' is not known in '", name_, "'"), {});
    }
    return at->second;
}

Value *Emitter::header(const ir::Symbol &symbol) {
    Value *found = buffer(symbol).header;
    check(found != nullptr, concat("buffer '", symbol.name(), "' is an allocation and has no fields"));
    return found;
}

Value *Emitter::host(const ir::Symbol &symbol) {
    Buffer &found = buffer(symbol);
    if (!found.host) {
        Value *loaded = header_load(ptr_, found.header, offsetof(fluorite_buffer_t, host), "host");
        loaded->setName(symbol.name());
        found.host = loaded;
        found.depth = frame_.values.depth();
        if (is_checked()) {
            find_elements(found);
        }
    }
    return found.host;
}

Value *Emitter::header_load(llvm::Type *type, Value *base, int64_t offset, const char *name) {
    Value *at = b_.CreateConstInBoundsGEP1_64(i8_, base, static_cast<uint64_t>(offset));
    llvm::Instruction *loaded = b_.CreateLoad(type, at, name);
    loaded->setMetadata(llvm::LLVMContext::MD_tbaa, globals_.alias_tag("buffer header"));
    return loaded;
}

void Emitter::header_store(Value *value, Value *base, int64_t offset) {
    Value *at = b_.CreateConstInBoundsGEP1_64(i8_, base, static_cast<uint64_t>(offset));
    b_.CreateStore(value, at)->setMetadata(llvm::LLVMContext::MD_tbaa, globals_.alias_tag("buffer header"));
}

Value *Emitter::field(Value *header, const ir::Member &member) {
    const auto read = [&](size_t offset, const char *name) {
        Value *dims = header_load(ptr_, header, offsetof(fluorite_buffer_t, dim), "dims");
        const int64_t at = member.index * static_cast<int64_t>(sizeof(fluorite_dimension_t));
        return header_load(i32_, dims, at + static_cast<int64_t>(offset), name);
    };
    switch (member.field) {
    case ir::Field::Min:
        return read(offsetof(fluorite_dimension_t, min), "min");
    case ir::Field::Extent:
        return read(offsetof(fluorite_dimension_t, extent), "extent");
    case ir::Field::Stride:
        return read(offsetof(fluorite_dimension_t, stride), "stride");
    case ir::Field::Max: {
        Value *min = read(offsetof(fluorite_dimension_t, min), "min");
        Value *extent = read(offsetof(fluorite_dimension_t, extent), "extent");
        return b_.CreateSub(b_.CreateAdd(min, extent), b_.getInt32(1), "max");
    }
    }
    unreachable("not a field");
}

llvm::Instruction *Emitter::tag(llvm::Instruction *access, const ir::Symbol &symbol) {
    Buffer &found = buffer(symbol);
    if (!found.alias) {
        found.alias = globals_.alias_tag("buffer " + symbol.name());
    }
    const bool is_vector = llvm::isa<llvm::LoadInst>(access) && access->getType()->isVectorTy();
    const uint64_t bytes = is_vector ? module_.getDataLayout().getTypeStoreSize(access->getType()).getFixedValue() : 0;
    access->setMetadata(llvm::LLVMContext::MD_tbaa, is_vector ? tag_of_width(found.alias, bytes) : found.alias);
    return access;
}

// ---- Loads.

/// The value of `load` if the condition holds, else zero.
Value *Emitter::load_where(Value *condition, Type type, const std::function<Value *()> &load) {
    llvm::BasicBlock *before = b_.GetInsertBlock(), *then = new_block("load"), *after = new_block("loaded");
    b_.CreateCondBr(condition, then, after);
    b_.SetInsertPoint(then);
    push_scope();
    Value *loaded = load();
    pop_scope();
    llvm::BasicBlock *end = b_.GetInsertBlock();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    llvm::PHINode *result = b_.CreatePHI(value_type(context_, type), 2);
    result->addIncoming(loaded, end);
    result->addIncoming(llvm::Constant::getNullValue(result->getType()), before);
    return result;
}

Value *Emitter::load(const ExprNode &node) {
    const Type type = node.type();
    const Expr &index = node.arg(0), &predicate = node.arg(1);
    const ir::Symbol &symbol = node.symbol();
    host(symbol); // before a branch, so that the pointer is available after it
    if (is_checked()) {
        check_access(symbol, index, predicate);
    }
    const auto whole = [&](const Expr &mask) -> Value * {
        if (type.is_scalar()) {
            Value *at = address(symbol, memory_type(context_, type), linear(index));
            auto *loaded =
                b_.CreateAlignedLoad(memory_type(context_, type), at, llvm::Align(static_cast<uint64_t>(type.bytes())));
            return arith_.from_memory(type, tag(loaded, symbol));
        }
        if (const auto found = ramp(index)) {
            return load_ramp(type, symbol, *found, mask);
        }
        return load_scattered(type, symbol, index, mask.defined() ? value(mask) : nullptr);
    };
    if (ir::is_true(predicate)) {
        return whole(Expr());
    }
    if (predicate.type().is_scalar() || ir::is_kind(predicate, ExprKind::Broadcast)) {
        const Expr &condition = predicate.type().is_scalar() ? predicate : predicate->arg(0);
        if (condition.type().is_scalar()) {
            return load_where(value(condition), type, [&] { return whole(Expr()); });
        }
    }
    return whole(predicate);
}

Value *Emitter::load_ramp(Type type, const ir::Symbol &symbol, const RampIndex &index, const Expr &predicate) {
    Value *mask = predicate.defined() ? value(predicate) : nullptr;
    llvm::Type *element = memory_type(context_, type.element_of());
    if (index.stride.is_constant()) {
        const int64_t stride = index.stride.constant;
        if (stride == 1) {
            return load_dense(type, symbol, index.base, mask);
        }
        const auto reverse = [&](Value *v) { return b_.CreateVectorReverse(v); };
        if (stride == -1) {
            LinearIndex first = index.base;
            first.constant -= type.lanes() - 1;
            return reverse(load_dense(type, symbol, first, mask ? reverse(mask) : nullptr));
        }
        if (stride == 0 && !mask) {
            auto *one = b_.CreateAlignedLoad(element, address(symbol, element, index.base),
                                             llvm::Align(static_cast<uint64_t>(type.bytes())));
            return arith_.broadcast(arith_.from_memory(type.element_of(), tag(one, symbol)), type.lanes());
        }
        if (stride >= 2 && stride <= 4 && !mask) {
            return load_strided(type, symbol, index);
        }
    }
    Value *base = address(symbol, element, index.base);
    Value *stride = linear_value(index.stride);
    Value *result = llvm::PoisonValue::get(memory_type(context_, type));
    if (!mask) {
        for (int i = 0; i < type.lanes(); i++) {
            Value *at = b_.CreateGEP(element, base, b_.CreateNSWMul(stride, b_.getInt64(static_cast<uint64_t>(i))));
            auto *one = b_.CreateAlignedLoad(element, at, llvm::Align(static_cast<uint64_t>(type.bytes())));
            result = b_.CreateInsertElement(result, tag(one, symbol), static_cast<uint64_t>(i));
        }
        return arith_.from_memory(type, result);
    }
    llvm::SmallVector<llvm::Constant *, 16> lanes;
    for (int i = 0; i < type.lanes(); i++) {
        lanes.push_back(b_.getInt64(static_cast<uint64_t>(i)));
    }
    Value *offsets = b_.CreateMul(arith_.broadcast(stride, type.lanes()), llvm::ConstantVector::get(lanes));
    return gather(type, symbol, base, offsets, mask, Expr());
}

/// Whether dense vectors of this element type can be loaded and stored under a mask.
bool Emitter::has_masked_access(Type type) const {
    return machine_.least_masked_bits > 0 && type.bits() >= machine_.least_masked_bits;
}

/// A vector of the addresses of adjacent elements.
Value *Emitter::dense_addresses(Type type, Value *first) {
    llvm::SmallVector<llvm::Constant *, 16> lanes;
    for (int i = 0; i < type.lanes(); i++) {
        lanes.push_back(b_.getInt64(static_cast<uint64_t>(i)));
    }
    return b_.CreateGEP(memory_type(context_, type.element_of()), first, llvm::ConstantVector::get(lanes));
}

Value *Emitter::load_dense(Type type, const ir::Symbol &symbol, const LinearIndex &base, Value *mask) {
    llvm::Type *vector = memory_type(context_, type);
    Value *at = address(symbol, memory_type(context_, type.element_of()), base);
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    if (!mask) {
        return arith_.from_memory(type, tag(b_.CreateAlignedLoad(vector, at, alignment), symbol));
    }
    if (!has_masked_access(type)) {
        Value *lanes = harmless(dense_addresses(type, at), mask);
        return arith_.from_memory(type, load_lanes(type, lanes));
    }
    auto *masked = b_.CreateMaskedLoad(vector, at, alignment, mask, llvm::Constant::getNullValue(vector));
    return arith_.from_memory(type, tag(masked, symbol));
}

/// Covers the (lanes - 1) * stride + 1 accessed elements with vector loads, the last of which is moved back so that it
/// ends at the last lane.
Value *Emitter::load_strided(Type type, const ir::Symbol &symbol, const RampIndex &index) {
    const int stride = static_cast<int>(index.stride.constant), lanes = type.lanes();
    const int span = (lanes - 1) * stride + 1;
    int width = lanes;
    if (lanes % 4 == 0 && arith_.has_permutes(memory_type(context_, type.element_of()))) {
        const auto whole = static_cast<int>(llvm::bit_ceil(static_cast<unsigned>(span)));
        width = std::min(whole == span ? span : whole / 2, target_.natural_vector_bytes() / type.bytes());
    }
    std::vector<Value *> pieces;
    std::vector<int> starts, picks;
    for (int start = 0; start < span; start += width) {
        starts.push_back(std::min(start, span - width));
        LinearIndex at = index.base;
        at.constant += starts.back();
        pieces.push_back(load_dense(type.with_lanes(width), symbol, at, nullptr));
    }
    for (int i = 0; i < lanes; i++) {
        const int element = i * stride;
        const size_t piece = std::min(static_cast<size_t>(element / width), starts.size() - 1);
        picks.push_back(static_cast<int>(piece) * width + element - starts[piece]);
    }
    return arith_.shuffled(pieces, picks);
}

/// Splits an index into an address that all lanes share and offsets of the lanes. If the index is the sum of a 32-bit
/// vector and values that are uniform over the lanes, the offsets keep 32 bits, so that a gather holds twice as many.
std::pair<Value *, Value *> Emitter::lane_offsets(const ir::Symbol &symbol, llvm::Type *element, const Expr &index) {
    LinearIndex uniform;
    Expr varying;
    const std::function<bool(const Expr &, int64_t)> collect = [&](const Expr &part, int64_t sign) {
        const bool is_sum = part->kind() == ExprKind::Add || part->kind() == ExprKind::Sub;
        if (is_sum && !index_may_wrap(part)) {
            return collect(part->arg(0), sign) && collect(part->arg(1), part->kind() == ExprKind::Add ? sign : -sign);
        }
        if (is_kind(part, ExprKind::Broadcast) && part->arg(0).type().is_scalar()) {
            uniform = add(uniform, linear(part->arg(0)), sign);
            return true;
        }
        const bool is_first = !varying.defined() && sign > 0;
        varying = part;
        return is_first;
    };
    if (!collect(index, 1) || !varying.defined()) {
        uniform = LinearIndex();
        varying = index;
    }
    const bool is_widened =
        varying->kind() == ExprKind::Cast && varying->arg(0).type().is_int() && varying->arg(0).type().bits() <= 32;
    const Expr &narrow = is_widened ? varying->arg(0) : varying;
    Value *offsets = value(narrow);
    check(offsets->getType()->isVectorTy(), "an index of lanes is a vector");
    if (narrow.type().bits() < 32) {
        offsets = b_.CreateSExt(offsets, offsets->getType()->getWithNewType(i32_));
    }
    return {address(symbol, element, uniform), offsets};
}

Value *Emitter::lane_addresses(const ir::Symbol &symbol, llvm::Type *element, const Expr &index) {
    const auto [base, offsets] = lane_offsets(symbol, element, index);
    return b_.CreateGEP(element, base, offsets);
}

// ---- Stores.

void Emitter::store_lane(Type type, Value *lane, Value *address, const ir::Symbol &symbol) {
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    tag(b_.CreateAlignedStore(arith_.to_memory(type.element_of(), lane), address, alignment), symbol);
}

/// One scalar store for each lane, in order.
void Emitter::store_lanes(Type type, Value *stored, Value *addresses) {
    stored = arith_.to_memory(type, stored);
    for (int i = 0; i < type.lanes(); i++) {
        const uint64_t lane = static_cast<uint64_t>(i);
        b_.CreateAlignedStore(b_.CreateExtractElement(stored, lane), b_.CreateExtractElement(addresses, lane),
                              llvm::Align(static_cast<uint64_t>(type.bytes())));
    }
}

void Emitter::store(const ir::Store &node) {
    const Type type = node.value.type();
    host(node.buffer);
    if (is_checked()) {
        value(node.value); // the reads of the value are checked first
        check_access(node.buffer, node.index, node.predicate);
    }
    const auto whole = [&](const Expr &mask) {
        Value *stored = value(node.value);
        if (type.is_scalar()) {
            store_lane(type, stored, address(node.buffer, memory_type(context_, type), linear(node.index)),
                       node.buffer);
        } else {
            store_vector(type, node, stored, mask.defined() ? value(mask) : nullptr);
        }
    };
    const Expr &predicate = node.predicate;
    const bool is_always = !predicate.defined() || ir::is_true(predicate);
    const bool is_uniform =
        !is_always && (predicate.type().is_scalar() ||
                       (ir::is_kind(predicate, ExprKind::Broadcast) && predicate->arg(0).type().is_scalar()));
    if (is_always || !is_uniform) {
        whole(is_always ? Expr() : predicate);
    } else {
        Value *condition = value(predicate.type().is_scalar() ? predicate : predicate->arg(0));
        llvm::BasicBlock *then = new_block("store"), *after = new_block("stored");
        b_.CreateCondBr(condition, then, after);
        b_.SetInsertPoint(then);
        push_scope();
        whole(Expr());
        pop_scope();
        b_.CreateBr(after);
        b_.SetInsertPoint(after);
    }
    frame_.values.forget_memory();
}

// ---- Nontemporal stores.

/// Stores a whole vector of a buffer that streams: past the caches if the address is a multiple of the vector's size,
/// otherwise normally. Returns false if the buffer does not stream or the vector does not have a suitable size.
bool Emitter::stream(const ir::Symbol &symbol, Value *stored, Value *at, llvm::Align alignment) {
    const uint64_t bytes = module_.getDataLayout().getTypeStoreSize(stored->getType());
    const uint64_t widest = static_cast<uint64_t>(target_.natural_vector_bytes());
    if (!streams_.contains(symbol) || bytes < 16 || !llvm::isPowerOf2_64(bytes)) {
        return false;
    }
    frame_.has_streams = true;
    const uint64_t unit = std::min(bytes, widest);
    Value *low = b_.CreateAnd(b_.CreatePtrToInt(at, i64_), b_.getInt64(unit - 1));
    llvm::BasicBlock *past = new_block("stream"), *plain = new_block("store"), *after = new_block("stored");
    b_.CreateCondBr(b_.CreateICmpEQ(low, b_.getInt64(0)), past, plain);
    b_.SetInsertPoint(past);
    llvm::Instruction *streamed = b_.CreateAlignedStore(stored, at, llvm::Align(unit));
    streamed->setMetadata(llvm::LLVMContext::MD_nontemporal,
                          llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(b_.getInt32(1))));
    tag(streamed, symbol);
    b_.CreateBr(after);
    b_.SetInsertPoint(plain);
    tag(b_.CreateAlignedStore(stored, at, alignment), symbol);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    return true;
}

/// Orders nontemporal stores before all later stores, as seen by other threads.
void Emitter::order_streams() { b_.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {}); }

/// Stores the registers that a vector was assembled from one by one. Returns false if the vector is not such a
/// concatenation or fits into one register.
bool Emitter::store_parts(Value *stored, Value *at, const ir::Symbol &symbol) {
    const auto store_part = [&](Value *part, Value *to) {
        if (!store_parts(part, to, symbol)) {
            const auto size = static_cast<uint64_t>(part->getType()->getScalarSizeInBits() / 8);
            tag(b_.CreateAlignedStore(part, to, llvm::Align(size)), symbol);
        }
    };
    uint64_t begin = 0;
    for (Value *part : arith_.stored_parts(stored)) {
        store_part(part, begin == 0 ? at : b_.CreateConstInBoundsGEP1_64(i8_, at, begin));
        begin += module_.getDataLayout().getTypeStoreSize(part->getType());
    }
    if (begin > 0) {
        return true;
    }
    auto *whole = llvm::dyn_cast<llvm::ShuffleVectorInst>(stored);
    const uint64_t bytes = module_.getDataLayout().getTypeStoreSize(stored->getType());
    if (!whole || !whole->isConcat() || bytes < 64) {
        return false;
    }
    for (const unsigned half : {0U, 1U}) {
        Value *part = whole->getOperand(half);
        store_part(part, half == 0 ? at : b_.CreateConstInBoundsGEP1_64(i8_, at, bytes / 2));
    }
    return true;
}

void Emitter::store_vector(Type type, const ir::Store &node, Value *stored, Value *mask) {
    const ir::Symbol &symbol = node.buffer;
    llvm::Type *element = memory_type(context_, type.element_of());
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    const auto found = ramp(node.index);
    const bool is_constant = found && found->stride.is_constant();
    const int64_t stride = is_constant ? found->stride.constant : 0;
    if (is_constant && (stride == 1 || stride == -1)) {
        LinearIndex first = found->base;
        if (stride < 0) {
            first.constant -= type.lanes() - 1;
            stored = b_.CreateVectorReverse(stored);
            mask = mask ? b_.CreateVectorReverse(mask) : nullptr;
        }
        Value *at = address(symbol, element, first);
        if (mask && !has_masked_access(type)) {
            return store_lanes(type, stored, harmless(dense_addresses(type, at), mask));
        }
        stored = arith_.to_memory(type, stored);
        if (!mask && stream(symbol, stored, at, alignment)) {
            return;
        }
        if (!mask && store_parts(stored, at, symbol)) {
            return;
        }
        llvm::Instruction *access =
            mask ? static_cast<llvm::Instruction *>(b_.CreateMaskedStore(stored, at, alignment, mask))
                 : b_.CreateAlignedStore(stored, at, alignment);
        tag(access, symbol);
        return;
    }
    if (is_constant && stride == 0 && !mask) {
        Value *last = b_.CreateExtractElement(stored, static_cast<uint64_t>(type.lanes() - 1));
        store_lane(type, last, address(symbol, element, found->base), symbol);
        return;
    }
    const int pieces = ir::is_kind(node.index, ExprKind::Ramp) ? type.lanes() / node.index->arg(0).type().lanes() : 0;
    if (!found && pieces > 0 && !mask) { // a ramp of dense vectors
        const auto base = ramp(node.index->arg(0)), step = ramp(node.index->arg(1));
        if (base && step && base->stride.is_constant() && base->stride.constant == 1 && step->stride.is_constant() &&
            step->stride.constant == 0) {
            for (int i = 0; i < pieces; i++) {
                Value *part = arith_.slice(stored, i * base->lanes, base->lanes);
                Value *at = address(symbol, element, add(base->base, step->base, i));
                tag(b_.CreateAlignedStore(arith_.to_memory(type.with_lanes(base->lanes), part), at, alignment), symbol);
            }
            return;
        }
    }
    if (mask) {
        Value *addresses = lane_addresses(symbol, element, node.index);
        const bool has_scatter =
            machine_.least_scattered_bits > 0 && type.bits() >= machine_.least_scattered_bits && type.lanes() >= 4;
        if (!has_scatter || !llvm::isPowerOf2_32(static_cast<uint32_t>(type.lanes()))) {
            return store_lanes(type, stored, harmless(addresses, mask));
        }
        tag(b_.CreateMaskedScatter(arith_.to_memory(type, stored), addresses, alignment, mask), symbol);
        return;
    }
    Value *base = found ? address(symbol, element, found->base) : nullptr;
    Value *step = found ? linear_value(found->stride) : nullptr;
    Value *offsets = nullptr;
    if (!found) {
        std::tie(base, offsets) = lane_offsets(symbol, element, node.index);
    }
    for (int i = 0; i < type.lanes(); i++) {
        const uint64_t lane = static_cast<uint64_t>(i);
        Value *at = found ? b_.CreateGEP(element, base, b_.CreateNSWMul(step, b_.getInt64(lane)))
                          : b_.CreateGEP(element, base, b_.CreateSExt(b_.CreateExtractElement(offsets, lane), i64_));
        store_lane(type, b_.CreateExtractElement(stored, lane), at, symbol);
    }
}

} // namespace fluorite::backends
