// Modules as bytes.
//
// A function is written as the text of its loop IR, which the parser reads back (ir/parse.h), with what the text does
// not say: values and limits of scalars, estimates, and elements of constants. The verifier judges what is read. What
// has been written is read again and compared with the Module, so that a text that does not parse back is refused when
// it is written. Cost: linear in the text, where shared subexpressions are repeated.

#include "fluorite/module_file.h"

#include "fluorite/buffer.h"
#include "generator/compiled_files.h"
#include "ir/c_abi.h"
#include "ir/parameter.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "language/serialize/byte_stream.h"
#include "support/check.h"
#include "support/reporting.h"

#include <algorithm>
#include <bit>
#include <climits>

namespace fluorite {

using generators::Compiled;
using generators::CompiledRef;
using ir::LoweredArg;
using language::ByteReader;
using language::Bytes;
using language::ByteWriter;

namespace {

constexpr language::FileKind module_file = {"FLUORMOD", 1, "module"};
constexpr const char *unnamed = "a serialized module";

std::string text_of(const ir::LoweredModule &module) {
    return ir::to_text(module, {.max_nodes = SIZE_MAX, .max_depth = INT_MAX});
}

// ---- Writing.

void write_number(ByteWriter &out, const Expr &number) {
    int64_t integer = 0;
    double real = 0;
    if (number.defined() && ir::is_const_int(number, &integer)) {
        out.number(1);
        out.signed_number(integer);
    } else if (number.defined() && ir::is_const_float(number, &real)) {
        out.number(2);
        out.fixed(std::bit_cast<uint64_t>(real));
    } else { // metadata has constants only
        out.number(0);
    }
}

void write_elements(ByteWriter &out, const ir::Parameter &its) {
    Buffer<> buffer(std::static_pointer_cast<buffer_detail::Contents>(its.keep_alive));
    buffer.copy_to_host();
    const fluorite_buffer_t &raw = *buffer.raw_buffer();
    for (int d = 0; d < raw.dimensions; d++) {
        out.signed_number(raw.dim[d].min);
        out.signed_number(raw.dim[d].extent);
        out.signed_number(raw.dim[d].stride);
    }
    out.raw({raw.begin(), raw.is_empty() ? 0 : raw.size_in_bytes()});
}

/// The parameter behind an argument or a constant, and the estimates of an output.
void write_argument(ByteWriter &out, const LoweredArg &arg, bool is_constant) {
    out.number(arg.estimates.size());
    for (const std::optional<int64_t> &estimate : arg.estimates) {
        out.flag(estimate.has_value());
        out.signed_number(estimate.value_or(0));
    }
    const ir::Parameter *its = ir::parameter_of(arg.symbol);
    out.flag(its != nullptr);
    if (!its) {
        return;
    }
    const bool has_value = its->has_value && !its->is_buffer && !its->type.is_handle();
    out.flag(has_value);
    out.fixed(has_value ? its->value_bits : 0);
    for (const Expr &number : {its->min_value, its->max_value, its->estimate}) {
        write_number(out, number);
    }
    out.number(its->dims.size());
    for (const ir::DimConstraint &dim : its->dims) {
        write_number(out, dim.min_estimate);
        write_number(out, dim.extent_estimate);
    }
    if (is_constant) {
        write_elements(out, *its);
    }
}

void write_function(ByteWriter &out, const Compiled &compiled, const Location &location) {
    for (const ir::LoweredFunc &func : compiled.module.funcs) {
        if (!func.is_of_host()) {
            throw CompileError("not-serializable",
                               concat("in Module ", compiled.function, ": ", func.name,
                                      " is a kernel; a file holds functions of the host, whose code is made where the "
                                      "file is read; serialize the pipeline"),
                               location);
        }
    }
    out.text(compiled.function);
    out.text(compiled.loop_nest ? *compiled.loop_nest : compiled.pipeline.loop_nest(Location()));
    out.text(compiled.schedule ? *compiled.schedule : compiled.pipeline.schedule(Location()).text());
    out.text(text_of(compiled.module));
    for (const LoweredArg &arg : compiled.module.entry().args) {
        write_argument(out, arg, false);
    }
    for (const LoweredArg &constant : compiled.module.constants) {
        write_argument(out, constant, true);
    }
}

// ---- Reading.

Expr read_number(ByteReader &in, Type type) {
    switch (in.index(3, "a kind of number")) {
    case 1: {
        const int64_t value = in.signed_number();
        return type.is_int_or_uint() ? ir::make_int(type, value) : Expr();
    }
    case 2: {
        const auto value = std::bit_cast<double>(in.fixed());
        return type.is_float() ? ir::make_float(type, value) : Expr();
    }
    default:
        return {};
    }
}

void read_elements(ByteReader &in, ir::Parameter &its) {
    buffer_detail::Dimensions dims(static_cast<size_t>(its.dimensions));
    __int128 elements = 1;
    bool is_empty = false;
    for (fluorite_dimension_t &dim : dims) {
        dim = {in.int32("a min"), in.int32("an extent"), in.int32("a stride")};
        if (dim.extent < 0 || int64_t{dim.min} + dim.extent - 1 > INT32_MAX) {
            in.fail("a constant has an extent that no buffer has");
        }
        is_empty = is_empty || dim.extent == 0;
        elements += static_cast<__int128>(std::abs(int64_t{dim.stride})) * (dim.extent - 1);
    }
    const __int128 bytes = is_empty ? 0 : elements * its.type.bytes();
    if (bytes > static_cast<__int128>(in.remaining())) {
        in.fail("the elements of a constant are missing");
    }
    auto contents = std::make_shared<buffer_detail::Contents>(its.type, dims, its.name);
    contents->allocate(in.location());
    const std::span<const uint8_t> from = in.raw(static_cast<uint64_t>(bytes));
    std::copy(from.begin(), from.end(), contents->raw().begin());
    its.is_bound_buffer = its.has_value = true;
    its.buffer = &contents->raw();
    its.keep_alive = contents;
}

/// Reads what stands behind an argument; gives its symbol the parameter.
void read_argument(ByteReader &in, LoweredArg &arg, bool is_constant) {
    arg.estimates.resize(in.count("estimates"));
    for (std::optional<int64_t> &estimate : arg.estimates) {
        const bool has_value = in.flag();
        const int64_t value = in.signed_number();
        estimate = has_value ? std::optional(value) : std::nullopt;
    }
    if (!in.flag()) {
        if (is_constant) {
            in.fail("a constant has no elements");
        }
        return;
    }
    const RefPtr<ir::Parameter> its(new ir::Parameter);
    its->name = arg.symbol.name();
    its->type = arg.type;
    its->is_buffer = arg.kind != LoweredArg::Kind::Scalar;
    its->dimensions = arg.dimensions;
    its->has_value = in.flag();
    its->value_bits = in.fixed();
    for (Expr *number : {&its->min_value, &its->max_value, &its->estimate}) {
        *number = read_number(in, arg.type);
    }
    its->dims.resize(in.count("dimensions"));
    if (its->is_buffer && its->dims.size() != static_cast<size_t>(arg.dimensions)) {
        in.fail("a buffer has another number of dimensions than its argument");
    }
    for (ir::DimConstraint &dim : its->dims) {
        dim.min_estimate = read_number(in, Int(32));
        dim.extent_estimate = read_number(in, Int(32));
    }
    if (is_constant) {
        if (!its->is_buffer || !buffer_detail::is_element_type(its->type)) {
            in.fail("a constant is no buffer");
        }
        read_elements(in, *its);
    }
    arg.symbol = ir::Symbol(arg.symbol.kind(), arg.symbol.name(), arg.symbol.owner(), its.get());
}

/// The text again, with the parameters behind the symbols of arguments and constants.
ir::LoweredModule with_parameters(ByteReader &in, const std::string &text) {
    ir::ParseOptions options;
    options.file = in.name();
    ir::LoweredModule module = ir::parse_module(text, options);
    if (module.funcs.empty()) {
        in.fail("a module has no functions");
    }
    for (LoweredArg &arg : module.entry().args) {
        read_argument(in, arg, false);
    }
    for (LoweredArg &constant : module.constants) {
        read_argument(in, constant, true);
    }
    for (const std::vector<LoweredArg> *list : {&module.entry().args, &module.constants}) {
        for (const LoweredArg &arg : *list) {
            options.symbols.push_back(arg.symbol);
        }
    }
    ir::LoweredModule result = ir::parse_module(text, options);
    for (size_t i = 0; i < result.entry().args.size(); i++) {
        result.entry().args[i].estimates = module.entry().args[i].estimates;
    }
    return result;
}

CompiledRef read_function(ByteReader &in, const Target &target) {
    auto compiled = std::make_shared<Compiled>();
    compiled->target = target;
    compiled->function = in.text();
    compiled->loop_nest = in.text();
    compiled->schedule = in.text();
    compiled->module = with_parameters(in, in.text());
    if (const auto violation = ir::find_violation(compiled->module)) {
        in.fail("a module breaks a rule: " + *violation);
    }
    if (compiled->module.entry().name != compiled->function) {
        in.fail("a function has another name than its module");
    }
    return compiled;
}

Module read_module(ByteReader &in) {
    const std::string name = in.text();
    const Target target(in.text());
    Module module(name, target);
    for (size_t left = in.count("functions"); left > 0; left--) {
        module.append(Module(read_function(in, target)));
    }
    if (!in.at_end()) {
        in.fail("bytes follow the last function");
    }
    return module;
}

Module read(std::span<const uint8_t> bytes, const std::string &name, const Location &location) {
    ByteReader in(language::unframed(module_file, bytes, name, location), name, location);
    const auto refuse = [&](const Error &error) {
        if (error.slug().starts_with("serialized-") || error.slug() == "bad-target") {
            report_error(error);
            throw;
        }
        in.fail("it is no module: " + error.message() + " [" + error.slug() + "]");
    };
    try {
        const NoReports guard;
        return read_module(in);
    } catch (const Error &error) {
        refuse(error);
    }
    unreachable("errors are passed on");
}

Bytes written(const Module &module, const Location &location) {
    ByteWriter out;
    out.text(module.name());
    out.text(module.target().to_string());
    out.number(module.functions().size());
    for (const CompiledRef &function : module.functions()) {
        write_function(out, *function, location);
    }
    return language::framed(module_file, out.take());
}

void check_complete(const Module &module, const Bytes &bytes, const Location &location) {
    bool is_same = false;
    try {
        const NoReports guard;
        is_same = written(read(bytes, unnamed, location), location) == bytes;
    } catch (const CompileError &) { // its text does not parse back
    }
    if (!is_same) {
        throw CompileError("not-serializable",
                           concat("in Module ", module.name(),
                                  ": its loop IR is not read as it was written; a file holds functions as texts; "
                                  "serialize the pipeline"),
                           location);
    }
}

} // namespace

void serialize_module(const Module &module, std::vector<uint8_t> &data, const Location &location) {
    Bytes bytes = written(module, location);
    check_complete(module, bytes, location);
    data = std::move(bytes);
}

void serialize_module(const Module &module, const std::string &filename, const Location &location) {
    Bytes bytes;
    serialize_module(module, bytes, location);
    language::write_bytes(filename, bytes, location);
}

Module deserialize_module(const std::vector<uint8_t> &data, const Location &location) {
    return read(data, unnamed, location);
}

Module deserialize_module(const std::string &filename, const Location &location) {
    return read(language::read_bytes(filename, location), filename, location);
}

} // namespace fluorite
