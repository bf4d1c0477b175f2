#pragma once
// Evaluates the iterations of a graph.

#include "interpret/bindings.h"

#include <memory>
#include <vector>

namespace fluorite::interpret {

/// The fields that the iterations of a graph end with, for the graph's own evaluation.
class IterationResults {
  public:
    /// Evaluates all iterations in order. `outer` has what replaces Parameters in the graph itself. Throws RuntimeError
    /// for a negative number of steps or extent, and what the evaluation of the graphs throws.
    IterationResults(const ir::Graph &graph, const std::vector<ExternFunction> &externs, const Replaced &outer);
    ~IterationResults();
    IterationResults(const IterationResults &) = delete;
    IterationResults &operator=(const IterationResults &) = delete;

    /// `outer` and the results.
    const Replaced &replaced() const { return replaced_; }

  private:
    class Field;
    using Fields = std::vector<std::unique_ptr<Field>>;

    void run(const ir::Iteration &iteration);
    Fields evaluate(const ir::Graph &graph, const Region &domain, const Replaced &replaced, size_t count) const;

    const std::vector<ExternFunction> &externs_;
    Replaced replaced_;
    std::vector<Fields> kept_;
};

} // namespace fluorite::interpret
