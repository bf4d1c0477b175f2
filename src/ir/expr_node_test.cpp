#include "ir/expr_node.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <thread>

namespace fluorite::ir::expr_node_test {
namespace {

Symbol named(const std::string &name, SymbolKind kind = SymbolKind::Var) { return Symbol(kind, name); }
Expr var(const std::string &name, Type type = Int(32)) { return make_var(type, named(name)); }

TEST(ExprNode, EqualMeansSameStructure) {
    const Expr a = add(var("x"), 1), b = add(var("x"), 1);
    EXPECT_FALSE(a.same_as(b));
    EXPECT_TRUE(equal(a, b));
    EXPECT_EQ(a->hash(), b->hash());
    EXPECT_FALSE(equal(a, add(var("x"), 2)));
    EXPECT_FALSE(equal(a, add(var("y"), 1)));
    EXPECT_FALSE(equal(a, sub(var("x"), 1)));
    EXPECT_FALSE(equal(make_int(Int(8), 1), make_int(Int(16), 1)));
    EXPECT_FALSE(equal(a, Expr()));
    EXPECT_TRUE(equal(Expr(), Expr()));
}

TEST(ExprNode, EveryPayloadTakesPartInHashAndEquality) {
    const Symbol b = named("b", SymbolKind::Buffer);
    const Expr v = make_broadcast(var("x"), 4);
    const std::vector<Expr> distinct{
        make_field(b, Field::Min, 0),
        make_field(b, Field::Max, 0),
        make_field(b, Field::Min, 1),
        make_shuffle({&v, 1}, {0, 1}),
        make_shuffle({&v, 1}, {1, 0}),
        make_vector_reduce(ReduceOp::Add, v, 2),
        make_vector_reduce(ReduceOp::Mul, v, 2),
        Expr("a"),
        Expr("b"),
        Expr(0.0F),
        Expr(-0.0F),
        Expr(0.0),
        make_extern(Int(32), "f", {}),
        make_extern(Int(32), "g", {}),
        make_call(Int(32), named("f"), 0, {}),
        make_call(Int(32), named("f"), 1, {}),
    };
    std::set<uint64_t> hashes;
    for (const Expr &a : distinct) {
        hashes.insert(a->hash());
        for (const Expr &other : distinct) {
            EXPECT_EQ(equal(a, other), a.same_as(other)) << a << " " << other;
        }
    }
    EXPECT_EQ(hashes.size(), distinct.size());
}

TEST(ExprNode, NanEqualsItself) {
    EXPECT_TRUE(equal(Expr(std::numeric_limits<float>::quiet_NaN()), Expr(std::numeric_limits<float>::quiet_NaN())));
}

TEST(ExprNode, CompareIsATotalOrder) {
    const std::vector<Expr> exprs{var("x"), var("y"), Expr(1), Expr(2), Expr(1.5F), add(var("x"), 1), Expr("t")};
    for (const Expr &a : exprs) {
        EXPECT_EQ(compare(a, a), 0);
        for (const Expr &b : exprs) {
            EXPECT_EQ(compare(a, b), -compare(b, a));
            EXPECT_EQ(compare(a, b) == 0, equal(a, b));
            for (const Expr &c : exprs) {
                EXPECT_FALSE(compare(a, b) < 0 && compare(b, c) < 0 && compare(a, c) >= 0);
            }
        }
    }
}

TEST(ExprNode, LongChainsNeitherOverflowNorSlowDown) {
    auto chain = [] {
        Expr e = var("x");
        for (int i = 0; i < 100'000; i++) {
            e = add(e, 1);
        }
        return e;
    };
    Expr a = chain(), b = chain();
    EXPECT_TRUE(equal(a, b));
    EXPECT_EQ(compare(a, b), 0);
    const Expr c = substitute(a, named("x"), var("y"));
    EXPECT_TRUE(uses_symbol(c, named("y")));
    EXPECT_FALSE(uses_symbol(c, named("x")));
    EXPECT_EQ(node_count(a), 200'001U); // every 1 is a node of its own
    a = b = Expr();
}

TEST(ExprNode, SharedGraphsCostTheirDistinctNodes) {
    auto doubled = [](const Expr &start) {
        Expr e = start;
        for (int i = 0; i < 200; i++) {
            e = add(e, e); // 2^200 paths
        }
        return e;
    };
    const Expr a = doubled(var("x")), b = doubled(var("x"));
    EXPECT_TRUE(equal(a, b));
    EXPECT_EQ(node_count(a), 201U);
    EXPECT_TRUE(equal(substitute(a, named("x"), var("y")), doubled(var("y"))));
    EXPECT_TRUE(uses_symbol(a, named("x")));
}

TEST(ExprNode, LastReferenceMayGoAwayOnAnyThread) {
    const Expr shared = add(var("x"), 1);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++) {
        threads.emplace_back([&] {
            for (int i = 0; i < 10'000; i++) {
                Expr own = add(shared, shared);
                own = mul(own, shared);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(node_count(shared), 3U);
}

TEST(ExprNode, CreateChecksArityAndOperands) {
    EXPECT_THROW(ExprNode::create(ExprKind::Add, Int(32), {Expr(1)}), InternalError);
    EXPECT_THROW(ExprNode::create(ExprKind::Add, Int(32), {Expr(1), Expr()}), InternalError);
}

// ---- make.cpp.

TEST(Make, ConstantsWrapAndRound) {
    int64_t i = 0;
    EXPECT_TRUE(is_const_int(make_int(Int(8), 200), &i) && i == -56);
    EXPECT_TRUE(is_const_int(make_int(UInt(8), -1), &i) && i == 255);
    EXPECT_TRUE(is_const_int(make_uint(Int(64), ~uint64_t{0}), &i) && i == -1);
    EXPECT_FALSE(is_const_int(make_uint(UInt(64), ~uint64_t{0}), &i));
    double d = 0;
    EXPECT_TRUE(is_const_float(make_float(Float(16), 0.1), &d) && d == 0.0999755859375);
    EXPECT_TRUE(is_const_float(make_float(BFloat(16), 0.1), &d) && d == 0.10009765625);
    EXPECT_TRUE(is_const_float(make_int(Float(32), 16777217), &d) && d == 16777216.0);
    EXPECT_EQ(make_const(Bool(4), 7).type(), Bool(4));
    EXPECT_TRUE(is_true(make_const(Bool(4), 6)));
    EXPECT_TRUE(is_one(make_one(Float(32, 8))) && is_zero(make_zero(BFloat(16))));
    EXPECT_TRUE(is_false(make_bool(false)) && !is_false(Expr(0)));
}

TEST(Make, LimitsOfTypes) {
    int64_t i = 0;
    EXPECT_TRUE(is_const_int(type_min(Int(16)), &i) && i == -32768);
    EXPECT_TRUE(is_const_int(type_max(Int(64)), &i) && i == INT64_MAX);
    EXPECT_TRUE(is_const_int(type_min(Int(64)), &i) && i == INT64_MIN);
    EXPECT_EQ(type_max(UInt(64))->uint_value(), UINT64_MAX);
    EXPECT_TRUE(is_const_int(type_max(Bool()), &i) && i == 1);
    double d = 0;
    EXPECT_TRUE(is_const_float(type_min(Float(16)), &d) && d == -std::numeric_limits<double>::infinity());
}

TEST(Make, BinaryTypesAndBroadcasts) {
    const Expr v = make_ramp(0, 1, 8);
    EXPECT_EQ(add(v, 1).type(), Int(32, 8));
    EXPECT_EQ(less(1, v).type(), Bool(8));
    EXPECT_EQ(make_binary(ExprKind::AbsDiff, Expr(1), Expr(2)).type(), UInt(32));
    EXPECT_EQ(make_binary(ExprKind::ShiftLeft, make_int(Int(16), 1), make_int(UInt(16), 1)).type(), Int(16));
    EXPECT_EQ(make_select(less(v, 3), 1, 2).type(), Int(32, 8));
    EXPECT_EQ(make_unary(ExprKind::Abs, make_int(Int(8), -3)).type(), UInt(8));
    const Expr x = var("x", Float(32));
    EXPECT_EQ(make_math(MathOp::IsNan, {&x, 1}).type(), Bool());
    EXPECT_EQ(make_cast(UInt(8, 4), Expr(1)).type(), UInt(8, 4));
    EXPECT_TRUE(make_cast(Float(32), x).same_as(x));
    EXPECT_EQ(make_reinterpret(UInt(32), x).type(), UInt(32));
    EXPECT_EQ(make_ramp(v, make_broadcast(8, 8), 4).type(), Int(32, 32));
}

TEST(Make, RefusesWrongTypes) {
    EXPECT_THROW(add(Expr(1), Expr(1.0F)), InternalError);
    EXPECT_THROW(logical_and(Expr(1), Expr(1)), InternalError);
    EXPECT_THROW(make_binary(ExprKind::BitAnd, Expr(1.0F), Expr(1.0F)), InternalError);
    EXPECT_THROW(make_binary(ExprKind::ShiftLeft, Expr(1), make_int(Int(8), 1)), InternalError);
    EXPECT_THROW(make_select(Expr(1), Expr(1), Expr(1)), InternalError);
    EXPECT_THROW(make_reinterpret(Int(64), Expr(1)), InternalError);
    EXPECT_THROW(make_unary(ExprKind::Not, Expr(1)), InternalError);
}

// ---- traverse.cpp.

TEST(Traverse, MapOperandsKeepsTheNodeWhereNothingChanges) {
    const Expr e = add(var("x"), mul(var("y"), 2));
    EXPECT_TRUE(map_operands(e, [](const Expr &arg) { return arg; }).same_as(e));
    const Expr changed = map_operands(e, [](const Expr &arg) { return arg->kind() == ExprKind::Mul ? Expr(7) : arg; });
    EXPECT_TRUE(equal(changed, add(var("x"), 7)));
}

TEST(Traverse, SubstituteRespectsLet) {
    const Symbol x = named("x"), t = named("t", SymbolKind::Let);
    const Expr tv = make_var(Int(32), t);
    const Expr e = make_let(t, add(tv, 1), mul(tv, make_var(Int(32), x)));
    // The value of a let is outside its scope, the body inside.
    EXPECT_TRUE(equal(substitute(e, t, Expr(5)), make_let(t, add(5, 1), mul(tv, make_var(Int(32), x)))));
    EXPECT_TRUE(equal(substitute(e, x, Expr(5)), make_let(t, add(tv, 1), mul(tv, 5))));
    EXPECT_TRUE(substitute(e, named("z"), Expr(5)).same_as(e));
}

TEST(Traverse, SubstituteRenamesALetThatWouldCapture) {
    const Symbol x = named("x"), t = named("t", SymbolKind::Let);
    const Expr tv = make_var(Int(32), t), xv = make_var(Int(32), x);
    const Expr e = make_let(t, 1, add(tv, xv));
    const Expr result = substitute(e, x, tv);
    ASSERT_EQ(result->kind(), ExprKind::Let);
    EXPECT_FALSE(result->symbol() == t);
    EXPECT_TRUE(equal(result->arg(1), add(make_var(Int(32), result->symbol()), tv)));
}

TEST(Traverse, SharedNodeInsideAndOutsideOfItsLet) {
    const Symbol t = named("t", SymbolKind::Let);
    const Expr shared = add(make_var(Int(32), t), 1);
    const Expr e = mul(shared, make_let(t, 3, shared));
    EXPECT_TRUE(equal(substitute(e, t, Expr(9)), mul(add(9, 1), make_let(t, 3, shared))));
}

TEST(Traverse, ExpandLetsPutsValuesInPlace) {
    const Symbol t = named("t", SymbolKind::Let), u = named("u", SymbolKind::Let);
    const Expr tv = make_var(Int(32), t), uv = make_var(Int(32), u), x = var("x"), y = var("y");
    EXPECT_TRUE(equal(expand_lets(make_let(t, add(x, 1), make_let(u, mul(tv, tv), add(uv, tv)))),
                      add(mul(add(x, 1), add(x, 1)), add(x, 1))));
    EXPECT_TRUE(equal(expand_lets(mul(make_let(t, x, tv), make_let(t, y, tv))), mul(x, y)));
    EXPECT_TRUE(
        equal(expand_lets(make_let(t, x, mul(make_let(t, add(tv, 1), mul(tv, 2)), tv))), mul(mul(add(x, 1), 2), x)));
    const Expr plain = add(x, y);
    EXPECT_TRUE(expand_lets(plain).same_as(plain));
}

TEST(Traverse, ExpandLetsIsLinear) {
    const Expr value = var("x");
    std::vector<Symbol> symbols;
    for (int i = 0; i < 3000; i++) { // let t0 = x + x in let t1 = t0 + t0 in ...
        symbols.push_back(named("t" + std::to_string(i), SymbolKind::Let));
    }
    Expr body = make_var(Int(32), symbols.back());
    for (size_t i = symbols.size(); i-- > 0;) {
        const Expr below = i == 0 ? value : make_var(Int(32), symbols[i - 1]);
        body = make_let(symbols[i], add(below, below), body);
    }
    EXPECT_EQ(node_count(expand_lets(body)), 3001U);
}

TEST(Traverse, UsesSymbolSeesOnlyFreeOnes) {
    const Symbol t = named("t", SymbolKind::Let), b = named("b", SymbolKind::Buffer);
    const Expr tv = make_var(Int(32), t);
    EXPECT_FALSE(uses_symbol(make_let(t, 3, tv), t));
    EXPECT_TRUE(uses_symbol(make_let(t, tv, tv), t));
    EXPECT_TRUE(uses_symbol(make_load(Int(32), b, 0), b));
    EXPECT_TRUE(uses_symbol(make_field(b, Field::Extent, 0), b));
    std::set<std::string> names;
    for_each_free_symbol(make_let(t, make_field(b, Field::Min, 0), add(tv, var("x"))),
                         [&](const Symbol &symbol) { names.insert(symbol.name()); });
    EXPECT_EQ(names, (std::set<std::string>{"b", "x"}));
}

TEST(Traverse, TransformSeesEveryDistinctNodeOnce) {
    const Expr x = var("x");
    const Expr e = mul(add(x, 1), add(x, 1));
    int calls = 0;
    const Expr result = transform(e, [&](const Expr &node) {
        calls++;
        return node->kind() == ExprKind::Variable ? Expr(4) : node;
    });
    EXPECT_EQ(calls, 6);
    EXPECT_TRUE(equal(result, mul(add(4, 1), add(4, 1))));
}

} // namespace
} // namespace fluorite::ir::expr_node_test
