#include "app_test.h"
#include "apps/multigrid/multigrid.h"
#include "apps/multigrid/reference.h"

#include <cmath>
#include <numbers>

namespace apps::multigrid_test {
namespace {

using Extents = std::vector<int>;

reference::Poisson reference_of(const MultigridOptions &options) {
    const Smoothing &steps = options.smoothing;
    return {steps.before, steps.coarsest, steps.after, options.cycle == Cycle::V ? 1 : 2, options.levels};
}

std::string name_of(const MultigridOptions &options) {
    return std::to_string(options.dimensions) + (options.cycle == Cycle::V ? "V" : "W") +
           std::to_string(options.smoothing.before) + "_" + std::to_string(options.smoothing.coarsest) + "_" +
           std::to_string(options.smoothing.after) + "_" + std::to_string(options.levels);
}

/// Both cycles in both dimensions. Steps and grids are few, as a test compiles each stage for each schedule.
std::vector<MultigridOptions> configurations() {
    std::vector<MultigridOptions> all = {
        {2, Cycle::V, {4, 4, 4}, 4},
        {2, Cycle::V, {3, 0, 0}, 3},
        {3, Cycle::V, {1, 1, 1}, 4},
        {3, Cycle::W, {2, 0, 0}, 3},
    };
    for (const int dimensions : {2, 3}) {
        all.push_back({dimensions, Cycle::W, {0, 2, 1}, 3}); // a grid whose values are zeros when it is restricted
        all.push_back({dimensions, Cycle::V, {1, 0, 0}, 2}); // no coarser grid
        all.push_back({dimensions, Cycle::V, {1, 2, 1}, 1}); // the finest grid is the coarsest
    }
    return all;
}

class Multigrids : public testing::TestWithParam<MultigridOptions> {
  protected:
    static void compare(Schedule schedule, Multigrid &app, Extents extents) {
        extents.resize(static_cast<size_t>(GetParam().dimensions), 1);
        const int depth = extents.size() == 3 ? extents[2] : 1;
        const auto guess = random_image<double>(extents[0], extents[1], depth, -1.0, 1.0);
        const auto right = random_image<double>(extents[0], extents[1], depth, -1.0, 1.0, 2);
        app.guess.set(over(guess, GetParam().dimensions));
        app.right.set(over(right, GetParam().dimensions));
        const Halide::Buffer<double> output = app.output.realize(extents);
        const bool planar = GetParam().dimensions == 2;
        expect_near(output, reference::multigrid(reference_of(GetParam()), guess, right, planar), 1e-12, schedule);
        expect_interpreted(app.output, output, schedule);
    }
};
INSTANTIATE_TEST_SUITE_P(All, Multigrids, testing::ValuesIn(configurations()),
                         [](const auto &row) { return name_of(row.param); });

TEST_P(Multigrids, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        Multigrid app(schedule, GetParam());
        compare(schedule, app, {31, 15, 15});
        compare(schedule, app, {1, 3, 2});
        if (schedule == Schedule::Hand) { // several strips, slabs
            compare(schedule, app, GetParam().dimensions == 2 ? Extents{5, 530} : Extents{5, 36, 3});
            compare(schedule, app, {6, 3, 131});
        }
    }
}

TEST_P(Multigrids, AgreesWithReferenceUnderAnAutomaticSchedule) {
    Multigrid app(Schedule::Default, GetParam());
    fluorite::AutoScheduleOptions options;
    options.sizes = {63, 63, 15};
    options.sizes.resize(static_cast<size_t>(GetParam().dimensions));
    options.from_scratch = true;
    app.guess.set(Halide::Buffer<double>(options.sizes));
    app.right.set(Halide::Buffer<double>(options.sizes));
    Halide::Pipeline(app.output).auto_schedule(options);
    compare(Schedule::Default, app, {63, 63, 15});
    compare(Schedule::Default, app, {9, 6, 3});
}

// The counts of the text on PolyMage+ (table 9), where a visit of the coarsest grid without a step is no visit.
TEST(Multigrid, HasTheStagesOfTheLiterature) {
    const auto stages = [](Cycle cycle, Smoothing smoothing) {
        return Multigrid(Schedule::Default, {3, cycle, smoothing, 4}).stages();
    };
    EXPECT_EQ(stages(Cycle::V, {4, 4, 4}), 37u);
    EXPECT_EQ(stages(Cycle::V, {10, 0, 0}), 36u);
    EXPECT_EQ(stages(Cycle::W, {4, 4, 4}), 109u);
    EXPECT_EQ(stages(Cycle::W, {10, 0, 0}), 79u);
}

/// The norm of what remains of the equation, by the reference.
double defect_norm(const Halide::Buffer<double> &values, const Image<double> &right, bool planar) {
    reference::Grid u(right.width, right.height, right.channels, planar), f = u.zeros();
    const std::vector<double> all = values_of(values);
    size_t i = 0;
    u.for_each([&](int x, int y, int z) {
        u(x, y, z) = all[i++];
        f(x, y, z) = right(x - 1, y - 1, z - 1);
    });
    const reference::Grid rest = reference::Poisson::defect(u, f);
    double sum = 0;
    rest.for_each([&](int x, int y, int z) { sum += rest(x, y, z) * rest(x, y, z); });
    return std::sqrt(sum);
}

/// Each of some cycles on a grid reduces the defect to less than a fraction.
struct Reduction {
    std::vector<int> extents;
    double factor;
};

// Eight steps of Jacobi's iteration with the best damping reduce what a coarser grid does not see to 0.6^8 in the plane
// and to (5/7)^8 in space. With enough grids a cycle does not do much worse, however large the finest grid, where its
// sides are 2^k - 1 points. Without coarser grids it would take thousands of steps.
void expect_reductions(const MultigridOptions &options, const std::vector<Reduction> &reductions) {
    Multigrid app(Schedule::Default, options);
    const bool planar = options.dimensions == 2;
    for (const auto &[extents, factor] : reductions) {
        const auto right = random_image<double>(extents[0], extents[1], planar ? 1 : extents[2], -1.0, 1.0);
        app.right.set(over(right, options.dimensions));
        Halide::Buffer<double> values(extents);
        values.fill(0);
        double norm = defect_norm(values, right, planar);
        for (int cycle = 0; cycle < 5; cycle++) {
            app.guess.set(values);
            values = app.output.realize(extents);
            const double next = defect_norm(values, right, planar);
            EXPECT_LT(next, factor * norm)
                << name_of(options) << " of " << extents[0] << " points, cycle " << cycle << ": " << next / norm;
            norm = next;
        }
    }
}

TEST(Multigrid, CyclesReduceTheDefectOfAPlane) {
    expect_reductions({2, Cycle::V, {4, 4, 4}, 5}, {{{31, 31}, 0.12}, {{63, 31}, 0.12}, {{60, 46}, 0.6}});
    expect_reductions({2, Cycle::W, {2, 2, 2}, 3}, {{{7, 7}, 0.2}, {{15, 7}, 0.2}});
    expect_reductions({2, Cycle::V, {10, 0, 0}, 3}, {{{7, 7}, 0.2}, {{15, 7}, 0.2}});
}

TEST(Multigrid, CyclesReduceTheDefectOfABlock) {
    expect_reductions({3, Cycle::V, {4, 4, 4}, 3}, {{{7, 7, 7}, 0.2}, {{15, 7, 15}, 0.2}});
}

// The product of the sines' lowest waves is an eigenvector of the discrete operator, so the solution is known exactly.
TEST(Multigrid, CyclesEndAtTheExactSolution) {
    constexpr int width = 31, height = 15;
    const double a = std::numbers::pi / (width + 1), b = 2 * std::numbers::pi / (height + 1);
    const double eigenvalue = 2 * std::cos(a) + 2 * std::cos(b) - 4;
    const auto wave = [&](int x, int y) { return std::sin(a * (x + 1)) * std::sin(b * (y + 1)); };
    Halide::Buffer<double> right(width, height), values(width, height);
    right.for_each_element([&](int x, int y) { right(x, y) = eigenvalue * wave(x, y); });
    values.fill(0);
    Multigrid app(Schedule::Default);
    app.right.set(right);
    for (int cycle = 0; cycle < 12; cycle++) {
        app.guess.set(values);
        values = app.output.realize({width, height});
    }
    values.for_each_element([&](int x, int y) { ASSERT_NEAR(values(x, y), wave(x, y), 1e-10) << x << ' ' << y; });
}

} // namespace
} // namespace apps::multigrid_test
