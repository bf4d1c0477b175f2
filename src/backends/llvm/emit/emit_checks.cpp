// The additional work of checked code (Target::Checked): address checks and poisoning of fresh memory.
//
// Before a load or store, the index of each active lane must be inside the allocation, or inside the buffer that the
// caller passed. Otherwise the function leaves with an error that states the buffer, the element and the valid range.
// Every allocation, on the heap, on the stack or in a block that an earlier iteration has used, is first filled with
// 0xA5, so that reads of values that nothing computed become visible.
//
// Relies on the indices of the final loop IR. An index is checked in its own width, before addresses are rebuilt in 64
// bits; lowering/build/overflow_checks.cpp guards against overflow of its operands. Bytes that vector loads read beyond
// the last element, within the padding of all memory, are not checked. Cost: a few comparisons for each access.

#include "backends/llvm/emit/emitter.h"

namespace fluorite::backends {

using ir::ExprKind;
using llvm::Value;

namespace {

constexpr uint8_t poison_byte = 0xA5;

} // namespace

/// Computes the first and last element of a buffer argument, relative to its host pointer, from min, extent and stride.
void Emitter::find_elements(Buffer &argument) {
    Value *range = entry_alloca(i64_, 2, 8, "range");
    runtime_call("fluorite_element_range", void_, {argument.header, range});
    argument.first = b_.CreateLoad(i64_, range);
    argument.last = b_.CreateLoad(i64_, b_.CreateConstInBoundsGEP1_64(i64_, range, 1));
}

void Emitter::check_access(const ir::Symbol &symbol, const Expr &index, const Expr &predicate) {
    host(symbol);
    Value *first = buffer(symbol).first, *last = buffer(symbol).last;
    Value *at = value(index), *on = ir::is_true(predicate) ? nullptr : value(predicate);
    const int lanes = index.type().lanes();
    llvm::Type *wide = lanes == 1 ? i64_ : llvm::FixedVectorType::get(i64_, static_cast<unsigned>(lanes));
    at = b_.CreateSExt(at, wide);
    if (on && lanes > 1 && !on->getType()->isVectorTy()) {
        on = b_.CreateVectorSplat(static_cast<unsigned>(lanes), on);
    }
    const auto all = [&](Value *bound) {
        return lanes == 1 ? bound : b_.CreateVectorSplat(static_cast<unsigned>(lanes), bound);
    };
    Value *outside = b_.CreateOr(b_.CreateICmpSLT(at, all(first)), b_.CreateICmpSGT(at, all(last)));
    outside = on ? b_.CreateAnd(outside, on) : outside;
    Value *any = lanes == 1 ? outside : b_.CreateOrReduce(outside);
    require(b_.CreateNot(any), [&] {
        Value *shown = at;
        for (int i = 1; lanes > 1 && i <= lanes; i++) { // the first lane that is outside
            const auto lane = static_cast<uint64_t>(lanes - i);
            Value *one = b_.CreateExtractElement(at, lane);
            shown = i == 1 ? one : b_.CreateSelect(b_.CreateExtractElement(outside, lane), one, shown);
        }
        return runtime_call("fluorite_error_bad_access", i32_,
                            {frame_.context, globals_.text(symbol.name()), shown, first, last});
    });
}

void Emitter::poison(Value *block, Value *bytes) {
    b_.CreateMemSet(block, b_.getInt8(poison_byte), bytes, llvm::MaybeAlign(16));
}

} // namespace fluorite::backends
