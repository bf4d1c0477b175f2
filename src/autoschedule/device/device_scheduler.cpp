// One schedule of a pipeline for a device.
//
// Method: that of scheduler.cpp with other costs: describe the pipeline, search the grouping of least cost exactly,
// write directives, and let the rules of directives and the bounded loop nest judge them. A group that is refused is
// taken apart; a stage that is refused alone runs on the host, with the loops that the scheduler for processors finds
// for it.
//
// Reductions of few points are offered as cuts into partial results, which a search of the pipeline with the cut
// judges.
//
// Cost: a search, and a nest; where nests are refused, a nest for each stage at most.
#include "autoschedule/device/device_scheduler.h"

#include "autoschedule/costs.h"
#include "autoschedule/device/block_memory.h"
#include "autoschedule/device/device_cost.h"
#include "autoschedule/device/kernel_writer.h"
#include "autoschedule/explain.h"
#include "autoschedule/partial_reductions.h"
#include "autoschedule/search_options.h"
#include "loopnest/loop_nests.h"
#include "support/check.h"

#include <algorithm>
#include <sstream>

namespace fluorite::autoschedule {

using schedule::Directive;
using schedule::Schedule;

namespace {

struct DeviceGroup {
    StageSet stages;
    DevicePlan plan;
};

class DeviceScheduler {
  public:
    DeviceScheduler(const schedule::ScheduledGraph &pipeline, const Request &request)
        : input_(pipeline), request_(request),
          described_(describe_pipeline(pipeline, request.sizes, {costs::gathered_load_of_device, 1},
                                       initial_options(pipeline, request), given_funcs(request))),
          cost_(described_, *request.device),
          host_(described_.graph, RooflineMachine{request.machine, request.caches, request.threads}),
          nests_(pipeline.graph, judging_options()) {
        keep_calls_on_host();
        search();
    }

    Result<FoundSchedule> run() {
        while (!is_accepted()) {
            if (!verdict_) {
                return verdict_.refusal();
            }
        }
        FoundSchedule found{lines_, explanation(), total() * cost_.device().clock, cuts(), inlined_here()};
        return found;
    }

  private:
    const schedule::ScheduledGraph &input_;
    const Request &request_;
    const DescribedPipeline described_;
    DeviceCost cost_;
    const RooflineCost host_;
    loopnest::LoopNests nests_;
    SearchResult found_;
    std::vector<DeviceGroup> groups_;
    std::vector<Directive> lines_;
    std::vector<std::string> notes_;
    int64_t searches_ = 0; // again, as blocks do not fit
    Verdict verdict_;      // of the pipeline, where no schedule is legal

    const StageNode &node(size_t stage) const { return described_.graph.stages[stage]; }

    /// What calls C functions, prints or traces.
    void keep_calls_on_host() {
        for (size_t stage = 0; stage < described_.funcs.size(); ++stage) {
            const ir::FuncDef &func = described_.computed[stage];
            bool calls = func.trace_loads || func.trace_stores || func.trace_realizations || !func.debug_file.empty();
            const auto look = [&](const Expr &expr) {
                ir::for_each_node(expr, [&](const Expr &part) {
                    calls = calls || part->kind() == ir::ExprKind::Extern || part->kind() == ir::ExprKind::Print;
                });
            };
            for (const ir::Stage &part : func.stages) {
                std::for_each(part.values.begin(), part.values.end(), look);
                std::for_each(part.args.begin(), part.args.end(), look);
                if (part.predicate.defined()) {
                    look(part.predicate);
                }
            }
            if (calls) {
                cost_.keep_on_host(stage);
                note(concat(node(stage).name, " runs on the host, as it calls C functions, prints or traces"));
            }
        }
    }

    void search() {
        found_ = described_.graph.stages.empty()
                     ? SearchResult()
                     : search_grouping(precedence_of(described_.graph), cost_, search_limits(described_.graph));
        groups_.clear();
        for (const StageSet &group : found_.grouping.groups) {
            groups_.push_back({group, cost_.plan(group).value()});
        }
    }

    double total() const {
        double sum = 0;
        for (const DeviceGroup &group : groups_) {
            sum += group.plan.time.total;
        }
        return sum;
    }

