// Second bodies of kernels, whose vectors are accessed at once: which kernels get one, and that both compute the same
// at every place of buffers.

#include "backends/llvm/device/cuda_code.h"
#include "backends/llvm/device/kernels_on_host.h"

#include "ir/parse.h"
#include "ir/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <regex>

namespace fluorite::backends::wide_accesses_test {
namespace {

/// One kernel of 8 threads for each of 2 blocks, with two buffers and three numbers.
ir::LoweredModule module_of(const std::string &body, const std::string &type = "float32") {
    const std::string args =
        "in: input " + type + "[1], k: scalar int32, m: scalar int32, n: scalar int32, out: output " + type + "[1]";
    const ir::LoweredModule module = ir::parse_module(
        "func f(" + args + ") { gpu_block for b in [0, +2) { launch f.kernel.0(in:handle, k, m, n, out:handle) " +
        "threads(8) } }\nkernel f.kernel.0(" + args + ") blocks(b) threads(t) { " + body + " }");
    EXPECT_EQ(ir::find_violation(module).value_or(""), "");
    return module;
}

std::string ptx_of(const std::string &body, const std::string &type = "float32") {
    return cuda_code(module_of(body, type), Target("x86-64-linux")).bytes;
}

size_t count_of(const std::string &text, const std::string &pattern) {
    const std::regex expression(pattern);
    return static_cast<size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), expression), {}));
}

/// Rows of n elements, m and k further on; the last vector of a row is shifted inwards.
constexpr const char *rows = R"(
    let x:int32 = min(t * 4 + m, k + -3)
    out[ramp(b * n + x - m, 1, 4)] = in[ramp(b * n + x - m, 1, 4)] + broadcast(1.0:float32, 4))";

/// As a matrix product: a loop over rows, in each of which a vector lies at the same place.
constexpr const char *sums = R"(
    allocate sum: float32[8] in stack
    sum[ramp(0, 1, 8)] = broadcast(0.0:float32, 8)
    for i in [0, +k) { sum[ramp(0, 1, 8)] = sum[ramp(0, 1, 8)] + in[ramp(i * n + t * 8 + m, 1, 8)] }
    out[ramp(t * 8 + b * 64 + m, 1, 8)] = sum[ramp(0, 1, 8)])";

/// Elements that lie next to each other, without vectors.
constexpr const char *neighbours = R"(
    out[t + b * 8] = in[t * 4 + b * n] + in[t * 4 + b * n + 1] + in[t * 4 + b * n + 2] + in[t * 4 + b * n + 3])";

constexpr const char *stencil = R"(
    out[ramp(t * 4 + b * n, 1, 4)] = in[ramp(t * 4 + b * n + m, 1, 4)] + in[ramp(t * 4 + b * n + m + 1, 1, 4)] +
                                     in[ramp(t * 4 + b * n + m + 2, 1, 4)])";

TEST(WideAccesses, AreInASecondBody) {
    const std::string ptx = ptx_of(rows);
    EXPECT_EQ(count_of(ptx, "ld\\.global\\.nc\\.v4\\.f32"), 1U) << ptx;
    EXPECT_EQ(count_of(ptx, "ld\\.global\\.nc\\.f32"), 4U) << ptx;
    EXPECT_EQ(count_of(ptx, "st\\.global\\.v4\\.f32"), 1U) << ptx;
    EXPECT_EQ(count_of(ptx, "st\\.global\\.f32"), 4U) << ptx;
}

// The stride has to be a multiple of four elements, and nothing is asked of the rows.
TEST(WideAccesses, DependOnStridesAndNotOnRows) {
    const std::string ptx = ptx_of(R"(
        let y:int64 = cast<int64>(min(b * 4, k + -3) + 1)
        out[ramp(y * cast<int64>(n) + cast<int64>(t * 4), 1:int64, 4)] = broadcast(1.0:float32, 4))");
    EXPECT_EQ(count_of(ptx, "st\\.global\\.v4\\.f32"), 1U) << ptx;
    const std::string test = ptx.substr(0, ptx.find("bra"));
    EXPECT_EQ(count_of(test, "ld\\.param\\.u32 \t%r\\d+, \\[k0_f_kernel_0_param_3\\];"), 1U) << test;
    EXPECT_EQ(count_of(test, "and\\.b32"), 2U) << test; // of the stride and of the output's address
}

TEST(WideAccesses, FollowLoops) {
    const std::string ptx = ptx_of(sums);
    EXPECT_EQ(count_of(ptx, "ld\\.global\\.nc\\.v4\\.f32"), 2U) << ptx;
    EXPECT_EQ(count_of(ptx, "st\\.global\\.v4\\.f32"), 2U) << ptx;
}

TEST(WideAccesses, JoinNeighbours) {
    const std::string ptx = ptx_of(neighbours);
    EXPECT_EQ(count_of(ptx, "ld\\.global\\.nc\\.v4\\.f32"), 1U) << ptx;
    EXPECT_EQ(count_of(ptx, "st\\.global"), 2U) << ptx;
}

