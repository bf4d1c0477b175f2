// Vectors made from scalars and other vectors, and reductions over lanes.
//
// A slice of a concatenation is a slice or a concatenation of its operands, so that vectors which are only split and
// joined need no instructions. A reduction combines adjacent pairs of lanes as long as the size of a group is even:
// this is the order that the language defines, and each step halves the vector.
//
// Relies on the x86 idioms for sums of products and of bytes (../x86/), which are integers and may be reordered.

#include "backends/llvm/arith/arith.h"

#include "support/check.h"

#include <llvm/IR/Intrinsics.h>

#include <numeric>

namespace fluorite::backends {

using ir::ExprKind;
using ir::ReduceOp;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

Value *Arith::broadcast(Value *scalar, int lanes) {
    return lanes == 1 ? scalar : b_.CreateVectorSplat(static_cast<unsigned>(lanes), scalar);
}

Value *Arith::slice(Value *vector, int begin, int count, int step) {
    if (count == 1) {
        return vector->getType()->isVectorTy() ? b_.CreateExtractElement(vector, static_cast<uint64_t>(begin)) : vector;
    }
    // A slice of a concatenation is a slice or a concatenation of its operands.
    auto *whole = llvm::dyn_cast<llvm::ShuffleVectorInst>(vector);
    if (step == 1 && whole && whole->isConcat()) {
        const int half = lanes_of(whole->getOperand(0));
        if (begin / half == (begin + count - 1) / half) {
            return slice(whole->getOperand(begin / half), begin % half, count);
        }
        if (begin % half == 0 && count == 2 * half) {
            return vector;
        }
        return concat(
            {slice(whole->getOperand(0), begin, half - begin), slice(whole->getOperand(1), 0, begin + count - half)});
    }
    if (step == 1 && begin == 0 && count == lanes_of(vector)) {
        return vector;
    }
    std::vector<int> lanes(static_cast<size_t>(count));
    for (int i = 0; i < count; i++) {
        lanes[static_cast<size_t>(i)] = begin + i * step;
    }
    return b_.CreateShuffleVector(vector, lanes);
}

Value *Arith::concat(llvm::ArrayRef<Value *> vectors) {
    // Vectors of equal width are concatenated as a balanced tree of shuffles; anything else lane by lane.
    if (vectors.size() == 1) {
        return vectors[0];
    }
    const int lanes = lanes_of(vectors[0]);
    const bool uniform = llvm::all_of(vectors, [&](Value *v) { return lanes_of(v) == lanes; });
    if (uniform && lanes > 1 && vectors.size() % 2 == 0) {
        std::vector<int> all(static_cast<size_t>(2 * lanes));
        std::iota(all.begin(), all.end(), 0);
        std::vector<Value *> pairs;
        for (size_t i = 0; i < vectors.size(); i += 2) {
            pairs.push_back(b_.CreateShuffleVector(vectors[i], vectors[i + 1], all));
        }
        return concat(pairs);
    }
    int total = 0;
    for (Value *v : vectors) {
        total += lanes_of(v);
    }
    Value *result = llvm::PoisonValue::get(
        llvm::FixedVectorType::get(vectors[0]->getType()->getScalarType(), static_cast<unsigned>(total)));
    uint64_t at = 0;
    for (Value *v : vectors) {
        const int count = lanes_of(v);
        if (count > 1) { // widen, then blend: LLVM recognizes the insertion of a subvector
            std::vector<int> widen(static_cast<size_t>(total), -1), blend(static_cast<size_t>(total));
            std::iota(blend.begin(), blend.end(), 0);
            for (int i = 0; i < count; i++) {
                widen[at + static_cast<size_t>(i)] = i;
                blend[at + static_cast<size_t>(i)] = total + static_cast<int>(at) + i;
            }
            result = b_.CreateShuffleVector(result, b_.CreateShuffleVector(v, widen), blend);
        } else {
            result = b_.CreateInsertElement(result, v, at);
        }
        at += static_cast<uint64_t>(count);
    }
    return result;
}

/// Applies an operation to slices of `width` lanes and concatenates the results.
Value *Arith::by_pieces(Value *a, Value *b, int width, const std::function<Value *(Value *, Value *)> &operation) {
    const int lanes = lanes_of(a);
    check(lanes % width == 0, "vectors are cut evenly");
    std::vector<Value *> parts;
    for (int i = 0; i < lanes; i += width) {
        parts.push_back(lanes == width ? operation(a, b) : operation(slice(a, i, width), slice(b, i, width)));
    }
    return concat(parts);
}

// ---- Reductions.

Value *Arith::combine(ReduceOp op, Type type, Value *a, Value *b) {
    switch (op) {
    case ReduceOp::Add:
        return binary(ExprKind::Add, type, a, b, type);
    case ReduceOp::Mul:
        return binary(ExprKind::Mul, type, a, b, type);
    case ReduceOp::Min:
        return binary(ExprKind::Min, type, a, b, type);
    case ReduceOp::Max:
        return binary(ExprKind::Max, type, a, b, type);
    case ReduceOp::And:
        return b_.CreateAnd(a, b);
    case ReduceOp::Or:
        return b_.CreateOr(a, b);
    case ReduceOp::BitAnd:
        return b_.CreateAnd(a, b);
    case ReduceOp::BitOr:
        return b_.CreateOr(a, b);
    case ReduceOp::BitXor:
        return b_.CreateXor(a, b);
    case ReduceOp::SaturatingAdd:
        return type.is_float()
                   ? binary(ExprKind::Add, type, a, b, type)
                   : b_.CreateBinaryIntrinsic(type.is_int() ? Intrinsic::sadd_sat : Intrinsic::uadd_sat, a, b);
    }
    unreachable("not a reduction");
}

Value *Arith::reduce(ReduceOp op, Type type, Value *value, int lanes) {
    int group = type.lanes() / lanes;
    check(group * lanes == type.lanes(), "a vector reduction has groups of equal size");
    if (op == ReduceOp::Add && type.bits() == 32 && group % 2 == 0) {
        if (Value *sums = add_products(value, group)) {
            group = lanes_of(sums) / lanes;
            value = sums;
        }
    }
    if (op == ReduceOp::Add && type.is_int_or_uint() && type.bits() >= 16 && group % 8 == 0) {
        if (Value *sums = add_bytes(value)) {
            group /= 8;
            value = sums;
        }
    }
    while (group > 1 && group % 2 == 0) {
        const int half = lanes_of(value) / 2;
        value = combine(op, type.with_lanes(half), slice(value, 0, half, 2), slice(value, 1, half, 2));
        group /= 2;
    }
    if (group == 1) {
        return value;
    }
    Value *result = slice(value, 0, lanes, group);
    for (int i = 1; i < group; i++) {
        result = combine(op, type.with_lanes(lanes), result, slice(value, i, lanes, group));
    }
    return result;
}

} // namespace fluorite::backends
