#pragma once
// Twelve pipelines of kinds that users write, each with the schedule that an expert would write by hand. None of the
// first ten was looked at while the scheduler was written: they show what it does with programs that it has not been
// tuned for. The last two are kinds of sums that it did badly with the code of AVX2 and SSE4.1.

#include "benchmarks/auto_cases.h"

namespace auto_cases {

namespace user {

using Halide::cast;
using Halide::Expr;
using Halide::ImageParam;
using Halide::RDom;
using Halide::RVar;
using Halide::Tuple;
using Halide::Var;

/// What all of them have; variables are named as in most programs.
struct Program {
    std::vector<ImageParam> inputs;
    Func output{"output"};
    Var x{"x"}, y{"y"}, c{"c"}, xi{"xi"}, yi{"yi"}, yo{"yo"};
    bool is_by_hand;
    explicit Program(apps::Schedule schedule) : is_by_hand(apps::is_by_hand(schedule)) {}
};

/// A photograph through a tone curve, sharpened on its luminance, and through a second table: 8 bits, three channels.
struct SharpenTables : Program {
    explicit SharpenTables(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::UInt(8), 3, "input"), table(Halide::UInt(8), 1, "table");
        Var i("i");
        Func curve("curve"), toned("toned"), luma("luma"), down("down"), blurred("blurred"), ratio("ratio");
        const Expr level = cast<float>(i) / 255.0f;
        curve(i) = cast<uint16_t>(Halide::clamp(1023.0f * level * (1.6f - 0.6f * level), 0.0f, 1023.0f));
        const Func source = Halide::BoundaryConditions::repeat_edge(input);
        toned(x, y, c) = curve(cast<int>(source(x, y, c)));
        luma(x, y) = (cast<float>(toned(x, y, 0)) * 0.299f + cast<float>(toned(x, y, 1)) * 0.587f +
                      cast<float>(toned(x, y, 2)) * 0.114f);
        down(x, y) =
            (luma(x, y - 2) + luma(x, y + 2) + 4.0f * (luma(x, y - 1) + luma(x, y + 1)) + 6.0f * luma(x, y)) * 0.0625f;
        blurred(x, y) =
            (down(x - 2, y) + down(x + 2, y) + 4.0f * (down(x - 1, y) + down(x + 1, y)) + 6.0f * down(x, y)) * 0.0625f;
        ratio(x, y) = (2.0f * luma(x, y) - blurred(x, y)) / Halide::max(luma(x, y), 1.0f);
        const Expr sharp = Halide::clamp(cast<float>(toned(x, y, c)) * ratio(x, y), 0.0f, 1023.0f);
        output(x, y, c) = table(Halide::clamp(cast<int>(sharp), 0, 1023));
        inputs = {input, table};
        if (is_by_hand) {
            output.bound(c, 0, 3).split(y, yo, y, 32).reorder(x, c, y, yo).parallel(yo).vectorize(x, 16);
            curve.compute_root();
            luma.store_at(output, yo).compute_at(output, y).vectorize(x, 16);
            down.compute_at(output, y).vectorize(x, 16);
            ratio.compute_at(output, y).vectorize(x, 16);
        }
    }
};

/// The difference of two Gaussian blurs of a mirrored image.
struct BandPass : Program {
    explicit BandPass(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::Float(32), 2, "input");
        const Func source = Halide::BoundaryConditions::mirror_interior(input);
        const float narrow[] = {0.4026f, 0.2442f, 0.0545f};
        const float wide[] = {0.1974f, 0.1747f, 0.1210f, 0.0656f, 0.0279f, 0.0121f};
        Func narrow_x("narrow_x"), narrow_y("narrow_y"), wide_x("wide_x"), wide_y("wide_y");
        const auto blur = [&](Func from, const float *weight, int radius, bool is_row) {
            Expr sum = from(x, y) * weight[0];
            for (int k = 1; k <= radius; k++) {
                sum += weight[k] * (is_row ? from(x - k, y) + from(x + k, y) : from(x, y - k) + from(x, y + k));
            }
            return sum;
        };
        narrow_y(x, y) = blur(source, narrow, 2, false);
        narrow_x(x, y) = blur(narrow_y, narrow, 2, true);
        wide_y(x, y) = blur(source, wide, 5, false);
        wide_x(x, y) = blur(wide_y, wide, 5, true);
        output(x, y) = narrow_x(x, y) - wide_x(x, y);
        inputs = {input};
        if (is_by_hand) {
            output.split(y, yo, y, 32).parallel(yo).vectorize(x, 16);
            narrow_y.compute_at(output, y).vectorize(x, 16);
            wide_y.compute_at(output, y).vectorize(x, 16);
        }
    }
};

