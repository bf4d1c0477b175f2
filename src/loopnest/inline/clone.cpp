// Copies of Funcs and of their uses, on the graph.
//
// A clone has its own symbols for itself, its arguments and its RVars (symbols record their owner). It calls what the
// original calls, and itself where the original calls itself; the caller redirects consumers with retarget. It has the
// schedule of the original. The caller also maintains LoweringGraph::variants and the position in LoweringGraph::order.
// Cost: linear in the definition.

#include "loopnest/inline/clone.h"

namespace fluorite::loopnest {

using namespace ir;

Expr retarget(const Expr &expr, const Symbol &from, const Symbol &to) {
    std::unordered_map<const ExprNode *, Expr> done;
    std::function<Expr(const Expr &)> visit = [&](const Expr &node) -> Expr {
        auto found = done.find(node.get());
        if (found != done.end()) {
            return found->second;
        }
        Expr result = map_operands(node, visit);
        if (result->kind() == ExprKind::Call && result->symbol() == from) {
            std::vector<Expr> args(result->args().begin(), result->args().end());
            result = make_call(result.type(), to, result->member().index, args);
        }
        done.emplace(node.get(), result);
        return result;
    };
    return visit(expr);
}

void change_exprs(Stage &stage, const std::function<Expr(const Expr &)> &change) {
    for (std::vector<Expr> *list : {&stage.args, &stage.values}) {
        for (Expr &expr : *list) {
            expr = change(expr);
        }
    }
    if (stage.predicate.defined()) {
        stage.predicate = change(stage.predicate);
    }
    for (ReductionVar &rvar : stage.rvars) {
        rvar.min = change(rvar.min);
        rvar.extent = change(rvar.extent);
    }
}

FuncId clone_func(LoweringGraph &graph, FuncId id, const std::string &suffix, CopyReason reason) {
    Graph &definitions = graph.pipeline.graph;
    FuncDef copy = graph.func(id);
    copy.copied_name = graph.func(id).user_name();
    copy.copy_reason = reason;
    Symbol old_symbol = copy.symbol;
    FuncId new_id(definitions.funcs.size());
    SymbolOwner owner = old_symbol.owner();
    owner.func = new_id;
    copy.symbol = Symbol(SymbolKind::Func, old_symbol.name() + suffix, owner);
    SymbolMap<Expr> renamed;
    auto rename = [&](Symbol &symbol) {
        SymbolOwner its = symbol.owner();
        its.func = new_id;
        Symbol fresh(symbol.kind(), symbol.name() + suffix, its);
        renamed[symbol] = make_var(Int(32), fresh);
        symbol = fresh;
    };
    for (Symbol &arg : copy.args) {
        rename(arg);
    }
    for (Stage &stage : copy.stages) {
        for (ReductionVar &rvar : stage.rvars) {
            rename(rvar.var);
        }
    }
    for (Stage &stage : copy.stages) {
        change_exprs(stage,
                     [&](const Expr &expr) { return retarget(substitute(expr, renamed), old_symbol, copy.symbol); });
    }
    definitions.funcs.push_back(copy);
    graph.pipeline.schedule.funcs.push_back(graph.pipeline.schedule.func(id));
    return new_id;
}

} // namespace fluorite::loopnest
