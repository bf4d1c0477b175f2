// Statements in LLVM instructions: lets, branches, loops, assertions.
//
//   for serial       a rotated loop over a 64-bit counter; metadata forbids LLVM to vectorize or unroll it
//   for parallel     emit_tasks.cpp, as are forked loops and launches
//   allocate         emit_allocations.cpp
//   assert           a cold branch that leaves the function with the value of the error call
//
// Requires that vectorized and unrolled loops are already straight-line code and tasks are functions.

#include "backends/llvm/emit/emitter.h"

#include "support/check.h"

#include <llvm/IR/InlineAsm.h>

#include <set>

namespace fluorite::backends {

using ir::ExprKind;
using ir::ExprNode;
using ir::Stmt;
using ir::StmtKind;
using llvm::Value;

namespace {

bool waits(const Expr &condition) {
    bool found = false;
    ir::for_each_node(condition, [&](const Expr &node) {
        found = found || (node->kind() == ExprKind::Extern && node->text() == "fluorite_semaphore_acquire");
    });
    return found;
}

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

} // namespace

void Emitter::stmt(const Stmt &root) {
    // Lets nest deeply, so statements that only wrap a body are handled iteratively.
    std::vector<std::pair<ir::Symbol, std::optional<ValueCache::Binding>>> hidden;
    Stmt at = root;
    while (at.defined()) {
        if (const auto *let = at.as<ir::LetStmt>()) {
            Value *bound = value(let->value);
            const bool is_coordinate = !let->value->reads_memory() && let->value.type().is_scalar() &&
                                       let->value.type().is_int() && let->value.type().bits() >= 32;
            std::optional<LinearIndex> form;
            if (is_coordinate) {
                form = linear(let->value);
            }
            if (form && form->terms.size() > 4) {
                form.reset();
            }
            hidden.emplace_back(
                let->symbol,
                frame_.values.bind(let->symbol, {bound, nullptr, frame_.values.depth_of(let->value), std::move(form)}));
            at = let->body;
        } else if (const auto *produce = at.as<ir::ProducerConsumer>()) {
            at = produce->body;
        } else {
            break;
        }
    }
    if (at.defined()) {
        leaf(at);
    }
    for (size_t i = hidden.size(); i-- > 0;) {
        frame_.values.restore(hidden[i].first, hidden[i].second);
    }
}

/// Emits a statement that is neither a LetStmt nor a ProducerConsumer.
void Emitter::leaf(const Stmt &at) {
    switch (at.kind()) {
    case StmtKind::Assert: {
        const auto &node = *at.as<ir::Assert>();
        require(value(node.condition), [&] { return value(node.error); });
        if (waits(node.condition)) {
            frame_.values.forget_memory(); // another task may have stored meanwhile
        }
        return;
    }
    case StmtKind::For: {
        const auto &loop = *at.as<ir::For>();
        const bool has_tasks = loop.for_kind == ir::ForKind::Parallel || loop.for_kind == ir::ForKind::Forked;
        check(loop.for_kind == ir::ForKind::Serial || has_tasks,
              concat("loop '", loop.var.name(), "' is neither serial nor parallel after lowering"));
        return has_tasks ? task_for(loop) : serial_for(loop);
    }
    case StmtKind::Block:
        for (const Stmt &part : at.as<ir::Block>()->stmts) {
            stmt(part);
        }
        return;
    case StmtKind::IfThenElse:
        return if_then_else(*at.as<ir::IfThenElse>());
    case StmtKind::Allocate:
        return allocate(*at.as<ir::Allocate>());
    case StmtKind::Free:
        return free(at.as<ir::Free>()->buffer);
    case StmtKind::Store:
        return store(*at.as<ir::Store>());
    case StmtKind::Evaluate:
        frame_.values.forget_memory();
        value(at.as<ir::Evaluate>()->value);
        frame_.values.forget_memory();
        return;
    case StmtKind::Atomic:
        return atomic(*at.as<ir::Atomic>());
    case StmtKind::Launch:
        return launch(*at.as<ir::Launch>());
    case StmtKind::LetStmt:
    case StmtKind::ProducerConsumer:
    case StmtKind::Provide:
    case StmtKind::Realize:
    case StmtKind::Prefetch:
        break;
    }
    unreachable("a statement is left that only exists before flattening");
}

void Emitter::if_then_else(const ir::IfThenElse &node) {
    llvm::BasicBlock *then = new_block("then"), *after = nullptr;
    llvm::BasicBlock *otherwise = node.else_case.defined() ? new_block("else") : nullptr;
    after = new_block("after");
    b_.CreateCondBr(value(node.condition), then, otherwise ? otherwise : after);
    b_.SetInsertPoint(then);
    push_scope();
    stmt(node.then_case);
    pop_scope();
    b_.CreateBr(after);
    if (otherwise) {
        b_.SetInsertPoint(otherwise);
        push_scope();
        stmt(node.else_case);
        pop_scope();
        b_.CreateBr(after);
    }
    b_.SetInsertPoint(after);
}

/// Loads the fields and host pointers that a loop nest uses before its outermost loop, where no call intervenes.
void Emitter::preload(const Stmt &body) {
    BufferUses uses;
    uses.visit(body);
    for (const ir::Symbol &symbol : uses.accessed) {
        if (frame_.buffers.contains(symbol)) {
            host(symbol);
        }
    }
    for (const Expr &node : uses.fields) {
        if (frame_.buffers.contains(node->symbol())) {
            value(node);
        }
    }
}

/// The same value, made opaque by an empty inline assembly so that loop strength reduction does not decompose it.
Value *Emitter::lsr_barrier(Value *value) {
    if (llvm::isa<llvm::Constant>(value) || llvm::isa<llvm::Argument>(value)) {
        return value;
    }
    auto *type = llvm::FunctionType::get(value->getType(), {value->getType()}, false);
    llvm::CallInst *call = b_.CreateCall(llvm::InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false), {value});
    call->setDoesNotAccessMemory();
    call->setDoesNotThrow();
    return call;
}

