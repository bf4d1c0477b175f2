// Kernels from texts: what is outlined, the threads of a block, barriers, and what a device refuses.
#include "ir/parse.h"
#include "ir/print.h"
#include "lowering/pass_table.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::kernels_test {
namespace {

/// The module that the passes from outline_kernels on make of a statement.
std::string lowered(const std::string &statement) {
    LowerOptions options;
    options.name = "f";
    PassRunner runner({}, ir::parse_stmt(statement), options);
    for (size_t row = *find_pass("outline_kernels"); row < pass_table().size(); row++) {
        runner.run(row);
    }
    return ir::to_text(*runner.module());
}

/// The text from the first kernel on.
std::string kernels(const std::string &statement) {
    const std::string text = lowered(statement);
    const size_t start = text.find("kernel f");
    return start == std::string::npos ? "no kernel in " + text : text.substr(start);
}

TEST(Kernels, TakeTheWorkOfABlockOutOfTheLoops) {
    EXPECT_EQ(
        lowered(R"(
        gpu_block for y in [a, +h) {
          let t = y * n
          gpu_block for x in [0, +w) {
            gpu_thread for u in [0, +16) { out[t + x * 16 + u] = in[u + in->min[0]]:int32 } } })"),
        R"(func f(in: output int32[1], out: output int32[0], a@var: scalar int32, h@var: scalar int32, n@var: scalar int32, w@var: scalar int32) {
  evaluate extern device.need(in:handle, 0):int32
  evaluate extern device.need(out:handle, 2):int32
  launch f.work.0(a, h, in, n, out, w)
  evaluate extern device.wrote(out):int32
}
task f.work.0(a@var: scalar int32, h@var: scalar int32, in: output int32[1], n@var: scalar int32, out: output int32[0], w@var: scalar int32) {
  gpu_block for y.block.t1 in [0, +h) {
    gpu_block for x in [0, +w) {
      launch f.kernel.y.0(a, in, in->min[0], n, out) threads(16)
    }
  }
}
kernel f.kernel.y.0(a@var: scalar int32, in: output int32[1], in.min.0.t1@let: scalar int32, n@var: scalar int32, out: output int32[0]) blocks(x, y.block.t1) threads(thread.x.t1) {
  let t:int32 = n * (a + y.block.t1)
  out[t + thread.x.t1 + x * 16] = in[in.min.0.t1 + thread.x.t1]
}
)");
}

TEST(Kernels, HaveOneBlockForAllNestsOfThreads) {
    EXPECT_EQ(
        kernels(R"(
        gpu_block for b in [0, +n) {
          gpu_thread for y in [0, +4) { gpu_thread for x in [2, +16) { out[b * 100 + y * 20 + x] = 1 } }
          gpu_thread for u in [0, +20) { in[u] = 2 }
          rest[b] = 3 })"),
        R"(kernel f.kernel.b.0(in: output int32[0], out: output int32[0], rest: output int32[0]) blocks(b) threads(thread.x.t1, thread.y.t1) {
  if thread.x.t1 < 16 {
    out[b * 100 + thread.x.t1 + thread.y.t1 * 20 + 2] = 1
  }
  if thread.y.t1 < 1 {
    in[thread.x.t1] = 2
  }
  if thread.y.t1 < 1 && thread.x.t1 < 1 {
    rest[b] = 3
  }
}
)");
}

TEST(Kernels, WaitWhereThreadsReadWhatOthersStore) {
    EXPECT_EQ(
        kernels(R"(
        gpu_block for b in [0, +n) {
          allocate tile: int32[16]
          gpu_thread for x in [0, +16) { tile[x] = in[x]:int32 }
          gpu_thread for x in [0, +16) { out[x] = tile[15 - x]:int32 }
          gpu_thread for x in [0, +16) { rest[x] = tile[x]:int32 } })"),
        R"(kernel f.kernel.b.0(in: output int32[0], out: output int32[0], rest: output int32[0]) blocks(b) threads(thread.x.t1) {
  allocate tile: int32[16] in gpu_shared
  tile[thread.x.t1] = in[thread.x.t1]
  barrier
  out[thread.x.t1] = tile[15 - thread.x.t1]
  rest[thread.x.t1] = tile[thread.x.t1]
}
)");
}

