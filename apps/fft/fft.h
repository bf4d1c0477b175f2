#pragma once
// Discrete Fourier transforms of square pictures whose side is a power of two, 16 to 1024. Columns are transformed by
// Stockham's method in steps of radix 4 (and one of radix 2 where the exponent is odd): each step is a Func whose
// dimensions are the digits of the index, so no reordering is left. Vectors run along x. Rows are columns of the
// transpose. A real picture is transformed two columns at a time, packed as one complex column.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

#include <algorithm>
#include <string>
#include <vector>

namespace apps {

enum class Domain { Complex, Real };

struct Fft {
    /// x, y, part (0 real, 1 imaginary); of a real picture part 0 alone is read.
    Halide::ImageParam input{Halide::Float(32), 3, "input"};
    /// The same shape. For real pictures rows 0 to side / 2; the others are their conjugates.
    Halide::Func output{"fft"};

    explicit Fft(Schedule schedule, int side, Domain domain = Domain::Complex)
        : side_(side), vector_(std::min(Halide::get_jit_target_from_environment().natural_vector_size<float>(),
                                        domain == Domain::Complex ? side : side / 2)) {
        using namespace Halide;
        // roots(k) = exp(-2 pi i k / side)
        const Expr angle = cast<float>(x) * (-6.2831853071795865f / static_cast<float>(side));
        roots(x) = Tuple(cos(angle), sin(angle));
        roots.compute_root();
        Func first("first"), turned("turned");
        if (domain == Domain::Complex) {
            first(x, y) = Tuple(input(x, y, 0), input(x, y, 1));
        } else {
            first(x, y) = Tuple(input(2 * x, y, 0), input(2 * x + 1, y, 0));
        }
        Func down = columns("down", first, schedule);
        if (domain == Domain::Complex) {
            turned(x, y) = Tuple(down(y, x)[0], down(y, x)[1]);
        } else {
            // Column y of the picture is in column y / 2, with its neighbour: even and odd parts under conjugation.
            const Tuple z = down(y / 2, x), m = down(y / 2, (side - x) % side);
            turned(x, y) = Tuple(0.5f * select(y % 2 == 0, z[0] + m[0], z[1] + m[1]),
                                 0.5f * select(y % 2 == 0, z[1] - m[1], m[0] - z[0]));
        }
        turned.compute_root();
        Func across = columns("across", turned, schedule);
        output(x, y, c) = mux(c, {across(y, x)[0], across(y, x)[1]});
        if (is_by_hand(schedule)) {
            // Rows follow at once: those of one vector are turned, transformed and turned back before the next ones.
            down.parallel(xo);
            turned.compute_at(across, xo).tile(x, y, xi, yi, vector_, vector_).vectorize(xi).unroll(yi);
            across.compute_at(output, y);
            output.reorder(c, x, y).bound(c, 0, 2).unroll(c).tile(x, y, xi, yi, vector_, vector_);
            output.reorder(c, xi, yi, x, y).vectorize(xi).unroll(yi).parallel(y);
        }
        if (is_on_gpu(schedule)) {
            gpu_row_of(roots, x);
            gpu_tiles(turned, x, y, {16, 16});
            gpu_tiles(output.reorder(c, x, y).bound(c, 0, 2).unroll(c), x, y, {16, 16});
        }
    }

  private:
    struct Complex {
        Halide::Expr re, im;
        friend Complex operator+(const Complex &a, const Complex &b) { return {a.re + b.re, a.im + b.im}; }
        friend Complex operator-(const Complex &a, const Complex &b) { return {a.re - b.re, a.im - b.im}; }
        friend Complex operator*(const Complex &a, const Complex &b) {
            return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
        }
        Complex turned_right() const { return {im, -re}; } ///< times -i
    };

