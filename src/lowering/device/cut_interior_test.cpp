// The body that blocks of the interior have for themselves, and which kernels have none.
#include "ir/parse.h"
#include "ir/print.h"
#include "lowering/pass_table.h"

#include <gtest/gtest.h>

namespace fluorite::lowering::cut_interior_test {
namespace {

/// The kernel that the passes from outline_kernels on make of a statement, without its first line.
std::string kernel_of(const std::string &statement, const std::string &target = "x86-64-linux") {
    PassRunner runner({}, ir::parse_stmt(statement), options_for(Target(target), "f"));
    for (size_t row = *find_pass("outline_kernels"); row < pass_table().size(); row++) {
        runner.run(row);
    }
    const std::string text = ir::to_text(*runner.module());
    return text.substr(text.find('\n', text.find("kernel f")) + 1);
}

constexpr const char *clamped = R"(
    gpu_block for b in [0, +n) {
      gpu_thread for t in [0, +32) {
        out[b * 32 + t] = in[max(min(likely(b * 32 + t - 1), w), 0)]:int32 + in[max(min(likely(b * 32 + t + 1), w), 0)]:int32 } })";

TEST(CutInterior, BlocksChooseByTheStrictestBounds) {
    EXPECT_EQ(kernel_of(clamped), R"(  if 1 <= b && b * 32 < w + -31 {
    out[b * 32 + thread.x.t1] = in[b * 32 + thread.x.t1 + -1] + in[b * 32 + thread.x.t1 + 1]
  } else {
    out[b * 32 + thread.x.t1] = in[max(min(w, b * 32 + thread.x.t1 + 1), 0)] + in[max(min(w, b * 32 + thread.x.t1 + -1), 0)]
  }
}
)");
}

TEST(CutInterior, EachDimensionOfTheGridHasBounds) {
    EXPECT_EQ(kernel_of(R"(
        gpu_block for y in [0, +h) {
          gpu_block for x in [0, +n) {
            gpu_thread for t in [0, +16) {
              if likely(x * 16 + t < w) {
                out[y * 100 + x * 16 + t] = in[max(likely(y - 1), 0) * 100 + x * 16 + t]:int32 } } } })"),
              R"(  if 1 <= y && x * 16 < w + -15 {
    out[thread.x.t1 + x * 16 + y * 100] = in[thread.x.t1 + x * 16 + y * 100 + -100]
  } else if thread.x.t1 + x * 16 < w {
    out[thread.x.t1 + x * 16 + y * 100] = in[thread.x.t1 + x * 16 + max(y, 1) * 100 + -100]
  }
}
)");
}

// Each of these belongs to one place of the body.
TEST(CutInterior, BarriersAndSharedMemoryKeepOneBody) {
    EXPECT_EQ(kernel_of(R"(
        gpu_block for b in [0, +n) {
          allocate s: int32[32] in gpu_shared
          gpu_thread for t in [0, +32) { s[t] = in[max(likely(b * 32 + t - 1), 0)]:int32 }
          gpu_thread for t in [0, +32) { out[b * 32 + t] = s[31 - t] } })")
                  .find("else"),
              std::string::npos);
}

TEST(CutInterior, IsLeftOutWithPartitioning) {
    EXPECT_EQ(kernel_of(clamped, "x86-64-linux-no_partitioning").find("if"), std::string::npos);
    // What decides is the thread, not the block.
    EXPECT_EQ(kernel_of(R"(
        gpu_block for b in [0, +n) {
          gpu_thread for t in [0, +32) { out[b * 32 + t] = in[b * 32 + max(likely(t - 1), 0)]:int32 } })")
                  .find("if"),
              std::string::npos);
}

} // namespace
} // namespace fluorite::lowering::cut_interior_test
