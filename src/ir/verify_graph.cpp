// The verifier of graphs: the invariants of graph.h, checked in their order.
//
// It checks names first, then each Func in topological order, stage by stage. Expressions of a stage are walked once
// per distinct node. Cost: linear in the graph.

#include "ir/node_types.h"
#include "ir/print.h"
#include "ir/verifier.h"
#include "ir/verify.h"

#include <algorithm>
#include <map>

namespace fluorite::ir {

namespace {

void require(bool holds, const std::string &rule) {
    if (!holds) {
        throw Violation{rule};
    }
}

class GraphVerifier {
  public:
    explicit GraphVerifier(const Graph &graph) : graph_(graph) {}

    void run() {
        inputs();
        for (size_t i = 0; i < graph_.funcs.size(); i++) {
            place_ = concat("func ", graph_.funcs[i].symbol.defined() ? graph_.funcs[i].name() : "?", ": ");
            func(i);
        }
        place_ = "outputs: ";
        require(!graph_.outputs.empty(), "there are none");
        for (FuncId output : graph_.outputs) {
            require(output.valid() && output.index() < graph_.funcs.size(), "an output is no func of the graph");
        }
        place_ = "promises: ";
        for (const InputDef &input : graph_.inputs) {
            promises(input.constraints, input.dimensions);
        }
        for (const FuncDef &func : graph_.funcs) {
            for (const OutputBuffer &buffer : func.output_buffers) {
                promises(buffer.dims, static_cast<int>(func.dimensions()));
            }
        }
        for (const ParamDef &param : graph_.params) {
            promise(param.min_value, param.type);
            promise(param.max_value, param.type);
        }
        place_ = "requirements: ";
        for (const Expr &requirement : graph_.requirements) {
            require(is_kind(requirement, ExprKind::Require), "a requirement is no require node");
            exprs(requirement, nullptr, graph_.funcs.size(), false);
        }
    }
    std::string place() const { return place_; }

  private:
    void promise(const Expr &promised, Type type) {
        if (promised.defined()) {
            require(promised.type() == type, concat("a promised value is ", promised.type(), ", not ", type));
            exprs(promised, nullptr, 0, false);
        }
    }

    void promises(const std::vector<DimConstraint> &dims, int dimensions) {
        require(dims.empty() || static_cast<int>(dims.size()) == dimensions, "there must be one for each dimension");
        for (const DimConstraint &dim : dims) {
            for (const Expr &each : {dim.min, dim.extent, dim.stride, dim.min_estimate, dim.extent_estimate}) {
                promise(each, Int(32));
            }
        }
    }

    void name(const Symbol &symbol, SymbolKind kind, const char *what) {
        require(symbol.defined() && symbol.kind() == kind, concat(what, " has no symbol of its kind"));
        require(names_.emplace(symbol.name(), symbol).second,
                concat("two symbols have the name '", symbol.name(), "'"));
    }

    void inputs() {
        place_ = "inputs: ";
        for (size_t i = 0; i < graph_.inputs.size(); i++) {
            const InputDef &input = graph_.inputs[i];
            name(input.symbol, SymbolKind::Buffer, "an input");
            require(input.symbol.owner().input == InputId(i), "an input's owner is not its position");
            require(input.type.is_scalar() && input.dimensions >= 0, "an input has a scalar type and a rank");
        }
        place_ = "parameters: ";
        for (const ParamDef &param : graph_.params) {
            name(param.symbol, SymbolKind::Param, "a parameter");
            require(param.type.is_scalar(), "a parameter has a scalar type");
        }
    }

    void func(size_t id) {
        const FuncDef &func = graph_.funcs[id];
        name(func.symbol, SymbolKind::Func, "a func");
        require(func.id() == FuncId(id), "the owner is not the position in the graph");
        require(!func.stages.empty(), "there is no definition");
        require(!func.types.empty(), "there are no types");
        require(func.arg_names.empty() || func.arg_names.size() == func.args.size(),
                "there must be one user's name for each dimension");
        for (const Symbol &arg : func.args) {
            name(arg, SymbolKind::Var, "a dimension");
        }
        const std::string place = place_;
        for (size_t k = 0; k < func.stages.size(); k++) {
            place_ = concat(place, "stage ", k, ": ");
            stage(id, func.stages[k], k > 0);
        }
    }

