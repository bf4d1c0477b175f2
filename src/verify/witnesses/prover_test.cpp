#include "verify/witnesses/prover.h"

#include "verify/terms/parse.h"
#include "verify/witnesses/simplex.h"

#include <gtest/gtest.h>

namespace fluorite::verify::prover_test {
namespace {

// Rows with the constant last.
std::vector<SparseRow> sparse(const std::vector<std::vector<Wide>> &rows) {
    std::vector<SparseRow> result;
    for (const std::vector<Wide> &row : rows) {
        result.emplace_back();
        for (size_t j = 0; j < row.size(); j++) {
            const size_t at = (j + row.size() - 1) % row.size();
            if (row[at] != 0) {
                result.back().emplace_back(j, row[at]);
            }
        }
    }
    return result;
}
std::optional<std::vector<Wide>> contradiction(const std::vector<std::vector<Wide>> &rows,
                                               std::vector<Rational> *model = nullptr) {
    return find_contradiction(sparse(rows), rows.empty() ? 1 : rows[0].size(), model);
}
TEST(Simplex, FindsContradictions) {
    // x - 3 >= 0 and 2 - x >= 0.
    EXPECT_EQ(contradiction({{1, -3}, {-1, 2}}), (std::vector<Wide>{1, 1}));
    // 2x - y >= 0, y - 3z >= 0, 3z - 2x - 1 >= 0.
    EXPECT_EQ(contradiction({{2, -1, 0, 0}, {0, 1, -3, 0}, {-2, 0, 3, -1}}), (std::vector<Wide>{1, 1, 1}));
    // 3x - 1 >= 0 and 1 - 5x >= 0: multiplied by 5 and 3.
    std::optional<std::vector<Wide>> scaled = contradiction({{3, -1}, {-5, 1}});
    ASSERT_TRUE(scaled);
    EXPECT_EQ((*scaled)[0] * 3, (*scaled)[1] * 5);
    // What has one sign only is left out.
    EXPECT_EQ(contradiction({{1, -3, 0}, {1, 5, 1}, {0, 2, -1}, {0, -3, 1}}), (std::vector<Wide>{0, 0, 3, 2}));
}
TEST(Simplex, FindsNoneWhereThereIsNone) {
    EXPECT_FALSE(contradiction({}));
    EXPECT_FALSE(contradiction({{1, 0}}));
    EXPECT_FALSE(contradiction({{1, -3}, {-1, 3}}));
    EXPECT_FALSE(contradiction({{0, 0}}));
}
// Random systems: a contradiction is one, and a model obeys all inequalities.
TEST(Simplex, GivesMultipliersOrAModel) {
    uint64_t state = 7;
    const auto next = [&](uint64_t count) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return (state >> 33) % count;
    };
    int contradictions = 0, models = 0;
    for (int round = 0; round < 2000; round++) {
        std::vector<std::vector<Wide>> rows(1 + next(9), std::vector<Wide>(2 + next(5)));
        const size_t width = rows[0].size();
        for (std::vector<Wide> &row : rows) {
            row.resize(width);
            for (Wide &value : row) {
                value = next(3) == 0 ? Wide(next(9)) - 4 : 0;
            }
        }
        std::vector<Rational> model;
        const std::optional<std::vector<Wide>> found = contradiction(rows, &model);
        for (size_t j = 0; found && j < width; j++) {
            Wide sum = 0;
            for (size_t i = 0; i < rows.size(); i++) {
                EXPECT_GE((*found)[i], 0);
                sum += (*found)[i] * rows[i][j];
            }
            EXPECT_TRUE(j + 1 < width ? sum == 0 : sum < 0);
        }
        for (size_t i = 0; !found && i < rows.size(); i++) {
            std::optional<Rational> sum = Rational{rows[i][width - 1], 1};
            for (size_t j = 0; j + 1 < width; j++) {
                sum = sum_of_product(*sum, model.at(j + 1), rows[i][j]);
            }
            EXPECT_GE(sum->top, 0);
        }
        found ? contradictions++ : models++;
    }
    EXPECT_GT(contradictions, 200);
    EXPECT_GT(models, 200);
}
TEST(Simplex, GivesUpOnOverflow) {
    Wide big = Wide(1) << 120;
    std::vector<Rational> model;
    EXPECT_FALSE(
        contradiction({{big, big - 1, -1}, {-(big - 3), -big, 1}, {5 - big, 7, 3 - big}, {3, -big, 11}}, &model));
    EXPECT_TRUE(model.empty());
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
TEST(Prover, RoundsDifferencesOfQuotients) {
    const Index x = "x", y = "y";
    const auto rounds = [](const Facts &facts, const Condition &goal) {
        return find_witness_rounding(facts, goal).has_value();
    };
    EXPECT_TRUE(rounds({eq(x % 2, (y + 1) % 2)}, negation(eq(x, y))));
    EXPECT_TRUE(rounds({eq(x % 3, (y + 1) % 3), le(y, x + 1), le(x, y)}, lt(x, x - 1)));
    EXPECT_FALSE(rounds({eq(x % 3, (y + 1) % 3), le(y, x + 2), le(x, y)}, lt(x, x - 1)));
}
TEST(Prover, MultipliesSizes) {
    const std::vector<std::string> facts = {"(< 0 m)", "(<= 0 x)", "(< x m)", "(<= 0 y)", "(< y n)"};
    EXPECT_TRUE(prove(facts, "(<= 0 (+ (* y m) x))"));
    EXPECT_TRUE(prove(facts, "(< (+ (* y m) x) (* n m))"));
    EXPECT_FALSE(prove(facts, "(< (+ (* y m) x) (* y m))"));
    const std::vector<std::string> fused = {"(< 0 m)", "(<= 0 t)", "(< t (* n m))"};
    EXPECT_TRUE(prove(fused, "(and (<= 0 (/ t m)) (< (/ t m) n))"));
    EXPECT_TRUE(prove(fused, "(and (<= 0 (% t m)) (< (% t m) m))"));
    EXPECT_TRUE(prove(fused, "(= (+ (* (/ t m) m) (% t m)) t)"));
    EXPECT_TRUE(prove(facts, "(= (/ (+ (* y m) x) m) y)"));
    EXPECT_TRUE(prove({"(< 0 m)", "(<= 0 t)", "(< t (* n m))", "(<= 0 i)", "(< i 8)"},
                      "(= (+ (* (/ (+ (* (/ t m) 8) i) 8) m) (% t m)) t)"));
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
    for (const char *cancelled :
         {"(+ x (- (/ y 2) (/ y 2)))", "(- (+ x (min y z)) (min y z))", "(+ x (* 0 (% y 3)))"}) {
        EXPECT_TRUE(equal_up_to_ring(parse_index("x"), parse_index(cancelled))) << cancelled;
        EXPECT_TRUE(equal_up_to_ring(parse_index(cancelled), parse_index("x"))) << cancelled;
    }
    EXPECT_FALSE(equal_up_to_ring(parse_index("(min x y)"), parse_index("(max x y)")));
    EXPECT_EQ(to_text(simplified(parse_index("(- (+ (+ (% x 8) 3) (min (% x 8) y)) (+ 1 (% x 8)))"))),
              "(+ (min (% x 8) y) 2)");
    Index big = Index(INT64_MAX) * Index(INT64_MAX) * Index(INT64_MAX);
    EXPECT_TRUE(simplified(big) == big); // leaves 127 bits: as it was
    const Index x("x"), most(INT64_MAX);
    for (const Index &wide :
         {most + Index(1), x + most + most, x - most - Index(2), x * most + x, Index(0) - x * most - x * Index(2)}) {
        EXPECT_TRUE(simplified(wide) == wide) << to_text(wide) << " has a number beyond 64 bits";
    }
}

TEST(Prover, PiecesOfFusedLoops) {
    const Facts facts = {le(0, "x"), lt("x", "n"), le(0, "y"), lt("y", "m")};
    const Index x = "x", y = "y";
    const Index fused = y % Index(4) * Index(6) + x % Index(6);
    const Index again = fused / Index(8) * Index(8) + fused % Index(8);
    EXPECT_TRUE(find_witness(facts, eq(again, fused)));
    EXPECT_TRUE(find_witness(facts, in_range(fused / Index(8), 3)));
    EXPECT_TRUE(find_witness(facts, eq(fused / Index(6), y % Index(4))));
    EXPECT_TRUE(find_witness(facts, eq(again / Index(6), y % Index(4))));
    EXPECT_TRUE(find_witness(facts, eq(x / Index(6) * Index(6) + again % Index(6), x)));
    EXPECT_TRUE(find_witness(facts, eq(y / Index(4) * Index(4) + again / Index(6), y)));
    std::vector<Condition> left;
    const Condition all = both(lt(x / Index(6) * Index(6) + again % Index(6), "n"),
                               both(eq(x / Index(6) * Index(6) + again % Index(6), x), Condition{}));
    EXPECT_FALSE(find_witness(facts, all));
    EXPECT_TRUE(find_witness_in_turn(facts, all, left)); // the second part is needed for the first
}

} // namespace
} // namespace fluorite::verify::prover_test
