#pragma once
// Distributed pipelines as data: what the compiler knows of one, without the code of its segments.
//
// The compiler makes a description once. Sizes, placements of images, values of Params and the number of ranks are
// known when the pipeline is called; program_runs.h makes a DistributedProgram of both. A description has a text form,
// which is part of compiled objects.

#include "fluorite/runtime_abi.h"
#include "ranks/plan/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fluorite::distribute {

/// A number of a layout: known, or element `computed` of what the function of numbers gives; then `value` is unused.
struct LayoutNumber {
    int64_t value = 1;
    int64_t computed = -1;
    bool operator==(const LayoutNumber &) const = default;
};

/// How the schedule of a Func cuts one of its dimensions.
struct DimensionPartition {
    size_t dimension = 0;
    bool is_chosen = false; // the number of parts, when the pipeline runs
    LayoutNumber parts, tile;
    bool operator==(const DimensionPartition &) const = default;
};

/// An input, or one value of a Func that ranks exchange.
struct DescribedArray {
    std::string name;
    Array::Role role = Array::Role::Inner;
    fluorite_type_t type;
    size_t dimensions = 0;
    Placement placement;                  // of Funcs, as far as it is known
    std::vector<DimensionPartition> cuts; // of Funcs; replace those of the placement unless empty
    size_t first = 0;                     // the array of the first value of the same Func; of inputs: itself
    bool may_have_parts = false; // of inputs: fields of the whole are scalars of the segments, so it may be an image of
                                 // which each rank has a part
    bool affects_regions = false;      // of inputs: regions depend on its min, extent or stride
    LayoutNumber most_ranks = {0, -1}; // of Funcs: Placement::most_ranks
    std::vector<size_t> order = {};    // of Funcs: Array::order
    bool operator==(const DescribedArray &) const = default;
};

/// An argument of the pipeline: an input or output, or a scalar. The outputs come last.
struct DescribedArgument {
    std::string name;
    bool is_scalar = false;
    size_t array = 0;             // of buffers
    fluorite_type_t type;         // of scalars
    bool affects_regions = false; // of scalars
    bool is_result = false;       // of buffers: a field of an iteration, which no caller passes
    bool operator==(const DescribedArgument &) const = default;
};

/// A min, max, extent or stride of a whole input or output, which segments take as a scalar.
struct DescribedField {
    enum class Kind : uint8_t { Min, Max, Extent, Stride };
    size_t array = 0;
    Kind kind = Kind::Min;
    size_t dimension = 0;
    bool operator==(const DescribedField &) const = default;
};

/// What a function takes.
struct DescribedOperand {
    enum class Kind : uint8_t {
        Context,
        Scalar, // `index`: argument of the pipeline
        Field,  // `index`: field of the description
        Array,  // `index`: array or view
        Ranks,  // their number, an int32
        Numbers // the buffer that the function of numbers fills
    };
    Kind kind = Kind::Context;
    size_t index = 0;
    bool operator==(const DescribedOperand &) const = default;
};

/// An input, or a Func of which each rank computes a part, as BoundaryConditions::repeat_image reads it: coordinates
/// beyond the edges wrap around in some dimensions.
struct DescribedView {
    struct Edges {
        size_t dimension = 0;
        LayoutNumber min, max;
        bool operator==(const Edges &) const = default;
    };
    size_t array = 0;
    std::vector<Edges> edges;
    bool operator==(const DescribedView &) const = default;
};

struct DescribedSegment {
    std::string name;
    std::vector<size_t> reads, writes; // arrays; of reads, also views, which are numbered behind the arrays
    std::vector<DescribedOperand> operands;
    bool ignores_coordinates = false; // Segment::ignores_coordinates, in all dimensions that views repeat
    bool operator==(const DescribedSegment &) const = default;
};

/// The arrays and segments of a program.
struct SegmentsDescription {
    std::string name;
    uint64_t hash = 0, schedule_hash = 0;
    bool poisons = false; // memory is filled with a pattern before each run
    std::vector<DescribedArray> arrays;
    std::vector<DescribedArgument> arguments;
    std::vector<DescribedField> fields;
    std::vector<DescribedView> views;
    std::vector<DescribedSegment> segments;
    /// The function of numbers, which comes after those of the segments, and how many it gives, as int32; 0: there is
    /// none.
    size_t number_count = 0;
    std::vector<DescribedOperand> number_operands;
    bool operator==(const SegmentsDescription &) const = default;

    bool is_view(size_t read) const { return read >= arrays.size(); }
    /// The array that a segment reads, itself or through a view.
    const DescribedArray &array_of(size_t read) const {
        return arrays[is_view(read) ? views[read - arrays.size()].array : read];
    }
    size_t function_count() const { return segments.size() + (number_count > 0 ? 1 : 0); }
    /// The arrays of the output values, in the order of the arguments.
    std::vector<size_t> outputs() const;
};

/// What an argument of a part of an iteration stands for.
struct DescribedSource {
    enum class Kind : uint8_t {
        Argument, // `index`: argument of the whole program
        Result,   // `index`: field of an earlier iteration, all of which are counted
        State,    // `index`: field of this one after the steps so far
        Before,   // `index`: the same one step earlier
        Step,     // their number
        Output    // `index`: value of the part
    };
    Kind kind = Kind::Argument;
    size_t index = 0;
    bool operator==(const DescribedSource &) const = default;
};

/// A pipeline that an iteration runs, with what its arguments stand for.
struct DescribedPart {
    SegmentsDescription program;
    std::vector<DescribedSource> sources; // by argument
    bool operator==(const DescribedPart &) const = default;
};

/// A pipeline that runs on its own results (ir::Iteration).
struct DescribedIteration {
    std::string name;
    size_t dimensions = 0;
    std::vector<fluorite_type_t> types; // of the fields
    bool has_before = false;            // the body reads two past steps
    bool stops = false;                 // the last value of the body says whether no step follows
    int64_t steps_per_exchange = 0;     // 0: as many as a model of the network finds fastest
    std::vector<int64_t> results;       // by field: the array that the program reads it as; -1: it does not
    /// Values: the number of steps, then min and extent of each dimension; the fields at step 0, then, if it
    /// has_before, at step -1; the fields one step later, then, if it stops, a Bool.
    DescribedPart control, initial, body;
    bool operator==(const DescribedIteration &) const = default;

    size_t function_count() const {
        return control.program.function_count() + initial.program.function_count() + body.program.function_count();
    }
};

struct ProgramDescription : SegmentsDescription {
    /// Run in this order, before the segments. Their functions follow those of the program, in the order control,
    /// initial, body.
    std::vector<DescribedIteration> iterations;
    bool operator==(const ProgramDescription &) const = default;

    size_t all_function_count() const;
    /// How many arguments callers pass.
    size_t passed_count() const;
};

std::string to_text(const ProgramDescription &description);
/// Throws RuntimeError [bad-distribution] for a text that is none, or of another version of the library.
ProgramDescription parse_program(const std::string &text);

} // namespace fluorite::distribute
