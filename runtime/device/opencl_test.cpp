// The OpenCL driver on the first device that is here, PoCL in most cases; skipped with the reason where there is none.

#include "runtime/device/device.h"
#include "runtime/device/opencl_choice.h"
#include "runtime/device/test_buffer.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

namespace opencl_test {

using namespace fluorite_runtime;

constexpr char source[] = R"(
kernel void scale(global uchar *out_memory, long out_offset, global uchar *in_memory, long in_offset, int factor,
                  int x0, int y0, int z0) {
    global int *out = (global int *)(out_memory + out_offset);
    global const int *in = (global const int *)(in_memory + in_offset);
    int x = (x0 + get_group_id(0)) * get_local_size(0) + get_local_id(0), y = y0 + get_group_id(1), z = z0 + get_group_id(2);
    out[x + 10 * y + 60 * z] = in[x + 10 * y + 60 * z] * factor;
}
struct Scalars { long out_offset, in_offset; int factor, x0, y0, z0; };
kernel void scale_packed(global const uchar *scalars, global uchar *out_memory, global uchar *in_memory) {
    global const struct Scalars *s = (global const struct Scalars *)scalars;
    global int *out = (global int *)(out_memory + s->out_offset);
    global const int *in = (global const int *)(in_memory + s->in_offset);
    int x = (s->x0 + get_group_id(0)) * get_local_size(0) + get_local_id(0);
    int at = x + 10 * (s->y0 + get_group_id(1)) + 60 * (s->z0 + get_group_id(2));
    out[at] = in[at] * s->factor;
}
kernel void reverse(global uchar *out_memory, long out_offset, global uchar *in_memory, long in_offset, int x0, int y0,
                    int z0, local uchar *shared) {
    local int *tile = (local int *)shared;
    int n = get_local_size(0), t = get_local_id(0), first = get_group_id(0) * n;
    tile[t] = ((global const int *)(in_memory + in_offset))[first + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    ((global int *)(out_memory + out_offset))[first + t] = tile[n - 1 - t];
}
kernel void check(int number, global uchar *failure_memory, long failure_offset, int x0, int y0, int z0) {
    if (number >= 0) {
        atomic_cmpxchg((volatile global int *)(failure_memory + failure_offset), 0, number + 1);
    }
}
)";
const char *const failures[] = {"in g: x is 1; the program requires x to be 0; pass 0 [requirement-failed]"};
const fluorite_device_kernel_t kernels[] = {{"scale", "f", 0, 0, nullptr},
                                            {"scale_packed", "f", fluorite_device_kernel_packs_scalars, 0, nullptr},
                                            {"reverse", "f", fluorite_device_kernel_uses_shared, 0, nullptr},
                                            {"check", "g", fluorite_device_kernel_reports_failures, 1, failures}};
const fluorite_device_module_t module = {source, sizeof(source) - 1, "", kernels, 4};

const std::vector<fluorite_dimension_t> shape = {{0, 10, 1}, {0, 6, 10}, {0, 7, 60}};

fluorite_device_argument_t buffer_argument(const fluorite_buffer_t &buffer) {
    return {fluorite_device_argument_buffer, 0, reinterpret_cast<uintptr_t>(&buffer), 0};
}
fluorite_device_argument_t scalar_argument(int32_t value) {
    return {fluorite_device_argument_scalar, 4, static_cast<uint32_t>(value), 0};
}

class OpenCl : public testing::Test {
  protected:
    OpenCl() : printed_(fluorite_print_errors(0)) {}
    ~OpenCl() override {
        fluorite_print_errors(printed_);
        fluorite_clear_error();
    }
    static void TearDownTestSuite() { fluorite_device_unload_module(&slot); }
    void SetUp() override {
        if (fluorite_device_sync_global(nullptr, on) != 0) {
            GTEST_SKIP() << take_error();
        }
        ASSERT_EQ(fluorite_device_load_module(nullptr, on, &slot, &module), 0) << take_error();
    }
    int launch(int32_t kernel, std::vector<fluorite_device_argument_t> arguments, std::array<int64_t, 3> blocks,
               int32_t threads, int64_t shared = 0) {
        const int32_t block[3] = {threads, 1, 1};
        return fluorite_device_launch(nullptr, on, slot, kernel, blocks.data(), block, shared, arguments.data(),
                                      static_cast<int32_t>(arguments.size()));
    }
    int scale(fluorite_buffer_t &in, fluorite_buffer_t &out, int32_t factor, int32_t kernel) {
        int code = fluorite_device_need_input(nullptr, on, "in", &in);
        code = code == 0 ? fluorite_device_need_output(nullptr, on, "out", &out, 0) : code;
        code = code == 0
                   ? launch(kernel, {buffer_argument(out), buffer_argument(in), scalar_argument(factor)}, {5, 6, 7}, 2)
                   : code;
        return code == 0 ? fluorite_device_mark_written(&out) : code;
    }

