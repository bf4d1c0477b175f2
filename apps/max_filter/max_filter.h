#pragma once
// The greatest 8-bit pixel in a square of (2 radius + 1)^2 pixels around each. Rows and columns are taken apart, and
// the window of each is covered by two overlapping ones of a power of two, each the maximum of two of half its length:
// the work a pixel grows with the logarithm of the radius. Outside the picture its edge repeats.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>
#include <vector>

namespace apps {

struct MaxFilter {
    Halide::ImageParam input{Halide::UInt(8), 2, "input"};
    Halide::Func output{"max_filter"};

    explicit MaxFilter(Schedule schedule, int radius = 13) {
        using namespace Halide;
        Var x("x"), y("y"), yi("yi");
        const int window = 2 * radius + 1;
        const auto levels = [&](Func first, bool along_x) {
            std::vector<Func> all = {first};
            for (int length = 1; 2 * length <= window; length *= 2) {
                Func next(std::string(along_x ? "row" : "column") + std::to_string(2 * length));
                const Func &half = all.back();
                next(x, y) = max(half(x, y), along_x ? half(x + length, y) : half(x, y + length));
                all.push_back(next);
            }
            return all;
        };
        int longest = 1;
        while (2 * longest <= window) {
            longest *= 2;
        }
        const int left = -radius, right = radius - longest + 1;
        std::vector<Func> columns = levels(BoundaryConditions::repeat_edge(input), false);
        Func tall("tall");
        tall(x, y) = max(columns.back()(x, y + left), columns.back()(x, y + right));
        std::vector<Func> rows = levels(tall, true);
        output(x, y) = max(rows.back()(x + left, y), rows.back()(x + right, y));
        if (is_by_hand(schedule)) {
            output.split(y, y, yi, 64).parallel(y).vectorize(x, 32);
            for (size_t i = 1; i < columns.size(); i++) {
                columns[i].compute_at(output, y).vectorize(x, 32);
            }
            tall.compute_at(output, yi).vectorize(x, 32);
            for (size_t i = 1; i < rows.size(); i++) {
                rows[i].compute_at(output, yi).vectorize(x, 32);
            }
        } else if (is_on_gpu(schedule)) {
            schedule_on_gpu(tall, columns, rows, radius, x, y);
        } else {
            tall.compute_root(); // inline, each pixel would read the whole square
        }
    }

  private:
    /// One kernel for the columns and one for the rows, with the maxima of shorter windows in the blocks' memory. Where
    /// windows are larger than what a block can hold, each length is a kernel.
    void schedule_on_gpu(Halide::Func &tall, std::vector<Halide::Func> &columns, std::vector<Halide::Func> &rows,
                         int radius, const Halide::Var &x, const Halide::Var &y) {
        const bool fits = radius <= 32;
        gpu_tiles(tall.compute_root(), x, y, fits ? rounded({32, 8, 4, 4}) : GpuTile());
        gpu_tiles(output, x, y, shifted({32, 8, 4, 1}));
        const auto lengths = [&](std::vector<Halide::Func> &all, Halide::Func &owner) {
            for (size_t i = 1; i < all.size(); i++) {
                if (fits) {
                    all[i].compute_at(owner, x).split(x, x, gpu_lane(), 4, Halide::TailStrategy::RoundUp);
                    gpu_turns(all[i].vectorize(gpu_lane()), x, y);
                } else {
                    gpu_tiles(all[i].compute_root(), x, y);
                }
            }
        };
        lengths(columns, tall);
        lengths(rows, output);
    }
};

} // namespace apps