// A single nest in a serial loop: what one iteration stores is what the next one reads.
TEST(Kernels, WaitBetweenIterations) {
    EXPECT_EQ(kernels(R"(
        gpu_block for b in [0, +n) {
          for t in [0, +steps) {
            gpu_thread for x in [0, +16) { state[x] = state[15 - x]:int32 + t } } })"),
              R"(kernel f.kernel.b.0(state: output int32[0], steps@var: scalar int32) blocks(b) threads(thread.x.t1) {
  for t in [0, +steps) partition never {
    barrier
    state[thread.x.t1] = t + state[15 - thread.x.t1]
  }
}
)");
}

// Serial loops, and several statements, between the loops over threads of a nest.
TEST(Kernels, NestLoopsOverThreads) {
    EXPECT_EQ(
        kernels(R"(
        gpu_block for b in [0, +n) {
          gpu_thread for y in [0, +8) {
            let t = y * 2 + b
            for k in [0, +4) {
              gpu_thread for x in [0, +8) { sums[x + y * 8] = sums[x + y * 8 + 1]:int32 + k + t } }
            rest[y] = t
            gpu_thread for x in [0, +4) { out[x + y * 4] = sums[x * 2 + y * 8]:int32 } } })"),
        R"(kernel f.kernel.b.0(out: output int32[0], rest: output int32[0], sums: output int32[0]) blocks(b) threads(thread.x.t1, thread.y.t1) {
  for k in [0, +4) partition never {
    barrier
    let t:int32 = b + thread.y.t1 * 2
    sums[thread.x.t1 + thread.y.t1 * 8] = t + (k + sums[thread.x.t1 + thread.y.t1 * 8 + 1])
  }
  if thread.y.t1 < 1 {
    let t:int32 = b + thread.x.t1 * 2
    rest[thread.x.t1] = t
  }
  barrier
  let t:int32 = b + thread.y.t1 * 2
  if thread.x.t1 < 4 {
    out[thread.x.t1 + thread.y.t1 * 4] = sums[thread.x.t1 * 2 + thread.y.t1 * 8]
  }
}
)");
}

// A barrier under a condition makes wrong code in PoCL 3.1, also where all threads agree on the condition.
TEST(Kernels, WaitUnderNoCondition) {
    EXPECT_EQ(kernels(R"(
        gpu_block for b in [0, +n) {
          for t in [0, +3) {
            if b + t <= last {
              gpu_thread for x in [0, +16) { state[x] = state[15 - x]:int32 + t } } } })"),
              R"(kernel f.kernel.b.0(last@var: scalar int32, state: output int32[0]) blocks(b) threads(thread.x.t1) {
  for t in [0, +3) partition never {
    barrier
    if b + t <= last {
      state[thread.x.t1] = t + state[15 - thread.x.t1]
    }
  }
}
)");
    EXPECT_EQ(
        kernels(R"(
        gpu_block for b in [0, +n) {
          allocate tile: int32[16]
          if b <= last {
            gpu_thread for x in [0, +16) { tile[x] = in[x]:int32 }
            for t in [0, +steps) {
              if t <= b {
                gpu_thread for x in [0, +16) { tile[x] = tile[15 - x]:int32 }
              } else {
                gpu_thread for x in [0, +16) { tile[x] = tile[x]:int32 + 1 }
              }
            }
            gpu_thread for x in [0, +16) { out[x] = tile[15 - x]:int32 } } })"),
        R"(kernel f.kernel.b.0(in: output int32[0], last@var: scalar int32, out: output int32[0], steps@var: scalar int32) blocks(b) threads(thread.x.t1) {
  allocate tile: int32[16] in gpu_shared
  let guard.t1:bool = b <= last
  if guard.t1 {
    tile[thread.x.t1] = in[thread.x.t1]
  }
  for t in [0, +select(guard.t1, steps, 0)) partition never {
    barrier
    if guard.t1 && t <= b {
      tile[thread.x.t1] = tile[15 - thread.x.t1]
    }
    barrier
    if guard.t1 && b < t {
      tile[thread.x.t1] = tile[thread.x.t1] + 1
    }
  }
  barrier
  if guard.t1 {
    out[thread.x.t1] = tile[15 - thread.x.t1]
  }
}
)");
}

// What may be loaded under a condition only is not loaded without it.
TEST(Kernels, KeepConditionsOfLoads) {
    const std::string text = kernels(R"(
        gpu_block for b in [0, +n) {
          if b < last {
            let k = in[b]:int32
            gpu_thread for x in [0, +16) { out[x] = k }
            gpu_thread for x in [0, +16) { out[x] = out[15 - x]:int32 } } })");
    EXPECT_NE(text.find("  if b < last {\n    let k"), std::string::npos) << text;
}

