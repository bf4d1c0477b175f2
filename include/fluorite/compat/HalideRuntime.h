#pragma once
// The names of Halide's runtime ABI for Fluorite's, with the same layouts and values.

#include "fluorite/require_cxx20.h"

#include "fluorite/float16.h"
#include "fluorite/runtime_abi.h"
#include "fluorite/runtime_device.h"
#include "fluorite/runtime_memoization.h"
#include "fluorite/type.h"

typedef fluorite_buffer_t halide_buffer_t;
typedef fluorite_dimension_t halide_dimension_t;
typedef fluorite_type_t halide_type_t;
typedef fluorite_type_code_t halide_type_code_t;
typedef fluorite_trace_event_t halide_trace_event_t;
typedef enum fluorite_trace_event_code_t halide_trace_event_code_t;
typedef fluorite_filter_argument_t halide_filter_argument_t;
typedef fluorite_filter_metadata_t halide_filter_metadata_t;
typedef fluorite_device_interface_t halide_device_interface_t;
typedef fluorite_buffer_flags halide_buffer_flags;
typedef fluorite_error_code_t halide_error_code_t;

inline constexpr auto halide_buffer_flag_host_dirty = fluorite_buffer_flag_host_dirty;
inline constexpr auto halide_buffer_flag_device_dirty = fluorite_buffer_flag_device_dirty;

inline constexpr auto halide_type_int = fluorite_type_int;
inline constexpr auto halide_type_uint = fluorite_type_uint;
inline constexpr auto halide_type_float = fluorite_type_float;
inline constexpr auto halide_type_handle = fluorite_type_handle;
inline constexpr auto halide_type_bfloat = fluorite_type_bfloat;

inline constexpr auto halide_trace_load = fluorite_trace_load;
inline constexpr auto halide_trace_store = fluorite_trace_store;
inline constexpr auto halide_trace_begin_realization = fluorite_trace_begin_realization;
inline constexpr auto halide_trace_end_realization = fluorite_trace_end_realization;
inline constexpr auto halide_trace_produce = fluorite_trace_produce;
inline constexpr auto halide_trace_end_produce = fluorite_trace_end_produce;
inline constexpr auto halide_trace_consume = fluorite_trace_consume;
inline constexpr auto halide_trace_end_consume = fluorite_trace_end_consume;
inline constexpr auto halide_trace_begin_pipeline = fluorite_trace_begin_pipeline;
inline constexpr auto halide_trace_end_pipeline = fluorite_trace_end_pipeline;
inline constexpr auto halide_trace_tag = fluorite_trace_tag;

inline constexpr auto halide_error_code_success = fluorite_error_code_success;
inline constexpr auto halide_error_code_generic_error = fluorite_error_code_generic_error;
inline constexpr auto halide_error_code_explicit_bounds_too_small = fluorite_error_code_explicit_bounds_too_small;
inline constexpr auto halide_error_code_bad_type = fluorite_error_code_bad_type;
inline constexpr auto halide_error_code_access_out_of_bounds = fluorite_error_code_access_out_of_bounds;
inline constexpr auto halide_error_code_buffer_allocation_too_large = fluorite_error_code_buffer_allocation_too_large;
inline constexpr auto halide_error_code_buffer_extents_too_large = fluorite_error_code_buffer_extents_too_large;
inline constexpr auto halide_error_code_constraints_make_required_region_smaller =
    fluorite_error_code_constraints_make_required_region_smaller;
