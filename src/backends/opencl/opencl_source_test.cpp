// The text of small kernels, one for each kind of statement and of parameter.

#include "backends/opencl/opencl_source.h"
#include "ir/parse.h"
#include "support/test_errors.h"

#include <gtest/gtest.h>

namespace fluorite::backends::opencl_source_test {
namespace {

ir::DeviceCode code_of(const std::string &kernel) {
    return opencl_code(ir::parse_module("func f() {} " + kernel), Target("x86-64-linux"));
}

/// A kernel with an output `out`, after other arguments.
ir::DeviceCode code_of(const std::string &args, const std::string &statements) {
    return code_of("kernel k(" + args + "out: output int32[1]) blocks(x) threads(u) { " + statements + " }");
}

/// The function without its parameters, and without the variables of them.
std::string body_of(const std::string &statements, const std::string &args = "") {
    const std::string text = code_of(args, statements).bytes;
    const std::string before = "_u = (int)get_local_id(0);\n";
    return text.substr(text.rfind(before) + before.size());
}

std::string function_of(const std::string &kernel) {
    const std::string text = code_of(kernel).bytes;
    return text.substr(text.find("kernel void"));
}

TEST(OpenClSource, BeginsWithItsRules) {
    EXPECT_EQ(code_of("", "out[x] = 1").bytes.substr(0, 215), R"(#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

kernel void)");
    EXPECT_EQ(code_of("").bytes, "");
    EXPECT_EQ(code_of("").api, DeviceAPI::None);
    EXPECT_EQ(code_of("", "out[x] = 1").api, DeviceAPI::OpenCL);
}

TEST(OpenClSource, Parameters) {
    EXPECT_EQ(
        function_of("kernel float(in: input float32[1], n: scalar int32, b: scalar bool, h: scalar float16, m: "
                    "allocation int8, out: output float32[1]) blocks(x, y) threads(u, v, w) { m[x + u] = "
                    "select(b, 1:int8, 2:int8) out[n + y + v + w] = in[x + n] * cast<float32>(h) }"),
        R"(kernel void k0_float(global const uchar *restrict v0_in, long v1, int v3_n, uchar v4_b, ushort v6_h, global uchar *v7_m, long v8, global uchar *v10_out, long v11, int v13, int v14, int v15) {
    global const float *const v2_in = (global const float *)(v0_in + v1);
    const bool v5_b = v4_b != 0;
    global char *const v9_m = (global char *)(v7_m + v8);
    global float *const v12_out = (global float *)(v10_out + v11);
    const int v16_x = v13 + (int)get_group_id(0);
    const int v17_y = v14 + (int)get_group_id(1);
    const int v18_u = (int)get_local_id(0);
    const int v19_v = (int)get_local_id(1);
    const int v20_w = (int)get_local_id(2);
    const int v21 = v16_x + v18_u;
    const char v22 = v5_b ? ((char)1) : ((char)2);
    v9_m[v21] = v22;
    const int v23 = v3_n + v17_y;
    const int v24 = v23 + v19_v;
    const int v25 = v24 + v20_w;
    const int v26 = v16_x + v3_n;
    const float v27 = v2_in[v26];
    const float v28 = (float)fluorite_from_half(v6_h);
    const float v29 = v27 * v28;
    v12_out[v25] = v29;
}

)");
}

TEST(OpenClSource, PacksScalarsOfLargeClosures) {
    std::string args;
    for (int i = 0; i < 122; i++) {
        args += "s" + std::to_string(i) + ": scalar " + (i % 2 == 0 ? "int8" : "int32") + ", ";
    }
    const ir::DeviceCode code = code_of(args, "out[x] = s1 + s3 + cast<int32>(s0)");
    EXPECT_TRUE(code.kernels[0].packs_scalars);
    const size_t at = code.bytes.find("kernel void");
    const std::string begin = R"(kernel void k0_k(global const uchar *restrict v0_scalars, global uchar *v123_out) {
    const char v1_s0 = *(global const char *)(v0_scalars + 0);
    const int v2_s1 = *(global const int *)(v0_scalars + 4);
    const char v3_s2 = *(global const char *)(v0_scalars + 8);
    const int v4_s3 = *(global const int *)(v0_scalars + 12);
)";
    EXPECT_EQ(code.bytes.substr(at, begin.size()), begin);
    EXPECT_NE(code.bytes.find("    const long v124 = *(global const long *)(v0_scalars + 488);\n"), std::string::npos)
        << code.bytes;
    EXPECT_NE(code.bytes.find("    const int v126 = *(global const int *)(v0_scalars + 496);\n"), std::string::npos)
        << code.bytes;
}

