// Running compiled pipelines.
//
// What: collects arguments (bound buffers and values of parameters, then outputs), calls the code, and turns a nonzero
// result into a RuntimeError with the text that the runtime stored: `in <who>: <seen>; <rule>; <fix> [slug]`. If the
// program has installed its own error handler, that handler has been called and nothing is thrown, as in Halide. An
// exception that a hook throws on any thread (errors, printing, memory, tracing, parallel loops) ends the run and is
// rethrown here, after all tasks have ended and the code has freed its memory.
//
// Buffers without memory are refused: only infer_inputs and make_outputs make bounds queries.
//
// infer_inputs runs the pipeline as a bounds query (null hosts) until no input region grows any more (a fixpoint): the
// region of one input may depend on the fields of another. Relies on: lowering answers queries. Cost: a few calls of
// the code.

#include "driver/compiled.h"
#include "driver/handlers.h"

#include "fluorite/runtime/catch.h"
#include "fluorite/runtime/profile.h"
#include "fluorite/runtime_device.h"
#include "ir/bound_arguments.h"
#include "ir/parameter.h"
#include "language/function.h"
#include "support/bounds_query_fixpoint.h"
#include "support/check.h"

#include <cstdlib>
#include <exception>
#include <functional>
#include <limits>
#include <utility>

namespace fluorite::driver {

namespace {

using ir::LoweredArg;

[[noreturn]] void throw_stored_error(int32_t code, const Location &location) {
    std::string text = fluorite_last_error_message();
    std::string slug = "runtime-error";
    const size_t bracket = text.rfind(" [");
    if (bracket != std::string::npos && text.back() == ']') {
        slug = text.substr(bracket + 2, text.size() - bracket - 3);
        text.resize(bracket);
    }
    if (text.empty()) {
        text = concat("in a pipeline: it returned error ", code,
                      "; an extern function or handler must return 0 for success; see what it reports");
    }
    fluorite_clear_error();
    throw RuntimeError(slug, text, location);
}

/// The argument list, filled with what is bound to the inputs.
struct Inputs {
    std::vector<void *> args;
    void *context = nullptr;
    std::vector<fluorite_buffer_t> empty; // headers that replace those of buffers without elements and memory
};

void add_input(Inputs &inputs, const LoweredArg &arg, const ir::Parameter *parameter, const Location &location) {
    if (arg.kind == LoweredArg::Kind::InputBuffer) {
        if (!parameter) {
            check(false, concat("input '", arg.symbol.name(), "' has a parameter"));
        }
        inputs.args.push_back(ir::bound_buffer(*parameter, location));
        return;
    }
    if (!parameter) { // the user context
        inputs.args.push_back(&inputs.context);
        return;
    }
    inputs.args.push_back(ir::bound_value(*parameter, location));
}

/// Catches exceptions of the hooks that are called during its lifetime.
class HookExceptions {
  public:
    HookExceptions() {
        catcher_.caught = [](fluorite_catcher_t *catcher) {
            static_cast<Catcher *>(catcher)->first = std::current_exception();
        };
        outer_ = fluorite_set_catcher(&catcher_);
    }
    ~HookExceptions() { fluorite_set_catcher(outer_); }
    HookExceptions(const HookExceptions &) = delete;
    HookExceptions &operator=(const HookExceptions &) = delete;

    /// Throws the first one, if any.
    void rethrow() {
        if (catcher_.first) {
            fluorite_clear_error();
            std::rethrow_exception(std::exchange(catcher_.first, nullptr));
        }
    }

  private:
    struct Catcher : fluorite_catcher_t {
        std::exception_ptr first;
    };

