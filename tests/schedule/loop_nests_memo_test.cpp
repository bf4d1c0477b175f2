// After each of many random single changes of schedules, LoopNests gives the nest that is built from scratch, or the
// same refusal.
#include "fluorite/fluorite.h"
#include "language/freeze.h"
#include "loopnest/explain/nest_text.h"
#include "loopnest/loop_nests.h"
#include "schedule/directives/directives.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace fluorite::loop_nests_memo_test {
namespace {

// ---- Pipelines.

Func reductions() {
    const ImageParam input(Int(32), 2, "input");
    const Param<bool> sharp("sharp");
    const Var x("x"), y("y");
    Func source("source"), rows("rows"), sums("sums"), peak("peak"), histogram("histogram"), out("out");
    const RDom r(0, 5, "r"), b(0, 16, 0, 4, "b");
    source(x, y) = BoundaryConditions::repeat_edge(input)(x, y);
    rows(x, y) = source(x - 1, y) + source(x + 1, y);
    rows(x, y) += source(x, y - 1) * 2;
    sums(x, y) = 0;
    sums(x, y) += rows(x, y + r);
    peak(x, y) = max(sums(x, y), rows(x, y));
    histogram(x) = 0;
    histogram(clamp(source(b.x, b.y) % 8, 0, 7)) += 1;
    out(x, y) = select(sharp, peak(x, y) * 3 - peak(x - 1, y), sums(x, y)) + histogram(x % 8);
    out(x, y) += rows(x, y);
    return out;
}

Func windows() {
    const ImageParam input(Float(32), 2, "input");
    const Var x("x"), y("y");
    Func before("f0");
    before(x, y) = input(x, y);
    for (int i = 1; i <= 6; i++) {
        Func next("f" + std::to_string(i));
        const Func clamped = BoundaryConditions::constant_exterior(before, 0.0f, {{0, 64}, {0, 48}});
        next(x, y) = i % 2 ? clamped(x, y - 1) + clamped(x, y + 1) : before(x - 1, y) * 0.5f + before(x, y + i);
        before = next;
    }
    return before;
}

Func pyramid() {
    const ImageParam input(UInt(16), 2, "input");
    const Var x("x"), y("y");
    std::vector<Func> levels(3);
    levels[0] = Func("level0");
    levels[0](x, y) = cast<int32_t>(BoundaryConditions::mirror_interior(input)(x, y));
    for (int i = 1; i < 3; i++) {
        const Func &from = levels[static_cast<size_t>(i) - 1];
        levels[static_cast<size_t>(i)] = Func("level" + std::to_string(i));
        levels[static_cast<size_t>(i)](x, y) = (from(2 * x - 1, 2 * y) + from(2 * x, 2 * y + 1)) / 2;
    }
    Func up = levels[2];
    for (int i = 2; i-- > 0;) {
        Func next("up" + std::to_string(i)), detail("detail" + std::to_string(i));
        detail(x, y) = levels[static_cast<size_t>(i)](x, y) - up(x / 2, y / 2);
        next(x, y) = detail(x, y) + up(x / 2 - 1 + 2 * (x % 2), y / 2);
        up = next;
    }
    return up;
}

Func pairs() {
    const ImageParam input(Int(32), 2, "input");
    const Var x("x"), y("y");
    Func a("a"), b("b"), c("c"), out("out");
    a(x, y) = Tuple(input(x, y), input(x + 1, y) * 2);
    b(x, y) = a(x, y)[0] - a(x, y + 1)[1];
    c(x, y) = a(x + 2, y)[1] * 3;
    out(x, y) = b(x, y) + c(x, y - 1) + b(x + 1, y);
    return out;
}

// ---- Changes.

/// A schedule that changes by one directive at a time.
class Changer {
  public:
    Changer(const schedule::ScheduledGraph &pipeline, uint64_t seed)
        : graph_(pipeline.graph), schedule_(pipeline.schedule), random_(seed) {}

