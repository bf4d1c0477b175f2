// The automatic scheduler.
//
// Method: describe the pipeline (from_graph/), decide what is inlined by operations alone, find the grouping of least
// cost (grouping/), plan the tiles of each group (roofline/), write directives, and let the bounded loop nest judge
// them: a group that the rules of schedules refuse is taken apart. Where windows of a group do not slide, because a
// region does not move steadily, the search is repeated with single rows for groups that contain it, then without
// sliding.
//
// Copies that reductions read are tried as Funcs of their own, as what they copy then lies together. Sums that gather
// along the first loop are tried with vectors along another one, and with what they read turned. What stands alone
// and passes through memory for longer than it takes to compute is inlined as well where the whole then costs less:
// that is a search for each of the two that take longest.
//
// Cost: the search is bounded by counts of groups and states, so that one input has one result on every machine.
#include "autoschedule/auto_schedule.h"

#include "autoschedule/cuts.h"
#include "autoschedule/directive_writer.h"
#include "autoschedule/group_by_model.h"
#include "fluorite/errors.h"
#include "loopnest/loop_nests.h"
#include "loopnest/regions/accesses.h"
#include "support/check.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <utility>

namespace fluorite::autoschedule {

namespace {

using schedule::Directive;
using schedule::Schedule;

/// Funcs that are tried to be inlined after a search, each with a search of its own, in pipelines of so many stages.
constexpr size_t most_tried = 2, most_stages_of_trials = 64;
/// Searches that are made again because windows do not slide as planned. After them, only the group is planned anew.
constexpr size_t most_searches = 8;

class Scheduler {
  public:
    Scheduler(const schedule::ScheduledGraph &pipeline, const Request &request, const Wishes &wishes)
        : input_(pipeline), request_(request),
          described_(describe_pipeline(pipeline, request.sizes, load_costs(request), wishes, given(request))),
          cost_(described_.graph, machine_of(request)),
          model_(request.model, described_.graph, cost_, machine_of(request)), nests_(pipeline.graph, nest_options()) {
        search();
    }

    double cycles() const {
        double sum = 0;
        for (const PlannedGroup &group : groups_) {
            sum += group.plan.cycles;
        }
        return sum;
    }

    size_t stages() const { return described_.graph.stages.size(); }

    static std::string number(double value) {
        char text[32];
        std::snprintf(text, sizeof text, value < 10 ? "%.2g" : "%.0f", value);
        return text;
    }

    /// Of the Funcs that stand alone and take longer to pass through memory than to compute, those that take longest.
    std::vector<FuncId> find_stored() const {
        std::vector<PlannedGroup> groups = groups_;
        std::stable_sort(groups.begin(), groups.end(),
                         [](const PlannedGroup &a, const PlannedGroup &b) { return a.plan.cycles > b.plan.cycles; });
        std::vector<FuncId> stored;
        for (const PlannedGroup &group : groups) {
            const size_t stage = group.plan.last;
            if (stored.size() < most_tried && group.stages.size() == 1 && !described_.graph.stages[stage].is_output &&
                !described_.graph.stages[stage].is_by_hand && described_.graph.stages[stage].updates == 0 &&
                group.plan.memory + 2 * group.plan.fresh > group.plan.arithmetic) {
                stored.push_back(described_.funcs[stage]);
            }
        }
        return stored;
    }

    /// Funcs without updates that stay in registers: inlined, they may share operands with what reads them, and rows
    /// of a block share their values nevertheless.
    std::vector<FuncId> find_registered() const {
        std::vector<FuncId> registered;
        for (const PlannedGroup &group : groups_) {
            for (const size_t stage : group.plan.in_registers) {
                if (described_.graph.stages[stage].updates == 0) {
                    registered.push_back(described_.funcs[stage]);
                }
            }
        }
        return registered;
    }

    /// Stages of sums that gather, whose vectors may run along another loop.
    std::vector<Turn> find_turns() const {
        std::vector<Turn> turns = described_.turns;
        turns.resize(std::min(turns.size(), most_tried));
        return turns;
    }

    /// Of the Funcs that are inlined, copies that reductions read again and again: kept, what they copy lies together.
    std::vector<FuncId> find_copies() const {
        std::vector<FuncId> copies;
        for (const ir::FuncDef &func : input_.graph.funcs) {
            for (size_t k = 1; k < func.stages.size(); ++k) {
                for (const loopnest::Access &call : loopnest::find_accesses(func.stages[k]).calls) {
                    const FuncId callee(call.symbol.owner().func);
                    const auto is_callee = [&](FuncId id) { return id == callee; };
                    if (!func.stages[k].rvars.empty() &&
                        std::find(request_.by_hand.begin(), request_.by_hand.end(), callee) == request_.by_hand.end() &&
                        copies.size() < most_tried &&
                        std::any_of(described_.inlined.begin(), described_.inlined.end(), is_callee) &&
                        std::none_of(copies.begin(), copies.end(), is_callee)) {
                        copies.push_back(callee);
                    }
                }
            }
        }
        return copies;
    }

