#include "verify/terms/term.h"

#include "verify/rewrite/rewriter.h"
#include "verify/terms/parse.h"

#include <gtest/gtest.h>

namespace fluorite::verify::term_test {
namespace {

TEST(TermText, IsReadBack) {
    for (const char *text :
         {"12", "-3", "t", "(unit add)", "(gen x (+ n 1) (get t x (- x 1)))", "(fold add r 5 (op2 mul (get a r) b))",
          "(if (and (<= 0 x) (not (= x n))) 1 0)", "(let t (op1 neg a) (op3 select t a b))",
          "(get (gen x n (get t x)) 3)",
          "(reindex ((x n) (y m)) ((/ x 8) y (% x 8)) (gen xo 4 (gen y m (gen xi 8 0))))",
          "(mark vector (gen x 8 (mark parallel 1)))", "(iter t r n 0 (op2 add t (get a (min r (max 0 k)))))"}) {
        EXPECT_EQ(to_text(parse_term(text)), text);
        EXPECT_TRUE(parse_term(text) == parse_term(pretty(text, 3, 20))) << pretty(text, 3, 20);
    }
}
TEST(TermText, IsRefusedWithAPlace) {
    auto refusal = [](const std::string &text) -> std::string {
        try {
            parse_term(text);
        } catch (const ParseError &error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_EQ(refusal(""), "1:1: one expression is expected here, not 0");
    EXPECT_EQ(refusal("(gen x"), "1:1: the text ends before this parenthesis is closed");
    EXPECT_EQ(refusal("(gen x\n n)"), "1:1: a program is expected here, not '(gen ...)'");
    EXPECT_EQ(refusal("(gen 3 n 0)"), "1:6: a name is expected here, not '3'");
    EXPECT_EQ(refusal("(get t\n  (pow x 2))"),
              "2:3: an index expression of at most 63 bits is expected here, not '(pow ...)'");
    EXPECT_EQ(refusal("(get t\n  (^ x 2))"), "2:4: a character that occurs in no term");
    EXPECT_EQ(refusal("(get t 99999999999999999999)"),
              "1:8: an index expression of at most 63 bits is expected here, not '99999999999999999999'");
    EXPECT_EQ(refusal("(mark fast t)"), "1:7: parallel, vector or unroll is expected here, not 'fast'");
    EXPECT_EQ(refusal(std::string(1001, '(')), "1:1001: parentheses are nested more than 1000 deep");
    EXPECT_EQ(refusal("t)"), "1:2: this parenthesis closes none");
}

TEST(Substitution, RefusesCapture) {
    auto index = [](const char *term, const char *value) {
        std::optional<Term> result = substitute(parse_term(term), "x", parse_index(value));
        return result ? to_text(*result) : "captured";
    };
    EXPECT_EQ(index("(get t (+ x 1))", "(* y 2)"), "(get t (+ (* y 2) 1))");
    EXPECT_EQ(index("(gen x n (get t x))", "5"), "(gen x n (get t x))");
    EXPECT_EQ(index("(gen y x (get t x))", "5"), "(gen y 5 (get t 5))");
    EXPECT_EQ(index("(gen y n (get t x))", "(+ y 1)"), "captured");
    EXPECT_EQ(index("(gen y n 0)", "(+ y 1)"), "captured"); // as the checker does
    EXPECT_EQ(index("(reindex ((y n)) ((+ x y)) t)", "3"), "(reindex ((y n)) ((+ 3 y)) t)");
    EXPECT_EQ(index("(reindex ((y n)) ((+ x y)) t)", "y"), "captured");
    EXPECT_EQ(index("(iter t y n (get a x) (get b x))", "y"), "captured");
    auto tensor = [](const char *term, const char *value) {
        std::optional<Term> result = substitute_tensor(parse_term(term), "t", parse_term(value));
        return result ? to_text(*result) : "captured";
    };
    EXPECT_EQ(tensor("(op2 add t (let t a t))", "b"), "(op2 add b (let t a t))");
    EXPECT_EQ(tensor("(let u a (op1 f t))", "u"), "captured");
    EXPECT_EQ(tensor("(gen x n (get t x))", "(get a x)"), "captured");
}

// The program after the rule at the path, or "" where it does not apply.
std::string rewritten(const char *program, const Path &path, const Rule &rule, const Facts &facts = {}) {
    Derivation derivation(parse_term(program), facts);
    return derivation.apply(path, rule) ? to_text(derivation.program()) : "";
}

TEST(Rules, AreApplied) {
    EXPECT_EQ(rewritten("(let t (gen x n a) (get t 3))", {}, let_inline()), "(get (gen x n a) 3)");
    EXPECT_EQ(rewritten("(let t a b)", {}, let_dead()), "b");
    EXPECT_EQ(rewritten("(let t a t)", {}, let_dead()), "");
    EXPECT_EQ(rewritten("(let t (let u a u) t)", {}, let_flatten()), "(let u a (let t u t))");
    EXPECT_EQ(rewritten("(op2 add a (let t b t))", {}, let_lift(1)), "(let t b (op2 add a t))");
    EXPECT_EQ(rewritten("(gen x n (let t (get a x) t))", {}, let_lift_gen()),
              "(let t (gen x n (get a x)) (gen x n (get t x)))");
    EXPECT_EQ(rewritten("(fold add x n (let t (get a x) t))", {}, let_lift_fold()),
              "(let t (gen x n (get a x)) (fold add x n (get t x)))");
    EXPECT_EQ(rewritten("(gen x n (let t a (get t x)))", {}, let_lift_invariant()), "(let t a (gen x n (get t x)))");
    EXPECT_EQ(rewritten("(gen x n (let t (get a x) t))", {}, let_lift_invariant()), "");
    EXPECT_EQ(rewritten("(gen y n (get (gen x n (get a x)) y))", {0}, get_gen()), "(gen y n (get a y))");
    EXPECT_EQ(rewritten("(gen y n (get (gen x n (get a x)) (+ y 1)))", {0}, get_gen()), "");
    EXPECT_EQ(rewritten("(get (gen x n (get a x)) y)", {}, get_gen_guard()), "(if (and (<= 0 y) (< y n)) (get a y) 0)");
    EXPECT_EQ(rewritten("(get (if (< x 3) a 0) 1)", {}, get_if()), "(if (< x 3) (get a 1) (get 0 1))");
    EXPECT_EQ(rewritten("(get (op2 add a 0) 1)", {}, get_op()), "(op2 add (get a 1) (get 0 1))");
    EXPECT_EQ(rewritten("(gen x 5 (if (< x 5) a b))", {0}, if_true()), "(gen x 5 a)");
    EXPECT_EQ(rewritten("(gen x 5 (if (< x 0) a b))", {0}, if_false()), "(gen x 5 b)");
    EXPECT_EQ(rewritten("(gen x 5 (if (< x 4) a b))", {0}, if_true()), "");
    EXPECT_EQ(rewritten("(if (= r (- i p)) a b)", {}, if_equiv(parse_condition("(= i (+ p r))"))),
              "(if (= i (+ p r)) a b)");
    EXPECT_EQ(rewritten("(op2 mul a (if (< x 3) b 0))", {}, guard_annihilates_right()), "(if (< x 3) (op2 mul a b) 0)");
    EXPECT_EQ(rewritten("(fold add r n (gen x m (get a r x)))", {}, fold_gen()),
              "(gen x m (fold add r n (get a r x)))");
    EXPECT_EQ(rewritten("(fold add r n (fold add s m (get a r s)))", {}, fold_swap()),
              "(fold add s m (fold add r n (get a r s)))");
    EXPECT_EQ(rewritten("(fold add r n (fold max s m (get a r s)))", {}, fold_swap()), "");
    EXPECT_EQ(rewritten("(fold add r n (if (= r k) (get a r) (unit add)))", {}, fold_indicator()),
              "(if (and (<= 0 k) (< k n)) (get a k) (unit add))");
    EXPECT_EQ(rewritten("(gen x 8 a)", {}, mark_loop(Term::Mark::Vector)), "(mark vector (gen x 8 a))");
    EXPECT_EQ(rewritten("(gen x n a)", {}, mark_loop(Term::Mark::Vector)), "");
    EXPECT_EQ(rewritten("(gen x n (get a x))", {}, rename_loop("z")), "(gen z n (get a z))");
    EXPECT_EQ(rewritten("(gen x n (gen z n (get a x)))", {}, rename_loop("z")), "");
}
TEST(Rules, NewLoopsComputeEveryElement) {
    NewLoops split{
        {{"xo", Index(4)}, {"xi", Index(8)}}, {Index("xo") * 8 + "xi"}, {Index("x") / 8, Index("x") % 8}, {}};
    EXPECT_EQ(rewritten("(gen x 32 (get a x))", {}, reindex(split)),
              "(reindex ((x 32)) ((/ x 8) (% x 8)) (gen xo 4 (gen xi 8 (get a (+ (* xo 8) xi)))))");
    EXPECT_EQ(rewritten("(gen x 33 (get a x))", {}, reindex(split)), ""); // one is left out
    split.at = {Index("xo") * 8 + "xi" + 1};
    EXPECT_EQ(rewritten("(gen x 32 (get a x))", {}, reindex(split)), ""); // another is computed
    split.at = {Index("xo") * 8 + "xi"};
    split.guard = lt(split.at[0], 31);
    EXPECT_EQ(rewritten("(gen x 32 (get a x))", {}, reindex(split)), ""); // the guard leaves one out
    EXPECT_NE(rewritten("(gen x 31 (get a x))", {}, reindex(split)), "");
}

} // namespace
} // namespace fluorite::verify::term_test
