#pragma once
/* The header of C source that Fluorite writes (Func::compile_to_c): what the file takes from its compiler, and the
 * functions of the runtime that only generated code calls. It is C99 and C++17, for gcc and clang on machines whose
 * float arithmetic is that of IEEE 754.
 *
 * Bits. The file gives the same bits as machine code of the same program on every compiler, so products and sums must
 * not be contracted, and nothing may be reassociated: the header says so to the compiler, and refuses options that it
 * cannot undo (-ffast-math, arithmetic in wider registers).
 *
 * Vectors are the compilers' own (vector_size), and pairs of them where they are wider than a register; or, with
 * -DFLUORITE_NO_VECTORS and before gcc 12, structs of lanes. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <float.h>

#include "fluorite/runtime_abi.h"
#include "fluorite/runtime_memoization.h"

#ifdef __cplusplus
#include <math.h> /* C++'s own has functions for each type of float, as OpenCL C has */
#else
#include <tgmath.h>
#endif

#if defined(__FAST_MATH__)
#error "compile without -ffast-math: it changes results"
#endif
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the bytes of numbers must be in little-endian order"
#endif
#if FLT_EVAL_METHOD != 0
#error "floats must be computed in their own type: use SSE2 (-msse2 -mfpmath=sse)"
#endif

#if defined(__GNUC__) /* of vectors that functions of the file pass, which are expanded inline */
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) /* nothing reads errno or the exceptions that floats raise */
#pragma GCC optimize("fp-contract=off", "no-math-errno", "no-trapping-math")
#endif

/* ---- functions and memory ---------------------------------------------------------------------------------------- */

#if defined(__GNUC__)
#define FLUORITE_INLINE static inline __attribute__((always_inline, unused))
#define FLUORITE_FUNCTION static inline __attribute__((unused))
#define FLUORITE_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define FLUORITE_RESTRICT __restrict__
#define FLUORITE_USUALLY(condition) __builtin_expect(!!(condition), 1)
#define FLUORITE_PREFETCH(address) __builtin_prefetch(address)
#else
#error "generated C source needs gcc or clang"
#endif

typedef const void *fluorite_pointer; /* a value that is a pointer */

#ifdef __cplusplus
/* A pointer that a function takes as whatever it declares. */
struct fluorite_any_pointer {
    const void *address;
    /* The address, as any type of pointer. */
    template <typename T> operator T *() const { return static_cast<T *>(const_cast<void *>(address)); }
};
#define FLUORITE_POINTER(address) (fluorite_any_pointer{address})
#define FLUORITE_EXTERN extern "C"
#define FLUORITE_PUBLIC extern "C"
#define FLUORITE_ZERO                                                                                                  \
    {                                                                                                                  \
    }
#else
#define FLUORITE_POINTER(address) ((void *)(address))
#define FLUORITE_EXTERN extern
#define FLUORITE_PUBLIC
#define FLUORITE_ZERO {0}
#endif

/* ---- bits -------------------------------------------------------------------------------------------------------- */

#define FLUORITE_BITS_AS(name, result, given)                                                                          \
    FLUORITE_INLINE result name(given bits) {                                                                          \
        result value;                                                                                                  \
        memcpy(&value, &bits, sizeof(value));                                                                          \
        return value;                                                                                                  \
    }
FLUORITE_BITS_AS(fluorite_as_float, float, uint32_t)
FLUORITE_BITS_AS(fluorite_as_double, double, uint64_t)
FLUORITE_BITS_AS(fluorite_as_int32, int32_t, float)
FLUORITE_BITS_AS(fluorite_as_uint32, uint32_t, float)
FLUORITE_BITS_AS(fluorite_as_int64, int64_t, double)
FLUORITE_BITS_AS(fluorite_as_uint64, uint64_t, double)
#undef FLUORITE_BITS_AS

/* The numbers of leading zeros, which for 0 is the width, and of ones, in 32 or 64 bits: those of the operand. */
#define fluorite_leading_zeros(x)                                                                                      \
    ((x) == 0 ? (int)sizeof(x) * 8 : sizeof(x) == 8 ? __builtin_clzll((uint64_t)(x)) : __builtin_clz((uint32_t)(x)))
#define fluorite_ones(x) (sizeof(x) == 8 ? __builtin_popcountll((uint64_t)(x)) : __builtin_popcount((uint32_t)(x)))

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

/* FLUORITE_VECTOR(element, name, lanes, stored) defines the type `name`; `stored` is a power of two, the lanes in memory
 * of a compiler's vector. FLUORITE_PAIR(element, name, lanes, low, high) defines one that is wider than a register, of
 * vectors or pairs `low` and `high`. FLUORITE_SELECT(type, mask_type, mask, a, b) is a where lanes of the mask are -1,
 * and b where they are 0. */
