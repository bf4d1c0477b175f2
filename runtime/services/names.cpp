// Functions of Halide's runtime that are ours under other names, or have nothing to do.
//
// What: the cache of memoize(), memory of devices, halves, and the marks of a memory sanitizer, for which no code is
// compiled, so those functions do nothing. All symbols are weak, so a program may define them.
//
// Relies on: the functions that they call. Cost: a call.

#include "fluorite/compat/HalideRuntime.h"
#include "fluorite/float16.h"

#include <cstring>
#include <mutex>

#define FLUORITE_WEAK __attribute__((weak))

namespace {
fluorite::float16_t half_of(uint16_t bits) {
    fluorite::float16_t half;
    std::memcpy(static_cast<void *>(&half), &bits, sizeof(bits));
    return half;
}

std::mutex pools_mutex;
halide_device_allocation_pool *pools = nullptr;
} // namespace

extern "C" {

// ---- The cache of memoize().

FLUORITE_WEAK void halide_memoization_cache_set_size(int64_t bytes) { fluorite_memoization_cache_set_size(bytes); }
FLUORITE_WEAK void halide_memoization_cache_evict(void *, uint64_t key) { fluorite_memoization_cache_evict(key); }
FLUORITE_WEAK void halide_memoization_cache_cleanup(void) { fluorite_memoization_cache_cleanup(); }

// ---- Other operations.

FLUORITE_WEAK float halide_float16_bits_to_float(uint16_t bits) { return static_cast<float>(half_of(bits)); }
FLUORITE_WEAK double halide_float16_bits_to_double(uint16_t bits) {
    return static_cast<double>(static_cast<float>(half_of(bits)));
}

FLUORITE_WEAK int halide_msan_annotate_memory_is_initialized(void *, const void *, uint64_t) { return 0; }
FLUORITE_WEAK int halide_msan_check_memory_is_initialized(void *, const void *, uint64_t, const char *) { return 0; }
FLUORITE_WEAK int halide_msan_check_buffer_is_initialized(void *, halide_buffer_t *, const char *) { return 0; }
FLUORITE_WEAK int halide_msan_annotate_buffer_is_initialized(void *, halide_buffer_t *) { return 0; }
FLUORITE_WEAK void halide_msan_annotate_buffer_is_initialized_as_destructor(void *, void *) {}

// ---- Devices.

FLUORITE_WEAK int halide_device_malloc(void *context, halide_buffer_t *buffer,
                                       const halide_device_interface_t *device) {
    return fluorite_device_malloc(context, buffer, device);
}
FLUORITE_WEAK int halide_device_free(void *context, halide_buffer_t *buffer) {
    return fluorite_device_free(context, buffer);
}
FLUORITE_WEAK void halide_device_free_as_destructor(void *context, void *buffer) {
    if (buffer != nullptr) {
        fluorite_device_free(context, static_cast<halide_buffer_t *>(buffer));
    }
}
FLUORITE_WEAK int halide_copy_to_host(void *context, halide_buffer_t *buffer) {
    return fluorite_copy_to_host(context, buffer);
}
FLUORITE_WEAK int halide_copy_to_device(void *context, halide_buffer_t *buffer,
                                        const halide_device_interface_t *device) {
    return fluorite_copy_to_device(context, buffer, device);
}
FLUORITE_WEAK int halide_device_sync(void *context, halide_buffer_t *buffer) {
    return fluorite_device_sync(context, buffer);
}
FLUORITE_WEAK int halide_device_sync_global(void *context, const halide_device_interface_t *device) {
    return fluorite_device_sync_global(context, device);
}
FLUORITE_WEAK void halide_device_release(void *context, const halide_device_interface_t *device) {
    fluorite_device_release(context, device);
}
FLUORITE_WEAK int halide_device_and_host_malloc(void *context, halide_buffer_t *buffer,
                                                const halide_device_interface_t *device) {
    return fluorite_device_and_host_malloc(context, buffer, device);
}
FLUORITE_WEAK int halide_device_and_host_free(void *context, halide_buffer_t *buffer) {
    return fluorite_device_and_host_free(context, buffer);
}
FLUORITE_WEAK int halide_buffer_copy(void *context, halide_buffer_t *source, const halide_device_interface_t *device,
                                     halide_buffer_t *target) {
    return fluorite_buffer_copy(context, source, device, target);
}
FLUORITE_WEAK int halide_device_crop(void *context, const halide_buffer_t *source, halide_buffer_t *target) {
    return fluorite_device_crop(context, source, target);
}
FLUORITE_WEAK int halide_device_slice(void *context, const halide_buffer_t *source, int dimension, int position,
                                      halide_buffer_t *target) {
    return fluorite_device_slice(context, source, dimension, position, target);
}
FLUORITE_WEAK int halide_device_release_crop(void *context, halide_buffer_t *buffer) {
    return fluorite_device_release_crop(context, buffer);
}
FLUORITE_WEAK int halide_device_wrap_native(void *context, halide_buffer_t *buffer, uint64_t handle,
                                            const halide_device_interface_t *device) {
    return fluorite_device_wrap_native(context, buffer, handle, device);
}
FLUORITE_WEAK int halide_device_detach_native(void *context, halide_buffer_t *buffer) {
    return fluorite_device_detach_native(context, buffer);
}
FLUORITE_WEAK void halide_set_gpu_device(int index) { fluorite_set_gpu_device(index); }
FLUORITE_WEAK int halide_get_gpu_device(void *context) { return fluorite_get_gpu_device(context); }

FLUORITE_WEAK int halide_reuse_device_allocations(void *context, bool on) {
    int code = fluorite_reuse_device_allocations(context, on ? 1 : 0);
    const std::lock_guard lock(pools_mutex);
    for (halide_device_allocation_pool *pool = on ? nullptr : pools; pool != nullptr; pool = pool->next) {
        const int released = pool->release_unused(context);
        code = code != 0 ? code : released;
    }
    return code;
}
FLUORITE_WEAK bool halide_can_reuse_device_allocations(void *context) {
    return fluorite_can_reuse_device_allocations(context) != 0;
}
FLUORITE_WEAK void halide_register_device_allocation_pool(halide_device_allocation_pool *pool) {
    const std::lock_guard lock(pools_mutex);
    pool->next = pools;
    pools = pool;
}
}
