// Callable: a compiled pipeline as a function object.
//
// What: matches the listed arguments with those of the code once; a call then only checks types and fills a list of
// pointers. A typed function checks what its types say where it is made. Inputs that are not listed keep their
// bindings. The code is fixed when the Callable is made: later edits of the Func do not affect it.

#include "driver/argument_checks.h"
#include "driver/compiled.h"

#include "fluorite/buffer.h"
#include "ir/parameter.h"
#include "support/check.h"
#include "support/place.h"

namespace fluorite {

struct Callable::Contents {
    std::shared_ptr<const driver::CompiledPipeline> pipeline;
    std::vector<Argument> args; // as listed
    std::vector<int> place;     // for each argument of the code: the index of the listed one, or -1
    JITHandlers handlers;
};

Callable Pipeline::compile_to_callable(const std::vector<Argument> &args, const Target &target,
                                       const Location &location) const {
    auto contents = std::make_shared<Callable::Contents>();
    contents->pipeline = with_place(location, [&] { return driver::compiled_for(needed(location), target, location); });
    if (contents->pipeline->distributed) {
        contents->pipeline =
            with_place(location, [&] { return driver::compile_for_ranks(needed(location), target, location); });
    }
    contents->args = args;
    contents->handlers = contents_->handlers;
    const std::string &name = contents->pipeline->outputs[0].name;
    with_place(location, [&] {
        for (const Argument &argument : args) {
            driver::check_argument(name, argument);
        }
        driver::check_distinct(name, args);
    });
    for (const ir::LoweredArg &arg : contents->pipeline->args) {
        int place = -1;
        const ir::Parameter *parameter = ir::parameter_of(arg.symbol);
        for (size_t i = 0; i < args.size(); i++) {
            const bool same =
                args[i].parameter ? args[i].parameter.get() == parameter : args[i].name == arg.symbol.name();
            place = same ? static_cast<int>(i) : place;
        }
        if (place >= 0) {
            with_place(location, [&] { driver::check_declared(name, args[static_cast<size_t>(place)], arg); });
        }
        if (place < 0 && parameter && !parameter->is_bound_buffer) {
            throw CompileError("missing-argument",
                               concat("in ", name, ": the input ", parameter->name,
                                      " is not among the arguments; a function takes all that it reads; add it"),
                               location);
        }
        contents->place.push_back(place);
    }
    return Callable(contents);
}

const Callable::Contents &Callable::needed(const Location &location) const {
    if (!contents_) {
        throw RuntimeError("undefined-func",
                           "in a Callable: it is called but was never compiled; a Callable comes from "
                           "compile_to_callable; assign one",
                           location);
    }
    return *contents_;
}

void Callable::check_parameters(const std::vector<Parameter> &parameters, const Location &location) const {
    const Contents &contents = needed(location);
    const driver::CompiledPipeline &pipeline = *contents.pipeline;
    const std::string &name = pipeline.outputs[0].name;
    const size_t inputs = contents.args.size(), wanted = inputs + pipeline.outputs.size();
    if (parameters.size() != wanted) {
        throw RuntimeError("wrong-arity",
                           concat("in ", name, ": make_std_function is given ", parameters.size(),
                                  " types of arguments; its Callable takes ", inputs, " inputs and ",
                                  pipeline.outputs.size(), " outputs; give their types in that order"),
                           location);
    }
    for (size_t i = 0; i < wanted; i++) {
        const Parameter &seen = parameters[i];
        const bool is_buffer = i >= inputs || contents.args[i].is_buffer();
        const Type type = i >= inputs ? pipeline.outputs[i - inputs].type : contents.args[i].type;
        const int rank = i >= inputs ? pipeline.outputs[i - inputs].dimensions : contents.args[i].dimensions;
        const bool type_fits = seen.type == type || (seen.is_buffer && seen.type.is_void());
        const bool rank_fits = !is_buffer || seen.dimensions < 0 || seen.dimensions == rank;
        if (seen.is_buffer == is_buffer && type_fits && rank_fits) {
            continue;
        }
        const auto text = [](bool of_buffer, Type of, int dimensions) {
            return !of_buffer ? concat("a scalar of type ", of)
                              : "a buffer" + (of.is_void() ? "" : " of " + to_string(of)) +
                                    (dimensions < 0 ? "" : concat(" with ", dimensions, " dimensions"));
        };
        throw RuntimeError(seen.is_buffer != is_buffer || !is_buffer ? "value-type"
                           : !type_fits                              ? "wrong-buffer-type"
                                                                     : "wrong-buffer-rank",
                           concat("in ", name, ": argument ", i, " of make_std_function is ",
                                  text(seen.is_buffer, seen.type, seen.dimensions), "; the pipeline takes ",
                                  text(is_buffer, type, rank), " there; give that type"),
                           location);
    }
}

int Callable::call(JITUserContext *context, const std::vector<Value> &values, const Location &location) const {
    const driver::CompiledPipeline &pipeline = *needed(location).pipeline;
    const std::string &name = pipeline.outputs[0].name;
    const size_t inputs = contents_->args.size(), wanted = inputs + pipeline.outputs.size();
    if (values.size() != wanted) {
        throw RuntimeError("wrong-arity",
                           concat("in ", name, ": its Callable is given ", values.size(), " arguments; it takes ",
                                  inputs, " inputs and ", pipeline.outputs.size(), " outputs; pass them in that order"),
                           location);
    }
    for (size_t i = 0; i < wanted; i++) {
        const bool is_buffer = i >= inputs || contents_->args[i].is_buffer();
        const bool fits = is_buffer ? values[i].buffer() != nullptr
                                    : values[i].buffer() == nullptr && values[i].type() == contents_->args[i].type;
        if (!fits) {
            throw RuntimeError("value-type",
                               concat("in ", name, ": argument ", i, " of its Callable is ",
                                      values[i].buffer()             ? "a buffer"
                                      : values[i].type().is_handle() ? "a null pointer"
                                                                     : concat("a scalar of type ", values[i].type()),
                                      "; the pipeline takes ",
                                      is_buffer ? "a buffer" : concat("a scalar of type ", contents_->args[i].type),
                                      " there; pass one"),
                               location);
        }
    }
    std::vector<void *> args;
    size_t output = inputs;
    for (size_t i = 0; i < pipeline.args.size(); i++) {
        const ir::LoweredArg &arg = pipeline.args[i];
        if (arg.kind == ir::LoweredArg::Kind::OutputBuffer) {
            args.push_back(values[output++].buffer());
        } else if (contents_->place[i] >= 0) {
            const Value &value = values[static_cast<size_t>(contents_->place[i])];
            args.push_back(value.buffer() ? static_cast<void *>(value.buffer())
                                          : const_cast<uint64_t *>(&value.bits()));
        } else {
            const ir::Parameter *parameter = ir::parameter_of(arg.symbol);
            args.push_back(parameter ? parameter->buffer : nullptr);
        }
    }
    return driver::run_with(pipeline, std::move(args), driver::RunContext(context, contents_->handlers, location),
                            location);
}

} // namespace fluorite
