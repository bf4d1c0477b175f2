// Looks up and checks parameters, inputs and extern functions.

#include "interpret/bindings.h"

#include "fluorite/buffer.h"
#include "fluorite/runtime/buffer_form.h"
#include "interpret/extern_call.h"
#include "support/check.h"

#include <cstdint>

namespace fluorite::interpret {

void check_form(const fluorite_buffer_t *buffer, const std::string &name, Type type, size_t rank,
                const Location &place) {
    const std::optional<fluorite_runtime::BufferFault> fault = fluorite_runtime::find_buffer_fault(
        buffer, abi_type(type), static_cast<int32_t>(rank), fluorite_runtime::HostMemory::Needed);
    if (fault) {
        throw RuntimeError(fault->slug, fault->text(name), place);
    }
}

Bindings::Bindings(const ir::Graph &graph, const std::vector<ExternFunction> &externs, Replaced replaced)
    : graph_(graph), externs_(externs), replaced_(std::move(replaced)), inputs_(graph.inputs.size()),
      accessed_(graph.inputs.size()) {
    for (size_t i = 0; i < accessed_.size(); i++) {
        const size_t rank = static_cast<size_t>(graph.inputs[i].dimensions);
        accessed_[i].min.assign(rank, INT64_MAX);
        accessed_[i].max.assign(rank, INT64_MIN);
    }
}

Cell Bindings::param(const ir::Symbol &symbol, Type type) const {
    const ir::Parameter *parameter = ir::parameter_of(symbol);
    for (const ir::ParamDef &def : graph_.params) {
        if (def.symbol == symbol) {
            parameter = def.parameter.get();
        }
    }
    check(parameter != nullptr, concat("the variable ", symbol.name(), " is no parameter and nothing defines it"));
    const auto step = replaced_.steps.find(parameter);
    if (step != replaced_.steps.end()) {
        return cell_of_int(Int(32), step->second);
    }
    if (!parameter->has_value) {
        throw RuntimeError(
            "unset-param",
            concat("in ", symbol.name(), ": it has no value; every Param needs one before a run; call set(value)"),
            parameter->location);
    }
    return find_loader(type)(&parameter->value_bits);
}

const BoundInput &Bindings::input(const ir::Symbol &symbol) {
    const InputId id = symbol.owner().input;
    check(id.is_below(inputs_.size()), "an image names an input of the graph");
    BoundInput &bound = inputs_[id.index()];
    if (bound.def != nullptr) {
        return bound;
    }
    const ir::InputDef &def = graph_.inputs[id.index()];
    const auto replacement = replaced_.buffers.find(def.parameter.get());
    const fluorite_buffer_t *buffer = replacement != replaced_.buffers.end() ? replacement->second
                                      : def.parameter                        ? def.parameter->buffer
                                                                             : nullptr;
    const Location place = def.parameter ? def.parameter->location : Location();
    if (buffer == nullptr) {
        throw RuntimeError("unset-image-param",
                           concat("in ", def.symbol.name(),
                                  ": no buffer is bound; every ImageParam needs one before a run; call set(buffer), or "
                                  "infer_input_bounds"),
                           place);
    }
    check_form(buffer, def.symbol.name(), def.type, static_cast<size_t>(def.dimensions), place);
    bound = {&def, buffer, find_loader(def.type), &accessed_[id.index()]};
    return bound;
}

Cell Bindings::field(const ir::Member &member) {
    const BoundInput &bound = input(member.symbol);
    check(member.index >= 0 && member.index < bound.buffer->dimensions, "a field names a dimension of its buffer");
    const fluorite_dimension_t &dim = bound.buffer->dim[member.index];
    switch (member.field) {
    case ir::Field::Min:
        return cell_of_int(Int(32), dim.min);
    case ir::Field::Max:
        return cell_of_int(Int(32), int64_t{dim.min} + dim.extent - 1);
    case ir::Field::Extent:
        return cell_of_int(Int(32), dim.extent);
    case ir::Field::Stride:
        return cell_of_int(Int(32), dim.stride);
    }
    unreachable("a field of a buffer");
}

/// What fluorite_user_context gives here, which has no context.
static void *no_context() { return nullptr; }

void *Bindings::extern_address(const std::string &name) const {
    if (name == "fluorite_user_context") {
        return reinterpret_cast<void *>(no_context);
    }
    for (const ExternFunction &function : externs_) {
        if (function.name == name) {
            return function.address;
        }
    }
    void *address = find_c_function(name);
    if (address == nullptr) {
        throw RuntimeError("missing-extern",
                           concat("in ", name,
                                  ": the program has no C function of this name; every extern function must be "
                                  "known to the process or given to the interpreter; link it, export it, or pass its "
                                  "address"));
    }
    return address;
}

} // namespace fluorite::interpret
