#pragma once
// What the runtime uses of OpenCL 1.2: types, constants and functions, as its specification gives them. They are
// declared here, so that neither a build nor a user needs OpenCL's headers.

#include <cstddef>
#include <cstdint>

namespace fluorite_runtime::opencl {

using Platform = struct PlatformTag *;
using DeviceId = struct DeviceTag *;
using Context = struct ContextTag *;
using Queue = struct QueueTag *;
using Memory = struct MemoryTag *;
using Program = struct ProgramTag *;
using Kernel = struct KernelTag *;
using Event = struct EventTag *;

using Int = int32_t;
using UInt = uint32_t;
using Bitfield = uint64_t;
using ContextProperty = intptr_t;

constexpr Int success = 0, device_not_found = -1, memory_allocation_failure = -4, out_of_resources = -5,
              out_of_host_memory = -6, build_failure = -11, invalid_work_group_size = -54, platform_not_found = -1001;

constexpr Bitfield type_cpu = 1 << 1, type_gpu = 1 << 2, type_accelerator = 1 << 3, type_all = 0xFFFFFFFF;
constexpr UInt platform_name = 0x0902;
constexpr UInt device_type = 0x1000, device_work_group_size = 0x1004, device_work_item_sizes = 0x1005,
               device_allocation_size = 0x1010, device_parameter_size = 0x1017, device_single_config = 0x101B,
               device_memory_size = 0x101F, device_local_size = 0x1023, device_name = 0x102B, device_version = 0x102F,
               device_compiler_available = 0x1028;
constexpr Bitfield config_correct_division = 1 << 7;
constexpr UInt context_devices = 0x1081, queue_device = 0x1091;
constexpr ContextProperty context_platform = 0x1084;
constexpr Bitfield memory_read_write = 1 << 0, memory_copies_host = 1 << 5;
constexpr UInt program_build_log = 0x1183;

/// X(name, result, parameters): the functions of the library, without `cl` in front.
#define FLUORITE_OPENCL_FUNCTIONS(X)                                                                                   \
    X(GetPlatformIDs, Int, (UInt, Platform *, UInt *))                                                                 \
    X(GetPlatformInfo, Int, (Platform, UInt, size_t, void *, size_t *))                                                \
    X(GetDeviceIDs, Int, (Platform, Bitfield, UInt, DeviceId *, UInt *))                                               \
    X(GetDeviceInfo, Int, (DeviceId, UInt, size_t, void *, size_t *))                                                  \
    X(CreateContext, Context,                                                                                          \
      (const ContextProperty *, UInt, const DeviceId *, void (*)(const char *, const void *, size_t, void *), void *,  \
       Int *))                                                                                                         \
    X(GetContextInfo, Int, (Context, UInt, size_t, void *, size_t *))                                                  \
    X(RetainContext, Int, (Context))                                                                                   \
    X(ReleaseContext, Int, (Context))                                                                                  \
    X(CreateCommandQueue, Queue, (Context, DeviceId, Bitfield, Int *))                                                 \
    X(GetCommandQueueInfo, Int, (Queue, UInt, size_t, void *, size_t *))                                               \
    X(RetainCommandQueue, Int, (Queue))                                                                                \
    X(ReleaseCommandQueue, Int, (Queue))                                                                               \
    X(CreateBuffer, Memory, (Context, Bitfield, size_t, void *, Int *))                                                \
    X(ReleaseMemObject, Int, (Memory))                                                                                 \
    X(EnqueueWriteBufferRect, Int,                                                                                     \
      (Queue, Memory, UInt, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, size_t,            \
       const void *, UInt, const Event *, Event *))                                                                    \
    X(EnqueueReadBufferRect, Int,                                                                                      \
      (Queue, Memory, UInt, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, size_t, void *,    \
       UInt, const Event *, Event *))                                                                                  \
    X(EnqueueCopyBufferRect, Int,                                                                                      \
      (Queue, Memory, Memory, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, size_t, UInt,    \
       const Event *, Event *))                                                                                        \
    X(EnqueueWriteBuffer, Int, (Queue, Memory, UInt, size_t, size_t, const void *, UInt, const Event *, Event *))      \
    X(EnqueueReadBuffer, Int, (Queue, Memory, UInt, size_t, size_t, void *, UInt, const Event *, Event *))             \
    X(EnqueueCopyBuffer, Int, (Queue, Memory, Memory, size_t, size_t, size_t, UInt, const Event *, Event *))           \
    X(CreateProgramWithSource, Program, (Context, UInt, const char **, const size_t *, Int *))                         \
    X(BuildProgram, Int, (Program, UInt, const DeviceId *, const char *, void (*)(Program, void *), void *))           \
    X(GetProgramBuildInfo, Int, (Program, DeviceId, UInt, size_t, void *, size_t *))                                   \
    X(ReleaseProgram, Int, (Program))                                                                                  \
    X(CreateKernel, Kernel, (Program, const char *, Int *))                                                            \
    X(ReleaseKernel, Int, (Kernel))                                                                                    \
    X(SetKernelArg, Int, (Kernel, UInt, size_t, const void *))                                                         \
    X(EnqueueNDRangeKernel, Int,                                                                                       \
      (Queue, Kernel, UInt, const size_t *, const size_t *, const size_t *, UInt, const Event *, Event *))             \
    X(Flush, Int, (Queue))                                                                                             \
    X(Finish, Int, (Queue))

/// Pointers to the functions.
struct Api {
#define FLUORITE_OPENCL_POINTER(name, result, parameters) result(*name) parameters = nullptr;
    FLUORITE_OPENCL_FUNCTIONS(FLUORITE_OPENCL_POINTER)
#undef FLUORITE_OPENCL_POINTER
};

} // namespace fluorite_runtime::opencl
