// Pipeline::auto_schedule() and Halide's name for it.
//
// The pipeline is frozen with its promises and estimates, the scheduler's lines are added to theirs, and the result is
// applied as any other schedule. Funcs that have other directives are scheduled by hand: they keep them, and the others
// are scheduled around them. A Func by hand at a loop of one that is not is refused, as nobody knows that loop.

#include "autoschedule/auto_schedule.h"

#include "driver/asked_target.h"
#include "driver/compiled.h"
#include "driver/sample_schedules.h"
#include "driver/this_machine.h"
#include "fluorite/auto_schedule.h"
#include "fluorite/runtime_abi.h"
#include "language/apply_schedule.h"
#include "language/freeze.h"
#include "machine/machine_model.h"
#include "schedule/text/schedule_text.h"
#include "support/large_stack.h"
#include "support/place.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <mutex>
#include <span>

namespace fluorite {

namespace {

[[noreturn]] void refuse_option(const std::string &text, const Location &location) {
    throw CompileError("auto-schedule-option", "in auto_schedule: " + text, location);
}

/// Parameters of Halide's schedulers, which have no meaning here and are accepted. Other names are mistakes.
bool is_parameter_of_halide(const std::string &key) {
    constexpr std::array<std::string_view, 22> names = {"last_level_cache_size",
                                                        "balance",
                                                        "beam_size",
                                                        "random_dropout",
                                                        "random_dropout_seed",
                                                        "weights_path",
                                                        "weights_out_path",
                                                        "disable_subtiling",
                                                        "disable_memoized_features",
                                                        "disable_memoized_blocks",
                                                        "memory_limit",
                                                        "randomize_tilings",
                                                        "search_space_options",
                                                        "freeze_inline_compute_root",
                                                        "partial_schedule_path",
                                                        "num_passes",
                                                        "stack_factor",
                                                        "shared_memory_limit_kb",
                                                        "shared_memory_sm_limit_kb",
                                                        "active_block_limit",
                                                        "active_warp_limit",
                                                        "experimental_gpu_schedule"};
    return std::find(names.begin(), names.end(), key) != names.end();
}

/// Directives that say what is known of a pipeline and not how it is computed.
bool is_promise(const schedule::Directive &line) {
    constexpr std::array<std::string_view, 5> promises = {"set_estimate", "bound", "bound_extent", "align_bounds",
                                                          "align_extent"};
    return std::find(promises.begin(), promises.end(), line.name) != promises.end();
}

/// Directives that create Funcs for other Funcs to read, which may then be scheduled by hand or not.
bool creates_funcs(const schedule::Directive &line) { return line.name == "in" || line.name == "clone_in"; }

/// A directive of an iteration, which says nothing of the loops of the Func that reads its result.
bool tiles_time(const schedule::Directive &line) { return line.name == "time_tile"; }

/// Directives that say how a Func is computed, which is then scheduled by hand.
bool is_by_hand(const schedule::Directive &line) {
    return !is_promise(line) && !creates_funcs(line) && !tiles_time(line);
}

template <typename Predicate>
std::vector<schedule::Directive> lines_that(const Predicate &predicate, const std::vector<schedule::Directive> &lines) {
    std::vector<schedule::Directive> found;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(found), predicate);
    return found;
}

autoschedule::Request request_of(const AutoScheduleOptions &options, const Location &location) {
    autoschedule::Request request;
    const std::optional<autoschedule::Model> model = autoschedule::find_model(options.model);
    if (!model) {
        refuse_option("the model '" + options.model +
                          "' is not known; there are roofline, polymage and mullapudi; give one of them",
                      location);
    }
    if (options.parallelism < 0) {
        refuse_option("parallelism is " + std::to_string(options.parallelism) +
                          "; it is a number of threads, or 0 for those of this machine; give 0 or more",
                      location);
    }
    for (const int32_t size : options.sizes) {
        if (size < 1) {
            refuse_option("a size is " + std::to_string(size) +
                              "; sizes are extents of the outputs, from the innermost dimension on; give 1 or more",
                          location);
        }
    }
    request.sizes = options.sizes;
    request.model = *model;
    request.threads = options.parallelism > 0 ? options.parallelism : std::max(1, fluorite_get_num_threads());
    const bool is_given = options.target.arch != Target::ArchUnknown;
    const Target target = driver::asked_target_of_schedule(options.target, location);
    request.machine = machine::machine_model(target);
    if (target.has_gpu_feature()) {
        if (*model != autoschedule::Model::Roofline) {
            refuse_option("the model '" + options.model + "' is for processors, and target " + target.to_string() +
                              " names a device; schedules for devices have a model of their own; give roofline",
                          location);
        }
        request.device = &driver::device_costs_of(options.device, target, location);
    } else if (!options.device.empty()) {
        refuse_option(
            "the device '" + options.device + "' is given, and target " + target.to_string() +
                " names none; a schedule for a device needs a target with cuda or opencl; add the feature, or "
                "give no device",
            location);
    }
    request.caches = machine::cache_model(request.machine);
    const std::string file = driver::machine_file_of(options.machine_file);
    if (!file.empty()) {
        request.caches = driver::read_machine_file(file, request.machine.vector_bits, is_given, location);
        request.measured_as = file;
    }
    return request;
}

bool is_by_hand(const autoschedule::Request &request, FuncId id) {
    return std::find(request.by_hand.begin(), request.by_hand.end(), id) != request.by_hand.end();
}

/// Takes what was written by hand out of the pipeline's schedule, which keeps its promises, into the request.
void take_by_hand(schedule::ScheduledGraph &pipeline, const std::vector<schedule::Directive> &lines,
                  autoschedule::Request &request, const Location &location) {
    for (const schedule::Directive &line : lines) {
        if (is_by_hand(line)) {
            for (const ir::FuncDef &func : pipeline.graph.funcs) {
                if (func.name() == line.func && !is_by_hand(request, func.id())) {
                    request.by_hand.push_back(func.id());
                }
            }
        }
    }
    if (request.by_hand.empty()) {
        return;
    }
    for (const FuncId id : request.by_hand) {
        const schedule::FuncSchedule &func = pipeline.schedule.func(id);
        std::vector<schedule::LoopLevel> levels = {func.compute, func.store, func.hoist};
        for (const schedule::StageSchedule &stage : func.stages) {
            levels.push_back(stage.with ? stage.with->level : schedule::LoopLevel::inlined());
        }
        for (const schedule::LoopLevel &level : levels) {
            if (level.is_at() && !is_by_hand(request, level.func.owner().func)) {
                const std::string &consumer = pipeline.graph.func(level.func.owner().func).name();
                throw CompileError("auto-schedule-by-hand",
                                   "in auto_schedule: " + pipeline.graph.func(id).name() + " is placed at the loop " +
                                       level.var + " of " + consumer +
                                       ", which has no directives: its loops are to be "
                                       "found; a Func that is scheduled by hand is at root or in loops of others that "
                                       "are; schedule " +
                                       consumer + " by hand too, or remove the directives of " +
                                       pipeline.graph.func(id).name(),
                                   location);
            }
        }
    }
    request.hand = pipeline.schedule;
    pipeline.schedule = schedule::default_schedule(pipeline.graph);
    schedule::apply_directives(pipeline.graph, pipeline.schedule, lines_that(is_promise, lines), location).or_raise();
}

void check_number_of_sizes(const ir::Graph &graph, const std::vector<int32_t> &sizes, const Location &location) {
    size_t most = 0;
    for (const FuncId output : graph.outputs) {
        most = std::max(most, graph.func(output).dimensions());
    }
    if (sizes.size() > most) {
        refuse_option(concat(sizes.size(), " sizes are given, and the outputs have ", most,
                             " dimensions; sizes are extents of the outputs, from the innermost dimension on; give one "
                             "for each dimension"),
                      location);
    }
}

void refuse_nothing_to_find(const autoschedule::FoundSchedule &found, const autoschedule::Request &request,
                            const std::vector<schedule::Directive> &lines, const Location &location) {
    if (!request.by_hand.empty() && found.lines.empty()) {
        const auto line = std::find_if(lines.begin(), lines.end(), [](const auto &one) { return is_by_hand(one); });
        throw CompileError("auto-schedule-by-hand",
                           "in auto_schedule: all Funcs that are not inlined are scheduled by hand, as by " +
                               schedule::to_text(*line) +
                               "; they keep their directives, so there is nothing to find; set from_scratch, remove "
                               "directives (pipeline.apply(Schedule()) removes all), or keep the schedule",
                           location);
    }
}

/// The schedule that a search adds to.
struct GivenLines {
    std::vector<schedule::Directive> lines;
    std::vector<schedule::Directive> by_hand; // of these, the promises, and those whose Funcs are scheduled by hand
};

/// What auto_schedule() has found for a pipeline: what was given, and the whole schedule then.
struct Automatic {
    GivenLines before;
    std::vector<schedule::Directive> after;
};

struct Found {
    autoschedule::FoundSchedule schedule;
    ir::Graph graph;                                           // that it is of
    schedule::Schedule given;                                  // of that graph, before anything was found
    std::vector<std::pair<std::string, std::string>> partials; // Funcs of partial results, and their Vars of lanes
};

const ir::FuncDef *find_func(const ir::Graph &graph, const std::string &name) {
    const auto at = std::find_if(graph.funcs.begin(), graph.funcs.end(),
                                 [&](const ir::FuncDef &func) { return func.name() == name; });
    return at == graph.funcs.end() ? nullptr : &*at;
}

/// What is known of partial results once a cut of the pipeline `than` has made `graph`, which has one Func more.
std::vector<std::pair<std::string, std::string>> partials_of(const ir::Graph &graph, const Found &than,
                                                             const std::string &lanes) {
    std::vector<std::pair<std::string, std::string>> partials = than.partials;
    for (const ir::FuncDef &func : graph.funcs) {
        if (!lanes.empty() && !find_func(than.graph, func.name())) {
            partials.emplace_back(func.name(), lanes);
        }
    }
    return partials;
}

std::string kilocycles(const Found &found) { return concat(std::llround(found.schedule.cycles / 1000), "k"); }

/// Searches of pipelines whose reductions are cut.
constexpr int most_tried_partial_reductions = 4;

/// Whether a cut is legal in the pipeline that `found` is of: its splits, and the rfactor that ends it.
Verdict check_partial_reduction(const Found &found, const autoschedule::PartialReduction &cut) {
    schedule::Schedule schedule = found.given;
    const std::span<const schedule::Directive> lines(cut.lines);
    if (Verdict splits = schedule::apply_directives(found.graph, schedule, lines.first(lines.size() - 1), {});
        !splits) {
        return splits;
    }
    schedule::DirectiveContext context(found.graph, schedule, {});
    const schedule::Directive &last = lines.back();
    return schedule::check_rfactor(context.stage(last), last.args[0], last.args[1], {}).verdict();
}

/// Applies the lines of a pipeline to a copy of it, which has its wrappers, and shares its iterations with their tiles.
void apply_to_copy(const PipelineContents &copy, std::vector<schedule::Directive> lines, const Location &location) {
    std::erase_if(lines, [](const schedule::Directive &line) { return creates_funcs(line) || tiles_time(line); });
    language::apply_schedule(copy, lines, language::PartialReductions::Remove, location);
}

/// Cuts reductions into partial ones, each where a search of the pipeline with the cut finds less time, and puts the
/// lines of cuts that are taken before the others. Cuts are made in a copy of the pipeline, which is left alone. One
/// that the program has cut itself stays as it is.
template <typename Find>
void try_partial_reductions(const PipelineContents &contents, Found &found, std::vector<schedule::Directive> &lines,
                            const Find &find, const Location &location) {
    std::string tried;
    int left = most_tried_partial_reductions;
    if (found.schedule.partial_reductions.empty() || language::has_partial_reductions(contents)) {
        return;
    }
    const PipelineContents scratch = language::scratch_pipeline(contents);
    const auto refuse = [&](const autoschedule::PartialReduction &cut, const Refusal &refusal) {
        tried += concat("not possible: ", cut.what, ": ", refusal.slug, "\n");
        return false;
    };
    const auto attempt = [&](const autoschedule::PartialReduction &cut) {
        if (const Verdict legal = check_partial_reduction(found, cut); !legal) {
            return refuse(cut, legal.refusal());
        }
        std::vector<schedule::Directive> with = lines;
        const auto makes_funcs = [](const schedule::Directive &line) {
            return creates_funcs(line) || line.name == "rfactor";
        };
        const auto last = std::find_if(with.rbegin(), with.rend(), makes_funcs);
        with.insert(last.base(), cut.lines.begin(), cut.lines.end());
        apply_to_copy(scratch, with, location);
        Result<Found> other = find(scratch, &found, cut.lanes);
        if (!other) {
            return refuse(cut, other.refusal());
        }
        const bool is_better = other->schedule.cycles < found.schedule.cycles;
        tried += concat("tried: ", cut.what, ": ", kilocycles(*other), " cycles instead of ", kilocycles(found),
                        is_better ? ", taken\n" : "\n");
        if (is_better) {
            found = std::move(*other);
            lines = std::move(with);
        }
        return is_better;
    };
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (const autoschedule::PartialReduction &cut : std::vector(found.schedule.partial_reductions)) {
            if (left-- > 0 && attempt(cut)) {
                is_changed = true;
                break;
            }
        }
    }
    found.schedule.explanation += tried;
}

