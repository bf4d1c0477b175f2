// The refusals of directives on loops: a slug and a text for each rule of schedule/loop_rules.h.
//
// A text is `<directive> of <what was seen>; <the rule>; <the fix>`, with the user's names. The rules themselves
// contain no texts, so a search that asks them a million times does not build any.

#include "schedule/directives/common.h"
#include "schedule/directives/table.h"
#include "schedule/limits.h"
#include "schedule/loop_rules.h"
#include "support/check.h"
#include "support/loop_name.h"

#include "rewrite/simplify.h"

namespace fluorite::schedule {

namespace {

using Rule = LoopVerdict::Rule;

class Refusal {
  public:
    Refusal(const StageRef &stage, const LoopVerdict &verdict, const LoopCall &call)
        : stage_(stage), verdict_(verdict), call_(call), directive_(verdict.directive) {}

    LoopRefusal run() const {
        switch (verdict_.broken) {
        case Rule::None:
            break;
        case Rule::UnknownLoop:
            return {"unknown-loop-variable", directive_ + " names " + shown_loop(*verdict_.name) +
                                                 "; a directive names loops of the stage it is called on; its loops "
                                                 "are " +
                                                 loops()};
        case Rule::NameTaken:
            return {"loop-name-taken", directive_ + " makes a loop named " + *verdict_.name +
                                           ", which exists already; loops of a stage have " +
                                           "distinct names; use another Var, the loops are " + loops()};
        case Rule::SamePartNames:
            return {"loop-name-taken", "split of " + call_.var + " names both loops " + call_.outer +
                                           "; loops of a stage have distinct names; use two Vars"};
        case Rule::FuseWithItself:
            return {"loop-name-taken",
                    "fuse of " + call_.inner + " with itself; fuse joins two loops; name two loops of " + loops()};
        case Rule::FactorType:
            return {"split-factor-not-integer", directive_ + " of " + call_.var +
                                                    " has a factor that is not an integer; a factor counts loop " +
                                                    "iterations; pass an int"};
        case Rule::FactorValue:
            return {"directive-value", directive_ + " of " + call_.var + " has a factor that uses " +
                                           unknown_at_entry(call_.factor) + value_rule()};
        case Rule::FactorNotPositive:
            return {"split-factor-not-positive",
                    concat(directive_, " of ", call_.var, " by ", verdict_.number,
                           "; a factor counts loop iterations and is 1 or more; pass a positive factor")};
        case Rule::FactorTooLarge:
            return {"factor-too-large", concat(directive_, " of ", call_.var, " by ", verdict_.number, too_large())};
        case Rule::SplitOfMarked:
            return split_of_marked();
        case Rule::FuseOfMarked:
            return {"split-of-marked-loop", "fuse of " + loop(verdict_.loop) + ", which is already " +
                                                (dim(verdict_.loop).distributed ? "distributed, as the inner loop"
                                                                                : "vectorized, unrolled or parallel") +
                                                "; loops are fused before they are marked; call fuse first"};
        case Rule::CutOfPrefetched:
            return {"split-of-marked-loop", directive_ + " of " + *verdict_.name +
                                                ", which prefetch names; a loop is cut before it is marked; call " +
                                                directive_ + " first"};
        case Rule::SkewByItself:
        case Rule::SkewOfMarked:
        case Rule::SkewFactor:
            return skew();
        case Rule::RepeatedLoop:
            return {"reorder-repeats-loop",
                    "reorder names " + *verdict_.name + " twice; each loop has one place; name it once"};
        case Rule::ReductionOrder:
            return reduction_order();
        case Rule::MarkedTwice:
            return {"loop-marked-twice", directive_ + " of " + call_.var + ", which is already marked " +
                                             name_of(dim(verdict_.loop).for_type) +
                                             "; a loop runs in one way; split it, or call serial(" + call_.var +
                                             ") first"};
        case Rule::TooWide:
            return {"vectorize-too-wide", too_wide(*verdict_.name, verdict_.number)};
        case Rule::TooLong:
            return {"unroll-too-long", too_long(*verdict_.name, verdict_.number)};
        case Rule::DependentAtOnce:
        case Rule::RaceAtOnce:
            return dependence();
        case Rule::NoSuchTail:
        case Rule::TailOnRVar:
        case Rule::ShiftInUpdate:
        case Rule::LoadsOfPart:
        case Rule::TailOfSkewed:
            return tail();
        case Rule::BlendAtOnce:
            return blend();
        }
        unreachable("what is legal is not refused");
    }

  private:
    const StageRef &stage_;
    const LoopVerdict &verdict_;
    const LoopCall &call_;
    const std::string directive_;

    const LoopDim &dim(int loop) const { return stage_.schedule->dims[static_cast<size_t>(loop)]; }
    const std::string &loop(int loop) const { return dim(loop).var; }
    std::string loops() const { return join(loop_names(*stage_.schedule)); }

    LoopRefusal split_of_marked() const {
        const std::string mark = name_of(dim(verdict_.loop).for_type);
        return {"split-of-marked-loop",
                "split of " + call_.var + ", which " + mark + "() has marked; a loop is split " +
                    "before it is marked, unless it is parallel; split it first, then mark " +
                    "one of the parts, as in split(" + call_.var + ", outer, inner, 8)." + mark + "(inner)"};
    }

