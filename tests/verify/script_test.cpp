// Derivations by hand, as texts: the examples of the literature, each accepted by the checker.

#include "test_checker.h"
#include "tools/certify/scripts.h"
#include "verify/rewrite/script.h"

#include <gtest/gtest.h>

namespace fluorite::verify::script_test {
namespace {

ScriptResult run(const std::string &script) {
    ScriptResult result = run_script(script);
    EXPECT_EQ(result.error, "") << (result.programs.empty() ? "" : result.programs.back());
    return result;
}
std::string one_line(const std::string &program) { return to_text(parse_term(program)); }
// What the checker says after "accepted: ", up to the steps.
std::string verdict(const std::string &certificate) {
    std::string said = check(certificate);
    return said.substr(0, said.find("; reads"));
}

TEST(Script, FusesTwoStages) {
    ScriptResult result = run(R"(
        (facts (<= 1 n))
        (inputs (input (+ n 2)))
        (program (let pairs (gen x (+ n 1) (op2 add (get input x) (get input (+ x 1))))
                   (gen y n (op2 add (get pairs y) (get pairs (+ y 1))))))
        reschedule
        inline pairs
        done
    )");
    EXPECT_EQ(one_line(result.programs.back()),
              "(gen y n (op2 add (op2 add (get input y) (get input (+ y 1))) (op2 add (get input (+ y 1)) "
              "(get input (+ (+ y 1) 1)))))");
    EXPECT_TRUE(is_accepted(result.certificate));
}

TEST(Script, TilesAndBindsATile) {
    ScriptResult result = run(R"(
        (facts (<= 1 n))
        (inputs (f n))
        (program (let buf (gen i n (get f i))
                   (gen i n (op2 add (if (<= 0 (- i 1)) (get buf (- i 1)) 0) (get buf i)))))
        reschedule
        inline buf
        rw (reindex ((io (/ (+ n 7) 8)) (ii 8)) ((+ (* io 8) ii)) ((/ i 8) (% i 8)) (< (+ (* io 8) ii) n)) around i
        rw (mark_loop vector) around ii
        rw (mark_loop parallel) around io
        done
    )");
    EXPECT_TRUE(is_accepted(result.certificate));
    EXPECT_NE(result.programs.back().find("(mark vector"), std::string::npos);
}

TEST(Script, SimplifiesGuards) {
    ScriptResult result = run(R"(
        (inputs (a 10))
        (program (gen x 9 (if (<= 0 (+ x 1)) (if (< x 0) (unit one) (get a (+ x 1))) 0)))
        reschedule
        simpl_guard
        done
    )");
    EXPECT_EQ(one_line(result.programs.back()), "(gen x 9 (get a (+ x 1)))");
    EXPECT_TRUE(is_accepted(result.certificate));
}

// What stores an element is known of nests of loops only: about other targets, a certificate claims less.
TEST(Script, ClaimsNoStoresOfWhatIsNoNest) {
    const auto after = [](const std::string &command) {
        return run("(inputs (a 32))\n(program (gen x 32 (get a x)))\nreschedule\n"
                   "rw (reindex ((o 4) (i 8)) ((+ (* o 8) i)) ((/ x 8) (% x 8)) true) around x\n" +
                   command + "\ndone");
    };
    EXPECT_NE(after("").certificate.find("target_stores"), std::string::npos);
    EXPECT_NE(after("rw (mark_loop vector) around i").certificate.find("target_stores"), std::string::npos);
    const ScriptResult chosen = after("rw (if_introduce (< 2 3)) at 0");
    EXPECT_EQ(chosen.certificate.find("target_stores"), std::string::npos);
    EXPECT_TRUE(is_accepted(chosen.certificate));
}

// A convolution as a matrix product: the reads at an offset become a tensor of their own.
TEST(Script, TurnsAConvolutionIntoAMatrixProduct) {
    ScriptResult result = run(certify_tool::im2col_script);
    EXPECT_EQ(
        one_line(result.programs.back()),
        "(let a (gen n B (gen p W (gen c C (gen r R (get x n c (+ p r)))))) (gen n B (gen k K (gen p W (fold add c C "
        "(fold add r R (op2 mul (get w k c r) (get a n p c r))))))))");
    EXPECT_EQ(result.programs.size(), 7u);
    EXPECT_TRUE(is_accepted(result.certificate)); // without a law: bit for bit
}

TEST(Script, TurnsAScatterIntoAGather) {
    ScriptResult result = run(certify_tool::scatter_to_gather_script);
    EXPECT_EQ(one_line(result.programs.back()),
              "(gen n B (gen k K (gen p W (fold add c C (fold add r R (if (and (<= 0 (+ p r)) (< (+ p r) W)) "
              "(op2 mul (get x n c (+ p r)) (get w k c r)) (unit add)))))))");
    if (!checker_path().empty()) {
        EXPECT_EQ(
            verdict(result.certificate),
            "accepted: equal up to reassociation (annihilates_right mul, assoc add, comm add, null_null add, unit_left "
            "add, unit_null add)");
    }
}

TEST(Script, FactorsASeparableFilter) {
    ScriptResult result = run(certify_tool::separable_filter_script);
    EXPECT_EQ(one_line(result.programs.back()),
              "(let rows (gen v (+ H 2) (gen u W (fold add j 3 (op2 mul (get b j) (get in v (+ u j)))))) (gen y H "
              "(gen x W (fold add i 3 (op2 mul (get a i) (get rows (+ y i) x))))))");
    if (!checker_path().empty()) {
        EXPECT_EQ(verdict(result.certificate),
                  "accepted: equal up to reassociation (annihilates_right mul, distributes mul add, unit_null add)");
    }
}
TEST(Script, ExchangesLoopsOfAnUpdate) {
    ScriptResult result = run(R"(
        (inputs (w 4 5))
        (program (iter t x 5 (unit c) (iter t y 4 t (op2 add t (get w y x)))))
        reschedule
        rw iter_swap
        done
    )");
    EXPECT_EQ(one_line(result.programs.back()), "(iter t y 4 (unit c) (iter t x 5 t (op2 add t (get w y x))))");
    if (!checker_path().empty()) {
        EXPECT_EQ(verdict(result.certificate), "accepted: equal up to reassociation (assoc add, comm add)");
    }
    for (const char *step : {"(op2 add t t)", "(op2 sub (op2 add t 1) (get w y x))", "(op1 f t)", "(get w y x)"}) {
        EXPECT_EQ(run_script(std::string("(inputs (w 4 5))\n(program (iter t x 5 (unit c) (iter t y 4 t ") + step +
                             ")))\nreschedule\nrw iter_swap\ndone")
                      .error,
                  "4:1: the rule iter_swap applies nowhere, or no witness of its side condition is found");
    }
}

TEST(Script, SaysWhatIsWrongAndWhere) {
    auto error = [](const std::string &commands) {
        return run_script("(facts (<= 1 n))\n(program (let t (gen x n x_at) (gen y n (get t y))))\nreschedule\n" +
                          commands)
            .error;
    };
    EXPECT_EQ(error("done"), "");
    EXPECT_EQ(error(""), "4:1: the script ends without 'done'");
    EXPECT_EQ(error("done\ninline t"), "5:1: there is a command after 'done'");
    EXPECT_EQ(error("inline u"), "4:1: there is no binding 'u'");
    EXPECT_EQ(error("rw shuffle"), "4:4: there is no rule 'shuffle' with these operands in scripts");
    EXPECT_EQ(error("rw get_gen"),
              "4:1: the rule get_gen applies nowhere, or no witness of its side condition is found");
    EXPECT_EQ(error("rw get_gen at 1"),
              "4:1: the rule get_gen does not apply there, or no witness of its side condition is found");
    EXPECT_EQ(error("rw get_gen at 1 1 1 1"),
              "4:1: the rule get_gen does not apply there, or no witness of its side condition is found");
    EXPECT_EQ(error("rw get_gen around z"), "4:1: there is no loop or binding 'z'");
    EXPECT_EQ(error("rw get_gen near y"), "4:1: 'at PATH' or 'around NAME' is expected here, not 'near'");
    EXPECT_EQ(error("rw back let_inline at 0"), "4:1: 'to PROGRAM' is expected after the rule");
    EXPECT_EQ(error("inline (t"), "4:8: the text ends before this parenthesis is closed");
    EXPECT_EQ(error("fuse x y"),
              "4:1: there is no command 'fuse' with 2 operands; there are inline NAME, rw RULE [at PATH | "
              "around NAME], rw back RULE to PROGRAM at PATH, simpl_guard and done");
    EXPECT_EQ(error("rw back"), "4:1: a rule is expected after 'rw back'");
    EXPECT_EQ(error("rw (rename_loop 3) around y"), "4:17: a name is expected here, not '3'");
    EXPECT_EQ(run_script("(program (gen x n (get a x)))\nreschedule\nrw back let_inline to (let b (get a x) (op1 f b)) "
                         "at 0\ndone")
                  .error,
              "3:1: the rule let_inline turns this program into (op1 f (get a x)), which is not what stands there");
    EXPECT_EQ(run_script("(facts)\n(facts (<= 1 n))\n(program 0)\nreschedule\ndone").error,
              "2:1: there is a (facts ...) already");
    EXPECT_EQ(error("rw back let_inline to 3"), "4:1: 'at PATH' is expected after the program");
    EXPECT_EQ(run_script("(size 3)\n(program 0)\nreschedule\ndone").error,
              "1:1: (facts ...), (inputs ...) or (program P) is expected here");
    EXPECT_EQ(run_script("(program 0 1)\nreschedule\ndone").error,
              "1:1: (facts ...), (inputs ...) or (program P) is expected here");
    EXPECT_EQ(run_script("(program (let t (gen z n (get a x)) (gen x n (get t x))))\nreschedule\ninline t\ndone").error,
              "3:1: inlining 't' would capture a name");
    EXPECT_EQ(run_script("(program (let t (gen x n (fold f y m (get a x y))) (gen y n (get t y))))\nreschedule\n"
                         "inline t\ndone")
                  .error,
              "3:1: an access of 't' would capture a name");
    EXPECT_EQ(run_script("(program (gen y n (gen x m (op1 f 0))))\nreschedule\n"
                         "rw (reindex ((x m) (z n)) (z x) (x y) true) around y\ndone")
                  .error,
              "3:1: the new loop 'x' has the name of one of the old ones; new loops have names of their own");
    EXPECT_EQ(run_script("(inputs (a n) (a 3))\n(program 0)\nreschedule\ndone").error,
              "1:15: the input 'a' has extents already");
    EXPECT_EQ(run_script("(program 0)").error, "1:1: there is no line 'reschedule'");
    EXPECT_EQ(run_script("(program (gen x))\nreschedule\ndone").error,
              "1:10: a program is expected here, not '(gen ...)'");
    EXPECT_EQ(run_script("reschedule\ndone").error, "1:1: there is no (program P)");
}

} // namespace
} // namespace fluorite::verify::script_test
