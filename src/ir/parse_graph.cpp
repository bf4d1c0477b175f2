// Parsing pipeline graphs (syntax: print_graph.cpp).
//
// Symbols of inputs and parameters need an object behind them. One whose symbol was not given gets a new Parameter; the
// rest of the text then refers to that symbol.

#include "ir/parser.h"

namespace fluorite::ir {

namespace {

/// The symbol with a Parameter behind it, made here unless it has one.
Symbol with_parameter(const Symbol &symbol, Type type, bool is_buffer, int dimensions, RefPtr<Parameter> &parameter) {
    if (Parameter *given = parameter_of(symbol)) {
        parameter = RefPtr<Parameter>(given);
        return symbol;
    }
    parameter = RefPtr<Parameter>(new Parameter);
    parameter->name = symbol.name();
    parameter->type = type;
    parameter->is_buffer = is_buffer;
    parameter->dimensions = dimensions;
    parameter->dims.resize(static_cast<size_t>(dimensions));
    return Symbol(symbol.kind(), symbol.name(), symbol.owner(), parameter.get());
}

} // namespace

void Parser::graph_input(Graph &graph) {
    InputDef input;
    const Symbol symbol = binder(SymbolKind::Buffer).symbol;
    expect(":", "the name of an input");
    input.type = type();
    expect("[", "the type of an input");
    input.dimensions = static_cast<int>(integer("a number of dimensions"));
    expect("]", "the dimensions");
    input.trace_loads = accept("trace_loads");
    input.symbol = with_parameter(symbol, input.type, true, input.dimensions, input.parameter);
    names_.enter(input.symbol).types[0] = input.type;
    graph.inputs.push_back(std::move(input));
}

void Parser::graph_param(Graph &graph) {
    ParamDef param;
    const Symbol symbol = binder(SymbolKind::Param).symbol;
    expect(":", "the name of a parameter");
    param.type = type();
    param.symbol = with_parameter(symbol, param.type, false, 0, param.parameter);
    names_.enter(param.symbol).types[KnownSymbol::as_variable] = param.type;
    graph.params.push_back(std::move(param));
}

Stage Parser::stage() {
    Stage stage;
    if (accept("update")) {
        if (accept("over")) {
            do {
                ReductionVar rvar;
                KnownSymbol &known = binder(SymbolKind::RVar);
                known.types[KnownSymbol::as_variable] = Int(32);
                rvar.var = known.symbol;
                expect("in", "a reduction variable");
                const Range bounds = range();
                rvar.min = bounds.min;
                rvar.extent = bounds.extent;
                stage.rvars.push_back(rvar);
            } while (accept(","));
        }
        expect(":", "the reduction domain");
    }
    use(SymbolKind::Func);
    stage.args = operands();
    expect("=", "the coordinates");
    stage.values = accept("{") ? expr_list("}") : std::vector<Expr>{expr()};
    if (accept("where")) {
        stage.predicate = expr();
    }
    return stage;
}

void Parser::graph_func(Graph &graph) {
    FuncDef func;
    func.symbol = binder(SymbolKind::Func).symbol;
    expect("(", "the name of a func");
    while (!accept(")")) {
        if (!func.args.empty()) {
            expect(",", "a variable");
        }
        KnownSymbol &known = binder(SymbolKind::Var);
        known.types[KnownSymbol::as_variable] = Int(32);
        func.args.push_back(known.symbol);
    }
    expect(":", "the variables of a func");
    func.types = types();
    for (size_t i = 0; i < func.types.size(); i++) {
        names_.enter(func.symbol).types[static_cast<int>(i)] = func.types[i].element_of();
    }
    func.trace_loads = accept("trace_loads");
    func.trace_stores = accept("trace_stores");
    func.trace_realizations = accept("trace_realizations");
    expect("{", "the types of a func");
    while (!accept("}")) {
        func.stages.push_back(stage());
    }
    graph.funcs.push_back(std::move(func));
}

void Parser::graph_output(Graph &graph) {
    const Token at = peek();
    const Symbol symbol = use(SymbolKind::Func).symbol;
    for (size_t i = 0; i < graph.funcs.size(); i++) {
        if (graph.funcs[i].symbol == symbol) {
            graph.outputs.push_back(FuncId(i));
            return;
        }
    }
    fail(at, concat("the output '", at.text, "' is no func of this graph"));
}

Graph Parser::whole_graph() {
    Graph graph;
    expect("graph", "nothing");
    graph.trace_pipeline = accept("trace_pipeline");
    expect("{", "the word graph");
    while (!accept("}")) {
        if (accept("inputs")) {
            graph_input(graph);
        } else if (accept("param")) {
            graph_param(graph);
        } else if (accept("func")) {
            graph_func(graph);
        } else if (accept("requires")) {
            graph.requirements.push_back(expr());
        } else if (accept("output")) {
            graph_output(graph);
        } else {
            fail(concat(seen(), " where inputs, param, func, requires or output is expected"));
        }
    }
    return graph;
}

} // namespace fluorite::ir
