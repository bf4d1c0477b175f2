// Ahead-of-time compilation: the compile_to_ methods of Func and Pipeline.
//
// What: each method lowers the pipeline, puts the arguments into the caller's order, and writes object code, assembly,
// bitcode, LLVM's text, a C header, a static library (an archive of the object and of the runtime, unless the target
// has no_runtime), C source, or the loop IR as text or HTML. Arguments that the pipeline does not use stay in the
// signature; an input that is not among the arguments is an error. The user context is an argument only if the caller
// lists it or the target has user_context.
//
// Buffers that the program uses directly and that are not listed become data in the code.

#include "driver/archive.h"
#include "driver/argument_checks.h"
#include "driver/asked_target.h"
#include "driver/c_names.h"
#include "driver/choose_backend.h"
#include "driver/compiled.h"
#include "driver/header.h"
#include "driver/lowered_file.h"

#include "autoschedule/time_tiling/plan_time_tiles.h"
#include "ir/parameter.h"
#include "ir/print.h"
#include "loopnest/explain/explain_schedule.h"
#include "loopnest/explain/print_loop_nest.h"
#include "support/check.h"
#include "support/large_stack.h"
#include "support/markup.h"
#include "support/place.h"
#include "support/write_file.h"

#include <algorithm>
#include <iostream>

