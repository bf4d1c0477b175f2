#pragma once
// The loop IR: statements. Nodes are immutable and shared like expressions.
//
// Before flattening, values are stored in Funcs: Realize gives a Func storage over a box, Provide writes it, Call reads
// it. After flattening they are stored in buffers: Allocate, Store, Load. ir/verify.h specifies the invariants of each
// phase.

#include "fluorite/schedule_types.h"
#include "ir/expr_node.h"
#include "support/ref_counted.h"

#include <vector>

namespace fluorite::ir {

enum class StmtKind : uint8_t {
#define FLUORITE_STMT(kind, ...) kind,
#include "ir/stmt_kinds.def"
#undef FLUORITE_STMT
};

using ForKind = fluorite::ForType;

/// Whether the iterations of the loop are blocks or threads of a device.
inline bool is_of_device(ForKind kind) {
    return kind == ForKind::GPUBlock || kind == ForKind::GPUThread || kind == ForKind::GPULane;
}
using MemoryType = fluorite::MemoryType;
using Partition = fluorite::Partition;

struct StmtNode : RefCounted {
    const StmtKind kind;
    explicit StmtNode(StmtKind kind) : kind(kind) {}
};

/// A shared handle to a statement; an undefined Stmt is empty.
class Stmt {
  public:
    Stmt() = default;
    Stmt(const StmtNode *node) : node_(node) {} // NOLINT(google-explicit-constructor)
    bool defined() const { return static_cast<bool>(node_); }
    StmtKind kind() const { return node_->kind; }
    const StmtNode *get() const { return node_.get(); }
    bool same_as(const Stmt &other) const { return node_ == other.node_; }
    /// The node downcast to T, or null.
    template <typename T> const T *as() const {
        return node_ && node_->kind == T::static_kind ? static_cast<const T *>(node_.get()) : nullptr;
    }