// All threads load the bounds of a loop: what they load is stored to only after all have.
TEST(Kernels, WaitForBothBoundsOfALoop) {
    const std::string text = kernels(R"(
        gpu_block for b in [0, +n) {
          gpu_thread for x in [0, +16) { low[x] = x }
          for t in [low[0]:int32, +count[0]:int32) { gpu_thread for x in [0, +16) { out[x] = t } }
          gpu_thread for x in [0, +16) { count[x] = 1 } })");
    EXPECT_NE(text.find("  barrier\n  count[thread.x.t1] = 1"), std::string::npos) << text;
}

// Hints concern caches of the host; a kernel of nothing else is none.
TEST(Kernels, ThatComputeNothingAreLeftOut) {
    const std::string text = lowered(R"(
        gpu_block for b in [0, +n) { evaluate extern memory.prefetch(in@buffer:handle, b):int32 }
        gpu_block for b in [0, +n) { out[b] = 1 })");
    EXPECT_EQ(text.find("kernel.b.1"), std::string::npos) << text;
    EXPECT_EQ(text.find("prefetch"), std::string::npos) << text;
    EXPECT_NE(text.find("kernel f.kernel.b.0(out: output int32[0]) blocks(b)"), std::string::npos) << text;
}

// What is left of a Func whose values no point needs is its mark.
TEST(Kernels, HaveNoMarksOfWhatTheyDoNotRead) {
    const std::string text =
        kernels("allocate f: int32[n] { gpu_block for b in [0, +n) { consume f { out[b] = 1 } } }");
    EXPECT_EQ(text.find("consume"), std::string::npos) << text;
    EXPECT_NE(text.find("kernel f.kernel.b.0(out: output int32[0]) blocks(b)"), std::string::npos) << text;
}

// Were the body of each loop walked twice, 40 loops inside each other would take 2^40 walks.
TEST(Kernels, OfDeepNestsAreWalkedOnceForEachLoop) {
    std::string nest = "gpu_thread for x in [0, +16) { state[x] = state[15 - x]:int32 + 1 }";
    for (int depth = 0; depth < 40; depth++) {
        nest = "for i" + std::to_string(depth) + " in [0, +steps) { " + nest + " }";
    }
    const std::string text = kernels("gpu_block for b in [0, +n) { " + nest + " }");
    EXPECT_NE(text.find("barrier\n"), std::string::npos) << text;
}

TEST(Kernels, KnowTheGreatestExtentOfThreads) {
    const std::string text = lowered(R"(
        gpu_block for b in [0, +n) {
          gpu_thread for x in [0, +min(b * 8 + 8, 20)) { out[x] = b } })");
    EXPECT_NE(text.find("threads(min(n * 8, 20))"), std::string::npos) << text;
    EXPECT_NE(text.find("if thread.x.t1 < min(b * 8, 12) + 8 {"), std::string::npos) << text;
}

TEST(Kernels, MoveConditionsBetweenBlocksInwards) {
    EXPECT_EQ(kernels(R"(
        gpu_block for y in [0, +h) {
          if y < n {
            gpu_block for x in [0, +w) { gpu_thread for u in [0, +8) { out[x * 8 + u] = y } } } })"),
              R"(kernel f.kernel.y.0(n@var: scalar int32, out: output int32[0]) blocks(x, y) threads(thread.x.t1) {
  if y < n {
    out[thread.x.t1 + x * 8] = y
  }
}
)");
}

TEST(Kernels, OwnWhatThreadsAllocate) {
    EXPECT_EQ(kernels(R"(
        gpu_block for b in [0, +n) {
          gpu_thread for x in [0, +16) {
            allocate own: int32[2]
            for i in [0, +2) { own[i] = x + i }
            for i in [0, +2) { out[x * 2 + i] = own[1 - i]:int32 } } })"),
              R"(kernel f.kernel.b.0(out: output int32[0]) blocks(b) threads(thread.x.t1) {
  allocate own: int32[2] in stack
  for i in [0, +2) {
    own[i] = i + thread.x.t1
  }
  for i in [0, +2) {
    out[i + thread.x.t1 * 2] = own[1 - i]
  }
}
)");
}

