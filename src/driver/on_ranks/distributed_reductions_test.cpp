// Reductions that ranks share: partial results of rfactor, placed like the values of any Func.
#include "driver/on_ranks/test_images.h"

namespace fluorite::distributed_reductions_test {
namespace {

using namespace driver::testing;

const std::vector<int> all_rank_counts = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 64};

/// Runs a pipeline over an image that is cut into rows, and expects the whole of its output on every rank.
template <typename T, typename Result>
void expect_on_all(const Func &pipeline, const ImageParam &source, const Buffer<T> &image,
                   const Buffer<Result> &expected) {
    Var x("x"), y("y");
    for (const int count : all_rank_counts) {
        DistributedImage<T> in(source, {image.width(), image.height()});
        in.set_domain(x, y);
        in.placement().distribute(y);
        std::atomic<int> wrong = 0;
        run_on_ranks(count, [&] {
            in.allocate();
            for (int j = 0; j < in.height(); j++) {
                for (int i = 0; i < in.width(); i++) {
                    in(i, j) = image(in.global(0, i), in.global(1, j));
                }
            }
            Buffer<Result> result = expected.copy();
            result.fill(Result(-1));
            Func(pipeline).realize(result);
            wrong += std::memcmp(result.data(), expected.data(), expected.size_in_bytes()) == 0 ? 0 : 1;
        });
        EXPECT_EQ(wrong, 0) << count << " ranks";
    }
}

/// A histogram of a fixed number of blocks of rows: ranks share the blocks, then the bins.
struct Histogram {
    static constexpr int w = 37, h = 61, bins = 64;
    Var i{"i"}, u{"u"};
    RVar ro{"ro"}, ri{"ri"};
    ImageParam source{UInt(8), 2, "source"};
    RDom r{0, w, 0, h, "r"};
    Func counts{"counts"}, partial, out{"out"};
    Buffer<uint8_t> image{w, h};

