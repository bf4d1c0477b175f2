#pragma once
/* The profiler of the runtime under Halide's names, for C99 and C++11; HalideRuntime.h includes it.
 *
 * No pipeline is compiled with a profiler, so the list of pipelines is empty, and reports say nothing. The layouts are
 * those that programs read. */

#include "HalideRuntimeServices.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of one Func: nanoseconds, bytes, and threads that worked on it. */
struct HALIDE_ATTRIBUTE_ALIGN(8) halide_profiler_func_stats {
    uint64_t time;
    uint64_t memory_current, memory_peak, memory_total;
    uint64_t stack_peak;
    uint64_t active_threads_numerator, active_threads_denominator;
    const char *name;
    int num_allocs;
};

/* Of all runs of one pipeline; `next` is that of the next pipeline. */
struct HALIDE_ATTRIBUTE_ALIGN(8) halide_profiler_pipeline_stats {
    uint64_t time;
    uint64_t memory_current, memory_peak, memory_total;
    uint64_t active_threads_numerator, active_threads_denominator;
    const char *name;
    struct halide_profiler_func_stats *funcs;
    void *next;
    int num_funcs;
    int runs;
    int samples;
    int num_allocs;
};

/* Of one run. */
struct HALIDE_ATTRIBUTE_ALIGN(8) halide_profiler_instance_state {
    uint64_t billed_time, start_time;
    uint64_t memory_current, memory_peak, memory_total;
    uint64_t active_threads_numerator, active_threads_denominator;
    struct halide_profiler_instance_state *next;
    struct halide_profiler_instance_state **prev_next;
    struct halide_profiler_pipeline_stats *pipeline_stats;
    struct halide_profiler_func_stats *funcs;
    int current_func;
    int active_threads;
    int samples;
    int num_allocs;
    int should_collect_statistics;
};

/* Of the process. */
struct halide_profiler_state {
    struct halide_mutex lock;
    struct halide_profiler_pipeline_stats *pipelines;
    struct halide_thread *sampling_thread;
    struct halide_profiler_instance_state *instances;
    void (*get_remote_profiler_state)(int *func, int *active_workers);
    int sleep_time; /* in microseconds */
    int shutdown;
};

struct halide_profiler_state *halide_profiler_get_state(void);
/* Null if no pipeline of that name has been profiled. */
struct halide_profiler_pipeline_stats *halide_profiler_get_pipeline_state(const char *name);
/* Returns the microseconds until the next sample is due. */
int halide_profiler_sample(struct halide_profiler_state *state, uint64_t *previous_time);
void halide_profiler_reset(void);
void halide_profiler_shutdown(void);
void halide_profiler_report(void *context);
void halide_profiler_lock(struct halide_profiler_state *state);
void halide_profiler_unlock(struct halide_profiler_state *state);

#ifdef __cplusplus
} /* extern "C" */
#endif
