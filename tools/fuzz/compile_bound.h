#pragma once
// How long the compilation of a case may take.

#include "driver/compiled.h"
#include "fluorite/pipeline.h"

#include <memory>
#include <string>

namespace fluorite::fuzz {

/// A compilation, and what is said if it took more processor time than the size of the pipeline warrants.
struct TimedCompilation {
    std::shared_ptr<const driver::CompiledPipeline> compiled;
    std::string complaint;
};

/// Compiles the pipeline, which may take `weight` times as long as the bound of its size says. Throws the CompileError
/// of a refusal that came in time.
TimedCompilation compile_in_time(const Pipeline &pipeline, const Target &target, double weight);

} // namespace fluorite::fuzz
