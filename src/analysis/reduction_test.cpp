#include "analysis/reduction.h"

#include "analysis/bounds_where.h"
#include "ir/parse.h"

#include <gtest/gtest.h>

namespace fluorite::analysis::reduction_test {
namespace {

using namespace ir;

/// The proof of the update of `f(): types { start; update over r ... : f() = values }`.
ReductionMatch proof_of(const std::string &types, const std::string &start, const std::string &values,
                        const std::string &left = "f()") {
    const Graph graph = parse_graph(
        "graph {\n  inputs in@{i0}: " + types.substr(0, types.find(',')) + "[1]\n  func f@{f0}(" +
        (left == "f()" ? "" : "x") + "): " + types + " {\n    f(" + (left == "f()" ? "" : "x") + ") = " + start +
        "\n    update over r@{f0 s1 d0} in [0, +9): " + left + " = " + values + "\n  }\n  output f\n}");
    return prove_reduction(graph.funcs[0], graph.funcs[0].stages[1]);
}

std::string law(Law law) { return law == Law::Exact ? "exact" : law == Law::Rounded ? "rounded" : "no"; }

/// `name: split, commute`, or the reason why there is no operator.
std::string verdict(const ReductionMatch &proof) {
    return proof.op ? proof.op->name + ": " + law(proof.op->split) + ", " + law(proof.op->commute) : proof.reason;
}

std::string one(const std::string &type, const std::string &value, const std::string &start = "") {
    return verdict(proof_of(type, start.empty() ? "cast<" + type + ">(0)" : start, value));
}

TEST(Reduction, OperatorsOnIntegersAreExact) {
    EXPECT_EQ(one("int32", "f() + in(r)"), "+ of int32: exact, exact");
    EXPECT_EQ(one("int32", "in(r) + f() - 3"), "+ of int32: exact, exact");
    EXPECT_EQ(one("int32", "f() - in(r)"), "+ of int32: exact, exact");
    EXPECT_EQ(one("uint8", "f() * in(r)"), "* of uint8: exact, exact");
    EXPECT_EQ(one("int64", "min(f(), in(r))"), "min of int64: exact, exact");
    EXPECT_EQ(one("int16", "max(in(r), f())"), "max of int16: exact, exact");
    EXPECT_EQ(one("uint16", "f() & in(r)"), "& of uint16: exact, exact");
    EXPECT_EQ(one("uint16", "in(r) | f()"), "| of uint16: exact, exact");
    EXPECT_EQ(one("uint64", "f() ^ in(r)"), "^ of uint64: exact, exact");
    EXPECT_EQ(one("bool", "f() && in(r)"), "&& of bool: exact, exact");
    EXPECT_EQ(one("bool", "f() || in(r)"), "|| of bool: exact, exact");
    EXPECT_EQ(one("bool", "f() + in(r)"), "^ of bool: exact, exact");
}

TEST(Reduction, GuardsChainsAndCasts) {
    EXPECT_EQ(one("int32", "select(in(r) < 3, f() + in(r), f())"), "+ of int32: exact, exact");
    EXPECT_EQ(one("int32", "select(in(r) < 3, f(), f() - 1)"), "+ of int32: exact, exact");
    EXPECT_EQ(one("int32", "(f() + in(r)) + in(r + 1)"), "+ of int32: exact, exact");
    EXPECT_EQ(one("int32", "select(in(r) < f(), in(r), f())"), "min of int32: exact, exact");
    EXPECT_EQ(one("int32", "select(f() >= in(r), f(), in(r))"), "max of int32: exact, exact");
    EXPECT_EQ(one("uint8", "cast<uint8>(cast<int32>(f()) + 300)"), "+ of uint8: exact, exact");
    EXPECT_EQ(one("uint8", "saturating_cast<uint8>(cast<uint16>(f()) + cast<uint16>(in(r)))"),
              "saturating_add of uint8: exact, exact");
    EXPECT_EQ(one("int32", "f()"), "no change: exact, exact");
}

TEST(Reduction, WhatIsNoReduction) {
    EXPECT_EQ(one("int8", "saturating_cast<int8>(cast<int16>(f()) + cast<int16>(in(r)))"),
              "its value is not the old value combined by an operator that is known to be associative")
        << "signed saturation depends on the order";
    EXPECT_EQ(one("int32", "in(r) - f()"),
              "its value is not the old value combined by an operator that is known to be associative");
    EXPECT_EQ(one("int32", "f() + f()"),
              "its value is not the old value combined by an operator that is known to be associative");
    EXPECT_EQ(one("int32", "min(f() + 1, in(r))"),
              "its value is not the old value combined by an operator that is known to be associative");
    EXPECT_EQ(one("int32", "f() + f() * in(r)"),
              "its value is not the old value combined by an operator that is known to be associative");
    EXPECT_EQ(one("int32", "in(r)"), "its value does not depend on the old one, so the last iteration decides");
    EXPECT_EQ(verdict(proof_of("int32", "0", "f(r - 1) + in(r)", "f(r)")),
              "it reads its own values at other points than the one that it updates");
    EXPECT_EQ(verdict(proof_of("int32", "0", "f(f(r)) + 1", "f(f(r))")),
              "it chooses the point that it updates by its own values");
    EXPECT_EQ(one("uint8", "cast<uint8>(min(cast<int32>(f()) + 300, 7))"),
              "its value is not the old value combined by an operator that is known to be associative");
}

TEST(Reduction, FloatsRound) {
    EXPECT_EQ(one("float32", "f() + in(r)"), "+ of float32: rounded, rounded");
    EXPECT_EQ(one("float16", "f() * in(r)"), "* of float16: rounded, rounded");
    EXPECT_EQ(one("float64", "f() - in(r)"), "+ of float64: rounded, rounded");
    EXPECT_EQ(one("float32", "min(f(), in(r))"), "min of float32: rounded, rounded") << "forgets the old one at a NaN";
    EXPECT_EQ(one("float32", "min(in(r), f())"), "min of float32: exact, rounded") << "skips NaNs";
    EXPECT_EQ(one("float32", "select(in(r) > f(), in(r), f())"), "max of float32: exact, rounded");
    EXPECT_EQ(one("float32", "select(in(r) >= f(), in(r), f())"), "max of float32: rounded, rounded");
    EXPECT_EQ(one("float32", "min(f(), cast<float32>(r))"), "min of float32: exact, exact") << "neither NaN nor -0";
    EXPECT_EQ(one("float32", "min(f(), cast<float32>(r))", "in(3)"), "min of float32: rounded, rounded");
    EXPECT_EQ(one("float32", "min(f(), select(in(r) < in(3), 1.0:float32, cast<float32>(r)))"),
              "min of float32: exact, exact");
    EXPECT_EQ(one("float32", "min(f(), select(in(r) < in(3), in(r), cast<float32>(r)))"),
              "min of float32: rounded, rounded");
    EXPECT_EQ(one("float32", "min(f(), select(in(r) < in(3), cast<float32>(r), in(r)))"),
              "min of float32: rounded, rounded");
    EXPECT_EQ(one("float32", "min(f(), select(in(r) < in(3), cast<float32>(r), -0.0:float32))"),
              "min of float32: rounded, rounded");
}

TEST(Reduction, ArgExtremes) {
    const std::string first = "{select(in(r) < f().1, r, f()), select(in(r) < f().1, in(r), f().1)}";
    EXPECT_EQ(verdict(proof_of("int32, int32", "{0, 9}", first)), "argmin: exact, no");
    EXPECT_EQ(verdict(proof_of("int32, int32", "{0, 9}", "{select(in(r) < f().1, r, f()), min(f().1, in(r))}")),
              "argmin: exact, no");
    EXPECT_EQ(verdict(proof_of("int32, int32", "{0, 9}",
                               "{select(in(r) < f().1, r, f()), select(in(r) < f().1, in(r), in(0))}")),
              "value 0 is not the old value combined by an operator that is known to be associative");
    const std::string better = "in(r) > f().1 || (in(r) == f().1 && r < f())";
    EXPECT_EQ(verdict(proof_of("int32, int32", "{0, 9}",
                               "{select(" + better + ", r, f()), select(" + better + ", in(r), f().1)}")),
              "argmax: exact, exact");
    const std::string last = "{select(in(r) <= f().1, r, f()), select(in(r) <= f().1, in(r), f().1)}";
    const ReductionMatch proof = proof_of("int32, int32", "{0, 9}", last);
    EXPECT_EQ(verdict(proof), "argmin: exact, no");
    EXPECT_FALSE(proof.op->identity[0].defined()) << "an empty piece would win ties";
    // The old value may be the one that is chosen where the condition holds.
    const std::string kept = "{select(f().1 < in(r), f(), r), min(f().1, in(r)), select(f().1 < in(r), f().2, r * 2)}";
    EXPECT_EQ(verdict(proof_of("int32, int32, int32", "{0, 9, 0}", kept)), "argmin: exact, no");
    for (const auto &[type, law] : {std::pair("int32", "exact"), {"float32", "rounded"}}) {
        const std::string ties = std::string("{select(f() <= in(r), f(), in(r)), select(f() <= in(r), f().1, r)}");
        const ReductionMatch strict =
            proof_of(std::string(type) + ", int32", "{cast<" + std::string(type) + ">(0), 0}", ties);
        EXPECT_EQ(verdict(strict), std::string("argmin: ") + law + ", no");
        EXPECT_TRUE(strict.op && strict.op->identity[0].defined());
    }
    // Of several comparisons, the last decides ties.
    for (const auto &[tie, has_identity] : {std::pair("r < f()", true), {"r <= f()", false}}) {
        const std::string less = std::string("in(r) < f().1 || (in(r) == f().1 && ") + tie + ")";
        const ReductionMatch ranked =
            proof_of("int32, int32", "{0, 9}", "{select(" + less + ", r, f()), select(" + less + ", in(r), f().1)}");
        EXPECT_EQ(verdict(ranked), "argmin: exact, exact") << tie;
        EXPECT_EQ(ranked.op && ranked.op->identity[0].defined(), has_identity) << tie;
    }
}

TEST(Reduction, Pairs) {
    EXPECT_EQ(verdict(proof_of("int32, int32", "{1, 0}",
                               "{f() * in(r) - f().1 * in(r + 1), f() * in(r + 1) + f().1 * in(r)}")),
              "complex * of int32: exact, exact");
    EXPECT_EQ(verdict(proof_of("int32, int32", "{1, 0}", "{f() * in(r), in(r) * f().1 + in(r + 1) * f()}")),
              "dual * of int32: exact, exact");
    EXPECT_EQ(verdict(proof_of("int32, int32", "{1, 0}",
                               "{f() * in(r) + f().1 * in(r + 1), f() * in(r + 1) + f().1 * in(r)}")),
              "value 0 is not the old value combined by an operator that is known to be associative")
        << "of complex numbers the second product is taken away";
    EXPECT_EQ(verdict(proof_of("int32, int32", "{1, 0}", "{f() * in(r) + f().1, f().1 + 1}")),
              "value 0 is not the old value combined by an operator that is known to be associative");
    EXPECT_EQ(verdict(proof_of("int32, int32", "{1, 0}", "{f() + in(r), max(f().1, in(r))}")),
              "(+ of int32, max of int32): exact, exact");
}

TEST(BoundsWhere, EliminatesSharedTerms) {
    const Symbol u(SymbolKind::Var, "u"), r(SymbolKind::Var, "r");
    const Expr uv = make_var(Int(32), u), rv = make_var(Int(32), r);
    const Scope scope = {{u, {0, 9}}, {r, {0, 3}}};
    const Expr step = add(mul(uv, 4), rv);
    BoundsFinder over(scope);
    const Interval tail = bounds_where(add(step, 5), less(step, 38), over);
    EXPECT_TRUE(equal(tail.max, Expr(42)));
    EXPECT_TRUE(equal(tail.min, Expr(5)));
    const Interval below = bounds_where(uv, logical_and(less_equal(rv, 3), less_equal(uv, rv)), over);
    EXPECT_TRUE(equal(below.max, Expr(3))) << "u <= r <= 3";
    const Interval above = bounds_where(mul(rv, 2), make_binary(ExprKind::GT, rv, 1), over);
    EXPECT_TRUE(equal(above.min, Expr(4)));
    // What a condition does not bound keeps its bounds.
    const Symbol s(SymbolKind::Var, "s");
    const Expr sv = make_var(Int(32), s);
    const Scope more = {{u, {0, 9}}, {s, Interval::everything()}};
    BoundsFinder loose(more);
    for (const Expr &condition : {less_equal(uv, sv), less_equal(sv, uv), equals(uv, sv)}) {
        const Interval same = bounds_where(uv, condition, loose);
        EXPECT_TRUE(equal(same.min, Expr(0)) && equal(same.max, Expr(9))) << condition;
    }
    EXPECT_FALSE(bounds_where(sv, less_equal(sv, uv), loose).min.defined());
    EXPECT_TRUE(equal(bounds_where(sv, less_equal(sv, uv), loose).max, Expr(9)));
}

TEST(BoundsWhere, LooksInsideOfQuotients) {
    const Symbol u(SymbolKind::Var, "u");
    const Expr uv = make_var(Int(32), u);
    BoundsFinder over({{u, {0, 90}}});
    const Interval narrow = bounds_where(div(add(uv, 5), 7), less(uv, 10), over);
    EXPECT_TRUE(equal(narrow.min, Expr(0)));
    EXPECT_TRUE(equal(narrow.max, Expr(2)));
}

TEST(BoundsWhere, KeepsTheBoundsWhereNumbersDoNotFit) {
    const Symbol u(SymbolKind::Var, "u"), r(SymbolKind::Var, "r");
    const Expr uv = make_var(Int(32), u), rv = make_var(Int(32), r);
    BoundsFinder over({{u, {0, 9}}, {r, {0, 3}}});
    const auto is_kept = [&](const Expr &expr, const Expr &condition) {
        const Interval plain = over.bounds_of(expr), found = bounds_where(expr, condition, over);
        return equal(plain.min, found.min) && equal(plain.max, found.max);
    };
    constexpr int32_t large = 2'000'000'000;
    EXPECT_TRUE(is_kept(sub(uv, large), less(uv, sub(rv, large)))) << "u - 2e9 < r - 4e9";
    Expr product = uv; // its coefficient is beyond 64 bits
    for (int i = 0; i < 3; i++) {
        product = mul(product, large);
    }
    EXPECT_TRUE(is_kept(uv, less(product, rv)));
    EXPECT_TRUE(is_kept(uv, less(rv, product)));
}

} // namespace
} // namespace fluorite::analysis::reduction_test
