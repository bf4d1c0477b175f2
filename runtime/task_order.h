#pragma once
// Controlled execution orders of tasks, for tests: see task_order.cpp.

#include <condition_variable>
#include <cstdint>
#include <functional>

namespace fluorite_runtime {

/// Delays the thread at random if fluorite_set_task_delay requested it.
void delay_task();

/// A thread of which one at a time runs: a task of a fork, or the thread that forks first.
struct ScheduledTask {
    std::condition_variable may_go;
    uint64_t priority = 0;
    const void *waits_for = nullptr; // null: it can run
    ScheduledTask *next = nullptr;
};

/// That of the calling thread; null if threads run freely.
extern thread_local ScheduledTask *current_task;

/// Whether a fork that starts now runs one task at a time.
bool serializes_tasks();

/// The calling thread, which forks first, becomes one, and waits until it is chosen.
void enter_schedule(ScheduledTask &task);
/// Adds a task whose thread has yet to arrive.
void add_task(ScheduledTask &task);
/// Removes a task for which no thread will arrive.
void remove_task(ScheduledTask &task);
/// The task's thread has arrived, and waits until it is chosen.
void begin_task(ScheduledTask &task);
/// The calling thread leaves. `at_end` runs before the next one continues, which may destroy the task.
void end_task(const void *ended, const std::function<void()> &at_end);
/// Lets another thread continue here.
void yield_task();
/// Lets others continue until `is_ready` holds, which is evaluated when a thread wakes the waiters of the address.
void block_task(const void *address, const std::function<bool()> &is_ready);
/// Wakes the threads that wait for the address; null: all waiting threads.
void wake_tasks(const void *address);

/// The order of a parallel loop's iterations: the i-th to run is (i * step + first) % size.
struct LoopOrder {
    int64_t first = 0, step = 1;
};
LoopOrder draw_loop_order(int64_t size);

} // namespace fluorite_runtime