    LoopRefusal skew() const {
        switch (verdict_.broken) {
        case Rule::SkewByItself:
            return {"skew-by-itself", "skew of " + call_.var +
                                          " by itself; a loop is shifted by a multiple of another "
                                          "one; name that loop second"};
        case Rule::SkewFactor:
            return {"skew-factor", concat("skew of ", call_.var, " by ", call_.outer, " with the factor ", call_.factor,
                                          "; it is a constant integer other than 0 between -2^30 and 2^30; use 1, or "
                                          "as many iterations as dependences reach")};
        default:
            return {"split-of-marked-loop", directive_ + " beside loop " + loop(verdict_.loop) + ", which is already " +
                                                (dim(verdict_.loop).distributed ? "distributed" : "marked") +
                                                "; loops are skewed and fused before they are marked; call " +
                                                directive_ + " first"};
        }
    }

    LoopRefusal reduction_order() const {
        std::vector<std::string> order;
        for (const LoopDim &each : stage_.schedule->dims) {
            if (each.is_rvar && !each.reorderable) {
                order.push_back(each.var);
            }
        }
        return {"reorder-changes-reduction",
                directive_ + " moves RVar loop " + loop(verdict_.loop) + " inside of " + loop(verdict_.other) +
                    ", and " + why_order_counts(stage_) +
                    "; iterations of a reduction keep their order unless they are independent or commute bit for " +
                    "bit; keep the order " + join(order) + " (innermost first)" + way_to_reassociate(stage_)};
    }

    LoopRefusal dependence() const {
        const std::string seen = directive_ + " of RVar loop " + call_.var;
        const std::string other_loop = directive_ + " a loop over a pure Var";
        return {"parallel-over-dependence",
                verdict_.broken == Rule::DependentAtOnce
                    ? seen + "; its iterations read or write what another one writes, and " + why_order_counts(stage_) +
                          "; keep it serial, or " + other_loop + way_to_reassociate(stage_)
                    : seen + "; its iterations update the same points at once, which is a race; call atomic() first, " +
                          "make partial results with rfactor(), or " + other_loop};
    }

    LoopRefusal tail() const {
        const std::string &var = call_.var;
        const auto with_tail = [&] { return "split of " + var + " with TailStrategy::" + tail_word(call_.tail); };
        switch (verdict_.broken) {
        case Rule::TailOnRVar:
            return {"tail-strategy-on-rvar",
                    with_tail() + "; an iteration of a reduction happens exactly once; use TailStrategy::GuardWithIf"};
        case Rule::ShiftInUpdate:
            return {"shift-inwards-in-update",
                    with_tail() +
                        "; an update that runs twice on a point changes it twice; use TailStrategy::GuardWithIf or "
                        "RoundUp"};
        case Rule::TailOfSkewed:
            return {"tail-strategy-not-supported",
                    with_tail() + ", a loop of a skew; its range ends with the region, whose points no other "
                                  "iteration may compute; use TailStrategy::GuardWithIf"};
        case Rule::LoadsOfPart:
            return {"tail-strategy-not-supported",
                    "split of " + var +
                        ", a part of another split, with TailStrategy::PredicateLoads; its stores beyond the " +
                        "end have no values and could fall on points of other pieces; use TailStrategy::Predicate"};
        default:
            return {"tail-strategy-not-supported",
                    concat("split of ", var, " with the tail strategy ", static_cast<int>(call_.tail),
                           ", which is none; use one of TailStrategy's names")};
        }
    }

    LoopRefusal blend() const {
        const bool is_asked_for = verdict_.split < 0;
        const std::string &cut =
            is_asked_for ? call_.var : stage_.schedule->splits[static_cast<size_t>(verdict_.split)].old_var;
        const TailStrategy tail =
            is_asked_for ? call_.tail : stage_.schedule->splits[static_cast<size_t>(verdict_.split)].tail;
        return {"blend-of-concurrent-iterations",
                directive_ + " makes iterations of loop " + *verdict_.name + " run at once, and the split of " + cut +
                    " has TailStrategy::" + tail_word(tail) +
                    "; a tail that is blended stores old values of points that other iterations compute; use "
                    "TailStrategy::GuardWithIf, or keep the loop serial"};
    }
};

} // namespace

LoopRefusal refusal_of(const StageRef &stage, const LoopVerdict &verdict, const LoopCall &call) {
    return Refusal(stage, verdict, call).run();
}

Verdict require(const StageRef &stage, const LoopVerdict &verdict, const LoopCall &call, const Location &location) {
    if (verdict) {
        return {};
    }
    const LoopRefusal refusal = refusal_of(stage, verdict, call);
    return refused(stage, refusal.slug, refusal.text, location);
}

Verdict require_edit(const StageRef &stage, const LoopVerdict &verdict, const LoopCall &call, const char *directive,
                     const Location &location) {
    return verdict ? require_scheduled(stage, directive, location) : require(stage, verdict, call, location);
}

} // namespace fluorite::schedule
