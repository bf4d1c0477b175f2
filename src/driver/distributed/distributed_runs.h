#pragma once
// Runs of one distributed pipeline: compiled once, planned once for each set of domains and placements.

#include "distribute/execute/run_rank.h"
#include "distribute/execute/time_loop.h"
#include "driver/distributed/distributed_pipeline.h"
#include "driver/user_context.h"
#include "fluorite/distributed.h"
#include "schedule/rank_layout.h"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace fluorite::driver {

/// Whether a pipeline runs on ranks: a Func is distributed or computed by ranks, or an input is a DistributedImage.
bool is_distributed(const schedule::ScheduledGraph &pipeline);

/// Where a value of an output goes; runs are given one for each value.
struct OutputOfRanks {
    distribute::Box domain;
    /// Of the image that is written; nothing for an ordinary buffer, which every rank has the whole of.
    std::optional<distribute::Placement> placement;
    distribute::ArrayView memory; // of this rank; no data if only regions are asked for
};

class DistributedRuns {
  public:
    /// Throws CompileError [distributed-func] for what cannot be distributed.
    DistributedRuns(const schedule::ScheduledGraph &pipeline, const Target &target, const Location &location);

    /// Collective. Computes, or throws RuntimeError; what a handler of the run has taken ends the run of this rank.
    void run(const std::vector<OutputOfRanks> &outputs, const RunContext &context, const Location &location);
    /// The memory that this rank needs of an input for such a run. Not collective.
    distribute::Box memory_for(const ir::Parameter &input, const std::vector<OutputOfRanks> &outputs,
                               const Location &location);
    /// Collective: plans such a run and describes it.
    RankReport explain(const std::vector<OutputOfRanks> &outputs, const Location &location);
    /// Collective: see run_steps. Each field is an input and the number of an output value.
    struct StepOfField {
        const ir::Parameter *input;
        size_t output;
    };
    void run_steps(const std::vector<StepOfField> &fields, const std::vector<OutputOfRanks> &outputs,
                   const distribute::TimeLoopOptions &options, int64_t steps_per_exchange, const RunContext &context,
                   const Location &location);

  private:
    /// What plans of one pipeline differ in.
    struct Layouts {
        std::vector<distribute::Box> domains;          // of the pipeline's arrays; of inner Funcs: nothing
        std::vector<distribute::Placement> placements; // of the pipeline's arrays
        std::vector<distribute::Placement> wanted;     // where values are written, by output value
        const distribute::Transport *transport = nullptr;
        int64_t rank = 0, ranks = 1;
        bool operator==(const Layouts &) const = default;
    };
    /// A program for certain layouts, and this rank's run of it.
    struct Planned {
        Layouts layouts;
        std::vector<distribute::Box> domains; // of the program's arrays, which are more
        distribute::DistributedProgram program;
        std::vector<size_t> output_arrays; // by value
        std::unique_ptr<distribute::RankRun> run;
    };

    DistributedPipeline pipeline_;
    std::vector<std::vector<schedule::RankDimension>> layouts_; // by array; of distributed Funcs
    std::vector<const ir::Parameter *> inputs_;                 // by array; null for all but distributed inputs
    bool poisons_ = false;
    std::mutex mutex_;
    std::vector<std::shared_ptr<Planned>> planned_; // the last one first

    Layouts layouts_for(const std::vector<OutputOfRanks> &outputs, const distribute::Transport &transport,
                        const Location &location) const;
    /// The program for these layouts, not planned yet.
    Planned describe(Layouts layouts) const;
    /// Gives the scalars that stand for fields of distributed images their values. Precondition: the mutex is held.
    void set_domains(const Layouts &layouts);
    std::shared_ptr<Planned> plan(const std::vector<OutputOfRanks> &outputs, const Location &location);
    std::vector<distribute::ArrayView> bound(const Planned &planned, const std::vector<OutputOfRanks> &outputs) const;
};

} // namespace fluorite::driver
