// The rules of placement agree with what compilation accepts; querying them neither throws nor grows memory.

#include "schedule/placement_rules.h"

#include "fluorite/fluorite.h"
#include "language/freeze.h"
#include "schedule/placement/uses.h"

#include <functional>
#include <gtest/gtest.h>
#include <malloc.h>

namespace fluorite::placement_rules_test {

namespace {

using schedule::LoopId;
using schedule::PlacementRules;
using schedule::Site;
using schedule::StageId;

PlacementRules::Nests nests_of(const schedule::ScheduledGraph &pipeline) {
    return schedule::nests_of(pipeline.graph, pipeline.schedule);
}

FuncId id_of(const ir::Graph &graph, const std::string &name) {
    for (const ir::FuncDef &func : graph.funcs) {
        if (func.name() == name) {
            return func.id();
        }
    }
    ADD_FAILURE() << "no Func " << name;
    return FuncId();
}

static_assert(noexcept(std::declval<PlacementRules &>().compute_at(FuncId(), Site())));
static_assert(noexcept(std::declval<PlacementRules &>().store_at(FuncId(), Site(), Site())));
static_assert(noexcept(std::declval<PlacementRules &>().hoist_at(FuncId(), Site(), Site())));
static_assert(noexcept(std::declval<PlacementRules &>().move(FuncId(), Site())));

/// Two Funcs, the inner one with an update, and a consumer with a parallel and a vectorized loop.
struct Chain {
    Var x{"x"}, y{"y"}, yo{"yo"}, yi{"yi"}, xi{"xi"};
    ImageParam in{Int(32), 2, "in"};
    Func a{"a"}, b{"b"}, c{"c"};

    Chain() {
        a(x, y) = in(x, y);
        a(x, y) += 1;
        b(x, y) = a(x, y - 1) + a(x, y + 1);
        c(x, y) = b(x - 1, y) + b(x + 1, y) + in(x, y);
        c.split(y, yo, yi, 8).parallel(yo).split(x, x, xi, 8).vectorize(xi);
        b.compute_at(c, yi);
    }
};

TEST(PlacementRules, AgreeWithWhatCompilingAccepts) {
    const std::vector<std::string> loops = {"xi", "x", "yi", "yo"}; // of c, innermost first
    int legal = 0, refused = 0;
    for (int compute = 0; compute <= 4; compute++) {
        for (int store = 0; store <= 4; store++) {
            Chain chain;
            const auto level = [&](int loop) {
                return loop == 4 ? LoopLevel::root() : LoopLevel(chain.c, Var(loops[static_cast<size_t>(loop)]));
            };
            const auto site = [&](const schedule::ScheduledGraph &pipeline, int loop) {
                return loop == 4 ? Site::root() : Site{{id_of(pipeline.graph, "c"), 0}, LoopId(loop)};
            };
            const schedule::ScheduledGraph pipeline =
                language::freeze(std::vector<Func>{chain.c}, language::FreezeOptions{});
            PlacementRules rules(pipeline.schedule, nests_of(pipeline));
            rules.move(id_of(pipeline.graph, "b"), {{id_of(pipeline.graph, "c"), 0}, LoopId(2)});
            const FuncId a = id_of(pipeline.graph, "a");
            const bool is_legal = rules.compute_at(a, site(pipeline, compute)) &&
                                  rules.store_at(a, site(pipeline, compute), site(pipeline, store));
            chain.a.compute_at(level(compute)).store_at(level(store));
            bool is_accepted = true;
            try {
                (void)chain.c.loop_nest();
            } catch (const CompileError &) {
                is_accepted = false;
            }
            EXPECT_EQ(is_legal, is_accepted) << "computed at " << compute << ", stored at " << store;
            legal += is_legal ? 1 : 0;
            refused += is_legal ? 0 : 1;
        }
    }
    EXPECT_GT(legal, 3);
    EXPECT_GT(refused, 3);
}

TEST(PlacementRules, SaysWhichLoopObjects) {
    Chain chain;
    chain.a.compute_root();
    const schedule::ScheduledGraph pipeline = language::freeze(std::vector<Func>{chain.c}, language::FreezeOptions{});
    PlacementRules rules(pipeline.schedule, nests_of(pipeline));
    const FuncId a = id_of(pipeline.graph, "a"), b = id_of(pipeline.graph, "b"), c = id_of(pipeline.graph, "c");
    const Site yo{{c, 0}, LoopId(3)}, yi{{c, 0}, LoopId(2)}, xi{{c, 0}, LoopId(0)};
    rules.move(b, yi);
    const schedule::PlacementVerdict parallel = rules.store_at(a, yi, Site::root());
    EXPECT_EQ(parallel.broken, schedule::PlacementVerdict::Rule::AtOnce);
    EXPECT_EQ(parallel.loop, yo);
    EXPECT_EQ(rules.store_at(a, yo, yi).broken, schedule::PlacementVerdict::Rule::OutOfScope);
    EXPECT_EQ(rules.hoist_at(a, yi, Site::root()).broken, schedule::PlacementVerdict::Rule::AtOnce);
    EXPECT_TRUE(rules.hoist_at(a, yi, yo));
    EXPECT_EQ(rules.compute_at(a, xi).broken, schedule::PlacementVerdict::Rule::OutOfScope);
    rules.move(b, xi); // this moves the use of `a` further in
    EXPECT_TRUE(rules.compute_at(a, xi));
    EXPECT_EQ(rules.store_at(a, xi, yi).broken, schedule::PlacementVerdict::Rule::AtOnce);
    EXPECT_TRUE(rules.store_at(b, xi, yi)) << "lanes may compute the same values of a pure Func";
}

TEST(PlacementRules, AMillionQuestionsTakeNoMemory) {
    Var x("x"), y("y");
    ImageParam in(Float(32), 2, "in");
    std::vector<Func> funcs;
    for (int i = 0; i < 50; i++) {
        Func f("f" + std::to_string(i));
        f(x, y) = i == 0 ? in(x, y) : funcs.back()(x, y - 1) + funcs[funcs.size() / 2](x - 1, y);
        funcs.push_back(f);
    }
    for (Func &f : funcs) {
        f.compute_root();
    }
    const schedule::ScheduledGraph pipeline =
        language::freeze(std::vector<Func>{funcs.back()}, language::FreezeOptions{});
    PlacementRules rules(pipeline.schedule, nests_of(pipeline));
    uint32_t state = 1;
    const auto draw = [&](size_t below) {
        state = state * 1664525 + 1013904223;
        return static_cast<size_t>(state >> 16) % below;
    };
    size_t legal = 0;
    const auto ask = [&](int questions) {
        for (int i = 0; i < questions; i++) {
            const FuncId func(draw(49));
            const std::span<const Site> sites = rules.legal(FuncId(draw(49)));
            const Site compute = sites[draw(sites.size())];
            if (rules.compute_at(func, compute) && rules.store_at(func, compute, Site::root())) {
                legal++;
                if (i % 64 == 0) {
                    rules.move(func, compute);
                }
            }
            if (i % 4096 == 0) { // limits the length of paths
                for (size_t f = 0; f < 49; f++) {
                    rules.move(FuncId(f), Site::root());
                }
            }
        }
    };
    ask(200'000);
    const size_t before = mallinfo2().uordblks;
    ask(1'000'000);
    EXPECT_LE(mallinfo2().uordblks, before + 64 * 1024);
    EXPECT_GT(legal, 100'000U);
}

} // namespace

} // namespace fluorite::placement_rules_test
