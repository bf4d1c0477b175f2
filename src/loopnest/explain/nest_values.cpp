// Numeric values for the symbols of a loop nest.
//
// The sizes of outputs determine the fields of their buffers; bound inputs and Params provide their own values; every
// other symbol is evaluated on demand from the lets of its site and the definitions of its nest. Values are cached
// until a loop variable changes.
//
// Cost: linear in the definitions that a value depends on, for each iteration that is queried.

#include "loopnest/explain/nest_values.h"

#include "ir/parameter_value.h"
#include "rewrite/simplify.h"

namespace fluorite::loopnest {

using namespace ir;
using Number = std::optional<int64_t>;

namespace {

/// The value of a Param of any type, or its estimate; undefined for all else.
Expr value_of_param(const Expr &node) {
    const Parameter *param = node->kind() == ExprKind::Variable ? parameter_of(node->symbol()) : nullptr;
    return !param ? Expr() : param->has_value ? ir::value_of(*param) : param->estimate;
}

} // namespace

Number number_of(const Expr &expr) {
    return rewrite::constant_value(transform(expr, [](const Expr &node) {
        const Expr value = value_of_param(node);
        return value.defined() ? value : node;
    }));
}

namespace {

/// Of an input that is not bound.
Number estimate_of_field(const Parameter &input, size_t d, Field field) {
    if (d >= input.dims.size() || field == Field::Stride) {
        return std::nullopt;
    }
    const Expr &min_expr = input.dims[d].min_estimate, &extent_expr = input.dims[d].extent_estimate;
    const Number min = min_expr.defined() ? number_of(min_expr) : std::nullopt;
    const Number extent = extent_expr.defined() ? number_of(extent_expr) : std::nullopt;
    return field == Field::Min      ? min
           : field == Field::Extent ? extent
           : min && extent          ? Number(*min + *extent - 1)
                                    : std::nullopt;
}

bool is_header(const Expr &value) { return is_kind(value, ExprKind::Extern) && value->text() == "extern.header"; }

/// Only a run knows what an extern stage asks for. Assumed: as much as it is to compute, in the dimensions of both.
Expr assumed_answer(const Expr &header, const Symbol &asked) {
    constexpr size_t first = 4, numbers = 3; // operations.def
    const size_t at = first + numbers * asked.owner().dim.index();
    if (at >= header->arg_count()) {
        return int32(0);
    }
    const Expr &min = header->arg(at), &extent = header->arg(at + 1);
    return asked.owner().side == Side::Min ? min : sub(add(min, extent), int32(1));
}

} // namespace

NestValues::NestValues(const BoundedLoopNest &nest, const std::vector<int32_t> &sizes, int64_t more)
    : nest_(nest), more_(more) {
    for (const auto &[site, lets] : nest.regions.lets) {
        Expr header; // the last one before what a bounds query answers is that of an output
        for (const SiteLet &let : lets) {
            if (let.symbol.defined()) {
                header = is_header(let.value) ? let.value : header;
                definitions_[let.symbol] = is_queried(let.symbol) ? assumed_answer(header, let.symbol) : let.value;
            }
        }
    }
    for (const FuncBounds &func : nest.regions.funcs) {
        for (const std::shared_ptr<const StageNest> &stage : func.nests) {
            for (const NestDef &def : stage->defs()) {
                definitions_[def.symbol] = def.value;
            }
        }
    }
    for (FuncId output : nest.graph.pipeline.graph.outputs) {
        set_output(output, sizes);
    }
}

void NestValues::set_loop(const Symbol &loop, int64_t value) {
    loops_[loop] = value;
    known_.clear();
}

Number NestValues::operator()(const Expr &expr) {
    bool is_known = true;
    const Expr flat = transform(expr, [&](const Expr &node) {
        Number value;
        if (const Expr number = value_of_param(node); number.defined()) {
            return number;
        }
        if (node->kind() == ExprKind::Variable) {
            value = of_symbol(node);
        } else if (node->kind() == ExprKind::BufferField) {
            value = of_field(node);
        } else {
            return node;
        }
        is_known = is_known && value.has_value();
        return value ? make_int(node.type(), *value) : node;
    });
    return is_known ? rewrite::constant_value(flat) : std::nullopt;
}

Expr NestValues::expanded(const Expr &expr) const {
    const auto known = expanded_.find(expr);
    if (known != expanded_.end()) {
        return known->second;
    }
    Expr result = expr;
    for (int round = 0; round < 8; round++) {
        bool changed = false;
        const Expr next = transform(result, [&](const Expr &node) {
            const auto found =
                node->kind() == ExprKind::Variable ? definitions_.find(node->symbol()) : definitions_.end();
            changed = changed || found != definitions_.end();
            return found == definitions_.end() ? node : found->second;
        });
        if (!changed) {
            break;
        }
        result = next;
    }
    result = rewrite::simplify(result);
    expanded_.emplace(expr, result);
    return result;
}

bool NestValues::depends(const Expr &expr, const Symbol &loop) const {
    bool found = false;
    for_each_node(expr, [&](const Expr &node) {
        if (found || node->kind() != ExprKind::Variable) {
            return;
        }
        const auto definition = definitions_.find(node->symbol());
        found = node->symbol() == loop || (definition != definitions_.end() && depends(definition->second, loop));
    });
    return found;
}

void NestValues::set_output(FuncId output, const std::vector<int32_t> &sizes) {
    const FuncDef &func = nest_.graph.func(output);
    std::vector<int64_t> extents;
    for (size_t d = 0; d < func.dimensions(); d++) {
        int64_t extent = d < sizes.size() ? sizes[d] : -1;
        for (const schedule::Bound &estimate : nest_.graph.schedule(output).estimates) {
            if (sizes.empty() && estimate.var == func.arg_names[d] && estimate.extent.defined()) {
                extent = number_of(estimate.extent).value_or(-1);
            }
        }
        know_outputs_ = know_outputs_ && extent >= 0;
        extents.push_back(extent);
    }
    if (know_outputs_) {
        extents_.emplace_back(output, extents);
    }
}

Number NestValues::of_symbol(const Expr &variable) {
    const Symbol &symbol = variable->symbol();
    const auto loop = loops_.find(symbol);
    if (loop != loops_.end()) {
        return loop->second;
    }
    const auto known = known_.find(symbol);
    if (known != known_.end()) {
        return known->second;
    }
    Number value;
    const auto definition = definitions_.find(symbol);
    if (definition != definitions_.end()) {
        value = (*this)(definition->second);
    }
    known_[symbol] = value;
    return value;
}

Number NestValues::of_field(const Expr &node) const {
    const Number value = of_given_field(node);
    const bool grows = node->member().field == Field::Extent || node->member().field == Field::Max;
    return value && grows ? Number(*value + more_) : value;
}

Number NestValues::of_given_field(const Expr &node) const {
    const size_t d = node->member().position();
    for (const auto &[output, extents] : extents_) {
        if (node->symbol().owner().func == output && d < extents.size()) {
            return node->member().field == Field::Min      ? Number(0)
                   : node->member().field == Field::Extent ? Number(extents[d])
                   : node->member().field == Field::Max    ? Number(extents[d] - 1)
                                                           : std::nullopt;
        }
    }
    const Parameter *input = parameter_of(node->symbol());
    if (input && !input->buffer) {
        return estimate_of_field(*input, d, node->member().field);
    }
    if (!input || static_cast<int32_t>(d) >= input->buffer->dimensions) {
        return std::nullopt;
    }
    const fluorite_dimension_t &dim = input->buffer->dim[d];
    return node->member().field == Field::Min      ? Number(dim.min)
           : node->member().field == Field::Extent ? Number(dim.extent)
           : node->member().field == Field::Max    ? Number(dim.min + dim.extent - 1)
                                                   : Number(dim.stride);
}

} // namespace fluorite::loopnest
