// Statements of kernels on an OpenCL device.

#include "backends/opencl/test_on_device.h"
#include "fluorite/float16.h"
#include "fluorite/runtime/math.h"
#include "ir/parse.h"

#include <cmath>
#include <numeric>

namespace fluorite::backends::opencl::statements_test {
namespace {

class StatementsOnDevice : public OnOpenCl {
  protected:
    int run_text(const std::string &kernel, const std::vector<Argument> &arguments, const Grid &grid) {
        return run(ir::parse_module("func f() {} " + kernel).funcs[1], arguments, grid);
    }

    /// The first elements of `out` after statements in which `x` is the index of one of 4 blocks, `u` that of one of 8
    /// threads, and in[i] is i * i % 29.
    std::vector<int32_t> stored(const std::string &statements, size_t count, int64_t shared_bytes = 0) {
        Row in(Int(32), 64), out(Int(32), 64);
        for (int32_t i = 0; i < 64; i++) {
            in.data<int32_t>()[i] = i * i % 29;
        }
        EXPECT_EQ(
            run_text("kernel k(in: input int32[1], n: scalar int32, out: output int32[1]) blocks(x) threads(u) { " +
                         statements + " }",
                     {in, Argument(int32_t{5}), out}, {{4, 1, 1}, {8, 1, 1}, shared_bytes}),
            0)
            << fluorite_last_error_message();
        return {out.data<int32_t>(), out.data<int32_t>() + count};
    }

