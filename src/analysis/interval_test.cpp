// Intervals contain every value that an expression takes and, where the row says so, their ends are attained: the tests
// evaluate all points of small ranges.
#include "analysis/interval.h"
#include "analysis/monotonic.h"

#include "ir/parse.h"
#include "ir/print.h"
#include "rewrite/simplify.h"
#include "rewrite/test_evaluator.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::analysis::interval_test {
namespace {

using namespace ir;
using rewrite::Scalar;

struct Row {
    const char *text;
    bool is_tight;
};

double number(const Scalar &scalar) {
    return scalar.type.is_float() ? scalar.as_float() : static_cast<double>(scalar.as_int());
}

/// The variables x, y, u, v, f, g and their values.
struct Variable {
    Symbol symbol;
    Type type;
    std::vector<double> values;

    Scalar scalar(double value) const {
        return type.is_float() ? rewrite::float_scalar(type, value)
                               : rewrite::int_scalar(type, static_cast<int64_t>(value));
    }
};

std::vector<double> from_to(int first, int last) {
    std::vector<double> values;
    for (int i = first; i <= last; i++) {
        values.push_back(i);
    }
    return values;
}

const std::vector<Variable> variables = {
    {Symbol(SymbolKind::Let, "x"), Int(32), from_to(-3, 5)},
    {Symbol(SymbolKind::Let, "y"), Int(32), from_to(2, 4)},
    {Symbol(SymbolKind::Let, "u"), UInt(8), from_to(10, 20)},
    {Symbol(SymbolKind::Let, "v"), UInt(8), from_to(1, 3)},
    {Symbol(SymbolKind::Let, "i"), Int(8), from_to(-5, 9)},
    {Symbol(SymbolKind::Let, "f"), Float(32), {-1.5, -1, 0, 0.5, 2}},
    {Symbol(SymbolKind::Let, "g"), Float(32), {1, 2.5, 4}},
};

Expr parse(const std::string &text) {
    ParseOptions options;
    std::string head, tail;
    for (const Variable &variable : variables) {
        options.symbols.push_back(variable.symbol);
        head += "(let " + variable.symbol.name() + ":" + to_string(variable.type) + " = cast<" +
                to_string(variable.type) + ">(1) in ";
        tail += ")";
    }
    Expr expr = parse_expr(head + text + tail, options);
    for (size_t i = 0; i < variables.size(); i++) {
        expr = Expr(expr->arg(1)); // the lets only give the types
    }
    return expr;
}

Scope scope() {
    Scope result;
    for (const Variable &variable : variables) {
        result[variable.symbol] = {rewrite::expr_of(variable.scalar(variable.values.front())),
                                   rewrite::expr_of(variable.scalar(variable.values.back()))};
    }
    return result;
}

/// The least and the greatest value over all points.
std::pair<double, double> ends_of(const Expr &expr) {
    rewrite::testing::Evaluator evaluator;
    std::pair<double, double> ends{HUGE_VAL, -HUGE_VAL};
    const std::function<void(size_t)> visit = [&](size_t next) {
        if (next == variables.size()) {
            const double value = number(evaluator.evaluate(expr)[0]);
            ends = {std::min(ends.first, value), std::max(ends.second, value)};
            return;
        }
        const bool used = uses_symbol(expr, variables[next].symbol);
        for (double value : variables[next].values) {
            evaluator.variables.insert_or_assign(variables[next].symbol, variables[next].scalar(value));
            visit(next + 1);
            if (!used) {
                break;
            }
        }
    };
    visit(0);
    return ends;
}

std::string text_of(const Interval &interval) {
    const auto side = [](const Expr &e) { return e.defined() ? to_text(e) : std::string("none"); };
    return side(interval.min) + " .. " + side(interval.max);
}

/// The side as a number, or `otherwise` if it is undefined.
double side_of(const Expr &side, double otherwise) {
    if (!side.defined()) {
        return otherwise;
    }
    const std::optional<Scalar> constant = rewrite::scalar_of(rewrite::simplify(side));
    EXPECT_TRUE(constant.has_value()) << to_text(side);
    return constant ? number(*constant) : otherwise;
}

const Row rows[] = {
    {"x", true},
    {"x + y", true},
    {"x - y", true},
    {"y - x", true},
    {"x * y", true},
    {"y * x", true},
    {"x * (0 - y)", true},
    {"x * -2", true},
    {"-2 * x", true},
    {"x * 0", true},
    {"x * x", false},
    {"x - x", true},
    {"x + x", true},
    {"x / 2", true},
    {"x / -2", true},
    {"x / y", true},
    {"(x * 3 - 7) / y", true},
    {"x / (0 - y)", false},
    {"x / (y - 3)", true},
    {"y / x", true},
    {"x / 0", true},
    {"x % 3", true},
    {"x % -3", true},
    {"x % y", true},
    {"y % 5", true},
    {"(y + 5) % 5", true},
    {"(y + 8) % 20", true},
    {"y % x", true},
    {"min(x, y)", true},
    {"max(x, y)", true},
    {"min(x, 1)", true},
    {"max(min(x, 3), 0)", true},
    {"min(max(x, 3), 0)", true},
    {"select(x < 2, x, y)", false},
    {"select(x < 2, 9, -9)", true},
    {"select(x < 9, x, y * 100)", true},
    {"select(x > 5, y * 100, x)", true},
    {"select(x >= -3 && y <= 4, x, y * 100)", true},
    {"select(x > 9 || y == 5, y * 100, x)", true},
    {"select(!(x != 7), y * 100, x)", true},
    {"select(x <= 4, x, y * 100)", true},
    {"select(u < 21:uint8, x, y * 100)", true},
    {"select(u == 9:uint8, y * 100, x)", true},
    {"abs(x)", true},
    {"abs(y)", true},
    {"abs(0 - y)", true},
    {"x >> 1", true},
    {"x >> y", true},
    {"y >> y", false},
    {"x >> x", false},
    {"y >> x", true},
    {"x << 2", true},
    {"x << y", true},
    {"1 << y", true},
    {"-1 << y", true},
    {"y << x", true},
    {"x << x", false},
    {"y << y", true},
    {"x & 3", true},
    {"x & -4", false},
    {"y & 8", false},
    {"y & 7 & (y % 5)", false},
    {"(x % 5) & y", true},
    {"-1 & (x % 5)", true},
    {"absd(cast<int64>(x), cast<int64>(y)) & 1:uint64", true}, // a side without an upper end
    {"x | 1", false},
    {"(x % 5) | 6", false},
    {"(x % 4) | (y % 3)", true},
    {"(x % 4) | y", false},
    {"(x % 4) ^ (y % 2)", true},
    {"(x % 5) ^ -1", false},
    {"u | v", false},
    {"u ^ 3:uint8", false},
    {"x ^ 1", false},
    {"let t:int32 = x + y in t * 2", true},
    {"cast<uint8>(y)", true},
    {"cast<uint8>(x)", true},
    {"cast<int8>(x)", true},
    {"cast<int64>(x)", true},
    {"cast<int8>(y * 100)", false},
    {"cast<float32>(x)", true},
    {"cast<float64>(u)", true},
    {"u + v", true},
    {"u - v", true},
    {"v - u", false},
    {"u * v", true},
    {"u * 20:uint8", false},
    {"u / v", true},
    {"u / (v - 1:uint8)", true},
    {"u / cast<uint8>(y)", true},
    {"u / 3:uint8", true},
    {"u % v", true},
    {"u % 32:uint8", true},
    {"u >> 1:uint8", true},
    {"u >> v", true},
    {"i >> cast<int8>(v)", true},
    {"i >> i", false},
    {"u << 1:uint8", true},
    {"u << v", true},
    {"i << cast<int8>(v)", true},
    {"i << cast<int8>(v + 6:uint8)", false},
    {"u << 5:uint8", false},
    {"v & 6:uint8", false},
    {"min(u, 15:uint8)", true},
    {"max(u, v)", true},
    {"cast<int32>(u) - 15", true},
    {"cast<int32>(u + 250:uint8)", false},
    {"cast<uint16>(u) * 200:uint16", true},
    {"i + i", true},
    {"i * 3:int8", true},
    {"i * 30:int8", false},
    {"i / -1:int8", true},
    {"i / i", false},
    {"(i - 123:int8) / -1:int8", true}, // -128 / -1 wraps
    {"(i - 120:int8) / -2:int8", true},
    {"(i - 123:int8) / 2:int8", true},
    {"abs(i)", true},
    {"i - 120:int8", true},
    {"cast<uint8>(i)", true},
    {"cast<int16>(i) * 100:int16", true},
    {"f + g", true},
    {"f - g", true},
    {"f * g", true},
    {"f * -2.0:float32", true},
    {"f / 2.0:float32", true},
    {"f / -2.0:float32", true},
    {"f / g", true},
    {"g / f", false},
    {"g / -4.0:float32", true},
    {"f / cast<float32>(y)", true},
    {"cast<int32>(floor(f / g))", true},
    {"min(f, g)", true},
    {"max(f, 0.0:float32)", true},
    {"abs(f)", true},
    {"floor(f)", true},
    {"ceil(f)", true},
    {"trunc(f)", true},
    {"sqrt(g)", false},
    {"fma(f, g, f)", true},
    {"fma(g, -2.0:float32, f)", true},
    {"cast<int32>(f)", true},
    {"cast<int32>(f * 3.0:float32)", true},
    {"cast<uint8>(g)", false},
    {"saturating_cast<uint8>(x)", true},
    {"saturating_cast<int8>(x * 50)", true},
    {"saturating_cast<uint8>(f / g)", true},
    {"saturating_cast<float32>(f)", true},
    // A NaN becomes 0, which no clamp holds whose inner operand comes last.
    {"cast<int32>(max(3.0:float32, min(9.0:float32, f / f)))", false},
    {"cast<int32>(max(3.0:float32, min(9.0:float32, sqrt(f))))", true},
    {"cast<int32>(max(3.0:float32, min(9.0:float32, f % f)))", false},
    {"saturating_cast<uint8>(max(3.0:float32, min(9.0:float32, f / f)))", false},
    {"saturating_cast<bool>(max(3.0:float32, min(9.0:float32, f / f)))", true},
    {"cast<int32>(max(min(f / f, 9.0:float32), 3.0:float32))", true},
    {"cast<int32>(max(1.0:float32, f / 0.5:float32))", true},
    {"cast<int32>(max(1.0:float32, floor(f)))", true},
};

TEST(Interval, HoldsEveryValueAndIsTightWhereItCanBe) {
    const Scope over = scope();
    for (const Row &row : rows) {
        const Expr expr = parse(row.text);
        const Interval interval = bounds_of(expr, over);
        const auto [least, most] = ends_of(expr);
        const double low = side_of(interval.min, -HUGE_VAL), high = side_of(interval.max, HUGE_VAL);
        EXPECT_LE(low, least) << row.text << ": " << text_of(interval);
        EXPECT_GE(high, most) << row.text << ": " << text_of(interval);
        EXPECT_EQ(low == least && high == most, row.is_tight)
            << row.text << ": " << text_of(interval) << ", takes " << least << " .. " << most;
    }
}

/// Of expressions that contain p, q and s, which are fixed but unknown: whatever they are, the sides hold.
const char *const of_unknowns[] = {
    "x / p",
    "x * 3 / p",
    "(x * p + 1) / p",
    "x * p / (p - 1)",
    "(0 - x) / (p * p)",
    "y / (x * p)",
    "x % p",
    "x << p",
    "y << p",
    "1 << (y + p)",
    "-3 << (y + p)",
    "x >> p",
    "100 >> (x + p)",
    "i / q",
    "(i - 123:int8) / q",
    "u / cast<uint8>(q)",
    "i >> q",
    "i << q",
    "cast<int32>(u >> cast<uint8>(p))",
    "f * s",
    "f / s",
    "cast<int32>(f / s)",
    "cast<int32>(floor(cast<float32>(x) / s))",
    "cast<int32>(ceil(cast<float32>(y - 2) / s))",
    "cast<int32>(floor(cast<float32>(x) / cast<float32>(p)))",
    "cast<int32>(round(cast<float32>(x - 5) / cast<float32>(p)))",
    "cast<int32>(floor(cast<float32>(x) * (cast<float32>(p) / s)))",
    "cast<int32>(fma(cast<float32>(x), cast<float32>(p) / s, 0.5:float32))",
    "cast<int32>(fma(s / cast<float32>(p), cast<float32>(x - 5), -0.5:float32))",
    "cast<int32>(trunc((cast<float32>(x) + 0.5:float32) * (s / cast<float32>(p)) - 0.5:float32))",
    "saturating_cast<uint8>(cast<float32>(x) / s)",
    "max(cast<int32>(f / s), p)",
};

TEST(Interval, HoldsForEveryValueOfWhatIsFixed) {
    const Symbol p(SymbolKind::Param, "p"), q(SymbolKind::Param, "q"), s(SymbolKind::Param, "s");
    const auto fixed = [&](const char *text) {
        Expr expr = parse(std::string("(let p:int32 = 1 in (let q:int8 = 1:int8 in (let s:float32 = 1.0:float32 in ") +
                          text + ")))");
        for (const Symbol &symbol : {p, q, s}) {
            const Expr value = make_var(expr->arg(0).type(), symbol);
            expr = substitute(Expr(expr->arg(1)), expr->symbol(), value);
        }
        return expr;
    };
    for (const char *text : of_unknowns) {
        const Expr expr = fixed(text);
        const Interval interval = bounds_of(expr, scope());
        EXPECT_TRUE(interval.is_bounded()) << text << ": " << text_of(interval);
        for (int whole = -3; whole <= 3; whole++) {
            for (double real : {-2.0, -0.5, -0.0, 0.0, 0.25, 3.0}) {
                const auto at = [&](const Expr &e) {
                    const Expr first = substitute(e, p, int32(whole));
                    return substitute(substitute(first, q, make_int(Int(8), whole)), s, make_float(Float(32), real));
                };
                const auto [least, most] = ends_of(at(expr));
                const std::string where = text_of(interval) + " at " + std::to_string(whole) + " and " +
                                          std::to_string(real) + " takes " + std::to_string(least) + " .. " +
                                          std::to_string(most);
                EXPECT_FALSE(side_of(at(interval.min), 0) > least) << text << ": " << where;
                EXPECT_FALSE(side_of(at(interval.max), 0) < most) << text << ": " << where;
            }
        }
    }
}

TEST(Interval, ValuesOfMemoryHaveTheRangeOfNarrowTypesOnly) {
    const Symbol memory(SymbolKind::Buffer, "memory");
    for (const Type type : {Int(8), UInt(8), Int(16), UInt(16), Int(32), UInt(32), Int(64), UInt(64), Float(32)}) {
        const Interval interval = bounds_of(make_load(type, memory, int32(3)), {});
        const bool is_narrow = type.is_int_or_uint() && (type.bits() < 32 || type == UInt(32));
        EXPECT_EQ(text_of(interval), text_of(is_narrow ? Interval{type_min(type), type_max(type)} : Interval()))
            << type;
    }
}

TEST(Interval, ANanOfMemoryBecomesZero) {
    const Expr loaded = make_load(Float(32), Symbol(SymbolKind::Buffer, "memory"), int32(3));
    const auto literal = [](double value) { return make_float(Float(32), value); };
    const Expr held = max_of(min_of(loaded, literal(9)), literal(3));
    const Expr passed = max_of(literal(3), min_of(literal(9), loaded));
    for (const Expr &clamped : {held, passed}) {
        const std::string least = clamped.get() == held.get() ? "3" : "0";
        EXPECT_EQ(text_of(bounds_of(make_cast(Int(32), clamped), {})), least + " .. 9");
        EXPECT_EQ(text_of(bounds_of(make_saturating_cast(Int(32), clamped), {})), least + " .. 9");
    }
    const Expr below = min_of(literal(-3), max_of(literal(-9), loaded));
    EXPECT_EQ(text_of(bounds_of(make_cast(Int(32), below), {})), "-9 .. 0");
}

TEST(Interval, AbsoluteValuesOfOneSignAreAboveZero) {
    const Symbol v(SymbolKind::Var, "v");
    const auto of = [&](int least, int greatest) {
        const Expr absolute = make_unary(ExprKind::Abs, make_var(Int(32), v));
        return text_of(bounds_of(absolute, {{v, {int32(least), int32(greatest)}}}));
    };
    EXPECT_EQ(of(3, 9), "3:uint32 .. 9:uint32");
    EXPECT_EQ(of(-9, -2), "2:uint32 .. 9:uint32");
    EXPECT_EQ(of(-4, 9), "0:uint32 .. 9:uint32");
}

struct Moves {
    const char *text;
    Monotonic in_x;
};

const Moves moves[] = {
    {"x", Monotonic::Increasing},
    {"y", Monotonic::Constant},
    {"x + y", Monotonic::Increasing},
    {"y - x", Monotonic::Decreasing},
    {"x - y", Monotonic::Increasing},
    {"x - x", Monotonic::Unknown},
    {"x + x", Monotonic::Increasing},
    {"x * 3", Monotonic::Increasing},
    {"3 * x", Monotonic::Increasing},
    {"x * -3", Monotonic::Decreasing},
    {"x * 0", Monotonic::Constant},
    {"x * y", Monotonic::Unknown},
    {"x * x", Monotonic::Unknown},
    {"x / 2", Monotonic::Increasing},
    {"x / -2", Monotonic::Decreasing},
    {"x / y", Monotonic::Unknown},
    {"y / x", Monotonic::Unknown},
    {"x % 3", Monotonic::Unknown},
    {"min(x, y)", Monotonic::Increasing},
    {"max(y, 0 - x)", Monotonic::Decreasing},
    {"min(x, 0 - x)", Monotonic::Unknown},
    {"min(x, 3) + max(x, 0)", Monotonic::Increasing},
    {"select(x < 2, 1, 5)", Monotonic::Unknown},
    {"select(x < 2, 5, 1)", Monotonic::Unknown},
    {"select(x > 2, 1, 5)", Monotonic::Decreasing},
    {"select(2 < x, 1, 5)", Monotonic::Decreasing},
    {"select(x >= 2, 5, 1)", Monotonic::Increasing},
    {"select(x >= 2, 5, 7)", Monotonic::Decreasing},
    {"select(2 <= x, max(x, 0), -9)", Monotonic::Increasing},
    {"select(2 <= x, x, 9)", Monotonic::Unknown},
    {"select(2 <= x, min(0 - x, 0), 9)", Monotonic::Decreasing},
    {"select(likely(x > y), 5, 1)", Monotonic::Increasing},
    {"select(x > 0 - x, 5, 1)", Monotonic::Increasing},
    {"select(x > x * 2, 5, 1)", Monotonic::Unknown},
    {"select(y < 3, x, x + 1)", Monotonic::Increasing},
    {"select(x == 2, 1, 5)", Monotonic::Unknown},
    {"select(x < 2, x, 5)", Monotonic::Unknown},
    {"abs(x)", Monotonic::Unknown},
    {"0 - (0 - x)", Monotonic::Increasing},
    {"(let t:int32 = x + 1 in t * 2)", Monotonic::Unknown},
    {"(let t:int32 = 1 - x in t * 2 + y)", Monotonic::Unknown},
    {"cast<int64>(x)", Monotonic::Increasing},
    {"cast<uint8>(x)", Monotonic::Unknown},
    {"x << 1", Monotonic::Unknown},
    {"x >> 1", Monotonic::Unknown},
    {"(0 - x) >> 1", Monotonic::Unknown},
    {"x & 3", Monotonic::Unknown},
};

/// Whether the values never decrease, and never increase, as x grows and y is fixed.
std::pair<bool, bool> seen_moves(const Expr &expr) {
    rewrite::testing::Evaluator evaluator;
    bool rises_only = true, falls_only = true;
    for (double y : variables[1].values) {
        evaluator.variables.insert_or_assign(variables[1].symbol, variables[1].scalar(y));
        std::optional<double> last;
        for (double x : variables[0].values) {
            evaluator.variables.insert_or_assign(variables[0].symbol, variables[0].scalar(x));
            const double value = number(evaluator.evaluate(expr)[0]);
            rises_only = rises_only && (!last || value >= *last);
            falls_only = falls_only && (!last || value <= *last);
            last = value;
        }
    }
    return {rises_only, falls_only};
}

TEST(Monotonic, SaysHowValuesMove) {
    for (const Moves &row : moves) {
        const Expr expr = parse(row.text);
        const Monotonic said = monotonic_in(expr, variables[0].symbol);
        EXPECT_EQ(static_cast<int>(said), static_cast<int>(row.in_x)) << row.text;
        const auto [rises_only, falls_only] = seen_moves(expr);
        EXPECT_TRUE(rises_only || said == Monotonic::Decreasing || said == Monotonic::Unknown) << row.text;
        EXPECT_TRUE(falls_only || said == Monotonic::Increasing || said == Monotonic::Unknown) << row.text;
    }
}

// Each stage of a chain of windows has the end of the one before in both branches: a tree of 2^200 nodes, of which some
// hundreds are distinct.
TEST(Monotonic, VisitsSharedNodesOnce) {
    const Symbol &x = variables[0].symbol, row(SymbolKind::Let, "row");
    Expr end = make_var(Int(32), x);
    for (int stage = 0; stage < 200; stage++) {
        const Expr later = less(make_var(Int(32), row), int32(stage)), longer = add(end, int32(stage));
        end = make_select(later, longer, min_of(end, int32(1000 + stage)));
    }
    EXPECT_EQ(static_cast<int>(monotonic_in(end, x)), static_cast<int>(Monotonic::Increasing));
}

} // namespace
} // namespace fluorite::analysis::interval_test
