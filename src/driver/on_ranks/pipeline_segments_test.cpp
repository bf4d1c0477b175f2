// Segments of a pipeline that uses all that cuts have to change, as a whole text: tests/distribute/reports/cut.txt.
// FLUORITE_UPDATE_GOLDENS rewrites it.
#include "distributed/pipeline_segments.h"

#include "driver/compiled.h"
#include "fluorite/fluorite.h"
#include "schedule/text/schedule_text.h"
#include "support/test_golden.h"

namespace fluorite::driver::pipeline_segments_test {
namespace {

std::string names_of(const distributed::SegmentedPipeline &segmented, const std::vector<size_t> &arrays) {
    std::string text;
    for (const size_t a : arrays) {
        text += " " + segmented.arrays[a].name;
    }
    return text;
}

std::string text_of(const distributed::SegmentedPipeline &segmented) {
    std::ostringstream text;
    for (const distributed::SegmentArray &array : segmented.arrays) {
        text << array.name << ": " << array.type << "[" << array.dimensions << "], "
             << (array.input.valid() ? "an input" : concat("value ", array.value, " of Func ", array.func.index()))
             << "\n";
    }
    for (const distributed::GlobalField &field : segmented.fields) {
        text << field.parameter->name << " is a field of " << segmented.arrays[field.array].name << ", dimension "
             << field.dimension << "\n";
    }
    for (const distributed::PipelineSegment &segment : segmented.segments) {
        text << "\nreads" << names_of(segmented, segment.reads) << "; inputs"
             << names_of(segmented, segment.inputs_read) << "; writes" << names_of(segmented, segment.writes) << "\n"
             << segment.pipeline.graph
             << schedule::to_text(schedule::directives_of(segment.pipeline.graph, segment.pipeline.schedule));
    }
    return text.str();
}

TEST(PipelineSegments, HasTheTextOfItsFile) {
    Var x("x"), y("y");
    ImageParam cut_input(UInt(8), 2, "cut_input"), whole_input(Int(32), 1, "whole_input");
    Func inner("inner"), ends("ends"), wide("wide"), out("out");
    RDom r(0, 3, "r");
    cut_input.dim(0).set_min(0);
    whole_input.dim(0).set_stride(1);
    inner(x, y) = cast<int>(cut_input(clamp(x, 0, cut_input.width() - 1), clamp(y, 0, cut_input.dim(1).max())));
    ends(x, y) = {inner(x - 1, y) + whole_input(0), inner(x + 1, y) * whole_input.width()};
    wide(x, y) = ends(x, y)[0];
    wide(x, y) += ends(x + r, y)[1] * cut_input.dim(1).stride();
    out(x, y) = wide(x, y) + wide(x, y + 1) + inner(x, y);
    out(x, y) -= out.output_buffer().dim(1).min();
    ends.compute_root().store_in(MemoryType::Heap).vectorize(x, 4);
    wide.compute_root().parallel(y).bound(x, 0, cut_input.width() + 3);
    wide.specialize(cut_input.height() > 8).vectorize(x, 8);
    out.prefetch(wide, y, y, 2);
    out.output_buffer().dim(0).set_min(0);
    Pipeline pipeline(out);
    pipeline.add_requirement(cut_input.width() > 4);
    const schedule::ScheduledGraph graph = freeze_for(*pipeline.contents(), Target("x86-64-linux"));
    std::vector<FuncId> funcs;
    for (const ir::FuncDef &func : graph.graph.funcs) {
        if (func.name() != "inner") {
            funcs.push_back(func.id());
        }
    }
    std::vector<InputId> inputs;
    for (size_t i = 0; i < graph.graph.inputs.size(); i++) {
        if (graph.graph.inputs[i].symbol.name() == "cut_input") {
            inputs.emplace_back(i);
        }
    }
    expect_golden(text_of(distributed::split_into_segments(graph, {funcs, inputs, {}})),
                  "tests/distribute/reports/cut.txt");
}

} // namespace
} // namespace fluorite::driver::pipeline_segments_test
