// Tasks of programs that wait for each other, and threads, under Halide's names.
//
// What: halide_default_do_parallel_tasks runs each task on a thread of its own, as a fork (fork.cpp) does. Before an
// iteration starts, the thread acquires all semaphores of the task, or none and sleeps until one is released. When a
// task has failed, the others do not start further iterations.
//
// Method: semaphores count in their first word. Every release, and the end of a failed task, changes one epoch, on
// which those sleep who have found too little.
//
// Relies on: forks. Does not do: chunks of iterations. Cost: some 30 us for a thread, 0.1 us for a semaphore.

#include "fluorite/runtime/fork.h"
#include "runtime/replaceable.h"

#include <atomic>
#include <cstdint>
#include <new>
#include <pthread.h>

FLUORITE_DECLARE_REPLACEABLE(int, halide_semaphore_init, (struct halide_semaphore_t * semaphore, int n));
FLUORITE_DECLARE_REPLACEABLE(int, halide_semaphore_release, (struct halide_semaphore_t * semaphore, int n));
FLUORITE_DECLARE_REPLACEABLE(bool, halide_semaphore_try_acquire, (struct halide_semaphore_t * semaphore, int n));

namespace {

std::atomic<halide_do_parallel_tasks_t> do_parallel_tasks_function{halide_default_do_parallel_tasks};
std::atomic<halide_do_loop_task_t> do_loop_task_function{halide_default_do_loop_task};
std::atomic<halide_semaphore_init_t> init_function{halide_default_semaphore_init};
std::atomic<halide_semaphore_release_t> release_function{halide_default_semaphore_release};
std::atomic<halide_semaphore_try_acquire_t> try_acquire_function{halide_default_semaphore_try_acquire};

std::atomic<uint32_t> epoch{0};

void wake_all() {
    epoch.fetch_add(1);
    epoch.notify_all();
}

std::atomic_ref<uint64_t> count_of(halide_semaphore_t *semaphore) {
    return std::atomic_ref<uint64_t>(semaphore->_private[0]);
}

struct Tasks {
    halide_parallel_task_t *tasks;
    void *parent;
    std::atomic<bool> has_failed{false};
};

bool try_acquire_all(const halide_parallel_task_t &task) {
    for (int i = 0; i < task.num_semaphores; i++) {
        if (!halide_semaphore_try_acquire(task.semaphores[i].semaphore, task.semaphores[i].count)) {
            while (i-- > 0) {
                halide_semaphore_release(task.semaphores[i].semaphore, task.semaphores[i].count);
            }
            return false;
        }
    }
    return true;
}

/// Returns false if another task has failed.
bool acquire_all(const Tasks &all, const halide_parallel_task_t &task) {
    while (!all.has_failed.load()) {
        const uint32_t seen = epoch.load();
        if (try_acquire_all(task)) {
            return true;
        }
        if (epoch.load() == seen && !all.has_failed.load()) {
            epoch.wait(seen);
        }
    }
    return false;
}

int run_one(void *context, int index, uint8_t *closure) {
    auto &all = *reinterpret_cast<Tasks *>(closure);
    const halide_parallel_task_t &task = all.tasks[index];
    for (int i = 0; i < task.extent && acquire_all(all, task); i++) {
        if (const int code = halide_do_loop_task(context, task.fn, task.min + i, 1, task.closure, all.parent)) {
            all.has_failed = true;
            wake_all();
            return code;
        }
    }
    return 0;
}

template <typename Function> void put(std::atomic<Function> &slot, Function function, Function by_default) {
    slot = function != nullptr ? function : by_default;
}

} // namespace

struct halide_thread {
    pthread_t thread;
    void (*function)(void *);
    void *closure;
};

namespace {
void *run_thread(void *argument) {
    const auto *thread = static_cast<const halide_thread *>(argument);
    thread->function(thread->closure);
    return nullptr;
}
} // namespace

