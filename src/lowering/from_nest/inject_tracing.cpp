// Tracing: adds events for the loads, stores and realizations of traced Funcs, and for the pipeline.
//
// For a Func f that traces everything:
//   realize f over [a, +w) { produce f { f(x) = v } consume f { ... f(x) ... } }
//   -->
//   realize f over [a, +w) {
//     let id = trace(f, begin_realization, parent, a, w)
//     { let id' = trace(f, produce, id, a, w)
//       { let t = v; f(x) = t; trace(f, store, id', t, x) }
//       trace(f, end_produce, id', a, w) }
//     { ... consume likewise: let t = f(x) { trace(f, load, id'', t, x); ... t ... } }
//     trace(f, end_realization, id, a, w)
//   }
// An event is an Extern `trace(...)`, whose operands ir/operations.def gives and which back ends expand in place. It
// takes vectors, so a vectorized loop gives one event of several lanes; under a mask, one for each active lane.
// Realizations of outputs span the pipeline.
//
// Texts that the program has added to Funcs and inputs (add_trace_tag) are events of their own, before all others but
// the begin of the pipeline, for those that are traced; if the pipeline is, for all.
//
// Method: each traced load of a statement is bound by a let before the statement, operands first, and followed by its
// event. Lets inside the expressions are expanded before. So both sides of a select are loaded, as the language
// specifies. What a C function loads and stores has no events.
//
// Relies on: split_tuples (one value per store; buffers name their Func and element). Events inside a parallel loop
// come in the order of execution. Cost: linear; nothing if nothing is traced.

#include "lowering/late_passes.h"
#include "lowering/storage/storage_layout.h"

#include "fluorite/runtime_abi.h"
#include "ir/extern_stage.h"

#include <functional>
#include <set>
#include <unordered_map>

namespace fluorite::lowering {

using namespace ir;

namespace {

class Tracer : public Mutator {
  public:
    explicit Tracer(const PassContext &context) : context_(context), graph_(context.pipeline.graph) {}

    bool is_needed() const {
        bool needed = graph_.trace_pipeline;
        for (const FuncDef &func : graph_.funcs) {
            needed = needed || func.trace_loads || func.trace_stores || func.trace_realizations;
        }
        for (const InputDef &input : graph_.inputs) {
            needed = needed || input.trace_loads;
        }
        return needed;
    }

    Stmt trace_all(const Stmt &stmt) {
        parent_ = make_zero(Int(32));
        if (!graph_.trace_pipeline) {
            return Block::make({tags_in(stmt), trace_outputs(stmt, 0)});
        }
        Event begin{context_.options.name, fluorite_trace_begin_pipeline, fluorite_trace_end_pipeline, {}};
        return between(begin, [&] { return Block::make({tags_in(stmt), trace_outputs(stmt, 0)}); });
    }

    Expr mutate(const Expr &expr) override { return expr; }
    Stmt mutate(const Stmt &stmt) override {
        switch (stmt.kind()) {
        case StmtKind::Realize:
            return trace_realize(*stmt.as<Realize>());
        case StmtKind::ProducerConsumer:
            return trace_production(*stmt.as<ProducerConsumer>());
        case StmtKind::Provide:
            return trace_provide(*stmt.as<Provide>());
        case StmtKind::LetStmt: {
            const auto &let = *stmt.as<LetStmt>();
            return after_loads({let.value}, [&](std::vector<Expr> exprs) {
                return LetStmt::make(let.symbol, exprs[0], mutate(let.body));
            });
        }
        case StmtKind::For: {
            const auto &loop = *stmt.as<For>();
            return after_loads({loop.min, loop.extent}, [&](std::vector<Expr> exprs) {
                return For::make(loop.var, exprs[0], exprs[1], loop.for_kind, mutate(loop.body), loop.partition);
            });
        }
        case StmtKind::IfThenElse: {
            const auto &branch = *stmt.as<IfThenElse>();
            return after_loads({branch.condition}, [&](std::vector<Expr> exprs) {
                const Stmt else_case = branch.else_case.defined() ? mutate(branch.else_case) : Stmt();
                return IfThenElse::make(exprs[0], mutate(branch.then_case), else_case);
            });
        }
        case StmtKind::Evaluate:
            return after_loads({stmt.as<Evaluate>()->value},
                               [&](std::vector<Expr> exprs) { return Evaluate::make(exprs[0]); });
        default: // statements without loads of their own
            return recurse(stmt);
        }
    }

  private:
    using Coordinates = std::vector<Expr>;
    /// A pair of events around a part of the program, and the box that they report.
    struct Event {
        std::string func;
        fluorite_trace_event_code_t begin, end;
        Coordinates box;
    };

    const PassContext &context_;
    const Graph &graph_;
    Expr parent_;                     // of the events at the current position
    SymbolMap<Coordinates> realized_; // the box of each realized buffer

