#pragma once
/* The names of Halide's runtime ABI for Fluorite's, with the same layouts and values: for C99 and C++11 or later, without
 * any library but the runtime that filters call. */

#include "fluorite/runtime_abi.h"
#include "fluorite/runtime_device.h"
#include "fluorite/runtime_memoization.h"

/* The version whose names these headers have. */
#ifndef HALIDE_VERSION_MAJOR
#define HALIDE_VERSION_MAJOR 21
#define HALIDE_VERSION_MINOR 0
#define HALIDE_VERSION_PATCH 0
#endif

/* Code that is generated for a sanitizer, and plugins, export functions with it. */
#ifndef HALIDE_EXPORT_SYMBOL
#define HALIDE_EXPORT_SYMBOL __attribute__((visibility("default")))
#endif

#if !defined(__cplusplus)
#define FLUORITE_INLINE_ static inline
#define FLUORITE_VALUE_(name) enum { halide_##name = fluorite_##name };
#elif __cplusplus >= 201703L
#define FLUORITE_INLINE_ inline
#define FLUORITE_VALUE_(name) inline constexpr decltype(fluorite_##name) halide_##name = fluorite_##name;
#else
#define FLUORITE_INLINE_ inline
#define FLUORITE_VALUE_(name) static constexpr decltype(fluorite_##name) halide_##name = fluorite_##name;
#endif

typedef struct halide_buffer_t halide_buffer_t;
typedef struct halide_dimension_t halide_dimension_t;
typedef struct halide_type_t halide_type_t;
typedef fluorite_type_code_t halide_type_code_t;
typedef struct halide_trace_event_t halide_trace_event_t;
typedef enum fluorite_trace_event_code_t halide_trace_event_code_t;
typedef struct halide_filter_argument_t halide_filter_argument_t;
typedef struct halide_filter_metadata_t halide_filter_metadata_t;
typedef struct halide_device_interface_t halide_device_interface_t;
typedef enum fluorite_buffer_flags halide_buffer_flags;
typedef enum fluorite_error_code_t halide_error_code_t;
typedef enum fluorite_argument_kind_t halide_argument_kind_t;
typedef union halide_scalar_value_t halide_scalar_value_t;

FLUORITE_VALUE_(buffer_flag_host_dirty)
FLUORITE_VALUE_(buffer_flag_device_dirty)

FLUORITE_VALUE_(type_int)
FLUORITE_VALUE_(type_uint)
FLUORITE_VALUE_(type_float)
FLUORITE_VALUE_(type_handle)
FLUORITE_VALUE_(type_bfloat)

FLUORITE_VALUE_(trace_load)
FLUORITE_VALUE_(trace_store)
FLUORITE_VALUE_(trace_begin_realization)
FLUORITE_VALUE_(trace_end_realization)
FLUORITE_VALUE_(trace_produce)
FLUORITE_VALUE_(trace_end_produce)
FLUORITE_VALUE_(trace_consume)
FLUORITE_VALUE_(trace_end_consume)
FLUORITE_VALUE_(trace_begin_pipeline)
FLUORITE_VALUE_(trace_end_pipeline)
FLUORITE_VALUE_(trace_tag)

FLUORITE_VALUE_(argument_kind_input_scalar)
FLUORITE_VALUE_(argument_kind_input_buffer)
FLUORITE_VALUE_(argument_kind_output_buffer)
FLUORITE_VALUE_(filter_metadata_version)

