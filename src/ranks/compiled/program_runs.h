#pragma once
// Runs of one compiled pipeline on ranks: planned once for each set of domains and placements.

#include "ranks/compiled/image_parts.h"
#include "ranks/compiled/segment_call.h"
#include "ranks/run/run_rank.h"
#include "ranks/run/time_loop.h"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace fluorite::distribute {

/// What a call binds to an input or output: this rank's memory of an image, or a buffer that every rank has the whole
/// of. Without `buffer` (only regions are asked for), or with one without memory, there is a part.
struct BoundBuffer {
    fluorite_buffer_t *buffer = nullptr;
    std::optional<ImagePart> part;
};
/// The buffer behind a header, or the image that it is the memory of.
inline BoundBuffer bound(fluorite_buffer_t *header) {
    const ImagePart *part = ImageHeader::find(header);
    return {header, part ? std::optional(*part) : std::nullopt};
}

/// The arguments of a call.
struct ProgramCall {
    std::vector<BoundBuffer> arrays;   // by array; of inputs and outputs
    std::vector<const void *> scalars; // by argument; null for buffers
    void *context = nullptr;           // that functions are called with
};

class IterationRuns;
struct PassedArguments;

class ProgramRuns {
  public:
    /// The functions of the segments, then that of the numbers, if there is one, then those of iterations.
    ProgramRuns(ProgramDescription description, std::vector<SegmentFunction> functions);

    ~ProgramRuns();
    ProgramRuns(const ProgramRuns &) = delete;
    ProgramRuns &operator=(const ProgramRuns &) = delete;

    const ProgramDescription &description() const { return description_; }

    // All of the following throw SegmentFailed, RuntimeError, or what functions throw.

    /// Collective. Computes the outputs; iterations run first.
    void run(const ProgramCall &call, Transport &transport);
    /// The memory that this rank needs of inputs and outputs for such a run, by array; empty for inputs that every rank
    /// has. Not collective.
    std::vector<Box> memory_for(const ProgramCall &call, const Transport &transport);

    /// A field of time steps: an input, and the number of the output value that takes its place in the next step.
    struct StepField {
        size_t input, value;
    };
    /// Collective. Runs so many steps; the inputs' memory holds the initial values, and afterwards the result.
    /// `steps_per_exchange`: DeepHalos::runs.
    void run_steps(const std::vector<StepField> &fields, const ProgramCall &call, const TimeLoopOptions &options,
                   int64_t steps_per_exchange, Transport &transport);

    /// What plans of one pipeline differ in.
    struct Layouts {
        std::vector<Box> domains;            // of the arrays; of inner Funcs: nothing
        std::vector<Placement> placements;   // of the arrays
        std::vector<bool> has_part;          // by array: inputs of which each rank has a part
        std::vector<Box> edges;              // by view: where its dimensions wrap around
        std::vector<Placement> wanted;       // where values are written, by output value
        std::vector<uint64_t> region_values; // of scalars, and fields of buffers, on which regions depend
        const Transport *transport = nullptr;
        int64_t rank = 0, ranks = 1;
        bool operator==(const Layouts &) const = default;
    };
    /// A program for certain layouts, and this rank's run of it.
    struct Planned {
        Layouts layouts;
        std::vector<Box> domains; // of the program's arrays, which are more
        DistributedProgram program;
        std::vector<size_t> output_arrays; // by value
        std::shared_ptr<CallSlot> slot;    // of the program's segments
        std::unique_ptr<RankRun> run;
    };
    /// The program of a call, not planned, whose segments can be asked and run, on any thread. The call outlives it.
    /// Not collective: `transport` says only which rank of how many this is.
    struct Described {
        DistributedProgram program;
        std::vector<Box> domains;                 // for plan_rank
        std::vector<size_t> output_arrays;        // by value
        std::shared_ptr<const CallValues> values; // that the segments run with
    };
    Described describe_call(const ProgramCall &call, const Transport &transport) const;

    /// How a call places an array that is computed. Not collective.
    Placement placement_in_call(size_t array, const ProgramCall &call, const Transport &transport) const;

    /// Collective unless such a run is planned already. The results of iterations are bound.
    std::shared_ptr<Planned> plan(const ProgramCall &call, Transport &transport);
    /// Collective: what a rank does in a run of the segments, after what it does for each exchange of the iterations.
    struct PlannedPart {
        std::string steps; // of an iteration: `2 steps of heat`; else empty
        std::shared_ptr<const DistributedProgram> program;
        std::shared_ptr<const RankRun> run;
    };
    std::vector<PlannedPart> plan_parts(const ProgramCall &call, Transport &transport);
    /// The memory of a call's images, by array of the planned program.
    std::vector<ArrayView> memory_of(const Planned &planned, const ProgramCall &call) const;
    /// What segments run with in a call. It refers to the call.
    CallValues values_of(const ProgramCall &call, const Transport &transport) const;

  private:
    ProgramDescription description_;
    std::vector<SegmentFunction> functions_;
    std::vector<size_t> outputs_; // arrays, by value
    std::mutex mutex_;
    std::vector<std::shared_ptr<Planned>> planned_; // the last one first
    std::vector<std::unique_ptr<IterationRuns>> iterations_;

    void run_segments(const ProgramCall &call, Transport &transport);
    Placement placement_of_iteration(size_t iteration, const PassedArguments &passed, const ProgramCall &call,
                                     const Box &domain, const Transport &transport) const;
    std::vector<uint64_t> region_values_of(const ProgramCall &call) const;
    Layouts layouts_for(const ProgramCall &call, const CallValues &values, const Transport &transport) const;
    void place_outputs(const ProgramCall &call, const std::vector<bool> &is_cut, Layouts &layouts) const;
    DistributedProgram program_for(const Layouts &layouts, const std::shared_ptr<const CallSlot> &slot) const;
    /// The program for these layouts, not planned yet; domains are found with the values.
    Planned describe(Layouts layouts, const CallValues &values) const;
};

} // namespace fluorite::distribute
