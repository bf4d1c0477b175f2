// Atomic updates.
//
// What: atomic { store b[i] = op(load b[i], v) } for integers and floats of 8 to 64 bits, scalars or vectors whose lanes may
// meet at one address: each lane is a loop of compare-and-exchange (one instruction where x86 has it for the operator).
// Anything else runs under one lock a Func, which every task of the process shares.
//
// Relies on: v not reading b[i]. A vector of the second kind must not meet itself; lowering makes such code scalar.

#include "backends/llvm/emitter.h"

#include "support/check.h"

#include <llvm/IR/Intrinsics.h>

namespace fluorite::backends {

using ir::ExprKind;
using llvm::Value;

namespace {

/// The operands of op(load b[i], v): the position of v, or nothing.
std::optional<size_t> updated_operand(const ir::Store &store) {
    const Expr &value = store.value;
    switch (value->kind()) {
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::BitAnd:
    case ExprKind::BitOr:
    case ExprKind::BitXor:
    case ExprKind::And:
    case ExprKind::Or:
        break;
    default:
        return std::nullopt;
    }
    const auto is_old = [&](const Expr &e) {
        return ir::is_kind(e, ExprKind::Load) && e->symbol() == store.buffer && ir::equal(e->arg(0), store.index);
    };
    const bool first = is_old(value->arg(0)), second = is_old(value->arg(1));
    if (first == second || ir::uses_symbol(value->arg(first ? 1 : 0), store.buffer)) {
        return std::nullopt;
    }
    if (second && value->kind() == ExprKind::Sub) {
        return std::nullopt;
    }
    return first ? 1 : 0;
}

} // namespace

void Emitter::atomic(const ir::Atomic &node) {
    const auto *single = node.body.as<ir::Store>();
    if (single && updated_operand(*single) && (!single->predicate.defined() || ir::is_true(single->predicate))) {
        return atomic_store(*single);
    }
    // One lock for each Func, taken by spinning: critical sections are a few instructions.
    const std::string name = "fluorite.lock." + node.func.name();
    llvm::GlobalVariable *lock = module_.getNamedGlobal(name);
    if (!lock) {
        lock = new llvm::GlobalVariable(module_, i32_, false, llvm::GlobalValue::InternalLinkage, b_.getInt32(0), name);
        lock->setAlignment(llvm::Align(64));
    }
    llvm::BasicBlock *spin = new_block("spin"), *held = new_block("held");
    b_.CreateBr(spin);
    b_.SetInsertPoint(spin);
    auto *taken = b_.CreateAtomicCmpXchg(lock, b_.getInt32(0), b_.getInt32(1), llvm::Align(4),
                                         llvm::AtomicOrdering::Acquire, llvm::AtomicOrdering::Monotonic);
    b_.CreateCondBr(b_.CreateExtractValue(taken, 1), held, spin);
    b_.SetInsertPoint(held);
    forget_memory();
    stmt(node.body);
    forget_memory();
    b_.CreateAlignedStore(b_.getInt32(0), lock, llvm::Align(4))->setAtomic(llvm::AtomicOrdering::Release);
}

void Emitter::atomic_store(const ir::Store &store) {
    const size_t position = *updated_operand(store);
    const Expr &update = store.value->arg(position);
    const Type type = store.value.type(), scalar = type.element_of();
    const ExprKind op = store.value->kind();
    Value *updates = value(update);
    llvm::Type *element = memory_type(context_, scalar);
    llvm::Type *bits = b_.getIntNTy(static_cast<unsigned>(scalar.bytes()) * 8);
    Value *offsets = type.is_vector() ? value(store.index) : nullptr;
    const llvm::Align alignment(static_cast<uint64_t>(scalar.bytes()));
    constexpr auto order = llvm::AtomicOrdering::Monotonic;
    for (int lane = 0; lane < type.lanes(); lane++) {
        Value *operand = type.is_vector() ? b_.CreateExtractElement(updates, static_cast<uint64_t>(lane)) : updates;
        Value *at = nullptr;
        if (offsets) {
            Value *offset = b_.CreateSExt(b_.CreateExtractElement(offsets, static_cast<uint64_t>(lane)), i64_);
            at = b_.CreateGEP(element, host(store.buffer), offset);
        } else {
            at = address(store.buffer, element, linear(store.index));
        }
        if (scalar.is_int_or_uint() && !scalar.is_bool() && (op == ExprKind::Add || op == ExprKind::Sub)) {
            const auto instruction = op == ExprKind::Add ? llvm::AtomicRMWInst::Add : llvm::AtomicRMWInst::Sub;
            b_.CreateAtomicRMW(instruction, at, operand, alignment, order);
            continue;
        }
        auto *first = b_.CreateAlignedLoad(bits, at, alignment);
        first->setAtomic(order);
        llvm::BasicBlock *before = b_.GetInsertBlock(), *again = new_block("exchange"), *done = new_block("exchanged");
        b_.CreateBr(again);
        b_.SetInsertPoint(again);
        llvm::PHINode *seen = b_.CreatePHI(bits, 2);
        seen->addIncoming(first, before);
        Value *old = from_memory(scalar, b_.CreateBitCast(seen, element));
        Value *next = position == 1 ? arith_.binary(op, scalar, old, operand, scalar)
                                    : arith_.binary(op, scalar, operand, old, scalar);
        next = b_.CreateBitCast(to_memory(scalar, next), bits);
        auto *exchange = b_.CreateAtomicCmpXchg(at, seen, next, alignment, order, order);
        seen->addIncoming(b_.CreateExtractValue(exchange, 0), b_.GetInsertBlock());
        b_.CreateCondBr(b_.CreateExtractValue(exchange, 1), done, again);
        b_.SetInsertPoint(done);
    }
    forget_memory();
}

} // namespace fluorite::backends
