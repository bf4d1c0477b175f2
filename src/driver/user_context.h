#pragma once
// Handlers of single runs and pipelines, on top of the process-wide hooks of the runtime.

#include "fluorite/errors.h"
#include "fluorite/jit.h"

namespace fluorite::driver {

/// While it lives, the runtime's hooks hand calls with its context on to the run's handlers: those of the user's
/// context, where a slot is empty those of the pipeline. context() is what the generated code is to be called with;
/// null where neither has handlers and the user gave none.
class RunContext {
  public:
    /// Throws where one allocates by a handler and frees without, or the other way round.
    RunContext(JITUserContext *user, const JITHandlers &pipeline, const Location &location);
    ~RunContext();
    RunContext(const RunContext &) = delete;
    RunContext &operator=(const RunContext &) = delete;

    void *context() const { return context_; }
    /// Failures go to a handler of the run rather than to the caller.
    bool reports_errors() const { return reports_errors_; }

  private:
    JITUserContext own_; // where the pipeline has handlers but the user gives no context
    JITUserContext *context_ = nullptr;
    bool reports_errors_ = false;
};

} // namespace fluorite::driver
