// Statements in LLVM instructions: lets, branches, loops, assertions.
//
//   for serial       a rotated loop over a 64-bit counter; metadata forbids LLVM to vectorize or unroll it
//   store, atomic    memory/stores.h, memory/atomics.h
//   others           MachineStatements: host_statements.h, ../device/kernel_statements.h
//
// Requires that vectorized and unrolled loops are already straight-line code and tasks are functions.

#include "backends/llvm/emit/statements.h"

#include "backends/llvm/emit/expressions.h"
#include "backends/llvm/emit/function_frame.h"
#include "backends/llvm/emit/memory/addresses.h"
#include "backends/llvm/emit/memory/atomics.h"
#include "backends/llvm/emit/memory/stores.h"
#include "ir/expr_traits.h"
#include "support/check.h"

#include <set>
#include <unordered_set>

namespace fluorite::backends {

using ir::ExprKind;
using ir::ExprNode;
using ir::Stmt;
using ir::StmtKind;
using llvm::Value;

namespace {

/// Which buffers a statement accesses, and the distinct buffer fields that it reads.
class BufferUses : public ir::Visitor {
  public:
    using Visitor::visit;
    void visit(const Expr &expr) override {
        if (!seen_.insert(expr.get()).second) {
            return;
        }
        if (expr->kind() == ExprKind::BufferField) {
            fields.push_back(expr);
        } else if (expr->kind() == ExprKind::Load) {
            accessed.insert(expr->symbol());
        }
        recurse(expr);
    }
    void visit(const Stmt &stmt) override {
        if (const auto *store = stmt.as<ir::Store>()) {
            accessed.insert(store->buffer);
        }
        recurse(stmt);
    }
    std::set<ir::Symbol> accessed; // ordered, for deterministic code
    std::vector<Expr> fields;

