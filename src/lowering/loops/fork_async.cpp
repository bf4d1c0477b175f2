// Async Funcs: their producers run on threads of their own.
//
// For an async Func g that is stored outside of the loop in which it is computed:
//   allocate g { for y { produce g { S }  consume g { T } } }
//   -->
//   allocate g { allocate semaphores {
//     forked for side in [0, 2) {
//       if (side == 0) { for y { free.acquire()  produce g { S }  ready.release() } }
//       else           { for y { ready.acquire() consume g { T }  free.release() } }
//     } } }
// `ready` counts the iterations whose values have been produced, `free` those that may run before more are consumed.
// The initial value of `free` is determined with the regions (folds.cpp); where no value that is still to be read can
// be overwritten, there is no `free`. Where memory is allocated further out (hoist_storage), each iteration has to be
// consumed before its memory is reused: by the next iteration, or with ring_buffer(n) by the n-th after it. A Func that
// is stored where it is computed, and has its memory there, is produced in one iteration; its consumers wait right
// before the first of them reads it, so that other Funcs computed there, and further async Funcs, make progress
// meanwhile. Each task waits for itself: a wait in the task of another async Func does not order what other tasks read
// before they wait for that Func.
//
// Method: the two sides are copies of the outermost loop around the production, inside of the allocation. The
// producer's side keeps `produce g` and the lets, loops and branches around it. The consumer's side is the rest, which
// is searched for further async Funcs. A producer's side that reads another async Func, of an allocation around, waits
// for it too, on semaphores of its own: each task that consumes a Func has a pair of semaphores, and the producer
// serves all pairs.
//
// The comment below the includes explains why every interleaving of the tasks gives the bits of the serial program.
//
// Refuses: a producer that reads what its consumer's side computes in the same loops (it would have to wait for a part
// of an iteration that it precedes). Relies on: one task at a time in each iteration, so no parallel or vectorized loop
// between storage and computation. Does not keep trace events of loops around a producer's side: its copy omits them.
// Cost: linear, for each async Func.

#include "lowering/loops/fork_async.h"

#include "lowering/access/buffer_uses.h"

#include "ir/stmt.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

// Why every interleaving of the tasks gives the bits of the serial program. Two tasks share memory in these ways only:
// - An async Func, whose productions `ready` counts. What a consumption reads was stored by productions that it has
//   waited for. Before `free` is released, it must not be stored to again, except with the same bits.
//     One iteration: nothing is stored after `ready` is released.
//     Lock step (`free` begins at 1): productions and consumptions alternate, as in the serial program. This applies to
//     updates, to hoisted memory, and to circular buffers without further knowledge.
//     A circular buffer for two iterations (`free` begins at 2): no two coordinates of the windows of successive
//     iterations share an element, in whichever direction windows move, and a production stores to its own window only
//     (folds.cpp).
//     A ring of n: the n iterations in flight have n boxes, as no index of the ring is skipped (regions/storage.cpp).
//     Without `free`: the Func is pure and does not fold, so each element has one value, and every production that
//     stores to it stores that value. Tails store nothing else, neither zeros nor old values, into memory that
//     iterations share (StageNest::Storage::Shared).
// - Another Func or an input that both read: it is stored to before the fork; or it is async, and each task has its own
//   pair of semaphores.
// - A Func that one side computes in these loops and the other one reads: refused.
// - A Func that is allocated outside of the fork and computed inside of one side: only that side mentions it.
// - Blocks of memory: the back end makes each task a function, and a block passes from one allocation to another within
//   one function only; what the forking function holds is freed after both tasks. The pool of a thread hands out only
//   what that thread has freed.
// Loops, lets and branches that both sides copy read loop variables, Params and regions, but no memory that either side
// stores to. So both sides execute each operation equally often, and each wait meets its release. Stores before a
// release are visible after the wait that takes it: semaphores are sequentially consistent, and locked instructions
// drain streaming stores. Tests force the task orders that matter, whatever the load of the machine
// (runtime/task_order.cpp).

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;

