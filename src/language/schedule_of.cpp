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
#include "language/freeze.h"
#include "language/iteration.h"
#include "language/thaw.h"
#include "schedule/text/schedule_text.h"
#include "schedule/tree/tree.h"
#include "support/reporting.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace fluorite {

using namespace language;
using schedule::Directive;
using schedule::FuncSchedule;

namespace {

PipelineContents &contents_of(const Pipeline &pipeline, const Location &location) {
    if (!pipeline.defined() || pipeline.contents()->outputs.empty()) {
        fail("no-outputs", "a Pipeline", "it has no outputs; a Pipeline has one or more; give Funcs", location);
    }
    return *pipeline.contents();
}

/// Every Function that the outputs reach directly, through callees or as a wrapper.
std::vector<Function *> all_functions(const PipelineContents &contents) {
    std::vector<Function *> found, work;
    std::unordered_set<Function *> seen;
    for (const RefPtr<Function> &output : contents.outputs) {
        work.push_back(output.get());
    }
    while (!work.empty()) {
        Function *next = work.back();
        work.pop_back();
        if (!seen.insert(next).second) {
            continue;
        }
        found.push_back(next);
        work.insert(work.end(), next->callees.begin(), next->callees.end());
        for (const ir::Parameter *image : next->images) {
            if (const Function *wrapper = image_as_read_by(*image, *next)) { // others are of other pipelines
                work.push_back(const_cast<Function *>(wrapper));
            }
        }
        for (const Wrapper &wrapper : next->wrappers) {
            work.push_back(wrapper.function.get());
        }
    }
    return found;
}

// ---- Reading.

/// The frozen name of each Function; nothing for one outside the graph.
std::string name_of(const FrozenPipeline &frozen, const Function *function) {
    for (size_t i = 0; i < frozen.functions.size(); i++) {
        if (frozen.functions[i] == function) {
            return frozen.pipeline.graph.funcs[i].name();
        }
    }
    return "";
}

/// The wrappers that in() made, as lines f.in(g).
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

/// The Iteration whose result the Function is, as iterate() returned it, or null. Other Functions call that one.
Iteration *iteration_of(const Function &function) {
    for (const ir::Parameter *image : function.images) {
        if (const IterationResult *result = result_of(*image)) {
            return const_cast<Iteration *>(result->iteration.get()); // of a Function that is being scheduled
        }
    }
    return nullptr;
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

// ---- Functions without schedules.

/// Saves and restores the parts of Functions that schedules change.
class Backup {
  public:
    explicit Backup(const std::vector<Function *> &functions) {
        for (Function *function : functions) {
            kept_.push_back({RefPtr<Function>(function), function->def, function->schedule, function->algorithm,
                             function->factored, function->partial_of, function->callees, function->wrappers,
                             function->compute_level, function->store_level, function->hoist_level, function->edits,
                             iteration_of(*function) ? iteration_of(*function)->tile : schedule::TimeTile()});
        }
    }
    void restore() const {
        for (const Kept &kept : kept_) {
            kept.function->def = kept.def;
            kept.function->schedule = kept.schedule;
            kept.function->algorithm = kept.algorithm;
            kept.function->factored = kept.factored;
            kept.function->partial_of = kept.partial_of;
            kept.function->callees = kept.callees;
            kept.function->wrappers = kept.wrappers;
            kept.function->compute_level = kept.compute_level;
            kept.function->store_level = kept.store_level;
            kept.function->hoist_level = kept.hoist_level;
            kept.function->edits = kept.edits;
            if (Iteration *iteration = iteration_of(*kept.function)) {
                iteration->tile = kept.tile;
            }
        }
    }

  private:
    struct Kept {
        RefPtr<Function> function;
        ir::FuncDef def;
        FuncSchedule schedule;
        std::map<size_t, ir::Stage> algorithm;
        std::vector<Function::Factored> factored;
        Function *partial_of;
        std::vector<Function *> callees;
        std::vector<Wrapper> wrappers;
        std::shared_ptr<const LevelState> compute_level, store_level, hoist_level;
        uint64_t edits;
        schedule::TimeTile tile; // of the iteration whose result the function is
    };
    std::vector<Kept> kept_;
};

/// Default schedules. Wrappers stay: without a schedule they have no effect.
void unschedule(Function &function) {
    FuncSchedule schedule;
    for (size_t k = 0; k < function.def.stages.size(); k++) {
        schedule.stages.push_back(schedule::default_stage_schedule(function.def, function.def.stages[k], k > 0));
    }
    function.schedule = std::move(schedule);
    // Applied schedules bring their own levels.
    function.compute_level = function.store_level = function.hoist_level = nullptr;
    if (Iteration *iteration = iteration_of(function)) {
        iteration->tile = {};
        iteration->edits++;
    }
}

/// Restores the updates that the program wrote.
void uncut(Function &function) {
    std::vector<Function *> &callees = function.callees;
    callees.erase(std::remove_if(callees.begin(), callees.end(),
                                 [&](const Function *callee) { return callee->partial_of == &function; }),
                  callees.end());
    for (const Function::Factored &factored : function.factored) {
        factored.partial->partial_of = nullptr;
        function.def.stages[factored.stage] = function.algorithm_of(factored.stage);
    }
    for (const Function::Factored &factored : function.factored) {
        function.algorithm.erase(factored.stage);
    }
    function.factored.clear();
}

} // namespace

bool language::has_partial_reductions(const PipelineContents &contents) {
    const std::vector<Function *> functions = all_functions(contents);
    return std::any_of(functions.begin(), functions.end(),
                       [](const Function *function) { return !function->factored.empty(); });
}

namespace {

// ---- Updates cut by rfactor.

/// The lines that reproduce the cuts, and the schedule right after them; both empty where no update was cut.
struct Cuts {
    std::vector<Directive> lines;
    std::shared_ptr<const schedule::Schedule> after;
    std::vector<std::string> funcs; // of the graph, in order
};

/// The steps on loops of RVars, in the order of their loops: all that rfactor depends on.
schedule::StageSchedule rvar_steps(const ir::FuncDef &func, size_t k, const schedule::StageSchedule &before) {
    schedule::StageSchedule stage = schedule::default_stage_schedule(func, func.stages[k], true);
    stage.atomic = before.atomic;
    stage.order_is_free = before.order_is_free;
    stage.allow_race_conditions = before.allow_race_conditions;
    std::vector<std::string> ours;
    for (const schedule::LoopDim &dim : stage.dims) {
        if (dim.is_rvar) {
            ours.push_back(dim.var);
        }
    }
    for (const schedule::Split &step : before.splits) {
        const std::string &taken = step.kind == schedule::Split::Kind::Fuse ? step.inner : step.old_var;
        const auto at = std::find(ours.begin(), ours.end(), taken);
        if (at == ours.end()) {
            continue;
        }
        ours.erase(at);
        stage.splits.push_back(step);
        if (step.kind == schedule::Split::Kind::Fuse) {
            ours.erase(std::find(ours.begin(), ours.end(), step.outer));
            ours.push_back(step.old_var);
        } else {
            ours.push_back(step.outer);
            if (step.kind == schedule::Split::Kind::Split) {
                ours.push_back(step.inner);
            }
        }
    }
    std::vector<schedule::LoopDim> dims;
    for (schedule::LoopDim dim : before.dims) {
        if (dim.is_rvar) {
            dim.for_type = ForType::Serial;
            dim.partition = Partition::Auto;
            dims.push_back(dim);
        }
    }
    std::copy_if(stage.dims.begin(), stage.dims.end(), std::back_inserter(dims),
                 [](const schedule::LoopDim &dim) { return !dim.is_rvar; });
    stage.dims = std::move(dims);
    return stage;
}

/// Repeats the cuts on Functions without schedules, and records the lines for them.
class CutAgain {
  public:
    explicit CutAgain(const PipelineContents &contents) : contents_(contents) {}