  private:
    RefPtr<const StmtNode> node_;
};

struct Range {
    Expr min, extent;
};

template <StmtKind K> struct StmtOf : StmtNode {
    static constexpr StmtKind static_kind = K;
    StmtOf() : StmtNode(K) {}
};

struct LetStmt : StmtOf<StmtKind::LetStmt> {
    Symbol symbol;
    Expr value;
    Stmt body;
    static Stmt make(const Symbol &symbol, const Expr &value, const Stmt &body);
};
/// If the condition is false, the function returns the value of `error` (an Int32 call of a runtime error function).
struct Assert : StmtOf<StmtKind::Assert> {
    Expr condition, error;
    static Stmt make(const Expr &condition, const Expr &error);
};
/// Marks where a Func's values are produced (`is_producer`) and consumed; for printing, tracing and placement.
struct ProducerConsumer : StmtOf<StmtKind::ProducerConsumer> {
    Symbol func;
    bool is_producer = true;
    Stmt body;
    static Stmt make(const Symbol &func, bool is_producer, const Stmt &body);
};
/// Loops `var` from min to min + extent - 1.
struct For : StmtOf<StmtKind::For> {
    Symbol var;
    Expr min, extent; // Int32 scalars
    ForKind for_kind = ForKind::Serial;
    Partition partition = Partition::Auto;
    Stmt body;
    static Stmt make(const Symbol &var, const Expr &min, const Expr &extent, ForKind for_kind, const Stmt &body,
                     Partition partition = Partition::Auto);
};
/// Writes the values (one per tuple element) of a Func at a point. Undef values are not written.
struct Provide : StmtOf<StmtKind::Provide> {
    Symbol func;
    int stage = 0;
    std::vector<Expr> values, args;
    Expr predicate; // Bool, true: always
    static Stmt make(const Symbol &func, int stage, std::vector<Expr> values, std::vector<Expr> args,
                     const Expr &predicate);
};
struct Realize : StmtOf<StmtKind::Realize> {
    Symbol func;
    std::vector<Type> types;
    MemoryType memory = MemoryType::Auto;
    std::vector<Range> bounds;
    Stmt body;
    static Stmt make(const Symbol &func, std::vector<Type> types, MemoryType memory, std::vector<Range> bounds,
                     const Stmt &body);
};
/// Storage of `extents` (Int32, product in 64 bits) elements during the body; freed on every exit.
///
/// `memory` is what the schedule asks for, and after the pass place_memory where the memory is: Heap, Stack or
/// Register. In a function of a module, a block on the heap that is allocated inside of a loop has a slot, a number in
/// its function: the function keeps the block for the next allocation with this slot, and frees it when it returns.
struct Allocate : StmtOf<StmtKind::Allocate> {
    static constexpr int no_slot = -1;
    Symbol buffer;
    Type type; // scalar element
    MemoryType memory = MemoryType::Auto;
    std::vector<Expr> extents;
    Stmt body;
    int slot = no_slot;
    static Stmt make(const Symbol &buffer, Type type, MemoryType memory, std::vector<Expr> extents, const Stmt &body,
                     int slot = no_slot);
};
/// Ends the lifetime of the buffer of an enclosing Allocate: nothing executed later uses it. Before outlining, the end
/// of an allocation's body ends it, too; in a function of a module, each allocation has its Free.
struct Free : StmtOf<StmtKind::Free> {
    Symbol buffer;
    static Stmt make(const Symbol &buffer);
};
struct Store : StmtOf<StmtKind::Store> {
    Symbol buffer;
    Expr value, index, predicate;
    static Stmt make(const Symbol &buffer, const Expr &value, const Expr &index, const Expr &predicate);
};
/// Statements in order; never empty, never nested directly.
struct Block : StmtOf<StmtKind::Block> {
    std::vector<Stmt> stmts;
    /// Flattens nested blocks and drops undefined statements; returns an undefined Stmt for none and the statement
    /// itself for one.
    static Stmt make(std::vector<Stmt> stmts);
};
struct IfThenElse : StmtOf<StmtKind::IfThenElse> {
    Expr condition;            // scalar Bool
    Stmt then_case, else_case; // else_case may be undefined
    static Stmt make(const Expr &condition, const Stmt &then_case, const Stmt &else_case = {});
};
struct Evaluate : StmtOf<StmtKind::Evaluate> {
    Expr value;
    static Stmt make(const Expr &value);
};
struct Prefetch : StmtOf<StmtKind::Prefetch> {
    Symbol func;
    std::vector<Range> bounds;
    Stmt body;
    static Stmt make(const Symbol &func, std::vector<Range> bounds, const Stmt &body);
};
struct Atomic : StmtOf<StmtKind::Atomic> {
    Symbol func;
    Stmt body;
    static Stmt make(const Symbol &func, const Stmt &body);
};

/// Runs a task of the module (ir/lowered.h): once, or, as the whole body of a Parallel or Forked loop, for each
/// iteration. If the task fails, the function returns its error code. As the whole body of a nest of one to three
/// GPUBlock loops it runs a kernel, whose grid these loops are.
struct Launch : StmtOf<StmtKind::Launch> {
    std::string task;       // the name of the task or kernel
    std::vector<Expr> args; // the closure, one for each argument of the task: a value, or the Variable of a buffer
    /// Of a kernel: the threads of a block in each of its dimensions, the innermost first; scalar Int32.
    std::vector<Expr> threads;
    static Stmt make(std::string task, std::vector<Expr> args, std::vector<Expr> threads = {});
};
/// In a kernel: a thread goes on when all threads of its block have come here, and what they have stored before is then
/// visible to all of them. Either all threads of a block come to a barrier or none.
struct Barrier : StmtOf<StmtKind::Barrier> {
    static Stmt make();
};

/// Calls `visit` with the node downcast to its own type and returns the result.
template <typename F> auto visit_stmt(const Stmt &stmt, const F &visit) {
    switch (stmt.kind()) {
#define FLUORITE_STMT(kind, ...)                                                                                       \
    case StmtKind::kind:                                                                                               \
        return visit(*stmt.as<kind>());
#include "ir/stmt_kinds.def"
#undef FLUORITE_STMT
    }
    unreachable("a statement of no kind");
}

bool equal(const Stmt &a, const Stmt &b);
std::ostream &operator<<(std::ostream &stream, const Stmt &stmt);

// ---- Traversal.

/// Base class of passes: override mutate(Expr) and/or mutate(Stmt), switch over the relevant kinds, and call recurse
/// for the others. recurse(Expr) maps operands; recurse(Stmt) maps child expressions and statements; both return the
/// same node where nothing changed. Mutating a body to an undefined Stmt drops the enclosing statement too. Nothing is
/// memoized: a shared node is mutated once per use (see transform in expr_node.h for passes that do not depend on
/// scope).
class Mutator {
  public:
    virtual ~Mutator() = default;
    virtual Expr mutate(const Expr &expr) { return recurse(expr); }
    virtual Stmt mutate(const Stmt &stmt) { return recurse(stmt); }

  protected:
    Expr recurse(const Expr &expr);
    Stmt recurse(const Stmt &stmt);
    std::vector<Expr> mutate_all(const std::vector<Expr> &exprs);
};

/// Base class of analyses: override visit, and call recurse to visit the children.
class Visitor {
  public:
    virtual ~Visitor() = default;
    virtual void visit(const Expr &expr) { recurse(expr); }
    virtual void visit(const Stmt &stmt) { recurse(stmt); }

  protected:
    void recurse(const Expr &expr);
    void recurse(const Stmt &stmt);
};

/// The expressions and the statements directly below a statement; undefined ones are skipped.
void for_each_child_expr(const Stmt &stmt, const std::function<void(const Expr &)> &visit);
void for_each_child_stmt(const Stmt &stmt, const std::function<void(const Stmt &)> &visit);

/// Replaces free variables in the expressions of a statement. LetStmt and For hide the symbol they bind; they are
/// renamed where they would capture a variable of a value.
Stmt substitute(const Stmt &stmt, const SymbolMap<Expr> &values);
Stmt substitute(const Stmt &stmt, const Symbol &symbol, const Expr &value);
/// Whether the symbol is free in the statement: in an expression, or as the target of a Provide, Store or Prefetch.
bool uses_symbol(const Stmt &stmt, const Symbol &symbol);

} // namespace fluorite::ir
