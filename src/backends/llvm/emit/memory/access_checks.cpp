// The additional work of checked code (Target::Checked): address checks and poisoning of fresh memory.
//
// Before a load or store, the index of each active lane must be inside the allocation, or inside the buffer that the
// caller passed. Otherwise the function leaves with an error that states the buffer, the element and the valid range.
// Every allocation, on the heap, on the stack or in a block that an earlier iteration has used, is first filled with
// 0xA5, so that reads of values that nothing computed become visible.
//
// Relies on the indices of the final loop IR. An index is checked in its own width, before addresses are rebuilt in 64
// bits; lowering/from_nest/overflow_checks.cpp guards against overflow of its operands. Bytes that vector loads read
// beyond the last element, within the padding of all memory, are not checked. Cost: a few comparisons for each access.

#include "backends/llvm/emit/memory/access_checks.h"

#include "backends/llvm/emit/calls/c_calls.h"
#include "backends/llvm/emit/expressions.h"

namespace fluorite::backends {

using llvm::Value;

namespace {

constexpr uint8_t poison_byte = 0xA5;

} // namespace

void AccessChecks::check_access(const ir::Symbol &symbol, const Expr &index, const Expr &predicate) {
    buffers_.host(symbol);
    const std::pair<Value *, Value *> valid = buffers_.elements(symbol);
    Value *at = expressions_.value(index), *on = ir::is_true(predicate) ? nullptr : expressions_.value(predicate);
    const int lanes = index.type().lanes();
    llvm::Type *wide = lanes == 1 ? m_.i64 : llvm::FixedVectorType::get(m_.i64, static_cast<unsigned>(lanes));
    at = b_.CreateSExt(at, wide);
    if (on && lanes > 1 && !on->getType()->isVectorTy()) {
        on = b_.CreateVectorSplat(static_cast<unsigned>(lanes), on);
    }
    const auto all = [&](Value *bound) {
        return lanes == 1 ? bound : b_.CreateVectorSplat(static_cast<unsigned>(lanes), bound);
    };
    Value *outside = b_.CreateOr(b_.CreateICmpSLT(at, all(valid.first)), b_.CreateICmpSGT(at, all(valid.second)));
    outside = on ? b_.CreateAnd(outside, on) : outside;
    Value *any = lanes == 1 ? outside : b_.CreateOrReduce(outside);
    frame_.require(b_.CreateNot(any), [&] {
        Value *shown = at;
        for (int i = 1; lanes > 1 && i <= lanes; i++) { // the first lane that is outside
            const auto lane = static_cast<uint64_t>(lanes - i);
            Value *one = b_.CreateExtractElement(at, lane);
            shown = i == 1 ? one : b_.CreateSelect(b_.CreateExtractElement(outside, lane), one, shown);
        }
        return call_runtime(m_, "fluorite_error_bad_access", m_.i32,
                            {frame_.context(), m_.globals.text(symbol.name()), shown, valid.first, valid.second});
    });
}

void poison(const ModuleContext &m, Value *block, Value *bytes) {
    m.b.CreateMemSet(block, m.b.getInt8(poison_byte), bytes, llvm::MaybeAlign(16));
}

} // namespace fluorite::backends
