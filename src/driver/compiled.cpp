// From a pipeline's handles to machine code, with a cache.
//
// What: freeze -> lower -> compile. The result stays with the pipeline (PipelineContents::compiled) until a definition,
// a schedule, a promise about a parameter or the target changes. Values of parameters and bound buffers are not part of
// it: they are arguments of the code.
//
// Method: Functions count their edits; what Parameters promise (constraints, limits, alignment) is hashed. Both are
// cheap enough to check before every run. The cache has one entry, so that alternating targets recompile. Relies on:
// structural hashes of Exprs. Cost of a hit: linear in Funcs and parameters; of a miss: milliseconds.

#include "driver/compiled.h"

#include "autoschedule/time_tiling/plan_time_tiles.h"
#include "driver/asked_target.h"
#include "driver/choose_backend.h"
#include "driver/device_code.h"
#include "driver/jit_externs.h"
#include "driver/on_ranks/load_for_ranks.h"
#include "driver/serialize_environment.h"
#include "driver/verify_environment.h"
#include "driver/write_pipelines.h"
#include "fluorite/extern_functions.h"
#include "fluorite/runtime/checks.h"
#include "fluorite/runtime_ranks.h"
#include "ir/c_abi.h"
#include "ir/extern_stage.h"
#include "ir/host_target.h"
#include "ir/parameter.h"
#include "ir/stmt.h"
#include "language/freeze.h"
#include "lowering/lower.h"
#include "schedule/storage_order.h"
#include "support/check.h"
#include "support/numeric.h"
#include "support/reporting.h"

#include <array>
#include <cctype>
#include <cstddef>
#include <mutex>
#include <optional>
#include <set>

namespace fluorite::driver {

namespace {

std::mutex &cache_mutex() {
    static std::mutex mutex;
    return mutex;
}

/// Held while a pipeline is compiled. Recursive, because the code that is made may be that of a pipeline in between.
std::recursive_mutex &compile_mutex(const PipelineContents &contents) {
    static std::array<std::recursive_mutex, 64> mutexes;
    return mutexes[std::hash<const void *>()(&contents) / alignof(std::max_align_t) % mutexes.size()];
}

uint64_t hash_of(const Expr &expr) { return expr.defined() ? expr->hash() : 1; }

uint64_t promises_of(const ir::Parameter &parameter) {
    uint64_t hash = combine_hash(hash_of(parameter.min_value), hash_of(parameter.max_value));
    hash = combine_hash(hash, static_cast<uint64_t>(parameter.host_alignment));
    hash = combine_hash(hash, parameter.distributed ? 1 : 0);
    hash = combine_hash(hash, parameter.trace_loads ? 1 : 0);
    for (const std::string &tag : parameter.trace_tags) {
        hash = combine_hash(hash, std::hash<std::string>()(tag));
    }
    for (const ir::DimConstraint &dim : parameter.dims) {
        hash =
            combine_hash(combine_hash(combine_hash(hash, hash_of(dim.min)), hash_of(dim.extent)), hash_of(dim.stride));
    }
    return hash;
}

std::vector<uint64_t> fingerprint_of(const PipelineContents &contents,
                                     const std::vector<const ir::Parameter *> &parameters) {
    std::vector<uint64_t> prints = {contents.edits(), contents.trace_pipeline ? 1U : 0U, contents.requirements.size()};
    for (const Expr &requirement : contents.requirements) {
        prints.push_back(hash_of(requirement));
    }
    for (const ir::Parameter *parameter : parameters) {
        if (parameter) {
            prints.push_back(promises_of(*parameter));
        }
    }
    for (const auto &output : contents.outputs) {
        for (const RefPtr<ir::Parameter> &parameter : output->output_parameters) {
            prints.push_back(promises_of(*parameter));
        }
    }
    return prints;
}

struct Compiled {
    std::shared_ptr<const CompiledPipeline> pipeline;
    bool is_forced = false; // by Runs::OnRanks
};

std::vector<OutputValue> outputs_of(const schedule::ScheduledGraph &frozen) {
    std::vector<OutputValue> values;
    for (FuncId id : frozen.graph.outputs) {
        const ir::FuncDef &func = frozen.graph.func(id);
        const std::vector<size_t> dims = schedule::storage_order_of(func, frozen.schedule.func(id));
        const std::vector<int> order(dims.begin(), dims.end());
        for (size_t k = 0; k < func.types.size(); k++) {
            bool has_strides = false;
            if (k < func.output_buffers.size()) {
                for (const ir::DimConstraint &dim : func.output_buffers[k].dims) {
                    has_strides |= dim.stride.defined();
                }
            }
            values.push_back({func.name(), func.types[k], static_cast<int>(func.dimensions()), order, has_strides});
        }
    }
    return values;
}

void trace(ir::Graph &graph, const Target &target) {
    for (ir::FuncDef &func : graph.funcs) {
        func.trace_loads |= target.has_feature(Target::TraceLoads);
        func.trace_stores |= target.has_feature(Target::TraceStores);
        func.trace_realizations |= target.has_feature(Target::TraceRealizations);
    }
    for (ir::InputDef &input : graph.inputs) {
        input.trace_loads |= target.has_feature(Target::TraceLoads);
    }
}

void trace(schedule::ScheduledGraph &pipeline, const Target &target);

/// A copy that traces, for the graph of an iteration.
std::shared_ptr<const schedule::ScheduledGraph> traced(const std::shared_ptr<const schedule::ScheduledGraph> &pipeline,
                                                       const Target &target) {
    auto copy = std::make_shared<schedule::ScheduledGraph>(*pipeline);
    trace(*copy, target);
    return copy;
}

void trace(schedule::ScheduledGraph &pipeline, const Target &target) {
    trace(pipeline.graph, target);
    if (pipeline.rewritten) {
        pipeline.rewritten = traced(pipeline.rewritten, target);
    }
    for (size_t i = 0; i < pipeline.iterations.size(); i++) {
        schedule::ScheduledIteration &parts = pipeline.iterations[i];
        auto iteration = std::make_shared<ir::Iteration>(*pipeline.graph.iterations[i]);
        const auto replace = [&](auto &scheduled, auto &graph) {
            scheduled = traced(scheduled, target);
            graph = std::shared_ptr<const ir::Graph>(scheduled, &scheduled->graph);
        };
        replace(parts.initial, iteration->initial);
        replace(parts.body, iteration->body);
        pipeline.graph.iterations[i] = iteration;
    }
}

lowering::LowerOptions lower_options(const Target &target, const std::string &name, std::string *report = nullptr) {
    lowering::LowerOptions options = lowering::options_for(target, name);
    options.verify = options.checked || verifies_passes();
    options.report = report;
    return options;
}

/// The C functions that a module calls and that are not the runtime's.
class RegisteredExterns : public ir::Visitor {
  public:
    std::vector<backends::ExternSymbol> symbols;

