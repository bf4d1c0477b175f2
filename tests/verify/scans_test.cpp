// Certificates of scans: updates that read what they have written, in the loops of their schedules.

#include "certified.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite::scans_test {
namespace {

using verify::agrees;
using verify::check;
using verify::gaps;

class CertifyScans : public testing::Test {
  protected:
    ImageParam input{UInt(16), 3, "input"};
    Var x{"x"}, y{"y"}, c{"c"}, xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"};
    RVar ro{"ro"}, ri{"ri"};
    RDom down{1, 22, "down"};
    Func sums{"sums"};

    void SetUp() override {
        sums(x, y, c) = input(x, y, c);
        sums(x, down, c) = sums(x, down, c) + sums(x, down - 1, c) * cast<uint16_t>(3);
        sums.compute_root();
    }
    // Reads all of the scan.
    Func output(int width = 0) {
        Func output("output");
        output(x, y, c) = sums(width > 0 ? x % width : Expr(x), y % 23, c);
        return output;
    }
    // Every directive has a certificate, the checker accepts it, and its loops are those of the ordinary path.
    static void whole(const Func &func, const std::vector<int64_t> &extents = {}) {
        EXPECT_EQ(gaps(certify(func, {extents, false})), "");
        agrees(func, extents);
    }
    static std::string reason(const Func &func) { return gaps(certify(func)); }
};

TEST_F(CertifyScans, KeepsTheLoopsOfTheDefinition) {
    whole(output());
    EXPECT_NE(check(certify(output()).text).find("a scan is in order"), std::string::npos);
}
// Columns are independent, whatever runs at once, and whatever remains of them.
TEST_F(CertifyScans, RunsColumnsAtOnce) {
    sums.update()
        .split(x, xo, xi, 8, TailStrategy::GuardWithIf)
        .reorder(xi, down, xo, c)
        .vectorize(xi)
        .parallel(xo)
        .parallel(c);
    whole(output());
    whole(output(), {19, 23, 2});
}
// Columns beyond those that are read are computed by the scan, and not by what it starts from.
TEST_F(CertifyScans, RoundsUp) {
    sums.update().split(x, xo, xi, 8).reorder(xi, down, xo, c).vectorize(xi).parallel(xo);
    whole(output());
    whole(output(), {19, 23, 2});
    Func bare("bare"), last("last"); // nothing is stored before
    bare(x, y, c) = undef<uint16_t>();
    bare(x, 0, c) = input(x, 0, c);
    bare(x, down, c) = bare(x, down - 1, c) ^ input(x, down, c);
    last(x, y, c) = bare(x, y % 23, c);
    bare.compute_root();
    bare.update(1).split(x, xo, xi, 8).reorder(xi, down, xo, c).vectorize(xi).parallel(xo);
    whole(last);
}
TEST_F(CertifyScans, CutsTheScanInOrder) {
    sums.update().split(down, ro, ri, 5).unroll(ri).reorder(x, ri, ro, c).vectorize(x, 4, TailStrategy::GuardWithIf);
    whole(output());
}
TEST_F(CertifyScans, RunsUpAndDownAndBesideOtherUpdates) {
    sums(x, 3, c) += cast<uint16_t>(5);
    sums(x, 22 - down, c) = sums(x, 22 - down, c) + sums(x, 23 - down, c) / cast<uint16_t>(2);
    sums(x, y, c) = sums(x, y, c) * cast<uint16_t>(7);
    sums.vectorize(x, 8, TailStrategy::GuardWithIf);
    sums.update(0).reorder(down, x, c).parallel(x);
    sums.update(1).vectorize(x, 4, TailStrategy::GuardWithIf);
    sums.update(2).split(x, xo, xi, 16, TailStrategy::GuardWithIf).reorder(xi, down, xo, c).vectorize(xi).parallel(xo);
    sums.update(3).parallel(y).vectorize(x, 4, TailStrategy::GuardWithIf);
    whole(output());
}
// Sums over rectangles: two scans, one along each dimension.
TEST_F(CertifyScans, SumsOverRectangles) {
    RDom along(1, 30, "along");
    sums(along, y, c) += sums(along - 1, y, c);
    sums.update(0).vectorize(x, 8, TailStrategy::GuardWithIf).parallel(c);
    sums.update(1).reorder(along, y, c).parallel(y).parallel(c);
    whole(output(31));
}
// A stencil in two dimensions of one array, whose order is that of its wavefronts; and two arrays that take turns.
TEST_F(CertifyScans, SweepsInPlace) {
    RDom both(1, 14, 1, 11, "both");
    Func grid("grid"), last("last");
    grid(x, y) = cast<float>(input(x, y, 0));
    grid(both.x, both.y) =
        (grid(both.x - 1, both.y) + grid(both.x, both.y - 1) + grid(both.x + 1, both.y) + grid(both.x, both.y + 1)) *
        0.25f;
    last(x, y) = grid(x % 16, y % 13);
    grid.compute_root().update().split(both.y, ro, ri, 4);
    whole(last);
}
TEST_F(CertifyScans, RunsStepsInTimeAtOnce) {
    RDom steps(1, 14, 0, 6, "steps");
    Var turn("turn");
    Func heat("heat"), last("last");
    heat(x, turn) = cast<float>(input(x, turn, 0));
    heat(steps.x, (steps.y + 1) % 2) = heat(steps.x - 1, steps.y % 2) + heat(steps.x + 1, steps.y % 2) * 0.5f;
    last(x) = heat(x % 16, 0);
    heat.compute_root().bound(turn, 0, 2).update().allow_race_conditions().vectorize(steps.x, 7).parallel(steps.x);
    whole(last);
}
// Of a loop that each step reads across, iterations may not run at once, nor inside of the loop over steps.
TEST_F(CertifyScans, SaysWhichOrderIsWrong) {
    RDom both(0, 14, 1, 11, "both");
    const auto shifted = [&](const std::function<void(Stage)> &schedule) {
        Func grid("grid"), last("last");
        grid(x, y) = input(x, y, 0);
        grid(both.x, both.y) = grid(both.x + 1, both.y - 1) + grid(both.x, both.y);
        last(x, y) = grid(x % 15, y % 12);
        schedule(grid.compute_root().update());
        return last;
    };
    whole(shifted([&](Stage update) { update.allow_race_conditions().vectorize(both.x, 7); }));
    whole(shifted([&](Stage update) { update.allow_race_conditions().parallel(both.x); }));
    const std::string said = reason(shifted([&](Stage update) { update.allow_race_conditions().parallel(both.y); }));
    EXPECT_NE(said.find("no witness is found that the loops keep the order of a read and the writes"),
              std::string::npos)
        << said;
}
TEST_F(CertifyScans, WrongOrdersAreRejected) {
    sums.update().split(x, xo, xi, 8, TailStrategy::GuardWithIf).reorder(xi, down, xo, c).vectorize(xi).parallel(xo);
    const std::string text = certify(output()).text;
    if (check(text).empty()) {
        GTEST_SKIP() << "the native checker is not built";
    }
    const size_t scans = text.find("(target_scans");
    ASSERT_NE(scans, std::string::npos);
    const auto with = [&](const std::string &old, const std::string &by) {
        const size_t at = text.find(old, scans);
        EXPECT_NE(at, std::string::npos) << text.substr(scans);
        return check(text.substr(0, at) + by + text.substr(at + old.size()));
    };
    const std::string wrong = "rejected: nothing proves of the loops of section 'target_scans', number 1";
    // The scan itself at once; another element; a second event with the name of the first; an update that is none.
    EXPECT_NE(with("22 in_order", "22 at_once").find(wrong), std::string::npos);
    EXPECT_NE(with("(* sums.s1.L.xo 8)", "(* sums.s1.L.xo 7)").find(wrong), std::string::npos);
    EXPECT_NE(with("(sums.x sums.x.second)", "(sums.x sums.x)").find(wrong), std::string::npos);
    EXPECT_NE(with("(0)", "(1)").find(wrong), std::string::npos);
}

} // namespace
} // namespace fluorite::scans_test
