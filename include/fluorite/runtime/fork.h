#pragma once
/* The C interface of concurrent tasks that wait for each other, on which Func::async() is built.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include "fluorite/runtime_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs task(context, i, closure) for i in [min, min+size), each on its own thread (the last one on the caller's), and
 * returns when all have ended. Returns 0, or the result of the failing task with the lowest index. If one fails, the
 * others are stopped: their waits for semaphores fail. */
int fluorite_do_fork(void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *name);

/* Semaphores are elements of an array of 64-bit words. */
int fluorite_semaphore_init(void *semaphores, int index, int64_t value);
/* Waits until the value is positive and decrements it. Returns 0. Returns a nonzero number if the tasks of the caller's
 * fork are stopped; the caller must then return that number from its task. */
int fluorite_semaphore_acquire(void *semaphores, int index);
int fluorite_semaphore_release(void *semaphores, int index);
/* The number that a stopped task returns. No error is reported. */
int fluorite_fork_stopped(void);

/* For tests of concurrency (see runtime/task_order.cpp). A seed of 0 means off; both functions return the previous
 * seed. With a delay, tasks sleep for random times when they start, wait and release. With an order, tasks run one at a
 * time, and the seed determines which one continues: 1 lets producers run as far ahead as possible, 2 starts each only
 * when another task waits for it. The environment variables FLUORITE_TASK_DELAY and FLUORITE_TASK_ORDER set the initial
 * seeds. */
uint64_t fluorite_set_task_delay(uint64_t seed);
uint64_t fluorite_set_task_order(uint64_t seed);

#ifdef __cplusplus
} /* extern "C" */
#endif
