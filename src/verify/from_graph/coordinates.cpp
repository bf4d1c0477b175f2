#include "verify/from_graph/coordinates.h"

#include "loopnest/buffer_table.h"
#include "rewrite/simplify.h"
#include "support/check.h"

#include <algorithm>
#include <cctype>

namespace fluorite::verify {

using ir::ExprKind;

std::string word(const std::string &name) {
    std::string result = name;
    for (char &c : result) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.' && c != '$') {
            throw Unsupported{"the name '" + name + "' has characters that words of certificates do not have"};
        }
    }
    return std::isalpha(static_cast<unsigned char>(result[0])) ? result : "n_" + result;
}

void Coordinates::demand(const Condition &fact) {
    if (!find_witness(result_.facts, fact)) {
        result_.facts.push_back(fact);
    }
}

Index Coordinates::field(size_t input, ir::Field field, int dim) {
    std::string base = word(graph_.inputs[input].symbol.name());
    Index min = base + ".m" + std::to_string(dim), extent = base + ".e" + std::to_string(dim);
    if (fields_.emplace(input, dim).second) {
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
    case ir::Field::Stride:
        throw Unsupported{"strides of inputs are no index expressions"};
    }
    unreachable("a field of no kind");
}

void Coordinates::set_range(const ir::Symbol &coordinate, const Interval &range) {
    const Expr low = range.is_bounded ? expr_of(range.low) : Expr(),
               high = low.defined() ? expr_of(range.high) : Expr();
    ranges_.erase(coordinate);
    if (high.defined()) {
        ranges_.emplace(coordinate, analysis::Interval{low, high});
    }
}

// The integer that names of sizes say an index is; nothing if other names occur, or numbers that do not fit.
Expr Coordinates::expr_of(const Index &index) const {
    if (index.is_number()) {
        return index.value() == int32_t(index.value()) ? ir::int32(index.value()) : Expr();
    }
    if (index.kind() == Index::Kind::Name) {
        for (size_t o = 0; o < result_.outputs.size(); o++) {
            for (size_t d = 0; d < result_.output_extents[o].size(); d++) {
                if (result_.output_extents[o][d] == index) {
                    const ir::Symbol buffer = loopnest::buffer_of(graph_.funcs[result_.outputs[o]], 0);
                    return ir::make_field(buffer, ir::Field::Extent, int(d));
                }
            }
        }
        const auto found = result_.names.find(index.name());
        return found == result_.names.end() ? Expr() : found->second;
    }
    const Expr a = expr_of(index.a()), b = a.defined() ? expr_of(index.b()) : Expr();
    if (!b.defined()) {
        return {};
    }
    switch (index.kind()) {
    case Index::Kind::Add:
        return ir::add(a, b);
    case Index::Kind::Sub:
        return ir::sub(a, b);
    case Index::Kind::Mul:
        return ir::mul(a, b);
    case Index::Kind::Min:
        return ir::min_of(a, b);
    case Index::Kind::Max:
        return ir::max_of(a, b);
    default: // rounds down, which the divisions of the program do for positive divisors alone
        return {};
    }
}

// A bound of coordinates, in which no coordinates occur: one that is no index expression gets a name that the
// program leaves free.
std::optional<Index> Coordinates::invariant(const Expr &bound) {
    if (!bound.defined()) {
        return std::nullopt;
    }
    const Expr expr = rewrite::simplify(bound);
    const size_t before = bound_.size();
    const Index at = index(expr);
    if (bound_.size() == before) {
        return at;
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

Condition Coordinates::condition(const Expr &expr) {
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
    default: // any condition can be a name
        return whether(expr);
    }
}

// A size as an index, unless it depends on what no index does.
std::optional<Index> Coordinates::size(const Expr &expr) {
    bool is_size = true;
    ir::for_each_node(expr, [&](const Expr &node) {
        const bool is_field = node->kind() == ExprKind::BufferField;
        is_size = is_size && (!is_field || node->member().field != ir::Field::Stride);
    });
    return is_size ? invariant(expr) : std::nullopt;
}

Condition Coordinates::whether(const Expr &expr) {
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
Index Coordinates::output_field(size_t output, ir::Field field, size_t dim) const {
    switch (field) {
    case ir::Field::Min:
        return 0;
    case ir::Field::Extent:
        return result_.output_extents.at(output).at(dim);
    case ir::Field::Max:
        return simplified(result_.output_extents.at(output).at(dim) - 1);
    case ir::Field::Stride:
        throw Unsupported{"strides of the output are no index expressions"};
    }
    unreachable("a field of no kind");
}

// A name for the integer that the expression gives; equal expressions have one name. Where the compiler's interval
// analysis bounds it whatever the coordinates are, minima and maxima around the name say so.
Index Coordinates::named(const Expr &expr) {
    auto found = std::ranges::find_if(bound_, [&](const Named &bound) { return ir::equal(bound.expr, expr); });
    if (found != bound_.end()) {
        return found->clamped;
    }
    const size_t b = bound_.size();
    const std::string name = "at." + std::to_string(b);
    bound_.push_back({name, expr, name});
    Index clamped = name;
    analysis::Scope any, known;
    ir::for_each_node(expr, [&](const Expr &node) {
        if (node->kind() == ExprKind::Variable && node->symbol().kind() != ir::SymbolKind::Param) {
            any[node->symbol()] = analysis::Interval::everything();
            const auto range = ranges_.find(node->symbol());
            known[node->symbol()] = range == ranges_.end() ? analysis::Interval::everything() : range->second;
        }
    });
    const analysis::Interval always = analysis::bounds_of(expr, any);
    std::optional<Index> low = invariant(always.min), high = invariant(always.max);
    if (!low || !high) { // bounds by what the coordinates are take more of the witnesses
        const analysis::Interval here = analysis::bounds_of(expr, known);
        low = low ? low : invariant(here.min);
        high = high ? high : invariant(here.max);
    }
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

std::string Coordinates::meaning(const Index &index) const {
    std::string text;
    for (const Named &bound : bound_) {
        if (occurs(bound.name, index)) {
            const std::string whole = concat(bound.expr);
            constexpr size_t most = 120;
            text += (text.empty() ? ", where " : ", ") + bound.name + " is " +
                    (whole.size() <= most ? whole : whole.substr(0, most) + "...");
        }
    }
    return text;
}

Index Coordinates::index(const Expr &expr) {
    int64_t value;
    if (ir::is_const_int(expr, &value)) {
        return value;
    }
    auto binary = [&](Index::Kind kind) {
        Index a = index(expr->arg(0));
        return Index::binary(kind, a, index(expr->arg(1)));
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
        for (size_t o = 0; o < result_.outputs.size(); o++) {
            if (expr->symbol().owner().func == FuncId(result_.outputs[o])) {
                return output_field(o, expr->member().field, expr->member().position());
            }
        }
        if (!expr->symbol().owner().input.valid()) {
            return named(expr);
        }
        return field(expr->symbol().owner().input.index(), expr->member().field, expr->member().index);
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
            return Index::binary(kind, index(expr->arg(0)), Index(int64_t(1) << value));
        }
        return named(expr);
    case ExprKind::Likely:
    case ExprKind::LikelyIfInnermost:
        return index(expr->arg(0));
    case ExprKind::Cast:
        if (expr->type() == Int(32) && expr->arg(0).type() == Int(32)) {
            return index(expr->arg(0));
        }
        return named(expr);
    default: // any integer can be a name
        return named(expr);
    }
}

} // namespace fluorite::verify
