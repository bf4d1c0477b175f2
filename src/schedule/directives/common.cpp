// Lookups that the directives share, and the texts of their refusals.

#include "schedule/directives/common.h"

#include "ir/expr_traits.h"
#include "rewrite/simplify.h"
#include "schedule/limits.h"
#include "schedule/text/schedule_text.h"
#include "support/check.h"
#include "support/loop_name.h"

#include <algorithm>

namespace fluorite::schedule {

std::string too_large() {
    return concat("; coordinates are int32, so that such a number is at most ", most_factor, "; pass a smaller one");
}

std::string value_rule() {
    return "; numbers of directives are known before the loops run; use numbers, Params and the sizes of buffers";
}

std::string StageRef::where() const {
    std::string text = "in " + func_name + ", stage " + std::to_string(stage);
    for (const int index : variant) {
        text += ", specialization " + std::to_string(index);
    }
    return text;
}

StageRef StageRef::specialized(int index) const {
    StageRef ref = *this;
    ref.schedule = &schedule->specializations[static_cast<size_t>(index)].schedule;
    ref.variant.push_back(index);
    return ref;
}

std::string join(const std::vector<std::string> &names) {
    std::string text;
    for (const std::string &name : names) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text.empty() ? "none" : text;
}

std::vector<std::string> loop_names(const StageSchedule &schedule) {
    std::vector<std::string> names;
    for (const LoopDim &dim : schedule.dims) {
        names.push_back(dim.var);
    }
    return names;
}

std::optional<size_t> find_loop(const StageSchedule &schedule, const std::string &var) {
    const auto is_meant = [&](const LoopDim &dim) {
        return dim.var == var || (var == block_loop && dim.for_type == ForType::GPUBlock) ||
               (var == thread_loop && (dim.for_type == ForType::GPUThread || dim.for_type == ForType::GPULane));
    };
    const auto found = std::find_if(schedule.dims.begin(), schedule.dims.end(), is_meant);
    return found == schedule.dims.end() ? std::nullopt : std::optional(position_in(schedule.dims, found));
}

Refusal refused(const StageRef &stage, const char *slug, const std::string &text, Location location) {
    return {slug, stage.where() + ": " + with_dotted_loops(text), location};
}

Refusal refused(const FuncRef &func, const char *slug, const std::string &text, Location location) {
    return {slug, "in " + func.func_name + ": " + with_dotted_loops(text), location};
}

Result<size_t> require_loop(const StageRef &stage, const std::string &var, const char *directive, Location location) {
    if (std::optional<size_t> found = find_loop(*stage.schedule, var)) {
        return *found;
    }
    return refused(stage, "unknown-loop-variable",
                   std::string(directive) + " names " + shown_loop(var) +
                       "; a directive names loops of the stage it is called on; its loops are " +
                       join(loop_names(*stage.schedule)),
                   location);
}

std::string unknown_at_entry(const Expr &value) {
    std::string seen;
    ir::for_each_node(value, [&](const Expr &node) {
        const ir::ExprKind kind = node->kind();
        if (kind == ir::ExprKind::Variable && node->symbol().kind() != ir::SymbolKind::Param) {
            seen = "the variable " + node->symbol().name();
        } else if (kind == ir::ExprKind::Call) {
            seen = "a value of " + node->symbol().name();
        } else if (ir::class_of(kind) == ir::ExprClass::Access) {
            seen = "a value of the input " + node->symbol().name();
        } else if (kind == ir::ExprKind::Undef) {
            seen = "undef";
        } else if (ir::is_data(kind) || ir::may_have_effect(kind)) {
            seen = "what has an effect or another value each time";
        }
    });
    return seen;
}

Expr as_factor(const Expr &factor) {
    const std::optional<int64_t> value = rewrite::constant_value(factor); // before it is narrowed to 32 bits
    return value ? ir::make_int(Int(32), *value) : factor.type() == Int(32) ? factor : ir::make_cast(Int(32), factor);
}

StageEdit::StageEdit(const StageRef &stage, const char *directive, const Location &location)
    : schedule_(stage.schedule), before_(*stage.schedule) {
    note_edit(stage, directive, location);
}

Verdict StageEdit::undo(Verdict refusal) {
    *schedule_ = std::move(before_);
    return refusal;
}

void note_edit(const StageRef &stage, const char *directive, const Location &location) {
    note_applied(stage.schedule->touched, directive, location);
    note_applied(stage.schedule->on_loops, directive, location);
}

Verdict require_scheduled(const StageRef &stage, const char *directive, const Location &location) {
    if (stage.schedule->touched.name == "unscheduled") {
        return refused(
            stage, "unscheduled-has-schedule",
            std::string(directive) +
                " is applied after unscheduled; it says that a stage keeps its default loops on purpose; remove one "
                "of the two",
            location);
    }
    return {};
}

void note_applied(AppliedDirective &applied, const char *directive, const Location &location) {
    if (!applied) {
        applied = {directive, location};
    }
}

std::string fresh_loop_name(const StageSchedule &schedule, const std::string &base) {
    std::string name = base;
    for (int k = 1; find_loop(schedule, name); k++) {
        name = base + std::to_string(k);
    }
    return name;
}

namespace {
analysis::ReductionMatch proof_of(const StageRef &stage) {
    return stage.func && stage.definition ? analysis::prove_reduction(*stage.func, *stage.definition)
                                          : analysis::ReductionMatch{std::nullopt, "its definition is not known"};
}
} // namespace

bool commutes(const StageRef &stage) {
    const analysis::ReductionMatch proof = proof_of(stage);
    return proof.op && (proof.op->commute == analysis::Law::Exact ||
                        (proof.op->commute == analysis::Law::Rounded && stage.func->reassociates));
}

std::string why_order_counts(const StageRef &stage) {
    const analysis::ReductionMatch proof = proof_of(stage);
    if (!proof.op) {
        return proof.reason;
    }
    return proof.op->name + (proof.op->commute == analysis::Law::Rounded
                                 ? " commutes only up to rounding, NaNs and signs of zeros"
                                 : " chooses between equals by their order");
}

std::string way_to_reassociate(const StageRef &stage) {
    const analysis::ReductionMatch proof = proof_of(stage);
    const bool helps = proof.op && proof.op->commute == analysis::Law::Rounded;
    return helps ? ", or accept another rounding with " + stage.func_name + ".allow_reassociation()" : "";
}

Verdict require_one_value(const FuncRef &func, const std::string &what, const Expr &before, const Expr &now,
                          Location location) {
    const bool is_new =
        before.defined() && now.defined() && !ir::equal(before, now) &&
        !(rewrite::constant_value(before) && rewrite::constant_value(before) == rewrite::constant_value(now));
    if (is_new && !func.schedule->is_copy) {
        return refused(
            func, "conflicting-values",
            concat(what, " is to be ", expression_text(now), ", and an earlier call gave ", expression_text(before),
                   "; a promise or a key has one value, and the first would be lost; remove one of the calls"),
            location);
    }
    return {};
}

Result<size_t> require_dimension(const FuncRef &func, const std::string &var, const char *directive,
                                 Location location) {
    for (size_t d = 0; d < func.pure_args.size(); d++) {
        if (func.pure_args[d] == var) {
            return d;
        }
    }
    return refused(func, "unknown-dimension",
                   std::string(directive) + " names " + var +
                       "; it takes a pure Var of the Func's definition; these are " + join(func.pure_args),
                   location);
}

} // namespace fluorite::schedule
