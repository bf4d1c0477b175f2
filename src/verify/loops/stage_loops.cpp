#include "verify/loops/stage_loops.h"

#include "schedule/directives/table.h"
#include "support/check.h"
#include "verify/loops/new_loops.h"
#include "verify/loops/update_loops.h"
#include "verify/terms/search.h"

#include <algorithm>

namespace fluorite::verify {

using Kind = Term::Kind;

std::optional<PromisedRange> promise_of(const schedule::Bound &bound) {
    int64_t min, extent;
    if (!bound.min.defined() || !bound.extent.defined() || !ir::is_const_int(bound.min, &min) ||
        !ir::is_const_int(bound.extent, &extent)) {
        return std::nullopt;
    }
    return PromisedRange{min, min + extent - 1};
}
size_t dimension_of(const ir::FuncDef &func, const std::string &var) {
    return size_t(std::ranges::find(func.arg_names, var) - func.arg_names.begin());
}

FuncLoops::FuncLoops(const ir::Graph &graph, const schedule::Schedule &schedule, const Conversion &conversion,
                     Derivation &derivation, std::set<std::string> &operators)
    : graph_(graph), schedule_(schedule), conversion_(conversion), derivation_(derivation), operators_(operators) {
    size_t condition = 0;
    for (const schedule::FuncSchedule &func : schedule_.funcs) {
        for (const schedule::StageSchedule &stage : func.stages) {
            for_each_condition(stage, [&](const schedule::Specialization &one) {
                conditions_.emplace(&one, conversion_.conditions[condition++]);
            });
        }
    }
}

// The stages of a Func, each a nest of its own in terms, from the last one to the first.
void FuncLoops::schedule(Path path, size_t f, const std::string &name, bool is_output, Certified &result,
                         const std::string &instance) {
    const ir::FuncDef &func = graph_.funcs[f];
    size_t first_scan = func.stages.size();
    for (size_t k = func.stages.size(); k > 1; k--) {
        first_scan = reads_other_elements(func, k - 1) ? k - 1 : first_scan;
    }
    for (size_t k = func.stages.size(); k > 0; k--) {
        if (k > 1 && reads_other_elements(func, k - 1)) {
            schedule_scan(path, {f, k - 1, name, instance, is_output}, result);
            path.push_back(0);
            continue;
        }
        if (k == 1) {
            schedule_stage(path, {f, 0, name, instance, is_output}, schedule_of(f).stages[0], result);
            break;
        }
        const std::string before = name + ".s" + std::to_string(k - 2);
        const bool is_separate = k - 1 > first_scan; // by the definition: a scan is no nest that it could continue
        if (is_separate ? !continue_from(path + Path{1}, func.dimensions())
                        : !separate_update(derivation_, path, func.dimensions(), before)) {
            result.directives.push_back({name, "update(" + std::to_string(k - 2) + ")",
                                         "no witness is found that the stages before it are a nest of their own"});
            break;
        }
        origins[before] = Origin(origins.at(name));
        schedule_stage(path + Path{1}, {f, k - 1, name, instance, is_output}, schedule_of(f).stages[k - 1], result);
        path.push_back(0);
    }
    note_other_directives(f, name, result);
}

// An update without a reduction reads the element before once or more.
bool FuncLoops::continue_from(const Path &nest, size_t rank) {
    const Path element = nest + Path(rank, 0);
    return derivation_.subterm(element).kind() != Kind::Let || derivation_.apply(element, let_inline());
}
bool FuncLoops::assume_needs(const Path &path, const LoopPlan &plan) {
    return std::ranges::all_of(plan.needs, [&](const Condition &need) {
        return !varies(derivation_, path, need.indices[1]) && derivation_.assume(need);
    });
}
// The loops of a scan, of which the certificate speaks once all others are in place.
void FuncLoops::schedule_scan(const Path &path, const StageNest &stage, Certified &result) {
    const schedule::StageSchedule &schedule = schedule_of(stage.func).stages[stage.stage];
    const std::string update = "update(" + std::to_string(stage.stage - 1) + ").";
    std::optional<ScanLoops> loops;
    LoopPlan plan;
    if (const std::optional<StageLoops> nest = loops_of_scan(path, stage)) {
        note_directives_of_stage(stage, schedule, result);
        plan = plan_loops(*nest, schedule);
        loops = plan.possible && assume_needs(path, plan) ? scan_loops(derivation_.subterm(path), *nest, plan)
                                                          : std::nullopt;
    }
    if (!loops || !schedule.specializations.empty()) {
        result.directives.push_back({stage.name, update + "loops",
                                     "an update reads other elements than the one that it writes; its loops are "
                                     "those of the definition"});
        return;
    }
    for (const PlannedLoop &loop : plan.order) {
        if (loop.mark) {
            loops->directives.push_back({"", update + mark_word(*loop.mark) + "(" + loop.user_name + ")", ""});
        }
    }
    for (Coverage &coverage : loops->directives) {
        coverage.func = stage.name;
    }
    scans_.push_back(*loops);
}

// The alternatives of a stage, each with its own loops.
void FuncLoops::schedule_stage(Path path, const StageNest &stage, const schedule::StageSchedule &schedule,
                               Certified &result) {
    std::vector<Condition> tried;
    for (const schedule::Specialization &one : schedule.specializations) {
        const std::string number = std::to_string(tried.size());
        const std::string update = stage.stage == 0 ? "" : "update(" + std::to_string(stage.stage - 1) + ").";
        if (one.fails()) {
            result.directives.push_back({stage.name, update + "specialize_fail", assume_one_of(path, tried)});
            return;
        }
        const size_t before = result.directives.size();
        StageNest alternative = stage;
        alternative.instance += ".c" + number;
        const Condition condition = with_tails(path, alternative, one);
        if (!derivation_.apply(path, if_introduce(condition))) {
            throw Unsupported{"a nest is specialized and cannot be copied"};
        }
        tried.push_back(conditions_.at(&one));
        schedule_stage(path + Path{0}, alternative, one.schedule, result);
        const std::string directive = update + "specialize(" + number + ")";
        for (size_t d = before; d < result.directives.size(); d++) {
            result.directives[d].directive = directive + "." + result.directives[d].directive;
        }
        result.directives.insert(result.directives.begin() + std::ptrdiff_t(before), {stage.name, directive, ""});
        path.push_back(1);
    }
    schedule_nest(path, stage, schedule, result);
}
// The condition of an alternative, with what the tails of its loops demand of sizes: where the condition alone
// does not say so, that becomes a fact of the certificate.
Condition FuncLoops::with_tails(const Path &path, const StageNest &stage, const schedule::Specialization &one) {
    Condition condition = conditions_.at(&one);
    const std::optional<StageLoops> nest = loops_of(path, stage);
    for (const Condition &fact : nest ? tail_facts(*nest, one.schedule) : Facts()) {
        const Facts facts = fluorite::verify::with(condition, facts_at(derivation_, path));
        const bool is_about_sizes =
            std::ranges::none_of(fact.indices, [&](const Index &index) { return varies(derivation_, path, index); });
        if (!find_witness(facts, fact) && is_about_sizes && derivation_.assume(implied(path, condition, fact))) {
            condition = both(condition, fact);
        }
    }
    return condition;
}
// The fact that where the path is reached and the condition holds, another one does.
Condition FuncLoops::implied(const Path &path, const Condition &condition, const Condition &then) const {
    Condition all = condition;
    Term here = derivation_.program();
    for (size_t k : path) {
        if (here.kind() == Kind::If && k < 2 && is_nest(here)) {
            const Condition around = k == 0 ? here.condition() : negation(here.condition());
            all = all.is_true() ? around : both(around, all);
        }
        here = Term(here.operand(k));
    }
    return all.is_true() ? then : Condition{Condition::Kind::Or, {}, {negation(all), then}};
}
// That the pipeline does not fail, because one of the conditions holds, becomes a fact.
std::string FuncLoops::assume_one_of(const Path &path, const std::vector<Condition> &conditions) {
    if (conditions.empty()) {
        return "the pipeline always fails";
    }
    Condition any = conditions.back();
    for (size_t i = conditions.size() - 1; i > 0; i--) {
        any = {Condition::Kind::Or, {}, {conditions[i - 1], any}};
    }
    Path outside = path;
    outside.resize(path.size() - conditions.size());
    return derivation_.assume(implied(outside, Condition{}, any)) ? "" : "the pipeline always fails";
}

// The loops of the nest at the path, as the definition has them; nothing if it is none.
std::optional<StageLoops> FuncLoops::loops_of(const Path &path, const StageNest &stage) const {
    const size_t f = stage.func;
    const ir::FuncDef &func = graph_.funcs[f];
    StageLoops nest{func.name(), int(stage.stage), {}, {}, {}, {}, stage.is_output, true, {}, stage.instance};
    Term here = derivation_.subterm(path);
    for (size_t d = 0; d < func.dimensions(); d++) {
        if (here.kind() != Kind::Gen) {
            return std::nullopt;
        }
        const size_t dimension = conversion_.funcs[f].dims[d].dimension;
        nest.dims.push_back({here.name(), 0, here.index(), dimension});
        nest.names.push_back(func.arg_names[dimension]);
        nest.is_steady = nest.is_steady && !varies(derivation_, path, here.index());
        here = Term(here.operand(0));
    }
    if (stage.stage > 0) {
        nest.reductions = reduction_loops(derivation_, path, func.dimensions());
    }
    add_names(func, stage.stage, nest);
    check(nest.reductions.size() == nest.reduction_names.size(), "an update has the loops of its reduction");
    return nest;
}
// The same of a scan, in whose term the loops of the reduction are outside of those over elements.
std::optional<StageLoops> FuncLoops::loops_of_scan(const Path &path, const StageNest &stage) const {
    const ir::FuncDef &func = graph_.funcs[stage.func];
    const std::optional<ScanTerm> scan = scan_of(derivation_.subterm(path), func.dimensions());
    if (!scan) {
        return std::nullopt;
    }
    StageLoops nest{func.name(), int(stage.stage), {}, {}, {}, {}, stage.is_output, true, {}, stage.instance};
    for (size_t d = 0; d < func.dimensions(); d++) {
        const size_t dimension = conversion_.funcs[stage.func].dims[d].dimension;
        nest.dims.push_back({scan->elements[d].first, 0, scan->elements[d].second, dimension});
        nest.names.push_back(func.arg_names[dimension]);
    }
    for (const Loop &loop : scan->reductions) {
        nest.reductions.push_back({loop.first, 0, loop.second});
    }
    add_names(func, stage.stage, nest);
    return nest;
}
// The user's names of the loops of the reduction, and the dimensions over which the stage has no loop.
void FuncLoops::add_names(const ir::FuncDef &func, size_t stage, StageLoops &nest) {
    const std::vector<ir::ReductionVar> &rvars = func.stages[stage].rvars;
    for (auto r = rvars.rbegin(); r != rvars.rend(); ++r) {
        nest.reduction_names.push_back(r->name);
    }
    for (size_t d = 0; d < func.dimensions(); d++) {
        if (!is_loop(func, stage, d)) {
            nest.written.push_back(func.arg_names[d]);
        }
    }
}
void FuncLoops::schedule_nest(const Path &path, const StageNest &stage, const schedule::StageSchedule &schedule,
                              Certified &result) {
    const std::optional<StageLoops> nest = loops_of(path, stage);
    if (!nest) {
        result.directives.push_back({stage.name, "loops", "the nest of the Func is not in the term"});
        return;
    }
    shapes_[stage.name].clear();
    for (const Dimension &dim : nest->dims) {
        shapes_[stage.name].push_back(dim.extent);
    }
    LoopPlan plan = plan_loops(*nest, schedule);
    if (!assume_needs(path, plan)) {
        result.directives.push_back({stage.name, "loops", "a fused loop is divided by a size that varies"});
        return;
    }
    for (const Coverage &coverage : plan.directives) {
        result.directives.push_back({stage.name, coverage.directive, coverage.reason});
    }
    note_directives_of_stage(stage, schedule, result);
    if (!plan.possible) {
        return;
    }
    std::string reason;
    std::optional<std::vector<Path>> paths = order_loops(derivation_, path, plan, operators_, reason);
    if (!paths) {
        result.directives.push_back({stage.name, "loops", reason});
        return;
    }
    for (const PlannedLoop &loop : plan.order) {
        std::vector<std::string> &words =
            loop_names_[loop_word(graph_.funcs[stage.func].name(), int(stage.stage), loop.user_name)];
        if (std::ranges::find(words, loop.word) == words.end()) {
            words.push_back(loop.word);
        }
    }
    mark_loops(plan.order, *paths, stage.stage, stage.name, result);
}
std::string FuncLoops::mark_word(Term::Mark mark) {
    static const char *const words[] = {"parallel", "vectorize", "unroll"};
    return words[int(mark)];
}
// From the innermost loop on, so that paths of outer loops stay as they are.
void FuncLoops::mark_loops(const std::vector<PlannedLoop> &loops, const std::vector<Path> &paths, size_t k,
                           const std::string &name, Certified &result) {
    for (size_t l = loops.size(); l > 0; l--) {
        const PlannedLoop &loop = loops[l - 1];
        if (!loop.mark) {
            continue;
        }
        const std::string update = k == 0 ? "" : "update(" + std::to_string(k - 1) + ").";
        std::string directive = update + mark_word(*loop.mark) + "(" + loop.user_name + ")";
        std::string reason;
        if (loop.is_reduction && *loop.mark != Term::Mark::Unroll) {
            reason = mark_reduction_loop(paths[l - 1], *loop.mark);
        } else if (!derivation_.apply(paths[l - 1], mark_loop(*loop.mark))) {
            reason = "the extent of the loop is no constant in the term";
        }
        result.directives.push_back({name, directive, reason});
    }
}
// Iterations that add to one element may do so at once, by the laws of the operator.
std::string FuncLoops::mark_reduction_loop(const Path &path, Term::Mark mark) {
    const Term loop = derivation_.subterm(path);
    const std::optional<std::string> op = gathers(loop.other_name(), loop.operand(1));
    if (!op) {
        return "iterations of a reduction run in order in terms, except where they add to one element";
    }
    if (!derivation_.apply(path, mark_reduction(mark))) {
        return "the extent of the loop is no constant in the term";
    }
    operators_.insert(*op);
    return "";
}
// The names in terms of a loop of the schedule: one for each nest that has it.
std::vector<std::string> FuncLoops::words_of_loop(const std::string &func, int stage, const std::string &var) const {
    std::string word = loop_word(func, stage, var);
    auto found = loop_names_.find(word);
    return found == loop_names_.end() ? std::vector{word} : found->second;
}

// Whether the tensor of the Func covers what is promised, and no more.
bool FuncLoops::keeps_promise(size_t f, const std::string &name, const schedule::Bound &bound) const {
    const std::optional<PromisedRange> promise = promise_of(bound);
    const std::optional<Alignment> alignment = alignment_of(bound);
    const size_t d = dimension_of(graph_.funcs[f], bound.var);
    const std::vector<size_t> &dimensions = origins.at(name).dimensions;
    const auto i = size_t(std::ranges::find(dimensions, d) - dimensions.begin());
    auto extents = shapes_.find(name);
    if (extents == shapes_.end() || i >= extents->second.size()) {
        return false;
    }
    if (alignment) {
        const Index m = alignment->modulus, r = alignment->remainder, min = origins.at(name).mins[i];
        const Index extent = extents->second[i];
        return find_witness(derivation_.facts(), eq(min, (min - r) / m * m + r)) &&
               find_witness(derivation_.facts(), eq(extent, extent / m * m));
    }
    return promise && equal_up_to_ring(origins.at(name).mins[i], promise->min) &&
           equal_up_to_ring(extents->second[i], promise->max - promise->min + 1);
}
// Whether the tensor of the Func is no larger in memory than promised.
bool FuncLoops::fits(size_t f, const std::string &name, const schedule::StorageDim &dim) const {
    const std::vector<size_t> &dimensions = origins.at(name).dimensions;
    const auto i = size_t(std::ranges::find(dimensions, dimension_of(graph_.funcs[f], dim.var)) - dimensions.begin());
    const auto extents = shapes_.find(name);
    int64_t most = 0;
    return dim.bound.defined() && ir::is_const_int(dim.bound, &most) && extents != shapes_.end() &&
           i < extents->second.size() &&
           find_witness(derivation_.facts(), le(extents->second[i], Index(most))).has_value();
}
void FuncLoops::note_directives_of_stage(const StageNest &nest, const schedule::StageSchedule &stage,
                                         Certified &result) {
    const size_t k = nest.stage;
    const std::string update = k == 0 ? "" : "update(" + std::to_string(k - 1) + ").";
    auto note = [&](bool used, const std::string &directive, const std::string &reason) {
        if (used) {
            result.directives.push_back({nest.name, update + directive, reason});
        }
    };
    note(stage.with.has_value() && k > 0, "compute_with", "only loops of pure definitions are joined in terms");
}
void FuncLoops::note_other_directives(size_t f, const std::string &name, Certified &result) {
    const schedule::FuncSchedule &schedule = schedule_of(f);
    auto note = [&](bool used, const std::string &directive, const std::string &reason) {
        if (used) {
            result.directives.push_back({name, directive, reason});
        }
    };
    note(!schedule.storage_order.empty(), "reorder_storage", ""); // the order of indices, or the caller's buffer
    for (const schedule::StorageDim &dim : schedule.storage) { // of fold_storage, the rows of windows that slide say it
        note(dim.alignment.defined(), "align_storage(" + dim.var + ")", ""); // between rows, where nothing is stored
        note(dim.bound.defined(), "bound_storage(" + dim.var + ")",
             fits(f, name, dim) ? "" : "nothing shows that the region is as small as that");
    }
    for (const schedule::Bound &bound : schedule.bounds) {
        const std::string reason =
            keeps_promise(f, name, bound) ? "" : "the region of the term is the one that is needed";
        note(bound.min.defined() || bound.extent.defined(), "bound(" + bound.var + ")", reason);
        note(bound.modulus.defined(), "align_bounds(" + bound.var + ")", reason);
    }
    for (const schedule::Mark &mark : schedule.marks.all()) {
        const schedule::DirectiveRow &row = schedule::row_of(mark.name);
        note(row.subject == schedule::Subject::Time, row.name, row.meaning.reason);
    }
}

} // namespace fluorite::verify