    explicit RegisteredExterns(const ir::LoweredModule &module) {
        for (const ir::LoweredFunc &func : module.funcs) {
            if (func.body.defined()) {
                visit(func.body);
            }
        }
    }
    using Visitor::visit;
    void visit(const Expr &expr) override {
        ir::for_each_node(expr, [&](const Expr &node) {
            if (node->kind() != ir::ExprKind::Extern || !seen_.insert(ir::called_function(*node)).second) {
                return;
            }
            const std::string &name = ir::called_function(*node);
            if (name == "fluorite_distributed_run") { // which is not in the table of the runtime
                symbols.push_back({name, reinterpret_cast<void *>(fluorite_distributed_run)}); // NOLINT
            } else if (void *address = detail::find_extern(name)) {
                symbols.push_back({name, address});
            }
        });
    }

  private:
    std::set<std::string> seen_;
};

Target jit_target(const Target &target, const Location &location) {
    const Target wanted = asked_target(target, location).with_feature(Target::JIT);
    const Target::Feature missing = ir::find_missing_feature(wanted, get_host_target());
    if (wanted.arch == Target::X86 && missing != Target::FeatureEnd) {
        throw CompileError("bad-target",
                           concat("target ", wanted.to_string(), ": this machine has no ",
                                  Target::feature_to_name(missing),
                                  ", and code that is run as it is compiled runs here; leave it out, or compile to "
                                  "a file"),
                           location);
    }
    return wanted;
}

/// Everything but the fingerprint.
std::shared_ptr<CompiledPipeline> make_code(const ir::LoweredModule &module, const schedule::ScheduledGraph &frozen,
                                            const Target &target, JitExterns &externs) {
    auto made = std::make_shared<CompiledPipeline>();
    made->target = target;
    made->args = module.entry().args;
    made->outputs = outputs_of(frozen);
    for (const ir::LoweredArg &arg : made->args) {
        made->parameters.push_back(ir::parameter_of(arg.symbol));
    }
    std::vector<backends::ExternSymbol> symbols = externs.symbols_of(module);
    made->externs = externs.owned();
    for (const backends::ExternSymbol &registered : RegisteredExterns(module).symbols) {
        const bool is_given = std::any_of(symbols.begin(), symbols.end(), [&](const backends::ExternSymbol &symbol) {
            return symbol.name == registered.name;
        });
        if (!is_given) {
            symbols.push_back(registered);
        }
    }
    made->code = backend_in_process(target).load(module, target, symbols);
    return made;
}

/// Everything but the fingerprint, for ranks.
std::shared_ptr<CompiledPipeline> make_distributed(const schedule::ScheduledGraph &frozen, const Target &target,
                                                   const std::string &name, const Location &location) {
    auto made = std::make_shared<CompiledPipeline>();
    made->target = target;
    made->outputs = outputs_of(frozen);
    for (const ir::InputDef &input : frozen.graph.inputs) {
        made->parameters.push_back(input.parameter.get());
    }
    for (const ir::ParamDef &param : frozen.graph.params) {
        made->parameters.push_back(ir::parameter_of(param.symbol));
    }
    made->distributed = load_for_ranks(
        lowered_for_ranks(frozen, target,
                          distributed::distribution_of(frozen, distributed::PartedInputs::DistributedImages), name,
                          location),
        target, location);
    return made;
}

distributed::RankPipeline lower_parameters_for_ranks(const schedule::ScheduledGraph &frozen, const Target &target,
                                                     const std::string &name, const Location &location,
                                                     bool with_reports = false) {
    return lowered_for_ranks(frozen, target,
                             distributed::distribution_of(frozen, distributed::PartedInputs::Parameters), name,
                             location, with_reports);
}

} // namespace

namespace {

/// The estimates of an output's dimensions: those of the Func, or of its buffer.
std::vector<std::optional<int64_t>> estimates_of(const ir::FuncDef &func, const schedule::FuncSchedule &schedule,
                                                 size_t value) {
    std::vector<ir::DimConstraint> dims(func.arg_names.size());
    if (value < func.output_buffers.size()) {
        dims = func.output_buffers[value].dims;
    }
    for (const schedule::Bound &estimate : schedule.estimates) {
        const auto at = std::find(func.arg_names.begin(), func.arg_names.end(), estimate.var) - func.arg_names.begin();
        if (static_cast<size_t>(at) < dims.size()) {
            ir::DimConstraint &dim = dims[static_cast<size_t>(at)];
            dim.min_estimate = estimate.min.defined() ? estimate.min : dim.min_estimate;
            dim.extent_estimate = estimate.extent.defined() ? estimate.extent : dim.extent_estimate;
        }
    }
    return ir::constant_estimates(dims);
}

/// Gives the outputs of the entry their estimates, which the metadata of compiled functions has.
ir::LoweredModule with_estimates(ir::LoweredModule module, const schedule::ScheduledGraph &frozen) {
    std::vector<std::vector<std::optional<int64_t>>> all;
    for (const FuncId id : frozen.graph.outputs) {
        const ir::FuncDef &func = frozen.graph.func(id);
        for (size_t value = 0; value < func.types.size(); value++) {
            all.push_back(estimates_of(func, frozen.schedule.funcs[id.index()], value));
        }
    }
    size_t output = 0;
    for (ir::LoweredArg &arg : module.entry().args) {
        if (arg.kind == ir::LoweredArg::Kind::OutputBuffer && output < all.size()) {
            arg.estimates = all[output++];
        }
    }
    return module;
}

} // namespace

ir::LoweredModule lower_frozen(const schedule::ScheduledGraph &frozen, const Target &target, const std::string &name,
                               std::string *report) {
    write_pipeline(frozen, name, target);
    const lowering::LowerOptions options = lower_options(target, name, report);
    return with_estimates(
        with_device_code(
            frozen.iterations.empty()
                ? lowering::lower(frozen, options)
                : lowering::lower(autoschedule::time_tiling::with_time_tiles(frozen, options.machine), options),
            target),
        frozen);
}

ir::LoweredModule lower_loops(const schedule::ScheduledGraph &frozen, const ir::Stmt &loops, const Target &target,
                              const std::string &name) {
    return lowering::lower_statement(frozen, loops, lower_options(target, name));
}

std::shared_ptr<const CompiledPipeline> load_code(const ir::LoweredModule &module,
                                                  const schedule::ScheduledGraph &frozen, const Target &target) {
    JitExterns none;
    return make_code(module, frozen, target.with_feature(Target::JIT), none);
}

std::shared_ptr<const CompiledPipeline> compile_for_ranks(const PipelineContents &contents, const Target &target,
                                                          const Location &location) {
    const Target wanted = jit_target(target, location);
    const schedule::ScheduledGraph frozen = freeze_for(contents, wanted);
    const std::string name = function_name(contents);
    JitExterns externs(contents, wanted, location);
    return make_code(distributed::module_for_ranks(lower_parameters_for_ranks(frozen, wanted, name, location), name),
                     frozen, wanted, externs);
}

schedule::ScheduledGraph freeze_for(const PipelineContents &contents, const Target &target) {
    if (has_reporter()) {
        fluorite_tell_unknown_variables(nullptr, [](void *, const char *text) { report_warning(text); });
    }
    fluorite_mention_unknown_variables(nullptr);
    language::FreezeOptions options;
    options.contract_fma = target.has_feature(Target::FMA);
    options.target = target;
    options.trace_pipeline = contents.trace_pipeline || target.has_feature(Target::TracePipeline);
    std::optional<SerializedPipeline> read;
    if (serializes_pipelines()) {
        read.emplace(contents);
    }
    const PipelineContents &used = read ? read->contents() : contents;
    options.requirements = used.requirements;
    schedule::ScheduledGraph frozen = language::freeze(used, options);
    trace(frozen, target);
    return frozen;
}

ir::LoweredModule lower_for(const PipelineContents &contents, const Target &target, const std::string &name) {
    const schedule::ScheduledGraph frozen = freeze_for(contents, target);
    return distributed::is_distributed(frozen)
               ? distributed::module_for_ranks(lower_parameters_for_ranks(frozen, target, name, {}), name)
               : lower_frozen(frozen, target, name);
}

std::string report_for(const PipelineContents &contents, const Target &target) {
    const schedule::ScheduledGraph frozen = freeze_for(contents, target);
    const std::string name = function_name(contents);
    std::string report;
    if (!distributed::is_distributed(frozen)) {
        lower_frozen(frozen, target, name, &report);
        return report;
    }
    const distributed::RankPipeline pipeline = lower_parameters_for_ranks(frozen, target, name, {}, true);
    for (size_t s = 0; s < pipeline.description.segments.size(); s++) {
        report += concat("segment ", pipeline.description.segments[s].name, ":\n", pipeline.reports[s]);
    }
    return report;
}

std::string function_name(const PipelineContents &contents) {
    std::string name;
    for (const auto &output : contents.outputs) {
        name += (name.empty() ? "" : "_") + output->name;
    }
    for (char &c : name) {
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? "f_" + name : name;
}

void refuse_distributed(const std::string &pipeline, const char *what, const Location &location) {
    throw CompileError(
        "not-built",
        concat("in ", pipeline, ": ", what,
               " of a pipeline that runs on ranks is asked for; each rank has a part of its inputs, and "
               "they are sized by allocate(); remove distribute() and compute_rank(), or give the inputs their sizes"),
        location);
}

std::shared_ptr<const CompiledPipeline> compiled_for(PipelineContents &contents, const Target &target,
                                                     const Location &location, Runs runs) {
    const Target wanted = jit_target(target, location);
    JitExterns externs(contents, wanted, location); // before the lock, since it compiles other pipelines
    const auto fingerprint = [&](const std::vector<const ir::Parameter *> &parameters) {
        std::vector<uint64_t> prints = fingerprint_of(contents, parameters);
        externs.add_fingerprint(prints);
        return prints;
    };
    // Threads that share a pipeline share its code: ranks that are threads would otherwise plan with different copies.
    const std::lock_guard one_at_a_time(compile_mutex(contents));
    {
        std::lock_guard lock(cache_mutex());
        const auto *cached = static_cast<const Compiled *>(contents.compiled.get());
        const bool is_right = cached && (runs == Runs::AsScheduled ? !cached->is_forced
                                                                   : static_cast<bool>(cached->pipeline->distributed));
        if (is_right && cached->pipeline->target == wanted &&
            cached->pipeline->fingerprint == fingerprint(cached->pipeline->parameters)) {
            return cached->pipeline;
        }
    }
    const schedule::ScheduledGraph frozen = freeze_for(contents, wanted);
    const bool asks_for_ranks = distributed::is_distributed(frozen);
    const std::string name = function_name(contents);
    const bool on_ranks = asks_for_ranks || runs == Runs::OnRanks;
    if (on_ranks && !externs.empty()) {
        refuse_distributed(name, "set_jit_externs", location);
    }
    const auto made = on_ranks ? make_distributed(frozen, wanted, name, location)
                               : make_code(lower_frozen(frozen, wanted, name), frozen, wanted, externs);
    made->fingerprint = fingerprint(made->parameters);
    auto entry = std::make_shared<Compiled>();
    entry->pipeline = made;
    entry->is_forced = !asks_for_ranks && runs == Runs::OnRanks;
    std::lock_guard lock(cache_mutex());
    contents.compiled = entry;
    return made;
}

} // namespace fluorite::driver
