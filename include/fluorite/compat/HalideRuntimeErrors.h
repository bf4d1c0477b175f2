#pragma once
/* One function for each failure that compiled functions detect, under Halide's names; HalideRuntime.h includes it.
 *
 * Each makes a text, passes it to halide_error, and returns its code. They are for extern stages and other code of the
 * program: compiled functions report through halide_error with more than these parameters say, so a program that wants
 * to know of failures replaces that. Types are those of halide_type_t, as bits. */

#include "HalideRuntimeTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Both return `result`. */
int halide_error_bounds_inference_call_failed(void *context, const char *extern_stage, int result);
int halide_error_extern_stage_failed(void *context, const char *extern_stage, int result);

/* Each returns its code; names are those of the program, and bounds are inclusive where they end in max. */
int halide_error_explicit_bounds_too_small(void *context, const char *func, const char *var, int min_bound,
                                           int max_bound, int min_required, int max_required);
int halide_error_bad_type(void *context, const char *buffer, uint32_t given_type, uint32_t expected_type);
int halide_error_bad_dimensions(void *context, const char *buffer, int32_t given, int32_t expected);
int halide_error_access_out_of_bounds(void *context, const char *buffer, int dim, int min_touched, int max_touched,
                                      int min_valid, int max_valid);
int halide_error_buffer_allocation_too_large(void *context, const char *buffer, uint64_t bytes, uint64_t allowed);
int halide_error_buffer_extents_negative(void *context, const char *buffer, int dim, int extent);
int halide_error_buffer_extents_too_large(void *context, const char *buffer, int64_t actual, int64_t allowed);
int halide_error_constraints_make_required_region_smaller(void *context, const char *buffer, int dim,
                                                          int constrained_min, int constrained_extent, int required_min,
                                                          int required_extent);
int halide_error_constraint_violated(void *context, const char *property, int given, const char *demand, int wanted);
int halide_error_param_too_small_i64(void *context, const char *param, int64_t value, int64_t min);
int halide_error_param_too_small_u64(void *context, const char *param, uint64_t value, uint64_t min);
int halide_error_param_too_small_f64(void *context, const char *param, double value, double min);
int halide_error_param_too_large_i64(void *context, const char *param, int64_t value, int64_t max);
int halide_error_param_too_large_u64(void *context, const char *param, uint64_t value, uint64_t max);
int halide_error_param_too_large_f64(void *context, const char *param, double value, double max);
int halide_error_out_of_memory(void *context);
int halide_error_buffer_argument_is_null(void *context, const char *buffer);
int halide_error_unaligned_host_ptr(void *context, const char *buffer, int alignment);
int halide_error_host_is_null(void *context, const char *buffer);
int halide_error_bad_fold(void *context, const char *func, const char *var, const char *loop);
int halide_error_fold_factor_too_small(void *context, const char *func, const char *var, int fold_factor,
                                       const char *loop, int required_extent);
int halide_error_requirement_failed(void *context, const char *condition, const char *message);
int halide_error_specialize_fail(void *context, const char *message);
int halide_error_device_dirty_with_no_device_support(void *context, const char *buffer);
int halide_error_storage_bound_too_small(void *context, const char *func, const char *var, int provided, int required);
int halide_error_split_factor_not_positive(void *context, const char *func, const char *var, const char *outer,
                                           const char *inner, const char *factor_text, int factor);

/* What code for a memory sanitizer calls; without one they do nothing, and return 0. */
int halide_msan_annotate_memory_is_initialized(void *context, const void *pointer, uint64_t bytes);
int halide_msan_check_memory_is_initialized(void *context, const void *pointer, uint64_t bytes, const char *name);
int halide_msan_check_buffer_is_initialized(void *context, halide_buffer_t *buffer, const char *name);
int halide_msan_annotate_buffer_is_initialized(void *context, halide_buffer_t *buffer);
void halide_msan_annotate_buffer_is_initialized_as_destructor(void *context, void *buffer);

#ifdef __cplusplus
} /* extern "C" */
#endif
