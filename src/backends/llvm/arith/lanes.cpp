// Vectors made from scalars and other vectors.
//
// A slice of a concatenation is a slice or a concatenation of its operands, so that vectors which are only split and
// joined need no instructions.
//
// Relies on LLVM to recognize concatenations of equal halves and insertions of subvectors. Cost: linear in the lanes.

#include "backends/llvm/arith/lanes.h"

#include "support/check.h"

#include <numeric>

namespace fluorite::backends {

using llvm::Value;

Value *Lanes::broadcast(Value *scalar, int lanes) {
    return lanes == 1 ? scalar : b_.CreateVectorSplat(static_cast<unsigned>(lanes), scalar);
}

Value *Lanes::slice(Value *vector, int begin, int count, int step) {
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

Value *Lanes::concat(llvm::ArrayRef<Value *> vectors) {
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

Value *Lanes::by_pieces(Value *a, Value *b, int width, const std::function<Value *(Value *, Value *)> &operation) {
    const int lanes = lanes_of(a);
    check(lanes % width == 0, "vectors are cut evenly");
    std::vector<Value *> parts;
    for (int i = 0; i < lanes; i += width) {
        parts.push_back(lanes == width ? operation(a, b) : operation(slice(a, i, width), slice(b, i, width)));
    }
    return concat(parts);
}

} // namespace fluorite::backends
