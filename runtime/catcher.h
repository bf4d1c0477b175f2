#pragma once
// Calls of hooks, which may throw if the thread has a catcher (fluorite/runtime/catch.h).

#include "fluorite/runtime/catch.h"

#include <atomic>

namespace fluorite_runtime {

/// Null if no one catches exceptions. Tasks inherit it from the thread on whose behalf they run.
extern constinit thread_local fluorite_catcher_t *current_catcher;

/// Passes the exception that is being handled to the catcher if it is the first.
void catch_current(fluorite_catcher_t *catcher);

inline bool has_failed(fluorite_catcher_t *catcher) {
    return std::atomic_ref<int32_t>(catcher->failed).load(std::memory_order_acquire) != 0;
}

/// Returns the hook's result, or `otherwise` if the hook throws or is skipped because another one has thrown.
template <typename Result, typename Call> Result call_hook(Result otherwise, const Call &call) {
    fluorite_catcher_t *const catcher = current_catcher;
    if (catcher == nullptr) {
        return call();
    }
    if (has_failed(catcher)) {
        return otherwise;
    }
#if defined(__cpp_exceptions)
    try {
        return call();
    } catch (...) {
        catch_current(catcher);
        return otherwise;
    }
#else // in programs that are compiled ahead of time, where no one catches
    return call();
#endif
}

/// Installs a catcher for the thread during its lifetime.
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