    Histogram() {
        counts(i) = 0;
        counts(cast<int>(source(r.x, r.y)) % bins) += 1;
        out(i) = counts(i) * 2;
        out.bound(i, 0, bins);
        image.for_each_element([&](int x, int y) { image(x, y) = static_cast<uint8_t>((x * x * 7 + y * 31) % 253); });
    }
    Buffer<int> expected() {
        Buffer<int> result(bins);
        result.fill(0);
        image.for_each_element([&](int x, int y) { result(image(x, y) % bins) += 2; });
        return result;
    }
    void factor() {
        partial = counts.update().split(r.y, ro, ri, 4).rfactor(ro, u);
        partial.compute_root().distribute(u);
        partial.update().distribute(u);
        counts.compute_root().distribute(i);
        counts.update().distribute(i);
    }
};

TEST(DistributedReductions, HistogramsAreCountedInBlocksAndAddedByBins) {
    Histogram program;
    program.factor();
    expect_on_all(program.out, program.source, program.image, program.expected());
}

// Without it, each rank has the whole image, and counts all of it.
TEST(DistributedReductions, HistogramsExchangeBinsInPlaceOfTheImage) {
    for (const bool is_factored : {false, true}) {
        Histogram program;
        program.out.distribute(program.i);
        if (is_factored) {
            program.factor();
        } else {
            program.counts.compute_root();
        }
        std::atomic<int64_t> most_bytes = 0;
        Var x("x"), y("y");
        DistributedImage<uint8_t> in(program.source, {Histogram::w, Histogram::h});
        DistributedImage<int> out(Histogram::bins, "result");
        in.set_domain(x, y);
        in.placement().distribute(y);
        out.set_domain(program.i);
        out.placement().distribute(program.i);
        run_on_ranks(4, [&] {
            in.allocate();
            out.allocate();
            const RankReport report = explain_ranks(program.out, out);
            if (report.rank == 0) {
                most_bytes = report.bytes_sent;
                EXPECT_NE(report.text.find("compute out over [0, 16)"), std::string::npos) << report.text;
            }
        });
        // 4 blocks of 12 other ranks' bins each, of 4 bytes; or a quarter of the image to 3 ranks.
        const int blocks = (Histogram::h + 3) / 4;
        EXPECT_EQ(most_bytes, is_factored ? blocks / 4 * 48 * 4 : 3 * Histogram::w * 15);
    }
}

TEST(DistributedReductions, RoundedSumsHaveOneTreeForEveryNumberOfRanks) {
    const int w = 40, h = 57;
    ImageParam source(Float(32), 2, "source");
    RDom r(0, w, 0, h, "r");
    RVar ro("ro"), ri("ri"), roo("roo"), roi("roi");
    Var u("u"), v("v");
    Func total("total");
    total() = 0.0f;
    total() += source(r.x, r.y) * 0.1f;
    total.allow_reassociation();
    Func blocks = total.update().split(r.y, ro, ri, 3).rfactor(ro, u);
    blocks.compute_root().distribute(u);
    blocks.update().distribute(u);
    Buffer<float> image(w, h);
    image.for_each_element(
        [&](int x, int y) { image(x, y) = static_cast<float>((x * 131 + y * 17) % 1009) * 0.37f + 1.0f; });
    Buffer<float> expected = Buffer<float>::make_scalar();
    source.set(image);
    run_on_ranks(1, [&] { total.realize(expected); });
    Buffer<float> in_blocks = Buffer<float>::make_scalar();
    float sum = 0;
    for (int first = 0; first < h; first += 3) {
        float block = 0;
        for (int y = first; y < std::min(first + 3, h); y++) {
            for (int x = 0; x < w; x++) {
                block = std::fma(image(x, y), 0.1f, block);
            }
        }
        sum += block;
    }
    in_blocks() = sum;
    EXPECT_NEAR(in_blocks(), expected(), 1e-3f * sum);
    source.reset();
    expect_on_all(total, source, image, expected);
}

TEST(DistributedReductions, MinimaAndTuplesAreFactored) {
    const int w = 25, h = 33;
    ImageParam source(Int(32), 2, "source");
    RDom r(0, w, 0, h, "r");
    RVar ro("ro"), ri("ri");
    Var u("u"), x("x");
    Func least("least"), out("out");
    least() = Tuple(Int(32).max(), 0, 0);
    const Expr value = source(r.x, r.y);
    least() = Tuple(min(least()[0], value), select(value < least()[0], r.x, least()[1]),
                    select(value < least()[0], r.y, least()[2]));
    out(x) = select(x == 0, least()[0], x == 1, least()[1], least()[2]);
    Func blocks = least.update().split(r.y, ro, ri, 5).rfactor(ro, u);
    blocks.compute_root().distribute(u);
    blocks.update().distribute(u);
    least.compute_root();
    Buffer<int> image(w, h), expected(3);
    image.for_each_element([&](int i, int j) { image(i, j) = (i * 37 + j * 101) % 97; });
    int at_x = 0, at_y = 0;
    for (int j = 0; j < h; j++) {
        for (int i = 0; i < w; i++) {
            if (image(i, j) < image(at_x, at_y)) {
                at_x = i, at_y = j;
            }
        }
    }
    expected(0) = image(at_x, at_y), expected(1) = at_x, expected(2) = at_y;
    out.bound(x, 0, 3).distribute(x);
    expect_on_all(out, source, image, expected);
}

// The reduction variable that is kept apart is a coordinate, too: partial results have its Var in two places.
TEST(DistributedReductions, ACoordinateIsKeptApart) {
    constexpr int w = 24, h = 10;
    const Buffer<int> image = filled<int>(w, h);
    const auto define = [&](const auto &in, bool is_shared) {
        Var i("i"), u("u");
        Func sums("sums");
        RDom r(0, w, 0, h, "r");
        sums(i) = i;
        sums(r.x) += in(r.x, r.y);
        if (is_shared) {
            Func partial = sums.update().rfactor(r.x, u);
            partial.compute_root().distribute(u);
            partial.update().distribute(u);
        }
        return sums;
    };
    const Buffer<int> expected = define(image, false).realize({w});
    ImageParam source(Int(32), 2, "source");
    expect_on_all<int, int>(define(source, true), source, image, expected);
}

// The stages of a Func are split by different factors: parts begin at multiples of all.
TEST(DistributedReductions, StagesAreVectorizedAfterTheyAreDistributed) {
    const int n = 29;
    const auto product = [](const auto &left, const auto &right, bool is_distributed) {
        Var i("i"), j("j");
        RDom k(0, n, "k");
        Func sum("sum"), out("out");
        sum(i, j) = 0.0f;
        sum(i, j) += left(k, j) * right(i, k);
        out(i, j) = sum(i, j) + sum(j, i);
        if (is_distributed) {
            sum.compute_root().distribute(i, j).vectorize(i, 4);
            sum.update().distribute(i, j).reorder(i, k, j).vectorize(i, 3);
            out.distribute(j, i).vectorize(i, 8, TailStrategy::GuardWithIf);
        }
        return out;
    };
    const Buffer<float> whole = filled<float>(n, n);
    const Buffer<float> expected = product(whole, whole, false).realize({n, n});
    for (const int count : {2, 5}) {
        std::atomic<int> wrong = 0, points = 0;
        run_on_ranks(count, [&] {
            Var x("x"), y("y");
            DistributedImage<float> left(n, n, "left"), right(n, n, "right"), result(n, n, "result");
            Func out = product(left, right, true);
            allocate<float>({&left, &result}, x, y);
            allocate<float>({&right}, x, y, by_grid);
            fill(left);
            fill(right);
            out.realize(result);
            compare(result, expected, points, wrong);
        });
        EXPECT_EQ(points, n * n);
        EXPECT_EQ(wrong, 0) << count << " ranks";
    }
}

} // namespace
} // namespace fluorite::distributed_reductions_test
