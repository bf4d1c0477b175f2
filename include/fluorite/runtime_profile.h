#pragma once
/* Results of the profiler, of pipelines that were compiled with target feature profile or profile_by_timer. Those of
 * halide_profiler_report and halide_profiler_get_state (fluorite/compat/HalideRuntimeProfiler.h) are the same numbers.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include "fluorite/runtime_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the results of all runs since the last reset as JSON, ended by a zero, into at most `size` bytes; returns the
 * length that the text has without the zero. Times are in nanoseconds, memory in bytes. */
size_t fluorite_profile_json(char *text, size_t size);
/* Writes the results of all runs since the last reset to a file. The end of the path says in which form: `.json`;
 * `.html`, a page without references to others, with the table and, if events were recorded, a line for each thread;
 * any other, the text of the report. Returns 0, or the code of an error that was reported: [profile-file]. */
int fluorite_profile_write(void *context, const char *path);
/* Sets whether runs record when which thread computed which Func, for the page; returns the previous setting. The
 * environment variable FLUORITE_PROFILE with a path that ends in .html sets it initially. */
bool fluorite_profile_set_timeline(bool on);

#ifdef __cplusplus
} /* extern "C" */
#endif
