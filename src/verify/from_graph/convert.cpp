#include "verify/from_graph/convert.h"

#include "ir/expr_cases.h"
#include "support/check.h"
#include "verify/from_graph/operator_words.h"
#include "verify/from_graph/read_regions.h"
#include "verify/from_graph/written_elements.h"
#include "verify/loops/new_loops.h"

#include <algorithm>

namespace fluorite::verify {

namespace {

using ir::ExprKind;

const size_t most_nodes = 200'000; // of the term of one stage; a guess: certificates of that size take seconds

class Converter {
  public:
    Converter(const ir::Graph &graph, const ConvertOptions &options)
        : graph_(graph), options_(options), coordinates_(graph, result_),
          regions_(graph, options, result_, coordinates_) {
        result_.funcs.resize(graph.funcs.size());
        result_.needed.resize(graph.funcs.size());
        if (!graph.requirements.empty()) {
            throw Unsupported{"requirements of the pipeline are no part of a term"};
        }
        for (const FuncId id : graph.outputs) {
            result_.outputs.push_back(size_t(id.index()));
            regions_.declare_output(size_t(id.index()));
        }
    }

    Conversion run() {
        regions_.find();
        for (size_t f = 0; f < graph_.funcs.size(); f++) {
            if (result_.needed[f]) {
                result_.funcs[f] = tensor_of(f);
            }
        }
        for (const Expr &expr : options_.conditions) {
            result_.conditions.push_back(coordinates_.condition(ir::expand_lets(expr)));
        }
        declare_inputs();
        const bool is_single = result_.outputs.size() == 1;
        Term program = is_single ? definition(result_.outputs[0]) : all_outputs();
        for (size_t f = is_single ? result_.outputs[0] : graph_.funcs.size(); f > 0; f--) {
            if (result_.needed[f - 1]) {
                program = Term::let(result_.funcs[f - 1].name, definition(f - 1), program);
            }
        }
        result_.program = program;
        return std::move(result_);
    }

  private:
    // The tensor of all outputs: the first index is the number of one.
    Term all_outputs() const {
        std::optional<Term> all;
        for (size_t o = result_.outputs.size(); o > 0; o--) {
            const Tensor &tensor = result_.funcs[result_.outputs[o - 1]];
            std::vector<Loop> loops;
            std::vector<Index> element;
            for (const Dimension &dim : tensor.dims) {
                loops.emplace_back(dim.loop + ".o", dim.extent);
                element.emplace_back(loops.back().first);
            }
            const Term copy = Term::gens(loops, Term::get(Term::var(tensor.name), element));
            all = all ? Term::select(eq("output", int64_t(o) - 1), copy, *all) : copy;
        }
        return Term::gen("output", int64_t(result_.outputs.size()), *all);
    }

    Tensor tensor_of(size_t f) const {
        const ir::FuncDef &func = graph_.funcs[f];
        Tensor tensor{word(func.name()), {}, func.symbol, func.types[0]};
        const auto stored = options_.storage_order.find(f);
        for (size_t i = func.dimensions(); i > 0; i--) {
            const size_t d = stored == options_.storage_order.end() ? i - 1 : stored->second[i - 1];
            const Interval &region = regions_.of(f)[d];
            tensor.dims.push_back({word(func.args[d].name()), region.low, simplified(region.high - region.low + 1), d});
        }
        return tensor;
    }
    void declare_inputs() {
        for (const auto &[i, region] : regions_.of_inputs()) {
            Tensor tensor{word(graph_.inputs[i].symbol.name()), {}, graph_.inputs[i].symbol, graph_.inputs[i].type};
            for (size_t d = region.size(); d > 0; d--) {
                Dimension dim{"", region[d - 1].low, simplified(region[d - 1].high - region[d - 1].low + 1), d - 1};
                if (coordinates_.asks_for(i, int(d - 1))) { // the program asks how large the input is
                    dim.min = coordinates_.field(i, ir::Field::Min, int(d - 1));
                    dim.extent = coordinates_.field(i, ir::Field::Extent, int(d - 1));
                    // Pipelines check at entry that their inputs hold what they read.
                    coordinates_.demand(le(dim.min, region[d - 1].low));
                    coordinates_.demand(lt(region[d - 1].high, dim.min + dim.extent));
                    if (options_.inputs_at_zero) {
                        coordinates_.demand(le(0, dim.min));
                    }
                }
                tensor.dims.push_back(dim);
            }
            input_tensors_.emplace(i, tensor);
            result_.inputs.push_back(tensor);
        }
    }

