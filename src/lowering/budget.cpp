// A budget for compiles.
//
// What: short programs can ask for enormous code. A Func that is inlined is computed anew at each place that calls it, so a
// chain of k Funcs that each read two places that never coincide (2 x and 2 x + 1) has 2^k leaves; unrolled loops in unrolled
// loops multiply; inlined reductions and specializations copy what is computed inside of them. Each of these is counted
// where it grows, and refused beyond the limits of budget.h by an error that says which Func or loop it was, how often it
// was copied, and what to compute at root instead.
//
// Method: counts of nodes, and of the distinct calls of each Func that one stage has come to. Cost: linear in what is counted; the walk over a statement after each pass is a small
// part of the pass.

#include "lowering/budget.h"

#include "support/check.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace fluorite::lowering {

using namespace ir;

namespace {

std::string place(const FuncDef &func, size_t stage) { return concat("in ", func.name(), ", stage ", stage, ": "); }

std::vector<Expr> expressions_of(const Stage &stage) {
    std::vector<Expr> exprs = stage.args;
    exprs.insert(exprs.end(), stage.values.begin(), stage.values.end());
    if (stage.predicate.defined()) {
        exprs.push_back(stage.predicate);
    }
    for (const ReductionVar &rvar : stage.rvars) {
        exprs.push_back(rvar.min);
        exprs.push_back(rvar.extent);
    }
    return exprs;
}

/// All nodes, and the depth of the deepest.
ExprSize size_of(const Stage &stage) {
    ExprSize total;
    for (const Expr &expr : expressions_of(stage)) {
        const ExprSize size = lowering::size_of(expr);
        total.nodes += size.nodes;
        total.levels = std::max(total.levels, size.levels);
    }
    return total;
}

/// How often a value fills a register.
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

/// The nodes of each Func's stores.
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

ExprSize size_of(const Expr &expr) {
    ExprSize size;
    std::unordered_map<const ExprNode *, size_t> levels;
    for_each_node(expr, [&](const Expr &node) {
        size_t level = 0;
        for (const Expr &arg : node->args()) {
            const auto found = levels.find(arg.get());
            level = std::max(level, found == levels.end() ? 1 : found->second);
        }
        size.nodes++;
        size.levels = std::max(size.levels, level + 1);
        if (level > 0) { // leaves are many, and have one level
            levels[node.get()] = level + 1;
        }
    });
    return size;
}

size_t count_nodes(const Stmt &stmt, size_t most) {
    NodeCounter counter(most);
    counter.visit(stmt);
    return counter.count;
}

void InlineBudget::check_written(FuncId id, size_t stage) const {
    const FuncDef &func = working_.func(id);
    const ExprSize size = size_of(func.stages[stage]);
    if (size.levels > working_.budget.levels) {
        throw CompileError("expression-too-deep",
                           concat(place(func, stage), "its definition is an expression of ", size.levels,
                                  " levels; at most ", working_.budget.levels,
                                  " are compiled; add up over an RDom, or define parts of it as Funcs of their own"),
                           func.stages[stage].location);
    }
    if (size.nodes > working_.budget.stage_nodes) {
        throw CompileError("program-too-large",
                           concat(place(func, stage), "its definition has ", size.nodes, " operations; at most ",
                                  working_.budget.stage_nodes,
                                  " are compiled in one place; use an RDom, or define parts of it as Funcs of their "
                                  "own, computed at root"),
                           func.stages[stage].location);
    }
}

void InlineBudget::begin_stage(FuncId func, size_t stage) {
    func_ = func, stage_ = stage, level_ = 0;
    copies_.clear();
}

void InlineBudget::note_expanded(FuncId callee, const Expr &definition) {
    copies_[callee.value]++;
    walked_ += node_count(definition);
    if (walked_ > working_.budget.inlined_nodes) {
        refuse(concat("more than ", working_.budget.inlined_nodes, " operations are made"));
    }
}

void InlineBudget::end_stage() {
    if (copies_.empty()) {
        return;
    }
    const ExprSize size = size_of(working_.func(func_).stages[stage_]);
    if (size.nodes > working_.budget.stage_nodes) {
        refuse(concat(size.nodes, " operations are made"));
    }
    if (size.levels > working_.budget.levels) {
        refuse_depth();
    }
}

void InlineBudget::refuse_depth() const {
    refuse(concat("an expression of more than ", working_.budget.levels, " levels is made"));
}

// The Func to compute at root is one in the middle: with so few copies that they are few values to compute, and so many that
// computing them once saves most of the work.
void InlineBudget::refuse(const std::string &seen) const {
    constexpr size_t most_named = 3;
    std::vector<std::pair<int64_t, int32_t>> inlined;
    for (const auto &[id, count] : copies_) {
        inlined.emplace_back(count, id);
    }
    std::stable_sort(inlined.begin(), inlined.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    const auto name_of = [&](int32_t func) { return working_.func(FuncId(static_cast<size_t>(func))).name(); };
    std::string list;
    for (size_t i = 0; i < inlined.size() && i < most_named; i++) {
        list += concat(list.empty() ? "" : ", ", name_of(inlined[i].second), " ", inlined[i].first, " times");
    }
    if (inlined.size() > most_named) {
        list += concat(" and ", inlined.size() - most_named, " more Funcs");
    }
    const auto few = static_cast<int64_t>(std::sqrt(static_cast<double>(inlined.front().first)));
    const auto middle =
        std::find_if(inlined.begin(), inlined.end(), [&](const auto &one) { return one.first <= 2 * few; });
    const FuncDef &func = working_.func(func_);
    throw CompileError(
        "program-too-large",
        concat(place(func, stage_), seen, " of what is inlined in it (", list,
               "); an inlined Func is computed anew at each point that calls it; compute one of them once, as in ",
               name_of(middle == inlined.end() ? inlined.back().second : middle->second), ".compute_root()"),
        func.stages[stage_].location);
}

void check_funcs(const Working &working, FuncId copied) {
    const std::vector<FuncDef> &funcs = working.pipeline.graph.funcs;
    if (funcs.size() > working.budget.funcs) {
        const FuncDef &func = working.func(copied);
        throw CompileError("program-too-large",
                           concat("in ", func.name(), ": the pipeline has more than ", working.budget.funcs,
                                  " Funcs, with copies of those that are computed inside of several others; each "
                                  "stage and specialization that uses an inlined reduction gets a copy of it; "
                                  "compute it once, as in ",
                                  func.name(), ".compute_root()"),
                           func.location);
    }
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
    const std::string name = dim ? dim->var : loop.var.name();
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
