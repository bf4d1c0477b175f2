// Params with ranges, ImageParams with constraints on dimensions, estimates, alignment, output buffers, errors caught.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

int main() {
    ImageParam input(UInt(16), 3, "input");
    Param<float> gain("gain", 1.0f, 0.0f, 8.0f);
    Param<int32_t> offset("offset");
    Param<bool> invert("invert", false);
    Param<uint8_t> white{"white", 255};
    offset.set_range(-100, 100);
    offset.set(7);
    Var x("x"), y("y"), c("c");
    Func f("f");
    Expr v = cast<int>(input(x, y, c) * gain) + offset;
    f(x, y, c) = cast<uint16_t>(clamp(select(invert, white - v, v), 0, 65535));
    input.dim(0).set_stride(3).set_min(0);
    input.dim(2).set_stride(1).set_bounds(0, 3);
    input.dim(0).set_estimate(0, 640);
    input.dim(1).set_estimate(0, 480);
    input.set_host_alignment(2);
    f.output_buffer().dim(0).set_stride(3);
    f.output_buffer().dim(2).set_stride(1).set_bounds(0, 3);
    f.set_estimates({{0, 640}, {0, 480}, {0, 3}});
    f.reorder(c, x, y).unroll(c).vectorize(x, 4);

    Buffer<uint16_t> in = Buffer<uint16_t>::make_interleaved(20, 10, 3);
    in.for_each_element([&](int i, int j, int k) { in(i, j, k) = (uint16_t)(i + 10 * j + 100 * k); });
    Buffer<uint16_t> out = Buffer<uint16_t>::make_interleaved(20, 10, 3);
    input.set(in);
    gain.set(2.0f);
    f.realize(out);
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 10; j++) {
            for (int i = 0; i < 20; i++) {
                if (out(i, j, k) != in(i, j, k) * 2 + 7) {
                    printf("%d %d %d: %d\n", i, j, k, out(i, j, k));
                    return 1;
                }
            }
        }
    }
    Buffer<uint16_t> planar(20, 10, 3);
    bool refused = false;
    try {
        f.realize(planar);
    } catch (const Halide::RuntimeError &e) {
        refused = true;
    }
    if (!refused) {
        printf("a planar output was taken\n");
        return 2;
    }
    refused = false;
    gain.set(9.0f);
    try {
        f.realize(out);
    } catch (const Halide::Error &e) {
        refused = true;
    }
    if (!refused) {
        printf("a Param out of its range was taken\n");
        return 3;
    }
    gain.set(1.0f);
    invert.set(true);
    f.realize(out);
    Buffer<uint16_t> got = input.get();
    return out(3, 2, 0) == 255 - (3 + 20 + 7) && got.data() == in.data() && gain.get() == 1.0f && offset.get() == 7 &&
                   input.dimensions() == 3 && input.name() == "input" && input.defined()
               ? 0
               : 4;
}
