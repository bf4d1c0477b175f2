// Loads of lanes at arbitrary addresses.
//
// The way in which the index changes from lane to lane (lane_steps, linear_index.cpp) determines the instructions:
//   a ramp of vectors                    one load for each vector
//   steps between 0 and n or -n and 0    groups of lanes: masked loads read exactly the elements between the lowest and
//                                        the highest lane of a group, and one permutation of one or two registers picks
//                                        the lanes. This covers clamped coordinates, also scaled or halved ones. It
//                                        needs AVX-512, or AVX2 for elements of 32 bits
//   quotients by variables, selects etc. the same, if a check at run time finds the lanes near each other
//   anything else                        a gather if the processor's is fast (prefers_gather); elements of 8 and 16 bits
//                                        gather the aligned 32-bit words that contain them, which never cross a page
//   otherwise                            one scalar load for each lane

#include "backends/llvm/emit/emitter.h"
#include "backends/llvm/sanitize.h"

#include "support/check.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace fluorite::backends {

using ir::ExprKind;
using llvm::Value;

namespace {

/// The number of lanes of a function that are loaded one by one inline. They are slow to compile, and code with many of
/// them is mostly that of image borders; beyond this number, a function of the module loads them, at the price of
/// saving registers around the call.
constexpr int most_lanes_in_place = 256;

} // namespace

Value *Emitter::load_scattered(Type type, const ir::Symbol &symbol, const Expr &index, Value *mask) {
    llvm::Type *element = memory_type(context_, type.element_of());
    const int pieces = ir::is_kind(index, ExprKind::Ramp) ? type.lanes() / index->arg(0).type().lanes() : 0;
    if (pieces > 0 && !mask) { // a ramp of vectors: one piece for each step
        const Type part = type.with_lanes(type.lanes() / pieces);
        const auto base = ramp(index->arg(0)), step = ramp(index->arg(1));
        if (base && step && step->stride.is_constant() && step->stride.constant == 0) {
            std::vector<Value *> parts;
            for (int i = 0; i < pieces; i++) {
                RampIndex at = *base;
                at.base = add(at.base, step->base, i);
                parts.push_back(load_ramp(part, symbol, at, Expr()));
            }
            return arith_.concat(parts);
        }
    }
    const auto [base, offsets] = lane_offsets(symbol, element, index);
    if (!mask) {
        const auto steps = lane_steps(index);
        const int64_t step = steps ? 0 : folded_step(index);
        const LaneSteps likely = steps ? *steps : LaneSteps{-step, step};
        if (const auto shape = steps || step > 0 ? span_shape(type, likely) : std::nullopt) {
            return load_span(type, symbol, base, offsets, likely, *shape, steps.has_value());
        }
    }
    return gather(type, symbol, base, offsets, mask, index);
}

// ---- Lanes that are close together.