namespace {

// Placeholders for operations on a pair of semaphores of an async Func, both given by index, until all pairs are known.
const char *const wait_name = "async.wait", *const done_name = "async.done", *const free_name = "async.free",
                  *const ready_name = "async.ready";

Stmt operation(const char *name, FuncId func, int pair) {
    return Evaluate::make(make_extern(Int(32), name, std::vector<Expr>{int32(func.value), int32(pair)}));
}

struct Operation {
    std::string name;
    FuncId func;
    int pair = 0;
};

bool is_operation(const std::string &name) {
    return name == wait_name || name == done_name || name == free_name || name == ready_name;
}

std::optional<Operation> operation_of(const Stmt &stmt) {
    const auto *evaluate = stmt.as<Evaluate>();
    if (!evaluate || !is_kind(evaluate->value, ExprKind::Extern) || !is_operation(evaluate->value->text())) {
        return std::nullopt;
    }
    const Expr &value = evaluate->value;
    return Operation{value->text(), FuncId(static_cast<int32_t>(value->arg(0)->int_value())),
                     static_cast<int>(value->arg(1)->int_value())};
}

bool calls_function(const Expr &expr) {
    bool found = false;
    for_each_node(expr, [&](const Expr &node) { found = found || node->kind() == ExprKind::Extern; });
    return found;
}

/// Whether it is a part of a bounds query.
bool is_of_extern_stage(const Expr &expr) {
    bool found = false;
    for_each_node(expr, [&](const Expr &node) {
        found = found || (node->kind() == ExprKind::Extern && node->text().starts_with("extern."));
    });
    return found;
}

/// The buffers that a statement reads, and the Funcs that it produces.
class Reads : public Visitor {
  public:
    std::set<Symbol> buffers, produced;

    explicit Reads(const Stmt &stmt) { visit(stmt); }
    using Visitor::visit;
    void visit(const Expr &expr) override {
        for_each_node(expr, [&](const Expr &node) {
            const BufferUse use = buffer_use(node);
            if (use == BufferUse::Load || use == BufferUse::Address) {
                buffers.insert(node->symbol());
            }
        });
    }
    void visit(const Stmt &stmt) override {
        if (const auto *produce = stmt.as<ProducerConsumer>(); produce && produce->is_producer) {
            produced.insert(produce->func);
        }
        recurse(stmt);
    }
};

/// A check that both sides make, so that neither executes what it forbids.
bool is_plain_check(const Stmt &stmt) { return stmt.as<Assert>() && Reads(stmt).buffers.empty(); }

class Forker : public Mutator {
  public:
    Forker(const BoundedLoopNest &nest, const PassContext &context)
        : graph_(nest.graph), placement_(nest.placement), regions_(nest.regions), context_(context) {
        for (FuncId id : graph_.order) {
            if (graph_.schedule(id).marks.has(schedule::DirectiveName::async)) {
                const size_t last = graph_.func(id).types.size() - 1;
                async_.emplace(context.buffers.of(id, last), id);
            }
        }
    }
    bool has_work() const { return !async_.empty(); }

    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (const auto *allocate = stmt.as<Allocate>()) {
            const auto found = async_.find(allocate->buffer);
            if (found != async_.end()) {
                open_.push_back(found->second);
            }
        }
        for (size_t i = 0; i < open_.size(); i++) {
            if (parts_at(open_[i], stmt)) {
                const FuncId func = open_[i];
                open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
                return fork(func, stmt);
            }
        }
        return recurse(stmt);
    }

    const std::map<int32_t, int> &pairs() const { return pairs_; }
    const std::map<int32_t, Symbol> &semaphores() const { return semaphores_; }

  private:
    const LoweringGraph &graph_;
    const Placement &placement_;
    const Regions &regions_;
    const PassContext &context_;
    std::map<Symbol, FuncId> async_;       // by the innermost allocation of a Func
    std::vector<FuncId> open_;             // allocated, and not yet forked
    std::map<int32_t, int> pairs_;         // by FuncId: the number of tasks that consume it
    std::map<int32_t, Symbol> semaphores_; // by FuncId

    /// Whether the two sides of an async Func are forked at this statement: the first one inside of its allocation that
    /// is neither a let, an allocation or a mark, nor a block that contains the production only deeper inside. What
    /// precedes it runs before the fork, and both sides may read it.
    bool parts_at(FuncId func, const Stmt &stmt) const {
        const Symbol &mark = mark_of(func);
        const auto produces = [&](const Stmt &part) {
            const auto *node = part.as<ProducerConsumer>();
            return node && node->is_producer && node->func == mark;
        };
        switch (stmt.kind()) {
        case StmtKind::LetStmt:
        case StmtKind::Allocate:
            return false;
        case StmtKind::ProducerConsumer:
            return produces(stmt);
        case StmtKind::Block: {
            const std::vector<Stmt> &parts = stmt.as<Block>()->stmts;
            return std::any_of(parts.begin(), parts.end(), produces);
        }
        default: // bodies: whether the production is anywhere in them
            return Reads(stmt).produced.count(mark) > 0;
        }
    }

