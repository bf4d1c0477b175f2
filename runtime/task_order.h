#pragma once
// The orders in which tasks may run, for tests: see task_order.cpp.

#include <condition_variable>
#include <cstdint>
#include <functional>

namespace fluorite_runtime {

/// Lets time pass at random where fluorite_set_task_delay asked for it.
void delay_task();

/// A thread's place among those that run one at a time.
struct Turn {
    std::condition_variable may_go;
    uint64_t priority = 0;
    const void *waits_for = nullptr; // null: it can go on
    Turn *next = nullptr;
};

/// That of the calling thread; null where threads run freely.
extern thread_local Turn *own_turn;

/// Whether a fork that starts now runs one task at a time.
bool takes_turns();

/// The thread that forks first takes part, and waits until it is its turn.
void join_turns(Turn &turn);
/// A task takes part whose thread has yet to come.
void add_turn(Turn &turn);
/// No thread will come.
void drop_turn(Turn &turn);
/// Its thread has come, and waits until it is its turn.
void begin_turn(Turn &turn);
/// The calling thread takes part no longer. `at_end` runs before the next one goes on, which may destroy the turn.
void end_turn(const void *ended, const std::function<void()> &at_end);
/// Another one may go on here.
void pause_turn();
/// Others go on until `is_ready` holds, which is looked at when somebody wakes those that wait for the address.
void wait_turn(const void *address, const std::function<bool()> &is_ready);
/// Those that wait for the address can go on; null: all that wait.
void wake_turns(const void *address);

/// The order of a parallel loop's iterations: the i-th to run is (i * step + first) % size.
struct LoopOrder {
    int64_t first = 0, step = 1;
};
LoopOrder draw_loop_order(int64_t size);

} // namespace fluorite_runtime