    Catcher catcher_{};
    fluorite_catcher_t *outer_ = nullptr;
};

/// Whether buffers without memory are bounds queries.
enum class Purpose : uint8_t { Compute, Query };

std::string buffer_name(const CompiledPipeline &pipeline, size_t arg) {
    if (const ir::Parameter *parameter = pipeline.parameters[arg]) {
        return language::shown_name(parameter->name);
    }
    return pipeline.args[arg].symbol.name();
}

/// Refuses a buffer with elements but without memory, because the code would take it for a query. A buffer without
/// elements gets an address for the same reason. Returns the error code.
int require_memory(const CompiledPipeline &pipeline, Inputs &inputs) {
    alignas(128) static uint8_t nothing[128];
    inputs.empty.reserve(pipeline.args.size());
    for (size_t i = 0; i < pipeline.args.size(); i++) {
        auto *buffer = static_cast<fluorite_buffer_t *>(inputs.args[i]);
        if (pipeline.args[i].kind == LoweredArg::Kind::Scalar || !buffer || !buffer->is_bounds_query()) {
            continue;
        }
        if (!buffer->is_empty()) {
            return fluorite_error_host_is_null(inputs.context, buffer_name(pipeline, i).c_str());
        }
        inputs.empty.push_back(*buffer);
        inputs.empty.back().host = nothing;
        inputs.args[i] = &inputs.empty.back();
    }
    return 0;
}

/// Runs code that reports errors to the runtime. Returns its code, or throws what it has reported.
int with_errors(const RunContext &context, const Location &location, const std::function<int()> &code_of) {
    fluorite_clear_error();
    HookExceptions exceptions;
    const int code = code_of();
    exceptions.rethrow();
    if (code != 0 && !has_error_handler() && !context.reports_errors()) {
        throw_stored_error(code, location);
    }
    return code;
}

int call(const CompiledPipeline &pipeline, Inputs &inputs, const RunContext &context, Purpose purpose,
         const Location &location) {
    inputs.context = context.context();
    return with_errors(context, location, [&] {
        const int code = purpose == Purpose::Compute ? require_memory(pipeline, inputs) : 0;
        if (code != 0) {
            return code;
        }
        const int result = pipeline.code->run(inputs.args.data());
        if (purpose == Purpose::Compute && pipeline.target.features_any_of({Target::Profile, Target::ProfileByTimer})) {
            fluorite_profile_after_run(inputs.context);
        }
        return result;
    });
}

/// Merges the outputs with the bound inputs and values in argument order.
void collect(const CompiledPipeline &pipeline, const std::vector<fluorite_buffer_t *> &outputs, Inputs &inputs,
             const Location &location) {
    ir::check_output_count(pipeline.outputs[0].name, outputs.size(), pipeline.outputs.size(), location);
    inputs.args.reserve(pipeline.args.size());
    size_t output = 0;
    for (size_t i = 0; i < pipeline.args.size(); i++) {
        if (pipeline.args[i].kind == LoweredArg::Kind::OutputBuffer) {
            inputs.args.push_back(outputs[output++]);
        } else {
            add_input(inputs, pipeline.args[i], pipeline.parameters[i], location);
        }
    }
    check(output == outputs.size(), "each output value is an argument");
}

/// Checks that the promised region of an output covers the sizes of the run.
void check_covered(const OutputValue &output, const fluorite_buffer_t &answer, const std::vector<int32_t> &sizes,
                   const Location &location) {
    for (size_t d = 0; d < sizes.size(); d++) {
        const int64_t min = answer.dim[d].min, end = min + answer.dim[d].extent;
        if (min <= 0 && end >= sizes[d]) {
            continue;
        }
        throw RuntimeError("bound-too-small",
                           concat("in ", output.name, ": it is realized over [0, ", sizes[d] - 1, "] along dimension ",
                                  d, ", and bound() or the constraints on its output buffer give [", min, ", ", end - 1,
                                  "]; what is promised covers what is realized; realize that range, as a Buffer with "
                                  "this min and extent, or promise more"),
                           location);
    }
}

/// A buffer of the shape that an output query returned.
Buffer<> buffer_for(const OutputValue &output, const fluorite_buffer_t &answer, const Location &location) {
    std::vector<fluorite_dimension_t> dims(answer.dim, answer.dim + answer.dimensions);
    if (!output.has_strides) {
        int64_t stride = 1;
        for (int d : output.storage_order) {
            if (stride > std::numeric_limits<int32_t>::max()) {
                throw RuntimeError("buffer-too-large",
                                   concat("in ", output.name, ": the stride of dimension ", d, " would be ", stride,
                                          " elements; strides are 32-bit; use smaller inner extents"),
                                   location);
            }
            dims[static_cast<size_t>(d)].stride = static_cast<int32_t>(stride);
            stride *= std::max(dims[static_cast<size_t>(d)].extent, 1);
        }
    }
    auto contents = std::make_shared<buffer_detail::Contents>(output.type, dims, output.name);
    contents->allocate(location);
    return Buffer<>(contents);
}

} // namespace

void check_rank(const OutputValue &output, const std::vector<int32_t> &sizes, const char *what,
                const Location &location) {
    if (sizes.empty() && output.dimensions > 0) {
        // The braces of realize({0}) make a null JITUserContext, which C++ prefers to a vector.
        throw RuntimeError("wrong-rank",
                           concat("in ", output.name, ": ", what, " is given no sizes, the Func has ",
                                  output.dimensions, " dimension", output.dimensions > 1 ? "s" : "",
                                  "; there is one size for each dimension, and a lone 0 in braces, as in realize({0}), "
                                  "is no size but a null context; give all sizes, as in realize(0)"),
                           location);
    }
    if (static_cast<size_t>(output.dimensions) != sizes.size()) {
        throw RuntimeError("wrong-rank",
                           concat("in ", output.name, ": ", what, " is given ", sizes.size(), " sizes, the Func has ",
                                  output.dimensions, " dimensions; sizes and dimensions must agree; ",
                                  "give one size for each dimension"),
                           location);
    }
}

Buffer<> dense_buffer(const OutputValue &output, const std::vector<int32_t> &sizes,
                      const std::vector<int> &storage_order, const Location &location) {
    const auto dims = buffer_detail::dense_dimensions(sizes, storage_order, output.name, location);
    auto contents = std::make_shared<buffer_detail::Contents>(output.type, dims, output.name);
    contents->allocate(location);
    return Buffer<>(contents);
}

int run(const CompiledPipeline &pipeline, const std::vector<fluorite_buffer_t *> &outputs, const RunContext &context,
        const Location &location) {
    Inputs inputs;
    collect(pipeline, outputs, inputs, location);
    return call(pipeline, inputs, context, Purpose::Compute, location);
}

int copy_to_host(const std::vector<fluorite_buffer_t *> &outputs, const RunContext &context, const Location &location) {
    return with_errors(context, location, [&] {
        int code = 0;
        for (fluorite_buffer_t *output : outputs) {
            code = code == 0 && output->device_dirty() ? fluorite_copy_to_host(context.context(), output) : code;
        }
        return code;
    });
}

int query(const CompiledPipeline &pipeline, const std::vector<fluorite_buffer_t *> &outputs, const RunContext &context,
          const Location &location) {
    Inputs inputs;
    collect(pipeline, outputs, inputs, location);
    return call(pipeline, inputs, context, Purpose::Query, location);
}

namespace {
int call_with(const CompiledPipeline &pipeline, std::vector<void *> args, const RunContext &context, Purpose purpose,
              const Location &location) {
    Inputs inputs;
    inputs.args = std::move(args);
    for (size_t i = 0; i < inputs.args.size(); i++) {
        if (!inputs.args[i]) {
            inputs.args[i] = &inputs.context; // the user context
        }
    }
    return call(pipeline, inputs, context, purpose, location);
}
} // namespace

int run_with(const CompiledPipeline &pipeline, std::vector<void *> args, const RunContext &context,
             const Location &location) {
    return call_with(pipeline, std::move(args), context, Purpose::Compute, location);
}

int query_with(const CompiledPipeline &pipeline, std::vector<void *> args, const RunContext &context,
               const Location &location) {
    return call_with(pipeline, std::move(args), context, Purpose::Query, location);
}

std::vector<Buffer<>> make_outputs(const CompiledPipeline &pipeline, const std::vector<int32_t> &sizes,
                                   const RunContext &context, const Location &location) {
    for (const OutputValue &output : pipeline.outputs) {
        check_rank(output, sizes, "realize", location);
    }
    // The pipeline reports the region that it would write, and refuses negative sizes.
    QueryOutputs query(pipeline, sizes, location);
    bool asked = !pipeline.target.has_feature(Target::NoBoundsQuery);
    if (asked) {
        Inputs inputs;
        collect(pipeline, query.headers(), inputs, location);
        // A fused loop that rounds up writes a part of a row more, and then again of an output with that row, until the
        // rows are whole pieces: at most as often as a piece has points.
        constexpr int most_rounds = 10'000;
        bool grows = true;
        for (int round = 0; asked && grows && round < most_rounds; round++) {
            const QueryOutputs::Extents before = query.extents();
            asked = call(pipeline, inputs, context, Purpose::Query, location) == 0;
            grows = query.extents() != before;
        }
    }
    std::vector<Buffer<>> buffers;
    for (size_t i = 0; i < pipeline.outputs.size(); i++) {
        const OutputValue &output = pipeline.outputs[i];
        if (!asked) {
            buffers.push_back(dense_buffer(output, sizes, output.storage_order, location));
            continue;
        }
        check_covered(output, *query.headers()[i], sizes, location);
        buffers.push_back(buffer_for(output, *query.headers()[i], location));
    }
    return buffers;
}

void crop_to(const std::vector<Buffer<>> &outputs, const std::vector<int32_t> &sizes) {
    for (const Buffer<> &output : outputs) {
        for (int d = 0; d < output.dimensions(); d++) {
            const int size = sizes[static_cast<size_t>(d)], min = output.dim(d).min(), extent = output.dim(d).extent();
            if ((min != 0 || extent != size) && min <= 0 && int64_t{min} + extent >= size) {
                output.contents()->crop(d, 0, size, {});
            }
        }
    }
}

QueryOutputs::QueryOutputs(const CompiledPipeline &pipeline, const std::vector<int32_t> &sizes,
                           const Location &location) {
    for (const OutputValue &output : pipeline.outputs) {
        check_rank(output, sizes, "infer_input_bounds", location);
        std::vector<fluorite_dimension_t> dims;
        for (int32_t size : sizes) {
            dims.emplace_back(0, size, 1); // the query returns the stride
        }
        dims_.push_back(std::move(dims));
    }
    headers_.resize(dims_.size());
    for (size_t i = 0; i < dims_.size(); i++) {
        const Type type = pipeline.outputs[i].type;
        headers_[i].type =
            fluorite_type_t(static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()));
        headers_[i].dimensions = static_cast<int32_t>(dims_[i].size());
        headers_[i].dim = dims_[i].data();
        pointers_.push_back(&headers_[i]);
    }
}