/// Promises about the regions of Funcs that have none.
void drop_promises_of_inlined(std::vector<schedule::Directive> &lines, const ir::Graph &graph,
                              const std::vector<FuncId> &inlined) {
    std::erase_if(lines, [&](const schedule::Directive &line) {
        return is_promise(line) && line.name != "set_estimate" &&
               std::any_of(inlined.begin(), inlined.end(),
                           [&](FuncId id) { return graph.func(id).name() == line.func; });
    });
}

/// What a search is of: the program's pipeline, or a copy with other lines.
struct Start {
    std::shared_ptr<PipelineContents> copy; // null: the program's
    GivenLines given;
};

/// Leaves promises, and what is part of the graph: wrappers and cuts, whose lines come first.
GivenLines from_scratch(GivenLines given) {
    std::vector<schedule::Directive> &lines = given.lines;
    const auto after_cuts = std::find_if(lines.rbegin(), lines.rend(), [](const schedule::Directive &line) {
                                return line.name == "rfactor";
                            }).base();
    const auto goes = [](const schedule::Directive &line) { return !is_promise(line) && !creates_funcs(line); };
    lines.erase(std::remove_if(after_cuts, lines.end(), goes), lines.end());
    given.by_hand = lines_that(is_promise, lines);
    return given;
}

