// Statements in LLVM instructions: loops, tasks, branches, memory, checks.
//
// What:
//   for serial       a rotated loop over a 64-bit counter; LLVM is told to leave its width and unrolling alone
//   for parallel     the body becomes a function int32(context, index, closure); the closure holds just the values and
//                    pointers that the body uses; fluorite_do_par_for runs it, its code is returned
//   for forked       the same with fluorite_do_fork
//   allocate         constant and small: the stack, aligned to 64 bytes. Else fluorite_malloc, freed where the scope
//                    ends; inside a loop the block is kept for the next iteration (grown where it must) and freed
//                    when the function returns
//   the outermost    loops and allocations of a pipeline get a function too, so that the pipeline's own function, which
//                    checks its arguments, can be compiled fast instead of well; of an allocation that holds many loop
//                    nests each nest gets one, as LLVM's work on one function grows faster than the function
//   assert           a cold branch that leaves the function with the value of the error call
// Every way out passes one block that frees kept memory; blocks of open scopes are freed before it.
//
// Relies on: passes having made vector and unrolled loops into straight code. A failing task leaves its error with the
// runtime, which hands it to the thread that runs the loop.

#include "backends/llvm/emit/emitter.h"

#include "support/check.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>
#include <set>

#include <algorithm>

namespace fluorite::backends {

using ir::ExprKind;
using ir::ExprNode;
using ir::Stmt;
using ir::StmtKind;
using llvm::Value;

namespace {

constexpr int64_t largest_wanted_stack_block = 512 * 1024; // where the program says store_in(Stack)
constexpr int most_nests_together = 6;                     // loop nests compiled as one function
// LLVM's time grows faster than a function. Loops of an enormous one become functions of their own, in pieces of this
// size.
constexpr size_t enormous_function = 6000, gigantic_function = 30'000; // nodes
constexpr size_t least_piece = 500, largest_piece = 3000;

/// Counts loop nests of a statement, outside of other loops, until there are more than `most`.
void count_nests(const Stmt &stmt, int most, int &nests) {
    if (nests > most) {
        return;
    }
    if (stmt.kind() == StmtKind::For) {
        nests++;
        return;
    }
    for_each_child_stmt(stmt, [&](const Stmt &child) { count_nests(child, most, nests); });
}

bool waits(const Expr &condition) {
    bool found = false;
    ir::for_each_node(condition, [&](const Expr &node) {
        found = found || (node->kind() == ExprKind::Extern && node->text() == "fluorite_semaphore_acquire");
    });
    return found;
}

bool is_made_of_tasks(const ir::For &loop) {
    return loop.for_kind == ir::ForKind::Parallel || loop.for_kind == ir::ForKind::Forked;
}

bool holds_many_nests(const Stmt &stmt) {
    int nests = 0;
    count_nests(stmt, most_nests_together, nests);
    return nests > most_nests_together;
}

/// Whether the statement ends the life of a buffer that begins outside of it.
class FreesOuter : public ir::Visitor {
  public:
    bool found = false;

    explicit FreesOuter(const Stmt &stmt) { visit(stmt); }
    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const Stmt &stmt) override {
        if (const auto *allocate = stmt.as<ir::Allocate>()) {
            inner_.insert(allocate->buffer);
        } else if (const auto *free = stmt.as<ir::Free>()) {
            found = found || !inner_.contains(free->buffer);
        }
        recurse(stmt);
    }

  private:
    std::set<ir::Symbol> inner_;
};

/// Every distinct node and symbol that a statement mentions.
class Uses : public ir::Visitor {
  public:
    using Visitor::visit;
    void visit(const Expr &expr) override {
        if (!seen_.insert(expr.get()).second) {
            return;
        }
        switch (expr->kind()) {
        case ExprKind::BufferField:
            fields.push_back(expr);
            [[fallthrough]];
        case ExprKind::Variable:
        case ExprKind::Load:
            symbols.insert(expr->symbol());
            break;
        default:
            break;
        }
        if (expr->kind() == ExprKind::Load) {
            accessed.insert(expr->symbol());
        }
        recurse(expr);
    }
    void visit(const Stmt &stmt) override {
        if (const auto *store = stmt.as<ir::Store>()) {
            symbols.insert(store->buffer);
            accessed.insert(store->buffer);
        }
        recurse(stmt);
    }
    std::set<ir::Symbol> symbols, accessed; // ordered: the same program gives the same code
    std::vector<Expr> fields;

