// The pool that runs parallel loops.
//
// What: halide_default_do_par_for runs the iterations of a loop on the caller and on the pool's workers, and returns
// when all have ended. Loops nest to any depth. The result is that of the failing iteration with the lowest index, as
// in a serial loop, and that iteration's stored error moves to the calling thread.
//
// Method: a loop is a Job on its caller's stack. The caller pushes it onto a stack of open jobs (newest first, so inner
// loops finish before outer ones spread), claims chunks of iterations from an atomic counter, removes the job and waits
// for the helpers that are still inside. While it waits it helps with other open jobs. This cannot deadlock: a thread
// waits only for a job that it opened itself after everything below it on its own stack began, so along a chain of
// waits the jobs only get younger. Workers without work spin for some 20 us on the epoch, a counter that changes with
// each new job, then sleep on it (futex). A worker that wakes also wakes the next one while work is left, so the caller
// pays for at most one wake-up.
//
// Chunks: one iteration for short loops, size / (32 * threads) for longer ones. Chunks are claimed in order, and a
// failure stops only what lies above it, so every iteration below the lowest failure runs: the result does not depend
// on timing.
//
// Threads start with the first loop that can use them and end in fluorite_shutdown_thread_pool or when the library is
// unloaded. A forked child starts with an empty pool.
//
// Relies on: pthreads, std::atomic::wait. Does not do: functions of the program (parallel_loops.cpp), affinity,
// priorities. Cost: about 0.2 us per loop while the workers are awake, 5 us to wake one.

#include "fluorite/runtime/checks.h"
#include "runtime/catcher.h"
#include "runtime/fork_group.h"
#include "runtime/replaceable.h"
#include "runtime/task_order.h"
#include "runtime/thread_count.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdint>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace {

constexpr int spin_rounds = 600;
constexpr int most_nested_helps = 32;

void pause_cpu() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

class SpinLock {
  public:
    void lock() {
        for (int round = 0; locked_.exchange(true, std::memory_order_acquire); round++) {
            while (locked_.load(std::memory_order_relaxed)) {
                // The thread that holds the lock may have lost its core.
                round++ < spin_rounds ? pause_cpu() : static_cast<void>(sched_yield());
            }
        }
    }
    void unlock() { locked_.store(false, std::memory_order_release); }

  private:
    std::atomic<bool> locked_{false};
};

class Guard {
  public:
    explicit Guard(SpinLock &lock) : lock_(lock) { lock_.lock(); }
    ~Guard() { lock_.unlock(); }
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;

  private:
    SpinLock &lock_;
};

// Tasks are generated code, or a hook around it.
int run_task(fluorite_task_t task, void *context, int index, uint8_t *closure) {
    return fluorite_runtime::call_hook(static_cast<int>(fluorite_error_code_generic_error),
                                       [&] { return halide_do_task(context, task, index, closure); });
}

// One parallel loop, on the stack of the thread that runs it. Others enter only while it is on the stack of open jobs,
// and the owner leaves only when none is inside.
struct Job {
    fluorite_task_t task;
    void *context;
    uint8_t *closure;
    int min;
    int64_t size;
    int64_t chunk;
    fluorite_runtime::ForkGroup *fork = nullptr; // the fork in which the loop runs
    fluorite_catcher_t *catcher = nullptr;       // its caller's
    Job *next_open = nullptr;

    alignas(64) std::atomic<int64_t> next{0};
    // Twice the number of helpers inside, plus 1 while the owner sleeps.
    alignas(64) std::atomic<int> inside{0};
    std::atomic<int64_t> lowest_failure{INT64_MAX};
    SpinLock failure_lock;
    int result = 0;
    int error_code = 0;
    std::string error_message;

    bool has_work() const { return next.load(std::memory_order_relaxed) < size; }
    void run();
    void run_chunks();
    void run_in_drawn_order();
    void record_failure(int64_t index, int code);
};

void Job::record_failure(int64_t index, int code) {
    Guard guard(failure_lock);
    if (index < lowest_failure.load(std::memory_order_relaxed)) {
        lowest_failure.store(index, std::memory_order_relaxed);
        result = code;
        error_code = fluorite_last_error_code();
        error_message = fluorite_last_error_message();
    }
    fluorite_clear_error();
}

void Job::run() {
    fluorite_runtime::ForkGroup *const outer = std::exchange(fluorite_runtime::current_fork, fork);
    const fluorite_runtime::CatcherScope scope(catcher);
    run_chunks();
    fluorite_runtime::current_fork = outer;
}

void Job::run_chunks() {
    while (has_work()) {
        fluorite_runtime::delay_task();
        const int64_t first = next.fetch_add(chunk, std::memory_order_relaxed);
        const int64_t last = first + chunk < size ? first + chunk : size;
        for (int64_t i = first; i < last; i++) {
            if (i > lowest_failure.load(std::memory_order_relaxed)) {
                return;
            }
            const int code = run_task(task, context, static_cast<int>(min + i), closure);
            if (code != 0) {
                record_failure(i, code);
                return;
            }
        }
    }
}

