// Programs that exceed limits are refused as early as possible, by an error that names the cause and a remedy; large
// programs within the limits compile.
#include "backends/llvm/codegen.h"
#include "fluorite/fluorite.h"
#include "ir/print.h"
#include "language/freeze.h"
#include "language/test_support.h"
#include "lowering/lower.h"
#include "support/test_text.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <sstream>
#include <string>

namespace fluorite::limits_test {
namespace {

const std::string wide_rule = "; a vector has at most 1024 lanes; vectorize by a factor, as in vectorize(";
const std::string long_rule = "; at most 4096 copies of a body are made; unroll by a factor, as in unroll(";
const std::string large_rule =
    "; coordinates are int32, so that such a number is at most 1073741824; pass a smaller one";

std::string too_wide(const std::string &where, const std::string &loop, int64_t lanes) {
    return where + "vectorize of " + loop + ", a loop of " + std::to_string(lanes) + " iterations" + wide_rule + loop +
           ", 16), and leave the rest to the loop around it";
}
std::string too_long(const std::string &where, const std::string &loop, int64_t copies) {
    return where + "unroll of " + loop + ", a loop of " + std::to_string(copies) + " iterations" + long_rule + loop +
           ", 8), and leave the rest to the loop around it";
}

/// Lowers the Func, and returns the result as text.
std::string lowered(const Func &f, const loopnest::Budget &budget = {}) {
    lowering::LowerOptions options;
    options.budget = budget;
    std::ostringstream text;
    text << ir::with_tasks_in_place(
        lowering::lower(language::freeze(std::vector<Func>{f}, language::FreezeOptions{}), options));
    return text.str();
}

class Limits : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"};
    ImageParam in{Int(32), 1, "in"};
    Func f{"f"};

    /// Expects an error that points at the lines just above `line`.
    void refused(const std::function<void()> &run, const std::string &slug, const std::string &message,
                 unsigned line = 0) {
        language::expect_compile_error(slug, message, run, line);
    }
};

// ---- Lanes and copies.

TEST_F(Limits, FactorsAreRefusedAtTheCall) {
    f(x, y) = x + y;
    refused([&] { f.vectorize(x, 1025); }, "vectorize-too-wide", too_wide("in f, stage 0: ", "x", 1025), __LINE__);
    refused([&] { f.vectorize(x, 100000); }, "vectorize-too-wide", too_wide("in f, stage 0: ", "x", 100000), __LINE__);
    refused([&] { f.unroll(y, 4097); }, "unroll-too-long", too_long("in f, stage 0: ", "y", 4097), __LINE__);
    refused([&] { f.unroll(y, 100000000); }, "unroll-too-long", too_long("in f, stage 0: ", "y", 100000000), __LINE__);
    f.split(x, xo, xi, 2000);
    refused([&] { f.vectorize(xi); }, "vectorize-too-wide", too_wide("in f, stage 0: ", "xi", 2000), __LINE__);
    f.unroll(xi); // 2000 copies are within the limit
    EXPECT_EQ(f.loop_nest().find("vectorized"), std::string::npos);
    f.split(y, yo, yi, 5000);
    refused([&] { f.unroll(yi); }, "unroll-too-long", too_long("in f, stage 0: ", "yi", 5000), __LINE__);
}

TEST_F(Limits, FactorsOfUpdatesAndSpecializationsAreRefusedAtTheCall) {
    RDom r(0, 3000, "r");
    f(x) = 0;
    f(x) += r;
    refused([&] { f.update().vectorize(x, 2048); }, "vectorize-too-wide", too_wide("in f, stage 1: ", "x", 2048),
            __LINE__);
    refused([&] { f.update().unroll(r.x, 5000); }, "unroll-too-long", too_long("in f, stage 1: ", "r.x", 5000),
            __LINE__);
    Param<bool> flag("flag");
    refused([&] { f.specialize(flag).vectorize(x, 4096); }, "vectorize-too-wide",
            too_wide("in f, stage 0, specialization 0: ", "x", 4096), __LINE__);
}

TEST_F(Limits, ExtentsAreRefusedWhenTheyAreKnown) {
    RDom r(0, 5000, "r");
    f(x) = 0;
    f(x) += r;
    f.update().unroll(r);
    refused([&] { f.compile_jit(); }, "unroll-too-long", too_long("in f, stage 1: ", "r.x", 5000), __LINE__);
    Func g("g");
    g(x) = 0;
    g(x) += r;
    g.update().vectorize(r);
    refused([&] { g.compile_jit(); }, "vectorize-too-wide", too_wide("in g, stage 1: ", "r.x", 5000), __LINE__);
    Func h("h");
    h(x) = x;
    h.bound(x, 0, 70000).vectorize(x);
    refused([&] { h.compile_jit(); }, "vectorize-too-wide", too_wide("in h, stage 0: ", "x", 70000), __LINE__);
    Func k("k");
    Param<int> n("n");
    k(x) = x;
    k.bound(x, 0, clamp(n, 0, 6000)).unroll(x);
    refused([&] { k.compile_jit(); }, "unroll-too-long", too_long("in k, stage 0: ", "x", 6000), __LINE__);
}

TEST_F(Limits, OddWidthsWithinTheLimitStayLegal) {
    for (const int lanes : {3, 17, 100}) {
        Func g("g");
        g(x) = x * 3 + 1;
        g.vectorize(x, lanes, TailStrategy::GuardWithIf);
        Buffer<int> out = g.realize({1500});
        out.for_each_element([&](int i) { ASSERT_EQ(out(i), i * 3 + 1); });
    }
    Func widest("widest"), longest("longest");
    widest(x) = x * 3 + 1;
    widest.vectorize(x, 1024);
    EXPECT_NE(lowered(widest).find("1024"), std::string::npos);
    longest(x) = x * 3 + 1;
    longest.unroll(x, 4096);
    EXPECT_GT(count(lowered(longest), "\n"), 4096U);
    Func g("g");
    g(x) = x * 3 + 1;
    g.unroll(x, 333, TailStrategy::GuardWithIf);
    Buffer<int> out = g.realize({1000});
    out.for_each_element([&](int i) { ASSERT_EQ(out(i), i * 3 + 1); });
}

TEST_F(Limits, ProductsOfUnrolledLoopsHaveABudget) {
    f(x, y) = x + y;
    f.bound(x, 0, 200).bound(y, 0, 300).unroll(x).unroll(y);
    loopnest::Budget small;
    small.statement_nodes = 20'000;
    refused([&] { lowered(f, small); }, "program-too-large",
            "in f, stage 0: the loop y is unrolled 300 times, with 3401 operations in each copy; at most 20000 are "
            "compiled; unroll by a smaller factor, or fewer of the loops inside of it",
            __LINE__);
    Func g("g"), h("h");
    g(x, y) = x + y;
    h(x, y) = x + y;
    for (Func *one : {&g, &h}) {
        one->bound(x, 0, 60).bound(y, 0, 30).unroll(x).unroll(y);
    }
    g.compute_root();
    h(x, y) += g(x, y);
    small.statement_nodes = 35'000;
    try {
        lowered(h, small);
        ADD_FAILURE() << "no error";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "program-too-large");
        EXPECT_EQ(error.message().find("in "), 0U);
        EXPECT_NE(error.message().find("the loops of the pipeline have more than 35000 operations"), std::string::npos)
            << error.message();
        EXPECT_TRUE(error.location().known());
    }
}

