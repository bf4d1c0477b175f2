// Parsing pipeline graphs (syntax: print_graph.cpp).
//
// Symbols of inputs and parameters need an object behind them. A symbol that the caller did not give gets a new
// Parameter, and the rest of the text refers to that symbol.

#include "ir/parser.h"

namespace fluorite::ir {

namespace {

/// The symbol with a Parameter behind it, which is created unless it exists.
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

KnownSymbol &Parser::graph_binder(SymbolKind expected, const SymbolOwner &owner, const std::string &prefix,
                                  std::string &written) {
    const SymbolText text = symbol_text();
    written = text.name;
    if (text.introduces || !options_.numbers_graph) {
        return resolve(text, expected, true);
    }
    return names_.enter(text.name, Symbol(expected, prefix + text.name, owner));
}

void Parser::graph_input(Graph &graph) {
    InputDef input;
    std::string written;
    const SymbolOwner owner{.input = InputId(graph.inputs.size())};
    const Symbol symbol = graph_binder(SymbolKind::Buffer, owner, "", written).symbol;
    expect(":", "the name of an input");
    input.type = type();
    expect("[", "the type of an input");
    input.dimensions = static_cast<int>(integer("a number of dimensions"));
    expect("]", "the dimensions");
    input.trace_loads = accept("trace_loads");
    trace_tags(input.trace_tags);
    input.symbol = with_parameter(symbol, input.type, true, input.dimensions, input.parameter);
    names_.enter(input.symbol).types[0] = input.type;
    graph.inputs.push_back(std::move(input));
}

void Parser::trace_tags(std::vector<std::string> &tags) {
    while (accept("trace_tag")) {
        tags.push_back(quoted_text("a tag"));
    }
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

std::string Parser::user_name(const std::string &written) {
    return accept("as") ? take_name("the user's name") : written;
}

namespace {

/// The field that a promise of this word sets; null if the word is no promise.
Expr *promised(DimConstraint &dim, const std::string &word) {
    const std::pair<const char *, Expr *> fields[] = {{"min", &dim.min},
                                                      {"extent", &dim.extent},
                                                      {"stride", &dim.stride},
                                                      {"min_estimate", &dim.min_estimate},
                                                      {"extent_estimate", &dim.extent_estimate}};
    for (const auto &[name, field] : fields) {
        if (word == name) {
            return field;
        }
    }
    return nullptr;
}

} // namespace

void Parser::graph_promise(Graph &graph) {
    const Token at = peek();
    const Symbol symbol = use(SymbolKind::Func).symbol;
    const auto value = static_cast<size_t>(accept("value") ? integer("a position in a tuple") : 0);
    const int64_t dim = accept("dim") ? integer("a dimension") : -1;
    // The buffer or parameter that the promise concerns.
    std::vector<DimConstraint> *dims = nullptr;
    size_t rank = 0;
    OutputBuffer *output = nullptr;
    ParamDef *param = nullptr;
    for (InputDef &input : graph.inputs) {
        if (input.symbol == symbol) {
            dims = &input.constraints;
            rank = static_cast<size_t>(input.dimensions);
        }
    }
    for (FuncDef &func : graph.funcs) {
        if (func.symbol == symbol && value < func.types.size()) {
            func.output_buffers.resize(func.types.size());
            output = &func.output_buffers[value];
            dims = &output->dims;
            rank = func.dimensions();
        }
    }
    for (ParamDef &each : graph.params) {
        param = each.symbol == symbol ? &each : param;
    }
    if ((!dims && !param) || (dims && dim >= static_cast<int64_t>(rank))) {
        fail(at, concat("'", at.text, "' is no input, output or parameter of which this can be promised"));
    }
    expect(":", "what a promise is about");
    do {
        const Token word_at = peek();
        const std::string word = take_word("a promise");
        expect("=", "the word of a promise");
        if (output && dim < 0 && word == "align") {
            output->host_alignment = static_cast<int>(integer("a number of bytes"));
            continue;
        }
        Expr *field = nullptr;
        if (dims && dim >= 0) {
            dims->resize(rank);
            field = promised((*dims)[static_cast<size_t>(dim)], word);
        } else if (param && (word == "min" || word == "max")) {
            field = word == "min" ? &param->min_value : &param->max_value;
        }
        if (!field) {
            fail(word_at, concat("'", word, "' cannot be promised here"));
        }
        *field = expr();
    } while (accept(","));
}

Stage Parser::stage(const Symbol &func, size_t index) {
    Stage stage;
    const std::string prefix = concat(func.name(), ".s", index, ".");
    if (accept("update")) {
        if (accept("over")) {
            do {
                ReductionVar rvar;
                std::string written;
                const SymbolOwner owner{
                    .func = func.owner().func, .stage = static_cast<int32_t>(index), .dim = DimId(stage.rvars.size())};
                KnownSymbol &known = graph_binder(SymbolKind::RVar, owner, prefix, written);
                known.types[KnownSymbol::as_variable] = Int(32);
                rvar.var = known.symbol;
                rvar.name = user_name(written);
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
    std::string written;
    const FuncId number(graph.funcs.size());
    func.symbol = graph_binder(SymbolKind::Func, {.func = number}, "", written).symbol;
    expect("(", "the name of a func");
    while (!accept(")")) {
        if (!func.args.empty()) {
            expect(",", "a variable");
        }
        const SymbolOwner owner{.func = number, .dim = DimId(func.args.size())};
        KnownSymbol &known = graph_binder(SymbolKind::Var, owner, func.symbol.name() + ".", written);
        known.types[KnownSymbol::as_variable] = Int(32);
        func.args.push_back(known.symbol);
        func.arg_names.push_back(user_name(written));
    }
    expect(":", "the variables of a func");
    func.types = types();
    for (size_t i = 0; i < func.types.size(); i++) {
        names_.enter(func.symbol).types[static_cast<int>(i)] = func.types[i].element_of();
    }
    func.trace_loads = accept("trace_loads");
    func.trace_stores = accept("trace_stores");
    func.trace_realizations = accept("trace_realizations");
    trace_tags(func.trace_tags);
    func.debug_file = accept("debug_file") ? quoted_text("the path of a file") : "";
    func.is_profiled = !accept("no_profiling");
    func.reassociates = accept("reassociates");
    expect("{", "the types of a func");
    while (!accept("}")) {
        func.stages.push_back(stage(func.symbol, func.stages.size()));
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
        } else if (accept("promise")) {
            graph_promise(graph);
        } else {
            fail(concat(seen(), " where inputs, param, func, requires, output or promise is expected"));
        }
    }
    return graph;
}

} // namespace fluorite::ir
