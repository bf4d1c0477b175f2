// Loads.
//
// The linear form of an index (addresses.h) determines the instructions:
//   scalar                       load
//   ramp of stride 1             vector load; -1: vector load and reverse; 0: scalar load and broadcast
//   ramp of stride 2..4          the vector loads that cover exactly the accessed span, and one shuffle
//   wider, of 8 and 16 bits      the same for each segment of 128 bits, as far as it is cheaper than scalar loads
//   ramp of another stride       one scalar load for each lane
//   ramp of vectors              one load for each vector
//   lanes close together         lane_spans.h
//   anything else                gathers.h
// A predicate with one value for all lanes becomes a branch. Others become masked loads and gathers if the target has
// them; if it does not, the first of dense lanes are loaded in pieces (prefix_accesses.h), and otherwise each inactive
// lane accesses a harmless address instead of its own.
//
// Relies on buffers of different symbols not overlapping; each has an alias tag of its own. Every byte that a load
// reads is a byte that the program reads, is between two such bytes, or is in the same aligned 128 bits as one.

#include "backends/llvm/emit/memory/loads.h"

#include "backends/llvm/emit/expressions.h"
#include "lowering/access/access_shape.h"

#include <llvm/ADT/bit.h>

#include <algorithm>
#include <cstddef>

namespace fluorite::backends {

using ir::ExprNode;
using llvm::Value;
using lowering::AccessShape;

Value *Loads::load(const ExprNode &node) {
    const Type type = node.type();
    const Expr &index = node.arg(0), &predicate = node.arg(1);
    const ir::Symbol &symbol = node.symbol();
    buffers_.host(symbol); // before a branch, so that the pointer is available after it
    if (checks_) {
        checks_->check_access(symbol, index, predicate);
    }
    const auto whole = [&](const Expr &mask) -> Value * {
        if (type.is_scalar()) {
            Value *at = addresses_.address(symbol, memory_type(m_.context, type), addresses_.linear(index));
            auto *loaded = b_.CreateAlignedLoad(memory_type(m_.context, type), at,
                                                llvm::Align(static_cast<uint64_t>(type.bytes())));
            return arith_.from_memory(type, buffers_.tag(loaded, symbol));
        }
        const auto found = addresses_.ramp(index);
        Value *active = mask.defined() ? expressions_.value(mask) : nullptr;
        return found ? load_ramp(type, symbol, *found, active) : load_scattered(type, symbol, index, active);
    };
    if (ir::is_true(predicate)) {
        return whole(Expr());
    }
    if (const Expr condition = lowering::uniform_value(predicate); condition.defined()) {
        return load_where(expressions_.value(condition), type, [&] { return whole(Expr()); });
    }
    return whole(predicate);
}

/// The value of `load` if the condition holds, else zero.
Value *Loads::load_where(Value *condition, Type type, const std::function<Value *()> &load) {
    llvm::BasicBlock *before = b_.GetInsertBlock(), *then = frame_.new_block("load"),
                     *after = frame_.new_block("loaded");
    b_.CreateCondBr(condition, then, after);
    b_.SetInsertPoint(then);
    values_.open_scope();
    Value *loaded = load();
    values_.close_scope();
    llvm::BasicBlock *end = b_.GetInsertBlock();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    llvm::PHINode *result = b_.CreatePHI(value_type(m_.context, type), 2);
    result->addIncoming(loaded, end);
    result->addIncoming(llvm::Constant::getNullValue(result->getType()), before);
    return result;
}

Value *Loads::load_ramp(Type type, const ir::Symbol &symbol, const RampIndex &index, Value *mask) {
    llvm::Type *element = memory_type(m_.context, type.element_of());
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
            auto *one = b_.CreateAlignedLoad(element, addresses_.address(symbol, element, index.base),
                                             llvm::Align(static_cast<uint64_t>(type.bytes())));
            return m_.lanes.broadcast(arith_.from_memory(type.element_of(), buffers_.tag(one, symbol)), type.lanes());
        }
        if (stride >= 2 && stride <= 4 && !mask) {
            return load_strided(type, symbol, index);
        }
        if (!mask && has_wide_strides(type, stride)) {
            return load_by_segments(type, symbol, index);
        }
    }
    Value *base = addresses_.address(symbol, element, index.base);
    Value *stride = addresses_.value_of(index.stride);
    Value *result = llvm::PoisonValue::get(memory_type(m_.context, type));
    if (!mask) {
        for (int i = 0; i < type.lanes(); i++) {
            Value *at = b_.CreateGEP(element, base, b_.CreateNSWMul(stride, b_.getInt64(static_cast<uint64_t>(i))));
            auto *one = b_.CreateAlignedLoad(element, at, llvm::Align(static_cast<uint64_t>(type.bytes())));
            result = b_.CreateInsertElement(result, buffers_.tag(one, symbol), static_cast<uint64_t>(i));
        }
        return arith_.from_memory(type, result);
    }
    llvm::SmallVector<llvm::Constant *, 16> lanes;
    for (int i = 0; i < type.lanes(); i++) {
        lanes.push_back(b_.getInt64(static_cast<uint64_t>(i)));
    }
    Value *offsets = b_.CreateMul(m_.lanes.broadcast(stride, type.lanes()), llvm::ConstantVector::get(lanes));
    return gathers_.load(type, symbol, base, offsets, mask, Expr());
}