    std::vector<FuncId> inlined_here() const {
        std::vector<FuncId> found;
        std::copy_if(described_.inlined.begin(), described_.inlined.end(), std::back_inserter(found), [&](FuncId id) {
            return std::find(request_.by_hand.begin(), request_.by_hand.end(), id) == request_.by_hand.end();
        });
        return found;
    }

    std::vector<PartialReduction> cuts() const {
        std::vector<PlannedGroup> reductions;
        for (const DeviceGroup &group : groups_) {
            for (const size_t stage : group.stages) {
                if (!node(stage).sums.empty() && !node(stage).is_by_hand) {
                    reductions.push_back({{stage}, host_.plan({stage}).value(), false});
                }
            }
        }
        if (described_.graph.stages.size() > static_cast<size_t>(costs::most_stages_of_trials)) {
            return {};
        }
        const int parts = static_cast<int>(cost_.device().multiprocessors);
        return find_partial_reductions(described_, host_, reductions,
                                       RooflineMachine{request_.machine, request_.caches, parts});
    }

    // ---- Judging.

    bool try_apply(Schedule &schedule, const std::vector<Directive> &lines) const {
        Schedule changed = schedule;
        const bool is_legal = static_cast<bool>(schedule::apply_directives(input_.graph, changed, lines, Location()));
        if (is_legal) {
            schedule = std::move(changed);
        }
        return is_legal;
    }

    void take(const std::vector<Directive> &lines) { lines_.insert(lines_.end(), lines.begin(), lines.end()); }

    Schedule given_schedule() const {
        Schedule schedule = request_.by_hand.empty() ? input_.schedule : request_.hand;
        for (const FuncId id : inlined_here()) {
            forget_region(schedule.funcs[id.index()]);
        }
        return schedule;
    }

    bool is_accepted() {
        Schedule schedule = given_schedule();
        lines_.clear();
        for (size_t i = 0; i < groups_.size(); ++i) {
            if (!node(groups_[i].plan.last).is_by_hand && !is_written(schedule, i)) {
                return false;
            }
        }
        const Result<loopnest::BoundedLoopNest> nest = nests_.make(schedule);
        if (!nest) {
            give_way(nest.refusal());
            return false;
        }
        return do_blocks_fit(*nest);
    }

    /// Whether what blocks share is as small as planned, at any size; else members that are not leave the blocks.
    bool do_blocks_fit(const loopnest::BoundedLoopNest &nest) {
        StageSet large, uneven;
        std::vector<size_t> groups; // that have such members
        for (size_t i = 0; i < groups_.size(); ++i) {
            const StageSet own = too_large_in_blocks(nest, groups_[i]),
                           of_threads = uneven_in_threads(nest, groups_[i]);
            large |= own;
            uneven |= of_threads;
            if (!own.empty() || !of_threads.empty()) {
                groups.push_back(i);
            }
        }
        for (const size_t stage : large) {
            note(concat(node(stage).name, " is not in the memory of blocks, where its size would not be bounded"));
            cost_.keep_out_of_blocks(stage);
        }
        for (const size_t stage : uneven) {
            note(concat(node(stage).name, " is not computed by threads, which would need parts of different sizes"));
            cost_.keep_out_of_threads(stage);
        }
        if (!groups.empty() && searches_++ < costs::most_searches_for_device) {
            search();
        } else {
            for (size_t i = groups.size(); i-- > 0;) {
                change(groups[i], "its blocks need more memory than is planned");
            }
        }
        return groups.empty();
    }

    StageSet uneven_in_threads(const loopnest::BoundedLoopNest &nest, const DeviceGroup &group) const {
        StageSet uneven;
        if (group.plan.in_threads.empty()) {
            return uneven;
        }
        // Where blocks move back inside, threads have their points in the specialization, for which lowering unrolls.
        const std::vector<LoopExtent> &loops = node(group.plan.last).loops;
        for (size_t loop = 0; loop < loops.size(); ++loop) {
            if (loops[loop].is_exact && group.plan.together[loop] > 1) {
                return {};
            }
        }
        for (const size_t stage : group.plan.in_threads) {
            if (!has_constant_loops(nest, request_.sizes, described_.funcs[stage])) {
                uneven.insert(stage);
            }
        }
        return uneven;
    }

