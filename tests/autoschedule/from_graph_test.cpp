// Stage graphs of frozen pipelines: extents, footprints, what is inlined.

#include "autoschedule/from_graph/from_graph.h"
#include "fluorite/fluorite.h"
#include "language/freeze.h"
#include "schedule/text/schedule_text.h"

#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace fluorite::autoschedule::from_graph_test {
namespace {

DescribedPipeline describe(const Func &func, const std::vector<int32_t> &sizes) {
    return describe_pipeline(language::freeze({func}), sizes);
}

/// What the last stage reads, as text.
std::string reads_of(const Func &func, const std::vector<int32_t> &sizes) {
    std::ostringstream out;
    out << describe(func, sizes).graph;
    const std::string text = out.str();
    std::string reads;
    for (size_t at = text.find("  reads "); at != std::string::npos; at = text.find("  reads ", at + 1)) {
        reads += text.substr(at + 8, text.find('\n', at) - at - 8) + "; ";
    }
    return reads;
}

class FromGraph : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, c{"c"};
    ImageParam input{Int(32), 2, "in"};
    Func f{"f"};
};

TEST_F(FromGraph, CoordinatesAreFootprints) {
    const auto reads = [&](const Expr &u, const Expr &v) {
        Func g("g");
        g(x, y) = input(u, v);
        return reads_of(g, {64, 32});
    };
    EXPECT_EQ(reads(x, y), "in(x, y) 1 load; ");
    EXPECT_EQ(reads(x + 3, y - 2), "in(x[3..3], y[-2..-2]) 1 load; ");
    EXPECT_EQ(reads(2 * x + 1, y / 2), "in(2x[1..1], y/2) 1 load; ");
    EXPECT_EQ(reads((x + 1) / 2, y), "in(x/2[0..1], y) 1 load; ");
    EXPECT_EQ(reads(y, x), "in(y, x) 1 load; ");
    EXPECT_EQ(reads(7, x % 4), "in([7..7], [0..3]) 1 load; ");
    EXPECT_EQ(reads(clamp(x - 1, 0, 50), y), "in(x[-1..-1], y) 1 load; ");
    EXPECT_EQ(reads(x + y, y), "in(?, y) 1 load; ");
    EXPECT_EQ(reads(63 - x, y), "in(?, y) 1 load; ");
    EXPECT_EQ(reads(clamp(input(x, y), 0, 9), y), "in(x, y) 1 load; in(?, y) 1 load; ");
}

// What is clamped to the box of an input whose size nobody states is as large as what would be read without.
TEST_F(FromGraph, InputsOfUnknownSizeAreAsLargeAsWhatReadsThem) {
    Func g("g");
    const Func source = BoundaryConditions::repeat_edge(input);
    g(x, y) = source(2 * x - 1, y) + source(2 * x + 1, y) + source(x, y / 2);
    EXPECT_EQ(describe(g, {64, 32}).graph.inputs[0].extents, (std::vector<int64_t>{129, 32}));
    Func looked_up("looked_up");
    looked_up(x, y) = input(clamp(input(x, y), 0, input.width() - 1), 3);
    EXPECT_EQ(describe(looked_up, {64, 32}).graph.inputs[0].extents, (std::vector<int64_t>{64, 32}));
}

// Loops are cut at boundaries, so what a boundary condition compares and chooses is no work.
TEST_F(FromGraph, SelectsAtBoundariesTakeNoWork) {
    const auto work = [&](const Func &source) {
        Func g("g");
        g(x, y) = source(x - 1, y) + source(x, y) + source(x + 1, y);
        const DescribedPipeline described = describe(g, {64, 32});
        EXPECT_EQ(described.graph.stages.size(), 1U);
        return described.graph.stages.back().arithmetic;
    };
    Func inside("inside");
    inside(x, y) = input(x, y);
    EXPECT_EQ(work(BoundaryConditions::constant_exterior(input, 0)), work(inside));
    EXPECT_EQ(work(BoundaryConditions::mirror_interior(input)), work(inside));
    // Loops over RVars are not cut.
    const auto stages = [&](const Func &source) {
        Func sum("sum");
        const RDom r(-1, 3, -1, 3);
        sum(x, y) = 0;
        sum(x, y) += source(x + r.x, y + r.y) * source(x, y + r.y);
        return describe(sum, {640, 320}).graph.stages.size();
    };
    EXPECT_EQ(stages(BoundaryConditions::constant_exterior(input, 0)), 2U);
    EXPECT_EQ(stages(BoundaryConditions::repeat_edge(input)), 1U);
}

