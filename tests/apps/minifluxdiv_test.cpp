#include "app_test.h"
#include "apps/minifluxdiv/minifluxdiv.h"
#include "apps/minifluxdiv/reference.h"

#include <cmath>

namespace apps::minifluxdiv_test {
namespace {

constexpr int components = MiniFluxDiv::components, ghosts = MiniFluxDiv::ghosts;

/// Cells without ghosts of x, y (, z).
struct Box {
    std::vector<int> extents;

    int dimensions() const { return static_cast<int>(extents.size()); }
    bool planar() const { return dimensions() == 2; }
    std::vector<int> with_components() const {
        std::vector<int> all = extents;
        all.push_back(components);
        return all;
    }
    /// An image for the cells and their ghosts.
    Image<double> room() const {
        const int depth = planar() ? 1 : extents[2] + 2 * ghosts;
        return {extents[0] + 2 * ghosts, extents[1] + 2 * ghosts, depth * components};
    }
};

/// A buffer over such an image, in which the first cell that is no ghost has the coordinates 0.
Halide::Buffer<double> over_cells(const Image<double> &image, const Box &box) {
    std::vector<int> extents = box.with_components(), mins(extents.size(), -ghosts);
    for (int d = 0; d < box.dimensions(); d++) {
        extents[static_cast<size_t>(d)] += 2 * ghosts;
    }
    mins.back() = 0;
    Halide::Buffer<double> buffer(const_cast<double *>(image.values.data()), extents); // inputs are only read
    buffer.set_min(mins);
    return buffer;
}

Halide::Buffer<double> run(MiniFluxDiv &app, const Image<double> &cells, const Box &box) {
    app.input.set(over_cells(cells, box));
    return app.output.realize(box.with_components());
}

class FluxDivergence : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(PlaneAndSpace, FluxDivergence, testing::Values(2, 3));

TEST_P(FluxDivergence, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        MiniFluxDiv app(schedule, GetParam());
        for (const auto &[width, height] : {std::pair{37, 21}, {18, 40}, {1, 1}, {3, 2}}) {
            Box box{{width, height, width == 1 ? 1 : 7}};
            box.extents.resize(static_cast<size_t>(GetParam()));
            Image<double> cells = box.room();
            cells = random_image<double>(cells.width, cells.height, cells.channels, -1.0, 1.0);
            const Halide::Buffer<double> output = run(app, cells, box);
            expect_near(output, reference::minifluxdiv(cells, box.planar()), 1e-14, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

TEST_P(FluxDivergence, AgreesWithReferenceUnderAnAutomaticSchedule) {
    Box box{{45, 18, 11}};
    box.extents.resize(static_cast<size_t>(GetParam()));
    Image<double> cells = box.room();
    cells = random_image<double>(cells.width, cells.height, cells.channels, -1.0, 1.0);
    MiniFluxDiv app(Schedule::Default, GetParam());
    app.input.set(over_cells(cells, box));
    fluorite::AutoScheduleOptions options;
    options.sizes = box.with_components();
    options.from_scratch = true;
    Halide::Pipeline(app.output).auto_schedule(options);
    const Halide::Buffer<double> output = run(app, cells, box);
    expect_near(output, reference::minifluxdiv(cells, box.planar()), 1e-14, Schedule::Default);
    expect_interpreted(app.output, output, Schedule::Default);
}

/// Fills the ghost cells with those of the other end.
void make_periodic(Halide::Buffer<double> &cells, const Box &box) {
    cells.for_each_element([&](const int *at) {
        std::vector<int> inside(at, at + cells.dimensions());
        for (int d = 0; d < box.dimensions(); d++) {
            const int extent = box.extents[static_cast<size_t>(d)];
            inside[static_cast<size_t>(d)] = (at[d] + extent) % extent;
        }
        cells(at) = cells(inside.data());
    });
}

// What leaves a cell enters the next one.
TEST_P(FluxDivergence, KeepsTheSumsOfAPeriodicBox) {
    Box box{{13, 11, 6}};
    box.extents.resize(static_cast<size_t>(GetParam()));
    Image<double> image = box.room();
    image = random_image<double>(image.width, image.height, image.channels, -1.0, 1.0);
    Halide::Buffer<double> cells = over_cells(image, box);
    make_periodic(cells, box);
    MiniFluxDiv app(Schedule::Default, GetParam());
    const Halide::Buffer<double> output = run(app, image, box);
    std::vector<double> before(components), after(components), changed(components);
    output.for_each_element([&](const int *at) {
        const auto c = static_cast<size_t>(at[box.dimensions()]);
        before[c] += cells(at);
        after[c] += output(at);
        changed[c] += std::fabs(output(at) - cells(at));
    });
    for (size_t c = 0; c < before.size(); c++) {
        EXPECT_NEAR(after[c], before[c], 1e-12 * changed[c]) << "component " << c;
        EXPECT_GT(changed[c], 10) << "component " << c; // so the sums could have changed
    }
}

// Averages of fourth order on faces are exact for averages over cells of polynomials of third degree. In a wind of
// velocity 1 along an axis, the divergence is their difference. Of x^4, the error is the same on all faces and vanishes
// from the difference; of x^5 it does not.
TEST_P(FluxDivergence, IsExactForPolynomialsOfThirdDegree) {
    MiniFluxDiv app(Schedule::Default, GetParam());
    for (int axis = 0; axis < GetParam(); axis++) {
        for (int degree = 0; degree <= 5; degree++) {
            Box box{{9, 7, 5}};
            box.extents.resize(static_cast<size_t>(GetParam()));
            const Image<double> image = box.room();
            Halide::Buffer<double> cells = over_cells(image, box);
            cells.for_each_element([&](const int *at) {
                // The average of t^degree over t from i to i + 1.
                const double i = at[axis], power = degree + 1;
                const double average = (std::pow(i + 1, power) - std::pow(i, power)) / power;
                const int c = at[box.dimensions()];
                cells(at) = c == 0 ? average : c == 1 + axis ? 1 : 0;
            });
            const Halide::Buffer<double> output = run(app, image, box);
            double worst = 0;
            output.for_each_element([&](const int *at) {
                const double i = at[axis], change = std::pow(i + 1, degree) - std::pow(i, degree);
                worst =
                    at[box.dimensions()] == 0 ? std::fmax(worst, std::fabs(output(at) - cells(at) - change)) : worst;
            });
            EXPECT_EQ(worst < 1e-9, degree < 5) << "axis " << axis << ", degree " << degree << ": " << worst;
        }
    }
}

} // namespace
} // namespace apps::minifluxdiv_test