QueryOutputs::Extents QueryOutputs::extents() const {
    Extents extents;
    for (const std::vector<fluorite_dimension_t> &dims : dims_) {
        for (const fluorite_dimension_t &dim : dims) {
            extents.push_back(dim.extent);
        }
    }
    return extents;
}

void infer_inputs(const CompiledPipeline &pipeline, const std::vector<fluorite_buffer_t *> &outputs,
                  const RunContext &context, const Location &location) {
    ir::check_output_count(pipeline.outputs[0].name, outputs.size(), pipeline.outputs.size(), location);
    struct Query {
        ir::Parameter *parameter = nullptr;
        Type type;
        std::vector<fluorite_dimension_t> dims;
        fluorite_buffer_t header{};
    };
    std::vector<std::unique_ptr<Query>> queries;
    Inputs inputs;
    size_t output = 0;
    for (const LoweredArg &arg : pipeline.args) {
        ir::Parameter *parameter = ir::parameter_of(arg.symbol);
        if (arg.kind == LoweredArg::Kind::OutputBuffer) {
            inputs.args.push_back(outputs[output++]);
        } else if (arg.kind == LoweredArg::Kind::InputBuffer && parameter && !parameter->buffer) {
            auto query = std::make_unique<Query>();
            query->parameter = parameter;
            query->type = arg.type;
            query->dims.resize(static_cast<size_t>(arg.dimensions));
            query->header.dimensions = arg.dimensions;
            query->header.dim = query->dims.data();
            query->header.type = fluorite_type_t(static_cast<fluorite_type_code_t>(arg.type.code()),
                                                 static_cast<uint8_t>(arg.type.bits()));
            inputs.args.push_back(&query->header);
            queries.push_back(std::move(query));
        } else {
            add_input(inputs, arg, parameter, location);
        }
    }
    if (queries.empty()) {
        return;
    }
    const auto ask = [&] { return call(pipeline, inputs, context, Purpose::Query, location) == 0; };
    const auto regions = [&] {
        std::vector<std::vector<fluorite_dimension_t>> all;
        for (const auto &query : queries) {
            all.push_back(query->dims);
        }
        return all;
    };
    if (!bounds_query_fixpoint(pipeline.outputs[0].name, ask, regions, location)) {
        return;
    }
    for (auto &query : queries) {
        // The header that the runtime returns gives min, extent and stride; memory is dense in the order of the
        // strides.
        std::vector<fluorite_dimension_t> shape = query->dims;
        auto contents = std::make_shared<buffer_detail::Contents>(query->type, shape, query->parameter->name);
        contents->allocate(location);
        query->parameter->buffer = &contents->raw();
        query->parameter->keep_alive = contents;
    }
}

} // namespace fluorite::driver