TEST(OpenClSource, LoopsAndBranches) {
    EXPECT_EQ(body_of("for i in [n, +4) { if i < 3 { out[i] = i << 1 } else { out[i] = -1 } }", "n: scalar int32, "),
              R"(    for (int v9 = 0; v9 < 4; v9++) {
        const int v10_i = v0_n + v9;
        const bool v11 = v10_i < 3;
        if (v11) {
            const int v12 = 1 < 0 ? fluorite_right_int(v10_i, 0UL - (ulong)1) : fluorite_left_int(v10_i, (ulong)1);
            v3_out[v10_i] = v12;
        }
        else {
            v3_out[v10_i] = (-1);
        }
    }
}

)");
}

// Arithmetic of values wraps; that of indices does not, unless it is on data.
TEST(OpenClSource, ArithmeticOfIndicesIsSigned) {
    EXPECT_EQ(body_of("let t:int32 = x * 3 out[in[x + 1] + u * 2] = t - u", "in: input int32[1], "),
              R"(    const int v11 = (int)((uint)v9_x * (uint)3);
    const int v12 = v9_x + 1;
    const int v13 = v2_in[v12];
    const int v14 = (int)((uint)v10_u * (uint)2);
    const int v15 = (int)((uint)v13 + (uint)v14);
    const int v16 = (int)((uint)v11 - (uint)v10_u);
    v5_out[v15] = v16;
}

)");
}

TEST(OpenClSource, LetsOfCoordinatesAreSigned) {
    EXPECT_EQ(body_of("let s:int32 = x * 8 let t:int32 = s + u let v:int32 = u * 5 out[t] = t - v"),
              R"(    const int v8 = (int)((uint)v6_x * (uint)8);
    const int v9 = v6_x * 8;
    const int v10 = (int)((uint)v8 + (uint)v7_u);
    const int v11 = v9 + v7_u;
    const int v12 = (int)((uint)v7_u * (uint)5);
    const int v13 = (int)((uint)v10 - (uint)v12);
    v2_out[v11] = v13;
}

)");
}

TEST(OpenClSource, NodesAreComputedOnceInAStatement) {
    EXPECT_EQ(body_of("out[u] = (let t:int32 = x * x in t + t) + (let t:int32 = x * x in t - t) out[x] = x * x"),
              R"(    const int v8 = (int)((uint)v6_x * (uint)v6_x);
    const int v9 = (int)((uint)v8 + (uint)v8);
    const int v10 = (int)((uint)v6_x * (uint)v6_x);
    const int v11 = (int)((uint)v10 - (uint)v10);
    const int v12 = (int)((uint)v9 + (uint)v11);
    v2_out[v7_u] = v12;
    const int v13 = (int)((uint)v6_x * (uint)v6_x);
    v2_out[v6_x] = v13;
}

)");
}

TEST(OpenClSource, NeighboursAreOneAccess) {
    EXPECT_EQ(body_of("out[ramp(x, 1, 4)] = in[ramp(u, 1, 4)]", "in: input int32[1], "),
              R"(    const int4 v11 = vload4(0, v2_in + (v10_u));
    vstore4((int4)(v11.s0, v11.s1, v11.s2, v11.s3), 0, v5_out + (v9_x));
}

)");
    EXPECT_EQ(body_of("b[ramp(x, 1, 2)] = ramp(u, 3, 2) < ramp(x, 1, 2)", "b: output bool[1], "),
              R"(    const int v11 = (int)((uint)v10_u + (uint)3);
    const int v12 = (int)((uint)v9_x + (uint)1);
    const bool v13 = v10_u < v9_x;
    const bool v14 = v11 < v12;
    vstore2((uchar2)(v13, v14), 0, v2_b + (v9_x));
}

)");
}

