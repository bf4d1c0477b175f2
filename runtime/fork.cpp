// Concurrent tasks, and the semaphores that synchronize them.
//
// What: fluorite_do_fork runs a few tasks concurrently, each on its own thread, and returns when all have ended. A task
// may wait for another one by semaphores, so all of them must make progress, however few threads the pool for parallel
// loops has: they use dedicated threads, which are kept for the next fork.
//
// Why this cannot deadlock: a task of a fork waits only for semaphores of enclosing forks, whose tasks all have
// threads; the values that those tasks wait for were produced earlier in serial program order. Parallel loops inside a
// task run on the pool as usual; their iterations wait for no semaphore of a fork around the loop (a Func that is
// stored outside a parallel loop is not computed inside it), so a thread that helps with one always returns.
//
// Failure: the first failing task stops its fork. Every waiter in it, or in a nested fork, returns stopped_code
// through all of its calls. The error of the failing task with the lowest index moves to the thread that forked.
//
// Waiting: a thread spins for some 20 us on the semaphore, then sleeps on an epoch that all semaphores share and that
// changes when one is released while a thread sleeps. Forks are few, so spurious wakes cost little.
//
// Tests may delay and order tasks: task_order.cpp.
//
// Relies on: pthreads, std::atomic::wait. Cost: some 10 us to wake a thread, 20 us more to create the first; 0.1 us for
// a release without sleepers.

#include "fluorite/runtime/fork.h"
#include "runtime/catcher.h"
#include "runtime/fork_group.h"
#include "runtime/profile/profile.h"
#include "runtime/task_order.h"

#include <atomic>
#include <mutex>
#include <pthread.h>
#include <signal.h>
#include <string>
#include <vector>

namespace fluorite_runtime {
thread_local ForkGroup *current_fork = nullptr;
}

namespace {

using fluorite_runtime::current_fork;
using fluorite_runtime::current_task;
using fluorite_runtime::ForkGroup;

constexpr int stopped_code = -1000;
constexpr int spin_rounds = 600;

void pause_cpu() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// ---- Waiting.

std::atomic<uint32_t> epoch{0};
std::atomic<int> sleepers{0};

void wake_all() {
    if (sleepers.load() > 0) {
        epoch.fetch_add(1);
        epoch.notify_all();
    }
}

int64_t *address_of(void *semaphores, int index) { return static_cast<int64_t *>(semaphores) + index; }
std::atomic_ref<int64_t> semaphore(void *semaphores, int index) {
    return std::atomic_ref<int64_t>(*address_of(semaphores, index));
}

bool try_acquire(std::atomic_ref<int64_t> value) {
    int64_t seen = value.load();
    while (seen > 0) {
        if (value.compare_exchange_weak(seen, seen - 1)) {
            return true;
        }
    }
    return false;
}

bool is_stopped() { return current_fork != nullptr && current_fork->is_stopped(); }

// ---- Threads.

// One task of a fork, on the stack of the thread that forked.
struct Side {
    void *context;
    fluorite_task_t task;
    int index;
    uint8_t *closure;
    ForkGroup *group;
    fluorite_catcher_t *catcher;
    int result = 0;
    int error_code = 0;
    std::string error_message;
    std::atomic<bool> done{false};
    bool is_serialized = false; // tasks run one at a time
    fluorite_runtime::ScheduledTask scheduled;

    void run() {
        fluorite_runtime::delay_task();
        ForkGroup *const outer = current_fork;
        current_fork = group;
        {
            const fluorite_runtime::CatcherScope scope(catcher);
            result = fluorite_runtime::call_hook(static_cast<int>(fluorite_error_code_generic_error),
                                                 [&] { return task(context, index, closure); });
        }
        current_fork = outer;
        if (result == 0) {
            return;
        }
        if (result != stopped_code) {
            error_code = fluorite_last_error_code();
            error_message = fluorite_last_error_message();
            fluorite_clear_error();
        }
        group->stopped = true;
        wake_all();
        fluorite_runtime::wake_tasks(nullptr);
    }
};

class Threads {
  public:
    ~Threads() {
        const std::lock_guard lock(mutex_);
        for (Worker *worker : idle_) {
            worker->leave = true;
            worker->side = nullptr;
            worker->given.fetch_add(1);
            worker->given.notify_one();
            pthread_join(worker->thread, nullptr);
            delete worker;
        }
        idle_.clear();
    }

    // Returns false if no thread is available.
    bool start(Side &side) {
        Worker *worker = nullptr;
        {
            const std::lock_guard lock(mutex_);
            if (!fork_handler_set_) {
                fork_handler_set_ = pthread_atfork(nullptr, nullptr, forget) == 0;
            }
            if (!idle_.empty()) {
                worker = idle_.back();
                idle_.pop_back();
            }
        }
        if (worker != nullptr) {
            worker->side = &side;
            worker->given.fetch_add(1);
            worker->given.notify_one();
            return true;
        }
        worker = new Worker;
        worker->side = &side;
        worker->given = 1;
        sigset_t all, previous;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &previous); // the program's own threads handle signals
        const bool made = pthread_create(&worker->thread, nullptr, work, worker) == 0;
        pthread_sigmask(SIG_SETMASK, &previous, nullptr);
        if (!made) {
            delete worker;
        }
        return made;
    }

  private:
    struct Worker {
        pthread_t thread{};
        Side *side = nullptr;
        bool leave = false;
        std::atomic<uint32_t> given{0};
    };

