// Printing pipeline graphs, funcs in their order:
//
//   graph {
//     inputs in@{i0}: uint8[2]
//     param gain: float32
//     func f@{f0}(f.x@{f0 d0} as x, f.y@{f0 d1} as y): uint8 {
//       f(f.x, f.y) = in(f.x, f.y)
//       update over r@{f0 s1 d0} in [0, +10): f(f.x, r) = f(f.x, r) + 1:uint8 where r < 5
//     }
//     requires require(...)
//     output f
//     promise in dim 0: min = 0, extent = 2 * f->extent[0]
//     promise f value 0: align = 16
//     promise gain: min = 0.0:float32
//   }
//
// `as` gives the user's name where it differs from the symbol's. Source locations and the objects behind inputs and
// parameters are omitted.

#include "ir/printer.h"

#include <ostream>

namespace fluorite::ir {

void Printer::user_name(const Symbol &symbol, const std::string &name) {
    if (!name.empty() && name != symbol.name()) {
        text(" as " + quoted_name(name));
    }
}

void Printer::promise(const Symbol &symbol, int value, int dim,
                      std::initializer_list<std::pair<const char *, Expr>> promises) {
    bool started = false;
    for (const auto &[word, promised] : promises) {
        if (!promised.defined()) {
            continue;
        }
        if (!started) {
            new_line();
            text("promise ");
            this->symbol(symbol, symbol.kind());
            text(value > 0 ? concat(" value ", value) : "");
            text(dim >= 0 ? concat(" dim ", dim) : "");
        }
        text(concat(started ? ", " : ": ", word, " = "));
        expr(promised);
        started = true;
    }
}

void Printer::promises(const Symbol &symbol, int value, const std::vector<DimConstraint> &dims) {
    for (size_t d = 0; d < dims.size(); d++) {
        promise(symbol, value, static_cast<int>(d),
                {{"min", dims[d].min},
                 {"extent", dims[d].extent},
                 {"stride", dims[d].stride},
                 {"min_estimate", dims[d].min_estimate},
                 {"extent_estimate", dims[d].extent_estimate}});
    }
}

void Printer::stage(const FuncDef &func, const Stage &stage, bool is_update) {
    new_line();
    if (is_update) {
        text("update");
        for (size_t i = 0; i < stage.rvars.size(); i++) {
            text(i > 0 ? ", " : " over ");
            symbol(stage.rvars[i].var, SymbolKind::RVar, Position::Binder).types[KnownSymbol::as_variable] = Int(32);
            user_name(stage.rvars[i].var, stage.rvars[i].name);
            text(" in ");
            ranges({{stage.rvars[i].min, stage.rvars[i].extent}});
        }
        text(": ");
    }
    symbol(func.symbol, SymbolKind::Func);
    operands(stage.args);
    const bool single = stage.values.size() == 1;
    text(single ? " = " : " = {");
    comma_separated(stage.values);
    text(single ? "" : "}");
    if (stage.predicate.defined()) {
        text(" where ");
        expr(stage.predicate);
    }
}

void Printer::trace_tags(const std::vector<std::string> &tags) {
    for (const std::string &tag : tags) {
        text(" trace_tag " + quoted_text(tag));
    }
}

void Printer::func_def(const FuncDef &func) {
    new_line();
    text("func ");
    KnownSymbol &known = symbol(func.symbol, SymbolKind::Func, Position::Binder);
    for (size_t i = 0; i < func.types.size(); i++) {
        known.types[static_cast<int>(i)] = func.types[i].element_of();
    }
    text("(");
    for (size_t i = 0; i < func.args.size(); i++) {
        text(i > 0 ? ", " : "");
        symbol(func.args[i], SymbolKind::Var, Position::Binder).types[KnownSymbol::as_variable] = Int(32);
        if (i < func.arg_names.size()) {
            user_name(func.args[i], func.arg_names[i]);
        }
    }
    text("): ");
    types(func.types);
    text(func.trace_loads ? " trace_loads" : "");
    text(func.trace_stores ? " trace_stores" : "");
    text(func.trace_realizations ? " trace_realizations" : "");
    trace_tags(func.trace_tags);
    text(func.debug_file.empty() ? "" : " debug_file " + quoted_text(func.debug_file));
    text(func.is_profiled ? "" : " no_profiling");
    text(func.reassociates ? " reassociates" : "");
    text(" {");
    indent_++;
    for (size_t i = 0; i < func.stages.size(); i++) {
        stage(func, func.stages[i], i > 0);
    }
    indent_--;
    new_line();
    text("}");
}

void Printer::graph(const Graph &graph) {
    text(graph.trace_pipeline ? "graph trace_pipeline {" : "graph {");
    indent_++;
    for (const InputDef &input : graph.inputs) {
        new_line();
        text("inputs ");
        symbol(input.symbol, SymbolKind::Buffer, Position::Binder).types[0] = input.type;
        text(concat(": ", input.type, "[", input.dimensions, "]", input.trace_loads ? " trace_loads" : ""));
        trace_tags(input.trace_tags);
    }
    for (const ParamDef &param : graph.params) {
        new_line();
        text("param ");
        symbol(param.symbol, SymbolKind::Param, Position::Binder).types[KnownSymbol::as_variable] = param.type;
        text(concat(": ", param.type));
    }
    for (const FuncDef &func : graph.funcs) {
        func_def(func);
    }
    for (const Expr &requirement : graph.requirements) {
        new_line();
        text("requires ");
        expr(requirement);
    }
    for (FuncId output : graph.outputs) {
        new_line();
        text("output ");
        symbol(graph.func(output).symbol, SymbolKind::Func);
    }
    for (const InputDef &input : graph.inputs) {
        promises(input.symbol, 0, input.constraints);
    }
    for (const FuncDef &func : graph.funcs) {
        for (size_t k = 0; k < func.output_buffers.size(); k++) {
            const OutputBuffer &buffer = func.output_buffers[k];
            const int value = static_cast<int>(k);
            promise(func.symbol, value, -1, {{"align", buffer.host_alignment ? Expr(buffer.host_alignment) : Expr()}});
            promises(func.symbol, value, buffer.dims);
        }
    }
    for (const ParamDef &param : graph.params) {
        promise(param.symbol, 0, -1, {{"min", param.min_value}, {"max", param.max_value}});
    }
    indent_--;
    new_line();
    text("}\n");
}

std::string to_text(const Graph &graph, const PrintOptions &options) {
    Printer printer(options);
    printer.graph(graph);
    return printer.take();
}

std::ostream &operator<<(std::ostream &stream, const Graph &graph) { return stream << to_text(graph); }

} // namespace fluorite::ir
