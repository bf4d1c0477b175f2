// Directives on the loops of a stage: split, fuse, tile, reorder, and loop kinds. Tame ones take loops that are not
// marked yet, and tails that neither race nor write an output beyond its bounds.

#include "applier.h"

#include "schedule/loop_rules.h"

#include <algorithm>
#include <optional>

namespace fluorite::fuzz {

namespace {

/// The loops around splits with blended tails, whose pieces overlap.
std::set<std::string> loops_around_blends(const schedule::StageSchedule &schedule) {
    const schedule::LoopRules rules(schedule);
    std::set<std::string> around;
    for (size_t i = 0; i < schedule.splits.size(); i++) {
        const schedule::Split &split = schedule.splits[i];
        const bool blends = split.kind == schedule::Split::Kind::Split && schedule::is_blended(split.tail);
        for (const schedule::LoopDim &dim : schedule.dims) {
            if (blends && rules.is_around(i, dim.var)) {
                around.insert(dim.var);
            }
        }
    }
    return around;
}

} // namespace

std::string Applier::loop(const Directive &d, int draw, bool at_once) {
    const schedule::StageSchedule &stage = func_.function()->schedule.stages[static_cast<size_t>(d.stage)];
    const bool atomic = stage.atomic;
    const std::set<std::string> around_blends = loops_around_blends(stage);
    const bool has_blends = !around_blends.empty();
    std::vector<std::string> fit, all;
    for (const schedule::LoopDim &dim : loops_) {
        all.push_back(dim.var);
        const bool parallel = d.op == Directive::Op::Parallel || d.op == Directive::Op::ParallelTasks;
        bool independent = !dim.is_rvar || dim.reorderable || (atomic && !parallel);
        independent = independent && around_blends.count(dim.var) == 0 && !(parallel && dim.is_rvar && has_blends);
        if (dim.for_type == ForType::Serial && (!at_once || independent)) {
            fit.push_back(dim.var);
        }
    }
    const std::vector<std::string> &from = d.wild ? all : fit;
    return from.empty() ? "" : from[static_cast<size_t>(draw) % from.size()];
}

bool Applier::overhangs(const Directive &d, const std::string &loop, int factor) {
    const bool stays = d.tail == TailStrategy::GuardWithIf || d.tail == TailStrategy::Predicate ||
                       d.tail == TailStrategy::PredicateStores;
    if (!output_of(d) || stays) {
        return false;
    }
    if (bounded_.count(node_)) {
        return true;
    }
    std::map<std::string, std::optional<int>> inside; // their extents, if constant
    for (const schedule::Split &split : func_.function()->schedule.stages[static_cast<size_t>(d.stage)].splits) {
        auto old = inside.find(split.old_var);
        std::optional<int> extent = old == inside.end() ? std::nullopt : old->second;
        bool was_inside = old != inside.end();
        int64_t by = 0;
        switch (split.kind) {
        case schedule::Split::Kind::Split:
            inside.erase(split.old_var);
            if (was_inside) {
                inside[split.outer] = std::nullopt;
            }
            inside[split.inner] =
                ir::is_const_int(split.factor, &by) ? std::optional(static_cast<int>(by)) : std::nullopt;
            break;
        case schedule::Split::Kind::Fuse:
            inside[split.old_var] = std::nullopt;
            break;
        case schedule::Split::Kind::Skew: // its tails are guards
        case schedule::Split::Kind::Rename:
            inside.erase(split.old_var);
            if (was_inside) {
                inside[split.outer] = extent;
            }
            break;
        }
    }
    auto found = inside.find(loop);
    if (found == inside.end()) {
        return false;
    }
    return !found->second || (d.tail == TailStrategy::ShiftInwards || d.tail == TailStrategy::ShiftInwardsAndBlend ||
                                      d.tail == TailStrategy::Auto
                                  ? *found->second < factor
                                  : *found->second % factor != 0);
}

TailStrategy Applier::tail(const Directive &d, const std::string &loop, int factor) {
    if (d.wild) {
        return d.tail;
    }
    bool exact =
        d.tail == TailStrategy::GuardWithIf || d.tail == TailStrategy::Predicate || d.tail == TailStrategy::Auto;
    bool is_rvar = false;
    for (const schedule::LoopDim &dim : loops_) {
        is_rvar |= dim.var == loop && dim.is_rvar;
    }
    const schedule::StageSchedule &stage = func_.function()->schedule.stages[static_cast<size_t>(d.stage)];
    const bool at_once = std::any_of(loops_.begin(), loops_.end(), [](const schedule::LoopDim &dim) {
        return dim.for_type == ForType::Parallel || dim.for_type == ForType::Vectorized;
    });
    const bool races = schedule::is_blended(d.tail) && (at_once || d.op == Directive::Op::ParallelTasks);
    const bool in_piece = d.tail == TailStrategy::PredicateLoads && schedule::is_part_of_split(stage, loop);
    bool bad = (is_rvar && !exact) || (d.stage > 0 && d.tail == TailStrategy::ShiftInwards) || races || in_piece ||
               overhangs(d, loop, factor) ||
               (!exact && schedule::LoopRules(stage).stems_from(schedule::Split::Kind::Skew, loop));
    return bad ? TailStrategy::GuardWithIf : d.tail;
}

void Applier::split(const Directive &d, const std::string &old, const std::string &outer, const std::string &inner,
                    int factor) {
    TailStrategy chosen = tail(d, old, factor);
    stage(d).split(var(old), Var(outer), Var(inner), factor, chosen);
    note(on_ + ".split(" + quoted(old) + ", " + quoted(outer) + ", " + quoted(inner) + ", " + number(factor) + ", " +
         text(chosen) + ");");
}

void Applier::partition_all(const Directive &d) {
    if (d.other % 2) {
        stage(d).never_partition_all();
        note(on_ + ".never_partition_all();");
    } else if (d.other % 32 == 0) { // most stages have a loop that cannot be cut
        stage(d).always_partition_all();
        note(on_ + ".always_partition_all();");
    }
}

void Applier::update_atomically(const Directive &d) {
    if (d.stage > 0 && (d.wild || commutes(d))) {
        stage(d).atomic();
        note(on_ + ".atomic();");
    }
}

void Applier::apply_to_loop(const Directive &d) {
    using Op = Directive::Op;
    if (loops_.empty()) {
        return;
    }
    bool at_once =
        d.op == Op::Vectorize || d.op == Op::VectorizeWhole || d.op == Op::Parallel || d.op == Op::ParallelTasks;
    std::string a = loop(d, d.loop, at_once), b = loop(d, d.other);
    std::string v = "v" + number(++fresh_), w = "w" + number(fresh_);
    if (a.empty() || b.empty()) {
        return;
    }
    bool copies = d.op == Op::Vectorize || d.op == Op::VectorizeWhole || d.op == Op::Unroll || d.op == Op::UnrollWhole;
    if (copies && !d.wild) {
        int &count = copies_.try_emplace({node_, d.stage}, 1).first->second;
        if (count * d.factor > most_copies) {
            return;
        }
        count *= d.factor;
    }
    Stage on = stage(d);
    TailStrategy tail_a = tail(d, a, d.factor);
    std::string end = ", " + number(d.factor) + ", " + text(tail_a) + ");";
    switch (d.op) {
    case Op::Split:
        // One of the new loops may keep the old name.
        split(d, a, d.other % 4 == 1 ? a : v, d.other % 4 == 2 ? a : w, d.factor);
        return;
    case Op::Fuse:
        fuse(d, a, v);
        return;
    case Op::Skew:
        skew(d, a, b, v);
        return;
    case Op::Rename:
        on.rename(var(a), Var(v));
        note(on_ + ".rename(" + quoted(a) + ", " + quoted(v) + ");");
        return;
    case Op::Reorder:
        reorder(d);
        return;
    case Op::Tile:
        if (a != b) {
            tile(d, a, b, v, w);
        }
        return;
    case Op::Serial:
        on.serial(var(a));
        note(on_ + ".serial(" + quoted(a) + ");");
        return;
    case Op::Vectorize:
        on.vectorize(var(a), d.factor, tail_a);
        note(on_ + ".vectorize(" + quoted(a) + end);
        return;
    case Op::VectorizeWhole:
    case Op::UnrollWhole:
        // Only a loop of constant extent can be unrolled or vectorized whole: the inner loop of a split.
        split(d, a, v, w, d.factor);
        if (d.op == Op::VectorizeWhole) {
            stage(d).vectorize(Var(w));
            note(on_ + ".vectorize(" + quoted(w) + ");");
        } else {
            stage(d).unroll(Var(w));
            note(on_ + ".unroll(" + quoted(w) + ");");
        }
        return;
    case Op::Unroll:
        on.unroll(var(a), d.factor, tail_a);
        note(on_ + ".unroll(" + quoted(a) + end);
        return;
    case Op::Parallel:
        on.parallel(var(a));
        note(on_ + ".parallel(" + quoted(a) + ");");
        return;
    case Op::ParallelTasks:
        on.parallel(var(a), d.factor, tail_a);
        note(on_ + ".parallel(" + quoted(a) + end);
        return;
    case Op::Partition: {
        // Few loops can be cut, and a case in which one cannot is refused as a whole.
        static const std::pair<Partition, const char *> policies[] = {
            {Partition::Auto, "Auto"}, {Partition::Never, "Never"}, {Partition::Always, "Always"}};
        const auto &[policy, word] = policies[d.other % 2 ? 1 : d.other % 16 == 0 ? 2 : 0];
        a = loops_[static_cast<size_t>(d.loop) % loops_.size()].var;
        on.partition(var(a), policy);
        note(on_ + ".partition(" + quoted(a) + ", Partition::" + word + ");");
        return;
    }
    default:
        unreachable("Applier::apply passes directives on loops");
    }
}

void Applier::fuse(const Directive &d, const std::string &inner, const std::string &fresh) {
    std::string outer;
    for (size_t i = 0; i < loops_.size(); i++) {
        if (d.wild ? i == static_cast<size_t>(d.other) % loops_.size() : i > 0 && loops_[i - 1].var == inner) {
            outer = loops_[i].for_type == ForType::Serial || d.wild ? loops_[i].var : "";
        }
    }
    if (!outer.empty()) {
        stage(d).fuse(var(inner), var(outer), Var(fresh));
        note(on_ + ".fuse(" + quoted(inner) + ", " + quoted(outer) + ", " + quoted(fresh) + ");");
    }
}

void Applier::skew(const Directive &d, const std::string &old, const std::string &by, const std::string &fresh) {
    static constexpr int factors[] = {1, 1, 2, -1, 3};
    const int factor = factors[static_cast<size_t>(d.other) % 5];
    if (!d.wild) {
        const schedule::StageRef ref = func_.function()->stage_ref(d.stage, {});
        if (!schedule::LoopRules(ref).skew(old, by, fresh, ir::make_int(Int(32), factor))) {
            return;
        }
    }
    stage(d).skew(var(old), var(by), Var(fresh), factor);
    note(on_ + ".skew(" + quoted(old) + ", " + quoted(by) + ", " + quoted(fresh) + ", " + number(factor) + ");");
}

void Applier::reorder(const Directive &d) {
    if (loops_.size() < 2) {
        return;
    }
    std::vector<std::string> names;
    Random random(static_cast<uint64_t>(d.loop * 16 + d.other));
    std::vector<size_t> order(loops_.size());
    for (size_t i = 0; i < order.size(); i++) {
        order[i] = i;
        std::swap(order[i], order[static_cast<size_t>(random.in(0, static_cast<int>(i)))]);
    }
    if (!d.wild && d.stage > 0 && !commutes(d)) {
        std::vector<size_t> places, kept;
        for (size_t i = 0; i < order.size(); i++) {
            if (loops_[order[i]].is_rvar && !loops_[order[i]].reorderable) {
                places.push_back(i);
                kept.push_back(order[i]);
            }
        }
        std::sort(kept.begin(), kept.end());
        for (size_t i = 0; i < places.size(); i++) {
            order[places[i]] = kept[i];
        }
    }
    size_t count = d.factor % 2 ? order.size() : std::max<size_t>(2, order.size() - 1);
    std::vector<VarOrRVar> vars;
    std::string list;
    for (size_t i = 0; i < count; i++) {
        vars.push_back(var(loops_[order[i]].var));
        list += (i ? ", " : "") + quoted(loops_[order[i]].var);
    }
    stage(d).reorder(vars);
    note(on_ + ".reorder({" + list + "});");
}

void Applier::tile(const Directive &d, const std::string &a, const std::string &b, const std::string &v,
                   const std::string &w) {
    // Both loops get one tail: the exact one if either needs it.
    TailStrategy chosen = tail(d, a, d.factor) == d.tail ? tail(d, b, d.factor2) : tail(d, a, d.factor);
    std::string end = ", " + number(d.factor) + ", " + number(d.factor2) + ", " + text(chosen) + ");";
    if (d.stage > 0 && !d.wild && !commutes(d)) {
        return; // a tile reorders
    }
    switch (d.consumer_stage + d.factor2 % 3) {
    case 0:
        stage(d).tile(var(a), var(b), Var(v + "o"), Var(w + "o"), Var(v), Var(w), d.factor, d.factor2, chosen);
        note(on_ + ".tile(" + quoted(a) + ", " + quoted(b) + ", " + quoted(v + "o") + ", " + quoted(w + "o") + ", " +
             quoted(v) + ", " + quoted(w) + end);
        return;
    case 1:
        stage(d).tile(var(a), var(b), Var(v), Var(w), d.factor, d.factor2, chosen);
        note(on_ + ".tile(" + quoted(a) + ", " + quoted(b) + ", " + quoted(v) + ", " + quoted(w) + end);
        return;
    default:
        stage(d).tile({var(a), var(b)}, {var(v), var(w)}, {d.factor, d.factor2}, chosen);
        note(on_ + ".tile({" + quoted(a) + ", " + quoted(b) + "}, {" + quoted(v) + ", " + quoted(w) + "}, {" +
             number(d.factor) + ", " + number(d.factor2) + "}, " + text(chosen) + ");");
    }
}

} // namespace fluorite::fuzz
