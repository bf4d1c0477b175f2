#pragma once
// Local Laplacian filter (Paris, Hasinoff, Kautz, 2011; the fast form of Aubry and others): for several brightnesses
// the luminance is remapped around them and taken to a Laplacian pyramid; each coefficient of the result is
// interpolated between those of the two brightnesses next to the pixel's. Outside the picture its edge repeats; so it
// does outside level 3 for the levels above it.

#include "apps/common/gpu.h"
#include "apps/common/pyramid.h"
#include "apps/common/schedule.h"

#include <Halide.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace apps {

struct LocalLaplacian {
    Halide::ImageParam input{Halide::UInt(16), 3, "input"};
    Halide::Param<float> alpha{"alpha", 1.0f}; ///< how much detail is added
    Halide::Param<float> beta{"beta", 1.0f};   ///< how much contrast stays
    Halide::Func output{"local_laplacian"};

    /// `levels` of the pyramid (J), `steps` of brightness.
    explicit LocalLaplacian(Schedule schedule, int levels = 8, int steps = 8) {
        using namespace Halide;
        Var x("x"), y("y"), c("c"), k("k"), i("i"), yi("yi");
        const Func source = BoundaryConditions::repeat_edge(input);
        const size_t count = static_cast<size_t>(levels);
        const auto named = [](const char *stem, size_t j) { return stem + std::to_string(j); };
        Func color("color"), gray("gray"), remap("remap");
        color(x, y, c) = source(x, y, c) / 65535.0f;
        gray(x, y) = 0.299f * color(x, y, 0) + 0.587f * color(x, y, 1) + 0.114f * color(x, y, 2);
        const Expr distance = cast<float>(i) / 256.0f;
        remap(i) = alpha * distance * exp(-distance * distance / 2.0f);

        // Gaussian pyramids of the remapped luminances, and of the luminance itself.
        std::vector<Func> bent(count), plain(count), detail(count), chosen(count), result(count);
        const Expr center = k * (1.0f / static_cast<float>(steps - 1));
        const Expr place = clamp(cast<int>(gray(x, y) * static_cast<float>((steps - 1) * 256)), 0, (steps - 1) * 256);
        // The pyramid is made of whole rows of the remapped luminances; the detail looks single ones up.
        Func looked_up("looked_up");
        bent[0] = Func("bent0");
        for (Func &f : {std::ref(bent[0]), std::ref(looked_up)}) {
            f(x, y, k) = beta * (gray(x, y) - center) + center + remap(place - 256 * k);
        }
        plain[0] = gray;
        for (size_t j = 1; j < count; j++) {
            const bool fence = j == fenced_level + 1;
            const int finer = static_cast<int>(j) - 1;
            bent[j] = down_1331(fence ? fenced(bent[j - 1], finer, input) : bent[j - 1], named("bent", j), {k});
            plain[j] = down_1331(fence ? fenced(plain[j - 1], finer, input) : plain[j - 1], named("plain", j));
        }
        detail.back() = bent.back();
        for (size_t j = 0; j + 1 < count; j++) {
            detail[j] = Func(named("detail", j));
            detail[j](x, y, k) =
                (j == 0 ? looked_up : bent[j])(x, y, k) - up_1331(bent[j + 1], named("bent_up", j), {k})(x, y, k);
        }
        for (size_t j = 0; j < count; j++) {
            const Expr level = plain[j](x, y) * static_cast<float>(steps - 1);
            const Expr below = clamp(cast<int>(level), 0, steps - 2), part = level - cast<float>(below);
            chosen[j] = Func(named("chosen", j));
            chosen[j](x, y) = (1.0f - part) * detail[j](x, y, below) + part * detail[j](x, y, below + 1);
        }
        result.back() = chosen.back();
        for (size_t j = count - 1; j-- > 0;) {
            result[j] = Func(named("result", j));
            result[j](x, y) = up_1331(result[j + 1], named("result_up", j))(x, y) + chosen[j](x, y);
        }
        const float least = 0.01f;
        const Expr value = result[0](x, y) * (color(x, y, c) + least) / (gray(x, y) + least);
        output(x, y, c) = cast<uint16_t>(clamp(value, 0.0f, 1.0f) * 65535.0f);

        // Inline, each pixel would recompute the whole pyramid below it.
        remap.compute_root();
        gray.compute_root();
        for (size_t j = 1; j < count; j++) {
            bent[j].compute_root();
            plain[j].compute_root();
            result[j].compute_root();
        }
        if (is_by_hand(schedule)) {
            output.split(y, y, yi, 32).reorder(c, x, yi, y).bound(c, 0, 3).unroll(c).parallel(y).vectorize(x, 8);
            result[0].compute_at(output, yi).vectorize(x, 8);
            gray.parallel(y, 32).vectorize(x, 8);
            // Of each brightness the rows slide below level 1, so each is remapped once.
            bent[1].reorder_storage(x, k, y).split(y, y, yi, 16).reorder(x, yi, k, y).parallel(y).vectorize(x, 8);
            bent[0].store_at(bent[1], k).compute_at(bent[1], yi).vectorize(x, 8);
            // Rows of the coarsest levels are too few and too short to be handed out.
            for (size_t j = 1; j < std::min(count, size_t(5)); j++) {
                plain[j].parallel(y, 32).vectorize(x, 8);
                result[j].parallel(y, 32).vectorize(x, 8);
                if (j > 1) {
                    bent[j].reorder_storage(x, k, y).reorder(x, k, y).parallel(y, 8).vectorize(x, 8);
                }
            }
        } else if (is_on_gpu(schedule)) {
            gpu_row_of(remap, i, 256);
            gpu_tiles(gray, x, y, gpu_patch);
            for (size_t j = 1; j < count; j++) {
                // Brightnesses are a dimension of the grid.
                gpu_tiles(bent[j], x, y, gpu_patch).gpu_blocks(k);
                gpu_tiles(plain[j], x, y, gpu_patch);
                gpu_tiles(result[j], x, y, gpu_patch);
            }
            if (count > 1) {
                // Each luminance is remapped once for a block of level 1.
                gpu_turns(bent[0].compute_at(bent[1], x), x, y);
            }
            output.reorder(c, x, y).bound(c, 0, 3).unroll(c);
            gpu_tiles(output, x, y, shifted(gpu_patch));
            result[0].compute_at(output, gpu_x()).unroll(x).unroll(y);
        } else {
            result[0].compute_root();
        }
    }
};

} // namespace apps
