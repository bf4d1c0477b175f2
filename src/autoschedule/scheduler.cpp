// One schedule of a pipeline.
//
// Method: describe the pipeline (from_graph/), which decides what is inlined by operations alone, find the grouping of
// least cost (grouping/), plan the tiles of each group (roofline/), write directives, and let the bounded loop nest
// judge them: a group that the rules of schedules refuse is taken apart. Where windows of a group do not slide, because
// a region does not move steadily, the search is repeated with single rows for groups that contain it, then without
// sliding; where groups are given, only that group is planned anew.
//
// Cost: the search is bounded by counts of groups and states, so that one input has one result on every machine.
#include "autoschedule/scheduler.h"

#include "autoschedule/explain.h"
#include "autoschedule/partial_reductions.h"
#include "autoschedule/search_options.h"
#include "loopnest/regions/accesses.h"
#include "support/check.h"

#include <algorithm>
#include <iterator>

namespace fluorite::autoschedule {

using schedule::Directive;
using schedule::Schedule;

namespace {

/// Searches that are made again because windows do not slide as planned. After them, only the group is planned anew.
/// A search of a large pipeline takes seconds.
constexpr size_t most_searches = costs::most_searches, most_searches_of_large = costs::most_searches_of_large;

RooflineMachine machine_of(const Request &request) { return {request.machine, request.caches, request.threads}; }

LoadCosts load_costs(const Request &request) {
    const double lanes = request.machine.vector_bits / 32.0;
    return {request.caches.gathered_cycles * request.caches.vector_operations * lanes, lanes};
}

} // namespace

Scheduler::Scheduler(const schedule::ScheduledGraph &pipeline, const Request &request, const PlanOptions &options)
    : input_(pipeline), request_(request),
      described_(describe_pipeline(pipeline, request.sizes, load_costs(request), options, given_funcs(request))),
      cost_(described_.graph, machine_of(request)), model_(request.model, described_.graph, cost_, machine_of(request)),
      nests_(pipeline.graph, judging_options()) {
    search();
}

void Scheduler::search() {
    found_ = described_.graph.stages.empty() ? SearchResult() : model_.search();
    plan_groups(found_->grouping);
}

void Scheduler::set_groups(const Grouping &grouping) {
    found_.reset();
    notes_.clear();
    plan_groups(grouping);
}

void Scheduler::plan_groups(const Grouping &grouping) {
    groups_.clear();
    for (const StageSet &group : grouping.groups) {
        groups_.push_back({group, model_.plan(group), false});
    }
    for (PlannedGroup &group : groups_) {
        group.reader = find_reader(group);
    }
}

std::optional<Reader> Scheduler::find_reader(const PlannedGroup &group) const {
    const size_t stage = group.plan.last;
    const std::vector<StageNode> &all = described_.graph.stages;
    if (!has_readers_ || request_.model != Model::Roofline || group.stages.size() > 1 || all[stage].is_output ||
        all[stage].is_by_hand || all[stage].updates == 0) {
        return {};
    }
    std::optional<Reader> found;
    for (size_t reader = 0; reader < all.size(); ++reader) {
        for (const Read &read : all[reader].reads) {
            if (read.is_input || read.source != stage) {
                continue;
            }
            const size_t outer = all[reader].loops.empty() ? 0 : all[reader].loops.size() - 1;
            const auto is_slice = [&](const Footprint &f) {
                return f.kind == Footprint::Kind::Affine && f.loop == outer && f.scale == Rational() && f.width() == 1;
            };
            const auto slice = std::find_if(read.footprint.begin(), read.footprint.end(), is_slice);
            const auto follows = std::count_if(read.footprint.begin(), read.footprint.end(), [&](const Footprint &f) {
                return f.kind != Footprint::Kind::Constant && (f.kind != Footprint::Kind::Affine || f.loop == outer);
            });
            if (found || !read.is_initial || outer == 0 || all[reader].is_by_hand || follows != 1 ||
                slice == read.footprint.end() || all[reader].loops[outer].extent <= costs::longest_unrolled ||
                cost_.vector_loop(reader, extents_of(all[reader])) == outer) {
                return {};
            }
            found = Reader{reader, outer, static_cast<size_t>(slice - read.footprint.begin())};
        }
    }
    const auto is_alone = [&](const PlannedGroup &other) {
        return other.plan.last == found->stage && other.stages.size() == 1;
    };
    return found && std::any_of(groups_.begin(), groups_.end(), is_alone) ? found : std::nullopt;
}

double Scheduler::cycles() const {
    double sum = 0;
    for (const PlannedGroup &group : groups_) {
        sum += group.plan.cycles;
    }
    return sum;
}

std::vector<FuncId> Scheduler::find_stored() const {
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

std::vector<FuncId> Scheduler::find_registered() const {
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

std::vector<Transposition> Scheduler::find_transpositions() const {
    std::vector<Transposition> transpositions = described_.transpositions;
    transpositions.resize(std::min(transpositions.size(), most_tried));
    return transpositions;
}

std::vector<FuncId> Scheduler::find_results_of_updates() const {
    std::vector<FuncId> found = inlined_here();
    std::erase_if(found, [&](FuncId id) {
        const ir::FuncDef &func = input_.graph.func(id);
        const Expr &value = func.stages[0].values[0];
        return func.stages.size() > 1 || func.types.size() > 1 || value->kind() != ir::ExprKind::Call ||
               input_.graph.func(value->symbol().owner().func).stages.size() == 1;
    });
    return found;
}

/// Whether a stage reads a Func at two or more places that data or floats say: one alone pays for no copy.
static bool reads_computed_places(const std::vector<loopnest::Access> &calls, const ir::Symbol &callee) {
    return std::count_if(calls.begin(), calls.end(), [&](const loopnest::Access &call) {
               return call.symbol == callee && std::any_of(call.args.begin(), call.args.end(), is_computed);
           }) > 1;
}

std::vector<FuncId> Scheduler::find_copies() const {
    std::vector<FuncId> copies;
    for (const ir::FuncDef &func : input_.graph.funcs) {
        for (const ir::Stage &stage : func.stages) {
            const std::vector<loopnest::Access> calls = loopnest::find_accesses(stage).calls;
            for (const loopnest::Access &call : calls) {
                const FuncId callee = call.symbol.owner().func;
                const auto is_callee = [&](FuncId id) { return id == callee; };
                if ((!stage.rvars.empty() || reads_computed_places(calls, call.symbol)) &&
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

Result<FoundSchedule> Scheduler::run() {
    while (!is_accepted()) {
        if (!verdict_) {
            return verdict_.refusal();
        }
    }
    std::vector<PartialReduction> cuts;
    if (found_ && request_.model == Model::Roofline && stages() <= most_stages_of_trials) {
        cuts = find_partial_reductions(described_, cost_, groups_, machine_of(request_));
    }
    for (const PlannedGroup &group : groups_) {
        if (group.reader) {
            notes_.push_back(concat(name(group.plan.last), " is computed for each ",
                                    described_.graph.stages[group.reader->stage].loops[group.reader->loop].name, " of ",
                                    name(group.reader->stage)));
        }
    }
    const Explained found{input_.graph, request_, described_, cost_, groups_, notes_, found_ ? &*found_ : nullptr};
    return FoundSchedule{lines_, explain(found), cycles(), std::move(cuts), inlined_here()};
}

std::vector<FuncId> Scheduler::inlined_here() const {
    std::vector<FuncId> found;
    std::copy_if(described_.inlined.begin(), described_.inlined.end(), std::back_inserter(found), [&](FuncId id) {
        return std::find(request_.by_hand.begin(), request_.by_hand.end(), id) == request_.by_hand.end();
    });
    return found;
}

// ---- Judging.

bool Scheduler::try_apply(Schedule &schedule, const std::vector<Directive> &lines) const {
    Schedule changed = schedule;
    const bool is_legal = static_cast<bool>(schedule::apply_directives(input_.graph, changed, lines, Location()));
    if (is_legal) {
        schedule = std::move(changed);
    }
    return is_legal;
}

bool Scheduler::is_written(Schedule &schedule) {
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
        for (const std::vector<Directive> &optional : lines.optional_lines) {
            if (try_apply(schedule, optional)) {
                lines_.insert(lines_.end(), optional.begin(), optional.end());
            }
        }
    }
    return true;
}

static bool has_reader(const PlannedGroup &group) { return group.reader.has_value(); }

bool Scheduler::is_accepted() {
    Schedule schedule = request_.by_hand.empty() ? input_.schedule : request_.hand;
    if (!is_written(schedule)) {
        return false;
    }
    const Result<loopnest::BoundedLoopNest> nest = nests_.make(schedule);
    if (!nest && std::exchange(has_readers_, false) && std::any_of(groups_.begin(), groups_.end(), has_reader)) {
        for (PlannedGroup &group : groups_) {
            group.reader.reset();
        }
        return false;
    }
    if (!nest) {
        give_way(nest.refusal());
        return false;
    }
    return do_windows_slide(*nest);
}

void Scheduler::give_way(const Refusal &refusal) {
    if (std::any_of(groups_.begin(), groups_.end(), [](const PlannedGroup &group) { return !group.is_plain; })) {
        notes_.push_back(concat("nothing is unrolled: ", refusal.message));
        for (PlannedGroup &group : groups_) {
            group.is_plain = true;
        }
        return;
    }
    for (size_t i = groups_.size(); i-- > 0;) {
        if (groups_[i].stages.size() > 1) {
            take_apart(i, refusal.message);
            return;
        }
    }
    verdict_ = refusal;
}

void Scheduler::take_apart(size_t index, const std::string &reason) {
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

bool Scheduler::does_slide(const PlannedGroup &group, const loopnest::BoundedLoopNest &nest) {
    for (const size_t stage : group.stages) {
        const bool is_kept = stage != group.plan.last && !group.plan.in_registers.contains(stage);
        const loopnest::FuncBounds &func = nest.regions.func(described_.funcs[stage]);
        const bool is_folded =
            std::any_of(func.folds.begin(), func.folds.end(), [](const Expr &fold) { return fold.defined(); });
        if (is_kept && (func.slides.empty() || !is_folded) && cost_.has_window(group.stages, group.plan, stage)) {
            notes_.push_back(concat(name(stage), " does not slide in the tiles of ", name(group.plan.last),
                                    rows_together(group) > 1 ? ", several rows together" : ""));
            return false;
        }
    }
    return true;
}

bool Scheduler::do_windows_slide(const loopnest::BoundedLoopNest &nest) {
    // All groups of one nest before the next search: a nest of hundreds of stages takes longer than a search.
    std::vector<size_t> still;
    for (size_t i = 0; i < groups_.size(); ++i) {
        if (groups_[i].plan.sliding && !does_slide(groups_[i], nest)) {
            cost_.limit_slides(groups_[i].stages);
            still.push_back(i);
        }
    }
    if (still.empty()) {
        return true;
    }
    const size_t most = stages() > most_stages_of_trials ? most_searches_of_large : most_searches;
    if (found_ && searches_++ < most && request_.model == Model::Roofline) {
        search();
        return false;
    }
    for (const size_t i : still) {
        groups_[i].plan = *cost_.plan(groups_[i].stages);
    }
    return false;
}

int64_t Scheduler::rows_together(const PlannedGroup &group) const {
    return cost_.block_sizes(group.plan)[*group.plan.sliding];
}

} // namespace fluorite::autoschedule
