// Loops that Funcs share (`compute_with`): certificates, what is compiled from them, and mistakes in them.

#include "certified.h"
#include "fluorite/certify.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite::joined_test {
namespace {

using verify::agrees;
using verify::gaps;

class Joined : public testing::Test {
  protected:
    ImageParam input{UInt(16), 2, "input"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    Func along{"along"}, across{"across"}, output{"output"};

    void SetUp() override {
        along(x, y) = input(x + 1, y) - input(x, y);
        across(x, y) = input(x, y + 1) - input(x, y);
        output(x, y) = along(x, y) * across(x, y) + along(x, y + 2) + across(x + 3, y);
    }
    void is_covered(size_t shared = 1) {
        const ScheduleCertificate certificate = certify(output);
        EXPECT_EQ(gaps(certificate), "");
        if (const std::string said = verify::check(certificate.text); !said.empty()) {
            const std::string loops = shared == 1 ? "a loop is shared" : std::to_string(shared) + " loops are shared";
            EXPECT_NE(said.find("; " + loops + ";"), std::string::npos) << said;
        }
        agrees(output);
    }
};

TEST_F(Joined, AtRoot) {
    along.compute_root();
    across.compute_root().compute_with(along, y);
    is_covered();
    const std::string loops = compile_certified(output).loops();
    // One loop over y makes rows of both, the shorter one under a condition.
    EXPECT_EQ(loops.find("across.L.y"), std::string::npos) << loops;
    EXPECT_NE(loops.find("across.L.x"), std::string::npos) << loops;
    across.compute_with(along, x);
    is_covered();
}
TEST_F(Joined, InsideOfTiles) {
    output.tile(x, y, xo, yo, xi, yi, 16, 8, TailStrategy::GuardWithIf).vectorize(xi).parallel(yo);
    along.compute_at(output, xo);
    across.compute_at(output, xo).compute_with(along, y);
    is_covered();
}
TEST_F(Joined, OfThreeWithSplitLoops) {
    Func third("third"), sum("sum");
    third(x, y) = input(x, y) + input(x + 5, y);
    sum(x, y) = output(x, y) + third(x, y);
    output.compute_inline();
    for (Func *f : {&along, &across, &third}) {
        f->compute_root().split(y, yo, yi, 4).split(x, xo, xi, 8).vectorize(xi);
    }
    across.compute_with(along, yi);
    third.compute_with(along, yi);
    output = sum;
    is_covered();
}
TEST_F(Joined, PastBindingsInBetween) {
    // `middle` stands between the two and reads neither.
    Func middle("middle"), last("last"), sum("sum");
    middle(x, y) = input(x, y) * cast<uint16_t>(3);
    last(x, y) = input(x + 1, y + 1);
    sum(x, y) = along(x, y) + middle(x, y) + last(x, y);
    along.compute_root();
    middle.compute_root();
    last.compute_root().compute_with(along, y);
    output = sum;
    is_covered();
}
// Rows of windows that slide are computed in the loops of a nest that each iteration computes.
class JoinedWindows : public testing::Test {
  protected:
    ImageParam input{UInt(16), 2, "input"};
    Var x{"x"}, y{"y"}, yi{"yi"};
    Func first{"first"}, across{"across"}, beside{"beside"}, sum{"sum"};

