// Runs of a certificate's target: the checks that its code does not make.
//
// In order: outputs have memory, the type and the rank of the Func, mins of 0, and one size for all values of a Func;
// layouts are as promised (the innermost dimension is dense unless the program says otherwise); each fact of the
// certificate holds at these sizes; each input holds the region that the certificate says is read; an output shares no
// memory with an input or another output.
// Cost: a few hundred operations.

#include "driver/certificates/certified.h"
#include "fluorite/buffer.h"
#include "fluorite/runtime/buffer_form.h"
#include "ir/bound_arguments.h"
#include "ir/parameter.h"
#include "rewrite/fold.h"
#include "rewrite/simplify.h"
#include "schedule/storage_order.h"
#include "support/check.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace fluorite::driver {

namespace {

/// A buffer argument: as the program declares it, and as the run has it.
struct Argument {
    std::string name;
    Type type;
    std::vector<ir::DimConstraint> promises; // may have fewer entries than the rank
    int host_alignment = 0;
    size_t dense = 0; // the dimension with stride 1 unless the program says otherwise
    const fluorite_buffer_t *buffer = nullptr;
};

void check_form(const Argument &argument, size_t rank, const Location &location) {
    const std::optional<fluorite_runtime::BufferFault> fault = fluorite_runtime::find_buffer_fault(
        argument.buffer, abi_type(argument.type), static_cast<int32_t>(rank), fluorite_runtime::HostMemory::Needed);
    if (fault) {
        throw RuntimeError(fault->slug, fault->text(argument.name), location);
    }
}

void check_promise(const Argument &argument, size_t d, const char *what, const Expr &promise, int64_t seen,
                   const Location &location) {
    int64_t value;
    if (promise.defined() && ir::is_const_int(promise, &value) && value != seen) {
        throw RuntimeError("constraint-violated",
                           concat("in ", argument.name, ": the ", what, " of dimension ", d, " is ", seen,
                                  "; it has to be ", value, "; pass a buffer with this layout, or promise another"),
                           location);
    }
}

void check_layout(const Argument &argument, const Location &location) {
    const fluorite_buffer_t &buffer = *argument.buffer;
    for (size_t d = 0; d < static_cast<size_t>(buffer.dimensions); d++) {
        const fluorite_dimension_t &dim = buffer.dim[d];
        const ir::DimConstraint promise = d < argument.promises.size() ? argument.promises[d] : ir::DimConstraint();
        const bool is_dense = d == argument.dense && !promise.stride.defined();
        check_promise(argument, d, "min", promise.min, dim.min, location);
        check_promise(argument, d, "extent", promise.extent, dim.extent, location);
        check_promise(argument, d, "stride", is_dense ? ir::int32(1) : promise.stride, dim.stride, location);
    }
    if (argument.host_alignment > 1 &&
        reinterpret_cast<uintptr_t>(buffer.host) % uintptr_t(argument.host_alignment) != 0) {
        throw RuntimeError("unaligned-host",
                           concat("in ", argument.name, ": its memory is not aligned to ", argument.host_alignment,
                                  " bytes; the program promises that; align it, or promise less"),
                           location);
    }
}

Argument input_argument(const ir::InputDef &input, const fluorite_buffer_t *buffer) {
    return {input.symbol.name(), input.type, input.constraints, input.parameter->host_alignment, 0, buffer};
}

/// The argument of a symbol.
void *argument_of(const CompiledPipeline &code, const std::vector<void *> &args, const ir::Symbol &symbol) {
    for (size_t i = 0; i < args.size(); i++) {
        if (code.args[i].symbol == symbol) {
            return args[i];
        }
    }
    unreachable("a symbol that is no argument");
}
/// The scalar at an address.
rewrite::Scalar scalar_at(const void *address, Type type) {
    uint64_t bits = 0;
    std::memcpy(&bits, address, static_cast<size_t>(type.bytes()));
    if (type.is_float() && type.bits() == 64) {
        return rewrite::float_scalar(type, std::bit_cast<double>(bits));
    }
    if (type.is_float() && type.bits() == 32) {
        return rewrite::float_scalar(type, double{std::bit_cast<float>(static_cast<uint32_t>(bits))});
    }
    return rewrite::fold_reinterpret(type, rewrite::uint_scalar(UInt(type.bits()), bits));
}
const fluorite_buffer_t &buffer_of(const CompiledPipeline &code, const std::vector<void *> &args,
                                   const ir::Symbol &symbol) {
    return *static_cast<const fluorite_buffer_t *>(argument_of(code, args, symbol));
}

Argument output_argument(const schedule::ScheduledGraph &frozen, FuncId id, size_t value,
                         const fluorite_buffer_t *buffer) {
    const ir::FuncDef &func = frozen.graph.func(id);
    Argument argument{func.name(), func.types[value], {}, 0, 0, buffer};
    if (value < func.output_buffers.size()) {
        argument.promises = func.output_buffers[value].dims;
        argument.host_alignment = func.output_buffers[value].host_alignment;
    }
    const std::vector<size_t> order = schedule::storage_order_of(func, frozen.schedule.func(id));
    argument.dense = order.empty() ? 0 : order[0];
    return argument;
}

void check_begins_at_zero(const Argument &output, const Location &location) {
    for (int d = 0; d < output.buffer->dimensions; d++) {
        if (output.buffer->dim[d].min != 0) {
            throw RuntimeError("certificate-fact",
                               concat("in ", output.name, ": dimension ", d, " of the output begins at ",
                                      output.buffer->dim[d].min,
                                      "; a certificate is about regions that begin at 0; realize such a region"),
                               location);
        }
    }
}

void check_same_size(const Argument &first, const Argument &other, const Location &location) {
    for (int d = 0; d < first.buffer->dimensions; d++) {
        const int32_t wanted = first.buffer->dim[d].extent, seen = other.buffer->dim[d].extent;
        if (wanted != seen) {
            throw RuntimeError("constraint-violated",
                               concat("in ", first.name, ": dimension ", d, " of its first buffer has the extent ",
                                      wanted, ", and that of another value ", seen,
                                      "; the values of a tuple are computed for one region; pass buffers of one size"),
                               location);
        }
    }
}

void check_facts(const CertifiedPipeline::Contents &pipeline, const verify::Values &values, const Location &location) {
    if (const std::optional<verify::Condition> fact = false_fact(pipeline, values)) {
        throw RuntimeError("certificate-fact",
                           concat("in ", pipeline.code->outputs[0].name, ": ", to_text(*fact),
                                  " is false at these sizes; the certificate assumes it; use sizes for which it holds, "
                                  "or another schedule"),
                           location);
    }
}

void check_regions(const CertifiedPipeline::Contents &pipeline, const std::vector<void *> &args,
                   const verify::Values &values, const Location &location) {
    for (const verify::Tensor &tensor : pipeline.term.conversion.inputs) {
        for (size_t i = 0; i < tensor.dims.size(); i++) {
            const size_t d = tensor.dims.size() - 1 - i;
            const fluorite_dimension_t &dim = buffer_of(*pipeline.code, args, tensor.symbol).dim[d];
            const int64_t min = verify::evaluate(tensor.dims[i].min, values);
            const int64_t end = min + verify::evaluate(tensor.dims[i].extent, values);
            if (min < dim.min || end > int64_t(dim.min) + dim.extent) {
                throw RuntimeError("input-too-small",
                                   concat("in ", tensor.name, ": [", min, ", ", end - 1, "] is read along dimension ",
                                          d, "; the buffer holds [", dim.min, ", ", int64_t(dim.min) + dim.extent - 1,
                                          "]; pass a larger one, or compute less"),
                                   location);
            }
        }
    }
}

/// The addresses that the elements of a buffer occupy.
std::pair<const uint8_t *, const uint8_t *> span_of(const fluorite_buffer_t &buffer) {
    int64_t low = 0, high = 0;
    for (int d = 0; d < buffer.dimensions; d++) {
        const int64_t last = int64_t(buffer.dim[d].extent - 1) * buffer.dim[d].stride;
        (last < 0 ? low : high) += last;
    }
    const int64_t bytes = type_from_abi(buffer.type).bytes();
    return {buffer.host + low * bytes, buffer.host + (high + 1) * bytes};
}

void check_apart(const Argument &read, const Argument &written, const Location &location) {
    const auto [begin, end] = span_of(*read.buffer);
    const auto [first, last] = span_of(*written.buffer);
    if (!read.buffer->is_empty() && !written.buffer->is_empty() && begin < last && first < end) {
        throw RuntimeError("buffers-overlap",
                           concat("in ", read.name, ": it shares memory with the output ", written.name,
                                  "; the loops of a certificate are not computed in place; pass a copy"),
                           location);
    }
}

} // namespace

