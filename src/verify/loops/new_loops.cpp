#include "verify/loops/new_loops.h"

#include "ir/text_names.h"
#include "schedule/directives/table.h"

#include <algorithm>
#include <cctype>

namespace fluorite::verify {

using schedule::Split;

std::string loop_word(const std::string &func, int stage, const std::string &var, const std::string &instance) {
    std::string name = func + (stage ? ".s" + std::to_string(stage) : "") + ".L." + var + instance;
    for (char &c : name) {
        c = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ? c : '_';
    }
    return std::isalpha(static_cast<unsigned char>(name[0])) ? name : "n_" + name;
}

namespace {

// Where a loop that is cut comes from.
struct Piece {
    bool is_covered = false; // an enclosing split keeps it within the region
    bool is_inner = false;   // it is the inner part of a split
};

TailStrategy resolved(const Split &split, const Piece &piece, int stage, bool is_output, bool may_round) {
    const bool rounds = split.tail == TailStrategy::RoundUp || split.tail == TailStrategy::Auto;
    if (stage > 0 && piece.is_inner && rounds) {
        return TailStrategy::GuardWithIf;
    }
    if (split.tail != TailStrategy::Auto) {
        return split.tail;
    }
    if (split.exact) {
        return TailStrategy::GuardWithIf;
    }
    if (piece.is_covered) {
        return TailStrategy::RoundUp;
    }
    if (stage == 0) {
        return TailStrategy::ShiftInwards;
    }
    return !is_output && may_round ? TailStrategy::RoundUp : TailStrategy::GuardWithIf;
}
bool is_bounded(TailStrategy tail) { return tail != TailStrategy::RoundUp; }

bool is_multiple(const Index &extent, int64_t factor) {
    return extent.is_number()
               ? extent.value() % factor == 0
               : extent.kind() == Index::Kind::Mul && extent.b().is_number() && extent.b().value() % factor == 0;
}
Index multiple_of(const Index &extent, int64_t factor) {
    if (is_multiple(extent, factor)) {
        return extent; // a stage before has rounded it up
    }
    return extent.is_number() ? Index((extent.value() + factor - 1) / factor * factor)
                              : simplified(extent + Index(factor - 1)) / Index(factor) * Index(factor);
}

// The outer loops of a dimension, one after the other, as a split each: how many points an iteration of it has, and
// what its tail does.
struct LoopSplit {
    int64_t factor = 1, points = 1; // points: of an iteration of the loop that is cut
    TailStrategy tail = TailStrategy::Auto;
    bool operator==(const LoopSplit &other) const = default;
};
std::vector<LoopSplit> splits_of(const schedule::StageSchedule &schedule, int stage, const std::string &dim,
                                 bool is_output, bool may_round) {
    std::vector<LoopSplit> splits;
    std::string outermost = dim;
    int64_t points = 1;
    Piece piece;
    for (const Split &split : schedule.splits) {
        int64_t factor;
        if (split.kind == Split::Kind::Rename && split.old_var == outermost) {
            outermost = split.outer;
        } else if (split.kind == Split::Kind::Fuse && (split.inner == outermost || split.outer == outermost)) {
            return splits;
        } else if (split.kind == Split::Kind::Split && split.old_var == outermost) {
            if (!ir::is_const_int(split.factor, &factor) || factor <= 0) {
                return splits;
            }
            splits.push_back({factor, points, resolved(split, piece, stage, is_output, may_round)});
            piece.is_covered = piece.is_covered || is_bounded(splits.back().tail);
            outermost = split.outer;
            points *= factor;
        }
    }
    return splits;
}
// The number of points of which the outermost loop of a dimension has to have a multiple.
int64_t rounded_points(const std::vector<LoopSplit> &splits) {
    int64_t points = 1;
    for (const LoopSplit &split : splits) {
        if (is_bounded(split.tail)) {
            break;
        }
        points = split.points * split.factor;
    }
    return points;
}

// How many pieces a loop has, the last one perhaps a part.
Index pieces_of(const Index &extent, int64_t factor) {
    if (factor == 1) {
        return extent;
    }
    if (extent.is_number()) {
        return (extent.value() + factor - 1) / factor;
    }
    if (is_multiple(extent, factor)) {
        return extent.b().is_number(factor) ? extent.a() : extent.a() * Index(extent.b().value() / factor);
    }
    return simplified(extent + (factor - 1)) / factor;
}
// That loops whose pieces move inwards have a whole piece.
Facts long_enough(const std::vector<LoopSplit> &splits, Index extent) {
    Facts facts;
    for (const LoopSplit &split : splits) {
        if (split.tail == TailStrategy::ShiftInwards && !extent.is_number() && !is_multiple(extent, split.factor)) {
            facts.push_back(le(split.factor, extent));
        }
        extent = pieces_of(extent, split.factor);
    }
    return facts;
}

} // namespace

std::optional<Alignment> alignment_of(const schedule::Bound &bound) {
    Alignment result;
    const bool is_known = bound.modulus.defined() && ir::is_const_int(bound.modulus, &result.modulus) &&
                          (!bound.remainder.defined() || ir::is_const_int(bound.remainder, &result.remainder));
    return is_known && result.modulus > 0 ? std::optional(result) : std::nullopt;
}
Interval aligned(Interval region, const schedule::FuncSchedule &schedule, const std::string &dim, const Facts &facts) {
    for (const schedule::Bound &bound : schedule.bounds) {
        const std::optional<Alignment> alignment = alignment_of(bound);
        if (bound.var != dim || !alignment) {
            continue;
        }
        const Index m = alignment->modulus, r = alignment->remainder, low = region.low;
        if (low.is_number()) {
            const int64_t beyond = (low.value() - r.value()) % m.value();
            region.low = low.value() - (beyond < 0 ? beyond + m.value() : beyond);
        } else if (const Index begin = simplified((low - r) / m * m + r); !find_witness(facts, eq(low, begin))) {
            region.low = begin;
        }
        const Index extent = simplified(region.high - region.low + 1);
        if (!find_witness(facts, eq(extent, extent / m * m))) {
            region.high = simplified(region.low + multiple_of(extent, alignment->modulus) - 1);
        }
    }
    return region;
}

Interval widened(const Interval &region, const schedule::FuncSchedule &schedule, const std::string &dim, bool is_steady,
                 const Assumptions &assumptions) {
    Interval result = aligned(region, schedule, dim, assumptions.facts);
    // The stages before an update compute what it updates.
    for (size_t k = schedule.stages.size(); k > 0; k--) {
        const Index extent = simplified(result.high - result.low + 1);
        const schedule::StageSchedule &stage = schedule.stages[k - 1];
        const auto splits_in = [&](const schedule::StageSchedule &variant) {
            return splits_of(variant, int(k) - 1, dim, false, is_steady || extent.is_number());
        };
        const std::vector<LoopSplit> splits = splits_in(stage);
        bool is_one = true; // an alternative that fails computes nothing
        schedule::for_each_variant(stage, [&](const schedule::StageSchedule &variant) {
            const bool fails = std::ranges::any_of(stage.specializations, [&](const schedule::Specialization &one) {
                return one.fails() && &one.schedule == &variant;
            });
            is_one = is_one && (fails || splits_in(variant) == splits);
        });
        if (!is_one) {
            continue;
        }
        Index computed = extent;
        if (const int64_t points = rounded_points(splits); points > 1) {
            computed = multiple_of(extent, points);
            result.high = simplified(result.low + computed - 1);
        }
        for (const Condition &fact : long_enough(splits, computed)) {
            const bool is_so = find_witness(assumptions.facts, fact) || assumptions.assume(fact);
            if (!is_so && fact.indices[1] == computed) {
                result.low = smaller_of(result.low, simplified(result.high + 1 - fact.indices[0]), assumptions.facts);
            }
        }
        const bool is_short = extent.is_number() && !splits.empty() && splits[0].tail == TailStrategy::ShiftInwards &&
                              extent.value() < splits[0].factor;
        if (is_short) {
            result.low = simplified(result.high + 1 - splits[0].factor);
        }
    }
    return result;
}

namespace {

struct Level {
    std::string var;
    Index extent = 0;
    Index from = 0;             // of loops over elements: the iteration, over the old indices
    std::string reduction = {}; // of loops of a reduction: the name in the term
    Piece piece = {};
};

class Planner {
  public:
    Planner(const StageLoops &nest, const schedule::StageSchedule &stage)
        : func_(nest.func), instance_(nest.instance), written_(nest.written), stage_(nest.stage),
          is_output_(nest.is_output), is_steady_(nest.is_steady) {
        for (size_t d = 0; d < nest.dims.size(); d++) {
            Index extent = nest.dims[d].extent;
            if (const int64_t points = rounded_points(splits_of(stage, stage_, nest.names[d], is_output_, false));
                is_output_ && points > 1 && !extent.is_number()) {
                extent = extent / points * points; // a fact says so
            }
            loops_.push_back({nest.names[d], extent, Index(nest.dims[d].loop)});
            plan_.loops.at.push_back(Index(word(nest.names[d])));
        }
        for (size_t r = 0; r < nest.reductions.size(); r++) {
            reductions_.push_back({nest.reduction_names[r], nest.reductions[r].extent, 0, nest.reductions[r].loop});
        }
    }