  private:
    std::unordered_set<const ExprNode *> seen_;
};

} // namespace

// ---- Frames and scopes.

llvm::Function *Emitter::new_function(const std::string &name, llvm::FunctionType *type, bool is_public) {
    const auto linkage = is_public ? llvm::Function::ExternalLinkage : llvm::Function::InternalLinkage;
    auto *function = llvm::Function::Create(type, linkage, name, module_);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->setDSOLocal(true);
    function->addFnAttr("prefer-vector-width", "512");
    function->addFnAttr("min-legal-vector-width", "512");
    return function;
}

void Emitter::begin_frame(llvm::Function *function) {
    frame_ = Frame();
    frame_.function = function;
    frame_.entry = llvm::BasicBlock::Create(context_, "entry", function);
    llvm::BasicBlock *body = llvm::BasicBlock::Create(context_, "body", function);
    frame_.exit = llvm::BasicBlock::Create(context_, "exit", function);
    b_.SetInsertPoint(frame_.exit);
    frame_.result = b_.CreatePHI(i32_, 2, "code");
    b_.SetInsertPoint(body);
    frame_.scopes.emplace_back();
    frame_.context = llvm::ConstantPointerNull::get(llvm::PointerType::get(context_, 0));
}

void Emitter::end_frame() {
    if (frame_.has_streams) {
        order_streams();
    }
    leave(frame_.calls_extern ? runtime_call("fluorite_extern_function_status", i32_, {}) : b_.getInt32(0));
    b_.SetInsertPoint(frame_.exit);
    for (const Slot &slot : frame_.slots) {
        runtime_call("fluorite_free", void_, {frame_.context, b_.CreateLoad(ptr_, slot.pointer)});
    }
    b_.CreateRet(frame_.result);
    b_.SetInsertPoint(frame_.entry);
    b_.CreateBr(frame_.entry->getNextNode());
}

void Emitter::push_scope() {
    frame_.depth++;
    frame_.scopes.emplace_back();
}

void Emitter::pop_scope() {
    for (const ExprNode *node : frame_.scopes.back()) {
        const auto at = frame_.cache.find(node);
        if (at != frame_.cache.end() && at->second.scope == frame_.depth) {
            frame_.cache.erase(at);
        }
    }
    for (auto &[symbol, found] : frame_.buffers) {
        if (found.header && found.host && found.depth == frame_.depth) {
            found.host = nullptr;
        }
    }
    frame_.scopes.pop_back();
    frame_.depth--;
}

llvm::BasicBlock *Emitter::new_block(const char *name) {
    return llvm::BasicBlock::Create(context_, name, frame_.function, frame_.exit);
}

llvm::AllocaInst *Emitter::entry_alloca(llvm::Type *type, uint64_t count, uint64_t alignment, const char *name) {
    llvm::IRBuilder<> entry(frame_.entry, frame_.entry->begin());
    auto *memory = entry.CreateAlloca(llvm::ArrayType::get(type, count), nullptr, name);
    memory->setAlignment(llvm::Align(alignment));
    return memory;
}

void Emitter::make_cleanups() {
    const llvm::IRBuilderBase::InsertPointGuard guard(b_);
    for (size_t i = 0; i < frame_.live.size(); i++) {
        Live &live = frame_.live[i];
        if (live.cleanup) {
            continue;
        }
        live.cleanup = llvm::BasicBlock::Create(context_, "cleanup", frame_.function);
        b_.SetInsertPoint(live.cleanup);
        live.code = b_.CreatePHI(i32_, 2);
        runtime_call("fluorite_free", void_, {frame_.context, live.block});
        (i == 0 ? frame_.result : frame_.live[i - 1].code)->addIncoming(live.code, live.cleanup);
        b_.CreateBr(i == 0 ? frame_.exit : frame_.live[i - 1].cleanup);
    }
}

