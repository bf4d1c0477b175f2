#pragma once
// Programs that run many times, each time on what the time before computed.

#include "distribute/execute/checkpoint.h"
#include "distribute/execute/run_rank.h"

#include <array>

namespace fluorite::distribute {

/// An input that an output of the run before becomes. Both have one domain and one placement.
struct Field {
    size_t input, output; // arrays of the program
};

struct TimeLoopOptions {
    int64_t runs = 0;           // of the program, from the beginning, resumed ones included
    std::string checkpoint;     // the file; empty: none is written or read
    int64_t runs_between = 100; // two checkpoints
};

class TimeLoop {
  public:
    /// `others` are the memory of the remaining inputs and outputs, by array. The program outlives the loop. Throws
    /// RuntimeError [bad-distribution] if a field's arrays differ in domain, placement or element.
    TimeLoop(const DistributedProgram &program, RankPlan plan, std::vector<Field> fields,
             std::vector<ArrayView> others);

    /// What this rank owns of a field: to be filled before the first run, and the result after the last.
    ArrayView state(size_t field) const;

    /// Collective. If there is a checkpoint, the values and the number of the run that it holds replace those of this
    /// loop. Then runs until so many runs are done since the beginning. Throws what write_checkpoint, read_checkpoint
    /// and RankRun::run throw.
    void run(const TimeLoopOptions &options, Transport &transport);
    int64_t runs_done() const { return done_; }

  private:
    const DistributedProgram &program_;
    RankRun run_;
    std::vector<Field> fields_;
    std::vector<ArrayView> bound_;
    std::vector<std::array<OwnedArray, 2>> memory_; // by field: read and written by turns
    int64_t done_ = 0;

    std::vector<CheckpointArray> checkpoint_arrays() const;
};

} // namespace fluorite::distribute