    FoundSchedule run() {
        while (!is_accepted()) {
        }
        std::vector<Cut> cuts;
        if (request_.model == Model::Roofline && stages() <= most_stages_of_trials) {
            cuts = find_cuts(described_, cost_, groups_, machine_of(request_));
        }
        return {lines_, explanation(), cycles(), std::move(cuts), inlined_here()};
    }

  private:
    const schedule::ScheduledGraph &input_;
    const Request &request_;
    const DescribedPipeline described_;
    RooflineCost cost_;
    const GroupingModel model_;
    loopnest::LoopNests nests_;
    SearchResult found_;
    std::vector<PlannedGroup> groups_;
    std::vector<Directive> lines_;
    std::vector<std::string> notes_;
    size_t searches_ = 0; // again, as windows do not slide

    static GivenFuncs given(const Request &request) {
        GivenFuncs funcs{request.by_hand, {}};
        for (const FuncId id : request.by_hand) {
            if (request.hand.func(id).compute.is_inlined() && request.hand.func(id).stages.size() == 1) {
                funcs.inlined.push_back(id);
            }
        }
        return funcs;
    }

    static RooflineMachine machine_of(const Request &request) {
        return {request.machine, request.caches, request.threads};
    }

    static LoadCosts load_costs(const Request &request) {
        const double lanes = request.machine.vector_bits / 32.0;
        return {request.caches.gathered_cycles * request.caches.vector_operations * lanes, lanes};
    }

    static loopnest::NestOptions nest_options() {
        loopnest::NestOptions options;
        options.find_ranges = false;
        return options;
    }

    void search() {
        if (described_.graph.stages.empty()) {
            return;
        }
        found_ = model_.search();
        groups_.clear();
        for (const StageSet &group : found_.grouping.groups) {
            groups_.push_back({group, model_.plan(group), false});
        }
    }

    /// Funcs that are inlined, other than by hand. What is promised of their regions has no effect.
    std::vector<FuncId> inlined_here() const {
        std::vector<FuncId> found;
        std::copy_if(described_.inlined.begin(), described_.inlined.end(), std::back_inserter(found), [&](FuncId id) {
            return std::find(request_.by_hand.begin(), request_.by_hand.end(), id) == request_.by_hand.end();
        });
        return found;
    }

    // ---- Judging.

    bool try_apply(Schedule &schedule, const std::vector<Directive> &lines) const {
        Schedule changed = schedule;
        try {
            schedule::apply_directives(input_.graph, changed, lines, Location());
        } catch (const CompileError &) {
            return false;
        }
        schedule = std::move(changed);
        return true;
    }

    /// Writes the groups and has them judged; false where a group was changed.
    bool is_accepted() {
        Schedule schedule = request_.by_hand.empty() ? input_.schedule : request_.hand;
        for (const FuncId id : inlined_here()) {
            forget_region(schedule.funcs[id.index()]);
        }
        lines_.clear();
        for (size_t i = 0; i < groups_.size(); ++i) {
            if (described_.graph.stages[groups_[i].plan.last].is_by_hand) {
                continue;
            }
            const GroupLines lines = lines_of(described_, cost_, groups_[i], request_.threads);
            if (!try_apply(schedule, lines.lines)) {
                if (std::exchange(groups_[i].is_plain, true)) {
                    take_apart(i, "directives refuse it");
                }
                return false;
            }
            lines_.insert(lines_.end(), lines.lines.begin(), lines.lines.end());
            for (const std::vector<Directive> &wish : lines.wishes) {
                if (try_apply(schedule, wish)) {
                    lines_.insert(lines_.end(), wish.begin(), wish.end());
                }
            }
        }
        try {
            const loopnest::BoundedLoopNest nest = nests_.make(schedule);
            return do_windows_slide(nest);
        } catch (const CompileError &error) {
            if (std::any_of(groups_.begin(), groups_.end(),
                            [](const PlannedGroup &group) { return !group.is_plain; })) {
                notes_.push_back(concat("nothing is unrolled: ", error.message()));
                for (PlannedGroup &group : groups_) {
                    group.is_plain = true;
                }
                return false;
            }
            for (size_t i = groups_.size(); i-- > 0;) {
                if (groups_[i].stages.size() > 1) {
                    take_apart(i, error.message());
                    return false;
                }
            }
            throw;
        }
    }