namespace fluorite {

namespace {

using backends::OutputKind;
using ir::LoweredArg;
using ir::LoweredFunc;
using ir::LoweredModule;

using driver::is_user_context;

/// The function's argument that a declared one denotes: matched by the object behind it, else by name.
const LoweredArg *find_argument(const LoweredFunc &func, const Argument &wanted) {
    for (const LoweredArg &arg : func.args) {
        const ir::Parameter *parameter = ir::parameter_of(arg.symbol);
        if (arg.kind != LoweredArg::Kind::OutputBuffer && parameter && parameter == wanted.parameter.get()) {
            return &arg;
        }
    }
    for (const LoweredArg &arg : func.args) {
        if (arg.kind != LoweredArg::Kind::OutputBuffer && arg.symbol.name() == wanted.name) {
            return &arg;
        }
    }
    return nullptr;
}

/// Whether the data of a buffer is embedded in the code.
bool is_embedded(const LoweredArg &arg) {
    const ir::Parameter *parameter = ir::parameter_of(arg.symbol);
    return arg.kind == LoweredArg::Kind::InputBuffer && parameter && parameter->is_bound_buffer && parameter->buffer;
}

/// The parameter that metadata describe: the argument's own, or one with what it says.
detail::Ref<ir::Parameter> described(const Argument &wanted) {
    if (wanted.parameter) {
        return wanted.parameter;
    }
    detail::Ref<ir::Parameter> parameter(new ir::Parameter);
    parameter->name = wanted.name;
    parameter->type = wanted.type;
    parameter->is_buffer = wanted.is_buffer();
    parameter->dimensions = wanted.dimensions;
    parameter->dims.resize(static_cast<size_t>(wanted.dimensions));
    const ArgumentEstimates &given = wanted.argument_estimates;
    parameter->default_value = given.scalar_def;
    parameter->min_value = given.scalar_min;
    parameter->max_value = given.scalar_max;
    parameter->estimate = given.scalar_estimate;
    for (size_t d = 0; d < std::min(parameter->dims.size(), given.buffer_estimates.size()); d++) {
        parameter->dims[d].min_estimate = given.buffer_estimates[d].min;
        parameter->dims[d].extent_estimate = given.buffer_estimates[d].extent;
    }
    return parameter;
}

LoweredArg unused_argument(const Argument &wanted) {
    const bool is_buffer = wanted.is_buffer();
    const ir::Symbol symbol(is_buffer ? ir::SymbolKind::Buffer : ir::SymbolKind::Param, wanted.name, {},
                            described(wanted).get());
    return {is_buffer ? LoweredArg::Kind::InputBuffer : LoweredArg::Kind::Scalar, symbol, wanted.type,
            wanted.dimensions};
}

/// The module whose entry has these arguments; buffers of the program that are not among them become constants.
LoweredModule with_arguments(LoweredModule module, const std::vector<Argument> &wanted, const Target &target) {
    LoweredFunc &func = module.entry();
    std::vector<LoweredArg> args;
    const auto has = [&](const LoweredArg &arg, bool by_name = false) {
        return std::any_of(args.begin(), args.end(), [&](const LoweredArg &a) {
            return a.symbol == arg.symbol || (by_name && a.symbol.name() == arg.symbol.name());
        });
    };
    if (target.has_feature(Target::UserContext) && !func.args.empty() && is_user_context(func.args[0].symbol.name())) {
        args.push_back(func.args[0]);
    }
    for (const Argument &argument : wanted) {
        driver::check_argument(func.name, argument);
        const LoweredArg *found = find_argument(func, argument);
        if (found) {
            driver::check_declared(func.name, argument, *found);
        }
        const LoweredArg arg = found ? *found : unused_argument(argument);
        const bool is_added = args.size() == 1 && is_user_context(arg.symbol.name()); // the target may add it as well
        if (!has(arg, !found)) {
            args.push_back(arg);
        } else if (!is_added) {
            throw CompileError("duplicate-argument",
                               concat("in ", func.name, ": '", argument.name,
                                      "' stands twice among the arguments; a function takes each once; name it once"));
        }
    }
    for (const LoweredArg &arg : func.args) {
        if (arg.kind == LoweredArg::Kind::OutputBuffer) {
            args.push_back(arg);
        } else if (has(arg)) {
            continue;
        } else if (is_embedded(arg)) {
            module.constants.push_back(arg);
        } else if (!is_user_context(arg.symbol.name())) {
            throw CompileError("missing-argument",
                               concat("in ", func.name, ": input '", arg.symbol.name(),
                                      "' is not among the arguments; a compiled ",
                                      "function takes every input that it reads; add it, or pass infer_arguments()"));
        }
    }
    func.args = std::move(args);
    return module;
}

/// Checks that the target is one of code that outlives the process; texts for readers may be of any code.
void check_ahead_of_time(const Target &target) {
    if (target.has_feature(Target::JIT)) {
        throw CompileError("bad-target", concat("target ", target.to_string(),
                                                ": jit is given for a file; code with that feature "
                                                "runs in the process that compiles it; leave it out"));
    }
}

LoweredModule lowered_as(const PipelineContents &contents, const std::vector<Argument> &args, const std::string &name,
                         const Target &target) {
    return with_arguments(driver::lower_for(contents, target, name), args, target);
}

/// Lowers to a module whose entry C can call. The entry's name is the given one, else that of the output file, else one
/// made of the outputs' names.
LoweredModule lowered(const PipelineContents &contents, const std::vector<Argument> &args, const std::string &name,
                      const Target &target, const std::string &of_file = "") {
    const std::string by_default = of_file.empty() ? driver::function_name(contents) : of_file;
    const std::string used = name.empty() ? by_default : name;
    driver::check_function_name(used, !name.empty()     ? ""
                                      : of_file.empty() ? "after its outputs"
                                                        : "after the file that it goes to");
    return lowered_as(contents, args, used, target);
}

void write_text(const std::string &path, const std::string &text) {
    if (!write_file(path, text)) {
        throw CompileError("cannot-write", concat("in a Pipeline: cannot write the file '", path,
                                                  "'; its folder must exist and be writable; give another path"));
    }
}

std::string base_name(const std::string &path) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// Checks a prefix to which extensions are appended.
void check_prefix(const std::string &prefix) {
    if (base_name(prefix).empty()) {
        throw CompileError("cannot-write", concat("in a Pipeline: the prefix '", prefix,
                                                  "' names no file; extensions are added to the name of a file; give "
                                                  "one, as in \"folder/filter\""));
    }
}

/// Compiles the module to a file.
void write_output(const LoweredModule &module, const Target &target, OutputKind kind, const std::string &path) {
    std::string bytes = driver::backend_for(target, kind).file(module, target, kind);
    if (kind == OutputKind::StaticLibrary) {
        bytes = driver::with_runtime(bytes, target, module.entry().name);
    }
    if (!write_file(path, bytes)) {
        throw CompileError("cannot-write", concat("in ", module.entry().name, ": cannot write the file '", path,
                                                  "'; its folder must exist and be writable; give another path"));
    }
}

/// Each line that opens a block becomes a summary; clicking it collapses the block.
std::string html_text(const std::string &name, const std::string &text) {
    std::string body;
    size_t begin = 0;
    while (begin < text.size()) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        const size_t last = line.find_last_not_of(' ');
        const size_t first = line.find_first_not_of(' ');
        if (first != std::string::npos && line[first] == '}') {
            body += line[last] == '{' ? escaped_markup(line.substr(0, first)) + "</details><details open><summary>" +
                                            escaped_markup(line.substr(first)) + "</summary>"
                                      : escaped_markup(line) + "</details>";
        } else if (last != std::string::npos && line[last] == '{') {
            body += "<details open><summary>" + escaped_markup(line) + "</summary>";
        } else {
            body += escaped_markup(line) + "\n";
        }
        begin = end + 1;
    }
    return "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>" + escaped_markup(name) +
           "</title><style>pre{font:13px/1.4 "
           "monospace}details{display:block}summary{cursor:pointer}</style></head>\n<body><pre>" +
           body + "</pre></body></html>\n";
}

} // namespace