    /// An event for each tag of what is traced and computed in the statement.
    Stmt tags_in(const Stmt &stmt) {
        Produced produced;
        produced.visit(stmt);
        std::vector<Stmt> events;
        const auto add = [&](const std::string &name, const std::vector<std::string> &tags) {
            for (const std::string &tag : tags) {
                events.push_back(
                    Evaluate::make(call(name, fluorite_trace_tag, parent_, 0, Int(32), make_string(""), {}, tag)));
            }
        };
        for (const InputDef &input : graph_.inputs) {
            if (graph_.trace_pipeline || input.trace_loads) {
                add(input.symbol.name(), input.trace_tags);
            }
        }
        for (const FuncDef &func : graph_.funcs) {
            const bool is_traced =
                graph_.trace_pipeline || func.trace_loads || func.trace_stores || func.trace_realizations;
            if (is_traced && produced.funcs.contains(func.id())) {
                add(func.name(), func.trace_tags);
            }
        }
        return Block::make(events);
    }

    /// The Funcs that a statement computes.
    struct Produced : Visitor {
        std::set<FuncId> funcs;
        using Visitor::visit;
        void visit(const Expr &) override {}
        void visit(const Stmt &stmt) override {
            if (const auto *node = stmt.as<ProducerConsumer>()) {
                funcs.insert(node->func.owner().func);
            }
            recurse(stmt);
        }
    };

    static Expr call(const std::string &func, fluorite_trace_event_code_t code, const Expr &parent, int value_index,
                     Type type, const Expr &value, const Coordinates &coordinates, const std::string &tag = "") {
        const fluorite_type_t plain(static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()));
        std::vector<Expr> args = {make_string(func),
                                  make_int(Int(32), code),
                                  parent,
                                  make_int(Int(32), value_index),
                                  make_string(tag),
                                  make_uint(UInt(32), plain.as_u32()),
                                  value};
        args.insert(args.end(), coordinates.begin(), coordinates.end());
        return make_extern(Int(32), "trace", args);
    }

    static Expr box_call(const Event &event, fluorite_trace_event_code_t code, const Expr &parent, Type type) {
        return call(event.func, code, parent, 0, type, make_string(""), event.box);
    }

    /// The statement between two events; the first is the parent of all events in the statement.
    Stmt between(const Event &event, const std::function<Stmt()> &make_body, Type type = Int(32)) {
        const Expr outer = parent_;
        const Expr begin = box_call(event, event.begin, outer, type);
        const Symbol id = context_.symbols.fresh_let(event.func + ".trace_id", begin);
        parent_ = make_var(Int(32), id);
        const Stmt body = make_body();
        const Stmt end = Evaluate::make(box_call(event, event.end, parent_, type));
        parent_ = outer;
        return LetStmt::make(id, begin, Block::make({body, end}));
    }

    /// The caller realizes the outputs, so their events enclose the whole pipeline.
    Stmt trace_outputs(const Stmt &stmt, size_t from) {
        for (size_t i = from; i < graph_.outputs.size(); i++) {
            const FuncDef &func = graph_.func(graph_.outputs[i]);
            const Symbol &buffer = context_.buffers.of(func.id(), 0);
            Coordinates box;
            for (int d = 0; d < static_cast<int>(func.dimensions()); d++) {
                box.push_back(make_field(buffer, Field::Min, d));
                box.push_back(make_field(buffer, Field::Extent, d));
            }
            realized_[buffer] = box;
            if (func.trace_realizations) {
                Event event{func.name(), fluorite_trace_begin_realization, fluorite_trace_end_realization, box};
                return between(event, [&] { return trace_outputs(stmt, i + 1); }, func.types[0]);
            }
        }
        return mutate(stmt);
    }

    Stmt trace_realize(const Realize &realize) {
        if (only_takes_memory(realize, context_)) {
            return Realize::make(realize.func, realize.types, realize.memory, realize.bounds, mutate(realize.body));
        }
        const FuncDef *func = context_.func_of(realize.func);
        Coordinates box;
        for (const Range &range : realize.bounds) {
            box.push_back(range.min);
            box.push_back(range.extent);
        }
        realized_[realize.func] = box;
        const bool traced = func && func->trace_realizations && realize.func.owner().dim == DimId(0);
        Event event{traced ? func->name() : "", fluorite_trace_begin_realization, fluorite_trace_end_realization, box};
        const Stmt body =
            traced ? between(event, [&] { return mutate(realize.body); }, func->types[0]) : mutate(realize.body);
        return Realize::make(realize.func, realize.types, realize.memory, realize.bounds, body);
    }

    Stmt trace_production(const ProducerConsumer &node) {
        const FuncDef *func = context_.func_of(node.func);
        if (!func || !func->trace_realizations) {
            return ProducerConsumer::make(node.func, node.is_producer, mutate(node.body));
        }
        Event event{func->name(), fluorite_trace_produce, fluorite_trace_end_produce, realized_[node.func]};
        if (!node.is_producer) {
            event.begin = fluorite_trace_consume;
            event.end = fluorite_trace_end_consume;
        }
        const Stmt body = between(event, [&] { return mutate(node.body); }, func->types[0]);
        return ProducerConsumer::make(node.func, node.is_producer, body);
    }