    const Symbol &mark_of(FuncId func) const { return context_.buffers.of(func, 0); }
    bool is_limited(FuncId func) const { return regions_.func(func).ahead.defined(); }

    [[noreturn]] void refuse_reading(FuncId func, const std::string &other) const {
        throw CompileError(
            "async-reads-sibling",
            "in " + graph_.func(func).name() + ": async, but it reads " + other +
                ", which its consumers' side computes in the same loops; a producer runs ahead of them; compute " +
                other + " inside " + graph_.func(func).name() + ", or before it at the level where " +
                graph_.func(func).name() + " is stored, or make it async too",
            graph_.schedule(func).marks.location(schedule::DirectiveName::async));
    }

    Stmt fork(FuncId func, const Stmt &body) {
        Stmt producer = producer_side(func, body);
        check(producer.defined(), "an async Func is produced inside of its allocation");
        const bool at_once = placement_.hoist[func.index()] == placement_.compute[func.index()];
        check(pairs_[func.value] == 0, "an async Func is allocated once");
        const Stmt rest = consumer_side(func, body, at_once);
        if (!rest.defined()) { // simplification has removed the consumers
            pairs_[func.value] = 0;
            return mutate(body);
        }
        producer = with_own_pairs(func, producer, rest);
        check_reads(func, producer, body);
        Stmt consumer = mutate(rest);
        producer = mutate(producer);
        SymbolOwner owner;
        owner.func = func;
        const std::string &name = graph_.func(func).name();
        const Symbol semaphores = context_.symbols.fresh(SymbolKind::Buffer, name + ".semaphores");
        semaphores_[func.value] = semaphores;
        const Symbol side = context_.symbols.fresh(SymbolKind::Loop, name + ".async");
        const Expr is_producer = equals(make_var(Int(32), side), int32(0));
        std::vector<Stmt> all;
        const int count = 2 * pairs_[func.value];
        for (int i = 0; i < count; i++) {
            const Expr first = i % 2 == 1 && is_limited(func) ? regions_.func(func).ahead : int32(0);
            all.push_back(Evaluate::make(make_extern(
                Int(32), "fluorite_semaphore_init",
                std::vector<Expr>{address(semaphores), int32(i), rewrite::simplify(make_cast(Int(64), first))})));
        }
        all.push_back(
            For::make(side, int32(0), int32(2), ForKind::Forked, IfThenElse::make(is_producer, producer, consumer)));
        return Allocate::make(semaphores, Int(64), MemoryType::Stack, {int32(count)}, Block::make(all));
    }

  public:
    static Expr address(const Symbol &buffer) {
        return make_extern(Handle(), "memory.address", std::vector<Expr>{make_var(Handle(), buffer)});
    }

  private:
    // ---- The producer's side.

    Stmt producer_side(FuncId func, const Stmt &stmt) const {
        switch (stmt.kind()) {
        case StmtKind::ProducerConsumer: {
            const auto &node = *stmt.as<ProducerConsumer>();
            if (!node.is_producer || !(node.func == mark_of(func))) {
                return producer_side(func, node.body);
            }
            const Stmt wait = is_limited(func) ? operation(free_name, func, 0) : Stmt();
            return Block::make({wait, stmt, operation(ready_name, func, 0)});
        }
        case StmtKind::LetStmt: {
            const auto &node = *stmt.as<LetStmt>();
            const Stmt body = producer_side(func, node.body);
            // The ids of trace events belong to the consumer's side. Both sides ask extern stages what they read.
            const bool is_event = calls_function(node.value) && !is_of_extern_stage(node.value);
            return body.defined()
                       ? LetStmt::make(node.symbol, is_event ? make_zero(node.value.type()) : node.value, body)
                       : body;
        }
        case StmtKind::For: {
            const auto &node = *stmt.as<For>();
            const Stmt body = producer_side(func, node.body);
            return body.defined() ? For::make(node.var, node.min, node.extent, node.for_kind, body, node.partition)
                                  : body;
        }
        case StmtKind::IfThenElse: {
            const auto &node = *stmt.as<IfThenElse>();
            const Stmt yes = producer_side(func, node.then_case);
            const Stmt no = node.else_case.defined() ? producer_side(func, node.else_case) : Stmt();
            if (yes.defined()) {
                return IfThenElse::make(node.condition, yes, no);
            }
            return no.defined() ? IfThenElse::make(make_unary(ExprKind::Not, node.condition), no) : Stmt();
        }
        case StmtKind::Allocate: {
            const auto &node = *stmt.as<Allocate>();
            const Stmt body = producer_side(func, node.body);
            if (body.defined() && Reads(body).buffers.count(node.buffer) > 0) {
                refuse_reading(func, context_.func_of(node.buffer)->name());
            }
            return body;
        }
        case StmtKind::Block: {
            std::vector<Stmt> parts;
            bool produces = false;
            for (const Stmt &part : stmt.as<Block>()->stmts) {
                const bool stays = operation_of(part) || is_plain_check(part);
                parts.push_back(stays ? part : producer_side(func, part));
                produces = produces || (parts.back().defined() && !stays);
            }
            return produces ? Block::make(parts) : Stmt();
        }
        case StmtKind::Assert:
        case StmtKind::Provide:
        case StmtKind::Realize:
        case StmtKind::Free:
        case StmtKind::Store:
        case StmtKind::Evaluate:
        case StmtKind::Prefetch:
        case StmtKind::Atomic:
        case StmtKind::Launch:
        case StmtKind::Barrier:
            return {};
        }
        unreachable("a statement of no kind");
    }

