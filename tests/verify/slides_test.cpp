// Certificates of windows that slide: stored outside of the loop that computes them row by row.

#include "certified.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite::slides_test {
namespace {

using verify::agrees;
using verify::check;
using verify::gaps;

class Slides : public testing::Test {
  protected:
    ImageParam input{UInt(16), 2, "input"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    Func first{"first"}, across{"across"}, down{"down"};

    void SetUp() override {
        first(x, y) = input(x, y) + input(x + 1, y + 1);
        across(x, y) = first(x, y) + first(x + 1, y) + first(x, y + 2);
        down(x, y) = across(x, y) + across(x, y + 1) + across(x, y + 2);
    }
    // The certificate covers everything and says that so many windows slide.
    std::string slides(int count, const std::vector<int64_t> &extents = {}) {
        const ScheduleCertificate certificate = certify(down, {extents, false});
        EXPECT_EQ(gaps(certificate), "");
        EXPECT_EQ(certificate.reason, "");
        const std::string said = check(certificate.text);
        const std::string wanted = count == 1 ? "; a window slides;" : "; " + std::to_string(count) + " windows slide;";
        EXPECT_TRUE(said.empty() || said.find(wanted) != std::string::npos) << said << certificate.text;
        return certificate.text;
    }
};

TEST_F(Slides, AlongTheOutermostLoop) {
    across.store_root().compute_at(down, y);
    const std::string text = slides(1);
    // Of dimension 0, three rows in memory, and y + 3 computed in iteration y.
    EXPECT_NE(text.find("(0 3\n"), std::string::npos) << text;
    EXPECT_NE(text.find("(+ down.L.y 3)"), std::string::npos);
    slides(1, {20, 1});
    slides(1, {1, 30});
    agrees(down);
}
TEST_F(Slides, InStripsInTurn) {
    down.split(y, yo, yi, 8).parallel(yo).vectorize(x, 4);
    across.store_at(down, yo).compute_at(down, yi).vectorize(x, 4);
    first.store_at(down, yo).compute_at(down, yi);
    const std::string text = slides(2);
    // Rows of across want rows of first two below them.
    EXPECT_NE(text.find("(+ down.L.yi 5)"), std::string::npos) << text;
    agrees(down);
}
TEST_F(Slides, WithEachTail) {
    for (TailStrategy tail : {TailStrategy::GuardWithIf, TailStrategy::ShiftInwards, TailStrategy::RoundUp}) {
        Func output("output");
        output(x, y) = across(x, y) + across(x + 1, y + 1);
        output.split(y, yo, yi, 8, tail);
        across.store_at(output, yo).compute_at(output, yi);
        const ScheduleCertificate certificate = certify(output);
        for (const auto &directive : certificate.directives) {
            if (directive.directive == "store_at") {
                EXPECT_EQ(directive.reason, "");
            }
        }
        EXPECT_TRUE(verify::is_accepted(certificate.text));
        agrees(output);
        across.compute_inline();
    }
}
TEST_F(Slides, SeveralRowsAnIteration) {
    down.split(y, yo, yi, 16, TailStrategy::GuardWithIf).split(yi, yi, y, 2);
    across.store_at(down, yo).compute_at(down, yi);
    EXPECT_NE(slides(1).find("(+ (* down.L.yi 2) 4)"), std::string::npos);
}
TEST_F(Slides, InAsManyRowsAsAreAskedFor) {
    across.store_root().compute_at(down, y).fold_storage(y, 4);
    EXPECT_NE(slides(1).find("(0 4\n"), std::string::npos) << certify(down).text;
    agrees(down);
    across.fold_storage(y, 3);
    EXPECT_NE(slides(1).find("(0 3\n"), std::string::npos);
}
TEST_F(Slides, SaysWhichFoldsItDoesNotKnow) {
    across.store_root().compute_at(down, y).fold_storage(y, 2);
    EXPECT_EQ(gaps(certify(down)), "across fold_storage(y): nothing shows that 2 rows are enough; the certificate has "
                                   "memory for 3\n");
    across.fold_storage(y, 4, false);
    EXPECT_EQ(gaps(certify(down)),
              "across fold_storage(y): rows of a window that slides are added in ascending order\n");
}
TEST_F(Slides, NotWhereAFoldedDimensionStays) {
    across.store_root().compute_at(down, y).fold_storage(x, 64);
    EXPECT_EQ(gaps(certify(down)), "across fold_storage(x): another dimension is the one whose rows the loop adds, or "
                                   "the extent is no constant\n");
    first.compute_root().fold_storage(y, 8);
    across.compute_inline();
    const std::string said = gaps(certify(down));
    EXPECT_NE(said.find("first fold_storage(y): it is stored and computed at one loop, and the whole of it is there\n"),
              std::string::npos)
        << said;
}
TEST_F(Slides, AlongColumns) {
    down.reorder(y, x);
    first.store_root().compute_at(down, x);
    across.compute_at(down, x);
    EXPECT_NE(slides(1).find("(1 2\n"), std::string::npos) << certify(down).text;
}
TEST_F(Slides, NotWhereRowsStay) {
    Func output("output");
    output(x, y) = across(x, 0) + input(x, y);
    across.store_root().compute_at(output, y);
    EXPECT_EQ(gaps(certify(output)), "across store_at: the whole of it is computed where it is stored: its rows do not "
                                     "move with the loop\n");
    output = Func("backwards");
    output(x, y) = across(x, 20 - y) + input(x, y);
    output.bound(y, 0, 20);
    across.store_root().compute_at(output, y);
    EXPECT_EQ(gaps(certify(output)), "across store_at: the whole of it is computed where it is stored: no witness is "
                                     "found that later iterations want later rows\n");
    EXPECT_TRUE(verify::is_accepted(certify(output).text));
}
// Rows between the windows are in the box that the term computes, and nobody reads them.
TEST_F(Slides, OfRowsThatAreSkipped) {
    const std::vector<std::function<Expr(const Func &)>> reads = {
        [&](const Func &f) { return f(x, y * 2); },
        [&](const Func &f) { return f(x, y * 2) + f(x, y * 2 + 1); },
        [&](const Func &f) { return f(x, y * 2 + 1) + f(x, y * 2 - 1); },
        [&](const Func &f) { return f(x * 2, y); },
        [&](const Func &f) { return f(x, y * 3) + f(x, y * 3 + 1); },
    };
    const std::vector<std::function<void(Func &, Func &, Func &)>> places = {
        [&](Func &a, Func &b, Func &c) {
            a.store_root().compute_at(c, y);
            b.store_root().compute_at(c, y);
        },
        [&](Func &a, Func &b, Func &c) {
            c.vectorize(x, 8).split(y, yo, yi, 4);
            a.store_at(c, yo).compute_at(c, yi);
            b.store_at(c, yo).compute_at(c, yi);
        },
        [&](Func &a, Func &b, Func &c) {
            a.store_root().compute_at(b, y);
            b.store_root().compute_at(c, y);
        },
    };
    for (size_t r = 0; r < reads.size(); r++) {
        for (size_t p = 0; p < places.size(); p++) {
            Func a("a"), b("b"), c("c");
            a(x, y) = x + y * y;
            b(x, y) = reads[r](a);
            c(x, y) = b(x, y) + b(x, y + 1);
            places[p](a, b, c);
            const ScheduleValidation validation = validate_schedule(c);
            EXPECT_EQ(validation.differences, std::vector<std::string>()) << "reads " << r << ", place " << p;
        }
    }
}
// Too little memory, a row too late, another loop, a loop that runs at once: each is found by the checker.
TEST_F(Slides, AreRejectedIfTheyAreWrong) {
    across.store_root().compute_at(down, y);
    const std::string text = slides(1);
    if (check(text).empty()) {
        GTEST_SKIP() << "the native checker is not built";
    }
    auto changed = [&](const std::string &from, const std::string &to, const std::string &section) {
        const size_t at = text.find(from, text.find("(" + section));
        EXPECT_NE(at, std::string::npos) << from << text;
        return check(text.substr(0, at) + to + text.substr(at + from.size()));
    };
    const std::string wrong =
        "nothing proves of the windows of section 'target_slides', number 1, that iterations find "
        "the rows that they read: a witness does not, or the bindings there are others";
    EXPECT_NE(changed("(0 3\n", "(0 2\n", "target_slides").find(wrong), std::string::npos);
    EXPECT_NE(changed("(+ down.L.y 3)", "(+ down.L.y 2)", "target_slides").find(wrong), std::string::npos);
    EXPECT_NE(changed("down.L.y\n", "down.L.x\n", "target_slides").find(wrong), std::string::npos);
}

} // namespace
} // namespace fluorite::slides_test
