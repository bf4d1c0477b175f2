// What only the host computes: fields of buffers, texts, messages, and calls by name (ir/operations.def, ir/c_abi.h).

#include "backends/c/expressions.h"
#include "backends/c/metadata.h"
#include "backends/c/words.h"
#include "backends/c_text/c_text.h"
#include "ir/c_abi.h"
#include "ir/expr_traits.h"
#include "ir/message.h"
#include "ir/parameter.h"
#include "support/check.h"

#include <algorithm>

namespace fluorite::backends::c {

using ir::ExprKind;
using ir::ExprNode;

namespace {

/// A scalar as an argument of a C function.
std::string argument(Type type, const std::string &text) {
    return type.is_handle() ? concat("FLUORITE_POINTER(", text, ")") : text;
}

std::string declaration(const std::string &name, Type result, const std::vector<Type> &params) {
    std::string list;
    for (const Type param : params) {
        list += (list.empty() ? "" : ", ") + (param.is_handle() ? std::string("void *") : scalar_type(param));
    }
    const std::string type = result.is_void() ? "void" : result.is_handle() ? "void *" : scalar_type(result);
    return concat("FLUORITE_EXTERN ", type, " (", name, ")(", list.empty() ? "void" : list, ");");
}

} // namespace

// ---- Buffers.

/// A constant of the module: its elements and header are data of the file.
std::string Expressions::embedded(const ir::Symbol &symbol) {
    const std::vector<ir::LoweredArg> &constants = file_.module.constants;
    for (size_t k = 0; k < constants.size(); k++) {
        if (!(constants[k].symbol == symbol)) {
            continue;
        }
        const std::string name = concat("fluorite_constant_", k);
        if (!file_.declared.try_emplace(name, "").second) {
            return "(&" + name + ")";
        }
        const fluorite_buffer_t &source = *ir::parameter_of(symbol)->buffer;
        std::string bytes, dims;
        const uint8_t *begin = source.begin();
        for (size_t i = 0; i < source.size_in_bytes(); i++) {
            bytes += concat(static_cast<int>(begin[i]), i % 32 == 31 ? ",\n    " : ", ");
        }
        for (int32_t d = 0; d < source.dimensions; d++) {
            dims += concat("{", source.dim[d].min, ", ", source.dim[d].extent, ", ", source.dim[d].stride, ", 0}, ");
        }
        file_.constants.push_back(concat(
            "static const uint8_t ", name, "_data[] FLUORITE_ALIGNED(128) = {", bytes,
            "0};\nstatic fluorite_dimension_t ", name, "_dims[] = {", source.dimensions == 0 ? "{0, 0, 0, 0}" : dims,
            "};\nstatic fluorite_buffer_t ", name, " = {0, NULL, (uint8_t *)", name, "_data + ",
            -source.begin_offset() * source.type.bytes(), ", 0, {", type_code(static_cast<TypeCode>(source.type.code)),
            ", ", static_cast<int>(source.type.bits), ", 1}, ", source.dimensions, ", ", name, "_dims, NULL};"));
        return "(&" + name + ")";
    }
    internal_error(concat("buffer '", symbol.name(), "' is not known in '", file_.module.entry().name, "'"), {});
}

void Expressions::bind_buffer(const ir::Symbol &symbol, BufferText text) { buffers_[symbol] = std::move(text); }

BufferText &Expressions::buffer(const ir::Symbol &symbol) {
    if (!buffers_.contains(symbol)) {
        const auto &constants = file_.module.constants;
        const auto found = std::find_if(constants.begin(), constants.end(),
                                        [&](const ir::LoweredArg &arg) { return arg.symbol == symbol; });
        const std::string header = embedded(symbol);
        bind_buffer(symbol, {header, concat("((", element_type(found->type), " *)", header, "->host)")});
    }
    return buffers_[symbol];
}

std::string Expressions::field(const ExprNode &node) {
    const ir::Member &member = node.member();
    const std::string dim = concat(buffer(member.symbol).header, "->dim[", member.index, "].");
    switch (member.field) {
    case ir::Field::Min:
        return dim + "min";
    case ir::Field::Extent:
        return dim + "extent";
    case ir::Field::Stride:
        return dim + "stride";
    case ir::Field::Max:
        return concat("(int32_t)((uint32_t)", dim, "min + (uint32_t)", dim, "extent - 1U)");
    }
    unreachable("not a field");
}

// ---- Texts.

std::string Expressions::message(std::span<const Expr> parts) {
    const std::string text = f_.fresh("text"), at = f_.fresh(), end = f_.fresh();
    std::vector<Value> values;
    for (const Expr &part : parts) {
        values.push_back(value(part));
    }
    f_.line(concat("char ", text, "[", ir::text_bytes, "];"));
    f_.line(concat("char *", at, " = ", text, ", *const ", end, " = ", text, " + ", ir::text_bytes - 1, ";"));
    f_.line(concat(text, "[0] = 0;"));
    for (size_t k = 0; k < parts.size(); k++) {
        const Type type = parts[k].type();
        const ir::TextForm form = ir::text_form(parts[k]);
        const Type wanted = ir::appended_type(form);
        for (int i = 0; i < type.lanes(); i++) {
            if (i > 0) {
                f_.line(
                    concat(at, " = fluorite_append_text(", at, ", ", end, ", ", c_string(ir::lane_separator), ");"));
            }
            const std::string lane = named(type.element_of(), lane_of(values[k], type, i)).lanes[0];
            const std::string shown = wanted.is_handle() || type.element_of() == wanted
                                          ? lane
                                          : in_c(operators_.cast(type.element_of(), wanted, lane));
            f_.line(
                concat(at, " = ", ir::append_function(form), "(", at, ", ", end, ", ", argument(wanted, shown), ");"));
        }
    }
    f_.line(concat("(void)", at, ";"));
    return text;
}

/// A condition: that of any lane, or of all.
std::string Expressions::joined_lanes(Type type, const Value &condition, const char *sign) {
    std::string all;
    for (int i = 0; i < type.lanes(); i++) {
        all += concat(i == 0 ? "" : sign, "(", lane_of(condition, type, i), ")");
    }
    return all;
}

Value Expressions::print(const ExprNode &node) {
    std::vector<Value> operands; // before the branch, so that their values are known after it
    for (const Expr &arg : node.args()) {
        operands.push_back(value(arg));
    }
    f_.open(concat("if (", joined_lanes(node.arg(0).type(), operands[0], " || "), ")"));
    f_.line(concat("fluorite_print(", context, ", ", message(ir::message_parts(node)), ");"));
    f_.close();
    return operands[1];
}

Value Expressions::require(const ExprNode &node) {
    std::vector<Value> operands;
    for (const Expr &arg : node.args()) {
        operands.push_back(value(arg));
    }
    f_.open(concat("if (!(", joined_lanes(node.arg(0).type(), operands[0], " && "), "))"));
    const std::string text = message(ir::message_parts(node));
    leave(concat("fluorite_error_requirement_failed(", context, ", FLUORITE_POINTER(", operands[2].lanes[0], "), ",
                 text, ")"));
    f_.close();
    return operands[1];
}

std::string Expressions::trace(const ExprNode &node) {
    const ir::TraceEvent event = ir::trace_event(node);
    const std::string name = f_.fresh("event"), values = f_.fresh(), places = f_.fresh(), bits = f_.fresh();
    const Type type = event.value.type();
    if (event.has_value) {
        const Value whole = value(event.value);
        f_.line(concat(element_type(type.element_of()), " ", values, "[", type.lanes(), "];"));
        for (int i = 0; i < type.lanes(); i++) {
            f_.line(concat(values, "[", i, "] = ", lane_of(whole, type, i), ";"));
        }
    }
    f_.line(concat("int32_t ", places, "[", std::max(event.dimensions(), 1), "];"));
    f_.line(concat(places, "[0] = 0;"));
    for (size_t d = 0; d < event.coordinates.size(); d++) {
        const Expr &all = event.coordinates[d];
        const Value whole = value(all);
        for (int i = 0; i < event.lanes; i++) {
            f_.line(
                concat(places, "[", static_cast<int>(d) * event.lanes + i, "] = ", lane_of(whole, all.type(), i), ";"));
        }
    }
    const std::string func = scalar(event.func), tag = scalar(event.tag), code = scalar(event.event),
                      parent = scalar(event.parent_id), index = scalar(event.value_index);
    f_.line(concat("const uint32_t ", bits, " = (", scalar(event.type), " & ", ir::TraceEvent::type_mask, "U) | ",
                   event.type_lanes(), "U;"));
    f_.line(concat("fluorite_trace_event_t ", name, ";"));
    f_.line(concat(name, ".func = (const char *)", func, ";"));
    f_.line(concat(name, ".value = ", event.has_value ? values : "NULL", ";"));
    f_.line(concat(name, ".coordinates = ", places, ";"));
    f_.line(concat(name, ".trace_tag = (const char *)", tag, ";"));
    f_.line(concat("memcpy((void *)&", name, ".type, &", bits, ", 4);"));
    f_.line(concat(name, ".event = (fluorite_trace_event_code_t)", code, ";"));
    f_.line(concat(name, ".parent_id = ", parent, ";"));
    f_.line(concat(name, ".value_index = ", index, ";"));
    f_.line(concat(name, ".dimensions = ", event.dimensions(), ";"));
    return concat("fluorite_trace(", context, ", &", name, ")");
}

// ---- Calls.

std::string Expressions::in_place(const ExprNode &node) {
    const std::string &name = node.text();
    if (name == "text.concat") {
        return message(ir::message_parts(node));
    }
    if (name == "trace") {
        return trace(node);
    }
    if (name == "function.address") {
        return concat("(const void *)", ir::argv_name(node.arg(0)->text()));
    }
    if (name.starts_with("extern.")) {
        return extern_operation(node);
    }
    if (name.starts_with("profile.")) {
        return profile_operation(node);
    }
    if (name.starts_with("device.")) {
        throw CompileError("not-built",
                           concat("in ", file_.module.entry().name,
                                  ": a Func is in the memory of a device; C source has no devices; compile "
                                  "for a target without cuda and opencl"));
    }
    return buffer_operation(node);
}

std::string Expressions::profile_operation(const ExprNode &node) {
    const std::string block = concat("FLUORITE_POINTER(", scalar(node.arg(0)), ")");
    if (node.text() == "profile.set") {
        f_.line(concat("fluorite_profile_set(", block, ", ", node.arg(1)->int_value(), ");"));
    } else {
        const std::string count = scalar(node.arg(2));
        f_.line(concat("fluorite_profile_add(", block, ", ", node.arg(1)->int_value(), ", ", count, ");"));
    }
    return "0";
}

// ---- Extern stages (ir/extern_stage.h).

std::string Expressions::extern_operation(const ExprNode &node) {
    if (node.text() == "extern.header") {
        return new_header(node);
    }
    if (node.text() == "extern.call") {
        return function_call(node.arg(0)->text(), node, 1).lanes[0];
    }
    check(node.text() == "extern.dim", concat("'", node.text(), "' is an operation of operations.def"));
    return concat("((const fluorite_buffer_t *)", scalar(node.arg(0)), ")->dim[", node.arg(1)->int_value(), "].",
                  node.arg(2)->int_value() == 0 ? "min" : "extent");
}

/// A header that is a variable of the block. It is valid in the statements that follow there, where its users are.
std::string Expressions::new_header(const ExprNode &node) {
    constexpr size_t first_dim = 4;
    const int64_t dimensions = node.arg(3)->int_value();
    const std::string address = scalar(node.arg(1)), bits = scalar(node.arg(2)), header = f_.fresh("header"),
                      dims = f_.fresh("dims"), type = f_.fresh();
    std::vector<std::string> fields;
    for (size_t i = first_dim; i < node.arg_count(); i++) {
        fields.push_back(scalar(node.arg(i)));
    }
    f_.line(concat("const uint32_t ", type, " = ", bits, ";"));
    f_.line(concat("fluorite_dimension_t ", dims, "[", std::max<int64_t>(dimensions, 1), "];"));
    for (size_t i = 0; i < fields.size(); i++) {
        constexpr const char *names[] = {"min", "extent", "stride"};
        f_.line(concat(dims, "[", i / 3, "].", names[i % 3], " = ", fields[i], ";"));
        if (i % 3 == 2) {
            f_.line(concat(dims, "[", i / 3, "].flags = 0;"));
        }
    }
    f_.line(concat("fluorite_buffer_t ", header, ";"));
    f_.line(concat("fluorite_set_header(&", header, ", ", address, ", ", type, ", ", dimensions, ", ", dims, ");"));
    return concat("(const void *)&", header);
}

// ---- Operations on buffers.

std::string Expressions::buffer_operation(const ExprNode &node) {
    const std::string &name = node.text();
    const ir::Symbol &symbol = node.arg(0)->symbol();
    if (name == "memory.prefetch") {
        const std::string offset = scalar(node.arg(1));
        f_.line(concat("FLUORITE_PREFETCH((const char *)", buffer(symbol).host, " + ", offset, ");"));
        return "0";
    }
    if (name == "memory.address") {
        return concat("(const void *)", buffer(symbol).host);
    }
    const std::string header = buffer(symbol).header;
    if (name == "buffer.is_null") {
        return header + " == NULL";
    }
    if (name == "buffer.is_query") {
        return concat(header, "->host == NULL && ", header, "->device == 0");
    }
    if (name == "buffer.host") {
        return concat("(const void *)", header, "->host");
    }
    if (name == "buffer.has_dims") {
        return header + "->dim != NULL";
    }
    if (name == "buffer.type") {
        const std::string bits = f_.fresh();
        f_.line(concat("uint32_t ", bits, ";"));
        f_.line(concat("memcpy(&", bits, ", &", header, "->type, 4);"));
        return bits;
    }
    if (name == "buffer.dimensions") {
        return header + "->dimensions";
    }
    if (name == "buffer.host_dirty" || name == "buffer.device_dirty") {
        return concat("(", header, "->flags & ", name == "buffer.host_dirty" ? "1" : "2", "U) != 0");
    }
    if (name == "buffer.set_dim") {
        const char *fields[] = {"min", "extent", "stride"};
        for (size_t i = 0; i < 3; i++) {
            const std::string set = scalar(node.arg(2 + i));
            f_.line(concat(header, "->dim[", node.arg(1)->int_value(), "].", fields[i], " = ", set, ";"));
        }
        return "0";
    }
    if (name == "buffer.set_type") {
        const std::string bits = f_.fresh(), type = scalar(node.arg(1)), dimensions = scalar(node.arg(2));
        f_.line(concat("const uint32_t ", bits, " = ", type, ";"));
        f_.line(concat("memcpy((void *)&", header, "->type, &", bits, ", 4);"));
        f_.line(concat(header, "->dimensions = ", dimensions, ";"));
        return "0";
    }
    check(name == "buffer.set_host_dirty", concat("'", name, "' is an operation of operations.def"));
    const std::string dirty = scalar(node.arg(1));
    f_.line(concat(header, "->flags = (", header, "->flags & ~(uint64_t)1) | (uint64_t)", dirty, ";"));
    return "0";
}

// ---- Calls.

/// A function that takes the operands from `first` on one by one; a vector calls it for each lane.
Value Expressions::function_call(const std::string &name, const ExprNode &node, size_t first) {
    const ir::Operation *operation = ir::find_operation(node.text());
    std::vector<Value> operands;
    std::vector<Type> params;
    for (size_t i = first; i < node.arg_count(); i++) {
        operands.push_back(value(node.arg(i)));
        params.push_back(ir::passed_type(operation, i, node.arg(i).type().element_of()));
    }
    calls_the_program = calls_the_program || (first == 0 && ir::is_of_program(name));
    const bool is_declared = name.starts_with("fluorite_"); // by the header
    if (!is_declared) {
        file_.declared.try_emplace(name, declaration(name, node.type().element_of(), params));
    }
    const auto call_of_lane = [&](int lane) {
        std::string list = operation && operation->takes_context ? context : "";
        for (size_t i = 0; i < operands.size(); i++) {
            const Type type = node.arg(first + i).type();
            const std::string given = named(type.element_of(), lane_of(operands[i], type, lane)).lanes[0];
            const std::string passed =
                params[i] == type.element_of() ? given : in_c(operators_.cast(type.element_of(), params[i], given));
            list += (list.empty() ? "" : ", ") + argument(params[i], passed);
        }
        return concat("(", name, ")(", list, ")");
    };
    if (node.type().is_void()) {
        f_.line(call_of_lane(0) + ";");
        return {node.type(), {"0"}};
    }
    if (node.type().is_scalar()) {
        const std::string result = f_.define(scalar_type(node.type()), call_of_lane(0));
        f_.line(concat("(void)", result, ";"));
        return {node.type(), {result}};
    }
    std::vector<std::string> lanes;
    for (int i = 0; i < node.type().lanes(); i++) {
        lanes.push_back(f_.define(scalar_type(node.type().element_of()), call_of_lane(i)));
    }
    return named(vectors_.of_lanes(node.type(), lanes));
}

/// A function that takes the first operand, and the others as an array of doubles or of pointers.
Value Expressions::array_call(const ExprNode &node, bool of_doubles) {
    const std::string first = scalar(node.arg(0)), list = f_.fresh();
    const size_t count = node.arg_count() - 1;
    std::vector<std::string> operands;
    for (size_t i = 1; i <= count; i++) {
        const Type type = node.arg(i).type();
        std::string given = scalar(node.arg(i));
        if (of_doubles) {
            given = type == Float(64) ? given : in_c(operators_.cast(type, Float(64), given));
        } else if (!type.is_handle()) {
            const std::string kept = f_.fresh();
            f_.line(concat(element_type(type), " ", kept, " = ", given, ";"));
            given = "&" + kept;
        } else {
            given = concat("(void *)", given);
        }
        operands.push_back(given);
    }
    f_.line(concat(of_doubles ? "double " : "void *", list, "[", std::max<size_t>(count, 1), "];"));
    f_.line(concat(list, "[0] = 0;"));
    for (size_t i = 0; i < count; i++) {
        f_.line(concat(list, "[", i, "] = ", operands[i], ";"));
    }
    return {node.type(),
            {f_.define("int32_t", concat(node.text(), "(", context, ", FLUORITE_POINTER(", first, "), ", list,
                                         of_doubles ? concat(", ", count) : "", ")"))}};
}

Value Expressions::call(const ExprNode &node) {
    const ir::Operation *operation = ir::find_operation(node.text());
    if (operation && operation->kind == ir::Operation::Kind::InPlace) {
        const std::string text = in_place(node);
        const std::string result = f_.define(scalar_type(node.type()), text);
        f_.line(concat("(void)", result, ";"));
        return {node.type(), {result}};
    }
    switch (ir::passing_of(node.text())) {
    case ir::Passing::Each:
        return function_call(node.text(), node, 0);
    case ir::Passing::Doubles:
        return array_call(node, true);
    case ir::Passing::Pointers:
        return array_call(node, false);
    }
    unreachable("operands are passed in one of the ways");
}

Value Expressions::host_node(const ExprNode &node) {
    switch (node.kind()) {
    case ExprKind::BufferField:
        return named(node.type(), field(node));
    case ExprKind::StringImm:
        return {node.type(), {c_string(node.text())}};
    case ExprKind::Extern:
        return call(node);
    case ExprKind::Print:
        return print(node);
    case ExprKind::Require:
        return require(node);
    default: // Expressions::new_value sends no other here
        unreachable("not an expression of the host");
    }
}

} // namespace fluorite::backends::c
