// A budget for statements.
//
// Nested unrolled loops multiply, and each copy becomes code. Nodes are counted before a loop is unrolled and after
// each pass. A statement with more than the limit in loopnest/budget.h is refused; the error names the Func whose
// stores have the most nodes, or the unrolled loop, and suggests smaller factors.
//
// Cost: linear in the statement, after each pass.

#include "lowering/statement_budget.h"

#include "support/check.h"
#include "support/loop_name.h"

#include <algorithm>
#include <map>

namespace fluorite::lowering {

using namespace ir;
using namespace loopnest;

namespace {

/// How many registers a value fills.
size_t registers_of(Type type) {
    constexpr int register_bits = 512;
    return type.is_scalar() ? 1 : static_cast<size_t>(std::max(type.lanes() * type.bits() / register_bits, 1));
}

class NodeCounter : public Visitor {
  public:
    explicit NodeCounter(size_t most) : most_(most) {}
    size_t count = 0;

    void visit(const Expr &expr) override {
        for_each_node(expr, [&](const Expr &node) { count += registers_of(node.type()); });
    }
    void visit(const Stmt &stmt) override {
        count++;
        if (count <= most_) {
            recurse(stmt);
        }
    }

  private:
    size_t most_;
};

/// The number of nodes in the stores of each Func.
class NodesByFunc : public Visitor {
  public:
    explicit NodesByFunc(const PassContext &context) : context_(context) {}
    std::map<int32_t, size_t> counts;

    using Visitor::visit;
    void visit(const Stmt &stmt) override {
        if (const Store *store = stmt.as<Store>()) {
            add(store->buffer, stmt);
            return;
        }
        if (const Provide *provide = stmt.as<Provide>()) {
            add(provide->func, stmt);
            return;
        }
        recurse(stmt);
    }

  private:
    const PassContext &context_;

    void add(const Symbol &target, const Stmt &stmt) {
        if (const FuncDef *func = context_.func_of(target)) {
            counts[func->id().value] += count_nodes(stmt, context_.options.budget.statement_nodes);
        }
    }
};

} // namespace
size_t count_nodes(const Stmt &stmt, size_t most) {
    NodeCounter counter(most);
    counter.visit(stmt);
    return counter.count;
}

void check_statement(const Stmt &stmt, const PassContext &context) {
    const size_t most_nodes = context.options.budget.statement_nodes;
    if (count_nodes(stmt, most_nodes) <= most_nodes) {
        return;
    }
    NodesByFunc nodes(context);
    nodes.visit(stmt);
    const FuncDef *largest = nullptr;
    size_t most = 0, total = 0;
    for (const auto &[id, count] : nodes.counts) {
        total += count;
        if (count > most) {
            most = count;
            largest = &context.pipeline.graph.funcs[static_cast<size_t>(id)];
        }
    }
    throw CompileError("program-too-large",
                       concat("in ", largest ? largest->name() : "the pipeline",
                              ": the loops of the pipeline have more than ", most_nodes, " operations, ",
                              total > 0 ? most * 100 / total : 0,
                              " in 100 of them to store this Func; all of it becomes code; unroll and vectorize by "
                              "smaller factors, or compute what it calls at root"),
                       largest ? largest->location : Location());
}

void check_copies(const For &loop, int64_t copies, const Stmt &body, const PassContext &context) {
    const size_t most_nodes = context.options.budget.statement_nodes;
    const size_t nodes = count_nodes(body, most_nodes);
    if (copies <= 1 || nodes * static_cast<size_t>(copies) <= most_nodes) {
        return;
    }
    const FuncDef *func = context.func_of(loop.var);
    const schedule::LoopDim *dim = context.loop_dim_of(loop.var);
    const std::string name = with_dotted_loops(dim ? dim->var : loop.var.name());
    throw CompileError("program-too-large",
                       concat("in ", func ? func->name() : "the pipeline", ", stage ",
                              std::max(loop.var.owner().stage, 0), ": the loop ", name, " is unrolled ", copies,
                              " times, with ", nodes, " operations in each copy; at most ", most_nodes,
                              " are compiled; unroll by a smaller factor, or fewer of the loops inside of it"),
                       dim    ? dim->location
                       : func ? func->location
                              : Location());
}

} // namespace fluorite::lowering
