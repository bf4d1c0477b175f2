#pragma once
/* The C interface between generated code and the runtime library.
 *
 * Data: the buffer, its type and dimensions, argument descriptions, trace events, device tables. The layout of
 * fluorite_buffer_t and the values of all codes equal those of halide_buffer_t and Halide's public enums, so callers
 * of ahead-of-time filters and their buffers need no change. The tags of the structs are Halide's, as programs and
 * generated headers declare `struct halide_buffer_t`, and so are those of the enumerations; include/fluorite/compat gives the other halide_ names.
 *
 * Functions: memory, errors, parallel loops, printing, tracing. Every function that can fail returns 0 or one of the
 * negative fluorite_error_code values, after it has passed the text of the failure to the error handler. `context` is
 * the caller's user context, which is only passed through. All functions are thread-safe unless they say otherwise.
 *
 * This header is C99 and any C++, from C++98 on; it includes nothing of the compiler. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus) && __cplusplus >= 201103L
#define FLUORITE_ABI_CONSTEXPR constexpr
#else
#define FLUORITE_ABI_CONSTEXPR
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types ---------------------------------------------------------------------------------------------------- */

#if defined(__cplusplus) && __cplusplus >= 201103L
typedef enum halide_type_code_t : uint8_t {
#else
typedef enum halide_type_code_t {
#endif
    fluorite_type_int = 0,
    fluorite_type_uint = 1,
    fluorite_type_float = 2,
    fluorite_type_handle = 3,
    fluorite_type_bfloat = 4
} fluorite_type_code_t;

/* A scalar or vector type. Bool is uint with 1 bit and takes one byte in memory. */
typedef struct halide_type_t fluorite_type_t;
struct halide_type_t {
#if defined(__cplusplus) && __cplusplus >= 201103L
    fluorite_type_code_t code;
#else
    uint8_t code; /* a fluorite_type_code_t */
#endif
    uint8_t bits;
    uint16_t lanes;

#ifdef __cplusplus
    /* int0x1 without arguments, which no value has; the code, the bits of a lane, and the number of lanes. */
    FLUORITE_ABI_CONSTEXPR halide_type_t() : code(fluorite_type_int), bits(0), lanes(0) {}
    FLUORITE_ABI_CONSTEXPR halide_type_t(fluorite_type_code_t its_code, uint8_t its_bits, uint16_t its_lanes = 1)
        : code(its_code), bits(its_bits), lanes(its_lanes) {}
    FLUORITE_ABI_CONSTEXPR bool operator==(const fluorite_type_t &other) const {
        return code == other.code && bits == other.bits && lanes == other.lanes;
    }
    FLUORITE_ABI_CONSTEXPR bool operator!=(const fluorite_type_t &other) const { return !(*this == other); }
    FLUORITE_ABI_CONSTEXPR bool operator<(const fluorite_type_t &other) const { return as_u32() < other.as_u32(); }
    /* The bytes of one lane in memory. */
    FLUORITE_ABI_CONSTEXPR int bytes() const { return (bits + 7) / 8; }
    FLUORITE_ABI_CONSTEXPR fluorite_type_t element_of() const { return with_lanes(1); }
    FLUORITE_ABI_CONSTEXPR fluorite_type_t with_lanes(uint16_t new_lanes) const {
        return fluorite_type_t(static_cast<fluorite_type_code_t>(code), bits, new_lanes);
    }
    /* The form in which generated code passes a type to the error functions. */
    FLUORITE_ABI_CONSTEXPR uint32_t as_u32() const {
        return static_cast<uint32_t>(code) | static_cast<uint32_t>(bits) << 8 | static_cast<uint32_t>(lanes) << 16;
    }
#endif
};

/* ---- buffers -------------------------------------------------------------------------------------------------- */

/* Coordinates min .. min+extent-1; stride in elements, of either sign. `flags` is reserved and must be 0. */
typedef struct halide_dimension_t fluorite_dimension_t;
struct halide_dimension_t {
    int32_t min, extent, stride;
    uint32_t flags;

#ifdef __cplusplus
    /* All zeros without arguments, as for an empty dimension. */
    FLUORITE_ABI_CONSTEXPR halide_dimension_t() : min(0), extent(0), stride(0), flags(0) {}
    FLUORITE_ABI_CONSTEXPR halide_dimension_t(int32_t its_min, int32_t its_extent, int32_t its_stride,
                                              uint32_t its_flags = 0)
        : min(its_min), extent(its_extent), stride(its_stride), flags(its_flags) {}
    FLUORITE_ABI_CONSTEXPR bool operator==(const fluorite_dimension_t &other) const {
        return min == other.min && extent == other.extent && stride == other.stride && flags == other.flags;
    }
    FLUORITE_ABI_CONSTEXPR bool operator!=(const fluorite_dimension_t &other) const { return !(*this == other); }
#endif
};

enum fluorite_buffer_flags { fluorite_buffer_flag_host_dirty = 1, fluorite_buffer_flag_device_dirty = 2 };

struct halide_device_interface_t;

/* An n-dimensional array in host memory, device memory or both. `host` points at the element whose every coordinate
 * is the min of its dimension; a buffer with null host and zero device is a bounds query. The struct owns nothing. */
typedef struct halide_buffer_t {
    uint64_t device;
    const struct halide_device_interface_t *device_interface;
    uint8_t *host;
    uint64_t flags;
    fluorite_type_t type;
    int32_t dimensions;
    fluorite_dimension_t *dim;
    void *padding;

#ifdef __cplusplus
    bool get_flag(fluorite_buffer_flags flag) const { return (flags & static_cast<uint64_t>(flag)) != 0; }
    bool host_dirty() const { return get_flag(fluorite_buffer_flag_host_dirty); }
    bool device_dirty() const { return get_flag(fluorite_buffer_flag_device_dirty); }
    void set_flag(fluorite_buffer_flags flag, bool on) {
        flags = on ? flags | static_cast<uint64_t>(flag) : flags & ~static_cast<uint64_t>(flag);
    }
    void set_host_dirty(bool on = true) { set_flag(fluorite_buffer_flag_host_dirty, on); }
    void set_device_dirty(bool on = true) { set_flag(fluorite_buffer_flag_device_dirty, on); }
    bool is_bounds_query() const { return !host && device == 0; }

    size_t number_of_elements() const {
        size_t count = 1;
        for (int32_t i = 0; i < dimensions; i++) {
            count *= dim[i].extent > 0 ? static_cast<size_t>(dim[i].extent) : 0;
        }
        return count;
    }
    bool is_empty() const { /* not by the element count, which wraps to 0 for 65536^4 elements */
        for (int32_t i = 0; i < dimensions; i++) {
            if (dim[i].extent <= 0) {
                return true;
            }
        }
        return false;
    }
    /* Offset in elements of the lowest addressed element from `host`; never positive. */
    ptrdiff_t begin_offset() const {
        ptrdiff_t offset = 0;
        for (int32_t i = 0; i < dimensions; i++) {
            offset += dim[i].stride < 0 ? static_cast<ptrdiff_t>(dim[i].stride) * (dim[i].extent - 1) : 0;
        }
        return is_empty() ? 0 : offset;
    }
    /* Offset in elements of the first position past the highest addressed element. */
    ptrdiff_t end_offset() const {
        ptrdiff_t offset = 0;
        for (int32_t i = 0; i < dimensions; i++) {
            offset += dim[i].stride > 0 ? static_cast<ptrdiff_t>(dim[i].stride) * (dim[i].extent - 1) : 0;
        }
        return is_empty() ? 0 : offset + 1;
    }
    uint8_t *begin() const { return host + begin_offset() * type.bytes(); }
    uint8_t *end() const { return host + end_offset() * type.bytes(); }
    /* Bytes from the lowest to the highest addressed element, both included. */
    size_t size_in_bytes() const { return static_cast<size_t>((end_offset() - begin_offset()) * type.bytes()); }
    /* The address of the element at `position`, which has one coordinate per dimension; not checked. */
    uint8_t *address_of(const int *position) const {
        ptrdiff_t offset = 0;
        for (int32_t i = 0; i < dimensions; i++) {
            offset += static_cast<ptrdiff_t>(dim[i].stride) * (static_cast<ptrdiff_t>(position[i]) - dim[i].min);
        }
        return host + offset * type.bytes();
    }
    /* Waits until the device has done what it was asked to do with the buffer; 0 for a buffer without a device. */
    int device_sync(void *context = NULL);
#endif
} fluorite_buffer_t;

/* The operations of a device back end on buffers. Each function returns 0 or an error code. */
typedef struct halide_device_interface_t {
    int (*device_malloc)(void *context, fluorite_buffer_t *buffer, const struct halide_device_interface_t *device);
    int (*device_free)(void *context, fluorite_buffer_t *buffer);
    int (*device_sync)(void *context, fluorite_buffer_t *buffer);
    void (*device_release)(void *context, const struct halide_device_interface_t *device);
    int (*copy_to_host)(void *context, fluorite_buffer_t *buffer);
    int (*copy_to_device)(void *context, fluorite_buffer_t *buffer, const struct halide_device_interface_t *device);
    int (*device_and_host_malloc)(void *context, fluorite_buffer_t *buffer,
                                  const struct halide_device_interface_t *device);
    int (*device_and_host_free)(void *context, fluorite_buffer_t *buffer);
    int (*buffer_copy)(void *context, fluorite_buffer_t *source, const struct halide_device_interface_t *device,
                       fluorite_buffer_t *target);
    int (*device_crop)(void *context, const fluorite_buffer_t *source, fluorite_buffer_t *target);
    int (*device_slice)(void *context, const fluorite_buffer_t *source, int slice_dim, int slice_position,
                        fluorite_buffer_t *target);
    int (*device_release_crop)(void *context, fluorite_buffer_t *buffer);
    int (*wrap_native)(void *context, fluorite_buffer_t *buffer, uint64_t handle,
                       const struct halide_device_interface_t *device);
    int (*detach_native)(void *context, fluorite_buffer_t *buffer);
    int (*compute_capability)(void *context, int *major, int *minor);
    const void *impl;
} fluorite_device_interface_t;

#ifdef __cplusplus
inline int halide_buffer_t::device_sync(void *context) {
    return device_interface && device_interface->device_sync ? device_interface->device_sync(context, this) : 0;
}
#endif

/* ---- descriptions of compiled filters --------------------------------------------------------------------------- */

/* A scalar of any type; which one, the argument says. Zero without arguments. */
typedef struct halide_scalar_value_t {
    union {
        bool b;
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        float f32;
        double f64;
        void *handle;
    } u;

#ifdef __cplusplus
    halide_scalar_value_t() { u.u64 = 0; }
#endif
} fluorite_scalar_value_t;

typedef enum halide_argument_kind_t {
    fluorite_argument_kind_input_scalar = 0,
    fluorite_argument_kind_input_buffer = 1,
    fluorite_argument_kind_output_buffer = 2
} fluorite_argument_kind_t;

/* One argument of a filter. The scalar_ pointers are null for buffers and for unknown values; buffer_estimates is null
 * or an array of 2*dimensions pointers (min and extent of each dimension), each of which may be null. */
typedef struct halide_filter_argument_t {
    const char *name;
    int32_t kind; /* a fluorite_argument_kind_t */
    int32_t dimensions;
    fluorite_type_t type;
    const fluorite_scalar_value_t *scalar_def, *scalar_min, *scalar_max, *scalar_estimate;
    int64_t const *const *buffer_estimates;
} fluorite_filter_argument_t;

enum { fluorite_filter_metadata_version = 1 };

typedef struct halide_filter_metadata_t {
#ifdef __cplusplus
    static const int32_t VERSION = 1;
#endif
    int32_t version; /* fluorite_filter_metadata_version */
    int32_t num_arguments;
    const fluorite_filter_argument_t *arguments;
    const char *target;
    const char *name;
} fluorite_filter_metadata_t;

/* ---- errors ----------------------------------------------------------------------------------------------------- */

typedef enum halide_error_code_t {
    fluorite_error_code_success = 0,
    fluorite_error_code_generic_error = -1,
    fluorite_error_code_explicit_bounds_too_small = -2,
    fluorite_error_code_bad_type = -3,
    fluorite_error_code_access_out_of_bounds = -4,
    fluorite_error_code_buffer_allocation_too_large = -5,
    fluorite_error_code_buffer_extents_too_large = -6,
    fluorite_error_code_constraints_make_required_region_smaller = -7,
    fluorite_error_code_constraint_violated = -8,
    fluorite_error_code_param_too_small = -9,
    fluorite_error_code_param_too_large = -10,
    fluorite_error_code_out_of_memory = -11,
    fluorite_error_code_buffer_argument_is_null = -12,
    fluorite_error_code_debug_to_file_failed = -13,
    fluorite_error_code_copy_to_host_failed = -14,
    fluorite_error_code_copy_to_device_failed = -15,
    fluorite_error_code_device_malloc_failed = -16,
    fluorite_error_code_device_sync_failed = -17,
    fluorite_error_code_device_free_failed = -18,
    fluorite_error_code_no_device_interface = -19,
    fluorite_error_code_unimplemented = -20,
    fluorite_error_code_symbol_not_found = -21,
    fluorite_error_code_internal_error = -22,
    fluorite_error_code_device_run_failed = -23,
    fluorite_error_code_unaligned_host_ptr = -24,
    fluorite_error_code_bad_fold = -25,
    fluorite_error_code_fold_factor_too_small = -26,
    fluorite_error_code_requirement_failed = -27,
    fluorite_error_code_buffer_extents_negative = -28,
    fluorite_error_code_gpu_device_error = -29,
    fluorite_error_code_trace_failed = -30,
    fluorite_error_code_specialize_fail = -31,
    fluorite_error_code_device_wrap_native_failed = -32,
    fluorite_error_code_device_detach_native_failed = -33,
    fluorite_error_code_host_is_null = -34,
    fluorite_error_code_bad_extern_fold = -35,
    fluorite_error_code_device_interface_no_device = -36,
    fluorite_error_code_host_and_device_dirty = -37,
    fluorite_error_code_buffer_is_null = -38,
    fluorite_error_code_device_buffer_copy_failed = -39,
    fluorite_error_code_device_crop_unsupported = -40,
    fluorite_error_code_device_crop_failed = -41,
    fluorite_error_code_incompatible_device_interface = -42,
    fluorite_error_code_bad_dimensions = -43,
    fluorite_error_code_device_dirty_with_no_device_support = -44,
    fluorite_error_code_storage_bound_too_small = -45,
    fluorite_error_code_split_factor_not_positive = -46,
    fluorite_error_code_vscale_invalid = -47,
    fluorite_error_code_cannot_profile_pipeline = -48,
    fluorite_error_code_alignment_not_positive = -49,
    fluorite_error_code_extern_function_failed = -50,
    fluorite_error_code_buffers_overlap = -51
} fluorite_error_code_t;

/* Reports a failure to the handler and returns `code`. Texts end in ` [slug]`. The default handler prints the text to
 * standard error and stores code and text for the calling thread, where fluorite_last_error_* finds them. A failure in
 * a task of a parallel loop is passed to the thread that runs the loop. A handler must return. */
typedef void (*fluorite_error_handler_t)(void *context, int code, const char *message);
int fluorite_error(void *context, int code, const char *message);
/* Installs a handler (null: the default one) and returns the previous handler. */
fluorite_error_handler_t fluorite_set_error_handler(fluorite_error_handler_t handler);
/* Sets whether the default handler prints: initially 1, but 0 in programs that link the compiler, which throws. Returns
 * the previous setting. */
int fluorite_print_errors(int on);
/* Stores code and text for the calling thread, as the default handler does. */
void fluorite_store_error(int code, const char *message);
/* The calling thread's most recent stored error; 0 and "" if there is none. The text is valid until the next error. */
int fluorite_last_error_code(void);
const char *fluorite_last_error_message(void);
void fluorite_clear_error(void);

/* One function for each failure that generated code can detect. Each builds the text, calls fluorite_error and returns
 * its code. Names are the user's; `reader`, `dim_name` and other texts marked optional may be null. Types have the form
 * of fluorite_type_t::as_u32. */
int fluorite_error_buffer_argument_is_null(void *context, const char *buffer);
int fluorite_error_host_is_null(void *context, const char *buffer);
int fluorite_error_bad_type(void *context, const char *buffer, uint32_t given_type, uint32_t expected_type);
int fluorite_error_bad_dimensions(void *context, const char *buffer, int32_t given, int32_t expected);
/* `reader` (optional) is the Func that touches [min_touched, max_touched] of dimension `dim`; null for an output. */
int fluorite_error_access_out_of_bounds(void *context, const char *buffer, const char *reader, int32_t dim,
                                        const char *dim_name, int32_t min_touched, int32_t max_touched,
                                        int32_t min_valid, int32_t max_valid);
/* `property`, such as "input.stride.0", has the value `given`; the program requires it to equal the expression
 * `demand`, whose value is `wanted`. */
int fluorite_error_constraint_violated(void *context, const char *property, int64_t given, const char *demand,
                                       int64_t wanted);
int fluorite_error_constraints_make_required_region_smaller(void *context, const char *buffer, int32_t dim,
                                                            int32_t constrained_min, int32_t constrained_max,
                                                            int32_t required_min, int32_t required_max);
int fluorite_error_explicit_bounds_too_small(void *context, const char *func, const char *var, int32_t min_bound,
                                             int32_t max_bound, int32_t min_required, int32_t max_required);
int fluorite_error_buffer_extents_negative(void *context, const char *buffer, int32_t dim, int32_t extent);
int fluorite_error_buffer_extents_too_large(void *context, const char *buffer, int64_t actual, int64_t allowed);
int fluorite_error_buffer_allocation_too_large(void *context, const char *buffer, uint64_t bytes, uint64_t allowed);
int fluorite_error_out_of_memory(void *context, const char *func, uint64_t bytes);
int fluorite_error_param_too_small_i64(void *context, const char *param, int64_t value, int64_t min);
int fluorite_error_param_too_small_u64(void *context, const char *param, uint64_t value, uint64_t min);
int fluorite_error_param_too_small_f64(void *context, const char *param, double value, double min);
int fluorite_error_param_too_large_i64(void *context, const char *param, int64_t value, int64_t max);
int fluorite_error_param_too_large_u64(void *context, const char *param, uint64_t value, uint64_t max);
int fluorite_error_param_too_large_f64(void *context, const char *param, double value, double max);
/* `condition` is the text of the condition, `message` (optional) that of the values passed to require(). */
int fluorite_error_requirement_failed(void *context, const char *condition, const char *message);
int fluorite_error_specialize_fail(void *context, const char *func, const char *message);
/* Both return `result`, the value that the extern function returned. */
int fluorite_error_extern_stage_failed(void *context, const char *func, const char *extern_name, int result);
int fluorite_error_bounds_inference_call_failed(void *context, const char *func, const char *extern_name, int result);
int fluorite_error_unaligned_host_ptr(void *context, const char *buffer, int32_t alignment);
int fluorite_error_bad_fold(void *context, const char *func, const char *var, const char *loop);
/* `loop` (may be empty) is the loop that moves a window along the dimension. */
int fluorite_error_fold_factor_too_small(void *context, const char *func, const char *var, int32_t fold_factor,
                                         const char *loop, int32_t required_extent);
int fluorite_error_storage_bound_too_small(void *context, const char *func, const char *var, int32_t provided,
                                           int32_t required);
/* Reports that a C function called from an expression failed. Such a function returns a value and no code, so the
 * failure is kept for the calling task, which returns the code when its work ends. */
int fluorite_error_extern_function_failed(void *context, const char *name, const char *reason);
/* The code of a failure that extern functions reported on this thread since the last call of this function, or 0. */
int fluorite_extern_function_status(void);
int fluorite_error_split_factor_not_positive(void *context, const char *func, const char *var, const char *factor_text,
                                             int32_t factor);
/* `output` and `other` share memory; `why` explains why that changes results. */
int fluorite_error_buffers_overlap(void *context, const char *output, const char *other, const char *why);
/* Returns 1 if an element of one buffer shares memory with an element of the other, otherwise 0. With
 * `equal_points_may` = 1, elements at equal coordinates may share memory. */
int fluorite_buffers_overlap(const fluorite_buffer_t *a, const fluorite_buffer_t *b, int equal_points_may);
/* For a modulus of align_bounds() or align_storage() that is known only at run time. */
int fluorite_error_alignment_not_positive(void *context, const char *func, const char *var, const char *modulus_text,
                                          int32_t modulus);
int fluorite_error_integer_overflow(void *context, const char *func, const char *expression);
int fluorite_error_device_dirty_with_no_device_support(void *context, const char *buffer);
int fluorite_error_internal(void *context, const char *message);

/* ---- memory ------------------------------------------------------------------------------------------------------ */

enum { fluorite_malloc_alignment = 128 };

/* Allocates memory aligned to 128 bytes with 128 readable bytes after the end; null on failure. Freed blocks are
 * reused: up to 4 MiB per thread and 256 MiB per process are kept, marked so that a system that needs memory may
 * reclaim them. */
void *fluorite_malloc(void *context, size_t bytes);
void fluorite_free(void *context, void *pointer);
/* Returns the kept blocks of the process and of the calling thread to the system. */
void fluorite_release_kept_memory(void);
/* Sets whether fluorite_malloc fills blocks with 0xA5 bytes, which makes reads of uncomputed elements visible; returns
 * the previous setting. The environment variable FLUORITE_POISON=1 sets it initially. */
bool fluorite_set_poison_memory(bool on);
typedef void *(*fluorite_malloc_t)(void *context, size_t bytes);
typedef void (*fluorite_free_t)(void *context, void *pointer);
/* Install both while no block is in use (null: the default). Each returns the previous function. */
fluorite_malloc_t fluorite_set_custom_malloc(fluorite_malloc_t function);
fluorite_free_t fluorite_set_custom_free(fluorite_free_t function);

/* ---- parallel loops ---------------------------------------------------------------------------------------------- */

typedef int (*fluorite_task_t)(void *context, int index, uint8_t *closure);
/* Runs task(context, i, closure) for i in [min, min+size), in any order, on the thread pool; loops may nest. Returns 0,
 * or the result of the failing task with the lowest index, as sequential execution would. */
int fluorite_do_par_for(void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *name);
typedef int (*fluorite_do_par_for_t)(void *context, fluorite_task_t task, int min, int size, uint8_t *closure,
                                     const char *name);
fluorite_do_par_for_t fluorite_set_custom_do_par_for(fluorite_do_par_for_t function);
/* The number of threads that run a parallel loop, the caller included. 0 means the default: FLUORITE_NUM_THREADS, else
 * HL_NUM_THREADS, else HL_NUMTHREADS, else the cores that this process may use. Returns the previous number, or an error
 * code for n < 0. */
int fluorite_set_num_threads(int n);
int fluorite_get_num_threads(void);
/* Ends the pool's threads; a later loop starts them again. Precondition: no loop is running. */
void fluorite_shutdown_thread_pool(void);

/* ---- printing and tracing ---------------------------------------------------------------------------------------- */

/* Writes the text unchanged; the default writes to stdout. */
typedef void (*fluorite_print_t)(void *context, const char *text);
void fluorite_print(void *context, const char *text);
fluorite_print_t fluorite_set_custom_print(fluorite_print_t function);

/* Append at `at`, before `end`. All return the new end of the text, keep it zero-terminated and truncate. */
char *fluorite_append_text(char *at, char *end, const char *text);
/* `false` for 0, else `true`. */
char *fluorite_append_bool(char *at, char *end, uint64_t value);
char *fluorite_append_int64(char *at, char *end, int64_t value);
char *fluorite_append_uint64(char *at, char *end, uint64_t value);
/* Append the forms %f and %e of C, in its own locale. */
char *fluorite_append_float(char *at, char *end, float value);
char *fluorite_append_double(char *at, char *end, double value);
char *fluorite_append_pointer(char *at, char *end, const void *value);

typedef enum halide_trace_event_code_t {
    fluorite_trace_load = 0,
    fluorite_trace_store = 1,
    fluorite_trace_begin_realization = 2,
    fluorite_trace_end_realization = 3,
    fluorite_trace_produce = 4,
    fluorite_trace_end_produce = 5,
    fluorite_trace_consume = 6,
    fluorite_trace_end_consume = 7,
    fluorite_trace_begin_pipeline = 8,
    fluorite_trace_end_pipeline = 9,
    fluorite_trace_tag = 10
} fluorite_trace_event_code_t;

/* `dimensions` is the number of entries in `coordinates`. A load or store of n lanes has n entries for each dimension
 * of the Func (dimension d of lane l at [d*n + l]), and `value` points at n values. A realization, produce or consume
 * has a min and an extent for each dimension. */
typedef struct halide_trace_event_t {
    const char *func;
    void *value;
    int32_t *coordinates;
    const char *trace_tag;
    fluorite_type_t type;
    fluorite_trace_event_code_t event;
    int32_t parent_id;
    int32_t value_index;
    int32_t dimensions;
} fluorite_trace_event_t;

/* Returns the positive id of the event, which is the parent_id of the events inside it. */
typedef int32_t (*fluorite_trace_t)(void *context, const fluorite_trace_event_t *event);
int32_t fluorite_trace(void *context, const fluorite_trace_event_t *event);
fluorite_trace_t fluorite_set_custom_trace(fluorite_trace_t function);
/* Writes a readable line for an event, without newline, into at most `size` bytes; returns the length required. */
size_t fluorite_format_trace_event(const fluorite_trace_event_t *event, char *text, size_t size);

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

typedef struct fluorite_symbol_t {
    const char *name;
    void *address;
} fluorite_symbol_t;

/* Every function of this header by name, for an in-memory linker. */
const fluorite_symbol_t *fluorite_runtime_symbols(size_t *count);

#ifdef __cplusplus
} /* extern "C" */
#if __cplusplus >= 201103L
static_assert(sizeof(fluorite_type_t) == 4 && sizeof(fluorite_dimension_t) == 16 && sizeof(fluorite_buffer_t) == 56,
              "the layout is that of halide_buffer_t");
#endif
#endif