std::vector<const fluorite_buffer_t *> output_arguments(const CertifiedPipeline::Contents &pipeline,
                                                        const std::vector<void *> &args) {
    std::vector<const fluorite_buffer_t *> outputs;
    const ir::Graph &graph = pipeline.frozen.graph;
    size_t first = args.size() - pipeline.code->outputs.size(); // arguments are inputs, then outputs
    for (const FuncId id : graph.outputs) {
        outputs.push_back(static_cast<const fluorite_buffer_t *>(args[first]));
        first += graph.func(id).types.size();
    }
    return outputs;
}

std::vector<void *> bound_arguments(const CertifiedPipeline::Contents &pipeline,
                                    const std::vector<fluorite_buffer_t *> &outputs, const Location &location) {
    const CompiledPipeline &code = *pipeline.code;
    std::vector<void *> args;
    size_t output = 0;
    for (size_t i = 0; i < code.args.size(); i++) {
        const ir::Parameter *parameter = code.parameters[i];
        if (code.args[i].kind == ir::LoweredArg::Kind::OutputBuffer) {
            args.push_back(outputs[output++]);
        } else if (code.args[i].kind == ir::LoweredArg::Kind::InputBuffer) {
            args.push_back(ir::bound_buffer(*parameter, location));
        } else {
            args.push_back(parameter ? ir::bound_value(*parameter, location) : nullptr);
        }
    }
    return args;
}