TEST(OpenClSource, LanesWithPredicates) {
    EXPECT_EQ(body_of("out[ramp(x, 2, 2)] = in[ramp(u, 1, 2) where ramp(u, 1, 2) < broadcast(9, 2)] where "
                      "ramp(x, 1, 2) < broadcast(5, 2)",
                      "in: input int32[1], "),
              R"(    const int v11 = v9_x + 2;
    const int v12 = v10_u + 1;
    const int v13 = (int)((uint)v10_u + (uint)1);
    const bool v14 = v10_u < 9;
    const bool v15 = v13 < 9;
    const int v16 = v14 ? v2_in[v10_u] : 0;
    const int v17 = v15 ? v2_in[v12] : 0;
    const int v18 = (int)((uint)v9_x + (uint)1);
    const bool v19 = v9_x < 5;
    const bool v20 = v18 < 5;
    if (v19) {
        v5_out[v9_x] = v16;
    }
    if (v20) {
        v5_out[v11] = v17;
    }
}

)");
}

TEST(OpenClSource, MemoryOfBlocksAndThreads) {
    const ir::DeviceCode code = code_of(
        "", "allocate a: int8[20] in gpu_shared a[u] = 1:int8 allocate t: float64[n] in gpu_shared t[u] = 2.0:float64 "
            "barrier allocate own: bool[3] in stack own[1] = a[u] == 1:int8 out[u] = select(own[1], 2, 3)");
    EXPECT_TRUE(code.kernels[0].uses_shared);
    EXPECT_EQ(code.bytes.substr(code.bytes.find("kernel void")),
              R"(kernel void k0_k(global uchar *v0_out, long v1, int v3, int v4, int v5, local uchar *v8_shared) {
    global int *const v2_out = (global int *)(v0_out + v1);
    const int v6_x = v3 + (int)get_group_id(0);
    const int v7_u = (int)get_local_id(0);
    local char *const v9_a = (local char *)(v8_shared + (0L));
    v9_a[v7_u] = ((char)1);
    local double *const v10_t = (local double *)(v8_shared + (32L));
    v10_t[v7_u] = (0x1p+1);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uchar v11_own[3];
    const char v12 = v9_a[v7_u];
    const bool v13 = v12 == ((char)1);
    v11_own[1] = v13;
    const bool v14 = v11_own[1] != 0;
    const int v15 = v14 ? 2 : 3;
    v2_out[v7_u] = v15;
}

)");
}

TEST(OpenClSource, ChecksNoteTheirTextAndGoOn) {
    const std::string failed =
        R"(else extern fluorite_error(-27, "in g: x is large; it is below 3; pass less [a-slug]":handle):int32 )";
    const ir::DeviceCode code =
        code_of("", "assert x < 3 " + failed + "out[x] = 1 assert u < 3 " + failed +
                        R"(assert false else extern fluorite_error(-27, "another":handle):int32)");
    EXPECT_EQ(code.kernels[0].failures,
              (std::vector<std::string>{"in g: x is large; it is below 3; pass less [a-slug]", "another"}));
    EXPECT_EQ(code.bytes.substr(code.bytes.find("kernel void")),
              R"(kernel void k0_k(global uchar *v0_out, long v1, global uchar *v3, long v4, int v5, int v6, int v7) {
    global int *const v2_out = (global int *)(v0_out + v1);
    const int v8_x = v5 + (int)get_group_id(0);
    const int v9_u = (int)get_local_id(0);
    const bool v10 = v8_x < 3;
    if (!v10) {
        atomic_cmpxchg((volatile global int *)(v3 + v4), 0, 1);
    }
    v2_out[v8_x] = 1;
    const bool v11 = v9_u < 3;
    if (!v11) {
        atomic_cmpxchg((volatile global int *)(v3 + v4), 0, 1);
    }
    if (!false) {
        atomic_cmpxchg((volatile global int *)(v3 + v4), 0, 2);
    }
}

)");
}