/// A block of a small network: 3x3 convolution, depthwise 3x3, pointwise; a bias and ReLU after each. Channels are
/// innermost, and the input comes with its margin.
struct SmallNetwork : Program {
    explicit SmallNetwork(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::Float(32), 3, "input"), first(Halide::Float(32), 4, "first"),
            second(Halide::Float(32), 3, "second"), third(Halide::Float(32), 2, "third");
        Func conv("conv"), conv_relu("conv_relu"), depth("depth"), depth_relu("depth_relu"), point("point");
        RDom r(0, 16, 0, 3, 0, 3, "r"), s(0, 3, 0, 3, "s"), k(0, 32, "k");
        conv(c, x, y) = 0.1f;
        conv(c, x, y) += first(c, r.y, r.z, r.x) * input(r.x, x + r.y, y + r.z);
        conv_relu(c, x, y) = Halide::max(conv(c, x, y), 0.0f);
        depth(c, x, y) = 0.2f;
        depth(c, x, y) += second(c, s.x, s.y) * conv_relu(c, x + s.x, y + s.y);
        depth_relu(c, x, y) = Halide::max(depth(c, x, y), 0.0f);
        point(c, x, y) = -0.1f;
        point(c, x, y) += third(c, k) * depth_relu(k, x, y);
        output(c, x, y) = Halide::max(point(c, x, y), 0.0f);
        inputs = {input, first, second, third};
        if (is_by_hand) {
            Var xo("xo");
            output.bound(c, 0, 32).split(x, xo, xi, 8).reorder(c, xi, xo, y).vectorize(c, 16).unroll(c).unroll(xi);
            output.parallel(y, 8);
            point.compute_at(output, xo).vectorize(c, 16).unroll(c).unroll(x);
            point.update().reorder(c, x, y, k).vectorize(c, 16).unroll(c).unroll(x);
            depth_relu.compute_at(output, xo).vectorize(c, 16).unroll(c).unroll(x);
            depth.compute_at(depth_relu, x).vectorize(c, 16);
            depth.update().vectorize(c, 16).unroll(s.x).unroll(s.y);
            conv_relu.bound(c, 0, 32).compute_root().split(x, xo, xi, 8).reorder(c, xi, xo, y);
            conv_relu.vectorize(c, 16).unroll(c).unroll(xi).parallel(y, 8);
            conv.compute_at(conv_relu, xo).vectorize(c, 16).unroll(c).unroll(x);
            conv.update().reorder(c, x, y, r.x, r.y, r.z).vectorize(c, 16).unroll(c).unroll(x);
        }
    }
};

