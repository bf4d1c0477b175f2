#pragma once
// Layers of networks and products of matrices, as users write them, each with the schedule that an expert would write
// by hand: sums of some vectors along channels and of some pixels stay in registers. Inputs come with their margins
// where nothing else is said.

#include "benchmarks/auto_user_cases.h"

namespace auto_cases {

namespace user {

using Halide::max;

/// A first layer: 3x3 with stride 2 from three channels to 32, a bias, and ReLU. Channels are innermost.
struct StrideTwo : Program {
    explicit StrideTwo(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::Float(32), 3, "input"), filter(Halide::Float(32), 4, "filter"),
            bias(Halide::Float(32), 1, "bias");
        Func sum("sum");
        RDom r(0, 3, 0, 3, 0, 3, "r");
        sum(c, x, y) = bias(c);
        sum(c, x, y) += filter(c, r.x, r.y, r.z) * input(r.x, 2 * x + r.y, 2 * y + r.z);
        output(c, x, y) = max(sum(c, x, y), 0.0f);
        inputs = {input, filter, bias};
        if (is_by_hand) {
            Var xo("xo");
            output.bound(c, 0, 32).split(x, xo, xi, 10).reorder(c, xi, xo, y).vectorize(c, 16).unroll(c).unroll(xi);
            output.parallel(y, 8);
            sum.compute_at(output, xo).vectorize(c, 16).unroll(c).unroll(x);
            sum.update().reorder(c, x, y, r.x, r.y, r.z).vectorize(c, 16).unroll(c).unroll(x).unroll(r.x);
        }
    }
};

/// 3x3, a bias, ReLU, and the maximum of 2x2 pixels, of a batch; rows are innermost, channels outside, and the edge is
/// filled up with zeros.
struct ConvPool : Program {
    explicit ConvPool(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::Float(32), 4, "input"), filter(Halide::Float(32), 4, "filter"),
            bias(Halide::Float(32), 1, "bias");
        Var n("n"), z("z"), zo("zo"), zi("zi"), xo("xo");
        const Func padded = Halide::BoundaryConditions::constant_exterior(
            input, 0.0f, {{0, input.dim(0).extent()}, {0, input.dim(1).extent()}, {Expr(), Expr()}, {Expr(), Expr()}});
        Func sum("sum"), relu("relu"), copied("copied");
        copied(x, y, z, n) = padded(x, y, z, n);
        RDom r(0, 3, 0, 3, 0, input.dim(2).extent(), "r");
        sum(x, y, z, n) = bias(z);
        sum(x, y, z, n) += filter(r.x, r.y, r.z, z) * copied(x + r.x - 1, y + r.y - 1, r.z, n);
        relu(x, y, z, n) = max(sum(x, y, z, n), 0.0f);
        output(x, y, z, n) = max(max(relu(2 * x, 2 * y, z, n), relu(2 * x + 1, 2 * y, z, n)),
                                 max(relu(2 * x, 2 * y + 1, z, n), relu(2 * x + 1, 2 * y + 1, z, n)));
        inputs = {input, filter, bias};
        if (is_by_hand) {
            output.split(z, zo, zi, 4).reorder(x, zi, y, zo, n).vectorize(x, 16).parallel(zo).parallel(n);
            copied.compute_root().vectorize(x, 16).parallel(z).parallel(n);
            sum.compute_at(output, y).vectorize(x, 16);
            sum.update().split(x, xo, xi, 32).reorder(xi, z, y, r.x, r.y, r.z, xo, n).vectorize(xi, 16).unroll(xi);
            sum.update().unroll(y, 2).unroll(z, 4).unroll(r.x).unroll(r.y);
        }
    }
};

