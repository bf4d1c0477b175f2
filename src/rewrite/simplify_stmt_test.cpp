// simplify() on statements, as text before and after.

#include "rewrite/simplify.h"

#include "ir/parse.h"
#include "ir/print.h"

#include <gtest/gtest.h>

namespace simplify_stmt_test {

using namespace fluorite;
using namespace fluorite::ir;

namespace {

void expect_simple(const char *before, const char *after) {
    const Stmt result = rewrite::simplify(parse_stmt(before));
    EXPECT_EQ(result.defined() ? to_text(result) : "", to_text(parse_stmt(after))) << before;
    EXPECT_TRUE(equal(rewrite::simplify(result), result)) << "not a fixed point:\n" << result;
}

void expect_nothing(const char *before) {
    const Stmt result = rewrite::simplify(parse_stmt(before));
    EXPECT_FALSE(result.defined()) << result;
}

TEST(SimplifyStmt, LoopOfOneIterationIsItsBody) {
    expect_simple("for x in [n + 1, +1) { f[x] = 3 }", "f[n + 1] = 3");
    expect_simple("for x in [0, +n - n + 1) { f[x * 4 + 2] = 3 }", "f[2] = 3");
}

TEST(SimplifyStmt, EmptyLoopsGo) {
    expect_nothing("for x in [0, +0) { f[x] = 3 }");
    expect_nothing("for x in [0, +n - n - 2) { f[x] = 3 }");
    expect_nothing("for x in [0, +n) { if false { f[x] = 3 } }");
}

TEST(SimplifyStmt, LoopRangesDecideConditions) {
    expect_simple("for x in [0, +10) { if x < 10 { f[x] = 3 } }", "for x in [0, +10) { f[x] = 3 }");
    expect_simple("for x in [a, +n) { if x < a + n { f[x] = 3 } }", "for x in [a, +n) { f[x] = 3 }");
    expect_simple("for x in [0, +n) { f[max(min(x, n - 1), 0)] = 3 }", "for x in [0, +n) { f[x] = 3 }");
    expect_simple("for x in [0, +8) { f[x / 8 + x % 8] = 3 }", "for x in [0, +8) { f[x] = 3 }");
    expect_simple("for xo in [0, +n / 8) { for xi in [0, +8) { if xo * 8 + xi < n { f[xi] = 3 } } }",
                  "for xo in [0, +n / 8) { for xi in [0, +8) { f[xi] = 3 } }");
}

TEST(SimplifyStmt, BranchesKnowTheirCondition) {
    expect_simple("if x < n { f[min(x, n)] = 1 } else { f[min(x, n)] = 2 }", "if x < n { f[x] = 1 } else { f[n] = 2 }");
    expect_simple("if x < n { if x < n + 1 { f[x] = 1 } }", "if x < n { f[x] = 1 }");
    expect_simple("if x < n { if false { f[x] = 1 } } else { f[x] = 2 }", "if n <= x { f[x] = 2 }");
    expect_simple("if 3 < 5 { f[x] = 1 } else { f[x] = 2 }", "f[x] = 1");
}

TEST(SimplifyStmt, AssertionsHoldAfterwards) {
    const std::string first = "assert a < 5 else extern fail():int32\n",
                      second = "assert 4 <= x else extern fail():int32\n";
    const auto simple = [](const std::string &before, const std::string &after) {
        expect_simple(before.c_str(), after.c_str());
    };
    simple(first + second + "if 3 <= x { f[x] = 1 }\nif a < 6 { g[x] = 1 }", first + second + "f[x] = 1\ng[x] = 1");
    simple(second + first + "if 3 <= x { f[x] = 1 }\nif a < 6 { g[x] = 1 }", second + first + "f[x] = 1\ng[x] = 1");
    for (const std::string &same :
         {"if 3 <= x { f[x] = 1 }\n" + second, "if n < 0 { " + second + " }\nif 3 <= x { f[x] = 1 }"}) {
        simple(same, same); // only afterwards
    }
    // Nothing is executed after one that fails.
    const std::string never = "assert false else extern fail():int32\n";
    simple(first + never + "f[x] = 1", first + never);
    simple("f[x] = 1\n" + never + "f[x] = 2", "f[x] = 1\n" + never);
}

TEST(SimplifyStmt, MemoryMayChangeInsideABranch) {
    const char *text = "if f[0]:int32 < n { f[0] = n\nif f[0] < n { g[0] = 1 } }";
    expect_simple(text, text);
    expect_simple("if f[0]:int32 < n && x < n { f[0] = n\nif x < n { g[0] = 1 } }",
                  "if f[0]:int32 < n && x < n { f[0] = n\ng[0] = 1 }");
}

TEST(SimplifyStmt, DivisionsKnowTheFactorsOfLets) {
    expect_simple("let b = x * 32\nf[ramp(b, 1, 16) % broadcast(32, 16)] = g[ramp(b, 1, 16)]:int32x16",
                  "let b = x * 32\nf[ramp(0, 1, 16)] = g[ramp(b, 1, 16)]:int32x16");
    expect_simple("let b = x * 32\nf[ramp(b + 16, 1, 16) / broadcast(32, 16)] = g[ramp(b, 1, 16)]:int32x16",
                  "let b = x * 32\nf[broadcast(x, 16)] = g[ramp(b, 1, 16)]:int32x16");
    // Lets that use lets.
    expect_simple("let a = x * 8 + 3\nlet b = a * 4 + y * 16\nf[a + b] = g[(b + 1) % 16]:int32",
                  "let a = x * 8 + 3\nlet b = a * 4 + y * 16\nf[a + b] = g[13]:int32");
    // Values wrap, so their factors are not used.
    expect_simple("let b = x * 32\nf[b % 32] = b", "let b = x * 32\nf[b % 32] = b");
    // Each let in its own scope.
    expect_simple("{ let b = x * 4\nf[b] = g[b % 4]:int32 }\n{ let b = x * 3\nf[b] = g[b % 4]:int32 }",
                  "{ let b = x * 4\nf[b] = g[0]:int32 }\n{ let b = x * 3\nf[b] = g[b % 4]:int32 }");
}

TEST(SimplifyStmt, LetsThatRenameOrServeNobodyGo) {
    expect_simple("let a = x\nf[a] = 1", "f[x] = 1");
    expect_simple("let a = 2 + 3\nf[a] = 1", "f[5] = 1");
    expect_simple("let a = x * y\nlet b = a + 1\nf[x] = 1", "f[x] = 1");
    expect_simple("let a = x * y\nf[a] = 1", "let a = x * y\nf[a] = 1");
}

TEST(SimplifyStmt, LetsCarryRanges) {
    expect_simple("let a = min(max(x, 0), 9)\nif a < 10 { f[a] = 1 }", "let a = min(max(x, 0), 9)\nf[a] = 1");
}

TEST(SimplifyStmt, StoredValuesWrapAndIndicesDoNot) {
    expect_simple("f[(x + 1) * 4 - x * 4] = select(x < x + 1, 1, 0)", "f[4] = select(x < x + 1, 1, 0)");
    // A let that feeds a stored value wraps; one that feeds an index does not.
    expect_simple("let a = select(x < x + 1, x * y, 0)\nf[0] = a + 1",
                  "let a = select(x < x + 1, x * y, 0)\nf[0] = a + 1");
    expect_simple("let a = select(x < x + 1, x * y, 0)\nf[a] = 1", "let a = x * y\nf[a] = 1");
}

// A coordinate that reads memory wraps. If what it reads does not matter, it is index arithmetic like any other.
TEST(SimplifyStmt, CoordinatesMayLoseTheirReads) {
    expect_simple("f[0] = g[min(3, max(7, cast<int32>(g[0]:uint8))) + (n + -2 - m) * 4]:uint8",
                  "f[0] = g[n * 4 - m * 4 + -5]:uint8");
    expect_simple("f[min(3, max(7, cast<int32>(g[0]:uint8))) + (n + -2 - m) * 4] = 1", "f[n * 4 - m * 4 + -5] = 1");
}

TEST(SimplifyStmt, NarrowValuesKeepTheirWidth) {
    expect_simple("f[0] = (a:uint8 + 200:uint8) + 100:uint8", "f[0] = a:uint8 + 44:uint8");
    expect_simple("f[0] = min(cast<uint16>(a:uint8), 255:uint16)", "f[0] = cast<uint16>(a:uint8)");
}

} // namespace

} // namespace simplify_stmt_test
