#pragma once
// The accesses of a loop's body, in the order of execution.
//
//   class Inputs : public AccessVisitor {
//       void visit_access(const Access &access) override {
//           if (!access.is_store) {
//               read.push_back(expand(access.index));
//           }
//       }
//   };

#include "lowering/access/let_scope.h"

#include <vector>

namespace fluorite::lowering {

struct Access {
    ir::Symbol buffer;
    Type type;             // of the value
    Expr index, predicate; // as they are written, with the names of lets
    bool is_store = false;
    /// The store itself, or the one whose value loads; null for other loads, as of a let, an index or a bound.
    const ir::Store *store = nullptr;
};

/// Visits the accesses of a body: those of a store in the order value, index, predicate, then the store itself.
class AccessVisitor : public ir::Visitor {
  public:
    void visit(const Expr &expr) override { visit_loads(expr, nullptr); }
    void visit(const ir::Stmt &stmt) override;

  protected:
    virtual void visit_access(const Access &access) = 0;
    /// Gets each other node of an expression, operands before the node; a node that an expression uses twice once.
    virtual void visit_node(const Expr & /*node*/) {}

    /// The expression with the lets of the body around it substituted.
    Expr expand(const Expr &expr) const { return scope_.expand(expr); }
    /// The variables of the loops in the body around the statement, the outermost first.
    const std::vector<ir::Symbol> &loops() const { return loops_; }
    /// Whether the buffer is allocated in the body, around the statement.
    bool is_allocated_inside(const ir::Symbol &buffer) const { return allocated_.contains(buffer); }

  private:
    LetScope scope_;
    std::vector<ir::Symbol> loops_;
    ir::SymbolMap<bool> allocated_;

    void visit_loads(const Expr &expr, const ir::Store *store);
    void visit_store(const ir::Store &store);
};

/// Whether a statement without branches may have marks (ProducerConsumer).
enum class Marks : uint8_t { LookedThrough, Excluded };

/// Whether a statement consists of stores and lets, which run once and in order.
bool is_straight(const ir::Stmt &stmt, Marks marks);

} // namespace fluorite::lowering