// Of vectors that overlap only one can be aligned: the one without an offset.
TEST(WideAccesses, ChooseOneOfAStencil) {
    const std::string ptx = ptx_of(stencil);
    EXPECT_EQ(count_of(ptx, "ld\\.global\\.nc\\.v4\\.f32"), 1U) << ptx;
    EXPECT_EQ(count_of(ptx, "ld\\.global\\.nc\\.v4\\.f32 \t\\{[^}]*\\}, \\[%rd\\d+\\];"), 1U) << ptx;
    EXPECT_EQ(count_of(ptx, "st\\.global\\.v4\\.f32"), 1U) << ptx;
}

TEST(WideAccesses, AreAsWideAsTheElements) {
    const char *body = "out[ramp(t * 4 + b * n, 1, 4)] = in[ramp(t * 4 + b * n, 1, 4)]";
    EXPECT_EQ(count_of(ptx_of(body, "uint8"), "ld\\.global\\.nc\\.u32"), 1U);
    EXPECT_EQ(count_of(ptx_of(body, "uint16"), "ld\\.global\\.nc\\.(u64|v2\\.u32|v4\\.u16)"), 1U)
        << ptx_of(body, "uint16");
    EXPECT_EQ(count_of(ptx_of(body, "float64"), "ld\\.global\\.nc\\.v2\\.f64"), 2U) << ptx_of(body, "float64");
}

// An element of its own for each thread, and vectors at any place.
TEST(WideAccesses, AreNotSoughtInVain) {
    for (const char *body : {"out[b * n + t] = in[b * n + t + m]", "out[ramp(t + m, 1, 4)] = in[ramp(t * 3 + m, 1, 4)]",
                             "out[ramp(cast<int32>(in[t]) + m, 1, 4)] = broadcast(1.0:float32, 4)"}) {
        const std::string ptx = ptx_of(body);
        EXPECT_EQ(count_of(ptx, "bra"), 0U) << ptx;
        EXPECT_EQ(count_of(ptx, "\\.v[24]\\."), 0U) << ptx;
    }
}

struct Numbers {
    int32_t k, m, n;
};
using Reference = void (*)(const float *in, float *out, const Numbers &);

void rows_in_cpp(const float *in, float *out, const Numbers &a) {
    for (int i = 0; i < 2 * 8 * 4; i++) {
        const int x = std::min(i / 4 % 8 * 4 + a.m, a.k - 3) - a.m + i % 4, at = i / 32 * a.n + x;
        out[at] = in[at] + 1;
    }
}
void sums_in_cpp(const float *in, float *out, const Numbers &a) {
    for (int i = 0; i < 2 * 64; i++) {
        float sum = 0;
        for (int row = 0; row < a.k; row++) {
            sum += in[row * a.n + i % 64 + a.m];
        }
        out[i + a.m] = sum;
    }
}
void neighbours_in_cpp(const float *in, float *out, const Numbers &a) {
    for (int i = 0; i < 2 * 8; i++) {
        const float *at = in + i % 8 * 4 + i / 8 * a.n;
        out[i] = at[0] + at[1] + at[2] + at[3];
    }
}
void stencil_in_cpp(const float *in, float *out, const Numbers &a) {
    for (int i = 0; i < 2 * 32; i++) {
        const int at = i % 32 + i / 32 * a.n;
        out[at] = in[at + a.m] + in[at + a.m + 1] + in[at + a.m + 2];
    }
}

/// Buffers that begin so many elements behind a multiple of 64 bytes.
void compare(const KernelsOnHost &code, Reference reference, size_t in_at, size_t out_at, Numbers numbers) {
    constexpr size_t size = 1024;
    alignas(64) static std::array<float, size> in, out, expected;
    std::iota(in.begin(), in.end(), 1.0f);
    out.fill(0);
    expected.fill(0);
    reference(in.data() + in_at, expected.data() + out_at, numbers);
    const float *from = in.data() + in_at;
    float *to = out.data() + out_at;
    std::array<int32_t, 3> blocks{};
    void *parameters[] = {&from, &numbers.k, &numbers.m, &numbers.n, &to, &blocks[0], &blocks[1], &blocks[2]};
    code.run(0, parameters, {2, 1, 1}, {8, 1, 1});
    ASSERT_EQ(out, expected) << in_at << " " << out_at << " " << numbers.k << " " << numbers.m << " " << numbers.n;
}

// Code of the host faults where an access is not aligned as it says.
TEST(WideAccesses, ComputeTheSameAtEveryPlace) {
    const std::pair<const char *, Reference> programs[] = {
        {rows, rows_in_cpp}, {sums, sums_in_cpp}, {neighbours, neighbours_in_cpp}, {stencil, stencil_in_cpp}};
    for (const auto &[body, reference] : programs) {
        const KernelsOnHost code(module_of(body), Target("x86-64-linux"));
        for (int i = 0; i < 4 * 4 * 4 * 4 * 4; i++) {
            const Numbers numbers = {8 + i / 16 % 4, i / 64 % 4, 72 + i / 256};
            compare(code, reference, static_cast<size_t>(i % 4), static_cast<size_t>(i / 4 % 4), numbers);
            ASSERT_FALSE(testing::Test::HasFatalFailure()) << body;
        }
    }
}

} // namespace
} // namespace fluorite::backends::wide_accesses_test