    LoopPlan run(const schedule::StageSchedule &stage) {
        for (const Split &split : stage.splits) {
            apply(split);
        }
        order(stage);
        if (!plan_.possible) {
            plan_.directives.push_back({func_, named("loops"), "a split of it is not covered"});
        } else if (plan_.possible && is_reordered(stage)) {
            plan_.directives.push_back({func_, named("reorder"), ""});
        }
        return std::move(plan_);
    }

  private:
    std::string word(const std::string &var) const { return loop_word(func_, stage_, var, instance_); }
    // How a directive of this stage is named in reports.
    std::string named(const std::string &directive) const {
        return stage_ == 0 ? directive : "update(" + std::to_string(stage_ - 1) + ")." + directive;
    }
    using Levels = std::vector<Level>;
    static Levels::iterator find_in(Levels &levels, const std::string &var) {
        return std::ranges::find_if(levels, [&](const Level &level) { return level.var == var; });
    }
    Levels::iterator find(const std::string &var) { return find_in(loops_, var); }
    bool is_reduction(const std::string &var) { return find_in(reductions_, var) != reductions_.end(); }

    // The loops in the order of the schedule.
    void order(const schedule::StageSchedule &stage) {
        for (const schedule::Mark &mark : stage.marks.all()) {
            if (const schedule::DirectiveRow &row = schedule::row_of(mark.name);
                row.meaning.kind == schedule::Meaning::Kind::Uncovered) {
                refuse(named(row.name), row.meaning.reason);
            }
        }
        for (auto dim = stage.dims.rbegin(); dim != stage.dims.rend(); ++dim) {
            const std::optional<Term::Mark> mark = mark_of(dim->for_type);
            if (!mark && dim->for_type != ForType::Serial) {
                refuse(named(concat(ir::directive_word(dim->for_type), "(", dim->var, ")")),
                       "terms have no blocks and threads of a device");
            }
            if (auto r = find_in(reductions_, dim->var); r != reductions_.end()) {
                plan_.order.push_back({r->var, r->reduction, mark, true});
                continue;
            }
            auto found = find(dim->var);
            if (found == loops_.end()) {
                plan_.possible = false;
                continue;
            }
            plan_.loops.loops.emplace_back(word(found->var), found->extent);
            plan_.loops.from.push_back(found->from);
            plan_.order.push_back({found->var, word(found->var), mark, false});
        }
        // Inside of all others, as a loop over the elements of which an iteration writes one.
        for (const std::string &dim : written_) {
            const auto found = find(dim);
            const bool is_taken = std::ranges::any_of(stage.dims, [&](const auto &loop) { return loop.var == dim; });
            if (found == loops_.end() || is_taken) {
                plan_.possible = false;
                continue;
            }
            plan_.loops.loops.emplace_back(word(dim), found->extent);
            plan_.loops.from.push_back(found->from);
            plan_.order.push_back({dim, word(dim), std::nullopt, false});
        }
        if (plan_.order.size() != loops_.size() + reductions_.size()) {
            plan_.possible = false;
        }
    }
    void replace(const std::string &var, const Index &by) {
        for (Index &index : plan_.loops.at) {
            index = substitute(index, word(var), by);
        }
        plan_.loops.guard = substitute(plan_.loops.guard, word(var), by);
    }
    void guard(const Condition &condition) {
        plan_.loops.guard = plan_.loops.guard.is_true() ? condition : both(plan_.loops.guard, condition);
    }
    void refuse(const std::string &directive, const std::string &reason) {
        plan_.directives.push_back({func_, directive, reason});
        plan_.possible = false;
    }
    static std::optional<Term::Mark> mark_of(ForType type) {
        switch (type) {
        case ForType::Parallel:
            return Term::Mark::Parallel;
        case ForType::Vectorized:
            return Term::Mark::Vector;
        case ForType::Unrolled:
            return Term::Mark::Unroll;
        case ForType::Serial:
        case ForType::Forked:
        case ForType::GPUBlock:
        case ForType::GPUThread:
        case ForType::GPULane:
            return std::nullopt;
        }
        unreachable("a loop of no kind");
    }
    // Whether the loops are in another order than the splits leave them in.
    bool is_reordered(const schedule::StageSchedule &stage) const {
        Levels before = loops_;
        std::erase_if(before,
                      [&](const Level &level) { return std::ranges::find(written_, level.var) != written_.end(); });
        before.insert(before.end(), reductions_.begin(), reductions_.end());
        for (size_t l = 0; l < before.size(); l++) {
            if (stage.dims[stage.dims.size() - 1 - l].var != before[l].var) {
                return true;
            }
        }
        return false;
    }