Value *Loads::load_dense(Type type, const ir::Symbol &symbol, const LinearIndex &base, Value *mask) {
    llvm::Type *vector = memory_type(m_.context, type);
    Value *at = addresses_.address(symbol, memory_type(m_.context, type.element_of()), base);
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    if (!mask) {
        return arith_.from_memory(type, buffers_.tag(b_.CreateAlignedLoad(vector, at, alignment), symbol));
    }
    if (!m_.machine.has_vectors) {
        llvm::Type *element = memory_type(m_.context, type.element_of());
        return arith_.from_memory(type, lanes_.load_where(type, symbol, mask, [&](uint64_t i) {
            return b_.CreateGEP(element, at, b_.getInt64(i));
        }));
    }
    if (!has_masked_access(m_.machine, type)) {
        if (Value *count = prefixes_.count(mask)) {
            return arith_.from_memory(type, prefixes_.load(type, symbol, at, count));
        }
        Value *lanes = lanes_.harmless(addresses_.dense(type, at), mask);
        return arith_.from_memory(type, lanes_.load(type, lanes));
    }
    auto *masked = b_.CreateMaskedLoad(vector, at, alignment, mask, llvm::Constant::getNullValue(vector));
    return arith_.from_memory(type, buffers_.tag(masked, symbol));
}

/// Covers the (lanes - 1) * stride + 1 accessed elements with vector loads, the last of which is moved back so that it
/// ends at the last lane.
Value *Loads::load_strided(Type type, const ir::Symbol &symbol, const RampIndex &index) {
    const int stride = static_cast<int>(index.stride.constant), lanes = type.lanes();
    const int span = (lanes - 1) * stride + 1;
    int width = lanes;
    if (lanes % 4 == 0 && m_.lanes.has_permutes(memory_type(m_.context, type.element_of()))) {
        const auto whole = static_cast<int>(llvm::bit_ceil(static_cast<unsigned>(span)));
        width = std::min(whole == span ? span : whole / 2, m_.target.natural_vector_bytes() / type.bytes());
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
    return m_.lanes.shuffled(pieces, picks);
}

/// A scalar load and its insertion take three micro-operations for each lane; a segment by vectors takes four for each
/// of `stride` loads: a load, its insertion beside that of another segment, a byte shuffle, and the union with the
/// others.
bool Loads::has_wide_strides(Type type, int64_t stride) const {
    const int bits = type.bits();
    const bool is_narrow = type.is_int_or_uint() && (bits == 8 || bits == 16);
    return is_narrow && m_.machine.has_byte_shuffle && type.lanes() % (128 / bits) == 0 && stride > 4 &&
           4 * stride <= int64_t{3} * (128 / bits);
}

/// The lanes of a segment of 128 bits of the result come from `stride` vectors of as many elements, the last of which
/// is moved back so that it ends at the last lane. Vectors that lie equally in several segments share a register, whose
/// bytes one instruction moves to their places within the segments, with zeros elsewhere.
Value *Loads::load_by_segments(Type type, const ir::Symbol &symbol, const RampIndex &index) {
    const int stride = static_cast<int>(index.stride.constant), lanes = type.lanes(), width = 128 / type.bits();
    const int span = (width - 1) * stride + 1, last = (span - 1) / width;
    const int most = std::min(lanes, std::min(m_.machine.short_vector_bits, 256) / type.bits());
    std::vector<Value *> registers;
    for (int begin = 0; begin < lanes; begin += most) {
        const int segments = std::min(most, lanes - begin) / width;
        Value *all = nullptr;
        for (int piece = 0; piece <= last; piece++) {
            const int start = std::min(piece * width, span - width);
            std::vector<Value *> loads;
            std::vector<int> order(static_cast<size_t>(segments * width), segments * width); // of zeros
            for (int segment = 0; segment < segments; segment++) {
                LinearIndex at = index.base;
                at.constant += (begin + segment * width) * stride + start;
                loads.push_back(load_dense(type.with_lanes(width), symbol, at, nullptr));
                for (int i = 0; i < width; i++) {
                    if (std::min(i * stride / width, last) == piece) {
                        order[static_cast<size_t>(segment * width + i)] = segment * width + i * stride - start;
                    }
                }
            }
            Value *loaded = m_.lanes.concat(loads);
            Value *placed = b_.CreateShuffleVector(loaded, llvm::Constant::getNullValue(loaded->getType()), order);
            all = all ? b_.CreateOr(all, placed) : placed;
        }
        registers.push_back(all);
    }
    return m_.lanes.concat(registers);
}

Value *Loads::load_scattered(Type type, const ir::Symbol &symbol, const Expr &index, Value *mask) {
    llvm::Type *element = memory_type(m_.context, type.element_of());
    const AccessShape shape = lowering::access_shape(index);
    if (shape.kind == AccessShape::Kind::Blocks && shape.stride.defined() && !mask) { // one piece for each block
        const Type part = type.with_lanes(shape.first.type().lanes());
        const int pieces = type.lanes() / part.lanes();
        const auto base = addresses_.ramp(shape.first), step = addresses_.ramp(shape.stride);
        if (base && step && step->stride.is_constant() && step->stride.constant == 0) {
            std::vector<Value *> parts;
            for (int i = 0; i < pieces; i++) {
                RampIndex at = *base;
                at.base = add(at.base, step->base, i);
                parts.push_back(load_ramp(part, symbol, at, nullptr));
            }
            return m_.lanes.concat(parts);
        }
    }
    const auto [base, offsets] = addresses_.lane_offsets(symbol, element, index);
    Value *close = mask ? nullptr : spans_.load(type, symbol, base, offsets, index);
    return close ? close : gathers_.load(type, symbol, base, offsets, mask, index);
}

} // namespace fluorite::backends
