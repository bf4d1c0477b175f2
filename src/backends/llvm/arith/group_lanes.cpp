// Groups of lanes as one integer.
//
// Where lanes form groups of two or four, a group is treated as one integer of two or four times the bits, which avoids
// moving lanes:
//   the second of each pair of bytes, extended to 16 bits   -->   the pairs shifted right by 8
//   the sum of the lanes of each pair of bytes              -->   products with ones that are added in pairs, one
//                                                                 instruction
//   a, b of 16 bits each narrowed to bytes, interleaved     -->   a & 255 | b << 8
//
// note_groups() records a shuffle that takes one lane of each group, with the vector that it takes them from;
// extended_in_place() records extensions of such shuffles.
//
// Relies on little-endian lanes, and on wrapping integer sums, which may be reordered. Groups of three and groups of
// more than 32 bits are not handled.

#include "backends/llvm/arith/lanes.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>

namespace fluorite::backends {

using llvm::Value;

namespace {

/// Appends the terms of a sum, as far as the partial sums have at most one use so far.
void add_terms(Value *sum, std::vector<Value *> &terms) {
    constexpr size_t most_terms = 16;
    auto *add = llvm::dyn_cast<llvm::BinaryOperator>(sum);
    if (add && add->getOpcode() == llvm::Instruction::Add && !add->hasNUsesOrMore(2) && terms.size() < most_terms) {
        add_terms(add->getOperand(0), terms);
        add_terms(add->getOperand(1), terms);
    } else {
        terms.push_back(sum);
    }
}

/// The wider integer that was truncated to `narrow`, or null; and whether its higher bits may be nonzero.
std::pair<Value *, bool> before_narrowing(Value *narrow) {
    auto *trunc = llvm::dyn_cast<llvm::TruncInst>(narrow);
    // A clamp followed by a truncation is one instruction, so it is left alone.
    const bool is_limited = trunc && llvm::isa<llvm::IntrinsicInst>(trunc->getOperand(0));
    return {trunc && !is_limited ? trunc->getOperand(0) : nullptr, trunc && !trunc->hasNoUnsignedWrap()};
}

} // namespace

/// Records that `picked` consists of one lane of each group of two or four lanes of a vector.
void Lanes::note_groups(Value *picked, llvm::ArrayRef<Value *> vectors, llvm::ArrayRef<int> order) {
    if (!has_vectors_) {
        return;
    }
    const bool is_one = vectors.size() == 1 && order.size() > 1 && llvm::isa<llvm::Instruction>(vectors[0]);
    const int lanes = is_one ? order[1] - order[0] : 0;
    if ((lanes != 2 && lanes != 4) || order[0] < 0 || order[0] >= lanes ||
        lanes_of(vectors[0]) != lanes * static_cast<int>(order.size())) {
        return;
    }
    for (size_t i = 0; i < order.size(); i++) {
        if (order[i] != order[0] + lanes * static_cast<int>(i)) {
            return;
        }
    }
    group_lanes_[picked] = {vectors[0], lanes, order[0], Type(), Type()};
}

Value *Lanes::extended_in_place(Value *value, Type from, Type to) {
    const auto known = group_lanes_.find(value);
    if (known == group_lanes_.end() || !from.is_int_or_uint() || !known->second.from.is_void() || from.bits() < 8) {
        return nullptr;
    }
    GroupLane group = known->second;
    const int bits = from.bits() * group.lanes;
    if (bits > 32 || bits > to.bits() || !to.is_int_or_uint()) {
        return nullptr;
    }
    group.from = from.element_of();
    group.middle = from.is_int() ? Int(bits, from.lanes()) : UInt(bits, from.lanes());
    Value *whole = b_.CreateBitCast(group.all, value_type(b_.getContext(), group.middle));
    const auto by = [&](int lanes) { return constant(group.middle, lanes * from.bits()); };
    if (from.is_int()) {
        whole = b_.CreateAShr(b_.CreateShl(whole, by(group.lanes - 1 - group.lane)), by(group.lanes - 1));
    } else if (group.lane == group.lanes - 1) {
        whole = b_.CreateLShr(whole, by(group.lane));
    } else {
        const int64_t mask = (int64_t{1} << from.bits()) - 1;
        whole = b_.CreateAnd(b_.CreateLShr(whole, by(group.lane)), constant(group.middle, mask));
    }
    Value *result = b_.CreateIntCast(whole, value_type(b_.getContext(), to), from.is_int());
    group_lanes_[result] = group;
    return result;
}

Value *Lanes::sum_with_neighbours(Value *a, Value *b) {
    if (group_lanes_.empty()) {
        return nullptr;
    }
    std::vector<Value *> left, right, sums;
    add_terms(a, left);
    add_terms(b, right);
    for (Value *&one : right) {
        for (Value *&other : left) {
            if (Value *sum = one && other ? sum_of_neighbours(other, one) : nullptr) {
                sums.push_back(sum);
                one = other = nullptr;
            }
        }
    }
    if (sums.empty()) {
        return nullptr;
    }
    left.insert(left.end(), right.begin(), right.end());
    left.insert(left.end(), sums.begin(), sums.end());
    Value *total = nullptr;
    for (Value *term : left) {
        total = total && term ? b_.CreateAdd(total, term) : term ? term : total;
    }
    return total;
}

/// The sum of both lanes of each pair of one vector of bytes or signed 16-bit integers, as products with ones that are
/// added in pairs: one instruction for each register. Null for other values.
Value *Lanes::sum_of_neighbours(Value *a, Value *b) {
    const auto left = group_lanes_.find(a), right = group_lanes_.find(b);
    if (left == group_lanes_.end() || right == group_lanes_.end()) {
        return nullptr;
    }
    const GroupLane &pair = right->second, &other = left->second;
    if (pair.from.is_void() || pair.lanes != 2 || other.all != pair.all || other.from != pair.from ||
        other.lane != 1 - pair.lane || a->getType() != b->getType()) {
        return nullptr;
    }
    const int bits = pair.from.bits(), all = lanes_of(pair.all);
    const int width = std::min(all, short_vector_bits_ / bits), size = width * bits;
    const bool is_bytes = bits == 8 && has_ssse3_, is_shorts = bits == 16 && is_x86_ && pair.from.is_int();
    if ((!is_bytes && !is_shorts) || all % width != 0 || (size != 128 && size != 256 && size != 512)) {
        return nullptr;
    }
    using namespace llvm::Intrinsic;
    const ID of_bytes[] = {x86_ssse3_pmadd_ub_sw_128, x86_avx2_pmadd_ub_sw, x86_avx512_pmaddubs_w_512};
    const ID of_shorts[] = {x86_sse2_pmadd_wd, x86_avx2_pmadd_wd, x86_avx512_pmaddw_d_512};
    const size_t row = size == 128 ? 0 : size == 256 ? 1 : 2;
    std::vector<Value *> sums;
    for (int begin = 0; begin < all; begin += width) {
        Value *own = slice(pair.all, begin, width);
        Value *ones = constant(pair.from.with_lanes(width), 1);
        // the first operand of the instruction for bytes is unsigned
        const bool is_first = is_shorts || !pair.from.is_int();
        sums.push_back(b_.CreateIntrinsic((is_shorts ? of_shorts : of_bytes)[row], {},
                                          {is_first ? own : ones, is_first ? ones : own}));
    }
    return b_.CreateIntCast(concat(sums), b->getType(), pair.from.is_int());
}

Value *Lanes::interleaved(llvm::ArrayRef<Value *> vectors, llvm::ArrayRef<int> order) {
    const auto count = static_cast<int>(vectors.size());
    llvm::Type *type = vectors[0]->getType();
    if (!has_vectors_ || (count != 2 && count != 4) || !type->isVectorTy() || !type->isIntOrIntVectorTy() ||
        type->getScalarSizeInBits() < 8) {
        return nullptr;
    }
    const int lanes = lanes_of(vectors[0]), bits = static_cast<int>(type->getScalarSizeInBits());
    int word = std::min(count * bits, 32), narrowed = 0;
    for (Value *vector : vectors) {
        if (vector->getType() != type) {
            return nullptr;
        }
        if (Value *wide = before_narrowing(vector).first) {
            word = std::min(word, static_cast<int>(wide->getType()->getScalarSizeInBits()));
            narrowed++;
        }
    }
    const int group = word / bits;
    bool is_interleave = static_cast<int>(order.size()) == lanes * count;
    for (int i = 0; is_interleave && i < lanes * count; i++) {
        is_interleave = order[static_cast<size_t>(i)] == i % count * lanes + i / count;
    }
    if (!is_interleave || 2 * narrowed < count || group < 2 || count % group != 0 || group * bits != word) {
        return nullptr;
    }
    const Type words = UInt(word, lanes);
    llvm::Type *word_type = value_type(b_.getContext(), words);
    std::vector<Value *> all;
    for (int first = 0; first < count; first += group) {
        Value *together = nullptr;
        for (int i = 0; i < group; i++) {
            Value *vector = vectors[static_cast<size_t>(first + i)];
            auto [wide, has_more] = before_narrowing(vector);
            if (wide) {
                wide = b_.CreateTrunc(wide, word_type);
            } else if (!(wide = extended_in_place(vector, UInt(bits, lanes), words))) {
                wide = b_.CreateZExt(vector, word_type);
            }
            if (has_more && i + 1 < group) {
                wide = b_.CreateAnd(wide, constant(words, (int64_t{1} << bits) - 1));
            }
            wide = b_.CreateShl(wide, constant(words, i * bits));
            together = together ? b_.CreateOr(together, wide) : wide;
        }
        all.push_back(together);
    }
    Value *result = all[0];
    if (all.size() > 1) {
        std::vector<int> again;
        const auto parts = static_cast<int>(all.size());
        for (int i = 0; i < lanes * parts; i++) {
            again.push_back(i % parts * lanes + i / parts);
        }
        result = shuffled(all, again);
    }
    return b_.CreateBitCast(result,
                            llvm::FixedVectorType::get(type->getScalarType(), static_cast<unsigned>(lanes * count)));
}

} // namespace fluorite::backends
