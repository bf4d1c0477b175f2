#pragma once
// Blends two pictures along a mask without a seam (Burt and Adelson, 1983): the Laplacian pyramids of both are mixed by
// the Gaussian pyramid of the mask, level by level. Outside the pictures their edges repeat.

#include "apps/common/gpu.h"
#include "apps/common/pyramid.h"
#include "apps/common/schedule.h"

#include <Halide.h>
#include <vector>

namespace apps {

struct PyramidBlend {
    Halide::ImageParam first{Halide::Float(32), 3, "first"}, second{Halide::Float(32), 3, "second"};
    Halide::ImageParam mask{Halide::Float(32), 2, "mask"}; ///< 1: the first picture, 0: the second
    Halide::Func output{"pyramid_blend"};

    explicit PyramidBlend(Schedule schedule, int levels = 6) {
        using namespace Halide;
        Var x("x"), y("y"), c("c");
        const size_t count = static_cast<size_t>(levels);
        std::vector<Func> a = {BoundaryConditions::repeat_edge(first)}, b = {BoundaryConditions::repeat_edge(second)};
        std::vector<Func> m = {BoundaryConditions::repeat_edge(mask)};
        for (size_t j = 1; j < count; j++) {
            const auto next = [&](std::vector<Func> &pyramid, const char *name, const std::vector<Var> &more) {
                const bool fence = j == fenced_level + 1;
                pyramid.push_back(down_1331(fence ? fenced(pyramid[j - 1], fenced_level, first) : pyramid[j - 1],
                                            name + std::to_string(j), more));
            };
            next(a, "first", {c});
            next(b, "second", {c});
            next(m, "mask", {});
        }
        std::vector<Func> blended(count);
        for (size_t j = count; j-- > 0;) {
            const std::string number = std::to_string(j);
            blended[j] = Func("blended" + number);
            Expr from_a = a[j](x, y, c), from_b = b[j](x, y, c), rest = 0.0f;
            if (j + 1 < count) {
                from_a -= up_1331(a[j + 1], "first_up" + number, {c})(x, y, c);
                from_b -= up_1331(b[j + 1], "second_up" + number, {c})(x, y, c);
                rest = up_1331(blended[j + 1], "blended_up" + number, {c})(x, y, c);
            }
            blended[j](x, y, c) = rest + lerp(from_b, from_a, m[j](x, y));
        }
        output(x, y, c) = clamp(blended[0](x, y, c), 0.0f, 1.0f);

        // Inline, each pixel would recompute the whole pyramids below it.
        for (size_t j = 1; j < count; j++) {
            for (Func f : {a[j], b[j], m[j], blended[j]}) {
                f.compute_root();
                if (is_by_hand(schedule)) {
                    f.vectorize(x, 8);
                    if (j < 5) {
                        f.parallel(y, 16);
                    }
                }
            }
        }
        if (is_by_hand(schedule)) {
            output.parallel(y, 16).vectorize(x, 8);
        }
        if (is_on_gpu(schedule)) {
            for (size_t j = 1; j < count; j++) {
                gpu_tiles(a[j], x, y, gpu_patch).gpu_blocks(c);
                gpu_tiles(b[j], x, y, gpu_patch).gpu_blocks(c);
                gpu_tiles(m[j], x, y, gpu_patch);
                if (j + 1 < count) {
                    gpu_tiles(blended[j], x, y, gpu_patch).gpu_blocks(c);
                }
            }
            gpu_tiles(output, x, y, gpu_patch).gpu_blocks(c);
        }
    }
};

} // namespace apps
