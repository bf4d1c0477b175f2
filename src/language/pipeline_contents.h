#pragma once
// The state behind a Pipeline, and behind each Func that is run: the outputs, and the driver's compilation of them.

#include "fluorite/jit_extern.h"
#include "fluorite/target.h"
#include "language/function.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fluorite {

struct PipelineContents {
    std::vector<RefPtr<language::Function>> outputs;
    std::vector<Expr> requirements; // Require nodes
    bool trace_pipeline = false;
    JITHandlers handlers;
    std::map<std::string, JITExtern> jit_externs; // none of them calls this pipeline

    /// What Target() stands for where the pipeline runs: the target of the last compile_jit; Target() itself: that of
    /// the environment.
    Target jit_target;
    /// Owned by the driver: compiled code and its source.
    std::shared_ptr<void> compiled;
    /// Owned by the driver: what auto_schedule() has found last.
    std::shared_ptr<void> automatic;
    /// The sum of Function::edits of all Functions reachable from the outputs: a cheap test whether `compiled` is
    /// stale.
    uint64_t edits() const;
};

} // namespace fluorite
