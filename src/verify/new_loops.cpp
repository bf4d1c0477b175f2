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

struct PlannedLoop {
    std::string var;
    Index extent = 0;
    Index from = 0; // the iteration, over the old indices
};

class Planner {
  public:
    Planner(const std::string &func, const std::vector<Dimension> &dims, const std::vector<std::string> &names,
            bool is_output)
        : func_(func), is_output_(is_output) {
        for (size_t d = 0; d < dims.size(); d++) {
            loops_.push_back({names[d], dims[d].extent, Index(dims[d].loop)});
            plan_.loops.at.push_back(Index(word(names[d])));
        }
    }

    LoopPlan run(const schedule::StageSchedule &stage) {
        for (const Split &split : stage.splits) {
            apply(split);
        }
        for (auto dim = stage.dims.rbegin(); dim != stage.dims.rend(); ++dim) {
            auto found = find(dim->var);
            if (found == loops_.end()) {
                plan_.possible = false;
                continue;
            }
            plan_.loops.loops.emplace_back(word(found->var), found->extent);
            plan_.loops.from.push_back(found->from);
            plan_.user_names.push_back(found->var);
            plan_.marks.push_back(mark_of(dim->for_type));
        }
        if (plan_.loops.loops.size() != loops_.size()) {
            plan_.possible = false;
        }
        if (!plan_.possible) {
            plan_.directives.push_back({func_, "loops", "a split of it is not covered"});
        } else if (is_reordered(stage)) {
            plan_.directives.push_back({func_, "reorder", ""});
        }
        return std::move(plan_);
    }

  private:
    std::string word(const std::string &var) const { return loop_word(func_, 0, var); }
    std::vector<PlannedLoop>::iterator find(const std::string &var) {
        return std::ranges::find_if(loops_, [&](const PlannedLoop &loop) { return loop.var == var; });
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
    void refuse(const Split &split, const std::string &directive, const std::string &reason) {
        plan_.directives.push_back({func_, directive, reason});
        plan_.possible = false;
        (void)split;
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
        for (size_t l = 0; l < loops_.size(); l++) {
            if (stage.dims[stage.dims.size() - 1 - l].var != loops_[l].var) {
                return true;
            }
        }
        return false;
    }

    void apply(const Split &split) {
        switch (split.kind) {
        case Split::Kind::Rename: {
            auto loop = find(split.old_var);
            if (loop == loops_.end()) {
                return refuse(split, "rename(" + split.old_var + ")", "the loop is not in the term");
            }
            replace(split.old_var, Index(word(split.outer)));
            loop->var = split.outer;
            plan_.directives.push_back({func_, "rename(" + split.old_var + ")", ""});
            return;
        }
        case Split::Kind::Fuse:
            return fuse(split);
        case Split::Kind::Skew:
            return refuse(split, "skew(" + split.old_var + ", " + split.inner + ")",
                          "ranges of loops of terms do not depend on other loops");
        case Split::Kind::Split:
            return cut(split);
        }
    }

    void fuse(const Split &split) {
        std::string directive = "fuse(" + split.inner + ", " + split.outer + ", " + split.old_var + ")";
        auto inner = find(split.inner), outer = find(split.outer);
        if (inner == loops_.end() || outer == loops_.end()) {
            return refuse(split, directive, "a loop is not in the term");
        }
        if (!inner->extent.is_number() || inner->extent.value() <= 0) {
            return refuse(split, directive,
                          "the extent of the inner loop is no constant; witnesses would need products of sizes");
        }
        Index fused = word(split.old_var);
        replace(split.outer, fused / inner->extent);
        replace(split.inner, fused % inner->extent);
        PlannedLoop loop{split.old_var, simplified(outer->extent * inner->extent),
                         outer->from * inner->extent + inner->from};
        *outer = loop;
        loops_.erase(find(split.inner));
        plan_.directives.push_back({func_, directive, ""});
    }

    void cut(const Split &split) {
        TailStrategy tail = resolved(split.tail, is_output_, split.exact);
        std::string directive = "split(" + split.old_var + ", " + schedule::tail_word(split.tail) + ")";
        auto old = find(split.old_var);
        int64_t factor;
        if (old == loops_.end()) {
            return refuse(split, directive, "the loop is not in the term");
        }
        if (!ir::is_const_int(split.factor, &factor) || factor <= 0) {
            return refuse(split, directive, "the factor is no constant; witnesses would need products of names");
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
        PlannedLoop second{split.inner, k, inner_from};
        *old = {split.outer, pieces, factor == 1 ? t : t / k};
        loops_.insert(find(split.outer) + 1, second);
        plan_.directives.push_back({func_, directive, reason});
    }

    const std::string func_;
    const bool is_output_;
    std::vector<PlannedLoop> loops_; // outermost first, as the splits leave them
    LoopPlan plan_;
};

} // namespace

LoopPlan plan_loops(const std::string &func, const schedule::StageSchedule &stage, const std::vector<Dimension> &dims,
                    const std::vector<std::string> &names, bool is_output) {
    return Planner(func, dims, names, is_output).run(stage);
}

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
