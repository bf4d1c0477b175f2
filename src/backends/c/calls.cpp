// What only the host computes: fields of buffers, texts, messages, and calls by name (ir/operations.def, ir/c_abi.h).

#include "backends/c/expressions.h"
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
        static constexpr const char *codes[] = {"fluorite_type_int", "fluorite_type_uint", "fluorite_type_float",
                                                "fluorite_type_handle", "fluorite_type_bfloat"};
        file_.constants.push_back(concat(
            "static const uint8_t ", name, "_data[] FLUORITE_ALIGNED(128) = {", bytes,
            "0};\nstatic fluorite_dimension_t ", name, "_dims[] = {", source.dimensions == 0 ? "{0, 0, 0, 0}" : dims,
            "};\nstatic fluorite_buffer_t ", name, " = {0, NULL, (uint8_t *)", name, "_data + ",
            -source.begin_offset() * source.type.bytes(), ", 0, {", codes[static_cast<size_t>(source.type.code)], ", ",
            static_cast<int>(source.type.bits), ", 1}, ", source.dimensions, ", ", name, "_dims, NULL};"));
        return "(&" + name + ")";
    }
    internal_error(concat("buffer '", symbol.name(), "' is not known in '", file_.module.entry().name, "'"), {});
}

void Expressions::bind_buffer(const ir::Symbol &symbol, Type element, BufferText text) {
    if (text.host.empty()) {
        text.host = concat("((", element_type(element), " *)", text.header, "->host)");
    }
    buffers_[symbol] = std::move(text);
}

BufferText &Expressions::buffer(const ir::Symbol &symbol) {
    if (!buffers_.contains(symbol)) {
        const auto &constants = file_.module.constants;
        const auto found = std::find_if(constants.begin(), constants.end(),
                                        [&](const ir::LoweredArg &arg) { return arg.symbol == symbol; });
        const std::string header = embedded(symbol);
        bind_buffer(symbol, found->type, {header, ""});
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
            const std::string lane =
                type.is_scalar()
                    ? values[k].lanes[0]
                    : named(type.element_of(), lane_value({type, values[k].type, values[k].lanes[0]}, i)).lanes[0];
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

/// A vector's condition: that of any lane, or of all.
static std::string joined_lanes(const Type &type, const Value &condition, const char *sign) {
    std::string all;
    for (int i = 0; i < type.lanes(); i++) {
        all += concat(i == 0 ? "" : sign, "(",
                      type.is_scalar() ? condition.lanes[0] : lane_value({type, condition.type, condition.lanes[0]}, i),
                      ")");
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
            f_.line(concat(values, "[", i, "] = ",
                           type.is_scalar() ? whole.lanes[0] : lane_value({type, whole.type, whole.lanes[0]}, i), ";"));
        }
    }
    f_.line(concat("int32_t ", places, "[", std::max(event.dimensions(), 1), "];"));
    f_.line(concat(places, "[0] = 0;"));
    for (size_t d = 0; d < event.coordinates.size(); d++) {
        const Expr &all = event.coordinates[d];
        const Value whole = value(all);
        for (int i = 0; i < event.lanes; i++) {
            f_.line(concat(places, "[", static_cast<int>(d) * event.lanes + i,
                           "] = ", all.type().is_scalar() ? whole.lanes[0] : lane_text(whole.lanes[0], i), ";"));
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
        throw CompileError("not-built",
                           concat("in ", file_.module.entry().name,
                                  ": a Func is defined by a C function, and C source is asked for; it does "
                                  "not call such functions; compile to an object"));
    }
    const ir::Symbol &symbol = node.arg(0)->symbol();
    if (name == "memory.prefetch") {
        const std::string offset = scalar(node.arg(1));
        f_.line(concat("FLUORITE_PREFETCH((const char *)", buffer(symbol).host, " + ", offset, ");"));
        return "0";
    }
    if (name == "memory.address") {
        return concat("(const void *)", buffer(symbol).host);
    }
    if (name.starts_with("device.")) {
        throw CompileError("not-built",
                           concat("in ", file_.module.entry().name,
                                  ": a Func is in the memory of a device; C source has no devices; compile "
                                  "for a target without cuda and opencl"));
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

/// A function that takes its operands one by one; a vector calls it for each lane.
Value Expressions::function_call(const ExprNode &node) {
    const std::string &name = node.text();
    const ir::Operation *operation = ir::find_operation(name);
    std::vector<Value> operands;
    std::vector<Type> params;
    for (size_t i = 0; i < node.arg_count(); i++) {
        operands.push_back(value(node.arg(i)));
        params.push_back(ir::passed_type(operation, i, node.arg(i).type().element_of()));
    }
    if (ir::is_of_program(name)) {
        calls_the_program = true;
    }
    const bool is_declared = name.starts_with("fluorite_"); // by the header
    if (!is_declared) {
        file_.declared.try_emplace(name, declaration(name, node.type().element_of(), params));
    }
    const auto call_of_lane = [&](int lane) {
        std::string list = operation && operation->takes_context ? context : "";
        for (size_t i = 0; i < operands.size(); i++) {
            const Type type = node.arg(i).type();
            const std::string given =
                type.is_scalar()
                    ? operands[i].lanes[0]
                    : named(type.element_of(), lane_value({type, operands[i].type, operands[i].lanes[0]}, lane))
                          .lanes[0];
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
    const Vector made = of_lanes(node.type(), lanes);
    return {made.held, {made.text}};
}

Value Expressions::call(const ExprNode &node) {
    const ir::Operation *operation = ir::find_operation(node.text());
    if (operation && operation->kind == ir::Operation::Kind::InPlace) {
        const std::string text = in_place(node);
        const std::string result = f_.define(scalar_type(node.type()), text);
        f_.line(concat("(void)", result, ";"));
        return {node.type(), {result}};
    }
    const ir::Passing passing = ir::passing_of(node.text());
    if (passing == ir::Passing::Each) {
        return function_call(node);
    }
    const std::string first = scalar(node.arg(0)), list = f_.fresh();
    const size_t count = node.arg_count() - 1;
    std::vector<std::string> operands;
    for (size_t i = 1; i <= count; i++) {
        const Type type = node.arg(i).type();
        std::string given = scalar(node.arg(i));
        if (passing == ir::Passing::Doubles) {
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
    const bool are_doubles = passing == ir::Passing::Doubles;
    f_.line(concat(are_doubles ? "double " : "void *", list, "[", std::max<size_t>(count, 1), "];"));
    f_.line(concat(list, "[0] = 0;"));
    for (size_t i = 0; i < count; i++) {
        f_.line(concat(list, "[", i, "] = ", operands[i], ";"));
    }
    return {node.type(),
            {f_.define("int32_t", concat(node.text(), "(", context, ", FLUORITE_POINTER(", first, "), ", list,
                                         are_doubles ? concat(", ", count) : "", ")"))}};
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