ir::LoweredModule driver::lowered_file(const PipelineContents &contents, const std::vector<Argument> &args,
                                       const std::string &name, const Target &target) {
    check_ahead_of_time(target);
    return lowered(contents, args, name, target);
}
void driver::write_compiled(const LoweredModule &module, const Target &target, OutputKind kind,
                            const std::string &path) {
    write_output(module, target, kind, path);
}
void driver::write_text_file(const std::string &path, const std::string &text) { write_text(path, text); }
std::string driver::page_of(const std::string &name, const std::string &text) { return html_text(name, text); }

// ---- Pipeline.

void Pipeline::compile_to_object(const std::string &filename, const std::vector<Argument> &args,
                                 const std::string &fn_name, const Target &target, const Location &location) const {
    with_place(location, [&] {
        check_ahead_of_time(target);
        write_output(lowered(needed(location), args, fn_name, target), target, OutputKind::Object, filename);
    });
}

void Pipeline::compile_to_bitcode(const std::string &filename, const std::vector<Argument> &args,
                                  const std::string &fn_name, const Target &target, const Location &location) const {
    with_place(location, [&] {
        check_ahead_of_time(target);
        write_output(lowered(needed(location), args, fn_name, target), target, OutputKind::Bitcode, filename);
    });
}

void Pipeline::compile_to_llvm_assembly(const std::string &filename, const std::vector<Argument> &args,
                                        const std::string &fn_name, const Target &target,
                                        const Location &location) const {
    with_place(location, [&] {
        write_output(lowered(needed(location), args, fn_name, target), target, OutputKind::LlvmText, filename);
    });
}

void Pipeline::compile_to_assembly(const std::string &filename, const std::vector<Argument> &args,
                                   const std::string &fn_name, const Target &target, const Location &location) const {
    with_place(location, [&] {
        write_output(lowered(needed(location), args, fn_name, target), target, OutputKind::Assembly, filename);
    });
}

void Pipeline::compile_to_header(const std::string &filename, const std::vector<Argument> &args,
                                 const std::string &fn_name, const Target &target, const Location &location) const {
    with_place(location, [&] {
        check_ahead_of_time(target);
        const LoweredModule module = lowered(needed(location), args, fn_name, target);
        write_text(filename, driver::header_text(module.entry(), base_name(filename)));
    });
}

