#pragma once
// What the segments of a distributed run need of the run: its handlers.

#include "driver/user_context.h"

namespace fluorite::driver {

/// During its lifetime, segments that this thread calls run with the context. Scopes nest.
class RunScope {
  public:
    explicit RunScope(const RunContext &context) : outer_(current()) { current() = &context; }
    ~RunScope() { current() = outer_; }
    RunScope(const RunScope &) = delete;
    RunScope &operator=(const RunScope &) = delete;

    /// Null outside of all scopes.
    static const RunContext *&current() {
        thread_local const RunContext *context = nullptr;
        return context;
    }

  private:
    const RunContext *outer_;
};

} // namespace fluorite::driver