    Cuts run(const std::vector<Function *> &functions) {
        const std::vector<RefPtr<Function>> kept(functions.begin(), functions.end()); // only cuts own partial results
        std::vector<std::pair<Function *, std::vector<Function::Factored>>> owners;
        for (Function *function : functions) {
            all_[function] = function->factored;
            if (!function->partial_of) {
                owners.emplace_back(function, function->factored);
            }
        }
        for (Function *function : functions) {
            uncut(*function);
            unschedule(*function);
        }
        for (const auto &[function, factored] : owners) {
            cut(*function, factored);
        }
        const FrozenPipeline after = freeze_with_handles(contents_);
        cuts_.after = std::make_shared<const schedule::Schedule>(after.pipeline.schedule);
        for (const ir::FuncDef &func : after.pipeline.graph.funcs) {
            cuts_.funcs.push_back(func.name());
        }
        return std::move(cuts_);
    }

  private:
    const PipelineContents &contents_;
    std::unordered_map<const Function *, std::vector<Function::Factored>> all_;
    Cuts cuts_;

    void cut(Function &function, const std::vector<Function::Factored> &factored) {
        for (const Function::Factored &one : factored) {
            const schedule::Schedule start = freeze_with_handles(contents_).pipeline.schedule;
            function.schedule.stages[one.stage] = rvar_steps(function.def, one.stage, one.before);
            const FrozenPipeline frozen = freeze_with_handles(contents_);
            const std::vector<Directive> steps =
                schedule::directives_of(frozen.pipeline.graph, frozen.pipeline.schedule, start);
            cuts_.lines.insert(cuts_.lines.end(), steps.begin(), steps.end());
            Directive line;
            line.func = name_of(frozen, &function);
            line.stage = static_cast<int>(one.stage);
            line.name = "rfactor";
            line.args = {one.rvars, one.vars};
            for (std::string &rvar : line.args[0]) {
                for (const auto &[name, user_name] : frozen.anonymous_loops) {
                    rvar = rvar == user_name ? name : rvar;
                }
            }
            const RefPtr<Function> partial =
                rfactor(function, static_cast<int>(one.stage), one.rvars, one.vars, Location());
            const FrozenPipeline now = freeze_with_handles(contents_);
            for (size_t i = 0; i < now.functions.size(); i++) {
                const std::vector<std::string> &args = now.pipeline.graph.funcs[i].arg_names;
                if (now.functions[i] == partial.get()) {
                    line.args[1].assign(args.end() - static_cast<long>(one.vars.size()), args.end());
                }
            }
            cuts_.lines.push_back(std::move(line));
            cut(*partial, all_[one.partial]);
        }
    }
};

Cuts cuts_of(const PipelineContents &contents) {
    if (!has_partial_reductions(contents)) {
        return {};
    }
    std::vector<std::string> funcs;
    for (const ir::FuncDef &func : freeze_with_handles(contents).pipeline.graph.funcs) {
        funcs.push_back(func.name());
    }
    const PipelineContents scratch = scratch_pipeline(contents);
    Cuts cuts = CutAgain(scratch).run(all_functions(scratch));
    // A clone made of a Func after it was cut shares its partial results. No lines express that; the program makes it
    // so.
    return cuts.funcs == funcs ? cuts : Cuts();
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
