// Barriers between the threads of a block.
//
//   gpu_thread for x in [0, +16) { tile[x] = in[x] }             gpu_thread for x in [0, +16) { tile[x] = in[x] }
//   for k in [0, +4) {                                           for k in [0, +4) {
//     gpu_thread for x in [0, +8) { out[x] = tile[x + k] }  -->    barrier
//     gpu_thread for x in [0, +16) { tile[x] = k } }               gpu_thread for x in [0, +8) { out[x] = tile[x + k] }
//                                                                  barrier
//                                                                  gpu_thread for x in [0, +16) { tile[x] = k } }
//
// Method: a walk in the order of execution, with the accesses since the last barrier to memory that threads share. A
// barrier comes before a statement that accesses a buffer where one of the two is a store. What may be on either way
// of a branch counts, and a condition of one piece of work counts as a part of it: its barrier comes before the
// condition (guard_work.cpp leaves hardly any other). The accesses at the start of an iteration are those before the
// loop and those at the end of any iteration, so that the dependences that a loop carries are kept, too. The end of an
// iteration is found by a walk through the body beforehand, which takes inner loops once, as if they carried nothing:
// it finds fewer barriers than there will be, so its accesses since the last one include those that matter.
//
// Relies on: conditions and extents around the work of threads have the same value in all threads of a block. A buffer
// that a thread's own work allocates is its own. Buffers are told apart by their symbols alone: two accesses of one
// thread to one element count as those of two threads. Cost: linear for each loop around.

#include "lowering/access/body_accesses.h"
#include "lowering/device/device_loops.h"
#include "lowering/device/fuse_threads.h"
#include "support/check.h"

#include <algorithm>
#include <set>
#include <utility>

namespace fluorite::lowering {

using namespace ir;

namespace {

/// Buffers that are loaded from, and those that are stored to.
struct Accesses {
    std::set<Symbol> loaded, stored;

    void add(const Accesses &other) {
        loaded.insert(other.loaded.begin(), other.loaded.end());
        stored.insert(other.stored.begin(), other.stored.end());
    }
    bool conflicts_with(const Accesses &later) const {
        const auto meet = [](const std::set<Symbol> &a, const std::set<Symbol> &b) {
            return std::any_of(a.begin(), a.end(), [&](const Symbol &symbol) { return b.contains(symbol); });
        };
        return meet(stored, later.loaded) || meet(stored, later.stored) || meet(loaded, later.stored);
    }
};

/// The accesses of a statement to memory that it does not allocate itself.
class AccessCollector : public AccessVisitor {
  public:
    Accesses found;

  private:
    void visit_access(const Access &access) override {
        if (!is_allocated_inside(access.buffer)) {
            (access.is_store ? found.stored : found.loaded).insert(access.buffer);
        }
    }
};

Accesses accesses_of(const Stmt &stmt) {
    AccessCollector collector;
    collector.visit(stmt);
    return collector.found;
}
Accesses accesses_of(const Expr &expr) {
    AccessCollector collector;
    collector.visit(expr);
    return collector.found;
}

class BarrierPlacer {
  public:
    Stmt place(const Stmt &stmt) {
        if (thread_loops_.is_guarded_work(stmt)) {
            return after_barrier(wait_for(accesses_of(stmt)), stmt);
        }
        switch (stmt.kind()) {
        case StmtKind::LetStmt: {
            const auto &node = *stmt.as<LetStmt>();
            const bool waits = wait_for(accesses_of(node.value));
            return after_barrier(waits, LetStmt::make(node.symbol, node.value, place(node.body)));
        }
        case StmtKind::Allocate: {
            const auto &node = *stmt.as<Allocate>();
            Accesses sizes;
            for (const Expr &extent : node.extents) {
                sizes.add(accesses_of(extent));
            }
            const bool waits = wait_for(sizes);
            return after_barrier(waits,
                                 Allocate::make(node.buffer, node.type, node.memory, node.extents, place(node.body)));
        }
        case StmtKind::ProducerConsumer: {
            const auto &node = *stmt.as<ProducerConsumer>();
            return ProducerConsumer::make(node.func, node.is_producer, place(node.body));
        }
        case StmtKind::Block: {
            std::vector<Stmt> parts;
            for (const Stmt &part : stmt.as<Block>()->stmts) {
                parts.push_back(place(part));
            }
            return Block::make(std::move(parts));
        }
        case StmtKind::For:
            return loop(*stmt.as<For>());
        case StmtKind::IfThenElse:
            return branch(*stmt.as<IfThenElse>());
        default: // contains no other statement in a kernel, so it is the work of a thread
            unreachable("a statement with a loop over threads is not in a kernel");
        }
    }

  private:
    Accesses since_;          // the last barrier
    bool is_summary_ = false; // of an iteration: what it makes is not used
    ThreadLoops thread_loops_;

    static Stmt after_barrier(bool waits, const Stmt &stmt) {
        return waits ? Block::make({Barrier::make(), stmt}) : stmt;
    }

    /// Whether a barrier has to come before the accesses, which then are the next ones.
    bool wait_for(const Accesses &next) {
        const bool waits = since_.conflicts_with(next);
        if (waits) {
            since_ = {};
        }
        since_.add(next);
        return waits;
    }

    Stmt loop(const For &loop) {
        if (loop.partition == Partition::Always) {
            throw CompileError("gpu-not-possible",
                               concat("the loop ", loop.var.name(),
                                      " is to be cut into boundary and interior, and threads of a device wait for each "
                                      "other inside of it; leave its partition out"));
        }
        Accesses bounds = accesses_of(loop.min);
        bounds.add(accesses_of(loop.extent));
        const bool waits = wait_for(bounds);
        const Accesses before = since_;
        if (!is_summary_) {
            is_summary_ = true;
            place(loop.body);
            is_summary_ = false;
            since_.add(before);
        }
        const Stmt body = place(loop.body);
        since_.add(before); // there may be no iteration
        // Pieces of the loop would have bounds of their own, which may differ between the threads.
        return after_barrier(waits, For::make(loop.var, loop.min, loop.extent, loop.for_kind, body, Partition::Never));
    }

    Stmt branch(const IfThenElse &branch) {
        const bool waits = wait_for(accesses_of(branch.condition));
        const Accesses before = since_;
        const Stmt then_case = place(branch.then_case);
        Accesses after = std::exchange(since_, before);
        const Stmt else_case = branch.else_case.defined() ? place(branch.else_case) : Stmt();
        since_.add(after);
        return after_barrier(waits, IfThenElse::make(branch.condition, then_case, else_case));
    }
};

} // namespace

Stmt place_barriers(const Stmt &body) { return BarrierPlacer().place(body); }

} // namespace fluorite::lowering
