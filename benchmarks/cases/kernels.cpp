// The inner parts of applications: blurs, corners, pyramids, filters, stencils, products.
#include "batch.h"

using namespace Halide;

namespace {

constexpr int width = 1536, height = 1024;
Var x("x"), y("y"), c("c"), xi("xi"), yi("yi");

void add_blurs(bench::Batch &batch) {
    const Buffer<std::uint8_t> in = bench::random_buffer<std::uint8_t>({width + 8, height + 8}, 256);
    const auto wide = [&](Expr value) { return cast<std::uint16_t>(value); };
    Func column("column"), gauss("gauss"), across("across"), greatest("greatest");
    column(x, y) = wide(in(x, y)) + 2 * wide(in(x, y + 1)) + wide(in(x, y + 2));
    gauss(x, y) = cast<std::uint8_t>((column(x, y) + 2 * column(x + 1, y) + column(x + 2, y) + 8) >> 4);
    column.compute_at(gauss, y).vectorize(x, 16);
    gauss.vectorize(x, 16);
    batch.add("gauss3x3_u8", gauss, Buffer<std::uint8_t>(width, height), 4);
    Expr row = in(x, y);
    for (int i = 1; i < 7; ++i) {
        row = max(row, in(x + i, y));
    }
    across(x, y) = row;
    Expr square = across(x, y);
    for (int i = 1; i < 7; ++i) {
        square = max(square, across(x, y + i));
    }
    greatest(x, y) = square;
    greatest.split(y, y, yi, 32).vectorize(x, 32);
    across.store_at(greatest, y).compute_at(greatest, yi).vectorize(x, 32);
    batch.add("max7x7_u8", greatest, Buffer<std::uint8_t>(width, height), 4);
}

void add_harris(bench::Batch &batch) {
    const Buffer<float> in = bench::random_buffer<float>({width + 4, height + 4, 3}, 256, 1 / 256.0);
    Func gray("gray"), dx("dx"), dy("dy"), corners("corners");
    gray(x, y) = 0.299f * in(x, y, 0) + 0.587f * in(x, y, 1) + 0.114f * in(x, y, 2);
    const auto along = [&](Expr a, Expr b, bool is_x) { return is_x ? gray(x + a, y + b) : gray(x + b, y + a); };
    for (const bool is_x : {true, false}) {
        (is_x ? dx : dy)(x, y) = along(2, 0, is_x) - along(0, 0, is_x) + 2 * (along(2, 1, is_x) - along(0, 1, is_x)) +
                                 along(2, 2, is_x) - along(0, 2, is_x);
    }
    const auto sum = [&](const Func &a, const Func &b) {
        Expr total = 0.0f;
        for (int i = 0; i < 9; ++i) {
            total += a(x + i % 3, y + i / 3) * b(x + i % 3, y + i / 3);
        }
        return total;
    };
    Func xx("xx"), yy("yy"), xy("xy");
    xx(x, y) = sum(dx, dx);
    yy(x, y) = sum(dy, dy);
    xy(x, y) = sum(dx, dy);
    const Expr trace = xx(x, y) + yy(x, y);
    corners(x, y) = xx(x, y) * yy(x, y) - xy(x, y) * xy(x, y) - 0.04f * trace * trace;
    corners.split(y, y, yi, 32).vectorize(x, 8);
    for (Func f : {gray, dx, dy}) {
        f.store_at(corners, y).compute_at(corners, yi).vectorize(x, 8);
    }
    // The determinant is the difference of two products of sums, which cancel along edges.
    batch.add("harris", corners, Buffer<float>(width, height), 1, {1e-5});
}

void add_resizing(bench::Batch &batch) {
    const Buffer<std::uint8_t> in = bench::random_buffer<std::uint8_t>({width, height}, 256);
    const Func clamped = BoundaryConditions::repeat_edge(in);
    Func across("across"), resized("resized");
    const Expr at_x = (x + 0.5f) * 0.75f - 0.5f, at_y = (y + 0.5f) * 0.75f - 0.5f; // exact on both sides
    const Expr left = cast<int>(floor(at_x)), top = cast<int>(floor(at_y));
    across(x, y) = lerp(cast<float>(clamped(left, y)), cast<float>(clamped(left + 1, y)), at_x - left);
    resized(x, y) = cast<std::uint8_t>(lerp(across(x, top), across(x, top + 1), at_y - top));
    across.compute_at(resized, y).vectorize(x, 8);
    resized.vectorize(x, 8);
    batch.add("resize_u8", resized, Buffer<std::uint8_t>(width, height), 1);

    const Buffer<float> fine = bench::random_buffer<float>({2 * width + 4, height + 4}, 256);
    Func half("half"), quarter("quarter");
    half(x, y) = (fine(2 * x, y) + 3.0f * (fine(2 * x + 1, y) + fine(2 * x + 2, y)) + fine(2 * x + 3, y)) * 0.125f;
    quarter(x, y) = (half(x, 2 * y) + 3.0f * (half(x, 2 * y + 1) + half(x, 2 * y + 2)) + half(x, 2 * y + 3)) * 0.125f;
    half.compute_at(quarter, y).vectorize(x, 8);
    quarter.vectorize(x, 8);
    batch.add("downsample", quarter, Buffer<float>(width - 8, height / 2 - 8), 2);
}

void add_stencils(bench::Batch &batch) {
    const Buffer<float> in = bench::random_buffer<float>({width + 2, height + 2}, 256);
    const Buffer<float> volume = bench::random_buffer<float>({258, 130, 66}, 256);
    Var z("z");
    Func plane("plane"), space("space");
    plane(x, y) = 0.25f * (in(x + 1, y + 1) + in(x, y + 1) + in(x + 2, y + 1) + in(x + 1, y) + in(x + 1, y + 2));
    space(x, y, z) = 0.125f * (volume(x + 1, y + 1, z + 1) + volume(x, y + 1, z + 1) + volume(x + 2, y + 1, z + 1) +
                               volume(x + 1, y, z + 1) + volume(x + 1, y + 2, z + 1) + volume(x + 1, y + 1, z) +
                               volume(x + 1, y + 1, z + 2));
    plane.vectorize(x, 8);
    space.vectorize(x, 8);
    batch.add("jacobi_2d", plane, Buffer<float>(width, height), 2);
    batch.add("jacobi_3d", space, Buffer<float>(256, 128, 64), 2);
}

void add_product(bench::Batch &batch) {
    constexpr int size = 512;
    const Buffer<float> a = bench::random_buffer<float>({size, size}, 16),
                        b = bench::random_buffer<float>({size, size}, 16);
    Func product("product"), out("out");
    RDom k(0, size);
    product(x, y) = 0.0f;
    product(x, y) += a(k, y) * b(x, k);
    out(x, y) = product(x, y);
    out.tile(x, y, xi, yi, 32, 8).vectorize(xi, 8).unroll(xi).unroll(yi);
    product.compute_at(out, x).vectorize(x, 8).unroll(x).unroll(y);
    product.update().reorder(x, y, k).vectorize(x, 8).unroll(x).unroll(y);
    batch.add("matrix_product", out, Buffer<float>(size, size), 1);
}

} // namespace

int main() {
    bench::Batch batch;
    add_blurs(batch);
    add_harris(batch);
    add_resizing(batch);
    add_stencils(batch);
    add_product(batch);
    return batch.serve();
}
