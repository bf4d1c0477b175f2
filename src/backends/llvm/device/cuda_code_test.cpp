// PTX of kernels from texts: parameters, kinds of memory, barriers and arithmetic. Where ptxas is
// installed, it assembles the kernels, which keep all values in registers.

#include "backends/llvm/device/cuda_code.h"

#include "ir/parse.h"
#include "ir/verify.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <tuple>

namespace fluorite::backends::cuda_code_test {
namespace {

/// A module with one kernel. `args` are those of the entry, of which the kernel has all.
std::string module_of(const std::string &args, const std::string &body, const std::string &threads = "32") {
    std::string given, kernel_args;
    std::istringstream list(args);
    for (std::string arg; std::getline(list, arg, ',');) {
        arg = arg.substr(arg.find_first_not_of(' '));
        const std::string name = arg.substr(0, arg.find(':'));
        const bool is_scalar = arg.find("scalar") != std::string::npos;
        given += (given.empty() ? "" : ", ") + name + (is_scalar ? "" : ":handle");
        kernel_args += (kernel_args.empty() ? "" : ", ") + arg;
    }
    return "func f(" + args + ") { gpu_block for b in [0, +7) { launch f.kernel.0(" + given + ") threads(" + threads +
           ") } }\nkernel f.kernel.0(" + kernel_args + ") blocks(b) threads(" +
           std::string("t, u, v", static_cast<size_t>(1 + 3 * std::count(threads.begin(), threads.end(), ','))) +
           ") { " + body + " }";
}

ir::DeviceCode code_of(const std::string &text, const std::string &target = "x86-64-linux") {
    const ir::LoweredModule module = ir::parse_module(text);
    EXPECT_EQ(ir::find_violation(module).value_or(""), "");
    return cuda_code(module, Target(target));
}

std::string ptx_of(const std::string &args, const std::string &body) { return code_of(module_of(args, body)).bytes; }

size_t count_of(const std::string &text, const std::string &pattern) {
    const std::regex expression(pattern);
    return static_cast<size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), expression), {}));
}

constexpr const char *in_out = "in: input float32[1], out: output float32[1]";

TEST(CudaCode, HasTheParametersOfTheRuntime) {
    const ir::DeviceCode code =
        code_of(module_of("in: input float32[1], k: scalar int16, out: output float32[1], p: scalar bool",
                          "out[b * 32 + t] = select(p, in[b * 32 + t], cast<float32>(k))"));
    EXPECT_EQ(code.api, DeviceAPI::CUDA);
    ASSERT_EQ(code.kernels.size(), 1U);
    EXPECT_EQ(code.kernels[0].name, "k0_f_kernel_0");
    EXPECT_FALSE(code.kernels[0].packs_scalars || code.kernels[0].uses_shared);
    EXPECT_TRUE(code.kernels[0].failures.empty());
    const std::string entry = code.bytes.substr(code.bytes.find(".visible"));
    EXPECT_EQ(entry.substr(0, entry.find('{')), R"(.visible .entry k0_f_kernel_0(
	.param .u64 k0_f_kernel_0_param_0,
	.param .u16 k0_f_kernel_0_param_1,
	.param .u64 k0_f_kernel_0_param_2,
	.param .u8 k0_f_kernel_0_param_3,
	.param .u32 k0_f_kernel_0_param_4,
	.param .u32 k0_f_kernel_0_param_5,
	.param .u32 k0_f_kernel_0_param_6
)
.reqntid 32, 1, 1
)");
}

// A block of any size that is launched has enough registers.
TEST(CudaCode, BoundsTheThreadsOfBlocksThatOnlyTheLaunchKnows) {
    const std::string ptx = code_of(module_of("n: scalar int32, out: output int32[1]", "out[t] = u", "n, 4")).bytes;
    EXPECT_EQ(count_of(ptx, "\\.maxntid 1024, 1, 1"), 1U) << ptx;
    EXPECT_EQ(count_of(ptx, "\\.reqntid"), 0U) << ptx;
}