    std::mutex mutex_;
    std::vector<Worker *> idle_;
    bool fork_handler_set_ = false;

    static void *work(void *argument);
    static void forget();
};

Threads threads;

void *Threads::work(void *argument) {
    pthread_setname_np(pthread_self(), "fluorite-async");
    auto *self = static_cast<Worker *>(argument);
    uint32_t taken = 0;
    while (true) {
        self->given.wait(taken);
        taken++;
        if (self->leave) {
            return nullptr;
        }
        Side *side = self->side;
        const bool is_serialized = side->is_serialized;
        if (is_serialized) {
            fluorite_runtime::begin_task(side->scheduled);
        }
        side->run();
        {
            const std::lock_guard lock(threads.mutex_);
            threads.idle_.push_back(self);
        }
        const auto end = [&] { side->done.store(true); }; // the last access: afterwards its thread may destroy it
        is_serialized ? fluorite_runtime::end_task(side, end) : end();
        wake_all();
    }
}

// A forked child process has none of the parent's worker threads.
void Threads::forget() {
    threads.idle_.clear();
    sleepers = 0;
}

void wait_for(const Side &side) {
    if (current_task != nullptr) {
        fluorite_runtime::block_task(&side, [&] { return side.done.load(); });
        return;
    }
    for (int round = 0; !side.done.load(); round++) {
        if (round < spin_rounds) {
            pause_cpu();
            continue;
        }
        sleepers.fetch_add(1);
        const uint32_t seen = epoch.load();
        if (!side.done.load()) {
            epoch.wait(seen);
        }
        sleepers.fetch_sub(1);
    }
}

int run_fork(void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *name) {
    ForkGroup group;
    group.parent = current_fork;
    const bool is_serialized = fluorite_runtime::serializes_tasks(), joins = is_serialized && current_task == nullptr;
    fluorite_runtime::ScheduledTask scheduled;
    if (joins) {
        fluorite_runtime::enter_schedule(scheduled);
    }
    std::vector<Side> sides(static_cast<size_t>(size > 0 ? size : 0));
    int started = 0;
    bool has_threads = true;
    for (int i = 0; i < size; i++) {
        Side &side = sides[static_cast<size_t>(i)];
        side.context = context;
        side.task = task;
        side.index = min + i;
        side.closure = closure;
        side.group = &group;
        side.catcher = fluorite_runtime::current_catcher;
    }
    for (; started + 1 < size && has_threads; started++) {
        Side &side = sides[static_cast<size_t>(started)];
        side.is_serialized = is_serialized;
        if (is_serialized) {
            fluorite_runtime::add_task(side.scheduled);
        }
        has_threads = threads.start(side);
        if (!has_threads) {
            started--;
            fluorite_runtime::remove_task(side.scheduled);
        }
    }
    if (!has_threads) {
        group.stopped = true;
        wake_all();
    } else if (size > 0) {
        fluorite_runtime::yield_task();
        sides.back().run();
    }
    for (int i = 0; i < started; i++) {
        wait_for(sides[static_cast<size_t>(i)]);
    }
    if (joins) {
        fluorite_runtime::end_task(nullptr, [] {});
    }
    if (!has_threads) {
        return fluorite_error_out_of_memory(context, name, 0);
    }
    int result = 0;
    for (const Side &side : sides) {
        if (side.result != 0 && (result == 0 || result == stopped_code)) {
            result = side.result;
            if (side.error_code != 0) {
                fluorite_store_error(side.error_code, side.error_message.c_str());
            }
        }
    }
    return result;
}

/// Blocks until the semaphore is positive, or the fork stops.
int acquire_slowly(const std::atomic_ref<int64_t> value, void *semaphores, int index) {
    const fluorite_runtime::profile::OtherScope waiting(fluorite_runtime::profile::idle);
    for (int round = 0;; round++) {
        if (try_acquire(value)) {
            return 0;
        }
        if (is_stopped()) {
            return stopped_code;
        }
        if (current_task != nullptr) {
            fluorite_runtime::block_task(address_of(semaphores, index),
                                         [&] { return value.load() > 0 || is_stopped(); });
            continue;
        }
        if (round < spin_rounds) {
            pause_cpu();
            continue;
        }
        sleepers.fetch_add(1);
        const uint32_t seen = epoch.load();
        if (value.load() <= 0 && !is_stopped()) {
            epoch.wait(seen);
        }
        sleepers.fetch_sub(1);
    }
}

} // namespace

extern "C" {

int fluorite_do_fork(void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *name) {
    return fluorite_runtime::profile::run_tasks(run_fork, context, task, min, size, closure, name);
}

int fluorite_semaphore_init(void *semaphores, int index, int64_t value) {
    semaphore(semaphores, index).store(value);
    return 0;
}

int fluorite_semaphore_acquire(void *semaphores, int index) {
    const std::atomic_ref<int64_t> value = semaphore(semaphores, index);
    fluorite_runtime::delay_task();
    fluorite_runtime::yield_task();
    return try_acquire(value) ? 0 : acquire_slowly(value, semaphores, index);
}

int fluorite_semaphore_release(void *semaphores, int index) {
    semaphore(semaphores, index).fetch_add(1);
    wake_all();
    fluorite_runtime::wake_tasks(address_of(semaphores, index));
    fluorite_runtime::delay_task();
    fluorite_runtime::yield_task();
    return 0;
}

int fluorite_fork_stopped(void) { return stopped_code; }
}
