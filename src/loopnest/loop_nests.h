#pragma once
// The loop nests of one pipeline under many schedules.

#include "loopnest/loop_nest.h"

#include <memory>

namespace fluorite::loopnest {

/// Makes the loop nests of one pipeline, as make_loop_nest does, and memoizes intermediate results: the time for a nest
/// depends on how much its schedule differs from recent ones. Not thread-safe.
class LoopNests {
  public:
    /// The graph must be the one that lowering takes: the rewritten one if directives rewrite definitions.
    explicit LoopNests(ir::Graph graph, NestOptions options = {});
    ~LoopNests();
    LoopNests(const LoopNests &) = delete;
    LoopNests &operator=(const LoopNests &) = delete;

    /// What the user can repair is refused; results found before are kept.
    Result<BoundedLoopNest> make(const schedule::Schedule &schedule);

  private:
    struct Memo;
    ir::Graph graph_;
    NestOptions options_;
    std::unique_ptr<Memo> memo_;
};

} // namespace fluorite::loopnest
