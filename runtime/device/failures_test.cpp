// The exact texts and codes of failures of devices, and what functions refuse.

#include "runtime/device/fake_driver.h"
#include "runtime/device/opencl_choice.h"
#include "runtime/device/test_buffer.h"

#include <gtest/gtest.h>

namespace failures_test {

using namespace fluorite_runtime;

class DeviceTexts : public testing::Test {
  protected:
    DeviceTexts() : printed_(fluorite_print_errors(0)) {}
    ~DeviceTexts() override {
        fluorite_print_errors(printed_);
        fluorite_clear_error();
    }
    static void expect(int code, int expected, const std::string &text) {
        EXPECT_EQ(code, expected);
        EXPECT_EQ(take_error(), text);
    }
    static void expect(const Status &status, const std::string &text) {
        expect(driver_failed(nullptr, -29, "OpenCL", status), -29, text);
    }
    const fluorite_device_interface_t *on() const { return fake.interface(); }

    FakeDevice fake;

  private:
    int printed_;
};

const char *const no_interface =
    "in a buffer: no device interface is given, and the buffer has none; the interface is the device to use; pass one, "
    "such as fluorite_opencl_device_interface() [no-device-interface]";

TEST_F(DeviceTexts, FieldsThatDoNotGoTogether) {
    TestBuffer buffer({{0, 4, 1}});
    expect(fluorite_device_malloc(nullptr, &buffer.raw, nullptr), -19, no_interface);
    expect(fluorite_copy_to_device(nullptr, &buffer.raw, nullptr), -19, no_interface);
    expect(
        fluorite_device_malloc(nullptr, nullptr, on()), -12,
        "in a buffer: the buffer argument is null; every buffer argument must point at a buffer; pass a buffer, or one "
        "without host memory to ask for its bounds [buffer-is-null]");
    buffer.raw.device = 7;
    expect(
        fluorite_copy_to_host(nullptr, &buffer.raw), -19,
        "in a buffer: it has a device handle and no device interface; the interface says whose handle it is; set both "
        "or neither [no-device-interface]");
    buffer.raw.device = 0;
    buffer.raw.device_interface = on();
    buffer.raw.set_device_dirty();
    expect(
        fluorite_copy_to_host(nullptr, &buffer.raw), -36,
        "in a buffer: it has a device interface and no device handle; the newest copy is said to be on a device where "
        "it "
        "has no memory; allocate with device_malloc(), or clear the interface and device_dirty [no-device-interface]");
    buffer.raw.set_device_dirty(false);
    ASSERT_EQ(fluorite_device_malloc(nullptr, &buffer.raw, on()), 0);
    buffer.raw.flags = 3;
    expect(fluorite_device_need_host(nullptr, "input", &buffer.raw), -37,
           "in input: host_dirty and device_dirty are both set; at most one copy is newer than the other; copy before "
           "writing to the other one, or clear the flag of the copy to give up [both-dirty]");
    buffer.raw.flags = fluorite_buffer_flag_device_dirty;
    uint8_t *const host = std::exchange(buffer.raw.host, nullptr);
    expect(fluorite_device_need_host(nullptr, "input", &buffer.raw), -34,
           "in input: the buffer has no host memory; code that runs on the host reads and writes host memory; allocate "
           "the "
           "buffer before the call [host-is-null]");
    buffer.raw.flags = fluorite_buffer_flag_host_dirty;
    EXPECT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, nullptr), -34);
    buffer.raw.host = host;
    EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
}

TEST_F(DeviceTexts, OtherDevicesAndContexts) {
    FakeDevice other;
    TestBuffer buffer({{0, 4, 1}}), foreign({{0, 4, 1}});
    ASSERT_EQ(fluorite_device_malloc(nullptr, &buffer.raw, on()), 0);
    expect(
        fluorite_device_need_input(nullptr, other.interface(), "input", &buffer.raw), -42,
        "in input: it has memory on Fake and is needed on Fake; a buffer has memory on one device; call copy_to_host() "
        "and device_free() first, or fluorite_buffer_copy() into another buffer [wrong-device]");
    fluorite_set_gpu_device(1);
    buffer.raw.set_device_dirty();
    expect(
        fluorite_copy_to_host(nullptr, &buffer.raw), -42,
        "in a buffer: it has memory in another context of Fake; device memory belongs to the context in which it was "
        "allocated; use the user context and device number of its allocation, or copy it through the host "
        "[wrong-device]");
    fluorite_set_gpu_device(0);
    EXPECT_EQ(fluorite_copy_to_host(nullptr, &buffer.raw), 0);
    EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
}