TEST_F(Limits, TooManyOperationsNameTheFuncBeforeStorageIsLaidOut) {
    Func small("small"), large("large");
    small(x, y) = x + y;
    Expr sum = small(x, y);
    for (int i = 1; i < 40; i++) {
        sum = sum * i + small(x + i, y);
    }
    large(x, y) = sum;
    small.compute_root();
    loopnest::Budget budget;
    budget.statement_nodes = 150;
    try {
        lowered(large, budget);
        ADD_FAILURE() << "no error";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "program-too-large");
        EXPECT_EQ(error.message().find("in large: the loops of the pipeline have more than 150 operations, 9"), 0U)
            << error.message();
    }
}

// ---- Factors too large for coordinates.

TEST_F(Limits, FactorsFitCoordinates) {
    const int large = 2147483647;
    f(x, y) = x + y;
    refused([&] { f.split(x, xo, xi, large); }, "factor-too-large",
            "in f, stage 0: split of x by 2147483647" + large_rule, __LINE__);
    refused([&] { f.parallel(y, large); }, "factor-too-large",
            "in f, stage 0: parallel of y by 2147483647" + large_rule, __LINE__);
    refused([&] { f.align_storage(x, large); }, "factor-too-large",
            "in f: align_storage of x to 2147483647" + large_rule, __LINE__);
    refused([&] { f.fold_storage(y, large); }, "factor-too-large", "in f: fold_storage of y to 2147483647" + large_rule,
            __LINE__);
    refused([&] { f.bound_storage(y, large); }, "factor-too-large",
            "in f: bound_storage of y to 2147483647" + large_rule, __LINE__);
    refused([&] { f.align_bounds(y, large); }, "factor-too-large", "in f: align_bounds of y to 2147483647" + large_rule,
            __LINE__);
    refused([&] { f.ring_buffer(large); }, "factor-too-large", "in f: ring_buffer to 2147483647" + large_rule,
            __LINE__);
}

