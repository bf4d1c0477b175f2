#pragma once
// The names of Halide's runtime ABI for Fluorite's, with the same layouts and values.

#include "fluorite/require_cxx20.h"

#include "fluorite/float16.h"
#include "fluorite/runtime_abi.h"
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
