// What a schedule breaks is a value: the rule, its text and the legal alternatives. Nothing is thrown before what the
// user calls.

#include "schedule/placement/resolver.h"

#include "fluorite/fluorite.h"
#include "language/freeze.h"
#include "loopnest/loop_nests.h"
#include "schedule/directives/table.h"
#include "schedule/placement/uses.h"
#include "schedule/text/schedule_text.h"
#include "schedule/tree/tree.h"

#include <functional>
#include <gtest/gtest.h>

namespace fluorite::placement_resolver_test {

namespace {

using schedule::BrokenPlacement;
using schedule::Directive;
using Rule = schedule::BrokenPlacement::Rule;

/// An output that reads two rows of g.
struct Rows {
    Var x{"x"}, y{"y"}, xi{"xi"};
    Func g{"g"}, f{"f"};

    Rows() {
        g(x, y) = x + y;
        f(x, y) = g(x, y) + g(x, y + 1);
        g.compute_root();
    }
    schedule::ScheduledGraph frozen() const {
        return language::freeze(std::vector<Func>{f}, language::FreezeOptions{});
    }
};

std::string name_of(const schedule::ScheduledGraph &pipeline, schedule::StageId stage) {
    return schedule::stage_text(pipeline.graph.func(stage.func).name(), stage.stage);
}

struct Breach {
    const char *description;
    Rule rule;
    const char *slug;
    std::function<void(Rows &)> edit;
};

const std::vector<Breach> &breaches() {
    static const std::vector<Breach> all = {
        {"no such loop", Rule::NoSuchLoop, "unknown-loop-level", [](Rows &p) { p.g.compute_at(p.f, Var("z")); }},
        {"stored inside", Rule::OutOfScope, "store-at-inside-compute-at",
         [](Rows &p) { p.g.compute_at(p.f, p.y).store_at(p.f, p.x); }},
        {"storage at once", Rule::AtOnce, "store-outside-parallel",
         [](Rows &p) { p.f.parallel(p.y), p.g.compute_at(p.f, p.x).store_root(); }},
        {"memory at once", Rule::AtOnce, "hoist-outside-parallel",
         [](Rows &p) { p.f.parallel(p.y), p.g.compute_at(p.f, p.x).hoist_storage_root(); }},
        {"output folded", Rule::OutputStorage, "storage-of-output", [](Rows &p) { p.f.fold_storage(p.y, 4); }},
        {"output memoized", Rule::OutputMemoized, "memoize-placement", [](Rows &p) { p.f.memoize(); }},
        {"streamed scalars", Rule::StreamOfScalars, "stream-stores-of-scalars", [](Rows &p) { p.g.stream_stores(); }},
        {"memoized rows", Rule::MemoizedApart, "memoize-placement",
         [](Rows &p) { p.g.compute_at(p.f, p.y).store_root().memoize(); }},
        {"memoized and aligned", Rule::MemoizedReshaped, "memoize-placement",
         [](Rows &p) { p.g.memoize().align_storage(p.x, 8); }},
        {"memoized in lanes", Rule::MemoizedInLanes, "memoize-placement",
         [](Rows &p) { p.f.split(p.x, p.x, p.xi, 8).vectorize(p.xi), p.g.compute_at(p.f, p.xi).memoize(); }},
        {"async in lanes", Rule::AsyncInLanes, "async-placement",
         [](Rows &p) { p.f.split(p.x, p.x, p.xi, 8).vectorize(p.xi), p.g.compute_at(p.f, p.xi).async(); }},
        {"ring in place", Rule::RingNotHoisted, "ring-buffer-not-hoisted", [](Rows &p) { p.g.ring_buffer(2); }},
    };
    return all;
}

TEST(PlacementResolver, BrokenRulesAreTheRefusalsOfTheNest) {
    for (const Breach &breach : breaches()) {
        SCOPED_TRACE(breach.description);
        Rows rows;
        breach.edit(rows);
        const schedule::ScheduledGraph pipeline = rows.frozen();
        const schedule::PlacementResolver resolver(pipeline.graph, pipeline.schedule,
                                                   schedule::nests_of(pipeline.graph, pipeline.schedule));
        ASSERT_FALSE(resolver.broken().empty());
        EXPECT_EQ(resolver.broken().front().rule, breach.rule);
        const Refusal refusal = resolver.refusal_of(resolver.broken().front(),
                                                    [&](schedule::StageId stage) { return name_of(pipeline, stage); });
        EXPECT_EQ(refusal.slug, breach.slug);
        EXPECT_TRUE(refusal.location.known());
        loopnest::LoopNests nests(pipeline.graph);
        const Result<loopnest::BoundedLoopNest> nest = nests.make(pipeline.schedule);
        ASSERT_FALSE(nest);
        EXPECT_EQ(nest.refusal().slug, refusal.slug);
        EXPECT_EQ(nest.refusal().message, refusal.message);
        EXPECT_EQ(nest.refusal().alternatives, refusal.alternatives);
    }
}

TEST(PlacementResolver, GivesTheLegalAlternatives) {
    Rows rows;
    rows.g.compute_at(rows.f, rows.y).store_at(rows.f, rows.x);
    const schedule::ScheduledGraph pipeline = rows.frozen();
    const Result<loopnest::BoundedLoopNest> nest = loopnest::try_loop_nest(pipeline);
    ASSERT_FALSE(nest);
    EXPECT_EQ(nest.refusal().alternatives,
              (std::vector<std::string>{"root", "the outermost level of f", "loop y of f"}));
    Rows ring;
    ring.g.compute_at(ring.f, ring.y).ring_buffer(2);
    const Result<loopnest::BoundedLoopNest> in_place = loopnest::try_loop_nest(ring.frozen());
    ASSERT_FALSE(in_place);
    EXPECT_EQ(in_place.refusal().alternatives, (std::vector<std::string>{"root", "the outermost level of f"}));
}

// The sites of a tree are those of the nest: both ask the same resolver.
TEST(PlacementResolver, ResolvesForTreesAsForNests) {
    Rows rows;
    rows.g.compute_at(rows.f, rows.y).store_root();
    const schedule::ScheduledGraph pipeline = rows.frozen();
    const schedule::PlacementResolver resolver(pipeline.graph, pipeline.schedule,
                                               schedule::nests_of(pipeline.graph, pipeline.schedule));
    EXPECT_TRUE(resolver.broken().empty());
    const loopnest::BoundedLoopNest nest = loopnest::make_loop_nest(pipeline);
    EXPECT_EQ(resolver.placement().compute, nest.placement.compute);
    EXPECT_EQ(resolver.placement().store, nest.placement.store);
    EXPECT_EQ(resolver.placement().hoist, nest.placement.hoist);
}

TEST(Refusals, OfALineHaveItsTextAndItsSlug) {
    const schedule::ScheduledGraph pipeline = Rows().frozen();
    schedule::Schedule schedule = pipeline.schedule;
    std::vector<Directive> lines(1);
    lines[0].func = "f", lines[0].name = "parallel", lines[0].args = {{"z"}};
    const Verdict legal = schedule::apply_directives(pipeline.graph, schedule, lines, Location());
    ASSERT_FALSE(legal);
    EXPECT_EQ(legal.refusal().slug, "schedule-mismatch");
    EXPECT_EQ(legal.refusal().message, "in the schedule, f.parallel(z): in f, stage 0: parallel names z; a directive "
                                       "names loops of the stage it is called on; its loops are x, y");
}

// A directive that is made of others is refused with one of its parts, and leaves none of them.
TEST(Refusals, OfAPartChangeNothing) {
    const schedule::ScheduledGraph pipeline = Rows().frozen();
    schedule::Schedule schedule = pipeline.schedule;
    const std::vector<Directive> before = schedule::directives_of(pipeline.graph, schedule);
    std::vector<Directive> lines(1);
    lines[0].func = "f", lines[0].name = "tile";
    lines[0].args = {{"x", "y"}, {"xo", "yo"}, {"xi", "xi"}, {"8", "8"}};
    const Verdict legal = schedule::apply_directives(pipeline.graph, schedule, lines, Location());
    ASSERT_FALSE(legal);
    EXPECT_EQ(legal.refusal().slug, "loop-name-taken");
    EXPECT_EQ(schedule::directives_of(pipeline.graph, schedule), before);
    lines[0].args[2] = {"xi", "yi"};
    EXPECT_TRUE(schedule::apply_directives(pipeline.graph, schedule, lines, Location()));
}

TEST(Refusals, OfAStepOfATreeAreValues) {
    const schedule::ScheduledGraph pipeline = Rows().frozen();
    const auto graph = std::make_shared<const ir::Graph>(pipeline.graph);
    const schedule::Tree tree = schedule::tree_of(graph, pipeline.schedule, Location());
    const FuncId g(size_t(0));
    EXPECT_FALSE(schedule::try_apply(tree, {schedule::TreeOp::HoistCompute, {g, 0}}));
    EXPECT_FALSE(schedule::try_apply(tree, {schedule::TreeOp::Deinline, {g, 0}}));
    EXPECT_TRUE(schedule::try_apply(tree, {schedule::TreeOp::LowerCompute, {g, 0}}));
}

} // namespace

} // namespace fluorite::placement_resolver_test