/// Local histogram equalization: a limited cumulative histogram of each tile of 64 x 64 pixels, and for each pixel what
/// the four tiles around it say.
struct TileEqualization : Program {
    explicit TileEqualization(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::UInt(8), 2, "input");
        Var i("i"), tx("tx"), ty("ty");
        const Func source = Halide::BoundaryConditions::repeat_edge(input);
        Func histogram("histogram"), limited("limited"), below("below");
        RDom r(0, 64, 0, 64, "r"), bins(1, 255, "bins");
        histogram(i, tx, ty) = 0;
        histogram(cast<int>(source(tx * 64 + r.x, ty * 64 + r.y)), tx, ty) += 1;
        limited(i, tx, ty) = Halide::min(histogram(i, tx, ty), 48) + 8;
        below(i, tx, ty) = limited(i, tx, ty);
        below(bins, tx, ty) += below(bins - 1, tx, ty);
        const Expr last_x = (input.width() - 1) / 64, last_y = (input.height() - 1) / 64;
        const Expr left = Halide::clamp((x - 32) / 64, 0, last_x), top = Halide::clamp((y - 32) / 64, 0, last_y);
        const Expr right = Halide::min(left + 1, last_x), bottom = Halide::min(top + 1, last_y);
        const Expr fx = cast<float>((x + 32) % 64) / 64.0f, fy = cast<float>((y + 32) % 64) / 64.0f;
        const Expr value = cast<int>(input(x, y));
        const auto said = [&](const Expr &tile_x, const Expr &tile_y) {
            return cast<float>(below(value, tile_x, tile_y)) / cast<float>(below(255, tile_x, tile_y));
        };
        const Expr above = Halide::lerp(said(left, top), said(right, top), fx);
        const Expr under = Halide::lerp(said(left, bottom), said(right, bottom), fx);
        output(x, y) = cast<uint8_t>(255.0f * Halide::lerp(above, under, fy) + 0.5f);
        inputs = {input};
        if (is_by_hand) {
            output.parallel(y, 16).vectorize(x, 16);
            below.compute_root().parallel(ty).vectorize(i, 16);
            histogram.compute_at(below, tx).vectorize(i, 16);
        }
    }
};

/// Stereo: sums of absolute differences over 7 x 7 pixels, and the disparity of the least.
struct BlockMatching : Program {
    explicit BlockMatching(apps::Schedule schedule) : Program(schedule) {
        ImageParam left(Halide::UInt(8), 2, "left"), right(Halide::UInt(8), 2, "right");
        Var d("d");
        const Func l = Halide::BoundaryConditions::repeat_edge(left),
                   r = Halide::BoundaryConditions::repeat_edge(right);
        Func difference("difference"), columns("columns"), costs("costs"), best("best");
        difference(x, y, d) = cast<uint16_t>(Halide::absd(l(x, y), r(x - d, y)));
        Expr column = difference(x, y - 3, d);
        for (int k = -2; k <= 3; k++) {
            column += difference(x, y + k, d);
        }
        columns(x, y, d) = column;
        Expr row = columns(x - 3, y, d);
        for (int k = -2; k <= 3; k++) {
            row += columns(x + k, y, d);
        }
        costs(x, y, d) = row;
        RDom all(0, 32, "all");
        best(x, y) = Tuple(cast<uint8_t>(0), cast<uint16_t>(65535));
        const Expr is_less = costs(x, y, all) < best(x, y)[1];
        best(x, y) = Tuple(Halide::select(is_less, cast<uint8_t>(all), best(x, y)[0]),
                           Halide::select(is_less, costs(x, y, all), best(x, y)[1]));
        output(x, y) = cast<uint8_t>(best(x, y)[0] * 8);
        inputs = {left, right};
        if (is_by_hand) {
            output.split(y, yo, y, 32)
                .split(x, x, xi, 256, Halide::TailStrategy::GuardWithIf)
                .reorder(xi, y, x, yo)
                .parallel(yo)
                .vectorize(xi, 32);
            best.compute_at(output, x).vectorize(x, 32);
            best.update().reorder(x, y, all).vectorize(x, 32);
            columns.compute_at(best, all).vectorize(x, 32);
            difference.compute_at(best, all).vectorize(x, 32);
        }
    }
};

