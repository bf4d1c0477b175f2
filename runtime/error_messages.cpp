// The texts of the failures in generated code, one function for each.
//
// What: generated code checks its arguments and promises, and calls one of these functions when a check fails. Each
// builds
//     in <Func or buffer>: <what was seen>; <the rule>; <the fix> [slug]
// passes it to the error handler with its code, and returns the code. The driver takes the slug from the end of the
// text and adds the location of the user's call.
//
// Relies on: the error handler (errors.cpp). Cost: only on failure.

#include "fluorite/runtime/buffer_form.h"
#include "fluorite/runtime/checks.h"
#include "fluorite/runtime/iterate.h"
#include "runtime/text.h"

#include <string>
#include <utility>

using fluorite_runtime::to_text;

namespace {

std::string text_of(const char *text) { return text != nullptr ? text : ""; }
std::string text_of(int32_t value) { return to_text(int64_t{value}); }
template <typename T> std::string text_of(T value) { return to_text(value); }

// The parts of one message.
struct Failure {
    std::string where;
    std::string seen;
    std::string rule;
    std::string fix;
    const char *slug;
};

int report(void *context, int code, const Failure &failure) {
    const std::string text = "in " + failure.where + ": " + failure.seen + "; " + failure.rule + "; " + failure.fix +
                             " [" + failure.slug + "]";
    return fluorite_error(context, code, text.c_str());
}

int report(void *context, const char *buffer, const fluorite_runtime::BufferFault &fault) {
    return fluorite_error(context, fault.code, (fault.text(text_of(buffer)) + " [" + fault.slug + "]").c_str());
}

fluorite_type_t type_of_u32(uint32_t type) {
    return {static_cast<fluorite_type_code_t>(type & 0xFF), static_cast<uint8_t>(type >> 8),
            static_cast<uint16_t>(type >> 16)};
}

template <typename T> std::string range_text(T min, T max) {
    return max < min ? "nothing" : "[" + text_of(min) + ", " + text_of(max) + "]";
}

std::string dim_text(int32_t dim, const char *name) {
    const std::string text = "dimension " + text_of(dim);
    return name != nullptr && name[0] != 0 ? text + " (" + name + ")" : text;
}

template <typename T> int param_too_small(void *context, const char *param, T value, T min) {
    return report(context, fluorite_error_code_param_too_small,
                  {text_of(param), "the parameter is " + text_of(value), "its range starts at " + text_of(min),
                   "pass a value of " + text_of(min) + " or more", "param-too-small"});
}

template <typename T> int param_too_large(void *context, const char *param, T value, T max) {
    return report(context, fluorite_error_code_param_too_large,
                  {text_of(param), "the parameter is " + text_of(value), "its range ends at " + text_of(max),
                   "pass a value of " + text_of(max) + " or less", "param-too-large"});
}

/// The status that extern functions of this thread have reported.
thread_local int extern_status = 0;

} // namespace