    /// Waits for another async Func get semaphores of this task, or are removed if the task does not read that Func.
    /// Waits inside of the production, which the consumer's side does not have, belong to this task already.
    Stmt with_own_pairs(FuncId func, const Stmt &producer, const Stmt &rest) {
        const Reads reads(producer);
        const std::set<std::pair<FuncId, int>> shared = waits_in(rest);
        std::map<int32_t, int> own;
        class Renamer : public Mutator {
          public:
            std::function<Stmt(const Stmt &, const Operation &)> change;
            using Mutator::mutate;
            Expr mutate(const Expr &expr) override { return expr; }
            Stmt mutate(const Stmt &stmt) override {
                const std::optional<Operation> found = operation_of(stmt);
                return found ? change(stmt, *found) : recurse(stmt);
            }
        } renamer;
        renamer.change = [&](const Stmt &stmt, const Operation &found) {
            if (found.func == func || (found.name != wait_name && found.name != done_name) ||
                shared.count({found.func, found.pair}) == 0) {
                return stmt;
            }
            if (!reads_values(reads, found.func)) {
                return Stmt();
            }
            const auto [pair, is_new] = own.try_emplace(found.func.value, 0);
            if (is_new) {
                pair->second = pairs_[found.func.value]++;
            }
            return operation(found.name.c_str(), found.func, pair->second);
        };
        return renamer.mutate(producer);
    }

    static std::set<std::pair<FuncId, int>> waits_in(const Stmt &stmt) {
        class Waits : public Visitor {
          public:
            std::set<std::pair<FuncId, int>> found;
            using Visitor::visit;
            void visit(const Expr &) override {}
            void visit(const Stmt &stmt) override {
                const std::optional<Operation> operation = operation_of(stmt);
                if (operation && operation->name == wait_name) {
                    found.emplace(operation->func, operation->pair);
                }
                recurse(stmt);
            }
        } waits;
        waits.visit(stmt);
        return waits.found;
    }

    bool reads_values(const Reads &reads, FuncId func) const {
        for (size_t k = 0; k < graph_.func(func).types.size(); k++) {
            if (reads.buffers.count(context_.buffers.of(func, k)) > 0) {
                return true;
            }
        }
        return false;
    }

    void check_reads(FuncId func, const Stmt &producer, const Stmt &body) const {
        const Reads own(producer), all(body);
        for (const Symbol &mark : all.produced) {
            const FuncDef *other = context_.func_of(mark);
            if (own.produced.count(mark) == 0 && other && reads_values(own, other->id())) {
                refuse_reading(func, other->name());
            }
        }
    }

    // ---- The consumer's side.

    Stmt consumer_side(FuncId func, const Stmt &body, bool at_once) {
        const int pair = pairs_[func.value]++;
        class Rest : public Mutator {
          public:
            std::function<Stmt(const ProducerConsumer &)> change;
            using Mutator::mutate;
            Expr mutate(const Expr &expr) override { return expr; }
            Stmt mutate(const Stmt &stmt) override {
                const auto *node = stmt.as<ProducerConsumer>();
                return node && node->func == mark ? change(*node) : recurse(stmt);
            }
            Symbol mark;
        } rest;
        rest.mark = mark_of(func);
        rest.change = [&](const ProducerConsumer &node) {
            if (node.is_producer) {
                return Stmt();
            }
            if (at_once) {
                bool is_placed = false;
                const Stmt late = wait_late(func, node.body, pair, is_placed);
                return ProducerConsumer::make(node.func, false, late);
            }
            const Stmt done = is_limited(func) ? operation(done_name, func, pair) : Stmt();
            return Block::make({operation(wait_name, func, pair), Stmt(&node), done});
        };
        return rest.mutate(body);
    }

