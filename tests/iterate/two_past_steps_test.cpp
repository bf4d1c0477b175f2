// iterate() with a Func before step 0: steps that read two past ones (leapfrog).
#include "tests/iterate/sweeps.h"

namespace fluorite::two_past_steps_test {
namespace {

using namespace iterate_support; // NOLINT(google-build-using-namespace)

void check_two_past_steps(int tile) {
    Var x("x"), y("y");
    Func pulse("pulse"), rest("rest");
    pulse(x, y) = exp(-0.1f * cast<float>((x - 8) * (x - 8) + (y - 5) * (y - 5)));
    rest(x, y) = 0.5f * pulse(x, y);
    const auto wave_from = [&](const Func &before, const Expr &steps) {
        IterateOptions options;
        options.before = before;
        Iterated wave = iterate(
            steps, {{0, 17}, {0, 11}}, pulse,
            [&](const IterationStep &s) {
                Func u = BoundaryConditions::constant_exterior(s.field(), 0), next("next");
                next(x, y) = 2 * u(x, y) - s.past()(x, y) +
                             0.2f * (u(x - 1, y) + u(x + 1, y) + u(x, y - 1) + u(x, y + 1) - 4 * u(x, y));
                return next;
            },
            options);
        wave.time_tile(tile);
        return wave;
    };
    const auto what = [&](int count) { return concat(count, " steps, at most ", tile, " a pass"); };
    Param<int> steps("steps");
    for (const Func &before : {pulse, rest}) {
        const Iterated wave = wave_from(before, steps);
        for (int count : {0, 1, 2, 3, 4, 6}) {
            steps.set(count);
            expect_meaning<float>(wave, {17, 11}, what(count));
        }
    }
    expect_meaning<float>(wave_from(rest, 4), {17, 11}, what(4) + ", known");
}

TEST(Iterate, TwoPastSteps) { check_two_past_steps(0); }
TEST(Iterate, TwoPastStepsOneByOne) { check_two_past_steps(1); }
TEST(Iterate, TwoPastStepsInPassesOfTwo) { check_two_past_steps(2); }
TEST(Iterate, TwoPastStepsInPassesOfThree) { check_two_past_steps(3); }

// The buffers of two past steps change their roles after each pass; passes of 3, 1 and 1 steps of several fields.
TEST(Iterate, TwoPastStepsOfSeveralFields) {
    Var x("x"), y("y"), z("z");
    Func pulse("pulse");
    pulse(x, y, z) = Tuple(cast<float>(x * 3 + y * 5 - z), cast<int>(x + y - z * 2));
    IterateOptions options;
    Func rest("rest");
    rest(x, y, z) = Tuple(cast<float>(x - y), cast<int>(y * z));
    options.before = rest;
    Param<int> steps("steps");
    const Iterated wave = iterate(
        steps, {{-2, 9}, {1, 7}, {0, 5}}, pulse,
        [&](const IterationStep &s) {
            const Func u = BoundaryConditions::mirror_image(s.field(0), s.domain), v = s.field(1), old_v = s.past(1);
            Func old_u = BoundaryConditions::repeat_edge(s.past(0), s.domain), next("next");
            next(x, y, z) = Tuple(2 * u(x, y, z) - old_u(x - 1, y + 1, z) + 0.25f * u(x, y - 1, z + 1),
                                  old_v(x, y, z) * 3 - v(x, y, z) + s.t);
            return next;
        },
        options);
    const std::vector<int> tiles = {0, 1, 2, 3, 5};
    for (const int tile : tiles) {
        Iterated(wave).time_tile(tile);
        for (const int count : {0, 1, 2, 3, 4, 5, 8, 11}) {
            steps.set(count);
            Buffer<float> u(9, 7, 5), mu(9, 7, 5);
            Buffer<int> v(9, 7, 5), mv(9, 7, 5);
            for (Buffer<> b : {Buffer<>(u), Buffer<>(mu), Buffer<>(v), Buffer<>(mv)}) {
                b.set_min(-2, 1, 0);
            }
            Func(wave).realize({u, v});
            interpret_into(wave, {mu.raw_buffer(), mv.raw_buffer()}, contracts());
            expect_same(u, mu, concat("field 0, ", count, " steps, at most ", tile, " a pass"));
            expect_same(v, mv, concat("field 1, ", count, " steps, at most ", tile, " a pass"));
        }
    }
}

} // namespace
} // namespace fluorite::two_past_steps_test