TEST(Kernels, HaveTheGreatestGridOfAll) {
    EXPECT_EQ(lowered(R"(
        gpu_block for y in [0, +h) {
          let t = y * 2
          gpu_block for x in [t, +t + 1) { out[x] = y } })"),
              R"(func f(out: output int32[0], h@var: scalar int32) {
  evaluate extern device.need(out:handle, 2):int32
  launch f.work.0(h, out)
  evaluate extern device.wrote(out):int32
}
task f.work.0(h@var: scalar int32, out: output int32[0]) {
  gpu_block for y in [0, +h) {
    gpu_block for x.block.t1 in [0, +h * 2 + -1) {
      launch f.kernel.y.0(out) threads(1)
    }
  }
}
kernel f.kernel.y.0(out: output int32[0]) blocks(x.block.t1, y) threads(thread.x.t1) {
  let t:int32 = y * 2
  if x.block.t1 <= t {
    out[t + x.block.t1] = y
  }
}
)");
}

TEST(Kernels, MoveWhatTheHostKnowsOutOfBlocks) {
    EXPECT_EQ(lowered(R"(
        gpu_block for y in [0, +h) {
          assert n < 8 else extern fluorite_error_integer_overflow("f", "n"):int32
          gpu_thread for x in [0, +16) {
            assert x + y < n else extern fluorite_error_integer_overflow("f", "x"):int32
            out[x] = y } })"),
              R"(func f(out: output int32[0], h@var: scalar int32, n@var: scalar int32) {
  assert h < 1 || n < 8 else extern fluorite_error_integer_overflow("f", "n"):int32
  evaluate extern device.need(out:handle, 2):int32
  launch f.work.0(h, n, out)
  evaluate extern device.wrote(out):int32
}
task f.work.0(h@var: scalar int32, n@var: scalar int32, out: output int32[0]) {
  gpu_block for y in [0, +h) {
    launch f.kernel.y.0(n, out) threads(16)
  }
}
kernel f.kernel.y.0(n@var: scalar int32, out: output int32[0]) blocks(y) threads(thread.x.t1) {
  if thread.x.t1 + y < n {
    out[thread.x.t1] = y
  } else {
    assert false else extern fluorite_error(-22, "in f: x overflows; coordinates and bounds are computed without overflow; values are not, and wrap; use coordinates that grow less, or compute the value in unsigned integers [integer-overflow]"):int32
  }
}
)");
}

TEST(Kernels, HaveMemoryOfTheDeviceForThreads) {
    EXPECT_EQ(lowered(R"(
        gpu_block for y in [0, +h) {
          gpu_thread for x in [0, +16) {
            allocate own: int32[n]
            for i in [0, +n) { own[i] = x + i }
            for i in [0, +n) { out[x * n + i] = own[n - 1 - i]:int32 } } })"),
              R"(func f(out: output int32[0], h@var: scalar int32, n@var: scalar int32) {
  assert cast<float64>(max(n, 0)) * 16.0:float64 * cast<float64>(max(h, 0)) <= 2147483647.0:float64 else extern fluorite_error_buffer_extents_too_large("own", cast<int64>(cast<float64>(max(n, 0)) * 16.0:float64 * cast<float64>(max(h, 0))), 2147483647:int64):int32
  launch f.work.0(h, n, out:handle)
}
task f.work.0(h@var: scalar int32, n@var: scalar int32, out: output int32[0]) {
  allocate own: int32[n, 16, h] in device
  evaluate extern device.need(out, 2):int32
  gpu_block for y in [0, +h) {
    launch f.kernel.y.0(n, out, own:handle, h * 16) threads(16)
  }
  evaluate extern device.wrote(out):int32
  free own
}
kernel f.kernel.y.0(n@var: scalar int32, out: output int32[0], own: allocation int32, threads.t1@let: scalar int32) blocks(y) threads(thread.x.t1) {
  let thread.number.t1:int32 = thread.x.t1 + y * 16
  for i in [0, +n) {
    own[thread.number.t1 + i * threads.t1] = i + thread.x.t1
  }
  for i in [0, +n) {
    out[i + n * thread.x.t1] = own[thread.number.t1 + threads.t1 * (n - i + -1)]
  }
}
)");
}

