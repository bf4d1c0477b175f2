#pragma once
// The names of Halide's runtime for OpenCL for Fluorite's.

#include "fluorite/require_cxx17.h"

#include "HalideRuntime.h"

#define HALIDE_RUNTIME_OPENCL

/// Each function is the one of fluorite/runtime_device.h that has its name: the interface of OpenCL's devices, the
/// platform and the type of device that are taken, and the options of kernels' builds.
inline const halide_device_interface_t *halide_opencl_device_interface() { return fluorite_opencl_device_interface(); }
inline void halide_opencl_set_platform_name(const char *name) { fluorite_opencl_set_platform_name(name); }
inline const char *halide_opencl_get_platform_name(void *context) { return fluorite_opencl_get_platform_name(context); }
inline void halide_opencl_set_device_type(const char *type) { fluorite_opencl_set_device_type(type); }
inline const char *halide_opencl_get_device_type(void *context) { return fluorite_opencl_get_device_type(context); }
inline void halide_opencl_set_build_options(const char *options) { fluorite_opencl_set_build_options(options); }
inline const char *halide_opencl_get_build_options(void *context) { return fluorite_opencl_get_build_options(context); }
/// A program that defines these C functions gives the context and the queue that are used; the older names are those
/// with _cl_context. It includes this header where it defines them or calls pipelines.
namespace halide_opencl_hooks {

typedef int (*acquire_t)(void *context, void **cl_context, void **cl_command_queue, bool creates);
typedef int (*release_t)(void *context);
// Under other C++ names: a program declares its functions with the types of <CL/cl.h>.
extern "C" {
int halide_defined_opencl_acquire(void *, void **, void **, bool) __asm__("halide_opencl_acquire_context")
    __attribute__((weak));
int halide_defined_cl_acquire(void *, void **, void **, bool) __asm__("halide_acquire_cl_context")
    __attribute__((weak));
int halide_defined_opencl_release(void *) __asm__("halide_opencl_release_context") __attribute__((weak));
int halide_defined_cl_release(void *) __asm__("halide_release_cl_context") __attribute__((weak));
}
inline acquire_t acquire_of_program() {
    return halide_defined_opencl_acquire != nullptr ? halide_defined_opencl_acquire : halide_defined_cl_acquire;
}
inline release_t release_of_program() {
    return halide_defined_opencl_release != nullptr ? halide_defined_opencl_release : halide_defined_cl_release;
}
inline int acquire(void *context, const halide_device_interface_t *, void **cl_context, void **queue) {
    return acquire_of_program()(context, cl_context, queue, true);
}
inline void release(void *context, const halide_device_interface_t *) {
    if (const release_t function = release_of_program(); function != nullptr) {
        function(context);
    }
}
inline const bool are_set = [] {
    if (acquire_of_program() == nullptr) {
        return false;
    }
    fluorite_set_device_context_hooks(fluorite_opencl_device_interface(), {acquire, release});
    return true;
}();

} // namespace halide_opencl_hooks

/// Uses a cl_mem of the program, which stays the program's.
inline int halide_opencl_wrap_cl_mem(void *context, halide_buffer_t *buffer, uint64_t memory) {
    return fluorite_device_wrap_native(context, buffer, memory, fluorite_opencl_device_interface());
}
inline int halide_opencl_detach_cl_mem(void *context, halide_buffer_t *buffer) {
    return fluorite_device_detach_native(context, buffer);
}
/// The cl_mem of the buffer, or 0; that of a crop begins at the offset.
inline uintptr_t halide_opencl_get_cl_mem(void *context, halide_buffer_t *buffer) {
    return static_cast<uintptr_t>(fluorite_device_native_handle(context, buffer));
}
inline uint64_t halide_opencl_get_crop_offset(void *context, halide_buffer_t *buffer) {
    return fluorite_device_native_offset(context, buffer);
}