void Pipeline::compile_to_file(const std::string &filename_prefix, const std::vector<Argument> &args,
                               const std::string &fn_name, const Target &target, const Location &location) const {
    with_place(location, [&] {
        check_ahead_of_time(target);
        check_prefix(filename_prefix);
        const LoweredModule module = lowered(needed(location), args, fn_name, target, base_name(filename_prefix));
        write_output(module, target, OutputKind::Object, filename_prefix + ".o");
        write_text(filename_prefix + ".h", driver::header_text(module.entry(), base_name(filename_prefix) + ".h"));
    });
}

void Pipeline::compile_to_static_library(const std::string &filename_prefix, const std::vector<Argument> &args,
                                         const std::string &fn_name, const Target &target,
                                         const Location &location) const {
    with_place(location, [&] {
        check_ahead_of_time(target);
        check_prefix(filename_prefix);
        const LoweredModule module = lowered(needed(location), args, fn_name, target, base_name(filename_prefix));
        write_output(module, target, OutputKind::StaticLibrary, filename_prefix + ".a");
        write_text(filename_prefix + ".h", driver::header_text(module.entry(), base_name(filename_prefix) + ".h"));
    });
}

void Pipeline::compile_to_c(const std::string &filename, const std::vector<Argument> &args, const std::string &fn_name,
                            const Target &target, const Location &location) const {
    with_place(location, [&] {
        check_ahead_of_time(target);
        write_output(lowered(needed(location), args, fn_name, target), target, OutputKind::Source, filename);
    });
}

void Pipeline::compile_to_lowered_stmt(const std::string &filename, const std::vector<Argument> &args,
                                       StmtOutputFormat format, const Target &target, const Location &location) const {
    if (format != Text && format != HTML) {
        throw CompileError("no-such-value",
                           concat("in compile_to_lowered_stmt: the StmtOutputFormat ", static_cast<int>(format),
                                  " is given, which is none; use Text or HTML"),
                           location);
    }
    with_place(location, [&] {
        const LoweredModule module = ir::with_tasks_in_place(
            lowered_as(needed(location), args, driver::function_name(needed(location)), target));
        const std::string text = ir::to_text(module);
        write_text(filename, format == HTML ? html_text(module.entry().name, text) : text);
    });
}

std::vector<Argument> Pipeline::infer_arguments(const Location &location) const {
    return with_place(location, [&] {
        const schedule::ScheduledGraph frozen = driver::freeze_for(needed(location), get_host_target());
        std::vector<Argument> buffers, scalars;
        for (const ir::InputDef &input : frozen.graph.inputs) {
            if (input.parameter->is_bound_buffer || input.parameter->iteration) { // no caller passes a result
                continue;
            }
            buffers.emplace_back(detail::Ref<ir::Parameter>(input.parameter.get()));
            buffers.back().name = input.symbol.name();
        }
        for (const ir::ParamDef &param : frozen.graph.params) {
            scalars.emplace_back(detail::Ref<ir::Parameter>(param.parameter.get()));
            scalars.back().name = param.symbol.name();
        }
        const auto by_name = [](const Argument &a, const Argument &b) { return a.name < b.name; };
        std::sort(buffers.begin(), buffers.end(), by_name);
        std::sort(scalars.begin(), scalars.end(), by_name);
        buffers.insert(buffers.end(), scalars.begin(), scalars.end());
        return buffers;
    });
}

/// The text that `make` returns, made on a large stack; errors without a location point to the call.
template <typename Make> static std::string text_at(const Location &location, Make &&make) {
    return with_place(location, [&] {
        std::string text;
        on_large_stack([&] { text = make(); });
        return text;
    });
}

