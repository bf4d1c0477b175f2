#include "verify/convert.h"

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
            regions_[output_].push_back({0, simplified(extent - 1)});
        }
        result_.needed[output_] = true;
    }

    Conversion run() {
        for (size_t f = graph_.funcs.size(); f > 0; f--) {
            if (result_.needed[f - 1]) {
                check_func(graph_.funcs[f - 1]);
                widen_to_promise(f - 1);
                add_regions_read_by(f - 1);
            }
        }
        for (size_t f = 0; f < graph_.funcs.size(); f++) {
            if (result_.needed[f]) {
                result_.funcs[f] = tensor_of(f);
            }
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
    void check_func(const ir::FuncDef &func) {
        auto unsupported = [&](const std::string &reason) { throw Unsupported{"in " + func.name() + ": " + reason}; };
        if (func.types.size() != 1) {
            unsupported("tuples are not converted");
        }
        for (size_t k = 0; k < func.stages.size(); k++) {
            const ir::Stage &stage = func.stages[k];
            for (size_t d = 0; k > 0 && d < stage.args.size(); d++) {
                if (!ir::is_kind(stage.args[d], ExprKind::Variable) || !(stage.args[d]->symbol() == func.args[d])) {
                    unsupported("update " + std::to_string(k - 1) +
                                " writes elsewhere than at its pure variables; such updates are not converted");
                }
            }
        }
    }

    // ---- Regions: which coordinates are read.

    std::map<std::string, Interval> environment(size_t f, size_t stage) {
        std::map<std::string, Interval> env;
        const ir::FuncDef &func = graph_.funcs[f];
        for (size_t d = 0; d < func.dimensions(); d++) {
            env.emplace(word(func.args[d].name()), regions_[f][d]);
        }
        for (const ir::ReductionVar &r : func.stages[stage].rvars) {
            Index min = coordinate(r.min), extent = coordinate(r.extent);
            std::optional<Interval> low = interval_of(min, env, result_.facts);
            std::optional<Interval> high = interval_of(min + extent - 1, env, result_.facts);
            if (!low || !high) {
                throw Unsupported{"in " + func.name() + ": the bounds of " + r.name + " are no interval"};
            }
            env.insert_or_assign(word(r.var.name()), Interval{low->low, high->high});
        }
        return env;
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
    void add_regions_read_by(size_t f) {
        const ir::FuncDef &func = graph_.funcs[f];
        for (size_t k = 0; k < func.stages.size(); k++) {
            std::map<std::string, Interval> env = environment(f, k);
            for (const Expr &value : func.stages[k].values) {
                add_reads(func, ir::expand_lets(value), env);
            }
            if (func.stages[k].predicate.defined()) {
                add_reads(func, ir::expand_lets(func.stages[k].predicate), env);
            }
        }
    }
    void add_reads(const ir::FuncDef &func, const Expr &expr, const std::map<std::string, Interval> &env) {
        ir::for_each_node(expr, [&](const Expr &node) {
            bool call = node->kind() == ExprKind::Call;
            if (!call && node->kind() != ExprKind::Image) {
                return;
            }
            if (call && node->symbol() == func.symbol) {
                return;
            }
            std::vector<Interval> region;
            for (const Expr &arg : node->args()) {
                std::optional<Interval> interval = interval_of(coordinate(arg), env, result_.facts);
                if (!interval) {
                    throw Unsupported{"in " + func.name() + ": no bounds are found for a coordinate of " +
                                      node->symbol().name()};
                }
                region.push_back(*interval);
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
        for (size_t d = func.dimensions(); d > 0; d--) {
            const Interval &region = regions_[f][d - 1];
            tensor.dims.push_back(
                {word(func.args[d - 1].name()), region.low, simplified(region.high - region.low + 1)});
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
                Dimension dim{"", region[d - 1].low, simplified(region[d - 1].high - region[d - 1].low + 1)};
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
    [[noreturn]] static void no_coordinate(const Expr &expr) {
        throw Unsupported{concat("a coordinate ",
                                 expr->reads_memory() ? "depends on elements" : "is no index expression", " (",
                                 ir::kind_name(expr->kind()), ")")};
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
                    no_coordinate(expr);
                }
                result_.names.emplace(word(expr->symbol().name()), expr);
            }
            return word(expr->symbol().name());
        case ExprKind::BufferField:
            if (expr->symbol().owner().input < 0) {
                no_coordinate(expr);
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
            no_coordinate(expr);
        case ExprKind::ShiftRight: // rounds down, as the quotient does
        case ExprKind::ShiftLeft:
            if (ir::is_const_int(expr->arg(1), &value) && value >= 0 && value < 31) {
                Index::Kind kind = expr->kind() == ExprKind::ShiftRight ? Index::Kind::Div : Index::Kind::Mul;
                return Index::binary(kind, coordinate(expr->arg(0)), Index(int64_t(1) << value));
            }
            no_coordinate(expr);
        case ExprKind::Likely:
        case ExprKind::LikelyIfInnermost:
            return coordinate(expr->arg(0));
        case ExprKind::Cast:
            if (expr->type() == Int(32) && expr->arg(0).type() == Int(32)) {
                return coordinate(expr->arg(0));
            }
            no_coordinate(expr);
        default:
            no_coordinate(expr);
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
        Term body = value(ir::expand_lets(func.stages[0].values[0]), func, "", shifts);
        for (size_t k = 1; k < func.stages.size(); k++) {
            env_ = environment(f, k);
            body = update(func, k, body, shifts);
        }
        std::vector<Loop> loops;
        for (const Dimension &dim : tensor.dims) {
            loops.emplace_back(dim.loop, dim.extent);
        }
        return Term::gens(loops, body);
    }
    Term update(const ir::FuncDef &func, size_t k, const Term &before, const Shifts &outer) {
        const ir::Stage &stage = func.stages[k];
        std::string accumulator = word(func.name()) + ".u" + std::to_string(k);
        Shifts shifts = outer;
        std::vector<Loop> loops; // outermost first
        for (auto r = stage.rvars.rbegin(); r != stage.rvars.rend(); ++r) {
            loops.emplace_back(loop_word(func.name(), int(k), r->name), simplified(shifted(r->extent, shifts)));
            const Index loop = loops.back().first, min = shifted(r->min, shifts);
            shifts.insert_or_assign(word(r->var.name()), min.is_number(0) ? loop : loop + min);
        }
        Term body = value(ir::expand_lets(stage.values[0]), func, accumulator, shifts);
        if (stage.predicate.defined()) {
            const Expr predicate = ir::expand_lets(stage.predicate), &any = stage.values[0];
            body = Term::op(note_operator(ir::make_select(predicate, any, any)),
                            {value(predicate, func, accumulator, shifts), body, Term::var(accumulator)});
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
                return Term::var(self);
            }
            return read(result_.funcs[size_t(expr->symbol().owner().func)], expr, shifts);
        }
        case ExprKind::Image:
            return read(input_tensors_.at(size_t(expr->symbol().owner().input)), expr, shifts);
        case ExprKind::StringImm:
        case ExprKind::Undef:
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
        std::string op = note_operator(expr);
        while (operands.size() > 3) { // tuples of operands
            Term last = operands.back();
            operands.pop_back();
            operands.back() = Term::op("and_then", {operands.back(), last});
        }
        return operands.empty() ? Term::unit(op) : Term::op(op, std::move(operands));
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
    Term read(const Tensor &tensor, const Expr &call, const Shifts &shifts) {
        std::vector<Index> indices;
        for (size_t i = 0; i < tensor.dims.size(); i++) {
            Index coordinate = shifted(call->arg(tensor.dims.size() - 1 - i), shifts);
            indices.push_back(simplified(coordinate - tensor.dims[i].min));
        }
        return Term::get(Term::var(tensor.name), indices);
    }

    const ir::Graph &graph_;
    const ConvertOptions &options_;
    Conversion result_;
    size_t output_ = 0, nodes_ = 0;
    std::vector<std::vector<Interval>> regions_; // as graph.funcs; in dimension order
    std::map<size_t, std::vector<Interval>> input_regions_;
    std::map<size_t, Tensor> input_tensors_;
    std::map<std::pair<size_t, int>, bool> fields_;
    std::map<std::string, Interval> env_; // of the coordinates of the stage at hand
};

} // namespace

std::string output_size(const std::string &output, size_t dimension) {
    return output + ".n" + std::to_string(dimension);
}

Conversion convert(const ir::Graph &graph, const ConvertOptions &options) { return Converter(graph, options).run(); }

} // namespace fluorite::verify
