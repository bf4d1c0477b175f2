// Pipeline::schedule() and Pipeline::apply(): between the schedules behind users' Funcs and schedules as values.
//
// Reading: freeze, and take the normal form of the frozen schedule; wrappers that in() made come first, as lines of theirs.
// Applying: wrappers are made, the pipeline is frozen without any schedule, directives are applied to the frozen one, and what
// comes out is given back to the Functions, anonymous loops under the user's names. Until then the Functions keep what they
// had in a backup, which is put back when something is refused.

#include "fluorite/pipeline.h"
#include "fluorite/schedule.h"
#include "fluorite/schedule_tree.h"
#include "language/freeze.h"
#include "schedule/schedule_text.h"
#include "schedule/tree.h"

#include <algorithm>
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

/// Every Function that the outputs reach, directly, through callees or as a wrapper.
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
            if (const Function *function = image_function(*image)) {
                work.push_back(const_cast<Function *>(function));
            }
        }
        for (const Wrapper &wrapper : next->wrappers) {
            work.push_back(wrapper.function.get());
        }
    }
    return found;
}

// ---- Reading.

/// The frozen name of each Function, or nothing for one outside of the graph.
std::string name_of(const FrozenPipeline &frozen, const Function *function) {
    for (size_t i = 0; i < frozen.functions.size(); i++) {
        if (frozen.functions[i] == function) {
            return frozen.pipeline.graph.funcs[i].name();
        }
    }
    return "";
}

