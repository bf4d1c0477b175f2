// Tails of nested splits: an iteration of an update is executed exactly once for each point, whatever the factors.

#include "fluorite/fluorite.h"
#include "support/test_pages.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <span>
#include <type_traits>
#include <vector>

namespace fluorite::tails_test {
namespace {

// Flipping a bit twice restores it, so a point that is updated twice is detected.
int wrong_points(TailStrategy tail, int outer_factor, int inner_factor, int size) {
    Var x("x"), y("y"), xo("xo"), xi("xi"), xii("xii");
    Func flip("flip"), out("out");
    flip(x, y) = cast<uint8_t>(0);
    flip(x, y) = flip(x, y) ^ cast<uint8_t>(1);
    out(x, y) = flip(x, y);
    flip.compute_root();
    flip.update(0).split(x, xo, xi, outer_factor, tail).split(xi, xi, xii, inner_factor, tail).unroll(xii);
    Buffer<uint8_t> result = out.realize({size, 3});
    int wrong = 0;
    result.for_each_value([&](uint8_t value) { wrong += value != 1; });
    return wrong;
}

// No value is needed at points that RoundUp adds to an update: the previous definition need not compute them, which
// would read more input.
TEST(Tails, UpdatesThatRoundUpReadNoMoreInput) {
    for (int size : {1, 8, 13}) {
        Var x("x"), y("y");
        Buffer<int16_t> in(size, 4);
        in.for_each_element([&](int i, int j) { in(i, j) = static_cast<int16_t>(i * 5 - j * 3); });
        RDom r(1, 3);
        Func sums("sums"), out("out");
        sums(x, y) = in(x, y);
        sums(x, r) += sums(x, r - 1);
        sums(x, y) = sums(x, y) * cast<int16_t>(2);
        out(x, y) = sums(x, y);
        sums.compute_root();
        sums.update(0).vectorize(x, 8);
        sums.update(1).vectorize(x, 4, TailStrategy::RoundUp);
        Buffer<int16_t> result = out.realize({size, 4});
        for (int i = 0; i < size; i++) {
            int16_t sum = 0;
            for (int j = 0; j < 4; j++) {
                sum = static_cast<int16_t>(sum + in(i, j));
                EXPECT_EQ(result(i, j), sum * 2) << size;
            }
        }
    }
}

// A requirement checks all values, including those at points that RoundUp adds, so all of them must be defined.
TEST(Tails, UpdatesThatRoundUpMeetRequirements) {
    constexpr int size = 20003;
    Var x("x");
    Func steps("steps"), out("out");
    steps(x) = x % 7;
    steps(x) = require(steps(x) >= 0, steps(x) + 1, "a step back");
    out(x) = steps(x);
    steps.compute_root().update(0).vectorize(x, 8, TailStrategy::RoundUp);
    out.jit_handlers().custom_malloc = [](JITUserContext *, size_t bytes) {
        const size_t whole = (bytes + 255) / 128 * 128;
        return memset(aligned_alloc(128, whole), 0xff, whole);
    };
    out.jit_handlers().custom_free = [](JITUserContext *, void *memory) { free(memory); };
    Buffer<int> result = out.realize({size});
    for (int i = 0; i < size; i++) {
        EXPECT_EQ(result(i), i % 7 + 1);
    }
}

TEST(Tails, InnerSplitsOfUpdatesRunOnceOnEachPoint) {
    for (TailStrategy tail :
         {TailStrategy::Auto, TailStrategy::RoundUp, TailStrategy::GuardWithIf, TailStrategy::Predicate,
          TailStrategy::PredicateStores, TailStrategy::ShiftInwardsAndBlend, TailStrategy::RoundUpAndBlend}) {
        for (int size : {1, 5, 17}) {
            EXPECT_EQ(wrong_points(tail, 4, 3, size), 0) << "size " << size;
            EXPECT_EQ(wrong_points(tail, 5, 2, size), 0) << "size " << size;
        }
    }
}

// ---- Every strategy gives the values of the default schedule, on pure definitions and on updates.

constexpr TailStrategy all_tails[] = {TailStrategy::RoundUp,
                                      TailStrategy::GuardWithIf,
                                      TailStrategy::Predicate,
                                      TailStrategy::PredicateLoads,
                                      TailStrategy::PredicateStores,
                                      TailStrategy::ShiftInwards,
                                      TailStrategy::ShiftInwardsAndBlend,
                                      TailStrategy::RoundUpAndBlend,
                                      TailStrategy::Auto};

template <typename T> Expr ramp_of(const Expr &x, const Expr &y) {
    if constexpr (std::is_same_v<T, bool>) {
        return (x * 3 + y * 5) % 7 < 3;
    } else {
        return cast<T>((x * 37 + y * 11 + x * y) % 100 + 1);
    }
}

enum class Marks { Vector, VectorInVector, Unrolled, Fused };

template <typename S> void split_and_mark(S stage, TailStrategy tail, Marks marks, int factor) {
    Var x("x"), y("y"), xo("xo"), xi("xi"), xii("xii"), t("t");
    switch (marks) {
    case Marks::Vector:
        stage.split(x, xo, xi, factor, tail).vectorize(xi);
        return;
    case Marks::VectorInVector:
        stage.split(x, xo, xi, factor, tail).split(xi, xi, xii, 2, TailStrategy::Predicate).vectorize(xii);
        return;
    case Marks::Unrolled:
        stage.split(x, xo, xi, factor, tail).reorder(xo, xi).unroll(xi);
        return;
    case Marks::Fused:
        stage.fuse(x, y, t).split(t, xo, xi, factor, tail).vectorize(xi);
        return;
    }
}

// g is a stencil of f, updated from f and itself; out is a stencil of g.
template <typename T> Func chain(const std::function<void(Func &, Func &)> &schedule) {
    Var x("x"), y("y");
    Func f("f"), g("g"), out("out");
    f(x, y) = ramp_of<T>(x, y);
    if constexpr (std::is_same_v<T, bool>) {
        g(x, y) = f(x - 1, y) != f(x + 2, y);
        g(x, y) = g(x, y) != f(x, y + 1);
        out(x, y) = g(x, y) != g(x + 1, y);
    } else {
        g(x, y) = f(x - 1, y) + f(x + 2, y);
        g(x, y) = g(x, y) + g(x, y) + f(x, y + 1);
        out(x, y) = g(x, y) + g(x + 1, y);
    }
    schedule(f, g);
    return out;
}

template <typename T> int different(const Buffer<T> &a, const Buffer<T> &b) {
    int count = 0;
    a.for_each_element([&](int x, int y) { count += std::memcmp(&a(x, y), &b(x, y), sizeof(T)) != 0; });
    return count;
}

template <typename T> void expect_same_values(const std::vector<int> &widths, std::span<const Marks> ways) {
    const Func plain = chain<T>([](Func &, Func &) {});
    std::vector<Buffer<T>> expected;
    for (const int width : widths) {
        expected.push_back(plain.realize({width, 3}));
    }
    for (const TailStrategy tail : all_tails) {
        for (const Marks marks : ways) {
            const Func scheduled = chain<T>([&](Func &f, Func &g) {
                f.compute_root();
                g.compute_root();
                split_and_mark(Stage(f), tail, marks, 4);
                split_and_mark(Stage(g), tail, marks, 5);
                split_and_mark(g.update(), tail == TailStrategy::ShiftInwards ? TailStrategy::Auto : tail, marks, 5);
            });
            for (size_t i = 0; i < widths.size(); i++) {
                EXPECT_EQ(different<T>(scheduled.realize({widths[i], 3}), expected[i]), 0)
                    << int(tail) << " " << int(marks) << " " << widths[i];
            }
        }
    }
}

constexpr Marks all_marks[] = {Marks::Vector, Marks::VectorInVector, Marks::Unrolled, Marks::Fused};

TEST(Tails, AllStrategiesGiveTheSameValues) { expect_same_values<int32_t>({1, 2, 3, 5, 7, 8, 13, 17}, all_marks); }

TEST(Tails, AllStrategiesGiveTheSameValuesInAllTypes) {
    const Marks vector[] = {Marks::Vector};
    expect_same_values<uint8_t>({1, 7, 16}, vector);
    expect_same_values<bool>({1, 7, 16}, vector);
    expect_same_values<bfloat16_t>({1, 7, 16}, vector);
    expect_same_values<double>({1, 7, 16}, vector);
}

// f inside a loop of g, whose own loop is split with the tail.
Func nested(TailStrategy tail, const char *level) {
    Var x("x"), y("y"), xo("xo"), xi("xi"), xv("xv");
    Func f("f"), g("g"), out("out");
    f(x, y) = x * 7 + y * x;
    g(x, y) = f(x - 1, y) + f(x + 2, y) * 3;
    out(x, y) = g(x, y) + g(x + 1, y);
    if (level) {
        g.compute_root().split(x, xo, xi, 4, tail);
        f.compute_at(g, Var(level)).split(x, x, xv, 3, tail).vectorize(xv);
    }
    return out;
}

TEST(Tails, ProducersInsideOfTails) {
    const Func plain = nested(TailStrategy::Auto, nullptr);
    for (const TailStrategy tail : all_tails) {
        for (const char *level : {"xi", "xo"}) {
            const Func scheduled = nested(tail, level);
            for (const int width : {1, 3, 6, 13}) {
                EXPECT_EQ(different<int32_t>(scheduled.realize({width, 2}), plain.realize({width, 2})), 0)
                    << int(tail) << level << width;
            }
        }
    }
}

// ---- What a strategy reads and writes beyond the end.

void define_and_split(Func f, const ImageParam &in, TailStrategy tail, bool in_update) {
    Var x("x"), xi("xi");
    if (in_update) {
        f(x) = 0;
        f(x) += in(x);
        f.update().vectorize(x, xi, 8, tail);
    } else {
        f(x) = in(x);
        f.vectorize(x, xi, 8, tail);
    }
}

// The extent of the input that 13 values need.
int input_extent(TailStrategy tail, bool in_update) {
    ImageParam in(Int(32), 1, "in");
    Var x("x");
    Func f("f"), out("out");
    define_and_split(f, in, tail, in_update);
    out(x) = f(x);
    f.compute_root();
    out.infer_input_bounds({13});
    return in.get().dim(0).extent();
}

// Whether 13 values can be written into a buffer of 13.
bool fits_output(TailStrategy tail, bool in_update) {
    ImageParam in(Int(32), 1, "in");
    Func f("f");
    define_and_split(f, in, tail, in_update);
    Buffer<int32_t> input(32), output(13);
    input.fill(5);
    in.set(input);
    try {
        f.realize(output);
    } catch (const RuntimeError &) {
        return false;
    }
    return output(12) == 5;
}

TEST(Tails, ReadAndWriteAsFarAsTheySay) {
    struct Case {
        TailStrategy tail;
        int input, output;
    };
    for (const Case &c :
         {Case{TailStrategy::RoundUp, 16, 16}, Case{TailStrategy::GuardWithIf, 13, 13},
          Case{TailStrategy::Predicate, 13, 13}, Case{TailStrategy::PredicateLoads, 13, 16},
          Case{TailStrategy::PredicateStores, 16, 13}, Case{TailStrategy::ShiftInwards, 13, 13},
          Case{TailStrategy::ShiftInwardsAndBlend, 13, 13}, Case{TailStrategy::RoundUpAndBlend, 16, 16}}) {
        for (const bool in_update : {false, true}) {
            if (!in_update || c.tail != TailStrategy::ShiftInwards) {
                EXPECT_EQ(input_extent(c.tail, in_update), c.input) << int(c.tail) << in_update;
                // An update reads its own output.
                const int reach = in_update ? std::max(c.input, c.output) : c.output;
                EXPECT_EQ(fits_output(c.tail, in_update), reach == 13) << int(c.tail) << in_update;
            }
        }
    }
}

// A Func inside of the innermost loop of a guarded split (such as a reduction inside a definition) is not required
// beyond the end. The input ends at the end of its memory.
TEST(Tails, WhatIsComputedForGuardedPointsReadsNoFurther) {
    const Var x("x"), xo("xo"), xi("xi"), xii("xii");
    const std::vector<std::function<void(Stage)>> loops = {
        [&](Stage f) { f.vectorize(x, 8, TailStrategy::GuardWithIf); },
        [&](Stage f) { f.vectorize(x, 8, TailStrategy::Predicate); },
        [&](Stage f) { f.split(x, xo, xi, 5, TailStrategy::Predicate); },
        [&](Stage f) { f.unroll(x, 3, TailStrategy::Predicate); },
        [&](Stage f) { f.unroll(x, 3, TailStrategy::GuardWithIf); },
        [&](Stage f) { f.split(x, xo, xi, 4, TailStrategy::GuardWithIf).parallel(xo); },
        [&](Stage f) { f.split(x, xo, xi, 7, TailStrategy::GuardWithIf).vectorize(xi, 4, TailStrategy::Predicate); },
        [&](Stage f) { f.split(x, xo, xi, 6).split(xi, xi, xii, 4, TailStrategy::GuardWithIf).vectorize(xii); },
        [&](Stage f) {
            f.split(x, x, xi, 3, TailStrategy::GuardWithIf).split(x, x, xii, 2, TailStrategy::GuardWithIf);
        },
        [&](Stage f) { f.split(x, xo, xi, 4, TailStrategy::GuardWithIf).reorder(xo, xi); }};
    const GuardedPage memory;
    for (size_t k = 0; k < loops.size(); k++) {
        for (const bool in_update : {false, true}) {
            for (const int width : {6, 7, 13, 24}) {
                const int read = width + 4;
                ImageParam in(Int(32), 1, "in");
                Func staged("staged"), f("f");
                RDom r(0, 3, "r");
                staged(x) = in(x) ^ in(x + 2);
                f(x) = 0;
                if (in_update) {
                    f(x) += sum(staged(x + r) >> 2);
                } else {
                    f(x) = sum(staged(x + r) >> 2);
                }
                loops[k](in_update ? f.update() : Stage(f));
                f.infer_input_bounds({width});
                EXPECT_EQ(in.get().dim(0).extent(), read)
                    << "loops " << k << " in_update " << in_update << " width " << width;
                const Buffer<int32_t> tight(reinterpret_cast<int32_t *>(memory.end()) - read, {read});
                in.set(tight);
                const Buffer<int32_t> out = f.realize({width});
                out.for_each_element([&](int i) {
                    int32_t expected = 0;
                    for (int j = i; j < i + 3; j++) {
                        expected += (tight(j) ^ tight(j + 2)) >> 2;
                    }
                    EXPECT_EQ(out(i), expected)
                        << "loops " << k << " in_update " << in_update << " at " << i << " of " << width;
                });
            }
        }
    }
}

// A window that is shorter in the last iterations: the points that its update adds by rounding up require no input.
TEST(Tails, UpdatesOverWindowsOfDifferentExtents) {
    const Var x("x"), xo("xo"), xi("xi");
    for (const int width : {1, 20, 64, 100, 256, 333}) {
        ImageParam in(Int(16), 1, "in");
        Func window("window"), out("out");
        RDom t(0, 5, "t");
        window(x) += cast<int32_t>(in(x + t)) * (t + 1);
        out(x) = window(x) >> 2;
        out.split(x, xo, xi, 8, TailStrategy::GuardWithIf).parallel(xo, 16);
        window.compute_at(out, xo).vectorize(x, 8).unroll(x).update().reorder(x, t).vectorize(x, 8).unroll(x);
        out.infer_input_bounds({width});
        EXPECT_EQ(in.get().dim(0).extent(), width + 4);
        Buffer<int16_t> input(width + 4);
        input.for_each_element([&](int i) { input(i) = static_cast<int16_t>(i * 37 - 1000); });
        in.set(input);
        const Buffer<int32_t> result = out.realize({width});
        result.for_each_element([&](int i) {
            int32_t sum = 0;
            for (int k = 0; k < 5; k++) {
                sum += input(i + k) * (k + 1);
            }
            EXPECT_EQ(result(i), sum >> 2) << i << " of " << width;
        });
    }
}

// ---- The code of the tail: masks (`where`) of loads and stores, and selects of old values.

struct Shape {
    int masked_loads = 0, masked_stores = 0, selects = 0;
    bool operator==(const Shape &) const = default;
};
std::ostream &operator<<(std::ostream &out, const Shape &shape) {
    return out << shape.masked_loads << " loads, " << shape.masked_stores << " stores, " << shape.selects << " selects";
}

Shape shape_of(TailStrategy tail) {
    ImageParam in(Int(32), 1, "in");
    Var x("x"), xi("xi");
    Func f("f"), out("out");
    f(x) = in(x);
    f(x) = f(x) + in(x + 1);
    out(x) = f(x);
    f.compute_root().update().vectorize(x, xi, 16, tail);
    const std::string file = "tail" + std::to_string(static_cast<int>(tail)) + ".stmt";
    out.compile_to_lowered_stmt(file, {in});
    std::ifstream text(file);
    Shape shape;
    for (std::string line; std::getline(text, line);) {
        if (line.find("f[ramp(") == std::string::npos) {
            continue;
        }
        // The masks of loads are inside of brackets.
        int depth = 0;
        for (size_t i = 0; i < line.size(); i++) {
            depth += line[i] == '[' || line[i] == '(' ? 1 : line[i] == ']' || line[i] == ')' ? -1 : 0;
            if (line.compare(i, 7, " where ") == 0) {
                (depth > 0 ? shape.masked_loads : shape.masked_stores)++;
            }
            shape.selects += line.compare(i, 7, "select(") == 0;
        }
    }
    std::remove(file.c_str());
    return shape;
}

TEST(Tails, MaskWhatTheySay) {
    EXPECT_EQ(shape_of(TailStrategy::RoundUp), (Shape{0, 0, 0}));
    EXPECT_EQ(shape_of(TailStrategy::Predicate), (Shape{2, 1, 0}));
    EXPECT_EQ(shape_of(TailStrategy::PredicateLoads), (Shape{2, 0, 1}));
    EXPECT_EQ(shape_of(TailStrategy::PredicateStores), (Shape{0, 1, 0}));
    EXPECT_EQ(shape_of(TailStrategy::ShiftInwardsAndBlend), (Shape{0, 0, 1}));
    EXPECT_EQ(shape_of(TailStrategy::RoundUpAndBlend), (Shape{0, 0, 1}));
}

// Nested vectors around a scalarized loop: each lane of the outer vector has a vector of the inner loop's bounds.
TEST(Tails, LanesOfLanes) {
    ImageParam in(Int(32), 2, "in");
    Var x("x"), y("y");
    Func f("f"), g("g");
    f(x, y) = in(0, 0) + x;
    g(x, y) = f(x, y) * 10;
    Func copy = f.in();
    g.vectorize(x, 2, TailStrategy::PredicateLoads).vectorize(x, 2);
    copy.compute_at(g, Var("xv"));
    f.compute_at(copy, x).prefetch(in, x, y, -2, PrefetchBoundStrategy::NonFaulting);
    Buffer<int> one(1, 1), out(4, 2);
    one(0, 0) = 7;
    in.set(one);
    out.set_min(-2, 0);
    g.realize(out);
    for (int i = -2; i < 2; i++) {
        EXPECT_EQ(out(i, 1), (7 + i) * 10) << i;
    }
}

TEST(Tails, BlendsAndMasksOfTuples) {
    for (const TailStrategy tail :
         {TailStrategy::PredicateLoads, TailStrategy::PredicateStores, TailStrategy::ShiftInwardsAndBlend,
          TailStrategy::RoundUpAndBlend, TailStrategy::Predicate}) {
        Var x("x"), xi("xi");
        Func f("f"), out("out");
        f(x) = Tuple(x, cast<uint8_t>(3));
        f(x) = Tuple(f(x)[0] + cast<int>(f(x)[1]), cast<uint8_t>(f(x)[0]));
        out(x) = f(x)[0] * 1000 + f(x)[1];
        f.compute_root().update().vectorize(x, xi, 4, tail);
        const Buffer<int32_t> result = out.realize({11});
        for (int i = 0; i < 11; i++) {
            EXPECT_EQ(result(i), (i + 3) * 1000 + i) << int(tail);
        }
    }
}

// The blended loop loads old values only where the other loop's tail stores. The output ends where its memory does.
TEST(Tails, BlendsBesidePredicatedStoresReadNoFurther) {
    for (const TailStrategy blended : {TailStrategy::ShiftInwardsAndBlend, TailStrategy::RoundUpAndBlend}) {
        for (const auto &[width, height] : {std::pair(4, 1), {8, 3}, {4, 6}, {12, 5}}) {
            const GuardedPage memory;
            Buffer<uint16_t> output(reinterpret_cast<uint16_t *>(memory.end()) - width * height, width, height);
            output.fill(7);
            Var x("x"), y("y");
            Func f("f");
            f(x, y) = cast<uint16_t>(x * 100 + y);
            f.unroll(x, 4, blended).vectorize(y, 4, TailStrategy::PredicateStores);
            f.realize(output);
            output.for_each_element([&](int i, int j) { EXPECT_EQ(output(i, j), i * 100 + j) << i << " " << j; });
        }
    }
}

TEST(Tails, BlendsOfPartsThatMeetInOnePoint) {
    Var y("y"), yo("yo"), yi("yi"), lanes("lanes");
    Func f("f");
    f(y) = y + 1;
    f.split(y, yo, yi, 16, TailStrategy::ShiftInwards).vectorize(yo, lanes, 2, TailStrategy::RoundUpAndBlend);
    const Buffer<int32_t> result = f.realize({16});
    for (int i = 0; i < 16; i++) {
        EXPECT_EQ(result(i), i + 1);
    }
}

TEST(Tails, LanesDoNotShareStorageOfUpdates) {
    Var x("x"), y("y"), xi("xi");
    Func counted("counted"), out("out");
    counted(x, y) = 0;
    counted(x, y) -= 1;
    out(x, y) = counted(x, y) + counted(x - 2, y);
    out.split(x, x, xi, 4).vectorize(xi);
    counted.store_at(out, y).compute_at(out, xi);
    try {
        out.realize({4, 1});
        FAIL() << "lanes that share storage are refused";
    } catch (const CompileError &error) {
        EXPECT_EQ(error.slug(), "store-outside-parallel");
    }
}

} // namespace
} // namespace fluorite::tails_test