TEST(Kernels, HaveMemoryOfTheGreatestSize) {
    EXPECT_EQ(
        kernels(R"(
        gpu_block for y in [0, +h) {
          allocate tile: int32[y * 2 + 2]
          gpu_thread for x in [0, +16) {
            allocate own: int32[min(x, y) + 1]
            own[0] = x
            tile[x] = own[0]:int32 }
          gpu_thread for x in [0, +16) { out[x] = tile[15 - x]:int32 } })"),
        R"(kernel f.kernel.y.0(out: output int32[0], tile.extent.t1@let: scalar int32) blocks(y) threads(thread.x.t1) {
  allocate tile: int32[tile.extent.t1] in gpu_shared
  {
    allocate own: int32[16] in stack
    own[0] = thread.x.t1
    tile[thread.x.t1] = own[0]
  }
  barrier
  out[thread.x.t1] = tile[15 - thread.x.t1]
}
)");
}

TEST(Kernels, HaveMemoryOfTheLargestLane) {
    const std::string text = kernels(R"(
        gpu_block for y in [0, +h) {
          gpu_thread for x in [0, +16) {
            allocate own: int32[vector_reduce<max>(ramp(x, 1, 4), 1)]
            own[0] = x
            out[x] = own[y]:int32 } })");
    EXPECT_NE(text.find("allocate own: int32[18] in stack"), std::string::npos) << text;
}

TEST(Kernels, MoveChecksBetweenLoopsOverBlocksToTheHost) {
    const std::string text = lowered(R"(
        gpu_block for y in [0, +h) {
          assert n < 8 else extern fluorite_error_integer_overflow("f", "n"):int32
          gpu_block for x in [0, +w) { out[x] = y } })");
    EXPECT_EQ(text.find("assert h < 1 || (w < 1 || n < 8) else"), text.find("assert")) << text;
}

TEST(Kernels, StateChecksOfExpressions) {
    EXPECT_EQ(kernels(R"(
        gpu_block for y in [0, +h) {
          gpu_thread for x in [0, +16) { out[x] = require(x < n, let u = y * 3 in u + x, "x < n", "x is ", x) } })"),
              R"(kernel f.kernel.y.0(n@var: scalar int32, out: output int32[0]) blocks(y) threads(thread.x.t1) {
  if thread.x.t1 < n {
    out[thread.x.t1] = (let u:int32 = y * 3 in thread.x.t1 + u)
  } else {
    assert false else extern fluorite_error(-27, "in require(x < n): x is ...; the condition must hold for every point that is computed; pass inputs and parameters that meet it [requirement-failed]"):int32
  }
}
)");
}

void expect_refused(const std::string &statement, const std::string &slug, const std::string &text) {
    SCOPED_TRACE(statement);
    expect_error([&] { lowered(statement); }, slug, text);
}

TEST(Kernels, RefuseWhatADeviceCannotRun) {
    expect_refused("gpu_thread for x in [0, +4) { out[x] = 1 }", "gpu-threads-without-blocks",
                   "the loop x over threads of a device is in no loop over blocks; mark an outer loop with gpu_blocks");
    expect_refused(
        "allocate m: int32[4] in gpu_shared gpu_block for x in [0, +4) { out[x] = m[x]:int32 }",
        "gpu-shared-outside-block",
        "the memory of m is to be shared by the threads of a block, and it is in no loop over blocks; compute it "
        "at such a loop, or store it elsewhere");
    expect_refused(
        "gpu_block for b in [0, +4) { for t in [0, +n) partition always { gpu_thread for x in [0, +4) { "
        "out[x] = t } } }",
        "gpu-not-possible",
        "the loop t is to be cut into boundary and interior, and threads of a device wait for each other inside "
        "of it; leave its partition out");
    expect_refused("gpu_block for x in [0, +4) { assert x < 3 else 1 }", "gpu-not-possible",
                   "the loop x over blocks of a device contains a check that can fail, and only the host can do that");
    expect_refused("gpu_block for x in [0, +4) { evaluate extern f(x):int32 }", "gpu-not-possible",
                   "the loop x over blocks of a device contains a call of f, and only the host can do that");
    expect_refused("gpu_block for y in [0, +4) { gpu_block for x in [0, +in[y]:int32) { out[x] = 1 } }",
                   "gpu-not-possible",
                   "the loop x over blocks of a device has an extent that depends on blocks of an outer loop, and no "
                   "bound that is known before the kernel runs; bound the Func, or mark one of the loops only");
    expect_refused("gpu_block for y in [0, +4) { gpu_block for x in [0, +4) { out[x] = 1 } out[y] = 2 }",
                   "gpu-not-possible",
                   "the loop y over blocks of a device has loops over blocks inside that something else stands beside; "
                   "compute what is there inside of all loops over blocks, or outside");
    expect_refused(
        "gpu_block for b in [0, +4) { gpu_thread for y in [0, +4) { for k in [0, +y) { "
        "gpu_thread for x in [0, +4) { out[x + y * 4] = k } } } }",
        "gpu-thread-loops",
        "inside of the loop y over threads of a device, loops over threads are in what each thread runs by itself: a "
        "stage that is computed there, or a serial loop whose bounds depend on the thread; compute stages at a loop "
        "over blocks, and reorder the serial loop inwards");
    expect_refused(
        "gpu_block for b in [0, +4) { gpu_thread for x in [0, +in[b]:int32) { out[x] = 1 } }", "gpu-thread-count",
        "the loop x over threads of a device has an extent that has no bound before the kernel runs; bound the "
        "Func, or mark another loop");
    expect_refused(
        "gpu_block for b in [0, +4) { allocate tile: int32[in[b]:int32] gpu_thread for x in [0, +4) { "
        "tile[x] = x } gpu_thread for x in [0, +4) { out[x] = tile[3 - x]:int32 } }",
        "gpu-memory-size",
        "in tile: stored in a kernel, with a size that depends on values which are computed there; memory of "
        "a device is allocated before a kernel runs; give its dimensions a bound_storage, or compute it "
        "outside of the loops over blocks");
}

