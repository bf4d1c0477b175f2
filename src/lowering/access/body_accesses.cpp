// The walk over the accesses of a body.
//
// Lets are not expanded during the walk: most users ask for the index of few of the accesses. A load that is a node of
// several expressions is visited once for each of them.
//
// Relies on: flat IR. Cost: linear in the distinct nodes of each expression, and in the values of the lets.

#include "lowering/access/body_accesses.h"

#include <algorithm>

namespace fluorite::lowering {

using namespace ir;

void AccessVisitor::visit(const Stmt &stmt) {
    switch (stmt.kind()) {
    case StmtKind::LetStmt: {
        const auto &let = *stmt.as<LetStmt>();
        visit(let.value);
        scope_.push(let.symbol, let.value);
        visit(let.body);
        return scope_.pop(let.symbol);
    }
    case StmtKind::For: {
        const auto &loop = *stmt.as<For>();
        visit(loop.min);
        visit(loop.extent);
        loops_.push_back(loop.var);
        visit(loop.body);
        return loops_.pop_back();
    }
    case StmtKind::Allocate: {
        const auto &allocate = *stmt.as<Allocate>();
        allocated_[allocate.buffer] = true;
        recurse(stmt);
        allocated_.erase(allocate.buffer);
        return;
    }
    case StmtKind::Store:
        return visit_store(*stmt.as<Store>());
    default: // statements that access only through their expressions, and bind nothing
        return recurse(stmt);
    }
}

void AccessVisitor::visit_store(const Store &store) {
    visit_loads(store.value, &store);
    visit(store.index);
    visit(store.predicate);
    visit_access({store.buffer, store.value.type(), store.index, store.predicate, true, &store});
}

void AccessVisitor::visit_loads(const Expr &expr, const Store *store) {
    for_each_node(expr, [&](const Expr &node) {
        if (node->kind() == ExprKind::Load) {
            visit_access({node->symbol(), node.type(), node->arg(0), node->arg(1), false, store});
        } else {
            visit_node(node);
        }
    });
}

bool is_straight(const Stmt &stmt, Marks marks) {
    switch (stmt.kind()) {
    case StmtKind::Store:
        return true;
    case StmtKind::LetStmt:
        return is_straight(stmt.as<LetStmt>()->body, marks);
    case StmtKind::ProducerConsumer:
        return marks == Marks::LookedThrough && is_straight(stmt.as<ProducerConsumer>()->body, marks);
    case StmtKind::Block: {
        const std::vector<Stmt> &stmts = stmt.as<Block>()->stmts;
        return std::all_of(stmts.begin(), stmts.end(), [&](const Stmt &each) { return is_straight(each, marks); });
    }
    default: // statements that branch, repeat, take memory or call
        return false;
    }
}

} // namespace fluorite::lowering
