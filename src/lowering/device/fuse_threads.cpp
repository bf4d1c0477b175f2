// One index for each dimension of a block.
//
//   gpu_thread for y in [0, +4) { gpu_thread for x in [a, +16) { S } }          if x < 16 { S[x -> x + a] }
//   barrier                                                               -->   barrier
//   gpu_thread for u in [0, +20) { T }                                          if y < 1 { T[u -> x] }
//   V                                                                           if x < 1 && y < 1 { V }
// for threads (x, y) of a block of 20 x 4. The nests of a kernel may differ in depth and extent: the block is as large
// as the largest in each dimension, smaller ones are guarded, and what lacks a dimension runs where its index is 0. A
// statement without loops over threads is the work of one thread.
//
// The extents of the block are computed by the host, before the launch. An extent that depends on the block or on a
// serial loop around is bounded by its greatest value (analysis/interval.h).
//
// Relies on: between two loops over threads of one nest there are only lets and conditions (nest_threads.cpp).
// Does not handle lanes of warps other than as threads. Cost: linear, and a bound for each nest.

#include "lowering/device/fuse_threads.h"

#include "analysis/interval.h"
#include "lowering/device/device_loops.h"
#include "lowering/map_children.h"
#include "rewrite/simplify.h"

#include <algorithm>
#include <utility>

namespace fluorite::lowering {

using namespace ir;

namespace {

Expr thread_index(const Symbol &symbol) { return make_var(Int(32), symbol); }

/// A nest of loops over threads, taken apart.
struct Nest {
    std::vector<const For *> loops; // the outermost first
    Stmt innermost;
};

class Fuser {
  public:
    Fuser(const std::vector<Symbol> &blocks, const std::vector<Expr> &extents, const PassContext &context)
        : context_(context) {
        for (size_t d = 0; d < blocks.size(); d++) {
            const Expr last = rewrite::simplify(sub(extents[d], int32(1)));
            scope_.emplace(blocks[d], analysis::Interval{int32(0), last});
        }
    }

    FusedThreads fuse(const Stmt &body) {
        measure(body);
        for (size_t d = 0; d < extents_.size(); d++) {
            static const char *const names[] = {"thread.x", "thread.y", "thread.z"};
            threads_.push_back(context_.symbols.fresh(SymbolKind::Loop, names[d]));
        }
        return {in_block(body), threads_, extents_};
    }

  private:
    const PassContext &context_;
    analysis::Scope scope_;
    ThreadLoops thread_loops_;
    std::vector<Expr> extents_;
    std::vector<Symbol> threads_;

    /// The greatest value of an extent in any block.
    Expr greatest(const Expr &extent, const For &loop) {
        const analysis::Interval range = analysis::bounds_of(extent, scope_);
        if (!range.max.defined()) {
            throw CompileError("gpu-thread-count",
                               "the loop " + loop.var.name() +
                                   " over threads of a device has an extent that has no bound before "
                                   "the kernel runs; bound the Func, or mark another loop");
        }
        return rewrite::simplify(range.max);
    }

    /// Finds the extents of the block; `left` is how many loops of the nest are still inside.
    void measure(const Stmt &stmt, size_t left = 0) {
        if (!thread_loops_.in(stmt)) {
            return;
        }
        if (is_thread_loop(stmt)) {
            left = left == 0 ? nest_of(stmt).loops.size() : left;
            widen(--left, *stmt.as<For>());
        }
        if (const auto *let = stmt.as<LetStmt>()) {
            scope_.insert_or_assign(let->symbol, analysis::bounds_of(let->value, scope_));
        } else if (const auto *loop = stmt.as<For>()) {
            const analysis::Interval min = analysis::bounds_of(loop->min, scope_);
            const analysis::Interval end = analysis::bounds_of(add(loop->min, loop->extent), scope_);
            const Expr last = end.max.defined() ? rewrite::simplify(sub(end.max, int32(1))) : Expr();
            scope_.insert_or_assign(loop->var, analysis::Interval{min.min, last});
        }
        for_each_child_stmt(stmt, [&](const Stmt &child) { measure(child, left); });
    }

    void widen(size_t dimension, const For &loop) {
        const Expr extent = greatest(loop.extent, loop);
        extents_.resize(std::max(extents_.size(), dimension + 1));
        Expr &most = extents_[dimension]; // inner loops of the nest are still undefined
        if (!most.defined()) {
            most = extent;
        } else if (!equal(most, extent)) {
            most = rewrite::simplify(max_of(most, extent));
        }
    }

