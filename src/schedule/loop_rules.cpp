// Rules of directives on loops.
//
// Method: a question looks at the stage's loops and at the steps that made them, and at nothing that it would have to
// make. What a split, fuse or reorder would leave is not built: the order of loops is a list of positions, and where a
// loop comes from is found by going back through the steps.
//
// Blended tails. A split whose tail is blended stores old values of points that neighbouring pieces compute. So its
// pieces must not run at once, that is, along the loops that stem from the outer part of the split and along those that
// share a loop of the definition with the loop that it cuts. To decide this of a present loop, the steps after the
// split are undone one by one, back to the loops from which the present one stems.
//
// Relies on: the schedule being one that directives have made, which keeps these rules. Cost: loops and steps of the
// stage, squared; the first question about an order that counts proves whether the update commutes.

#include "schedule/loop_rules.h"

#include "rewrite/simplify.h"
#include "schedule/directives/common.h"
#include "schedule/limits.h"

#include <algorithm>
#include <numeric>

namespace fluorite::schedule {

using Rule = LoopVerdict::Rule;

namespace {

std::optional<int64_t> constant_of(const Expr &factor) {
    int64_t value = 0;
    return ir::is_const_int(factor, &value) ? std::optional(value) : rewrite::constant_value(factor);
}

/// Whether iterations run as if in lockstep or on threads of their own.
bool runs_at_once(ForType type) { return type == ForType::Vectorized || runs_on_threads(type); }

LoopVerdict broken(Rule rule, const char *directive, const std::string *name = nullptr) {
    LoopVerdict verdict;
    verdict.broken = rule;
    verdict.directive = directive;
    verdict.name = name;
    return verdict;
}

LoopVerdict at_loop(Rule rule, const char *directive, size_t loop) {
    LoopVerdict verdict = broken(rule, directive);
    verdict.loop = static_cast<int>(loop);
    return verdict;
}

} // namespace

std::optional<size_t> LoopRules::find(const std::string &var) const { return find_loop(schedule(), var); }

bool LoopRules::has_name(const std::string &name, const std::string &except) const {
    return name != except && find(name).has_value();
}

bool LoopRules::commutes() const {
    if (!commutes_) {
        commutes_ = schedule::commutes(*stage_);
    }
    return *commutes_;
}

// ---- Where loops come from.

void LoopRules::step_back(const Split &split, std::vector<const std::string *> &names) const {
    for (size_t i = 0, count = names.size(); i < count; i++) {
        const std::string &name = *names[i];
        switch (split.kind) {
        case Split::Kind::Split:
            names[i] = name == split.outer || name == split.inner ? &split.old_var : names[i];
            break;
        case Split::Kind::Fuse:
            if (name == split.old_var) {
                names[i] = &split.inner;
                names.push_back(&split.outer);
            }
            break;
        case Split::Kind::Rename:
            names[i] = name == split.outer ? &split.old_var : names[i];
            break;
        case Split::Kind::Skew:
            if (name == split.outer) {
                names[i] = &split.old_var;
                names.push_back(&split.inner);
            }
            break;
        }
    }
    // Both parts of a split stem from one loop: without this, splits that alternate with fuses would double the list.
    const auto is_less = [](const std::string *a, const std::string *b) { return *a < *b; };
    const auto is_equal = [](const std::string *a, const std::string *b) { return *a == *b; };
    std::sort(names.begin(), names.end(), is_less);
    names.erase(std::unique(names.begin(), names.end(), is_equal), names.end());
}

/// Whether names_, of loops before step `end`, and `var`, one of them, stem from a common loop of the definition.
bool LoopRules::share_origin(size_t end, const std::string &var) const {
    others_.assign(1, &var);
    for (size_t i = end; i-- > 0;) {
        step_back(schedule().splits[i], names_);
        step_back(schedule().splits[i], others_);
    }
    return std::any_of(names_.begin(), names_.end(), [&](const std::string *name) {
        return std::any_of(others_.begin(), others_.end(), [&](const std::string *other) { return *name == *other; });
    });
}

bool LoopRules::is_around(size_t blend, const std::string &var) const {
    const std::vector<Split> &splits = schedule().splits;
    names_.assign(1, &var);
    for (size_t i = splits.size(); i-- > blend + 1;) {
        step_back(splits[i], names_);
    }
    const Split &cut = splits[blend];
    const auto is_outer = [&](const std::string *name) { return *name == cut.outer; };
    if (std::any_of(names_.begin(), names_.end(), is_outer)) {
        return true;
    }
    std::erase_if(names_, [&](const std::string *name) { return *name == cut.inner; });
    return share_origin(blend, cut.old_var);
}

bool LoopRules::stems_from(Split::Kind kind, const std::string &var) const {
    names_.assign(1, &var);
    const std::vector<Split> &splits = schedule().splits;
    for (size_t i = splits.size(); i-- > 0;) {
        const auto is_part = [&](const auto *name) { return *name == splits[i].outer || *name == splits[i].inner; };
        if (splits[i].kind == kind && std::any_of(names_.begin(), names_.end(), is_part)) {
            return true;
        }
        step_back(splits[i], names_);
    }
    return false;
}

// ---- Dependences.

const CarriedDependences *LoopRules::dependences() const {
    if (!has_looked_for_dependences_) {
        has_looked_for_dependences_ = true;
        if (stage_ && stage_->definition && stage_->func) {
            if (auto found = dependence_distances(*stage_->definition, stage_->func->symbol)) {
                dependences_.emplace(std::move(*found));
            }
        }
    }
    return dependences_ ? &*dependences_ : nullptr;
}

bool LoopRules::is_independent(size_t loop) const {
    const CarriedDependences *found = dependences();
    order_.resize(schedule().dims.size());
    std::iota(order_.begin(), order_.end(), size_t{0});
    return found && found->keeps_order(schedule(), order_) && found->is_independent(schedule(), order_, loop);
}

/// Whether these loops, in this order, obey every dependence, those that run at once included.
bool LoopRules::keeps_dependences(const StageSchedule &schedule, std::span<const size_t> order) const {
    const CarriedDependences *found = dependences();
    if (!found || !found->keeps_order(schedule, order)) {
        return false;
    }
    return std::all_of(order.begin(), order.end(), [&](size_t loop) {
        const LoopDim &dim = schedule.dims[loop];
        return !runs_at_once(dim.for_type) || !dim.is_rvar || dim.reorderable || schedule.atomic ||
               found->is_independent(schedule, order, loop);
    });
}

/// Moves loop `moved` to just inside of loop `around`, if it is further out.
LoopVerdict LoopRules::moved_inside(const char *directive, size_t moved, size_t around) const {
    if (moved < around) {
        return {};
    }
    order_.clear();
    for (size_t i = 0; i < schedule().dims.size(); i++) {
        if (i == around) {
            order_.push_back(moved);
        }
        if (i != moved) {
            order_.push_back(i);
        }
    }
    return order_of(directive);
}

/// Whether loops that run at once still may after a step, which changes what the loops around them carry.
LoopVerdict LoopRules::marks_after(const Split &step, const char *directive) const {
    const auto rests_on_dependences = [&](const LoopDim &dim) {
        return runs_at_once(dim.for_type) && dim.is_rvar && !dim.reorderable;
    };
    const std::vector<LoopDim> &dims = schedule().dims;
    const auto marked = std::find_if(dims.begin(), dims.end(), rests_on_dependences);
    if (marked == dims.end() || schedule().atomic || schedule().allow_race_conditions || commutes()) {
        return {};
    }
    StageSchedule after = schedule();
    join_loops(after, step);
    order_.resize(after.dims.size());
    std::iota(order_.begin(), order_.end(), size_t{0});
    if (keeps_dependences(after, order_)) {
        return {};
    }
    return at_loop(Rule::SkewOfMarked, directive, position_in(dims, marked));
}

// ---- Parts of rules.

LoopVerdict LoopRules::factor_of(const Expr &factor, const char *directive) const {
    if (!factor.defined() || !factor.type().is_int_or_uint() || !factor.type().is_scalar()) {
        return broken(Rule::FactorType, directive);
    }
    int64_t constant = 0;
    if (!ir::is_const_int(factor, &constant) && !unknown_at_entry(factor).empty()) {
        return broken(Rule::FactorValue, directive);
    }
    const std::optional<int64_t> value = constant_of(factor);
    if (value && (*value <= 0 || *value > most_factor)) {
        LoopVerdict verdict = broken(*value <= 0 ? Rule::FactorNotPositive : Rule::FactorTooLarge, directive);
        verdict.number = *value;
        return verdict;
    }
    return {};
}

LoopVerdict LoopRules::tail_of(const std::string &var, const LoopDim &dim, TailStrategy tail) const {
    const bool visits_each_point_once =
        tail == TailStrategy::GuardWithIf || tail == TailStrategy::Predicate || tail == TailStrategy::Auto;
    if (tail < TailStrategy::RoundUp || tail > TailStrategy::Auto) {
        return broken(Rule::NoSuchTail, "split");
    }
    if (dim.is_rvar && !visits_each_point_once) {
        return broken(Rule::TailOnRVar, "split");
    }
    if (!visits_each_point_once && stems_from(Split::Kind::Skew, var)) {
        return broken(Rule::TailOfSkewed, "split");
    }
    if (stage_->stage > 0 && tail == TailStrategy::ShiftInwards) {
        return broken(Rule::ShiftInUpdate, "split");
    }
    if (tail == TailStrategy::PredicateLoads && stems_from(Split::Kind::Split, var)) {
        return broken(Rule::LoadsOfPart, "split");
    }
    return {};
}

/// Loops that run at once around the split that is asked for. Its parts are serial yet, and loops around earlier splits
/// stay what they are.
LoopVerdict LoopRules::blends_of_split(const std::string &old_var, TailStrategy tail) const {
    if (!is_blended(tail)) {
        return {};
    }
    for (const LoopDim &dim : schedule().dims) {
        if (!runs_at_once(dim.for_type)) {
            continue;
        }
        names_.assign(1, &dim.var);
        if ((dim.is_rvar && runs_on_threads(dim.for_type)) || share_origin(schedule().splits.size(), old_var)) {
            return broken(Rule::BlendAtOnce, "split", &dim.var);
        }
    }
    return {};
}

/// Splits with blended tails that a loop of the stage is around, were it to run at once.
LoopVerdict LoopRules::blends_of_mark(const std::string &var, const LoopDim &dim, ForType type) const {
    const std::vector<Split> &splits = schedule().splits;
    for (size_t i = 0; runs_at_once(type) && i < splits.size(); i++) {
        if (splits[i].kind != Split::Kind::Split || !is_blended(splits[i].tail)) {
            continue;
        }
        if ((dim.is_rvar && runs_on_threads(type)) || is_around(i, var)) {
            LoopVerdict verdict = broken(Rule::BlendAtOnce, name_of(type));
            verdict.split = static_cast<int>(i);
            return verdict;
        }
    }
    return {};
}

/// The order of loops in which position i has what is at order_[i] now.
LoopVerdict LoopRules::order_of(const char *directive) const {
    const std::vector<LoopDim> &dims = schedule().dims;
    if (schedule().allow_race_conditions) {
        return {};
    }
    before_.clear();
    after_.clear();
    const auto is_dependent = [&](size_t i) { return dims[i].is_rvar && !dims[i].reorderable; };
    for (size_t i = 0; i < dims.size(); i++) {
        if (is_dependent(i)) {
            before_.push_back(i);
        }
        if (is_dependent(order_[i])) {
            after_.push_back(order_[i]);
        }
    }
    const auto [was, is] = std::mismatch(before_.begin(), before_.end(), after_.begin());
    if (was == before_.end() || schedule().order_is_free || commutes() || keeps_dependences(schedule(), order_)) {
        return {};
    }
    LoopVerdict verdict = at_loop(Rule::ReductionOrder, directive, *is);
    verdict.other = static_cast<int>(*was);
    return verdict;
}

LoopVerdict LoopRules::dependence_of(size_t position, ForType type) const {
    const LoopDim &dim = schedule().dims[position];
    if (!runs_at_once(type) || !dim.is_rvar || dim.reorderable || schedule().allow_race_conditions ||
        schedule().atomic || is_independent(position)) {
        return {};
    }
    return !commutes()             ? broken(Rule::DependentAtOnce, name_of(type))
           : runs_on_threads(type) ? broken(Rule::RaceAtOnce, name_of(type))
                                   : LoopVerdict();
}

LoopVerdict LoopRules::length_of(std::optional<int64_t> length, const std::string &var, ForType type) const {
    const bool is_wide = length && type == ForType::Vectorized && *length > most_lanes;
    const bool is_long = length && type == ForType::Unrolled && *length > most_copies;
    if (!is_wide && !is_long) {
        return {};
    }
    LoopVerdict verdict = broken(is_wide ? Rule::TooWide : Rule::TooLong, name_of(type), &var);
    verdict.number = *length;
    return verdict;
}

namespace {

/// How often the loop runs, where it has come out of a split by a constant.
std::optional<int64_t> split_length(const StageSchedule &schedule, const std::string &var) {
    for (size_t i = schedule.splits.size(); i-- > 0;) {
        const Split &split = schedule.splits[i];
        if (split.kind == Split::Kind::Split && split.inner == var) {
            return constant_of(split.factor);
        }
        if (split.outer == var || split.old_var == var) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

/// Whether a prefetch names the loop.
bool is_prefetched(const StageSchedule &schedule, const std::string &var) {
    return std::any_of(schedule.prefetches.begin(), schedule.prefetches.end(),
                       [&](const Prefetch &prefetch) { return prefetch.at == var || prefetch.from == var; });
}

} // namespace

// ---- The questions.

LoopVerdict LoopRules::split(const std::string &old_var, const std::string &outer, const std::string &inner,
                             const Expr &factor, TailStrategy tail) const noexcept {
    const std::optional<size_t> position = find(old_var);
    if (const LoopVerdict verdict = cut(old_var, outer, inner, factor); !verdict) {
        return verdict;
    }
    const ForType mark = schedule().dims[*position].for_type;
    if (mark != ForType::Serial && mark != ForType::Parallel) {
        return at_loop(Rule::SplitOfMarked, "split", *position);
    }
    return tail_of_split(old_var, outer, inner, tail);
}

/// Whether the loop may be cut so, whatever its mark and the tail.
LoopVerdict LoopRules::cut(const std::string &old_var, const std::string &outer, const std::string &inner,
                           const Expr &factor) const noexcept {
    const std::optional<size_t> position = find(old_var);
    if (!position) {
        return broken(Rule::UnknownLoop, "split", &old_var);
    }
    for (const std::string *name : {&outer, &inner}) {
        if (has_name(*name, old_var)) {
            return broken(Rule::NameTaken, "split", name);
        }
    }
    if (outer == inner) {
        return broken(Rule::SamePartNames, "split");
    }
    return factor_of(factor, "split");
}

LoopVerdict LoopRules::tail_of_split(const std::string &old_var, const std::string &outer, const std::string &inner,
                                     TailStrategy tail) const noexcept {
    if (const LoopVerdict verdict = tail_of(old_var, schedule().dims[*find(old_var)], tail); !verdict) {
        return verdict;
    }
    if (old_var != outer && old_var != inner && is_prefetched(schedule(), old_var)) {
        return broken(Rule::CutOfPrefetched, "split", &old_var);
    }
    return blends_of_split(old_var, tail);
}

LoopVerdict LoopRules::fuse(const std::string &inner, const std::string &outer,
                            const std::string &fused) const noexcept {
    const std::optional<size_t> inner_at = find(inner), outer_at = find(outer);
    if (!inner_at || !outer_at) {
        return broken(Rule::UnknownLoop, "fuse", inner_at ? &outer : &inner);
    }
    if (inner == outer) {
        return broken(Rule::FuseWithItself, "fuse");
    }
    if (fused != inner && has_name(fused, outer)) {
        return broken(Rule::NameTaken, "fuse", &fused);
    }
    for (size_t at : {*inner_at, *outer_at}) {
        if (schedule().dims[at].for_type != ForType::Serial) {
            return at_loop(Rule::FuseOfMarked, "fuse", at);
        }
    }
    if (schedule().dims[*inner_at].distributed) {
        return at_loop(Rule::FuseOfMarked, "fuse", *inner_at);
    }
    if (*outer_at != *inner_at + 1) { // the outer loop moves to just outside of the inner one
        order_.clear();
        for (size_t i = 0; i < schedule().dims.size(); i++) {
            if (i != *outer_at) {
                order_.push_back(i);
            }
            if (i == *inner_at) {
                order_.push_back(*outer_at);
            }
        }
        if (const LoopVerdict verdict = order_of("fuse"); !verdict) {
            return verdict;
        }
    }
    if (const LoopVerdict verdict = marks_after(fuse_step(inner, outer, fused), "fuse"); !verdict) {
        return verdict;
    }
    for (const std::string *gone : {&inner, &outer}) {
        if (*gone != fused && is_prefetched(schedule(), *gone)) {
            return broken(Rule::CutOfPrefetched, "fuse", fused == inner ? &outer : &inner);
        }
    }
    return {};
}

LoopVerdict LoopRules::rename(const std::string &old_name, const std::string &new_name) const noexcept {
    return !find(old_name)                ? broken(Rule::UnknownLoop, "rename", &old_name)
           : has_name(new_name, old_name) ? broken(Rule::NameTaken, "rename", &new_name)
                                          : LoopVerdict();
}

LoopVerdict LoopRules::skew(const std::string &old_var, const std::string &by, const std::string &skewed,
                            const Expr &factor) const noexcept {
    const std::optional<size_t> old_at = find(old_var), by_at = find(by);
    if (!old_at || !by_at) {
        return broken(Rule::UnknownLoop, "skew", old_at ? &by : &old_var);
    }
    if (old_var == by) {
        return broken(Rule::SkewByItself, "skew");
    }
    if (has_name(skewed, old_var)) {
        return broken(Rule::NameTaken, "skew", &skewed);
    }
    const bool is_integer = factor.defined() && factor.type().is_int_or_uint() && factor.type().is_scalar();
    const std::optional<int64_t> value = is_integer ? constant_of(factor) : std::nullopt;
    if (!value || *value == 0 || *value > most_factor || *value < -most_factor) {
        return broken(Rule::SkewFactor, "skew");
    }
    for (size_t at : {*old_at, *by_at}) {
        const LoopDim &dim = schedule().dims[at];
        if (dim.for_type != ForType::Serial || dim.distributed) {
            return at_loop(Rule::SkewOfMarked, "skew", at);
        }
    }
    if (skewed != old_var && is_prefetched(schedule(), old_var)) {
        return broken(Rule::CutOfPrefetched, "skew", &old_var);
    }
    if (const LoopVerdict verdict = moved_inside("skew", *old_at, *by_at); !verdict) {
        return verdict;
    }
    return marks_after(skew_step(old_var, by, skewed, factor), "skew");
}

LoopVerdict LoopRules::reorder(std::span<const std::string> vars) const noexcept {
    places_.clear();
    for (const std::string &var : vars) {
        const std::optional<size_t> place = find(var);
        if (!place) {
            return broken(Rule::UnknownLoop, "reorder", &var);
        }
        places_.push_back(*place);
        if (std::count(vars.begin(), vars.end(), var) > 1) {
            return broken(Rule::RepeatedLoop, "reorder", &var);
        }
    }
    sorted_ = places_;
    std::sort(sorted_.begin(), sorted_.end());
    order_.clear();
    for (size_t i = 0; i < schedule().dims.size(); i++) {
        order_.push_back(i);
    }
    for (size_t i = 0; i < places_.size(); i++) {
        order_[sorted_[i]] = places_[i];
    }
    return order_of("reorder");
}

LoopVerdict LoopRules::mark(const std::string &var, ForType type) const noexcept {
    const std::optional<size_t> position = find(var);
    if (!position) {
        return broken(Rule::UnknownLoop, name_of(type), &var);
    }
    const LoopDim &dim = schedule().dims[*position];
    if (const LoopVerdict verdict = dependence_of(*position, type); !verdict) {
        return verdict;
    }
    if (const LoopVerdict verdict = length_of(split_length(schedule(), var), var, type); !verdict) {
        return verdict;
    }
    if (dim.for_type != ForType::Serial && type != ForType::Serial && dim.for_type != type) {
        return at_loop(Rule::MarkedTwice, name_of(type), *position);
    }
    LoopVerdict verdict = blends_of_mark(var, dim, type);
    verdict.name = &var;
    return verdict;
}

LoopVerdict LoopRules::split_and_mark(const std::string &var, const std::string &inner, const Expr &factor,
                                      ForType type, TailStrategy tail) const noexcept {
    const std::optional<size_t> position = find(var);
    if (!position) {
        return broken(Rule::UnknownLoop, name_of(type), &var);
    }
    const LoopDim &dim = schedule().dims[*position];
    if (const LoopVerdict verdict = dependence_of(*position, type); !verdict) {
        return verdict;
    }
    if (const LoopVerdict verdict = factor_of(factor, name_of(type)); !verdict) {
        return verdict;
    }
    if (const LoopVerdict verdict = length_of(constant_of(factor), var, type); !verdict) {
        return verdict;
    }
    const bool keeps_mark = keeps_mark_of_outer(dim.for_type, type);
    if (const LoopVerdict verdict = keeps_mark ? cut(var, var, inner, factor) : split(var, var, inner, factor, tail);
        !verdict) {
        return verdict;
    }
    if (const LoopVerdict verdict = keeps_mark ? tail_of_split(var, var, inner, tail) : LoopVerdict(); !verdict) {
        return verdict;
    }
    const std::string &marked = type == ForType::Parallel ? var : inner;
    LoopVerdict verdict = blends_of_mark(var, dim, type); // both parts stem from it
    if (verdict && is_blended(tail) && (type == ForType::Parallel || keeps_mark)) {
        verdict = broken(Rule::BlendAtOnce, name_of(type));
    }
    verdict.name = &marked;
    return verdict;
}

LoopVerdict LoopRules::partition(std::span<const std::string> vars, const char *directive) const noexcept {
    for (const std::string &var : vars) {
        if (!find(var)) {
            return broken(Rule::UnknownLoop, directive, &var);
        }
    }
    return {};
}

std::bitset<16> LoopRules::legal_tails(const std::string &old_var) const noexcept {
    std::bitset<16> legal;
    const std::optional<size_t> position = find(old_var);
    for (int i = 0; position && i <= static_cast<int>(TailStrategy::Auto); i++) {
        const auto tail = static_cast<TailStrategy>(i);
        legal[static_cast<size_t>(i)] =
            tail_of(old_var, schedule().dims[*position], tail) && blends_of_split(old_var, tail);
    }
    return legal;
}

std::bitset<8> LoopRules::legal_types(const std::string &var) const noexcept {
    std::bitset<8> legal;
    for (const ForType type : {ForType::Serial, ForType::Parallel, ForType::Vectorized, ForType::Unrolled,
                               ForType::GPUBlock, ForType::GPUThread, ForType::GPULane}) {
        legal[index_of(type)] = static_cast<bool>(mark(var, type));
    }
    return legal;
}

} // namespace fluorite::schedule
