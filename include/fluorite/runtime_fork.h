#pragma once
/* The C interface of tasks that run at once and wait for each other: what Func::async() is made of.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include "fluorite/runtime_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs task(context, i, closure) for i in [min, min+size), each on a thread of its own (the last one on the caller's), and
 * returns when all have ended. Returns 0, or the result of the failing task with the lowest index. Where one fails, the
 * others are stopped: semaphores that they wait for fail. */
int fluorite_do_fork(void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *name);

/* Semaphores are elements of an array of 64-bit words. */
int fluorite_semaphore_init(void *semaphores, int index, int64_t value);
/* Waits until the value is positive and takes 1 from it. Returns 0, or another number where the tasks of the fork that the
 * caller runs in are stopped; it then returns that number from its task. */
int fluorite_semaphore_acquire(void *semaphores, int index);
int fluorite_semaphore_release(void *semaphores, int index);
/* The number that a task returns that has been stopped. Nothing is reported. */
int fluorite_fork_stopped(void);

/* For tests of what runs at once (see runtime/task_order.cpp); 0 is off, and the value before is returned. With a delay, tasks
 * sleep at random where they start, wait and release. With an order, they run one at a time, and which one goes on is drawn
 * from the seed: 1 lets producers run as far ahead as they can, 2 lets none begin before it is waited for. The environment
 * variables FLUORITE_TASK_DELAY and FLUORITE_TASK_ORDER set the seeds of a process. */
uint64_t fluorite_set_task_delay(uint64_t seed);
uint64_t fluorite_set_task_order(uint64_t seed);

#ifdef __cplusplus
} /* extern "C" */
#endif