    // ---- Values. Terms count coordinates of Funcs from the beginning of their regions.

    using Shifts = std::map<std::string, Index>; // the index expression of each variable's coordinate
    Index shifted(const Expr &expr, const Shifts &shifts) {
        Index index = coordinates_.index(expr);
        for (const auto &[name, value] : shifts) {
            index = substitute(index, name, value);
        }
        return index;
    }

    Term definition(size_t f) {
        const ir::FuncDef &func = graph_.funcs[f];
        const Tensor &tensor = result_.funcs[f];
        Shifts shifts;
        for (const Dimension &dim : tensor.dims) {
            if (!dim.min.is_number(0)) {
                shifts.emplace(dim.loop, Index(dim.loop) + dim.min);
            }
        }
        nodes_ = 0;
        env_ = regions_.environment(f, 0);
        Term body = values(func.stages[0], func, "", shifts);
        std::vector<Loop> loops;
        std::vector<Index> element;
        for (const Dimension &dim : tensor.dims) {
            loops.emplace_back(dim.loop, dim.extent);
            element.emplace_back(dim.loop);
        }
        std::optional<Term> whole;
        for (size_t k = 1; k < func.stages.size(); k++) {
            env_ = regions_.environment(f, k);
            if (reads_other_elements(func, k)) {
                // Each iteration makes a new tensor, which differs from the one before at what it writes.
                whole = scatter(func, k, whole ? *whole : Term::gens(loops, body), tensor, shifts);
            } else if (whole) {
                const std::string before = word(func.name()) + ".s" + std::to_string(k - 1);
                whole = Term::let(
                    before, *whole,
                    Term::gens(loops, update(func, k, Term::get(Term::var(before), element), tensor, shifts)));
            } else {
                body = update(func, k, body, tensor, shifts);
            }
        }
        return whole ? *whole : Term::gens(loops, body);
    }
    Term scatter(const ir::FuncDef &func, size_t k, const Term &before, const Tensor &tensor, const Shifts &outer) {
        const ir::Stage &stage = func.stages[k];
        const std::string accumulator = word(func.name()) + ".u" + std::to_string(k);
        Shifts shifts = outer;
        const std::vector<Loop> loops = reduction_loops(func, k, shifts);
        accumulator_ = {accumulator, tensor.dims, {}, {}};
        scattering_ = &stage;
        std::vector<Index> element;
        std::vector<Loop> elements;
        for (const Dimension &dim : tensor.dims) {
            element.emplace_back(dim.loop);
            elements.emplace_back(dim.loop, dim.extent);
        }
        const Condition here = is_written(func, stage, tensor, shifts);
        const Term old = Term::get(Term::var(accumulator), element);
        Term body = values(stage, func, accumulator, shifts);
        if (stage.predicate.defined()) {
            body = selected(func, stage, body, old, accumulator, shifts);
        }
        body = with_names(Term::select(here, body, old), here, func, accumulator, shifts);
        accumulator_.reset();
        body = Term::gens(elements, body);
        const Term same = Term::gens(elements, old); // a nest, so that its extents are stated
        for (size_t i = loops.size(); i > 0; i--) {
            body = Term::iter(accumulator, loops[i - 1].first, loops[i - 1].second, i == 1 ? before : same, body);
        }
        return loops.empty() ? Term::let(accumulator, before, body) : body;
    }
    // That the element is the one that an iteration writes.
    Condition is_written(const ir::FuncDef &func, const ir::Stage &stage, const Tensor &tensor, const Shifts &shifts) {
        Condition here;
        for (const Dimension &dim : tensor.dims) {
            if (!is_pure(func, stage, dim.dimension)) {
                const Index at = simplified(shifted(ir::expand_lets(stage.args[dim.dimension]), shifts) - dim.min);
                const Condition hit = eq(dim.loop, at);
                here = here.is_true() ? hit : both(here, hit);
            }
        }
        return here;
    }
    std::vector<Loop> reduction_loops(const ir::FuncDef &func, size_t k, Shifts &shifts) { // outermost first
        const ir::Stage &stage = func.stages[k];
        std::vector<Loop> loops;
        for (auto r = stage.rvars.rbegin(); r != stage.rvars.rend(); ++r) {
            loops.emplace_back(loop_word(func.name(), int(k), r->name), simplified(shifted(r->extent, shifts)));
            const Index loop = loops.back().first, min = shifted(r->min, shifts);
            shifts.insert_or_assign(word(r->var.name()), min.is_number(0) ? loop : loop + min);
        }
        return loops;
    }
    Term selected(const ir::FuncDef &func, const ir::Stage &stage, const Term &value_if, const Term &otherwise,
                  const std::string &self, const Shifts &shifts) {
        const Expr predicate = ir::expand_lets(stage.predicate), &any = stage.values[0];
        return Term::op(is_tuple(func) ? "select." + tuple_word(func)
                                       : note_operator(result_.operators, ir::make_select(predicate, any, any)),
                        {value(predicate, func, self, shifts), value_if, otherwise});
    }
    Term update(const ir::FuncDef &func, size_t k, const Term &before, const Tensor &tensor, const Shifts &outer) {
        const ir::Stage &stage = func.stages[k];
        std::string accumulator = word(func.name()) + ".u" + std::to_string(k);
        Shifts shifts = outer;
        const std::vector<Loop> loops = reduction_loops(func, k, shifts);
        Term body = values(stage, func, accumulator, shifts);
        if (stage.predicate.defined()) {
            body = selected(func, stage, body, Term::var(accumulator), accumulator, shifts);
        }
        if (const Condition here = is_written(func, stage, tensor, shifts); !here.is_true()) {
            body = with_names(Term::select(here, body, Term::var(accumulator)), here, func, accumulator, shifts);
        }
        if (loops.empty()) {
            return Term::let(accumulator, before, body);
        }
        for (size_t i = loops.size(); i > 0; i--) {
            Term start = i == 1 ? before : Term::var(accumulator);
            body = Term::iter(accumulator, loops[i - 1].first, loops[i - 1].second, start, body);
        }
        return body;
    }

