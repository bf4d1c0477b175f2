// Cuts are read by cutting again: a copy of the pipeline gets the updates that the program wrote, without directives,
// and each rfactor in turn with the steps that its loops need.

#include "language/cuts.h"

#include "language/apply_schedule.h"
#include "language/unschedule.h"
#include "schedule/text/schedule_text.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace fluorite::language {

using schedule::Directive;

bool has_partial_reductions(const PipelineContents &contents) {
    const std::vector<Function *> functions = all_functions(contents);
    return std::any_of(functions.begin(), functions.end(),
                       [](const Function *function) { return !function->factored.empty(); });
}

std::string name_of(const FrozenPipeline &frozen, const Function *function) {
    for (size_t i = 0; i < frozen.functions.size(); i++) {
        if (frozen.functions[i] == function) {
            return frozen.pipeline.graph.funcs[i].name();
        }
    }
    return "";
}

namespace {

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

} // namespace

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

} // namespace fluorite::language