namespace {

/// The nests of the pipelines that an iteration runs, each under a line that says when.
std::string iterations_text(const schedule::ScheduledGraph &pipeline, const machine::MachineModel &machine) {
    std::string text;
    const auto add = [&](const std::string &heading, const schedule::ScheduledGraph &part) {
        text += heading + ":\n";
        const std::string nest = iterations_text(part, machine) + loopnest::loop_nest_text(part);
        for (size_t begin = 0; begin < nest.size();) {
            const size_t end = std::min(nest.find('\n', begin), nest.size());
            text += "  " + nest.substr(begin, end - begin) + "\n";
            begin = end + 1;
        }
    };
    for (size_t i = 0; i < pipeline.iterations.size(); i++) {
        const ir::Iteration &iteration = *pipeline.graph.iterations[i];
        const schedule::ScheduledIteration &scheduled = pipeline.iterations[i];
        const schedule::TimeTilePlan plan = autoschedule::time_tiling::plan_time_tiles(iteration, scheduled, machine);
        add("iterate " + iteration.name + ", at first", plan.initial ? *plan.initial : *scheduled.initial);
        for (const schedule::PlannedTile &tile : plan.tiles) {
            if (!tile.streams) { // the same loops
                const std::string rows =
                    tile.least_row > 0 ? concat(", for rows of ", tile.least_row, " points and more") : "";
                const std::string blocks =
                    !tile.blocks ? ""
                                 : concat(", each in ", tile.blocks->are_diamonds ? "diamonds" : "wavefronts",
                                          " along dimension ", tile.blocks->dimension);
                add(concat("iterate ", iteration.name, ", ", tile.steps, tile.steps == 1 ? " step" : " steps",
                           " a pass", blocks, rows),
                    tile.body);
            }
        }
        add("iterate " + iteration.name + ", each step", plan.body ? *plan.body : *scheduled.body);
    }
    return text;
}

} // namespace

std::string Pipeline::loop_nest(const Location &location) const {
    return text_at(location, [&] {
        const Target target = get_jit_target_from_environment(location);
        const schedule::ScheduledGraph frozen = driver::freeze_for(needed(location), target);
        return iterations_text(frozen, machine::machine_model(target)) + loopnest::loop_nest_text(frozen);
    });
}

std::string Pipeline::explain_bounds(const Location &location) const {
    return text_at(location, [&] {
        const schedule::ScheduledGraph frozen =
            driver::freeze_for(needed(location), get_jit_target_from_environment(location));
        std::string text;
        for (const ir::FuncDef &func : frozen.graph.funcs) {
            text += loopnest::bounds_text(frozen, func.name());
        }
        return text;
    });
}

std::string Pipeline::explain_bounds(const Func &func, const Location &location) const {
    return text_at(location, [&] {
        const schedule::ScheduledGraph frozen =
            driver::freeze_for(needed(location), get_jit_target_from_environment(location));
        std::string funcs;
        bool is_there = false;
        for (const ir::FuncDef &its : frozen.graph.funcs) {
            is_there = is_there || its.name() == func.name();
            funcs += (funcs.empty() ? "" : ", ") + its.name();
        }
        if (!is_there) {
            throw CompileError("no-such-func",
                               concat("in ", func.name(),
                                      ": its bounds are asked for, and it is no Func of this pipeline; ",
                                      "a pipeline has its outputs and what they call; name one of ", funcs));
        }
        return loopnest::bounds_text(frozen, func.name());
    });
}

namespace {
void check_sizes(const ir::Graph &graph, const std::vector<int32_t> &sizes) {
    for (const FuncId id : graph.outputs) {
        const ir::FuncDef &output = graph.func(id);
        if (!sizes.empty() && sizes.size() != output.arg_names.size()) {
            throw RuntimeError("wrong-rank",
                               concat("in ", output.name(), ": explain_schedule is given ", sizes.size(),
                                      " sizes, the Func has ", output.arg_names.size(),
                                      " dimensions; sizes and dimensions must agree; give one size for each "
                                      "dimension"));
        }
        for (size_t d = 0; d < sizes.size(); d++) {
            if (sizes[d] < 0) {
                throw RuntimeError("negative-extent",
                                   concat("in ", output.name(), ": the extent of dimension ", d, " is ", sizes[d],
                                          "; an extent is 0 or more; give a size of 0 or more"));
            }
        }
    }
}
} // namespace

