#pragma once
// Calls of hooks, which may throw where the thread has a catcher (fluorite/runtime_catch.h).

#include "fluorite/runtime_catch.h"

#include <atomic>

namespace fluorite_runtime {

/// Null where nobody takes exceptions. Tasks inherit it from the thread that they are run for.
extern constinit thread_local fluorite_catcher_t *current_catcher;

/// Hands the exception that is being handled to the catcher, if it is the first.
void catch_current(fluorite_catcher_t *catcher);

inline bool has_failed(fluorite_catcher_t *catcher) {
    return std::atomic_ref<int32_t>(catcher->failed).load(std::memory_order_acquire) != 0;
}

/// What the hook returns; `otherwise` where it throws, or is not called as another one has thrown.
template <typename Result, typename Call> Result call_hook(Result otherwise, const Call &call) {
    fluorite_catcher_t *const catcher = current_catcher;
    if (catcher == nullptr) {
        return call();
    }
    if (has_failed(catcher)) {
        return otherwise;
    }
    try {
        return call();
    } catch (...) {
        catch_current(catcher);
        return otherwise;
    }
}

/// Makes a catcher that of the thread while it lives.
class CatcherScope {
  public:
    explicit CatcherScope(fluorite_catcher_t *catcher) : outer_(fluorite_set_catcher(catcher)) {}
    ~CatcherScope() { fluorite_set_catcher(outer_); }
    CatcherScope(const CatcherScope &) = delete;
    CatcherScope &operator=(const CatcherScope &) = delete;

  private:
    fluorite_catcher_t *outer_;
};

} // namespace fluorite_runtime
