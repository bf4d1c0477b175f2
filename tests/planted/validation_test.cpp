// Mistakes of lowering of the kinds that the literature reports, each planted: comparing the loops with those of the
// certificate finds every one.

#include "driver/test_back_end.h"
#include "fluorite/certify.h"
#include "fluorite/fluorite.h"
#include "tests/planted/plant.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fluorite::validation_test {
namespace {

using planted::Fault;
using planted::PlantedFault;

class Planted : public testing::Test {
  protected:
    ImageParam input{UInt(16), 2, "input"};
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    Func across{"across"}, down{"down"};

    void SetUp() override {
        SKIP_IN_EXECUTOR("an access outside of its memory is an error, not a difference");
        across(x, y) = input(x, y) + input(x + 1, y) + input(x + 2, y);
        down(x, y) = across(x, y) + across(x, y + 1) + across(x, y + 2);
    }
    std::string difference(Fault fault) const { return difference(fault, down); }
    static std::string difference(Fault fault, const Func &output) {
        const PlantedFault planted(fault);
        ScheduleValidation validation = validate_schedule(output);
        EXPECT_GT(validation.runs, 0) << "fault " << int(fault);
        return validation.differences.empty() ? "" : validation.differences[0];
    }
    // Each of the faults is found, and nothing where there is none.
    static void finds(const Func &output, const std::vector<Fault> &faults) {
        EXPECT_EQ(difference(Fault::None, output), "");
        for (Fault fault : faults) {
            EXPECT_NE(difference(fault, output), "") << "fault " << int(fault);
        }
    }
};
TEST_F(Planted, TruncatedLoop) {
    down.split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    EXPECT_EQ(difference(Fault::None), "");
    EXPECT_NE(difference(Fault::Pieces), "");
}
TEST_F(Planted, Tail) {
    down.split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    EXPECT_NE(difference(Fault::Tail), "");
}
TEST_F(Planted, Halo) {
    down.tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf);
    across.compute_at(down, xo);
    EXPECT_EQ(difference(Fault::None), "");
    EXPECT_NE(difference(Fault::Window), "");
}
TEST_F(Planted, HaloAtRoot) {
    across.compute_root();
    EXPECT_NE(difference(Fault::Window), "");
}
TEST_F(Planted, WindowThatSlidesTooFar) {
    across.store_root().compute_at(down, y);
    EXPECT_EQ(difference(Fault::None), "");
    EXPECT_NE(difference(Fault::Sliding), "");
}
TEST_F(Planted, RowsOfWindowsThatSlide) {
    across.store_root().compute_at(down, y);
    finds(down, {Fault::Rows, Fault::Sliding, Fault::Fold});
    down.split(y, yo, yi, 8, TailStrategy::GuardWithIf);
    across.store_at(down, yo).compute_at(down, yi).fold_storage(y, 4);
    finds(down, {Fault::Rows, Fault::Sliding});
}
TEST_F(Planted, BeginningsOfAlignedRegions) {
    across.compute_root().align_bounds(x, 8, 3).align_bounds(y, 2);
    finds(down, {Fault::Aligned, Fault::Window});
    down.tile(x, y, xo, yo, xi, yi, 12, 4, TailStrategy::GuardWithIf);
    across.compute_at(down, xo);
    finds(down, {Fault::Aligned, Fault::Window});
}
TEST_F(Planted, OrderOfUpdates) {
    RDom r(0, 3, "r");
    Func sum("sum"), last("last");
    sum(x, y) = input(x, y);
    sum(x, y) += input(x + r, y);
    sum(x, y) = sum(x, y) * cast<uint16_t>(3);
    last(x, y) = sum(x, y) - cast<uint16_t>(1);
    sum.compute_root();
    finds(last, {Fault::Order});
    last.split(y, yo, yi, 4, TailStrategy::GuardWithIf);
    sum.compute_at(last, yo).vectorize(x, 4).update(1).vectorize(x, 4, TailStrategy::GuardWithIf);
    finds(last, {Fault::Order});
}
// Of loops of a reduction, because what is stored beyond the memory of a Func could do harm.
TEST_F(Planted, LostGuards) {
    RDom r(0, 11, "r");
    RVar ro("ro"), ri("ri");
    Func sum("sum"), last("last");
    sum(x, y) = cast<uint16_t>(0);
    sum(x, y) += input(x + r, y) * cast<uint16_t>(r);
    last(x, y) = sum(x, y) - cast<uint16_t>(1);
    sum.compute_root().update().split(r, ro, ri, 4, TailStrategy::GuardWithIf).reorder(ri, x, ro, y);
    finds(last, {Fault::Guard, Fault::Tail});
    last.split(y, yo, yi, 4, TailStrategy::ShiftInwards);
    sum.compute_at(last, yi).update().unroll(ri);
    finds(last, {Fault::Guard, Fault::Tail});
}
TEST_F(Planted, InOneOfSeveralOutputs) {
    Func other("other");
    other(x, y) = across(x + 1, y) ^ across(x, y);
    other.split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    across.compute_root();
    for (Fault fault : {Fault::None, Fault::Pieces, Fault::Tail, Fault::Window}) {
        const PlantedFault planted(fault);
        const ScheduleValidation validation = validate_schedule(Pipeline({down, other}));
        EXPECT_EQ(validation.passed(), fault == Fault::None) << "fault " << int(fault);
    }
}
TEST_F(Planted, InTuples) {
    Func pair("pair"), last("last");
    pair(x, y) = Tuple(input(x, y), input(x + 1, y) * cast<uint16_t>(5));
    last(x, y) = pair(x, y)[0] + pair(x, y + 1)[1];
    last.split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    pair.store_root().compute_at(last, y).split(x, xo, xi, 4, TailStrategy::GuardWithIf);
    finds(last, {Fault::Pieces, Fault::Tail, Fault::Window, Fault::Sliding, Fault::Rows});
}
TEST_F(Planted, InWindowsThatShareLoops) {
    Func beside("beside"), sum("sum");
    beside(x, y) = input(x + 1, y) * cast<uint16_t>(3);
    sum(x, y) = across(x, y) + across(x, y + 2) + beside(x, y) + beside(x + 1, y);
    sum.split(y, yo, yi, 8, TailStrategy::GuardWithIf);
    beside.compute_at(sum, yi).split(x, xo, xi, 4, TailStrategy::GuardWithIf);
    across.store_at(sum, yo).compute_at(sum, yi).split(x, xo, xi, 4, TailStrategy::GuardWithIf);
    across.compute_with(beside, xi);
    finds(sum, {Fault::Sliding, Fault::Window, Fault::Pieces, Fault::Tail});
}
TEST_F(Planted, InAlignedRegions) {
    down.split(x, xo, xi, 10, TailStrategy::GuardWithIf);
    across.compute_at(down, xo).align_bounds(x, 4).align_storage(x, 16);
    finds(down, {Fault::Window, Fault::Pieces, Fault::Tail});
}
// In each alternative, and in the windows of both.
TEST_F(Planted, InAlternatives) {
    Param<int> kind("kind");
    kind.set(1);
    down.specialize(kind == 1).split(x, xo, xi, 8, TailStrategy::GuardWithIf).vectorize(xi);
    down.split(y, yo, yi, 4, TailStrategy::GuardWithIf);
    across.compute_root();
    finds(down, {Fault::Pieces, Fault::Tail, Fault::Window});
    kind.set(0);
    finds(down, {Fault::Pieces, Fault::Tail, Fault::Window});
}
TEST_F(Planted, InWindowsOfAlternatives) {
    Param<int> kind("kind");
    down.specialize(kind == 1).tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf);
    down.tile(x, y, xo, yo, xi, yi, 4, 8, TailStrategy::GuardWithIf);
    across.compute_at(down, xo);
    for (int value : {0, 1}) {
        kind.set(value);
        finds(down, {Fault::Pieces, Fault::Tail, Fault::Window});
    }
}
TEST_F(Planted, InPartialResults) {
    RDom r(0, 37, "r");
    RVar ro("ro"), ri("ri");
    Var u("u");
    Func sum("sum"), last("last");
    sum(x, y) = cast<uint16_t>(0);
    sum(x, y) += input(x + r, y);
    last(x, y) = sum(x, y) + sum(x + 1, y);
    sum.compute_root();
    Func partial = sum.update().split(r, ro, ri, 8, TailStrategy::GuardWithIf).rfactor(ri, u);
    partial.compute_root().split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    partial.update().vectorize(u, 8);
    finds(last, {Fault::Pieces, Fault::Tail, Fault::Window});
}
// A histogram and a scan compute the elements that they write, whatever is read of them.
TEST_F(Planted, InHistograms) {
    RDom r(0, input.width(), 0, input.height(), "r");
    RVar ro("ro"), ri("ri");
    Func histogram("histogram"), last("last");
    histogram(x) = cast<uint16_t>(0);
    histogram(cast<int>(input(r.x, r.y) % 50)) += cast<uint16_t>(1);
    last(x) = histogram(x % 50);
    histogram.compute_root().split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    histogram.update().split(r.x, ro, ri, 8, TailStrategy::GuardWithIf);
    finds(last, {Fault::Pieces, Fault::Tail});
}
TEST_F(Planted, InPartialHistograms) {
    RDom r(0, input.width(), 0, input.height(), "r");
    RVar ro("ro"), ri("ri"), xo("xo"), xi("xi");
    Var u("u");
    Func histogram("histogram"), last("last");
    histogram(x) = cast<uint16_t>(0);
    histogram(cast<int>(input(r.x, r.y) % 50)) += cast<uint16_t>(1);
    last(x) = histogram(x % 50);
    histogram.compute_root();
    Func partial = histogram.update().split(r.y, ro, ri, 4, TailStrategy::GuardWithIf).rfactor(ro, u);
    partial.compute_root().update().split(r.x, xo, xi, 8, TailStrategy::GuardWithIf).parallel(u);
    finds(last, {Fault::Pieces, Fault::Tail});
}
TEST_F(Planted, InScans) {
    RDom r(1, 22, "r");
    RVar ro("ro"), ri("ri");
    Func scan("scan"), last("last");
    scan(x, y) = input(x, y);
    scan(x, r) = scan(x, r) + scan(x, r - 1);
    last(x, y) = scan(x, y % 23);
    scan.compute_root();
    scan.update().split(r, ro, ri, 5, TailStrategy::GuardWithIf).split(x, xo, xi, 8, TailStrategy::GuardWithIf);
    scan.update().reorder(xi, ri, ro, xo).vectorize(xi).parallel(xo);
    finds(last, {Fault::Pieces, Fault::Tail});
}

} // namespace
} // namespace fluorite::validation_test
