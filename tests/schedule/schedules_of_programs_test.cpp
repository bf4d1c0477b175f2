// What schedules of existing programs say that has one clear meaning: parts of parallel loops, where an output is
// computed by other pipelines, where a Func is computed that is not defined yet, and what is asked of a Func that is
// only declared.
#include "driver/test_interpreted.h"
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::schedules_of_programs_test {
namespace {

Var x("x"), y("y"), yo("yo"), yi("yi"), xi("xi");

/// A Func with an update along x and a reduction.
template <typename T> Func updated(const Func &source) {
    Func f("f");
    RDom r(0, 7, "r");
    f(x, y) = source(x, y) + source(x + 1, y);
    f(x, y) += cast<T>(3) * source(y, x);
    f(x, y) += source(x + r, y);
    return f;
}

const TailStrategy pure_tails[] = {TailStrategy::RoundUp, TailStrategy::GuardWithIf, TailStrategy::ShiftInwards,
                                   TailStrategy::Predicate, TailStrategy::PredicateStores};
const TailStrategy update_tails[] = {TailStrategy::RoundUp, TailStrategy::GuardWithIf, TailStrategy::GuardWithIf,
                                     TailStrategy::Predicate, TailStrategy::PredicateStores};

template <typename T> void expect_parts_of_parallel_loops(size_t first, size_t end) {
    for (size_t t = first; t < end; t++) {
        for (int way = 0; way < 4; way++) {
            Func source("source");
            source(x, y) = cast<T>(x * 5 - y * 3);
            source.compute_root();
            Func f = updated<T>(source), out("out");
            out(x, y) = f(x, y);
            f.compute_root();
            const auto cut = [&](auto stage, TailStrategy tail) {
                stage.parallel(y);
                way == 0   ? stage.split(y, yo, yi, 4, tail)
                : way == 1 ? stage.unroll(y, 3, tail).vectorize(x, 4, tail)
                : way == 2 ? stage.vectorize(y, 4, tail)
                           : stage.split(y, yo, y, 2, tail).split(yo, yo, yi, 2, tail);
            };
            cut(f, pure_tails[t]);
            cut(f.update(0), update_tails[t]);
            cut(f.update(1), update_tails[t]);
            expect_interpreted(out, {19, 13}, "tail " + std::to_string(t) + ", way " + std::to_string(way));
        }
    }
}

TEST(SchedulesOfPrograms, PartsOfParallelLoops) {
    expect_parts_of_parallel_loops<uint8_t>(0, std::size(pure_tails));
    expect_parts_of_parallel_loops<float>(1, 2);
}

TEST(SchedulesOfPrograms, TheOuterPartOfAParallelLoopIsParallel) {
    Func f("f"), g("g");
    f(x, y) = x + y;
    g(x, y) = x + y;
    f.parallel(y).split(y, yo, yi, 8).unroll(yi);
    g.split(y, yo, yi, 8).parallel(yo).unroll(yi);
    std::string text = g.loop_nest();
    for (size_t at = text.find('g'); at != std::string::npos; at = text.find('g', at)) {
        text[at] = 'f';
    }
    EXPECT_EQ(f.loop_nest(), text);
    expect_interpreted(f, {9, 21});
}

TEST(SchedulesOfPrograms, BlendedPiecesOfAParallelLoopWouldMeet) {
    Func f("f");
    f(x, y) = x + y;
    f.parallel(y);
    expect_error([&] { f.split(y, yo, yi, 8, TailStrategy::ShiftInwardsAndBlend); }, "blend-of-concurrent-iterations",
                 "in f, stage 0: split makes iterations of loop y run at once, and the split of y has "
                 "TailStrategy::ShiftInwardsAndBlend; a tail that is blended stores old values of points that other "
                 "iterations compute; use "
                 "TailStrategy::GuardWithIf, or keep the loop serial");
    f.serial(y);
}

TEST(SchedulesOfPrograms, OutputsAreComputedAtRoot) {
    for (int way = 0; way < 4; way++) {
        Func f("f"), g("g");
        f(x, y) = x * 3 + y;
        g(x, y) = f(x, y) + f(x + 1, y);
        way == 0 ? f.compute_at(g, y) : way == 1 ? f.store_at(g, y).compute_at(g, x) : f.async().compute_root();
        if (way == 3) {
            f.compute_root().vectorize(x, 4);
        }
        g.vectorize(x, 4);
        expect_interpreted(f, {17, 5}, "alone"); // its consumer is in another pipeline
        Buffer<int> of_f(18, 5), of_g(17, 5);
        Pipeline({f, g}).realize({of_f, of_g});
        int wrong = 0;
        of_g.for_each_element(
            [&](int i, int j) { wrong += of_g(i, j) != 6 * i + 3 + 2 * j || of_f(i, j) != 3 * i + j; });
        EXPECT_EQ(wrong, 0) << way;
        expect_interpreted(g, {17, 5}, "as a stage"); // here, the directive says where it is
    }
}

TEST(SchedulesOfPrograms, LevelsOfAFuncThatIsDefinedLaterOrNever) {
    Func f("f"), g("g"), never("never");
    never.compute_root().store_in(MemoryType::Heap);
    f.compute_at(g, y).store_root();
    f(x, y) = x * y;
    g(x, y) = f(x, y) + f(x, y + 1);
    expect_interpreted(g, {13, 7});
    EXPECT_NE(g.loop_nest().find("store f"), std::string::npos) << g.loop_nest();
}

TEST(SchedulesOfPrograms, BuffersOfDeclaredFuncs) {
    Func f(UInt(8), 2, "f"), several({UInt(8), Float(32)}, 1, "several"), rankless(UInt(8), -1, "rankless");
    f.output_buffer().dim(0).set_stride(3).dim(1).set_min(0);
    EXPECT_EQ(f.output_buffer().type(), UInt(8));
    EXPECT_EQ(f.output_buffer().dimensions(), 2);
    EXPECT_EQ(several.output_buffers().at(1).type(), Float(32));
    expect_error([&] { rankless.output_buffer(); }, "undefined-func",
                 "in rankless: its output buffer is asked for but it has no definition; a buffer has the type and rank "
                 "of a definition; define it first, or declare them, as in Func f(UInt(8), 2, \"f\")");
    f(x, y) = cast<uint8_t>(x + y * 2);
    std::vector<uint8_t> memory(5 * 3 * 4);
    const fluorite_dimension_t shape[] = {{0, 5, 3}, {0, 4, 15}};
    Buffer<uint8_t> spread(memory.data(), 2, shape);
    f.realize(spread);
    EXPECT_EQ(spread(4, 3), 10);
    Buffer<uint8_t> dense(5, 4);
    EXPECT_THROW(f.realize(dense), RuntimeError); // the constraint of the declared Func holds
}

TEST(SchedulesOfPrograms, BoundaryConditionsKeepTheVarsOfTheirSource) {
    using Condition = std::function<Func(const Func &, const Region &)>;
    const Condition conditions[] = {
        [](const Func &f, const Region &box) { return BoundaryConditions::repeat_edge(f, box); },
        [](const Func &f, const Region &box) { return BoundaryConditions::repeat_image(f, box); },
        [](const Func &f, const Region &box) { return BoundaryConditions::mirror_image(f, box); },
        [](const Func &f, const Region &box) { return BoundaryConditions::mirror_interior(f, box); },
        [](const Func &f, const Region &box) { return BoundaryConditions::constant_exterior(f, 7, box); }};
    for (const Condition &condition : conditions) {
        Func f("f"), g("g");
        f(x, y) = x * 3 + y;
        f.compute_root();
        Func wide = condition(f, {{0, 13}, {0, 5}});
        EXPECT_EQ(wide.args().at(0).name(), "x");
        g(x, y) = wide(x - 3, y) + wide(x + 4, y + 2);
        wide.compute_at(g, y).vectorize(x, 8, TailStrategy::GuardWithIf).unroll(y);
        expect_interpreted(g, {15, 6}, wide.name());
    }
    Func unnamed("unnamed"), g("g");
    Var any, other;
    unnamed(any, other) = any - other;
    g(x, y) = BoundaryConditions::repeat_edge(unnamed, {{0, 4}, {0, 4}})(y, x);
    expect_interpreted(g, {9, 6});
}

TEST(SchedulesOfPrograms, DomainsOfFloats) {
    Param<float> most("most");
    most.set(4.75F);
    Func f("f");
    RDom r(cast<float>(1), most, 0, 3.5F, "r");
    f() = 0;
    f() += r.x * 10 + r.y;
    Buffer<int> sum = Buffer<int>::make_scalar();
    f.realize(sum);
    EXPECT_EQ(sum(), 3 * (1 + 2 + 3 + 4) * 10 + 4 * (0 + 1 + 2));
}

} // namespace
} // namespace fluorite::schedules_of_programs_test
