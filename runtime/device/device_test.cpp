// Buffers on a device: memory, flags, copies, crops, and what a failure leaves, with a fake driver.

#include "runtime/device/fake_driver.h"
#include "runtime/device/test_buffer.h"

#include <gtest/gtest.h>

#include <thread>

namespace device_test {

using namespace fluorite_runtime;

class DeviceTest : public testing::Test {
  protected:
    DeviceTest() : printed_(fluorite_print_errors(0)) {}
    ~DeviceTest() override {
        fluorite_print_errors(printed_);
        fluorite_device_release(nullptr, on());
        EXPECT_EQ(fake.state.objects(), 0);
        EXPECT_EQ(fake.device.live_handles(), 0U);
        EXPECT_EQ(fake.state.misuses, std::vector<std::string>());
        fluorite_clear_error();
    }
    const fluorite_device_interface_t *on() const { return fake.interface(); }

    FakeDevice fake;

  private:
    int printed_;
};

TEST_F(DeviceTest, CopiesThereAndBack) {
    TestBuffer buffer({{-3, 17, 1}, {5, 9, 17}});
    buffer.fill();
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, on()), 0);
    EXPECT_FALSE(buffer.raw.host_dirty());
    EXPECT_NE(buffer.raw.device, 0U);
    buffer.clear();
    buffer.raw.set_device_dirty();
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &buffer.raw), 0);
    EXPECT_FALSE(buffer.raw.device_dirty());
    EXPECT_EQ(buffer.wrong_elements(), 0);
    EXPECT_EQ(fake.state.copies, 2); // one call each
    EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
    EXPECT_EQ(buffer.raw.device, 0U);
    EXPECT_EQ(buffer.raw.device_interface, nullptr);
}

TEST_F(DeviceTest, CopiesOnlyWhatIsOlder) {
    TestBuffer buffer({{0, 8, 1}});
    buffer.fill();
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, on()), 0);
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, nullptr), 0);
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &buffer.raw), 0);
    EXPECT_EQ(fake.state.copies, 1);
    EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
}

TEST_F(DeviceTest, NewMemoryGetsTheElementsOfTheHostWithoutFlag) {
    TestBuffer buffer({{0, 8, 1}});
    buffer.fill();
    buffer.raw.set_host_dirty(false);
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, on()), 0);
    buffer.clear();
    buffer.raw.set_device_dirty();
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &buffer.raw), 0);
    EXPECT_EQ(buffer.wrong_elements(), 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
}

TEST_F(DeviceTest, StridedCopiesAreOneCallAndTouchNoGap) {
    const std::vector<std::vector<fluorite_dimension_t>> shapes = {
        {{2, 5, 1}, {3, 4, 8}, {-1, 3, 40}},             // padded
        {{0, 6, 3}, {0, 4, 18}},                         // a channel of three
        {{0, 4, 24}, {0, 3, 1}, {0, 7, 3}},              // transposed, interleaved
        {{0, 5, -1}, {0, 4, -6}},                        // backwards
        {{0, 3, 1}, {0, 2, 4}, {0, 2, 10}, {0, 3, 30}}}; // of four dimensions with gaps
    for (const auto &shape : shapes) {
        TestBuffer buffer(shape);
        buffer.fill();
        ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, on()), 0);
        buffer.clear();
        buffer.raw.set_device_dirty();
        ASSERT_EQ(fluorite_copy_to_host(nullptr, &buffer.raw), 0);
        EXPECT_EQ(buffer.wrong_elements(), 0);
        EXPECT_EQ(buffer.wrong_gaps(), 0);
        EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
    }
    EXPECT_EQ(fake.state.copies, 2 * (4 + 2)); // the last one has planes of no whole number of rows
}

TEST_F(DeviceTest, EmptyBuffersAndScalars) {
    TestBuffer empty({{0, 0, 1}, {0, 4, 0}}), scalar({});
    for (TestBuffer *buffer : {&empty, &scalar}) {
        buffer->fill();
        ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer->raw, on()), 0);
        buffer->clear();
        buffer->raw.set_device_dirty();
        ASSERT_EQ(fluorite_copy_to_host(nullptr, &buffer->raw), 0);
        EXPECT_EQ(buffer->wrong_elements(), 0);
        EXPECT_EQ(fluorite_device_free(nullptr, &buffer->raw), 0);
    }
}

