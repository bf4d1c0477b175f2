#pragma once
// The iterations that frozen graphs compute.

#include "language/freeze.h"
#include "language/iteration.h"

#include <map>
#include <memory>
#include <vector>

namespace fluorite::language {

/// An iteration whose graphs are frozen.
struct FrozenIteration {
    schedule::ScheduledIteration scheduled;
    std::vector<ir::Parameter *> needs; // inputs and parameters of its graphs but its own
};

/// The iterations of a pipeline, which all graphs of the pipeline share: each is frozen once.
class Iterations {
  public:
    std::shared_ptr<const FrozenIteration> freeze(const Iteration &iteration, const FreezeOptions &options);

  private:
    std::map<const Iteration *, std::shared_ptr<const FrozenIteration>> frozen_;
};

/// Which iterations a graph computes itself: all, or those that read one of these Parameters.
struct Scope {
    Iterations &iterations;
    bool is_outermost = true;
    std::vector<const ir::Parameter *> local = {};

    bool computes(const FrozenIteration &iteration, const FreezeOptions &options) const;
};

/// The iterations that one graph computes.
class OwnIterations {
  public:
    OwnIterations(const Scope &scope, const FreezeOptions &options) : scope_(scope), options_(options) {}

    /// Notes the iteration behind an input and returns the inputs and parameters that the graph has for its sake; none
    /// if the input stands for no result, or if another graph computes it.
    std::vector<ir::Parameter *> note(const ir::Parameter &input);
    /// Adds the iterations to the graph, each after those that it needs. `inputs` are the inputs of the graph.
    void add_to(schedule::ScheduledGraph &pipeline, const std::vector<ir::Parameter *> &inputs) const;

  private:
    const Scope &scope_;
    const FreezeOptions &options_;
    std::map<const Iteration *, std::shared_ptr<const FrozenIteration>> own_;
};

/// Freezes one graph of a pipeline, in both of its forms if they differ. Defined by freeze.cpp.
schedule::ScheduledGraph freeze_graph(const std::vector<RefPtr<Function>> &outputs, const FreezeOptions &options,
                                      const Scope &scope);

} // namespace fluorite::language
