// Loads of lanes that are close together.
//
// The way in which the index changes from lane to lane (lane_steps, linear_index.cpp) bounds the distance of lanes:
//   steps between 0 and n or -n and 0    groups of lanes: masked loads read exactly the elements between the lowest and
//                                        the highest lane of a group, and one permutation of one or two registers picks
//                                        the lanes. This covers clamped coordinates, also scaled or halved ones. It
//                                        needs AVX-512, or AVX2 for elements of 32 bits. Elements of 8 and 16 bits on
//                                        other x86 come from the aligned blocks of 128 bits that hold the lowest and
//                                        the highest lane of a group, which are one block or two neighbours
//   quotients by variables, selects etc. the same, if a check at run time finds the lanes near each other; otherwise
//                                        one scalar load for each lane
//
// Relies on masked loads, which do not access inactive elements, and on pages being whole blocks. Cost: as many loads
// and permutations as groups.

#include "backends/llvm/emit/memory/lane_spans.h"

#include "backends/llvm/sanitize.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace fluorite::backends {

using llvm::Value;

Value *LaneSpans::load(Type type, const ir::Symbol &symbol, Value *base, Value *offsets, const Expr &index) {
    const auto steps = lane_steps(index);
    const int64_t step = steps ? 0 : folded_step(index);
    const LaneSteps likely = steps ? *steps : LaneSteps{-step, step};
    const auto shape = steps || step > 0 ? span_shape(type, likely) : std::nullopt;
    return shape ? load_span(type, symbol, base, offsets, likely, *shape, steps.has_value()) : nullptr;
}

std::optional<LaneSpans::SpanShape> LaneSpans::span_shape(Type type, const LaneSteps &steps) const {
    const int bits = type.bytes() * 8;
    const int64_t most = std::max(std::abs(steps.least), std::abs(steps.most));
    llvm::SmallVector<SpanShape, 4> shapes;
    if (m_.machine.least_moved_bits > 0 && m_.machine.least_moved_bits < 32) {
        if (bits == 8) {
            shapes.push_back({0, 16, 1, false});
            if (m_.machine.least_moved_bits == 8) {
                shapes.append({{0, 32, 1, false}, {0, 64, 1, false}, {0, 64, 2, false}});
            } else {
                shapes.push_back({0, 32, 1, true});
            }
        } else {
            shapes.append({{0, 256 / bits, 1, false}, {0, 512 / bits, 1, false}, {0, 512 / bits, 2, false}});
        }
    } else if (bits == 32 && m_.machine.least_moved_bits == 32) {
        shapes.push_back({0, 8, 1, false});
    } else if (bits < 32 && has_blocks()) {
        shapes.push_back({0, 128 / bits, 1, false, true});
    }
    const int least_lanes = std::min(8, 256 / bits);
    for (int lanes = 64; lanes >= least_lanes; lanes /= 2) {
        if (type.lanes() % lanes != 0) {
            continue;
        }
        for (SpanShape shape : shapes) {
            if (lanes <= shape.width && (lanes - 1) * most < int64_t{shape.width} * shape.registers) {
                shape.lanes = lanes;
                return shape;
            }
        }
    }
    return std::nullopt;
}

/// Whether bytes of a block may be picked. A sanitizer would report the rest of a block as an access of the program.
bool LaneSpans::has_blocks() const {
    return m_.machine.instruction_set == machine::InstructionSet::X86 && m_.machine.has_byte_shuffle &&
           m_.machine.least_moved_bits % 32 == 0 && sanitizer_of_build() == Sanitizer::None;
}