    /// The members of a group whose memory grows with the sizes, or if none does, the largest one of too many bytes.
    StageSet too_large_in_blocks(const loopnest::BoundedLoopNest &nest, const DeviceGroup &group) const {
        const int64_t limit = machine::limits_of_device.shared_bytes;
        StageSet growing, largest;
        int64_t bytes = 0, most = -1;
        for (const size_t stage : group.stages) {
            if (stage == group.plan.last || group.plan.in_threads.contains(stage)) {
                continue;
            }
            const std::optional<BlockBytes> own =
                bytes_in_blocks(nest, request_.sizes, described_.funcs[stage], described_.funcs[group.plan.last]);
            const int64_t taken = own ? std::min(own->most, limit + 1) : limit + 1;
            bytes += taken;
            if (!own || own->grows) {
                growing.insert(stage);
            }
            if (taken > most) {
                most = taken;
                largest = {stage};
            }
        }
        return bytes <= limit ? StageSet() : growing.empty() ? largest : growing;
    }

    /// Writes a group into the schedule; false where groups were changed.
    bool is_written(Schedule &schedule, size_t index) {
        const DeviceGroup &group = groups_[index];
        if (group.plan.is_on_host) {
            write_on_host(schedule, group.plan.last);
            return true;
        }
        const KernelLines kernel = kernel_lines_of(described_, cost_, group.stages, group.plan);
        Schedule changed = schedule;
        if (const Verdict legal = schedule::apply_directives(input_.graph, changed, kernel.lines, Location()); !legal) {
            change(index, legal.refusal().message);
            return false;
        }
        schedule = std::move(changed);
        take(kernel.lines);
        for (const KernelLines::Update &update : kernel.updates) {
            const auto way = std::find_if(update.ways.begin(), update.ways.end(),
                                          [&](const auto &lines) { return try_apply(schedule, lines); });
            if (way != update.ways.end()) {
                take(*way);
            } else if (update.stage == group.plan.last) {
                if (node(update.stage).points() <= costs::most_points_on_host) {
                    change(index, concat("update ", update.number, " of ", node(update.stage).name,
                                         " has no loop that could run in parallel"));
                    return false;
                }
                note(concat("update ", update.number, " of ", node(update.stage).name,
                            " runs on the host, as it has no loop that could run in parallel"));
            }
        }
        return true;
    }

    void note(const std::string &text) {
        if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) {
            notes_.push_back(text);
        }
    }

    void write_on_host(Schedule &schedule, size_t stage) {
        PlannedGroup group{{stage}, host_.plan({stage}).value(), false};
        GroupLines lines = lines_of(described_, host_, group, request_.threads);
        if (!try_apply(schedule, lines.lines)) {
            group.is_plain = true;
            lines = lines_of(described_, host_, group, request_.threads);
            check(try_apply(schedule, lines.lines), "a stage alone can be scheduled");
        }
        take(lines.lines);
        for (const std::vector<Directive> &optional : lines.optional_lines) {
            if (try_apply(schedule, optional)) {
                take(optional);
            }
        }
    }

    /// Takes a group apart that is refused, or leaves its only stage to the host.
    void change(size_t index, const std::string &reason) {
        const DeviceGroup group = groups_[index];
        if (group.stages.size() == 1) {
            note(concat(node(group.plan.last).name, " runs on the host: ", reason));
            cost_.keep_on_host(group.plan.last);
            search();
            return;
        }
        note(concat("the group of ", node(group.plan.last).name, " is taken apart: ", reason));
        groups_.erase(groups_.begin() + static_cast<long>(index));
        for (const size_t stage : group.stages) {
            groups_.insert(groups_.begin() + static_cast<long>(index++), {{stage}, cost_.plan({stage}).value()});
        }
    }