void Emitter::serial_for(const ir::For &loop) {
    if (frame_.loops == 0) {
        preload(&loop);
    }
    Value *min = scalar_i64(loop.min);
    Value *extent = scalar_i64(loop.extent);
    Value *end = b_.CreateNSWAdd(min, extent);
    llvm::BasicBlock *before = b_.GetInsertBlock(), *body = new_block("loop"), *after = nullptr;
    after = new_block("looped");
    b_.CreateCondBr(b_.CreateICmpSGT(extent, b_.getInt64(0)), body, after);
    b_.SetInsertPoint(body);
    push_scope();
    frame_.values.forget_memory(); // the previous iteration may have stored
    frame_.loops++;
    llvm::PHINode *counter = b_.CreatePHI(i64_, 2, loop.var.name());
    counter->addIncoming(min, before);
    const int depth = frame_.values.depth();
    const auto outer = frame_.values.bind(loop.var, {b_.CreateTrunc(counter, i32_), counter, depth});
    const int outer_depth = std::exchange(frame_.loop_depth, depth);
    stmt(loop.body);
    frame_.loop_depth = outer_depth;
    frame_.values.restore(loop.var, outer);
    frame_.loops--;
    pop_scope();
    Value *next = b_.CreateNSWAdd(counter, b_.getInt64(1));
    counter->addIncoming(next, b_.GetInsertBlock());
    llvm::Instruction *back = b_.CreateCondBr(b_.CreateICmpNE(next, end), body, after);
    const auto text = [&](const char *name) {
        return llvm::MDNode::get(context_, llvm::MDString::get(context_, name));
    };
    llvm::MDNode *width = llvm::MDNode::get(context_, {llvm::MDString::get(context_, "llvm.loop.vectorize.enable"),
                                                       llvm::ConstantAsMetadata::get(b_.getFalse())});
    llvm::MDNode *id = llvm::MDNode::getDistinct(context_, {nullptr, text("llvm.loop.unroll.disable"), width});
    id->replaceOperandWith(0, id);
    back->setMetadata(llvm::LLVMContext::MD_loop, id);
    b_.SetInsertPoint(after);
    frame_.values.forget_memory();
}

} // namespace fluorite::backends