/// The wrappers that in() made, as lines f.in(g).
std::vector<schedule::WrapperLine> wrapper_lines(const FrozenPipeline &frozen) {
    std::vector<schedule::WrapperLine> lines;
    for (size_t i = 0; i < frozen.functions.size(); i++) {
        for (const Wrapper &wrapper : frozen.functions[i]->wrappers) {
            const std::string name = name_of(frozen, wrapper.function.get());
            if (name.empty()) {
                continue;
            }
            Directive line;
            line.func = frozen.pipeline.graph.funcs[i].name();
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

// ---- Applying.

/// What applying changes of the Functions, to be put back.
class Backup {
  public:
    explicit Backup(std::vector<Function *> functions) : functions_(std::move(functions)) {
        for (const Function *function : functions_) {
            schedules_.push_back(function->schedule);
            compute_levels_.push_back(function->compute_level);
            store_levels_.push_back(function->store_level);
            wrappers_.push_back(function->wrappers);
        }
    }
    void restore() const {
        for (size_t i = 0; i < functions_.size(); i++) {
            functions_[i]->schedule = schedules_[i];
            functions_[i]->compute_level = compute_levels_[i];
            functions_[i]->store_level = store_levels_[i];
            functions_[i]->wrappers = wrappers_[i];
        }
    }

  private:
    std::vector<Function *> functions_;
    std::vector<FuncSchedule> schedules_;
    std::vector<std::shared_ptr<const LevelState>> compute_levels_, store_levels_;
    std::vector<std::vector<Wrapper>> wrappers_;
};

FuncSchedule unscheduled(const Function &function) {
    FuncSchedule schedule;
    for (size_t k = 0; k < function.def.stages.size(); k++) {
        schedule.stages.push_back(schedule::default_stage_schedule(function.def, function.def.stages[k], k > 0));
    }
    return schedule;
}

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
    schedule::refuse_mismatch(directive, "the pipeline has no Func " + name + "; its Funcs are " + names, location);
}

void make_wrapper(const PipelineContents &contents, const Directive &directive, const Location &location) {
    const FrozenPipeline frozen = freeze_with_handles(contents);
    Function &wrapped = find_function(frozen, directive, directive.func, location);
    std::vector<Function *> consumers;
    for (const std::string &name : directive.args[0]) {
        consumers.push_back(&find_function(frozen, directive, name, location));
    }
    try {
        wrapper_for(wrapped, consumers, directive.name == "in" ? WrapperKind::Copy : WrapperKind::Clone, location);
    } catch (const CompileError &error) {
        throw CompileError(error.slug(), "in the schedule, " + schedule::where(directive) + ": " + error.message(),
                           location);
    }
}

/// A frozen schedule in terms of the Functions: anonymous loops and symbols of Funcs are the user's again.
class Thaw {
  public:
    explicit Thaw(const FrozenPipeline &frozen) : frozen_(frozen) {}

    FuncSchedule run(FuncSchedule schedule) const {
        for (schedule::StageSchedule &stage : schedule.stages) {
            for (schedule::Split &split : stage.splits) {
                for (std::string *name : {&split.old_var, &split.outer, &split.inner}) {
                    give_back(*name);
                }
            }
            for (schedule::LoopDim &dim : stage.dims) {
                give_back(dim.var);
            }
        }
        for (std::vector<schedule::Bound> *bounds : {&schedule.bounds, &schedule.estimates}) {
            for (schedule::Bound &bound : *bounds) {
                give_back(bound.var);
            }
        }
        for (std::string &name : schedule.storage_order) {
            give_back(name);
        }
        for (schedule::LoopLevel *level : {&schedule.compute, &schedule.store}) {
            if (level->is_at()) {
                level->func = frozen_.functions[static_cast<size_t>(level->func.owner().func)]->def.symbol;
                give_back(level->var);
            }
        }
        return schedule;
    }

  private:
    const FrozenPipeline &frozen_;

    void give_back(std::string &name) const {
        const auto found = frozen_.anonymous_loops.find(name);
        name = found == frozen_.anonymous_loops.end() ? name : found->second;
    }
};

void apply_to(const PipelineContents &contents, const Schedule &schedule, const Location &location) {
    for (const Directive &directive : schedule.directives()) {
        if (directive.name == "in" || directive.name == "clone_in") {
            make_wrapper(contents, directive, location);
        } else if (directive.name == "rfactor") {
            schedule::refuse_mismatch(
                directive,
                "rfactor makes a Func, and this version makes it in the program only: call rfactor "
                "there, without this line",
                location);
        }
    }
    const FrozenPipeline frozen = freeze_with_handles(contents);
    const ir::Graph &graph = frozen.pipeline.graph;
    schedule::Schedule applied = schedule::default_schedule(graph);
    schedule::apply_directives(graph, applied, schedule.directives(), location);
    const Thaw thaw(frozen);
    for (size_t i = 0; i < frozen.functions.size(); i++) {
        frozen.functions[i]->schedule = thaw.run(applied.funcs[i]);
    }
}

} // namespace

Schedule Pipeline::schedule(const Location &location) const {
    const FrozenPipeline frozen = freeze_with_handles(contents_of(*this, location));
    return Schedule(schedule::with_wrappers(wrapper_lines(frozen),
                                            schedule::directives_of(frozen.pipeline.graph, frozen.pipeline.schedule)));
}

ScheduleTree Pipeline::schedule_tree(const Location &location) const {
    FrozenPipeline frozen = freeze_with_handles(contents_of(*this, location));
    auto graph = std::make_shared<const ir::Graph>(std::move(frozen.pipeline.graph));
    frozen.pipeline.graph = *graph;
    schedule::Tree tree = schedule::tree_of(graph, frozen.pipeline.schedule, location);
    tree.wrappers = wrapper_lines(frozen);
    return ScheduleTree(std::make_shared<const schedule::Tree>(std::move(tree)));
}

Pipeline &Pipeline::apply(const Schedule &schedule, const Location &location) {
    PipelineContents &contents = contents_of(*this, location);
    const std::vector<Function *> functions = all_functions(contents);
    const Backup backup(functions);
    for (Function *function : functions) {
        function->schedule = unscheduled(*function);
        function->compute_level = function->store_level = nullptr; // what is applied has places of its own
    }
    try {
        apply_to(contents, schedule, location);
    } catch (...) {
        backup.restore();
        throw;
    }
    for (Function *function : functions) {
        function->edits++;
    }
    return *this;
}

} // namespace fluorite
