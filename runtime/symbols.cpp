// The table of the runtime's functions by name.
//
// A linker that works in memory resolves generated code against this table, so it finds the runtime even if the library
// was linked statically or loaded with local visibility. The table has one line for each function of the ABI header; a
// test checks some of them. It does not contain the math functions, which have their own table. Cost: none until it is
// requested.

#include "fluorite/runtime/checks.h"
#include "fluorite/runtime/device.h"
#include "fluorite/runtime/fork.h"
#include "fluorite/runtime/iterate.h"
#include "fluorite/runtime/math.h"
#include "fluorite/runtime_abi.h"
#include "fluorite/runtime_device.h"
#include "fluorite/runtime_memoization.h"

namespace {

#define FLUORITE_SYMBOL(name) {#name, reinterpret_cast<void *>(name)}

const fluorite_symbol_t symbols[] = {
    FLUORITE_SYMBOL(fluorite_error),
    FLUORITE_SYMBOL(fluorite_set_error_handler),
    FLUORITE_SYMBOL(fluorite_store_error),
    FLUORITE_SYMBOL(fluorite_last_error_code),
    FLUORITE_SYMBOL(fluorite_last_error_message),
    FLUORITE_SYMBOL(fluorite_clear_error),
    FLUORITE_SYMBOL(fluorite_error_buffer_argument_is_null),
    FLUORITE_SYMBOL(fluorite_error_host_is_null),
    FLUORITE_SYMBOL(fluorite_error_bad_type),
    FLUORITE_SYMBOL(fluorite_error_bad_dimensions),
    FLUORITE_SYMBOL(fluorite_error_bad_access),
    FLUORITE_SYMBOL(fluorite_element_range),
    FLUORITE_SYMBOL(fluorite_check_ranges),
    FLUORITE_SYMBOL(fluorite_error_access_out_of_bounds),
    FLUORITE_SYMBOL(fluorite_error_constraint_violated),
    FLUORITE_SYMBOL(fluorite_error_constraints_make_required_region_smaller),
    FLUORITE_SYMBOL(fluorite_error_explicit_bounds_too_small),
    FLUORITE_SYMBOL(fluorite_error_buffer_extents_negative),
    FLUORITE_SYMBOL(fluorite_error_buffer_extents_too_large),
    FLUORITE_SYMBOL(fluorite_error_buffer_allocation_too_large),
    FLUORITE_SYMBOL(fluorite_error_out_of_memory),
    FLUORITE_SYMBOL(fluorite_error_param_too_small_i64),
    FLUORITE_SYMBOL(fluorite_error_param_too_small_u64),
    FLUORITE_SYMBOL(fluorite_error_param_too_small_f64),
    FLUORITE_SYMBOL(fluorite_error_param_too_large_i64),
    FLUORITE_SYMBOL(fluorite_error_param_too_large_u64),
    FLUORITE_SYMBOL(fluorite_error_param_too_large_f64),
    FLUORITE_SYMBOL(fluorite_error_requirement_failed),
    FLUORITE_SYMBOL(fluorite_error_specialize_fail),
    FLUORITE_SYMBOL(fluorite_error_extern_stage_failed),
    FLUORITE_SYMBOL(fluorite_error_bounds_inference_call_failed),
    FLUORITE_SYMBOL(fluorite_error_unaligned_host_ptr),
    FLUORITE_SYMBOL(fluorite_error_bad_fold),
    FLUORITE_SYMBOL(fluorite_error_fold_factor_too_small),
    FLUORITE_SYMBOL(fluorite_error_storage_bound_too_small),
    FLUORITE_SYMBOL(fluorite_error_extern_function_failed),
    FLUORITE_SYMBOL(fluorite_extern_function_status),
    FLUORITE_SYMBOL(fluorite_error_split_factor_not_positive),
    FLUORITE_SYMBOL(fluorite_error_alignment_not_positive),
    FLUORITE_SYMBOL(fluorite_error_buffers_overlap),
    FLUORITE_SYMBOL(fluorite_buffers_overlap),
    FLUORITE_SYMBOL(fluorite_buffer_overlaps_itself),
    FLUORITE_SYMBOL(fluorite_error_integer_overflow),
    FLUORITE_SYMBOL(fluorite_error_device_dirty_with_no_device_support),
    FLUORITE_SYMBOL(fluorite_error_internal),
    FLUORITE_SYMBOL(fluorite_malloc),
    FLUORITE_SYMBOL(fluorite_free),
    FLUORITE_SYMBOL(fluorite_release_kept_memory),
    FLUORITE_SYMBOL(fluorite_set_poison_memory),
    FLUORITE_SYMBOL(fluorite_set_custom_malloc),
    FLUORITE_SYMBOL(fluorite_set_custom_free),
    FLUORITE_SYMBOL(fluorite_do_par_for),
    FLUORITE_SYMBOL(fluorite_set_custom_do_par_for),
    FLUORITE_SYMBOL(fluorite_set_num_threads),
    FLUORITE_SYMBOL(fluorite_get_num_threads),
    FLUORITE_SYMBOL(fluorite_shutdown_thread_pool),
    FLUORITE_SYMBOL(fluorite_do_fork),
    FLUORITE_SYMBOL(fluorite_semaphore_init),
    FLUORITE_SYMBOL(fluorite_semaphore_acquire),
    FLUORITE_SYMBOL(fluorite_semaphore_release),
    FLUORITE_SYMBOL(fluorite_fork_stopped),
    FLUORITE_SYMBOL(fluorite_set_task_delay),
    FLUORITE_SYMBOL(fluorite_set_task_order),
    FLUORITE_SYMBOL(fluorite_iterate),
    FLUORITE_SYMBOL(fluorite_error_iterate_negative_steps),
    FLUORITE_SYMBOL(fluorite_error_iterate_negative_extent),
    FLUORITE_SYMBOL(fluorite_error_iterate_outside_domain),
    FLUORITE_SYMBOL(fluorite_memoization_begin),
    FLUORITE_SYMBOL(fluorite_memoization_key),
    FLUORITE_SYMBOL(fluorite_memoization_block),
    FLUORITE_SYMBOL(fluorite_memoization_lookup),
    FLUORITE_SYMBOL(fluorite_memoization_store),
    FLUORITE_SYMBOL(fluorite_memoization_cache_set_size),
    FLUORITE_SYMBOL(fluorite_memoization_cache_evict),
    FLUORITE_SYMBOL(fluorite_memoization_cache_cleanup),
    FLUORITE_SYMBOL(fluorite_memoization_cache_entries),
    FLUORITE_SYMBOL(fluorite_memoization_cache_bytes),
    FLUORITE_SYMBOL(fluorite_device_load_module),
    FLUORITE_SYMBOL(fluorite_device_unload_module),
    FLUORITE_SYMBOL(fluorite_device_launch),
    FLUORITE_SYMBOL(fluorite_device_allocate),
    FLUORITE_SYMBOL(fluorite_device_deallocate),
    FLUORITE_SYMBOL(fluorite_device_write),
    FLUORITE_SYMBOL(fluorite_device_read),
    FLUORITE_SYMBOL(fluorite_device_need_input),
    FLUORITE_SYMBOL(fluorite_device_need_output),
    FLUORITE_SYMBOL(fluorite_device_mark_written),
    FLUORITE_SYMBOL(fluorite_device_need_host),
    FLUORITE_SYMBOL(fluorite_device_malloc),
    FLUORITE_SYMBOL(fluorite_device_free),
    FLUORITE_SYMBOL(fluorite_copy_to_host),
    FLUORITE_SYMBOL(fluorite_copy_to_device),
    FLUORITE_SYMBOL(fluorite_device_sync),
    FLUORITE_SYMBOL(fluorite_device_sync_global),
    FLUORITE_SYMBOL(fluorite_device_release),
    FLUORITE_SYMBOL(fluorite_device_and_host_malloc),
    FLUORITE_SYMBOL(fluorite_device_and_host_free),
    FLUORITE_SYMBOL(fluorite_buffer_copy),
    FLUORITE_SYMBOL(fluorite_device_crop),
    FLUORITE_SYMBOL(fluorite_device_slice),
    FLUORITE_SYMBOL(fluorite_device_release_crop),
    FLUORITE_SYMBOL(fluorite_device_wrap_native),
    FLUORITE_SYMBOL(fluorite_device_detach_native),
    FLUORITE_SYMBOL(fluorite_device_native_handle),
    FLUORITE_SYMBOL(fluorite_device_native_offset),
    FLUORITE_SYMBOL(fluorite_set_gpu_device),
    FLUORITE_SYMBOL(fluorite_get_gpu_device),
    FLUORITE_SYMBOL(fluorite_set_device_context_hooks),
    FLUORITE_SYMBOL(fluorite_reuse_device_allocations),
    FLUORITE_SYMBOL(fluorite_can_reuse_device_allocations),
    FLUORITE_SYMBOL(fluorite_release_unused_device_allocations),
    FLUORITE_SYMBOL(fluorite_cuda_device_interface),
    FLUORITE_SYMBOL(fluorite_opencl_device_interface),
    FLUORITE_SYMBOL(fluorite_opencl_set_platform_name),
    FLUORITE_SYMBOL(fluorite_opencl_set_device_type),
    FLUORITE_SYMBOL(fluorite_opencl_set_build_options),
    FLUORITE_SYMBOL(fluorite_opencl_get_platform_name),
    FLUORITE_SYMBOL(fluorite_opencl_get_device_type),
    FLUORITE_SYMBOL(fluorite_opencl_get_build_options),
    FLUORITE_SYMBOL(fluorite_print),
    FLUORITE_SYMBOL(fluorite_set_custom_print),
    FLUORITE_SYMBOL(fluorite_append_text),
    FLUORITE_SYMBOL(fluorite_append_int64),
    FLUORITE_SYMBOL(fluorite_append_uint64),
    FLUORITE_SYMBOL(fluorite_append_float),
    FLUORITE_SYMBOL(fluorite_append_double),
    FLUORITE_SYMBOL(fluorite_append_pointer),
    FLUORITE_SYMBOL(fluorite_trace),
    FLUORITE_SYMBOL(fluorite_set_custom_trace),
    FLUORITE_SYMBOL(fluorite_format_trace_event),
#define FLUORITE_MATH_SYMBOL(name) FLUORITE_SYMBOL(fluorite_##name##_f32), FLUORITE_SYMBOL(fluorite_##name##_f64),
    FLUORITE_RUNTIME_MATH_UNARY(FLUORITE_MATH_SYMBOL) FLUORITE_RUNTIME_MATH_BINARY(FLUORITE_MATH_SYMBOL)
        FLUORITE_RUNTIME_MATH_TEST(FLUORITE_MATH_SYMBOL)
#undef FLUORITE_MATH_SYMBOL
            FLUORITE_SYMBOL(fluorite_fma_f32),
    FLUORITE_SYMBOL(fluorite_fma_f64),
    FLUORITE_SYMBOL(fluorite_random_combine),
    FLUORITE_SYMBOL(fluorite_random_u32),
    FLUORITE_SYMBOL(fluorite_random_to_f32),
};

#undef FLUORITE_SYMBOL

} // namespace

extern "C" const fluorite_symbol_t *fluorite_runtime_symbols(size_t *count) {
    *count = sizeof(symbols) / sizeof(symbols[0]);
    return symbols;
}