FLUORITE_VALUE_(error_code_success)
FLUORITE_VALUE_(error_code_generic_error)
FLUORITE_VALUE_(error_code_explicit_bounds_too_small)
FLUORITE_VALUE_(error_code_bad_type)
FLUORITE_VALUE_(error_code_access_out_of_bounds)
FLUORITE_VALUE_(error_code_buffer_allocation_too_large)
FLUORITE_VALUE_(error_code_buffer_extents_too_large)
FLUORITE_VALUE_(error_code_constraints_make_required_region_smaller)
FLUORITE_VALUE_(error_code_constraint_violated)
FLUORITE_VALUE_(error_code_param_too_small)
FLUORITE_VALUE_(error_code_param_too_large)
FLUORITE_VALUE_(error_code_out_of_memory)
FLUORITE_VALUE_(error_code_buffer_argument_is_null)
FLUORITE_VALUE_(error_code_debug_to_file_failed)
FLUORITE_VALUE_(error_code_copy_to_host_failed)
FLUORITE_VALUE_(error_code_copy_to_device_failed)
FLUORITE_VALUE_(error_code_device_malloc_failed)
FLUORITE_VALUE_(error_code_device_sync_failed)
FLUORITE_VALUE_(error_code_device_free_failed)
FLUORITE_VALUE_(error_code_no_device_interface)
FLUORITE_VALUE_(error_code_unimplemented)
FLUORITE_VALUE_(error_code_symbol_not_found)
FLUORITE_VALUE_(error_code_internal_error)
FLUORITE_VALUE_(error_code_device_run_failed)
FLUORITE_VALUE_(error_code_unaligned_host_ptr)
FLUORITE_VALUE_(error_code_bad_fold)
FLUORITE_VALUE_(error_code_fold_factor_too_small)
FLUORITE_VALUE_(error_code_requirement_failed)
FLUORITE_VALUE_(error_code_buffer_extents_negative)
FLUORITE_VALUE_(error_code_gpu_device_error)
FLUORITE_VALUE_(error_code_trace_failed)
FLUORITE_VALUE_(error_code_specialize_fail)
FLUORITE_VALUE_(error_code_device_wrap_native_failed)
FLUORITE_VALUE_(error_code_device_detach_native_failed)
FLUORITE_VALUE_(error_code_host_is_null)
FLUORITE_VALUE_(error_code_bad_extern_fold)
FLUORITE_VALUE_(error_code_device_interface_no_device)
FLUORITE_VALUE_(error_code_host_and_device_dirty)
FLUORITE_VALUE_(error_code_buffer_is_null)
FLUORITE_VALUE_(error_code_device_buffer_copy_failed)
FLUORITE_VALUE_(error_code_device_crop_unsupported)
FLUORITE_VALUE_(error_code_device_crop_failed)
FLUORITE_VALUE_(error_code_incompatible_device_interface)
FLUORITE_VALUE_(error_code_bad_dimensions)
FLUORITE_VALUE_(error_code_device_dirty_with_no_device_support)
FLUORITE_VALUE_(error_code_storage_bound_too_small)
FLUORITE_VALUE_(error_code_split_factor_not_positive)
FLUORITE_VALUE_(error_code_vscale_invalid)
FLUORITE_VALUE_(error_code_cannot_profile_pipeline)
FLUORITE_VALUE_(error_code_alignment_not_positive)

/* Each function is the one of fluorite/runtime_abi.h or fluorite/runtime_memoization.h that has its name. */
FLUORITE_INLINE_ void halide_memoization_cache_set_size(int64_t size) { fluorite_memoization_cache_set_size(size); }
FLUORITE_INLINE_ void halide_memoization_cache_evict(void *context, uint64_t key) {
    (void)context;
    fluorite_memoization_cache_evict(key);
}
FLUORITE_INLINE_ void halide_memoization_cache_cleanup(void) { fluorite_memoization_cache_cleanup(); }
FLUORITE_INLINE_ int halide_set_num_threads(int n) { return fluorite_set_num_threads(n); }
FLUORITE_INLINE_ int halide_get_num_threads(void) { return fluorite_get_num_threads(); }
FLUORITE_INLINE_ void halide_print(void *context, const char *text) { fluorite_print(context, text); }
FLUORITE_INLINE_ void *halide_malloc(void *context, size_t bytes) { return fluorite_malloc(context, bytes); }
FLUORITE_INLINE_ void halide_free(void *context, void *pointer) { fluorite_free(context, pointer); }
FLUORITE_INLINE_ int halide_do_par_for(void *context, fluorite_task_t task, int min, int size, uint8_t *closure) {
    return fluorite_do_par_for(context, task, min, size, closure, NULL);
}
FLUORITE_INLINE_ void halide_shutdown_thread_pool(void) { fluorite_shutdown_thread_pool(); }

/* Memory of devices, and copies between it and the host's: each function is the one of fluorite/runtime_device.h that
 * has its name, with its contract. Those that can fail return 0 or an error code. */