// Runs on one thread; see task_order.cpp.
void Job::run_in_drawn_order() {
    const fluorite_runtime::LoopOrder order = fluorite_runtime::draw_loop_order(size);
    for (int64_t at = 0; at < size; at++) {
        const int64_t i = (at * order.step + order.first) % size;
        fluorite_runtime::yield_task();
        const int code = i < lowest_failure.load() ? run_task(task, context, static_cast<int>(min + i), closure) : 0;
        if (code != 0) {
            record_failure(i, code);
        }
    }
    if (error_code != 0) {
        fluorite_store_error(error_code, error_message.c_str());
    }
}

class Pool {
  public:
    ~Pool() { open_ == nullptr ? shutdown() : abandon(); }

    int run(Job &job);
    void shutdown();
    int set_threads(int count);
    /// 0 if the environment's number is invalid; the next call asks again.
    int threads() { return threads_.load(std::memory_order_relaxed) > 0 ? threads_.load() : choose_threads(); }

  private:
    struct Worker {
        pthread_t thread;
    };

    int choose_threads();
    void start_workers(int wanted);
    void open(Job &job);
    void close(Job &job);
    Job *enter_any();
    void leave(Job &job);
    void wait_for(Job &job);
    void sleep_until_moved(uint32_t epoch);
    void wake_one();
    void work(int index);
    void abandon();
    static void *worker_main(void *argument);
    static void reset_after_fork();

    std::atomic<int> threads_{0}; // 0: not chosen yet
    std::atomic<int> started_{0};
    std::atomic<bool> stopping_{false};
    SpinLock start_lock_;
    Worker workers_[fluorite_runtime::most_threads];
    bool fork_handler_set_ = false;

    alignas(64) SpinLock lock_; // guards open_ and entering
    Job *open_ = nullptr;
    // Changes when a job opens, when a sleeping owner may continue, and at shutdown.
    alignas(64) std::atomic<uint32_t> epoch_{0};
    std::atomic<int> sleepers_{0};
    // Changes with the thread count; workers above the count sleep on it.
    std::atomic<uint32_t> settings_{0};
};

Pool pool;
thread_local int nested_helps = 0;

int Pool::choose_threads() {
    fluorite_mention_unknown_variables(nullptr);
    Guard guard(start_lock_);
    if (threads_.load() == 0) {
        threads_ = fluorite_runtime::default_thread_count();
    }
    return threads_.load();
}

int Pool::set_threads(int count) {
    const int previous = threads();
    const int wanted = count == 0 ? fluorite_runtime::default_thread_count() : count;
    threads_ = wanted < fluorite_runtime::most_threads ? wanted : fluorite_runtime::most_threads;
    settings_.fetch_add(1);
    settings_.notify_all();
    // Workers above the count must not sleep until a job opens: they would take the call that wakes another one.
    epoch_.fetch_add(1);
    epoch_.notify_all();
    return previous;
}

void Pool::start_workers(int wanted) {
    Guard guard(start_lock_);
    if (!fork_handler_set_) {
        fork_handler_set_ = pthread_atfork(nullptr, nullptr, reset_after_fork) == 0;
    }
    sigset_t all, previous;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous); // the program's own threads handle signals
    while (started_.load() < wanted) {
        const auto index = static_cast<intptr_t>(started_.load());
        if (pthread_create(&workers_[index].thread, nullptr, worker_main, reinterpret_cast<void *>(index)) != 0) {
            break; // the existing threads do the work
        }
        started_++;
    }
    pthread_sigmask(SIG_SETMASK, &previous, nullptr);
}

void Pool::shutdown() {
    Guard guard(start_lock_);
    stopping_ = true;
    settings_.fetch_add(1);
    settings_.notify_all();
    epoch_.fetch_add(1);
    epoch_.notify_all();
    for (int i = 0; i < started_.load(); i++) {
        pthread_join(workers_[i].thread, nullptr);
    }
    started_ = 0;
    stopping_ = false;
}

// The process ends inside a parallel loop, so its threads cannot be joined.
void Pool::abandon() {
    for (int i = 0; i < started_.load(); i++) {
        pthread_detach(workers_[i].thread);
    }
}

void Pool::reset_after_fork() {
    pool.started_ = 0;
    pool.sleepers_ = 0;
    pool.open_ = nullptr;
    pool.lock_.unlock();
    pool.start_lock_.unlock();
}

void Pool::open(Job &job) {
    {
        Guard guard(lock_);
        job.next_open = open_;
        open_ = &job;
    }
    epoch_.fetch_add(1);
    wake_one();
}

void Pool::close(Job &job) {
    Guard guard(lock_);
    for (Job **at = &open_; *at != nullptr; at = &(*at)->next_open) {
        if (*at == &job) {
            *at = job.next_open;
            return;
        }
    }
}

Job *Pool::enter_any() {
    Guard guard(lock_);
    for (Job *job = open_; job != nullptr; job = job->next_open) {
        if (job->has_work()) {
            job->inside.fetch_add(2, std::memory_order_relaxed);
            return job;
        }
    }
    return nullptr;
}

