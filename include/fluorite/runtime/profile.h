#pragma once
/* The C interface between code that is compiled with target feature profile or profile_by_timer and the profiler of the
 * runtime (runtime/profile/).
 *
 * A run of a profiled pipeline is an instance. Each thread that works for it has a block: the number of the Func that
 * the thread computes, and counters for each Func. Generated code writes both in place; the runtime knows whether a
 * thread works, waits or is idle.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include "fluorite/runtime_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first entries of the list of Funcs of every pipeline; those of the pipeline follow. */
enum {
    fluorite_profile_overhead = 0, /* what belongs to no Func */
    fluorite_profile_waiting = 1,  /* no thread works */
    fluorite_profile_malloc = 2,
    fluorite_profile_free = 3,
    fluorite_profile_first_func = 4
};

/* The bytes of a block that generated code accesses: an Int32 at its begin is the current Func, and from
 * fluorite_profile_counters on, each Func has as many bytes as fluorite_profile_counter_bytes, which begin with two
 * Int64: how often it was produced, and how many points were computed. */
enum { fluorite_profile_counters = 64, fluorite_profile_counter_bytes = 32, fluorite_profile_points = 8 };

/* Runs a pipeline as an instance: calls the function, and bills its time and memory. `description` consists of lines:
 * the name of the pipeline; `sampled` or `timed`; a letter for each argument of the function: `b` a buffer, `s` a
 * scalar, `h` a scalar that is a pointer, `c` the user context, of which there is no operand; then for each Func the
 * bytes that it takes of the stack; the points of each of its productions, 0 if they are counted, or -1 if they are not
 * known; and after a space its name. The operands are the function of form int(void **), and one for each argument but
 * the context. Returns the code of the function. A bounds query is not billed. */
int fluorite_profile_run(void *context, const char *description, void *const *operands);
/* The block of the calling thread. It is valid until the task ends; without an instance, nothing reads it. */
void *fluorite_profile_block(void);
/* The thread begins or goes on to compute a Func; with time stamps. */
int fluorite_profile_enter(void *block, int func);
int fluorite_profile_leave(void *block, int func);
/* So many more points of a Func are needed. */
int fluorite_profile_needed(void *block, int func, int64_t points);
/* A Func gets or frees memory on the heap. */
int fluorite_profile_allocate(void *block, int func, int64_t bytes);
int fluorite_profile_free_bytes(void *block, int func, int64_t bytes);

/* After a run of code that is compiled in memory: prints the results since the last reset and resets them; with
 * FLUORITE_PROFILE, which is written at the end of the process, does nothing. */
void fluorite_profile_after_run(void *context);

#ifdef __cplusplus
} /* extern "C" */
#endif
