#include "verify/from_graph/convert.h"

#include "ir/expr_cases.h"
#include "support/check.h"
#include "verify/from_graph/coordinates.h"
#include "verify/loops/new_loops.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace fluorite::verify {

namespace {

using ir::ExprKind;

std::string type_word(Type type) { return concat(type); }

bool is_pure(const ir::FuncDef &func, const ir::Stage &stage, size_t dimension) {
    const Expr &at = stage.args[dimension];
    return ir::is_kind(at, ExprKind::Variable) && at->symbol() == func.args[dimension];
}

// Whether a call of the Func itself reads the element that the stage writes.
bool is_written_element(const Expr &call, const ir::Stage &stage) {
    for (size_t d = 0; d < stage.args.size(); d++) {
        if (!ir::equal(ir::expand_lets(call->arg(d)), ir::expand_lets(stage.args[d]))) {
            return false;
        }
    }
    return true;
}

const size_t most_nodes = 200'000; // of the term of one stage; a guess: certificates of that size take seconds

class Converter {
  public:
    Converter(const ir::Graph &graph, const ConvertOptions &options)
        : graph_(graph), options_(options), coordinates_(graph, result_) {
        result_.funcs.resize(graph.funcs.size());
        result_.needed.resize(graph.funcs.size());
        if (!graph.requirements.empty()) {
            throw Unsupported{"requirements of the pipeline are no part of a term"};
        }
        regions_.resize(graph.funcs.size());
        for (const FuncId id : graph.outputs) {
            result_.outputs.push_back(size_t(id.index()));
            declare_output(size_t(id.index()));
        }
    }

