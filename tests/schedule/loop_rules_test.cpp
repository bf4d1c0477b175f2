// The rules of loops: directives refuse with the exact text, and a search may query the rules without exceptions or
// growing memory.

#include "schedule/loop_rules.h"

#include "fluorite/fluorite.h"
#include "language/function.h"

#include <functional>
#include <gtest/gtest.h>
#include <malloc.h>

namespace fluorite::loop_rules_test {

namespace {

using schedule::LoopRules;
using schedule::LoopVerdict;

const std::string name;
const Expr factor;
static_assert(noexcept(std::declval<LoopRules &>().split(name, name, name, factor, TailStrategy::Auto)));
static_assert(noexcept(std::declval<LoopRules &>().fuse(name, name, name)));
static_assert(noexcept(std::declval<LoopRules &>().rename(name, name)));
static_assert(noexcept(std::declval<LoopRules &>().reorder(std::span<const std::string>())));
static_assert(noexcept(std::declval<LoopRules &>().mark(name, ForType::Serial)));
static_assert(noexcept(std::declval<LoopRules &>().split_and_mark(name, name, factor, ForType::Parallel,
                                                                  TailStrategy::Auto)));

/// A histogram-like update with loops of all kinds, and a pure definition with blended tails.
struct Program {
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"};
    RDom r{0, 10, 0, 20, "r"};
    ImageParam in{Int(32), 2, "in"};
    Func f{"f"};

