#pragma once
// Plans of a pipeline for any number of ranks and any sizes of images, made in one process without either: for
// predictions of scaling.

#include "distributed/pipeline_on_ranks.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fluorite::distributed {

/// An image of which each rank would have a part.
struct SimulatedImage {
    distribute::Box domain;
    distribute::Placement placement;
};

/// The program of a pipeline on so many ranks, as `realize` would run it there. Its code is compiled; any thread can
/// make bounds queries of its segments and run them.
class SimulatedRun {
  public:
    /// `inputs` are by name; others are bound to buffers that all ranks have. `outputs` are by value. The pipeline
    /// outlives the run.
    SimulatedRun(PipelineOnRanks &pipeline, const std::map<std::string, SimulatedImage> &inputs,
                 const std::vector<SimulatedImage> &outputs, int64_t ranks, const Location &location = {});
    SimulatedRun(const SimulatedRun &) = delete;
    SimulatedRun &operator=(const SimulatedRun &) = delete;

    const distribute::DistributedProgram &program() const { return described_.program; }
    distribute::DistributedProgram &program() { return described_.program; }
    /// For plan_rank.
    const std::vector<distribute::Box> &domains() const { return described_.domains; }
    const std::vector<size_t> &output_arrays() const { return described_.output_arrays; }

  private:
    distribute::ProgramCall call_;
    distribute::ProgramRuns::Described described_;
};

/// What one segment costs on this machine: of a point, and of a call beside its points, in seconds.
struct SegmentCost {
    std::string name;
    double point = 0, call = 0;
};

/// Runs the programs of a large and a small run of one pipeline on one rank, several times each, with inputs that
/// `fill` fills; a cost is what explains the fastest time of both. By segment. Throws RuntimeError like runs.
std::vector<SegmentCost>
measured_costs(const SimulatedRun &large, const SimulatedRun &small,
               const std::function<void(const std::string &input, const distribute::ArrayView &)> &fill);

/// Writes costs into the segments, for models whose time of a point is `seconds_per_point`.
void set_costs(distribute::DistributedProgram &program, const std::vector<SegmentCost> &costs,
               double seconds_per_point);

} // namespace fluorite::distributed
