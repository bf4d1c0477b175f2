// Modules, launches and their parameters, and checks in kernels, with a fake driver.

#include "runtime/device/fake_driver.h"
#include "runtime/device/test_buffer.h"

#include <gtest/gtest.h>

#include <thread>

namespace launch_test {

using namespace fluorite_runtime;

/// Where the parameters are that the kernels below take: out, in, n, blocks.
struct Where {
    const FakeLaunch &launch;
    bool packs, has_addresses;
    std::vector<uint8_t> closure;

    Where(const FakeLaunch &its_launch, bool its_packs)
        : launch(its_launch), packs(its_packs), has_addresses(its_launch.state.has_addresses) {
        if (packs) {
            constexpr size_t bytes = 32; // two offsets or addresses, n, and the numbers of blocks
            const uint8_t *block = launch.state.find(launch.scalar<uint64_t>(0), bytes);
            closure.assign(block, block + bytes);
        }
    }
    template <typename T> T field(size_t offset) const {
        T value{};
        std::memcpy(&value, closure.data() + offset, sizeof(T));
        return value;
    }
    int32_t *element(size_t argument, int64_t index) const {
        uint64_t address = 0;
        if (packs) {
            address = has_addresses ? field<uint64_t>(argument * 8)
                                    : launch.scalar<uint64_t>(1 + argument) + field<uint64_t>(argument * 8);
        } else {
            address = has_addresses ? launch.scalar<uint64_t>(argument)
                                    : launch.scalar<uint64_t>(2 * argument) + launch.scalar<uint64_t>(2 * argument + 1);
        }
        return reinterpret_cast<int32_t *>(launch.state.find(address + static_cast<uint64_t>(index * 4), 4));
    }
    int32_t factor() const { return packs ? field<int32_t>(16) : launch.scalar<int32_t>(has_addresses ? 2 : 4); }
    int32_t first_block(size_t axis) const {
        return packs ? field<int32_t>(20 + axis * 4) : launch.scalar<int32_t>((has_addresses ? 3 : 5) + axis);
    }
};

/// out(x, y, z) = factor * in(x, y, z), dense, 2 threads in x; z extends over 7 blocks, y over 6.
void scale(const FakeLaunch &launch, bool packs) {
    const Where where(launch, packs);
    for (int64_t z = 0; z < launch.blocks[2]; z++) {
        for (int64_t y = 0; y < launch.blocks[1]; y++) {
            for (int64_t x = 0; x < launch.blocks[0] * launch.threads[0]; x++) {
                const int64_t at = (x + where.first_block(0) * launch.threads[0]) +
                                   10 * ((y + where.first_block(1)) + 6 * (z + where.first_block(2)));
                int32_t *out = where.element(0, at);
                const int32_t *in = where.element(1, at);
                if (out != nullptr && in != nullptr) {
                    *out = *in * where.factor();
                }
            }
        }
    }
}

/// A kernel whose check number `scalar` fails, if it is not -1.
void check(const FakeLaunch &launch) {
    const auto number = launch.scalar<int32_t>(0);
    if (number >= 0) {
        *launch.pointer<int32_t>(1, launch.state.has_addresses ? 0 : launch.scalar<int64_t>(2)) = number + 1;
    }
}

const FakeFunction functions[] = {{"scale", [](const FakeLaunch &launch) { scale(launch, false); }},
                                  {"scale_packed", [](const FakeLaunch &launch) { scale(launch, true); }},
                                  {"check", check},
                                  {nullptr, nullptr}};
const char *const failures[] = {"in f: x is 1; the program requires x to be 0; pass 0 [requirement-failed]",
                                "in f: x is 2; the program requires x to be 0; pass 0 [requirement-failed]"};
const fluorite_device_kernel_t kernels[] = {{"scale", "f", 0, 0, nullptr},
                                            {"scale_packed", "f", fluorite_device_kernel_packs_scalars, 0, nullptr},
                                            {"check", "g", fluorite_device_kernel_reports_failures, 2, failures}};
const fluorite_device_module_t module = {functions, sizeof(functions), "", kernels, 3};

fluorite_device_argument_t buffer_argument(const fluorite_buffer_t &buffer) {
    return {fluorite_device_argument_buffer, 0, reinterpret_cast<uintptr_t>(&buffer), 0};
}
fluorite_device_argument_t scalar_argument(int32_t value) {
    return {fluorite_device_argument_scalar, 4, static_cast<uint32_t>(value), 0};
}

struct Pipeline {
    const fluorite_device_interface_t *on;
    void *slot = nullptr;
    ~Pipeline() { fluorite_device_unload_module(&slot); }

