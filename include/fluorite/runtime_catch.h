#pragma once
/* The C interface by which a caller of generated code takes the exceptions that its hooks throw: what realize() is made of.
 *
 * Hooks (error handlers, print, malloc, free, trace, parallel loops) are called by generated code, which no exception can
 * pass: it has no table to unwind it by, and would leave its memory behind. With a catcher, the runtime stops the exception
 * where the hook ends and hands it over. Without one, as in ahead-of-time code called from C, a hook must return.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include "fluorite/runtime_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero `failed` before the first use. */
typedef struct fluorite_catcher_t {
    /* Called for the first exception, while it is being handled, on the thread that it was thrown on. */
    void (*caught)(struct fluorite_catcher_t *self);
    int32_t failed; /* not 0 once an exception was caught; atomic */
} fluorite_catcher_t;

/* Sets the catcher of the calling thread, and of the threads that run tasks for it from now on; null for none. Returns what
 * was set before, which the caller puts back. Once it has caught an exception, hooks other than free are no longer called,
 * memory that a hook would provide is refused, and tasks that have not begun fail: the code ends soon, with its memory
 * freed, and returns a code that is not 0 where something was left out. */
fluorite_catcher_t *fluorite_set_catcher(fluorite_catcher_t *catcher);

#ifdef __cplusplus
} /* extern "C" */
#endif