void Emitter::leave(Value *code) {
    release_lock();
    make_cleanups();
    const bool is_free = frame_.live.empty();
    (is_free ? frame_.result : frame_.live.back().code)->addIncoming(code, b_.GetInsertBlock());
    b_.CreateBr(is_free ? frame_.exit : frame_.live.back().cleanup);
}

void Emitter::branch_cold(Value *condition, llvm::BasicBlock *usual, llvm::BasicBlock *rare) {
    b_.CreateCondBr(condition, usual, rare, metadata_.createBranchWeights(1U << 20, 1));
}

void Emitter::require(Value *condition, const std::function<Value *()> &failure) {
    if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(condition); known && known->isOne()) {
        return;
    }
    llvm::BasicBlock *after = new_block("holds");
    llvm::BasicBlock *failed = llvm::BasicBlock::Create(context_, "failed", frame_.function);
    branch_cold(condition, after, failed);
    b_.SetInsertPoint(failed);
    push_scope();
    leave(failure());
    pop_scope();
    b_.SetInsertPoint(after);
}

// ---- Statements.

void Emitter::stmt(const Stmt &root) {
    // Lets nest deeply; everything that only wraps a body is a loop here.
    std::vector<std::pair<ir::Symbol, std::optional<Binding>>> hidden;
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
            hidden.emplace_back(let->symbol, binding_of(let->symbol));
            bind(let->symbol, bound, depth_of(let->value));
            if (form && form->terms.size() <= 4) {
                frame_.bindings[let->symbol].linear = std::move(form);
            }
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
        restore(hidden[i].first, hidden[i].second);
    }
}

