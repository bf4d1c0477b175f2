// The memory of devices from texts: what is allocated there, and which copies are asked for.
#include "ir/parse.h"
#include "ir/print.h"
#include "lowering/pass_table.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::place_copies_test {
namespace {

/// What place_copies makes of a statement. Buffers that it does not allocate are arguments.
std::string placed(const std::string &statement) {
    LowerOptions options;
    options.name = "f";
    PassRunner runner({}, ir::parse_stmt(statement), options);
    for (size_t row = *find_pass("outline_kernels"); row <= *find_pass("place_copies"); row++) {
        runner.run(row);
    }
    return ir::to_text(runner.stmt());
}

TEST(PlaceCopies, WhatOnlyKernelsAccessIsOnTheDevice) {
    EXPECT_EQ(placed(R"(
        allocate g: int32[n] {
          gpu_block for x in [0, +n) { g[x] = in[x]:int32 }
          gpu_block for x in [0, +n) { out[x] = g[x]:int32 } })"),
              R"(allocate g: int32[n] in device
evaluate extern device.need(in@buffer:handle, 0):int32
gpu_block for x in [0, +n) {
  launch f.kernel.x.0(g:handle, in) threads(1)
}
evaluate extern device.need(out@buffer:handle, 2):int32
gpu_block for x in [0, +n) {
  launch f.kernel.x.1(g, out) threads(1)
}
evaluate extern device.wrote(out):int32
)");
}

TEST(PlaceCopies, WhatTheHostAccessesTooHasACopy) {
    EXPECT_EQ(placed(R"(
        allocate g: int32[n] {
          gpu_block for x in [0, +n) { g[x] = in[x]:int32 }
          for x in [0, +n) { out[x] = g[x]:int32 + in[x]:int32 } })"),
              R"(allocate g: int32[n]
allocate g.device.t1: int32[n] in device
evaluate extern device.attach(g.device.t1:handle, g:handle):int32
evaluate extern device.need(g.device.t1, 1):int32
evaluate extern device.need(in@buffer:handle, 0):int32
gpu_block for x in [0, +n) {
  launch f.kernel.x.0(g.device.t1, in) threads(1)
}
evaluate extern device.wrote(g.device.t1):int32
evaluate extern device.need_host(g.device.t1):int32
evaluate extern device.need_host(in):int32
for x in [0, +n) {
  out[x] = in[x]:int32 + g[x]
}
)");
}

// The host needs its copy in each iteration, outside of its own loop.
TEST(PlaceCopies, StandOutsideOfLoopsOfTheHost) {
    EXPECT_EQ(placed(R"(
        for t in [0, +steps) {
          gpu_block for x in [0, +n) { state[x] = state[x]:int32 + t }
          for x in [0, +n) { state[x] = state[x]:int32 * 2 } })"),
              R"(for t in [0, +steps) {
  evaluate extern device.need(state@buffer:handle, 1):int32
  gpu_block for x in [0, +n) {
    launch f.kernel.x.0(state, t) threads(1)
  }
  evaluate extern device.wrote(state):int32
  evaluate extern device.need_host(state):int32
  for x in [0, +n) {
    state[x] = state[x]:int32 * 2
  }
  evaluate extern device.host_wrote(state):int32
}
)");
}

// The extent of a grid is evaluated by the host.
TEST(PlaceCopies, ForTheSizeOfAGrid) {
    EXPECT_EQ(placed(R"(
        gpu_block for x in [0, +n) { count[x] = 7 }
        gpu_block for x in [0, +count[0]:int32) { out[x] = 1 })"),
              R"(evaluate extern device.need(count@buffer:handle, 1):int32
gpu_block for x in [0, +n) {
  launch f.kernel.x.0(count) threads(1)
}
evaluate extern device.wrote(count):int32
evaluate extern device.need_host(count):int32
evaluate extern device.need(out@buffer:handle, 2):int32
gpu_block for x in [0, +count[0]:int32) {
  launch f.kernel.x.1(out) threads(1)
}
evaluate extern device.wrote(out):int32
)");
}

// The memory is dead, which is found out in the kernel.
TEST(PlaceCopies, LaunchNothingThatComputesNothing) {
    EXPECT_EQ(placed(R"(
        gpu_block for x in [0, +n) { allocate own: int32[4] { own[0] = x } }
        gpu_block for x in [0, +n) { out[x] = 1 })"),
              R"(evaluate extern device.need(out@buffer:handle, 2):int32
gpu_block for x in [0, +n) {
  launch f.kernel.x.1(out) threads(1)
}
evaluate extern device.wrote(out):int32
)");
}

TEST(PlaceCopies, NotInAParallelLoopWhoseIterationsUndoEachOther) {
    expect_error(
        [] {
            placed(R"(
        parallel for y in [0, +h) {
          gpu_block for x in [0, +n) { out[y * n + x] = 1 }
          out[y * n] = 2 })");
        },
        "gpu-parallel-copies",
        "the loop y is parallel, and in its iterations both the host and a device access out, which is in memory from "
        "outside of the loop, and one of them stores to it; copies between them are of whole buffers, so that "
        "iterations would undo each other's stores; compute it inside of the loop, or the loop's Funcs all on one "
        "side, or make the loop serial");
}

} // namespace
} // namespace fluorite::lowering::place_copies_test
