// Exceptions of hooks; see fluorite/runtime/catch.h.
//
// What: each thread has a pointer to the catcher of exceptions. Code that starts a task on another thread
// (thread_pool.cpp, fork.cpp) passes the pointer on with the task. Relies on: nothing. Cost: none for a call without
// hooks; one load and one branch for a call of a hook.

#include "runtime/catcher.h"

#include <utility>

namespace fluorite_runtime {

constinit thread_local fluorite_catcher_t *current_catcher = nullptr;

void catch_current(fluorite_catcher_t *catcher) {
    if (std::atomic_ref<int32_t>(catcher->failed).exchange(1, std::memory_order_acq_rel) == 0) {
        catcher->caught(catcher);
    }
}

} // namespace fluorite_runtime

extern "C" fluorite_catcher_t *fluorite_set_catcher(fluorite_catcher_t *catcher) {
    return std::exchange(fluorite_runtime::current_catcher, catcher);
}