/// A statement that is no let.
void Emitter::leaf(const Stmt &at) {
    const bool is_work = at.kind() == StmtKind::For || at.kind() == StmtKind::Allocate ||
                         at.kind() == StmtKind::Store || at.kind() == StmtKind::Atomic;
    const bool is_parallel = at.as<ir::For>() && is_made_of_tasks(*at.as<ir::For>());
    // A function of its own could not end the life of what this one allocates.
    const bool is_shell = at.kind() == StmtKind::Allocate && (holds_many_nests(at) || FreesOuter(at).found);
    if (frame_.is_entry && is_work && !is_parallel && !is_shell) {
        preload(at);
        return outline(at);
    }
    const bool may_be_piece = !is_parallel && (at.kind() == StmtKind::For || at.kind() == StmtKind::Allocate);
    if (!frame_.is_entry && may_be_piece && is_piece(at)) {
        return outline(at);
    }
    switch (at.kind()) {
    case StmtKind::Assert: {
        const auto &node = *at.as<ir::Assert>();
        require(value(node.condition), [&] { return value(node.error); });
        if (waits(node.condition)) {
            forget_memory(); // another task has stored meanwhile
        }
        return;
    }
    case StmtKind::For: {
        const auto &loop = *at.as<ir::For>();
        check(loop.for_kind == ir::ForKind::Serial || is_made_of_tasks(loop),
              concat("loop '", loop.var.name(), "' is neither serial nor parallel after lowering"));
        if (frame_.loops == 0 && !frame_.is_entry) {
            preload(at);
        }
        return is_made_of_tasks(loop) ? parallel_for(loop) : serial_for(loop);
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
        forget_memory();
        value(at.as<ir::Evaluate>()->value);
        forget_memory();
        return;
    case StmtKind::Atomic:
        return atomic(*at.as<ir::Atomic>());
    default:
        unreachable("a statement is left that only exists before flattening");
    }
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

/// Reads what a nest of loops needs of its arguments before the first of them, where no call stands between.
void Emitter::preload(const Stmt &body) {
    Uses uses;
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

/// The same value behind an empty piece of assembly, so that loop strength reduction does not take it apart.
Value *Emitter::opaque(Value *value) {
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
    Value *min = scalar_i64(loop.min);
    Value *extent = scalar_i64(loop.extent);
    Value *end = b_.CreateNSWAdd(min, extent);
    llvm::BasicBlock *before = b_.GetInsertBlock(), *body = new_block("loop"), *after = nullptr;
    after = new_block("looped");
    b_.CreateCondBr(b_.CreateICmpSGT(extent, b_.getInt64(0)), body, after);
    b_.SetInsertPoint(body);
    push_scope();
    forget_memory(); // the body stores before the next iteration reads
    frame_.loops++;
    llvm::PHINode *counter = b_.CreatePHI(i64_, 2, loop.var.name());
    counter->addIncoming(min, before);
    const std::optional<Binding> outer = binding_of(loop.var);
    bind(loop.var, b_.CreateTrunc(counter, i32_), frame_.depth, counter);
    const int outer_depth = std::exchange(frame_.loop_depth, frame_.depth);
    stmt(loop.body);
    frame_.loop_depth = outer_depth;
    restore(loop.var, outer);
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
    forget_memory();
}

// ---- Functions of their own: tasks, and the loops of a serial pipeline.

/// What a body uses of its surroundings, stored into a closure on the stack.
Emitter::Closure Emitter::capture(const Stmt &body, const ir::Symbol *own) {
    Uses uses;
    uses.visit(body);
    Closure closure;
    for (const ir::Symbol &symbol : uses.symbols) {
        if (own && symbol == *own) {
            continue;
        }
        const auto bound = frame_.bindings.find(symbol);
        if (bound != frame_.bindings.end() && bound->second.value) {
            const bool is_wide = bound->second.wide != nullptr;
            const auto kind = is_wide ? Captured::Kind::Wide : Captured::Kind::Value;
            closure.items.push_back({symbol, is_wide ? bound->second.wide : bound->second.value, kind});
        } else if (frame_.buffers.contains(symbol)) {
            Value *header = frame_.buffers.at(symbol).header;
            if (uses.accessed.contains(symbol) || !header) {
                closure.items.push_back({symbol, host(symbol), Captured::Kind::Host});
                if (is_checked() && !header) {
                    closure.items.push_back({symbol, buffer(symbol).last, Captured::Kind::Last});
                }
            }
            if (header) {
                closure.items.push_back({symbol, header, Captured::Kind::Header});
            }
        }
    }
    std::vector<llvm::Type *> fields;
    for (const Captured &item : closure.items) {
        fields.push_back(item.value->getType());
    }
    closure.type = llvm::StructType::get(context_, fields);
    closure.memory = entry_alloca(closure.type, 1, 64, "closure");
    for (unsigned i = 0; i < closure.items.size(); i++) {
        b_.CreateStore(closure.items[i].value, b_.CreateStructGEP(closure.type, closure.memory, i));
    }
    return closure;
}

/// Binds what was captured, in the function that gets the closure.
void Emitter::bind_captured(const Closure &closure, llvm::Argument *memory) {
    memory->addAttr(llvm::Attribute::NoAlias);
    memory->addAttr(llvm::Attribute::ReadOnly);
    for (unsigned i = 0; i < closure.items.size(); i++) {
        const Captured &item = closure.items[i];
        auto *loaded = b_.CreateLoad(closure.type->getElementType(i), b_.CreateStructGEP(closure.type, memory, i),
                                     item.symbol.name());
        loaded->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
        switch (item.kind) {
        case Captured::Kind::Host:
            frame_.buffers[item.symbol].host = loaded;
            break;
        case Captured::Kind::Header:
            frame_.buffers[item.symbol].header = loaded;
            break;
        case Captured::Kind::Last:
            frame_.buffers[item.symbol].first = b_.getInt64(0);
            frame_.buffers[item.symbol].last = loaded;
            break;
        case Captured::Kind::Value:
            bind(item.symbol, loaded, 0);
            break;
        case Captured::Kind::Wide:
            bind(item.symbol, b_.CreateTrunc(loaded, i32_), 0, loaded);
            break;
        }
    }
    for (auto &[symbol, found] : frame_.buffers) {
        if (is_checked() && found.header && found.host) {
            find_elements(found);
        }
    }
}

void Emitter::parallel_for(const ir::For &loop) {
    Value *min = value(loop.min), *extent = value(loop.extent);
    const Closure closure = capture(loop.body, &loop.var);
    const std::string task_name = concat(name_, ".par_for.", loop.var.name(), ".", tasks_++);
    auto *task_type = llvm::FunctionType::get(i32_, {ptr_, i32_, ptr_}, false);
    llvm::Function *task = new_function(task_name, task_type, false);
    const auto outer_position = b_.saveIP();
    Frame outer = std::move(frame_);
    begin_frame(task);
    frame_.context = task->getArg(0);
    frame_.size = size_of(loop.body);
    bind(loop.var, task->getArg(1), 0, b_.CreateSExt(task->getArg(1), i64_, loop.var.name()));
    bind_captured(closure, task->getArg(2));
    stmt(loop.body);
    end_frame();
    frame_ = std::move(outer);
    b_.restoreIP(outer_position);

    if (!streams_.empty()) {
        order_streams(); // tasks may read what was stored before them
    }
    const char *run = loop.for_kind == ir::ForKind::Forked ? "fluorite_do_fork" : "fluorite_do_par_for";
    Value *code =
        runtime_call(run, i32_, {frame_.context, task, min, extent, closure.memory, text_constant(loop.var.name())});
    forget_memory();
    require(b_.CreateICmpEQ(code, b_.getInt32(0)), [&] { return code; });
}

/// The nodes of a statement, each distinct one of an expression counted once.
size_t Emitter::size_of(const Stmt &stmt) {
    const auto known = sizes_.find(stmt.get());
    if (known != sizes_.end()) {
        return known->second;
    }
    size_t size = 1;
    for_each_child_expr(stmt, [&](const Expr &expr) { ir::for_each_node(expr, [&](const Expr &) { size++; }); });
    for_each_child_stmt(stmt, [&](const Stmt &child) { size += size_of(child); });
    sizes_.emplace(stmt.get(), size);
    return size;
}

/// Whether a loop is compiled apart from the enormous function that it is in.
bool Emitter::is_piece(const Stmt &loop) {
    if (frame_.size <= enormous_function) {
        return false;
    }
    const size_t size = size_of(loop);
    const size_t least = frame_.size <= gigantic_function ? least_piece : least_piece / 5;
    return size >= least && size <= largest_piece && !FreesOuter(loop).found;
}

/// The pipeline's own function checks arguments and starts work; it runs once and is compiled without optimization.
/// Work that is not a parallel loop gets a function of its own.
void Emitter::outline(const Stmt &body) {
    const Closure closure = capture(body, nullptr);
    auto *type = llvm::FunctionType::get(i32_, {ptr_, ptr_}, false);
    llvm::Function *work = new_function(concat(name_, ".work.", tasks_++), type, false);
    const auto outer_position = b_.saveIP();
    Frame outer = std::move(frame_);
    begin_frame(work);
    frame_.context = work->getArg(0);
    frame_.size = size_of(body);
    bind_captured(closure, work->getArg(1));
    stmt(body);
    end_frame();
    frame_ = std::move(outer);
    b_.restoreIP(outer_position);
    Value *code = b_.CreateCall(work, {frame_.context, closure.memory});
    forget_memory();
    require(b_.CreateICmpEQ(code, b_.getInt32(0)), [&] { return code; });
}

// ---- Memory.

/// The size as 64 bits, checked for overflow; extents below zero count as zero.
Value *Emitter::allocation_bytes(const ir::Allocate &node) {
    const auto multiply = [&](Value *a, Value *b) {
        return b_.CreateIntrinsic(llvm::Intrinsic::umul_with_overflow, {i64_}, {a, b});
    };
    Value *bytes = b_.getInt64(static_cast<uint64_t>(node.type.bytes()));
    Value *overflow = b_.getFalse();
    for (const Expr &extent : node.extents) {
        Value *count = scalar_i64(extent);
        count = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, count, b_.getInt64(0));
        Value *product = multiply(bytes, count);
        bytes = b_.CreateExtractValue(product, 0);
        overflow = b_.CreateOr(overflow, b_.CreateExtractValue(product, 1));
    }
    overflow = b_.CreateOr(overflow, b_.CreateICmpSLT(bytes, b_.getInt64(0)));
    require(b_.CreateNot(overflow), [&] {
        return runtime_call("fluorite_error_buffer_allocation_too_large", i32_,
                            {frame_.context, text_constant(node.buffer.name()), bytes, b_.getInt64(~uint64_t{0} >> 1)});
    });
    return bytes;
}

Value *Emitter::checked_malloc(const std::string &name, Value *bytes) {
    Value *block = runtime_call("fluorite_malloc", ptr_, {frame_.context, bytes});
    auto *function = module_.getFunction("fluorite_malloc");
    function->addRetAttr(llvm::Attribute::NoAlias);
    require(b_.CreateIsNotNull(block), [&] {
        return runtime_call("fluorite_error_out_of_memory", i32_, {frame_.context, text_constant(name), bytes});
    });
    return block;
}

/// A slot that no allocation holds now. Those that hold it one after the other have one alias tag: an access of the
/// next must not move before one of the last.
size_t Emitter::take_slot() {
    const auto at =
        std::find_if(frame_.slots.rbegin(), frame_.slots.rend(), [](const Slot &slot) { return !slot.is_taken; });
    if (at != frame_.slots.rend()) {
        at->is_taken = true;
        return static_cast<size_t>(frame_.slots.rend() - at) - 1;
    }
    Slot slot{entry_alloca(ptr_, 1, 8, "kept"), entry_alloca(i64_, 1, 8, "kept_size"),
              alias_tag(concat("slot ", frame_.slots.size())), true};
    llvm::IRBuilder<> entry(frame_.entry); // behind the allocas
    entry.CreateStore(llvm::Constant::getNullValue(ptr_), slot.pointer);
    entry.CreateStore(entry.getInt64(0), slot.size);
    frame_.slots.push_back(slot);
    return frame_.slots.size() - 1;
}

/// A block that is kept between iterations and grows where it must.
Value *Emitter::slot_block(const ir::Allocate &node, const Slot &slot, Value *bytes) {
    Value *kept = b_.CreateLoad(ptr_, slot.pointer);
    Value *fits = b_.CreateAnd(b_.CreateIsNotNull(kept), b_.CreateICmpULE(bytes, b_.CreateLoad(i64_, slot.size)));
    llvm::BasicBlock *before = b_.GetInsertBlock(), *grow = new_block("grow"), *after = new_block("fits");
    branch_cold(fits, after, grow);
    b_.SetInsertPoint(grow);
    runtime_call("fluorite_free", void_, {frame_.context, kept});
    b_.CreateStore(llvm::Constant::getNullValue(ptr_), slot.pointer);
    Value *larger = checked_malloc(node.buffer.name(), bytes);
    b_.CreateStore(larger, slot.pointer);
    b_.CreateStore(bytes, slot.size);
    llvm::BasicBlock *grown = b_.GetInsertBlock();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    llvm::PHINode *block = b_.CreatePHI(ptr_, 2, node.buffer.name());
    block->addIncoming(kept, before);
    block->addIncoming(larger, grown);
    return block;
}

/// Frees a block whose scope is open, where that has not been done. Where loops keep it, or it is on the stack, it is
/// there for the next allocation.
void Emitter::free(const ir::Symbol &buffer) {
    const auto placed = std::find_if(frame_.placed.rbegin(), frame_.placed.rend(),
                                     [&](const Placed &one) { return one.buffer == buffer; });
    if (placed != frame_.placed.rend()) {
        forget_memory();
        if (placed->block) {
            b_.CreateLifetimeEnd(placed->block);
        } else {
            frame_.slots[placed->slot].is_taken = false;
        }
        frame_.placed.erase(std::next(placed).base());
        return;
    }
    const auto at =
        std::find_if(frame_.live.rbegin(), frame_.live.rend(), [&](const Live &live) { return live.buffer == buffer; });
    if (at == frame_.live.rend()) {
        return;
    }
    runtime_call("fluorite_free", void_, {frame_.context, at->block});
    const auto next = frame_.live.erase(std::next(at).base());
    for (auto later = next; later != frame_.live.end(); ++later) {
        later->cleanup = nullptr; // the way out no longer passes this block
    }
}

void Emitter::allocate(const ir::Allocate &node) {
    int64_t elements = 1;
    bool is_constant = true;
    for (const Expr &extent : node.extents) {
        int64_t count = 0;
        is_constant &= ir::is_const_int(extent, &count) &&
                       !__builtin_mul_overflow(elements, std::max<int64_t>(count, 0), &elements);
    }
    const int64_t most = node.memory == ir::MemoryType::Auto ? machine_.stack_block_bytes : largest_wanted_stack_block;
    const bool on_stack = is_constant && node.memory != ir::MemoryType::Heap && elements <= most / node.type.bytes();
    if (node.memory == ir::MemoryType::Register && !on_stack) {
        const auto place = std::find_if(storage_places_.begin(), storage_places_.end(),
                                        [&](const auto &entry) { return entry.first == node.buffer; });
        throw CompileError("register-needs-constant-size",
                           concat("in ", node.buffer.name(),
                                  ": stored in registers, but its size is not a small constant; ",
                                  "registers hold a fixed number of values; bound its extents or store it elsewhere"),
                           place == storage_places_.end() ? Location() : place->second);
    }
    forget_memory();
    Buffer made;
    made.depth = frame_.depth;
    const bool is_scoped = !on_stack && frame_.loops == 0;
    Value *bytes = on_stack ? b_.getInt64(static_cast<uint64_t>(elements * node.type.bytes())) : allocation_bytes(node);
    if (on_stack) {
        llvm::AllocaInst *block =
            entry_alloca(memory_type(context_, node.type), static_cast<uint64_t>(std::max<int64_t>(elements, 1)), 64,
                         node.buffer.name().c_str());
        b_.CreateLifetimeStart(block);
        made.host = block;
        frame_.placed.push_back({node.buffer, block, 0});
    } else if (is_scoped) {
        made.host = checked_malloc(node.buffer.name(), bytes);
    } else {
        const size_t slot = take_slot();
        made.host = slot_block(node, frame_.slots[slot], bytes);
        made.alias = frame_.slots[slot].alias;
        frame_.placed.push_back({node.buffer, nullptr, slot});
    }
    if (is_checked()) {
        poison(made.host, bytes);
        made.first = b_.getInt64(0);
        made.last =
            b_.CreateSub(b_.CreateUDiv(bytes, b_.getInt64(static_cast<uint64_t>(node.type.bytes()))), b_.getInt64(1));
    }
    const auto hidden = frame_.buffers.find(node.buffer);
    const std::optional<Buffer> outer = hidden == frame_.buffers.end() ? std::nullopt : std::optional(hidden->second);
    frame_.buffers[node.buffer] = made;
    if (is_scoped) {
        frame_.live.push_back({node.buffer, made.host, nullptr, nullptr});
    }
    stmt(node.body);
    free(node.buffer);
    frame_.buffers.erase(node.buffer);
    if (outer) {
        frame_.buffers[node.buffer] = *outer;
    }
    forget_memory();
}

} // namespace fluorite::backends
