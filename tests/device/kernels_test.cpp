// Pipelines with loops over blocks and threads of a GPU, run by the executor of loop IR, which needs no device: their
// values are the interpreter's, and no two threads race.
#include "driver/test_interpreted.h"
#include "fluorite/fluorite.h"
#include "support/check.h"
#include "support/test_errors.h"
#include "tests/device/on_device.h"

#include <gtest/gtest.h>

namespace fluorite::kernels_test {
namespace {

class Device : public OnDevice {
  protected:
    Var x{"x"}, y{"y"}, z{"z"}, bx{"bx"}, by{"by"}, bz{"bz"}, tx{"tx"}, ty{"ty"}, tz{"tz"};
    Func f{"f"}, g{"g"}, h{"h"};
};

template <typename T> Buffer<T> image(int width, int height) {
    Buffer<T> pixels(width, height);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            pixels(x, y) = static_cast<T>((x * 7 + y * 13 + x * y) % 101);
        }
    }
    return pixels;
}

// ---- Tails, sizes and types.

TEST_F(Device, TilesOfEveryTailAndSize) {
    for (const TailStrategy tail :
         {TailStrategy::Auto, TailStrategy::GuardWithIf, TailStrategy::Predicate, TailStrategy::RoundUp,
          TailStrategy::ShiftInwards, TailStrategy::PredicateLoads, TailStrategy::PredicateStores}) {
        for (const int width : {8, 13, 32}) {
            Func out("out");
            out(x, y) = x * 3 + y * y;
            out.gpu_tile(x, y, bx, by, tx, ty, 8, 4, tail);
            const bool fits = tail != TailStrategy::RoundUp && tail != TailStrategy::PredicateLoads;
            if (fits || width % 8 == 0) {
                expect_interpreted(out, {width, fits ? 7 : 8}, "tail " + std::to_string(static_cast<int>(tail)));
            }
        }
    }
}

// Loops over threads with serial loops, copies and conditions between them.
TEST_F(Device, ThreadsWithLoopsBetween) {
    Buffer<int> in = image<int>(40, 40);
    for (const TailStrategy tail : {TailStrategy::GuardWithIf, TailStrategy::ShiftInwards}) {
        Func stage("stage"), out("out");
        Var xo("xo"), xi("xi"), yo("yo"), yi("yi");
        stage(x, y) = in(x, y) * 2 + x;
        out(x, y) = stage(x, y) + stage(x + 1, y) + stage(x, y + 2);
        out.gpu_tile(x, y, bx, by, tx, ty, 16, 8, tail).unroll(ty, 2).vectorize(tx, 2);
        stage.compute_at(out, bx)
            .split(x, xo, xi, 8, tail)
            .split(y, yo, yi, 4, tail)
            .reorder(xi, xo, yi, yo)
            .gpu_threads(xi, yi);
        expect_interpreted(out, {33, 21}, std::to_string(static_cast<int>(tail)));
    }
    // A loop that carries a dependence.
    RDom r(1, 3, "r");
    Func sums("sums"), out("out");
    sums(x, y, z) = in(x, y) + z;
    sums(x, y, r) += sums(x, y, r - 1) * 3;
    out(x, y, z) = sums(x, y, z) - z;
    out.tile(x, y, bx, by, tx, ty, 8, 8).reorder(tx, ty, z, bx, by).gpu_blocks(bx, by).gpu_threads(tx, ty);
    sums.compute_at(out, bx).gpu_threads(x, y).update().reorder(x, r, y).gpu_threads(x, y);
    expect_interpreted(out, {16, 19, 4});
}

// Tails of a loop between those over blocks and those over threads are conditions around barriers.
TEST_F(Device, GuardsOfSerialLoopsAroundThreads) {
    Var zo("zo"), zi("zi");
    f(x, y, z) = x + y * z;
    f.split(x, bx, tx, 10, TailStrategy::GuardWithIf)
        .split(y, by, ty, 6, TailStrategy::GuardWithIf)
        .split(z, zo, zi, 3, TailStrategy::GuardWithIf)
        .reorder(tx, ty, zi, bx, by, zo)
        .gpu_blocks(bx, by, zo)
        .gpu_threads(tx, ty);
    expect_interpreted(f, {23, 17, 5});

    // The stage inside has two pieces of work under the condition, and a barrier between them.
    g(x, y) = x * 3 + y;
    h(x, y) = g(x, y) + g(x + 1, y) + g(x, y + 1);
    h.tile(x, y, bx, by, tx, ty, 8, 8, TailStrategy::GuardWithIf)
        .split(ty, y, ty, 4, TailStrategy::GuardWithIf)
        .reorder(tx, ty, y, bx, by)
        .gpu_blocks(bx, by)
        .gpu_threads(tx, ty);
    g.compute_at(h, y).gpu_threads(x, y);
    expect_interpreted(h, {21, 18});
}

