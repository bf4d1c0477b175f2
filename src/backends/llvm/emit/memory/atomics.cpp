// Atomic updates.
//
// atomic { store b[i] = op(load b[i], v) } on integers and floats of 8 to 64 bits becomes one atomic instruction or a
// compare-and-exchange loop for each lane, so the lanes of a vector may have equal addresses; lanes whose predicate
// does not hold are skipped. analysis/reduction.h recognizes guarded, saturating and fused updates. Lets and predicates
// that do not read b are computed first. Any other body runs under a lock, of which the module has one for each Func;
// in a kernel there is none (lowering/device/kernel_atomics.h).
//
// Requires that v does not read b; otherwise the lock is used. Under a lock, the lanes of a vector must have distinct
// addresses; lowering scalarizes other code.

#include "backends/llvm/emit/memory/atomics.h"

#include "backends/llvm/emit/expressions.h"
#include "backends/llvm/emit/statements.h"
#include "lowering/access/element_update.h"
#include "support/check.h"

namespace fluorite::backends {

using ir::ExprKind;
using llvm::Value;

/// A store of op(load b[i], v): the operand v, and op, which is either the node with v at `position` or a reduction.
/// Or a store of v.
struct AtomicUpdate {
    Expr operand; // undefined if nothing changes
    std::optional<size_t> position;
    ir::ReduceOp op = ir::ReduceOp::Add;
    bool replaces = false;
};

namespace {

/// If the stored value is op(load b[i], v), the position of the operand v.
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
    default: // find_element_update knows the other forms
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

std::optional<AtomicUpdate> find_update(const ir::Store &store) {
    if (const std::optional<size_t> position = updated_operand(store)) {
        return AtomicUpdate{store.value->arg(*position), position};
    }
    const auto found = lowering::find_element_update(store);
    using Kind = lowering::ElementUpdate::Kind;
    return found ? std::optional(AtomicUpdate{found->operand, std::nullopt, found->op, found->kind == Kind::Replaces})
                 : std::nullopt;
}

bool reads_what_it_stores(const Expr &value, const ir::Stmt &body) {
    bool reads = false;
    if (const auto *store = body.as<ir::Store>()) {
        return ir::uses_symbol(value, store->buffer);
    }
    ir::for_each_child_stmt(body, [&](const ir::Stmt &part) { reads = reads || reads_what_it_stores(value, part); });
    return reads;
}

} // namespace

void Atomics::emit(const ir::Atomic &node) {
    // What does not read the updated memory is computed outside of the atomic.
    const auto *let = node.body.as<ir::LetStmt>();
    if (let && !reads_what_it_stores(let->value, let->body)) {
        return statements_.emit(ir::LetStmt::make(let->symbol, let->value, ir::Atomic::make(node.func, let->body)));
    }
    const auto *single = node.body.as<ir::Store>();
    const bool always = single && (!single->predicate.defined() || ir::is_true(single->predicate));
    if (single && !always && single->value.type().is_scalar() && !ir::uses_symbol(single->predicate, single->buffer)) {
        const ir::Stmt update = ir::Store::make(single->buffer, single->value, single->index, ir::make_bool(true));
        return statements_.emit(ir::IfThenElse::make(single->predicate, ir::Atomic::make(node.func, update)));
    }
    if (single && find_update(*single) && (always || !ir::uses_symbol(single->predicate, single->buffer))) {
        return emit_store(*single);
    }
    check(!m_.is_of_device, "an atomic update of a kernel is one of a single element");
    emit_locked(node);
}

/// Runs the body under a spin lock for each Func: critical sections are a few instructions.
void Atomics::emit_locked(const ir::Atomic &node) {
    Value *lock = m_.globals.lock(node.func.name());
    llvm::BasicBlock *spin = frame_.new_block("spin"), *held = frame_.new_block("held");
    b_.CreateBr(spin);
    b_.SetInsertPoint(spin);
    auto *taken = b_.CreateAtomicCmpXchg(lock, b_.getInt32(0), b_.getInt32(1), llvm::Align(4),
                                         llvm::AtomicOrdering::Acquire, llvm::AtomicOrdering::Monotonic);
    b_.CreateCondBr(b_.CreateExtractValue(taken, 1), held, spin);
    b_.SetInsertPoint(held);
    values_.forget_memory();
    frame_.hold_lock(lock);
    statements_.emit(node.body);
    frame_.release_lock();
    values_.forget_memory();
}

/// One atomic instruction or a compare-and-exchange loop for each lane whose predicate holds.
void Atomics::emit_store(const ir::Store &store) {
    const AtomicUpdate update = *find_update(store);
    if (!update.operand.defined()) {
        return;
    }
    const Type type = store.value.type();
    const bool always = !store.predicate.defined() || ir::is_true(store.predicate);
    Value *updates = expressions_.value(update.operand);
    Value *active = always ? nullptr : expressions_.value(store.predicate);
    if (checks_) {
        checks_->check_access(store.buffer, store.index, always ? ir::make_bool(true, type.lanes()) : store.predicate);
    }
    buffers_.host(store.buffer); // before a branch, so that the pointer is available after it
    llvm::Type *element = memory_type(m_.context, type.element_of());
    Value *offsets = type.is_vector() ? expressions_.value(store.index) : nullptr;
    for (int lane = 0; lane < type.lanes(); lane++) {
        const auto of_lane = [&](Value *vector) {
            return type.is_vector() ? b_.CreateExtractElement(vector, static_cast<uint64_t>(lane)) : vector;
        };
        llvm::BasicBlock *after = nullptr;
        if (active) {
            llvm::BasicBlock *then = frame_.new_block("update");
            after = frame_.new_block("updated");
            b_.CreateCondBr(of_lane(active), then, after);
            b_.SetInsertPoint(then);
        }
        Value *operand = of_lane(updates);
        Value *at = offsets
                        ? b_.CreateGEP(element, buffers_.host(store.buffer), b_.CreateSExt(of_lane(offsets), m_.i64))
                        : addresses_.address(store.buffer, element, addresses_.linear(store.index));
        update_lane(update, store, at, operand);
        if (after) {
            b_.CreateBr(after);
            b_.SetInsertPoint(after);
        }
    }
    values_.forget_memory();
}

void Atomics::update_lane(const AtomicUpdate &update, const ir::Store &store, Value *at, Value *operand) {
    const Type scalar = store.value.type().element_of();
    const ExprKind op = store.value->kind();
    const llvm::Align alignment(static_cast<uint64_t>(scalar.bytes()));
    constexpr auto order = llvm::AtomicOrdering::Monotonic;
    llvm::Type *bits = b_.getIntNTy(static_cast<unsigned>(scalar.bytes()) * 8);
    if (update.replaces) {
        Value *stored = b_.CreateBitCast(m_.arith.to_memory(scalar, operand), bits);
        b_.CreateAlignedStore(stored, at, alignment)->setAtomic(order);
        return;
    }
    const bool is_sum = update.position ? op == ExprKind::Add || op == ExprKind::Sub : update.op == ir::ReduceOp::Add;
    if (scalar.is_int_or_uint() && !scalar.is_bool() && is_sum) {
        const bool subtracts = update.position && op == ExprKind::Sub;
        const auto instruction = subtracts ? llvm::AtomicRMWInst::Sub : llvm::AtomicRMWInst::Add;
        b_.CreateAtomicRMW(instruction, at, operand, alignment, order);
        return;
    }
    auto *first = b_.CreateAlignedLoad(bits, at, alignment);
    first->setAtomic(order);
    llvm::BasicBlock *before = b_.GetInsertBlock(), *again = frame_.new_block("exchange");
    llvm::BasicBlock *done = frame_.new_block("exchanged");
    b_.CreateBr(again);
    b_.SetInsertPoint(again);
    llvm::PHINode *seen = b_.CreatePHI(bits, 2);
    seen->addIncoming(first, before);
    Value *old = m_.arith.from_memory(scalar, b_.CreateBitCast(seen, memory_type(m_.context, scalar)));
    Value *next = m_.arith.to_memory(scalar, updated(update, store, old, operand));
    auto *exchange = b_.CreateAtomicCmpXchg(at, seen, b_.CreateBitCast(next, bits), alignment, order, order);
    seen->addIncoming(b_.CreateExtractValue(exchange, 0), b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateExtractValue(exchange, 1), done, again);
    b_.SetInsertPoint(done);
}

/// The value that replaces `old`.
Value *Atomics::updated(const AtomicUpdate &update, const ir::Store &store, Value *old, Value *operand) {
    const Type scalar = store.value.type().element_of();
    if (update.position) {
        const bool old_first = *update.position == 1;
        return m_.arith.binary(store.value->kind(), scalar, old_first ? old : operand, old_first ? operand : old,
                               scalar);
    }
    // of equal floats, the old one is kept
    const bool new_first = scalar.is_float() && (update.op == ir::ReduceOp::Min || update.op == ir::ReduceOp::Max);
    return m_.arith.combine(update.op, scalar, new_first ? operand : old, new_first ? old : operand);
}

} // namespace fluorite::backends