/// Where a search begins. A schedule that auto_schedule() found before is not given; the one before it is.
Start start_of(const Pipeline &pipeline, const AutoScheduleOptions &options, const Location &location) {
    const PipelineContents &contents = *pipeline.contents();
    const std::vector<schedule::Directive> now = pipeline.schedule(location).directives();
    const auto *known = static_cast<const Automatic *>(contents.automatic.get());
    const bool is_known = known && known->after == now;
    Start start{nullptr, is_known ? known->before : GivenLines{now, now}};
    if (options.from_scratch) {
        start.given = from_scratch(std::move(start.given));
    }
    if (start.given.lines != now) {
        start.copy = std::make_shared<PipelineContents>(language::scratch_pipeline(contents));
        apply_to_copy(*start.copy, start.given.lines, location);
    }
    return start;
}

} // namespace

AutoSchedule Pipeline::auto_schedule(const Location &location) { return auto_schedule({}, location); }

AutoSchedule Pipeline::auto_schedule(const AutoScheduleOptions &options, const Location &location) {
    const PipelineContents &contents = needed(location);
    const autoschedule::Request request = request_of(options, location);
    const Start start = start_of(*this, options, location);
    const PipelineContents &searched = start.copy ? *start.copy : contents;
    const std::vector<schedule::Directive> &by_hand = start.given.by_hand;
    std::vector<schedule::Directive> lines = start.given.lines;
    return with_place(location, [&] {
        AutoSchedule result;
        on_large_stack([&] {
            // Of a pipeline with one cut more than another one, whose partial results have these lanes.
            const auto find = [&](const PipelineContents &of, const Found *than,
                                  const std::string &lanes) -> Result<Found> {
                language::FrozenPipeline frozen = language::freeze_with_handles(of, request.machine.has_fma);
                const ir::Graph &graph = frozen.pipeline.graph;
                check_number_of_sizes(graph, options.sizes, location);
                autoschedule::Request asked = request;
                schedule::Schedule given = frozen.pipeline.schedule;
                take_by_hand(frozen.pipeline, by_hand, asked, location);
                const auto partials =
                    than ? partials_of(graph, *than, lanes) : std::vector<std::pair<std::string, std::string>>();
                for (const auto &[name, var] : partials) {
                    asked.partials.emplace_back(find_func(graph, name)->id(), var);
                }
                Result<autoschedule::FoundSchedule> found = autoschedule::find_schedule(frozen.pipeline, asked);
                if (!found) {
                    return found.refusal();
                }
                refuse_nothing_to_find(*found, asked, by_hand, location);
                return Found{std::move(*found), graph, std::move(given), partials};
            };
            Found found = find(searched, nullptr, "").or_raise();
            try_partial_reductions(searched, found, lines, find, location);
            drop_promises_of_inlined(lines, found.graph, found.schedule.inlined);
            lines.insert(lines.end(), found.schedule.lines.begin(), found.schedule.lines.end());
            language::apply_schedule(contents, lines, language::PartialReductions::Remove, location);
            result.explanation = std::move(found.schedule.explanation);
        });
        result.schedule = schedule(location);
        auto automatic = std::make_shared<Automatic>();
        automatic->before = start.given;
        automatic->after = result.schedule.directives();
        this->contents()->automatic = std::move(automatic);
        return result;
    });
}