TEST_F(DeviceTest, CropsShareMemoryAndOutliveTheirSource) {
    TestBuffer buffer({{0, 16, 1}, {0, 10, 20}});
    buffer.fill();
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, on()), 0);
    TestBuffer crop({{3, 5, 1}, {4, 3, 20}}), of_crop({{4, 2, 1}, {5, 1, 20}});
    ASSERT_EQ(fluorite_device_crop(nullptr, &buffer.raw, &crop.raw), 0);
    ASSERT_EQ(fluorite_device_crop(nullptr, &crop.raw, &of_crop.raw), 0);
    EXPECT_EQ(fluorite_device_native_handle(nullptr, &buffer.raw), fluorite_device_native_handle(nullptr, &crop.raw));
    EXPECT_EQ(fluorite_device_native_offset(nullptr, &of_crop.raw), (5 * 20 + 4) * 4U);
    EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
    for (TestBuffer *part : {&crop, &of_crop}) {
        part->raw.set_device_dirty();
        ASSERT_EQ(fluorite_copy_to_host(nullptr, &part->raw), 0);
        EXPECT_EQ(part->wrong_elements(), 0);
        EXPECT_EQ(part->wrong_gaps(), 0);
        EXPECT_EQ(fluorite_device_release_crop(nullptr, &part->raw), 0);
    }
    EXPECT_EQ(fake.state.allocations, 1);
}

TEST_F(DeviceTest, CropsOfBackwardsBuffers) {
    TestBuffer buffer({{0, 8, -1}, {0, 4, 10}}), crop({{2, 3, -1}, {1, 2, 10}});
    buffer.fill();
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, on()), 0);
    ASSERT_EQ(fluorite_device_crop(nullptr, &buffer.raw, &crop.raw), 0);
    crop.raw.set_device_dirty();
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &crop.raw), 0);
    EXPECT_EQ(crop.wrong_elements(), 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &crop.raw), 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
}

TEST_F(DeviceTest, SlicesHaveOneDimensionLess) {
    TestBuffer buffer({{0, 6, 1}, {0, 5, 6}, {0, 4, 30}});
    buffer.fill();
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, on()), 0);
    TestBuffer slice({{0, 6, 1}, {0, 4, 30}});
    ASSERT_EQ(fluorite_device_slice(nullptr, &buffer.raw, 1, 3, &slice.raw), 0);
    slice.raw.set_device_dirty();
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &slice.raw), 0);
    int wrong = 0;
    slice.for_each([&](const std::vector<int> &p) { wrong += slice.at(p) != buffer.at({p[0], 3, p[1]}) ? 1 : 0; });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &slice.raw), 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
}

TEST_F(DeviceTest, WritesToACropLeaveTheRestOfItsSource) {
    TestBuffer buffer({{0, 16, 1}, {0, 10, 16}}), crop({{3, 5, 1}, {4, 3, 16}});
    buffer.fill();
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, on()), 0);
    ASSERT_EQ(fluorite_device_crop(nullptr, &buffer.raw, &crop.raw), 0);
    crop.clear(77);
    crop.raw.set_host_dirty();
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &crop.raw, nullptr), 0);
    buffer.raw.set_device_dirty();
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &buffer.raw), 0);
    int wrong = 0;
    buffer.for_each([&](const std::vector<int> &p) {
        const bool inside = p[0] >= 3 && p[0] < 8 && p[1] >= 4 && p[1] < 7;
        wrong += buffer.at(p) != (inside ? 77 : TestBuffer::value_at(p)) ? 1 : 0;
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &crop.raw), 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
}

TEST_F(DeviceTest, HostAndDeviceMemoryInOneCall) {
    TestBuffer buffer({{0, 8, -1}, {0, 4, 10}});
    uint8_t *const own = buffer.raw.host;
    buffer.raw.host = nullptr;
    ASSERT_EQ(fluorite_device_and_host_malloc(nullptr, &buffer.raw, on()), 0);
    buffer.fill();
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, nullptr), 0);
    buffer.clear();
    buffer.raw.set_device_dirty();
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &buffer.raw), 0);
    EXPECT_EQ(buffer.wrong_elements(), 0);
    EXPECT_EQ(fluorite_device_and_host_free(nullptr, &buffer.raw), 0);
    EXPECT_EQ(buffer.raw.host, nullptr);
    EXPECT_EQ(buffer.raw.device, 0U);
    buffer.raw.host = own;
}