// Once the last thread has left, the job may be gone: nothing in it may be accessed after the subtraction.
void Pool::leave(Job &job) {
    if (job.inside.fetch_sub(2, std::memory_order_acq_rel) == 3) {
        epoch_.fetch_add(1);
        epoch_.notify_all();
    }
}

void Pool::wake_one() {
    if (sleepers_.load() > 0) {
        epoch_.notify_one();
    }
}

void Pool::sleep_until_moved(uint32_t epoch) {
    sleepers_.fetch_add(1);
    epoch_.wait(epoch);
    sleepers_.fetch_sub(1);
}

// Waits until no helper is inside a closed job, and helps with other jobs meanwhile.
void Pool::wait_for(Job &job) {
    int idle_rounds = 0;
    while (job.inside.load(std::memory_order_acquire) >= 2) {
        const uint32_t epoch = epoch_.load();
        if (nested_helps < most_nested_helps) {
            if (Job *other = enter_any()) {
                nested_helps++;
                other->run();
                nested_helps--;
                leave(*other);
                idle_rounds = 0;
                continue;
            }
        }
        if (idle_rounds++ < spin_rounds) {
            pause_cpu();
            continue;
        }
        // Records that the owner sleeps, unless the last helper has left since.
        if ((job.inside.fetch_or(1, std::memory_order_acq_rel) & ~1) >= 2) {
            sleep_until_moved(epoch);
        }
        job.inside.fetch_and(~1, std::memory_order_acq_rel);
        idle_rounds = 0;
    }
}

int Pool::run(Job &job) {
    const int helpers = std::max(threads(), 1) - 1;
    if (started_.load(std::memory_order_relaxed) < helpers) {
        start_workers(helpers);
    }
    open(job);
    job.run();
    close(job);
    wait_for(job);
    if (job.error_code != 0) {
        fluorite_store_error(job.error_code, job.error_message.c_str());
    }
    return job.result;
}

void Pool::work(int index) {
    int idle_rounds = 0;
    uint32_t epoch = epoch_.load();
    while (!stopping_.load(std::memory_order_acquire)) {
        const uint32_t settings = settings_.load();
        if (index >= threads_.load() - 1 && !stopping_.load()) {
            settings_.wait(settings);
            continue;
        }
        if (Job *job = enter_any()) {
            if (job->has_work()) {
                wake_one();
            }
            job->run();
            leave(*job);
            idle_rounds = 0;
            continue;
        }
        // No job had work after `epoch` was read, so only a new epoch can bring some.
        while (epoch_.load(std::memory_order_acquire) == epoch && idle_rounds++ < spin_rounds) {
            pause_cpu();
        }
        if (epoch_.load(std::memory_order_acquire) == epoch) {
            sleep_until_moved(epoch);
        }
        epoch = epoch_.load();
        idle_rounds = 0;
    }
}

void *Pool::worker_main(void *argument) {
    pthread_setname_np(pthread_self(), "fluorite");
    pool.work(static_cast<int>(reinterpret_cast<intptr_t>(argument)));
    return nullptr;
}

int run_serially(void *context, fluorite_task_t task, int min, int size, uint8_t *closure) {
    for (int i = 0; i < size; i++) {
        if (const int code = run_task(task, context, min + i, closure)) {
            return code;
        }
    }
    return 0;
}

} // namespace

extern "C" {

int halide_default_do_par_for(void *context, fluorite_task_t task, int min, int size, uint8_t *closure) {
    const bool is_serialized = size > 1 && fluorite_runtime::serializes_tasks();
    const int threads = size > 1 ? pool.threads() : 1;
    if (threads == 0) {
        return fluorite_error(context, fluorite_error_code_generic_error, fluorite_runtime::bad_thread_count().c_str());
    }
    if (threads == 1 && !is_serialized) {
        return run_serially(context, task, min, size, closure);
    }
    const int64_t chunk = size / (32 * threads);
    Job job{};
    job.task = task;
    job.context = context;
    job.closure = closure;
    job.fork = fluorite_runtime::current_fork;
    job.catcher = fluorite_runtime::current_catcher;
    job.min = min;
    job.size = size;
    job.chunk = chunk > 1 ? chunk : 1;
    if (is_serialized) {
        job.run_in_drawn_order();
        return job.result;
    }
    return pool.run(job);
}

int fluorite_set_num_threads(int n) {
    if (n < 0) {
        const std::string text = "in fluorite_set_num_threads: the count is " + std::to_string(n) +
                                 "; a thread count is 0 (the default) or more; pass 0 or more [bad-thread-count]";
        return fluorite_error(nullptr, fluorite_error_code_generic_error, text.c_str());
    }
    return pool.set_threads(n);
}

int fluorite_get_num_threads(void) { return pool.threads(); }

void fluorite_shutdown_thread_pool(void) { pool.shutdown(); }

int halide_set_num_threads(int n) { return fluorite_set_num_threads(n); }
int halide_get_num_threads(void) { return fluorite_get_num_threads(); }
void halide_shutdown_thread_pool(void) { fluorite_shutdown_thread_pool(); }
}
