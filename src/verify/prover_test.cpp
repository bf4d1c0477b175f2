#include "verify/prover.h"

#include "verify/parse.h"
#include "verify/simplex.h"

#include <gtest/gtest.h>

namespace fluorite::verify {
namespace {

TEST(Simplex, FindsContradictions) {
    // x - 3 >= 0 and 2 - x >= 0.
    EXPECT_EQ(find_contradiction({{1, -3}, {-1, 2}}), (std::vector<Wide>{1, 1}));
    // 2x - y >= 0, y - 3z >= 0, 3z - 2x - 1 >= 0.
    EXPECT_EQ(find_contradiction({{2, -1, 0, 0}, {0, 1, -3, 0}, {-2, 0, 3, -1}}), (std::vector<Wide>{1, 1, 1}));
    // 3x - 1 >= 0 and 1 - 5x >= 0: multiplied by 5 and 3.
    std::optional<std::vector<Wide>> scaled = find_contradiction({{3, -1}, {-5, 1}});
    ASSERT_TRUE(scaled);
    EXPECT_EQ((*scaled)[0] * 3, (*scaled)[1] * 5);
}
TEST(Simplex, FindsNoneWhereThereIsNone) {
    EXPECT_FALSE(find_contradiction({}));
    EXPECT_FALSE(find_contradiction({{1, 0}}));
    EXPECT_FALSE(find_contradiction({{1, -3}, {-1, 3}}));
    EXPECT_FALSE(find_contradiction({{0, 0}}));
}
TEST(Simplex, GivesUpOnOverflow) {
    Wide big = Wide(1) << 120;
    EXPECT_FALSE(find_contradiction({{big, big - 1, -1}, {-(big - 3), -big, 1}, {5 - big, 7, 3 - big}, {3, -big, 11}}));
}

std::optional<std::string> prove(const std::vector<std::string> &facts, const std::string &goal) {
    Facts parsed;
    for (const std::string &fact : facts) {
        parsed.push_back(parse_condition(fact));
    }
    return find_witness(parsed, parse_condition(goal));
}

TEST(Prover, CombinesFacts) {
    EXPECT_EQ(prove({}, "true"), "true");
    EXPECT_EQ(prove({"(< x n)"}, "(< x n)"), "fact");
    EXPECT_EQ(prove({"(< x n)"}, "(<= (+ x 1) n)"), "(linear () (rat (+ 0 1) done))");
    EXPECT_EQ(prove({}, "(<= 0 1)"), "(linear () (rat 0 done))");
    EXPECT_TRUE(prove({"(<= 0 x)", "(< x n)"}, "(and (<= 0 (+ x 1)) (< x (+ n 2)))"));
    EXPECT_TRUE(prove({"(<= x y)", "(<= y x)"}, "(= x y)"));
    EXPECT_TRUE(prove({"(< n 0)"}, "(not (<= 0 n))"));
    EXPECT_TRUE(prove({"(not (< x y))"}, "(or (< x y) (<= y x))"));
}
TEST(Prover, KnowsQuotientsAndRemainders) {
    EXPECT_TRUE(prove({"(<= 0 x)", "(< x n)"}, "(< (/ x 8) (/ (+ n 7) 8))"));
    EXPECT_TRUE(prove({}, "(and (<= 0 (% x 8)) (< (% x 8) 8))"));
    EXPECT_TRUE(prove({}, "(= (+ (* (/ x 8) 8) (% x 8)) x)"));
    EXPECT_TRUE(prove({"(<= 0 x)", "(< x 80)"}, "(= (/ (+ (* y 80) x) 80) y)"));
    EXPECT_FALSE(prove({"(<= 0 x)", "(< x 81)"}, "(= (/ (+ (* y 80) x) 80) y)"));
    EXPECT_FALSE(prove({}, "(<= 0 (/ x k))"));
}
TEST(Prover, DistinguishesCasesOfMinima) {
    EXPECT_TRUE(prove({}, "(<= (min a b) a)"));
    EXPECT_TRUE(prove({"(<= 0 a)", "(<= 0 b)"}, "(<= 0 (min a b))"));
    EXPECT_TRUE(prove({"(<= 8 n)", "(<= 0 x)", "(< x n)"}, "(< (- x (min (* (/ x 8) 8) (- n 8))) 8)"));
    EXPECT_TRUE(prove({"(<= 1 n)"}, "(< (max (min (- x 1) (- n 1)) 0) n)"));
    EXPECT_FALSE(prove({}, "(< (max (min (- x 1) (- n 1)) 0) n)"));
}
TEST(Prover, DoesNotProveWhatIsWrong) {
    for (const char *goal : {"(< x n)", "(<= 0 (- x 1))", "(= x y)", "(not (<= 0 x))", "(< x x)"}) {
        EXPECT_FALSE(prove({"(<= 0 x)", "(<= x n)"}, goal)) << goal;
    }
}

TEST(RingNormalForm, SimplifiesSums) {
    EXPECT_EQ(to_text(simplified(parse_index("(- (+ (+ x 3) (* 2 x)) (+ 1 x))"))), "(+ (* x 2) 2)");
    EXPECT_EQ(to_text(simplified(parse_index("(- x x)"))), "0");
    EXPECT_EQ(to_text(simplified(parse_index("(- 3 x)"))), "(+ (- 0 x) 3)");
    EXPECT_TRUE(equal_up_to_ring(parse_index("(* (+ x 1) (+ x 1))"), parse_index("(+ (* x x) (+ (* 2 x) 1))")));
    EXPECT_TRUE(equal_up_to_ring(parse_index("(% x 8)"), parse_index("(- x (* 8 (/ x 8)))")));
    EXPECT_FALSE(equal_up_to_ring(parse_index("(/ (* 2 x) 2)"), parse_index("x")));
    Index big = Index(INT64_MAX) * Index(INT64_MAX) * Index(INT64_MAX);
    EXPECT_TRUE(simplified(big) == big); // leaves 127 bits: as it was
    const Index x("x"), most(INT64_MAX);
    for (const Index &wide :
         {most + Index(1), x + most + most, x - most - Index(2), x * most + x, Index(0) - x * most - x * Index(2)}) {
        EXPECT_TRUE(simplified(wide) == wide) << to_text(wide) << " has a number beyond 64 bits";
    }
}

} // namespace
} // namespace fluorite::verify
