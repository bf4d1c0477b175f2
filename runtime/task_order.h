#pragma once
// Controlled execution orders of tasks, for tests: see task_order.cpp.

#include <condition_variable>
#include <cstdint>
#include <functional>

namespace fluorite_runtime {

/// Delays the thread at random if fluorite_set_task_delay requested it.
void delay_task();

/// The state of a thread that runs in turns.
struct Turn {
    std::condition_variable may_go;
    uint64_t priority = 0;
    const void *waits_for = nullptr; // null: it can run
    Turn *next = nullptr;
};

/// The calling thread's turn; null if threads run freely.
extern thread_local Turn *own_turn;

/// Whether a fork that starts now runs one task at a time.
bool takes_turns();

/// The calling thread, which forks first, joins and waits for its turn.
void join_turns(Turn &turn);
/// Adds a task whose thread has yet to arrive.
void add_turn(Turn &turn);
/// Removes a task for which no thread will arrive.
void drop_turn(Turn &turn);
/// The task's thread has arrived, and waits for its turn.
void begin_turn(Turn &turn);
/// The calling thread leaves. `at_end` runs before the next one continues, which may destroy the turn.
void end_turn(const void *ended, const std::function<void()> &at_end);
/// Lets another thread continue here.
void pause_turn();
/// Lets others continue until `is_ready` holds, which is evaluated when a thread wakes the waiters of the address.
void wait_turn(const void *address, const std::function<bool()> &is_ready);
/// Wakes the threads that wait for the address; null: all waiting threads.
void wake_turns(const void *address);

/// The order of a parallel loop's iterations: the i-th to run is (i * step + first) % size.
struct LoopOrder {
    int64_t first = 0, step = 1;
};
LoopOrder draw_loop_order(int64_t size);

} // namespace fluorite_runtime
