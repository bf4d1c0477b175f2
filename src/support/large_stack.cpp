// Passes walk statements recursively, and the loop nest of a thousand Funcs in a row is thousands of statements deep,
// which exceeds the eight megabytes that a main thread usually has.

#include "support/large_stack.h"

#include <exception>
#include <pthread.h>

namespace fluorite {

namespace {

constexpr size_t stack_bytes = size_t{512} << 20;

thread_local bool is_on_large_stack = false;

struct Job {
    const std::function<void()> &run;
    std::exception_ptr error;
};

void *do_job(void *argument) {
    Job &job = *static_cast<Job *>(argument);
    is_on_large_stack = true;
    try {
        job.run();
    } catch (...) {
        job.error = std::current_exception();
    }
    return nullptr;
}

/// Whether a thread with a large stack has run the job.
bool run_on_thread(Job &job) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    pthread_t thread;
    const bool starts = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                        pthread_create(&thread, &attributes, do_job, &job) == 0;
    pthread_attr_destroy(&attributes);
    return starts && pthread_join(thread, nullptr) == 0;
}

} // namespace

void on_large_stack(const std::function<void()> &run) {
    Job job{run, nullptr};
    if (is_on_large_stack || !run_on_thread(job)) {
        return run();
    }
    if (job.error) {
        std::rethrow_exception(job.error);
    }
}

} // namespace fluorite