// Whether values beyond the end may be computed: only where their reads are clamped to the input's own box.
TEST_F(FromGraph, ReadsAreHeldByTheInputsBox) {
    namespace Conditions = BoundaryConditions;
    const auto is_exact = [&](const Func &source) {
        Func g("g");
        g(x, y) = source(x - 1, y) + source(x + 1, y + 2);
        const DescribedPipeline described = describe(g, {64, 32});
        return described.graph.stages.back().is_exact();
    };
    EXPECT_FALSE(is_exact(Conditions::repeat_edge(input)));
    EXPECT_FALSE(is_exact(Conditions::constant_exterior(input, 7)));
    EXPECT_FALSE(is_exact(Conditions::mirror_image(input)));
    EXPECT_FALSE(is_exact(Conditions::mirror_interior(input)));
    EXPECT_FALSE(is_exact(Conditions::repeat_image(input)));
    EXPECT_FALSE(is_exact(Conditions::repeat_edge(input, {{0, input.width()}, {0, input.height()}})));
    EXPECT_TRUE(is_exact(Conditions::repeat_edge(input, {{0, 640}, {0, 480}})));
    EXPECT_TRUE(is_exact(Conditions::repeat_edge(input, {{0, input.width()}, {0, input.height() + 1}})));
    EXPECT_TRUE(is_exact(Conditions::repeat_edge(input, {{1, input.width()}, {0, input.height()}})));
    Func plain("plain"), data("data"), wrapped("wrapped");
    plain(x, y) = input(x, y);
    data(x, y) = input(clamp(input(clamp(x, 0, input.width() - 1), 0), 3, 9), 0);
    wrapped(x, y) = input(x % 5, 0);
    EXPECT_TRUE(is_exact(plain));
    EXPECT_FALSE(is_exact(data));
    EXPECT_TRUE(is_exact(wrapped)); // of two columns, one pass needs no fifth
    const Buffer<int32_t> buffer(64, 48);
    EXPECT_FALSE(is_exact(Conditions::repeat_edge(buffer)));
    EXPECT_TRUE(is_exact(Conditions::repeat_edge(buffer, {{0, 65}, {0, 48}})));
    Buffer<int32_t> shifted(64, 48);
    shifted.set_min(5, -7);
    EXPECT_FALSE(is_exact(Conditions::repeat_edge(shifted)));
    EXPECT_TRUE(is_exact(Conditions::repeat_edge(shifted, {{4, 64}, {-7, 48}})));
    input.dim(0).set_bounds(0, 640).dim(1).set_bounds(0, 480);
    EXPECT_FALSE(is_exact(Conditions::repeat_edge(input, {{0, 640}, {0, 480}})));
    EXPECT_TRUE(is_exact(Conditions::repeat_edge(input, {{0, 641}, {0, 480}})));
}

// Only along loops that a coordinate of an input follows beyond what is clamped.
TEST_F(FromGraph, LoopsAreExactOneByOne) {
    Func rows = BoundaryConditions::repeat_edge(input, {{0, input.width()}, {Expr(), Expr()}}), near("near"), g("g");
    const auto exact = [&](const Func &func) {
        std::string loops;
        const StageGraph graph = describe(func, {64, 32}).graph;
        for (const LoopExtent &loop : graph.stages.back().loops) {
            loops += loop.is_exact ? loop.name : "";
        }
        return loops;
    };
    RDom r(0, 3);
    near(x, y) += rows(x + r, y);
    EXPECT_EQ(exact(near), "y");
    g(x, y) = near(y, x) + near(y, x + 1);
    EXPECT_EQ(exact(g), "x");
    Func sums("sums"), mixed("mixed");
    sums(x, y) += input(r, y) * rows(r, x);
    EXPECT_EQ(exact(sums), "xy");
    mixed(x, y) = input(7, 3) + rows(x, 5) * y;
    EXPECT_EQ(exact(mixed), "");
}

// Extents of Funcs that are no outputs are expressions of sizes, for conditions.
TEST_F(FromGraph, ExtentsAreExpressionsOfSizes) {
    Func sums("sums"), out("out");
    RDom r(0, 3);
    input.dim(1).set_estimate(0, 480);
    sums(x, y) += input(x + r, y);
    out(x, y) = sums(2 * x, clamp(y, 0, input.height() - 1)) + sums(2 * x + 3, 0);
    const DescribedPipeline described = describe(out, {64, 32});
    ASSERT_EQ(described.graph.stages[0].name, "sums");
    EXPECT_EQ(schedule::expression_text(described.extents[0][0]), "out->extent[0] * 2 + 2");
    EXPECT_TRUE(described.graph.stages[0].loops[0].is_testable);
}

