#include "apps/stencils/reference.h"
#include "apps/stencils/stencils.h"
#include "driver/test_interpreter.h"

#include <array>
#include <gtest/gtest.h>

namespace apps::stencils::apps_test {
namespace {

using Sizes = std::array<int, 3>;
constexpr Sizes squares[] = {{67, 41, 1}, {13, 9, 1}, {3, 2, 1}, {1, 1, 1}};
constexpr Sizes cubes[] = {{19, 11, 7}, {5, 3, 2}, {1, 1, 2}};
constexpr int counts[] = {0, 1, 3, 7};

/// The same values as a buffer of as many dimensions.
template <typename T> Buffer<T> over(const reference::Grid<T> &grid, int dimensions) {
    Buffer<T> buffer(dimensions == 2 ? std::vector<int>{grid.width, grid.height}
                                     : std::vector<int>{grid.width, grid.height, grid.depth});
    std::copy(grid.values.begin(), grid.values.end(), buffer.data());
    return buffer;
}

reference::Grid<float> random_grid(const Sizes &size, float least, float most, unsigned seed) {
    reference::Grid<float> grid(size[0], size[1], size[2]);
    std::mt19937 random(seed);
    for (float &value : grid.values) {
        value = least + (most - least) * static_cast<float>(random() % 1024) / 1024;
    }
    return grid;
}

template <typename T>
void expect_near(const Buffer<T> &seen, const reference::Grid<T> &expected, const std::string &what) {
    for (size_t i = 0; i < expected.values.size(); i++) {
        const double is = static_cast<double>(seen.data()[i]), should = static_cast<double>(expected.values[i]);
        ASSERT_LE(std::fabs(is - should), 2e-4 * std::fmax(1, std::fabs(should))) << what << ", value " << i;
    }
}

template <typename T> void expect_bits(const Func &func, const Buffer<T> &seen, const std::string &what) {
    Buffer<T> meaning = Buffer<T>::make_with_shape_of(seen);
    interpret_into(func, {meaning.raw_buffer()}, get_jit_target_from_environment().has_feature(Target::FMA));
    EXPECT_EQ(std::memcmp(meaning.data(), seen.data(), seen.size_in_bytes()), 0) << what;
}

std::vector<int> extents_of(const Sizes &size, int dimensions) { return {size.begin(), size.begin() + dimensions}; }

std::string named(const char *name, const Sizes &size, int count) {
    return concat(name, " of ", size[0], " x ", size[1], " x ", size[2], ", ", count, " steps");
}

TEST(Stencils, Jacobi) {
    const std::pair<int, Offsets> shapes[] = {
        {2, star(2, 1)}, {2, star(2, 2)}, {3, star(3, 1)}, {3, star(3, 2)}, {3, box(3, 1, 3)}};
    for (const auto &[rank, offsets] : shapes) {
        ImageParam image(Float(32), rank, "image");
        Param<int> steps("steps");
        Iterated f = jacobi(image, steps, offsets);
        f.time_tile(3);
        for (const Sizes &size : rank == 2 ? std::vector<Sizes>(std::begin(squares), std::end(squares))
                                           : std::vector<Sizes>(std::begin(cubes), std::end(cubes))) {
            const reference::Grid<float> grid = random_grid(size, 0, 1, 1);
            image.set(over(grid, rank));
            for (const int count : counts) {
                steps.set(count);
                const Buffer<float> seen = f.realize(extents_of(size, rank));
                const std::string what = concat(offsets.size(), " points: ", named("jacobi", size, count));
                expect_near(seen, reference::jacobi(grid, count, offsets), what);
                expect_bits(f, seen, what);
            }
        }
    }
}

TEST(Stencils, GaussianAndGradient) {
    ImageParam image(Float(32), 2, "image");
    Iterated blurred = gaussian(image, 3);
    Func length = gradient(image);
    for (const Sizes &size : squares) {
        const reference::Grid<float> grid = random_grid(size, 0, 1, 2);
        image.set(over(grid, 2));
        const Buffer<float> a = blurred.realize({size[0], size[1]}), b = length.realize({size[0], size[1]});
        expect_near(a, reference::gaussian(grid, 3), named("gaussian", size, 3));
        expect_bits(blurred, a, named("gaussian", size, 3));
        expect_near(b, reference::gradient(grid), named("gradient", size, 1));
        expect_bits(length, b, named("gradient", size, 1));
    }
}

TEST(Stencils, Poisson) {
    ImageParam image(Float(32), 3, "image"), charge(Float(32), 3, "charge");
    Param<int> steps("steps");
    Iterated f = poisson(image, charge, steps);
    for (const Sizes &size : cubes) {
        const reference::Grid<float> grid = random_grid(size, 0, 1, 3), charges = random_grid(size, -1, 1, 4);
        image.set(over(grid, 3));
        charge.set(over(charges, 3));
        for (const int count : counts) {
            steps.set(count);
            const Buffer<float> seen = f.realize({size[0], size[1], size[2]});
            expect_near(seen, reference::poisson(grid, charges, count), named("poisson", size, count));
            expect_bits(f, seen, named("poisson", size, count));
        }
    }
}

TEST(Stencils, Hotspot) {
    for (const int rank : {2, 3}) {
        ImageParam heat(Float(32), rank, "heat"), power(Float(32), rank, "power");
        Iterated f = hotspot(heat, power, 5);
        for (const Sizes &size : rank == 2 ? std::vector<Sizes>(std::begin(squares), std::end(squares))
                                           : std::vector<Sizes>(std::begin(cubes), std::end(cubes))) {
            const reference::Grid<float> grid = random_grid(size, 60, 90, 5), taken = random_grid(size, 0, 3, 6);
            heat.set(over(grid, rank));
            power.set(over(taken, rank));
            const Buffer<float> seen = f.realize(extents_of(size, rank));
            expect_near(seen, reference::hotspot(grid, taken, 5), named("hotspot", size, 5));
            expect_bits(f, seen, named("hotspot", size, 5));
        }
    }
}

TEST(Stencils, Srad) {
    ImageParam image(Float(32), 2, "image");
    Iterated f = srad(image, 4);
    for (const Sizes &size : {Sizes{31, 17, 1}, Sizes{5, 3, 1}}) {
        const reference::Grid<float> grid = random_grid(size, 1, 2, 7);
        image.set(over(grid, 2));
        const Buffer<float> seen = f.realize({size[0], size[1]});
        expect_near(seen, reference::srad(grid, 4), named("srad", size, 4));
        expect_bits(f, seen, named("srad", size, 4));
    }
}

TEST(Stencils, Wave) {
    for (const int order : {4, 8, 16}) {
        ImageParam pressure(Float(32), 2, "pressure"), speed(Float(32), 2, "speed");
        Param<int> steps("steps");
        Iterated f = wave(pressure, speed, steps, order);
        for (const Sizes &size : squares) {
            const reference::Grid<float> grid = random_grid(size, -1, 1, 8),
                                         speeds = random_grid(size, 0.02f, 0.05f, 9);
            pressure.set(over(grid, 2));
            speed.set(over(speeds, 2));
            for (const int count : counts) {
                steps.set(count);
                const Buffer<float> seen = f.realize({size[0], size[1]});
                const std::string what = concat("order ", order, ": ", named("wave", size, count));
                expect_near(seen, reference::wave(grid, speeds, count, second_derivative(order)), what);
                expect_bits(f, seen, what);
            }
        }
    }
}

TEST(Stencils, ReactionAndLife) {
    ImageParam a(Float(32), 2, "a"), b(Float(32), 2, "b"), cells(UInt(8), 2, "cells");
    Iterated reacting = reaction(a, b, 6), living = life(cells, 6);
    Var x("x"), y("y");
    for (const Sizes &size : squares) {
        const reference::Grid<float> u = random_grid(size, 0, 1, 10), v = random_grid(size, 0, 0.5f, 11);
        a.set(over(u, 2));
        b.set(over(v, 2));
        Realization both = reacting.realize({size[0], size[1]});
        const auto [ru, rv] = reference::reaction(u, v, 6);
        expect_near<float>(both[0], ru, named("first substance", size, 6));
        expect_near<float>(both[1], rv, named("second substance", size, 6));
        reference::Grid<uint8_t> grid(size[0], size[1]);
        std::mt19937 random(12);
        for (uint8_t &cell : grid.values) {
            cell = random() % 3 == 0 ? 1 : 0;
        }
        cells.set(over(grid, 2));
        const Buffer<uint8_t> seen = living.realize({size[0], size[1]});
        expect_near(seen, reference::life(grid, 6), named("life", size, 6));
        expect_bits(living, seen, named("life", size, 6));
    }
}

} // namespace
} // namespace apps::stencils::apps_test
