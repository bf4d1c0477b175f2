// Neighbours of which the first ones are accessed, where the processor has no masked access of their type.
//
// The last vector of a row is such an access: bytes under AVX2, everything under SSE4.1.
//
//     out[ramp(x, 1, 32)] = a[ramp(x, 1, 32) where on] where on     with on = ramp(x, 1, 32) < broadcast(n, 32)
//
// Method: the mask is recognized in the code of its comparison, and n - x, limited to 0 and 32, is the number of active
// lanes. All 32 are one access. Fewer pass through memory of the function, in pieces of 16, 8, 4, 2 and 1 elements, as
// the bits of their number say, each behind a branch. The branches are predictable, as rows have one length; one access
// for each lane, as other masks need, takes five times the instructions or more.
//
// Each piece is within the active lanes, so nothing else is read or written. Does not handle vectors that run backwards
// or with a stride. Cost: code for each bit of the number of lanes.
#include "backends/llvm/emit/memory/prefix_accesses.h"

#include <llvm/ADT/bit.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/PatternMatch.h>

namespace fluorite::backends {

using llvm::Value;

namespace {

/// With fewer lanes, one access for each is as short.
constexpr int least_lanes = 8;

/// The first of integers that count up by one; null for any other vector.
const llvm::ConstantInt *first_of_steps(const llvm::Constant *vector) {
    const auto *type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());
    const auto element = [&](unsigned i) {
        return llvm::dyn_cast_or_null<llvm::ConstantInt>(vector->getAggregateElement(i));
    };
    const llvm::ConstantInt *first = type ? element(0) : nullptr;
    for (unsigned i = 1; first && i < type->getNumElements(); i++) {
        const llvm::ConstantInt *next = element(i);
        first = next && next->getSExtValue() == first->getSExtValue() + i ? first : nullptr;
    }
    return first;
}

} // namespace

Value *PrefixAccesses::count(Value *mask) { return lanes_of(mask) < least_lanes ? nullptr : first_lanes(mask); }

Value *PrefixAccesses::first_lanes(Value *mask) {
    namespace match = llvm::PatternMatch;
    const auto lanes = static_cast<uint64_t>(lanes_of(mask));
    Value *a = nullptr, *b = nullptr, *base = nullptr;
    llvm::Constant *steps = nullptr;
    llvm::ICmpInst::Predicate compared = llvm::CmpInst::BAD_ICMP_PREDICATE;
    if (Value *all = llvm::getSplatValue(mask)) {
        return b_.CreateSelect(all, b_.getInt64(lanes), b_.getInt64(0));
    }
    if (match::match(mask, match::m_And(match::m_Value(a), match::m_Value(b)))) {
        Value *first = first_lanes(a), *second = first ? first_lanes(b) : nullptr;
        return second ? b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, first, second) : nullptr;
    }
    if (!match::match(mask, match::m_ICmp(compared, match::m_Value(a), match::m_Value(b))) ||
        (compared != llvm::CmpInst::ICMP_SLT && compared != llvm::CmpInst::ICMP_SLE)) {
        return nullptr;
    }
    Value *limit = llvm::getSplatValue(b);
    if (match::match(a, match::m_Add(match::m_Value(base), match::m_Constant(steps)))) {
        base = llvm::getSplatValue(base);
    } else if (match::match(a, match::m_Constant(steps))) {
        base = llvm::ConstantInt::get(a->getType()->getScalarType(), 0);
    }
    const llvm::ConstantInt *first = steps ? first_of_steps(steps) : nullptr;
    if (!limit || !base || !first || limit->getType()->getIntegerBitWidth() > 32) {
        return nullptr;
    }
    // Vectors that wrap around are no prefixes; ramps of indices do not.
    Value *begin = b_.CreateAdd(b_.CreateSExt(base, m_.i64), b_.getInt64(static_cast<uint64_t>(first->getSExtValue())));
    Value *end = b_.CreateSExt(limit, m_.i64);
    end = compared == llvm::CmpInst::ICMP_SLE ? b_.CreateAdd(end, b_.getInt64(1)) : end;
    Value *active = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, b_.CreateSub(end, begin), b_.getInt64(0));
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, active, b_.getInt64(lanes));
}