    void apply(const Split &split) {
        switch (split.kind) {
        case Split::Kind::Rename: {
            return rename(split);
        }
        case Split::Kind::Fuse:
            return fuse(split);
        case Split::Kind::Skew:
            return refuse(named("skew(" + split.old_var + ", " + split.inner + ")"),
                          "ranges of loops of terms do not depend on other loops");
        case Split::Kind::Split:
            return is_reduction(split.old_var) ? cut_reduction(split) : cut(split);
        }
    }

    void rename(const Split &split) {
        const std::string directive = named("rename(" + split.old_var + ")");
        if (auto reduction = find_in(reductions_, split.old_var); reduction != reductions_.end()) {
            reduction->var = split.outer;
        } else if (auto loop = find(split.old_var); loop != loops_.end()) {
            replace(split.old_var, Index(word(split.outer)));
            loop->var = split.outer;
        } else {
            return refuse(directive, "the loop is not in the term");
        }
        plan_.directives.push_back({func_, directive, ""});
    }

    void fuse(const Split &split) {
        std::string directive = named("fuse(" + split.inner + ", " + split.outer + ", " + split.old_var + ")");
        if (is_reduction(split.inner) || is_reduction(split.outer)) {
            return refuse(directive, "loops of a reduction are not fused in terms");
        }
        auto inner = find(split.inner), outer = find(split.outer);
        if (inner == loops_.end() || outer == loops_.end()) {
            return refuse(directive, "a loop is not in the term");
        }
        if (inner->extent.is_number() && inner->extent.value() <= 0) {
            return refuse(directive, "the inner loop has no iterations");
        }
        if (!inner->extent.is_number()) {
            plan_.needs.push_back(lt(0, inner->extent));
        }
        Index fused = word(split.old_var);
        replace(split.outer, fused / inner->extent);
        replace(split.inner, fused % inner->extent);
        *outer =
            Level{split.old_var, simplified(outer->extent * inner->extent), outer->from * inner->extent + inner->from};
        loops_.erase(find(split.inner));
        plan_.directives.push_back({func_, directive, ""});
    }

