// simplify() on expressions from bounds inference and loop nests, by example.

#include "rewrite/simplify.h"

#include <gtest/gtest.h>

#include <limits>

namespace simplify_test {

using namespace fluorite;
using namespace fluorite::ir;
using rewrite::Arithmetic;

namespace {

Expr var(const char *name, Type type = Int(32)) { return make_var(type, Symbol(SymbolKind::Var, name)); }
Expr num(int64_t value, Type type = Int(32)) { return make_const(type, value); }
Expr bin(ExprKind kind, const Expr &a, const Expr &b) { return make_binary(kind, a, b); }

const Expr x = var("x"), y = var("y"), z = var("z"), n = var("n");

std::string text(const Expr &expr) { return concat(expr); }

#define EXPECT_SIMPLE(expr, expected) EXPECT_EQ(text(rewrite::simplify(expr)), text(expected))

TEST(Simplify, SumsCancel) {
    EXPECT_SIMPLE(sub(add(x, num(5)), x), num(5));
    EXPECT_SIMPLE(sub(add(x, y), add(x, z)), sub(y, z));
    EXPECT_SIMPLE(sub(add(mul(x, num(8)), y), mul(x, num(8))), y);
    EXPECT_SIMPLE(add(sub(add(x, y), mul(num(2), x)), x), y);
    EXPECT_SIMPLE(sub(sub(sub(add(x, num(7)), num(1)), num(1)), x), num(5));
    EXPECT_SIMPLE(mul(add(x, num(3)), num(4)), add(mul(x, num(4)), num(12)));
}

TEST(Simplify, MinAndMaxOfLinearTerms) {
    EXPECT_SIMPLE(min_of(add(x, num(3)), add(x, num(1))), add(x, num(1)));
    EXPECT_SIMPLE(max_of(add(x, num(3)), x), add(x, num(3)));
    EXPECT_SIMPLE(sub(min_of(add(x, y), add(x, z)), x), min_of(y, z));
    EXPECT_SIMPLE(sub(min_of(add(x, num(15)), n), x), min_of(sub(n, x), num(15)));
    EXPECT_SIMPLE(sub(min_of(x, y), min_of(y, x)), num(0));
    EXPECT_SIMPLE(sub(min_of(add(x, num(4)), add(y, num(4))), min_of(x, y)), num(4));
}

TEST(Simplify, DivisionSplitsMultiples) {
    EXPECT_SIMPLE(div(add(mul(x, num(8)), num(16)), num(8)), add(x, num(2)));
    EXPECT_SIMPLE(div(add(mul(x, num(8)), y), num(8)), add(x, div(y, num(8))));
    EXPECT_SIMPLE(mod(add(mul(x, num(8)), y), num(4)), mod(y, num(4)));
    EXPECT_SIMPLE(add(mul(div(x, num(8)), num(8)), mod(x, num(8))), x);
    EXPECT_SIMPLE(div(add(mul(x, num(4)), num(5)), num(8)), div(add(x, num(1)), num(2)));
}

TEST(Simplify, Comparisons) {
    EXPECT_SIMPLE(less(add(x, num(3)), add(x, num(5))), make_bool(true));
    EXPECT_SIMPLE(less(add(x, num(3)), num(5)), less(x, num(2)));
    EXPECT_SIMPLE(bin(ExprKind::GE, x, num(0)), less_equal(num(0), x));
    EXPECT_SIMPLE(bin(ExprKind::GT, mul(x, num(4)), num(7)), less_equal(num(2), x));
    EXPECT_SIMPLE(equals(mul(x, num(4)), num(7)), make_bool(false));
    EXPECT_SIMPLE(less_equal(mul(div(add(x, num(7)), num(8)), num(8)), add(x, num(7))), make_bool(true));
}

TEST(Simplify, ComparisonsHaveOneFormHoweverTheyAreWritten) {
    const Expr a = mul(x, num(2)), b = add(y, num(3));
    for (const ExprKind kind : {ExprKind::EQ, ExprKind::NE}) {
        const Expr form = rewrite::simplify(bin(kind, a, b));
        for (const Expr &other :
             {bin(kind, b, a), bin(kind, sub(a, b), num(0)), bin(kind, num(0), sub(a, b)), bin(kind, sub(b, a), num(0)),
              bin(kind, sub(a, y), num(3)), bin(kind, num(3), sub(a, y)), bin(kind, sub(num(0), b), sub(num(0), a)),
              bin(kind, mul(a, num(3)), mul(b, num(3)))}) {
            EXPECT_SIMPLE(other, form);
        }
        EXPECT_SIMPLE(bin(kind, sub(num(0), x), num(4)), bin(kind, x, num(-4)));
        EXPECT_SIMPLE(bin(kind, num(4), x), bin(kind, x, num(4)));
    }
    for (const auto &[less_kind, more_kind] : {std::pair(ExprKind::LT, ExprKind::GT), {ExprKind::LE, ExprKind::GE}}) {
        const Expr form = rewrite::simplify(bin(less_kind, a, b));
        for (const Expr &other :
             {bin(more_kind, b, a), bin(less_kind, sub(a, b), num(0)), bin(more_kind, num(0), sub(a, b)),
              bin(less_kind, sub(a, y), num(3)), bin(less_kind, sub(num(0), b), sub(num(0), a))}) {
            EXPECT_SIMPLE(other, form);
        }
    }
}

TEST(Simplify, ConstantsComeLast) {
    const Expr f = var("f", Float(32)), half = make_float(Float(32), 0.5);
    const Expr nan = make_float(Float(32), std::numeric_limits<double>::quiet_NaN());
    for (const ExprKind kind : {ExprKind::Add, ExprKind::Mul}) {
        EXPECT_EQ(text(rewrite::simplify(bin(kind, half, f))), text(bin(kind, f, half)));
        EXPECT_EQ(text(rewrite::simplify(bin(kind, f, half))), text(bin(kind, f, half)));
        EXPECT_EQ(text(rewrite::simplify(bin(kind, nan, f))), text(bin(kind, nan, f))) << "its payload may count";
    }
    EXPECT_EQ(text(rewrite::simplify(min_of(half, f))), text(min_of(half, f))) << "the order decides which zero";
    EXPECT_EQ(text(rewrite::simplify(add(num(5), x))), text(add(x, num(5))));
}

TEST(Simplify, WrappingKeepsWhatOverflowMayBreak) {
    const Expr a = var("a", UInt(8));
    const Expr above = less(a, add(a, num(1, UInt(8))));
    EXPECT_EQ(text(rewrite::simplify(above, Arithmetic::Wrapping)), text(above));
    EXPECT_EQ(text(rewrite::simplify(less(x, add(x, num(1))), Arithmetic::Wrapping)), text(less(x, add(x, num(1)))));
    EXPECT_EQ(text(rewrite::simplify(sub(add(x, num(1)), x), Arithmetic::Wrapping)), "1");
}

TEST(Simplify, CoordinatesInsideAValueAreIndex) {
    const Symbol f(SymbolKind::Func, "f");
    const Expr at[] = {sub(add(x, num(3)), num(3))};
    const Expr same[] = {x};
    EXPECT_EQ(text(rewrite::simplify(make_call(Int(32), f, 0, at), Arithmetic::Wrapping)),
              text(make_call(Int(32), f, 0, same)));
}

TEST(Simplify, Vectors) {
    const Expr ramp = make_ramp(x, num(1), 8);
    auto all = [](const Expr &value) { return make_broadcast(value, 8); };
    EXPECT_SIMPLE(add(make_ramp(x, num(2), 8), all(y)), make_ramp(add(x, y), num(2), 8));
    EXPECT_SIMPLE(sub(ramp, all(x)), make_ramp(num(0), num(1), 8));
    EXPECT_SIMPLE(mul(ramp, all(n)), make_ramp(mul(n, x), n, 8));
    EXPECT_SIMPLE(div(make_ramp(mul(x, num(16)), num(2), 8), all(num(16))), all(x));
    EXPECT_SIMPLE(mod(make_ramp(add(mul(x, num(8)), num(24)), num(1), 8), all(num(8))), make_ramp(num(0), num(1), 8));
    EXPECT_SIMPLE(less(ramp, all(add(x, num(8)))), make_bool(true, 8));
    EXPECT_SIMPLE(min_of(ramp, all(add(x, num(7)))), ramp);
    EXPECT_SIMPLE(make_cast(Int(64, 8), all(x)), all(make_cast(Int(64), x)));
}

/// Values from memory may wrap around: a clamp around them stays.
TEST(Simplify, MemoryWrapsInCoordinatesToo) {
    const Expr at[] = {x};
    const Expr read = make_call(Int(32), Symbol(SymbolKind::Func, "f"), 0, at);
    const Expr clamped = max_of(min_of(read, add(read, num(1))), num(0));
    EXPECT_EQ(text(rewrite::simplify(clamped)), text(clamped));
    rewrite::Facts facts;
    facts.truths = {less(add(read, num(1)), num(10))};
    EXPECT_FALSE(rewrite::can_prove(less(read, num(9)), facts));
    facts.truths = {less(read, num(10))};
    EXPECT_TRUE(rewrite::can_prove(less(read, num(11)), facts));
}

/// Chains and shared graphs of thousands of nodes: exponential or quadratic work would not terminate in time.
TEST(Simplify, LargeGraphsAreLinearWork) {
    for (Arithmetic arithmetic : {Arithmetic::Wrapping, Arithmetic::Index}) {
        Expr chain = x, shared = x, clamped = x;
        for (int i = 0; i < 2000; i++) {
            chain = add(min_of(chain, add(y, num(i))), num(1));
            shared = add(mul(shared, shared), shared);
            clamped = make_select(less(clamped, y), add(clamped, z), max_of(clamped, n));
        }
        EXPECT_LT(node_count(rewrite::simplify(chain, arithmetic)), 20000u);
        EXPECT_LT(node_count(rewrite::simplify(shared, arithmetic)), 20000u);
        EXPECT_LT(node_count(rewrite::simplify(clamped, arithmetic)), 20000u);
    }
}

TEST(Facts, ProveThroughSplits) {
    EXPECT_TRUE(rewrite::can_prove(less_equal(min_of(x, y), x)));
    EXPECT_TRUE(rewrite::can_prove(less_equal(sub(min_of(add(x, num(7)), n), min_of(x, n)), num(7))));
    EXPECT_FALSE(rewrite::can_prove(less_equal(sub(min_of(add(x, num(7)), n), min_of(x, n)), num(6))));
    EXPECT_TRUE(rewrite::can_prove(less_equal(x, mul(div(add(x, num(7)), num(8)), num(8)))));
    rewrite::Facts facts;
    facts.truths = {less(x, y), less(y, z)};
    EXPECT_TRUE(rewrite::can_prove(less(x, y), facts));
    EXPECT_TRUE(rewrite::can_prove(less(add(x, num(-1)), y), facts));
    facts.ranges[x->symbol()] = {0, 9};
    EXPECT_TRUE(rewrite::can_prove(less(x, num(10)), facts));
    EXPECT_FALSE(rewrite::can_prove(less(x, num(9)), facts));
}

TEST(Facts, ConstantValue) {
    EXPECT_EQ(rewrite::constant_value(sub(add(x, num(5)), x)), 5);
    EXPECT_EQ(rewrite::constant_value(x), std::nullopt);
}

} // namespace

} // namespace simplify_test
