// Simplification preserves the values of random expressions, and simplifying twice changes nothing more.

#include "rewrite/simplify.h"
#include "rewrite/test_evaluator.h"

#include <gtest/gtest.h>

namespace fuzz_test {

using namespace fluorite;
using namespace fluorite::rewrite;
using rewrite::testing::Evaluator;
using rewrite::testing::Lanes;
using rewrite::testing::RandomExpr;

namespace {

int fuzz_count(int count) {
    const char *factor = std::getenv("FLUORITE_FUZZ_FACTOR");
    return factor ? count * std::atoi(factor) : count;
}

std::string show(const Lanes &lanes) {
    std::string text;
    for (const Scalar &lane : lanes) {
        text += concat(expr_of(lane), " ");
    }
    return text;
}

std::string show(const Evaluator &evaluator) {
    std::string text;
    for (const auto &[symbol, value] : evaluator.variables) {
        text += concat(symbol.name(), "=", expr_of(value), " ");
    }
    return text;
}

/// Checks one expression on several assignments.
void check_expr(const Expr &expr, RandomExpr &random, Arithmetic arithmetic) {
    const Expr simple = rewrite::simplify(expr, arithmetic);
    ASSERT_EQ(simple.type(), expr.type()) << expr;
    const Expr twice = rewrite::simplify(simple, arithmetic);
    EXPECT_TRUE(ir::equal(simple, twice)) << expr << "\nonce:  " << simple << "\ntwice: " << twice;
    for (int round = 0; round < 6; round++) {
        Evaluator evaluator;
        random.assign(evaluator);
        const Lanes before = evaluator.evaluate(expr);
        if (arithmetic == Arithmetic::Index && evaluator.overflowed) {
            continue;
        }
        const Lanes after = evaluator.evaluate(simple);
        ASSERT_EQ(show(before), show(after)) << expr << "\nbecame " << simple << "\nwith " << show(evaluator);
    }
}

void fuzz(Type type, Arithmetic arithmetic, int64_t magnitude, int count) {
    for (int i = 0; i < fuzz_count(count) && !::testing::Test::HasFailure(); i++) {
        RandomExpr random(static_cast<uint32_t>(i) * 7919 + type.key(), type, magnitude);
        const int lanes = random.pick(4) == 0 ? 4 : 1;
        const int depth = 2 + random.pick(4);
        check_expr(random.pick(3) == 0 ? random.condition(depth, lanes) : random.value(depth, lanes), random,
                   arithmetic);
    }
}

class FuzzTypes : public ::testing::TestWithParam<Type> {};

TEST_P(FuzzTypes, WrappingKeepsValues) { fuzz(GetParam(), Arithmetic::Wrapping, 0, 1500); }

INSTANTIATE_TEST_SUITE_P(All, FuzzTypes,
                         ::testing::Values(Int(8), Int(16), Int(32), Int(64), UInt(8), UInt(16), UInt(32), UInt(64),
                                           Float(16), BFloat(16), Float(32), Float(64)));

TEST(Fuzz, IndexKeepsValues) {
    fuzz(Int(32), Arithmetic::Index, 12, 4000);
    fuzz(Int(64), Arithmetic::Index, 40, 1000);
    fuzz(Int(8), Arithmetic::Index, 0, 500);
    fuzz(UInt(32), Arithmetic::Index, 0, 500);
}

/// Whatever facts prove is true wherever the facts hold, and simplification under facts preserves values there.
TEST(Fuzz, FactsAreRespected) {
    for (int i = 0; i < fuzz_count(1500) && !HasFailure(); i++) {
        RandomExpr random(static_cast<uint32_t>(i) * 104729 + 5, Int(32), 10);
        Facts facts;
        facts.truths.push_back(random.condition(2, 1));
        facts.truths.push_back(random.condition(1, 1));
        facts.ranges[RandomExpr::symbol(0)] = {-3, 5};
        facts.ranges[RandomExpr::symbol(1)] = {0, std::nullopt};
        const Expr condition = random.condition(3, 1);
        const Expr simple = rewrite::simplify(condition, Arithmetic::Index, facts);
        const bool proved = can_prove(condition, facts);
        for (int round = 0; round < 40; round++) {
            Evaluator evaluator;
            random.assign(evaluator);
            const int64_t x = evaluator.variables.at(RandomExpr::symbol(0)).as_int();
            const bool holds = x >= -3 && x <= 5 && evaluator.variables.at(RandomExpr::symbol(1)).as_int() >= 0 &&
                               evaluator.evaluate(facts.truths[0])[0].bits &&
                               evaluator.evaluate(facts.truths[1])[0].bits;
            const Lanes value = evaluator.evaluate(condition);
            if (!holds || evaluator.overflowed) {
                continue;
            }
            ASSERT_EQ(show(value), show(evaluator.evaluate(simple)))
                << condition << "\nbecame " << simple << "\nknowing " << facts.truths[0] << " and " << facts.truths[1]
                << "\nwith " << show(evaluator);
            ASSERT_TRUE(!proved || value[0].bits) << condition << "\nwith " << show(evaluator);
        }
    }
}

} // namespace

} // namespace fuzz_test