    void take_apart(size_t index, const std::string &reason) {
        const PlannedGroup group = groups_[index];
        check(group.stages.size() > 1, concat("a stage alone can be scheduled: ", reason));
        notes_.push_back(concat("the group of ", name(group.plan.last), " is taken apart: ", reason));
        std::vector<PlannedGroup> single;
        for (const size_t stage : group.stages) {
            single.push_back({{stage}, model_.plan({stage}), group.is_plain});
        }
        groups_.erase(groups_.begin() + static_cast<long>(index));
        groups_.insert(groups_.begin() + static_cast<long>(index), single.begin(), single.end());
    }

    bool do_windows_slide(const loopnest::BoundedLoopNest &nest) {
        for (PlannedGroup &group : groups_) {
            for (const size_t stage : group.stages) {
                const bool is_kept = stage != group.plan.last && !group.plan.in_registers.contains(stage);
                if (group.plan.sliding && is_kept && nest.regions.slides[described_.funcs[stage].index()].empty() &&
                    has_window(group, stage)) {
                    notes_.push_back(concat(name(stage), " does not slide in the tiles of ", name(group.plan.last),
                                            rows_together(group) > 1 ? ", several rows together" : ""));
                    cost_.limit_slides(group.stages);
                    if (searches_++ < most_searches && request_.model == Model::Roofline) {
                        search();
                    } else {
                        group.plan = *cost_.plan(group.stages);
                    }
                    return false;
                }
            }
        }
        return true;
    }

    /// How many rows a block has along the loop that slides.
    int64_t rows_together(const PlannedGroup &group) const {
        return cost_.block_sizes(group.plan)[*group.plan.sliding];
    }

    /// Whether rows of the stage are read by more than one row of the last stage.
    bool has_window(const PlannedGroup &group, size_t stage) const {
        TilePlan row = group.plan, rows = group.plan;
        const int64_t step = cost_.block_sizes(group.plan)[*group.plan.sliding];
        row.tile[*group.plan.sliding] = step;
        rows.tile[*group.plan.sliding] = 2 * step;
        const std::vector<int64_t> one = cost_.widths(group.stages, row)[stage];
        const std::vector<int64_t> two = cost_.widths(group.stages, rows)[stage];
        for (size_t loop = 0; loop < one.size(); ++loop) {
            if (two[loop] != one[loop]) {
                return two[loop] < 2 * one[loop];
            }
        }
        return true;
    }

    // ---- Words.

    const std::string &name(size_t stage) const { return described_.graph.stages[stage].name; }

    std::string explanation() const {
        std::ostringstream out;
        out << "automatic schedule by the model " << name_of(request_.model) << " for " << request_.machine.name << ", "
            << request_.threads << (request_.threads == 1 ? " thread" : " threads")
            << (request_.measured_as.empty() ? "" : ", as measured in " + request_.measured_as) << "\n";
        if (!described_.inlined.empty()) {
            out << "inlined:";
            for (const FuncId id : described_.inlined) {
                out << " " << input_.graph.func(id).name();
            }
            out << "\n";
        }
        for (const PlannedGroup &group : groups_) {
            explain(out, group);
        }
        for (const std::string &note : notes_) {
            out << "note: " << note << "\n";
        }
        out << "search: " << found_.groups_costed << " groups costed, "
            << (request_.model == Model::Mullapudi ? "groups were merged greedily\n"
                : found_.is_optimal()
                    ? "no grouping costs less\n"
                    : "not finished: this one costs " + kilocycles(found_.price.cost) + ", another may cost down to " +
                          kilocycles(found_.bound) + "; groups of up to " + std::to_string(found_.stages_of_a_group) +
                          " stages were searched, and put together in rounds\n");
        return out.str();
    }

    static std::string kilocycles(Cost cost) { return number(static_cast<double>(cost) / cost_unit) + "k cycles"; }