TEST(Kernels, RunWithoutMasksWhereAllLanesAreOn) {
    const std::string both = kernels(R"(
        gpu_block for b in [0, +w) {
          gpu_thread for t in [0, +8) {
            let x = b * 16 + t * 2
            out[ramp(x, 1, 2)] = in[ramp(x, 1, 2) where ramp(x, 1, 2) < broadcast(n, 2)]:int32x2 where ramp(x, 1, 2) < broadcast(n, 2)
            out[ramp(x + n, 1, 2)] = broadcast(3, 2) where ramp(x, 1, 2) < broadcast(n, 2) } })");
    const std::string fast = both.substr(0, both.find("else"));
    EXPECT_NE(fast.find("if vector_reduce<and>(ramp("), std::string::npos) << both;
    EXPECT_EQ(fast.find(" where "), std::string::npos) << both;
    EXPECT_EQ(both.find("if vector_reduce", both.find("if vector_reduce") + 1), std::string::npos) << both;
    EXPECT_NE(both.find(" where ", fast.size()), std::string::npos) << both;
    // What is loaded may have been stored in between.
    const std::string of_data = kernels(R"(
        gpu_block for b in [0, +w) {
          gpu_thread for t in [0, +8) {
            out[ramp(t * 2, 1, 2)] = broadcast(b, 2)
            out[ramp(t * 2 + n, 1, 2)] = broadcast(7, 2) where out[ramp(t * 2, 1, 2)]:int32x2 < broadcast(n, 2) } })");
    EXPECT_EQ(of_data.find("if vector_reduce"), std::string::npos) << of_data;
    // Not all threads may branch around a barrier.
    const std::string apart = kernels(R"(
        gpu_block for b in [0, +w) {
          allocate tile: int32[16] in gpu_shared
          gpu_thread for t in [0, +8) { tile[ramp(t * 2, 1, 2)] = broadcast(b, 2) where ramp(t * 2, 1, 2) < broadcast(n, 2) }
          gpu_thread for t in [0, +8) { out[ramp(t * 2, 1, 2)] = tile[ramp(14 - t * 2, 1, 2)] where ramp(t * 2, 1, 2) < broadcast(n, 2) } })");
    const size_t barrier = apart.find("barrier"), first = apart.find("if vector_reduce");
    EXPECT_LT(first, barrier) << apart;
    EXPECT_GT(apart.find("if vector_reduce", first + 1), barrier) << apart;
    EXPECT_EQ(apart.find("barrier", barrier + 1), std::string::npos) << apart;
}