/// Depthwise 3x3 and pointwise from 64 channels to 128, each with a bias and limited to 0 .. 6; channels are innermost.
struct Separable : Program {
    explicit Separable(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::Float(32), 3, "input"), first(Halide::Float(32), 3, "first"),
            second(Halide::Float(32), 2, "second"), bias1(Halide::Float(32), 1, "bias1"),
            bias2(Halide::Float(32), 1, "bias2");
        Func depth("depth"), limited("limited"), point("point");
        RDom s(0, 3, 0, 3, "s"), k(0, first.dim(0).extent(), "k");
        depth(c, x, y) = bias1(c);
        depth(c, x, y) += first(c, s.x, s.y) * input(c, x + s.x, y + s.y);
        limited(c, x, y) = Halide::clamp(depth(c, x, y), 0.0f, 6.0f);
        point(c, x, y) = bias2(c);
        point(c, x, y) += second(c, k) * limited(k, x, y);
        output(c, x, y) = Halide::clamp(point(c, x, y), 0.0f, 6.0f);
        inputs = {input, first, second, bias1, bias2};
        if (is_by_hand) {
            Var xo("xo"), co("co"), ci("ci");
            output.split(x, xo, xi, 8).split(c, co, ci, 32).reorder(ci, xi, co, xo, y).vectorize(ci, 16).unroll(ci);
            output.unroll(xi).parallel(y, 4);
            point.compute_at(output, co).vectorize(c, 16).unroll(c).unroll(x);
            point.update().reorder(c, x, y, k).vectorize(c, 16).unroll(c).unroll(x);
            limited.compute_at(output, xo).vectorize(c, 16);
            depth.compute_at(limited, c).vectorize(c, 16);
            depth.update().vectorize(c, 16).unroll(s.x).unroll(s.y);
        }
    }
};

/// A product of matrices whose second operand lies along the sum, of odd sizes, for each matrix of a batch.
struct BatchedProduct : Program {
    explicit BatchedProduct(apps::Schedule schedule) : Program(schedule) {
        ImageParam a(Halide::Float(32), 3, "a"), b(Halide::Float(32), 3, "b");
        Var i("i"), j("j"), n("n"), ii("ii"), ji("ji");
        Func turned("turned"), product("product");
        RDom k(0, a.dim(0).extent(), "k");
        turned(i, x, n) = b(x, i, n);
        product(i, j, n) += turned(i, k, n) * a(k, j, n);
        output(i, j, n) = 0.125f * product(i, j, n);
        inputs = {a, b};
        if (is_by_hand) {
            output.tile(i, j, ii, ji, 32, 10).vectorize(ii, 16).unroll(ii).unroll(ji).parallel(n);
            turned.compute_at(output, n).split(i, i, ii, 16).vectorize(ii);
            product.compute_at(output, i).vectorize(i, 16).unroll(i).unroll(j);
            product.update().reorder(i, j, k).vectorize(i, 16).unroll(i).unroll(j);
        }
    }
};

/// A product of matrices where the first one is transposed: rows of both are read at each step.
struct TransposedProduct : Program {
    explicit TransposedProduct(apps::Schedule schedule) : Program(schedule) {
        ImageParam a(Halide::Float(32), 2, "a"), b(Halide::Float(32), 2, "b");
        Var i("i"), j("j"), ii("ii"), ji("ji"), io("io");
        Func product("product");
        RDom k(0, a.dim(1).extent(), "k");
        product(i, j) += a(j, k) * b(i, k);
        output(i, j) = product(i, j);
        inputs = {a, b};
        if (is_by_hand) {
            output.tile(i, j, ii, ji, 48, 8).reorder(ii, ji, j, i).vectorize(ii, 16).unroll(ii).unroll(ji).parallel(i);
            product.compute_at(output, j).vectorize(i, 16).unroll(i).unroll(j);
            product.update().reorder(i, j, k).vectorize(i, 16).unroll(i).unroll(j);
        }
    }
};

/// 1x1 from 256 channels to 128 where rows are innermost: a product of matrices.
struct Pointwise : Program {
    explicit Pointwise(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::Float(32), 3, "input"), filter(Halide::Float(32), 2, "filter"),
            bias(Halide::Float(32), 1, "bias");
        Var z("z"), zi("zi"), xo("xo");
        Func sum("sum");
        RDom k(0, filter.dim(0).extent(), "k");
        sum(x, y, z) = bias(z);
        sum(x, y, z) += filter(k, z) * input(x, y, k);
        output(x, y, z) = max(sum(x, y, z), 0.0f);
        inputs = {input, filter, bias};
        if (is_by_hand) {
            output.split(z, z, zi, 8).split(x, xo, xi, 32).reorder(xi, zi, z, xo, y).vectorize(xi, 16).unroll(xi);
            output.unroll(zi).parallel(y);
            sum.compute_at(output, z).vectorize(x, 16).unroll(x).unroll(z);
            sum.update().reorder(x, z, y, k).vectorize(x, 16).unroll(x).unroll(z);
        }
    }
};

