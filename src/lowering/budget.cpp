// A budget for compiles.
//
// What: short programs can ask for enormous code. A Func that is inlined is computed anew at each place that calls it, so a
// chain of k Funcs that each read two places that never coincide (2 x and 2 x + 1) has 2^k leaves; unrolled loops in unrolled
// loops multiply; inlined reductions and specializations copy what is computed inside of them. Each of these is counted
// where it grows, and refused beyond the limits of budget.h by an error that says which Func or loop it was, how often it
// was copied, and what to compute at root instead.
//
// Method: counts of nodes. Of inlining, the distinct calls of each Func in each other one are kept, from which the number of
// copies follows when it is asked for. Cost: linear in what is counted; the walk over a statement after each pass is a small
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

std::string times(double count) {
    constexpr double exact = 1e15;
    return count < exact ? concat(static_cast<int64_t>(count), " times") : std::string("more than 10^15 times");
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

void InlineBudget::note_expanded(FuncId caller, size_t stage, FuncId callee, size_t nodes) {
    calls_[caller.value][callee.value]++;
    walked_ += nodes;
    if (walked_ > working_.budget.inlined_nodes) {
        refuse(caller, stage, concat("more than ", working_.budget.inlined_nodes, " operations are made"));
    }
}

void InlineBudget::check_expanded(FuncId id, size_t stage) {
    const FuncDef &func = working_.func(id);
    const ExprSize size = size_of(func.stages[stage]);
    sizes_[id.value] += size.nodes;
    if (calls_.count(id.value) == 0) {
        return;
    }
    if (size.nodes > working_.budget.stage_nodes) {
        refuse(id, stage, concat(size.nodes, " operations are made"));
    }
    if (size.levels > working_.budget.levels) {
        refuse(id, stage, concat("an expression of ", size.levels, " levels is made"));
    }
}

/// The Funcs inlined in a Func with the number of their copies, most copies first.
std::vector<std::pair<double, int32_t>> InlineBudget::inlined_in(FuncId func) const {
    std::map<int32_t, double> copies{{func.value, 1}};
    // Callers come after what they call.
    for (int32_t id = func.value; id >= 0; id--) {
        const auto of = copies.find(id), its_calls = copies.end();
        const auto calls = calls_.find(id);
        if (of == its_calls || calls == calls_.end()) {
            continue;
        }
        for (const auto &[callee, count] : calls->second) {
            copies[callee] += of->second * count;
        }
    }
    copies.erase(func.value);
    std::vector<std::pair<double, int32_t>> sorted;
    for (const auto &[id, count] : copies) {
        sorted.emplace_back(count, id);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    return sorted;
}

void InlineBudget::refuse(FuncId id, size_t stage, const std::string &seen) const {
    constexpr size_t most_named = 3;
    constexpr size_t worth_root =
        1000; // nodes of what is computed at root: as much as can be saved, and compiled with ease
    const auto name_of = [&](int32_t func) { return working_.func(FuncId(static_cast<size_t>(func))).name(); };
    const std::vector<std::pair<double, int32_t>> inlined = inlined_in(id);
    std::string list;
    int32_t root = inlined.front().second;
    for (size_t i = 0; i < inlined.size(); i++) {
        const auto &[count, func] = inlined[i];
        if (i < most_named) {
            list += concat(list.empty() ? "" : ", ", name_of(func), " ", times(count));
        }
        const auto size = sizes_.find(func), best = sizes_.find(root);
        const bool fits = size != sizes_.end() && size->second <= worth_root;
        root = fits && (best == sizes_.end() || best->second > worth_root || size->second > best->second) ? func : root;
    }
    if (inlined.size() > most_named) {
        list += concat(" and ", inlined.size() - most_named, " more Funcs");
    }
    const FuncDef &func = working_.func(id);
    throw CompileError("program-too-large",
                       concat(place(func, stage), seen, " of what is inlined in it (", list,
                              "); an inlined Func is computed anew at each point that calls it; compute one of them "
                              "once, as in ",
                              name_of(root), ".compute_root()"),
                       func.stages[stage].location);
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