    const schedule::Schedule &schedule() const { return schedule_; }
    void take_back() { schedule_ = before_; }
    /// Tries directives until the call of one is accepted.
    void change() {
        before_ = schedule_;
        while (!try_one()) {
            schedule_ = before_;
        }
    }

  private:
    const ir::Graph &graph_;
    schedule::Schedule schedule_, before_;
    std::mt19937_64 random_;

    size_t below(size_t n) { return random_() % n; }
    template <typename T> const T &one_of(const std::vector<T> &all) { return all[below(all.size())]; }

    std::string loop_of(const schedule::StageSchedule &stage) {
        return stage.dims.empty() ? "none" : one_of(stage.dims).var;
    }
    schedule::LoopLevel level() {
        const FuncId func(below(graph_.funcs.size()));
        const std::vector<schedule::StageSchedule> &stages = schedule_.func(func).stages;
        const int stage = static_cast<int>(below(stages.size()));
        return below(4) == 0 ? schedule::LoopLevel::root()
                             : schedule::LoopLevel::at(graph_.func(func).symbol, below(2) == 0 ? -1 : stage,
                                                       loop_of(stages[static_cast<size_t>(stage)]));
    }

    bool try_one() {
        const FuncId func(below(graph_.funcs.size()));
        try {
            below(2) == 0 ? change_func(func) : change_stage(func);
        } catch (const CompileError &) {
            return false;
        }
        return true;
    }

    void change_func(FuncId id) {
        const ir::FuncDef &func = graph_.func(id);
        schedule::FuncSchedule &its = schedule_.func(id);
        const schedule::FuncRef ref{func.name(), &its, func.arg_names};
        const Expr factor = Expr(1 << (1 + below(4)));
        const Location here = Location::current();
        const std::string dimension = func.arg_names.empty() ? "none" : one_of(func.arg_names);
        switch (below(14)) {
        case 0:
        case 1:
        case 2:
        case 3:
            return schedule::compute_at(ref, level()).or_raise();
        case 4:
        case 5:
            return schedule::store_at(ref, level()).or_raise();
        case 6:
            return schedule::hoist_storage(ref, level()).or_raise();
        case 7:
            return schedule::align_storage(ref, dimension, factor, here).or_raise();
        case 8:
            return schedule::fold_storage(ref, dimension, factor, true, here).or_raise();
        case 9:
            return schedule::bound(ref, dimension, Expr(0), Expr(64), here).or_raise();
        case 10:
            return schedule::align_bounds(ref, dimension, factor, Expr(0), here).or_raise();
        case 11:
            return schedule::set_mark(ref, schedule::DirectiveName::async, Expr(), here).or_raise();
        case 12:
            return schedule::set_mark(ref, schedule::DirectiveName::ring_buffer, factor, here).or_raise();
        default: // inlined, without any directive
            its = {};
            for (size_t k = 0; k < func.stages.size(); k++) {
                its.stages.push_back(schedule::default_stage_schedule(func, func.stages[k], k > 0));
            }
        }
    }