#if !defined(FLUORITE_NO_VECTORS) && (defined(__clang__) || __GNUC__ >= 12)
#define FLUORITE_VECTORS 1
#define FLUORITE_VECTOR(element, name, lanes, stored)                                                                  \
    typedef element name __attribute__((vector_size(sizeof(element) * (stored))))
#define FLUORITE_PAIR(element, name, lanes, low, high)                                                                 \
    typedef struct {                                                                                                   \
        low lo;                                                                                                        \
        high hi;                                                                                                       \
    } name
#define FLUORITE_LANE(vector, i) ((vector)[i])
#define FLUORITE_LANES(...) {__VA_ARGS__}
#ifdef __cplusplus
#define FLUORITE_SELECT(type, mask_type, mask, a, b) ((mask) ? (type)(a) : (type)(b))
#else
#define FLUORITE_SELECT(type, mask_type, mask, a, b) ((type)(((mask) & (mask_type)(a)) | (~(mask) & (mask_type)(b))))
#endif
#else
#define FLUORITE_VECTORS 0
#define FLUORITE_VECTOR(element, name, lanes, stored)                                                                  \
    typedef struct {                                                                                                   \
        element lane[lanes];                                                                                           \
    } name
#define FLUORITE_PAIR(element, name, lanes, low, high) FLUORITE_VECTOR(element, name, lanes, lanes)
#define FLUORITE_LANE(vector, i) ((vector).lane[i])
#define FLUORITE_LANES(...)                                                                                            \
    {                                                                                                                  \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#endif

/* Whether the compiler has a function of its own. */
#if defined(__has_builtin)
#define FLUORITE_HAS_BUILTIN(name) __has_builtin(name)
#else
#define FLUORITE_HAS_BUILTIN(name) 0
#endif

/* ---- headers ----------------------------------------------------------------------------------------------------- */

/* A buffer of the host for a function of the program. The bits of a type are those of fluorite_type_t. */
FLUORITE_FUNCTION void fluorite_set_header(fluorite_buffer_t *header, const void *host, uint32_t type_bits,
                                           int32_t dimensions, fluorite_dimension_t *dim) {
    header->device = 0;
    header->device_interface = NULL;
    header->host = (uint8_t *)host;
    header->flags = 0;
    memcpy((void *)&header->type, &type_bits, 4);
    header->dimensions = dimensions;
    header->dim = dim;
    header->padding = NULL;
}

/* ---- locks ------------------------------------------------------------------------------------------------------- */

/* Of atomic updates, one for each Func: critical sections are a few instructions. */
FLUORITE_FUNCTION void fluorite_take_lock(int32_t *lock) {
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0) {
    }
}
/* Releases a lock that fluorite_take_lock has taken. */
FLUORITE_FUNCTION void fluorite_release_lock(int32_t *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

/* ---- the profiler ------------------------------------------------------------------------------------------------ */

/* The current Func of a profiler's block (fluorite/runtime/profile.h), which the thread that samples reads. */
FLUORITE_FUNCTION void fluorite_profile_set(void *block, int32_t func) {
    __atomic_store_n((int32_t *)block, func, __ATOMIC_RELAXED);
}
/* Adds to a counter of the block. */
FLUORITE_FUNCTION void fluorite_profile_add(void *block, size_t offset, int64_t count) {
    *(int64_t *)((char *)block + offset) += count;
}

/* ---- the runtime ------------------------------------------------------------------------------------------------- */

#ifdef __cplusplus
extern "C" {
#endif
/* What fluorite/runtime/checks.h, fork.h and iterate.h document, and fluorite/runtime_ranks.h. */
int fluorite_check_ranges(void *context, const char *program, const double *arguments, int32_t count);
void *fluorite_user_context(void *context);
void fluorite_element_range(const fluorite_buffer_t *buffer, int64_t *range);
int fluorite_buffer_overlaps_itself(const fluorite_buffer_t *buffer);
int fluorite_error_bad_access(void *context, const char *buffer, int64_t index, int64_t first, int64_t last);
int fluorite_debug_to_file(void *context, const char *path, const fluorite_buffer_t *buffer);
int fluorite_do_fork(void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *name);
int fluorite_semaphore_init(void *semaphores, int index, int64_t value);
int fluorite_semaphore_acquire(void *semaphores, int index);
int fluorite_semaphore_release(void *semaphores, int index);
int fluorite_fork_stopped(void);
int fluorite_iterate(void *context, const char *description, void *const *operands);
int fluorite_distributed_run(void *context, const char *description, void *const *operands);
/* What fluorite/runtime/profile.h documents. */
int fluorite_profile_run(void *context, const char *description, void *const *operands);
void *fluorite_profile_block(void);
int fluorite_profile_enter(void *block, int func);
int fluorite_profile_leave(void *block, int func);
int fluorite_profile_needed(void *block, int func, int64_t points);
int fluorite_profile_allocate(void *block, int func, int64_t bytes);
int fluorite_profile_free_bytes(void *block, int func, int64_t bytes);
#ifdef __cplusplus
} /* extern "C" */
#endif
