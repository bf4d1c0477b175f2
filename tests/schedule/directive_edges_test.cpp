// Limits of what directives accept: least legal values, factors of other integer types, messages for texts.
#include "fluorite/schedule.h"
#include "refusals.h"

#include <gtest/gtest.h>

namespace fluorite::directive_edges_test {
namespace {

class DirectiveEdges : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"};
    Func f{"f"}, g{"g"};

    void SetUp() override {
        f(x, y) = x + y * 3;
        g(x, y) = f(x, y) + f(x + 1, y);
    }
    /// The message that refuses a line of a text, without its location.
    std::string message_of(const std::string &line) {
        try {
            Pipeline(g).apply(Schedule::parse("fluorite schedule 1\n" + line + "\nend\n"));
        } catch (const CompileError &error) {
            return error.message() + " [" + error.slug() + "]";
        }
        return "accepted";
    }
};

TEST_F(DirectiveEdges, EveryDirectiveOnLoopsIsASchedule) {
    const std::vector<std::pair<const char *, std::function<void(Func &)>>> directives = {
        {"split", [&](Func &h) { h.split(x, xo, xi, 4); }},
        {"fuse", [&](Func &h) { h.fuse(x, y, xo); }},
        {"rename", [&](Func &h) { h.rename(x, xo); }},
        {"reorder", [&](Func &h) { h.reorder(y, x); }},
        {"tile", [&](Func &h) { h.tile(x, y, xo, xi, 4, 4); }},
        {"serial", [&](Func &h) { h.serial(x); }},
        {"parallel", [&](Func &h) { h.parallel(y); }},
        {"vectorize", [&](Func &h) { h.bound_extent(x, 4).vectorize(x); }},
        {"unroll", [&](Func &h) { h.unroll(x, 2); }},
        {"partition", [&](Func &h) { h.partition(x, Partition::Never); }},
        {"allow_race_conditions", [&](Func &h) { h.allow_race_conditions(); }},
        {"prefetch", [&](Func &h) { h.prefetch(f, x, y); }},
        {"specialize_fail", [&](Func &h) { h.specialize_fail("none"); }},
    };
    for (const auto &[name, apply] : directives) {
        Func h("h");
        h(x, y) = f(x, y);
        apply(h);
        try {
            Stage(h).unscheduled();
            ADD_FAILURE() << "unscheduled is accepted after " << name;
        } catch (const CompileError &error) {
            EXPECT_EQ(error.message(), std::string("in h, stage 0: unscheduled is applied after ") + name +
                                           "; it says that a stage keeps its default loops on purpose; "
                                           "remove one of the two");
        }
    }
}

TEST_F(DirectiveEdges, FactorsAndOffsetsAreOfAnyIntegerType) {
    const Buffer<int> expected = g.realize({37, 5});
    Param<uint8_t> factor("factor", 5);
    Param<int64_t> offset("offset", 3);
    g.split(x, xo, xi, factor, TailStrategy::GuardWithIf).prefetch(f, xo, xo, offset);
    f.compute_root();
    EXPECT_NE(g.loop_nest().find("prefetch f for xo + cast<int32>(offset)"), std::string::npos) << g.loop_nest();
    const Buffer<int> seen = g.realize({37, 5});
    expected.for_each_element([&](const int *at) { ASSERT_EQ(seen(at), expected(at)); });
}

TEST_F(DirectiveEdges, LeastValues) {
    EXPECT_NO_THROW(f.align_bounds(x, 1, 0));
    EXPECT_NO_THROW(f.align_extent(y, 1));
    EXPECT_NO_THROW(f.bound_extent(x, 0));
    EXPECT_NO_THROW(f.align_storage(x, 1).fold_storage(y, 1));
    EXPECT_NO_THROW(g.split(x, xo, xi, 1));
    EXPECT_NO_THROW(g.prefetch(f, xo, xo, 0));
    EXPECT_NO_THROW(g.prefetch(f, xo, xo, 65536));
    EXPECT_NO_THROW(g.prefetch(f, xo, xo, -65536));
}

TEST_F(DirectiveEdges, TextsAreRefusedByTheNameOfTheDirective) {
    const std::string no_loop = " names q; a directive names loops of the stage it is called on; its loops are x, y "
                                "[schedule-mismatch]";
    EXPECT_EQ(message_of("g.never_partition(q)"),
              "in the schedule, line 2, g.never_partition(q): in g, stage 0: never_partition" + no_loop);
    EXPECT_EQ(message_of("g.always_partition(q)"),
              "in the schedule, line 2, g.always_partition(q): in g, stage 0: always_partition" + no_loop);
    EXPECT_EQ(message_of("g.set_estimates({0, 8})"),
              "in the schedule, line 2, g.set_estimates({0, 8}): in g: set_estimates gives 1 ranges; it has 2 "
              "dimensions; give one range for each "
              "dimension [wrong-arity]");
    EXPECT_EQ(message_of("g.set_estimates({0, 8}, {0, 4}, {0, 1})"),
              "in the schedule, line 2, g.set_estimates({0, 8}, {0, 4}, {0, 1}): in g: set_estimates gives 3 ranges; "
              "it has 2 dimensions; give one range for each "
              "dimension [wrong-arity]");
    EXPECT_EQ(message_of("g.set_estimates({0, 8}, {0})"),
              "in the schedule, line 2, g.set_estimates({0, 8}, {0}): in g: set_estimates gives a range of 1 numbers; "
              "a range is {min, extent}; give "
              "two [wrong-arity]");
    EXPECT_EQ(message_of("g.set_estimates({0, 8}, {0, 4})"), "accepted");
}

} // namespace
} // namespace fluorite::directive_edges_test