TEST_F(Limits, LargeFactorsOfGuardedSplitsTakeNoTime) {
    f(x, y) = x + y;
    f.tile(x, y, xo, yo, xi, yi, 1 << 28, 1 << 28, TailStrategy::GuardWithIf);
    Buffer<int> out = f.realize({20, 30});
    out.for_each_element([&](int i, int j) { ASSERT_EQ(out(i, j), i + j); });
    Func g("g");
    RDom r(0, 77);
    RVar ro("ro"), ri("ri");
    g(x) = 0;
    g(x) += r;
    g.update().split(r, ro, ri, 1 << 28).split(x, xo, xi, 100'000, TailStrategy::GuardWithIf);
    out = g.realize({10});
    out.for_each_element([&](int i) { ASSERT_EQ(out(i), 38 * 77); });
}

/// One dimension as a nest of many loops, each split of the outer or the inner part of the one before.
TEST_F(Limits, NestsOfManyLoopsTakeNoTime) {
    const auto split = [&](Func g, int times, bool is_outer, TailStrategy tail) {
        g(x) = x * 3;
        std::string loop = "x";
        for (int k = 0; k < times; k++) {
            const std::string outer = "o" + std::to_string(k), inner = "i" + std::to_string(k);
            g.split(Var(loop), Var(outer), Var(inner), 2, tail);
            loop = is_outer ? outer : inner;
        }
        return g;
    };
    split(Func("outer"), 60, true, TailStrategy::GuardWithIf).compile_jit();
    split(Func("inner"), 60, false, TailStrategy::Predicate).compile_jit();
    for (const TailStrategy tail : {TailStrategy::GuardWithIf, TailStrategy::Predicate}) {
        for (const bool is_outer : {true, false}) {
            Buffer<int> out = split(Func("g"), 26, is_outer, tail).realize({37});
            out.for_each_element([&](int i) { ASSERT_EQ(out(i), i * 3); });
        }
    }
}

TEST_F(Limits, SplitsThatAlternateWithFusesTakeNoTime) {
    f(x) = x * 3;
    std::string loop = "x";
    for (int k = 0; k < 40; k++) {
        const std::string number = std::to_string(k);
        f.split(Var(loop), Var("o" + number), Var("i" + number), 4, TailStrategy::GuardWithIf);
        f.fuse(Var("i" + number), Var("o" + number), Var("u" + number));
        loop = "u" + number;
    }
    Buffer<int> out = f.realize({37});
    out.for_each_element([&](int i) { ASSERT_EQ(out(i), i * 3); });
}

// ---- Inlining.

TEST_F(Limits, ThirtyInlinedStagesOfTwoTapsShare) {
    Func chain[31];
    chain[0](x) = in(x);
    for (int k = 1; k <= 30; k++) {
        chain[k](x) = chain[k - 1](x) + chain[k - 1](x + 1);
    }
    EXPECT_LT(count(lowered(chain[30]), "\n"), 700U); // 2^30 paths, but some 500 points
    Buffer<int> ones(40);
    ones.fill(1);
    in.set(ones);
    Buffer<int> out = chain[30].realize({10});
    EXPECT_TRUE(out.all_equal(1 << 30));
}

TEST_F(Limits, InlinedStagesThatShareNothingHaveABudget) {
    Func chain[31];
    for (int k = 0; k <= 30; k++) {
        chain[k] = Func("f" + std::to_string(k));
    }
    chain[0](x) = in(x);
    for (int k = 1; k <= 30; k++) {
        chain[k](x) = chain[k - 1](2 * x) + chain[k - 1](2 * x + 1);
    }
    const unsigned line = __LINE__;
    loopnest::Budget small;
    small.stage_nodes = 2'000;
    refused(
        [&] { lowered(chain[12], small); }, "program-too-large",
        "in f12, stage 0: 16385 operations are made of what is inlined in it (f0 4096 times, f1 2048 times, f2 1024 "
        "times and 9 more Funcs); an inlined Func is computed anew at each point that calls it; compute one of them "
        "once, as in f5.compute_root()",
        line);
    small.inlined_nodes = 10'000;
    try {
        lowered(chain[30], small);
        ADD_FAILURE() << "no error";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "program-too-large");
        EXPECT_EQ(error.message().find("in f30, stage 0: more than 10000 operations are made of what is inlined in it "
                                       "(f0 "),
                  0U)
            << error.message();
    }
    // The remedy that the message suggests.
    small = {};
    small.stage_nodes = 2'000;
    for (int k = 8; k < 30; k += 8) {
        chain[k].compute_root();
    }
    EXPECT_NE(lowered(chain[30], small), "");
}

