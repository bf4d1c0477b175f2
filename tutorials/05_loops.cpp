// Lesson 5: the loops of one function.
//
// A definition says what each point is; the schedule says in which order, how many at a time, and by which thread. This
// lesson schedules a single Func in eight ways. All give the same values: a schedule cannot change a result. What it
// changes is shown by pictures, in which each point has the colour of the time when it was stored: dark blue first,
// yellow last. A point that is stored twice has two stripes; points of one vector are joined.

#include "lesson.h"

#include <functional>
#include <iostream>

using namespace fluorite;
using lesson::check;

static const int width = 20, height = 14; // no powers of two: splits have to deal with what is left over

static Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi"), tile("tile"), both("both");

// Schedules a fresh f(x, y) = 100 * y + x, shows its loops, runs it, checks the values, draws the order. Gives the
// stores.
static std::vector<lesson::StoreRecorder::Store> run(const std::string &name, const std::string &folder,
                                                     const std::function<void(Func &)> &schedule) {
    std::printf("%s\n", name.c_str());
    Func f("f");
    f(x, y) = 100 * y + x;
    f.trace_stores();
    schedule(f);
    std::cout << f.loop_nest();

    lesson::StoreRecorder recorder;
    Buffer<int32_t> output = f.realize({width, height});
    bool right = true;
    output.for_each_element([&](int i, int j) { right = right && output(i, j) == 100 * j + i; });
    check(right, "the values do not depend on the schedule");
    lesson::save(recorder.draw("f", width, height, 10), folder, "05_" + name + ".png");
    return recorder.stores();
}

using Stores = std::vector<lesson::StoreRecorder::Store>;

static bool stored_at(const Stores &stores, size_t index, int at_x, int at_y) {
    return index < stores.size() && stores[index].x == at_x && stores[index].y == at_y;
}

// Without directives the first coordinate is the innermost loop: row by row, as images lie in memory.
//     for y: for x: f(x, y) = ...
static void default_order(const std::string &folder) {
    const Stores stores = run("default", folder, [](Func &) {});
    check(stored_at(stores, 1, 1, 0) && stored_at(stores, width, 0, 1), "x runs fastest");
}

// reorder lists loops from the innermost outwards.
//     for x: for y: ...
static void reordered(const std::string &folder) {
    const Stores stores = run("reorder", folder, [](Func &f) { f.reorder(y, x); });
    check(stored_at(stores, 1, 0, 1) && stored_at(stores, height, 1, 0), "y runs fastest");
}

// split replaces a loop by two: x = xo * 6 + xi. Alone it changes nothing, but the two loops can be placed apart.
//     for xo: for y: for xi in 0..5: ...
// 20 is no multiple of 6. What happens at the end is the tail strategy: GuardWithIf skips what is too much.
static void split_into_columns(const std::string &folder) {
    const Stores stores =
        run("split", folder, [](Func &f) { f.split(x, xo, xi, 6, TailStrategy::GuardWithIf).reorder(xi, y, xo); });
    check(stores.size() == size_t{width} * height, "each point is stored once");
    check(stored_at(stores, 5, 5, 0) && stored_at(stores, 6, 0, 1), "columns of six");
}

// The default for an output is ShiftInwards: the last piece moves back until it fits, and some points are computed
// twice. That keeps the inner loop's extent constant, which vectors like. RoundUp would compute past the end, which is
// fine for intermediate results only.
static void shifted_inwards(const std::string &folder) {
    const Stores stores = run("shift_inwards", folder, [](Func &f) { f.split(x, xo, xi, 6).reorder(xi, y, xo); });
    check(stores.size() == size_t{4 * 6} * height, "four pieces of six columns, four of them stored twice");
}

// tile is two splits and a reorder: the picture in blocks, for locality.
static void tiled(const std::string &folder) {
    const Stores stores = run("tile", folder, [](Func &f) { f.tile(x, y, xo, yo, xi, yi, 5, 7); });
    check(stored_at(stores, 5, 0, 1) && stored_at(stores, 35, 5, 0), "blocks of 5 x 7");
}

// fuse makes one loop of two: here one loop over all blocks, which is then easy to hand out to threads.
static void fused_and_parallel(const std::string &folder) {
    const Stores stores =
        run("parallel", folder, [](Func &f) { f.tile(x, y, xo, yo, xi, yi, 5, 7).fuse(xo, yo, tile).parallel(tile); });
    check(stores.size() == size_t{width} * height, "threads share the eight blocks, in no fixed order");
}

// vectorize computes the iterations of a loop of constant extent at once, as one vector.
static void vectorized(const std::string &folder) {
    const Stores stores = run("vectorize", folder, [](Func &f) { f.split(x, xo, xi, 4).vectorize(xi); });
    check(stores.size() == size_t{width} * height && stores[0].time == stores[3].time && stores[4].time == 1,
          "four points at a time");
}

// unroll writes the iterations of a loop out, so that what they share is computed once. It keeps the order that the
// loops have: here blocks of one vector times two rows, and the two rows of a block are two pieces of code. (With a
// factor, as in vectorize(x, 4) and unroll(y, 2), both split by themselves.)
static void unrolled(const std::string &folder) {
    const Stores stores =
        run("unroll", folder, [](Func &f) { f.tile(x, y, xo, yo, xi, yi, 4, 2).vectorize(xi).unroll(yi); });
    check(stored_at(stores, 4, 0, 1) && stored_at(stores, 8, 4, 0), "a vector, the one below it, and on to the right");
}

// Everything together: blocks for the cache, a thread for each block, vectors inside.
static void all_together(const std::string &folder) {
    const Stores stores = run("all", folder, [](Func &f) {
        f.tile(x, y, xo, yo, xi, yi, 8, 4).fuse(xo, yo, tile).parallel(tile).vectorize(xi, 4).unroll(yi);
    });
    check(stores.size() >= size_t{width} * height, "every point is stored");
}

// Directives are checked when they are called.
static void mistakes() {
    std::printf("mistakes\n");
    Func f("f");
    f(x, y) = x + y;
    lesson::check_refused("unknown-loop-variable", [&] { f.parallel(xo); });
    lesson::check_refused("split-factor-not-positive", [&] { f.split(x, xo, xi, 0); });
}

int main(int argc, char **argv) {
    const std::string folder = lesson::folder(argc, argv);
    default_order(folder);
    reordered(folder);
    split_into_columns(folder);
    shifted_inwards(folder);
    tiled(folder);
    fused_and_parallel(folder);
    vectorized(folder);
    unrolled(folder);
    all_together(folder);
    mistakes();
    return lesson::result();
}