extern "C" {

int fluorite_own_halide_do_parallel_tasks(void *context, int count, halide_parallel_task_t *tasks, void *parent) {
    return do_parallel_tasks_function.load(std::memory_order_relaxed)(context, count, tasks, parent);
}
int halide_default_do_parallel_tasks(void *context, int count, halide_parallel_task_t *tasks, void *parent) {
    Tasks all{tasks, parent};
    auto *closure = reinterpret_cast<uint8_t *>(&all);
    return count == 1 ? run_one(context, 0, closure)
                      : fluorite_do_fork(context, run_one, 0, count, closure, "halide_do_parallel_tasks");
}

int fluorite_own_halide_do_loop_task(void *context, halide_loop_task_t task, int min, int extent, uint8_t *closure,
                                     void *parent) {
    return do_loop_task_function.load(std::memory_order_relaxed)(context, task, min, extent, closure, parent);
}
int halide_default_do_loop_task(void *context, halide_loop_task_t task, int min, int extent, uint8_t *closure,
                                void *parent) {
    return task(context, min, extent, closure, parent);
}
halide_do_loop_task_t halide_set_custom_do_loop_task(halide_do_loop_task_t function) {
    return do_loop_task_function.exchange(function != nullptr ? function : halide_default_do_loop_task);
}

int fluorite_own_halide_semaphore_init(halide_semaphore_t *semaphore, int n) {
    return init_function.load(std::memory_order_relaxed)(semaphore, n);
}
int fluorite_own_halide_semaphore_release(halide_semaphore_t *semaphore, int n) {
    const int sum = release_function.load(std::memory_order_relaxed)(semaphore, n);
    wake_all();
    return sum;
}
bool fluorite_own_halide_semaphore_try_acquire(halide_semaphore_t *semaphore, int n) {
    return try_acquire_function.load(std::memory_order_relaxed)(semaphore, n);
}
int halide_default_semaphore_init(halide_semaphore_t *semaphore, int n) {
    count_of(semaphore).store(static_cast<uint64_t>(n));
    return n;
}
int halide_default_semaphore_release(halide_semaphore_t *semaphore, int n) {
    const uint64_t before = count_of(semaphore).fetch_add(static_cast<uint64_t>(n));
    wake_all();
    return static_cast<int>(before) + n;
}
bool halide_default_semaphore_try_acquire(halide_semaphore_t *semaphore, int n) {
    const std::atomic_ref<uint64_t> count = count_of(semaphore);
    for (uint64_t seen = count.load(); seen >= static_cast<uint64_t>(n);) {
        if (count.compare_exchange_weak(seen, seen - static_cast<uint64_t>(n))) {
            return true;
        }
    }
    return false;
}

void halide_set_custom_parallel_runtime(halide_do_par_for_t do_par_for, halide_do_task_t do_task,
                                        halide_do_loop_task_t do_loop_task,
                                        halide_do_parallel_tasks_t do_parallel_tasks,
                                        halide_semaphore_init_t semaphore_init,
                                        halide_semaphore_try_acquire_t semaphore_try_acquire,
                                        halide_semaphore_release_t semaphore_release) {
    halide_set_custom_do_par_for(do_par_for);
    halide_set_custom_do_task(do_task);
    halide_set_custom_do_loop_task(do_loop_task);
    put(do_parallel_tasks_function, do_parallel_tasks, halide_default_do_parallel_tasks);
    put(init_function, semaphore_init, halide_default_semaphore_init);
    put(try_acquire_function, semaphore_try_acquire, halide_default_semaphore_try_acquire);
    put(release_function, semaphore_release, halide_default_semaphore_release);
}

halide_thread *halide_spawn_thread(void (*function)(void *), void *closure) {
    auto *thread = new (std::nothrow) halide_thread{{}, function, closure};
    if (thread != nullptr && pthread_create(&thread->thread, nullptr, run_thread, thread) != 0) {
        delete thread;
        return nullptr;
    }
    return thread;
}
void halide_join_thread(halide_thread *thread) {
    pthread_join(thread->thread, nullptr);
    delete thread;
}
}

FLUORITE_REPLACEABLE(int, halide_do_parallel_tasks,
                     (void *context, int count, halide_parallel_task_t *tasks, void *parent));
FLUORITE_REPLACEABLE(int, halide_do_loop_task,
                     (void *context, halide_loop_task_t task, int min, int extent, uint8_t *closure, void *parent));
FLUORITE_REPLACEABLE(int, halide_semaphore_init, (halide_semaphore_t * semaphore, int n));
FLUORITE_REPLACEABLE(int, halide_semaphore_release, (halide_semaphore_t * semaphore, int n));
FLUORITE_REPLACEABLE(bool, halide_semaphore_try_acquire, (halide_semaphore_t * semaphore, int n));