TEST(CudaCode, NamesTheDeviceOfTheTarget) {
    const std::string text = module_of("out: output int32[1]", "out[b] = t");
    EXPECT_NE(code_of(text).bytes.find(".version 7.0\n.target sm_75"), std::string::npos);
    EXPECT_NE(code_of(text, "x86-64-linux-cuda_capability_90").bytes.find(".target sm_90"), std::string::npos);
    EXPECT_NE(code_of(text, "x86-64-linux-cuda_capability_50-cuda_capability_61").bytes.find(".target sm_61"),
              std::string::npos);
    EXPECT_TRUE(code_of("func f(out: output int32[1]) { out[0] = 1 }").bytes.empty());
}

TEST(CudaCode, PacksScalarsThatDoNotFitIntoTheParameters) {
    std::string args = "out: output int32[1]", sum = "t";
    for (int i = 0; i < 512; i++) {
        const std::string name = "a" + std::to_string(i);
        args += ", " + name + ": scalar int32";
        sum += " + " + name;
    }
    const ir::DeviceCode code = code_of(module_of(args, "out[b] = " + sum));
    EXPECT_TRUE(code.kernels[0].packs_scalars);
    EXPECT_EQ(count_of(code.bytes, "\\.param \\.u"), 1U);
    EXPECT_GE(count_of(code.bytes, "ld\\.global\\.nc"), 128U); // fields of the struct, up to four at once
}

