// Schedules and derivations beside those of the applications: each is certified as a whole and its loops are right.

#include "certified.h"
#include "fluorite/fluorite.h"
#include "verify/rewrite/script.h"

#include <gtest/gtest.h>

namespace fluorite::trial_test {
namespace {

using verify::agrees;
using verify::gaps;

class Trial : public testing::Test {
  protected:
    ImageParam input{UInt(16), 2, "input"}, weights{UInt(16), 2, "weights"};
    Var x{"x"}, y{"y"}, c{"c"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, t{"t"}, u{"u"};
    RVar ro{"ro"}, ri{"ri"};
    Func output{"output"};

    static void whole(const Func &func, const std::vector<int64_t> &extents = {}) {
        EXPECT_EQ(gaps(certify(func, {extents, false})), "");
        agrees(func, extents);
    }
};

TEST_F(Trial, ConvolutionInterchangedAndFused) {
    RDom r(0, 3, 0, 5, "r");
    output(x, y) = cast<uint16_t>(1);
    output(x, y) += weights(r.x, r.y) * input(x + r.x, y + r.y);
    output.update().split(y, yo, yi, 4, TailStrategy::GuardWithIf).reorder(r.y, yi, r.x, x, yo);
    whole(output);
    Func again("again");
    again(x, y) = output(x, y) + output(x + 1, y);
    output.compute_root();
    again.split(x, xo, xi, 6, TailStrategy::GuardWithIf).fuse(xi, y, t).reorder(t, xo);
    whole(again); // fused with an outer loop of symbolic size
}
TEST_F(Trial, FusionOfAConstantLoop) {
    output(x, y) = input(x, y) + input(x + 1, y + 1);
    output.tile(x, y, xo, yo, xi, yi, 6, 4, TailStrategy::GuardWithIf).fuse(xi, yi, t);
    whole(output);
    output.vectorize(t, 8);
    whole(output);
    whole(output, {37, 11});
}
TEST_F(Trial, TransposeInTiles) {
    Func turned("turned");
    turned(x, y) = input(y, x) * cast<uint16_t>(3);
    output(x, y) = turned(x, y) + cast<uint16_t>(1);
    output.tile(x, y, xo, yo, xi, yi, 8, 8, TailStrategy::ShiftInwards).vectorize(xi).unroll(yi).parallel(yo);
    turned.compute_at(output, xo).reorder(y, x).vectorize(y, 4).reorder_storage(y, x);
    whole(output);
}
TEST_F(Trial, OddSplitsInsideOfSplits) {
    output(x, y) = input(x + 2, y) + input(x, y + 3);
    output.split(x, xo, xi, 7, TailStrategy::GuardWithIf)
        .split(xi, xi, t, 3, TailStrategy::GuardWithIf)
        .split(y, yo, yi, 5, TailStrategy::ShiftInwards)
        .reorder(t, yi, xi, yo, xo);
    whole(output);
    whole(output, {23, 9});
}
TEST_F(Trial, SumInPartialSums) {
    RDom r(0, 100, "r");
    output(y) = cast<uint16_t>(0);
    output(y) += input(r, y);
    Func partial = output.update().split(r, ro, ri, 8).rfactor(ri, u);
    partial.compute_at(output, y).vectorize(u, 8).update().reorder(u, ro).vectorize(u);
    whole(output);
}
TEST_F(Trial, UpsamplingAsAGather) {
    Func wide("wide"), both("both");
    wide(x, y) = (3 * input(x / 2, y) + input(x / 2 - 1 + 2 * (x % 2), y)) / 4;
    both(x, y) = (3 * wide(x, y / 2) + wide(x, y / 2 - 1 + 2 * (y % 2))) / 4;
    both.tile(x, y, xo, yo, xi, yi, 16, 8, TailStrategy::GuardWithIf).vectorize(xi, 8);
    wide.compute_at(both, xo).vectorize(x, 8);
    whole(both);
}
TEST_F(Trial, DownsamplingInTiles) {
    Func blurred("blurred");
    blurred(x, y) = input(x, y) + 2 * input(x + 1, y) + input(x + 2, y);
    output(x, y) = blurred(2 * x, 2 * y) + blurred(2 * x, 2 * y + 1);
    output.tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::ShiftInwards).parallel(yo);
    blurred.compute_at(output, xo).split(x, xo, xi, 4, TailStrategy::RoundUp).vectorize(xi);
    whole(output);
}
TEST_F(Trial, ThreeStencilsFused) {
    Func first("first"), second("second");
    first(x, y) = input(x, y) + input(x + 1, y) + input(x, y + 1);
    second(x, y) = first(x, y) + first(x + 2, y) + first(x, y + 2);
    output(x, y) = second(x, y) + second(x + 1, y + 1);
    output.tile(x, y, xo, yo, xi, yi, 12, 8, TailStrategy::GuardWithIf);
    second.compute_at(output, xo).vectorize(x, 4);
    first.store_at(output, xo).compute_at(second, y).vectorize(x, 4);
    whole(output);
}
TEST_F(Trial, TimeStepsOverlap) {
    Func step[4];
    step[0](x, y) = input(x, y);
    for (int s = 1; s < 4; s++) {
        step[s](x, y) = step[s - 1](x - 1, y) + step[s - 1](x + 1, y) + step[s - 1](x, y - 1) + step[s - 1](x, y + 1);
    }
    step[3].tile(x, y, xo, yo, xi, yi, 16, 16, TailStrategy::ShiftInwards).parallel(yo);
    step[2].compute_at(step[3], xo).vectorize(x, 8);
    step[1].compute_at(step[3], xo).vectorize(x, 8);
    whole(step[3]);
}
TEST_F(Trial, ProductWithPartialSums) {
    RDom k(0, 24, "k");
    output(x, y) = cast<uint16_t>(0);
    output(x, y) += weights(k, y) * input(x, k);
    Func partial = output.update().split(k, ro, ri, 6).rfactor(ro, u);
    partial.compute_root()
        .update()
        .tile(x, y, xo, yo, xi, yi, 8, 4, TailStrategy::GuardWithIf)
        .reorder(xi, yi, ri, xo, yo, u)
        .vectorize(xi)
        .parallel(u);
    output.update().vectorize(x, 8, TailStrategy::GuardWithIf);
    whole(output);
}
TEST_F(Trial, PoolingWithStrides) {
    RDom r(0, 3, 0, 3, "r");
    output(x, y) = input(3 * x, 3 * y);
    output(x, y) = max(output(x, y), input(3 * x + r.x, 3 * y + r.y));
    output.vectorize(x, 4, TailStrategy::GuardWithIf);
    output.update().reorder(r.y, x, r.x, y).vectorize(x, 4, TailStrategy::GuardWithIf).unroll(r.y);
    whole(output);
}
TEST_F(Trial, BoundaryInTilesThatSlide) {
    Func padded = BoundaryConditions::repeat_edge(input), rows("rows");
    rows(x, y) = padded(x - 1, y) + padded(x + 1, y);
    output(x, y) = rows(x, y - 1) + rows(x, y + 1);
    output.split(x, xo, xi, 16, TailStrategy::GuardWithIf).reorder(xi, y, xo).vectorize(xi, 8);
    rows.store_at(output, xo).compute_at(output, y).vectorize(x, 8);
    whole(output);
}
TEST_F(Trial, SpecializedHistogram) {
    Param<bool> wide("wide", true);
    Func bins("bins");
    RDom r(0, 16, 0, 8, "r");
    bins(x) = cast<uint16_t>(0);
    bins(cast<int>(input(r.x, r.y) % 32)) += cast<uint16_t>(2);
    output(x) = bins(x) + bins(31 - x);
    bins.compute_root();
    bins.update().specialize(wide).split(r.x, ro, ri, 4).unroll(ri);
    output.bound(x, 0, 32).vectorize(x, 8);
    whole(output);
}
TEST_F(Trial, PrefixSumsInTwoDimensions) {
    Func sums("sums");
    RDom r(1, 15, "r");
    sums(x, y) = input(x, y);
    sums(r, y) += sums(r - 1, y);
    sums(x, r) += sums(x, r - 1);
    output(x, y) = sums(x % 16, y % 16);
    sums.compute_root();
    whole(output);
}

// ---- Others: sizes that are odd or symbolic, three dimensions, tuples, all types.

TEST_F(Trial, StencilInSpace) {
    ImageParam cube(Float(64), 3, "cube");
    Var z("z"), zo("zo"), zi("zi");
    Func smooth("smooth"), last("last");
    smooth(x, y, z) = cube(x, y, z) * 0.5 + (cube(x + 1, y, z) + cube(x, y + 2, z) + cube(x, y, z + 3)) / 6.0;
    last(x, y, z) = smooth(x, y, z) - smooth(x + 1, y + 1, z + 1);
    last.split(z, zo, zi, 3, TailStrategy::GuardWithIf).reorder(x, y, zi, zo).parallel(zo).vectorize(x, 4);
    smooth.compute_at(last, zi).vectorize(x, 4);
    whole(last);
}
TEST_F(Trial, SlidingPlanesOfSpace) {
    ImageParam cube(Int(16), 3, "cube");
    Var z("z");
    Func sums("sums"), last("last");
    sums(x, y, z) = cube(x, y, z) + cube(x + 1, y + 1, z);
    last(x, y, z) = sums(x, y, z) + sums(x, y, z + 1) + sums(x, y, z + 2);
    sums.store_root().compute_at(last, z);
    last.parallel(y);
    whole(last);
}
TEST_F(Trial, ProductOfAnySize) {
    ImageParam a(Float(32), 2, "a"), b(Float(32), 2, "b");
    Func product("product"), last("last");
    RDom k(0, a.width(), "k");
    RVar ko("ko"), ki("ki");
    product(x, y) = 0.0f;
    product(x, y) += a(k, y) * b(x, k);
    last(x, y) = product(x, y) * 2.0f;
    last.tile(x, y, xo, yo, xi, yi, 7, 5, TailStrategy::GuardWithIf);
    product.compute_at(last, xo).update().split(k, ko, ki, 3).reorder(x, y, ki, ko).unroll(ki);
    whole(last);
}
TEST_F(Trial, VarianceByTuples) {
    ImageParam values(UInt(8), 2, "values");
    RDom r(0, 9, "r");
    Func moments("moments"), last("last");
    moments(x, y) = Tuple(cast<uint32_t>(0), cast<uint32_t>(0));
    const Expr value = cast<uint32_t>(values(x + r, y));
    moments(x, y) = Tuple(moments(x, y)[0] + value, moments(x, y)[1] + value * value);
    last(x, y) = cast<float>(moments(x, y)[1]) - cast<float>(moments(x, y)[0]) * cast<float>(moments(x, y)[0]) / 9.0f;
    last.split(x, xo, xi, 8, TailStrategy::GuardWithIf).vectorize(xi);
    moments.compute_at(last, xo).update().reorder(x, r, y);
    const ScheduleCertificate certificate = certify(last);
    EXPECT_EQ(gaps(certificate), "");
    EXPECT_TRUE(verify::is_accepted(certificate.text));
}
TEST_F(Trial, ArgumentOfTheMaximumAtRoot) {
    ImageParam values(Int(32), 2, "values");
    RDom r(0, values.width(), "r");
    Func best("best"), last("last");
    best(y) = Tuple(values(0, y), 0);
    best(y) = Tuple(select(values(r, y) > best(y)[0], values(r, y), best(y)[0]),
                    select(values(r, y) > best(y)[0], cast<int>(r), best(y)[1]));
    last(y) = best(y)[1];
    best.compute_root().parallel(y).update().parallel(y);
    const ScheduleCertificate certificate = certify(last);
    EXPECT_EQ(gaps(certificate), "");
    EXPECT_TRUE(verify::is_accepted(certificate.text));
}
TEST_F(Trial, RecurrenceOfSecondOrder) {
    ImageParam signal(Float(64), 2, "signal");
    RDom r(2, 40, "r");
    Func filter("filter"), last("last");
    filter(x, y) = signal(x, y);
    filter(x, r) = filter(x, r) + filter(x, r - 1) * 0.5 - filter(x, r - 2) * 0.25;
    last(x, y) = filter(x, y % 42);
    filter.compute_root().update().split(x, xo, xi, 4).reorder(xi, r, xo).vectorize(xi).parallel(xo);
    whole(last);
}
TEST_F(Trial, ScanOfRowsAfterAScanOfColumns) {
    ImageParam cube(UInt(32), 3, "cube");
    Var z("z");
    RDom r(1, cube.height() - 1, "r");
    Func area("area"), last("last");
    const Func edge = BoundaryConditions::repeat_edge(cube);
    area(x, y, z) = edge(x, y, z);
    area(x, r, z) += area(x, r - 1, z);
    last(x, y, z) = area(x, clamp(y, 0, cube.height() - 1), z);
    area.compute_root();
    area.update().reorder(x, r, z).vectorize(x, 8).parallel(z);
    whole(last);
}
TEST_F(Trial, UpsamplingByTwoInTiles) {
    Func wide("wide"), last("last");
    wide(x, y) = input(x / 2, y) + input((x + 1) / 2, y);
    last(x, y) = wide(x, y / 2) * cast<uint16_t>(3) + wide(x, (y + 1) / 2);
    last.tile(x, y, xo, yo, xi, yi, 6, 10, TailStrategy::ShiftInwards);
    wide.compute_at(last, yo);
    whole(last);
}
TEST_F(Trial, PyramidOfThreeLevels) {
    Func low("low"), lower("lower"), last("last");
    low(x, y) = (input(2 * x, y) + input(2 * x + 1, y)) / cast<uint16_t>(2);
    lower(x, y) = (low(x, 2 * y) + low(x, 2 * y + 1)) / cast<uint16_t>(2);
    last(x, y) = lower(x, y) - lower(x + 1, y + 1);
    lower.compute_root().split(y, yo, yi, 4).parallel(yo).vectorize(x, 8);
    low.compute_at(lower, yo).vectorize(x, 8);
    last.vectorize(x, 16, TailStrategy::GuardWithIf);
    whole(last);
}
TEST_F(Trial, TilesFusedByTheirNumber) {
    Var tile("tile");
    input.dim(0).set_min(0);
    output(x, y) = input(x, y) * input(x + 2, y + 1);
    output.tile(x, y, xo, yo, xi, yi, 16, 3, TailStrategy::GuardWithIf).fuse(xo, yo, tile).parallel(tile);
    output.vectorize(xi);
    whole(output);
}
TEST_F(Trial, SharedLoopsOfThreeTypes) {
    Func bytes("bytes"), floats("floats"), last("last");
    bytes(x, y) = cast<uint8_t>(input(x, y));
    floats(x, y) = cast<float>(input(x, y + 1)) / 3.0f;
    last(x, y) = floats(x, y) * cast<float>(bytes(x, y));
    bytes.compute_root().vectorize(x, 8, TailStrategy::GuardWithIf);
    floats.compute_root().vectorize(x, 8, TailStrategy::GuardWithIf).compute_with(bytes, y);
    whole(last);
}
// ---- By hand.

verify::ScriptResult accepted(const std::string &script, const std::string &verdict) {
    verify::ScriptResult result = verify::run_script(script);
    EXPECT_EQ(result.error, "") << (result.programs.empty() ? "" : result.programs.back());
    const std::string said = verify::check(result.certificate);
    EXPECT_TRUE(said.empty() || said.starts_with("accepted: equal " + verdict)) << said;
    return result;
}
TEST_F(Trial, StagesOfSpaceFusedByHand) {
    accepted(R"(
        (facts (<= 1 n) (<= 1 m) (<= 1 k))
        (inputs (a n m (+ k 1)))
        (program (let b (gen z n (gen y m (gen x (+ k 1) (op1 twice (get a z y x)))))
          (gen z n (gen y m (gen x k (op2 sub (get b z y x) (get b z y (+ x 1))))))))
        reschedule
        inline b
        done
    )",
             "bit for bit");
}
TEST_F(Trial, TransposedProductByHand) {
    accepted(R"(
        (facts (<= 1 n) (<= 1 m) (<= 1 k))
        (inputs (a n k) (b k m))
        (program (gen i n (gen j m (fold add l k (op2 mul (get a i l) (get b l j))))))
        reschedule
        rw back let_inline to (let t (get b l j) (op2 mul (get a i l) t)) at 0 0 0
        rw let_lift_fold around l
        rw let_lift_gen around j
        rw let_lift_invariant around i
        done
    )",
             "bit for bit");
}
TEST_F(Trial, SumCutByHand) {
    const verify::ScriptResult result = accepted(R"(
        (facts (<= 1 n))
        (inputs (a n))
        (program (fold add i n (get a i)))
        reschedule
        rw (fold_tile_guarded (/ (+ n 7) 8) 8 io ii) around i
        rw fold_swap around io
        rw back (seq let_inline (at (0) get_gen)) to (let p (gen jj 8 (fold add io (/ (+ n 7) 8) (if (< (+ (* io 8) jj) n) (get a (+ (* io 8) jj)) (unit add)))) (fold add ii 8 (get p ii))) at
        done
    )",
                                                 "up to reassociation (assoc add, comm add, unit_left add)");
    EXPECT_NE(result.programs.back().find("(let p"), std::string::npos);
}
TEST_F(Trial, PartialResultsByHand) {
    accepted(R"(
        (facts (<= 1 n) (<= 1 m))
        (inputs (a n (* m 4)))
        (program (gen x n (iter t k (* m 4) (unit c) (op2 add t (get a x k)))))
        reschedule
        rw (iter_tile m 4 ko ki) around k
        rw iter_factor around ki
        rw (mark_reduction parallel) around ko
        done
    )",
             "up to reassociation (assoc add, comm add, unit_left add)");
}
TEST_F(Trial, AlternativesByHand) {
    accepted(R"(
        (facts (<= 1 n))
        (inputs (a n))
        (program (gen x n (get a x)))
        reschedule
        rw (if_introduce (<= 16 n)) at
        rw (reindex ((xo (/ (+ n 15) 16)) (xi 16)) ((+ (min (* xo 16) (- n 16)) xi)) ((/ x 16) (- x (min (* (/ x 16) 16) (- n 16)))) true) at 0
        done
    )",
             "bit for bit");
}

} // namespace
} // namespace fluorite::trial_test
