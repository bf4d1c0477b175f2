// Buffers that a run must refuse: without memory, with sizes that disagree, with shared memory.
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::arguments_test {
namespace {

void expect_refused(const std::function<void()> &run, const std::string &slug, const std::string &message) {
    expect_error<RuntimeError>(run, slug, message, {"arguments_test"});
}

const Var x("x"), y("y");

// ---- Missing memory.

const std::string no_memory =
    ": the buffer has no host memory; code that runs on the host reads and writes host memory; "
    "allocate the buffer before the call";

TEST(Arguments, BuffersWithoutMemoryAreRefused) {
    ImageParam in(Int(32), 1, "in");
    Func f("f");
    f(x) = in(x) + 1;
    Buffer<int> real(10), out(10);
    real.fill(5);
    Buffer<int> none(nullptr, 10);
    in.set(none);
    expect_refused([&] { f.realize(10); }, "host-is-null", "in in" + no_memory);
    expect_refused([&] { f.realize(out); }, "host-is-null", "in in" + no_memory);
    EXPECT_EQ(none.extent(0), 10); // and no query was answered
    in.set(real);
    expect_refused([&] { f.realize(none); }, "host-is-null", "in f" + no_memory);
    const Callable callable = f.compile_to_callable({in});
    expect_refused([&] { callable(real, none); }, "host-is-null", "in f" + no_memory);
    expect_refused([&] { callable(none, out); }, "host-is-null", "in in" + no_memory);
    EXPECT_EQ(callable(real, out), 0);
    EXPECT_EQ(out(9), 6);
}

TEST(Arguments, BuffersOfNothingNeedNoMemory) {
    ImageParam in(Int(32), 1, "in");
    Func f("f"), g("g");
    f(x) = x;
    g(x) = in(x);
    Buffer<int> empty(nullptr, 0), out(5);
    out.fill(-1);
    in.set(empty);
    Pipeline(std::vector<Func>{f, g}).realize({out, empty}); // f is computed, as this is no query
    EXPECT_EQ(out(4), 4);
    // Each keeps its own type, dimensions and ranges.
    ImageParam wide(UInt(8), 2, "wide");
    Func h("h");
    h(x, y) = wide(x, y + 3);
    Buffer<uint8_t> nothing(nullptr, 0, 7), unused(nullptr, 0, 4);
    wide.set(nothing);
    Pipeline(std::vector<Func>{f, g, h}).realize({out, empty, unused});
    EXPECT_EQ(out(3), 3);
}

TEST(Arguments, QueriesAreStillAnswered) {
    ImageParam in(Int(32), 1, "in");
    Func f("f");
    f(x) = in(x) + in(x + 3);
    f.infer_input_bounds(10);
    EXPECT_EQ(in.get().extent(0), 13);
}

// ---- Sizes.

TEST(Arguments, ValuesOfATupleHaveOneSize) {
    Func f("f");
    f(x, y) = Tuple(x, cast<float>(y), x + y);
    for (const bool larger : {false, true}) {
        Buffer<int> a(8, 6), c(8, 6);
        Buffer<float> b(8, larger ? 7 : 5);
        c.fill(-1);
        expect_refused(
            [&] { f.realize({a, b, c}); }, "constraint-violated",
            "in f.1: its extent along dimension 1 (y) is " + std::to_string(larger ? 7 : 5) +
                "; the pipeline was compiled for f.0.dim(1).extent() = 6; pass a buffer of that shape, or change the "
                "constraint before compiling");
        EXPECT_TRUE(c.all_equal(-1));
    }
    Buffer<int> a(8, 6), c(8, 6);
    Buffer<float> b(8, 6);
    c.set_min(1, 0);
    expect_refused(
        [&] { f.realize({a, b, c}); }, "constraint-violated",
        "in f.2: its min along dimension 0 (x) is 1; the pipeline was compiled for f.0.dim(0).min() = 0; pass a buffer "
        "of that shape, or change the constraint before compiling");
    c.set_min(0, 0);
    f.realize({a, b, c});
    EXPECT_EQ(c(7, 5), 12);
}

TEST(Arguments, PromisesCoverWhatIsRealized) {
    Func f("f");
    f(x) = x;
    f.bound(x, 0, 5);
    expect_refused(
        [&] { f.realize(10); }, "bound-too-small",
        "in f: it is realized over [0, 9] along dimension 0, and bound() or the constraints on its output buffer "
        "give [0, 4]; what is promised covers what is realized; realize that range, as a Buffer with this min "
        "and extent, or promise more");
    Buffer<int> out(10);
    EXPECT_THROW(f.realize(out), RuntimeError);
    const Buffer<int> five = f.realize(5), three = f.realize(3);
    EXPECT_EQ(five.extent(0), 5);
    EXPECT_EQ(three.extent(0), 3);
    Func g("g");
    g(x, y) = x + y;
    g.output_buffer().dim(1).set_bounds(2, 4);
    EXPECT_THROW(g.realize(3, 6), RuntimeError);
    Buffer<int> fits(3, 4);
    fits.set_min(0, 2);
    g.realize(fits);
    EXPECT_EQ(fits(2, 5), 7);
}

// ---- Shared memory.

class InPlace : public testing::Test {
  protected:
    ImageParam in{Int(32), 2, "in"};
    Func f{"f"};
    Buffer<int> image{67, 19};
    std::string why;

    void SetUp() override { refill(); }
    void refill() {
        image.fill([](int x, int y) { return x * 7 + y * 13; });
        in.set(image);
    }
    void expect_refused_in_place(const std::string &reason) {
        expect_refused([&] { f.realize(image); }, "buffers-overlap",
                       "in f: it shares memory with in; " + reason +
                           "; give it memory of its own, as in buffer.copy()");
        EXPECT_EQ(image(3, 2), 47);
    }
};

TEST_F(InPlace, OtherPointsAreRefused) {
    f(x, y) = in(x, y) + in(max(x - 1, 0), y);
    expect_refused_in_place("f reads in at other points than the one that it writes");
    Buffer<int> out(67, 19);
    f.realize(out);
    EXPECT_EQ(out(1, 0), 7);
}

TEST_F(InPlace, UpdatesAndOtherReadersAreRefused) {
    f(x, y) = in(x, y);
    f(x, y) += in(x, y);
    expect_refused_in_place("f reads in and stores several times at one point");
    Func g("g");
    g(x, y) = in(x, y);
    g.compute_root();
    f = Func("f");
    f(x, y) = g(x, y) + in(x, y);
    expect_refused_in_place("g reads in too, before or after it is overwritten");
}

TEST_F(InPlace, TailsThatRepeatPointsAreRefused) {
    f(x, y) = in(x, y) + 1;
    f.vectorize(x, 8);
    expect_refused_in_place("the split of x may compute points twice; in place, its tail is TailStrategy::GuardWithIf");
}

TEST_F(InPlace, EqualPointsAreFine) {
    for (int schedule = 0; schedule < 4; schedule++) {
        refill();
        f = Func("f");
        f(x, y) = select(in(x, y) % 2 == 0, in(x, y) * 3 + 1, -in(x, y));
        const Buffer<int> expected = f.realize(67, 19);
        if (schedule > 0) {
            f.vectorize(x, 8, schedule == 3 ? TailStrategy::Predicate : TailStrategy::GuardWithIf);
        }
        if (schedule == 2) {
            f.parallel(y);
        }
        f.realize(image);
        int different = 0;
        image.for_each_element([&](int i, int k) { different += image(i, k) != expected(i, k) ? 1 : 0; });
        EXPECT_EQ(different, 0) << schedule;
    }
}

TEST_F(InPlace, OnlyEqualPointsAre) {
    f(x, y) = in(x, y) + 1;
    Buffer<int> shifted = image.cropped(0, 5, 40);
    shifted.set_min(0, 0);
    in.set(image);
    expect_refused(
        [&] { f.realize(shifted); }, "buffers-overlap",
        "in f: it shares memory with in; f may only be computed in place where both buffers are the same one, as "
        "other points are read after they are written; give it memory of its own, as in buffer.copy()");
    Buffer<int> crop = image.cropped(0, 5, 40); // keeps the coordinates
    f.realize(crop);
    EXPECT_EQ(image(5, 0), 36);
    EXPECT_EQ(image(4, 0), 28);
}

TEST_F(InPlace, PartsOfOneImageAreApart) {
    f(x, y) = in(x + 1, y) + in(x, y);
    Buffer<int> left = image.cropped(0, 0, 30), right = image.cropped(0, 31, 29);
    right.set_min(0, 0);
    in.set(left);
    f.realize(right);
    EXPECT_EQ(image(31, 1), 7 + 13 + 13);
    Buffer<int> last = image.cropped(0, 29, 29);
    last.set_min(0, 0);
    EXPECT_THROW(f.realize(last), RuntimeError); // the buffers share one column
}

TEST(InPlaceOutputs, ShareNoMemory) {
    Func f("f");
    f(x) = Tuple(x, x + 1);
    Buffer<int> a(10), b(10);
    expect_refused(
        [&] { f.realize({a, a}); }, "buffers-overlap",
        "in f.1: it shares memory with f.0; each output is written to memory of its own; give it memory of its own, "
        "as in buffer.copy()");
    f.realize({a, b});
    EXPECT_EQ(b(9), 10);
    Buffer<int> pixels = Buffer<int>::make_interleaved(10, 1, 2);
    Buffer<int> even = pixels.sliced(2, 0).sliced(1, 0), odd = pixels.sliced(2, 1).sliced(1, 0);
    f.output_buffers()[0].dim(0).set_stride(2);
    f.output_buffers()[1].dim(0).set_stride(2);
    f.realize({even, odd}); // the addresses interleave, but no element is shared
    EXPECT_EQ(pixels(9, 0, 1), 10);
}

} // namespace
} // namespace fluorite::arguments_test