    const fluorite_device_interface_t *const on = fluorite_opencl_device_interface();
    static inline void *slot = nullptr;

  private:
    int printed_;
};

TEST_F(OpenCl, KernelsReadAndWriteBuffers) {
    for (const int32_t kernel : {0, 1}) {
        TestBuffer in(shape), out(shape);
        in.fill();
        ASSERT_EQ(scale(in.raw, out.raw, 3, kernel), 0) << take_error();
        ASSERT_EQ(fluorite_copy_to_host(nullptr, &out.raw), 0) << take_error();
        EXPECT_EQ(out.wrong_elements(3), 0);
        EXPECT_EQ(fluorite_device_free(nullptr, &in.raw), 0);
        EXPECT_EQ(fluorite_device_free(nullptr, &out.raw), 0);
    }
}

TEST_F(OpenCl, KernelsReadCropsAtAnyOffset) {
    for (int first = 0; first < 5; first++) {
        TestBuffer all({{-first, 10 + 2 * first, 1}, {0, 6, 10}, {0, 7, 60}}), in(shape), out(shape);
        ASSERT_EQ(fluorite_device_malloc(nullptr, &all.raw, on), 0);
        ASSERT_EQ(fluorite_device_crop(nullptr, &all.raw, &in.raw), 0);
        in.fill();
        ASSERT_EQ(scale(in.raw, out.raw, 5, 0), 0) << take_error();
        ASSERT_EQ(fluorite_copy_to_host(nullptr, &out.raw), 0) << take_error();
        EXPECT_EQ(out.wrong_elements(5), 0);
        for (TestBuffer *buffer : {&all, &in, &out}) {
            EXPECT_EQ(fluorite_device_free(nullptr, &buffer->raw), 0);
        }
    }
}

TEST_F(OpenCl, StridedCopiesTouchNoGap) {
    const std::vector<std::vector<fluorite_dimension_t>> shapes = {{{2, 5, 1}, {3, 4, 8}, {-1, 3, 40}},
                                                                   {{0, 6, 3}, {0, 4, 18}},
                                                                   {{0, 4, 24}, {0, 3, 1}, {0, 7, 3}},
                                                                   {{0, 5, -1}, {0, 4, -6}},
                                                                   {{0, 3, 1}, {0, 2, 4}, {0, 2, 10}, {0, 3, 30}}};
    for (const auto &each : shapes) {
        TestBuffer buffer(each), target(each);
        buffer.fill();
        ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, on), 0) << take_error();
        ASSERT_EQ(fluorite_buffer_copy(nullptr, &buffer.raw, on, &target.raw), 0) << take_error();
        buffer.raw.set_device_dirty();
        for (TestBuffer *one : {&buffer, &target}) {
            one->clear();
            ASSERT_EQ(fluorite_copy_to_host(nullptr, &one->raw), 0) << take_error();
            EXPECT_EQ(one->wrong_elements(), 0);
            EXPECT_EQ(one->wrong_gaps(), 0);
            EXPECT_EQ(fluorite_device_free(nullptr, &one->raw), 0);
        }
    }
}

