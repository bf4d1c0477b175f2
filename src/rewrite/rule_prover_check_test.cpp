// The prover itself: it refutes false rows and proves true ones.

#include "rewrite/rule_prover.h"

#include <gtest/gtest.h>

namespace rule_prover_check_test {

namespace {

using namespace fluorite::rewrite;

Row make_row(const char *pattern, const char *result, const char *condition, int classes) {
    Row row;
    row.name = "test";
    row.pattern_text = pattern;
    row.pattern = parse_term(pattern, row.terms);
    row.result = parse_term(result, row.terms);
    row.condition = *condition ? parse_condition(condition, row.terms) : -1;
    row.classes = static_cast<uint8_t>(classes);
    return row;
}

/// If the prover did not refute false rows, its proofs would mean nothing.
TEST(RuleProver, RefutesFalseRows) {
    if (!has_prover()) {
        GTEST_SKIP() << "this build has no Z3";
    }
    EXPECT_FALSE(prove_row(make_row("x + 1 > x", "true", "", signed_class)).proved);
    EXPECT_FALSE(prove_row(make_row("(x * c0) / c0", "x", "c0 > 0", signed_class)).proved);
    EXPECT_FALSE(prove_row(make_row("x / x", "1", "", index_class)).proved);
    EXPECT_FALSE(prove_row(make_row("x + 0", "x", "", float_class)).proved);
    EXPECT_FALSE(prove_row(make_row("x < c0 && x < c1", "x < c1", "", index_class)).proved);
    EXPECT_FALSE(prove_row(make_row("cast(t0, cast(t1, x))", "cast(t0, x)", "is_int(t0) && is_int(t1) && is_int(tx)",
                                    conversion_class))
                     .proved);
}

TEST(RuleProver, ProvesTrueRows) {
    if (!has_prover()) {
        GTEST_SKIP() << "this build has no Z3";
    }
    EXPECT_TRUE(prove_row(make_row("x + 1 > x", "true", "", index_class)).proved);
    EXPECT_TRUE(prove_row(make_row("(x * c0) / c0", "x", "c0 > 0", index_class)).proved);
    EXPECT_TRUE(prove_row(make_row("x % c0", "x", "lo(x) >= 0 && hi(x) < c0", unsigned_class)).proved);
}

/// The matcher would evaluate such a condition, but the prover could not state it.
TEST(RuleProver, RefusesOperatorsThatConditionsDoNotHave) {
    try {
        make_row("(x & c0) | c1", "x | c1", "(c0 | c1) == -1", signed_class);
        FAIL() << "the condition was accepted";
    } catch (const fluorite::InternalError &error) {
        EXPECT_NE(std::string(error.what())
                      .find("the condition (c0 | c1) == -1 uses |; conditions are over the "
                            "integers, of + - * / % min max, comparisons, && || !"),
                  std::string::npos)
            << error.what();
    }
}

} // namespace

} // namespace rule_prover_check_test