/// RGB to YCbCr, each channel the mean of 2 x 2 pixels.
struct HalfYcc : Program {
    explicit HalfYcc(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::UInt(8), 3, "input");
        Func ycc("ycc");
        const auto channel = [&](int k) { return cast<int>(input(x, y, k)); };
        const Expr r = channel(0), g = channel(1), b = channel(2);
        ycc(x, y, c) = cast<uint16_t>(
            Halide::clamp(Halide::mux(c, {(77 * r + 150 * g + 29 * b) >> 8, ((-43 * r - 85 * g + 128 * b) >> 8) + 128,
                                          ((128 * r - 107 * g - 21 * b) >> 8) + 128}),
                          0, 255));
        output(x, y, c) = cast<uint8_t>((ycc(2 * x, 2 * y, c) + ycc(2 * x + 1, 2 * y, c) + ycc(2 * x, 2 * y + 1, c) +
                                         ycc(2 * x + 1, 2 * y + 1, c) + 2) /
                                        4);
        inputs = {input};
        if (is_by_hand) {
            output.bound(c, 0, 3).reorder(c, x, y).unroll(c).parallel(y, 16).vectorize(x, 16);
        }
    }
};

/// The mean of 17 x 17 pixels through an integral image.
struct IntegralMean : Program {
    explicit IntegralMean(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::UInt(8), 2, "input");
        const Func source = Halide::BoundaryConditions::constant_exterior(input, cast<uint8_t>(0));
        Func rows("rows"), integral("integral");
        RDom along(0, input.width() + 16, "along"), down(0, input.height() + 16, "down");
        rows(x, y) = cast<uint32_t>(0);
        rows(along, y) = rows(along - 1, y) + cast<uint32_t>(source(along - 8, y - 8));
        integral(x, y) = cast<uint32_t>(0);
        integral(x, down) = integral(x, down - 1) + rows(x, down);
        const Expr sum =
            integral(x + 16, y + 16) - integral(x - 1, y + 16) - integral(x + 16, y - 1) + integral(x - 1, y - 1);
        output(x, y) = cast<uint8_t>(sum / 289);
        inputs = {input};
        if (is_by_hand) {
            output.parallel(y, 32).vectorize(x, 16);
            Var xo("xo");
            integral.compute_root().vectorize(x, 16);
            integral.update().split(x, xo, x, 256).reorder(x, down, xo).vectorize(x, 16).parallel(xo);
            rows.compute_root().vectorize(x, 16).parallel(y, 32).update().parallel(y, 32);
        }
    }
};

/// A bilateral filter of 7 x 7 pixels: weights of the distance of values come from a table.
struct BilateralTable : Program {
    explicit BilateralTable(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::UInt(8), 2, "input");
        Var i("i");
        const Func source = Halide::BoundaryConditions::repeat_edge(input);
        Func weight("weight"), near("near"), sums("sums");
        weight(i) = Halide::exp(cast<float>(i) * cast<float>(i) * -0.002f);
        near(x, y) = Halide::exp(cast<float>(x * x + y * y) * -0.08f);
        RDom r(-3, 7, -3, 7, "r");
        const Expr value = source(x + r.x, y + r.y);
        const Expr w = near(r.x, r.y) * weight(cast<int>(Halide::absd(source(x, y), value)));
        sums(x, y) = Tuple(0.0f, 0.0f);
        sums(x, y) = Tuple(sums(x, y)[0] + w * cast<float>(value), sums(x, y)[1] + w);
        output(x, y) = cast<uint8_t>(sums(x, y)[0] / sums(x, y)[1] + 0.5f);
        inputs = {input};
        if (is_by_hand) {
            weight.compute_root();
            near.compute_root();
            output.tile(x, y, xi, yi, 64, 16).parallel(y).vectorize(xi, 16);
            sums.compute_at(output, xi).vectorize(x, 16).update().vectorize(x, 16);
        }
    }
};