TEST_F(DeviceTexts, HandlesThatAreNotLive) {
    TestBuffer buffer({{0, 4, 1}});
    ASSERT_EQ(fluorite_device_malloc(nullptr, &buffer.raw, on()), 0);
    fluorite_buffer_t copy = buffer.raw;
    ASSERT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
    const std::string text = "in a buffer: its device handle " + std::to_string(copy.device) +
                             " is no live memory of Fake; a handle lives until its memory is freed or its device is "
                             "released; do not use copies of a buffer's struct after device_free() [bad-device-handle]";
    expect(fluorite_device_free(nullptr, &copy), -29, text);
    EXPECT_NE(copy.device, 0U);
    copy.set_device_dirty();
    expect(fluorite_copy_to_host(nullptr, &copy), -29, text);
    expect(fluorite_device_sync(nullptr, &copy), -29, text);
    ASSERT_EQ(fluorite_device_malloc(nullptr, &buffer.raw, on()), 0);
    expect(
        fluorite_device_wrap_native(nullptr, &buffer.raw, 5, on()), -32,
        "in a buffer: it has memory on Fake already; a buffer that gets device memory has none yet; call device_free() "
        "first [device-memory-exists]");
    expect(
        fluorite_device_detach_native(nullptr, &buffer.raw), -33,
        "in a buffer: its device memory is the runtime's; only memory that device_wrap_native() has lent can be given "
        "back; call device_free() [bad-device-handle]");
    EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
    expect(fluorite_device_wrap_native(nullptr, &buffer.raw, 0, on()), -32,
           "in a buffer: the native handle is 0; a native handle is memory of the device; pass what the device's own "
           "interface has allocated [bad-device-handle]");
}

TEST_F(DeviceTexts, CopiesAndCropsThatDoNotFit) {
    TestBuffer source({{0, 4, 1}, {0, 3, 4}}), wide({{0, 5, 1}, {0, 3, 5}}), flat({{0, 4, 1}});
    expect(fluorite_buffer_copy(nullptr, &source.raw, nullptr, &wide.raw), -39,
           "in fluorite_buffer_copy: the target holds [0, 4] along dimension 0, and the source [0, 3]; the source "
           "holds all "
           "coordinates of the target; crop the target [bad-device-copy]");
    expect(fluorite_buffer_copy(nullptr, &source.raw, nullptr, &flat.raw), -39,
           "in fluorite_buffer_copy: 2 dimensions of int32 into 1 of int32; a copy needs equal types and ranks; "
           "convert the "
           "elements or slice the buffer first [bad-device-copy]");
    ASSERT_EQ(fluorite_device_malloc(nullptr, &source.raw, on()), 0);
    expect(fluorite_device_crop(nullptr, &source.raw, &flat.raw), -41,
           "in a device crop: it has another rank or element type than its source; a crop has those of its source, a "
           "slice "
           "one dimension less; crop or slice the shape of the source [bad-device-crop]");
    expect(fluorite_device_crop(nullptr, &source.raw, &wide.raw), -41,
           "in a device crop: it needs bytes outside of the memory of its source; a crop has the source's strides and "
           "lies "
           "inside of it; crop the shape of the source [bad-device-crop]");
    expect(fluorite_device_slice(nullptr, &source.raw, 2, 0, &flat.raw), -41,
           "in a device crop: its source has no such dimension; a slice removes a dimension of its source; name one "
           "from 0 "
           "on that the source has [bad-device-crop]");
    EXPECT_EQ(flat.raw.device, 0U);
    EXPECT_EQ(fluorite_device_free(nullptr, &source.raw), 0);
}

TEST_F(DeviceTexts, SizesThatCannotBeAddressed) {
    fluorite_dimension_t dims[3] = {{0, 1 << 30, 1}, {0, 1 << 30, 1 << 30}, {0, 1 << 30, 1 << 30}};
    fluorite_buffer_t buffer{};
    buffer.type = fluorite_type_t(fluorite_type_int, 32);
    buffer.dimensions = 3;
    buffer.dim = dims;
    expect(fluorite_device_malloc(nullptr, &buffer, on()), -5,
           "in a buffer: its storage takes 18446744073709551615 bytes; at most 4611686018427387903 bytes can be "
           "addressed; "
           "use a smaller buffer or smaller tiles [allocation-too-large]");
    EXPECT_EQ(buffer.device, 0U);
}

TEST_F(DeviceTexts, Drivers) {
    expect(
        failed("clFinish returned CL_OUT_OF_RESOURCES (-5)"),
        "in OpenCL: clFinish returned CL_OUT_OF_RESOURCES (-5); the device did not do its work, and results are lost; "
        "look at what the driver says; after a fault, release the device [device-failed]");
    expect(opencl::no_library("libOpenCL.so.1: cannot open shared object file"),
           "in OpenCL: there is no OpenCL library: libOpenCL.so.1: cannot open shared object file; devices are reached "
           "through libOpenCL.so.1; install an ICD loader (Debian: ocl-icd-libopencl1) and the driver of a device "
           "[no-device-driver]");
    expect(opencl::no_function("clEnqueueCopyBufferRect"),
           "in OpenCL: the OpenCL library has no function clEnqueueCopyBufferRect; version 1.2 or later is needed; "
           "install "
           "a newer loader [device-too-old]");
    expect(
        opencl::old_device("Old", "OpenCL 1.1 x"),
        "in OpenCL: Old has 'OpenCL 1.1 x'; OpenCL 1.2 or later is needed; update its driver, or choose another device "
        "[device-too-old]");
}

TEST_F(DeviceTexts, HooksThatFail) {
    fluorite_set_device_context_hooks(
        on(), {[](void *, const fluorite_device_interface_t *, void **, void **) { return 3; }, nullptr});
    expect(
        fluorite_device_sync_global(nullptr, on()), -29,
        "in Fake: the program's hook returned 3; it returns 0 and a context, or null for the default one; repair the "
        "hook of fluorite_set_device_context_hooks() [no-device-context]");
    fluorite_set_device_context_hooks(on(), {nullptr, nullptr});
}

} // namespace failures_test
