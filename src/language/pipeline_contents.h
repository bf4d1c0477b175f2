#pragma once
// What stands behind a Pipeline, and behind each Func that is run: the outputs, and what the driver compiled of them.

#include "language/function.h"

#include <memory>
#include <vector>

namespace fluorite {

struct PipelineContents {
    std::vector<RefPtr<language::Function>> outputs;
    std::vector<Expr> requirements; // Require nodes
    bool trace_pipeline = false;
    JITHandlers handlers;

    /// The driver's: compiled code and what it was compiled from.
    std::shared_ptr<void> compiled;
    /// The sum of Function::edits of all Functions that the outputs reach, for a quick test that `compiled` is stale.
    uint64_t edits() const;
};

} // namespace fluorite