    void stage(size_t id, const Stage &stage, bool is_update) {
        const FuncDef &func = graph_.funcs[id];
        require(stage.args.size() == func.args.size(), "there must be one argument for each dimension");
        require(stage.values.size() == func.types.size(), "there must be one value for each type");
        for (size_t i = 0; i < stage.values.size(); i++) {
            require(stage.values[i].type() == func.types[i],
                    concat("value ", i, " is ", stage.values[i].type(), ", not ", func.types[i]));
        }
        require(is_update || stage.rvars.empty(), "a pure definition has no reduction variables");
        require(is_update || !stage.predicate.defined(), "a pure definition has no predicate");
        for (const ReductionVar &rvar : stage.rvars) {
            name(rvar.var, SymbolKind::RVar, "a reduction variable");
            require(rvar.min.type() == Int(32) && rvar.extent.type() == Int(32), "reduction bounds are int32");
            // Bounds may refer to reduction variables further out.
            exprs(rvar.min, &stage, id, false);
            exprs(rvar.extent, &stage, id, false);
        }
        for (size_t d = 0; d < stage.args.size(); d++) {
            require(stage.args[d].type() == Int(32), concat("argument ", d, " is not int32"));
            argument(func, stage, d, is_update);
        }
        func_ = &func;
        for (const Expr &arg : stage.args) {
            exprs(arg, &stage, id, is_update);
        }
        for (const Expr &value : stage.values) {
            exprs(value, &stage, id, is_update);
        }
        if (stage.predicate.defined()) {
            require(stage.predicate.type() == Bool(), "the predicate is not bool");
            exprs(stage.predicate, &stage, id, is_update);
        }
        func_ = nullptr;
    }

    static bool is_own_var(const FuncDef &func, const Expr &arg, size_t d) {
        return is_kind(arg, ExprKind::Variable) && arg->symbol() == func.args[d];
    }

    /// A pure Var of an update stands at its own position; it may stand at others as well, as where rfactor has put it
    /// in the place of a reduction variable that was a coordinate.
    void argument(const FuncDef &func, const Stage &stage, size_t d, bool is_update) {
        const Expr &arg = stage.args[d];
        const bool is_own = is_own_var(func, arg, d);
        require(is_update || is_own, concat("argument ", d, " of a pure definition is not its Var"));
        // Expressions may use pure Vars that are arguments of the update too, which `variable` checks.
        const bool is_pure_var = is_kind(arg, ExprKind::Variable) && arg->symbol().kind() == SymbolKind::Var;
        bool is_also_own = false;
        for (size_t own = 0; is_pure_var && own < func.args.size(); own++) {
            is_also_own = is_also_own || (func.args[own] == arg->symbol() && is_own_var(func, stage.args[own], own));
        }
        require(is_own || !is_pure_var || is_also_own, concat("the pure Var '", is_pure_var ? arg->symbol().name() : "",
                                                              "' stands at position ", d, ", which is not its own"));
    }

    /// Checks every node; Funcs below `funcs` may be called, and Func `funcs` itself where `self` holds.
    void exprs(const Expr &root, const Stage *stage, size_t funcs, bool self) {
        for_each_node(root, [&](const Expr &expr) {
            try {
                if (auto violation = type_violation(*expr)) {
                    throw Violation{concat("'", kind_name(expr->kind()), "': ", *violation)};
                }
                require(expr.type().is_scalar(), "a graph has no vectors");
                reference(*expr, stage, funcs, self);
            } catch (Violation &violation) {
                violation.text += ": " + to_text(expr, {.max_nodes = 40});
                throw;
            }
        });
        std::vector<Symbol> unbound;
        for_each_free_symbol(root, [&](const Symbol &symbol) {
            if (symbol.kind() == SymbolKind::Let) {
                unbound.push_back(symbol);
            }
        });
        require(unbound.empty(), unbound.empty() ? "" : concat("'", unbound[0].name(), "' is not bound"));
    }

    void reference(const ExprNode &node, const Stage *stage, size_t funcs, bool self) {
        switch (node.kind()) {
        case ExprKind::Variable:
            variable(node, stage);
            break;
        case ExprKind::Call:
            call(node, stage, funcs, self);
            break;
        case ExprKind::Image:
        case ExprKind::BufferField:
            input(node);
            break;
        case ExprKind::Load:
            throw Violation{"a graph has no loads"};
        default: // kinds that name nothing; Lets bind
            break;
        }
    }

