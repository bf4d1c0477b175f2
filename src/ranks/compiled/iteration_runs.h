#pragma once
// Runs of an iteration on ranks: each rank has a part of the fields, and exchanges what its steps read of others.

#include "ranks/compiled/program_runs.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace fluorite::distribute {

/// What a rank has of a domain.
ImagePart part_of(const Box &domain, const Placement &placement, const Transport &transport);

/// This rank's memory of a field.
class FieldMemory {
  public:
    /// Without memory.
    FieldMemory(fluorite_type_t type, ImagePart part);
    FieldMemory(const FieldMemory &) = delete;
    FieldMemory &operator=(const FieldMemory &) = delete;

    /// Memory for a box, which contains the part.
    void allocate(const Box &box, const std::string &name);
    BoundBuffer bound() { return {&header_, part_}; }
    const ArrayView &view() const { return memory_.view(); }
    const ImagePart &part() const { return part_; }

  private:
    ImagePart part_;
    OwnedArray memory_;
    std::vector<fluorite_dimension_t> dims_;
    fluorite_buffer_t header_{};
};

/// What the arguments of a program are while its iterations run: by argument, and the fields of iterations so far.
struct PassedArguments {
    PassedArguments(const ProgramDescription &program, const ProgramCall &call,
                    const std::vector<std::unique_ptr<FieldMemory>> &results);

    const ProgramDescription &program;
    std::vector<BoundBuffer> buffers;
    std::vector<const void *> scalars;
    std::vector<BoundBuffer> results;
    void *context; // of the call
};

/// Binds the fields of an iteration, without memory, to the arrays that the program reads them as.
void bind_results(const DescribedIteration &iteration, const Box &domain, const Placement &placement, ProgramCall &call,
                  int64_t rank = 0, int64_t ranks = 1);

class IterationRuns {
  public:
    /// The functions of the parts: control, initial, body.
    IterationRuns(const DescribedIteration &iteration, std::vector<SegmentFunction> functions);

    /// All ranks find the same. Throws RuntimeError [iterate-negative-steps, iterate-negative-extent].
    Box domain(const PassedArguments &passed, Transport &transport);
    /// The placement that the schedule of the body gives its fields, or that of the initial fields, if there is one.
    std::optional<Placement> own_placement(const PassedArguments &passed, const Box &domain,
                                           const Transport &transport) const;
    /// Collective. The fields after the last step.
    std::vector<std::unique_ptr<FieldMemory>> run(const PassedArguments &passed, const Box &domain,
                                                  const Placement &placement, Transport &transport);
    /// Collective: the steps for each exchange, of which there is one at least.
    ProgramRuns::PlannedPart plan_steps(const PassedArguments &passed, const Box &domain, const Placement &placement,
                                        Transport &transport);
    /// Extends the memory that this rank needs of the program's inputs, by array of the program. Not collective.
    void add_memory(const PassedArguments &passed, const Box &domain, const Placement &placement,
                    const Transport &transport, std::vector<Box> &memory);

  private:
    const DescribedIteration &iteration_;
    std::unique_ptr<ProgramRuns> control_, initial_, body_;

    using Fields = std::vector<std::unique_ptr<FieldMemory>>;
    /// Which fields a call of the body or of the initial part is given. Empty: none.
    struct Bound {
        std::vector<BoundBuffer> state, before, outputs;
        const int32_t *step = nullptr;
    };

    ProgramCall call_of(const DescribedPart &part, const PassedArguments &passed, const Bound &bound) const;
    std::vector<int32_t> control_values(const PassedArguments &passed, Transport &transport);
    int64_t steps(const PassedArguments &passed, Transport &transport);
    /// A call of the body or of the initial part with fields that have no memory.
    ProgramCall call_without_memory(bool is_body, const PassedArguments &passed, const Fields &like) const;
    Fields fields(const ImagePart &part) const;
    Bound bound_to(const Fields &state, const Fields &before, const Fields &outputs) const;

    /// Several steps as one program, on one rank.
    struct Batch {
        std::shared_ptr<ProgramRuns::Planned> step;
        std::vector<Field> fields;
        UnrolledProgram unrolled;
        std::unique_ptr<RankRun> run;
        int64_t steps() const { return static_cast<int64_t>(unrolled.levels[0].size()) - 1; }
        int32_t first = 0, current = 0; // steps: before the batch; of the segment that runs
    };
    std::mutex mutex_;
    std::map<int64_t, std::vector<std::shared_ptr<Batch>>> batches_; // by rank, the last one first
    struct Choice {
        std::shared_ptr<ProgramRuns::Planned> step;
        int64_t most, steps;
    };
    std::map<int64_t, std::vector<Choice>> choices_; // likewise

    /// The fields of a body whose steps can be put together; nothing, if they cannot.
    std::vector<Field> chainable_fields(const ProgramRuns::Planned &step) const;
    std::shared_ptr<Batch> make_batch(const std::shared_ptr<ProgramRuns::Planned> &step,
                                      const std::vector<Field> &fields, int64_t steps, Transport &transport) const;
    /// The number of steps for each exchange that is fastest, of at most `most`.
    int64_t fastest_steps(const std::shared_ptr<ProgramRuns::Planned> &step, const std::vector<Field> &fields,
                          int64_t most, Transport &transport);
    std::shared_ptr<Batch> batch_of(const std::shared_ptr<ProgramRuns::Planned> &step, const std::vector<Field> &fields,
                                    int64_t steps, Transport &transport);
    /// The loop, and its buffers by turns: `state` is the one that has the fields.
    struct Loop {
        const PassedArguments &passed;
        Transport &transport;
        std::vector<Fields> buffers;
        size_t state = 0;
        size_t after(size_t level) const { return (state + level) % buffers.size(); }
    };
    /// Those of `together` steps, then what remains of `count`; none, where steps are single.
    std::vector<std::shared_ptr<Batch>> batches_for(const PassedArguments &passed, const ImagePart &part, int64_t count,
                                                    Transport &transport);
    void allocate(Loop &loop, const ImagePart &part, const std::vector<std::shared_ptr<Batch>> &batches);
    /// One step; whether no step follows.
    bool run_step(Loop &loop, int64_t t);
    void run_batch(Loop &loop, Batch &batch, int64_t t);
};

} // namespace fluorite::distribute