    static bool is_tuple(const ir::FuncDef &func) { return func.types.size() > 1; }
    std::string tuple_word(const ir::FuncDef &func) {
        std::string text = "tuple";
        for (Type type : func.types) {
            text += "." + type_word(type);
        }
        result_.tuples.emplace(text, func.types);
        return text;
    }
    Term part_of(const ir::FuncDef &func, const Expr &call, const Term &element) {
        return is_tuple(func)
                   ? Term::op("part." + std::to_string(call->member().index) + "." + tuple_word(func), {element})
                   : element;
    }
    Term values(const ir::Stage &stage, const ir::FuncDef &func, const std::string &self, const Shifts &shifts) {
        std::vector<Term> parts;
        for (const Expr &part : stage.values) {
            parts.push_back(value(ir::expand_lets(part), func, self, shifts));
        }
        return is_tuple(func) ? operation(tuple_word(func), std::move(parts)) : parts[0];
    }
    // Operators have three operands at most; of more, the last ones are paired.
    static Term operation(const std::string &op, std::vector<Term> operands) {
        while (operands.size() > 3) {
            Term last = operands.back();
            operands.pop_back();
            operands.back() = Term::op("and_then", {operands.back(), last});
        }
        return operands.empty() ? Term::unit(op) : Term::op(op, std::move(operands));
    }

