#pragma once
// A chain of 5x5 binomial stencils over 16-bit pixels, 32 of them unless told otherwise. Outside the picture its edge
// repeats; every stage reaches two pixels further than the next, so only the picture is continued, not the stages.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>
#include <vector>

namespace apps {

struct StencilChain {
    Halide::ImageParam input{Halide::UInt(16), 2, "input"};
    Halide::Func output;

    explicit StencilChain(Schedule schedule, int stages = 32) {
        using namespace Halide;
        Var x("x"), y("y"), yi("yi");
        const int weight[5] = {1, 4, 6, 4, 1};
        std::vector<Func> all;
        Func before = BoundaryConditions::repeat_edge(input);
        for (int s = 0; s < stages; s++) {
            Func stage("stage" + std::to_string(s));
            Expr sum = cast<uint32_t>(0);
            for (int j = 0; j < 5; j++) {
                for (int i = 0; i < 5; i++) {
                    sum += cast<uint32_t>(before(x + i - 2, y + j - 2)) * cast<uint32_t>(weight[i] * weight[j]);
                }
            }
            stage(x, y) = cast<uint16_t>(sum / 256);
            all.push_back(stage);
            before = stage;
        }
        output = before;
        for (Func &stage : all) {
            stage.compute_root(); // inline, each pixel would recompute 25 of each stage before it
        }
        if (is_by_hand(schedule)) {
            const int lanes = get_jit_target_from_environment().natural_vector_size<uint32_t>();
            if (schedule == Schedule::Hand) {
                // Pictures between stages stay in the last cache, and no pixel is computed twice.
                for (Func &stage : all) {
                    stage.split(y, y, yi, 64).parallel(y).vectorize(x, lanes);
                }
                return;
            }
            // Every fourth stage is stored; rows of the three between slide down its strips.
            for (size_t s = 0; s < all.size(); s++) {
                Func &stage = all[s], &owner = all[std::min((s / 4 + 1) * 4, all.size()) - 1];
                stage.vectorize(x, 16);
                if ((s + 1) % 4 == 0 || s + 1 == all.size()) {
                    stage.split(y, y, yi, 128).parallel(y);
                } else {
                    stage.store_at(owner, y).compute_at(owner, yi);
                }
            }
        }
        if (is_on_gpu(schedule)) {
            for (Func &stage : all) {
                gpu_tiles(stage, x, y, shifted({32, 8, 2, 4})); // a thread's rows share the pixels that they read
            }
        }
    }
};

} // namespace apps
