// Pipeline::auto_schedule() and Halide's name for it.
//
// The pipeline is frozen with its promises and estimates, the scheduler's lines are added to theirs, and the result is
// applied as any other schedule. Funcs that are scheduled by hand are refused: the scheduler would not know what their
// loops are for.

#include "autoschedule/auto_schedule.h"

#include "driver/compiled.h"
#include "fluorite/auto_schedule.h"
#include "language/freeze.h"
#include "machine/machine_model.h"
#include "schedule/text/schedule_text.h"
#include "support/large_stack.h"
#include "support/place.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <thread>

namespace fluorite {

namespace {

[[noreturn]] void refuse_option(const std::string &text, const Location &location) {
    throw CompileError("auto-schedule-option", "in auto_schedule: " + text, location);
}

/// Directives that say what is known of a pipeline and not how it is computed.
bool is_promise(const schedule::Directive &line) {
    constexpr std::array<std::string_view, 5> promises = {"set_estimate", "bound", "bound_extent", "align_bounds",
                                                          "align_extent"};
    return std::find(promises.begin(), promises.end(), line.name) != promises.end();
}

autoschedule::Request request_of(const AutoScheduleOptions &options, const Location &location) {
    autoschedule::Request request;
    if (options.model != "roofline" && options.model != "polymage") {
        refuse_option("the model '" + options.model +
                          "' is not known; there are roofline and polymage; give one of them",
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
    request.model = options.model == "polymage" ? autoschedule::Model::Polymage : autoschedule::Model::Roofline;
    request.threads = options.parallelism > 0 ? options.parallelism
                                              : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const bool is_given = options.target.arch != Target::ArchUnknown;
    request.machine = machine::machine_model(is_given ? options.target : get_jit_target_from_environment(location));
    return request;
}

} // namespace

AutoSchedule Pipeline::auto_schedule(const Location &location) { return auto_schedule({}, location); }

AutoSchedule Pipeline::auto_schedule(const AutoScheduleOptions &options, const Location &location) {
    const PipelineContents &contents = needed(location);
    const autoschedule::Request request = request_of(options, location);
    std::vector<schedule::Directive> lines = schedule(location).directives();
    for (const schedule::Directive &line : lines) {
        if (!is_promise(line)) {
            throw CompileError("auto-schedule-by-hand",
                               "in auto_schedule: the pipeline has the directive " + schedule::to_text(line) +
                                   "; Funcs that are scheduled by hand and automatically are not supported; remove the "
                                   "directive, or schedule the whole pipeline by hand",
                               location);
        }
    }
    return with_place(location, [&] {
        AutoSchedule result;
        on_large_stack([&] {
            const language::FrozenPipeline frozen = language::freeze_with_handles(contents);
            autoschedule::FoundSchedule found = autoschedule::find_schedule(frozen.pipeline, request);
            lines.insert(lines.end(), found.lines.begin(), found.lines.end());
            apply(Schedule(lines), location);
            result.explanation = std::move(found.explanation);
        });
        result.schedule = schedule(location);
        return result;
    });
}

AutoSchedulerResults Pipeline::apply_autoscheduler(const Target &target, const AutoschedulerParams &params,
                                                   const Location &location) {
    constexpr std::array<std::string_view, 5> names = {"Fluorite", "Mullapudi2016", "Adams2019", "Li2018",
                                                       "Anderson2021"};
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
        } else if (key == "parallelism") {
            const char *end = value.data() + value.size();
            const auto [stop, error] = std::from_chars(value.data(), end, options.parallelism);
            if (error != std::errc() || stop != end) {
                refuse_option("parallelism is '" + value + "'; it is a number of threads; give a whole number",
                              location);
            }
        } else if (params.name == "Fluorite") {
            refuse_option("the parameter '" + key + "' is not known; there are model and parallelism; remove it",
                          location);
        }
    }
    AutoSchedule found = auto_schedule(options, location);
    return {params, target, found.schedule.text()};
}

} // namespace fluorite
