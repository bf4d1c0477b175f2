#pragma once
// Segments of a pipeline for ranks: each Func whose values ranks exchange, with what is computed inside of it, becomes
// a pipeline of its own, which reads the others as inputs.

#include "schedule/schedule.h"

#include <vector>

namespace fluorite::distributed {

/// Something that a segment reads or writes: an input of the program, or a value of a Func.
struct SegmentArray {
    std::string name;
    Type type;
    int dimensions = 0;
    InputId input;                  // valid for inputs of the program
    FuncId func;                    // valid for values of Funcs
    int value = 0;                  // of the Func
    std::vector<size_t> order = {}; // of values of Funcs: dimensions in memory, innermost first; empty: their own order
};

/// An array as it is read through BoundaryConditions::repeat_image: in these dimensions, coordinates beyond the edges
/// wrap around. The edges are expressions of Params and of fields of whole arrays.
struct SegmentView {
    struct Edges {
        int dimension = 0;
        Expr min, max;
    };
    size_t array = 0;
    std::vector<Edges> edges;
};

/// A pipeline with one output, or with several, of Funcs that share loops (compute_with). Its first inputs are those of
/// the program; the others are values of earlier Funcs, and views.
struct PipelineSegment {
    schedule::ScheduledGraph pipeline;
    std::vector<size_t> reads;       // arrays, and views (numbered behind the arrays), in the order of the inputs that
                                     // follow those of the program
    std::vector<size_t> inputs_read; // arrays that are inputs of the program; elements or fields are read
    std::vector<size_t> writes;      // arrays: the values of the outputs
};

/// A scalar that stands for a field of an input or output which ranks have parts of: of the whole, not of the part.
struct GlobalField {
    size_t array = 0; // of an output with several values: the first
    ir::Field field = ir::Field::Min;
    int dimension = 0;
    RefPtr<ir::Parameter> parameter; // Int32
};

struct SegmentedPipeline {
    std::vector<SegmentArray> arrays;      // the inputs first
    std::vector<PipelineSegment> segments; // in an order in which they can run
    std::vector<GlobalField> fields;
    std::vector<SegmentView> views;

    /// The array of a number in PipelineSegment::reads.
    const SegmentArray &read(size_t number) const {
        return arrays[number < arrays.size() ? number : views[number - arrays.size()].array];
    }
};

/// Where one segment ends and another one begins.
struct SegmentBoundaries {
    std::vector<FuncId> funcs;        // computed by segments, in the order of the graph; outputs among them
    std::vector<InputId> distributed; // inputs whose fields become scalars, like those of outputs
    std::vector<FuncId> parted;       // those of `funcs` of which each rank computes a part
};

/// Reads of distributed inputs and of parted Funcs that repeat an image become reads of views, as far as their
/// coordinates stay near what is computed. Precondition: each of the Funcs is computed at root, or an output.
SegmentedPipeline split_into_segments(const schedule::ScheduledGraph &pipeline, const SegmentBoundaries &boundaries);

} // namespace fluorite::distributed