    Stmt trace_provide(const Provide &provide) {
        std::vector<Expr> exprs = provide.args;
        exprs.push_back(provide.predicate);
        exprs.push_back(provide.values[0]);
        return after_loads(exprs, [&](std::vector<Expr> ready) {
            const FuncDef *func = context_.func_of(provide.func);
            const Expr value = ready.back();
            ready.pop_back();
            const Expr predicate = ready.back();
            ready.pop_back();
            if (!func || !func->trace_stores) {
                return Provide::make(provide.func, provide.stage, {value}, ready, predicate);
            }
            return traced_store(provide, *func, value, predicate, ready);
        });
    }

    Stmt traced_store(const Provide &provide, const FuncDef &func, const Expr &value, const Expr &predicate,
                      const Coordinates &args) {
        std::vector<std::pair<Symbol, Expr>> lets;
        auto bind = [&](const Expr &expr) {
            if (is_const(expr) || expr->kind() == ExprKind::Variable) {
                return expr;
            }
            lets.emplace_back(context_.symbols.fresh_let(func.name() + ".stored", expr), expr);
            return make_var(expr.type(), lets.back().first);
        };
        const Expr where = bind(predicate);
        Coordinates at;
        for (const Expr &arg : args) {
            at.push_back(bind(arg));
        }
        const Expr stored = bind(value);
        const Stmt store = Provide::make(provide.func, provide.stage, {stored}, at, where);
        Stmt event = Evaluate::make(call(func.name(), fluorite_trace_store, parent_, provide.func.owner().dim.value,
                                         stored.type(), stored, at));
        if (!is_true(where)) {
            event = IfThenElse::make(where, event);
        }
        return wrap(lets, Block::make({store, event}));
    }

    static Stmt wrap(const std::vector<std::pair<Symbol, Expr>> &lets, Stmt body) {
        for (size_t i = lets.size(); i-- > 0;) {
            body = LetStmt::make(lets[i].first, lets[i].second, body);
        }
        return body;
    }

    /// The name and value index of a traced load; the name is empty if the load is not traced.
    std::pair<std::string, int> traced_load(const Expr &expr) const {
        if (expr->kind() != ExprKind::Image) {
            return {};
        }
        const SymbolOwner &owner = expr->symbol().owner();
        if (owner.input.valid()) {
            const InputDef &input = graph_.inputs[owner.input.index()];
            return {input.trace_loads ? input.symbol.name() : "", 0};
        }
        const FuncDef *func = context_.func_of(expr->symbol());
        return {func && func->trace_loads ? func->name() : "", owner.dim.value};
    }

    /// Makes a statement from the expressions with their traced loads replaced by variables, inside lets that bind the
    /// loads and trace them.
    Stmt after_loads(const std::vector<Expr> &exprs, const std::function<Stmt(std::vector<Expr>)> &make_stmt) {
        bool any = false;
        for (const Expr &expr : exprs) {
            for_each_node(expr, [&](const Expr &node) { any = any || !traced_load(node).first.empty(); });
        }
        if (!any) {
            return make_stmt(exprs);
        }
        LoadTaker taker{*this, {}, {}};
        std::vector<Expr> without;
        for (const Expr &expr : exprs) {
            without.push_back(taker.take(expand_lets(expr)));
        }
        Stmt result = make_stmt(without);
        for (size_t i = taker.loads.size(); i-- > 0;) {
            const auto &[symbol, load] = taker.loads[i];
            const auto [func, index] = traced_load(load);
            const Coordinates at(load->args().begin(), load->args().end());
            const Expr value = make_var(load.type(), symbol);
            const Stmt event = Evaluate::make(call(func, fluorite_trace_load, parent_, index, load.type(), value, at));
            result = LetStmt::make(symbol, load, Block::make({event, result}));
        }
        return result;
    }

    struct LoadTaker {
        const Tracer &tracer;
        std::vector<std::pair<Symbol, Expr>> loads;
        ExprMap<Expr> done;

        Expr take(const Expr &expr) {
            auto known = done.find(expr);
            if (known != done.end()) {
                return known->second;
            }
            if (is_address(expr)) {
                return expr; // which loads nothing
            }
            Expr result = map_operands(expr, [&](const Expr &operand) { return take(operand); });
            if (const auto [func, index] = tracer.traced_load(result); !func.empty()) {
                loads.emplace_back(tracer.context_.symbols.fresh_let(func + ".loaded", result), result);
                result = make_var(result.type(), loads.back().first);
            }
            done.emplace(expr, result);
            return result;
        }
    };
};

} // namespace

Stmt inject_tracing(const Stmt &stmt, const PassContext &context) {
    Tracer tracer(context);
    return stmt.defined() && tracer.is_needed() ? tracer.trace_all(stmt) : stmt;
}

} // namespace fluorite::lowering