/// Permutes the elements of one or two registers: lane i of the result is the element number order[i].
Value *LaneSpans::permuted(llvm::ArrayRef<Value *> registers, Value *order) {
    const auto *type = llvm::cast<llvm::FixedVectorType>(order->getType());
    const unsigned bits = type->getScalarSizeInBits(), all = bits * type->getNumElements();
    using namespace llvm::Intrinsic;
    const size_t row = bits == 64 ? 3 : bits == 32 ? 2 : bits == 16 ? 1 : 0;
    if (registers.size() == 2) {
        const ID two[] = {x86_avx512_vpermi2var_qi_512, x86_avx512_vpermi2var_hi_512, x86_avx512_vpermi2var_d_512,
                          x86_avx512_vpermi2var_q_512};
        return b_.CreateIntrinsic(two[row], {}, {registers[0], order, registers[1]});
    }
    const ID wide[] = {x86_avx512_permvar_qi_512, x86_avx512_permvar_hi_512, x86_avx512_permvar_si_512,
                       x86_avx512_permvar_di_512};
    const ID narrow[] = {x86_avx512_permvar_qi_256, x86_avx512_permvar_hi_256, x86_avx2_permd,
                         x86_avx512_permvar_di_256};
    const ID id = all == 128 ? ID(x86_ssse3_pshuf_b_128) : all == 512 ? wide[row] : narrow[row];
    return b_.CreateIntrinsic(id, {}, {registers[0], order});
}

/// Loads each group of lanes by masked loads of the elements from its lowest to its highest, and a permutation. If it
/// is not certain that these fit into the registers, this is checked at run time, and the lanes are loaded one by one
/// if they do not.
Value *LaneSpans::load_span(Type type, const ir::Symbol &symbol, Value *base, Value *offsets, const LaneSteps &steps,
                            const SpanShape &shape, bool is_certain) {
    const int lanes = shape.lanes;
    const uint64_t last_lane = static_cast<uint64_t>(lanes - 1);
    const Type part = type.with_lanes(lanes);
    std::vector<Value *> parts;
    for (int begin = 0; begin < type.lanes(); begin += lanes) {
        Value *own = lanes == type.lanes() ? offsets : m_.lanes.slice(offsets, begin, lanes);
        if (is_certain && (steps.least >= 0 || steps.most <= 0)) {
            Value *ends[] = {b_.CreateExtractElement(own, uint64_t{0}), b_.CreateExtractElement(own, last_lane)};
            const bool rises = steps.least >= 0;
            parts.push_back(load_group(part, symbol, base, own, ends[rises ? 0 : 1], ends[rises ? 1 : 0], shape));
            continue;
        }
        Value *lowest = b_.CreateIntMinReduce(own, /*IsSigned=*/true);
        Value *highest = b_.CreateIntMaxReduce(own, /*IsSigned=*/true);
        if (is_certain) {
            parts.push_back(load_group(part, symbol, base, own, lowest, highest, shape));
            continue;
        }
        llvm::BasicBlock *near = frame_.new_block("near"), *far = frame_.new_block("far");
        llvm::BasicBlock *after = frame_.new_block("loaded");
        Value *reach = llvm::ConstantInt::get(lowest->getType(), static_cast<uint64_t>(shape.width * shape.registers));
        frame_.branch_cold(b_.CreateICmpULT(b_.CreateSub(highest, lowest), reach), near, far);
        b_.SetInsertPoint(near);
        Value *permuted = load_group(part, symbol, base, own, lowest, highest, shape);
        b_.CreateBr(after);
        b_.SetInsertPoint(far);
        Value *loaded = b_.CreateCall(lanes_.loader(part, own->getType()), {base, own});
        b_.CreateBr(after);
        b_.SetInsertPoint(after);
        llvm::PHINode *result = b_.CreatePHI(permuted->getType(), 2);
        result->addIncoming(permuted, near);
        result->addIncoming(loaded, far);
        parts.push_back(result);
    }
    return arith_.from_memory(type, parts.size() == 1 ? parts[0] : m_.lanes.concat(parts));
}