TEST_F(DeviceTest, MemoryOfTheProgramIsNotFreed) {
    uint64_t native = 0;
    {
        std::lock_guard guard(fake.state.mutex());
        ASSERT_FALSE(fake.state.allocate(1024, native).failed());
    }
    TestBuffer buffer({{0, 16, 1}});
    buffer.fill();
    ASSERT_EQ(fluorite_device_wrap_native(nullptr, &buffer.raw, native, on()), 0);
    EXPECT_EQ(fluorite_device_native_handle(nullptr, &buffer.raw), native);
    EXPECT_TRUE(buffer.raw.host_dirty());
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, on()), 0);
    ASSERT_EQ(fluorite_device_detach_native(nullptr, &buffer.raw), 0);
    EXPECT_EQ(buffer.raw.device, 0U);
    ASSERT_EQ(fluorite_device_wrap_native(nullptr, &buffer.raw, native, on()), 0);
    ASSERT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0); // gives it back, too
    std::lock_guard guard(fake.state.mutex());
    ASSERT_NE(fake.state.find(native, 64), nullptr);
    EXPECT_EQ(*reinterpret_cast<int32_t *>(fake.state.find(native + 20, 4)), 5);
    fake.state.mark_freed(native);
    fake.state.end(native);
}

TEST_F(DeviceTest, FreedMemoryServesTheNextAllocation) {
    for (int run = 0; run < 20; run++) {
        TestBuffer buffer({{0, 1000 - run, 1}});
        ASSERT_EQ(fluorite_device_malloc(nullptr, &buffer.raw, on()), 0);
        ASSERT_EQ(fluorite_device_malloc(nullptr, &buffer.raw, on()), 0); // has it already
        ASSERT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
    }
    EXPECT_EQ(fake.state.allocations, 1);
    EXPECT_EQ(fluorite_release_unused_device_allocations(nullptr, on()), 0);
    EXPECT_EQ(fluorite_device_sync_global(nullptr, on()), 0);
    EXPECT_EQ(fake.state.used_bytes(), 0U);
}

TEST_F(DeviceTest, NothingIsKeptWhereAProgramSaysSo) {
    fluorite_reuse_device_allocations(nullptr, 0);
    TestBuffer buffer({{0, 1000, 1}});
    ASSERT_EQ(fluorite_device_malloc(nullptr, &buffer.raw, on()), 0);
    ASSERT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
    EXPECT_EQ(fluorite_device_sync_global(nullptr, on()), 0);
    EXPECT_EQ(fake.state.used_bytes(), 0U);
    fluorite_reuse_device_allocations(nullptr, 1);
    EXPECT_EQ(fluorite_can_reuse_device_allocations(nullptr), 1);
}

TEST_F(DeviceTest, AtMostAQuarterOfTheMemoryIsKept) {
    std::vector<std::unique_ptr<TestBuffer>> buffers;
    for (int k = 0; k < 9; k++) { // 900 KiB of 1 MiB
        buffers.push_back(std::make_unique<TestBuffer>(std::vector<fluorite_dimension_t>{{0, 25600, 1}}));
        ASSERT_EQ(fluorite_device_malloc(nullptr, &buffers.back()->raw, on()), 0);
    }
    for (const auto &buffer : buffers) {
        ASSERT_EQ(fluorite_device_free(nullptr, &buffer->raw), 0);
    }
    EXPECT_EQ(fluorite_device_sync_global(nullptr, on()), 0);
    EXPECT_LE(fake.state.used_bytes(), uint64_t{1} << 18);
    EXPECT_GT(fake.state.used_bytes(), 0U);
}

