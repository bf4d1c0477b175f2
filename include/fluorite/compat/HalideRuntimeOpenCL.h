#pragma once
// The names of Halide's runtime for OpenCL for Fluorite's.

#include "fluorite/require_cxx20.h"

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
