// Pipeline::schedule() and Pipeline::apply(): conversion between the schedules behind users' Funcs and schedules as
// values.
//
// Reading freezes the pipeline and takes the normal form of the frozen schedule; lines for the wrappers made by in()
// come first. Where rfactor cut updates, a copy of the pipeline is cut again without its other directives, and the
// schedule is expressed relative to that.
//
// Applying first resets the schedules of the Functions. The lines are applied to a frozen copy, and the result is
// written back to the Functions, with the user's names for anonymous loops. Lines that create Funcs run in between. A
// backup of the Functions' schedules is restored when a line is refused.

#include "fluorite/pipeline.h"
#include "fluorite/schedule.h"
#include "fluorite/schedule_tree.h"
#include "language/apply_schedule.h"
#include "language/cuts.h"
#include "language/freeze.h"
#include "language/thaw.h"
#include "language/unschedule.h"
#include "schedule/text/schedule_text.h"
#include "schedule/tree/tree.h"
#include "support/reporting.h"

#include <algorithm>
#include <unordered_set>

namespace fluorite {

using namespace language;
using schedule::Directive;

namespace {

PipelineContents &contents_of(const Pipeline &pipeline, const Location &location) {
    if (!pipeline.defined() || pipeline.contents()->outputs.empty()) {
        fail("no-outputs", "a Pipeline", "it has no outputs; a Pipeline has one or more; give Funcs", location);
    }
    return *pipeline.contents();
}

// ---- Reading.

/// The Functions whose clones have taken all calls of them, so that they are not in the graph, with their names.
std::vector<std::pair<Function *, std::string>> replaced_by_clones(const FrozenPipeline &frozen) {
    std::vector<std::pair<Function *, std::string>> replaced;
    for (const Function *caller : frozen.functions) {
        for (Function *callee : caller->callees) {
            const std::string name = shown_name(callee->name);
            const bool is_known =
                !name_of(frozen, callee).empty() ||
                std::any_of(replaced.begin(), replaced.end(), [&](const auto &one) { return one.first == callee; }) ||
                std::any_of(frozen.pipeline.graph.funcs.begin(), frozen.pipeline.graph.funcs.end(),
                            [&](const ir::FuncDef &func) { return func.name() == name; });
            if (!is_known && !callee->wrappers.empty()) {
                replaced.emplace_back(callee, name);
            }
        }
    }
    return replaced;
}

/// The wrappers that in() made, as lines f.in(g).
std::vector<schedule::WrapperLine> wrapper_lines(const FrozenPipeline &frozen) {
    std::vector<schedule::WrapperLine> lines;
    std::vector<std::pair<Function *, std::string>> wrapped = replaced_by_clones(frozen);
    for (size_t i = 0; i < frozen.functions.size(); i++) {
        wrapped.emplace_back(frozen.functions[i], frozen.pipeline.graph.funcs[i].name());
    }
    for (const auto &[function, function_name] : wrapped) {
        for (const Wrapper &wrapper : function->wrappers) {
            const std::string name = name_of(frozen, wrapper.function.get());
            if (name.empty()) {
                continue;
            }
            Directive line;
            line.func = function_name;
            line.name = wrapper.kind == WrapperKind::Clone ? "clone_in" : "in";
            line.args.emplace_back();
            for (const ir::Symbol &consumer : wrapper.consumers) {
                const std::string consumer_name = name_of(frozen, function_of(consumer));
                line.args[0].push_back(consumer_name.empty() ? shown_name(consumer.name()) : consumer_name);
            }
            lines.push_back({std::move(line), name});
        }
    }
    return lines;
}

/// The lines f.time_tile(...) of the pipeline's iterations.
std::vector<Directive> time_tile_lines(const FrozenPipeline &frozen) {
    std::unordered_set<const Function *> wrappers;
    for (const Function *function : frozen.functions) {
        for (const Wrapper &wrapper : function->wrappers) {
            wrappers.insert(wrapper.function.get());
        }
    }
    std::vector<Directive> lines;
    for (size_t i = 0; i < frozen.functions.size(); i++) {
        const Iteration *iteration = iteration_of(*frozen.functions[i]);
        if (!iteration || wrappers.contains(frozen.functions[i]) || iteration->tile.steps == 0) {
            continue;
        }
        const schedule::TimeTile &tile = iteration->tile;
        Directive line;
        line.func = frozen.pipeline.graph.funcs[i].name();
        line.name = "time_tile";
        line.args = {{std::to_string(tile.steps)}};
        const bool has_shape = tile.shape != TimeTileShape::Overlapped;
        if (!tile.extents.empty() || has_shape) {
            line.args.emplace_back();
            for (const int64_t extent : tile.extents) {
                line.args.back().push_back(std::to_string(extent));
            }
        }
        if (has_shape) {
            line.args.push_back({schedule::shape_word(tile.shape)});
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

// ---- Applying.

Function &find_function(const FrozenPipeline &frozen, const Directive &directive, const std::string &name,
                        const Location &location) {
    std::string names;
    for (size_t i = 0; i < frozen.functions.size(); i++) {
        const std::string &known = frozen.pipeline.graph.funcs[i].name();
        if (known == name) {
            return *frozen.functions[i];
        }
        names += (names.empty() ? "" : ", ") + known;
    }
    for (const auto &[function, known] : replaced_by_clones(frozen)) {
        if (known == name) {
            return *function;
        }
    }
    schedule::refuse_mismatch(directive, "the pipeline has no Func " + name + "; its Funcs are " + names, location);
}

void make_wrapper(const FrozenPipeline &frozen, const Directive &directive, const Location &location) {
    Function &wrapped = find_function(frozen, directive, directive.func, location);
    std::vector<Function *> consumers;
    for (const std::string &name : directive.args[0]) {
        consumers.push_back(&find_function(frozen, directive, name, location));
    }
    wrapper_for(wrapped, consumers, directive.name == "in" ? WrapperKind::Copy : WrapperKind::Clone, location);
}

void cut_reduction(const FrozenPipeline &frozen, const Directive &directive, const Location &location) {
    Function &function = find_function(frozen, directive, directive.func, location);
    std::vector<std::string> rvars = directive.args[0], vars = directive.args[1];
    for (std::vector<std::string> *names : {&rvars, &vars}) {
        for (std::string &name : *names) {
            Thaw(frozen).give_back(name);
        }
    }
    function.stage_ref(directive.stage, location); // checks that this update exists
    rfactor(function, directive.stage, rvars, vars, location);
}

void tile_iteration(const FrozenPipeline &frozen, const Directive &directive, const Location &location) {
    Iteration *iteration = iteration_of(find_function(frozen, directive, directive.func, location));
    if (!iteration) {
        schedule::refuse_mismatch(directive, directive.func + " is not the result of iterate()", location);
    }
    const auto &args = directive.args;
    const int steps = std::stoi(args[0][0]);
    if (args.size() == 1) {
        return set_time_tile(*iteration, steps, location);
    }
    std::vector<int> extents;
    for (const std::string &extent : args[1]) {
        extents.push_back(std::stoi(extent));
    }
    TimeTileShape shape = TimeTileShape::Overlapped;
    for (const TimeTileShape each : {TimeTileShape::Wavefront, TimeTileShape::Diamond}) {
        shape = args.size() > 2 && args[2][0] == schedule::shape_word(each) ? each : shape;
    }
    set_time_tile(*iteration, steps, extents, shape, location);
}

/// Runs a directive that creates Funcs, or is one of an iteration, after the lines before it.
void make_funcs(const PipelineContents &contents, const Directive &directive, const Location &location) {
    const FrozenPipeline frozen = freeze_with_handles(contents);
    try {
        const NoReports guard;
        directive.name == "rfactor"     ? cut_reduction(frozen, directive, location)
        : directive.name == "time_tile" ? tile_iteration(frozen, directive, location)
                                        : make_wrapper(frozen, directive, location);
    } catch (const CompileError &error) {
        if (error.slug() == "schedule-mismatch") {
            report_error(error);
            throw;
        }
        throw CompileError(error.slug(), "in the schedule, " + schedule::where(directive) + ": " + error.message(),
                           location);
    }
}

/// Assigns the schedule of their frozen form to the Functions.
void give(const FrozenPipeline &frozen, const schedule::Schedule &schedule) {
    const Thaw thaw(frozen);
    for (size_t i = 0; i < frozen.functions.size(); i++) {
        frozen.functions[i]->schedule = thaw.run(schedule.funcs[i]);
    }
}

void apply_lines(const PipelineContents &contents, std::span<const Directive> lines, const Location &location) {
    if (lines.empty()) {
        return;
    }
    const FrozenPipeline frozen = freeze_with_handles(contents);
    schedule::Schedule applied = frozen.pipeline.schedule;
    schedule::apply_directives(frozen.pipeline.graph, applied, lines, location).or_raise();
    give(frozen, applied);
}

void apply_to(const PipelineContents &contents, std::span<const Directive> lines, const Location &location) {
    size_t begin = 0;
    for (size_t i = 0; i < lines.size(); i++) {
        if (!schedule::find_directive(lines[i].name)->apply) {
            apply_lines(contents, lines.subspan(begin, i - begin), location);
            make_funcs(contents, lines[i], location);
            begin = i + 1;
        }
    }
    apply_lines(contents, lines.subspan(begin), location);
}

} // namespace

Schedule Pipeline::schedule(const Location &location) const {
    const PipelineContents &contents = contents_of(*this, location);
    const Cuts cuts = cuts_of(contents);
    const FrozenPipeline frozen = freeze_with_handles(contents);
    const ir::Graph &graph = frozen.pipeline.graph;
    return Schedule(
        schedule::all_lines({wrapper_lines(frozen), cuts.lines, cuts.after, time_tile_lines(frozen)},
                            schedule::directives_of(graph, frozen.pipeline.schedule,
                                                    cuts.after ? *cuts.after : schedule::default_schedule(graph))));
}

ScheduleTree Pipeline::schedule_tree(const Location &location) const {
    const PipelineContents &contents = contents_of(*this, location);
    const Cuts cuts = cuts_of(contents);
    FrozenPipeline frozen = freeze_with_handles(contents);
    auto graph = std::make_shared<const ir::Graph>(frozen.pipeline.graph);
    schedule::Tree tree = schedule::tree_of(graph, frozen.pipeline.schedule, location);
    tree.made = {wrapper_lines(frozen), cuts.lines, cuts.after, time_tile_lines(frozen)};
    return ScheduleTree(std::make_shared<const schedule::Tree>(std::move(tree)));
}

Pipeline &Pipeline::apply(const Schedule &schedule, const Location &location) {
    language::apply_schedule(contents_of(*this, location), schedule.directives(), PartialReductions::Keep, location);
    return *this;
}

void language::apply_schedule(const PipelineContents &contents, std::span<const Directive> lines,
                              PartialReductions what, const Location &location) {
    const bool adds_cuts =
        std::any_of(lines.begin(), lines.end(), [](const Directive &directive) { return directive.name == "rfactor"; });
    const Cuts cuts = cuts_of(contents);
    const bool keeps_cuts =
        (!adds_cuts && (what == PartialReductions::Keep || cuts.lines.empty())) ||
        (cuts.lines.size() <= lines.size() && std::equal(cuts.lines.begin(), cuts.lines.end(), lines.begin()));
    const std::vector<Function *> functions = all_functions(contents);
    const Backup backup(functions);
    for (Function *function : functions) {
        if (!keeps_cuts) {
            uncut(*function);
        }
        unschedule(*function);
    }
    try {
        if (keeps_cuts && cuts.after) {
            give(freeze_with_handles(contents), *cuts.after);
        }
        apply_to(contents, keeps_cuts && adds_cuts ? lines.subspan(cuts.lines.size()) : lines, location);
    } catch (...) {
        backup.restore();
        throw;
    }
    for (Function *function : functions) {
        function->edits++;
    }
}

} // namespace fluorite
