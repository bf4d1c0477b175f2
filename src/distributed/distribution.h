#pragma once
// Which ranks compute what, as schedules say it.

#include "ranks/plan/program.h"
#include "schedule/schedule.h"

#include <map>
#include <string>

namespace fluorite::distributed {

/// Which ranks compute what, by the names of Funcs. Funcs without an entry are computed where a consumer needs them,
/// within the consumer's segment; outputs have one.
struct Distribution {
    std::map<std::string, distribute::Placement> funcs;
    /// Of inputs: which may be images that ranks have parts of.
    std::map<std::string, distribute::Placement> inputs;
};

/// What is computed: the pipeline as directives have rewritten it (rfactor), or as it is if none has.
inline const schedule::ScheduledGraph &computed(const schedule::ScheduledGraph &pipeline) {
    return pipeline.rewritten ? *pipeline.rewritten : pipeline;
}

/// Whether a pipeline runs on ranks: a Func is distributed or computed by ranks, or an input is a DistributedImage.
bool is_distributed(const schedule::ScheduledGraph &pipeline);

/// Which inputs may be images of which ranks have parts.
enum class PartedInputs : uint8_t {
    DistributedImages, // those that are now
    Parameters         // these, and all ImageParams that nothing is promised of
};

/// What the schedule says; grids are left out. Throws CompileError [distributed-func] for directives that have no
/// meaning for values that ranks exchange. The Funcs are those that are computed.
Distribution distribution_of(const schedule::ScheduledGraph &pipeline, PartedInputs inputs);

} // namespace fluorite::distributed