template <typename T> void expect_blurred(const Var &x, const Var &y) {
    Buffer<T> in = image<T>(24, 17);
    Func clamped = BoundaryConditions::repeat_edge(in), rows("rows"), out("out");
    Var bx("bx"), by("by"), tx("tx"), ty("ty");
    rows(x, y) = cast<T>(clamped(x - 1, y) + clamped(x, y) * 2 + clamped(x + 1, y));
    out(x, y) = cast<T>(rows(x, y - 1) + rows(x, y) + rows(x, y + 1));
    out.gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    rows.compute_at(out, bx).gpu_threads(x, y);
    expect_interpreted(out, {21, 15}, concat(type_of<T>()));
}

TEST_F(Device, TypesThroughSharedMemory) {
    expect_blurred<uint8_t>(x, y);
    expect_blurred<int8_t>(x, y);
    expect_blurred<uint16_t>(x, y);
    expect_blurred<int16_t>(x, y);
    expect_blurred<int32_t>(x, y);
    expect_blurred<uint32_t>(x, y);
    expect_blurred<int64_t>(x, y);
    expect_blurred<float>(x, y);
    expect_blurred<double>(x, y);
    expect_blurred<float16_t>(x, y);
}

TEST_F(Device, DimensionsOneToThree) {
    f(x) = x * x;
    f.gpu_tile(x, tx, 16);
    expect_interpreted(f, {50});
    g(x, y, z) = x + 10 * y + 100 * z;
    g.gpu_tile(x, y, z, bx, by, bz, tx, ty, tz, 4, 2, 3);
    expect_interpreted(g, {9, 5, 7});
    h() = 42;
    expect_interpreted(h, {});
}

// ---- Storage.

TEST_F(Device, StagesWithBlocksOfOtherShapes) {
    Buffer<int> in = image<int>(64, 64);
    f(x, y) = in(x, y) + 1;
    g(x, y) = f(x, y) + f(x + 3, y + 1);
    h(x, y) = g(x, y) * g(x + 1, y);
    h.gpu_tile(x, y, bx, by, tx, ty, 8, 8);
    g.compute_at(h, bx).gpu_threads(x, y);
    f.compute_at(h, bx).gpu_threads(y); // fewer dimensions, and a serial loop in each thread
    expect_interpreted(h, {21, 19});
}

TEST_F(Device, WhatAThreadComputesIsItsOwn) {
    f(x, y) = x * y + 1;
    g(x, y) = f(x, y) + f(x + 1, y);
    g.gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    f.compute_at(g, tx);
    expect_interpreted(g, {19, 9});
}

TEST_F(Device, StagesWithoutThreadsRunOnOne) {
    f(x, y) = x * y + 1;
    g(x, y) = f(x, y) + f(x + 1, y);
    g.gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    f.compute_at(g, bx);
    expect_interpreted(g, {19, 9});
}

TEST_F(Device, KernelsPassValuesThroughTheMemoryOfTheDevice) {
    f(x, y) = x + y;
    g(x, y) = f(x, y) + f(y, x);
    f.compute_root().gpu_tile(x, y, bx, by, tx, ty, 8, 8);
    g.gpu_tile(x, y, bx, by, tx, ty, 8, 8);
    expect_interpreted(g, {17, 17});
}

TEST_F(Device, HostAndDeviceAlternate) {
    f(x, y) = x + y;
    g(x, y) = f(x, y) + f(y, x);
    h(x, y) = g(x, y) * 2;
    f.compute_root().gpu_tile(x, y, bx, by, tx, ty, 8, 8);
    g.compute_root().vectorize(x, 4).parallel(y);
    h.gpu_blocks(y).gpu_threads(x);
    expect_interpreted(h, {17, 17});
}

TEST_F(Device, LaunchesFromAParallelLoop) {
    f(x, y, z) = x + y * z;
    f.parallel(z).gpu_blocks(y).gpu_threads(x);
    expect_interpreted(f, {9, 5, 4});
}

// ---- Updates.

TEST_F(Device, UpdatesInTheirOwnKernels) {
    RDom r(0, 5, "r");
    f(x, y) = x;
    f(x, y) += r * y;
    f(x, 0) = 7;
    f.gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    f.update(0).gpu_tile(x, y, bx, by, tx, ty, 4, 4);
    f.update(1).gpu_blocks(x);
    expect_interpreted(f, {19, 9});
}