inline constexpr auto halide_error_code_constraint_violated = fluorite_error_code_constraint_violated;
inline constexpr auto halide_error_code_param_too_small = fluorite_error_code_param_too_small;
inline constexpr auto halide_error_code_param_too_large = fluorite_error_code_param_too_large;
inline constexpr auto halide_error_code_out_of_memory = fluorite_error_code_out_of_memory;
inline constexpr auto halide_error_code_buffer_argument_is_null = fluorite_error_code_buffer_argument_is_null;
inline constexpr auto halide_error_code_debug_to_file_failed = fluorite_error_code_debug_to_file_failed;
inline constexpr auto halide_error_code_copy_to_host_failed = fluorite_error_code_copy_to_host_failed;
inline constexpr auto halide_error_code_copy_to_device_failed = fluorite_error_code_copy_to_device_failed;
inline constexpr auto halide_error_code_device_malloc_failed = fluorite_error_code_device_malloc_failed;
inline constexpr auto halide_error_code_device_sync_failed = fluorite_error_code_device_sync_failed;
inline constexpr auto halide_error_code_device_free_failed = fluorite_error_code_device_free_failed;
inline constexpr auto halide_error_code_no_device_interface = fluorite_error_code_no_device_interface;
inline constexpr auto halide_error_code_unimplemented = fluorite_error_code_unimplemented;
inline constexpr auto halide_error_code_symbol_not_found = fluorite_error_code_symbol_not_found;
inline constexpr auto halide_error_code_internal_error = fluorite_error_code_internal_error;
inline constexpr auto halide_error_code_device_run_failed = fluorite_error_code_device_run_failed;
inline constexpr auto halide_error_code_unaligned_host_ptr = fluorite_error_code_unaligned_host_ptr;
inline constexpr auto halide_error_code_bad_fold = fluorite_error_code_bad_fold;
inline constexpr auto halide_error_code_fold_factor_too_small = fluorite_error_code_fold_factor_too_small;
inline constexpr auto halide_error_code_requirement_failed = fluorite_error_code_requirement_failed;
inline constexpr auto halide_error_code_buffer_extents_negative = fluorite_error_code_buffer_extents_negative;
inline constexpr auto halide_error_code_gpu_device_error = fluorite_error_code_gpu_device_error;
inline constexpr auto halide_error_code_trace_failed = fluorite_error_code_trace_failed;
inline constexpr auto halide_error_code_specialize_fail = fluorite_error_code_specialize_fail;
inline constexpr auto halide_error_code_device_wrap_native_failed = fluorite_error_code_device_wrap_native_failed;
inline constexpr auto halide_error_code_device_detach_native_failed = fluorite_error_code_device_detach_native_failed;
inline constexpr auto halide_error_code_host_is_null = fluorite_error_code_host_is_null;
inline constexpr auto halide_error_code_bad_extern_fold = fluorite_error_code_bad_extern_fold;
inline constexpr auto halide_error_code_device_interface_no_device = fluorite_error_code_device_interface_no_device;
inline constexpr auto halide_error_code_host_and_device_dirty = fluorite_error_code_host_and_device_dirty;
inline constexpr auto halide_error_code_buffer_is_null = fluorite_error_code_buffer_is_null;
inline constexpr auto halide_error_code_device_buffer_copy_failed = fluorite_error_code_device_buffer_copy_failed;
inline constexpr auto halide_error_code_device_crop_unsupported = fluorite_error_code_device_crop_unsupported;
inline constexpr auto halide_error_code_device_crop_failed = fluorite_error_code_device_crop_failed;
inline constexpr auto halide_error_code_incompatible_device_interface =
    fluorite_error_code_incompatible_device_interface;
inline constexpr auto halide_error_code_bad_dimensions = fluorite_error_code_bad_dimensions;
inline constexpr auto halide_error_code_device_dirty_with_no_device_support =
    fluorite_error_code_device_dirty_with_no_device_support;
inline constexpr auto halide_error_code_storage_bound_too_small = fluorite_error_code_storage_bound_too_small;
inline constexpr auto halide_error_code_split_factor_not_positive = fluorite_error_code_split_factor_not_positive;
inline constexpr auto halide_error_code_vscale_invalid = fluorite_error_code_vscale_invalid;
inline constexpr auto halide_error_code_cannot_profile_pipeline = fluorite_error_code_cannot_profile_pipeline;
inline constexpr auto halide_error_code_alignment_not_positive = fluorite_error_code_alignment_not_positive;

// Each function is the one of fluorite/runtime_abi.h or fluorite/runtime_memoization.h that has its name.
inline void halide_memoization_cache_set_size(int64_t size) { fluorite_memoization_cache_set_size(size); }
inline void halide_memoization_cache_evict(void *, uint64_t key) { fluorite_memoization_cache_evict(key); }
inline void halide_memoization_cache_cleanup() { fluorite_memoization_cache_cleanup(); }
inline int halide_set_num_threads(int n) { return fluorite_set_num_threads(n); }
inline int halide_get_num_threads() { return fluorite_get_num_threads(); }
inline void halide_print(void *context, const char *text) { fluorite_print(context, text); }
inline void *halide_malloc(void *context, size_t bytes) { return fluorite_malloc(context, bytes); }
inline void halide_free(void *context, void *pointer) { fluorite_free(context, pointer); }
inline int halide_do_par_for(void *context, fluorite_task_t task, int min, int size, uint8_t *closure) {
    return fluorite_do_par_for(context, task, min, size, closure, nullptr);
}
inline void halide_shutdown_thread_pool() { fluorite_shutdown_thread_pool(); }