TEST_F(DeviceTest, WhatIsKeptIsFreedWhenMemoryRunsOut) {
    TestBuffer kept({{0, 60000, 1}}), full({{0, 125000, 1}}), more({{0, 100000, 1}}); // 240, 500 and 400 KB of 1 MiB
    ASSERT_EQ(fluorite_device_malloc(nullptr, &kept.raw, on()), 0);
    ASSERT_EQ(fluorite_device_free(nullptr, &kept.raw), 0);
    ASSERT_EQ(fluorite_device_malloc(nullptr, &full.raw, on()), 0);
    fake.state.limits.memory_bytes = 1000000;
    // The block ends when the queue gets to it, which the driver's next allocation does not wait for.
    ASSERT_EQ(fluorite_device_sync_global(nullptr, on()), 0);
    ASSERT_EQ(fluorite_release_unused_device_allocations(nullptr, on()), 0);
    ASSERT_EQ(fluorite_device_sync_global(nullptr, on()), 0);
    ASSERT_EQ(fluorite_device_malloc(nullptr, &more.raw, on()), 0);
    TestBuffer too_much({{0, 50000, 1}});
    EXPECT_EQ(fluorite_device_malloc(nullptr, &too_much.raw, on()), -16);
    EXPECT_EQ(take_error(),
              "in a buffer: an allocation of 200000 bytes failed, with 900224 bytes in use: the fake device is "
              "full; Fake (fake) has 1000000 bytes; free buffers, or use smaller ones "
              "[device-out-of-memory]");
    EXPECT_EQ(too_much.raw.device, 0U);
    EXPECT_EQ(fluorite_device_free(nullptr, &full.raw), 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &more.raw), 0);
}

TEST_F(DeviceTest, ReleaseKeepsMemoryOfLiveBuffers) {
    TestBuffer buffer({{0, 100, 1}});
    buffer.fill();
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, on()), 0);
    fluorite_device_release(nullptr, on());
    buffer.clear();
    buffer.raw.set_device_dirty();
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &buffer.raw), 0);
    EXPECT_EQ(buffer.wrong_elements(), 0);
    fluorite_device_release(nullptr, on());
    ASSERT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
    EXPECT_EQ(fake.state.objects(), 0); // the context ended with it
    EXPECT_EQ(fake.state.opened, 1);
}

TEST_F(DeviceTest, SeveralQueuesOfOneContextUseEachOthersMemory) {
    static int context = 0;
    static thread_local int queue = 0;
    static int queues[2] = {};
    static std::atomic<int> held{0};
    fluorite_set_device_context_hooks(
        on(), {[](void *, const fluorite_device_interface_t *, void **native_context, void **native_queue) {
                   *native_context = &context;
                   *native_queue = &queues[queue];
                   held++;
                   return 0;
               },
               [](void *, const fluorite_device_interface_t *) { held--; }});
    TestBuffer buffer({{0, 100, 1}}), other({{0, 100, 1}});
    buffer.fill();
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, on()), 0);
    ASSERT_EQ(fluorite_buffer_copy(nullptr, &buffer.raw, on(), &other.raw), 0); // delayed in queue 0
    queue = 1;
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &other.raw), 0);
    EXPECT_EQ(other.wrong_elements(), 0);
    EXPECT_EQ(fake.state.opened, 2);
    EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &other.raw), 0);
    EXPECT_EQ(held, 0);
    queue = 0;
    fluorite_set_device_context_hooks(on(), {nullptr, nullptr});
}

