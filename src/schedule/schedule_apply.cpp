// Applies directives to a frozen pipeline: names are looked up, then each line becomes the call that a user would make.
//
// A name that does not exist is reported in terms of the pipeline: the Func, stage, dimension or loop that it lacks. A
// refusal by a directive keeps the directive's own message and slug, preceded by the line. The caller works on a copy,
// so that a refusal leaves no partial result.

#include "ir/parse.h"
#include "schedule/directives/common.h"
#include "schedule/directives/table.h"
#include "schedule/text/schedule_text.h"
#include "support/reporting.h"

#include <algorithm>

namespace fluorite::schedule {

std::string where(const Directive &directive) {
    const std::string line = directive.line > 0 ? "line " + std::to_string(directive.line) + ", " : "";
    return line + to_text(directive);
}

static Refusal mismatch(const Directive &directive, const std::string &text, const Location &location) {
    return {"schedule-mismatch",
            "in the schedule, " + where(directive) + ": " + text +
                "; apply it to the pipeline that it was made for, or change the line",
            location};
}

void refuse_mismatch(const Directive &directive, const std::string &text, const Location &location) {
    mismatch(directive, text, location).raise();
}

const ir::FuncDef &DirectiveContext::definition(const Directive &directive, const std::string &name) const {
    std::vector<std::string> names;
    for (const ir::FuncDef &func : graph_.funcs) {
        if (func.name() == name) {
            return func;
        }
        names.push_back(func.name());
    }
    refuse_mismatch(directive, "the pipeline has no Func " + name + "; its Funcs are " + join(names), location_);
}

StageRef DirectiveContext::stage(const Directive &directive) {
    const ir::FuncDef &func = definition(directive, directive.func);
    if (static_cast<size_t>(directive.stage) >= func.stages.size()) {
        refuse_mismatch(directive,
                        func.name() + " has " + std::to_string(func.stages.size() - 1) +
                            " updates, numbered from 0, so there is no update(" + std::to_string(directive.stage - 1) +
                            ")",
                        location_);
    }
    FuncSchedule &of_func = schedule_.func(func.id());
    StageRef ref;
    ref.func_name = func.name();
    ref.stage = directive.stage;
    ref.schedule = &of_func.stages[static_cast<size_t>(directive.stage)];
    ref.func_schedule = &of_func;
    ref.pure_args = func.arg_names;
    ref.definition = &func.stages[static_cast<size_t>(directive.stage)];
    ref.func = &func;
    for (const int index : directive.variant) {
        const size_t count = ref.schedule->specializations.size();
        if (static_cast<size_t>(index) >= count) {
            refuse_mismatch(directive,
                            "there is no specialization " + std::to_string(index) + ", only " + std::to_string(count) +
                                ", numbered from 0 in the order of the lines that make them",
                            location_);
        }
        ref = ref.specialized(index);
    }
    return ref;
}

FuncRef DirectiveContext::func(const Directive &directive) {
    const ir::FuncDef &func = definition(directive, directive.func);
    return {func.name(), &schedule_.func(func.id()), func.arg_names};
}

LoopLevel DirectiveContext::level(const Directive &directive) {
    const ir::FuncDef &consumer = definition(directive, directive.args[0][0]);
    const int stage = directive.args.size() > 2 ? std::stoi(directive.args[2][0]) : -1;
    return LoopLevel::at(consumer.symbol, stage, directive.args[1][0], location_);
}

ir::Symbol DirectiveContext::source(const Directive &directive, const std::string &name) const {
    for (const ir::InputDef &input : graph_.inputs) {
        if (input.symbol.name() == name) {
            return input.symbol;
        }
    }
    return definition(directive, name).symbol;
}

/// The expression of a line; what is none is reported with the line.
static Expr parsed(const Directive &directive, const std::string &text, const ir::ParseOptions &options,
                   const Location &location) {
    try {
        const NoReports guard;
        return ir::parse_expr(text, options);
    } catch (const CompileError &error) {
        throw CompileError(error.slug(), "in the schedule, " + where(directive) + ": " + error.message(), location);
    }
}

Expr DirectiveContext::expr(const Directive &directive, const std::string &text) {
    if (text == "none") {
        return Expr();
    }
    ir::ParseOptions options;
    for (const ir::ParamDef &param : graph_.params) {
        options.symbols.push_back(param.symbol);
    }
    for (const ir::InputDef &input : graph_.inputs) {
        options.symbols.push_back(input.symbol);
    }
    for (const FuncId id : graph_.outputs) {
        const ir::FuncDef &output = graph_.func(id);
        for (size_t k = 0; k < output.types.size(); k++) {
            ir::SymbolOwner owner = output.symbol.owner();
            owner.dim = DimId(k);
            const std::string name = output.types.size() == 1 ? output.name() : output.name() + "." + std::to_string(k);
            options.symbols.emplace_back(ir::SymbolKind::Buffer, name, owner);
        }
    }
    const Expr expr = parsed(directive, text, options, location_);
    ir::for_each_node(expr, [&](const Expr &node) {
        if (node->kind() != ir::ExprKind::Variable && node->kind() != ir::ExprKind::BufferField) {
            return;
        }
        const ir::Symbol &symbol = node->symbol();
        if (std::find(options.symbols.begin(), options.symbols.end(), symbol) == options.symbols.end()) {
            refuse_mismatch(directive, "the pipeline has no Param, input or output " + symbol.name(), location_);
        }
    });
    return expr;
}

namespace {

// Levels may name loops that later directives create, so they are checked after all directives are applied.
Verdict check_level(const ir::Graph &graph, const Schedule &schedule, const Directive &directive,
                    const LoopLevel &level, const Location &location) {
    const FuncId consumer = level.func.owner().func;
    const std::vector<StageSchedule> &stages = schedule.func(consumer).stages;
    const std::string &name = graph.func(consumer).name();
    if (level.stage >= static_cast<int>(stages.size())) {
        return mismatch(directive,
                        name + " has " + std::to_string(stages.size()) +
                            " stages, numbered from 0, so there is no stage " + std::to_string(level.stage),
                        location);
    }
    std::vector<std::string> loops;
    for (size_t k = 0; k < stages.size(); k++) {
        if (level.stage >= 0 && static_cast<size_t>(level.stage) != k) {
            continue;
        }
        if (level.var == outermost_loop || find_loop(stages[k], level.var)) {
            return {};
        }
        for (const std::string &loop : loop_names(stages[k])) {
            if (std::find(loops.begin(), loops.end(), loop) == loops.end()) {
                loops.push_back(loop);
            }
        }
    }
    return mismatch(directive, name + " has no loop " + shown_loop(level.var) + "; its loops are " + join(loops),
                    location);
}

Verdict check_levels(const ir::Graph &graph, const Schedule &schedule, std::span<const Directive> directives,
                     const Location &location) {
    for (const Directive &directive : directives) {
        const bool computes = directive.name == "compute_at", stores = directive.name == "store_at";
        if (!computes && !stores && directive.name != "hoist_storage") {
            continue;
        }
        for (const ir::FuncDef &func : graph.funcs) {
            if (func.name() == directive.func) {
                const FuncSchedule &of_func = schedule.func(func.id());
                const LoopLevel &level = computes ? of_func.compute : stores ? of_func.store : of_func.hoist;
                if (Verdict legal = check_level(graph, schedule, directive, level, location); !legal) {
                    return legal;
                }
            }
        }
    }
    return {};
}

} // namespace

Verdict apply_directives(const ir::Graph &graph, Schedule &schedule, std::span<const Directive> directives,
                         const Location &location) {
    DirectiveContext context(graph, schedule, location);
    for (const Directive &directive : directives) {
        const DirectiveRow *row = find_directive(directive.name);
        if (!row->apply) {
            continue;
        }
        if (const Verdict legal = row->apply(context, directive); !legal) {
            const std::string &slug = legal.refusal().slug;
            const bool unknown = slug == "unknown-loop-variable" || slug == "unknown-dimension";
            return Refusal{unknown ? "schedule-mismatch" : slug,
                           "in the schedule, " + where(directive) + ": " + legal.refusal().message, location,
                           legal.refusal().alternatives};
        }
    }
    return check_levels(graph, schedule, directives, location);
}

Schedule default_schedule(const ir::Graph &graph) {
    Schedule schedule;
    for (const ir::FuncDef &func : graph.funcs) {
        FuncSchedule of_func;
        for (size_t k = 0; k < func.stages.size(); k++) {
            of_func.stages.push_back(default_stage_schedule(func, func.stages[k], k > 0));
        }
        schedule.funcs.push_back(std::move(of_func));
    }
    return schedule;
}

} // namespace fluorite::schedule