    /// One step of radix `radix`: `before` holds, for each x, `stride` interleaved sequences of side / stride values.
    /// Dimensions of the result: x, place in its interleaved sequences, output of the butterfly, number of the
    /// butterfly; the last three are the digits of the index, least first.
    Halide::Func step(const std::string &name, const std::function<Complex(Halide::Expr)> &before, int stride,
                      int radix) {
        using namespace Halide;
        const int butterflies = side_ / stride / radix;
        std::vector<Complex> in;
        for (int i = 0; i < radix; i++) {
            in.push_back(before(q + stride * (p + butterflies * i)));
        }
        const auto root = [&](int i) {
            const Tuple value = roots(p * (i * stride));
            return Complex{value[0], value[1]};
        };
        std::vector<Complex> out;
        if (radix == 2) {
            out = {in[0] + in[1], (in[0] - in[1]) * root(1)};
        } else {
            const Complex even = in[0] + in[2], even_difference = in[0] - in[2], odd = in[1] + in[3],
                          odd_difference = (in[1] - in[3]).turned_right();
            out = {even + odd, (even_difference + odd_difference) * root(1), (even - odd) * root(2),
                   (even_difference - odd_difference) * root(3)};
        }
        std::vector<Expr> re, im;
        for (const Complex &value : out) {
            re.push_back(value.re);
            im.push_back(value.im);
        }
        Func result(name);
        result(x, q, j, p) = Tuple(mux(j, re), mux(j, im));
        result.bound(q, 0, stride).bound(j, 0, radix).bound(p, 0, butterflies);
        return result;
    }

    /// The transform of each column.
    Halide::Func columns(const std::string &name, const Halide::Func &from, Schedule schedule) {
        using namespace Halide;
        Func result(name);
        std::vector<Func> steps;
        std::vector<int> radices;
        int stride = 1;
        std::function<Complex(Expr)> before = [&](const Expr &i) {
            const Tuple value = from(x, i);
            return Complex{value[0], value[1]};
        };
        while (stride < side_) {
            const int radix = side_ / stride >= 4 ? 4 : 2;
            Func next = step(name + std::to_string(steps.size()), before, stride, radix);
            steps.push_back(next);
            radices.push_back(radix);
            before = [this, next, stride, radix](const Expr &i) {
                const Tuple value = next(x, i % stride, (i / stride) % radix, i / (stride * radix));
                return Complex{value[0], value[1]};
            };
            stride *= radix;
        }
        const Complex last = before(y);
        result(x, y) = Tuple(last.re, last.im);
        result.compute_root();
        if (is_by_hand(schedule)) {
            result.split(x, xo, x, vector_).reorder(x, y, xo).vectorize(x);
        }
        if (is_on_gpu(schedule)) {
            result.bound(y, 0, side_).split(x, xo, x, gpu_columns).split(y, y, yi, gpu_butterflies());
            result.reorder(y, x, yi, xo).gpu_blocks(xo).gpu_threads(x, yi);
        }
        for (size_t s = 0; s < steps.size(); s++) {
            if (is_on_gpu(schedule)) {
                steps[s].compute_at(result, xo).fuse(q, p, p).split(p, p, yi, gpu_butterflies());
                steps[s].reorder(j, p, x, yi).unroll(j).gpu_threads(x, yi);
            } else if (is_by_hand(schedule)) {
                steps[s].compute_at(result, xo).vectorize(x, vector_).reorder(x, j, q, p).unroll(j);
            } else {
                steps[s].compute_root();
            }
        }
        return result;
    }

    /// On a GPU a block transforms 8 columns, with a thread for each of up to 64 butterflies of each.
    static constexpr int gpu_columns = 8;
    int gpu_butterflies() const { return std::min(side_ / 4, 64); }

    int side_, vector_; // vector_: columns that go through the steps together
    Halide::Var x{"x"}, y{"y"}, c{"c"}, xo{"xo"}, xi{"xi"}, yi{"yi"}, q{"q"}, j{"j"}, p{"p"};
    Halide::Func roots{"roots"};
};

} // namespace apps