    void change_stage(FuncId id) {
        const ir::FuncDef &func = graph_.func(id);
        schedule::FuncSchedule &its = schedule_.func(id);
        const size_t k = below(its.stages.size());
        schedule::StageRef stage{func.name(),    static_cast<int>(k), &its.stages[k], &its,
                                 func.arg_names, &func.stages[k],     &func,          {}};
        if (!its.stages[k].specializations.empty() && below(2) == 0) {
            stage = stage.specialized(0);
        }
        const std::string loop = loop_of(*stage.schedule), other = loop_of(*stage.schedule);
        const Expr factor = Expr(static_cast<int>(2 + below(7)));
        const Location here = Location::current();
        const auto tail = static_cast<TailStrategy>(below(static_cast<size_t>(TailStrategy::Auto) + 1));
        switch (below(11)) {
        case 0:
        case 1:
            return schedule::split(stage, loop, loop + "o", loop + "i", factor, tail, here).or_raise();
        case 2:
            return schedule::vectorize(stage, loop, factor, tail, here).or_raise();
        case 3:
            return schedule::unroll(stage, loop, factor, tail, here).or_raise();
        case 4:
            return schedule::parallel(stage, loop, factor, tail, here).or_raise();
        case 5:
            return schedule::reorder(stage, {loop, other}, here).or_raise();
        case 6:
            return schedule::fuse(stage, loop, other, loop + "f", here).or_raise();
        case 7:
            return schedule::set_for_type(stage, loop, static_cast<ForType>(below(4)), here).or_raise();
        case 8:
            if (graph_.params.empty()) {
                return schedule::rename(stage, loop, loop + "r", here).or_raise();
            }
            schedule::specialize(stage, make_var(Bool(), graph_.params[0].symbol), here).or_raise();
            return;
        case 9: {
            const ir::FuncDef &with = graph_.func(FuncId(below(graph_.funcs.size())));
            return schedule::compute_with(stage, schedule::LoopLevel::at(with.symbol, 0, loop, here), {}).or_raise();
        }
        default:
            if (graph_.inputs.empty()) {
                return;
            }
            return schedule::prefetch(stage, graph_.inputs[0].symbol, loop, loop, Expr(1),
                                      PrefetchBoundStrategy::GuardWithIf, here)
                .or_raise();
        }
    }
};

template <typename Make> std::string text_of(const Make &make, bool &is_refused) {
    try {
        is_refused = false;
        return to_text(make());
    } catch (const CompileError &error) {
        is_refused = true;
        return error.what();
    }
}

class LoopNestsMemo : public testing::TestWithParam<int> {};

TEST_P(LoopNestsMemo, NestsAreThoseMadeFromScratch) {
    const std::vector<Func (*)()> programs = {reductions, windows, pyramid, pairs};
    const Func output = programs[static_cast<size_t>(GetParam()) % programs.size()]();
    const schedule::ScheduledGraph pipeline = language::freeze({output});
    const loopnest::NestOptions options{{}, GetParam() < 4};
    loopnest::LoopNests nests(pipeline.graph, options);
    Changer changer(pipeline, static_cast<uint64_t>(GetParam()));
    int made = 0;
    for (int i = 0; i < 100; i++) {
        changer.change();
        bool is_refused = false, is_refused_again = false;
        const schedule::ScheduledGraph scheduled{pipeline.graph, changer.schedule(), nullptr, {}};
        const std::string expected = text_of([&] { return loopnest::make_loop_nest(scheduled, options); }, is_refused);
        const std::string seen = text_of([&] { return nests.make(changer.schedule()).or_raise(); }, is_refused_again);
        ASSERT_EQ(seen, expected) << "after " << i << " changes";
        if (is_refused) {
            changer.take_back();
        } else {
            made++;
        }
    }
    EXPECT_GT(made, 10);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LoopNestsMemo, testing::Range(0, 8));

/// What a specialization knows of a Param changes the definitions inside of it, which keep their names.
TEST(LoopNestsOfSpecializations, KnowTheConditionsNumber) {
    const ImageParam input(Int(32), 2, "input");
    const Param<int> first("first"), taps("taps");
    const Var x("x"), y("y");
    const RDom r(first, taps, "r");
    std::vector<schedule::ScheduledGraph> pipelines;
    for (const auto &[from, count] : {std::pair(1, 3), {1, 4}, {2, 3}, {1, 3}}) {
        Func sums("sums"), out("out");
        sums(x, y) = 0;
        sums(x, y) += input(x + r, y);
        out(x, y) = sums(x, y) + sums(x, y + 1);
        sums.compute_at(out, y);
        out.specialize(first == from && taps == count).vectorize(x, 4);
        pipelines.push_back(language::freeze({out}));
    }
    loopnest::LoopNests nests(pipelines[0].graph);
    for (const schedule::ScheduledGraph &pipeline : pipelines) {
        const schedule::ScheduledGraph scheduled{pipelines[0].graph, pipeline.schedule, nullptr, {}};
        EXPECT_EQ(to_text(nests.make(pipeline.schedule).or_raise()), to_text(loopnest::make_loop_nest(scheduled)));
    }
}

} // namespace
} // namespace fluorite::loop_nests_memo_test