/// The elements at base + own, in memory representation. All are between `lowest` and `highest`, which are close enough
/// for the permutation.
Value *LaneSpans::load_group(Type type, const ir::Symbol &symbol, Value *base, Value *own, Value *lowest,
                             Value *highest, const SpanShape &shape) {
    if (shape.in_blocks) {
        return load_in_blocks(type, symbol, base, own, lowest, highest);
    }
    const int lanes = type.lanes(), width = shape.width;
    llvm::Type *element = memory_type(m_.context, type.element_of()), *offset = lowest->getType();
    llvm::Type *vector = memory_type(m_.context, type.with_lanes(width));
    llvm::Type *integers = value_type(m_.context, UInt(type.bytes() * 8, width));
    llvm::Type *words = shape.as_words ? value_type(m_.context, UInt(16, width)) : integers;
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    Value *distance = m_.lanes.broadcast(b_.CreateSub(highest, lowest), width);
    Value *first = b_.CreateGEP(element, base, lowest);
    llvm::SmallVector<Value *, 2> registers;
    for (int r = 0; r < shape.registers; r++) {
        llvm::SmallVector<llvm::Constant *, 64> numbers;
        for (int i = 0; i < width; i++) {
            numbers.push_back(llvm::ConstantInt::get(offset, static_cast<uint64_t>(r * width + i)));
        }
        Value *is_read = b_.CreateICmpSLE(llvm::ConstantVector::get(numbers), distance);
        Value *at = r == 0 ? first : b_.CreateConstGEP1_64(element, first, static_cast<uint64_t>(r * width));
        auto *loaded = b_.CreateMaskedLoad(vector, at, alignment, is_read, llvm::Constant::getNullValue(vector));
        Value *bits = b_.CreateBitCast(buffers_.tag(loaded, symbol), integers);
        registers.push_back(shape.as_words ? b_.CreateZExt(bits, words) : bits);
    }
    llvm::SmallVector<int, 64> grow(static_cast<size_t>(width), -1);
    for (int i = 0; i < lanes; i++) {
        grow[static_cast<size_t>(i)] = i;
    }
    Value *order = b_.CreateSub(own, m_.lanes.broadcast(lowest, lanes));
    order = lanes == width ? order : b_.CreateShuffleVector(order, grow);
    Value *moved = permuted(registers, b_.CreateSExtOrTrunc(order, words));
    moved = b_.CreateBitCast(shape.as_words ? b_.CreateTrunc(moved, integers) : moved, vector);
    return lanes == width ? moved : m_.lanes.slice(moved, 0, lanes);
}

/// The same of a span of 16 bytes at most. If it lies in one aligned block, this block is loaded; otherwise the 16
/// bytes from its beginning end in the block of its end.
Value *LaneSpans::load_in_blocks(Type type, const ir::Symbol &symbol, Value *base, Value *own, Value *lowest,
                                 Value *highest) {
    constexpr uint64_t block = 16;
    const int lanes = type.lanes(), width = static_cast<int>(block) / type.bytes();
    llvm::Type *element = memory_type(m_.context, type.element_of());
    llvm::Type *bytes = value_type(m_.context, UInt(8, static_cast<int>(block)));
    Value *first = b_.CreateGEP(element, base, lowest);
    Value *from = b_.CreatePtrToInt(first, m_.i64);
    Value *to = b_.CreatePtrToInt(b_.CreateGEP(element, base, highest), m_.i64);
    Value *is_one = b_.CreateICmpULT(b_.CreateXor(from, to), b_.getInt64(block));
    Value *before = b_.CreateSelect(is_one, b_.CreateAnd(from, block - 1), b_.getInt64(0));
    Value *at = b_.CreateGEP(m_.i8, first, b_.CreateNeg(before));
    Value *loaded = buffers_.tag(b_.CreateAlignedLoad(bytes, at, llvm::Align(1)), symbol);
    llvm::Type *integers = value_type(m_.context, UInt(type.bytes() * 8, lanes));
    Value *order = b_.CreateSExtOrTrunc(b_.CreateSub(own, m_.lanes.broadcast(lowest, lanes)), integers);
    if (type.bytes() == 2) { // the numbers of both bytes of each element
        order = b_.CreateAdd(b_.CreateMul(order, llvm::ConstantInt::get(integers, 0x0202)),
                             llvm::ConstantInt::get(integers, 0x0100));
    }
    llvm::SmallVector<int, 16> grow(static_cast<size_t>(width), 0);
    for (int i = 0; i < lanes; i++) {
        grow[static_cast<size_t>(i)] = i;
    }
    order = b_.CreateBitCast(lanes == width ? order : b_.CreateShuffleVector(order, grow), bytes);
    order = b_.CreateAdd(order, m_.lanes.broadcast(b_.CreateTrunc(before, m_.i8), static_cast<int>(block)));
    Value *moved = b_.CreateBitCast(permuted({loaded}, order), memory_type(m_.context, type.with_lanes(width)));
    return lanes == width ? moved : m_.lanes.slice(moved, 0, lanes);
}

} // namespace fluorite::backends