    Nest nest_of(const Stmt &outermost) {
        Nest nest;
        for (Stmt stmt = outermost; stmt.defined();) {
            nest.innermost = stmt;
            if (is_thread_loop(stmt)) {
                nest.loops.push_back(stmt.as<For>());
                nest.innermost = nest.loops.back()->body;
                stmt = nest.innermost;
            } else if (const auto *let = stmt.as<LetStmt>()) {
                stmt = let->body;
            } else if (const auto *branch = stmt.as<IfThenElse>(); branch && !branch->else_case.defined()) {
                stmt = branch->then_case;
            } else if (const auto *mark = stmt.as<ProducerConsumer>()) {
                stmt = mark->body;
            } else {
                break;
            }
        }
        const std::string &name = nest.loops.front()->var.name();
        if (thread_loops_.in(nest.innermost)) {
            throw CompileError("gpu-thread-loops",
                               "inside of the loop " + name +
                                   " over threads of a device, loops over threads are in what each thread runs by "
                                   "itself: a stage that is computed there, or a serial loop whose bounds depend on "
                                   "the thread; compute stages at a loop over blocks, and reorder the serial loop "
                                   "inwards");
        }
        if (nest.loops.size() > most_dimensions) {
            throw CompileError("gpu-thread-loops",
                               concat("the loop ", name, " begins a nest of ", nest.loops.size(),
                                      " loops over threads of a device, which has three dimensions; "
                                      "fuse some of the loops"));
        }
        return nest;
    }

    Stmt in_block(const Stmt &stmt) {
        if (is_thread_loop(stmt)) {
            return in_nest(stmt, nest_of(stmt).loops.size());
        }
        if (stmt.kind() == StmtKind::Barrier) {
            return stmt;
        }
        if (!thread_loops_.in(stmt)) {
            return guarded(make_bool(true), 0, stmt);
        }
        return map_child_stmts(stmt, [this](const Stmt &child) { return in_block(child); });
    }

    /// The statement where its condition holds, in threads whose indices from `dimensions` on are 0.
    Stmt guarded(Expr condition, size_t dimensions, const Stmt &stmt) {
        for (size_t d = dimensions; d < threads_.size(); d++) {
            condition = both(condition, less(thread_index(threads_[d]), int32(1)));
        }
        return is_true(condition) ? stmt : IfThenElse::make(condition, stmt);
    }

    /// A nest, or what is inside of `left` more of its loops.
    Stmt in_nest(const Stmt &stmt, size_t left) {
        const size_t all = left;
        Expr condition = make_bool(true);
        Stmt body = inside(stmt, left, condition);
        return guarded(condition, all, body);
    }

    Stmt inside(const Stmt &stmt, size_t left, Expr &condition) {
        if (left == 0) {
            return stmt;
        }
        if (const auto *let = stmt.as<LetStmt>()) {
            Expr inner = make_bool(true);
            const Stmt body = inside(let->body, left, inner);
            return LetStmt::make(let->symbol, let->value, is_true(inner) ? body : IfThenElse::make(inner, body));
        }
        if (const auto *branch = stmt.as<IfThenElse>()) {
            Expr inner = make_bool(true);
            const Stmt body = inside(branch->then_case, left, inner);
            return IfThenElse::make(branch->condition, is_true(inner) ? body : IfThenElse::make(inner, body));
        }
        if (const auto *mark = stmt.as<ProducerConsumer>()) {
            return inside(mark->body, left, condition);
        }
        const For &loop = *stmt.as<For>();
        const size_t dimension = left - 1;
        const Expr index = thread_index(threads_[dimension]);
        if (!equal(loop.extent, extents_[dimension])) {
            condition = both(condition, less(index, loop.extent));
        }
        Expr inner = make_bool(true);
        Stmt body = inside(loop.body, left - 1, inner);
        const Expr value = is_zero(loop.min) ? index : add(loop.min, index);
        inner = substitute(inner, loop.var, value);
        condition = both(condition, inner);
        return substitute(body, loop.var, value);
    }

    static Expr both(const Expr &a, const Expr &b) {
        return is_true(a) ? b : is_true(b) ? a : make_binary(ExprKind::And, a, b);
    }
};

} // namespace

FusedThreads fuse_threads(const Stmt &body, const std::vector<Symbol> &blocks, const std::vector<Expr> &block_extents,
                          const PassContext &context) {
    return Fuser(blocks, block_extents, context).fuse(body);
}

} // namespace fluorite::lowering
