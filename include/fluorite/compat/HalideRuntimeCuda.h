#pragma once
// The names of Halide's runtime for CUDA for Fluorite's.

#include "fluorite/require_cxx17.h"

#include "HalideRuntime.h"

#define HALIDE_RUNTIME_CUDA

/// The interface of CUDA's devices.
inline const halide_device_interface_t *halide_cuda_device_interface() { return fluorite_cuda_device_interface(); }
/// Uses memory of the program, which stays the program's.
inline int halide_cuda_wrap_device_ptr(void *context, halide_buffer_t *buffer, uint64_t pointer) {
    return fluorite_device_wrap_native(context, buffer, pointer, fluorite_cuda_device_interface());
}
inline int halide_cuda_detach_device_ptr(void *context, halide_buffer_t *buffer) {
    return fluorite_device_detach_native(context, buffer);
}
/// The address of the buffer's lowest addressed element on the device, or 0.
inline uintptr_t halide_cuda_get_device_ptr(void *context, halide_buffer_t *buffer) {
    return static_cast<uintptr_t>(fluorite_device_native_handle(context, buffer) +
                                  fluorite_device_native_offset(context, buffer));
}
inline int halide_cuda_release_unused_device_allocations(void *context) {
    return fluorite_release_unused_device_allocations(context, fluorite_cuda_device_interface());
}

typedef int (*halide_cuda_acquire_context_t)(void *context, void **cuda_context, bool creates);
typedef int (*halide_cuda_release_context_t)(void *context);
typedef int (*halide_cuda_get_stream_t)(void *context, void *cuda_context, void **stream);

namespace halide_cuda_hooks {

// A program may define these C functions in place of setting them, with the types of <cuda.h>: hence other C++ names.
extern "C" {
int halide_defined_cuda_acquire(void *, void **, bool) __asm__("halide_cuda_acquire_context") __attribute__((weak));
int halide_defined_cuda_release(void *) __asm__("halide_cuda_release_context") __attribute__((weak));
int halide_defined_cuda_stream(void *, void *, void **) __asm__("halide_cuda_get_stream") __attribute__((weak));
}
inline halide_cuda_acquire_context_t acquire_context = halide_defined_cuda_acquire;
inline halide_cuda_release_context_t release_context = halide_defined_cuda_release;
inline halide_cuda_get_stream_t get_stream = halide_defined_cuda_stream;

/// Takes the program's context and stream for a call, and gives the context back; with the functions that are set.
inline int acquire(void *context, const halide_device_interface_t *, void **cuda_context, void **stream) {
    int code = acquire_context != nullptr ? acquire_context(context, cuda_context, true) : 0;
    if (code == 0 && *cuda_context != nullptr && get_stream != nullptr) {
        code = get_stream(context, *cuda_context, stream);
    }
    return code;
}
inline void release(void *context, const halide_device_interface_t *) {
    if (release_context != nullptr) {
        release_context(context);
    }
}
/// Replaces a function, and returns the former one.
template <typename Function> Function set(Function &current, Function function) {
    const Function former = current;
    current = function;
    const fluorite_device_context_hooks_t none = {nullptr, nullptr}, all = {acquire, release};
    fluorite_set_device_context_hooks(fluorite_cuda_device_interface(), acquire_context != nullptr ? all : none);
    return former;
}

inline const bool are_set = [] {
    if (acquire_context != nullptr) {
        fluorite_set_device_context_hooks(fluorite_cuda_device_interface(), {acquire, release});
    }
    return acquire_context != nullptr;
}();

} // namespace halide_cuda_hooks

/// Each sets a function, which null removes, and returns the former one. Precondition: no call is using the device.
inline halide_cuda_acquire_context_t halide_set_cuda_acquire_context(halide_cuda_acquire_context_t function) {
    return halide_cuda_hooks::set(halide_cuda_hooks::acquire_context, function);
}
inline halide_cuda_release_context_t halide_set_cuda_release_context(halide_cuda_release_context_t function) {
    return halide_cuda_hooks::set(halide_cuda_hooks::release_context, function);
}
inline halide_cuda_get_stream_t halide_set_cuda_get_stream(halide_cuda_get_stream_t function) {
    return halide_cuda_hooks::set(halide_cuda_hooks::get_stream, function);
}