// Each let has a mask of its own, and holds the next: copies of copies would be 2 to the 24th.
TEST(Kernels, GrowByFewWaysWithoutMasks) {
    std::string nest = "out[t] = 1";
    for (int i = 0; i < 24; i++) {
        const std::string x = "x" + std::to_string(i);
        nest = "let " + x + " = in[" + std::to_string(i) + " + t]:int32 out[ramp(t * 2, 1, 2)] = broadcast(" + x +
               ", 2) where ramp(t * " + std::to_string(i + 3) + ", 1, 2) < broadcast(n + b, 2) let y" + x + " = t * " +
               std::to_string(i + 5) + " out[ramp(t, 1, 2)] = broadcast(1, 2) where ramp(y" + x +
               ", 1, 2) < broadcast(n, 2) " + nest;
    }
    const std::string text = kernels("gpu_block for b in [0, +w) { gpu_thread for t in [0, +8) { " + nest + " } }");
    size_t branches = 0;
    for (size_t at = text.find("vector_reduce"); at != std::string::npos; at = text.find("vector_reduce", at + 1)) {
        branches++;
    }
    EXPECT_GE(branches, 1U);
    EXPECT_LE(branches, 8U);
}

// ---- Atomic updates.

/// A block of 8 threads that share two buffers of one Func, and what each thread does.
std::string in_block(const std::string &update) {
    return "gpu_block for b in [0, +n) { allocate f@{f0}: int32[8] allocate g@{f0}: int32[8] "
           "gpu_thread for t in [0, +8) { f[t] = 0 g[t] = 0 } gpu_thread for t in [0, +8) { " +
           update + " } gpu_thread for t in [0, +8) { out[b * 8 + t] = f[t] + g[t] } }";
}

TEST(Kernels, UpdateTheValuesOfATupleOneByOne) {
    EXPECT_EQ(
        kernels(in_block(
            "atomic f { let p:int32 = in[t]:int32 let v:int32 = f[p % 4] + p let w:int32 = max(g[p % 4]:int32, "
            "b) f[p % 4] = v where b < k g[p % 4] = w where b < k }")),
        R"(kernel f.kernel.b.0(in: output int32[0], k@var: scalar int32, out: output int32[0]) blocks(b) threads(thread.x.t1) {
  allocate f@{f0}: int32[8] in gpu_shared
  allocate g@{f0}: int32[8] in gpu_shared
  f[thread.x.t1] = 0
  g[thread.x.t1] = 0
  barrier
  {
    let p:int32 = in[thread.x.t1]
    atomic f {
      f[p % 4] = p + f[p % 4] where b < k
    }
    atomic f {
      g[p % 4] = max(b, g[p % 4]) where b < k
    }
  }
  barrier
  out[b * 8 + thread.x.t1] = g[thread.x.t1] + f[thread.x.t1]
}
)");
}

TEST(Kernels, HaveNoAtomicUpdatesOfTheirThreadsMemory) {
    EXPECT_EQ(kernels(R"(
        gpu_block for b in [0, +n) {
          gpu_thread for t in [0, +8) {
            allocate own: int8[4]
            own[0] = 1:int8
            for r in [0, +m) { atomic own { own[0] = 1:int8 - own[0] } }
            out[b * 8 + t] = cast<int32>(own[0]) } })"),
              R"(kernel f.kernel.b.0(m@var: scalar int32, out: output int32[0]) blocks(b) threads(thread.x.t1) {
  allocate own: int8[4] in stack
  own[0] = 1:int8
  for r in [0, +m) {
    own[0] = 1:int8 - own[0]
  }
  out[b * 8 + thread.x.t1] = cast<int32>(own[0])
}
)");
}

TEST(Kernels, AreRefusedWhereAnAtomicUpdateIsMoreThanOneElement) {
    const auto refused = [](const std::string &update, const std::string &lack) {
        expect_error([&] { lowered(in_block("atomic f { " + update + " }")); }, "gpu-not-possible",
                     "the loop b over blocks of a device contains an atomic update of f " + lack +
                         "; leave atomic() out and keep the loop serial");
    };
    const std::string several = "of several values, which a device cannot update at once";
    const std::string unknown = "that is no sum, product, minimum, maximum or other operation on the old value";
    refused("f[b] = f[b] + g[b] g[b] = g[b] + 1", several);
    refused("let v:int32 = f[b] let w:int32 = g[b] f[b] = v * w g[b] = w * v", several);
    refused("for r in [0, +n) { f[b] = f[b] + r }", several);
    refused("f[b] = f[b] * 2 + 1", unknown);
    refused("let v:int32 = f[b] f[b] = v where v < 3", unknown);
    refused("if f[b] < 3 { f[b] = 3 }", unknown);
}

} // namespace
} // namespace fluorite::lowering::kernels_test
