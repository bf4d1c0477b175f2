// Coordinates that are values of other Funcs: what bounds a value bounds the region that is read, wherever the Func is
// computed.
#include "driver/test_interpreter.h"
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace fluorite::indirect_coordinates_test {
namespace {

Var x("x"), y("y");

Buffer<int> numbers(int width, int height) {
    Buffer<int> result(width, height);
    result.for_each_element([&](int i, int j) { result(i, j) = i * 31 - j * 57 + i * j % 7; });
    return result;
}

/// Each Func that is computed at a site of its own gives the same values, and reads no more of the table, than inlined.
/// `at_root`: only where it is at root.
void expect_as_inlined(const std::function<Func(const ImageParam &in, const ImageParam &table, Func &at)> &define,
                       bool at_root = false) {
    std::vector<std::function<void(Func &, Func &)>> schedules = {
        [](Func &, Func &) {},
        [](Func &at, Func &) { at.compute_root(); },
        [](Func &at, Func &) { at.compute_root().vectorize(x, 8); },
        [](Func &at, Func &f) { at.compute_at(f, y), f.vectorize(x, 8); },
        [](Func &at, Func &f) { at.store_root().compute_at(f, y), f.vectorize(x, 4); },
        [](Func &at, Func &f) {
            Var xi("xi"), yi("yi");
            f.tile(x, y, xi, yi, 8, 4, TailStrategy::GuardWithIf).parallel(y);
            at.compute_at(f, x);
        }};
    schedules.resize(at_root ? 3 : schedules.size());
    Buffer<int> expected;
    std::vector<int> region;
    for (size_t s = 0; s < schedules.size(); s++) {
        ImageParam in(Int(32), 2, "in"), table(Int(32), 2, "table");
        Func at("at"), f = define(in, table, at);
        schedules[s](at, f);
        f.infer_input_bounds({19, 13});
        const std::vector<int> own = {table.get().dim(0).min(), table.get().dim(0).extent(), table.get().dim(1).min(),
                                      table.get().dim(1).extent()};
        in.set(numbers(40, 40));
        table.set(numbers(40, 40));
        const Buffer<int> values = f.realize({19, 13});
        if (s == 0) {
            expected = values;
            region = own;
        }
        EXPECT_EQ(own, region) << "schedule " << s;
        int wrong = 0;
        values.for_each_element([&](int i, int j) { wrong += values(i, j) != expected(i, j); });
        EXPECT_EQ(wrong, 0) << "schedule " << s;
    }
}

TEST(IndirectCoordinates, AreBoundedByAClamp) {
    expect_as_inlined([](const ImageParam &in, const ImageParam &table, Func &at) {
        Func f("f");
        at(x, y) = clamp(in(x, y), 3, 17);
        f(x, y) = table(at(x, y), 39 - at(y, x));
        return f;
    });
}

TEST(IndirectCoordinates, AreBoundedByParametersAndSizes) {
    expect_as_inlined([](const ImageParam &in, const ImageParam &table, Func &at) {
        Param<int> last("last");
        last.set(23);
        Func f("f");
        at(x, y) = Tuple(clamp(in(x, y), 0, last), in(y, x) % 40);
        f(x, y) = table(at(x, y)[0], at(x, y)[1]);
        return f;
    });
}

TEST(IndirectCoordinates, AreBoundedThroughOtherFuncs) {
    expect_as_inlined(
        [](const ImageParam &in, const ImageParam &table, Func &at) {
            Func f("f"), half("half");
            at(x, y) = clamp(in(x, y), 0, 60);
            half(x, y) = at(x, y) / 2 + at(x + 1, y) % 5;
            half.compute_root();
            f(x, y) = table(half(x, y), at(x, y) / 4);
            return f;
        },
        true);
}

// What a coordinate reads need not matter: min(uint8, 0) is 0. Nothing is then asked for the reads, in a large
// coordinate neither, whose own reads have many nodes.
// Inlined at small coordinates, the clamps are gone: the simplifier knows the bounds of what is inside.
TEST(IndirectCoordinates, KeepBoundsWhoseClampIsGone) {
    using Bits = std::function<Expr(const Expr &)>;
    const std::vector<Bits> all = {[](const Expr &a) { return a | 6; }, [](const Expr &a) { return 5 ^ a; },
                                   [](const Expr &a) { return (a & 12) | a; },
                                   [](const Expr &a) { return a & (a + 9); },
                                   [](const Expr &a) { return (a | 3) ^ (a & 6); }};
    for (size_t k = 0; k < all.size(); k++) {
        Buffer<int> expected;
        for (const bool is_at_root : {true, false}) {
            ImageParam in(Int(32), 1, "in");
            Func inner("inner"), sums("sums");
            inner(x, y) = in(clamp(all[k](y), 0, 20)) + x;
            RDom r(0, 17);
            sums(x) += inner(x, r % 5) * (r + 1);
            if (is_at_root) {
                inner.compute_root();
            }
            Buffer<int> table(21);
            table.for_each_element([&](int i) { table(i) = i * i - 40; });
            in.set(table);
            const Buffer<int> values = sums.realize({9});
            if (is_at_root) {
                expected = values;
            }
            for (int i = 0; i < 9; i++) {
                EXPECT_EQ(values(i), expected(i)) << "bits " << k;
            }
        }
    }
}

TEST(IndirectCoordinates, MayNotDependOnTheirReads) {
    for (const int terms : {1, 40}) {
        ImageParam in(Int(32), 2, "in"), table(Int(32), 2, "table");
        Func f("f"), g("g");
        Expr total = in(x + 100, y);
        for (int t = 1; t < terms; t++) {
            total = in(x + 100 + t + (total + t) % 7, y);
        }
        const Expr at = clamp(cast<int>(absd(cast<uint8_t>(total), cast<uint8_t>(x))), -3, 0);
        f(x, y) = table(at, y) + in(x, y);
        g(x, y) = f(x, y);
        g.infer_input_bounds({19, 13});
        EXPECT_EQ(in.get().dim(0).min(), 0);
        EXPECT_EQ(in.get().dim(0).extent(), 19);
        EXPECT_EQ(in.get().dim(1).extent(), 13);
        EXPECT_EQ(table.get().dim(0).extent(), 1);
    }
}

Func bounded_by_updates(ImageParam &in, ImageParam &table, const Expr &updated) {
    Func at("at"), f("f");
    RDom r(2, 3);
    at(x) = clamp(in(x, 0), 4, 9);
    at(r) = updated;
    at.compute_root();
    f(x) = table(at(x), 0);
    return f;
}

TEST(IndirectCoordinates, AreBoundedByAllDefinitions) {
    ImageParam in(Int(32), 2, "in"), table(Int(32), 2, "table");
    Func f = bounded_by_updates(in, table, clamp(in(0, 0), 7, 12));
    f.infer_input_bounds({10});
    EXPECT_EQ(table.get().dim(0).min(), 4);
    EXPECT_EQ(table.get().dim(0).extent(), 9);
}

TEST(IndirectCoordinates, AreRefusedWhereADefinitionHasNoBounds) {
    ImageParam in(Int(32), 2, "in"), table(Int(32), 2, "table");
    Func f = bounded_by_updates(in, table, in(1, 1) + 1);
    expect_error<CompileError>([&] { f.compile_jit(); }, "unbounded-access",
                               "in f, stage 0: coordinate 0 of input table is at(x), which has no known bounds; an "
                               "input is read over a finite region; wrap the coordinate in clamp(..., min, max)");
}

// Over all coordinates, these have no bounds, but at those that are read they do.
TEST(IndirectCoordinates, AreBoundedAtThePointsThatAreRead) {
    Param<int> p("p"), q("q");
    p.set(3), q.set(-2);
    const std::vector<std::function<Expr()>> rows = {
        [&] { return y * clamp(p, 1, 1000); },
        [&] { return y * clamp(p, -5, 1000) + 1; },
        [&] { return y * q + 30; },
        [&] { return max(y * 2 - 5, y); },
    };
    for (size_t k = 0; k < rows.size(); k++) {
        SCOPED_TRACE(k);
        expect_as_inlined([&](const ImageParam &in, const ImageParam &table, Func &at) {
            Func f("f");
            at(x, y) = rows[k]();
            f(x, y) = table(x, at(x, y) + 1) + in(x, at(x + 1, y) * 0);
            return f;
        });
    }
    // Data within clamps, moved by coordinates.
    expect_as_inlined([&](const ImageParam &in, const ImageParam &table, Func &at) {
        Func f("f");
        at(x, y) = clamp(in(x, y), 0, 5) + y * 2;
        f(x, y) = table(x, at(x, y) + 1);
        return f;
    });
    // Through another Func.
    expect_as_inlined(
        [&](const ImageParam &in, const ImageParam &table, Func &at) {
            Func f("f"), twice("twice");
            at(x, y) = x + y;
            twice(y) = at(1, y) * 2;
            twice.compute_root();
            f(x, y) = table(x, twice(y) / 3) + in(x, y);
            return f;
        },
        true);
}

// A value of 32 bits wraps, and its range says nothing of the sum.
TEST(IndirectCoordinates, AreNotBoundedBySumsThatMayWrap) {
    ImageParam in(Int(32), 2, "in"), table(Int(32), 2, "table");
    Func at("at"), f("f");
    at(x) = clamp(in(x, 0), 0, 2'000'000'000) * 2;
    at.compute_root();
    f(x) = table(min(at(x), 39), 0);
    EXPECT_THROW(f.compile_jit(), CompileError);
}

// An update writes where another Func says.
TEST(IndirectCoordinates, BoundWhatUpdatesWrite) {
    ImageParam in(Int(32), 2, "in");
    Func bin("bin"), counts("counts");
    RDom r(0, 40, 0, 40);
    bin(x, y) = clamp(in(x, y) / 16, 0, 15);
    counts(x) = 0;
    counts(bin(r.x, r.y)) += 1;
    bin.compute_root();
    in.set(numbers(40, 40));
    const Buffer<int> values = counts.realize({16}), expected = interpreted<int>(counts, {16});
    for (int i = 0; i < 16; i++) {
        EXPECT_EQ(values(i), expected(i)) << i;
    }
}

} // namespace
} // namespace fluorite::indirect_coordinates_test