    /// What generated code does for `out = factor * in`.
    int run(fluorite_buffer_t &in, fluorite_buffer_t &out, int32_t factor, int32_t kernel = 0) {
        int code = fluorite_device_load_module(nullptr, on, &slot, &module);
        code = code == 0 ? fluorite_device_need_input(nullptr, on, "in", &in) : code;
        code = code == 0 ? fluorite_device_need_output(nullptr, on, "out", &out, 0) : code;
        const fluorite_device_argument_t arguments[] = {buffer_argument(out), buffer_argument(in),
                                                        scalar_argument(factor)};
        const int64_t blocks[3] = {5, 6, 7};
        const int32_t threads[3] = {2, 1, 1};
        code = code == 0 ? fluorite_device_launch(nullptr, on, slot, kernel, blocks, threads, 0, arguments, 3) : code;
        return code == 0 ? fluorite_device_mark_written(&out) : code;
    }
    int run_check(int32_t number) {
        int code = fluorite_device_load_module(nullptr, on, &slot, &module);
        const fluorite_device_argument_t argument = scalar_argument(number);
        const int64_t blocks[3] = {1, 1, 1};
        const int32_t threads[3] = {1, 1, 1};
        return code == 0 ? fluorite_device_launch(nullptr, on, slot, 2, blocks, threads, 0, &argument, 1) : code;
    }
};

const std::vector<fluorite_dimension_t> shape = {{0, 10, 1}, {0, 6, 10}, {0, 7, 60}};

class LaunchTest : public testing::Test {
  protected:
    LaunchTest() : printed_(fluorite_print_errors(0)) {}
    ~LaunchTest() override {
        fluorite_print_errors(printed_);
        fluorite_clear_error();
    }
    void expect_nothing_left(FakeDevice &fake) {
        fluorite_device_release(nullptr, fake.interface());
        EXPECT_EQ(fake.state.objects(), 0);
        EXPECT_EQ(fake.device.live_handles(), 0U);
        EXPECT_EQ(fake.state.misuses, std::vector<std::string>());
    }

