// Specializations of layouts: under a condition on strides, loads and stores are those of that layout, and values are
// the same whatever the layout of the call.
#include "driver/test_interpreted.h"
#include "fluorite/fluorite.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace fluorite::specialized_strides_test {
namespace {

Var x("x"), y("y"), c("c"), xo("xo"), xi("xi");

template <typename T> struct Program {
    ImageParam in{type_of<T>(), 3, "in"};
    Func g{"g"}, f{"f"};

    Program() {
        g(x, y, c) = in(x, y, c) + in(x + 1, y, 2 - c);
        f(x, y, c) = g(x, y, c) * 2 + cast<T>(x);
        f(x, y, c) += cast<T>(3) * in(x, y + 1, c);
        in.dim(0).set_stride(Expr());
        f.output_buffer().dim(0).set_stride(Expr());
        f.bound(c, 0, 3);
    }

    Expr planar() const { return in.dim(0).stride() == 1 && f.output_buffer().dim(0).stride() == 1; }
    Expr interleaved() const {
        const Func out = f;
        return in.dim(0).stride() == 3 && in.dim(2).stride() == 1 && 3 == out.output_buffer().dim(0).stride() &&
               1 == out.output_buffer().dim(2).stride();
    }

    void expect_values(const std::string &what) {
        const std::vector<int> planar_order = {0, 1, 2}, interleaved_order = {2, 0, 1}, by_rows = {1, 0, 2};
        for (const auto &in_order : {planar_order, interleaved_order, by_rows}) {
            for (const auto &out_order : {planar_order, interleaved_order, by_rows}) {
                Buffer<T> image({24, 9, 3}, in_order), seen({23, 8, 3}, out_order), wanted({23, 8, 3});
                image.for_each_element(
                    [&](int i, int j, int k) { image(i, j, k) = static_cast<T>(i * 7 + j * 31 + k); });
                in.set(image);
                f.realize(seen);
                interpret_into(f, {wanted.raw_buffer()});
                int wrong = 0;
                seen.for_each_element([&](int i, int j, int k) { wrong += seen(i, j, k) != wanted(i, j, k); });
                EXPECT_EQ(wrong, 0) << what << ", in " << in_order[0] << ", out " << out_order[0];
            }
        }
    }
};

template <typename T> void expect_every_layout() {
    for (const TailStrategy tail : {TailStrategy::GuardWithIf, TailStrategy::ShiftInwards, TailStrategy::Predicate}) {
        for (int way = 0; way < 2; way++) {
            Program<T> program;
            Func &f = program.f;
            const TailStrategy in_update = tail == TailStrategy::ShiftInwards ? TailStrategy::GuardWithIf : tail;
            f.split(x, xo, xi, 8, tail).vectorize(xi);
            f.update().vectorize(x, 4, in_update);
            f.specialize(program.planar()).parallel(y);
            f.specialize(program.interleaved()).reorder(c, xi, xo, y).unroll(c);
            f.update().specialize(program.planar());
            f.update().specialize(program.interleaved()).reorder(c, x, y).unroll(c);
            if (way == 1) {
                program.g.compute_at(f, y).vectorize(x, 8);
            }
            program.expect_values("tail " + std::to_string(static_cast<int>(tail)) + ", way " + std::to_string(way));
        }
    }
}

TEST(SpecializedStrides, ValuesOfBytes) { expect_every_layout<uint8_t>(); }
TEST(SpecializedStrides, ValuesOfFloats) { expect_every_layout<float>(); }

std::string lowered(Func f, const ImageParam &in) {
    f.compile_to_lowered_stmt("lowered.ir", {in});
    std::stringstream text;
    text << std::ifstream("lowered.ir").rdbuf();
    return text.str();
}

/// A program over packed pixels with loops over channels and x that are one.
template <typename T> void expect_fused_pixels(int channels, int offset) {
    const TailStrategy tails[] = {TailStrategy::GuardWithIf, TailStrategy::ShiftInwards, TailStrategy::RoundUp,
                                  TailStrategy::Predicate, TailStrategy::PredicateStores};
    for (const TailStrategy tail : tails) {
        Buffer<T> image = random_buffer<T>({40, 9, 8}, 7).copy_to_interleaved();
        Var pixel("pixel");
        Func f("f");
        f(x, y, c) = image(x + offset, y, c + offset) + image(x, y, (c + 1) % 8);
        f(x, y, c) += cast<T>(2) * image(x, y + 1, c);
        f.bound(c, 0, channels).bound(x, 0, 33);
        f.output_buffer().dim(0).set_stride(channels).dim(2).set_stride(1).set_bounds(0, channels);
        const TailStrategy in_update = tail == TailStrategy::Predicate ? tail : TailStrategy::GuardWithIf;
        if (tail != TailStrategy::RoundUp) {
            f.reorder(c, x, y).fuse(c, x, pixel).vectorize(pixel, 16, tail);
            f.update().reorder(c, x, y).fuse(c, x, pixel).vectorize(pixel, 8, in_update).parallel(y);
        } else {
            f.reorder(c, x, y).fuse(c, x, pixel).vectorize(pixel, 3 * channels, tail);
            f.update().reorder(c, x, y).fuse(c, x, pixel).unroll(pixel, channels);
        }
        Buffer<T> seen({33, 8, channels}, std::vector<int>{2, 0, 1}), wanted({33, 8, channels});
        f.realize(seen);
        interpret_into(f, {wanted.raw_buffer()});
        int wrong = 0;
        seen.for_each_element([&](int i, int j, int k) { wrong += seen(i, j, k) != wanted(i, j, k); });
        EXPECT_EQ(wrong, 0) << channels << " channels, tail " << static_cast<int>(tail);
    }
}

TEST(SpecializedStrides, FusedLoopsOverPackedPixels) {
    expect_fused_pixels<uint8_t>(3, 0);
    expect_fused_pixels<uint8_t>(4, 2);
    expect_fused_pixels<float>(3, 1);
    expect_fused_pixels<int16_t>(5, 1);
}

TEST(SpecializedStrides, CopiesOfPackedPixelsAreDense) {
    Buffer<uint8_t> image = Buffer<uint8_t>::make_interleaved(64, 8, 3);
    ImageParam in(UInt(8), 3, "in");
    Func f("f");
    f(x, y, c) = in(x, y, c);
    for (OutputImageParam packed : {OutputImageParam(in), f.output_buffer()}) {
        packed.dim(0).set_bounds(0, 64).set_stride(3).dim(2).set_bounds(0, 3).set_stride(1);
    }
    Var pixel("pixel");
    f.reorder(c, x, y).fuse(c, x, pixel).vectorize(pixel, 16);
    const std::string text = lowered(f, in);
    EXPECT_EQ(text.find("% broadcast"), std::string::npos) << text;
    EXPECT_NE(text.find("f[ramp("), std::string::npos) << text;
}

/// How many vectors of the lowered program are accessed with a stride that is not a constant.
int unknown_strides(const std::string &text) {
    int count = 0;
    for (size_t at = text.find(", cast<int64>("); at != std::string::npos; at = text.find(", cast<int64>(", at + 1)) {
        count += text.compare(at + 14, 2, "f-") == 0 || text.compare(at + 14, 3, "in-") == 0;
    }
    return count;
}

TEST(SpecializedStrides, AccessesAreDense) {
    ImageParam in(UInt(8), 2, "in");
    in.dim(0).set_stride(Expr());
    Func f("f");
    f(x, y) = in(x, y) + in(x + 1, y);
    f.output_buffer().dim(0).set_stride(Expr());
    f.vectorize(x, 16);
    const int without = unknown_strides(lowered(f, in));
    f.specialize(in.dim(0).stride() == 1 && f.output_buffer().dim(0).stride() == 1);
    EXPECT_GT(without, 0);
    EXPECT_EQ(unknown_strides(lowered(f, in)), without); // those of the stage itself
}

} // namespace
} // namespace fluorite::specialized_strides_test
