#include "language/freeze/objects.h"

#include "support/check.h"

namespace fluorite::language {

using ir::ExprKind;
using ir::SymbolKind;

namespace {

/// Visits the expressions of a stage in the order in which the program states them.
template <typename Visit> void for_each_expr(const ir::Stage &stage, Visit &&visit) {
    for (const Expr &arg : stage.args) {
        visit(arg);
    }
    for (const ir::ReductionVar &rvar : stage.rvars) {
        visit(rvar.min);
        visit(rvar.extent);
    }
    if (stage.predicate.defined()) {
        visit(stage.predicate);
    }
    for (const Expr &value : stage.values) {
        visit(value);
    }
}

} // namespace

void Objects::exclude_output_parameters(const Function &function) {
    for (const RefPtr<ir::Parameter> &parameter : function.output_parameters) {
        output_parameters_.insert(parameter.get());
    }
}

void Objects::note_function(const Function &function, Form form) {
    for (size_t k = 0; k < function.def.stages.size(); k++) {
        for_each_expr(form == Form::Algorithm ? function.algorithm_of(k) : function.def.stages[k],
                      [&](const Expr &expr) { note(expr); });
    }
    note_schedule(function.schedule);
    for (const RefPtr<ir::Parameter> &parameter : function.output_parameters) {
        note_constraints(*parameter);
    }
}

void Objects::note_schedule(const schedule::FuncSchedule &schedule) {
    schedule::for_each_expr(schedule, [&](const Expr &expr) { note(expr); });
}

void Objects::note_constraints(const ir::Parameter &parameter) {
    for (const ir::DimConstraint &dim : parameter.dims) {
        for (const Expr &expr : {dim.min, dim.extent, dim.stride, dim.min_estimate, dim.extent_estimate}) {
            note(expr);
        }
    }
    note(parameter.min_value);
    note(parameter.max_value);
}

void Objects::note(const Expr &expr) {
    if (!expr.defined()) {
        return;
    }
    ir::for_each_node(expr, [&](const Expr &node) {
        switch (node->kind()) {
        case ExprKind::Image:
        case ExprKind::BufferField:
            note_parameter(ir::parameter_of(node->symbol()));
            break;
        case ExprKind::Variable:
            if (node->symbol().kind() == SymbolKind::Param) {
                note_parameter(ir::parameter_of(node->symbol()));
            } else if (node->symbol().kind() == SymbolKind::Let) {
                random_ids_.emplace(node->symbol(), static_cast<int32_t>(random_ids_.size()));
            }
            break;
        default: // kinds that refer to no parameter
            break;
        }
    });
}

void Objects::note_parameter(ir::Parameter *parameter) {
    check(parameter != nullptr, "inputs and parameters of a user's program have their objects");
    if (index_.count(parameter) != 0 || output_parameters_.count(parameter) != 0) {
        return;
    }
    std::vector<ir::Parameter *> &list = parameter->is_buffer ? inputs_ : params_;
    index_.emplace(parameter, list.size());
    list.push_back(parameter);
}

} // namespace fluorite::language