TEST(CudaCode, KnowsTheKindOfEveryMemory) {
    const ir::DeviceCode code = code_of(module_of(in_out, R"(
        allocate s: float32[32] in gpu_shared
        s[t] = in[b * 32 + t]
        barrier
        out[b * 32 + t] = s[31 - t])"));
    EXPECT_TRUE(code.kernels[0].uses_shared);
    EXPECT_EQ(count_of(code.bytes, "\\.extern \\.shared \\.align 16 \\.b8 fluorite_shared\\[\\]"), 1U);
    EXPECT_EQ(count_of(code.bytes, "ld\\.global\\.nc\\.f32"), 1U);
    EXPECT_EQ(count_of(code.bytes, "st\\.shared\\.f32"), 1U);
    EXPECT_EQ(count_of(code.bytes, "ld\\.shared\\.f32"), 1U);
    EXPECT_EQ(count_of(code.bytes, "st\\.global\\.f32"), 1U);
    EXPECT_EQ(count_of(code.bytes, "bar\\.sync"), 1U);
    EXPECT_EQ(count_of(code.bytes, "\t(ld|st)\\.[fubv]"), 0U) << "generic accesses:\n" << code.bytes;
}

// The second load reads what another thread has stored; nothing but this thread would change memory that is noalias.
TEST(CudaCode, ReadsMemoryAgainAfterABarrier) {
    const std::string ptx = ptx_of("out: output float32[1]", R"(
        out[t] = out[t] + 1.0:float32
        barrier
        out[31 - t] = out[31 - t] + 2.0:float32
        barrier
        out[t] = out[t] * 3.0:float32)");
    EXPECT_EQ(count_of(ptx, "ld\\.global\\.f32"), 3U) << ptx;
    EXPECT_EQ(count_of(ptx, "st\\.global\\.f32"), 3U) << ptx;
}

TEST(CudaCode, ContractsNothing) {
    const std::string ptx = ptx_of(in_out, "out[t] = in[t] * in[t + 32] + in[t + 64] / sqrt(in[t + 96])");
    for (const char *operation : {"mul\\.rn\\.f32", "add\\.rn\\.f32", "div\\.rn\\.f32", "sqrt\\.rn\\.f32"}) {
        EXPECT_EQ(count_of(ptx, operation), 1U) << operation;
    }
    EXPECT_EQ(count_of(ptx, "fma|ftz|approx"), 0U);
    EXPECT_EQ(count_of(ptx_of(in_out, "out[t] = fma(in[t], in[t], in[t])"), "fma\\.rn\\.f32"), 1U);
}

// PTX orders -0 before 0, and min(-0, 0) is its second operand, 0.
TEST(CudaCode, OrdersNoZeros) {
    EXPECT_EQ(count_of(ptx_of(in_out, "out[t] = min(in[t], 0.0:float32)"), "min\\.f32"), 0U);
    EXPECT_EQ(count_of(ptx_of(in_out, "out[t] = min(in[t], 1.0:float32)"), "min\\.f32"), 1U);
    EXPECT_EQ(
        count_of(ptx_of(in_out, "out[t] = select(in[t] < cast<float32>(b), in[t], cast<float32>(b))"), "min\\.f32"),
        0U);
}

TEST(CudaCode, AccessesAlignedLanesAtOnce) {
    const std::string ptx = ptx_of("out: output float32[1]", R"(
        allocate s: float32[128] in gpu_shared
        s[ramp(t * 4, 1, 4)] = broadcast(1.0:float32, 4)
        barrier
        out[ramp(t * 4, 1, 4)] = s[ramp(124 - t * 4, 1, 4)])");
    EXPECT_EQ(count_of(ptx, "st\\.shared\\.v4\\.f32"), 2U) << ptx; // once in each of two bodies
    EXPECT_EQ(count_of(ptx, "ld\\.shared\\.v4\\.f32"), 2U) << ptx;
    EXPECT_EQ(count_of(ptx, "st\\.global\\.f32"), 4U) << ptx; // where the buffer of a program begins is not known
    EXPECT_EQ(count_of(ptx, "st\\.global\\.v4\\.f32"), 1U) << ptx;
}

// The elements begin at any multiple of 4 bytes: a load of 16 bytes at once would fault there.
TEST(CudaCode, LoadsSixteenBytesAsTheyLie) {
    const std::string ptx = ptx_of("in: input uint8[1], out: output uint8[1]",
                                   "out[ramp(t * 16, 1, 16)] = in[ramp(t * 4, 1, 16)] + broadcast(1:uint8, 16)");
    EXPECT_EQ(count_of(ptx, "ld\\.global\\.nc\\.v"), 0U) << ptx;
    const std::string shared = ptx_of("out: output uint8[1]", R"(
        allocate s: uint8[512] in gpu_shared
        s[ramp(t * 16, 1, 16)] = broadcast(1:uint8, 16)
        barrier
        out[ramp(t * 16, 1, 16)] = s[ramp(496 - t * 16, 1, 16)])");
    EXPECT_EQ(count_of(shared, "ld\\.shared\\.v4\\.u32"), 2U) << shared; // once in each of two bodies
}

// Drivers of 2025 compare the wrong half of a 16-bit maximum, and lose the sign of an operand of three.
TEST(CudaCode, ComparesNoHalves) {
    const std::string ptx =
        ptx_of("in: input int16[1], out: output int16[1]", "out[t] = max(in[t], 0:int16) + min(in[b], in[t + 1])");
    EXPECT_EQ(count_of(ptx, "(min|max)\\.[su]16"), 0U) << ptx;
    EXPECT_EQ(count_of(ptx, "(min|max)\\.s32"), 2U) << ptx;
}

TEST(CudaCode, NegatesNoHalves) {
    const std::string ptx = ptx_of("in: input int16[1], out: output int16[1]",
                                   "out[t] = select(cast<int16>(abs(in[t])) < 0:int16 - in[b], 7:int16, in[t + 1])");
    EXPECT_EQ(count_of(ptx, "(abs|neg|sub)\\.s16"), 0U) << ptx;
    EXPECT_EQ(count_of(ptx, "abs\\.s32"), 1U) << ptx;
    EXPECT_EQ(count_of(ptx, "not\\.b32"), 1U) << ptx;
}

TEST(CudaCode, ComparesNoNegations) {
    const std::string ptx =
        ptx_of("n: scalar int32, out: output int32[1]",
               "for i in [0, +3) { out[t] = min(min(n, 0 - b), out[t + 1]) + max(max(b, i - n), t) }");
    EXPECT_EQ(count_of(ptx, "neg\\.s32|sub\\.s32"), 0U) << ptx;
    EXPECT_GE(count_of(ptx, "not\\.b32"), 2U) << ptx;
}

// What two lanes or two loads of a thread have in common is loaded once, and nothing is packed.
TEST(CudaCode, SharesLanesThatAreNotAligned) {
    const std::string ptx = ptx_of("in: input uint16[1], out: output uint16[1]",
                                   "out[ramp(t * 2, 1, 2)] = in[ramp(t * 2, 1, 2)] + in[ramp(t * 2 + 1, 1, 2)] + "
                                   "in[ramp(t * 2 + 2, 1, 2)]");
    const std::string split = ptx.substr(ptx.find("$L__BB0_1:")); // the first body, for buffers that begin anywhere
    EXPECT_EQ(count_of(split, "ld\\.global\\.nc\\.u16"), 4U) << ptx;
    EXPECT_EQ(count_of(split, "st\\.global\\.u16"), 2U) << ptx;
    EXPECT_EQ(count_of(split, "prmt|mov\\.b32"), 0U) << ptx;
}

// A row that is clamped at 0 is known to fit 32 bits, less 1 as well.
TEST(CudaCode, MultipliesClampedRowsAtOnce) {
    const std::string ptx =
        ptx_of("in: input float32[1], n: scalar int32, m: scalar int32, out: output float32[1]",
               "out[t] = in[cast<int64>(max(min(b + 3, m), 1) - 1) * cast<int64>(n) + cast<int64>(t)]");
    EXPECT_EQ(count_of(ptx, "mul\\.lo\\.s64|mad\\.lo\\.s64"), 0U) << ptx;
}

TEST(CudaCode, ComputesIndicesIn32Bits) {
    const std::string ptx = ptx_of("in: input float32[1], n: scalar int32, out: output float32[1]",
                                   "out[(b * n + t) * n + 5] = in[(b * n + t) * n - 3] + in[(b * n + t) * n - 7]");
    EXPECT_EQ(count_of(ptx, "mul\\.lo\\.s64|mad\\.lo\\.s64"), 0U) << ptx;
    EXPECT_EQ(count_of(ptx, "\\+-12\\]"), 1U) << ptx; // constants belong to the instructions
    EXPECT_EQ(count_of(ptx, "\\+-28\\]"), 1U) << ptx;
}

// What is clamped to 0 is extended with zeros, the stride with its sign.
TEST(CudaCode, MultipliesTo64BitsAtOnce) {
    const std::string ptx = ptx_of("in: input float32[1], n: scalar int32, out: output float32[1]",
                                   "out[t] = in[cast<int64>(max(b - 7, 0)) * cast<int64>(n) + cast<int64>(t)]");
    EXPECT_EQ(count_of(ptx, "mul\\.lo\\.s64|mad\\.lo\\.s64"), 0U) << ptx;
    EXPECT_EQ(count_of(ptx, "mul\\.wide\\.s32"), 1U) << ptx;
}

TEST(CudaCode, IsNotMadeOfBlocksThatNoDeviceLaunches) {
    const auto code = [](const std::string &threads) {
        code_of(module_of("n: scalar int32, out: output int32[1]", "out[t] = b", threads));
    };
    for (const char *threads : {"1024", "16, 1, 64", "n, 2000, 2000"}) {
        EXPECT_NO_THROW(code(threads)) << threads;
    }
    const std::string rule = " threads; devices run blocks of 1 to 1024 threads, at most 1024 x 1024 x 64; use smaller "
                             "blocks or tiles in its schedule";
    expect_error([&] { code("1025"); }, "kernel-launch", "in f.kernel.0: its blocks have 1025 x 1 x 1" + rule);
    expect_error([&] { code("64, 32"); }, "kernel-launch", "in f.kernel.0: its blocks have 64 x 32 x 1" + rule);
    expect_error([&] { code("1, 1, 65"); }, "kernel-launch", "in f.kernel.0: its blocks have 1 x 1 x 65" + rule);
    expect_error([&] { code("2000000000, 2000000000, 2000000000"); }, "kernel-launch",
                 "in f.kernel.0: its blocks have 2000000000 x 2000000000 x 2000000000" + rule);
}

TEST(CudaCode, IsNotMadeOfBlocksWithMoreMemoryThanAnyDeviceHas) {
    const auto code = [](int64_t elements, const std::string &more = "") {
        code_of(module_of("n: scalar int32, out: output int32[1]", concat("allocate a: float64[", elements, more,
                                                                          "] in gpu_shared a[t] = 1.0:float64 barrier "
                                                                          "out[t] = cast<int32>(a[31 - t])")));
    };
    EXPECT_NO_THROW(code(227 * 128));
    EXPECT_NO_THROW(code(1 << 20, ", n"));
    expect_error(
        [&] { code(227 * 128 + 2); }, "kernel-launch",
        "in f.kernel.0: its blocks take 232464 bytes of shared memory; devices have at most 232448 for a block; "
        "use smaller blocks or tiles in its schedule");
}

TEST(CudaCode, BranchesWhereLanesAreMasked) {
    const std::string ptx = ptx_of(in_out, "out[ramp(t, 1, 2)] = in[ramp(t, 5, 2) where ramp(t, 1, 2) < ramp(b, 3, 2)] "
                                           "where ramp(t, 1, 2) < broadcast(9, 2)");
    EXPECT_EQ(count_of(ptx, "ld\\.global\\.nc\\.f32"), 2U) << ptx;
    EXPECT_EQ(count_of(ptx, "st\\.global\\.f32"), 2U) << ptx;
    EXPECT_EQ(count_of(ptx, "__local_depot"), 0U) << ptx;
}

TEST(CudaCode, UpdatesMemoryAtomically) {
    const ir::LoweredModule module =
        ir::parse_module(module_of("in: input int32[1], out: output int32[1], sum: output float32[1]", R"(
        atomic out { out[in[t]] = out[in[t]] + 2 }
        atomic sum { sum[b] = sum[b] + 1.0:float32 })"));
    const std::string ptx = cuda_code(module, Target("x86-64-linux")).bytes;
    EXPECT_EQ(count_of(ptx, "atom\\.[a-z.]*global\\.add\\.u32"), 1U) << ptx;
    EXPECT_EQ(count_of(ptx, "atom\\.[a-z.]*global\\.cas\\.b32"), 1U) << ptx;
}

TEST(CudaCode, UpdatesLanesAtomicallyWhereTheirPredicateHolds) {
    const std::string ptx = ptx_of("in: input uint64[1], out: output uint64[1]", R"(
        atomic out { out[ramp(t, b, 4)] = max(out[ramp(t, b, 4) where ramp(t, 1, 4) < broadcast(9, 4)],
                                              in[ramp(t, 1, 4)]) where ramp(t, 1, 4) < broadcast(9, 4) })");
    EXPECT_EQ(count_of(ptx, "atom\\.[a-z.]*global\\.cas\\.b64"), 4U) << ptx;
    EXPECT_EQ(count_of(ptx, "lock"), 0U) << ptx;
}

TEST(CudaCode, UpdatesPartsOfWordsAtomically) {
    const std::string ptx =
        ptx_of("out: output int8[1], sum: output float16[1], all: output bool[1]",
               "atomic out { out[t] = out[t] + 3:int8 } atomic sum { sum[b] = sum[b] + 1.0:float16 } "
               "atomic all { all[b] = all[b] && t < 3 }");
    EXPECT_EQ(count_of(ptx, "atom\\.[a-z.]*global\\.cas\\.b(16|32)"), 3U) << ptx;
}

TEST(CudaCode, UpdatesWithoutTheOldValueAreStores) {
    const std::string ptx = ptx_of("in: input float64[1], out: output float64[1]",
                                   "atomic out { out[b] = out[b] } atomic out { out[b] = in[t] where t < 3 }");
    EXPECT_EQ(count_of(ptx, "atom\\."), 0U) << ptx;
    EXPECT_EQ(count_of(ptx, "st\\.[a-z.]*global\\.[a-z]*64"), 1U) << ptx;
}

TEST(CudaCode, StoresTheNumberOfAFailedCheckAndGoesOn) {
    const ir::LoweredModule module = ir::parse_module(module_of(in_out, R"(
        assert t < 31 else extern fluorite_error(-27, "in f: a [a]"):int32
        assert b < 6 else extern fluorite_error(-27, "in f: b [b]"):int32
        assert t < 30 else extern fluorite_error(-27, "in f: a [a]"):int32
        out[t] = in[t])"));
    const ir::DeviceCode code = cuda_code(module, Target("x86-64-linux"));
    EXPECT_EQ(code.kernels[0].failures, (std::vector<std::string>{"in f: a [a]", "in f: b [b]"}));
    EXPECT_EQ(count_of(code.bytes, "\\.param \\.u64"), 3U); // the failure word, too
    EXPECT_EQ(count_of(code.bytes, "atom[a-z.]*global\\.cas\\.b32"), 3U) << code.bytes;
    EXPECT_EQ(count_of(code.bytes, "ret;"), 1U);
}

TEST(CudaCode, ComputesEveryMathFunctionItself) {
    const auto calls = [](const std::string &name, size_t operands) {
        const std::string type = operands == 1 ? "in[t]" : "in[t], in[t + 1]";
        return "out[t] = " + name + "(" + type + ")";
    };
    const std::tuple<const char *, size_t> functions[] = {
#define FLUORITE_MATH(Op, name, operands, ...) {name, operands},
#include "ir/math_ops.def"
#undef FLUORITE_MATH
    };
    for (const auto &[name, operands] : functions) {
        const bool is_test = std::string(name).starts_with("is_");
        for (const std::string type : {"float32", "float64", "float16"}) {
            SCOPED_TRACE(name + (" of " + type));
            const std::string result = is_test ? "bool" : type;
            const std::string ptx =
                ptx_of("in: input " + type + "[1], out: output " + result + "[1]", calls(name, operands));
            EXPECT_EQ(count_of(ptx, "\\.extern \\.func"), 0U) << ptx;
        }
    }
}

// ---- The assembler.

std::string read(const std::string &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(CudaCode, IsAssembledWithoutSpills) {
    if (std::system("ptxas --version > ptxas.version 2>&1") != 0) {
        GTEST_SKIP() << "there is no ptxas; the package nvidia-cuda-nvcc of PyPI has it";
    }
    struct Row {
        std::string args, body;
        int most_registers;
    };
    const std::vector<Row> rows = {
        {in_out, "out[b * 32 + t] = in[b * 32 + t] * 2.0:float32", 16},
        {in_out, "allocate s: float32[32] in gpu_shared s[t] = in[t] barrier out[t] = s[31 - t]", 16},
        {"in: input float16[1], out: output bfloat16[1]", "out[t] = cast<bfloat16>(in[t] * in[t + 1])", 24},
        {"in: input int64[1], out: output int64[1]", "out[t] = in[t] / in[t + 1] + in[t] % 7:int64", 40},
        {in_out, "out[ramp(t, 1, 4)] = exp(in[ramp(t, 3, 4)]) where ramp(t, 1, 4) < broadcast(9, 4)", 40},
        {in_out, "allocate p: float32[4] in stack for i in [0, +4) { p[0] = p[0] + in[t + i] } out[t] = p[0] + p[1]",
         24},
    };
    for (const Row &row : rows) {
        SCOPED_TRACE(row.body);
        std::ofstream("kernel.ptx") << ptx_of(row.args, row.body);
        const int code = std::system("ptxas -v -arch=sm_75 kernel.ptx -o kernel.cubin > ptxas.log 2>&1");
        const std::string log = read("ptxas.log");
        ASSERT_EQ(code, 0) << log;
        EXPECT_EQ(count_of(log, "bytes stack frame"),
                  count_of(log, " 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"))
            << log;
        std::smatch used;
        ASSERT_TRUE(std::regex_search(log, used, std::regex("Used ([0-9]+) registers"))) << log;
        EXPECT_LE(std::stoi(used[1]), row.most_registers) << log;
    }
}

} // namespace
} // namespace fluorite::backends::cuda_code_test
