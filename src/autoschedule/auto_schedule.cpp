// The automatic scheduler: one schedule after another, each with other decisions before grouping.
//
// Copies that reductions read are tried as Funcs of their own, as what they copy then lies together. Sums that gather
// along the first loop are tried with vectors along another one, and with what they read turned. What stands alone
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
    Wishes wishes = first_wishes(pipeline, request);
    Scheduler apart(pipeline, request, wishes);
    double cycles = apart.cycles();
    bool is_changed = false;
    std::ostringstream tried;
    const auto attempt = [&](const Wishes &others, const std::string &what) {
        const double other = Scheduler(pipeline, request, others).cycles();
        tried << "tried: " << what << ": " << short_number(other / 1000) << "k cycles instead of "
              << short_number(cycles / 1000) << "k" << (other < cycles ? ", taken\n" : "\n");
        if (other < cycles) {
            cycles = other;
            wishes = others;
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
        found->explanation += concat("not tried: copies, turned vectors and inlining of what is stored, as there are ",
                                     apart.stages(), " stages, more than ", most_stages_of_trials, "\n");
        return found;
    }
    for (const FuncId copy : apart.find_copies()) {
        Wishes others = wishes;
        others.kept.push_back(copy);
        attempt(others, name(copy) + " computed apart");
    }
    for (const Turn &turn : apart.find_turns()) {
        Wishes others = wishes;
        others.turned.push_back(turn);
        for (const auto &[func, dimension] : turn.stored) {
            others.kept.push_back(func);
        }
        attempt(others, name(turn.func) + " in vectors along " + pipeline.graph.func(turn.func).arg_names[turn.loop]);
    }
    if (const std::vector<FuncId> &alike = apart.find_alike(); !alike.empty()) {
        Wishes others = wishes;
        others.joins_outputs = true;
        attempt(others,
                concat(name(alike[0]), " in the loops of ", name(alike[1]), alike.size() > 2 ? " and others" : ""));
    }
    if (apart.has_short_rows()) {
        Wishes others = wishes;
        others.short_rows = true;
        attempt(others, "vectors along short rows");
    }
    if (const std::vector<FuncId> registered = apart.find_registered(); !registered.empty()) {
        Wishes others = wishes;
        others.inlined.insert(others.inlined.end(), registered.begin(), registered.end());
        attempt(others, concat(name(registered[0]), registered.size() > 1 ? " and others" : "",
                               ", which would stay in registers, inlined"));
    }
    for (const FuncId stored : apart.find_stored()) {
        Wishes others = wishes;
        others.inlined.push_back(stored);
        attempt(others, name(stored) + " inlined");
    }
    Result<FoundSchedule> found = is_changed ? Scheduler(pipeline, request, wishes).run() : apart.run();
    if (found) {
        found->explanation += tried.str();
    }
    return found;
}

} // namespace fluorite::autoschedule
