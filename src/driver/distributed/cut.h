#pragma once
// Pipelines cut at the Funcs whose values ranks exchange: each such Func with what is computed inside of it becomes a
// pipeline of its own, which reads the others as inputs.

#include "schedule/schedule.h"

#include <vector>

namespace fluorite::driver {

/// Something that a segment reads or writes: an input of the program, or a value of a Func.
struct CutArray {
    std::string name;
    Type type;
    int dimensions = 0;
    InputId input; // valid for inputs of the program
    FuncId func;   // valid for values of Funcs
    int value = 0; // of the Func
};

/// A pipeline with one output. Its first inputs are those of the program; the others are values of earlier Funcs.
struct CutSegment {
    schedule::ScheduledGraph pipeline;
    std::vector<size_t> reads;       // arrays, in the order of the inputs that follow those of the program
    std::vector<size_t> inputs_read; // arrays that are inputs of the program; elements or fields are read
    std::vector<size_t> writes;      // arrays: the values of the output
};

/// A scalar that stands for a field of an input or output which ranks have parts of: of the whole, not of the part.
struct GlobalField {
    size_t array = 0; // of an output with several values: the first
    ir::Field field = ir::Field::Min;
    int dimension = 0;
    RefPtr<ir::Parameter> parameter; // Int32
};

struct CutPipeline {
    std::vector<CutArray> arrays; // the inputs first
    std::vector<CutSegment> segments;
    std::vector<GlobalField> fields;
};

/// `funcs` are computed by segments of their own, in the order of the graph; outputs among them. Fields of
/// outputs and of `distributed` inputs become scalars. Precondition: each of `funcs` is computed at root, or an
/// output; no directive has rewritten definitions.
CutPipeline cut(const schedule::ScheduledGraph &pipeline, const std::vector<FuncId> &funcs,
                const std::vector<InputId> &distributed);

} // namespace fluorite::driver