namespace driver {

std::vector<SampledSchedule> sample_schedules(const Pipeline &pipeline, const AutoScheduleOptions &options,
                                              size_t count, uint32_t seed) {
    const Location location = Location::current();
    std::vector<SampledSchedule> samples;
    on_large_stack([&] {
        autoschedule::Request request = request_of(options, location);
        const std::vector<schedule::Directive> given = pipeline.schedule(location).directives();
        language::FrozenPipeline frozen = language::freeze_with_handles(*pipeline.contents(), request.machine.has_fma);
        take_by_hand(frozen.pipeline, given, request, location);
        for (const autoschedule::FoundSchedule &found :
             autoschedule::sample_schedules(frozen.pipeline, request, count, seed)) {
            std::vector<schedule::Directive> lines = given;
            drop_promises_of_inlined(lines, frozen.pipeline.graph, found.inlined);
            lines.insert(lines.end(), found.lines.begin(), found.lines.end());
            samples.push_back({Schedule(lines), found.cycles, found.explanation});
        }
    });
    return samples;
}

} // namespace driver

namespace {

constexpr std::array<std::string_view, 5> names = {"Fluorite", "Mullapudi2016", "Adams2019", "Li2018", "Anderson2021"};

/// The schedulers of the program.
struct OwnSchedulers {
    std::mutex mutex;
    std::map<std::string, AutoSchedulerFn> functions;
};
OwnSchedulers &own_schedulers() {
    static OwnSchedulers all;
    return all;
}

AutoSchedulerFn find_own_scheduler(const std::string &name) {
    const std::lock_guard lock(own_schedulers().mutex);
    const auto found = own_schedulers().functions.find(name);
    return found == own_schedulers().functions.end() ? AutoSchedulerFn() : found->second;
}

} // namespace