TEST_F(OpenCl, RectanglesInsideOfLargerMemory) {
    TestBuffer all({{0, 40, 1}, {0, 30, 40}, {0, 5, 1200}}), crop({{33, 6, 1}, {25, 4, 40}, {1, 3, 1200}});
    all.fill();
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &all.raw, on), 0) << take_error();
    ASSERT_EQ(fluorite_device_crop(nullptr, &all.raw, &crop.raw), 0) << take_error();
    crop.raw.set_device_dirty();
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &crop.raw), 0) << take_error();
    EXPECT_EQ(crop.wrong_elements(), 0);
    EXPECT_EQ(crop.wrong_gaps(), 0);
    TestBuffer copy({{33, 6, 12}, {25, 4, 3}, {1, 3, 1}});
    ASSERT_EQ(fluorite_buffer_copy(nullptr, &crop.raw, on, &copy.raw), 0) << take_error();
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &copy.raw), 0) << take_error();
    EXPECT_EQ(copy.wrong_elements(), 0);
    for (TestBuffer *buffer : {&all, &crop, &copy}) {
        EXPECT_EQ(fluorite_device_free(nullptr, &buffer->raw), 0);
    }
}

TEST_F(OpenCl, SharedMemoryAndBarriers) {
    TestBuffer in({{0, 64, 1}}), out({{0, 64, 1}});
    in.fill();
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &in.raw, on), 0);
    ASSERT_EQ(fluorite_device_malloc(nullptr, &out.raw, on), 0);
    ASSERT_EQ(launch(2, {buffer_argument(out.raw), buffer_argument(in.raw)}, {4, 1, 1}, 16, 64), 0) << take_error();
    fluorite_device_mark_written(&out.raw);
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &out.raw), 0) << take_error();
    int wrong = 0;
    for (int x = 0; x < 64; x++) {
        wrong += out.at({x}) != x / 16 * 16 + 15 - x % 16 ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &in.raw), 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &out.raw), 0);
}

TEST_F(OpenCl, ChecksThatFailAreReported) {
    ASSERT_EQ(launch(3, {scalar_argument(-1)}, {1, 1, 1}, 1), 0) << take_error();
    ASSERT_EQ(fluorite_device_sync_global(nullptr, on), 0) << take_error();
    ASSERT_EQ(launch(3, {scalar_argument(0)}, {3, 1, 1}, 4), 0) << take_error();
    EXPECT_EQ(fluorite_device_sync_global(nullptr, on), -23);
    EXPECT_EQ(take_error(), failures[0]);
    EXPECT_EQ(fluorite_device_sync_global(nullptr, on), 0);
}

TEST_F(OpenCl, MemoryOfTheProgram) {
    TestBuffer owner(shape), in(shape), out(shape);
    in.fill();
    ASSERT_EQ(fluorite_device_malloc(nullptr, &owner.raw, on), 0);
    const uint64_t native = fluorite_device_native_handle(nullptr, &owner.raw);
    ASSERT_NE(native, 0U);
    ASSERT_EQ(fluorite_device_wrap_native(nullptr, &out.raw, native, on), 0);
    ASSERT_EQ(scale(in.raw, out.raw, 2, 0), 0) << take_error();
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &out.raw), 0) << take_error();
    EXPECT_EQ(out.wrong_elements(2), 0);
    EXPECT_EQ(fluorite_device_detach_native(nullptr, &out.raw), 0);
    owner.raw.set_device_dirty();
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &owner.raw), 0) << take_error();
    EXPECT_EQ(owner.wrong_elements(2), 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &owner.raw), 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &in.raw), 0);
}

TEST_F(OpenCl, ReleasedDevicesStartAnew) {
    for (int run = 0; run < 2; run++) {
        TestBuffer in(shape), out(shape);
        in.fill();
        ASSERT_EQ(scale(in.raw, out.raw, 4, 0), 0) << take_error();
        ASSERT_EQ(fluorite_copy_to_host(nullptr, &out.raw), 0) << take_error();
        EXPECT_EQ(out.wrong_elements(4), 0);
        EXPECT_EQ(fluorite_device_free(nullptr, &in.raw), 0);
        EXPECT_EQ(fluorite_device_free(nullptr, &out.raw), 0);
        fluorite_device_release(nullptr, on);
    }
}