    bool is_forked(const Symbol &mark) const {
        const FuncDef *func = context_.func_of(mark);
        return func && graph_.schedule(func->id()).marks.has(schedule::DirectiveName::async);
    }

    /// Inserts a wait before the first statement that reads the Func. The production of another async Func becomes a
    /// task of its own, which waits for itself and does not order the statements beside it.
    Stmt wait_late(FuncId func, const Stmt &stmt, int pair, bool &is_placed) {
        if (!reads_values(Reads(stmt), func)) {
            return stmt;
        }
        const auto inner = [&](const Stmt &body) { return wait_late(func, body, pair, is_placed); };
        if (const auto *let = stmt.as<LetStmt>(); let && !reads(let->value, func)) {
            return LetStmt::make(let->symbol, let->value, inner(let->body));
        }
        if (const auto *node = stmt.as<ProducerConsumer>(); node && node->is_producer && is_forked(node->func)) {
            bool is_placed_inside = false;
            const int own = pairs_[func.value]++;
            return ProducerConsumer::make(node->func, true, wait_late(func, node->body, own, is_placed_inside));
        }
        if (const auto *node = stmt.as<ProducerConsumer>()) {
            return ProducerConsumer::make(node->func, node->is_producer, inner(node->body));
        }
        if (const auto *allocate = stmt.as<Allocate>()) {
            return Allocate::make(allocate->buffer, allocate->type, allocate->memory, allocate->extents,
                                  inner(allocate->body));
        }
        if (const auto *block = stmt.as<Block>()) {
            std::vector<Stmt> parts;
            for (const Stmt &part : block->stmts) {
                parts.push_back(inner(part));
            }
            return Block::make(parts);
        }
        if (is_placed) {
            return stmt;
        }
        is_placed = true;
        return Block::make({operation(wait_name, func, pair), stmt});
    }

    bool reads(const Expr &expr, FuncId func) const { return reads_values(Reads(Evaluate::make(expr)), func); }
};

/// Replaces the operations by calls on the semaphores of all pairs.
class Expander : public Mutator {
  public:
    explicit Expander(const Forker &forker) : forker_(forker) {}
    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        const std::optional<Operation> found = operation_of(stmt);
        if (!found) {
            return recurse(stmt);
        }
        const Symbol &semaphores = forker_.semaphores().at(found->func.value);
        const int pairs = forker_.pairs().at(found->func.value);
        std::vector<Stmt> calls;
        if (found->name == wait_name) {
            calls.push_back(acquire(semaphores, 2 * found->pair));
        } else if (found->name == done_name) {
            calls.push_back(release(semaphores, 2 * found->pair + 1));
        }
        for (int pair = 0; pair < pairs && found->name == free_name; pair++) {
            calls.push_back(acquire(semaphores, 2 * pair + 1));
        }
        for (int pair = 0; pair < pairs && found->name == ready_name; pair++) {
            calls.push_back(release(semaphores, 2 * pair));
        }
        return Block::make(calls);
    }

  private:
    const Forker &forker_;

    static Stmt release(const Symbol &semaphores, int index) {
        return Evaluate::make(make_extern(Int(32), "fluorite_semaphore_release",
                                          std::vector<Expr>{Forker::address(semaphores), int32(index)}));
    }
    static Stmt acquire(const Symbol &semaphores, int index) {
        const Expr code = make_extern(Int(32), "fluorite_semaphore_acquire",
                                      std::vector<Expr>{Forker::address(semaphores), int32(index)});
        return Assert::make(equals(code, int32(0)), make_extern(Int(32), "fluorite_fork_stopped", std::vector<Expr>{}));
    }
};

} // namespace

Stmt fork_async(const Stmt &stmt, const BoundedLoopNest &nest, const PassContext &context) {
    Forker forker(nest, context);
    if (!stmt.defined() || !forker.has_work()) {
        return stmt;
    }
    const Stmt forked = forker.mutate(stmt);
    return Expander(forker).mutate(forked);
}

} // namespace fluorite::lowering
