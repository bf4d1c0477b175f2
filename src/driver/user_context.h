#pragma once
// Handlers of single runs and pipelines, on top of the process-wide hooks of the runtime.

#include "fluorite/errors.h"
#include "fluorite/jit.h"

namespace fluorite::driver {

/// During its lifetime, the runtime's hooks forward calls with its context to the run's handlers: those of the user's
/// context, and for empty slots those of the pipeline. context() is the context for the generated code; it is null if
/// neither has handlers and the user gave none.
class RunContext {
  public:
    /// Throws if exactly one of the functions that allocate and free is set.
    RunContext(JITUserContext *user, const JITHandlers &pipeline, const Location &location);
    ~RunContext();
    RunContext(const RunContext &) = delete;
    RunContext &operator=(const RunContext &) = delete;

    void *context() const { return context_; }
    /// Whether failures go to a handler of the run rather than to the caller.
    bool reports_errors() const { return reports_errors_; }

  private:
    JITUserContext own_; // used if the pipeline has handlers but the user gives no context
    JITUserContext *context_ = nullptr;
    bool reports_errors_ = false;
};

} // namespace fluorite::driver
