#pragma once
// What the runtime uses of CUDA's driver API: types, constants and functions, as its manual gives them. They are
// declared here, so that neither a build nor a user needs CUDA's toolkit.

#include <cstddef>
#include <cstdint>

namespace fluorite_runtime::cuda {

using Result = int;
using DeviceId = int;
using Address = unsigned long long;
using Context = struct ContextTag *;
using Stream = struct StreamTag *;
using Module = struct ModuleTag *;
using Function = struct FunctionTag *;

constexpr Result success = 0, out_of_memory = 2, no_device = 100, launch_out_of_resources = 701;
/// CUdevice_attribute
constexpr int threads_per_block = 1, block_x = 2, grid_x = 5, capability_major = 75, capability_minor = 76,
              shared_per_block_opt_in = 97;
/// CUfunction_attribute
constexpr int function_static_shared = 1, function_most_dynamic_shared = 8;
/// CUjit_option
constexpr int jit_error_log = 5, jit_error_log_bytes = 6;
constexpr unsigned host_memory = 1, device_memory = 2; ///< CUmemorytype
constexpr unsigned stream_of_its_own = 1;              ///< CU_STREAM_NON_BLOCKING

/// CUDA_MEMCPY3D
struct Copy3d {
    size_t from_x_bytes, from_y, from_z, from_lod;
    unsigned from_type;
    const void *from_host;
    Address from_device;
    void *from_array, *from_reserved;
    size_t from_pitch, from_height;
    size_t to_x_bytes, to_y, to_z, to_lod;
    unsigned to_type;
    void *to_host;
    Address to_device;
    void *to_array, *to_reserved;
    size_t to_pitch, to_height;
    size_t width_bytes, height, depth;
};

/// X(name, symbol, parameters): the functions of the library; symbols have the suffix of their current form.
#define FLUORITE_CUDA_FUNCTIONS(X)                                                                                     \
    X(Init, "cuInit", (unsigned))                                                                                      \
    X(GetErrorName, "cuGetErrorName", (Result, const char **))                                                         \
    X(DeviceGetCount, "cuDeviceGetCount", (int *))                                                                     \
    X(DeviceGet, "cuDeviceGet", (DeviceId *, int))                                                                     \
    X(DeviceGetName, "cuDeviceGetName", (char *, int, DeviceId))                                                       \
    X(DeviceTotalMem, "cuDeviceTotalMem_v2", (size_t *, DeviceId))                                                     \
    X(DeviceGetAttribute, "cuDeviceGetAttribute", (int *, int, DeviceId))                                              \
    X(PrimaryRetain, "cuDevicePrimaryCtxRetain", (Context *, DeviceId))                                                \
    X(PrimaryRelease, "cuDevicePrimaryCtxRelease_v2", (DeviceId))                                                      \
    X(CtxPush, "cuCtxPushCurrent_v2", (Context))                                                                       \
    X(CtxPop, "cuCtxPopCurrent_v2", (Context *))                                                                       \
    X(CtxGetDevice, "cuCtxGetDevice", (DeviceId *))                                                                    \
    X(StreamCreate, "cuStreamCreate", (Stream *, unsigned))                                                            \
    X(StreamDestroy, "cuStreamDestroy_v2", (Stream))                                                                   \
    X(StreamSynchronize, "cuStreamSynchronize", (Stream))                                                              \
    X(MemAlloc, "cuMemAlloc_v2", (Address *, size_t))                                                                  \
    X(MemFree, "cuMemFree_v2", (Address))                                                                              \
    X(CopyToDevice, "cuMemcpyHtoDAsync_v2", (Address, const void *, size_t, Stream))                                   \
    X(CopyToHost, "cuMemcpyDtoHAsync_v2", (void *, Address, size_t, Stream))                                           \
    X(CopyOnDevice, "cuMemcpyDtoDAsync_v2", (Address, Address, size_t, Stream))                                        \
    X(CopyBox, "cuMemcpy3DAsync_v2", (const Copy3d *, Stream))                                                         \
    X(ModuleLoad, "cuModuleLoadDataEx", (Module *, const void *, unsigned, int *, void **))                            \
    X(ModuleUnload, "cuModuleUnload", (Module))                                                                        \
    X(ModuleGetFunction, "cuModuleGetFunction", (Function *, Module, const char *))                                    \
    X(FuncGetAttribute, "cuFuncGetAttribute", (int *, int, Function))                                                  \
    X(FuncSetAttribute, "cuFuncSetAttribute", (Function, int, int))                                                    \
    X(LaunchKernel, "cuLaunchKernel",                                                                                  \
      (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, void **, void **))

/// Pointers to the functions.
struct Api {
#define FLUORITE_CUDA_POINTER(name, symbol, parameters) Result(*name) parameters = nullptr;
    FLUORITE_CUDA_FUNCTIONS(FLUORITE_CUDA_POINTER)
#undef FLUORITE_CUDA_POINTER
};

} // namespace fluorite_runtime::cuda