  private:
    std::unordered_set<const ExprNode *> seen_;
};

/// Forbids LLVM to vectorize or unroll the loop whose branch back this is.
void keep_loop(llvm::Instruction &back) {
    llvm::LLVMContext &context = back.getContext();
    const auto text = [&](const char *name) { return llvm::MDNode::get(context, llvm::MDString::get(context, name)); };
    llvm::Metadata *no = llvm::ConstantAsMetadata::get(llvm::ConstantInt::getFalse(context));
    llvm::MDNode *width = llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.vectorize.enable"), no});
    llvm::MDNode *id = llvm::MDNode::getDistinct(context, {nullptr, text("llvm.loop.unroll.disable"), width});
    id->replaceOperandWith(0, id);
    back.setMetadata(llvm::LLVMContext::MD_loop, id);
}

} // namespace

void Statements::emit(const Stmt &root) {
    // Lets nest deeply, so statements that only wrap a body are handled iteratively.
    std::vector<std::pair<ir::Symbol, std::optional<ValueCache::Binding>>> hidden;
    Stmt at = root;
    while (at.defined()) {
        if (const auto *let = at.as<ir::LetStmt>()) {
            hidden.emplace_back(let->symbol, bind_let(*let));
            at = let->body;
        } else if (const auto *produce = at.as<ir::ProducerConsumer>()) {
            at = produce->body;
        } else {
            break;
        }
    }
    if (at.defined()) {
        emit_leaf(at);
    }
    for (size_t i = hidden.size(); i-- > 0;) {
        values_.restore(hidden[i].first, hidden[i].second);
    }
}

/// Binds the symbol to its value, for coordinates also to their linear form. Returns the binding that it hides.
std::optional<ValueCache::Binding> Statements::bind_let(const ir::LetStmt &let) {
    Value *bound = expressions_.value(let.value);
    const Type type = let.value.type();
    const bool is_coordinate = type.is_scalar() && ir::is_index_arithmetic(let.value);
    std::optional<LinearIndex> form;
    if (is_coordinate) {
        form = addresses_.linear(let.value);
    }
    if (form && form->terms.size() > 4) {
        form.reset();
    }
    return values_.bind(let.symbol,
                        {bound, nullptr, values_.depth_of(let.value), std::move(form), definition_of_lanes(let.value)});
}

/// Emits a statement that is neither a LetStmt nor a ProducerConsumer.
void Statements::emit_leaf(const Stmt &at) {
    switch (at.kind()) {
    case StmtKind::For:
        return at.as<ir::For>()->for_kind == ir::ForKind::Serial ? serial_for(*at.as<ir::For>())
                                                                 : parts_.machine.emit(at);
    case StmtKind::Block:
        for (const Stmt &part : at.as<ir::Block>()->stmts) {
            emit(part);
        }
        return;
    case StmtKind::IfThenElse:
        return if_then_else(*at.as<ir::IfThenElse>());
    case StmtKind::Store:
        return parts_.stores.store(*at.as<ir::Store>());
    case StmtKind::Evaluate:
        values_.forget_memory();
        expressions_.value(at.as<ir::Evaluate>()->value);
        values_.forget_memory();
        return;
    case StmtKind::Atomic:
        return parts_.atomics.emit(*at.as<ir::Atomic>());
    case StmtKind::Allocate:
    case StmtKind::Assert:
    case StmtKind::Barrier:
    case StmtKind::Free:
    case StmtKind::Launch:
        return parts_.machine.emit(at);
    case StmtKind::LetStmt:
    case StmtKind::ProducerConsumer:
    case StmtKind::Provide:
    case StmtKind::Realize:
    case StmtKind::Prefetch:
        break;
    }
    unreachable("a statement is left that only exists before flattening");
}

void Statements::if_then_else(const ir::IfThenElse &node) {
    llvm::BasicBlock *then = frame_.new_block("then"), *after = nullptr;
    llvm::BasicBlock *otherwise = node.else_case.defined() ? frame_.new_block("else") : nullptr;
    after = frame_.new_block("after");
    b_.CreateCondBr(expressions_.value(node.condition), then, otherwise ? otherwise : after);
    b_.SetInsertPoint(then);
    values_.open_scope();
    emit(node.then_case);
    values_.close_scope();
    b_.CreateBr(after);
    if (otherwise) {
        b_.SetInsertPoint(otherwise);
        values_.open_scope();
        emit(node.else_case);
        values_.close_scope();
        b_.CreateBr(after);
    }
    b_.SetInsertPoint(after);
}

/// Loads the fields and host pointers that a loop nest uses before its outermost loop, where no call intervenes.
void Statements::preload(const Stmt &body) {
    BufferUses uses;
    uses.visit(body);
    for (const ir::Symbol &symbol : uses.accessed) {
        if (buffers_.contains(symbol)) {
            buffers_.host(symbol);
        }
    }
    for (const Expr &node : uses.fields) {
        if (buffers_.contains(node->symbol())) {
            expressions_.value(node);
        }
    }
}

void Statements::serial_for(const ir::For &loop) {
    if (!frame_.is_in_loop()) {
        preload(&loop);
    }
    // On a device, which computes 64 bits in two steps, counters have the width of the variable. They may wrap once, at
    // the end, where nothing reads them.
    llvm::Type *type = m_.is_of_device ? m_.i32 : m_.i64;
    const auto number = [&](const Expr &bound) { return b_.CreateTrunc(expressions_.scalar_i64(bound), type); };
    const auto sum = [&](Value *a, Value *b) { return m_.is_of_device ? b_.CreateAdd(a, b) : b_.CreateNSWAdd(a, b); };
    Value *min = number(loop.min);
    Value *extent = number(loop.extent);
    Value *end = sum(min, extent);
    llvm::BasicBlock *before = b_.GetInsertBlock(), *body = frame_.new_block("loop");
    llvm::BasicBlock *after = frame_.new_block("looped");
    b_.CreateCondBr(b_.CreateICmpSGT(extent, llvm::ConstantInt::get(type, 0)), body, after);
    b_.SetInsertPoint(body);
    values_.open_scope();
    values_.forget_memory(); // the previous iteration may have stored
    frame_.enter_loop();
    llvm::PHINode *counter = b_.CreatePHI(type, 2, loop.var.name());
    counter->addIncoming(min, before);
    Value *narrow = b_.CreateTrunc(counter, m_.i32), *wide = b_.CreateSExt(counter, m_.i64);
    const auto outer = values_.bind(loop.var, {narrow, wide, values_.depth()});
    emit(loop.body);
    values_.restore(loop.var, outer);
    frame_.leave_loop();
    values_.close_scope();
    Value *next = sum(counter, llvm::ConstantInt::get(type, 1));
    counter->addIncoming(next, b_.GetInsertBlock());
    llvm::Instruction *back = b_.CreateCondBr(b_.CreateICmpNE(next, end), body, after);
    if (!m_.is_of_device) { // whose assembler may unroll it: that is how it hides the time that loads take
        keep_loop(*back);
    }
    b_.SetInsertPoint(after);
    values_.forget_memory();
}

} // namespace fluorite::backends
