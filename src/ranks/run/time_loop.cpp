// Programs that run many times, each time on what the time before computed.
//
// Each field has two memories, used by turns: what run t writes is what run t + 1 reads, so nothing is copied. Both
// have room for the halo, which is received in place.
//
// Deep halos: k runs are one program (unrolled.h) that exchanges once. The field's values between its runs are in the
// two memories by turns, too, and inner arrays of all runs share memory, so that depth costs halos and no more. That is
// always possible: a run reads values of the one before it only. (Interiors that are computed before messages are there
// are another matter; actions.h looks after them.) The last runs before a checkpoint or the end may be fewer than k;
// their program is made when it is needed.
//
// The number of runs is chosen by planning some: the estimate of the slowest rank counts, which all ranks know.

#include "ranks/run/time_loop.h"

#include "fluorite/errors.h"
#include "ranks/run/estimate.h"
#include "support/check.h"

#include <filesystem>
#include <limits>

namespace fluorite::distribute {

namespace {

constexpr int64_t worse_before_end = 2; // numbers of runs that are tried after the best
constexpr double worthwhile = 0.99;     // of the time: more runs take more memory

} // namespace

std::vector<size_t> slots_of(const UnrolledProgram &unrolled, const std::vector<Field> &fields) {
    std::vector<size_t> slots = unrolled.original;
    const bool has_before = !fields.empty() && fields[0].before.has_value();
    const size_t memories = has_before ? 3 : 2;
    for (size_t f = 0; f < unrolled.levels.size(); f++) {
        const size_t first = unrolled.original.size() + memories * f;
        const std::vector<size_t> &levels = unrolled.levels[f];
        for (size_t level = 0; level < levels.size(); level++) {
            slots[levels[level]] = first + level % memories;
        }
        if (has_before) {
            slots[*fields[f].before] = first + memories - 1;
        }
    }
    return slots;
}

TimeLoop::TimeLoop(const DistributedProgram &program, RankPlan plan, std::vector<Field> fields,
                   std::vector<ArrayView> others)
    : program_(program), domains_(plan.domains), fields_(std::move(fields)), others_(std::move(others)) {
    check_fields();
    batches_.emplace(1, batch_of(unrolled(program, fields_, 1), std::move(plan)));
    allocate();
}

TimeLoop::TimeLoop(const DistributedProgram &program, const std::vector<Box> &domains, std::vector<Field> fields,
                   std::vector<ArrayView> others, const DeepHalos &halos, Transport &transport)
    : program_(program), domains_(domains), fields_(std::move(fields)), others_(std::move(others)),
      options_(halos.options), runs_(halos.runs) {
    if (halos.runs < 0 || (halos.runs == 0 && halos.most_runs < 1)) {
        throw RuntimeError("bad-distribution",
                           concat("in ", program.name, ": ", halos.runs == 0 ? halos.most_runs : halos.runs,
                                  " runs for each exchange; an exchange serves at least one; use 1 or more"));
    }
    check_fields();
    if (halos.runs == 0) {
        choose(halos, transport);
    } else {
        (void)find_batch(halos.runs, transport);
    }
    allocate();
}

void TimeLoop::check_fields() const {
    for (size_t f = 0; f < fields_.size(); f++) {
        const Field &field = fields_[f];
        const Array &input = program_.arrays.at(field.input), &output = program_.arrays.at(field.output);
        const std::string what =
            concat("in ", program_.name, ": ", output.name, " becomes ", input.name, " in the next run, ");
        if (input.role != Array::Role::Input || output.role != Array::Role::Output) {
            throw RuntimeError("bad-distribution", concat(what, "but one is no input or the other no output; name an ",
                                                          "input and an output of the program"));
        }
        for (size_t other = 0; other < f; other++) {
            if (fields_[other].input == field.input || fields_[other].output == field.output) {
                throw RuntimeError("bad-distribution",
                                   concat(what, "and one of them belongs to another field, too; each field has an ",
                                          "input and an output of its own; copy the values into another output"));
            }
        }
        if (!(domains_.at(field.input) == domains_.at(field.output)) || !(input.placement == output.placement) ||
            input.bytes != output.bytes) {
            throw RuntimeError("bad-distribution",
                               concat(what, "but it has another domain, placement or type; what is computed "
                                            "again and again stays where it is; give both the same"));
        }
    }
}

TimeLoop::Batch TimeLoop::batch_of(UnrolledProgram unrolled, RankPlan plan) const {
    Batch batch;
    RunOptions options = options_;
    options.slots = slots_of(unrolled);
    batch.program = std::make_unique<DistributedProgram>(std::move(unrolled.program));
    batch.levels = std::move(unrolled.levels);
    batch.run = std::make_unique<RankRun>(*batch.program, std::move(plan), options);
    batch.run->set_poison(poisons_);
    return batch;
}

TimeLoop::Batch &TimeLoop::find_batch(int64_t runs, Transport &transport) {
    const auto found = batches_.find(runs);
    if (found != batches_.end()) {
        return found->second;
    }
    UnrolledProgram program = unrolled(program_, fields_, runs);
    std::vector<Box> domains = domains_;
    domains.resize(program.program.arrays.size());
    RankPlan plan = plan_rank(program.program, domains, transport);
    return batches_.emplace(runs, batch_of(std::move(program), std::move(plan))).first->second;
}

int64_t fastest_runs(int64_t most, const std::function<double(int64_t runs)> &own_seconds, Transport &transport) {
    double least = std::numeric_limits<double>::infinity();
    int64_t best = 1, worse = 0;
    for (int64_t runs = 1; runs <= most && worse < worse_before_end; runs += (runs + 2) / 3) {
        uint64_t slowest = 0; // in picoseconds, as ranks exchange whole numbers
        for (const uint64_t each : transport.gather(static_cast<uint64_t>(own_seconds(runs) * 1e12))) {
            slowest = std::max(slowest, each);
        }
        const double seconds = static_cast<double>(slowest) / static_cast<double>(runs);
        const bool is_better = seconds < least * worthwhile;
        worse = is_better ? 0 : worse + 1;
        best = is_better ? runs : best;
        least = is_better ? seconds : least;
    }
    return best;
}

void TimeLoop::choose(const DeepHalos &halos, Transport &transport) {
    halos.network.validate();
    const int64_t most = can_unroll(program_, fields_) ? halos.most_runs : 1;
    const auto own_seconds = [&](int64_t runs) {
        const Batch &batch = find_batch(runs, transport);
        return estimated_seconds(*batch.program, batch.run->plan(), batch.run->actions(), halos.network);
    };
    runs_ = fastest_runs(most, own_seconds, transport);
    std::erase_if(batches_, [&](const auto &each) { return each.first != runs_; });
}

void TimeLoop::allocate() {
    const Batch &batch = batches_.at(runs_);
    for (size_t f = 0; f < fields_.size(); f++) {
        Box box(program_.arrays[fields_[f].input].dimensions);
        for (const size_t a : batch.levels[f]) {
            box = hull(box, plan().memory[a]);
        }
        const int64_t bytes = program_.arrays[fields_[f].input].bytes;
        memory_.push_back({OwnedArray(box, bytes), OwnedArray(box, bytes)});
    }
}

ArrayView TimeLoop::state(size_t field) const {
    return memory_[field][current_].view().cropped(plan().owned[fields_[field].input]);
}

std::vector<CheckpointArray> TimeLoop::checkpoint_arrays() const {
    std::vector<CheckpointArray> arrays;
    for (size_t f = 0; f < fields_.size(); f++) {
        const size_t input = fields_[f].input;
        // Of an array that all ranks have, one writes.
        const bool is_everywhere = program_.arrays[input].placement.kind != Placement::Kind::Blocks;
        const Box nothing(program_.arrays[input].dimensions);
        const ArrayView view = state(f);
        arrays.push_back({program_.arrays[input].name, plan().domains[input],
                          is_everywhere && plan().rank != 0 ? nothing : view.box, view});
    }
    return arrays;
}

void TimeLoop::run_batch(Batch &batch, int64_t runs, Transport &transport) {
    std::vector<ArrayView> bound = others_;
    bound.resize(batch.program->arrays.size());
    for (size_t f = 0; f < fields_.size(); f++) {
        const std::vector<size_t> &levels = batch.levels[f];
        for (size_t level = 0; level < levels.size(); level++) {
            bound[levels[level]] = memory_[f][(current_ + level) % 2].view();
        }
    }
    batch.run->run(bound, transport);
    current_ = (current_ + static_cast<size_t>(runs)) % 2;
    done_ += runs;
}

void TimeLoop::run(const TimeLoopOptions &options, Transport &transport) {
    const bool keeps = !options.checkpoint.empty();
    if (keeps) {
        // Ranks may see the file appear at different times: rank 0 decides.
        const uint64_t exists = transport.rank() == 0 && std::filesystem::exists(options.checkpoint) ? 1 : 0;
        if (transport.gather(exists)[0] == 1) {
            done_ = read_checkpoint(options.checkpoint, program_.hash, checkpoint_arrays(), transport);
            if (done_ > options.runs) {
                throw RuntimeError("bad-checkpoint",
                                   concat("in the checkpoint ", options.checkpoint, ": it holds the state after step ",
                                          done_, ", and ", options.runs,
                                          " steps are asked for; steps count from the beginning, those before the "
                                          "checkpoint included; ask for ",
                                          done_, " or more, or begin anew"));
            }
        }
    }
    std::unique_ptr<CheckpointWriter> writer; // of the last checkpoint, while the disk is busy
    const auto complete = [&] {
        if (writer) {
            writer->complete(transport);
            writer.reset();
        }
    };
    int64_t complete_at = 0; // the same run on all ranks: half way to the next checkpoint
    while (done_ < options.runs) {
        int64_t stop = options.runs;
        if (keeps) {
            stop = std::min(stop, (done_ / options.runs_between + 1) * options.runs_between);
        }
        const int64_t runs = std::min(runs_, stop - done_);
        run_batch(find_batch(runs, transport), runs, transport);
        if (done_ >= complete_at) {
            complete();
        }
        if (keeps && done_ == stop) {
            complete();
            writer = std::make_unique<CheckpointWriter>(options.checkpoint, CheckpointState{program_.hash, done_},
                                                        checkpoint_arrays(), transport);
            complete_at = done_ + options.runs_between / 2;
        }
    }
    complete();
}

int64_t TimeLoop::bytes_allocated() const {
    int64_t bytes = 0;
    for (const std::array<OwnedArray, 2> &each : memory_) {
        bytes += each[0].size() + each[1].size();
    }
    for (const auto &[runs, batch] : batches_) {
        bytes += batch.run->bytes_allocated();
    }
    return bytes;
}

void TimeLoop::set_poison(bool on) {
    poisons_ = on;
    for (auto &[runs, batch] : batches_) {
        batch.run->set_poison(on);
    }
}

} // namespace fluorite::distribute
