#pragma once
// Multi-scale interpolation: fills the transparent parts of a picture with colour (red, green, blue, alpha). Colours
// weighted by alpha are taken down a pyramid of 1 2 1 averages; from the coarsest level upwards each pixel keeps its
// own share and takes the rest from the level above. Outside the picture its edge repeats; so it does outside level 3
// for the levels above it.

#include "apps/common/gpu.h"
#include "apps/common/pyramid.h"
#include "apps/common/schedule.h"

#include <Halide.h>
#include <vector>

namespace apps {

struct Interpolate {
    Halide::ImageParam input{Halide::Float(32), 3, "input"};
    Halide::Func output{"interpolate"};

    explicit Interpolate(Schedule schedule, int levels = 10) {
        using namespace Halide;
        Var x("x"), y("y"), c("c");
        const size_t count = static_cast<size_t>(levels);
        const Func source = BoundaryConditions::repeat_edge(input);
        std::vector<Func> down(count), filled(count);
        down[0] = Func("down0");
        down[0](x, y, c) = source(x, y, c) * select(c < 3, source(x, y, 3), 1.0f);
        for (size_t j = 1; j < count; j++) {
            const Func fine = j == fenced_level + 1 ? fenced(down[j - 1], fenced_level, input) : down[j - 1];
            Func across("across" + std::to_string(j));
            down[j] = Func("down" + std::to_string(j));
            across(x, y, c) = (fine(2 * x - 1, y, c) + 2.0f * fine(2 * x, y, c) + fine(2 * x + 1, y, c)) * 0.25f;
            down[j](x, y, c) = (across(x, 2 * y - 1, c) + 2.0f * across(x, 2 * y, c) + across(x, 2 * y + 1, c)) * 0.25f;
        }
        filled.back() = down.back();
        for (size_t j = count - 1; j-- > 0;) {
            const Func coarse = filled[j + 1];
            Func across("up_across" + std::to_string(j)), up("up" + std::to_string(j));
            across(x, y, c) = (coarse(x / 2, y, c) + coarse((x + 1) / 2, y, c)) / 2;
            up(x, y, c) = (across(x, y / 2, c) + across(x, (y + 1) / 2, c)) / 2;
            filled[j] = Func("filled" + std::to_string(j));
            filled[j](x, y, c) = down[j](x, y, c) + (1.0f - down[j](x, y, 3)) * up(x, y, c);
        }
        output(x, y, c) = filled[0](x, y, c) / max(filled[0](x, y, 3), 1e-6f);

        // Inline, each pixel would recompute the whole pyramid below it.
        for (size_t j = 1; j < count; j++) {
            down[j].compute_root();
            filled[j].compute_root();
        }
        if (is_by_hand(schedule)) {
            // Rows of the coarsest levels are too few and too short to be handed out.
            for (size_t j = 1; j + 1 < count && j < 6; j++) {
                down[j].parallel(y, 8).vectorize(x, 8);
                filled[j].parallel(y, 8).vectorize(x, 8);
            }
            output.reorder(c, x, y).bound(c, 0, 3).unroll(c).parallel(y, 8).vectorize(x, 8);
        }
        if (is_on_gpu(schedule)) {
            for (size_t j = 1; j < count; j++) {
                gpu_tiles(down[j], x, y, gpu_patch).gpu_blocks(c);
                if (j + 1 < count) {
                    gpu_tiles(filled[j], x, y, gpu_patch).gpu_blocks(c);
                }
            }
            output.reorder(c, x, y).bound(c, 0, 3).unroll(c);
            gpu_tiles(output, x, y, gpu_patch);
        }
    }
};

} // namespace apps