std::optional<Emitter::SpanShape> Emitter::span_shape(Type type, const LaneSteps &steps) const {
    const int bits = type.bytes() * 8;
    const int64_t most = std::max(std::abs(steps.least), std::abs(steps.most));
    llvm::SmallVector<SpanShape, 4> shapes;
    if (machine_.least_moved_bits > 0 && machine_.least_moved_bits < 32) {
        if (bits == 8) {
            shapes.push_back({0, 16, 1, false});
            if (machine_.least_moved_bits == 8) {
                shapes.append({{0, 32, 1, false}, {0, 64, 1, false}, {0, 64, 2, false}});
            } else {
                shapes.push_back({0, 32, 1, true});
            }
        } else {
            shapes.append({{0, 256 / bits, 1, false}, {0, 512 / bits, 1, false}, {0, 512 / bits, 2, false}});
        }
    } else if (bits == 32 && machine_.least_moved_bits == 32) {
        shapes.push_back({0, 8, 1, false});
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

/// Permutes the elements of one or two registers: lane i of the result is the element number order[i].
Value *Emitter::permuted(llvm::ArrayRef<Value *> registers, Value *order) {
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
Value *Emitter::load_span(Type type, const ir::Symbol &symbol, Value *base, Value *offsets, const LaneSteps &steps,
                          const SpanShape &shape, bool is_certain) {
    const int lanes = shape.lanes;
    const uint64_t last_lane = static_cast<uint64_t>(lanes - 1);
    const Type part = type.with_lanes(lanes);
    std::vector<Value *> parts;
    for (int begin = 0; begin < type.lanes(); begin += lanes) {
        Value *own = lanes == type.lanes() ? offsets : arith_.slice(offsets, begin, lanes);
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
        llvm::BasicBlock *near = new_block("near"), *far = new_block("far"), *after = new_block("loaded");
        Value *reach = llvm::ConstantInt::get(lowest->getType(), static_cast<uint64_t>(shape.width * shape.registers));
        b_.CreateCondBr(b_.CreateICmpULT(b_.CreateSub(highest, lowest), reach), near, far,
                        metadata_.createBranchWeights(1U << 20, 1));
        b_.SetInsertPoint(near);
        Value *permuted = load_group(part, symbol, base, own, lowest, highest, shape);
        b_.CreateBr(after);
        b_.SetInsertPoint(far);
        Value *loaded = b_.CreateCall(lane_loader(part, own->getType()), {base, own});
        b_.CreateBr(after);
        b_.SetInsertPoint(after);
        llvm::PHINode *result = b_.CreatePHI(permuted->getType(), 2);
        result->addIncoming(permuted, near);
        result->addIncoming(loaded, far);
        parts.push_back(result);
    }
    return arith_.from_memory(type, parts.size() == 1 ? parts[0] : arith_.concat(parts));
}

/// The elements at base + own, in memory representation. All are between `lowest` and `highest`, which are close enough
/// for the permutation.
Value *Emitter::load_group(Type type, const ir::Symbol &symbol, Value *base, Value *own, Value *lowest, Value *highest,
                           const SpanShape &shape) {
    const int lanes = type.lanes(), width = shape.width;
    llvm::Type *element = memory_type(context_, type.element_of()), *offset = lowest->getType();
    llvm::Type *vector = memory_type(context_, type.with_lanes(width));
    llvm::Type *integers = value_type(context_, UInt(type.bytes() * 8, width));
    llvm::Type *words = shape.as_words ? value_type(context_, UInt(16, width)) : integers;
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    Value *distance = arith_.broadcast(b_.CreateSub(highest, lowest), width);
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
        Value *bits = b_.CreateBitCast(tag(loaded, symbol), integers);
        registers.push_back(shape.as_words ? b_.CreateZExt(bits, words) : bits);
    }
    llvm::SmallVector<int, 64> grow(static_cast<size_t>(width), -1);
    for (int i = 0; i < lanes; i++) {
        grow[static_cast<size_t>(i)] = i;
    }
    Value *order = b_.CreateSub(own, arith_.broadcast(lowest, lanes));
    order = lanes == width ? order : b_.CreateShuffleVector(order, grow);
    Value *moved = permuted(registers, b_.CreateSExtOrTrunc(order, words));
    moved = b_.CreateBitCast(shape.as_words ? b_.CreateTrunc(moved, integers) : moved, vector);
    return lanes == width ? moved : arith_.slice(moved, 0, lanes);
}

// ---- Lanes at arbitrary distances.

/// Whether to use a gather. Where the machine model allows gathers for table lookups only, these are indices that
/// depend on a small integer or a float from memory, as opposed to indices that are computed or come from a table of
/// coordinates.
bool Emitter::prefers_gather(const Expr &index) const {
    if (machine_.gathers != machine::Gathers::OfTables || !index.defined()) {
        return machine_.gathers != machine::Gathers::Never;
    }
    bool looks_up = false;
    ir::for_each_node(index, [&](const Expr &node) {
        const bool is_load = node->kind() == ExprKind::Load;
        looks_up |= is_load && (node.type().bits() < 32 || node.type().is_float());
    });
    return looks_up;
}

/// The elements at base + offsets (counted in elements, Int32 or Int64), zero in inactive lanes. `index` is the
/// expression of the offsets, undefined for a ramp.
Value *Emitter::gather(Type type, const ir::Symbol &symbol, Value *base, Value *offsets, Value *mask,
                       const Expr &index) {
    llvm::Type *element = memory_type(context_, type.element_of());
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    // A sanitizer would report the rest of the word as an access of the program.
    const bool has_gather = type.bits() >= 32 || sanitizer_of_build() == Sanitizer::None;
    if (!prefers_gather(index) || type.lanes() < 4 || !has_gather) {
        if (mask) {
            return arith_.from_memory(type, load_lanes(type, harmless(b_.CreateGEP(element, base, offsets), mask)));
        }
        return arith_.from_memory(type,
                                  load_each(type, symbol, base, offsets, !index.defined() || !may_leave_loop(index)));
    }
    if (!mask) {
        mask = llvm::Constant::getAllOnesValue(value_type(context_, Bool(type.lanes())));
    }
    if (type.bits() >= 32) {
        return wide_gather(memory_type(context_, type), b_.CreateGEP(element, base, offsets), alignment, mask, symbol);
    }
    // Loads whole words: the element is a part of the aligned word that contains it.
    const uint64_t in_word = type.bytes() == 1 ? 4 : 2;
    Value *misplaced = b_.CreateAnd(b_.CreatePtrToInt(base, i64_), 3);
    base = b_.CreateGEP(i8_, base, b_.CreateNeg(misplaced));
    misplaced = b_.CreateLShr(misplaced, type.bytes() == 1 ? 0 : 1);
    llvm::Type *offset = offsets->getType()->getScalarType();
    offsets = b_.CreateAdd(offsets, arith_.broadcast(b_.CreateTrunc(misplaced, offset), type.lanes()));
    Value *words = b_.CreateGEP(i32_, base, b_.CreateAShr(offsets, in_word == 4 ? 2 : 1));
    llvm::Type *vector = value_type(context_, UInt(32, type.lanes()));
    Value *all = wide_gather(vector, words, llvm::Align(4), mask, symbol);
    Value *part = b_.CreateZExtOrTrunc(b_.CreateAnd(offsets, in_word - 1), vector);
    Value *shifted = b_.CreateLShr(all, b_.CreateShl(part, in_word == 4 ? 3 : 4));
    return arith_.from_memory(type, b_.CreateTrunc(shifted, memory_type(context_, type)));
}

// A gather with a power of two of lanes. LLVM would widen other counts with undefined addresses, which it may place in
// the register of the result, and the processor rejects such a gather even if it reads none of those lanes.
Value *Emitter::wide_gather(llvm::Type *vector, Value *addresses, llvm::Align alignment, Value *mask,
                            const ir::Symbol &symbol) {
    const auto lanes = llvm::cast<llvm::FixedVectorType>(vector)->getNumElements();
    const uint64_t wide = llvm::PowerOf2Ceil(lanes);
    if (wide == lanes) {
        return tag(b_.CreateMaskedGather(vector, addresses, alignment, mask, llvm::Constant::getNullValue(vector)),
                   symbol);
    }
    llvm::SmallVector<int, 32> repeat_first, grow_mask, shrink;
    for (uint64_t i = 0; i < wide; i++) {
        repeat_first.push_back(i < lanes ? static_cast<int>(i) : 0);
        grow_mask.push_back(static_cast<int>(i < lanes ? i : lanes));
    }
    for (uint64_t i = 0; i < lanes; i++) {
        shrink.push_back(static_cast<int>(i));
    }
    auto *wide_type =
        llvm::FixedVectorType::get(llvm::cast<llvm::VectorType>(vector)->getElementType(), static_cast<unsigned>(wide));
    Value *more = b_.CreateShuffleVector(addresses, repeat_first);
    Value *off = b_.CreateShuffleVector(mask, llvm::Constant::getNullValue(mask->getType()), grow_mask);
    auto *all = b_.CreateMaskedGather(wide_type, more, alignment, off, llvm::Constant::getNullValue(wide_type));
    return b_.CreateShuffleVector(tag(all, symbol), shrink);
}

// ---- One scalar load for each lane.

/// The elements at base + offsets, in memory representation. `stays`: the innermost loop changes the offsets, so
/// nothing is lost if LLVM cannot analyze the loads and hoist them.
Value *Emitter::load_each(Type type, const ir::Symbol &symbol, Value *base, Value *offsets, bool stays) {
    const int lanes = type.lanes();
    if (lanes > 4 && (lanes >= 64 || frame_.lanes_in_place + lanes > most_lanes_in_place)) {
        return b_.CreateCall(lane_loader(type, offsets->getType()), {base, offsets});
    }
    frame_.lanes_in_place += lanes;
    Value *slot = nullptr;
    if (stays && lanes > 4) {
        Value *&next = frame_.lane_slots[frame_.next_lane_slot++ % frame_.lane_slots.size()];
        next = next ? next : entry_alloca(i64_, 64, 64, "lanes");
        slot = next;
    }
    return load_by_offsets(b_, type, base, offsets, slot, [&](llvm::Instruction *load) { tag(load, symbol); });
}

/// Whether a load with this index may be invariant in the innermost loop.
bool Emitter::may_leave_loop(const Expr &index) const {
    bool changes = false;
    ir::for_each_node(index, [&](const Expr &part) {
        if (part->kind() == ExprKind::Variable) {
            const ValueCache::Binding *bound = frame_.values.binding(part->symbol());
            changes |= !bound || bound->depth >= frame_.loop_depth;
        }
    });
    return !changes;
}

/// One load for each lane. With `slot`, the offsets pass through memory: extracting a lane from a register costs two
/// instructions, which compete with those that assemble the result. The store is volatile so that LLVM does not forward
/// it.
Value *Emitter::load_by_offsets(llvm::IRBuilderBase &b, Type type, Value *base, Value *offsets, Value *slot,
                                const std::function<void(llvm::Instruction *)> &tag_load) {
    llvm::Type *element = memory_type(context_, type.element_of());
    llvm::Type *offset = offsets->getType()->getScalarType();
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    if (slot) {
        b.CreateAlignedStore(offsets, slot, llvm::Align(64), /*isVolatile=*/true);
    }
    Value *result = llvm::PoisonValue::get(memory_type(context_, type));
    for (uint64_t i = 0; i < static_cast<uint64_t>(type.lanes()); i++) {
        Value *place =
            slot ? b.CreateLoad(offset, b.CreateConstGEP1_64(offset, slot, i)) : b.CreateExtractElement(offsets, i);
        auto *one = b.CreateAlignedLoad(element, b.CreateGEP(element, base, b.CreateSExt(place, i64_)), alignment);
        tag_load(one);
        result = b.CreateInsertElement(result, one, i);
    }
    return result;
}

/// A function (base, offsets) -> elements that loads lane by lane, for code that would be too long inline.
llvm::Function *Emitter::lane_loader(Type type, llvm::Type *offsets) {
    const std::string name = concat("fluorite.lanes.", type, ".", offsets->getScalarSizeInBits());
    if (llvm::Function *made = module_.getFunction(name)) {
        return made;
    }
    auto *signature = llvm::FunctionType::get(memory_type(context_, type), {ptr_, offsets}, false);
    llvm::Function *function = globals_.new_function(name, signature, false);
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::WillReturn);
    function->setOnlyReadsMemory(); // besides its own stack slot
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context_, "entry", function));
    llvm::AllocaInst *slot = b.CreateAlloca(offsets);
    slot->setAlignment(llvm::Align(64));
    b.CreateRet(load_by_offsets(b, type, function->getArg(0), function->getArg(1), slot, [](llvm::Instruction *) {}));
    return function;
}

/// The addresses of the active lanes; for inactive ones, the address of a zero on the stack.
Value *Emitter::harmless(Value *addresses, Value *mask) {
    if (!frame_.spare) {
        frame_.spare = entry_alloca(i64_, 1, 8, "spare");
    }
    b_.CreateStore(b_.getInt64(0), frame_.spare);
    const int lanes = static_cast<int>(llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements());
    return b_.CreateSelect(mask, addresses, arith_.broadcast(frame_.spare, lanes));
}

/// The elements at the addresses. No alias tag: inactive lanes read memory that does not belong to the buffer.
Value *Emitter::load_lanes(Type type, Value *addresses) {
    llvm::Type *element = memory_type(context_, type.element_of());
    Value *result = llvm::PoisonValue::get(memory_type(context_, type));
    for (int i = 0; i < type.lanes(); i++) {
        Value *at = b_.CreateExtractElement(addresses, static_cast<uint64_t>(i));
        llvm::Instruction *one = b_.CreateAlignedLoad(element, at, llvm::Align(static_cast<uint64_t>(type.bytes())));
        result = b_.CreateInsertElement(result, one, static_cast<uint64_t>(i));
    }
    return result;
}

} // namespace fluorite::backends
