#pragma once
// The automatic scheduler: from a frozen pipeline to the directives of a schedule.

#include "machine/cache_model.h"
#include "machine/device_costs.h"
#include "machine/machine_model.h"
#include "schedule/directives/table.h"
#include "support/refusal.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fluorite::autoschedule {

/// The own model, and two published schedulers: that of PolyMage+, and the greedy one of Mullapudi et al. (2016).
enum class Model : uint8_t { Roofline, Polymage, Mullapudi };
/// As options call it.
const char *name_of(Model model);
std::optional<Model> find_model(std::string_view name);

struct Request {
    std::vector<int32_t> sizes; // of the outputs, innermost first; empty: their estimates
    Model model = Model::Roofline;
    int threads = 1;
    machine::MachineModel machine;
    machine::CacheModel caches;
    const machine::DeviceCosts *device = nullptr; // a row of the table; null: the schedule is for the processor
    std::string measured_as;                      // the file that `caches` are from; empty: they are the processor's
    /// Funcs that are scheduled by hand: they keep their places and loops, and are groups of their own.
    std::vector<FuncId> by_hand;
    /// Funcs of partial results, and their Vars whose iterations are lanes.
    std::vector<std::pair<FuncId, std::string>> partials;
    /// The schedule with what was written by hand; the found lines are applied to it.
    schedule::Schedule hand;
};

/// Lines that cut a reduction into partial ones, which end in rfactor, and what they do in words. The partial results
/// are a Func of their own, whose loops over them are tasks or lanes.
struct PartialReduction {
    std::vector<schedule::Directive> lines;
    std::string what;
    std::string lanes; // of the partial results, the Var whose iterations are lanes; empty: none
};

struct FoundSchedule {
    std::vector<schedule::Directive> lines;
    std::string explanation;
    double cycles = 0; // predicted
    /// Cuts that are worth a search of the pipeline that has them, in this order. rfactor may refuse them.
    std::vector<PartialReduction> partial_reductions;
    /// Funcs that stay inlined, other than by hand: what bound() and the like promise of their regions has no effect,
    /// and would be refused.
    std::vector<FuncId> inlined;
};

/// The pipeline's own schedule holds promises and estimates only, without what was written by hand. The result depends
/// on the arguments alone. Refused where every schedule of the pipeline is.
Result<FoundSchedule> find_schedule(const schedule::ScheduledGraph &pipeline, const Request &request);

/// For the comparison of predicted with measured times: the schedule that the search finds, without trials, that of all
/// stages apart, and those of groupings at random, none twice; fewer than `count` where there are not as many.
std::vector<FoundSchedule> sample_schedules(const schedule::ScheduledGraph &pipeline, const Request &request,
                                            size_t count, uint32_t seed);

} // namespace fluorite::autoschedule
