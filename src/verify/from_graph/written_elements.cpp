#include "verify/from_graph/written_elements.h"

#include "verify/from_graph/convert.h"

namespace fluorite::verify {

bool is_pure(const ir::FuncDef &func, const ir::Stage &stage, size_t dimension) {
    const Expr &at = stage.args[dimension];
    return ir::is_kind(at, ir::ExprKind::Variable) && at->symbol() == func.args[dimension];
}

bool is_written_element(const Expr &call, const ir::Stage &stage) {
    for (size_t d = 0; d < stage.args.size(); d++) {
        if (!ir::equal(ir::expand_lets(call->arg(d)), ir::expand_lets(stage.args[d]))) {
            return false;
        }
    }
    return true;
}

bool is_loop(const ir::FuncDef &func, size_t stage, size_t dimension) {
    return stage == 0 || is_pure(func, func.stages[stage], dimension);
}

bool writes_elsewhere(const ir::FuncDef &func, size_t stage) {
    for (size_t d = 0; d < func.dimensions(); d++) {
        if (!is_loop(func, stage, d)) {
            return true;
        }
    }
    return false;
}

bool reads_other_elements(const ir::FuncDef &func, size_t stage) {
    if (!writes_elsewhere(func, stage)) {
        return false;
    }
    const ir::Stage &update = func.stages[stage];
    std::vector<Expr> read = update.values;
    read.insert(read.end(), update.args.begin(), update.args.end());
    read.push_back(update.predicate);
    bool others = false;
    for (const Expr &expr : read) {
        if (expr.defined()) {
            ir::for_each_node(ir::expand_lets(expr), [&](const Expr &node) {
                const bool is_own = node->kind() == ir::ExprKind::Call && node->symbol() == func.symbol;
                others = others || (is_own && !is_written_element(node, update));
            });
        }
    }
    return others;
}

bool is_scan(const ir::FuncDef &func) {
    for (size_t k = 1; k < func.stages.size(); k++) {
        if (reads_other_elements(func, k)) {
            return true;
        }
    }
    return false;
}

} // namespace fluorite::verify