    static std::vector<int32_t> made(size_t count, const std::function<int32_t(int32_t)> &value) {
        std::vector<int32_t> result;
        for (size_t i = 0; i < count; i++) {
            result.push_back(value(static_cast<int32_t>(i)));
        }
        return result;
    }
};

TEST_F(StatementsOnDevice, LoopsAndBranches) {
    EXPECT_EQ(stored("let i:int32 = x * 8 + u "
                     "allocate sum: int32[1] in stack sum[0] = 0 "
                     "for k in [n - 1, +u) { if k % 2 == 0 { sum[0] = sum[0] + in[k] } else { sum[0] = sum[0] - k } } "
                     "for k in [0, +-3) { sum[0] = 77 } "
                     "out[i] = sum[0]",
                     32),
              made(32, [](int32_t i) {
                  int32_t sum = 0;
                  for (int32_t k = 4; k < 4 + i % 8; k++) {
                      sum = k % 2 == 0 ? sum + k * k % 29 : sum - k;
                  }
                  return sum;
              }));
}

TEST_F(StatementsOnDevice, ThreadsShareMemory) {
    EXPECT_EQ(stored("allocate a: uint8[8] in gpu_shared allocate t: int32[16] in gpu_shared "
                     "a[u] = cast<uint8>(u * 3) t[u] = in[x * 8 + u] t[u + 8] = x barrier "
                     "for k in [0, +3) { let v:int32 = t[(u + 1) % 8] barrier t[u] = v barrier } "
                     "out[x * 8 + u] = t[7 - u] + cast<int32>(a[(u + 2) % 8]) * 100 + t[u + 8] * 10000",
                     32, 80),
              made(32, [](int32_t i) {
                  const int32_t u = i % 8, x = i / 8, from = x * 8 + (7 - u + 3) % 8;
                  return from * from % 29 + (u + 2) % 8 * 3 * 100 + x * 10000;
              }));
}

TEST_F(StatementsOnDevice, ThreadsOwnMemoryOfEveryType) {
    EXPECT_EQ(stored("allocate b: bool[8] in stack allocate h: float16[8] in stack allocate d: float64[8] in stack "
                     "allocate c: int8[8] in stack "
                     "for k in [0, +8) { b[k] = in[k] > k h[k] = cast<float16>(in[k]) d[k] = cast<float64>(in[k]) "
                     "c[k] = cast<int8>(0 - in[k]) } "
                     "out[x * 8 + u] = select(b[u], 1000, 0) + cast<int32>(h[7 - u] + h[u]) + cast<int32>(d[u] * "
                     "10000.0:float64) + cast<int32>(c[u])",
                     8),
              made(8, [](int32_t u) {
                  const auto in = [](int32_t i) { return i * i % 29; };
                  return (in(u) > u ? 1000 : 0) + in(7 - u) + in(u) + in(u) * 10000 - in(u);
              }));
}

TEST_F(StatementsOnDevice, Vectors) {
    EXPECT_EQ(
        stored("if x == 0 { let v:int32x4 = in[ramp(u * 4, 1, 4)] "
               "out[ramp(u * 4, 1, 4)] = shuffle<3, 0, 5, 6>(v:int32x4, ramp(ramp(u, 10, 2), broadcast(3, 2), 2)) }",
               32),
        made(32, [](int32_t i) {
            const int32_t u = i / 4, first = u * 4;
            const auto in = [](int32_t k) { return k * k % 29; };
            const int32_t lanes[] = {in(first + 3), in(first), u + 10, u + 3};
            return lanes[i % 4];
        }));
    EXPECT_EQ(stored("if x == 0 && u == 0 { out[ramp(0, 1, 2)] = vector_reduce<add>(in[ramp(1, 1, 6)], 2) "
                     "out[2] = vector_reduce<max>(in[ramp(0, 3, 5)], 1) "
                     "out[3] = cast<int32>(vector_reduce<saturating_add>(cast<uint8x3>(broadcast(100, 3)), 1)) "
                     "out[4] = cast<int32>(vector_reduce<saturating_add>(cast<int8x3>(broadcast(-100, 3)), 1)) "
                     "out[5] = reinterpret<int32>(shuffle<0, 1>(1:int16, 2:int16)) "
                     "out[ramp(6, 1, 2)] = cast<int32x2>(reinterpret<int16x2>(in[5] * 65536 + 7)) "
                     "out[ramp(8, 1, 3)] = broadcast(in[3], 3) "
                     "out[11] = select(vector_reduce<and>(in[ramp(1, 1, 3)] > broadcast(0, 3), 1), 3, 4) }",
                     12),
              (std::vector<int32_t>{1 + 4 + 9, 16 + 25 + 7, 28, 255, -128, 1 + (2 << 16), 7, 25, 9, 9, 9, 3}));
}

TEST_F(StatementsOnDevice, LanesWithPredicates) {
    EXPECT_EQ(stored("if x == 0 { out[ramp(u * 8, 1, 8)] = broadcast(-1, 8) "
                     "out[ramp(u * 8, 1, 8)] = in[ramp(u, 1000, 8) where ramp(0, 1, 8) < broadcast(1, 8)] + "
                     "broadcast(1, 8) where ramp(u * 8, 1, 8) < broadcast(27, 8) }",
                     64),
              made(64, [](int32_t i) {
                  const int32_t u = i / 8;
                  return i >= 27 ? -1 : i % 8 == 0 ? u * u % 29 + 1 : 1;
              }));
}

TEST_F(StatementsOnDevice, RandomValues) {
    EXPECT_EQ(stored("out[x * 8 + u] = random(x, u, n):int32", 32), made(32, [](int32_t i) {
                  const int32_t operands[] = {i / 8, i % 8, 5};
                  return static_cast<int32_t>(fluorite_random_u32(operands, 3));
              }));
}

// Sums of six and more lanes, and sums of halves, round in their order.
TEST_F(StatementsOnDevice, ReductionsOfFloatsRoundInTheirOrder) {
    Row in(Float(32), 12), out(Float(32), 1);
    for (int i = 0; i < 12; i++) {
        in.data<float>()[i] = std::ldexp(1.0F + static_cast<float>(i) * 0x1p-20F, i % 5 * 6);
    }
    ASSERT_EQ(run_text("kernel k(in: input float32[1], out: output float32[1]) blocks(x) threads(u) { out[0] = "
                       "vector_reduce<add>(in[ramp(0, 1, 12)], 1) }",
                       {in, out}, {}),
              0);
    const float *at = in.data<float>();
    float parts[3];
    for (int k = 0; k < 3; k++) {
        parts[k] = (at[4 * k] + at[4 * k + 1]) + (at[4 * k + 2] + at[4 * k + 3]);
    }
    EXPECT_EQ(out.data<float>()[0], (parts[0] + parts[1]) + parts[2]);
}

TEST_F(StatementsOnDevice, ThreeDimensionsOfBlocksAndThreads) {
    Row out(Int(32), 2 * 3 * 4 * 5 * 2 * 3);
    ASSERT_EQ(run_text("kernel k(out: output int32[1]) blocks(x, y, z) threads(u, v, w) { "
                       "let i:int32 = x * 5 + u let j:int32 = y * 2 + v let k:int32 = z * 3 + w "
                       "out[i + 10 * (j + 6 * k)] = i + 100 * j + 10000 * k }",
                       {out}, {{2, 3, 4}, {5, 2, 3}, 0}),
              0);
    for (int i = 0; i < 720; i++) {
        ASSERT_EQ(out.data<int32_t>()[i], i % 10 + 100 * (i / 10 % 6) + 10000 * (i / 60));
    }
}

/// The kernel adds up scalars of many types, which are packed if there are more.
std::string kernel_of_scalars(int more) {
    std::string args, sum;
    for (int i = 0; i < more; i++) {
        args += "s" + std::to_string(i) + ": scalar " + (i % 2 == 0 ? "int8" : "int32") + ", ";
        sum += " + cast<float64>(s" + std::to_string(i) + ")";
    }
    return "kernel k(" + args +
           "a: scalar bool, b: scalar float16, c: scalar float64, d: scalar uint64, e: scalar float32, in: input "
           "float64[1], out: output float64[1]) blocks(x) threads(u) { out[x * 4 + u] = in[x * 4 + u] + select(a, "
           "1.0:float64, 2.0:float64) + cast<float64>(b) + c + cast<float64>(d) + cast<float64>(e)" +
           sum + " }";
}

TEST_F(StatementsOnDevice, ScalarsOfEveryTypeAlsoPacked) {
    for (const int more : {0, 150}) {
        Row in(Float(64), 8), out(Float(64), 8);
        std::vector<Argument> arguments;
        double expected = 1 + 2.5 + 0.25 + 1e6 + 0.125;
        for (int i = 0; i < more; i++) {
            if (i % 2 == 0) {
                arguments.emplace_back(static_cast<int8_t>(-i));
            } else {
                arguments.emplace_back(int32_t{i * 1000});
            }
            expected += i % 2 == 0 ? static_cast<int8_t>(-i) : i * 1000;
        }
        arguments.insert(arguments.end(), {Argument(true), Argument(float16_t(2.5F)), Argument(0.25),
                                           Argument(uint64_t{1000000}), Argument(0.125F), in, out});
        for (int i = 0; i < 8; i++) {
            in.data<double>()[i] = i * 0.5;
        }
        ASSERT_EQ(run_text(kernel_of_scalars(more), arguments, {{2, 1, 1}, {4, 1, 1}, 0}), 0)
            << fluorite_last_error_message();
        for (int i = 0; i < 8; i++) {
            EXPECT_EQ(out.data<double>()[i], i * 0.5 + expected) << more;
        }
    }
}

TEST_F(StatementsOnDevice, ChecksThatFailAreReported) {
    const std::string first = "in g: x is large; it is below 3; pass less [requirement-failed]";
    const std::string kernel =
        "kernel k(n: scalar int32, out: output int32[1]) blocks(x) threads(u) { out[x * 4 + u] = 1 "
        "barrier assert x < n else extern fluorite_error(-27, \"" +
        first + "\":handle):int32 barrier if x < n { out[x * 4 + u] = 2 } }";
    for (const int32_t n : {3, 4}) {
        Row out(Int(32), 16);
        EXPECT_EQ(run_text(kernel, {Argument(n), out}, {{4, 1, 1}, {4, 1, 1}, 0}) == 0, n == 4);
        EXPECT_EQ(std::string(fluorite_last_error_message()), n == 4 ? "" : first);
        fluorite_clear_error();
    }
}

/// Adds up i % 7 * sign over the elements i % 5 in 32 blocks of 16 threads.
template <typename T> std::vector<T> counted(T sign) {
    std::vector<T> counts(5);
    for (int i = 0; i < 32 * 16; i++) {
        counts[static_cast<size_t>(i % 5)] += static_cast<T>(i % 7) * sign;
    }
    return counts;
}

TEST_F(StatementsOnDevice, AtomicUpdatesOfEveryType) {
    const auto check = [&](Type type, auto sign) {
        using T = decltype(sign);
        Row out(type, 5), most(type, 5);
        const std::string word = to_string(type);
        ASSERT_EQ(run_text("kernel k(out: output " + word + "[1], most: output " + word +
                               "[1]) blocks(x) threads(u) { let i:int32 = x * 16 + u let v:" + word + " = cast<" +
                               word +
                               ">(i % 7) atomic out { out[i % 5] = out[i % 5] + v } "
                               "atomic most { most[i % 5] = max(most[i % 5], cast<" +
                               word + ">(i)) where i % 3 != 0 } }",
                           {out, most}, {{32, 1, 1}, {16, 1, 1}, 0}),
                  0)
            << fluorite_last_error_message();
        EXPECT_EQ(std::vector<T>(out.data<T>(), out.data<T>() + 5), counted<T>(T(1))) << word;
        for (int k = 0; k < 5; k++) {
            int greatest = 0;
            for (int i = k; i < 512; i += 5) {
                greatest = i % 3 != 0 ? i : greatest;
            }
            EXPECT_EQ(most.data<T>()[k], static_cast<T>(greatest)) << word;
        }
    };
    check(Int(32), int32_t{1});
    check(UInt(32), uint32_t{1});
    check(Int(64), int64_t{1});
    check(UInt(64), uint64_t{1});
    check(Float(32), 1.0F);
    check(Float(64), 1.0);
}

TEST_F(StatementsOnDevice, AtomicUpdatesOfLanesAndOfABlock) {
    EXPECT_EQ(stored("allocate t: int32[4] in gpu_shared allocate h: float32[1] in gpu_shared if u < 4 { t[u] = 0 } "
                     "if u == 0 { h[0] = 0.0:float32 } barrier "
                     "atomic t { t[ramp(0, 1, 6) % broadcast(4, 6)] = t[ramp(0, 1, 6) % broadcast(4, 6)] ^ "
                     "broadcast(u * x, 6) + ramp(1, 1, 6) } atomic h { h[0] = h[0] + cast<float32>(u) } barrier "
                     "if u < 4 { out[x * 8 + u] = t[u] } if u == 4 { out[x * 8 + 4] = cast<int32>(h[0]) }",
                     32, 80),
              made(32, [](int32_t i) {
                  const int32_t x = i / 8, k = i % 8;
                  int32_t bits = 0;
                  for (int32_t u = 0; u < 8; u++) {
                      for (int32_t lane = k; lane < 6 && k < 4; lane += 4) {
                          bits ^= u * x + lane + 1;
                      }
                  }
                  return k == 4 ? 28 : k < 4 ? bits : 0;
              }));
}

} // namespace
} // namespace fluorite::backends::opencl::statements_test