    void cut(const Split &split) {
        std::string directive = named("split(" + split.old_var + ", " + schedule::tail_word(split.tail) + ")");
        auto old = find(split.old_var);
        int64_t factor;
        if (old == loops_.end()) {
            return refuse(directive, "the loop is not in the term");
        }
        if (!ir::is_const_int(split.factor, &factor) || factor <= 0) {
            return refuse(directive, "the factor is no constant; witnesses would need products of names");
        }
        const TailStrategy tail =
            resolved(split, old->piece, stage_, is_output_, is_steady_ || old->extent.is_number());
        Index k = factor, n = old->extent, t = old->from;
        const bool divides = is_multiple(n, factor);
        Index outer = word(split.outer), inner = word(split.inner);
        const Index pieces = pieces_of(n, factor);
        Index inner_from = factor == 1 ? Index(0) : t % k;
        std::string reason;
        Index x = outer * k + inner;
        if (divides || factor == 1) {
            replace(split.old_var, x);
        } else if (tail == TailStrategy::ShiftInwards && (!n.is_number() || n.value() >= factor)) {
            replace(split.old_var, min(outer * k, n - k) + inner);
            inner_from = t - min(t / k * k, n - k);
        } else if (tail == TailStrategy::RoundUp && old->piece.is_covered) {
            replace(split.old_var, x); // the enclosing tail leaves out what is too many
        } else {
            // Of rounding up, the region has been a multiple before.
            replace(split.old_var, x);
            guard(lt(x, n));
            if (tail == TailStrategy::ShiftInwardsAndBlend || tail == TailStrategy::RoundUpAndBlend) {
                reason = "pieces that blend store what was there; the certificate guards them";
            } else if (tail == TailStrategy::PredicateLoads) {
                reason = "only loads are masked; the certificate guards the whole iteration";
            } else if (tail == TailStrategy::RoundUp) {
                reason = is_output_ ? "the size is no multiple; the certificate guards the last piece"
                                    : "the region is not rounded up in the term; the certificate guards the last piece";
            } else if (tail == TailStrategy::ShiftInwards) {
                reason = "the extent is smaller than the factor; the certificate guards the only piece";
            }
        }
        const bool is_exact = divides || factor == 1;
        Level second{split.inner, k, inner_from, {}, {old->piece.is_covered, true}};
        *old = {split.outer,
                pieces,
                factor == 1 ? t : t / k,
                {},
                {old->piece.is_covered || (!is_exact && is_bounded(tail)), old->piece.is_inner}};
        loops_.insert(find(split.outer) + 1, second);
        plan_.directives.push_back({func_, directive, reason});
    }

