#pragma once
// Pipelines that ranks run in this process: images and Params are bound to the arguments of their functions.

#include "distributed/lower_for_ranks.h"
#include "fluorite/distributed.h"
#include "ranks/compiled/program_runs.h"

#include <map>
#include <string>
#include <vector>

namespace fluorite::distributed {

class PipelineOnRanks {
  public:
    /// The functions are those of the pipeline, compiled, in its order.
    PipelineOnRanks(RankPipeline pipeline, std::vector<distribute::SegmentFunction> functions);

    distribute::ProgramRuns &runs() { return runs_; }
    /// The array of an input, or of a value of an output.
    size_t array_of_input(const std::string &name) const;
    size_t array_of_output(size_t value) const { return runs_.description().outputs().at(value); }
    /// A call of the inputs and scalars that are bound now; outputs are left to the caller. `instead` replaces inputs,
    /// by name. Throws RuntimeError for what is not bound, and for images without memory.
    distribute::ProgramCall call(const Location &location,
                                 const std::map<std::string, distribute::BoundBuffer> &instead = {}) const;

    // For the outputs' values. Functions get the context. What a handler of it has taken ends the run of this rank.
    using Outputs = std::vector<distribute::BoundBuffer>;
    /// Collective. Computes, or throws RuntimeError.
    void run(const Outputs &outputs, void *context, const Location &location);
    /// The memory that this rank needs of an input for such a run. Not collective.
    distribute::Box memory_for(const ir::Parameter &input, const Outputs &outputs, const Location &location);
    /// Collective: plans such a run and describes it.
    RankReport explain(const Outputs &outputs, void *context, const Location &location);
    /// Collective: see run_steps. Each field is an input and the number of an output value.
    struct StepOfField {
        const ir::Parameter *input;
        size_t output;
    };
    void run_steps(const std::vector<StepOfField> &fields, const Outputs &outputs,
                   const distribute::TimeLoopOptions &options, int64_t steps_per_exchange, void *context,
                   const Location &location);

  private:
    std::vector<const ir::Parameter *> parameters_; // by argument; null for outputs
    distribute::ProgramRuns runs_;

    distribute::ProgramCall call_with(const Outputs &outputs, void *context, const Location &location) const;
    size_t array_of_step(const ir::Parameter &input, const Location &location) const;
};

} // namespace fluorite::distributed