Value *PrefixAccesses::slot(uint64_t bytes) {
    Value *&memory = slots_[llvm::alignTo(bytes, 8)];
    memory = memory ? memory : frame_.entry_alloca(m_.i64, llvm::alignTo(bytes, 8) / 8, 32, "first");
    return memory;
}

PrefixAccesses::Branches PrefixAccesses::branch_whole(Value *count, int lanes) {
    const Branches to{frame_.new_block("whole"), frame_.new_block("part"), frame_.new_block("after")};
    b_.CreateCondBr(b_.CreateICmpEQ(count, b_.getInt64(static_cast<uint64_t>(lanes))), to.whole, to.part);
    return to;
}

/// Copies the elements between the slot and memory in pieces, the longest first.
void PrefixAccesses::copy(Type type, const ir::Symbol &symbol, Value *to, Value *from, Value *count, bool is_load) {
    const auto bytes = static_cast<uint64_t>(type.bytes());
    const llvm::Align alignment(bytes);
    for (uint64_t piece = llvm::bit_floor(static_cast<uint64_t>(type.lanes() - 1)); piece > 0; piece /= 2) {
        llvm::BasicBlock *copied = frame_.new_block("piece"), *next = frame_.new_block("next");
        b_.CreateCondBr(b_.CreateICmpNE(b_.CreateAnd(count, b_.getInt64(piece)), b_.getInt64(0)), copied, next);
        b_.SetInsertPoint(copied);
        Value *begin = b_.CreateMul(b_.CreateAnd(count, b_.getInt64(~(2 * piece - 1))), b_.getInt64(bytes));
        llvm::Type *unit = piece * bytes <= 8
                               ? llvm::Type::getIntNTy(m_.context, static_cast<unsigned>(piece * bytes * 8))
                               : static_cast<llvm::Type *>(llvm::FixedVectorType::get(
                                     llvm::Type::getIntNTy(m_.context, static_cast<unsigned>(bytes * 8)),
                                     static_cast<unsigned>(piece)));
        auto *loaded = b_.CreateAlignedLoad(unit, b_.CreateGEP(m_.i8, from, begin), alignment);
        auto *stored = b_.CreateAlignedStore(loaded, b_.CreateGEP(m_.i8, to, begin), alignment);
        buffers_.tag(is_load ? static_cast<llvm::Instruction *>(loaded) : stored, symbol);
        b_.CreateBr(next);
        b_.SetInsertPoint(next);
    }
}

Value *PrefixAccesses::load(Type type, const ir::Symbol &symbol, Value *at, Value *count) {
    llvm::Type *vector = memory_type(m_.context, type);
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    const Branches to = branch_whole(count, type.lanes());
    b_.SetInsertPoint(to.whole);
    Value *whole = buffers_.tag(b_.CreateAlignedLoad(vector, at, alignment), symbol);
    b_.CreateBr(to.after);
    b_.SetInsertPoint(to.part);
    Value *memory = slot(m_.module.getDataLayout().getTypeStoreSize(vector));
    b_.CreateAlignedStore(llvm::Constant::getNullValue(vector), memory, llvm::Align(32));
    copy(type, symbol, memory, at, count, /*is_load=*/true);
    Value *part = b_.CreateAlignedLoad(vector, memory, llvm::Align(32));
    llvm::BasicBlock *end = b_.GetInsertBlock();
    b_.CreateBr(to.after);
    b_.SetInsertPoint(to.after);
    llvm::PHINode *result = b_.CreatePHI(vector, 2);
    result->addIncoming(whole, to.whole);
    result->addIncoming(part, end);
    return result;
}

void PrefixAccesses::store(Type type, const ir::Symbol &symbol, Value *stored, Value *at, Value *count) {
    const llvm::Align alignment(static_cast<uint64_t>(type.bytes()));
    const Branches to = branch_whole(count, type.lanes());
    b_.SetInsertPoint(to.whole);
    buffers_.tag(b_.CreateAlignedStore(stored, at, alignment), symbol);
    b_.CreateBr(to.after);
    b_.SetInsertPoint(to.part);
    Value *memory = slot(m_.module.getDataLayout().getTypeStoreSize(stored->getType()));
    b_.CreateAlignedStore(stored, memory, llvm::Align(32));
    copy(type, symbol, at, memory, count, /*is_load=*/false);
    b_.CreateBr(to.after);
    b_.SetInsertPoint(to.after);
}

} // namespace fluorite::backends
