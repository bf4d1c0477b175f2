// Removal of allocations that are never read.
//
//   allocate g[...] { S }   -->   S without its stores to g,    if S has no load of g
// Simplification of selects, ifs and loops without iterations can leave such buffers behind. A buffer whose address
// escapes (its symbol is in a Variable, which is how calls of C functions take it) counts as read.
//
// Repeats until nothing is dead, as a buffer that only feeds a dead one is dead in turn. The operands of removed stores
// are pure except for printing, requirements and C functions; such an operand is still evaluated. Cost: linear for each
// link of the longest chain of dead buffers.

#include "ir/operations.h"
#include "lowering/access/buffer_uses.h"
#include "lowering/late_passes.h"

#include <utility>

namespace fluorite::lowering {

using namespace ir;

namespace {

class ReadCollector : public Visitor {
  public:
    SymbolMap<bool> read;

    using Visitor::visit;
    void visit(const Expr &expr) override {
        for_each_node(expr, [&](const Expr &node) {
            if (buffer_use(node) != BufferUse::None) {
                read[node->symbol()] = true;
            }
        });
    }
};

/// Removes allocations that are not read, and their stores.
class Remover : public Mutator {
  public:
    Remover(const SymbolMap<bool> &read, const PassContext &context) : read_(read), context_(context) {}
    bool changed() const { return changed_; }

    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        if (const Allocate *allocate = stmt.as<Allocate>(); allocate && !read_.contains(allocate->buffer)) {
            changed_ = true;
            context_.beyond(allocate->buffer, "nothing reads its memory, which is left out with the stores to it");
            const bool outer = std::exchange(dead_[allocate->buffer], true);
            Stmt body = mutate(allocate->body);
            dead_[allocate->buffer] = outer;
            return body;
        }
        if (const Store *store = stmt.as<Store>(); store && dead_[store->buffer]) {
            return effects_of(*store);
        }
        if (const ProducerConsumer *mark = stmt.as<ProducerConsumer>(); mark && dead_[mark->func]) {
            return mutate(mark->body); // other buffers inside have marks of their own, or need none
        }
        return recurse(stmt);
    }

  private:
    /// The operands that do more than compute a value, evaluated in the order of a store.
    static Stmt effects_of(const Store &store) {
        std::vector<Stmt> effects;
        for (const Expr &operand : {store.predicate, store.value, store.index}) {
            if (operand.defined() && has_effect(operand)) {
                effects.push_back(Evaluate::make(operand));
            }
        }
        return Block::make(effects);
    }

    const SymbolMap<bool> &read_;
    const PassContext &context_;
    SymbolMap<bool> dead_;
    bool changed_ = false;
};

} // namespace

Stmt remove_dead_allocations(const Stmt &stmt, const PassContext &context) {
    Stmt result = stmt;
    for (bool changed = true; changed && result.defined();) {
        ReadCollector reads;
        reads.visit(result);
        Remover remover(reads.read, context);
        result = remover.mutate(result);
        changed = remover.changed();
    }
    return result;
}

} // namespace fluorite::lowering
