#pragma once
/* The types and constants of Halide's runtime ABI, for C99 and C++11; HalideRuntime.h includes it. Layouts and values are
 * those of fluorite/runtime_abi.h. */

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

#define HALIDE_ALWAYS_INLINE inline __attribute__((always_inline))
#define HALIDE_NEVER_INLINE __attribute__((noinline))
#ifndef HALIDE_MUST_USE_RESULT
#define HALIDE_MUST_USE_RESULT __attribute__((warn_unused_result))
#endif
/* An attribute of every compiled function; a program may define it as HALIDE_MUST_USE_RESULT. */
#ifndef HALIDE_FUNCTION_ATTRS
#define HALIDE_FUNCTION_ATTRS
#endif
#ifndef HALIDE_ATTRIBUTE_ALIGN
#define HALIDE_ATTRIBUTE_ALIGN(bytes) __attribute__((aligned(bytes)))
#endif
#ifndef HALIDE_ATTRIBUTE_DEPRECATED
#ifdef HALIDE_ALLOW_DEPRECATED
#define HALIDE_ATTRIBUTE_DEPRECATED(text)
#else
#define HALIDE_ATTRIBUTE_DEPRECATED(text) __attribute__((deprecated(text)))
#endif
#endif

#if !defined(__cplusplus)
#define FLUORITE_VALUE_(name) enum { halide_##name = fluorite_##name };
#elif __cplusplus >= 201703L
#define FLUORITE_VALUE_(name) inline constexpr decltype(fluorite_##name) halide_##name = fluorite_##name;
#else
#define FLUORITE_VALUE_(name) static constexpr decltype(fluorite_##name) halide_##name = fluorite_##name;
#endif

typedef struct halide_buffer_t halide_buffer_t;
typedef struct halide_dimension_t halide_dimension_t;
typedef struct halide_type_t halide_type_t;
typedef enum halide_type_code_t halide_type_code_t;
typedef struct halide_trace_event_t halide_trace_event_t;
typedef enum halide_trace_event_code_t halide_trace_event_code_t;
typedef struct halide_filter_argument_t halide_filter_argument_t;
typedef struct halide_filter_metadata_t halide_filter_metadata_t;
typedef struct halide_device_interface_t halide_device_interface_t;
typedef enum fluorite_buffer_flags halide_buffer_flags;
typedef enum halide_error_code_t halide_error_code_t;
typedef enum halide_argument_kind_t halide_argument_kind_t;
typedef struct halide_scalar_value_t halide_scalar_value_t;

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

#undef FLUORITE_VALUE_