void Pipeline::add_autoscheduler(const std::string &name, const AutoSchedulerFn &scheduler, const Location &location) {
    if (!scheduler) {
        refuse_option("the autoscheduler '" + name + "' is added without a function; it is what schedules; give one",
                      location);
    }
    const std::lock_guard lock(own_schedulers().mutex);
    const bool is_built_in = std::find(names.begin(), names.end(), name) != names.end();
    if (is_built_in || !own_schedulers().functions.emplace(name, scheduler).second) {
        refuse_option("the autoscheduler '" + name + "' is added, and there is one of this name; give another name",
                      location);
    }
}

AutoSchedulerResults Pipeline::apply_autoscheduler(const Target &target, const AutoschedulerParams &params,
                                                   const Location &location) const {
    if (const AutoSchedulerFn own = find_own_scheduler(params.name)) {
        AutoSchedulerResults results{params, target, {}};
        own(*this, target, params, &results);
        return results;
    }
    if (std::find(names.begin(), names.end(), params.name) == names.end()) {
        refuse_option(
            "the autoscheduler '" + params.name +
                "' is not known; there is one, called Fluorite, and Halide's names mean it too; give Fluorite",
            location);
    }
    AutoScheduleOptions options;
    options.target = target;
    for (const auto &[key, value] : params.extra) {
        if (key == "model") {
            options.model = value;
        } else if (key == "machine_file") {
            options.machine_file = value;
        } else if (key == "device") {
            options.device = value;
        } else if (key == "parallelism") {
            const char *end = value.data() + value.size();
            const auto [stop, error] = std::from_chars(value.data(), end, options.parallelism);
            if (error != std::errc() || stop != end) {
                refuse_option("parallelism is '" + value + "'; it is a number of threads; give a whole number",
                              location);
            }
        } else if (params.name == "Fluorite" || !is_parameter_of_halide(key)) {
            refuse_option("the parameter '" + key +
                              "' is not known; there are model, parallelism, machine_file and device; remove it",
                          location);
        }
    }
    AutoSchedule found = Pipeline(*this).auto_schedule(options, location);
    return {params, target, found.schedule.text()};
}

} // namespace fluorite
