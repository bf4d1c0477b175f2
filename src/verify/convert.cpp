#include "verify/convert.h"

#include "analysis/interval.h"
#include "rewrite/simplify.h"
#include "support/check.h"
#include "verify/new_loops.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace fluorite::verify {

namespace {

using ir::ExprKind;

// Words of certificates: letters, digits and some characters, the first one a letter.
std::string word(const std::string &name) {
    std::string result = name;
    for (char &c : result) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.' && c != '$') {
            throw Unsupported{"the name '" + name + "' has characters that words of certificates do not have"};
        }
    }
    return std::isalpha(static_cast<unsigned char>(result[0])) ? result : "n_" + result;
}

std::string type_word(Type type) { return concat(type); }

bool is_pure(const ir::FuncDef &func, const ir::Stage &stage, size_t dimension) {
    const Expr &at = stage.args[dimension];
    return ir::is_kind(at, ExprKind::Variable) && at->symbol() == func.args[dimension];
}

const size_t most_nodes = 200'000; // of the term of one stage; a guess: certificates of that size take seconds

class Converter {
  public:
    Converter(const ir::Graph &graph, const ConvertOptions &options) : graph_(graph), options_(options) {
        result_.funcs.resize(graph.funcs.size());
        result_.needed.resize(graph.funcs.size());
        if (graph.outputs.size() != 1) {
            throw Unsupported{"the pipeline has " + std::to_string(graph.outputs.size()) + " outputs; terms have one"};
        }
        if (!graph.requirements.empty()) {
            throw Unsupported{"requirements of the pipeline are no part of a term"};
        }
        output_ = graph.outputs[0].index();
        result_.output = output_;
        regions_.resize(graph.funcs.size());
        const ir::FuncDef &output = graph.funcs[output_];
        for (size_t d = 0; d < output.dimensions(); d++) {
            Index extent = 0;
            if (d < options.extents.size() && options.extents[d] != 0) {
                extent = options.extents[d];
            } else {
                std::string name = output_size(word(output.name()), d);
                extent = name;
                result_.facts.push_back(le(1, name));
            }
            result_.output_extents.push_back(extent);
            for (const Condition &fact : options.output_facts ? options.output_facts(d, extent) : Facts()) {
                demand(fact);
            }
            regions_[output_].push_back({0, simplified(extent - 1)});
        }
        result_.needed[output_] = true;
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
            result_.conditions.push_back(condition(ir::expand_lets(expr)));
        }
        declare_inputs();
        Term program = definition(output_);
        for (size_t f = output_; f > 0; f--) {
            if (result_.needed[f - 1]) {
                program = Term::let(result_.funcs[f - 1].name, definition(f - 1), program);
            }
        }
        result_.program = program;
        return std::move(result_);
    }

  private:
    // ---- Regions: which coordinates are read.

    std::map<std::string, Interval> environment(size_t f, size_t stage) {
        std::map<std::string, Interval> env;
        const ir::FuncDef &func = graph_.funcs[f];
        for (size_t d = 0; d < func.dimensions(); d++) {
            env.emplace(word(func.args[d].name()), regions_[f][d]);
        }
        for (const ir::ReductionVar &r : func.stages[stage].rvars) {
            Index min = coordinate(r.min), extent = coordinate(r.extent);
            std::optional<Interval> low = interval(min, env), high = interval(min + extent - 1, env);
            if (!low || !high) {
                throw Unsupported{"in " + func.name() + ": the bounds of " + r.name + " are no interval"};
            }
            env.insert_or_assign(word(r.var.name()), Interval{low->low, high->high});
        }
        return env;
    }

    std::optional<Interval> interval(const Index &index, std::map<std::string, Interval> env) const {
        for (const BoundName &bound : bound_) {
            env.insert_or_assign(bound.name, Interval::unbounded());
        }
        return interval_of(index, env, result_.facts);
    }

    void widen_to_promise(size_t f) {
        for (size_t d = 0; f != output_ && d < regions_[f].size(); d++) {
            const auto found = options_.promised.find({f, d});
            if (found == options_.promised.end()) {
                continue;
            }
            const Index min = found->second.min, max = found->second.max;
            Interval &region = regions_[f][d];
            if (find_witness(result_.facts, le(min, region.low)) && find_witness(result_.facts, le(region.high, max))) {
                region = {min, max};
            }
        }
    }
    void widen_to_tails(size_t f) {
        for (size_t d = 0; options_.widen && f != output_ && d < regions_[f].size(); d++) {
            const auto assume = [&](const Condition &fact) { return add_if_possible(fact, result_.facts); };
            regions_[f][d] = options_.widen(f, d, regions_[f][d], {result_.facts, assume});
        }
    }
    void add_regions_read_by(size_t f) {
        // What an update reads of its own Func, elsewhere than where it writes, is a part of the region; that the
        // region then reads no more is asked of the second time.
        add_regions_read_by_stages(f);
        if (own_reads_.empty()) {
            return;
        }
        if (f != output_) {
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
    // Whether a call of the Func itself reads the element that the stage writes.
    static bool is_written_element(const Expr &call, const ir::Stage &stage) {
        for (size_t d = 0; d < stage.args.size(); d++) {
            if (!ir::equal(ir::expand_lets(call->arg(d)), ir::expand_lets(stage.args[d]))) {
                return false;
            }
        }
        return true;
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
                const Index at = coordinate(arg);
                std::optional<Interval> range = interval(at, env);
                if (!range) {
                    throw Unsupported{"in " + func.name() + ": no bounds are found for a coordinate of " +
                                      node->symbol().name() + ", " + to_text(at)};
                }
                region.push_back(*range);
            }
            if (is_own) {
                own_reads_.push_back(region);
                return;
            }
            if (call) {
                size_t callee = size_t(node->symbol().owner().func);
                result_.needed[callee] = true;
                unite(regions_[callee], region);
            } else {
                unite(input_regions_[size_t(node->symbol().owner().input)], region);
            }
        });
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
    void demand(const Condition &fact) {
        if (!find_witness(result_.facts, fact)) {
            result_.facts.push_back(fact);
        }
    }
    void declare_inputs() {
        for (const auto &[i, region] : input_regions_) {
            Tensor tensor{word(graph_.inputs[i].symbol.name()), {}, graph_.inputs[i].symbol, graph_.inputs[i].type};
            for (size_t d = region.size(); d > 0; d--) {
                Dimension dim{"", region[d - 1].low, simplified(region[d - 1].high - region[d - 1].low + 1), d - 1};
                if (fields_.count({i, int(d - 1)})) { // the program asks how large the input is
                    dim.min = field(i, ir::Field::Min, int(d - 1));
                    dim.extent = field(i, ir::Field::Extent, int(d - 1));
                    // Pipelines check at entry that their inputs hold what they read.
                    demand(le(dim.min, region[d - 1].low));
                    demand(lt(region[d - 1].high, dim.min + dim.extent));
                }
                tensor.dims.push_back(dim);
            }
            input_tensors_.emplace(i, tensor);
            result_.inputs.push_back(tensor);
        }
    }

    // ---- Coordinates.

    Index field(size_t input, ir::Field field, int dim) {
        std::string base = word(graph_.inputs[input].symbol.name());
        Index min = base + ".m" + std::to_string(dim), extent = base + ".e" + std::to_string(dim);
        if (fields_.emplace(std::make_pair(input, dim), true).second) {
            result_.facts.push_back(le(1, extent));
            const ir::Symbol &symbol = graph_.inputs[input].symbol;
            result_.names.emplace(min.name(), ir::make_field(symbol, ir::Field::Min, dim));
            result_.names.emplace(extent.name(), ir::make_field(symbol, ir::Field::Extent, dim));
        }
        switch (field) {
        case ir::Field::Min:
            return min;
        case ir::Field::Extent:
            return extent;
        case ir::Field::Max:
            return min + extent - 1;
        default:
            throw Unsupported{"strides of inputs are no index expressions"};
        }
    }
    // A bound of coordinates, in which no coordinates occur: one that is no index expression gets a name that the
    // program leaves free.
    std::optional<Index> invariant(const Expr &bound) {
        if (!bound.defined()) {
            return std::nullopt;
        }
        const Expr expr = rewrite::simplify(bound);
        const size_t before = bound_.size();
        const Index index = coordinate(expr);
        if (bound_.size() == before) {
            return index;
        }
        bound_.resize(before, bound_[0]);
        bool is_invariant = true;
        ir::for_each_node(expr, [&](const Expr &node) {
            is_invariant = is_invariant && !node->reads_memory() &&
                           (node->kind() != ExprKind::Variable || node->symbol().kind() == ir::SymbolKind::Param);
        });
        if (!is_invariant) {
            return std::nullopt;
        }
        for (const auto &[name, value] : result_.names) {
            if (ir::equal(value, expr)) {
                return Index(name);
            }
        }
        const std::string name = "size." + std::to_string(result_.names.size());
        result_.names.emplace(name, expr);
        return Index(name);
    }
    // A condition on parameters and sizes: on indices as far as it compares them.
    Condition condition(const Expr &expr) {
        const auto compared = [&](size_t first, Condition (*compare)(const Index &, const Index &)) {
            const bool are_indices = expr->arg(0).type() == Int(32);
            const std::optional<Index> a = are_indices ? size(expr->arg(first)) : std::nullopt;
            const std::optional<Index> b = a ? size(expr->arg(1 - first)) : std::nullopt;
            return b ? compare(*a, *b) : whether(expr);
        };
        switch (expr->kind()) {
        case ExprKind::And:
            return both(condition(expr->arg(0)), condition(expr->arg(1)));
        case ExprKind::Or:
            return {Condition::Kind::Or, {}, {condition(expr->arg(0)), condition(expr->arg(1))}};
        case ExprKind::Not:
            return negation(condition(expr->arg(0)));
        case ExprKind::LT:
            return compared(0, lt);
        case ExprKind::LE:
            return compared(0, le);
        case ExprKind::GT:
            return compared(1, lt);
        case ExprKind::GE:
            return compared(1, le);
        case ExprKind::EQ:
            return compared(0, eq);
        case ExprKind::NE:
            return negation(compared(0, eq));
        default:
            return whether(expr);
        }
    }
    // A size as an index, unless it depends on what no index does.
    std::optional<Index> size(const Expr &expr) {
        bool is_size = true;
        ir::for_each_node(expr, [&](const Expr &node) {
            const bool is_field = node->kind() == ExprKind::BufferField;
            is_size = is_size && (!is_field || node->member().field != ir::Field::Stride);
        });
        return is_size ? invariant(expr) : std::nullopt;
    }
    Condition whether(const Expr &expr) {
        const Expr one = ir::make_one(Int(32)), number = ir::make_select(expr, one, ir::make_zero(Int(32)));
        for (const auto &[name, value] : result_.names) {
            if (ir::equal(value, number)) {
                return eq(name, 1);
            }
        }
        const std::string name = "case." + std::to_string(result_.names.size());
        result_.names.emplace(name, number);
        return eq(name, 1);
    }
    // A field of the output, whose region begins at zero.
    Index output_field(ir::Field field, size_t dim) const {
        switch (field) {
        case ir::Field::Min:
            return 0;
        case ir::Field::Extent:
            return result_.output_extents.at(dim);
        case ir::Field::Max:
            return simplified(result_.output_extents.at(dim) - 1);
        default:
            throw Unsupported{"strides of the output are no index expressions"};
        }
    }
    // A name for the integer that the expression gives; equal expressions have one name. Where the compiler's interval
    // analysis bounds it whatever the coordinates are, minima and maxima around the name say so.
    Index named(const Expr &expr) {
        auto found = std::ranges::find_if(bound_, [&](const BoundName &bound) { return ir::equal(bound.expr, expr); });
        if (found != bound_.end()) {
            return found->clamped;
        }
        const size_t b = bound_.size();
        const std::string name = "at." + std::to_string(b);
        bound_.push_back({name, expr, name});
        Index clamped = name;
        analysis::Scope coordinates;
        ir::for_each_node(expr, [&](const Expr &node) {
            if (node->kind() == ExprKind::Variable && node->symbol().kind() != ir::SymbolKind::Param) {
                coordinates[node->symbol()] = analysis::Interval::everything();
            }
        });
        const analysis::Interval range = analysis::bounds_of(expr, coordinates);
        const std::optional<Index> low = invariant(range.min), high = invariant(range.max);
        if (high) {
            clamped = min(clamped, *high);
        }
        if (low) {
            clamped = max(clamped, *low);
        }
        if (low && high) {
            demand(le(*low, *high));
        }
        bound_[b].clamped = clamped;
        return bound_[b].clamped;
    }
    Index coordinate(const Expr &expr) {
        int64_t value;
        if (ir::is_const_int(expr, &value)) {
            return value;
        }
        auto binary = [&](Index::Kind kind) {
            Index a = coordinate(expr->arg(0));
            return Index::binary(kind, a, coordinate(expr->arg(1)));
        };
        switch (expr->kind()) {
        case ExprKind::Variable:
            if (expr->symbol().kind() == ir::SymbolKind::Param) {
                if (expr.type() != Int(32)) {
                    return named(expr);
                }
                result_.names.emplace(word(expr->symbol().name()), expr);
            }
            return word(expr->symbol().name());
        case ExprKind::BufferField:
            if (expr->symbol().owner().func == int(output_)) {
                return output_field(expr->member().field, size_t(expr->member().index));
            }
            if (expr->symbol().owner().input < 0) {
                return named(expr);
            }
            return field(size_t(expr->symbol().owner().input), expr->member().field, expr->member().index);
        case ExprKind::Add:
            return binary(Index::Kind::Add);
        case ExprKind::Sub:
            return binary(Index::Kind::Sub);
        case ExprKind::Mul:
            return binary(Index::Kind::Mul);
        case ExprKind::Min:
            return binary(Index::Kind::Min);
        case ExprKind::Max:
            return binary(Index::Kind::Max);
        case ExprKind::Div:
        case ExprKind::Mod:
            // Euclidean and rounding down are the same for positive divisors.
            if (ir::is_const_int(expr->arg(1), &value) && value > 0) {
                return binary(expr->kind() == ExprKind::Div ? Index::Kind::Div : Index::Kind::Mod);
            }
            return named(expr);
        case ExprKind::ShiftRight: // rounds down, as the quotient does
        case ExprKind::ShiftLeft:
            if (ir::is_const_int(expr->arg(1), &value) && value >= 0 && value < 31) {
                Index::Kind kind = expr->kind() == ExprKind::ShiftRight ? Index::Kind::Div : Index::Kind::Mul;
                return Index::binary(kind, coordinate(expr->arg(0)), Index(int64_t(1) << value));
            }
            return named(expr);
        case ExprKind::Likely:
        case ExprKind::LikelyIfInnermost:
            return coordinate(expr->arg(0));
        case ExprKind::Cast:
            if (expr->type() == Int(32) && expr->arg(0).type() == Int(32)) {
                return coordinate(expr->arg(0));
            }
            return named(expr);
        default:
            return named(expr);
        }
    }

    // ---- Values. Terms count coordinates of Funcs from the beginning of their regions.

    using Shifts = std::map<std::string, Index>; // the index expression of each variable's coordinate
    Index shifted(const Expr &expr, const Shifts &shifts) {
        Index index = coordinate(expr);
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
            if (writes_elsewhere(func, k)) {
                // Each iteration makes a new tensor, which differs from the one before at what it writes.
                whole = scatter(func, k, whole ? *whole : Term::gens(loops, body), tensor, shifts);
            } else if (whole) {
                const std::string before = word(func.name()) + ".s" + std::to_string(k - 1);
                whole = Term::let(before, *whole,
                                  Term::gens(loops, update(func, k, Term::get(Term::var(before), element), shifts)));
            } else {
                body = update(func, k, body, shifts);
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
        Condition here;
        for (size_t d = 0; d < tensor.dims.size(); d++) {
            const size_t i = tensor.dims[d].dimension;
            element.emplace_back(tensor.dims[d].loop);
            elements.emplace_back(tensor.dims[d].loop, tensor.dims[d].extent);
            if (!is_pure(func, stage, i)) {
                const Index at = simplified(shifted(ir::expand_lets(stage.args[i]), shifts) - tensor.dims[d].min);
                const Condition hit = eq(tensor.dims[d].loop, at);
                here = here.is_true() ? hit : both(here, hit);
            }
        }
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
    Term update(const ir::FuncDef &func, size_t k, const Term &before, const Shifts &outer) {
        const ir::Stage &stage = func.stages[k];
        std::string accumulator = word(func.name()) + ".u" + std::to_string(k);
        Shifts shifts = outer;
        const std::vector<Loop> loops = reduction_loops(func, k, shifts);
        Term body = values(stage, func, accumulator, shifts);
        if (stage.predicate.defined()) {
            body = selected(func, stage, body, Term::var(accumulator), accumulator, shifts);
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
    static std::string tuple_word(const ir::FuncDef &func) {
        std::string text = "tuple";
        for (Type type : func.types) {
            text += "." + type_word(type);
        }
        return text;
    }
    static Term part_of(const ir::FuncDef &func, const Expr &call, const Term &element) {
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
        std::optional<Interval> interval = interval_of(coordinate(expr), env_, result_.facts);
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
            const size_t callee = size_t(expr->symbol().owner().func);
            return read(result_.funcs[callee], expr, func, self, shifts,
                        [&](const Term &element) { return part_of(graph_.funcs[callee], expr, element); });
        }
        case ExprKind::Image:
            return read(input_tensors_.at(size_t(expr->symbol().owner().input)), expr, func, self, shifts,
                        [](const Term &element) { return element; });
        case ExprKind::Undef: // an element like any other, of which nothing is known
            return Term::unit(note_operator(expr));
        case ExprKind::StringImm:
        case ExprKind::Require:
        case ExprKind::Print:
        case ExprKind::Load:
            throw Unsupported{
                concat("in ", func.name(), ": ", ir::kind_name(expr->kind()), " is no operator on elements")};
        case ExprKind::Likely:
        case ExprKind::LikelyIfInnermost:
        case ExprKind::MemoizeTag:
            return value(expr->arg(0), func, self, shifts);
        default:
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
        default: {
            static const char *const kinds[] = {
#define FLUORITE_EXPR(kind, text, least, most, payload) #kind,
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
        for (size_t b = 0; b < bound_.size(); b++) {
            const BoundName bound = bound_[b];
            if (mentions(bound.name, used)) {
                result = Term::bind(bound.name, value(bound.expr, func, self, shifts), result);
            }
        }
        return result;
    }

    const ir::Graph &graph_;
    const ConvertOptions &options_;
    Conversion result_;
    size_t output_ = 0, nodes_ = 0;
    std::vector<std::vector<Interval>> regions_; // as graph.funcs; in dimension order
    std::map<size_t, std::vector<Interval>> input_regions_;
    std::map<size_t, Tensor> input_tensors_;
    std::map<std::pair<size_t, int>, bool> fields_;
    struct BoundName {
        std::string name;
        Expr expr; // an integer
        Index clamped = name;
    };
    std::vector<std::vector<Interval>> own_reads_; // of the Func at hand, elsewhere than where it writes
    const ir::Stage *scattering_ = nullptr;
    std::optional<Tensor> accumulator_;   // of the update at hand, if it is a tensor
    std::vector<BoundName> bound_;        // coordinates that are no index expressions
    std::map<std::string, Interval> env_; // of the coordinates of the stage at hand
};

} // namespace

bool writes_elsewhere(const ir::FuncDef &func, size_t stage) {
    for (size_t d = 0; stage > 0 && d < func.dimensions(); d++) {
        if (!is_pure(func, func.stages[stage], d)) {
            return true;
        }
    }
    return false;
}

std::string output_size(const std::string &output, size_t dimension) {
    return output + ".n" + std::to_string(dimension);
}

Conversion convert(const ir::Graph &graph, const ConvertOptions &options) { return Converter(graph, options).run(); }

} // namespace fluorite::verify