/* Memory of devices, and copies between it and the host's: each function is the one of fluorite/runtime_device.h that
 * has its name, with its contract. Those that can fail return 0 or an error code. */
inline int halide_device_malloc(void *context, halide_buffer_t *buffer, const halide_device_interface_t *device) {
    return fluorite_device_malloc(context, buffer, device);
}
inline int halide_device_free(void *context, halide_buffer_t *buffer) { return fluorite_device_free(context, buffer); }
/// The same in the form of a destructor; of a null buffer it does nothing.
inline void halide_device_free_as_destructor(void *context, void *buffer) {
    if (buffer != nullptr) {
        fluorite_device_free(context, static_cast<halide_buffer_t *>(buffer));
    }
}
inline int halide_copy_to_host(void *context, halide_buffer_t *buffer) {
    return fluorite_copy_to_host(context, buffer);
}
inline int halide_copy_to_device(void *context, halide_buffer_t *buffer, const halide_device_interface_t *device) {
    return fluorite_copy_to_device(context, buffer, device);
}
inline int halide_device_sync(void *context, halide_buffer_t *buffer) { return fluorite_device_sync(context, buffer); }
inline int halide_device_sync_global(void *context, const halide_device_interface_t *device) {
    return fluorite_device_sync_global(context, device);
}
inline void halide_device_release(void *context, const halide_device_interface_t *device) {
    fluorite_device_release(context, device);
}
inline int halide_device_and_host_malloc(void *context, halide_buffer_t *buffer,
                                         const halide_device_interface_t *device) {
    return fluorite_device_and_host_malloc(context, buffer, device);
}
inline int halide_device_and_host_free(void *context, halide_buffer_t *buffer) {
    return fluorite_device_and_host_free(context, buffer);
}
inline int halide_buffer_copy(void *context, halide_buffer_t *source, const halide_device_interface_t *device,
                              halide_buffer_t *target) {
    return fluorite_buffer_copy(context, source, device, target);
}
inline int halide_device_crop(void *context, const halide_buffer_t *source, halide_buffer_t *target) {
    return fluorite_device_crop(context, source, target);
}
inline int halide_device_slice(void *context, const halide_buffer_t *source, int dimension, int position,
                               halide_buffer_t *target) {
    return fluorite_device_slice(context, source, dimension, position, target);
}
inline int halide_device_release_crop(void *context, halide_buffer_t *buffer) {
    return fluorite_device_release_crop(context, buffer);
}
inline int halide_device_wrap_native(void *context, halide_buffer_t *buffer, uint64_t handle,
                                     const halide_device_interface_t *device) {
    return fluorite_device_wrap_native(context, buffer, handle, device);
}
inline int halide_device_detach_native(void *context, halide_buffer_t *buffer) {
    return fluorite_device_detach_native(context, buffer);
}
inline void halide_set_gpu_device(int index) { fluorite_set_gpu_device(index); }
inline int halide_get_gpu_device(void *context) { return fluorite_get_gpu_device(context); }
inline int halide_reuse_device_allocations(void *context, bool on) {
    return fluorite_reuse_device_allocations(context, on ? 1 : 0);
}
inline bool halide_can_reuse_device_allocations(void *context) {
    return fluorite_can_reuse_device_allocations(context) != 0;
}

/* Reports a failure of the program's own to the error handler, under the code of errors that have none. */
inline int halide_error(void *context, const char *text) {
    return fluorite_error(context, fluorite_error_code_generic_error, text);
}
inline int32_t halide_trace(void *context, const halide_trace_event_t *event) { return fluorite_trace(context, event); }

/// The type of a C++ scalar in the form of the ABI.
template <typename T> constexpr halide_type_t halide_type_of() {
    constexpr fluorite::Type type = fluorite::type_of<T>();
    return halide_type_t(static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()), 1);
}
