// Programs as users write them, with schedules as users write them: each has a certificate of the whole schedule, the
// checker accepts it, and its loops give what the interpreter says, at odd sizes.

#include "certified.h"
#include "driver/test_interpreter.h"
#include "fluorite/fluorite.h"
#include "interpret/compare.h"

#include <gtest/gtest.h>

namespace fluorite::derivations_test {
namespace {

using verify::agrees;
using verify::gaps;

class Derivations : public testing::Test {
  protected:
    Var x{"x"}, y{"y"}, z{"z"}, c{"c"}, n{"n"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, t{"t"}, u{"u"};
    RVar ro{"ro"}, ri{"ri"};
    ImageParam bytes{UInt(8), 2, "bytes"}, words{UInt(16), 2, "words"}, floats{Float(32), 2, "floats"};
    Func output{"output"};

    void SetUp() override {
        bytes.set(random_buffer<uint8_t>({150, 130}, 1, {-8, -8}));
        words.set(random_buffer<uint16_t>({150, 130}, 2, {-8, -8}));
        floats.set(random_buffer<float>({150, 130}, 3, {-8, -8}));
    }
    static void whole(const Func &func, const std::vector<int32_t> &sizes) {
        const ScheduleCertificate certificate = certify(func);
        EXPECT_EQ(certificate.reason, "");
        EXPECT_EQ(gaps(certificate), "");
        EXPECT_EQ(certificate.unproved_read, "");
        agrees(func, {}, func.dimensions() > 2 ? 9 : 40);
        const Target target = get_jit_target_from_environment();
        const Buffer<> seen = compile_certified(func).realize(sizes);
        Buffer<> wanted(func.type(), sizes);
        interpret_into(func, {wanted.raw_buffer()}, target.has_feature(Target::FMA));
        const interpret::Comparison same = interpret::compare_bits(*seen.raw_buffer(), *wanted.raw_buffer());
        EXPECT_TRUE(same) << same.text;
    }
};

TEST_F(Derivations, VectorTimesMatrixInPartialSums) {
    ImageParam matrix(Int(32), 2, "matrix"), vector(Int(32), 1, "vector");
    RDom k(0, matrix.width(), "k");
    output(y) = 0;
    output(y) += matrix(k, y) * vector(k);
    Func partial = output.update().split(k, ro, ri, 8, TailStrategy::GuardWithIf).rfactor(ri, u);
    partial.compute_at(output, y).vectorize(u, 8).update().reorder(u, ro).vectorize(u, 8);
    output.update().parallel(y);
    matrix.set(random_buffer<int>({37, 23}, 4));
    vector.set(random_buffer<int>({37}, 5));
    whole(output, {23});
}
TEST_F(Derivations, VectorTimesMatrixOfFloats) {
    ImageParam matrix(Float(32), 2, "matrix"), vector(Float(32), 1, "vector");
    RDom k(0, 64, "k");
    Func product("product");
    product(y) = 0.0f;
    product(y) += matrix(k, y) * vector(k);
    product.allow_reassociation();
    output(y) = product(y) + 1.0f;
    Func partial = product.update().split(k, ro, ri, 16).rfactor(ri, u);
    output.split(y, yo, yi, 4, TailStrategy::ShiftInwards).parallel(yo);
    product.compute_at(output, yo);
    partial.compute_at(product, y).vectorize(u).update().reorder(u, ro).vectorize(u);
    matrix.set(random_buffer<float>({64, 23}, 4));
    vector.set(random_buffer<float>({64}, 5));
    EXPECT_EQ(gaps(certify(output)), "");
    agrees(output);
}
TEST_F(Derivations, DilatedConvolution) {
    ImageParam taps(Float(32), 2, "taps");
    RDom r(0, 3, 0, 3, "r");
    Func sum("sum");
    sum(x, y) = 0.0f;
    sum(x, y) += taps(r.x, r.y) * floats(x + 3 * r.x, y + 2 * r.y);
    output(x, y) = max(sum(x, y), 0.0f);
    output.tile(x, y, xo, yo, xi, yi, 16, 4, TailStrategy::ShiftInwards).vectorize(xi, 8).parallel(yo);
    sum.compute_at(output, xo).vectorize(x, 8).update().reorder(x, r.x, r.y, y).vectorize(x, 8).unroll(r.x).unroll(r.y);
    taps.set(random_buffer<float>({3, 3}, 6));
    whole(output, {53, 31});
}
TEST_F(Derivations, DepthwiseConvolution) {
    ImageParam image(Float(32), 3, "image"), taps(Float(32), 3, "taps");
    RDom r(0, 3, 0, 3, "r");
    Func sum("sum");
    sum(c, x, y) = 0.0f;
    sum(c, x, y) += taps(c, r.x, r.y) * image(c, 2 * x + r.x, 2 * y + r.y);
    output(c, x, y) = sum(c, x, y);
    output.vectorize(c, 8, TailStrategy::GuardWithIf)
        .split(x, xo, xi, 4, TailStrategy::GuardWithIf)
        .reorder(c, xi, xo, y);
    sum.compute_at(output, xo).vectorize(c, 8).update().reorder(c, r.x, r.y, x, y).vectorize(c, 8);
    image.set(random_buffer<float>({13, 30, 30}, 7));
    taps.set(random_buffer<float>({13, 3, 3}, 8));
    whole(output, {13, 11, 9});
}
TEST_F(Derivations, HistogramEqualization) {
    Func bins("bins"), sums("sums"), table("table");
    RDom r(0, 61, 0, 43, "r"), s(1, 255, "s");
    bins(x) = 0;
    bins(cast<int>(bytes(r.x, r.y))) += 1;
    sums(x) = bins(x);
    sums(s) = sums(s - 1) + bins(s);
    table(x) = cast<uint8_t>(min(sums(x) * 255 / (61 * 43), 255));
    output(x, y) = table(bytes(x, y));
    bins.compute_root();
    sums.compute_root();
    table.compute_root().vectorize(x, 16);
    output.vectorize(x, 16, TailStrategy::GuardWithIf).parallel(y);
    whole(output, {61, 43});
}
TEST_F(Derivations, IntegralImage) {
    Func table("table");
    RDom r(1, 40, "r"), s(1, 30, "s");
    table(x, y) = cast<int>(bytes(x, y));
    table(r, y) += table(r - 1, y);
    table(x, s) += table(x, s - 1);
    output(x, y) =
        table(x % 32 + 8, y % 16 + 8) - table(x % 32, y % 16 + 8) - table(x % 32 + 8, y % 16) + table(x % 32, y % 16);
    table.compute_root();
    table.update(0).parallel(y);
    table.update(1).vectorize(x, 8, TailStrategy::GuardWithIf);
    output.vectorize(x, 8, TailStrategy::GuardWithIf);
    whole(output, {45, 23});
}
TEST_F(Derivations, GaussianThatSlides) {
    Func rows("rows");
    const auto tap = [&](const Func &f, const Expr &a, const Expr &b, int dx, int dy) { return f(a + dx, b + dy); };
    Func wide("wide");
    wide(x, y) = cast<uint32_t>(words(x, y));
    rows(x, y) = wide(x - 2, y) + 4 * wide(x - 1, y) + 6 * wide(x, y) + 4 * wide(x + 1, y) + wide(x + 2, y);
    output(x, y) = cast<uint16_t>((tap(rows, x, y, 0, -2) + 4 * tap(rows, x, y, 0, -1) + 6 * tap(rows, x, y, 0, 0) +
                                   4 * tap(rows, x, y, 0, 1) + tap(rows, x, y, 0, 2)) >>
                                  8);
    output.split(y, yo, yi, 16, TailStrategy::GuardWithIf).parallel(yo).vectorize(x, 8, TailStrategy::GuardWithIf);
    rows.store_at(output, yo).compute_at(output, yi).fold_storage(y, 8).vectorize(x, 8, TailStrategy::GuardWithIf);
    whole(output, {67, 45});
}
TEST_F(Derivations, ProductsOfABatch) {
    ImageParam a(Float(32), 3, "a"), b(Float(32), 3, "b");
    RDom k(0, 24, "k");
    Func product("product");
    product(x, y, n) = 0.0f;
    product(x, y, n) += a(k, y, n) * b(x, k, n);
    output(x, y, n) = product(x, y, n);
    output.split(x, xo, xi, 8, TailStrategy::GuardWithIf).split(y, yo, yi, 4, TailStrategy::GuardWithIf);
    output.reorder(xi, yi, xo, yo, n).fuse(yo, n, t).parallel(t).vectorize(xi);
    product.compute_at(output, xo).vectorize(x, 8).unroll(y).update().reorder(x, y, k).vectorize(x, 8).unroll(y);
    a.set(random_buffer<float>({24, 13, 5}, 9));
    b.set(random_buffer<float>({19, 24, 5}, 10));
    whole(output, {19, 13, 5});
}
TEST_F(Derivations, TransposedStorage) {
    Func turned("turned");
    turned(x, y) = cast<uint16_t>(words(y, x) * cast<uint16_t>(3));
    output(x, y) = turned(x, y) + turned(x + 1, y);
    turned.compute_root().reorder_storage(y, x).reorder(y, x).vectorize(y, 8, TailStrategy::GuardWithIf);
    output.reorder(y, x).split(y, yo, yi, 5, TailStrategy::ShiftInwards);
    whole(output, {31, 17});
    output.reorder_storage(y, x);
    EXPECT_EQ(gaps(certify(output)), "");
    agrees(output);
}
TEST_F(Derivations, EachTailOfOddExtents) {
    for (const TailStrategy outer : {TailStrategy::GuardWithIf, TailStrategy::ShiftInwards, TailStrategy::Predicate,
                                     TailStrategy::PredicateStores, TailStrategy::Auto}) {
        for (const TailStrategy inner : {TailStrategy::GuardWithIf, TailStrategy::ShiftInwards}) {
            Func sum("sum"), last("last");
            sum(x, y) = words(x, y) + words(x + 1, y + 2);
            last(x, y) = sum(x, y) ^ sum(x + 1, y + 1);
            last.split(x, xo, xi, 7, outer).split(y, yo, yi, 3, inner).reorder(xi, yi, xo, yo);
            sum.compute_root().split(x, xo, xi, 5, inner).vectorize(xi).split(y, yo, yi, 3, TailStrategy::RoundUp);
            whole(last, {29, 19});
        }
    }
}
TEST_F(Derivations, AlternativesOfAnExtent) {
    Func row("row");
    row(x, y) = bytes(x, y) / 2 + bytes(x + 1, y) / 2;
    output(x, y) = row(x, y) + row(x, y + 1);
    row.compute_at(output, y);
    const Expr width = output.output_buffer().width();
    output.specialize(width >= 32).vectorize(x, 16, TailStrategy::ShiftInwards);
    output.specialize(width % 2 == 0).unroll(x, 2);
    whole(output, {33, 9});
    whole(output, {15, 9});
}
TEST_F(Derivations, BoundAndAligned) {
    Func low("low");
    low(x, c) = cast<uint8_t>(bytes(x, c) / 3);
    output(x, c) = low(x, c) + low(x + 1, 2 - c);
    output.bound(c, 0, 3).reorder(c, x).unroll(c);
    low.compute_root().bound(c, 0, 3).align_bounds(x, 8).vectorize(x, 8).unroll(c).align_storage(x, 16);
    whole(output, {41, 3});
}
TEST_F(Derivations, ColumnsOfAStridedConvolution) {
    ImageParam image(Float(32), 3, "image"), weights(Float(32), 2, "weights");
    constexpr int taps = 3 * 3 * 4;
    RDom k(0, taps, "k");
    Func cols("cols"), product("product");
    Var q("q");
    cols(x, q, y) = image(2 * x + q % 3, 2 * y + q / 3 % 3, q / 9);
    product(x, c, y) = 0.0f;
    product(x, c, y) += weights(k, c) * cols(x, k, y);
    output(x, c, y) = product(x, c, y);
    output.split(x, xo, xi, 8, TailStrategy::GuardWithIf).reorder(xi, c, xo, y).vectorize(xi).parallel(y);
    product.compute_at(output, xo).vectorize(x, 8).update().reorder(x, c, k).vectorize(x, 8);
    cols.compute_at(output, y).vectorize(x, 8, TailStrategy::GuardWithIf);
    image.set(random_buffer<float>({40, 20, 4}, 11));
    weights.set(random_buffer<float>({taps, 5}, 12));
    whole(output, {17, 5, 7});
}
TEST_F(Derivations, RedAndBlackSweeps) {
    Func grid("grid");
    RDom r(1, 20, 1, 10, 0, 2, "r");
    grid(x, y) = cast<int>(words(x, y));
    const Expr row = r.y, column = 2 * (r.x / 2) + (row + r.z) % 2 + 1;
    grid(column, row) =
        (grid(column - 1, row) + grid(column + 1, row) + grid(column, row - 1) + grid(column, row + 1)) / 4;
    output(x, y) = grid(x % 23, y % 12);
    grid.compute_root();
    whole(output, {29, 15});
}
TEST_F(Derivations, PyramidDownAndUp) {
    std::vector<Func> down, up;
    Func base("base");
    base(x, y) = BoundaryConditions::repeat_edge(floats)(x, y);
    down.push_back(base);
    for (int level = 1; level < 3; level++) {
        Func f("down" + std::to_string(level)), half("half" + std::to_string(level));
        half(x, y) = (down.back()(2 * x - 1, y) + 2.0f * down.back()(2 * x, y) + down.back()(2 * x + 1, y)) * 0.25f;
        f(x, y) = (half(x, 2 * y - 1) + 2.0f * half(x, 2 * y) + half(x, 2 * y + 1)) * 0.25f;
        f.compute_root().vectorize(x, 4, TailStrategy::GuardWithIf);
        half.store_at(f, Var::outermost()).compute_at(f, y).vectorize(x, 4, TailStrategy::GuardWithIf);
        down.push_back(f);
    }
    Func last = down.back();
    for (int level = 1; level >= 0; level--) {
        Func f("up" + std::to_string(level));
        f(x, y) = down[size_t(level)](x, y) - (last(x / 2, y / 2) + last((x + 1) / 2, (y + 1) / 2)) * 0.5f;
        if (level > 0) {
            f.compute_root().parallel(y);
        }
        last = f;
    }
    last.split(y, yo, yi, 8, TailStrategy::GuardWithIf).parallel(yo).vectorize(x, 8, TailStrategy::GuardWithIf);
    whole(last, {43, 29});
}
TEST_F(Derivations, FourDimensions) {
    ImageParam hyper(Int(16), 4, "hyper");
    Func sum("sum");
    sum(x, y, z, n) = hyper(x, y, z, n) + hyper(x + 1, y, z + 1, n) + hyper(x, y + 1, z, n + 1);
    output(x, y, z, n) = sum(x, y, z, n) - sum(x, y, z + 1, n);
    output.fuse(z, n, t).parallel(t).split(x, xo, xi, 4, TailStrategy::GuardWithIf).unroll(xi);
    sum.compute_at(output, t).vectorize(x, 4, TailStrategy::GuardWithIf).reorder_storage(x, z, y, n);
    hyper.set(random_buffer<int16_t>({12, 9, 9, 7}, 13));
    whole(output, {11, 7, 5, 3});
}
TEST_F(Derivations, BytesInWiderTypes) {
    Func wide("wide"), sharp("sharp");
    wide(x, y) = cast<int16_t>(bytes(x, y));
    sharp(x, y) = 5 * wide(x, y) - wide(x - 1, y) - wide(x + 1, y) - wide(x, y - 1) - wide(x, y + 1);
    output(x, y) = cast<uint8_t>(clamp(sharp(x, y), 0, 255));
    output.tile(x, y, xo, yo, xi, yi, 32, 8, TailStrategy::GuardWithIf).vectorize(xi, 16).parallel(yo);
    wide.compute_at(output, xo).vectorize(x, 8);
    sharp.compute_at(output, yi).vectorize(x, 16, TailStrategy::GuardWithIf);
    whole(output, {71, 37});
}
TEST_F(Derivations, SelectsOfGuards) {
    Func edge("edge");
    edge(x, y) = select(x < 3 || y == 0, words(x, 0), x % 2 == 1 && y > 4, words(x - 1, y), words(x, y));
    output(x, y) = select(edge(x, y) > 1000, edge(x, y) - 1000, edge(x + 1, y));
    output.split(x, xo, xi, 8, TailStrategy::GuardWithIf).vectorize(xi).unroll(y, 2, TailStrategy::GuardWithIf);
    edge.compute_at(output, y).vectorize(x, 4, TailStrategy::GuardWithIf);
    whole(output, {37, 21});
}
TEST_F(Derivations, PartialMinimaMaximaAndProducts) {
    for (int kind = 0; kind < 3; kind++) {
        Func best("best" + std::to_string(kind)), last("last");
        RDom r(0, 45, "r");
        const Expr element = cast<int>(words(r, y));
        if (kind == 0) {
            best(y) = Int(32).max();
            best(y) = min(best(y), element);
        } else if (kind == 1) {
            best(y) = Int(32).min();
            best(y) = max(element, best(y));
        } else {
            best(y) = 1;
            best(y) *= element;
        }
        last(y) = best(y);
        Func partial = best.update().split(r, ro, ri, 8, TailStrategy::GuardWithIf).rfactor(ri, u);
        best.compute_root();
        partial.compute_root().vectorize(u, 8).update().reorder(u, ro, y).vectorize(u, 8).parallel(y);
        whole(last, {19});
    }
}
TEST_F(Derivations, ScanOfAChannelInBlocks) {
    Func sums("sums");
    RDom r(1, 31, "r");
    sums(x, y) = cast<uint32_t>(words(x, y));
    sums(x, r) = sums(x, r - 1) / 2 + sums(x, r);
    output(x, y) = sums(x, 31 - y % 32);
    sums.compute_root().vectorize(x, 8, TailStrategy::GuardWithIf);
    sums.update().split(x, xo, xi, 8, TailStrategy::GuardWithIf).reorder(xi, r, xo).vectorize(xi).parallel(xo);
    output.reorder(y, x);
    whole(output, {45, 33});
}
TEST_F(Derivations, ScatterToDistinctPlaces) {
    Func bits("bits");
    RDom r(0, 16, "r");
    bits(x, y) = cast<uint16_t>(7);
    bits(4 * (r % 4) + r / 4, y) = words(r, y);
    output(x, y) = bits(x, y);
    output.bound(x, 0, 16);
    bits.compute_root().vectorize(x, 8);
    bits.update().split(r, ro, ri, 4).unroll(ri).parallel(y);
    whole(output, {16, 11});
}
TEST_F(Derivations, WindowsOutsideOfLoops) {
    Func a("a"), b("b");
    a(x, y) = words(x, y) * cast<uint16_t>(3);
    b(x, y) = a(x, y) + a(x + 1, y + 1);
    output(x, y) = b(x, y) + b(x, y + 1);
    output.tile(x, y, xo, yo, xi, yi, 16, 8, TailStrategy::GuardWithIf);
    b.compute_at(output, xo).vectorize(x, 4, TailStrategy::GuardWithIf);
    a.compute_at(b, Var::outermost()).vectorize(x, 4, TailStrategy::GuardWithIf);
    whole(output, {37, 21});
    a.store_at(b, Var::outermost()).compute_at(b, y);
    whole(output, {37, 21});
    b.compute_at(output, Var::outermost());
    whole(output, {37, 21});
    a.store_at(output, Var::outermost()).compute_at(output, Var::outermost());
    whole(output, {37, 21});
}
TEST_F(Derivations, TwoStagesBelowOneAnother) {
    Func a("a"), b("b"), d("d");
    a(x, y) = words(x, y) * cast<uint16_t>(3);
    b(x, y) = a(x, y) + a(x + 1, y);
    d(x, y) = b(x, y) + b(x, y + 1) + a(x, y);
    output(x, y) = d(x, y) + d(x + 2, y);
    output.split(y, yo, yi, 8, TailStrategy::ShiftInwards).parallel(yo);
    d.compute_at(output, yi).vectorize(x, 8);
    b.store_at(output, yo).compute_at(output, yi).vectorize(x, 8);
    a.store_at(output, yo).compute_at(output, yi).vectorize(x, 8);
    whole(output, {39, 27});
}
TEST_F(Derivations, MedianOfThreeByThree) {
    Func columns("columns");
    const auto mid = [](const Expr &p, const Expr &q, const Expr &r) { return max(min(max(p, q), r), min(p, q)); };
    columns(x, y) = mid(bytes(x, y - 1), bytes(x, y), bytes(x, y + 1));
    output(x, y) = mid(columns(x - 1, y), columns(x, y), columns(x + 1, y));
    output.tile(x, y, xo, yo, xi, yi, 24, 6).vectorize(xi, 8).parallel(yo);
    columns.compute_at(output, yi).vectorize(x, 8);
    whole(output, {73, 25});
}
TEST_F(Derivations, ResamplingByThirds) {
    Func thirds("thirds");
    thirds(x, y) = (words(4 * x / 3, y) + words(4 * x / 3 + 1, y)) / 2;
    output(x, y) = thirds(x, 4 * y / 3);
    output.tile(x, y, xo, yo, xi, yi, 12, 6, TailStrategy::GuardWithIf);
    thirds.compute_at(output, xo).vectorize(x, 4);
    whole(output, {31, 23});
}
TEST_F(Derivations, DistanceOfBlocks) {
    Func best("best"), cost("cost");
    Var d("d");
    RDom r(0, 3, 0, 3, "r"), s(0, 5, "s");
    cost(x, y, d) = cast<uint16_t>(0);
    cost(x, y, d) += cast<uint16_t>(absd(bytes(x + r.x, y + r.y), bytes(x + r.x + d, y + r.y)));
    best(x, y) = cast<uint16_t>(65535);
    best(x, y) = min(best(x, y), cost(x, y, s));
    output(x, y) = best(x, y);
    output.split(y, yo, yi, 4, TailStrategy::GuardWithIf).parallel(yo);
    best.compute_at(output, yi).vectorize(x, 8).update().reorder(x, s).vectorize(x, 8);
    cost.compute_at(output, yi).vectorize(x, 8).update().reorder(x, r.x, r.y, d).vectorize(x, 8).unroll(r.x);
    whole(output, {47, 21});
}
TEST_F(Derivations, AnySizeOfASumInTiles) {
    Param<int> radius("radius");
    RDom r(-radius, 2 * radius + 1, "r");
    Func sum("sum");
    sum(x, y) = cast<uint32_t>(0);
    sum(x, y) += words(x + r, y);
    output(x, y) = sum(x, y) + sum(x, y + 1);
    output.tile(x, y, xo, yo, xi, yi, 16, 4, TailStrategy::GuardWithIf);
    sum.compute_at(output, xo).update().reorder(x, r, y).vectorize(x, 8, TailStrategy::GuardWithIf);
    radius.set(2);
    whole(output, {35, 18});
}

} // namespace
} // namespace fluorite::derivations_test
