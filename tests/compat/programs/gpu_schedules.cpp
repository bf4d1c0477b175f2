// Schedules for devices, as programs for several targets write them.
#include "Halide.h"
#include "HalideRuntimeOpenCL.h"

#include <stdio.h>

using namespace Halide;

int main() {
    Target target = get_host_target().with_feature(Target::OpenCL).with_feature(Target::CLDoubles);
    if (!host_supports_target_device(target)) {
        return 0;
    }
    if (!target.supports_type(Float(64), DeviceAPI::OpenCL) || !target.supports_device_api(DeviceAPI::Default_GPU) ||
        target.get_required_device_api() != DeviceAPI::OpenCL) {
        printf("the target has no device\n");
        return 1;
    }
    Internal::JITSharedRuntime::reuse_device_allocations(true);

    // Memory of the program; here it is another buffer's.
    Buffer<int> owner(16), user(16);
    owner.fill(7);
    user.fill(0);
    owner.set_host_dirty();
    if (owner.copy_to_device(DeviceAPI::OpenCL, target) != 0 ||
        user.device_wrap_native(DeviceAPI::OpenCL, halide_opencl_get_cl_mem(nullptr, owner.raw_buffer()), target) !=
            0) {
        return 1;
    }
    user.set_host_dirty(false);
    user.set_device_dirty();
    if (user.copy_to_host() != 0 || user(15) != 7 || user.device_detach_native() != 0) {
        printf("the memory of another buffer is not used\n");
        return 1;
    }

    Var x("x"), y("y"), xi("xi"), yi("yi");
    ImageParam input(Int(32), 2);
    input.store_in(MemoryType::GPUTexture);
    Func doubled("doubled"), scan("scan"), result("result");
    RDom r(1, 31);
    doubled(x, y) = input(x, y) * 2;
    scan(y) = doubled(0, y);
    scan(r) += scan(r - 1);
    result(x, y) = cast<double>(doubled(x, y) + scan(y));
    input.in().compute_root().copy_to_device();
    doubled.compute_root().store_in(MemoryType::GPUTexture).gpu_tile(x, y, xi, yi, 16, 8).vectorize(xi, 4);
    scan.compute_root().gpu_tile(y, yi, 8);
    scan.update().gpu_single_thread();
    result.gpu_tile(x, y, xi, yi, 16, 8, TailStrategy::GuardWithIf, DeviceAPI::OpenCL).unroll(yi, 2);

    Buffer<int> pixels(48, 32);
    pixels.for_each_element([&](int i, int j) { pixels(i, j) = i * 3 - j; });
    input.set(pixels);
    for (int run = 0; run < 2; run++) {
        Buffer<double> out = result.realize({48, 32}, target);
        int sum = 0;
        for (int j = 0; j < 32; j++) {
            sum += pixels(0, j) * 2;
            for (int i = 0; i < 48; i++) {
                if (out(i, j) != pixels(i, j) * 2 + sum) {
                    printf("%d, %d: %g\n", i, j, out(i, j));
                    return 1;
                }
            }
        }
        halide_device_free_as_destructor(nullptr, pixels.raw_buffer());
        pixels.set_host_dirty();
        Internal::JITSharedRuntime::release_all();
    }
    return 0;
}