TEST_F(OpenCl, ThreadsLaunchTheSameKernel) {
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 6; t++) {
        threads.emplace_back([&, t] {
            for (int run = 0; run < 20; run++) {
                TestBuffer in(shape), out(shape);
                in.fill();
                wrong += scale(in.raw, out.raw, t * 20 + run, 0) != 0 ? 1 : 0;
                wrong += fluorite_device_free(nullptr, &in.raw) != 0 ? 1 : 0; // right after the launch
                wrong += fluorite_copy_to_host(nullptr, &out.raw) != 0 ? 1 : 0;
                wrong += out.wrong_elements(t * 20 + run);
                wrong += fluorite_device_free(nullptr, &out.raw) != 0 ? 1 : 0;
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
}

TEST_F(OpenCl, KernelsThatAreNotBuiltSayWhy) {
    constexpr char wrong[] = "kernel void f(global int *x) { x[0] = unknown_name; }";
    const fluorite_device_kernel_t kernel = {"f", "f", 0, 0, nullptr};
    const fluorite_device_module_t broken = {wrong, sizeof(wrong) - 1, "", &kernel, 1};
    void *its_slot = nullptr;
    EXPECT_EQ(fluorite_device_load_module(nullptr, on, &its_slot, &broken), -29);
    const std::string text = take_error();
    EXPECT_NE(text.find("the kernels were not built: clBuildProgram returned CL_BUILD_PROGRAM_FAILURE (-11)\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("unknown_name"), std::string::npos) << text;
    EXPECT_NE(text.find("[kernel-build]"), std::string::npos) << text;
    fluorite_device_unload_module(&its_slot);

    constexpr char other[] = "kernel void f(global int *x) { x[0] = 1; }";
    const fluorite_device_kernel_t missing = {"g", "g", 0, 0, nullptr};
    const fluorite_device_module_t incomplete = {other, sizeof(other) - 1, "", &missing, 1};
    EXPECT_EQ(fluorite_device_load_module(nullptr, on, &its_slot, &incomplete), -29);
    const std::string name_text = take_error();
    EXPECT_NE(
        name_text.find("there is no kernel 'g': clCreateKernel returned CL_INVALID_KERNEL_NAME (-46); a module has "
                       "the kernels that its description names; compile the pipeline again [kernel-build]"),
        std::string::npos)
        << name_text;
    fluorite_device_unload_module(&its_slot);
}

TEST_F(OpenCl, ItsVersionIs12OrLater) {
    int major = 0, minor = 0;
    EXPECT_EQ(on->compute_capability(nullptr, &major, &minor), 0);
    EXPECT_GE(major * 10 + minor, 12);
}

TEST_F(OpenCl, DevicesThatAreNotThereAreNamed) {
    fluorite_device_release(nullptr, on);
    fluorite_opencl_set_device_type("tpu");
    EXPECT_STREQ(fluorite_opencl_get_device_type(nullptr), "tpu");
    EXPECT_EQ(fluorite_device_sync_global(nullptr, on), -29);
    EXPECT_EQ(take_error(),
              "in OpenCL: the type of device 'tpu' is asked for; FLUORITE_OPENCL_PLATFORM, "
              "FLUORITE_OPENCL_DEVICE_TYPE and FLUORITE_GPU_DEVICE, or the program, choose among devices; "
              "ask for cpu, gpu or acc [no-device]");
    fluorite_opencl_set_device_type("");
    fluorite_opencl_set_platform_name("no such platform");
    EXPECT_EQ(fluorite_device_sync_global(nullptr, on), -29);
    const std::string text = take_error();
    EXPECT_EQ(text.find("in OpenCL: OpenCL device 0 of platform 'no such platform' is asked for, and there are "), 0U)
        << text;
    fluorite_opencl_set_platform_name("");
    fluorite_set_gpu_device(99);
    EXPECT_EQ(fluorite_device_sync_global(nullptr, on), -29);
    EXPECT_EQ(take_error().find("in OpenCL: OpenCL device 99 is asked for, and there are "), 0U);
    fluorite_set_gpu_device(-1);
    EXPECT_EQ(fluorite_device_sync_global(nullptr, on), 0) << take_error();
    fluorite_set_gpu_device(0);
    EXPECT_EQ(fluorite_device_sync_global(nullptr, on), 0) << take_error();
}

TEST(OpenClCodes, HaveTheirNames) {
    EXPECT_EQ(opencl::code_text(-5), "CL_OUT_OF_RESOURCES (-5)");
    EXPECT_EQ(opencl::code_text(-12345), "-12345");
    EXPECT_EQ(opencl::failed_call("clCreateBuffer", -4).kind, Status::Kind::NoMemory);
    EXPECT_EQ(opencl::failed_call("clFinish", -36).kind, Status::Kind::Failed);
}

} // namespace opencl_test
