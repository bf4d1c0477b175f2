// Buffers whose dimension 0 is not dense, as inputs, constants and outputs of pipelines.

#include "fluorite/fluorite.h"

#include <gtest/gtest.h>

namespace fluorite {

namespace {

Buffer<uint8_t> interleaved_pixels() {
    Buffer<uint8_t> pixels = Buffer<uint8_t>::make_interleaved(4, 5, 3);
    pixels.for_each_element([&](int x, int y, int c) { pixels(x, y, c) = static_cast<uint8_t>(x + 10 * y + 80 * c); });
    return pixels;
}

void expect_pixels(const Buffer<uint8_t> &seen) {
    seen.for_each_element([&](int x, int y, int c) { EXPECT_EQ(seen(x, y, c), (x + 10 * y + 80 * c) & 255); });
}

TEST(Strides, AnInputMayHaveAnyStrideOnceItsPromiseIsTakenBack) {
    Var x("x"), y("y"), c("c");
    ImageParam in(UInt(8), 3, "in");
    Func f("f");
    f(x, y, c) = in(x, y, c);
    in.set(interleaved_pixels());
    EXPECT_THROW((void)f.realize({4, 5, 3}), RuntimeError);
    in.dim(0).set_stride(Expr());
    expect_pixels(f.realize({4, 5, 3}));
    f.vectorize(x, 4);
    expect_pixels(f.realize({4, 5, 3}));
    in.reset();
    f.infer_input_bounds({4, 5, 3});
    EXPECT_EQ(in.get().dim(0).stride(), 1);
    EXPECT_EQ(in.get().dim(2).stride(), 20);
}

TEST(Strides, ABufferInAnExpressionKeepsItsLayout) {
    Var x("x"), y("y"), c("c");
    Func f("f");
    f(x, y, c) = interleaved_pixels()(x, y, c);
    expect_pixels(f.realize({4, 5, 3}));
}

TEST(Strides, AnOutputMayHaveAnyStride) {
    Var x("x"), y("y"), c("c");
    Func f("f");
    f(x, y, c) = cast<uint8_t>(x + 10 * y + 80 * c);
    f.output_buffer().dim(0).set_stride(Expr());
    Buffer<uint8_t> out = Buffer<uint8_t>::make_interleaved(4, 5, 3);
    f.realize(out);
    expect_pixels(out);
}

TEST(Strides, RealizeMakesOutputsInTheOrderOfReorderStorage) {
    Var x("x"), y("y");
    Func f("f");
    f(x, y) = x + 10 * y;
    f.reorder_storage(y, x);
    Buffer<int> out = f.realize({4, 5});
    EXPECT_EQ(out.dim(0).stride(), 5);
    EXPECT_EQ(out.dim(1).stride(), 1);
    EXPECT_EQ(out(3, 4), 43);
}

} // namespace

} // namespace fluorite
