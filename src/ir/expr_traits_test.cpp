#include "ir/expr_traits.h"

#include <gtest/gtest.h>
#include <iterator>
#include <set>

namespace fluorite::ir::expr_traits_test {

namespace {

template <typename Predicate> std::set<ExprKind> kinds_with(const Predicate &predicate) {
    std::set<ExprKind> found;
    for (size_t i = 0; i < std::size(detail::expr_traits); i++) {
        if (predicate(static_cast<ExprKind>(i))) {
            found.insert(static_cast<ExprKind>(i));
        }
    }
    return found;
}

const std::set<ExprKind> effects = {ExprKind::Extern, ExprKind::Require, ExprKind::Print};

} // namespace

// Soundness of motion, repetition and speculation rests on these sets: a row of expr_kinds.def that changes one of them
// is examined here.
TEST(ExprTraits, KindsThatMayNotBeMoved) {
    std::set<ExprKind> fixed = effects;
    fixed.insert({ExprKind::Call, ExprKind::Image, ExprKind::Load});
    EXPECT_EQ(kinds_with([](ExprKind kind) { return may_have_effect(kind); }), effects);
    EXPECT_EQ(kinds_with([](ExprKind kind) { return !is_movable(kind); }), fixed);
}

TEST(ExprTraits, KindsThatAreData) {
    const std::set<ExprKind> data = {ExprKind::Call, ExprKind::Image, ExprKind::Load, ExprKind::Extern,
                                     ExprKind::Random};
    EXPECT_EQ(kinds_with([](ExprKind kind) { return is_data(kind); }), data);
}

TEST(ExprTraits, KindsThatMayFail) {
    const std::set<ExprKind> failing = {ExprKind::Call, ExprKind::Image, ExprKind::Load, ExprKind::Extern,
                                        ExprKind::Require};
    EXPECT_EQ(kinds_with([](ExprKind kind) { return may_fail(kind); }), failing);
}

TEST(ExprTraits, KindsWithTheValueOfAnOperand) {
    EXPECT_EQ(forwarded_operand(ExprKind::Likely), 0U);
    EXPECT_EQ(forwarded_operand(ExprKind::MemoizeTag), 0U);
    EXPECT_EQ(forwarded_operand(ExprKind::Require), 1U);
    EXPECT_EQ(forwarded_operand(ExprKind::Select), std::nullopt);
}

TEST(ExprTraits, IndexArithmeticIsOfWideSignedIntegersThatAreNoData) {
    const Symbol x(SymbolKind::Var, "x"), b(SymbolKind::Buffer, "b");
    const auto of = [&](Type type) { return add(make_var(type, x), make_one(type)); };
    EXPECT_TRUE(is_index_arithmetic(of(Int(32))));
    EXPECT_TRUE(is_index_arithmetic(of(Int(64, 8))));
    EXPECT_FALSE(is_index_arithmetic(of(Int(16)))) << "it wraps";
    EXPECT_FALSE(is_index_arithmetic(of(UInt(32)))) << "it wraps";
    EXPECT_FALSE(is_index_arithmetic(add(make_load(Int(32), b, int32(0)), int32(1))))
        << "the element may be any number";
}

TEST(ExprTraits, AnExpressionIsMovableIfAllNodesAre) {
    const Expr x = make_var(Int(32), Symbol(SymbolKind::Var, "x"));
    const Expr loaded = make_load(Int(32), Symbol(SymbolKind::Buffer, "b"), x);
    EXPECT_TRUE(is_movable(add(x, int32(1))));
    EXPECT_FALSE(is_movable(add(loaded, int32(1))));
}

TEST(ExprTraits, CostOfAMathNodeIsThatOfItsFunction) {
    const Expr x = make_var(Float(32), Symbol(SymbolKind::Var, "x"));
    EXPECT_EQ(cost_of(*make_math(MathOp::Sqrt, std::vector<Expr>{x}).get()), CostTrait::Root);
    EXPECT_EQ(cost_of(*make_math(MathOp::Floor, std::vector<Expr>{x}).get()), CostTrait::Operation);
    EXPECT_EQ(cost_of(*make_math(MathOp::Exp, std::vector<Expr>{x}).get()), CostTrait::Function);
    EXPECT_EQ(cost_of(*div(x, x).get()), CostTrait::Division);
}

} // namespace fluorite::ir::expr_traits_test