    void cut_reduction(const Split &split) {
        const std::string directive = named("split(" + split.old_var + ", " + schedule::tail_word(split.tail) + ")");
        auto old = find_in(reductions_, split.old_var);
        int64_t factor;
        if (!ir::is_const_int(split.factor, &factor) || factor <= 0) {
            return refuse(directive, "the factor is no constant; witnesses would need products of names");
        }
        const Index n = old->extent;
        const bool divides = n.is_number() && n.value() % factor == 0;
        const Index count =
            n.is_number() ? Index((n.value() + factor - 1) / factor) : simplified(n + (factor - 1)) / Index(factor);
        auto piece_word = [&](const std::string &var) { return word(var) + (word(var) == old->reduction ? ".p" : ""); };
        const Pieces pieces{count, factor, piece_word(split.outer), piece_word(split.inner)};
        plan_.splits.push_back({old->reduction, pieces, divides});
        *old = Level{split.outer, count, 0, pieces.outer};
        reductions_.insert(find_in(reductions_, split.outer) + 1, Level{split.inner, factor, 0, pieces.inner});
        plan_.directives.push_back({func_, directive, ""});
    }

    const std::string func_, instance_;
    const std::vector<std::string> written_;
    const int stage_;
    const bool is_output_, is_steady_;
    Levels loops_, reductions_; // outermost first, as the splits leave them
    LoopPlan plan_;
};

} // namespace

LoopPlan plan_loops(const StageLoops &loops, const schedule::StageSchedule &stage) {
    return Planner(loops, stage).run(stage);
}

Facts tail_facts(const StageLoops &loops, const schedule::StageSchedule &stage) {
    Facts facts;
    for (size_t d = 0; d < loops.dims.size(); d++) {
        const Index &extent = loops.dims[d].extent;
        const Facts more =
            loops.is_output && loops.stage == 0
                ? size_facts(stage, loops.names[d], extent)
                : long_enough(splits_of(stage, loops.stage, loops.names[d], loops.is_output, loops.is_steady), extent);
        facts.insert(facts.end(), more.begin(), more.end());
    }
    return facts;
}

Facts size_facts(const schedule::StageSchedule &stage, const std::string &dim, const Index &extent) {
    const std::vector<LoopSplit> splits = splits_of(stage, 0, dim, true, false);
    if (extent.is_number()) {
        return {};
    }
    const int64_t points = rounded_points(splits);
    if (points == 1) {
        return long_enough(splits, extent);
    }
    const Index rounded = extent / points * points;
    Facts facts = long_enough(splits, rounded);
    facts.insert(facts.begin(), eq(extent, rounded));
    return facts;
}

} // namespace fluorite::verify