TEST_F(FromGraph, BlocksAreSteadyWhereAllReadsMoveAlike) {
    const auto steady = [&](const std::function<Expr(const Func &)> &value) {
        Func sums("sums"), g("g");
        RDom r(0, 3);
        sums(x, y) += input(x + r, y);
        g(x, y) = value(sums);
        const StageGraph graph = describe(g, {64, 32}).graph;
        StageSet group;
        for (size_t stage = 0; stage < graph.stages.size(); ++stage) {
            group.insert(stage);
        }
        return is_steady(graph, group, graph.stages.size() - 1, 0, {1, 1});
    };
    EXPECT_TRUE(steady([&](const Func &f) { return f(x, y) * f(x + 1, y + 3); }));
    EXPECT_TRUE(steady([&](const Func &f) { return f(2 * x, 3 * y) * f(2 * x + 1, 3 * y + 3); }));
    EXPECT_FALSE(steady([&](const Func &f) { return f(x, y + 2) * f(x, 2 * y); }));
    EXPECT_FALSE(steady([&](const Func &f) { return f(x, y) * f(y, x); }));
    EXPECT_FALSE(steady([&](const Func &f) { return f(x, y / 2) * f(x, y / 2 + 1); }));
    EXPECT_FALSE(steady([&](const Func &f) { return f(x, y) * f(x, 7); }));
    const auto through = [&](const Expr &where) {
        return steady([&](const Func &f) {
            Func between("between");
            RDom r(0, 2);
            between(x, y) += f(x, y) * cast<int>(r);
            return between(x, y) + between(x, y + 1) * f(x, where);
        });
    };
    EXPECT_TRUE(through(y + 4));
    Func planes("planes"), shown("shown");
    RDom r(0, 3);
    planes(x, y, c) += input(x + r, y) * (c + 1);
    shown(x, y, c) = planes(x, y, c) / planes(x, y, 3);
    shown.bound(c, 0, 3);
    const StageGraph graph = describe(shown, {64, 32, 3}).graph;
    EXPECT_TRUE(is_steady(graph, {0, 1}, 1, 0, {1, 1, 3}));
    EXPECT_FALSE(is_steady(graph, {0, 1}, 1, 0, {1, 1, 1}));
    EXPECT_FALSE(through(2 * y));
}

TEST_F(FromGraph, ReadsOfOneKindAreOne) {
    f(x, y) = input(x - 1, y) + input(x + 1, y + 4) + input(2 * x, y);
    EXPECT_EQ(reads_of(f, {64, 32}), "in(x[-1..1], y[0..4]) 2 loads; in(2x, y) 1 load; ");
}

TEST_F(FromGraph, ReductionsReadTheirDomain) {
    RDom r(-2, 5);
    f(x, y) = 0;
    f(x, y) += input(x + r, 2 * y + r);
    EXPECT_EQ(reads_of(f, {64, 32}), "in(x[-2..2], 2y[-2..2]) 1 load; ");
    const StageNode stage = describe(f, {64, 32}).graph.stages[0];
    EXPECT_EQ(stage.updates, 5);
    EXPECT_EQ(stage.serial, 0);
}

TEST_F(FromGraph, ExtentsAreThoseThatAreNeeded) {
    Func g("g");
    f(x, y) = input(x, y) / input(x + 1, y) + input(x + 2, y) / input(x, y + 1);
    g(x, y) = f(x - 1, y) + f(x + 1, 2 * y) * f(x, y + 5);
    const DescribedPipeline described = describe(g, {100, 50});
    ASSERT_EQ(described.graph.stages.size(), 2u);
    EXPECT_EQ(described.graph.stages[0].loops[0].extent, 102);
    EXPECT_EQ(described.graph.stages[0].loops[1].extent, 99);
    EXPECT_EQ(described.graph.inputs[0].extents, (std::vector<int64_t>{104, 100}));
}

TEST_F(FromGraph, InlinesWhatIsReadOnceOrCheap) {
    Func once("once"), conversion("conversion"), dear("dear"), g("g");
    conversion(x, y) = cast<int16_t>(input(x, y));
    once(x, y) = cast<int>(conversion(x, y)) * 3 + cast<int>(conversion(x + 1, y)) * 7 + 5;
    dear(x, y) = once(x, y) * once(x, y) / 3 + once(x, y) % 7;
    g(x, y) = dear(x, y) + dear(x + 1, y) + dear(x + 2, y);
    const DescribedPipeline described = describe(g, {100, 50});
    ASSERT_EQ(described.graph.stages.size(), 2u);
    EXPECT_EQ(described.graph.stages[0].name, "dear");
    EXPECT_EQ(described.inlined.size(), 2u);
}

