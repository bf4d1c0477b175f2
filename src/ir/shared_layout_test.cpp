// Which allocations of a block share bytes.
#include "ir/device_code.h"
#include "ir/parse.h"
#include "ir/print.h"

#include <gtest/gtest.h>

namespace fluorite::ir::shared_layout_test {
namespace {

/// The offsets of the buffers and the number of bytes, as `a 0, b 64: 128`.
std::string layout_of(const std::string &body) {
    LoweredFunc kernel;
    kernel.kind = LoweredFunc::Kind::Kernel;
    kernel.body = parse_stmt(body);
    const SharedLayout layout = shared_layout(kernel);
    std::string text;
    for (const SharedLayout::Part &part : layout.parts) {
        text += (text.empty() ? "" : ", ") + part.buffer.name() + " " + to_text(part.offset);
    }
    return text + ": " + to_text(layout.bytes);
}

const std::string a = "allocate a: int32[16] in gpu_shared ", b = "allocate b: int32[16] in gpu_shared ",
                  c = "allocate c: int32[16] in gpu_shared ", use_a = "out[t] = a[t]:int32 ",
                  use_b = "out[t] = b[t]:int32 ", use_c = "out[t] = c[t]:int32 ";

TEST(SharedLayout, AddsWhatIsNeededAtTheSameTime) {
    EXPECT_EQ(layout_of(a + b + "a[t] = 1 b[t] = 2 barrier " + use_a + use_b), "a 0:int64, b 64:int64: 128:int64");
}

TEST(SharedLayout, SharesBytesBehindABarrier) {
    EXPECT_EQ(layout_of(a + b + "a[t] = 1 barrier " + use_a + "barrier b[t] = 2 " + use_b),
              "a 0:int64, b 0:int64: 64:int64");
    // No barrier: another thread may still read a.
    EXPECT_EQ(layout_of(a + b + "a[t] = 1 barrier " + use_a + "b[t] = 2 " + use_b), "a 0:int64, b 64:int64: 128:int64");
    // A barrier that some executions do not meet.
    EXPECT_EQ(layout_of(a + b + "a[t] = 1 if n < 3 { barrier } b[t] = 2 " + use_b), "a 0:int64, b 64:int64: 128:int64");
}

// a is needed in each iteration: neither b nor c may take its bytes, although the last access to a is before c.
TEST(SharedLayout, KeepsWhatTheNextIterationReads) {
    EXPECT_EQ(layout_of(a + "a[t] = 1 barrier for i in [0, +n) { " + b + "b[t] = a[t]:int32 barrier " + use_b +
                        "barrier " + c + "c[t] = 2 barrier " + use_c + "barrier }"),
              "a 0:int64, b 64:int64, c 64:int64: 128:int64");
}

// b and c are apart in an iteration, but c is still read when another thread begins the next one.
TEST(SharedLayout, MeetsTheStartOfTheNextIteration) {
    EXPECT_EQ(
        layout_of("for i in [0, +n) { { " + b + "b[t] = 1 " + use_b + "} barrier { " + c + "c[t] = 2 " + use_c + "} }"),
        "b 0:int64, c 64:int64: 128:int64");
    EXPECT_EQ(layout_of("for i in [0, +n) { barrier { " + b + "b[t] = 1 " + use_b + "} barrier { " + c + "c[t] = 2 " +
                        use_c + "} }"),
              "b 0:int64, c 0:int64: 64:int64");
}

TEST(SharedLayout, FillsGapsAndAligns) {
    EXPECT_EQ(layout_of("allocate big: float64[100] in gpu_shared allocate odd: uint8[3] in gpu_shared "
                        "allocate half: float32[99] in gpu_shared big[t] = 1.0:float64 barrier odd[t] = 1:uint8 "
                        "half[t] = 2.0 out[t] = odd[t]:uint8"),
              "big 0:int64, odd 400:int64, half 0:int64: 800:int64");
}

TEST(SharedLayout, OfSizesThatAreArguments) {
    EXPECT_EQ(
        layout_of("allocate m: int32[n] in gpu_shared " + a +
                  "allocate k: uint8[w, h] in gpu_shared m[t] = 1 a[t] = 2 "
                  "barrier k[t] = 3:uint8"),
        "m 64:int64, a 0:int64, k 64:int64: 64:int64 + max((4:int64 * cast<int64>(max(n, 0)) + 15:int64) / 16:int64 * "
        "16:int64, (1:int64 * cast<int64>(max(w, 0)) * cast<int64>(max(h, 0)) + 15:int64) / 16:int64 * 16:int64)");
}

} // namespace
} // namespace fluorite::ir::shared_layout_test