    Conversion run() {
        for (size_t f = graph_.funcs.size(); f > 0; f--) {
            if (result_.needed[f - 1]) {
                widen_to_promise(f - 1);
                widen_to_tails(f - 1);
                add_regions_read_by(f - 1);
            }
        }
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
    void declare_output(size_t f) {
        const ir::FuncDef &output = graph_.funcs[f];
        const auto given = options_.extents.find(f);
        std::vector<Index> extents;
        for (size_t d = 0; d < output.dimensions(); d++) {
            Index extent = 0;
            if (given != options_.extents.end() && d < given->second.size() && given->second[d] != 0) {
                extent = given->second[d];
            } else {
                std::string name = output_size(word(output.name()), d);
                extent = name;
                result_.facts.push_back(le(1, name));
            }
            extents.push_back(extent);
            for (const Condition &fact : options_.output_facts ? options_.output_facts(f, d, extent) : Facts()) {
                coordinates_.demand(fact);
            }
            regions_[f].push_back({0, simplified(extent - 1)});
        }
        result_.output_extents.push_back(extents);
        result_.needed[f] = true;
    }
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

    // ---- Regions: which coordinates are read.

    std::map<std::string, Interval> environment(size_t f, size_t stage) {
        std::map<std::string, Interval> env;
        const ir::FuncDef &func = graph_.funcs[f];
        for (size_t d = 0; d < func.dimensions(); d++) {
            env.emplace(word(func.args[d].name()), regions_[f][d]);
            // What a scan reads of itself may make its region larger, once its coordinates have their bounds.
            coordinates_.set_range(func.args[d], is_scan(func) ? Interval::unbounded() : regions_[f][d]);
        }
        for (const ir::ReductionVar &r : func.stages[stage].rvars) {
            Index min = coordinates_.index(r.min), extent = coordinates_.index(r.extent);
            std::optional<Interval> low = interval(min, env), high = interval(min + extent - 1, env);
            if (!low || !high) {
                throw Unsupported{"in " + func.name() + ": the bounds of " + r.name + " are no interval"};
            }
            env.insert_or_assign(word(r.var.name()), Interval{low->low, high->high});
        }
        return env;
    }

    static bool is_scan(const ir::FuncDef &func) {
        for (size_t k = 1; k < func.stages.size(); k++) {
            if (reads_other_elements(func, k)) {
                return true;
            }
        }
        return false;
    }
    std::optional<Interval> interval(const Index &index, std::map<std::string, Interval> env) const {
        for (const Coordinates::Named &bound : coordinates_.bound()) {
            env.insert_or_assign(bound.name, Interval::unbounded());
        }
        return interval_of(index, env, result_.facts);
    }

    void widen_to_promise(size_t f) {
        for (size_t d = 0; !result_.is_output(f) && d < regions_[f].size(); d++) {
            const auto found = options_.promised.find({f, d});
            if (found == options_.promised.end()) {
                continue;
            }
            const Index min = found->second.min, max = found->second.max;
            Interval &region = regions_[f][d];
            // That sizes are as small as the promise says becomes a fact, as the compiled pipeline checks it at entry.
            Facts facts = result_.facts;
            const auto holds = [&](const Condition &fact) {
                return find_witness(facts, fact) || add_if_possible(fact, facts);
            };
            if (holds(le(min, region.low)) && holds(le(region.high, max))) {
                region = {min, max};
                result_.facts = facts;
            }
        }
    }
    void widen_to_tails(size_t f) {
        for (size_t d = 0; options_.widen && !result_.is_output(f) && d < regions_[f].size(); d++) {
            const auto assume = [&](const Condition &fact) { return add_if_possible(fact, result_.facts); };
            const Interval read = regions_[f][d];
            regions_[f][d] = options_.widen(f, d, read, {result_.facts, assume});
            if (!(read.low == regions_[f][d].low) || !(read.high == regions_[f][d].high)) {
                result_.read.emplace(std::pair(f, d), read);
            }
        }
    }
    void add_regions_read_by(size_t f) {
        // What an update reads of its own Func, elsewhere than where it writes, is a part of the region; that the
        // region then reads no more is asked of the second time.
        add_regions_read_by_stages(f);
        if (own_reads_.empty()) {
            return;
        }
        if (!result_.is_output(f)) {
            for (const std::vector<Interval> &region : own_reads_) {
                unite(regions_[f], region);
            }
        }
        own_reads_.clear();
        add_regions_read_by_stages(f);
        for (const std::vector<Interval> &region : own_reads_) {
            for (size_t d = 0; d < region.size(); d++) {
                const Interval &whole = regions_[f][d];
                if (!find_witness(result_.facts, le(whole.low, region[d].low)) ||
                    !find_witness(result_.facts, le(region[d].high, whole.high))) {
                    throw Unsupported{
                        "in " + graph_.funcs[f].name() + ": an update reads elements of its own Func that " +
                        "its consumers do not need, from " + to_text(region[d].low) + " to " + to_text(region[d].high)};
                }
            }
        }
        own_reads_.clear();
    }
    void add_regions_read_by_stages(size_t f) {
        const ir::FuncDef &func = graph_.funcs[f];
        for (size_t k = 0; k < func.stages.size(); k++) {
            const ir::Stage &stage = func.stages[k];
            const std::map<std::string, Interval> env = environment(f, k);
            const bool scatters = writes_elsewhere(func, k);
            for (const Expr &value : stage.values) {
                add_reads(func, stage, ir::expand_lets(value), env, scatters);
            }
            if (stage.predicate.defined()) {
                add_reads(func, stage, ir::expand_lets(stage.predicate), env, scatters);
            }
            for (size_t d = 0; scatters && d < stage.args.size(); d++) {
                add_reads(func, stage, ir::expand_lets(stage.args[d]), env, scatters);
            }
        }
    }
    void add_reads(const ir::FuncDef &func, const ir::Stage &stage, const Expr &expr,
                   const std::map<std::string, Interval> &env, bool scatters) {
        ir::for_each_node(expr, [&](const Expr &node) {
            bool call = node->kind() == ExprKind::Call;
            if (!call && node->kind() != ExprKind::Image) {
                return;
            }
            const bool is_own = call && node->symbol() == func.symbol;
            if (is_own && (!scatters || is_written_element(node, stage))) {
                return;
            }
            std::vector<Interval> region;
            for (const Expr &arg : node->args()) {
                const Index at = coordinates_.index(arg);
                std::optional<Interval> range = interval(at, env);
                if (!range) {
                    throw Unsupported{"in " + func.name() + ": no bounds are found for a coordinate of " +
                                      node->symbol().name() + ", " + to_text(at) + coordinates_.meaning(at)};
                }
                region.push_back(*range);
            }
            if (is_own) {
                own_reads_.push_back(region);
                return;
            }
            if (call) {
                size_t callee = node->symbol().owner().func.index();
                if (result_.is_output(callee)) {
                    demand_within(regions_[callee], region);
                    return;
                }
                result_.needed[callee] = true;
                unite(regions_[callee], region);
            } else {
                unite(input_regions_[node->symbol().owner().input.index()], region);
            }
        });
    }
    // That the size of an output is as large as what others read of it is checked at entry.
    void demand_within(const std::vector<Interval> &all, const std::vector<Interval> &region) {
        for (size_t d = 0; d < region.size(); d++) {
            coordinates_.demand(le(all[d].low, region[d].low));
            coordinates_.demand(le(region[d].high, all[d].high));
        }
    }
    void unite(std::vector<Interval> &all, const std::vector<Interval> &region) const {
        if (all.empty()) {
            all = region;
            return;
        }
        for (size_t d = 0; d < region.size(); d++) {
            all[d].low = smaller_of(all[d].low, region[d].low, result_.facts);
            all[d].high = greater_of(all[d].high, region[d].high, result_.facts);
        }
    }

    Tensor tensor_of(size_t f) const {
        const ir::FuncDef &func = graph_.funcs[f];
        Tensor tensor{word(func.name()), {}, func.symbol, func.types[0]};
        const auto stored = options_.storage_order.find(f);
        for (size_t i = func.dimensions(); i > 0; i--) {
            const size_t d = stored == options_.storage_order.end() ? i - 1 : stored->second[i - 1];
            const Interval &region = regions_[f][d];
            tensor.dims.push_back({word(func.args[d].name()), region.low, simplified(region.high - region.low + 1), d});
        }
        return tensor;
    }
    void declare_inputs() {
        for (const auto &[i, region] : input_regions_) {
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
        env_ = environment(f, 0);
        Term body = values(func.stages[0], func, "", shifts);
        std::vector<Loop> loops;
        std::vector<Index> element;
        for (const Dimension &dim : tensor.dims) {
            loops.emplace_back(dim.loop, dim.extent);
            element.emplace_back(dim.loop);
        }
        std::optional<Term> whole;
        for (size_t k = 1; k < func.stages.size(); k++) {
            env_ = environment(f, k);
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
                                       : note_operator(ir::make_select(predicate, any, any)),
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
        std::string add = note_operator(ir::add(one, one)), constant = note_operator(one);
        auto ones = [&](const Index &count) { return Term::fold(add, "one", count, Term::unit(constant)); };
        std::optional<Interval> interval = interval_of(coordinates_.index(expr), env_, result_.facts);
        if (interval && find_witness(result_.facts, le(0, interval->low))) {
            return ones(index);
        }
        return Term::op(note_operator(ir::sub(one, one)), {ones(index), ones(simplified(0 - index))});
    }
    static std::string constant_word(const Expr &expr) {
        std::string text = ir::is_kind(expr, ExprKind::FloatImm)  ? float_word(expr->float_value())
                           : ir::is_kind(expr, ExprKind::UIntImm) ? std::to_string(expr->uint_value())
                                                                  : std::to_string(expr->int_value());
        return "c." + type_word(expr.type()) + "." + text;
    }
    static std::string float_word(double value) { // exactly, and in letters of words
        char text[64];
        std::snprintf(text, sizeof text, "%a", value);
        return text;
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
            return Term::unit(note_operator(expr));
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
            return Term::unit(note_operator(expr));
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
        return operation(note_operator(expr), std::move(operands));
    }
    // The word of an operator or constant. Terms with equal words are taken for equal, hence what a word stands for has
    // to be one thing.
    std::string note_operator(const Expr &expr) {
        std::string name = operator_word(expr);
        const Expr &known = result_.operators.emplace(name, expr).first->second;
        bool is_same = known->kind() == expr->kind() && known.type() == expr.type() &&
                       known->payload() == expr->payload() && known->arg_count() == expr->arg_count();
        for (size_t i = 0; is_same && i < expr->arg_count(); i++) {
            is_same = known->arg(i).type() == expr->arg(i).type();
        }
        if (!is_same && !ir::equal(known, expr)) {
            throw Unsupported{"two operators have one word in terms, " + name};
        }
        return name;
    }
    static std::string operator_word(const Expr &expr) {
        std::string name;
        switch (expr->kind()) {
        case ExprKind::IntImm:
        case ExprKind::UIntImm:
        case ExprKind::FloatImm:
            return constant_word(expr);
        case ExprKind::Math:
            name = ir::math_name(expr->math_op());
            break;
        case ExprKind::Extern:
            name = "extern." + expr->text();
            break;
        default: { // kinds whose name says what they compute
            static const char *const kinds[] = {
#define FLUORITE_EXPR(kind, ...) #kind,
#include "ir/expr_kinds.def"
#undef FLUORITE_EXPR
            };
            name = kinds[int(expr->kind())];
            std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
            break;
        }
        }
        name += "." + type_word(expr.type());
        // Conversions and comparisons depend on the type of what they take.
        if (expr->arg_count() > 0 && expr->arg(0).type() != expr.type()) {
            name += "." + type_word(expr->arg(0).type());
        }
        return word(name);
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
    std::vector<std::vector<Interval>> regions_; // as graph.funcs; in dimension order
    std::map<size_t, std::vector<Interval>> input_regions_;
    std::map<size_t, Tensor> input_tensors_;
    std::vector<std::vector<Interval>> own_reads_; // of the Func at hand, elsewhere than where it writes
    const ir::Stage *scattering_ = nullptr;
    std::optional<Tensor> accumulator_; // of the update at hand, if it is a tensor
    Coordinates coordinates_;
    std::map<std::string, Interval> env_; // of the coordinates of the stage at hand
};

} // namespace

bool is_loop(const ir::FuncDef &func, size_t stage, size_t dimension) {
    return stage == 0 || is_pure(func, func.stages[stage], dimension);
}

bool writes_elsewhere(const ir::FuncDef &func, size_t stage) {
    for (size_t d = 0; d < func.dimensions(); d++) {
        if (!is_loop(func, stage, d)) {
            return true;
        }
    }
    return false;
}

bool reads_other_elements(const ir::FuncDef &func, size_t stage) {
    if (!writes_elsewhere(func, stage)) {
        return false;
    }
    const ir::Stage &update = func.stages[stage];
    std::vector<Expr> read = update.values;
    read.insert(read.end(), update.args.begin(), update.args.end());
    read.push_back(update.predicate);
    bool others = false;
    for (const Expr &expr : read) {
        if (expr.defined()) {
            ir::for_each_node(ir::expand_lets(expr), [&](const Expr &node) {
                const bool is_own = node->kind() == ExprKind::Call && node->symbol() == func.symbol;
                others = others || (is_own && !is_written_element(node, update));
            });
        }
    }
    return others;
}

std::string output_size(const std::string &output, size_t dimension) {
    return output + ".n" + std::to_string(dimension);
}

Conversion convert(const ir::Graph &graph, const ConvertOptions &options) { return Converter(graph, options).run(); }

} // namespace fluorite::verify