int64_t value_of(const CompiledPipeline &code, const std::vector<void *> &args, const Expr &expr) {
    const Expr known = ir::transform(expr, [&](const Expr &node) -> Expr {
        if (node->kind() == ir::ExprKind::BufferField) {
            const fluorite_dimension_t &dim = buffer_of(code, args, node->symbol()).dim[node->member().index];
            switch (node->member().field) {
            case ir::Field::Min:
                return ir::int32(dim.min);
            case ir::Field::Max:
                return ir::int32(dim.min + dim.extent - 1);
            case ir::Field::Extent:
                return ir::int32(dim.extent);
            case ir::Field::Stride:
                return ir::int32(dim.stride);
            }
        }
        if (node->kind() == ir::ExprKind::Variable) {
            return rewrite::expr_of(scalar_at(argument_of(code, args, node->symbol()), node.type()));
        }
        return node;
    });
    int64_t value = 0;
    check(ir::is_const_int(rewrite::simplify(known), &value), "the bounds of coordinates fold to constants");
    return value;
}

verify::Values index_values(const CertifiedPipeline::Contents &pipeline, const std::vector<void *> &args) {
    const verify::Conversion &conversion = pipeline.term.conversion;
    const std::vector<const fluorite_buffer_t *> outputs = output_arguments(pipeline, args);
    verify::Values values;
    for (size_t o = 0; o < outputs.size(); o++) {
        const std::string &name = conversion.funcs[conversion.outputs[o]].name;
        for (int d = 0; d < outputs[o]->dimensions; d++) {
            values.emplace(verify::output_size(name, size_t(d)), outputs[o]->dim[d].extent);
        }
    }
    for (const auto &[name, expr] : conversion.names) {
        values.emplace(name, value_of(*pipeline.code, args, expr));
    }
    return values;
}

std::optional<verify::Condition> false_fact(const CertifiedPipeline::Contents &pipeline, const verify::Values &values) {
    const verify::Conversion &conversion = pipeline.term.conversion;
    verify::Facts facts = pipeline.term.facts;
    for (size_t o = 0; o < conversion.outputs.size(); o++) { // those that were given
        for (size_t d = 0; d < conversion.output_extents[o].size(); d++) {
            const std::string size = verify::output_size(conversion.funcs[conversion.outputs[o]].name, d);
            facts.push_back(verify::eq(size, conversion.output_extents[o][d]));
        }
    }
    for (const verify::Condition &fact : facts) {
        if (!verify::evaluate(fact, values)) {
            return fact;
        }
    }
    return std::nullopt;
}

static std::vector<Argument> checked_outputs(const CertifiedPipeline::Contents &pipeline,
                                             const std::vector<void *> &args, const Location &location) {
    const ir::Graph &graph = pipeline.frozen.graph;
    std::vector<Argument> written;
    size_t next = args.size() - pipeline.code->outputs.size();
    for (const FuncId id : graph.outputs) {
        const ir::FuncDef &func = graph.func(id);
        const size_t first = written.size();
        for (size_t value = 0; value < func.types.size(); value++) {
            const auto *buffer = static_cast<const fluorite_buffer_t *>(args[next++]);
            const Argument output = output_argument(pipeline.frozen, id, value, buffer);
            check_form(output, func.dimensions(), location);
            check_layout(output, location);
            check_begins_at_zero(output, location);
            written.push_back(output);
            check_same_size(written[first], output, location);
        }
    }
    for (size_t i = 0; i < written.size(); i++) {
        for (size_t k = 0; k < i; k++) {
            check_apart(written[i], written[k], location);
        }
    }
    return written;
}

void run(const CertifiedPipeline::Contents &pipeline, const std::vector<void *> &args, const Location &location) {
    const ir::Graph &graph = pipeline.frozen.graph;
    const std::vector<Argument> written = checked_outputs(pipeline, args, location);
    for (const ir::InputDef &input : graph.inputs) {
        const Argument read = input_argument(input, &buffer_of(*pipeline.code, args, input.symbol));
        check_form(read, size_t(input.dimensions), location);
        check_layout(read, location);
        for (const Argument &output : written) {
            check_apart(read, output, location);
        }
    }
    if (std::ranges::all_of(written, [](const Argument &output) { return output.buffer->is_empty(); })) {
        return;
    }
    const verify::Values values = index_values(pipeline, args);
    try {
        check_facts(pipeline, values, location);
        check_regions(pipeline, args, values, location);
    } catch (const verify::Unsupported &unsupported) {
        throw RuntimeError("certificate-fact",
                           concat("at these sizes, what the certificate says of regions has no value: ",
                                  unsupported.reason, "; run the pipeline itself, or at other sizes"),
                           location);
    }
    run_with(*pipeline.code, args, RunContext(nullptr, {}, location), location);
}

} // namespace fluorite::driver