extern "C" {

int fluorite_error_buffer_argument_is_null(void *context, const char *buffer) {
    return report(context, buffer, fluorite_runtime::buffer_is_null());
}

int fluorite_error_host_is_null(void *context, const char *buffer) {
    return report(context, buffer, fluorite_runtime::no_host_memory());
}

int fluorite_error_bad_type(void *context, const char *buffer, uint32_t given_type, uint32_t expected_type) {
    return report(context, buffer,
                  fluorite_runtime::wrong_buffer_type(type_of_u32(given_type), type_of_u32(expected_type)));
}

int fluorite_error_bad_dimensions(void *context, const char *buffer, int32_t given, int32_t expected) {
    return report(context, buffer, fluorite_runtime::wrong_buffer_rank(given, expected));
}

int fluorite_error_access_out_of_bounds(void *context, const char *buffer, const char *reader, int32_t dim,
                                        const char *dim_name, int32_t min_touched, int32_t max_touched,
                                        int32_t min_valid, int32_t max_valid) {
    const std::string name = text_of(buffer);
    const std::string touched = range_text(min_touched, max_touched);
    const std::string held = "but " + name + " holds " + range_text(min_valid, max_valid) + " there";
    const std::string along = " along " + dim_text(dim, dim_name) + ", ";
    if (reader != nullptr && reader[0] != 0) {
        return report(
            context, fluorite_error_code_access_out_of_bounds,
            {text_of(reader), "it reads " + name + " over " + touched + along + held,
             "an input must hold every coordinate that is read",
             "pass a larger " + name + ", realize a smaller output, or give " + name + " a boundary condition",
             "input-too-small"});
    }
    return report(context, fluorite_error_code_access_out_of_bounds,
                  {name, "the pipeline writes " + name + " over " + touched + along + held,
                   "an output must hold every coordinate that is written",
                   "pass a larger output, or a schedule that does not round its extent up", "output-too-small"});
}

int fluorite_error_constraint_violated(void *context, const char *property, int64_t given, const char *demand,
                                       int64_t wanted) {
    const std::string wanted_text = text_of(wanted);
    const std::string demand_text = text_of(demand);
    const bool is_number = demand_text.empty() || demand_text == wanted_text;
    // `f: its stride along dimension 0`
    const std::string all = text_of(property);
    const size_t colon = all.find(": ");
    const std::string what = colon == std::string::npos ? "it" : all.substr(colon + 2);
    return report(context, fluorite_error_code_constraint_violated,
                  {all.substr(0, colon), what + " is " + text_of(given),
                   "the pipeline was compiled for " + (is_number ? wanted_text : demand_text + " = " + wanted_text),
                   "pass a buffer of that shape, or change the constraint before compiling", "constraint-violated"});
}

int fluorite_error_constraints_make_required_region_smaller(void *context, const char *buffer, int32_t dim,
                                                            int32_t constrained_min, int32_t constrained_max,
                                                            int32_t required_min, int32_t required_max) {
    return report(
        context, fluorite_error_code_constraints_make_required_region_smaller,
        {text_of(buffer),
         "the pipeline touches " + range_text(required_min, required_max) + " along " + dim_text(dim, nullptr) +
             ", but the constraints on the buffer leave " + range_text(constrained_min, constrained_max),
         "constraints may only enlarge the region that is touched", "relax the constraints", "constraints-too-small"});
}

int fluorite_error_explicit_bounds_too_small(void *context, const char *func, const char *var, int32_t min_bound,
                                             int32_t max_bound, int32_t min_required, int32_t max_required) {
    return report(context, fluorite_error_code_explicit_bounds_too_small,
                  {text_of(func),
                   "bound() gives " + text_of(var) + " the range " + range_text(min_bound, max_bound) +
                       ", but its consumers need " + range_text(min_required, max_required),
                   "an explicit bound must cover what is needed", "widen the bound or remove it", "bound-too-small"});
}

int fluorite_error_buffer_extents_negative(void *context, const char *buffer, int32_t dim, int32_t extent) {
    return report(context, buffer, fluorite_runtime::negative_extent(dim, extent));
}

int fluorite_error_buffer_extents_too_large(void *context, const char *buffer, int64_t actual, int64_t allowed) {
    return report(context, fluorite_error_code_buffer_extents_too_large,
                  {text_of(buffer), "its extents multiply to " + text_of(actual) + " elements",
                   "at most " + text_of(allowed) + " elements can be addressed",
                   "use a smaller buffer or smaller tiles", "buffer-too-large"});
}

int fluorite_error_buffer_allocation_too_large(void *context, const char *buffer, uint64_t bytes, uint64_t allowed) {
    return report(context, fluorite_error_code_buffer_allocation_too_large,
                  {text_of(buffer), "its storage takes " + text_of(bytes) + " bytes",
                   "at most " + text_of(allowed) + " bytes can be addressed", "use a smaller buffer or smaller tiles",
                   "allocation-too-large"});
}

int fluorite_error_out_of_memory(void *context, const char *func, uint64_t bytes) {
    return report(context, fluorite_error_code_out_of_memory,
                  {text_of(func), "an allocation of " + text_of(bytes) + " bytes failed",
                   "the storage of a Func must fit into memory",
                   "compute it in smaller tiles, or realize a smaller region", "out-of-memory"});
}

int fluorite_error_iterate_negative_steps(void *context, const char *func, int32_t steps) {
    return report(context, fluorite_error_code_param_too_small,
                  {text_of(func), "it is to run " + text_of(steps) + " steps", "a number of steps is 0 or more",
                   "pass 0 or more", "iterate-negative-steps"});
}

int fluorite_error_iterate_outside_domain(void *context, const char *field, const char *reader, int32_t dim,
                                          const char *dim_name, int32_t min_touched, int32_t max_touched,
                                          int32_t min_valid, int32_t max_valid) {
    return report(context, fluorite_error_code_access_out_of_bounds,
                  {text_of(reader),
                   "it reads " + text_of(field) + " over " + range_text(min_touched, max_touched) + " along " +
                       dim_text(dim, dim_name) + ", and the domain of the iteration is " +
                       range_text(min_valid, max_valid) + " there",
                   "fields have values in the domain only",
                   "give it a boundary condition, enlarge the domain, or read less", "iterate-outside-domain"});
}

int fluorite_error_iterate_negative_extent(void *context, const char *func, int32_t dim, int32_t extent) {
    return report(context, fluorite_error_code_buffer_extents_negative,
                  {text_of(func), "its domain has " + text_of(extent) + " points along dimension " + text_of(dim),
                   "an extent is 0 or more", "give a min and an extent, not a min and a max",
                   "iterate-negative-extent"});
}

int fluorite_error_param_too_small_i64(void *context, const char *param, int64_t value, int64_t min) {
    return param_too_small(context, param, value, min);
}
int fluorite_error_param_too_small_u64(void *context, const char *param, uint64_t value, uint64_t min) {
    return param_too_small(context, param, value, min);
}
int fluorite_error_param_too_small_f64(void *context, const char *param, double value, double min) {
    return param_too_small(context, param, value, min);
}
int fluorite_error_param_too_large_i64(void *context, const char *param, int64_t value, int64_t max) {
    return param_too_large(context, param, value, max);
}
int fluorite_error_param_too_large_u64(void *context, const char *param, uint64_t value, uint64_t max) {
    return param_too_large(context, param, value, max);
}
int fluorite_error_param_too_large_f64(void *context, const char *param, double value, double max) {
    return param_too_large(context, param, value, max);
}

int fluorite_error_requirement_failed(void *context, const char *condition, const char *message) {
    const std::string values = text_of(message);
    return report(context, fluorite_error_code_requirement_failed,
                  {"require(" + text_of(condition) + ")", values.empty() ? "the condition is false" : values,
                   "the condition must hold for every point that is computed",
                   "pass inputs and parameters that meet it", "requirement-failed"});
}

int fluorite_error_specialize_fail(void *context, const char *func, const char *message) {
    return report(context, fluorite_error_code_specialize_fail,
                  {text_of(func), "no specialization applies: " + text_of(message),
                   "specialize_fail() refuses every case that no specialization takes",
                   "pass inputs that meet one of the specializations, or add one", "specialize-fail"});
}

int fluorite_error_extern_function_failed(void *context, const char *name, const char *reason) {
    if (extern_status == 0) {
        extern_status = report(context, fluorite_error_code_extern_function_failed,
                               {text_of(name), "the C function failed: " + text_of(reason),
                                "a C function in an expression gives a value for all arguments",
                                "repair it, or keep the arguments that it cannot take away from it", "extern-failed"});
    }
    return extern_status;
}

int fluorite_extern_function_status(void) { return std::exchange(extern_status, 0); }

int fluorite_error_extern_stage_failed(void *context, const char *func, const char *extern_name, int result) {
    report(context, result,
           {text_of(func), "the extern function " + text_of(extern_name) + " returned " + text_of(int32_t{result}),
            "an extern function returns 0 when it has succeeded", "look for the cause in " + text_of(extern_name),
            "extern-failed"});
    return result;
}

int fluorite_error_bounds_inference_call_failed(void *context, const char *func, const char *extern_name, int result) {
    report(context, result,
           {text_of(func),
            "the extern function " + text_of(extern_name) + " returned " + text_of(int32_t{result}) +
                " when it was asked for its bounds",
            "a bounds query returns 0 when it has succeeded", "look for the cause in " + text_of(extern_name),
            "extern-bounds-failed"});
    return result;
}

int fluorite_error_unaligned_host_ptr(void *context, const char *buffer, int32_t alignment) {
    return report(context, fluorite_error_code_unaligned_host_ptr,
                  {text_of(buffer), "its host pointer is not a multiple of " + text_of(alignment) + " bytes",
                   "the pipeline was compiled for that alignment",
                   "allocate the buffer with it, or remove set_host_alignment()", "unaligned-host"});
}

int fluorite_error_bad_fold(void *context, const char *func, const char *var, const char *loop) {
    return report(context, fluorite_error_code_bad_fold,
                  {text_of(func),
                   "storage is folded along " + text_of(var) + ", but the loop over " + text_of(loop) +
                       " does not move through it in one direction",
                   "folding needs accesses that increase or decrease monotonically",
                   "remove fold_storage(), or change the schedule of the consumer", "bad-fold"});
}

int fluorite_error_fold_factor_too_small(void *context, const char *func, const char *var, int32_t fold_factor,
                                         const char *loop, int32_t required_extent) {
    return report(
        context, fluorite_error_code_fold_factor_too_small,
        {text_of(func),
         "storage is folded by " + text_of(fold_factor) + " along " + text_of(var) +
             (loop && *loop ? ", but one step of the loop over " + text_of(loop) + " needs " + text_of(required_extent)
                            : ", but all " + text_of(required_extent) + " values along it are live at once"),
         "a fold factor covers all values that are live at once", "fold by " + text_of(required_extent) + " or more",
         "fold-factor-too-small"});
}

int fluorite_error_storage_bound_too_small(void *context, const char *func, const char *var, int32_t provided,
                                           int32_t required) {
    return report(context, fluorite_error_code_storage_bound_too_small,
                  {text_of(func),
                   "bound_storage() gives " + text_of(var) + " " + text_of(provided) + " elements, but " +
                       text_of(required) + " are needed",
                   "a storage bound covers what is needed", "give it " + text_of(required) + " or more",
                   "storage-bound-too-small"});
}

int fluorite_error_split_factor_not_positive(void *context, const char *func, const char *var, const char *factor_text,
                                             int32_t factor) {
    return report(context, fluorite_error_code_split_factor_not_positive,
                  {text_of(func),
                   text_of(var) + " is split by " + text_of(factor_text) + ", which is " + text_of(factor),
                   "a split factor is 1 or more", "pass parameters that make it so", "split-factor-not-positive"});
}

int fluorite_error_buffers_overlap(void *context, const char *output, const char *other, const char *why) {
    return report(context, fluorite_error_code_buffers_overlap,
                  {text_of(output), "it shares memory with " + text_of(other), text_of(why),
                   "give it memory of its own, as in buffer.copy()", "buffers-overlap"});
}

int fluorite_error_alignment_not_positive(void *context, const char *func, const char *var, const char *modulus_text,
                                          int32_t modulus) {
    return report(context, fluorite_error_code_alignment_not_positive,
                  {text_of(func),
                   text_of(var) + " is aligned to " + text_of(modulus_text) + ", which is " + text_of(modulus),
                   "a modulus is 1 or more", "pass parameters that make it so", "align-not-positive"});
}

int fluorite_error_bad_access(void *context, const char *buffer, int64_t index, int64_t first, int64_t last) {
    const std::string held = last < first ? "no elements" : "elements " + text_of(first) + " to " + text_of(last);
    return report(context, fluorite_error_code_access_out_of_bounds,
                  {text_of(buffer), "element " + text_of(index) + " of its memory is touched, which has " + held,
                   "compiled code touches no memory but its own",
                   "report this: it is a fault of the compiler, where no promise of the program is broken",
                   "bad-access"});
}

int fluorite_error_integer_overflow(void *context, const char *func, const char *expression) {
    return report(context, fluorite_error_code_internal_error,
                  {text_of(func), text_of(expression) + " overflows",
                   "coordinates and bounds are computed without overflow; values are not, and wrap",
                   "use coordinates that grow less, or compute the value in unsigned integers", "integer-overflow"});
}

int fluorite_error_device_dirty_with_no_device_support(void *context, const char *buffer) {
    return report(context, buffer, fluorite_runtime::newest_copy_on_device());
}

int fluorite_error_internal(void *context, const char *message) {
    return fluorite_error(context, fluorite_error_code_internal_error, message);
}
}
