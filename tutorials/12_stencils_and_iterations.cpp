// Lesson 12: stencils, and pipelines that are applied to their own results.
//
// A stencil combines neighbours; what lies outside of the image is decided by a boundary rule. Simulations and solvers
// apply one stencil again and again: iterate() makes that a Func, whose number of steps may be known at run time only.
// How many steps one pass over memory computes is a matter of schedule, and changes no bit.

#include "lesson.h"

#include "fluorite/iterate.h"
#include "fluorite/stencil.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

using namespace fluorite;
using lesson::check;

static Var x("x"), y("y");

static const std::vector<std::vector<int>> cross = {{0, -1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}};

static Expr mean(const std::vector<Expr> &a) { return (a[0] + a[1] + a[2] + a[3] + a[4]) / 5.0f; }

static Buffer<float> picture(int width, int height) {
    Buffer<float> image(width, height);
    image.for_each_element([&](int i, int j) { image(i, j) = static_cast<float>((i * 7 + j * 13) % 32); });
    return image;
}

// The same mean in C++, with edges repeated.
static Buffer<float> swept(const Buffer<float> &in) {
    const int width = in.width(), height = in.height();
    Buffer<float> out(width, height);
    out.for_each_element([&](int i, int j) {
        const auto at = [&](int dx, int dy) {
            return in(std::min(std::max(i + dx, 0), width - 1), std::min(std::max(j + dy, 0), height - 1));
        };
        out(i, j) = (at(0, -1) + at(-1, 0) + at(0, 0) + at(1, 0) + at(0, 1)) / 5.0f;
    });
    return out;
}

static bool same(const Buffer<float> &a, const Buffer<float> &b) {
    return std::memcmp(a.data(), b.data(), a.size_in_bytes()) == 0;
}

int main() {
    // ---- A stencil is a list of offsets, a function of the values there, and a source.

    const Buffer<float> start = picture(50, 37);
    ImageParam image(Float(32), 2, "image");
    image.set(start);
    Func once = stencil(cross, mean, image);
    const Buffer<float> blurred = once.realize({50, 37});
    check(same(blurred, swept(start)), "the stencil repeats the edges, as the loops in C++ do");

    // Other rules: outside is 0 here, so the corner is the mean of three points and two zeros.
    Func dark = stencil(cross, mean, image, StencilBoundary::zero());
    const Buffer<float> darker = dark.realize({50, 37});
    check(darker(0, 0) == (0.0f + 0.0f + start(0, 0) + start(1, 0) + start(0, 1)) / 5.0f, "zeros lie outside");

    // ---- iterate() applies the stencil again and again. The body is called once, and describes every step.

    Param<int> steps("steps");
    const Region domain = {{0, image.width()}, {0, image.height()}};
    Iterated heat =
        iterate(steps, domain, image, [&](const IterationStep &s) { return stencil(cross, mean, s.field()); });

    Buffer<float> expected = start;
    for (int count = 0; count <= 12; count++) {
        steps.set(count); // the code is compiled once
        const Buffer<float> seen = heat.realize({50, 37});
        check(same(seen, expected), "as many sweeps in C++ give the same");
        expected = swept(expected);
    }

    // ---- Schedules change no value: passes of four steps over memory, or of one.

    steps.set(11);
    const Buffer<float> chosen = heat.realize({50, 37});
    heat.time_tile(4);
    const Buffer<float> by_four = heat.realize({50, 37});
    heat.time_tile(1);
    const Buffer<float> by_one = heat.realize({50, 37});
    check(same(chosen, by_four) && same(chosen, by_one), "passes of several steps give the same bits");

    // ---- Two past steps: a wave on a string whose ends are held.

    Func pluck("pluck");
    pluck(x) = sin(cast<float>(x + 1) * 3.14159265f / 64.0f);
    IterateOptions options;
    options.before = pluck; // at rest
    Iterated wave = iterate(
        64, {{0, 63}}, pluck,
        [&](const IterationStep &s) {
            Func u = BoundaryConditions::constant_exterior(s.field(), 0), next("next");
            next(x) = 2 * u(x) - s.past()(x) + (u(x - 1) - 2 * u(x) + u(x + 1));
            return next;
        },
        options);
    const Buffer<float> turned = wave.realize({63});
    check(std::fabs(turned(31) + 1.0f) < 0.01f, "after half a period the string is bent to the other side");

    // ---- An end by a norm: relaxation until the greatest change is small.

    IterateOptions until;
    until.until = [&](const IterationStep &s, const Func &next) {
        RDom r(0, 33);
        Func change("change");
        change() = 0.0f;
        change() = max(change(), abs(next(r) - s.field()(r)));
        return Expr(change()) < 1e-4f;
    };
    Func zero("zero");
    zero(x) = 0.0f;
    Iterated line = iterate(
        100000, {{0, 33}}, zero,
        [&](const IterationStep &s) {
            Func u = BoundaryConditions::repeat_edge(s.field()), next("next");
            next(x) = select(x == 0, 0.0f, x == 32, 1.0f, (u(x - 1) + u(x + 1)) / 2);
            return next;
        },
        until);
    const Buffer<float> solved = line.realize({33});
    check(std::fabs(solved(16) - 0.5f) < 0.05f, "the solution is a straight line");

    return lesson::result();
}
