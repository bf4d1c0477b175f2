// Schedules from texts: tests/schedule/values/*/*.ir. `// show: schedule` is the normal form, `tree` the schedule tree,
// `objections` what makes a tree illegal, and `dependences` of a stage (`dependences f 1`) its loops that may run at
// once.
#include "schedule/loop_rules.h"
#include "schedule/test_pipeline_file.h"
#include "schedule/tree/tree.h"

namespace fluorite::schedule::values_test {
namespace {

std::string independent_loops(const ScheduledGraph &pipeline, const std::string &func, size_t stage) {
    std::string text;
    for (const ir::FuncDef &def : pipeline.graph.funcs) {
        const StageSchedule &loops = pipeline.schedule.func(def.id()).stages[std::min(stage, def.stages.size() - 1)];
        for (size_t dim = 0; def.name() == func && dim < loops.dims.size(); dim++) {
            const bool is_independent = loop_is_independent(def.stages[stage], def.symbol, loops, dim);
            text += loops.dims[dim].var + (is_independent ? ": independent\n" : ": in order\n");
        }
    }
    return text;
}

std::string show(const ScheduledGraph &pipeline, const std::string &what) {
    std::istringstream words(what);
    std::string view, func;
    size_t stage = 0;
    words >> view >> func >> stage;
    if (view == "schedule") {
        return schedule_text(pipeline);
    }
    if (view == "dependences") {
        return independent_loops(pipeline, func, stage);
    }
    const Tree tree = tree_of(std::make_shared<const ir::Graph>(pipeline.graph), pipeline.schedule, {});
    std::string text = view == "tree" ? to_text(tree) : "";
    for (const Objection &objection : objections(tree)) {
        text += std::string(objection.rule) + ": " + objection.reason + "\n";
    }
    return text;
}

TEST(ScheduleValues, EveryFileGivesItsText) { expect_pipeline_files("tests/schedule/values", 20, show); }

/// A schedule in normal form is its own normal form.
TEST(ScheduleValues, NormalFormsStay) {
    for (const std::filesystem::path &path : ir::golden_files("tests/schedule/values")) {
        const PipelineFile file = sections_of(ir::read_golden_file(path).head);
        if (file.show == "schedule") {
            SCOPED_TRACE(path.string());
            std::string once;
            try {
                once = schedule_text(parse_pipeline(file.graph, file.schedule));
            } catch (const CompileError &) {
                continue; // a schedule that is refused has none
            }
            EXPECT_EQ(schedule_text(parse_pipeline(file.graph, once)), once);
        }
    }
}

} // namespace
} // namespace fluorite::schedule::values_test
