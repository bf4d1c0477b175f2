// Controlled execution orders of tasks, for tests.
//
// Concurrent tasks may interleave in very many orders, of which a quiet machine shows one. Two settings force others;
// both are off by default and then cost one load of a variable that is never written.
//
// Delays (fluorite_set_task_delay): where a task starts, waits for a semaphore or releases one, and before each chunk
// of a parallel loop, the thread continues, yields, or sleeps up to some milliseconds. The seed, the thread and a
// counter determine which.
//
// Schedules (fluorite_set_task_order): the tasks of forks run one at a time, and control passes to another task only
// where the running one starts, ends, waits or releases. The task with the highest priority continues. Priorities are
// drawn from the seed and redrawn now and then, so that few seeds show most orders of few operations (Burckhardt et
// al., A randomized scheduler with probabilistic guarantees of finding bugs). Seeds 1 and 2 are the extremes: with 1,
// producers run as far ahead as their semaphores allow; with 2, none begins before its consumer has to wait. Iterations
// of parallel loops run sequentially on the calling thread, in a drawn order. The same seed gives the same order,
// however busy the machine is. A task that reads data that another may be writing reads the wrong value in one of these
// orders, because each task runs alone between two semaphore operations.
//
// Participating threads are members of one list under one lock; exactly one of them runs. Other threads (of the pool,
// or of a custom parallel loop) run freely. If all members wait, none runs, as without a schedule. Relies on: condition
// variables. Does not do: order within a task, memory models weaker than this machine's.

#include "runtime/task_order.h"

#include "fluorite/runtime/fork.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <sched.h>
#include <thread>

namespace fluorite_runtime {

thread_local ScheduledTask *current_task = nullptr;

namespace {

uint64_t seed_from(const char *variable) {
    const char *value = std::getenv(variable);
    return value != nullptr ? std::strtoull(value, nullptr, 10) : 0;
}
std::atomic<uint64_t> delay_seed{seed_from("FLUORITE_TASK_DELAY")}, order_seed{seed_from("FLUORITE_TASK_ORDER")};

uint64_t mixed(uint64_t z) {
    z += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

// ---- Schedules.

constexpr uint64_t producers_first = 1, consumers_first = 2;

std::mutex mutex; // guards all below
ScheduledTask *members = nullptr, *running = nullptr;
uint64_t seed = order_seed, draws = 0, joined = 0;

// Restarts the draws: the same seed gives the same order from here on.
void begin_with(uint64_t given) {
    seed = given;
    draws = joined = 0;
}

uint64_t draw() { return mixed(seed + draws++ * 0x2545f4914f6cdd1dU); }

// The last task of a fork continues as the thread that forked, so the other tasks joined later.
uint64_t first_priority() {
    joined++;
    return seed == producers_first ? joined : seed == consumers_first ? ~joined : draw();
}

void add(ScheduledTask &task) {
    task.priority = first_priority();
    task.next = members;
    members = &task;
}

void choose() {
    running = nullptr;
    for (ScheduledTask *task = members; task != nullptr; task = task->next) {
        if (task->waits_for == nullptr && (running == nullptr || task->priority > running->priority)) {
            running = task;
        }
    }
    if (running != nullptr) {
        running->may_go.notify_one();
    }
}

void await(ScheduledTask &task, std::unique_lock<std::mutex> &lock) {
    task.may_go.wait(lock, [&] { return running == &task; });
}

void remove(const ScheduledTask &task) {
    for (ScheduledTask **at = &members; *at != nullptr; at = &(*at)->next) {
        if (*at == &task) {
            *at = task.next;
            return;
        }
    }
}

void wake(const void *address) {
    for (ScheduledTask *task = members; task != nullptr; task = task->next) {
        if (address == nullptr || task->waits_for == address) {
            task->waits_for = nullptr;
        }
    }
}

} // namespace

bool serializes_tasks() { return current_task != nullptr || order_seed.load(std::memory_order_relaxed) != 0; }

void enter_schedule(ScheduledTask &task) {
    std::unique_lock lock(mutex);
    if (members == nullptr && seed != order_seed.load()) { // it was set while scheduled tasks were running
        begin_with(order_seed.load());
    }
    add(task);
    current_task = &task;
    if (running == nullptr) {
        choose();
    }
    await(task, lock);
}

void add_task(ScheduledTask &task) {
    const std::lock_guard lock(mutex);
    add(task);
}

void remove_task(ScheduledTask &task) {
    const std::lock_guard lock(mutex);
    remove(task);
}

void begin_task(ScheduledTask &task) {
    std::unique_lock lock(mutex);
    current_task = &task;
    await(task, lock);
}

void end_task(const void *ended, const std::function<void()> &at_end) {
    const std::lock_guard lock(mutex);
    remove(*current_task);
    current_task = nullptr;
    at_end();
    if (ended != nullptr) {
        wake(ended);
    }
    choose();
}

void yield_task() {
    if (current_task == nullptr) {
        return;
    }
    std::unique_lock lock(mutex);
    if (seed > consumers_first && draw() % (1 + seed % 5) == 0) {
        current_task->priority = draw();
    }
    choose();
    await(*current_task, lock);
}

void block_task(const void *address, const std::function<bool()> &is_ready) {
    std::unique_lock lock(mutex);
    while (!is_ready()) {
        current_task->waits_for = address;
        choose();
        await(*current_task, lock);
    }
}

void wake_tasks(const void *address) {
    if (!serializes_tasks()) {
        return;
    }
    const std::lock_guard lock(mutex);
    wake(address);
    if (running == nullptr) {
        choose();
    }
}

LoopOrder draw_loop_order(int64_t size) {
    const std::lock_guard lock(mutex);
    if (size < 2 || seed == producers_first) {
        return {};
    }
    if (seed == consumers_first) {
        return {size - 1, size - 1}; // the last one first
    }
    LoopOrder order{static_cast<int64_t>(draw() % static_cast<uint64_t>(size)),
                    static_cast<int64_t>(1 + draw() % static_cast<uint64_t>(size - 1))};
    while (std::gcd(order.step, size) != 1) {
        order.step++;
    }
    return order;
}

void delay_task() {
    const uint64_t given = delay_seed.load(std::memory_order_relaxed);
    if (given == 0) {
        return;
    }
    static std::atomic<uint64_t> threads{0};
    thread_local const uint64_t thread = threads.fetch_add(1);
    thread_local uint64_t count = 0;
    const uint64_t drawn = mixed(given ^ mixed(thread * 0x9e3779b9U + count++));
    const auto microseconds = static_cast<int64_t>(drawn >> 32);
    if (drawn % 64 < 9) {
        std::this_thread::sleep_for(std::chrono::microseconds(microseconds % (drawn % 64 == 0 ? 3000 : 100)));
    } else if (drawn % 64 < 21) {
        sched_yield();
    }
}

} // namespace fluorite_runtime

extern "C" {

uint64_t fluorite_set_task_delay(uint64_t seed) { return fluorite_runtime::delay_seed.exchange(seed); }

uint64_t fluorite_set_task_order(uint64_t seed) {
    using namespace fluorite_runtime;
    const std::lock_guard lock(mutex);
    if (members == nullptr) {
        begin_with(seed);
    }
    return order_seed.exchange(seed);
}
}
