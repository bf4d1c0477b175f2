// What a module has beside the statement, from the pipeline.
//
// The order of the arguments is the interface of compiled pipelines: the context of the user, inputs, parameters,
// outputs, as the graph lists them. Buffers of Funcs are looked up in the table of the context, so that they are the
// symbols of the statement. Cost: linear in the Funcs.

#include "lowering/module_parts.h"

namespace fluorite::lowering {

using namespace ir;
using loopnest::LoweringGraph;

std::vector<LoweredArg> arguments_of(const Graph &graph, const PassContext &context) {
    std::vector<LoweredArg> args;
    args.push_back({LoweredArg::Kind::Scalar, Symbol(SymbolKind::Param, "__user_context"), Handle(), 0});
    for (const InputDef &input : graph.inputs) {
        args.push_back({LoweredArg::Kind::InputBuffer, input.symbol, input.type, input.dimensions});
    }
    for (const ParamDef &param : graph.params) {
        args.push_back({LoweredArg::Kind::Scalar, param.symbol, param.type, 0});
    }
    for (FuncId id : graph.outputs) {
        const FuncDef &func = graph.func(id);
        for (size_t k = 0; k < func.types.size(); k++) {
            args.push_back({LoweredArg::Kind::OutputBuffer, context.buffers.of(id, k), func.types[k],
                            static_cast<int>(func.dimensions())});
        }
    }
    return args;
}

namespace {

std::vector<Symbol> streaming_buffers(const LoweringGraph &graph, const PassContext &context) {
    std::vector<Symbol> buffers;
    for (FuncId id : graph.order) {
        for (size_t k = 0;
             graph.schedule(id).marks.has(schedule::DirectiveName::stream_stores) && k < graph.func(id).types.size();
             k++) {
            buffers.push_back(context.buffers.of(id, k));
        }
    }
    return buffers;
}

} // namespace

LoweredModule module_before_outlining(const LoweringGraph &graph, const PassContext &context) {
    LoweredModule module;
    module.streams = streaming_buffers(graph, context);
    return module;
}

} // namespace fluorite::lowering
