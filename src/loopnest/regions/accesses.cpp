// The reads and writes of stages.
//
// For each distinct call and each read of an input in a stage's expressions, records its coordinates and the condition
// under which it happens. Reads of the predicate itself are unconditional.
// Cost: linear in the distinct nodes of the stage.

#include "loopnest/regions/accesses.h"

#include "ir/expr_traits.h"
#include "ir/extern_stage.h"
#include "loopnest/lowering_graph.h"

#include <algorithm>
#include <unordered_set>

namespace fluorite::loopnest {

using namespace ir;

StageAccesses find_accesses(const Stage &stage) {
    StageAccesses found;
    ExprMap<bool> seen;
    ExprMap<int> operands;
    if (const ExprNode *whole = find_extern_stage(stage)) {
        const std::span<const Expr> all = extern_operands(*whole);
        for (size_t i = 0; i < all.size(); i++) {
            if (const Expr access = extern_access(all[i]); access.defined()) {
                operands[access] = static_cast<int>(i);
            }
        }
    }
    // The predicate and the ranges of RVars come first, so that a read that also occurs in a value counts as
    // unconditional.
    std::vector<Expr> exprs = stage_exprs(stage);
    const size_t guarded = stage.values.size() + stage.args.size();
    std::rotate(exprs.begin(), exprs.begin() + static_cast<long>(guarded), exprs.end());
    for (size_t i = 0; i < exprs.size(); i++) {
        const Expr &expr = exprs[i];
        const Expr condition = i + guarded >= exprs.size() ? stage.predicate : Expr();
        std::vector<std::pair<Symbol, Expr>> lets;
        for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ExprKind::Let) {
                lets.emplace_back(node->symbol(), node->arg(0));
            }
            if ((node->kind() != ExprKind::Call && node->kind() != ExprKind::Image) || seen.count(node)) {
                return;
            }
            seen[node] = true;
            const auto operand = operands.find(node);
            const Access access{node->symbol(),
                                {node->args().begin(), node->args().end()},
                                condition,
                                operand == operands.end() ? -1 : operand->second};
            (node->kind() == ExprKind::Call ? found.calls : found.images).push_back(access);
        });
        found.lets.insert(found.lets.end(), lets.rbegin(), lets.rend());
    }
    return found;
}

Access write_of(const FuncDef &func, size_t stage) {
    return {func.symbol, func.stages[stage].args, func.stages[stage].predicate};
}

namespace {

// Nodes that do not depend on the operands' values being meaningful.
bool is_arithmetic(ExprKind kind) {
    return !is_data(kind) && !may_have_effect(kind) && kind != ExprKind::Let && kind != ExprKind::Undef &&
           kind != ExprKind::MemoizeTag;
}

} // namespace

bool decides_by_own_values(const Stage &stage, const Symbol &own) {
    const auto uses = [&](const Expr &expr) {
        bool found = false;
        for_each_node(expr, [&](const Expr &node) {
            found = found || (node->kind() == ExprKind::Call && node->symbol() == own);
        });
        return found;
    };
    bool found = stage.predicate.defined() && uses(stage.predicate);
    for (const Expr &arg : stage.args) {
        found = found || uses(arg);
    }
    std::unordered_set<const ExprNode *> users; // operands are visited before the nodes that use them
    for (const Expr &value : stage.values) {
        for_each_node(value, [&](const Expr &node) {
            const bool has_users = std::any_of(node->args().begin(), node->args().end(),
                                               [&](const Expr &arg) { return users.contains(arg.get()); });
            found = found || (has_users && !is_arithmetic(node->kind()));
            if (has_users || (node->kind() == ExprKind::Call && node->symbol() == own)) {
                users.insert(node.get());
            }
        });
    }
    return found;
}

} // namespace fluorite::loopnest
