// Whether the indices of accesses are simple.
//
// Method: each index is simplified by itself and compared in size. Sizes and not structures, because the order of
// operands in sums may change once more where the surroundings of an index are not known. An index that differs is a
// missed optimization and not a wrong program, which is why nothing else would show it.
//
// Cost: one simplification of every distinct index.

#include "lowering/verify_simplified.h"

#include "rewrite/simplify.h"
#include "support/check.h"

#include <unordered_set>

namespace fluorite::lowering {

namespace {

using Nodes = std::unordered_set<const ir::ExprNode *>;

void collect(const Expr &expr, Nodes &nodes) {
    if (nodes.insert(expr.get()).second) {
        for (const Expr &arg : expr->args()) {
            collect(arg, nodes);
        }
    }
}

size_t size_of(const Expr &expr) {
    Nodes nodes;
    collect(expr, nodes);
    return nodes.size();
}

class Indices : public ir::Visitor {
  public:
    void visit(const Expr &expr) override {
        if (!seen_.insert(expr.get()).second) {
            return;
        }
        kept_.push_back(expr);
        if (expr->kind() == ir::ExprKind::Load) {
            check_index(expr->symbol(), expr->arg(0));
        }
        recurse(expr);
    }
    void visit(const ir::Stmt &stmt) override {
        if (const auto *store = stmt.as<ir::Store>()) {
            check_index(store->buffer, store->index);
        }
        recurse(stmt);
    }

  private:
    Nodes seen_;
    std::vector<Expr> kept_; // so that no address is used again

    static void check_index(const ir::Symbol &buffer, const Expr &index) {
        const Expr simplified = rewrite::simplify(index);
        if (size_of(simplified) < size_of(index)) {
            throw InternalError(concat("the index of an access to ", buffer.name(), " is simplified; ", index,
                                       " becomes ", simplified));
        }
    }
};

} // namespace

void verify_simplified(const ir::Stmt &stmt) {
    Indices indices;
    indices.visit(stmt);
}

} // namespace fluorite::lowering