/// A convolution of bytes by bytes with 32-bit sums, scaled back to bytes: 3x3 from 16 channels to 64, which are
/// innermost.
struct ByteConv : Program {
    explicit ByteConv(apps::Schedule schedule) : Program(schedule) {
        ImageParam input(Halide::UInt(8), 3, "input"), filter(Halide::Int(8), 4, "filter"),
            bias(Halide::Int(32), 1, "bias");
        Func sum("sum");
        RDom r(0, input.dim(0).extent(), 0, 3, 0, 3, "r");
        sum(c, x, y) = bias(c);
        sum(c, x, y) += cast<int>(filter(c, r.x, r.y, r.z)) * cast<int>(input(r.x, x + r.y, y + r.z));
        output(c, x, y) = cast<uint8_t>(Halide::clamp(sum(c, x, y) >> 9, 0, 255));
        inputs = {input, filter, bias};
        if (is_by_hand) {
            Var xo("xo"), co("co"), ci("ci");
            output.split(x, xo, xi, 5).split(c, co, ci, 64).reorder(ci, xi, xo, y, co).vectorize(ci, 16).unroll(ci);
            output.unroll(xi).parallel(y, 4);
            sum.compute_at(output, xo).vectorize(c, 16).unroll(c).unroll(x);
            sum.update().reorder(c, x, y, r.x, r.y, r.z).vectorize(c, 16).unroll(c).unroll(x);
        }
    }
};

} // namespace user

/// Layers of networks and products, with the extents of pictures and matrices divided by `shrink`.
inline std::vector<Named> network_cases(int shrink = 1) {
    using namespace user;
    const auto s = [shrink](int extent) { return std::max(8, extent / shrink); };
    const auto floats = [](const std::vector<int> &extents, unsigned seed) {
        return Buffer<>(random_buffer<float>(extents, -1, 1, seed));
    };
    std::vector<Named> all;
    const auto add = [&](const char *name, const std::function<Case(const std::string &)> &make) {
        all.push_back({name, [name = std::string(name), make] { return make(name); }});
    };
    add("stride_two", [=](const std::string &name) {
        const int w = s(448), h = s(448);
        return program<StrideTwo>(name, {32, w, h},
                                  {floats({3, 2 * w + 1, 2 * h + 1}, 1), floats({32, 3, 3, 3}, 2), floats({32}, 3)});
    });
    add("conv_pool", [=](const std::string &name) {
        const int w = s(64), h = s(64);
        return program<ConvPool>(name, {w, h, 32, 4},
                                 {floats({2 * w, 2 * h, 24, 4}, 1), floats({3, 3, 24, 32}, 2), floats({32}, 3)});
    });
    add("separable", [=](const std::string &name) {
        const int w = s(192), h = s(160);
        return program<Separable>(name, {128, w, h},
                                  {floats({64, w + 2, h + 2}, 1), floats({64, 3, 3}, 2), floats({128, 64}, 3),
                                   floats({64}, 4), floats({128}, 5)});
    });
    add("batched_product", [=](const std::string &name) {
        const int m = s(197), k = s(65);
        return program<BatchedProduct>(name, {m, m, 48}, {floats({k, m, 48}, 1), floats({k, m, 48}, 2)});
    });
    add("transposed_product", [=](const std::string &name) {
        const int m = s(700), k = s(900);
        return program<TransposedProduct>(name, {m, m}, {floats({m, k}, 1), floats({m, k}, 2)});
    });
    add("pointwise", [=](const std::string &name) {
        const int w = s(56), h = s(56);
        return program<Pointwise>(name, {w, h, 128}, {floats({w, h, 256}, 1), floats({256, 128}, 2), floats({128}, 3)});
    });
    add("byte_conv", [=](const std::string &name) {
        const int w = s(192), h = s(160);
        return program<ByteConv>(name, {64, w, h},
                                 {Buffer<>(random_buffer<uint8_t>({16, w + 2, h + 2}, 0, 255, 1)),
                                  Buffer<>(random_buffer<int8_t>({64, 16, 3, 3}, -100, 100, 2)),
                                  Buffer<>(random_buffer<int32_t>({64}, 0, 1000, 3))});
    });
    return all;
}

} // namespace auto_cases