    Program() {
        f(x, y) = in(x, y);
        f(x, y) = f(x, y) * 3 + in(r.x, r.y);
        f.split(x, xo, xi, 8, TailStrategy::ShiftInwardsAndBlend);
        f.update(0).vectorize(x, 8);
    }
    schedule::StageRef stage(int k) { return f.function()->stage_ref(k, {}); }
};

/// The refusal of a directive when it is called; empty if it is legal.
std::string said(const std::function<void()> &directive) {
    try {
        directive();
    } catch (const CompileError &error) {
        return error.slug() + ": " + error.message();
    }
    return "";
}

TEST(LoopRules, DirectivesRefuseWhatTheRulesSay) {
    const std::vector<std::string> names = {"x", "y", "xo", "xi", "xv", "r$x", "r$y", "t"};
    int legal = 0, refused = 0;
    const auto compare = [&](int k, const auto &ask, const std::function<void(const schedule::StageRef &)> &call) {
        Program program;
        const schedule::StageRef stage = program.stage(k);
        const LoopVerdict verdict = ask(LoopRules(stage));
        const std::string text = said([&] { call(stage); });
        EXPECT_EQ(text.empty(), static_cast<bool>(verdict)) << text;
        legal += verdict ? 1 : 0;
        refused += verdict ? 0 : 1;
    };
    for (int k = 0; k < 2; k++) {
        for (const std::string &a : names) {
            for (const std::string &b : names) {
                compare(
                    k, [&](const LoopRules &rules) { return rules.rename(a, b); },
                    [&](const auto &stage) { rename(stage, a, b, {}).or_raise(); });
                compare(
                    k, [&](const LoopRules &rules) { return rules.fuse(a, b, "t"); },
                    [&](const auto &stage) { fuse(stage, a, b, "t", {}).or_raise(); });
                const std::vector<std::string> order = {a, b};
                compare(
                    k, [&](const LoopRules &rules) { return rules.reorder(order); },
                    [&](const auto &stage) { reorder(stage, order, {}).or_raise(); });
                for (int tail = 0; tail <= static_cast<int>(TailStrategy::Auto); tail++) {
                    const auto strategy = static_cast<TailStrategy>(tail);
                    compare(
                        k, [&](const LoopRules &rules) { return rules.split(a, a, b, 4, strategy); },
                        [&](const auto &stage) { split(stage, a, a, b, 4, strategy, {}).or_raise(); });
                    for (const ForType type : {ForType::Parallel, ForType::Vectorized, ForType::Unrolled}) {
                        compare(
                            k, [&](const LoopRules &rules) { return rules.split_and_mark(a, b, 4, type, strategy); },
                            [&](const auto &stage) { split_and_mark(stage, a, b, 4, type, strategy, {}).or_raise(); });
                    }
                }
            }
            for (const ForType type : {ForType::Serial, ForType::Parallel, ForType::Vectorized, ForType::Unrolled}) {
                compare(
                    k, [&](const LoopRules &rules) { return rules.mark(a, type); },
                    [&](const auto &stage) { set_for_type(stage, a, type, {}).or_raise(); });
            }
        }
    }
    EXPECT_GT(legal, 500);
    EXPECT_GT(refused, 1000);
}

TEST(LoopRules, SayWhatIsBrokenAndWhatIsLegal) {
    Program program;
    const schedule::StageRef pure = program.stage(0), update = program.stage(1);
    const LoopRules of_pure(pure), of_update(update);
    EXPECT_EQ(of_pure.mark("q", ForType::Parallel).broken, LoopVerdict::Rule::UnknownLoop);
    const LoopVerdict blend = of_pure.mark("xo", ForType::Parallel);
    EXPECT_EQ(blend.broken, LoopVerdict::Rule::BlendAtOnce);
    EXPECT_EQ(blend.split, 0);
    EXPECT_TRUE(of_pure.mark("xi", ForType::Vectorized)) << "the loop that the split makes may run at once";
    EXPECT_EQ(of_pure.legal_types("xo").to_string(), "00001001") << "serial and unrolled";
    EXPECT_EQ(of_pure.legal_types("y").to_string(), "11101111") << "all but forked, which no directive asks for";
    const std::vector<std::string> exchanged = {"r$y", "r$x"};
    const LoopVerdict order = of_update.reorder(exchanged);
    EXPECT_EQ(order.broken, LoopVerdict::Rule::ReductionOrder);
    EXPECT_EQ(update.schedule->dims[static_cast<size_t>(order.loop)].var, "r$y");
    EXPECT_EQ(update.schedule->dims[static_cast<size_t>(order.other)].var, "r$x");
    const auto tails = of_update.legal_tails("r$x");
    EXPECT_TRUE(tails[static_cast<size_t>(TailStrategy::GuardWithIf)]);
    EXPECT_FALSE(tails[static_cast<size_t>(TailStrategy::RoundUp)]);
}

TEST(LoopRules, AMillionQuestionsTakeNoMemory) {
    Program program;
    const std::vector<std::string> names = {"x", "y", "xo", "xi", "xv", "r$x", "r$y", "t"};
    const schedule::StageRef stages[] = {program.stage(0), program.stage(1)};
    const LoopRules rules[] = {LoopRules(stages[0]), LoopRules(stages[1])};
    const std::vector<std::vector<std::string>> orders = {{"y", "xi", "xo"}, {"x", "y", "xv"}, {"y", "r$x"}};
    const Expr factors[] = {4, 16, 2000};
    uint32_t state = 1;
    const auto draw = [&](size_t below) {
        state = state * 1664525 + 1013904223;
        return static_cast<size_t>(state >> 16) % below;
    };
    size_t legal = 0;
    const auto ask = [&](int questions) {
        for (int i = 0; i < questions; i++) {
            const LoopRules &stage = rules[draw(2)];
            const std::string &a = names[draw(names.size())], &b = names[draw(names.size())];
            const auto tail = static_cast<TailStrategy>(draw(9));
            const auto type = static_cast<ForType>(draw(4));
            switch (draw(5)) {
            case 0:
                legal += stage.split(a, a, b, factors[draw(3)], tail) ? 1 : 0;
                break;
            case 1:
                legal += stage.fuse(a, b, "t") ? 1 : 0;
                break;
            case 2:
                legal += stage.reorder(orders[draw(3)]) ? 1 : 0;
                break;
            case 3:
                legal += stage.mark(a, type) ? 1 : 0;
                break;
            default:
                legal += stage.split_and_mark(a, b, factors[draw(3)], type, tail) ? 1 : 0;
                break;
            }
        }
    };
    ask(100'000);
    const size_t before = mallinfo2().uordblks;
    ask(1'000'000);
    EXPECT_LE(mallinfo2().uordblks, before + 64 * 1024);
    EXPECT_GT(legal, 100'000U);
}

} // namespace

} // namespace fluorite::loop_rules_test
