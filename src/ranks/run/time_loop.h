#pragma once
// Programs that run many times, each time on what the time before computed.

#include "ranks/files/checkpoint.h"
#include "ranks/plan/unrolled.h"
#include "ranks/run/run_rank.h"
#include "ranks/transport/log_gp.h"

#include <array>
#include <functional>
#include <map>

namespace fluorite::distribute {

struct TimeLoopOptions {
    int64_t runs = 0;           // of the program, from the beginning, resumed ones included
    std::string checkpoint;     // the file; empty: none is written or read
    int64_t runs_between = 100; // two checkpoints
};

/// How often ranks exchange.
struct DeepHalos {
    /// Runs of the program for each exchange, the last of a loop or before a checkpoint excepted, which may be fewer.
    /// 0: as many as are fastest on the network, up to `most_runs`.
    int64_t runs = 0;
    int64_t most_runs = 16;
    LogGP network; // with the seconds of a point of this program
    RunOptions options;
};

/// RunOptions::slots of several runs as one program: a field's arrays are in its memories by turns, which are two, or
/// three if fields have a `before`; inner arrays share with themselves in other runs.
std::vector<size_t> slots_of(const UnrolledProgram &unrolled, const std::vector<Field> &fields = {});

/// Collective: how many runs for each exchange take the least time for one run. `own_seconds` estimates so many runs on
/// this rank; the slowest rank's counts, so that all ranks choose the same. 1 <= result <= most.
int64_t fastest_runs(int64_t most, const std::function<double(int64_t runs)> &own_seconds, Transport &transport);

class TimeLoop {
  public:
    /// Exchanges in each run. `others` are the memory of the remaining inputs and outputs, by array. The program
    /// outlives the loop. Throws RuntimeError [bad-distribution] if a field's arrays differ in domain, placement or
    /// element, or belong to another field.
    TimeLoop(const DistributedProgram &program, RankPlan plan, std::vector<Field> fields,
             std::vector<ArrayView> others);
    /// Collective: makes the plans, and chooses how many runs there are for each exchange. Results are the same for
    /// every number. `domains` are those of plan_rank.
    TimeLoop(const DistributedProgram &program, const std::vector<Box> &domains, std::vector<Field> fields,
             std::vector<ArrayView> others, const DeepHalos &halos, Transport &transport);

    /// What this rank owns of a field: to be filled before the first run, and the result after the last.
    ArrayView state(size_t field) const;

    /// Collective. If there is a checkpoint, the values and the number of the run that it holds replace those of this
    /// loop. Then runs until so many runs are done since the beginning. Throws what write_checkpoint, read_checkpoint
    /// and RankRun::run throw.
    void run(const TimeLoopOptions &options, Transport &transport);
    int64_t runs_done() const { return done_; }

    int64_t runs_for_each_exchange() const { return runs_; }
    /// What this rank does for that many runs.
    const RankRun &batch() const { return *batches_.at(runs_).run; }
    const DistributedProgram &batch_program() const { return *batches_.at(runs_).program; }
    /// The memory of the fields and of inner arrays, in bytes.
    int64_t bytes_allocated() const;
    /// Fills memory that is not a field's with a pattern before each run.
    void set_poison(bool on);

  private:
    /// Some runs at once.
    struct Batch {
        std::unique_ptr<DistributedProgram> program;
        std::vector<std::vector<size_t>> levels; // arrays, by field and number of runs
        std::unique_ptr<RankRun> run;
    };

    const DistributedProgram &program_;
    std::vector<Box> domains_;
    std::vector<Field> fields_;
    std::vector<ArrayView> others_;
    RunOptions options_;
    int64_t runs_ = 1; // for each exchange
    std::map<int64_t, Batch> batches_;
    std::vector<std::array<OwnedArray, 2>> memory_; // by field
    size_t current_ = 0;                            // the memory that has the state
    int64_t done_ = 0;
    bool poisons_ = false;

    void check_fields() const;
    Batch batch_of(UnrolledProgram unrolled, RankPlan plan) const;
    const RankPlan &plan() const { return batches_.at(runs_).run->plan(); }
    Batch &find_batch(int64_t runs, Transport &transport);
    void choose(const DeepHalos &halos, Transport &transport);
    void allocate();
    void run_batch(Batch &batch, int64_t runs, Transport &transport);
    std::vector<CheckpointArray> checkpoint_arrays() const;
};

} // namespace fluorite::distribute
