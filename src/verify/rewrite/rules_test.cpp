// Rules of derivations by their texts: what each makes of a program, and that it leaves alone what only looks like its
// pattern.

#include "verify/rewrite/script.h"

#include <gtest/gtest.h>

namespace fluorite::verify::rules_test {
namespace {

struct Case {
    const char *rule, *before;
    const char *after; // "": the rule does not apply
};

const Case cases[] = {
    {"let_swap", "(let t a (let u b (op2 f t u)))", "(let u b (let t a (op2 f t u)))"},
    {"let_swap", "(let t a (let u (op1 g t) u))", ""},
    {"(let_lift 0)", "(op2 f (let t a t) b)", "(let t a (op2 f t b))"},
    {"(let_lift 1)", "(op2 f (let t a t) b)", ""},
    {"(let_lift 0)", "(op2 f (let t a t) t)", ""}, // captures the other t
    {"let_lift_gen", "(fold f x n (let t a t))", ""},
    {"let_lift_fold", "(gen x n (let t a t))", ""},
    {"let_lift_fold", "(fold f x n (let t (get a x) (op1 g t)))",
     "(let t (gen x n (get a x)) (fold f x n (op1 g (get t x))))"},
    {"let_lift_invariant", "(fold f x n (let t a (get t x)))", "(let t a (fold f x n (get t x)))"},
    {"if_same", "(if (< x n) a a)", "a"},
    {"if_same", "(if (< x n) a b)", ""},
    {"(if_introduce (< x n))", "a", "(if (< x n) a a)"},
    {"(if_equiv (< x 4))", "(if (<= x 3) a b)", "(if (< x 4) a b)"},
    {"(if_equiv (< x 5))", "(if (<= x 3) a b)", ""},
    {"(if_equiv (< x 3))", "(if (<= x 3) a b)", ""},
    {"if_iter", "(if (< k 3) (iter t r n a (op2 f t r0)) b)",
     "(iter t r n (if (< k 3) a b) (if (< k 3) (op2 f t r0) t))"},
    {"if_iter", "(if (< r 3) (iter t r n a (op2 f t r0)) b)", ""},
    {"guard_annihilates_right", "(op2 f a (if (< x 3) b c))", ""},
    {"guard_annihilates_right", "(op3 f a (if (< x 3) b 0) c)", ""},
    {"fold_gen", "(fold f r n (gen x r a))", ""},
    {"fold_gen", "(fold f x n (gen x m a))", ""},
    {"fold_gen", "(fold f r x (gen x m a))", ""},
    {"fold_swap", "(fold f r n (fold f s r a))", ""},
    {"fold_swap", "(fold f r s (fold f s m a))", ""},
    {"fold_swap", "(fold f r n (fold f r m a))", ""},
    {"(fold_tile 4 8 o i)", "(fold f r 32 (get a r))", "(fold f o 4 (fold f i 8 (get a (+ (* o 8) i))))"},
    {"(fold_tile 4 8 o i)", "(fold f r 31 (get a r))", ""},
    {"(fold_tile 4 8 o i)", "(fold f r 32 (op2 g (get a r) (get b o)))", ""},
    {"(fold_tile 4 8 o i)", "(fold f r 32 (op2 g (get a r) (get b i)))", ""},
    {"(fold_tile 4 8 o o)", "(fold f r 32 (get a r))", ""},
    {"(fold_tile 4 8 o i)", "(iter t r 32 b (op2 f t (get a r)))", ""},
    {"(fold_tile_guarded 4 8 o i)", "(fold f r 30 (get a r))",
     "(fold f o 4 (fold f i 8 (if (< (+ (* o 8) i) 30) (get a (+ (* o 8) i)) (unit f))))"},
    {"(fold_tile_guarded 4 8 o i)", "(fold f r 33 (get a r))", ""},
    {"(iter_tile 4 8 o i)", "(iter t r 32 b (op2 f t (get a r)))",
     "(iter t o 4 b (iter t i 8 t (op2 f t (get a (+ (* o 8) i)))))"},
    {"(iter_tile 4 8 o i)", "(iter t r 31 b (op2 f t (get a r)))", ""},
    {"(iter_tile 4 8 o i)", "(iter t r 32 b (op2 f t (op2 g (get a r) (fold h o 3 r))))", ""},
    {"(iter_tile_guarded 4 8 o i)", "(iter t r 30 b (op2 f t (get a r)))",
     "(iter t o 4 b (iter t i 8 t (if (< (+ (* o 8) i) 30) (op2 f t (get a (+ (* o 8) i))) t)))"},
    {"(iter_tile_guarded 4 8 o i)", "(iter t r 33 b (op2 f t (get a r)))", ""},
    {"fold_op", "(fold f r n (op2 f (get a r) b))", "(op2 f (fold f r n (get a r)) (fold f r n b))"},
    {"fold_op", "(fold f r n (op2 g (get a r) b))", ""},
    {"fold_op", "(fold f r n (op1 f (get a r)))", ""},
    {"op_comm", "(op2 f a b)", "(op2 f b a)"},
    {"op_comm", "(op3 f a b c)", ""},
    {"op_assoc", "(op2 f a (op2 f b c))", "(op2 f (op2 f a b) c)"},
    {"op_assoc", "(op2 f a (op2 g b c))", ""},
    {"op_assoc", "(op2 f (op2 f a b) c)", ""},
    {"op_assoc", "(op2 f a (op1 f b))", ""},
    {"unit_left", "(op2 f (unit f) a)", "a"},
    {"unit_left", "(op2 f (unit g) a)", ""},
    {"unit_left", "(op2 f a (unit f))", ""},
    {"unit_null", "(unit f)", "0"},
    {"unit_null", "0", ""},
    {"fold_indicator", "(fold f r n (if (= r k) a (unit g)))", ""},
    {"fold_indicator", "(fold f r n (if (= k r) a (unit f)))", ""},
    {"fold_indicator", "(fold f r n (if (= r (+ r k)) a (unit f)))", ""},
    {"fold_indicator", "(fold f r n (if (< r k) a (unit f)))", ""},
    {"fold_factor", "(fold f r n (op2 g b (get a r)))", "(op2 g b (fold f r n (get a r)))"},
    {"fold_factor", "(fold f r n (op2 g (get a r) b))", ""},
    {"iter_gen", "(gen x m (iter t r n (get b x) (op2 f t (get a r x))))",
     "(iter t r n (gen x m (get b x)) (gen x m (op2 f (get t x) (get a r x))))"},
    {"iter_gen", "(gen x m (iter t x n b (op2 f t a)))", ""},
    {"iter_gen", "(gen x m (iter t r x b (op2 f t a)))", ""},
    {"iter_gen", "(gen x r (iter t r n b (op2 f t a)))", ""},
    {"iter_swap", "(iter t x 5 b (iter t y x t (op2 f t (get w y x))))", ""},
    {"iter_swap", "(iter t x y b (iter t y 4 t (op2 f t (get w y x))))", ""},
    {"iter_swap", "(iter t x 5 b (iter t x 4 t (op2 f t (get w x x))))", ""},
    {"iter_swap", "(iter t x 5 b (iter u y 4 t (op2 f u (get w y x))))", ""},
    {"iter_swap", "(iter t x 5 b (iter t y 4 b (op2 f t (get w y x))))", ""},
    {"iter_factor", "(iter t r n b (op2 f t (get a r)))", "(op2 f b (iter t r n (unit f) (op2 f t (get a r))))"},
    {"iter_factor", "(iter t r n b (op2 f (get a r) t))", "(op2 f b (iter t r n (unit f) (op2 f (get a r) t)))"},
    {"iter_factor", "(iter t r n b (if (< r k) (op2 f t (get a r)) t))",
     "(op2 f b (iter t r n (unit f) (if (< r k) (op2 f t (get a r)) t)))"},
    {"iter_factor", "(iter t r n b (if (< r k) (op2 f t (get a r)) b))", ""},
    {"iter_factor", "(iter t r n (op2 f t (get a r)) (get a r))", ""}, // the start is no step
    {"iter_factor", "(iter t r n b (op2 f t t))", ""},
    {"iter_factor", "(iter t r n b (op2 f t (let u t u)))", ""},
    {"iter_factor", "(iter t r n b (op1 f t))", ""},
    {"iter_factor", "(fold f r n (get a r))", ""},
    {"(mark_reduction parallel)", "(iter t r n b (op2 f t (get a r)))",
     "(mark parallel (iter t r n b (op2 f t (get a r))))"},
    {"(mark_reduction vector)", "(iter t r n b (op2 f t (get a r)))", ""},
    {"(mark_reduction vector)", "(iter t r 8 b (op2 f t (get a r)))",
     "(mark vector (iter t r 8 b (op2 f t (get a r))))"},
    {"(mark_reduction vector)", "(iter t r 0 b (op2 f t (get a r)))", ""},
    {"(mark_reduction vector)", "(iter t r 8 b (op2 f (op1 g t) (get a r)))", ""},
    {"(mark_loop parallel)", "(gen x n a)", "(mark parallel (gen x n a))"},
    {"(mark_loop unroll)", "(fold f x 4 a)", "(mark unroll (fold f x 4 a))"},
    {"(mark_loop unroll)", "(iter t x 4 b a)", "(mark unroll (iter t x 4 b a))"},
    {"(mark_loop unroll)", "(fold f x n a)", ""},
    {"(mark_loop unroll)", "(gen x 0 a)", ""},
    {"(mark_loop parallel)", "(fold f x 4 a)", ""},
    {"(mark_loop vector)", "(iter t x 4 b a)", ""},
    {"(mark_loop vector)", "(op1 f a)", ""},
    {"unmark", "(mark vector (gen x 8 a))", "(gen x 8 a)"},
    {"unmark", "(gen x 8 a)", ""},
    {"(rename_loop z)", "(fold f x n (get a x))", "(fold f z n (get a z))"},
    {"(rename_loop z)", "(fold f x n (get a z))", ""},
    {"(rename_loop z)", "(iter t x n b (get a x))", ""},
    {"(seq unmark op_comm)", "(mark parallel (op2 f a b))", "(op2 f b a)"},
    {"(seq op_comm unmark)", "(op2 f a b)", ""},
    {"(at (0 1) op_comm)", "(op1 h (op2 g c (op2 f a b)))", "(op1 h (op2 g c (op2 f b a)))"},
    {"(at (0 2) op_comm)", "(op1 h (op2 g c (op2 f a b)))", ""},
    {"(at (1) if_true)", "(let t a (if (< 2 3) b c))", "(let t a b)"},
    {"(reindex ((o 4) (i 8)) ((+ (* o 8) i)) ((/ x 8) (% x 8)) true)", "(gen x 32 (get a x))",
     "(reindex ((x 32)) ((/ x 8) (% x 8)) (gen o 4 (gen i 8 (get a (+ (* o 8) i)))))"},
};

TEST(RulesByText, MakeWhatTheySay) {
    for (const Case &each : cases) {
        SCOPED_TRACE(std::string(each.rule) + " of " + each.before);
        Derivation derivation(parse_term(each.before), {});
        const bool applies = derivation.apply({}, to_rule(parse_expressions(each.rule).at(0)));
        EXPECT_EQ(applies ? to_text(derivation.program()) : "", each.after);
        EXPECT_EQ(derivation.steps().size(), applies ? 1U : 0U);
    }
}

TEST(RulesByText, AreRefusedWithAPlace) {
    const auto refusal = [](const std::string &rule) -> std::string {
        try {
            (void)to_rule(parse_expressions(rule).at(0));
        } catch (const ParseError &error) {
            return error.what();
        }
        return "none";
    };
    const std::string none = "' with these operands in scripts";
    for (const char *rule :
         {"let_lift", "(let_lift 3)", "(let_lift n)", "(seq op_comm)", "(at (0))", "(fold_tile 4 8 o)",
          "(fold_tile 4 8 (o) i)", "(fold_tile 4 8 o (i))", "(tile 4 8 o i)", "(if_introduce)",
          "(mark_reduction unroll)", "(mark_reduction)", "(mark_loop fast)", "(mark_loop)", "(if_equiv)",
          "(rename_loop)", "(rename_loop (x))", "(reindex ((o 4)) (o) (x))", "shuffle"}) {
        const std::vector<Expression> read = parse_expressions(rule);
        const std::string name = read[0].is_word() ? read[0].word : read[0].items[0].word;
        EXPECT_EQ(refusal(rule), "1:1: there is no rule '" + name + none) << rule;
    }
    EXPECT_EQ(refusal("(at (0 3) op_comm)"), "1:8: a path consists of numbers from 0 to 2");
    EXPECT_EQ(refusal("(at (x) op_comm)"), "1:6: a path consists of numbers from 0 to 2");
    EXPECT_EQ(refusal("(reindex ((o)) (o) (x) true)"),
              "1:11: a loop, which is a name and its extent, is expected here");
    EXPECT_EQ(refusal("(reindex ((o 4) (i 8)) (o) (x) true)"),
              "1:1: there are as many loops as indices that say where an element is computed");
}

} // namespace
} // namespace fluorite::verify::rules_test
