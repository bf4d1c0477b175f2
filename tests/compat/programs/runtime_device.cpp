// Device memory of buffers and the functions around it, as programs around ahead-of-time filters use them.
#include "HalideBuffer.h"
#include "HalideRuntime.h"
#include "HalideRuntimeOpenCL.h"

#include <stdio.h>

using Halide::Runtime::Buffer;
using Halide::Runtime::BufferDeviceOwnership;

#define CHECK(c)                                                                                                       \
    if (!(c)) {                                                                                                        \
        printf("line %d: %s\n", __LINE__, #c);                                                                         \
        return 1;                                                                                                      \
    }

static int run() {
    const halide_device_interface_t *opencl = halide_opencl_device_interface();
    Buffer<int, 2> im(20, 10);
    im.for_each_element([&](int x, int y) { im(x, y) = x + 100 * y; });
    im.set_host_dirty();
    CHECK(!im.has_device_allocation() && im.device_sync() == 0 && im.copy_to_host() == 0);
    CHECK(im.copy_to_device(opencl) == 0 && im.has_device_allocation() && !im.host_dirty());

    // Crops, slices and copies share the device memory.
    Buffer<int, 2> crop = im.cropped(0, 5, 6).cropped(1, 2, 3);
    CHECK(crop.has_device_allocation() && crop.device_ownership() == BufferDeviceOwnership::Cropped);
    CHECK(halide_opencl_get_cl_mem(nullptr, crop) == halide_opencl_get_cl_mem(nullptr, im));
    CHECK(halide_opencl_get_crop_offset(nullptr, crop) == (2 * 20 + 5) * sizeof(int));
    Buffer<int> slice = im.sliced(1, 7);
    CHECK(halide_opencl_get_crop_offset(nullptr, slice) == 7 * 20 * sizeof(int));
    crop.for_each_value([](int &value) { value = -1; });
    CHECK(crop.host_dirty());
    crop.set_host_dirty(false);
    crop.set_device_dirty();
    CHECK(crop.copy_to_host() == 0 && !crop.device_dirty());
    const Buffer<int, 2> &seen = im;
    CHECK(seen(4, 2) == 204 && seen(5, 2) == 205 && seen(10, 4) == 410);

    // Elements that are written make the host's copy the newest.
    CHECK(!im.host_dirty());
    const Buffer<int, 2> read_only = im;
    CHECK(read_only(1, 1) == 101 && !read_only.host_dirty());
    im(1, 1) = 5;
    CHECK(im.host_dirty());
    im(1, 1) = 101;
    CHECK(im.copy_to_device(opencl) == 0);

    // The memory lives as long as one of them.
    Buffer<int, 2> other = im;
    CHECK(other.has_device_allocation());
    CHECK(im.device_free() == 0 && !im.has_device_allocation());
    other.fill(0);
    other.set_host_dirty(false);
    other.set_device_dirty();
    CHECK(other.copy_to_host() == 0 && other(19, 9) == 919);
    CHECK(other.device_free() == 0 && crop.device_free() == 0);

    // In place.
    Buffer<int> moved(8, 8);
    moved.for_each_element([&](int x, int y) { moved(x, y) = x + 100 * y; });
    CHECK(moved.copy_to_device(opencl) == 0);
    moved.crop(0, 2, 3);
    moved.translate(1, 10);
    moved.transpose(0, 1);
    moved.slice(0, 13);
    CHECK(moved.has_device_allocation());
    moved.fill(0);
    moved.set_host_dirty(false);
    moved.set_device_dirty();
    CHECK(moved.copy_to_host() == 0 && moved(2) == 302 && moved(4) == 304);

    // Memory of the program.
    Buffer<int> owner(16), wrapped(16);
    CHECK(owner.device_malloc(opencl) == 0);
    CHECK(wrapped.device_wrap_native(opencl, halide_opencl_get_cl_mem(nullptr, owner)) == 0);
    CHECK(wrapped.device_ownership() == BufferDeviceOwnership::WrappedNative);
    wrapped.fill(9);
    CHECK(wrapped.copy_to_device(opencl) == 0 && wrapped.device_sync() == 0);
    CHECK(wrapped.device_detach_native() == 0 && !wrapped.has_device_allocation());
    owner.set_device_dirty();
    CHECK(owner.copy_to_host() == 0 && owner.all_equal(9));

    // Both in one call, and copies between buffers.
    Buffer<int> both(nullptr, 16);
    CHECK(both.device_and_host_malloc(opencl) == 0 && both.has_host_memory());
    CHECK(halide_buffer_copy(nullptr, owner, opencl, both) == 0 && both.device_dirty());
    CHECK(halide_copy_to_host(nullptr, both) == 0 && both.all_equal(9));
    CHECK(both.device_and_host_free(opencl) == 0 && !both.has_host_memory() && !both.has_device_allocation());
    CHECK(halide_device_sync_global(nullptr, opencl) == halide_error_code_success);
    return 0;
}

int main() {
    const halide_device_interface_t *opencl = halide_opencl_device_interface();
    if (halide_device_sync_global(nullptr, opencl) != 0) {
        return 0; // no device here
    }
    const int code = run(); // frees its buffers
    halide_device_release(nullptr, opencl);
    return code;
}
