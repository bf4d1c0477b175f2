// The thread that samples running pipelines.
//
// What: from the first run of a pipeline with feature profile on, a thread wakes every `sleep_time` microseconds (of
// halide_profiler_state), and bills the time since the last sample to the Funcs that the threads of each instance
// compute. Where n threads work, each one's Func gets an n-th part; where none works, the run waits for tasks. While no
// instance runs, the thread sleeps on a condition. A program that samples by itself calls halide_profiler_sample.
//
// The average number of threads of a Func is that of the threads that computed it, over the samples in which one did.
//
// Relies on: the lock of the state, which is held while blocks are read. Does not do: time stamps (instance.cpp). Cost:
// some microseconds for a sample, so less than 1 % of a processor by default.

#include "runtime/profile/profile.h"

#include <cerrno>
#include <ctime>
#include <pthread.h>
#include <signal.h>

namespace fluorite_runtime::profile {

namespace {

pthread_t sampler; // if state().sampling_thread is not null

void sleep_microseconds(int count) {
    timespec rest{count / 1'000'000, static_cast<long>(count % 1'000'000) * 1000};
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
    }
}

void sample_all() {
    const uint64_t time = now();
    for (halide_profiler_instance_state *at = state().instances; at != nullptr; at = at->next) {
        if (auto &instance = *static_cast<Instance *>(at); !instance.is_timed) {
            sample(instance, time);
        }
    }
}

void *run_sampler(void *) {
    pthread_setname_np(pthread_self(), "fluorite-prof");
    halide_profiler_state &all = state();
    halide_mutex_lock(&all.lock);
    while (all.shutdown == 0) {
        if (all.instances == nullptr) {
            halide_cond_wait(&instances_changed(), &all.lock);
            continue;
        }
        sample_all();
        const int pause = all.sleep_time;
        halide_mutex_unlock(&all.lock);
        sleep_microseconds(pause > 0 ? pause : 1);
        halide_mutex_lock(&all.lock);
    }
    halide_mutex_unlock(&all.lock);
    return nullptr;
}

// A forked child process has neither the thread nor the instances of other threads.
void forget_thread() {
    state().lock = {};
    state().sampling_thread = nullptr;
    state().instances = nullptr;
}

void add_span(Block &block, int32_t func, uint64_t begin, uint64_t end) {
    std::vector<Span> &spans = block.spans;
    if (!spans.empty() && spans.back().func == func && spans.back().end == begin) {
        spans.back().end = end;
    } else if (spans.size() < most_spans) {
        spans.push_back({block.thread, func, begin, end});
    }
}

/// The number of working threads, and in `working` how many there are for each Func.
int count_working(Instance &instance, std::vector<int> &working) {
    if (state().get_remote_profiler_state != nullptr) { // of a run elsewhere
        int func = fluorite_profile_waiting, threads = 0;
        state().get_remote_profiler_state(&func, &threads);
        const bool is_func = func >= 0 && static_cast<size_t>(func) < working.size() && threads > 0;
        if (is_func) {
            working[static_cast<size_t>(func)] = threads;
        }
        return is_func ? threads : 0;
    }
    int count = 0;
    const std::lock_guard lock(instance.mutex);
    for (Block *block = instance.blocks; block != nullptr; block = block->next) {
        const int32_t func = block->func.load(std::memory_order_relaxed);
        if (func >= 0 && static_cast<size_t>(func) < working.size()) {
            working[static_cast<size_t>(func)]++;
            count++;
        }
    }
    return count;
}

void record(Instance &instance, uint64_t begin, uint64_t end) {
    const std::lock_guard lock(instance.mutex);
    for (Block *block = instance.blocks; block != nullptr; block = block->next) {
        if (const int32_t func = block->func.load(std::memory_order_relaxed); func >= 0) {
            add_span(*block, func, begin, end);
        }
    }
}

} // namespace

void sample(Instance &instance, uint64_t time) {
    const uint64_t passed = time - instance.last_sample;
    std::vector<int> working(instance.stats.size());
    const int threads = count_working(instance, working);
    for (size_t f = 0; f < working.size(); f++) {
        if (working[f] > 0) {
            halide_profiler_func_stats &func = instance.stats[f];
            func.time += passed * static_cast<uint64_t>(working[f]) / static_cast<uint64_t>(threads);
            func.active_threads_numerator += static_cast<uint64_t>(working[f]);
            func.active_threads_denominator++;
        }
    }
    if (threads == 0) {
        instance.stats[fluorite_profile_waiting].time += passed;
    }
    if (instance.records) {
        record(instance, instance.last_sample, time);
    }
    instance.billed_time += passed;
    instance.active_threads_numerator += static_cast<uint64_t>(threads);
    instance.active_threads_denominator++;
    instance.samples++;
    instance.active_threads = threads;
    instance.last_sample = time;
}

void start_sampling() {
    halide_profiler_state &all = state();
    if (all.sampling_thread != nullptr) {
        halide_cond_broadcast(&instances_changed());
        return;
    }
    static const bool has_fork_handler = pthread_atfork(nullptr, nullptr, forget_thread) == 0;
    static_cast<void>(has_fork_handler);
    all.shutdown = 0;
    sigset_t every, previous;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &previous); // the program's own threads handle signals
    const bool is_made = pthread_create(&sampler, nullptr, run_sampler, nullptr) == 0;
    pthread_sigmask(SIG_SETMASK, &previous, nullptr);
    // Its type is that of the threads of programs; nobody looks into it. Without the thread, no time is billed.
    all.sampling_thread = is_made ? reinterpret_cast<halide_thread *>(&sampler) : nullptr;
}

void stop_sampling() {
    halide_profiler_state &all = state();
    if (all.sampling_thread == nullptr) {
        return;
    }
    all.shutdown = 1;
    halide_cond_broadcast(&instances_changed());
    halide_mutex_unlock(&all.lock);
    pthread_join(sampler, nullptr);
    halide_mutex_lock(&all.lock);
    all.sampling_thread = nullptr;
    all.shutdown = 0;
}

} // namespace fluorite_runtime::profile

extern "C" __attribute__((weak)) int halide_profiler_sample(halide_profiler_state *state, uint64_t *previous_time) {
    using namespace fluorite_runtime::profile;
    const StateLock lock;
    const uint64_t time = now();
    for (halide_profiler_instance_state *at = state->instances; at != nullptr; at = at->next) {
        sample(*static_cast<Instance *>(at), time);
    }
    *previous_time = time;
    return state->sleep_time;
}
