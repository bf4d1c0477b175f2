// One function for each failure, under Halide's names and with its parameters.
//
// What: each calls our function of the same name (error_messages.cpp), which makes the text, passes it to the error
// handler and returns the code. Parameters that Halide has and we do not are left out of the text, and the other way
// round. Extents become inclusive bounds.
//
// Relies on: error_messages.cpp. Cost: only on failure.

#include "fluorite/compat/HalideRuntime.h"

#define FLUORITE_WEAK __attribute__((weak))

extern "C" {

FLUORITE_WEAK int halide_error_bounds_inference_call_failed(void *context, const char *stage, int result) {
    return fluorite_error_bounds_inference_call_failed(context, stage, stage, result);
}
FLUORITE_WEAK int halide_error_extern_stage_failed(void *context, const char *stage, int result) {
    return fluorite_error_extern_stage_failed(context, stage, stage, result);
}
FLUORITE_WEAK int halide_error_explicit_bounds_too_small(void *context, const char *func, const char *var,
                                                         int min_bound, int max_bound, int min_required,
                                                         int max_required) {
    return fluorite_error_explicit_bounds_too_small(context, func, var, min_bound, max_bound, min_required,
                                                    max_required);
}
FLUORITE_WEAK int halide_error_bad_type(void *context, const char *buffer, uint32_t given, uint32_t expected) {
    return fluorite_error_bad_type(context, buffer, given, expected);
}
FLUORITE_WEAK int halide_error_bad_dimensions(void *context, const char *buffer, int32_t given, int32_t expected) {
    return fluorite_error_bad_dimensions(context, buffer, given, expected);
}
FLUORITE_WEAK int halide_error_access_out_of_bounds(void *context, const char *buffer, int dim, int min_touched,
                                                    int max_touched, int min_valid, int max_valid) {
    return fluorite_error_access_out_of_bounds(context, buffer, nullptr, dim, nullptr, min_touched, max_touched,
                                               min_valid, max_valid);
}
FLUORITE_WEAK int halide_error_buffer_allocation_too_large(void *context, const char *buffer, uint64_t bytes,
                                                           uint64_t allowed) {
    return fluorite_error_buffer_allocation_too_large(context, buffer, bytes, allowed);
}
FLUORITE_WEAK int halide_error_buffer_extents_negative(void *context, const char *buffer, int dim, int extent) {
    return fluorite_error_buffer_extents_negative(context, buffer, dim, extent);
}
FLUORITE_WEAK int halide_error_buffer_extents_too_large(void *context, const char *buffer, int64_t actual,
                                                        int64_t allowed) {
    return fluorite_error_buffer_extents_too_large(context, buffer, actual, allowed);
}
FLUORITE_WEAK int halide_error_constraints_make_required_region_smaller(void *context, const char *buffer, int dim,
                                                                        int constrained_min, int constrained_extent,
                                                                        int required_min, int required_extent) {
    return fluorite_error_constraints_make_required_region_smaller(context, buffer, dim, constrained_min,
                                                                   constrained_min + constrained_extent - 1,
                                                                   required_min, required_min + required_extent - 1);
}
FLUORITE_WEAK int halide_error_constraint_violated(void *context, const char *property, int given, const char *demand,
                                                   int wanted) {
    return fluorite_error_constraint_violated(context, property, given, demand, wanted);
}
FLUORITE_WEAK int halide_error_param_too_small_i64(void *context, const char *param, int64_t value, int64_t min) {
    return fluorite_error_param_too_small_i64(context, param, value, min);
}
FLUORITE_WEAK int halide_error_param_too_large_i64(void *context, const char *param, int64_t value, int64_t max) {
    return fluorite_error_param_too_large_i64(context, param, value, max);
}
FLUORITE_WEAK int halide_error_param_too_small_u64(void *context, const char *param, uint64_t value, uint64_t min) {
    return fluorite_error_param_too_small_u64(context, param, value, min);
}
FLUORITE_WEAK int halide_error_param_too_large_u64(void *context, const char *param, uint64_t value, uint64_t max) {
    return fluorite_error_param_too_large_u64(context, param, value, max);
}
FLUORITE_WEAK int halide_error_param_too_small_f64(void *context, const char *param, double value, double min) {
    return fluorite_error_param_too_small_f64(context, param, value, min);
}
FLUORITE_WEAK int halide_error_param_too_large_f64(void *context, const char *param, double value, double max) {
    return fluorite_error_param_too_large_f64(context, param, value, max);
}
FLUORITE_WEAK int halide_error_out_of_memory(void *context) {
    return fluorite_error_out_of_memory(context, "an allocation", 0);
}
FLUORITE_WEAK int halide_error_buffer_argument_is_null(void *context, const char *buffer) {
    return fluorite_error_buffer_argument_is_null(context, buffer);
}
FLUORITE_WEAK int halide_error_unaligned_host_ptr(void *context, const char *buffer, int alignment) {
    return fluorite_error_unaligned_host_ptr(context, buffer, alignment);
}
FLUORITE_WEAK int halide_error_host_is_null(void *context, const char *buffer) {
    return fluorite_error_host_is_null(context, buffer);
}
FLUORITE_WEAK int halide_error_bad_fold(void *context, const char *func, const char *var, const char *loop) {
    return fluorite_error_bad_fold(context, func, var, loop);
}
FLUORITE_WEAK int halide_error_fold_factor_too_small(void *context, const char *func, const char *var, int factor,
                                                     const char *loop, int required) {
    return fluorite_error_fold_factor_too_small(context, func, var, factor, loop, required);
}
FLUORITE_WEAK int halide_error_requirement_failed(void *context, const char *condition, const char *message) {
    return fluorite_error_requirement_failed(context, condition, message);
}
FLUORITE_WEAK int halide_error_specialize_fail(void *context, const char *message) {
    return fluorite_error_specialize_fail(context, "a Func", message);
}
FLUORITE_WEAK int halide_error_device_dirty_with_no_device_support(void *context, const char *buffer) {
    return fluorite_error_device_dirty_with_no_device_support(context, buffer);
}
FLUORITE_WEAK int halide_error_storage_bound_too_small(void *context, const char *func, const char *var, int provided,
                                                       int required) {
    return fluorite_error_storage_bound_too_small(context, func, var, provided, required);
}
FLUORITE_WEAK int halide_error_split_factor_not_positive(void *context, const char *func, const char *var, const char *,
                                                         const char *, const char *factor_text, int factor) {
    return fluorite_error_split_factor_not_positive(context, func, var, factor_text, factor);
}
}