std::string Pipeline::explain_schedule(const std::vector<int32_t> &sizes, const Location &location) const {
    return text_at(location, [&] {
        const Target target = get_jit_target_from_environment(location);
        loopnest::NestOptions options;
        options.windows.slides = !target.has_feature(Target::NoSliding);
        options.windows.folds = !target.has_feature(Target::NoFolding);
        const schedule::ScheduledGraph frozen = driver::freeze_for(needed(location), target);
        check_sizes(frozen.graph, sizes);
        return loopnest::explain_schedule_text(frozen, sizes, options);
    });
}

std::string Pipeline::compile_report(const Target &target, const Location &location) const {
    return text_at(location,
                   [&] { return driver::report_for(needed(location), driver::asked_target(target, location)); });
}

void Pipeline::print_loop_nest(const Location &location) const { std::cerr << loop_nest(location); }

// ---- Func: the pipeline of one output.

void Func::compile_to_file(const std::string &filename_prefix, const std::vector<Argument> &args,
                           const std::string &fn_name, const Target &target, const Location &location) const {
    pipeline(location).compile_to_file(filename_prefix, args, fn_name, target, location);
}
void Func::compile_to_static_library(const std::string &filename_prefix, const std::vector<Argument> &args,
                                     const std::string &fn_name, const Target &target, const Location &location) const {
    pipeline(location).compile_to_static_library(filename_prefix, args, fn_name, target, location);
}
void Func::compile_to_object(const std::string &filename, const std::vector<Argument> &args, const std::string &fn_name,
                             const Target &target, const Location &location) const {
    pipeline(location).compile_to_object(filename, args, fn_name, target, location);
}
void Func::compile_to_bitcode(const std::string &filename, const std::vector<Argument> &args,
                              const std::string &fn_name, const Target &target, const Location &location) const {
    pipeline(location).compile_to_bitcode(filename, args, fn_name, target, location);
}
void Func::compile_to_llvm_assembly(const std::string &filename, const std::vector<Argument> &args,
                                    const std::string &fn_name, const Target &target, const Location &location) const {
    pipeline(location).compile_to_llvm_assembly(filename, args, fn_name, target, location);
}
void Func::compile_to_assembly(const std::string &filename, const std::vector<Argument> &args,
                               const std::string &fn_name, const Target &target, const Location &location) const {
    pipeline(location).compile_to_assembly(filename, args, fn_name, target, location);
}
void Func::compile_to_header(const std::string &filename, const std::vector<Argument> &args, const std::string &fn_name,
                             const Target &target, const Location &location) const {
    pipeline(location).compile_to_header(filename, args, fn_name, target, location);
}
void Func::compile_to_c(const std::string &filename, const std::vector<Argument> &args, const std::string &fn_name,
                        const Target &target, const Location &location) const {
    pipeline(location).compile_to_c(filename, args, fn_name, target, location);
}
void Func::compile_to_lowered_stmt(const std::string &filename, const std::vector<Argument> &args,
                                   StmtOutputFormat format, const Target &target, const Location &location) const {
    pipeline(location).compile_to_lowered_stmt(filename, args, format, target, location);
}
std::vector<Argument> Func::infer_arguments(const Location &location) const {
    return pipeline(location).infer_arguments(location);
}
std::string Func::loop_nest(const Location &location) const { return pipeline(location).loop_nest(location); }
std::string Func::explain_bounds(const Location &location) const { return pipeline(location).explain_bounds(location); }
std::string Func::explain_bounds(const Func &func, const Location &location) const {
    return pipeline(location).explain_bounds(func, location);
}
void Func::print_loop_nest(const Location &location) const { pipeline(location).print_loop_nest(location); }

} // namespace fluorite
