#pragma once
// The loop nests of one pipeline under many schedules.

#include "loopnest/loop_nest.h"

#include <memory>

namespace fluorite::loopnest {

/// Makes the loop nests of one pipeline, as make_loop_nest does, and remembers what it found: a nest takes the time of
/// what the schedule changes, against those asked for last. Not to be asked by two threads at once.
class LoopNests {
  public:
    /// The graph is what lowering takes: the rewritten one, where directives rewrite definitions.
    explicit LoopNests(ir::Graph graph, NestOptions options = {});
    ~LoopNests();
    LoopNests(const LoopNests &) = delete;
    LoopNests &operator=(const LoopNests &) = delete;

    /// Throws CompileError for what the user can repair, and remembers what was found before that.
    BoundedLoopNest make(const schedule::Schedule &schedule);

  private:
    struct Memo;
    ir::Graph graph_;
    NestOptions options_;
    std::unique_ptr<Memo> memo_;
};

} // namespace fluorite::loopnest
