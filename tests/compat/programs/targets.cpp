// Targets: parsing, printing, features, vector sizes, and selecting a schedule by target, as programs for several
// machines do.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

static bool schedule_for_gpu(Func f, Var x, Var y, const Target &target) {
    Var bx, by, tx, ty;
    if (!target.has_gpu_feature()) {
        return false;
    }
    f.gpu_tile(x, y, bx, by, tx, ty, 16, 16);
    return true;
}

int main() {
    Target host = get_host_target();
    Var x("x"), y("y");
    Func f("f");
    f(x, y) = x + y;
    Target target = get_jit_target_from_environment();
    if (!schedule_for_gpu(f, x, y, target)) {
        f.parallel(y).vectorize(x, target.natural_vector_size<int>());
    }
    Buffer<int> out = f.realize({100, 10}, target);
    Target named("x86-64-linux-sse41-avx-avx2-fma-no_asserts");
    Target arm("arm-64-android");
    Target windows;
    windows.os = Target::Windows;
    windows.arch = Target::X86;
    windows.bits = 32;
    std::vector<Target::Feature> features = {Target::AVX, Target::SSE41};
    windows.set_features(features);
    Target debug = host.with_feature(Target::Debug).without_feature(Target::Debug);
    const bool ok = out(99, 9) == 108 && host.bits == 64 && host.os != Target::OSUnknown && named.arch == Target::X86 &&
                    named.has_feature(Target::NoAsserts) && !named.has_feature(Target::CUDA) &&
                    arm.arch == Target::ARM && arm.os == Target::Android && windows.features_all_of(features) &&
                    !host.has_gpu_feature() && debug == host && Target(named.to_string()) == named &&
                    host.natural_vector_size<uint8_t>() >= 16 && host.natural_vector_size(Float(32)) >= 4 &&
                    Target::validate_target_string("host-no_asserts") &&
                    !Target::validate_target_string("x86-64-linux-no_such_thing");
    const Target cuda = host.with_feature(Target::CUDA);
    const bool is_known = get_default_device_api_for_target(cuda) == DeviceAPI::CUDA &&
                          get_default_device_api_for_target(host) == DeviceAPI::Host &&
                          target_feature_for_device_api(DeviceAPI::OpenCL) == Target::OpenCL &&
                          get_device_interface_for_device_api(DeviceAPI::Default_GPU, cuda) != nullptr &&
                          get_device_interface_for_device_api(DeviceAPI::OpenCL, cuda) == nullptr &&
                          !host_supports_target_device(host);
    return ok && is_known ? 0 : 1;
}
