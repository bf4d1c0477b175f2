#include "verify/new_loops.h"

#include "schedule/directives/table.h"

#include <algorithm>
#include <cctype>

namespace fluorite::verify {

using schedule::Split;

std::string loop_word(const std::string &func, int stage, const std::string &var) {
    std::string name = func + (stage ? ".s" + std::to_string(stage) : "") + ".L." + var;
    for (char &c : name) {
        c = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ? c : '_';
    }
    return std::isalpha(static_cast<unsigned char>(name[0])) ? name : "n_" + name;
}

// What a tail does to the loop: Auto is taken for what the compiler chooses in general, ShiftInwards for outputs and
// RoundUp for others.
static TailStrategy resolved(TailStrategy tail, bool is_output, bool exact) {
    if (tail != TailStrategy::Auto) {
        return tail;
    }
    return exact ? TailStrategy::GuardWithIf : is_output ? TailStrategy::ShiftInwards : TailStrategy::RoundUp;
}

namespace {

struct Level {
    std::string var;
    Index extent = 0;
    Index from = 0;             // of loops over elements: the iteration, over the old indices
    std::string reduction = {}; // of loops of a reduction: the name in the term
};

class Planner {
  public:
    explicit Planner(const StageLoops &nest) : func_(nest.func), stage_(nest.stage), is_output_(nest.is_output) {
        for (size_t d = 0; d < nest.dims.size(); d++) {
            loops_.push_back({nest.names[d], nest.dims[d].extent, Index(nest.dims[d].loop)});
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
    std::string word(const std::string &var) const { return loop_word(func_, stage_, var); }
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

    // The loops in the order of the schedule. Those of a reduction keep theirs: another one takes laws.
    void order(const schedule::StageSchedule &stage) {
        size_t found_reductions = 0;
        bool keeps_order = true;
        for (auto dim = stage.dims.rbegin(); dim != stage.dims.rend(); ++dim) {
            const std::optional<Term::Mark> mark = mark_of(dim->for_type);
            if (auto r = find_in(reductions_, dim->var); r != reductions_.end()) {
                keeps_order = keeps_order && size_t(r - reductions_.begin()) == found_reductions++;
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
        if (plan_.order.size() != loops_.size() + reductions_.size()) {
            plan_.possible = false;
        }
        if (!keeps_order) {
            refuse(named("reorder"), "the loops of the reduction run in another order, which takes laws");
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
        default:
            return std::nullopt;
        }
    }
    // Whether the loops are in another order than the splits leave them in.
    bool is_reordered(const schedule::StageSchedule &stage) const {
        Levels before = loops_;
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
        if (!inner->extent.is_number() || inner->extent.value() <= 0) {
            return refuse(directive,
                          "the extent of the inner loop is no constant; witnesses would need products of sizes");
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
        // An update must not run twice for an element, hence its pieces are guarded.
        TailStrategy tail = resolved(split.tail, is_output_, split.exact || stage_ > 0);
        std::string directive = named("split(" + split.old_var + ", " + schedule::tail_word(split.tail) + ")");
        auto old = find(split.old_var);
        int64_t factor;
        if (old == loops_.end()) {
            return refuse(directive, "the loop is not in the term");
        }
        if (!ir::is_const_int(split.factor, &factor) || factor <= 0) {
            return refuse(directive, "the factor is no constant; witnesses would need products of names");
        }
        Index k = factor, n = old->extent, t = old->from;
        bool is_multiple = n.kind() == Index::Kind::Mul && n.b().is_number(factor);
        bool divides = is_multiple || (n.is_number() && n.value() % factor == 0);
        Index outer = word(split.outer), inner = word(split.inner);
        Index pieces = n.is_number() ? Index((n.value() + factor - 1) / factor) : simplified(n + (factor - 1)) / k;
        Index inner_from = t % k;
        if (is_multiple) {
            pieces = n.a();
        }
        if (factor == 1) {
            pieces = n;
            inner_from = 0;
        }
        std::string reason;
        Index x = outer * k + inner;
        if (divides || factor == 1) {
            replace(split.old_var, x);
        } else if (tail == TailStrategy::ShiftInwards && (!n.is_number() || n.value() >= factor)) {
            replace(split.old_var, min(outer * k, n - k) + inner);
            inner_from = t - min(t / k * k, n - k);
        } else {
            // Rounding up computes elements that nobody reads; here the guard leaves them out, except where the region
            // was rounded before.
            replace(split.old_var, x);
            guard(lt(x, n));
            if (tail == TailStrategy::ShiftInwardsAndBlend || tail == TailStrategy::RoundUpAndBlend) {
                reason = "pieces that blend store what was there; the certificate guards them";
            } else if (tail == TailStrategy::PredicateLoads) {
                reason = "only loads are masked; the certificate guards the whole iteration";
            } else if (tail == TailStrategy::RoundUp && !is_output_) {
                reason = "the region is not rounded up in the term; the certificate guards the last piece";
            } else if (tail == TailStrategy::RoundUp) {
                reason = "the size is not known to be a multiple; the certificate guards the last piece";
            } else if (tail == TailStrategy::ShiftInwards) {
                reason = "the extent is smaller than the factor; the certificate guards the only piece";
            }
        }
        Level second{split.inner, k, inner_from};
        *old = {split.outer, pieces, factor == 1 ? t : t / k};
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

    const std::string func_;
    const int stage_;
    const bool is_output_;
    Levels loops_, reductions_; // outermost first, as the splits leave them
    LoopPlan plan_;
};

} // namespace

LoopPlan plan_loops(const StageLoops &loops, const schedule::StageSchedule &stage) { return Planner(loops).run(stage); }

Facts size_facts(const schedule::StageSchedule &stage, const Tensor &output, const std::vector<std::string> &names) {
    Facts facts;
    for (size_t d = 0; d < output.dims.size(); d++) {
        for (const Split &split : stage.splits) {
            int64_t factor;
            bool cuts = split.kind == Split::Kind::Split && split.old_var == names[d];
            if (cuts && resolved(split.tail, true, split.exact) == TailStrategy::ShiftInwards &&
                !output.dims[d].extent.is_number() && ir::is_const_int(split.factor, &factor)) {
                facts.push_back(le(Index(factor), output.dims[d].extent));
            }
        }
    }
    return facts;
}

} // namespace fluorite::verify
