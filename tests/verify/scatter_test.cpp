// Certificates of updates that write at places which they compute: histograms and scans.

#include "certified.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite::scatter_test {
namespace {

using verify::agrees;
using verify::gaps;

class CertifyScatter : public testing::Test {
  protected:
    ImageParam input{UInt(8), 2, "input"};
    Var x{"x"}, y{"y"}, i{"i"}, u{"u"}, xo{"xo"}, xi{"xi"};
    RVar ro{"ro"}, ri{"ri"};
    RDom r{0, 20, 0, 12, "r"};
    Func histogram{"histogram"}, output{"output"};

    void SetUp() override {
        histogram(i) = cast<uint16_t>(0);
        histogram(cast<int>(input(r.x, r.y))) += cast<uint16_t>(1);
        output(x) = histogram(x) + histogram(x + 1);
    }
    static void whole(const Func &func) {
        EXPECT_EQ(gaps(certify(func)), "");
        agrees(func);
    }
};

TEST_F(CertifyScatter, SchedulesTheLoopsOfAHistogram) {
    histogram.compute_root().vectorize(i, 16, TailStrategy::GuardWithIf);
    histogram.update().split(r.x, ro, ri, 6).reorder(r.y, ri, ro).unroll(ri);
    whole(output);
    // One bin is written, not all of them looked at.
    const std::string loops = compile_certified(output).loops();
    EXPECT_EQ(loops.find("histogram.s1.L.i"), std::string::npos) << loops;
}
TEST_F(CertifyScatter, FactorsAHistogram) {
    histogram.compute_root();
    Func partial = histogram.update().split(r.y, ro, ri, 5).rfactor(ro, u);
    partial.compute_root().vectorize(i, 8, TailStrategy::GuardWithIf).update().parallel(u);
    histogram.update().reorder(i, ro).vectorize(i, 8, TailStrategy::GuardWithIf);
    whole(output);
}
// Also that each lane of a vector of equal values is reported as a store.
TEST_F(CertifyScatter, BesideVectorsOfConstants) {
    Var z{"z"};
    Func part("part"), last("last");
    RDom all(0, 12, "all");
    part(i, u) = 0;
    part(cast<int>(input(all.x, u)), u) += 1;
    last(x, u) = part(x, u) + part(255 - x, u);
    part.compute_root().vectorize(i, 16);
    agrees(last, {256, 3});
    part.update().parallel(u);
    agrees(last, {256, 3});
}
TEST_F(CertifyScatter, SchedulesPureDimensionsBesideTheWrittenOne) {
    Func rows("rows"), last("last");
    rows(x, i, y) = cast<uint16_t>(3);
    rows(x, input(x, y + r.y) % 10, y) += cast<uint16_t>(r.y);
    last(x, y) = rows(x, 1, y) + rows(x, 4, y + 1);
    rows.compute_root().update().split(x, xo, xi, 4, TailStrategy::GuardWithIf).reorder(xi, r.y, xo, y).parallel(y);
    whole(last);
    rows.compute_at(last, y);
    whole(last);
}
TEST_F(CertifyScatter, WritesAtConstantsAndBehindPredicates) {
    Func edges("edges"), last("last");
    edges(x, y) = cast<uint16_t>(7);
    edges(0, y) = cast<uint16_t>(input(3, y));
    edges(x, 2) += cast<uint16_t>(9);
    RDom odd(0, 9, "odd");
    odd.where(odd.x % 2 == 1);
    edges(odd.x, y) += cast<uint16_t>(input(odd.x, y));
    last(x, y) = edges(x, y) + edges(x + 1, y + 2);
    edges.compute_root();
    edges.update(0).parallel(y);
    edges.update(1).vectorize(x, 4, TailStrategy::GuardWithIf);
    edges.update(2).reorder(y, odd.x);
    whole(last);
}
// Several places at once, and a place that several iterations write.
TEST_F(CertifyScatter, KeepsTheOrderOfWrites) {
    Func last("last"), result("result");
    last(x, y) = cast<uint16_t>(0);
    last(r.x / 3, input(r.x, r.y) % 7) = cast<uint16_t>(r.x * 100 + r.y);
    result(x, y) = last(x, y);
    last.compute_root().update().split(r.x, ro, ri, 4);
    whole(result);
}
// A scan has the loops of its definition, and is computed in place.
TEST_F(CertifyScatter, CompilesScans) {
    Func sums("sums"), result("result");
    RDom down(1, 11, "down");
    sums(x, y) = cast<uint16_t>(input(x, y));
    sums(x, down) = sums(x, down) + sums(x, down - 1) * cast<uint16_t>(3);
    sums(x, 10 - down) += sums(x, 11 - down);
    result(x, y) = sums(x, y % 12) + sums(x + 1, 3);
    sums.compute_root();
    agrees(result);
}
} // namespace
} // namespace fluorite::scatter_test
