// Programs that run many times, each time on what the time before computed.
//
// Each field has two arrays, used by turns: what run t writes is what run t + 1 reads, so nothing is copied. Both have
// room for the halo, which is received in place. A program that computes several sweeps, the inner ones as needed,
// exchanges once for all of them (deep halos).

#include "distribute/execute/time_loop.h"

#include "fluorite/errors.h"
#include "support/check.h"

#include <filesystem>

namespace fluorite::distribute {

TimeLoop::TimeLoop(const DistributedProgram &program, RankPlan plan, std::vector<Field> fields,
                   std::vector<ArrayView> others)
    : program_(program), run_(program, std::move(plan)), fields_(std::move(fields)), bound_(std::move(others)) {
    bound_.resize(program.arrays.size());
    for (const Field &field : fields_) {
        const Array &input = program.arrays[field.input], &output = program.arrays[field.output];
        const RankPlan &planned = run_.plan();
        if (!(planned.domains[field.input] == planned.domains[field.output]) ||
            !(input.placement == output.placement) || input.bytes != output.bytes) {
            throw RuntimeError(
                "bad-distribution",
                concat("in ", program.name, ": ", output.name, " becomes ", input.name,
                       " in the next run, but it has another domain, placement or type; what is computed "
                       "again and again stays where it is; give both the same"));
        }
        const Box box = hull(planned.memory[field.input], planned.memory[field.output]);
        memory_.push_back({OwnedArray(box, input.bytes), OwnedArray(box, input.bytes)});
    }
}

ArrayView TimeLoop::state(size_t field) const {
    return memory_[field][static_cast<size_t>(done_ % 2)].view().cropped(run_.plan().owned[fields_[field].input]);
}

std::vector<CheckpointArray> TimeLoop::checkpoint_arrays() const {
    std::vector<CheckpointArray> arrays;
    for (size_t f = 0; f < fields_.size(); f++) {
        const size_t input = fields_[f].input;
        // Of an array that all ranks have, one writes.
        const bool is_everywhere = program_.arrays[input].placement.kind != Placement::Kind::Blocks;
        const Box nothing(program_.arrays[input].dimensions);
        const ArrayView view = state(f);
        arrays.push_back({program_.arrays[input].name, run_.plan().domains[input],
                          is_everywhere && run_.plan().rank != 0 ? nothing : view.box, view});
    }
    return arrays;
}

void TimeLoop::run(const TimeLoopOptions &options, Transport &transport) {
    const bool keeps = !options.checkpoint.empty();
    if (keeps) {
        // Ranks may see the file appear at different times: rank 0 decides.
        const uint64_t exists = transport.rank() == 0 && std::filesystem::exists(options.checkpoint) ? 1 : 0;
        if (transport.gather(exists)[0] == 1) {
            done_ = 0;
            const int64_t done = read_checkpoint(options.checkpoint, program_.hash, checkpoint_arrays(), transport);
            if (done % 2 == 1) { // the state is where it belongs after an odd number of runs
                for (std::array<OwnedArray, 2> &each : memory_) {
                    std::swap(each[0], each[1]);
                }
            }
            done_ = done;
        }
    }
    while (done_ < options.runs) {
        for (size_t f = 0; f < fields_.size(); f++) {
            bound_[fields_[f].input] = memory_[f][static_cast<size_t>(done_ % 2)].view();
            bound_[fields_[f].output] = memory_[f][static_cast<size_t>((done_ + 1) % 2)].view();
        }
        run_.run(bound_, transport);
        done_++;
        if (keeps && (done_ % options.runs_between == 0 || done_ == options.runs)) {
            write_checkpoint(options.checkpoint, {program_.hash, done_}, checkpoint_arrays(), transport);
        }
    }
}

} // namespace fluorite::distribute