    void SetUp() override {
        first(x, y) = input(x, y) + input(x + 1, y);
        across(x, y) = first(x, y) + first(x, y + 1);
        beside(x, y) = input(x + 2, y) * cast<uint16_t>(3);
        sum(x, y) = across(x, y) + across(x, y + 2) + beside(x, y);
        sum.split(y, y, yi, 8, TailStrategy::GuardWithIf);
        across.store_at(sum, y).compute_at(sum, yi);
        beside.compute_at(sum, yi).vectorize(x, 4, TailStrategy::GuardWithIf);
    }
    // The certificate covers everything and says that a loop is shared.
    std::string shares(int windows) {
        const ScheduleCertificate certificate = certify(sum);
        EXPECT_EQ(verify::gaps(certificate), "");
        const std::string said = verify::check(certificate.text);
        const std::string wanted = (windows == 1 ? "a window slides" : std::to_string(windows) + " windows slide") +
                                   std::string("; a loop is shared;");
        EXPECT_TRUE(said.empty() || said.find(wanted) != std::string::npos) << said << certificate.text;
        EXPECT_NE(certificate.text.find("(target_beside"), std::string::npos) << certificate.text;
        verify::agrees(sum);
        return certificate.text;
    }
};
TEST_F(JoinedWindows, BesideANest) {
    across.vectorize(x, 4, TailStrategy::GuardWithIf).compute_with(beside, x);
    shares(1);
}
TEST_F(JoinedWindows, BesideTwoNests) {
    Func other("other"), all("all");
    other(x, y) = input(x, y + 3) - cast<uint16_t>(1);
    all(x, y) = across(x, y) + across(x, y + 2) + beside(x, y) + other(x, y);
    all.split(y, y, yi, 8, TailStrategy::GuardWithIf);
    sum = all;
    across.store_at(sum, y).compute_at(sum, yi).compute_with(beside, y);
    beside.compute_at(sum, yi);
    other.compute_at(sum, yi).compute_with(beside, y);
    EXPECT_NE(shares(1).find("(across.tile)"), std::string::npos);
}
TEST_F(JoinedWindows, OfAChainOfWindows) {
    first.store_at(sum, y).compute_at(sum, yi);
    across.vectorize(x, 4, TailStrategy::GuardWithIf).compute_with(beside, x);
    const std::string text = shares(2);
    if (verify::check(text).empty()) {
        GTEST_SKIP() << "the native checker is not built";
    }
    const auto changed = [&](const std::string &from, const std::string &to) {
        const size_t at = text.find(from, text.find("(target_beside"));
        EXPECT_NE(at, std::string::npos) << from << text;
        return verify::check(text.substr(0, at) + to + text.substr(at + from.size()));
    };
    const std::string refused =
        "rejected: the windows and bindings of section 'target_beside', number 1, may not share";
    // The second window reads the first one; nothing of this name slides; there is no such binding; no such group.
    for (const auto &[from, to] :
         std::initializer_list<std::pair<const char *, const char *>>{{"(across.tile)", "(first.tile across.tile)"},
                                                                      {"(across.tile)", "(beside.tile)"},
                                                                      {"(across.tile)", "(across.tile across)"},
                                                                      {"(0\n", "(0\n (0)\n"}}) {
        const std::string said = changed(from, to);
        EXPECT_TRUE(said.find(refused) != std::string::npos ||
                    said.find("the number of windows that slide, a path") != std::string::npos)
            << said << to;
    }
    EXPECT_NE(changed("(0\n", "(1\n").find("there is no number 1 in the section 'target_slides'"), std::string::npos);
}
TEST_F(JoinedWindows, WithoutANest) {
    // Rows of two windows are computed in one loop, and the one of which a single row stays is among them.
    first.store_at(sum, y).compute_at(sum, yi);
    beside.store_at(sum, y);
    across.compute_with(beside, y);
    const std::string text = shares(3);
    if (verify::check(text).empty()) {
        GTEST_SKIP() << "the native checker is not built";
    }
    // A window that reads another one of the group.
    const std::string group = "(beside.tile across.tile) ()";
    const size_t at = text.find(group);
    ASSERT_NE(at, std::string::npos) << text.substr(text.find("(target_beside"));
    std::string wrong = text;
    wrong.replace(at, group.size(), "(across.tile first.tile) ()");
    EXPECT_NE(verify::check(wrong).find("'target_beside', number 1, may not share loops"), std::string::npos);
    wrong = text;
    wrong.replace(at, group.size(), "(across.tile) ()");
    EXPECT_NE(verify::check(wrong).find("a window, and another window or a nest, at least share loops"),
              std::string::npos);
}
TEST_F(Joined, SaysWhatHasNoCertificate) {
    RDom r(0, 3);
    Func total("total"), sum("sum");
    total(x, y) = cast<uint16_t>(0);
    total(x, y) += input(x + r, y);
    sum(x, y) = total(x, y) + along(x, y);
    total.compute_root();
    along.compute_root().compute_with(total, y);
    EXPECT_EQ(gaps(certify(sum)), "along compute_with: it has updates, or its loops are those of its definition\n");
    agrees(sum);
}
TEST_F(Joined, IsRejectedIfItIsWrong) {
    along.compute_root();
    across.compute_root().compute_with(along, y);
    const std::string text = certify(output).text;
    if (verify::check(text).empty()) {
        GTEST_SKIP() << "the native checker is not built";
    }
    const size_t section = text.find("(target_joined");
    ASSERT_NE(section, std::string::npos);
    const std::string refused = "the bindings of section 'target_joined', number 1, may not share loops";
    // Another path, at which there is no binding.
    std::string wrong = text;
    wrong.replace(wrong.find("()", section), 2, "(1)");
    EXPECT_NE(verify::check(wrong).find(refused), std::string::npos);
    // A Func that reads the other one.
    Func reader("reader"), sum("sum");
    reader(x, y) = along(x, y) + input(x, y);
    sum(x, y) = reader(x, y) + along(x, y);
    along.compute_root();
    reader.compute_root();
    const std::string plain = certify(sum).text;
    const size_t stores = plain.find("(target_stores"), first = plain.find('(', stores + 1);
    const size_t last = plain.rfind(')', plain.size() - 3);     // of the section
    const std::string both = plain.substr(first, last - first); // stores of both and of the output
    int depth = 0;
    size_t end = 0;
    for (int seen = 0; seen < 2; end++) {
        depth += both[end] == '(' ? 1 : both[end] == ')' ? -1 : 0;
        seen += both[end] == ')' && depth == 0 ? 1 : 0;
    }
    const std::string joined =
        plain.substr(0, plain.size() - 2) + "\n (target_joined (() (" + both.substr(0, end) + "))))\n";
    EXPECT_NE(verify::check(joined).find(refused), std::string::npos) << verify::check(joined);
}

} // namespace
} // namespace fluorite::joined_test