    void variable(const ExprNode &node, const Stage *stage) {
        const Symbol &symbol = node.symbol();
        switch (symbol.kind()) {
        case SymbolKind::Var: {
            // In an update, only the Vars on its left-hand side are in scope.
            const bool known = func_ && std::any_of(stage->args.begin(), stage->args.end(), [&](const Expr &arg) {
                                   return is_kind(arg, ExprKind::Variable) && arg->symbol() == symbol;
                               });
            require(known && node.type() == Int(32), "the Var is no argument of this stage");
            break;
        }
        case SymbolKind::RVar: {
            const bool known = stage && std::any_of(stage->rvars.begin(), stage->rvars.end(),
                                                    [&](const ReductionVar &rvar) { return rvar.var == symbol; });
            require(known && node.type() == Int(32), "the reduction variable is none of this stage");
            break;
        }
        case SymbolKind::Param: {
            const bool known = std::any_of(graph_.params.begin(), graph_.params.end(), [&](const ParamDef &param) {
                return param.symbol == symbol && param.type == node.type();
            });
            require(known, "the parameter is not in the graph");
            break;
        }
        case SymbolKind::Let:
            break;
        case SymbolKind::Buffer:
            require(node.type() == Handle(), "a buffer is no number");
            break;
        case SymbolKind::Loop:
        case SymbolKind::Bound:
        case SymbolKind::Func:
            throw Violation{"a graph has no variables of this kind"};
        }
    }

    void call(const ExprNode &node, const Stage *stage, size_t funcs, bool self) {
        const FuncId id = node.symbol().owner().func;
        require(id.is_below(graph_.funcs.size()), "the func is not in the graph");
        const size_t callee = id.index();
        const FuncDef &func = graph_.funcs[callee];
        require(node.symbol() == func.symbol, "the symbol is not that of its func");
        require(callee < funcs || (callee == funcs && self),
                "a func calls only funcs before it, and itself in updates");
        const auto index = node.member().position();
        require(index < func.types.size() && node.type() == func.types[index], "the func has no such value");
        require(node.arg_count() == func.dimensions(), concat("the func has ", func.dimensions(), " dimensions"));
        for (size_t d = 0; d < node.arg_count(); d++) {
            require(node.arg(d).type() == Int(32), "coordinates of a graph are int32");
            const bool is_pure = callee == funcs && self && is_own_var(func, stage->args[d], d);
            require(!is_pure || is_own_var(func, node.arg(d), d),
                    concat("the func reads itself elsewhere in its pure Var '", func.args[d].name(), "'"));
        }
    }

    void input(const ExprNode &node) {
        const FuncId func = node.symbol().owner().func;
        if (node.kind() == ExprKind::BufferField && func.valid()) { // the buffer of an output
            const bool is_output = func.is_below(graph_.funcs.size()) && graph_.is_output(func);
            require(is_output, "the buffer is no output of the graph");
            const size_t rank = graph_.func(func).dimensions();
            require(node.member().index >= 0 && node.member().position() < rank,
                    concat("the output has ", rank, " dimensions"));
            return;
        }
        const InputId id = node.symbol().owner().input;
        const bool known = id.is_below(graph_.inputs.size()) && graph_.inputs[id.index()].symbol == node.symbol();
        require(known, "the buffer is no input of the graph");
        const InputDef &input = graph_.inputs[id.index()];
        if (node.kind() == ExprKind::Image) {
            require(node.type() == input.type, concat("the input holds ", input.type));
            require(static_cast<int>(node.arg_count()) == input.dimensions,
                    concat("the input has ", input.dimensions, " dimensions"));
        } else {
            require(node.member().index >= 0 && node.member().index < input.dimensions,
                    concat("the input has ", input.dimensions, " dimensions"));
        }
    }

    const Graph &graph_;
    std::string place_;
    std::map<std::string, Symbol> names_;
    const FuncDef *func_ = nullptr;
};

} // namespace

std::optional<std::string> find_violation(const Graph &graph) {
    GraphVerifier verifier(graph);
    try {
        verifier.run();
    } catch (const Violation &violation) {
        return verifier.place() + violation.text;
    }
    return std::nullopt;
}

void verify_graph(const Graph &graph) {
    if (auto violation = find_violation(graph)) {
        throw InternalError("the graph is broken: " + *violation);
    }
}

} // namespace fluorite::ir
