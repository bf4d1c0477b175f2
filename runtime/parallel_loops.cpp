// Who runs parallel loops and their iterations: the pool (thread_pool.cpp), or functions of the program.
//
// What: fluorite_do_par_for, which generated code calls, passes a loop to what fluorite_set_custom_do_par_for has
// installed; else to halide_do_par_for, which a program may define; else to what halide_set_custom_do_par_for has
// installed; else to the pool. The pool passes each iteration to halide_do_task, which is replaced in the same two
// ways. A function that runs a loop must run all iterations, or stop at one that fails and return its result.
//
// Relies on: the pool. Cost: some loads for a loop, one call more for an iteration.

#include "runtime/catcher.h"
#include "runtime/profile/profile.h"
#include "runtime/replaceable.h"

#include <atomic>

namespace {

int run_by_pool(void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *) {
    return halide_default_do_par_for(context, task, min, size, closure);
}

std::atomic<fluorite_do_par_for_t> do_par_for_function{run_by_pool};
// Those of Halide's setters, which the former precedes.
std::atomic<halide_do_par_for_t> halide_do_par_for_function{halide_default_do_par_for};
std::atomic<halide_do_task_t> halide_do_task_function{halide_default_do_task};

int call_halide(void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *) {
    return halide_do_par_for(context, task, min, size, closure);
}

// The function that runs loops; the default one if it is the pool itself.
fluorite_do_par_for_t current_do_par_for() {
    const fluorite_do_par_for_t function = do_par_for_function.load(std::memory_order_relaxed);
    const bool is_plain = !FLUORITE_IS_REPLACED(halide_do_par_for) &&
                          halide_do_par_for_function.load(std::memory_order_relaxed) == halide_default_do_par_for;
    return function != run_by_pool || is_plain ? function : call_halide;
}

// A task that a hook may run on any thread.
struct CaughtTask {
    fluorite_task_t task;
    uint8_t *closure;
    fluorite_catcher_t *catcher;
};

int run_caught(void *context, int index, uint8_t *closure) {
    const auto *caught = reinterpret_cast<const CaughtTask *>(closure);
    const fluorite_runtime::CatcherScope scope(caught->catcher);
    return fluorite_runtime::call_hook(static_cast<int>(fluorite_error_code_generic_error),
                                       [&] { return caught->task(context, index, caught->closure); });
}

int run_loop(void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *name) {
    const fluorite_do_par_for_t function = current_do_par_for();
    if (function == run_by_pool || fluorite_runtime::current_catcher == nullptr) {
        return function(context, task, min, size, closure, name);
    }
    CaughtTask caught{task, closure, fluorite_runtime::current_catcher};
    return fluorite_runtime::call_hook(static_cast<int>(fluorite_error_code_generic_error), [&] {
        return function(context, run_caught, min, size, reinterpret_cast<uint8_t *>(&caught), name);
    });
}

} // namespace

extern "C" {

int fluorite_do_par_for(void *context, fluorite_task_t task, int min, int size, uint8_t *closure, const char *name) {
    return fluorite_runtime::profile::run_tasks(run_loop, context, task, min, size, closure, name);
}

fluorite_do_par_for_t fluorite_set_custom_do_par_for(fluorite_do_par_for_t function) {
    return do_par_for_function.exchange(function != nullptr ? function : run_by_pool);
}

int fluorite_own_halide_do_par_for(void *context, halide_task_t task, int min, int size, uint8_t *closure) {
    return halide_do_par_for_function.load(std::memory_order_relaxed)(context, task, min, size, closure);
}
halide_do_par_for_t halide_set_custom_do_par_for(halide_do_par_for_t function) {
    return halide_do_par_for_function.exchange(function != nullptr ? function : halide_default_do_par_for);
}

int fluorite_own_halide_do_task(void *context, halide_task_t task, int index, uint8_t *closure) {
    return halide_do_task_function.load(std::memory_order_relaxed)(context, task, index, closure);
}
int halide_default_do_task(void *context, halide_task_t task, int index, uint8_t *closure) {
    return task(context, index, closure);
}
halide_do_task_t halide_set_custom_do_task(halide_do_task_t function) {
    return halide_do_task_function.exchange(function != nullptr ? function : halide_default_do_task);
}
}

FLUORITE_REPLACEABLE(int, halide_do_par_for, (void *context, halide_task_t task, int min, int size, uint8_t *closure));
FLUORITE_REPLACEABLE(int, halide_do_task, (void *context, halide_task_t task, int index, uint8_t *closure));