TEST_F(Limits, CoordinatesThatDependOnDataHaveABudget) {
    Func chain[31];
    chain[0](x) = in(x);
    for (int k = 1; k <= 30; k++) {
        chain[k](x) = chain[k - 1](clamp(chain[k - 1](x), 0, 100)) + chain[k - 1](x + 1);
    }
    loopnest::Budget small;
    small.stage_nodes = 5'000;
    small.inlined_nodes = 20'000;
    try {
        lowered(chain[30], small);
        ADD_FAILURE() << "no error";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "program-too-large");
        EXPECT_NE(error.message().find("compute_root()"), std::string::npos) << error.message();
    }
}

TEST_F(Limits, CopiesOfInlinedReductionsHaveABudget) {
    RDom r(0, 2, "r");
    Func chain[21];
    for (int k = 0; k <= 20; k++) {
        chain[k] = Func("f" + std::to_string(k));
        chain[k](x) = 0;
        if (k > 0) { // two stages that use the previous Func: 2^20 copies of the first
            chain[k](x) += chain[k - 1](x + r);
            chain[k](x) += chain[k - 1](x - r);
        }
    }
    loopnest::Budget small;
    small.funcs = 200;
    try {
        lowered(chain[20], small);
        ADD_FAILURE() << "no error";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "program-too-large");
        EXPECT_NE(error.message().find("the pipeline has more than 200 Funcs"), std::string::npos) << error.message();
    }
}

TEST_F(Limits, MachineCodeHasABudget) {
    backends::check_size("f", 3'000'000);
    refused([] { backends::check_size("f", 3'000'001); }, "program-too-large",
            "in f: its code has 3000001 instructions; at most 3000000 are compiled; unroll and vectorize by smaller "
            "factors, above all loops whose body reads at computed coordinates, or compute inlined Funcs at root");
}

// ---- Large expressions.

Expr deep_sum(const Var &x, int terms) {
    Expr sum = cast<int>(x);
    for (int i = 0; i < terms; i++) {
        sum = sum + x * i;
    }
    return sum;
}

TEST_F(Limits, DeepExpressionsAreBuiltPrintedAndFreed) {
    constexpr int levels = 200'000;
    {
        const Expr sum = deep_sum(x, levels), same = deep_sum(x, levels);
        std::ostringstream text;
        text << sum;
        EXPECT_GT(text.str().size(), static_cast<size_t>(levels));
        f(x) = sum;
        f(x) += same;
    }
    refused([&] { f.compile_jit(); }, "expression-too-deep",
            "in f, stage 0: its definition is an expression of 200002 levels; at most 150000 are compiled; add up over "
            "an RDom, or define parts of it as Funcs of their own",
            __LINE__);
    refused([&] { f.print_loop_nest(); }, "expression-too-deep",
            "in f, stage 0: its definition is an expression of 200002 levels; at most 150000 are compiled; add up over "
            "an RDom, or define parts of it as Funcs of their own");
}

TEST_F(Limits, LargeDefinitionsHaveABudget) {
    f(x) = deep_sum(x, 1000);
    loopnest::Budget small;
    small.stage_nodes = 1'500;
    refused(
        [&] { lowered(f, small); }, "program-too-large",
        "in f, stage 0: its definition has 3002 operations; at most 1500 are compiled in one place; use an RDom, or "
        "define parts of it as Funcs of their own, computed at root",
        __LINE__);
    small = {};
    small.levels = 500;
    Func chain[600];
    chain[0](x) = in(x);
    for (int k = 1; k < 600; k++) {
        chain[k](x) = chain[k - 1](x) + 1;
    }
    try {
        lowered(chain[599], small);
        ADD_FAILURE() << "no error";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "program-too-large");
        EXPECT_NE(error.message().find("an expression of more than 500 levels is made of what is inlined in it"),
                  std::string::npos)
            << error.message();
    }
}

TEST_F(Limits, LoopsOfLargeDomainsAndManyDimensionsAreNoTrouble) {
    RDom none(0, 0, "none"), all(0, 2147483647, "all");
    f(x) = 3;
    f(x) += none;
    Func g("g");
    g(x) = 0;
    g(x) += all;
    EXPECT_NE(lowered(g), "");
    Buffer<int> out = f.realize({4});
    EXPECT_TRUE(out.all_equal(3));
    std::vector<Var> vars;
    Expr sum = 0;
    for (int d = 0; d < 40; d++) {
        vars.emplace_back("v" + std::to_string(d));
        sum = sum + vars.back();
    }
    Func many("many");
    many(vars) = sum;
    many.reorder(std::vector<VarOrRVar>(vars.rbegin(), vars.rend()));
    EXPECT_EQ(count(lowered(many), "for "), 40U);
}

} // namespace
} // namespace fluorite::limits_test
