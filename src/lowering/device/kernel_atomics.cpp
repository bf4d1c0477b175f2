// Atomic updates in kernels.
//
//   atomic f {                                  let p = a * c
//     let p = a * c                             if c < n {
//     let v = f.0[i] + p            -->           atomic f { f.0[i] = f.0[i] + p }
//     let w = max(f.1[i], p)                      atomic f { f.1[i] = max(f.1[i], p) } }
//     if c < n { f.0[i] = v; f.1[i] = w } }
//
// A device has no locks: a thread that waits for one may be what the thread that holds it waits for. It has atomic
// instructions and compare-and-exchange loops on single elements. The values of a tuple that do not
// read each other are updated one by one, as nobody sees them before all updates are made. Lets and conditions that do
// not read what is updated stand outside. Memory of one thread needs no atomic at all.
//
// Relies on: the lanes of a vector store have distinct elements, or are updated one after the other by the back end.
// Does not handle values of a tuple that read each other, and operations that analysis/reduction.h does not know: they
// are refused. Cost: linear.

#include "lowering/device/kernel_atomics.h"

#include "ir/expr_traits.h"
#include "lowering/access/buffer_uses.h"
#include "lowering/access/element_update.h"
#include "lowering/device/device_loops.h"
#include "lowering/device/grid.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace fluorite::lowering {

using namespace ir;

namespace {

constexpr const char *no_operation = "that is no sum, product, minimum, maximum or other operation on the old value";

class StoredBuffers : public Visitor {
  public:
    std::set<Symbol> found;
    using Visitor::visit;
    void visit(const Expr &) override {}
    void visit(const Stmt &stmt) override {
        if (const auto *store = stmt.as<Store>()) {
            found.insert(store->buffer);
        }
        recurse(stmt);
    }
};

/// The body of one atomic update, taken apart.
class AtomicSplitter {
  public:
    AtomicSplitter(const Atomic &atomic, const Symbol &loop) : atomic_(atomic), loop_(loop) {
        stored_.visit(atomic.body);
    }

    bool stores_only(const std::set<Symbol> &buffers) const {
        return std::all_of(stored_.found.begin(), stored_.found.end(),
                           [&](const Symbol &buffer) { return buffers.contains(buffer); });
    }

    Stmt split() { return part(atomic_.body); }

  private:
    const Atomic &atomic_;
    const Symbol &loop_;
    StoredBuffers stored_;
    SymbolMap<Expr> lets_; // those that read what is stored

    [[noreturn]] void refuse(const std::string &lack) const {
        refuse_kernel(loop_, concat("contains an atomic update of ", atomic_.func.name(), " ", lack,
                                    "; leave atomic() out and keep the loop serial"));
    }

    bool reads_stored(const Expr &expr) const {
        return std::any_of(stored_.found.begin(), stored_.found.end(),
                           [&](const Symbol &buffer) { return reads_buffer(expr, buffer); });
    }

    Stmt part(const Stmt &stmt) {
        if (const auto *let = stmt.as<LetStmt>()) {
            const Expr value = substitute(let->value, lets_);
            if (!reads_stored(value)) {
                const Stmt body = part(let->body);
                return body.defined() ? LetStmt::make(let->symbol, value, body) : body;
            }
            lets_[let->symbol] = value;
            return part(let->body);
        }
        if (const auto *block = stmt.as<Block>()) {
            std::vector<Stmt> parts;
            std::transform(block->stmts.begin(), block->stmts.end(), std::back_inserter(parts),
                           [this](const Stmt &each) { return part(each); });
            return Block::make(std::move(parts));
        }
        if (const auto *branch = stmt.as<IfThenElse>()) {
            const Expr condition = substitute(branch->condition, lets_);
            if (reads_stored(condition)) {
                refuse(no_operation);
            }
            const Stmt then = part(branch->then_case);
            const Stmt otherwise = branch->else_case.defined() ? part(branch->else_case) : Stmt();
            return then.defined()        ? IfThenElse::make(condition, then, otherwise)
                   : otherwise.defined() ? IfThenElse::make(make_unary(ExprKind::Not, condition), otherwise)
                                         : Stmt();
        }
        if (const auto *store = stmt.as<Store>()) {
            return update(*store);
        }
        if (stmt.kind() == StmtKind::Assert) { // of place_checks: it says that a check has failed
            return stmt;
        }
        refuse("of several values, which a device cannot update at once");
    }

    Stmt update(const Store &store) {
        const Stmt whole = substitute(Stmt(&store), lets_);
        const Store &single = *whole.as<Store>();
        const bool reads_others = std::any_of(stored_.found.begin(), stored_.found.end(), [&](const Symbol &other) {
            return other != single.buffer && (reads_buffer(single.value, other) || reads_buffer(single.index, other) ||
                                              reads_buffer(single.predicate, other));
        });
        if (reads_others) {
            refuse("of several values, which a device cannot update at once");
        }
        const std::optional<ElementUpdate> update = find_element_update(single);
        if (!update) {
            refuse(no_operation);
        }
        return update->kind == ElementUpdate::Kind::Nothing ? Stmt() : Atomic::make(atomic_.func, whole);
    }
};

class AtomicPlacer : public Mutator {
  public:
    explicit AtomicPlacer(const Symbol &loop) : loop_(loop) {}

    using Mutator::mutate;
    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        const bool was_in_work = std::exchange(is_in_work_, is_in_work_ || thread_loops_.is_work(stmt));
        const Stmt result = changed(stmt);
        is_in_work_ = was_in_work;
        return result;
    }

  private:
    const Symbol &loop_;
    ThreadLoops thread_loops_;
    bool is_in_work_ = false;
    std::set<Symbol> own_; // memory of one thread

    Stmt changed(const Stmt &stmt) {
        if (const auto *allocate = stmt.as<Allocate>(); allocate && is_in_work_) {
            own_.insert(allocate->buffer);
        }
        const auto *atomic = stmt.as<Atomic>();
        if (!atomic) {
            return recurse(stmt);
        }
        AtomicSplitter splitter(*atomic, loop_);
        return splitter.stores_only(own_) ? atomic->body : splitter.split();
    }
};

} // namespace

Stmt place_atomics(const Stmt &body, const Symbol &loop) { return AtomicPlacer(loop).mutate(body); }

} // namespace fluorite::lowering
