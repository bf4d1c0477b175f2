// The memory of blocks and threads: sizes that depend on parameters, blocks, threads and loops, memory of the device in
// place of it, and bytes that are shared.
#include "driver/test_interpreted.h"
#include "fluorite/fluorite.h"
#include "support/test_errors.h"
#include "tests/device/on_device.h"

#include <gtest/gtest.h>

namespace fluorite::device_memory_test {
namespace {

class DeviceMemory : public OnDevice {
  protected:
    Var x{"x"}, y{"y"}, bx{"bx"}, by{"by"}, tx{"tx"}, ty{"ty"};
    Func f{"f"}, g{"g"}, h{"h"};
    RDom r{0, 8, "r"};
};

// ---- Sizes.

// Each thread has a window of its own, as large as a parameter says.
TEST_F(DeviceMemory, OfThreadsWithSizesOfParameters) {
    Param<int> n;
    f(x) = x * 3 + 1;
    RDom s(0, n, "s");
    g(x) = 0;
    g(x) += f(x + s) * (s + 1);
    g.compute_root().gpu_tile(x, bx, tx, 8);
    g.update().gpu_tile(x, bx, tx, 8);
    f.compute_at(g, tx);
    for (const int value : {0, 1, 7}) {
        n.set(value);
        expect_interpreted(g, {21}, std::to_string(value));
    }
}

// Six buffers in each block, of a size that a parameter gives.
TEST_F(DeviceMemory, OfBlocksWithSizesOfParameters) {
    Param<int> n;
    std::vector<Func> stages;
    for (int k = 0; k < 6; k++) {
        Func stage("stage" + std::to_string(k));
        stage(x, y) = k == 0 ? Expr(x + y * 2) : stages.back()(x, y) + stages.back()(x + n % 3, y);
        stages.push_back(stage);
    }
    g(x, y) = stages.back()(x, y) + 1;
    g.gpu_tile(x, y, bx, by, tx, ty, 8, 4);
    for (Func &stage : stages) {
        stage.compute_at(g, bx).gpu_threads(x, y);
    }
    for (const int value : {1, 2, 5}) {
        n.set(value);
        expect_interpreted(g, {19, 9}, std::to_string(value));
    }
}

// The window of a block grows with the block.
TEST_F(DeviceMemory, OfBlocksThatNeedMoreThanOthers) {
    f(x) = x * x;
    g(x, y) = 0;
    RDom s(0, 4, "s");
    g(x, y) += f(x + s * (y + 1));
    g.update().gpu_blocks(y).gpu_threads(x);
    f.compute_at(g, y).gpu_threads(x);
    expect_interpreted(g, {9, 7});
}

// Sizes that rise and fall with the block.
TEST_F(DeviceMemory, OfBlocksWithSizesThatRiseAndFall) {
    f(x) = x * 5;
    RDom s(0, 40, "s");
    s.where(s < (y * (7 - y)) % 23 + 1);
    g(x, y) = 0;
    g(x, y) += f(x + s);
    g.update().gpu_blocks(y).gpu_threads(x);
    f.compute_at(g, y).gpu_threads(x);
    expect_interpreted(g, {6, 8});
}

TEST_F(DeviceMemory, WithABoundOfStorage) {
    Buffer<int> table(8);
    for (int i = 0; i < 8; i++) {
        table(i) = (i * 5) % 4;
    }
    f(x) = x * 7;
    g(x, y) = f(x) + f(x + clamp(table(y % 8), 0, 3));
    g.gpu_blocks(y).gpu_threads(x);
    f.compute_at(g, y).bound_storage(x, 16).gpu_threads(x);
    expect_interpreted(g, {9, 7});
}

// ---- Where it is.

TEST_F(DeviceMemory, OfTheDeviceForBlocksAndThreads) {
    for (const MemoryType memory : {MemoryType::Auto, MemoryType::Heap, MemoryType::Stack, MemoryType::GPUShared}) {
        for (const bool is_of_thread : {false, true}) {
            Func in("in"), out("out");
            in(x, y) = {x * 3 + y, cast<uint8_t>(x)};
            out(x, y) = in(x, y)[0] + in(x + 1, y)[0] + in(x, y + 1)[1];
            out.gpu_tile(x, y, bx, by, tx, ty, 8, 4);
            in.store_in(memory).compute_at(out, is_of_thread ? tx : bx);
            if (!is_of_thread) {
                in.gpu_threads(x, y);
            }
            expect_interpreted(out, {19, 9}, std::to_string(static_cast<int>(memory)));
        }
    }
}

TEST_F(DeviceMemory, OfTheDeviceWithVectors) {
    f(x, y) = x * y + 3;
    g(x, y) = f(x, y) + f(x + 1, y);
    Var v("v"), o("o");
    g.split(x, o, v, 4).vectorize(v).gpu_blocks(y).gpu_threads(o);
    f.store_in(MemoryType::Heap).compute_at(g, o).vectorize(x, 4);
    expect_interpreted(g, {37, 5});
}

TEST_F(DeviceMemory, OfTheDeviceInUpdatesAndGridsOfThreeDimensions) {
    Var z("z"), bz("bz"), tz("tz");
    f(x, y, z) = x + y * 2 + z * 3;
    f(x, y, z) += r * x;
    g(x, y, z) = f(x, y, z) + f(x, y + 1, z);
    g.gpu_tile(x, y, z, bx, by, bz, tx, ty, tz, 4, 2, 3);
    f.store_in(MemoryType::Heap).compute_at(g, tx);
    expect_interpreted(g, {9, 5, 7});
}

// Memory of a thread that no thread has room for.
TEST_F(DeviceMemory, OfTheDeviceForLargeWindows) {
    f(x) = x * 3;
    RDom s(0, 20000, "s");
    g(x) = 0;
    g(x) += f(x + s) % 7;
    g.gpu_blocks(x);
    g.update().gpu_blocks(x);
    f.compute_at(g, x);
    expect_interpreted(g, {2});
}

// ---- Bytes that are shared.

// a is read in each iteration, b and c alternate in it: neither may take the bytes of a.
TEST_F(DeviceMemory, IsSharedBehindBarriersOnly) {
    Func a("a"), b("b"), c("c");
    RDom s(0, 3, "s");
    a(x) = x * 7 + 1;
    b(x, y) = a(x) + y;
    c(x, y) = b(31 - x, y) * 2;
    g(x, y) = 0;
    g(x, y) += c(31 - x, s);
    h(x, y) = g(x, y);
    h.bound(x, 0, 32).gpu_blocks(y).gpu_threads(x);
    g.compute_at(h, y).gpu_threads(x);
    g.update().reorder(x, s).gpu_threads(x);
    a.compute_at(h, y).bound_extent(x, 32).gpu_threads(x);
    b.compute_at(g, s).bound_extent(x, 32).gpu_threads(x);
    c.compute_at(g, s).bound_extent(x, 32).gpu_threads(x);
    expect_interpreted(h, {32, 3});
}

TEST_F(DeviceMemory, OfNineTypes) {
    const auto staged = [&](Type type, int k) {
        Func stage("stage" + std::to_string(k));
        stage(x, y) = cast(type, x + y * k);
        return stage;
    };
    std::vector<Func> stages;
    int k = 0;
    for (const Type type : {UInt(8), Int(8), UInt(16), Int(16), Int(32), UInt(32), Int(64), Float(32), Float(64)}) {
        stages.push_back(staged(type, ++k));
    }
    g(x, y) = 0;
    Expr all = 0;
    for (Func &stage : stages) {
        all = all + cast<int>(stage(x, y)) + cast<int>(stage(x + 1, y));
    }
    h(x, y) = all;
    h.gpu_tile(x, y, bx, by, tx, ty, 23, 1);
    for (Func &stage : stages) {
        stage.compute_at(h, bx).gpu_threads(x, y);
    }
    expect_interpreted(h, {50, 3});
}

} // namespace
} // namespace fluorite::device_memory_test
