#pragma once
// What a run on a GPU says of the device: its name and its driver, asked of the driver's own library, which is opened
// as the runtime opens it.

#include <cstdint>
#include <dlfcn.h>
#include <string>

namespace gpu_cases {

/// A library of the driver, or null where there is none.
inline void *open_driver(const char *name, const char *other) {
    void *library = dlopen(name, RTLD_NOW);
    return library != nullptr ? library : dlopen(other, RTLD_NOW);
}

inline std::string cuda_device_text() {
    void *library = open_driver("libcuda.so.1", "libcuda.so");
    const auto function = [&](const char *name) { return library != nullptr ? dlsym(library, name) : nullptr; };
    const auto init = reinterpret_cast<int (*)(unsigned)>(function("cuInit"));
    const auto name_of = reinterpret_cast<int (*)(char *, int, int)>(function("cuDeviceGetName"));
    const auto version_of = reinterpret_cast<int (*)(int *)>(function("cuDriverGetVersion"));
    char name[256] = "";
    int version = 0;
    if (!init || !name_of || !version_of || init(0) != 0 || name_of(name, sizeof name, 0) != 0 ||
        version_of(&version) != 0) {
        return "no CUDA device";
    }
    return std::string(name) + ", CUDA driver " + std::to_string(version / 1000) + "." +
           std::to_string(version % 1000 / 10);
}

inline std::string opencl_device_text() {
    void *library = open_driver("libOpenCL.so.1", "libOpenCL.so");
    const auto function = [&](const char *name) { return library != nullptr ? dlsym(library, name) : nullptr; };
    const auto platforms = reinterpret_cast<int32_t (*)(uint32_t, void **, uint32_t *)>(function("clGetPlatformIDs"));
    const auto devices =
        reinterpret_cast<int32_t (*)(void *, uint64_t, uint32_t, void **, uint32_t *)>(function("clGetDeviceIDs"));
    const auto info =
        reinterpret_cast<int32_t (*)(void *, uint32_t, size_t, void *, size_t *)>(function("clGetDeviceInfo"));
    constexpr uint64_t any_device = 0xFFFFFFFF;
    constexpr uint32_t device_name = 0x102B, driver_version = 0x102D;
    void *platform = nullptr, *device = nullptr;
    char name[256] = "", version[256] = "";
    if (!platforms || !devices || !info || platforms(1, &platform, nullptr) != 0 ||
        devices(platform, any_device, 1, &device, nullptr) != 0 ||
        info(device, device_name, sizeof name, name, nullptr) != 0 ||
        info(device, driver_version, sizeof version, version, nullptr) != 0) {
        return "no OpenCL device";
    }
    return std::string(name) + ", OpenCL driver " + version;
}

} // namespace gpu_cases