TEST_F(Device, ReductionsInSharedMemory) {
    Buffer<int> in = image<int>(64, 64);
    RDom r(0, 64, "r");
    f(x, y) = 0;
    f(x, y) += in(r, y) * (x + 1);
    g(x, y) = f(x, y) + f(x, y + 1);
    g.gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    f.compute_at(g, bx).gpu_threads(x, y);
    f.update().gpu_threads(x, y);
    expect_interpreted(g, {16, 12});
}

// Row r.y of a triangle depends on row r.y - 1: all threads have to be through before the next row.
TEST_F(Device, DependencesThatASerialLoopCarries) {
    RDom r(1, 14, 1, 15, "r");
    f(x, y) = select(y == 0, x, 0);
    f(r.x, r.y) = f(r.x - 1, r.y - 1) + f(r.x + 1, r.y - 1);
    g(x, y) = f(x, y);
    g.gpu_blocks(y).gpu_threads(x);
    f.compute_at(g, y).gpu_threads(x);
    f.update().gpu_threads(r.x);
    expect_interpreted(g, {16, 16});
}

TEST_F(Device, SumsOfPartsByRfactor) {
    Buffer<int> in = image<int>(96, 8);
    RDom r(0, 96, "r");
    RVar outer("outer"), inner("inner");
    Var u("u");
    f(y) = 0;
    f(y) += in(r, y);
    g(y) = f(y) + 1;
    Func parts = f.update().split(r, outer, inner, 8).rfactor(outer, u);
    f.compute_at(g, y);
    parts.compute_at(g, y).gpu_threads(u);
    parts.update().gpu_threads(u);
    g.gpu_blocks(y);
    expect_interpreted(g, {8});
}

// ---- Other directives.

TEST_F(Device, SpecializationsRunElsewhere) {
    Param<int> n;
    f(x, y) = x * n + y;
    f.specialize(n > 3).gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    f.vectorize(x, 4);
    for (const int value : {1, 9}) {
        n.set(value);
        expect_interpreted(f, {19, 9}, std::to_string(value));
    }
}

TEST_F(Device, VectorsAndUnrolledLoopsInThreads) {
    Var v("v"), u("u"), o("o");
    Buffer<uint8_t> in = image<uint8_t>(64, 32);
    f(x, y) = in(x, y) + 1;
    f.split(x, o, v, 4).vectorize(v).split(y, by, u, 2).unroll(u).gpu_blocks(by).gpu_threads(o);
    expect_interpreted(f, {61, 31});
}

TEST_F(Device, TuplesAndSelects) {
    f(x, y) = {x + y, cast<float>(x) / 3};
    g(x, y) = select(f(x, y)[0] % 2 == 0, f(x, y)[1], f(x + 1, y)[1] * 2);
    g.gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    f.compute_at(g, bx).gpu_threads(x, y);
    expect_interpreted(g, {13, 11});
}

TEST_F(Device, SizesOfThreadsThatParametersGive) {
    Param<int> radius;
    Buffer<int> in = image<int>(64, 64);
    f(x, y) = in(x, y) * 3;
    RDom r(0, radius + 1, "r");
    g(x, y) = sum(f(x + r, y), "total");
    g.gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    f.compute_at(g, bx).gpu_threads(x, y);
    for (const int value : {0, 3, 9}) {
        radius.set(value);
        expect_interpreted(g, {30, 20}, std::to_string(value));
    }
}

TEST_F(Device, LanesAreThreads) {
    f(x, y) = x - y;
    f.split(x, bx, tx, 32).gpu_blocks(y).gpu_threads(bx).gpu_lanes(tx);
    expect_interpreted(f, {90, 3});
}

// ---- What is refused.

TEST_F(Device, RacesThatTheProgramAllowsAreReported) {
    if (!is_executed()) {
        return; // only the executor sees races
    }
    RDom r(0, 16, "r");
    f(x) = 0;
    f(r) = f(15 - r) + 1;
    f.update().allow_race_conditions().gpu_threads(r);
    g(x) = f(x);
    f.compute_at(g, bx).gpu_threads(x);
    g.gpu_tile(x, bx, tx, 16);
    try {
        g.realize({16});
        ADD_FAILURE() << "no race is reported";
    } catch (const RuntimeError &error) {
        EXPECT_NE(std::string(error.what()).find("data race in "), std::string::npos) << error.what();
    }
}

TEST_F(Device, IterationsThatDependOnEachOther) {
    RDom r(0, 16, "r");
    f(x) = 0;
    f(r) = f(15 - r) + 1;
    expect_error(
        [&] { f.update().gpu_threads(r); }, "parallel-over-dependence",
        "in f, stage 1: gpu_threads of RVar loop r.x; its iterations read or write what another one writes, and it "
        "reads its own values at other points than the one that it updates; keep it serial, or gpu_threads a loop "
        "over a pure Var");
}

} // namespace
} // namespace fluorite::kernels_test
