// The automatic scheduler: one schedule after another, each with other decisions before grouping.
//
// Copies that reductions read are tried as Funcs of their own, as what they copy then lies together. Sums that gather
// along the first loop are tried with vectors along another one, and with what they read transposed. What stands alone
// and passes through memory for longer than it takes to compute is inlined as well where the whole then costs less:
// that is a search for each of the two that take longest.
//
// Cost: a search for each trial, bounded as scheduler.cpp says.
#include "autoschedule/auto_schedule.h"

#include "autoschedule/device/device_scheduler.h"
#include "autoschedule/explain.h"
#include "autoschedule/scheduler.h"
#include "autoschedule/search_options.h"
#include "support/check.h"

#include <algorithm>
#include <sstream>

namespace fluorite::autoschedule {

Result<FoundSchedule> find_schedule(const schedule::ScheduledGraph &pipeline, const Request &request) {
    if (request.device) {
        return find_device_schedule(pipeline, request);
    }
    PlanOptions options = initial_options(pipeline, request);
    Scheduler apart(pipeline, request, options);
    double cycles = apart.cycles();
    bool is_changed = false;
    std::ostringstream tried;
    const auto attempt = [&](const PlanOptions &others, const std::string &what) {
        const double other = Scheduler(pipeline, request, others).cycles();
        tried << "tried: " << what << ": " << short_number(other / 1000) << "k cycles instead of "
              << short_number(cycles / 1000) << "k" << (other < cycles ? ", taken\n" : "\n");
        if (other < cycles) {
            cycles = other;
            options = others;
            is_changed = true;
        }
    };
    const auto name = [&](FuncId func) { return pipeline.graph.func(func).name(); };
    if (request.model != Model::Roofline) { // the published schedulers have no trials
        return apart.run();
    }
    if (apart.stages() > most_stages_of_trials) {
        Result<FoundSchedule> found = apart.run();
        if (!found) {
            return found;
        }
        found->explanation +=
            concat("not tried: copies, transposed vectors and inlining of what is stored, as there are ",
                   apart.stages(), " stages, more than ", most_stages_of_trials, "\n");
        return found;
    }
    for (const FuncId copy : apart.find_copies()) {
        PlanOptions others = options;
        others.kept.push_back(copy);
        attempt(others, name(copy) + " computed apart");
    }
    if (const std::vector<FuncId> results = apart.find_results_of_updates(); results.size() > 1) {
        PlanOptions others = options;
        others.kept.insert(others.kept.end(), results.begin(), results.end());
        attempt(others, name(results[0]) + " and others, which pass results of updates on, computed apart");
    }
    for (const Transposition &transposition : apart.find_transpositions()) {
        PlanOptions others = options;
        others.transpositions.push_back(transposition);
        for (const auto &[func, dimension] : transposition.stored) {
            others.kept.push_back(func);
        }
        attempt(others, name(transposition.func) + " in vectors along " +
                            pipeline.graph.func(transposition.func).arg_names[transposition.loop]);
    }
    if (const std::vector<FuncId> &fusable = apart.fusable_outputs(); !fusable.empty()) {
        PlanOptions others = options;
        others.fuses_outputs = true;
        attempt(others, concat(name(fusable[0]), " in the loops of ", name(fusable[1]),
                               fusable.size() > 2 ? " and others" : ""));
    }
    if (apart.has_short_rows()) {
        PlanOptions others = options;
        others.short_rows = true;
        attempt(others, "vectors along short rows");
    }
    if (const std::vector<FuncId> registered = apart.find_registered(); !registered.empty()) {
        PlanOptions others = options;
        others.inlined.insert(others.inlined.end(), registered.begin(), registered.end());
        attempt(others, concat(name(registered[0]), registered.size() > 1 ? " and others" : "",
                               ", which would stay in registers, inlined"));
    }
    for (const FuncId stored : apart.find_stored()) {
        PlanOptions others = options;
        others.inlined.push_back(stored);
        attempt(others, name(stored) + " inlined");
    }
    Result<FoundSchedule> found = is_changed ? Scheduler(pipeline, request, options).run() : apart.run();
    if (found) {
        found->explanation += tried.str();
    }
    return found;
}

} // namespace fluorite::autoschedule