TEST_F(FromGraph, LookUpsAndDoublingChainsAreKept) {
    Func table("table"), looked_up("looked_up"), g("g");
    Var i("i");
    table(i) = cast<int>(sin(cast<float>(i)) * cos(cast<float>(i) * 0.5f) * exp(cast<float>(i) * 0.01f));
    looked_up(x, y) = table(clamp(input(x, y), 0, 255));
    g(x, y) = looked_up(x - 1, y) + looked_up(x, y) + looked_up(x + 1, y);
    EXPECT_EQ(describe(g, {100, 50}).inlined.size(), 0u);

    Func all("chain0"), last("last");
    all(x, y) = max(input(x, y), input(x + 1, y));
    for (int length = 2; length < 64; length *= 2) {
        Func next("chain" + std::to_string(length));
        next(x, y) = max(all(x, y), all(x + length, y));
        all = next;
    }
    last(x, y) = all(x, y) + 1;
    const DescribedPipeline described = describe(last, {1000, 50});
    EXPECT_GE(described.graph.stages.size(), 3u); // inline, each point would read 64
    for (const StageNode &stage : described.graph.stages) {
        EXPECT_LE(stage.reads.size(), 4u);
    }
}

TEST_F(FromGraph, RowsTogetherShareLoadsAndOperations) {
    Func source("source");
    source(x, y) = input(x, y) / input(x + 1, y) + input(x + 2, y) / input(x, y + 1);
    f(x, y) = source(x, y - 1) + source(x, y) * 2 + source(x, y + 1);
    const DescribedPipeline described = describe(f, {100, 50});
    const StageNode &stage = described.graph.stages.back();
    ASSERT_EQ(stage.blocks.size(), 3u);
    EXPECT_EQ(stage.blocks[2].sizes, (std::vector<int64_t>{1, 4}));
    EXPECT_EQ(stage.blocks[0].loads[0].cost, 3 * 0.5);
    EXPECT_EQ(stage.blocks[1].loads[0].cost, 4 * 0.5);
    EXPECT_EQ(stage.blocks[2].loads[0].cost, 6 * 0.5);
    EXPECT_EQ(stage.blocks[2].operations, 4 * stage.blocks[0].operations);
}

TEST_F(FromGraph, LoopsOfConstantExtentChooseOneValue) {
    Var c("c");
    Func source("source");
    source(x, y, c) = input(x + c, y) / 7;
    f(x, y, c) = mux(c, {source(x, y, 0) * source(x, y, 1), source(x, y, 1) / 3, source(x, y, 2) % 5});
    for (const bool is_promised : {false, true}) {
        Func g("g");
        g(x, y, c) = f(x, y, c);
        if (is_promised) {
            g.bound(c, 0, 3);
        }
        const DescribedPipeline described = describe(g, {100, 50, 3});
        const StageNode &stage = described.graph.stages.back();
        EXPECT_EQ(stage.loops[2].is_constant, is_promised);
        EXPECT_EQ(stage.constant_block, is_promised ? 1u : 0u);
        if (is_promised) {
            EXPECT_EQ(stage.blocks[1].sizes, (std::vector<int64_t>{1, 1, 3}));
            EXPECT_LT(stage.blocks[1].work(), 2 * stage.blocks[0].work());
        }
    }
}

// Sums at places that data asks for: lanes pay for what is loaded and stored one by one, and scalars share what points
// of a short loop have in common.
TEST_F(FromGraph, LanesOfPlacesPayForTheirCoordinates) {
    const auto lanes = [&](const Expr &place) {
        Func votes("votes"), out("out");
        RDom r(0, 8, "r");
        votes(x, y, c) = 0;
        votes(x, clamp(place, 0, 9), c) += mux(c, {input(r, 3), 1});
        out(x, y, c) = votes(x, y, c);
        return describe(out.bound(c, 0, 2), {64, 10, 2}).graph.stages[0].update_lanes[0];
    };
    const Expr step = cast<int>(input(x * 8 + 3, 4));
    EXPECT_FALSE(lanes(step / 2).has_value());
    EXPECT_TRUE(lanes(cast<int>(sin(cast<float>(step)) * cos(cast<float>(step)) * 9.0f)).has_value());
}

TEST_F(FromGraph, WhatEdgesHoldMayBeComputedBeyond) {
    const auto is_exact = [&](const Func &source) {
        Func g("g");
        g(x, y) = source(x, y);
        return describe(g, {64, 32}).graph.stages.back().is_exact();
    };
    Func plain("plain"), half("half");
    plain(x, y) = input(x, y);
    half(x, y) = input(min(x, 63), clamp(y, 0, 31));
    EXPECT_TRUE(is_exact(plain));
    EXPECT_TRUE(is_exact(half));
    for (const Func &held : {BoundaryConditions::repeat_edge(input), BoundaryConditions::mirror_interior(input),
                             BoundaryConditions::mirror_image(input), BoundaryConditions::repeat_image(input)}) {
        EXPECT_FALSE(is_exact(held));
    }
}

} // namespace
} // namespace fluorite::autoschedule::from_graph_test