/// A dense layer: a batch of vectors times a matrix whose rows lie along the sum, a bias, and ReLU.
struct DenseLayer : Program {
    explicit DenseLayer(apps::Schedule schedule) : Program(schedule) {
        ImageParam batch(Halide::Float(32), 2, "batch"), weights(Halide::Float(32), 2, "weights"),
            bias(Halide::Float(32), 1, "bias");
        Func turned("turned"), product("product");
        Var j("j"), n("n"), ji("ji"), ni("ni"), jo("jo");
        RDom k(0, weights.dim(0).extent(), "k");
        turned(j, x) = weights(x, j);
        product(j, n) = bias(j);
        product(j, n) += turned(j, k) * batch(k, n);
        output(j, n) = Halide::max(product(j, n), 0.0f);
        inputs = {batch, weights, bias};
        if (is_by_hand) {
            output.split(j, jo, j, 32).tile(j, n, ji, ni, 32, 8).reorder(ji, ni, j, n, jo).parallel(jo);
            output.vectorize(ji, 16).unroll(ji).unroll(ni);
            turned.compute_at(output, jo).vectorize(j, 16).unroll(j);
            product.compute_at(output, j).vectorize(j, 16).unroll(j).unroll(n);
            product.update().reorder(j, n, k).vectorize(j, 16).unroll(j).unroll(n);
        }
    }
};

/// What an opening with 9 x 9 pixels removes (a white top hat).
struct TopHat : Program {
    explicit TopHat(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::UInt(8), 2, "input");
        const Func source = Halide::BoundaryConditions::repeat_edge(input);
        Func erode_y("erode_y"), erode("erode"), dilate_y("dilate_y");
        const auto ends = [&](Func from, bool is_row, bool is_least) {
            Expr end = from(x, y);
            for (int k = -4; k <= 4; k++) {
                const Expr other = is_row ? from(x + k, y) : from(x, y + k);
                end = is_least ? Halide::min(end, other) : Halide::max(end, other);
            }
            return end;
        };
        erode_y(x, y) = ends(source, false, true);
        erode(x, y) = ends(erode_y, true, true);
        dilate_y(x, y) = ends(erode, false, false);
        output(x, y) = source(x, y) - ends(dilate_y, true, false);
        inputs = {input};
        if (is_by_hand) {
            output.split(y, yo, y, 64).parallel(yo).vectorize(x, 64);
            dilate_y.compute_at(output, y).vectorize(x, 64);
            erode.store_at(output, yo).compute_at(output, y).vectorize(x, 64);
            erode_y.compute_at(output, y).vectorize(x, 64);
        }
    }
};

/// Block matching of a video: the sum of absolute differences of each block of 8 x 8 pixels of two frames.
struct BlockDifferences : Program {
    explicit BlockDifferences(apps::Schedule schedule) : Program(schedule) {
        ImageParam now(Halide::UInt(8), 2, "now"), before(Halide::UInt(8), 2, "before");
        Func sums("sums");
        RDom r(0, 8, 0, 8, "r");
        const Expr px = 8 * x + r.x, py = 8 * y + r.y;
        sums(x, y) = cast<uint16_t>(0);
        sums(x, y) += cast<uint16_t>(Halide::absd(now(px, py), before(px, py)));
        output(x, y) = sums(x, y);
        inputs = {now, before};
        if (is_by_hand) {
            output.vectorize(x, 16).parallel(y, 16);
            sums.compute_at(output, x).vectorize(x, 16).update().reorder(x, r.x, r.y).vectorize(x, 16).unroll(r.x);
        }
    }
};

/// A picture of half the height: nine weighted rows for each row.
struct HalfHeight : Program {
    explicit HalfHeight(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::Float(32), 2, "input"), weights(Halide::Float(32), 1, "weights");
        const Func source = Halide::BoundaryConditions::repeat_edge(input);
        RDom r(0, 9, "r");
        output(x, y) = 0.0f;
        output(x, y) += source(x, 2 * y + r - 4) * weights(r);
        inputs = {input, weights};
        if (is_by_hand) {
            output.vectorize(x, 16).parallel(y, 16);
            output.update().split(x, x, xi, 32).reorder(xi, r, x, y).vectorize(xi, 16).parallel(y, 16);
        }
    }
};

