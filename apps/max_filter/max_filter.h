#pragma once
// The greatest 8-bit pixel in a square of (2 radius + 1)^2 pixels around each. Rows and columns are taken apart, and
// the window of each is covered by two overlapping ones of a power of two, each the maximum of two of half its length:
// the work a pixel grows with the logarithm of the radius. Outside the picture its edge repeats.

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
        } else {
            tall.compute_root(); // inline, each pixel would read the whole square
        }
    }
};

} // namespace apps
