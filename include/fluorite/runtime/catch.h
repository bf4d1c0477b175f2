#pragma once
/* The C interface through which a caller of generated code, such as realize(), receives the exceptions of its hooks.
 *
 * Generated code calls hooks (error handlers, print, malloc, free, trace, parallel loops). No exception can propagate
 * through it: it has no unwind tables, and would leak its memory. With a catcher, the runtime catches the exception at
 * the end of the hook and passes it on. Without one, as in ahead-of-time code called from C, a hook must return.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include "fluorite/runtime_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero `failed` before the first use. */
typedef struct fluorite_catcher_t {
    /* Called for the first exception, while it is being handled, on the thread that threw it. */
    void (*caught)(struct fluorite_catcher_t *self);
    int32_t failed; /* nonzero once an exception was caught; atomic */
} fluorite_catcher_t;

/* Sets the catcher (or null) of the calling thread and of the threads that run tasks for it from now on. Returns the
 * previous catcher, which the caller restores. After an exception, hooks other than free are no longer called,
 * allocations by hooks fail, and tasks that have not begun fail. So the code ends soon, with its memory freed, and
 * returns a nonzero code if work was left undone. */
fluorite_catcher_t *fluorite_set_catcher(fluorite_catcher_t *catcher);

#ifdef __cplusplus
} /* extern "C" */
#endif