/// A program over elements that are made once.
template <typename P> Case program(const std::string &name, std::vector<int> extents, std::vector<Buffer<>> inputs) {
    return {name, std::move(extents), [inputs = std::move(inputs)](apps::Schedule schedule) {
                auto made = std::make_shared<P>(schedule);
                for (size_t i = 0; i < inputs.size(); i++) {
                    made->inputs[i].set(inputs[i]);
                }
                return Made{made, made->output, made->inputs};
            }};
}

} // namespace user

/// The programs of users, with the extents of their outputs divided by `shrink`.
inline std::vector<Named> user_cases(int shrink = 1) {
    using namespace user;
    const auto s = [shrink](int extent) { return std::max(8, extent / shrink); };
    const int w = s(3072), h = s(2048);
    const auto bytes = [](const std::vector<int> &extents, unsigned seed) {
        return Buffer<>(random_buffer<uint8_t>(extents, 0, 255, seed));
    };
    const auto floats = [](const std::vector<int> &extents, unsigned seed) {
        return Buffer<>(random_buffer<float>(extents, -1, 1, seed));
    };
    std::vector<Named> all;
    const auto add = [&](const char *name, const std::function<Case(const std::string &)> &make) {
        all.push_back({name, [name = std::string(name), make] { return make(name); }});
    };
    add("sharpen_tables", [=](const std::string &name) {
        return program<SharpenTables>(name, {w, h, 3}, {bytes({w, h, 3}, 1), bytes({1024}, 2)});
    });
    add("band_pass", [=](const std::string &name) { return program<BandPass>(name, {w, h}, {floats({w, h}, 1)}); });
    add("small_network", [=](const std::string &name) {
        const int nw = s(512), nh = s(384);
        return program<SmallNetwork>(
            name, {32, nw, nh},
            {floats({16, nw + 4, nh + 4}, 1), floats({32, 3, 3, 16}, 2), floats({32, 3, 3}, 3), floats({32, 32}, 4)});
    });
    add("tile_equalization",
        [=](const std::string &name) { return program<TileEqualization>(name, {w, h}, {bytes({w, h}, 1)}); });
    add("block_matching", [=](const std::string &name) {
        return program<BlockMatching>(name, {w / 2, h / 2}, {bytes({w / 2, h / 2}, 1), bytes({w / 2, h / 2}, 2)});
    });
    add("half_ycc",
        [=](const std::string &name) { return program<HalfYcc>(name, {w, h, 3}, {bytes({2 * w, 2 * h, 3}, 1)}); });
    add("integral_mean",
        [=](const std::string &name) { return program<IntegralMean>(name, {w, h}, {bytes({w, h}, 1)}); });
    add("bilateral_table",
        [=](const std::string &name) { return program<BilateralTable>(name, {w, h}, {bytes({w, h}, 1)}); });
    add("dense_layer", [=](const std::string &name) {
        const int n = s(256), k = s(1024);
        return program<DenseLayer>(name, {k, n}, {floats({k, n}, 1), floats({k, k}, 2), floats({k}, 3)});
    });
    add("top_hat", [=](const std::string &name) { return program<TopHat>(name, {w, h}, {bytes({w, h}, 1)}); });
    add("block_differences", [=](const std::string &name) {
        return program<BlockDifferences>(name, {w / 8, h / 8}, {bytes({w, h}, 1), bytes({w, h}, 2)});
    });
    add("half_height", [=](const std::string &name) {
        return program<HalfHeight>(name, {w, h / 2}, {floats({w, h}, 1), floats({9}, 2)});
    });
    return all;
}

} // namespace auto_cases
