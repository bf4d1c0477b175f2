// Programs that schedules for GPUs are written for: scans, transposes, mixtures of host and device, alternatives with
// other threads. The executor of loop IR runs them, and reports races.
#include "driver/test_interpreted.h"
#include "fluorite/fluorite.h"
#include "support/test_errors.h"
#include "tests/device/on_device.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace fluorite::device_programs_test {
namespace {

class DevicePrograms : public OnDevice {
  protected:
    Var x{"x"}, y{"y"}, z{"z"}, bx{"bx"}, by{"by"}, bz{"bz"}, tx{"tx"}, ty{"ty"}, tz{"tz"};
    Func f{"f"}, g{"g"}, h{"h"};
};

Buffer<int> numbers(int width, int height) {
    Buffer<int> pixels(width, height);
    for (int i = 0; i < width * height; i++) {
        pixels.data()[i] = (i * 37 + i / 7) % 113;
    }
    return pixels;
}

// ---- Nests of threads.

TEST_F(DevicePrograms, NestsOfOneToThreeDimensions) {
    f(x, y, z) = x + y * 2 + z * 3;
    g(x, y, z) = f(x, y, z) + f(x + 1, y, z) + f(x, y + 1, z + 1);
    h(x, y, z) = g(x, y, z) * 2;
    h.gpu_tile(x, y, z, bx, by, bz, tx, ty, tz, 4, 3, 2);
    f.compute_at(h, bx).gpu_threads(y);
    g.compute_at(h, bx).gpu_threads(x, y);
    expect_interpreted(h, {9, 7, 5});
}

TEST_F(DevicePrograms, OneBlockDimensionAndTwoOfThreads) {
    f(x, y) = x * y;
    f.split(x, bx, tx, 8).reorder(tx, y, bx).gpu_blocks(bx).gpu_threads(tx, y);
    expect_interpreted(f, {19, 5});
}

TEST_F(DevicePrograms, ThreadLoopsThatBeginElsewhere) {
    f(x, y) = x + y;
    g(x, y) = f(x - 3, y) + f(x + 5, y);
    g.gpu_tile(x, bx, tx, 16).gpu_blocks(y);
    f.compute_at(g, bx).gpu_threads(x);
    expect_interpreted(g, {40, 3});
}

TEST_F(DevicePrograms, VectorsInThreadsAndInSharedMemory) {
    Buffer<int> in = numbers(64, 16);
    f(x, y) = cast<uint8_t>(in(x, y));
    g(x, y) = f(x, y) + f(x + 1, y);
    Var v("v"), o("o");
    g.split(x, bx, o, 32).split(o, tx, v, 4).vectorize(v).gpu_blocks(bx, y).gpu_threads(tx);
    f.compute_at(g, bx).split(x, o, v, 4).vectorize(v).gpu_threads(o);
    expect_interpreted(g, {61, 9});
}

TEST_F(DevicePrograms, SumsOfChannelsAsVectors) {
    Buffer<int> in = numbers(32, 16);
    Var c("c");
    f(x, y, c) = cast<float>(in(x, y)) * (c + 1);
    g(x, y, c) = f(x, y, 0) + f(x, y, 1) + f(x, y, 2) + c;
    g.bound(c, 0, 4).reorder(c, x, y).vectorize(c).gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    f.compute_at(g, tx).reorder(c, x, y).vectorize(c, 4);
    expect_interpreted(g, {16, 9, 4});
}

// ---- Waiting.

TEST_F(DevicePrograms, ManyFlips) {
    std::vector<Func> flips;
    for (int k = 0; k < 12; k++) {
        Func flip("flip" + std::to_string(k));
        flip(x) = k == 0 ? Expr(x * 3) : flips.back()(15 - x) + k;
        flips.push_back(flip);
    }
    g(x) = flips.back()(15 - x);
    g.bound(x, 0, 16).gpu_tile(x, bx, tx, 16);
    for (Func &flip : flips) {
        flip.compute_at(g, bx).gpu_threads(x);
    }
    expect_interpreted(g, {16});
}

TEST_F(DevicePrograms, ScansInBlocksAndACorrection) {
    Buffer<int> in = numbers(96, 1);
    RDom r(1, 15, "r"), s(1, 5, "s");
    Var block("block"), i("i");
    Func scan("scan"), sums("sums");
    scan(i, block) = in(i + block * 16, 0);
    scan(r, block) += scan(r - 1, block);
    sums(block) = scan(15, block);
    sums(s) += sums(s - 1);
    g(x) = scan(x % 16, x / 16) + select(x >= 16, sums(max(x / 16 - 1, 0)), 0);
    scan.compute_root().gpu_blocks(block).gpu_threads(i);
    scan.update().gpu_blocks(block);
    sums.compute_root().gpu_tile(block, bx, tx, 2);
    g.gpu_tile(x, bx, tx, 16);
    expect_interpreted(g, {96});
}

TEST_F(DevicePrograms, ATransposeThroughSharedMemory) {
    Buffer<int> in = numbers(48, 40);
    Func tile("tile");
    Var block("block");
    tile(x, y) = cast<uint8_t>(in(x, y));
    g(x, y) = tile(y, x);
    g.tile(x, y, bx, by, tx, ty, 8, 8).fuse(bx, by, block).gpu_blocks(block).gpu_threads(tx, ty);
    tile.compute_at(g, block).gpu_threads(x, y);
    expect_interpreted(g, {40, 48});
}

// ---- Alternatives.

TEST_F(DevicePrograms, AlternativesWithOtherThreads) {
    Param<int> n;
    f(x, y) = x * n + y;
    g(x, y) = f(x, y) + f(x, y + 1);
    f.compute_root();
    f.specialize(n == 1).gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    f.specialize(n == 2).gpu_tile(x, bx, tx, 16).gpu_blocks(y);
    f.gpu_blocks(y).gpu_threads(x);
    g.specialize(n > 2).gpu_blocks(y).gpu_threads(x);
    g.gpu_tile(x, y, bx, by, tx, ty, 4, 8);
    for (const int value : {1, 2, 3}) {
        n.set(value);
        expect_interpreted(g, {19, 9}, std::to_string(value));
    }
}

TEST_F(DevicePrograms, AlternativesInsideOfABlock) {
    Param<int> n;
    f(x, y) = x * n + y;
    g(x, y) = f(x, y) + f(x, y + 1);
    g.gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    f.compute_at(g, bx);
    f.specialize(n == 1).gpu_threads(x, y);
    f.specialize(n == 2).gpu_threads(y);
    for (const int value : {1, 2, 3}) {
        n.set(value);
        expect_interpreted(g, {19, 9}, std::to_string(value));
    }
}

TEST_F(DevicePrograms, AlternativesOfHostAndDevice) {
    Param<bool> on_device;
    for (const int which : {0, 1, 2}) {
        Func a("a"), b("b");
        a(x, y) = x + y * 2;
        b(x, y) = a(x, y) + a(x + 1, y);
        a.compute_root();
        if (which != 1) {
            a.specialize(on_device).gpu_tile(x, y, bx, by, tx, ty, 8, 4);
        }
        if (which != 0) {
            b.specialize(on_device).gpu_tile(x, y, bx, by, tx, ty, 8, 4);
        }
        b.parallel(y);
        for (const bool value : {false, true}) {
            on_device.set(value);
            expect_interpreted(b, {19, 9}, std::to_string(which));
        }
    }
}

TEST_F(DevicePrograms, KernelsInsideOfParallelLoops) {
    f(x, y, z) = x + y * z;
    g(x, y, z) = f(x, y, z) + f(x + 1, y, z);
    g.parallel(z).gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    f.compute_at(g, z).gpu_tile(x, y, bx, by, tx, ty, 4, 4); // kernels of its own, in each iteration
    expect_interpreted(g, {17, 5, 3});
}

// ---- Kernels.

TEST_F(DevicePrograms, ManyKernels) {
    std::vector<Func> stages;
    for (int k = 0; k < 20; k++) {
        Func stage("stage" + std::to_string(k));
        stage(x, y) = k == 0 ? Expr(x + y) : stages.back()(x, y) * 3 + k;
        stage.compute_root().gpu_tile(x, y, bx, by, tx, ty, 8, 4);
        stages.push_back(stage);
    }
    expect_interpreted(stages.back(), {9, 6});
}

TEST_F(DevicePrograms, FloatsThroughThreeKernels) {
    f(x, y) = sqrt(cast<float>(x + 1)) + exp(-cast<float>(y) / 3);
    g(x, y) = f(x, y) / (f(x + 1, y) + 1);
    h(x, y) = g(x, y) - floor(g(x, y + 1)) + cast<float>(cast<float16_t>(f(x, y)));
    for (Func *stage : {&f, &g, &h}) {
        stage->compute_root().gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    }
    expect_interpreted(h, {17, 9});
}

TEST_F(DevicePrograms, ArgumentsOfEachType) {
    Param<int16_t> a;
    Param<uint8_t> b;
    Param<int64_t> c;
    Param<double> d;
    Param<bool> e;
    f(x) = cast<int64_t>(a) * x + b + select(e, c, -c) + cast<int64_t>(d);
    f.gpu_tile(x, bx, tx, 8);
    a.set(-300);
    b.set(200);
    c.set(int64_t{-5'000'000'000});
    d.set(-2.5);
    e.set(true);
    expect_interpreted(f, {21});
}

// ---- Bands, windows, folds.

TEST_F(DevicePrograms, TailGuardsBetweenLoopsOverBlocks) {
    Var o("o"), i("i"), oo("oo");
    for (const TailStrategy tail : {TailStrategy::GuardWithIf, TailStrategy::ShiftInwards, TailStrategy::Predicate}) {
        Func out("out");
        out(x, y) = x + y * 100;
        out.split(y, o, i, 4, tail).split(o, oo, o, 2, tail).reorder(x, i, o, oo);
        out.gpu_blocks(o, oo).gpu_threads(x, i);
        expect_interpreted(out, {9, 8}, std::to_string(static_cast<int>(tail)));
        if (tail != TailStrategy::ShiftInwards) {
            expect_interpreted(out, {9, 13}, std::to_string(static_cast<int>(tail)));
        }
    }
}

TEST_F(DevicePrograms, SkewedBlocks) {
    RDom r(1, 8, 1, 8, "r");
    f(x, y) = x * 3 + y;
    f(r.x, r.y) = f(r.x - 1, r.y) + f(r.x, r.y - 1);
    RVar d("d");
    f.update().skew(r.x, r.y, d, 1);
    expect_interpreted(f, {9, 9});
    Func triangle("triangle");
    triangle(x, y) = x + y;
    Var k("k");
    triangle.skew(x, y, k, 1).gpu_blocks(k, y);
    expect_interpreted(triangle, {9, 7});
}

TEST_F(DevicePrograms, WindowsThatSlideInABlock) {
    f(x, y) = x + y * 2;
    g(x, y) = f(x, y - 1) + f(x, y) + f(x, y + 1);
    Var o("o"), i("i");
    g.split(y, o, i, 8).reorder(x, i, o).gpu_blocks(o).gpu_threads(x);
    f.store_at(g, o).compute_at(g, i).gpu_threads(x);
    expect_interpreted(g, {13, 21});
    Func a("a"), b("b");
    a(x, y) = x + y * 2;
    b(x, y) = a(x, y - 1) + a(x, y) + a(x, y + 1);
    b.split(y, o, i, 8).reorder(x, i, o).gpu_blocks(o).gpu_threads(x);
    a.store_at(b, o).compute_at(b, i).fold_storage(y, 4).gpu_threads(x);
    expect_interpreted(b, {13, 21});
}

TEST_F(DevicePrograms, WindowsThatSlideInAThread) {
    f(x, y) = x + y * 2;
    g(x, y) = f(x, y - 1) + f(x, y) + f(x, y + 1);
    Var o("o"), i("i");
    g.split(y, o, i, 8).reorder(i, x, o).gpu_blocks(o).gpu_threads(x);
    f.store_at(g, x).compute_at(g, i);
    expect_interpreted(g, {13, 21});
}

TEST_F(DevicePrograms, RingsInABlock) {
    f(x, y) = x + y * 2;
    g(x, y) = f(x, y) + f(x + 1, y);
    Var o("o"), i("i");
    g.split(y, o, i, 4).reorder(x, i, o).gpu_blocks(o).gpu_threads(x);
    f.compute_at(g, i).hoist_storage(g, o).ring_buffer(2).gpu_threads(x);
    expect_interpreted(g, {13, 9});
}

TEST_F(DevicePrograms, SharedLoopsInABlock) {
    f(x, y) = x + y;
    g(x, y) = x * y;
    h(x, y) = f(x, y) + g(x, y) + f(x + 1, y);
    h.gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    f.compute_at(h, bx).gpu_threads(x, y);
    g.compute_at(h, bx).gpu_threads(x, y).compute_with(f, x);
    expect_interpreted(h, {13, 9});
}

// ---- What is refused.

TEST_F(DevicePrograms, NestsThatAreNoKernels) {
    f(x, y) = x + y;
    g(x, y) = f(x, y) + f(x + 1, y);
    g.gpu_blocks(x, y);
    f.compute_at(g, y);
    expect_error([&] { (void)g.realize({8, 8}); }, "gpu-not-possible",
                 "the loop g.s0.y over blocks of a device has loops over blocks inside that something else stands "
                 "beside; compute what is there inside of all loops over blocks, or outside");
    f.compute_at(g, x).gpu_blocks(y);
    expect_error([&] { (void)g.realize({8, 8}); }, "gpu-not-possible",
                 "the loop g.s0.y over blocks of a device has loops over blocks inside that something else stands "
                 "beside; compute what is there inside of all loops over blocks, or outside");
    h(x, y) = x;
    h.gpu_threads(x);
    expect_error([&] { (void)h.realize({8, 8}); }, "gpu-threads-without-blocks",
                 "the loop h.s0.x over threads of a device is in no loop over blocks; mark an outer loop with "
                 "gpu_blocks");
}

TEST_F(DevicePrograms, WhatOnlyTheHostDoes) {
    f(x, y) = print(x + y);
    f.gpu_blocks(y).gpu_threads(x);
    expect_error([&] { (void)f.realize({8, 8}); }, "gpu-not-possible",
                 "the loop f.s0.y over blocks of a device prints values, and only the host can do that");
    g(x, y) = x + y;
    h(x, y) = g(x, y) + g(x + 1, y);
    h.gpu_blocks(y).gpu_threads(x);
    g.compute_at(h, y).trace_stores();
    expect_error([&] { (void)h.realize({8, 8}); }, "gpu-not-possible",
                 "the loop h.s0.y over blocks of a device traces values, and only the host can do that");
}

TEST_F(DevicePrograms, MemoizedAndAsyncFuncs) {
    f(x, y) = x + y;
    g(x, y) = f(x, y) + f(x + 1, y);
    g.gpu_blocks(y).gpu_threads(x);
    f.compute_at(g, y).memoize();
    expect_error([&] { (void)g.realize({8, 8}); }, "gpu-not-possible",
                 "the loop g.s0.y over blocks of a device contains a memoized Func, and only the host can do that");
    Func a("a"), b("b");
    Var o("o"), i("i");
    a(x, y) = x + y;
    b(x, y) = a(x, y) + a(x, y + 1);
    b.split(y, o, i, 4).gpu_blocks(o);
    a.store_at(b, o).compute_at(b, i).async();
    expect_error([&] { (void)b.realize({8, 8}); }, "gpu-not-possible",
                 "the loop b.s0.o over blocks of a device contains an async Func, and only the host can do that");
}

} // namespace
} // namespace fluorite::device_programs_test