TEST(OpenClSource, AtomicUpdates) {
    EXPECT_EQ(body_of("atomic out { let t:int32 = u + 1 out[t] = out[t] - x } atomic f { f[x] = min(f[x], 2.0:float32) "
                      "where x < 3 }",
                      "f: output float32[1], "),
              R"(    const int v11 = (int)((uint)v10_u + (uint)1);
    const int v12 = (int)((uint)0 - (uint)v9_x);
    atomic_add((volatile global int *)(v5_out + v11), v12);
    const bool v13 = v9_x < 3;
    if (v13) {
        volatile global uint *const v14 = (volatile global uint *)(v2_f + v9_x);
        uint v15 = *v14, v16;
        do {
            v16 = v15;
            const float v17 = as_float(v16);
            const float v18 = v17 < (0x1p+1f) ? v17 : (0x1p+1f);
            v15 = atomic_cmpxchg(v14, v16, as_uint(v18));
        } while (v15 != v16);
    }
}

)");
    EXPECT_EQ(body_of("allocate s: uint64[4] in gpu_shared atomic s { s[x] = s[x] + 1:uint64 } "
                      "allocate own: int8[4] in stack atomic own { own[u] = own[u] + 1:int8 }"),
              R"(    local ulong *const v9_s = (local ulong *)(v8_shared + (0L));
    volatile local ulong *const v10 = (volatile local ulong *)(v9_s + v6_x);
    ulong v11 = *v10, v12;
    do {
        v12 = v11;
        const ulong v13 = v12;
        const ulong v14 = (ulong)((ulong)v13 + (ulong)1UL);
        v11 = atom_cmpxchg(v10, v12, v14);
    } while (v11 != v12);
    char v15_own[4];
    const char v16 = v15_own[v7_u];
    const char v17 = (char)((uint)v16 + (uint)((char)1));
    v15_own[v7_u] = v17;
}

)");
}

TEST(OpenClSource, AtomicUpdatesOfPartsOfWords) {
    EXPECT_EQ(body_of("atomic f { f[x] = f[x] + 3:int16 } atomic g { g[x] = true }",
                      "f: output int16[1], g: output bool[1], "),
              R"(    const uintptr_t v14 = (uintptr_t)(v2_f + v12_x);
    volatile global uint *const v15 = (volatile global uint *)(v14 & ~(uintptr_t)3);
    const uint v16 = (uint)(v14 & 3) * 8;
    uint v17 = *v15, v18;
    do {
        v18 = v17;
        const short v19 = (short)((ushort)(v18 >> v16));
        const short v20 = (short)((uint)v19 + (uint)((short)3));
        v17 = atomic_cmpxchg(v15, v18, (v18 & ~(0xffffU << v16)) | ((uint)((ulong)(ushort)(v20)) << v16));
    } while (v17 != v18);
    const uintptr_t v21 = (uintptr_t)(v5_g + v12_x);
    volatile global uint *const v22 = (volatile global uint *)(v21 & ~(uintptr_t)3);
    const uint v23 = (uint)(v21 & 3) * 8;
    uint v24 = *v22, v25;
    do {
        v25 = v24;
        v24 = atomic_cmpxchg(v22, v25, (v25 & ~(0xffU << v23)) | ((uint)((ulong)true) << v23));
    } while (v24 != v25);
}

)");
}

// What simplification leaves of updates by min and max.
TEST(OpenClSource, AtomicUpdatesThatDoNotReadTheOldValue) {
    EXPECT_EQ(body_of("atomic out { out[x] = out[x] } atomic out { out[x] = u } atomic f { f[x] = 2.0:float64 }",
                      "f: output float64[1], "),
              R"(    atomic_xchg((volatile global uint *)(v5_out + v9_x), (uint)(v10_u));
    atom_xchg((volatile global ulong *)(v2_f + v9_x), as_ulong((0x1p+1)));
}

)");
}

TEST(OpenClSource, NamesAreNobodyElses) {
    const ir::DeviceCode code = code_of("kernel global.1(get_global_id: input int32[1], float: scalar int32, "
                                        "out: output int32[1]) blocks(x.y) { out[x.y] = get_global_id[float] }");
    EXPECT_EQ(code.kernels[0].name, "k0_global_1");
    EXPECT_NE(code.bytes.find("v0_get_global_id"), std::string::npos) << code.bytes;
}

TEST(OpenClSource, RefusesWhatOnlyTheHostCan) {
    expect_error([] { code_of("", "out[x] = extern g(x):int32"); }, "not-built",
                 "in k: 'g' is called in a loop over blocks of an OpenCL device; kernels call only functions of their "
                 "own; compute it outside of the loops over blocks");
    expect_error([] { code_of("", "atomic out { out[x] = 1 - out[x] }"); }, "not-built",
                 "in k: the updates of out are atomic; OpenCL kernels update single values atomically, by an operation "
                 "on the old value; remove atomic(), or update outside of the loops over blocks");
    expect_error([] { code_of("", "allocate own: int32[x] in heap own[0] = 1 out[x] = own[0]"); }, "not-built",
                 "in k: the memory of own is private to a thread and has a size that is no constant; OpenCL gives a "
                 "thread memory of constant size; bound it with bound_extent, or compute it outside of the loops over "
                 "threads");
}

} // namespace
} // namespace fluorite::backends::opencl_source_test