TEST_F(DeviceTest, ThreadsAllocateAndCopyWithoutLeaks) {
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 6; t++) {
        threads.emplace_back([&, t] {
            for (int run = 0; run < 300; run++) {
                TestBuffer buffer({{t, 40 + run % 7, 1}, {run, 5, 64}});
                buffer.fill();
                wrong += fluorite_copy_to_device(nullptr, &buffer.raw, on()) != 0 ? 1 : 0;
                buffer.clear();
                buffer.raw.set_device_dirty();
                wrong += fluorite_copy_to_host(nullptr, &buffer.raw) != 0 ? 1 : 0;
                wrong += buffer.wrong_elements();
                wrong += fluorite_device_free(nullptr, &buffer.raw) != 0 ? 1 : 0;
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(fake.state.opened, 1);
    EXPECT_LE(fake.state.allocations, 6 * 4);
}

// ---- copies between buffers ---

TEST_F(DeviceTest, BufferCopiesFromAndToEverywhere) {
    FakeDevice second;
    const fluorite_device_interface_t *const places[] = {nullptr, on(), second.interface()};
    for (const auto *from : places) {
        for (const auto *to : places) {
            TestBuffer source({{0, 12, 1}, {0, 9, 16}}), target({{2, 7, 10}, {1, 8, 1}});
            source.fill();
            if (from != nullptr) {
                ASSERT_EQ(fluorite_copy_to_device(nullptr, &source.raw, from), 0);
                source.clear(-5); // the device has the newest
                source.raw.set_device_dirty();
            }
            ASSERT_EQ(fluorite_buffer_copy(nullptr, &source.raw, to, &target.raw), 0);
            EXPECT_EQ(target.raw.device_dirty(), to != nullptr);
            EXPECT_EQ(target.raw.host_dirty(), to == nullptr);
            ASSERT_EQ(fluorite_copy_to_host(nullptr, &target.raw), 0);
            EXPECT_EQ(target.wrong_elements(), 0);
            EXPECT_EQ(target.wrong_gaps(), 0);
            EXPECT_EQ(fluorite_device_free(nullptr, &source.raw), 0);
            EXPECT_EQ(fluorite_device_free(nullptr, &target.raw), 0);
        }
    }
    fluorite_device_release(nullptr, second.interface());
    EXPECT_EQ(second.state.objects(), 0);
}

// What is on both sides is copied where the target is.
TEST_F(DeviceTest, BufferCopiesStayOnTheDevice) {
    TestBuffer source({{0, 12, 1}, {0, 9, 16}}), target({{2, 7, 10}, {1, 8, 1}}), newer({{2, 7, 10}, {1, 8, 1}});
    source.fill();
    ASSERT_EQ(fluorite_copy_to_device(nullptr, &source.raw, on()), 0);
    source.clear(-5); // unknown to the runtime: what is copied came from the device
    ASSERT_EQ(fluorite_buffer_copy(nullptr, &source.raw, on(), &target.raw), 0);
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &target.raw), 0);
    EXPECT_EQ(target.wrong_elements(), 0);
    source.fill();
    source.raw.set_host_dirty();
    ASSERT_EQ(fluorite_buffer_copy(nullptr, &source.raw, on(), &newer.raw), 0);
    ASSERT_EQ(fluorite_copy_to_host(nullptr, &newer.raw), 0);
    EXPECT_EQ(newer.wrong_elements(), 0);
    for (TestBuffer *buffer : {&source, &target, &newer}) {
        EXPECT_EQ(fluorite_device_free(nullptr, &buffer->raw), 0);
    }
}

// ---- after every failure ---

/// What a pipeline and a program do with two buffers; returns the first failure.
int copy_scenario(const fluorite_device_interface_t *on) {
    TestBuffer buffer({{0, 16, 1}, {0, 10, 20}}), crop({{3, 5, 1}, {4, 3, 20}}), other({{3, 5, 3}, {4, 3, 20}});
    buffer.fill();
    int code = 0;
    const auto then = [&code](int next) { code = code == 0 ? next : code; };
    then(fluorite_copy_to_device(nullptr, &buffer.raw, on));
    if (code == 0) {
        then(fluorite_device_crop(nullptr, &buffer.raw, &crop.raw));
    }
    if (code == 0) {
        crop.raw.set_device_dirty();
        then(fluorite_buffer_copy(nullptr, &crop.raw, on, &other.raw));
    }
    if (code == 0) {
        then(fluorite_copy_to_host(nullptr, &other.raw));
        EXPECT_TRUE(code != 0 || other.wrong_elements() == 0);
    }
    then(fluorite_device_sync_global(nullptr, on));
    then(fluorite_device_free(nullptr, &buffer.raw));
    then(fluorite_device_free(nullptr, &crop.raw));
    then(fluorite_device_free(nullptr, &other.raw));
    return code;
}

TEST(DeviceFailures, EveryCallOfTheDriverMayFail) {
    const int printed = fluorite_print_errors(0);
    int64_t calls = 1;
    for (int64_t n = 1; n <= calls; n++) {
        FakeDevice fake;
        fake.state.failing_call = n;
        const int code = copy_scenario(fake.interface());
        EXPECT_NE(code, 0) << n;
        EXPECT_NE(take_error().find("the fake driver fails in "), std::string::npos) << n;
        EXPECT_EQ(copy_scenario(fake.interface()), 0) << n; // the next time works
        EXPECT_EQ(fake.device.live_handles(), 0U) << n;
        fluorite_device_release(nullptr, fake.interface());
        EXPECT_EQ(fake.state.objects(), 0) << n;
        EXPECT_EQ(fake.state.misuses, std::vector<std::string>()) << n;
        if (n == 1) {
            FakeDevice counted;
            EXPECT_EQ(copy_scenario(counted.interface()), 0);
            calls = counted.state.calls;
        }
    }
    EXPECT_GT(calls, 5);
    fluorite_clear_error();
    fluorite_print_errors(printed);
}

} // namespace device_test