    /// Changes a group that is refused beside stages that are at root without loops over blocks.
    void give_way(const Refusal &refusal) {
        for (size_t i = 0; i < groups_.size(); ++i) {
            const bool is_kernel = !groups_[i].plan.is_on_host && !node(groups_[i].plan.last).is_by_hand;
            if (is_kernel && !is_legal_alone(i)) {
                change(i, refusal.message);
                return;
            }
        }
        for (size_t i = groups_.size(); i-- > 0;) {
            if (!groups_[i].plan.is_on_host && !node(groups_[i].plan.last).is_by_hand) {
                change(i, refusal.message);
                return;
            }
        }
        verdict_ = refusal;
    }

    bool is_legal_alone(size_t index) {
        Schedule schedule = given_schedule();
        const std::vector<Directive> lines = std::move(lines_);
        lines_.clear();
        for (size_t i = 0; i < groups_.size(); ++i) {
            for (const size_t stage : groups_[i].stages) {
                if (i != index && !node(stage).is_output && !node(stage).is_by_hand) {
                    Directive root;
                    root.func = described_.computed[stage].name();
                    root.name = "compute_root";
                    try_apply(schedule, {root});
                }
            }
        }
        const bool is_legal = is_written(schedule, index) && static_cast<bool>(nests_.make(schedule));
        lines_ = lines;
        return is_legal;
    }

    // ---- In words.

    static std::string microseconds(double nanoseconds) { return short_number(nanoseconds / 1000) + " us"; }

    std::string explanation() const {
        std::ostringstream out;
        out << "automatic schedule for a device, with the costs of " << cost_.device().title << "\n";
        if (!described_.inlined.empty()) {
            out << "inlined:";
            for (const FuncId id : described_.inlined) {
                out << " " << input_.graph.func(id).name();
            }
            out << "\n";
        }
        for (const DeviceGroup &group : groups_) {
            explain(out, group);
        }
        for (const std::string &note : notes_) {
            out << "note: " << note << "\n";
        }
        out << "all: " << microseconds(total()) << "; search: " << found_.groups_costed << " groups costed, "
            << (found_.is_optimal() ? "no grouping costs less\n" : "not finished\n");
        return out.str();
    }

    void explain(std::ostream &out, const DeviceGroup &group) const {
        const DevicePlan &plan = group.plan;
        const StageNode &last = node(plan.last);
        if (last.is_by_hand) {
            out << last.name << ": as it is scheduled by hand\n";
            return;
        }
        if (plan.is_on_host) {
            out << last.name << ": on the host, " << microseconds(plan.time.total)
                << (last.loops.empty() ? ", as it has no loop\n" : "\n");
            return;
        }
        out << "group of " << last.name << ":";
        double apart = 0;
        for (const size_t stage : group.stages) {
            out << (stage == plan.last ? "" : " " + node(stage).name);
            apart += cost_.plan({stage})->time.total;
        }
        out << (group.stages.size() > 1 ? "" : " alone") << "\n  blocks of";
        const std::vector<int64_t> block = block_of(plan);
        for (size_t loop = 0; loop < block.size(); ++loop) {
            out << (loop > 0 ? " x " : " ") << block[loop];
        }
        out << " (" << short_number(plan.work.blocks) << "), " << plan.threads_x << " x " << plan.threads_y
            << " threads";
        for (const size_t stage : group.stages) {
            if (stage != plan.last) {
                out << ", " << node(stage).name << (plan.in_threads.contains(stage) ? " in registers" : " shared");
            }
        }
        out << "; " << short_number(plan.work.shared_bytes / 1024) << " KB shared, "
            << short_number(plan.work.registers) << " registers, " << short_number(plan.time.resident)
            << " threads at once\n  " << microseconds(plan.time.total) << ": arithmetic "
            << microseconds(plan.time.arithmetic) << ", loads " << microseconds(plan.time.loads) << ", L2 cache "
            << microseconds(plan.time.caches) << ", memory " << microseconds(plan.time.memory) << "; "
            << short_number(plan.recomputed * 100) << " % recomputed";
        if (group.stages.size() > 1) {
            out << "; apart " << microseconds(apart);
        }
        out << "\n";
    }
};

} // namespace

Result<FoundSchedule> find_device_schedule(const schedule::ScheduledGraph &pipeline, const Request &request) {
    return DeviceScheduler(pipeline, request).run();
}

} // namespace fluorite::autoschedule
