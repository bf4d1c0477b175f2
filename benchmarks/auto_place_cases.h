#pragma once
// Pipelines whose places are computed: a warp and a table of colours, whose coordinates all channels share, and
// transforms of blocks, whose rows are shorter than a vector. Each showed a fault of the model when it was first
// scheduled automatically, at 0.74, 0.86 and 0.28 of an expert's speed.

#include "benchmarks/auto_user_cases.h"

namespace auto_cases {

namespace user {

using Halide::lerp;

/// A photograph without the distortion of its lens, by bilinear interpolation: 8 bits, three channels.
struct LensCorrection : Program {
    explicit LensCorrection(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::UInt(8), 3, "input");
        const Func source =
            Halide::BoundaryConditions::repeat_edge(input, {{0, input.width()}, {0, input.height()}, {Expr(), Expr()}});
        Func place("place");
        const Expr center_x = cast<float>(input.width()) * 0.5f, center_y = cast<float>(input.height()) * 0.5f;
        const Expr u = (cast<float>(x) - center_x) / center_x, v = (cast<float>(y) - center_y) / center_y;
        const Expr square = u * u + v * v, factor = 1.0f + square * (-0.2f + 0.05f * square);
        place(x, y) = Tuple(center_x + u * factor * center_x, center_y + v * factor * center_y);
        const Expr px = place(x, y)[0], py = place(x, y)[1];
        const Expr ix = cast<int>(floor(px)), iy = cast<int>(floor(py));
        const Expr fx = px - cast<float>(ix), fy = py - cast<float>(iy);
        const auto at = [&](int i, int j) { return cast<float>(source(ix + i, iy + j, c)); };
        output(x, y, c) = cast<uint8_t>(lerp(lerp(at(0, 0), at(1, 0), fx), lerp(at(0, 1), at(1, 1), fx), fy) + 0.5f);
        inputs = {input};
        if (is_by_hand) {
            output.bound(c, 0, 3).reorder(c, x, y).unroll(c).vectorize(x, 16).parallel(y, 16);
        }
    }
};

/// Colours through a table of 33 values along each of red, green and blue, by trilinear interpolation.
struct ColorTable : Program {
    explicit ColorTable(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::UInt(8), 3, "input"), table(Halide::Float(32), 4, "table");
        Func level("level");
        level(x, y, c) = cast<float>(input(x, y, c)) * (32.0f / 255.0f);
        std::vector<Expr> cell, part;
        for (int k = 0; k < 3; k++) {
            cell.push_back(Halide::clamp(cast<int>(level(x, y, k)), 0, 31));
            part.push_back(level(x, y, k) - cast<float>(cell[static_cast<size_t>(k)]));
        }
        const auto along_red = [&](int green, int blue) {
            const auto at = [&](int red) { return table(cell[0] + red, cell[1] + green, cell[2] + blue, c); };
            return lerp(at(0), at(1), part[0]);
        };
        const auto along_green = [&](int blue) { return lerp(along_red(0, blue), along_red(1, blue), part[1]); };
        output(x, y, c) =
            cast<uint8_t>(Halide::clamp(lerp(along_green(0), along_green(1), part[2]) * 255.0f + 0.5f, 0.0f, 255.0f));
        inputs = {input, table};
        if (is_by_hand) {
            output.bound(c, 0, 3).reorder(c, x, y).unroll(c).vectorize(x, 16).parallel(y, 8);
        }
    }
};

/// A separable transform of blocks of 8 x 8 pixels, and its quantization; the coefficients of a block lie together.
struct BlockTransform : Program {
    explicit BlockTransform(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::UInt(8), 2, "input"), steps(Halide::Float(32), 2, "steps"),
            basis(Halide::Float(32), 2, "basis");
        Var u("u"), v("v"), column("column"), row("row");
        Func rows("rows"), both("both");
        RDom r(0, 8, "r"), s(0, 8, "s");
        rows(u, y, column, row) += basis(u, r) * (cast<float>(input(column * 8 + r, row * 8 + y)) - 128.0f);
        both(u, v, column, row) += basis(v, s) * rows(u, s, column, row);
        output(u, v, column, row) = cast<int16_t>(round(both(u, v, column, row) / steps(u, v)));
        inputs = {input, steps, basis};
        if (is_by_hand) {
            output.bound(u, 0, 8).bound(v, 0, 8).vectorize(u).unroll(v).parallel(row, 4);
            both.compute_at(output, column).vectorize(u).unroll(v);
            both.update().reorder(u, v, s).vectorize(u).unroll(v).unroll(s);
            rows.compute_at(output, column).vectorize(u).unroll(y);
            rows.update().reorder(u, y, r).vectorize(u).unroll(y).unroll(r);
        }
    }
};

} // namespace user

/// All programs of users, with the extents of pictures divided by `shrink`.
inline std::vector<Named> all_user_cases(int shrink = 1) {
    using namespace user;
    const auto s = [shrink](int extent) { return std::max(8, extent / shrink); };
    std::vector<Named> all = user_cases(shrink);
    const auto add = [&](const char *name, const std::function<Case(const std::string &)> &make) {
        all.push_back({name, [name = std::string(name), make] { return make(name); }});
    };
    const auto bytes = [](const std::vector<int> &extents, unsigned seed) {
        return Buffer<>(random_buffer<uint8_t>(extents, 0, 255, seed));
    };
    add("lens_correction", [=](const std::string &name) {
        const int w = s(1920), h = s(1080);
        return program<LensCorrection>(name, {w, h, 3}, {bytes({w, h, 3}, 1)});
    });
    add("color_table", [=](const std::string &name) {
        const int w = s(1537), h = s(1023);
        return program<ColorTable>(name, {w, h, 3},
                                   {bytes({w, h, 3}, 1), Buffer<>(random_buffer<float>({33, 33, 33, 3}, 0, 1, 2))});
    });
    add("block_transform", [=](const std::string &name) {
        const int w = s(256), h = s(192);
        return program<BlockTransform>(name, {8, 8, w, h},
                                       {bytes({8 * w, 8 * h}, 1), Buffer<>(random_buffer<float>({8, 8}, 1, 20, 2)),
                                        Buffer<>(random_buffer<float>({8, 8}, -1, 1, 3))});
    });
    return all;
}

} // namespace auto_cases