FLUORITE_INLINE_ int halide_device_malloc(void *context, halide_buffer_t *buffer,
                                          const halide_device_interface_t *device) {
    return fluorite_device_malloc(context, buffer, device);
}
FLUORITE_INLINE_ int halide_device_free(void *context, halide_buffer_t *buffer) {
    return fluorite_device_free(context, buffer);
}
/* The same in the form of a destructor; of a null buffer it does nothing. */
FLUORITE_INLINE_ void halide_device_free_as_destructor(void *context, void *buffer) {
    if (buffer != NULL) {
        fluorite_device_free(context, (halide_buffer_t *)buffer);
    }
}
FLUORITE_INLINE_ int halide_copy_to_host(void *context, halide_buffer_t *buffer) {
    return fluorite_copy_to_host(context, buffer);
}
FLUORITE_INLINE_ int halide_copy_to_device(void *context, halide_buffer_t *buffer,
                                           const halide_device_interface_t *device) {
    return fluorite_copy_to_device(context, buffer, device);
}
FLUORITE_INLINE_ int halide_device_sync(void *context, halide_buffer_t *buffer) {
    return fluorite_device_sync(context, buffer);
}
FLUORITE_INLINE_ int halide_device_sync_global(void *context, const halide_device_interface_t *device) {
    return fluorite_device_sync_global(context, device);
}
FLUORITE_INLINE_ void halide_device_release(void *context, const halide_device_interface_t *device) {
    fluorite_device_release(context, device);
}
FLUORITE_INLINE_ int halide_device_and_host_malloc(void *context, halide_buffer_t *buffer,
                                                   const halide_device_interface_t *device) {
    return fluorite_device_and_host_malloc(context, buffer, device);
}
FLUORITE_INLINE_ int halide_device_and_host_free(void *context, halide_buffer_t *buffer) {
    return fluorite_device_and_host_free(context, buffer);
}
FLUORITE_INLINE_ int halide_buffer_copy(void *context, halide_buffer_t *source, const halide_device_interface_t *device,
                                        halide_buffer_t *target) {
    return fluorite_buffer_copy(context, source, device, target);
}
FLUORITE_INLINE_ int halide_device_crop(void *context, const halide_buffer_t *source, halide_buffer_t *target) {
    return fluorite_device_crop(context, source, target);
}
FLUORITE_INLINE_ int halide_device_slice(void *context, const halide_buffer_t *source, int dimension, int position,
                                         halide_buffer_t *target) {
    return fluorite_device_slice(context, source, dimension, position, target);
}
FLUORITE_INLINE_ int halide_device_release_crop(void *context, halide_buffer_t *buffer) {
    return fluorite_device_release_crop(context, buffer);
}
FLUORITE_INLINE_ int halide_device_wrap_native(void *context, halide_buffer_t *buffer, uint64_t handle,
                                               const halide_device_interface_t *device) {
    return fluorite_device_wrap_native(context, buffer, handle, device);
}
FLUORITE_INLINE_ int halide_device_detach_native(void *context, halide_buffer_t *buffer) {
    return fluorite_device_detach_native(context, buffer);
}
FLUORITE_INLINE_ void halide_set_gpu_device(int index) { fluorite_set_gpu_device(index); }
FLUORITE_INLINE_ int halide_get_gpu_device(void *context) { return fluorite_get_gpu_device(context); }
FLUORITE_INLINE_ int halide_reuse_device_allocations(void *context, bool on) {
    return fluorite_reuse_device_allocations(context, on ? 1 : 0);
}
FLUORITE_INLINE_ bool halide_can_reuse_device_allocations(void *context) {
    return fluorite_can_reuse_device_allocations(context) != 0;
}

/* Reports a failure of the program's own to the error handler, under the code of errors that have none. */
FLUORITE_INLINE_ int halide_error(void *context, const char *text) {
    return fluorite_error(context, fluorite_error_code_generic_error, text);
}
FLUORITE_INLINE_ int32_t halide_trace(void *context, const halide_trace_event_t *event) {
    return fluorite_trace(context, event);
}

/* Functions of the program in place of the runtime's; null restores these. Each returns the former one. */
typedef fluorite_print_t halide_print_t;
typedef fluorite_malloc_t halide_malloc_t;
typedef fluorite_free_t halide_free_t;
typedef fluorite_trace_t halide_trace_t;
FLUORITE_INLINE_ halide_print_t halide_set_custom_print(halide_print_t function) {
    return fluorite_set_custom_print(function);
}
FLUORITE_INLINE_ halide_malloc_t halide_set_custom_malloc(halide_malloc_t function) {
    return fluorite_set_custom_malloc(function);
}
FLUORITE_INLINE_ halide_free_t halide_set_custom_free(halide_free_t function) {
    return fluorite_set_custom_free(function);
}
FLUORITE_INLINE_ halide_trace_t halide_set_custom_trace(halide_trace_t function) {
    return fluorite_set_custom_trace(function);
}

#undef FLUORITE_INLINE_
#undef FLUORITE_VALUE_

#ifdef __cplusplus
#include <type_traits>
#if __cplusplus >= 201703L
#include "fluorite/float16.h"
#endif

/* The type of a C++ scalar in the form of the ABI. */
template <typename T> struct halide_type_of_helper {
    static_assert(std::is_arithmetic<T>::value || std::is_enum<T>::value, "halide_type_of: a scalar of the language");
    /* The type in the form of the ABI. */
    static constexpr halide_type_t value() {
        return halide_type_t(std::is_floating_point<T>::value ? fluorite_type_float
                             : std::is_signed<T>::value       ? fluorite_type_int
                                                              : fluorite_type_uint,
                             static_cast<uint8_t>(sizeof(T) * 8), 1);
    }
};
template <> struct halide_type_of_helper<bool> {
    /* The type in the form of the ABI. */
    static constexpr halide_type_t value() { return halide_type_t(fluorite_type_uint, 1, 1); }
};
template <typename T> struct halide_type_of_helper<T *> {
    /* The type in the form of the ABI. */
    static constexpr halide_type_t value() { return halide_type_t(fluorite_type_handle, 64, 1); }
};
template <typename T> struct halide_type_of_helper<const T> : halide_type_of_helper<T> {};
#if __cplusplus >= 201703L
template <> struct halide_type_of_helper<fluorite::float16_t> {
    /* The type in the form of the ABI. */
    static constexpr halide_type_t value() { return halide_type_t(fluorite_type_float, 16, 1); }
};
template <> struct halide_type_of_helper<fluorite::bfloat16_t> {
    /* The type in the form of the ABI. */
    static constexpr halide_type_t value() { return halide_type_t(fluorite_type_bfloat, 16, 1); }
};
#endif
template <typename T> constexpr halide_type_t halide_type_of() { return halide_type_of_helper<T>::value(); }
#endif