  private:
    int printed_;
};

TEST_F(LaunchTest, GridsAboveTheLimitsAreLaunchedInPieces) {
    for (const bool has_addresses : {false, true}) {
        for (const int32_t kernel : {0, 1}) {
            FakeDevice fake;
            fake.state.has_addresses = has_addresses;
            {
                Pipeline pipeline{fake.interface()};
                TestBuffer in(shape), out(shape);
                in.fill();
                ASSERT_EQ(pipeline.run(in.raw, out.raw, 3, kernel), 0);
                EXPECT_EQ(fake.state.launches, 4); // 6 and 7 blocks, at most 5 at once
                ASSERT_EQ(fluorite_device_need_host(nullptr, "out", &out.raw), 0);
                EXPECT_EQ(out.wrong_elements(3), 0);
                EXPECT_EQ(fluorite_device_free(nullptr, &in.raw), 0);
                EXPECT_EQ(fluorite_device_free(nullptr, &out.raw), 0);
            }
            expect_nothing_left(fake);
        }
    }
}

TEST_F(LaunchTest, ArgumentsBeginAtTheElementOfTheMins) {
    FakeDevice fake;
    {
        Pipeline pipeline{fake.interface()};
        TestBuffer in(shape), out(shape), all({{-4, 20, 1}, {0, 6, 10}, {0, 7, 60}}); // rows of `all` overlap
        ASSERT_EQ(fluorite_device_malloc(nullptr, &all.raw, fake.interface()), 0);
        ASSERT_EQ(fluorite_device_crop(nullptr, &all.raw, &in.raw), 0);
        in.fill();
        ASSERT_EQ(pipeline.run(in.raw, out.raw, -2), 0);
        ASSERT_EQ(fluorite_copy_to_host(nullptr, &out.raw), 0);
        EXPECT_EQ(out.wrong_elements(-2), 0);
        for (TestBuffer *buffer : {&in, &out, &all}) {
            EXPECT_EQ(fluorite_device_free(nullptr, &buffer->raw), 0);
        }
    }
    expect_nothing_left(fake);
}

TEST_F(LaunchTest, MemoryMayBeFreedWhileKernelsRun) {
    FakeDevice fake;
    {
        Pipeline pipeline{fake.interface()};
        TestBuffer in(shape), out(shape);
        in.fill();
        ASSERT_EQ(pipeline.run(in.raw, out.raw, 3), 0);
        EXPECT_EQ(fluorite_device_free(nullptr, &in.raw), 0);
        TestBuffer next(shape); // gets the same memory
        next.clear(0);
        ASSERT_EQ(fluorite_copy_to_device(nullptr, &next.raw, fake.interface()), 0);
        ASSERT_EQ(fluorite_copy_to_host(nullptr, &out.raw), 0);
        EXPECT_EQ(out.wrong_elements(3), 0);
        EXPECT_EQ(fluorite_device_free(nullptr, &next.raw), 0);
        EXPECT_EQ(fluorite_device_free(nullptr, &out.raw), 0);
    }
    expect_nothing_left(fake);
}

TEST_F(LaunchTest, EmptyGridsAreNotLaunched) {
    FakeDevice fake;
    {
        Pipeline pipeline{fake.interface()};
        ASSERT_EQ(fluorite_device_load_module(nullptr, fake.interface(), &pipeline.slot, &module), 0);
        const int64_t blocks[3] = {5, 0, 7};
        const int32_t threads[3] = {0, 0, 0};
        EXPECT_EQ(fluorite_device_launch(nullptr, fake.interface(), pipeline.slot, 0, blocks, threads, 0, nullptr, 0),
                  0);
        EXPECT_EQ(fake.state.launches, 0);
    }
    expect_nothing_left(fake);
}

TEST_F(LaunchTest, LaunchesAboveTheLimitsAreRefused) {
    FakeDevice fake;
    {
        Pipeline pipeline{fake.interface()};
        ASSERT_EQ(fluorite_device_load_module(nullptr, fake.interface(), &pipeline.slot, &module), 0);
        const auto launch = [&](int64_t blocks, int32_t threads, int64_t shared, int32_t arguments) {
            const int64_t grid[3] = {blocks, 1, 1};
            const int32_t block[3] = {threads, 2, 1};
            const std::vector<fluorite_device_argument_t> all(static_cast<size_t>(arguments), scalar_argument(1));
            EXPECT_EQ(fluorite_device_launch(nullptr, fake.interface(), pipeline.slot, 0, grid, block, shared,
                                             all.data(), arguments),
                      -23);
            return take_error();
        };
        EXPECT_EQ(launch(int64_t{1} << 31, 1, 0, 0),
                  "in f: it has 2147483648 x 1 x 1 blocks; a grid has at most 2147483647 along an axis; use smaller "
                  "blocks or tiles in its schedule [kernel-launch]");
        EXPECT_EQ(
            launch(1, 33, 0, 0),
            "in f: its blocks have 33 x 2 x 1 threads; Fake (fake) runs blocks of 1 to 64 threads, at most 64 x 64 "
            "x 64; use smaller blocks or tiles in its schedule [kernel-launch]");
        EXPECT_EQ(launch(1, 1, 1025, 0),
                  "in f: its blocks take 1025 bytes of shared memory; Fake (fake) has 1024 for a block; use smaller "
                  "blocks or tiles in its schedule [kernel-launch]");
        EXPECT_EQ(
            launch(1, 1, 0, 30),
            "in f: its parameters take 132 bytes; Fake (fake) passes at most 128 to a kernel; use smaller blocks or "
            "tiles in its schedule [kernel-launch]");
    }
    expect_nothing_left(fake);
}

TEST_F(LaunchTest, ChecksThatFailAreReportedOnceByWhoWaits) {
    for (const bool has_addresses : {false, true}) {
        FakeDevice fake;
        fake.state.has_addresses = has_addresses;
        {
            Pipeline pipeline{fake.interface()};
            EXPECT_EQ(pipeline.run_check(-1), 0);
            EXPECT_EQ(fluorite_device_sync_global(nullptr, fake.interface()), 0);
            EXPECT_EQ(pipeline.run_check(1), 0);
            EXPECT_EQ(fluorite_device_sync_global(nullptr, fake.interface()), -23);
            EXPECT_EQ(take_error(), failures[1]);
            EXPECT_EQ(fluorite_device_sync_global(nullptr, fake.interface()), 0);
            EXPECT_EQ(pipeline.run_check(-1), 0);
            EXPECT_EQ(fluorite_device_sync_global(nullptr, fake.interface()), 0);
            EXPECT_EQ(pipeline.run_check(0), 0);
            TestBuffer buffer(shape);
            EXPECT_EQ(fluorite_device_malloc(nullptr, &buffer.raw, fake.interface()), 0);
            buffer.raw.set_device_dirty();
            EXPECT_EQ(fluorite_copy_to_host(nullptr, &buffer.raw), -23); // waits for the kernel, too
            EXPECT_EQ(take_error(), failures[0]);
            EXPECT_TRUE(buffer.raw.device_dirty());
            EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
            EXPECT_EQ(pipeline.run_check(6), 0);
            EXPECT_EQ(fluorite_device_sync_global(nullptr, fake.interface()), -23);
            EXPECT_EQ(take_error(),
                      "in g: a check failed that the kernel does not have; its memory was overwritten; look "
                      "for accesses outside of buffers [device-failed]");
        }
        expect_nothing_left(fake);
    }
}

TEST_F(LaunchTest, ModulesAreBuiltOnceAndAgainAfterRelease) {
    FakeDevice fake;
    {
        Pipeline pipeline{fake.interface()};
        std::vector<std::thread> threads;
        std::atomic<int> wrong{0};
        for (int t = 0; t < 6; t++) {
            threads.emplace_back([&] {
                for (int run = 0; run < 50; run++) {
                    TestBuffer in(shape), out(shape);
                    in.fill();
                    wrong += pipeline.run(in.raw, out.raw, run) != 0 ? 1 : 0;
                    wrong += fluorite_device_free(nullptr, &in.raw) != 0 ? 1 : 0;
                    wrong += fluorite_copy_to_host(nullptr, &out.raw) != 0 ? 1 : 0;
                    wrong += out.wrong_elements(run);
                    wrong += fluorite_device_free(nullptr, &out.raw) != 0 ? 1 : 0;
                }
            });
        }
        for (std::thread &thread : threads) {
            thread.join();
        }
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(fake.state.builds, 1);
        fluorite_device_release(nullptr, fake.interface());
        EXPECT_EQ(fake.state.objects(), 0);
        EXPECT_EQ(pipeline.run_check(-1), 0);
        EXPECT_EQ(fake.state.builds, 2);
    }
    expect_nothing_left(fake);
}

TEST_F(LaunchTest, MemoryOfFuncs) {
    FakeDevice fake;
    const auto *on = fake.interface();
    uint64_t memory = 0;
    ASSERT_EQ(fluorite_device_allocate(nullptr, on, "f", 40, &memory), 0);
    const int32_t written[4] = {1, 2, 3, 4};
    int32_t read[4] = {};
    EXPECT_EQ(fluorite_device_write(nullptr, on, memory, 24, written, 16), 0);
    EXPECT_EQ(fluorite_device_read(nullptr, on, memory, 28, read, 12), 0);
    EXPECT_EQ(read[2], 4);
    EXPECT_EQ(fluorite_device_read(nullptr, on, memory, 28, read, 16), -14);
    EXPECT_EQ(take_error(), "in Fake (fake): bytes 28 to 44 of device memory of 40 are copied; a copy lies inside the "
                            "memory; copy less [bad-device-copy]");
    EXPECT_EQ(fluorite_device_deallocate(nullptr, on, memory), 0);
    EXPECT_EQ(fluorite_device_deallocate(nullptr, on, 0), 0);
    EXPECT_EQ(fluorite_device_allocate(nullptr, on, "f", 1 << 20, &memory), -16);
    EXPECT_EQ(memory, 0U);
    EXPECT_EQ(take_error(),
              "in f: it takes 1048576 bytes of device memory; Fake (fake) allocates at most 524288 bytes at "
              "once; use a smaller buffer or smaller tiles [device-out-of-memory]");
    expect_nothing_left(fake);
}

TEST_F(LaunchTest, EveryCallOfTheDriverMayFail) {
    const auto scenario = [](const fluorite_device_interface_t *on) {
        Pipeline pipeline{on};
        TestBuffer in(shape), out(shape);
        in.fill();
        int code = pipeline.run(in.raw, out.raw, 3, 1);
        code = code == 0 ? pipeline.run_check(-1) : code;
        code = code == 0 ? fluorite_copy_to_host(nullptr, &out.raw) : code;
        EXPECT_TRUE(code != 0 || out.wrong_elements(3) == 0);
        for (fluorite_buffer_t *buffer : {&in.raw, &out.raw}) {
            const int freed = fluorite_device_free(nullptr, buffer);
            code = code == 0 ? freed : code;
        }
        const int unloaded = fluorite_device_unload_module(&pipeline.slot);
        return code == 0 ? unloaded : code;
    };
    int64_t calls = 1;
    for (int64_t n = 0; n <= calls; n++) { // the first run counts
        FakeDevice fake;
        fake.state.failing_call = n;
        const int code = scenario(fake.interface());
        calls = n == 0 ? fake.state.calls : calls;
        EXPECT_EQ(code == 0, n == 0) << n;
        EXPECT_EQ(take_error().empty(), n == 0) << n;
        EXPECT_EQ(scenario(fake.interface()), 0) << n; // the next time works
        expect_nothing_left(fake);
    }
    EXPECT_GT(calls, 15);
}

} // namespace launch_test