    // The element that is the integer: as many ones as it says, less as many as its negation says.
    Term coordinate_value(const Expr &expr, const Shifts &shifts) {
        Index index = simplified(shifted(expr, shifts));
        Expr one = ir::make_one(expr.type());
        std::string add = note_operator(result_.operators, ir::add(one, one)),
                    constant = note_operator(result_.operators, one);
        auto ones = [&](const Index &count) { return Term::fold(add, "one", count, Term::unit(constant)); };
        std::optional<Interval> interval = interval_of(coordinates_.index(expr), env_, result_.facts);
        if (interval && find_witness(result_.facts, le(0, interval->low))) {
            return ones(index);
        }
        return Term::op(note_operator(result_.operators, ir::sub(one, one)),
                        {ones(index), ones(simplified(0 - index))});
    }
    Term value(const Expr &expr, const ir::FuncDef &func, const std::string &self, const Shifts &shifts) {
        if (++nodes_ > most_nodes) {
            throw Unsupported{"in " + func.name() + ": the definition has more than " + std::to_string(most_nodes) +
                              " nodes when shared parts are written out"};
        }
        switch (expr->kind()) {
        case ExprKind::IntImm:
        case ExprKind::UIntImm:
        case ExprKind::FloatImm:
            return Term::unit(note_operator(result_.operators, expr));
        case ExprKind::Variable:
            if (expr->symbol().kind() == ir::SymbolKind::Param) {
                std::string name = word(expr->symbol().name());
                if (std::ranges::none_of(result_.inputs, [&](const Tensor &t) { return t.name == name; })) {
                    result_.inputs.push_back({name, {}, expr->symbol(), expr.type()});
                }
                return Term::var(name);
            }
            return coordinate_value(expr, shifts);
        case ExprKind::BufferField:
            return coordinate_value(expr, shifts);
        case ExprKind::Call: {
            if (expr->symbol() == func.symbol) {
                if (accumulator_ && is_written_element(expr, *scattering_)) {
                    std::vector<Index> element;
                    for (const Dimension &dim : accumulator_->dims) {
                        element.emplace_back(dim.loop);
                    }
                    return part_of(func, expr, Term::get(Term::var(self), element));
                }
                if (accumulator_) {
                    return read(*accumulator_, expr, func, self, shifts,
                                [&](const Term &element) { return part_of(func, expr, element); });
                }
                return part_of(func, expr, Term::var(self));
            }
            const size_t callee = expr->symbol().owner().func.index();
            return read(result_.funcs[callee], expr, func, self, shifts,
                        [&](const Term &element) { return part_of(graph_.funcs[callee], expr, element); });
        }
        case ExprKind::Image:
            return read(input_tensors_.at(expr->symbol().owner().input.index()), expr, func, self, shifts,
                        [](const Term &element) { return element; });
        case ExprKind::Undef: // an element like any other, of which nothing is known
            return Term::unit(note_operator(result_.operators, expr));
        case ExprKind::StringImm:
        case ExprKind::Require:
        case ExprKind::Print:
        case ExprKind::Load:
            throw Unsupported{
                concat("in ", func.name(), ": ", ir::kind_name(expr->kind()), " is no operator on elements")};
        case FLUORITE_HINTS:
        case ExprKind::MemoizeTag:
            return value(expr->arg(0), func, self, shifts);
        case FLUORITE_CONVERSIONS:
        case FLUORITE_ARITHMETIC:
        case FLUORITE_COMPARISONS:
        case FLUORITE_LOGIC:
        case FLUORITE_BITS:
        case ExprKind::Select:
        case FLUORITE_FUNCTIONS:
        case FLUORITE_VECTORS:
        case ExprKind::Let:
            break;
        }
        std::vector<Term> operands;
        for (const Expr &arg : expr->args()) {
            operands.push_back(value(arg, func, self, shifts));
        }
        return operation(note_operator(result_.operators, expr), std::move(operands));
    }
    template <typename Part>
    Term read(const Tensor &tensor, const Expr &call, const ir::FuncDef &func, const std::string &self,
              const Shifts &shifts, const Part &part) {
        std::vector<Index> indices;
        for (size_t i = 0; i < tensor.dims.size(); i++) {
            Index coordinate = shifted(call->arg(tensor.dims[i].dimension), shifts);
            indices.push_back(simplified(coordinate - tensor.dims[i].min));
        }
        return with_names(part(Term::get(Term::var(tensor.name), indices)), indices, func, self, shifts);
    }
    static bool mentions(const std::string &name, const std::vector<Index> &indices) {
        return std::ranges::any_of(indices, [&](const Index &index) { return occurs(name, index); });
    }
    static bool mentions(const std::string &name, const Condition &condition) { return occurs(name, condition); }
    // Binds the names of coordinates that are no index expressions where `used` mentions them.
    template <typename Used>
    Term with_names(Term result, const Used &used, const ir::FuncDef &func, const std::string &self,
                    const Shifts &shifts) {
        for (size_t b = 0; b < coordinates_.bound().size(); b++) {
            const Coordinates::Named bound = coordinates_.bound()[b];
            if (mentions(bound.name, used)) {
                result = Term::bind(bound.name, value(bound.expr, func, self, shifts), result);
            }
        }
        return result;
    }

    const ir::Graph &graph_;
    const ConvertOptions &options_;
    Conversion result_;
    size_t nodes_ = 0;
    std::map<size_t, Tensor> input_tensors_;
    const ir::Stage *scattering_ = nullptr;
    std::optional<Tensor> accumulator_; // of the update at hand, if it is a tensor
    Coordinates coordinates_;
    ReadRegions regions_;
    std::map<std::string, Interval> env_; // of the coordinates of the stage at hand
};

} // namespace

std::string output_size(const std::string &output, size_t dimension) {
    return output + ".n" + std::to_string(dimension);
}

Conversion convert(const ir::Graph &graph, const ConvertOptions &options) { return Converter(graph, options).run(); }

} // namespace fluorite::verify