    /// Of the groupings that differ from the one that was found in one group, or in one that is joined with another,
    /// the one that costs least, in words; empty where the model that decided has other costs.
    std::string next_best(const PlannedGroup &group) const {
        const size_t stages = described_.graph.stages.size();
        if (request_.model != Model::Roofline || stages < 2 || stages > most_stages_of_trials) {
            return "";
        }
        const Precedence precedence = precedence_of(described_.graph);
        double least = 0;
        std::string words;
        const auto offer = [&](double more, const std::string &what) {
            if (words.empty() || more < least) {
                least = more;
                words = what;
            }
        };
        const auto cycles_of = [&](const StageSet &set) -> std::optional<double> {
            const std::optional<Cost> cost = cost_.of(set);
            return cost ? std::optional(static_cast<double>(*cost) / cost_unit) : std::nullopt;
        };
        const double own = cycles_of(group.stages).value_or(0);
        for (const size_t stage : group.stages) {
            StageSet rest = group.stages;
            rest.erase(stage);
            std::vector<StageSet> groups{StageSet{stage}};
            if (group.stages.size() > 1) {
                groups.push_back(rest);
            }
            for (const PlannedGroup &other : groups_) {
                if (!(other.stages == group.stages)) {
                    groups.push_back(other.stages);
                }
            }
            const std::optional<double> without = group.stages.size() > 1 ? cycles_of(rest) : std::nullopt;
            if (without && make_grouping(precedence, groups)) {
                offer(*without + cycles_of({stage}).value_or(0) - own, name(stage) + " apart");
            }
        }
        for (const PlannedGroup &other : groups_) {
            if (other.stages == group.stages) {
                continue;
            }
            std::vector<StageSet> groups{group.stages | other.stages};
            for (const PlannedGroup &third : groups_) {
                if (!(third.stages == group.stages) && !(third.stages == other.stages)) {
                    groups.push_back(third.stages);
                }
            }
            const std::optional<double> both = precedence.is_linked(groups[0]) && make_grouping(precedence, groups)
                                                   ? cycles_of(groups[0])
                                                   : std::nullopt;
            if (both) {
                offer(*both - own - cycles_of(other.stages).value_or(0), "with the group of " + name(other.plan.last));
            }
        }
        return words.empty() ? "" : "; next best: " + words + ", " + number(least) + "k more";
    }

    void explain(std::ostringstream &out, const PlannedGroup &group) const {
        const TilePlan &plan = group.plan;
        const StageNode &last = described_.graph.stages[plan.last];
        if (last.is_by_hand) {
            out << last.name << ": as it is scheduled by hand\n";
            return;
        }
        out << "group of " << last.name << ":";
        double apart = 0;
        for (const size_t stage : group.stages) {
            out << (stage == plan.last ? "" : " " + name(stage));
            apart += cost_.plan({stage})->cycles;
        }
        out << (group.stages.size() > 1 ? "" : " alone") << "\n  tiles of";
        for (size_t loop = 0; loop < plan.tile.size(); ++loop) {
            out << (loop > 0 ? " x " : " ") << plan.tile[loop];
            if (plan.tile[loop] < last.loops[loop].extent) {
                out << "/" << last.loops[loop].extent;
            }
        }
        out << " (" << plan.tiles << ")";
        if (plan.sliding) {
            out << ", sliding along " << last.loops[*plan.sliding].name;
        }
        const std::vector<int64_t> block = cost_.block_sizes(plan);
        for (size_t loop = 0; loop < block.size(); ++loop) {
            if (block[loop] > 1) {
                out << ", " << block[loop] << " " << last.loops[loop].name << " together";
            }
        }
        for (const size_t stage : plan.in_registers) {
            out << ", " << name(stage) << " in registers";
        }
        out << "; " << number(static_cast<double>(plan.tile_bytes) / 1024) << " KB between uses\n  "
            << number(plan.cycles / 1000) << "k cycles: arithmetic " << number(plan.arithmetic / 1000) << "k, caches "
            << number(plan.caches / 1000) << "k, memory " << number(plan.memory / 1000) << "k of all threads; "
            << number(plan.recomputed * 100) << " % recomputed";
        if (group.stages.size() > 1) {
            out << "; apart " << number(apart / 1000) << "k";
        }
        out << next_best(group) << "\n";
    }
};

} // namespace

FoundSchedule find_schedule(const schedule::ScheduledGraph &pipeline, const Request &request) {
    Wishes wishes;
    for (const auto &[func, lanes] : request.partials) {
        const std::vector<std::string> &args = pipeline.graph.func(func).arg_names;
        wishes.turned.push_back(
            {func, static_cast<size_t>(std::find(args.begin(), args.end(), lanes) - args.begin()), {}});
    }
    Scheduler apart(pipeline, request, wishes);
    double cycles = apart.cycles();
    bool is_changed = false;
    std::ostringstream tried;
    const auto attempt = [&](const Wishes &others, const std::string &what) {
        const double other = Scheduler(pipeline, request, others).cycles();
        tried << "tried: " << what << ": " << Scheduler::number(other / 1000) << "k cycles instead of "
              << Scheduler::number(cycles / 1000) << "k" << (other < cycles ? ", taken\n" : "\n");
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
        FoundSchedule found = apart.run();
        found.explanation += concat("not tried: copies, turned vectors and inlining of what is stored, as there are ",
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
    FoundSchedule found = is_changed ? Scheduler(pipeline, request, wishes).run() : apart.run();
    found.explanation += tried.str();
    return found;
}

} // namespace fluorite::autoschedule
