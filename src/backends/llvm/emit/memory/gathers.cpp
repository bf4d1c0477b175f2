// Loads of lanes at arbitrary addresses.
//
//   a gather                             if the processor's is fast (prefers_gather); elements of 8 and 16 bits gather
//                                        the aligned 32-bit words that contain them, which never cross a page
//   otherwise                            one scalar load for each lane
//
// Relies on gathers not accessing inactive lanes.

#include "backends/llvm/emit/memory/gathers.h"

#include "backends/llvm/sanitize.h"

#include <llvm/IR/Intrinsics.h>

namespace fluorite::backends {

using ir::ExprKind;
using llvm::Value;

/// Whether to use a gather. Where the machine model allows gathers for table lookups only, these are indices that
/// depend on a small integer or a float from memory, as opposed to indices that are computed or come from a table of
/// coordinates.
bool Gathers::prefers_gather(const Expr &index) const {
    if (m_.machine.gathers != machine::Gathers::OfTables || !index.defined()) {
        return m_.machine.gathers != machine::Gathers::Never;
    }
    bool looks_up = false;
    ir::for_each_node(index, [&](const Expr &node) {
        const bool is_load = node->kind() == ExprKind::Load;
        looks_up |= is_load && (node.type().bits() < 32 || node.type().is_float());
    });
    return looks_up;
}

/// Whether a load with this index may be invariant in the innermost loop.
bool Gathers::may_leave_loop(const Expr &index) const {
    bool changes = false;
    ir::for_each_node(index, [&](const Expr &part) {
        if (part->kind() == ExprKind::Variable) {
            const ValueCache::Binding *bound = values_.binding(part->symbol());
            changes |= !bound || bound->depth >= frame_.loop_depth();
        }
    });
    return !changes;
}

Value *Gathers::load(Type type, const ir::Symbol &symbol, Value *base, Value *offsets, Value *mask, const Expr &index) {
    llvm::Type *element = memory_type(m_.context, type.element_of());
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    if (mask && !m_.machine.has_vectors) {
        return arith_.from_memory(type, lanes_.load_where(type, symbol, mask, [&](uint64_t i) {
            return b_.CreateGEP(element, base, b_.CreateSExt(b_.CreateExtractElement(offsets, i), m_.i64));
        }));
    }
    // A sanitizer would report the rest of the word as an access of the program.
    const bool has_gather = type.bits() >= 32 || sanitizer_of_build() == Sanitizer::None;
    if (!m_.machine.has_vectors || !prefers_gather(index) || type.lanes() < 4 || !has_gather) {
        if (mask) {
            return arith_.from_memory(type,
                                      lanes_.load(type, lanes_.harmless(b_.CreateGEP(element, base, offsets), mask)));
        }
        return arith_.from_memory(
            type, lanes_.load_at_offsets(type, symbol, base, offsets, !index.defined() || !may_leave_loop(index)));
    }
    if (!mask) {
        mask = llvm::Constant::getAllOnesValue(value_type(m_.context, Bool(type.lanes())));
    }
    if (type.bits() >= 32) {
        return wide_gather(memory_type(m_.context, type), b_.CreateGEP(element, base, offsets), alignment, mask,
                           symbol);
    }
    // Loads whole words: the element is a part of the aligned word that contains it.
    const uint64_t in_word = type.bytes() == 1 ? 4 : 2;
    Value *misplaced = b_.CreateAnd(b_.CreatePtrToInt(base, m_.i64), 3);
    base = b_.CreateGEP(m_.i8, base, b_.CreateNeg(misplaced));
    misplaced = b_.CreateLShr(misplaced, type.bytes() == 1 ? 0 : 1);
    llvm::Type *offset = offsets->getType()->getScalarType();
    offsets = b_.CreateAdd(offsets, m_.lanes.broadcast(b_.CreateTrunc(misplaced, offset), type.lanes()));
    Value *words = b_.CreateGEP(m_.i32, base, b_.CreateAShr(offsets, in_word == 4 ? 2 : 1));
    llvm::Type *vector = value_type(m_.context, UInt(32, type.lanes()));
    Value *all = wide_gather(vector, words, llvm::Align(4), mask, symbol);
    Value *part = b_.CreateZExtOrTrunc(b_.CreateAnd(offsets, in_word - 1), vector);
    Value *shifted = b_.CreateLShr(all, b_.CreateShl(part, in_word == 4 ? 3 : 4));
    return arith_.from_memory(type, b_.CreateTrunc(shifted, memory_type(m_.context, type)));
}

/// A gather with a power of two of lanes. LLVM would widen other counts with undefined addresses, which it may place in
/// the register of the result, and the processor rejects such a gather even if it reads none of those lanes.
Value *Gathers::wide_gather(llvm::Type *vector, Value *addresses, llvm::Align alignment, Value *mask,
                            const ir::Symbol &symbol) {
    const auto lanes = llvm::cast<llvm::FixedVectorType>(vector)->getNumElements();
    const uint64_t wide = llvm::PowerOf2Ceil(lanes);
    if (wide == lanes) {
        return buffers_.tag(
            b_.CreateMaskedGather(vector, addresses, alignment, mask, llvm::Constant::getNullValue(vector)), symbol);
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
    return b_.CreateShuffleVector(buffers_.tag(all, symbol), shrink);
}

} // namespace fluorite::backends
