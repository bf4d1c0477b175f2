#include "app_test.h"
#include "apps/navier_stokes/navier_stokes.h"
#include "apps/navier_stokes/reference.h"
#include "apps/ranks/simulations.h"

#include <cmath>
#include <map>

namespace apps::navier_stokes_test {
namespace {

using reference::Gas;

/// Calls visit with each cell and its index in the fields.
template <typename Visit> void for_each_cell(const Gas &gas, const Visit &visit) {
    for (int z = 0; z < gas.n[2]; z++) {
        for (int y = 0; y < gas.n[1]; y++) {
            for (int x = 0; x < gas.n[0]; x++) {
                visit(x, y, z, gas.index(x, y, z));
            }
        }
    }
}

/// A gas with waves in all fields, whose pressure and density stay positive.
Gas waves(std::array<int, 3> n) {
    Gas gas(n);
    for_each_cell(gas, [&](int x, int y, int z, size_t i) {
        const double pi = std::acos(-1.0);
        const double a = 2 * pi * x / n[0], b = 2 * pi * y / n[1], c = 2 * pi * z / n[2];
        gas.fields[0][i] = 1 + 0.2 * std::sin(a) * std::cos(b);
        gas.fields[1][i] = 0.3 * std::sin(b + c);
        gas.fields[2][i] = 0.2 * std::cos(a - c);
        gas.fields[3][i] = 0.1 + 0.1 * std::sin(a + b);
        gas.fields[4][i] = 2.5 + 0.3 * std::cos(c);
    });
    return gas;
}

/// With its schedule by hand, compiled once for all tests.
NavierStokes &app_by_hand() {
    static NavierStokes app(Schedule::Hand);
    app.spacing.set(1.0), app.time_step.set(1e-3), app.viscosity.set(1e-2), app.conductivity.set(1e-2);
    return app;
}

/// One step.
Halide::Realization step(NavierStokes &app, const Gas &gas) {
    for (size_t f = 0; f < gas.fields.size(); f++) {
        app.input[f].set(Halide::Buffer<double>(const_cast<double *>(gas.fields[f].data()), // only read
                                                std::vector<int>(gas.n.begin(), gas.n.end())));
    }
    return app.output.realize({gas.n[0], gas.n[1], gas.n[2]});
}

void take(const Halide::Realization &result, Gas &gas) {
    for (size_t f = 0; f < gas.fields.size(); f++) {
        const Halide::Buffer<double> field = result[f];
        for_each_cell(gas, [&](int x, int y, int z, size_t i) { gas.fields[f][i] = field(x, y, z); });
    }
}

double farthest(const Gas &a, const Gas &b) {
    double most = 0;
    for (size_t f = 0; f < a.fields.size(); f++) {
        for (size_t i = 0; i < a.fields[f].size(); i++) {
            most = std::fmax(most, std::fabs(a.fields[f][i] - b.fields[f][i]));
        }
    }
    return most;
}

TEST(NavierStokes, AgreesWithReferenceAndInterpreter) {
    NavierStokes plain(Schedule::Default);
    for (NavierStokes *each : {&plain, &app_by_hand()}) {
        NavierStokes &app = *each;
        app.spacing.set(0.5);
        app.time_step.set(0.02);
        for (const std::array<int, 3> n : {std::array{9, 5, 6}, {3, 8, 2}}) {
            const Gas before = waves(n);
            const Halide::Realization result = step(app, before);
            Gas after(n);
            take(result, after);
            EXPECT_LT(farthest(after, reference::navier_stokes(before, 0.02, 0.5, 1e-2, 1e-2)), 1e-13);
            EXPECT_GT(farthest(after, before), 1e-3);
        }
    }
    NavierStokes &app = app_by_hand();
    const Gas before = waves({4, 3, 2});
    const Halide::Realization result = step(app, before);
    std::vector<Halide::Buffer<double>> expected;
    std::vector<fluorite_buffer_t *> raw;
    for (size_t f = 0; f < before.fields.size(); f++) {
        expected.emplace_back(4, 3, 2);
        raw.push_back(expected.back().raw_buffer());
    }
    fluorite::interpret_into(app.output, raw,
                             fluorite::get_jit_target_from_environment().has_feature(fluorite::Target::FMA));
    for (size_t f = 0; f < before.fields.size(); f++) {
        EXPECT_EQ(values_of(Halide::Buffer<double>(result[f])), values_of(expected[f])) << "field " << f;
    }
}

// What leaves a cell enters others: density, momentum and energy stay the same in sum.
TEST(NavierStokes, KeepsTheSumsOfItsFields) {
    NavierStokes &app = app_by_hand();
    app.time_step.set(0.05);
    const Gas before = waves({12, 10, 9});
    Gas after = before;
    for (int k = 0; k < 3; k++) {
        take(step(app, after), after);
    }
    for (size_t f = 0; f < before.fields.size(); f++) {
        double old_sum = 0, new_sum = 0, changed = 0;
        for (size_t i = 0; i < before.fields[f].size(); i++) {
            old_sum += before.fields[f][i], new_sum += after.fields[f][i];
            changed += std::fabs(after.fields[f][i] - before.fields[f][i]);
        }
        // Work and dissipation are computed from velocities, so energy is kept up to the error of differences.
        EXPECT_NEAR(new_sum, old_sum, f == 4 ? 1e-3 * changed : 1e-12 * static_cast<double>(before.fields[f].size()))
            << "field " << f;
        EXPECT_GT(changed, 0.1) << "field " << f;
    }
}

// A wave of density in a gas of one pressure and one velocity travels with the gas. Differences of eighth order: with
// twice the cells the error is 256 times less, once a wave has enough of them.
TEST(NavierStokes, HasEighthOrder) {
    double errors[2] = {};
    for (const int refined : {0, 1}) {
        const int cells = refined ? 16 : 8, steps = 10;
        const double pi = std::acos(-1.0), time_step = 1e-3;
        NavierStokes &app = app_by_hand();
        app.viscosity.set(0.0);
        app.conductivity.set(0.0);
        app.spacing.set(1.0 / cells);
        app.time_step.set(time_step);
        Gas gas({cells, 2, 3}), exact({cells, 2, 3});
        const auto set = [&](Gas &to, double time) {
            for_each_cell(to, [&](int x, int, int, size_t i) {
                const double density = 1 + 0.2 * std::sin(2 * pi * (static_cast<double>(x) / cells - time));
                to.fields[0][i] = to.fields[1][i] = density;
                to.fields[2][i] = to.fields[3][i] = 0;
                to.fields[4][i] = 1 / 0.4 + 0.5 * density;
            });
        };
        set(gas, 0);
        set(exact, steps * time_step);
        for (int k = 0; k < steps; k++) {
            take(step(app, gas), gas);
        }
        for (size_t i = 0; i < gas.fields[0].size(); i++) {
            errors[refined] = std::fmax(errors[refined], std::fabs(gas.fields[0][i] - exact.fields[0][i]));
        }
    }
    EXPECT_GT(errors[0] / errors[1], 150);
    EXPECT_LT(errors[0] / errors[1], 350);
    EXPECT_GT(errors[1], 1e-9); // beyond the error of steps
}

/// The bits of the first field after some steps on so many ranks.
template <typename T> std::vector<T> on_ranks(const RankedSimulation &simulation, int ranks, int exchange) {
    const std::vector<int> size = {11, 9, 10};
    static std::map<std::string, Simulation> made; // compiled once
    const auto found =
        made.try_emplace(simulation.name,
                         made.count(simulation.name) > 0 ? Simulation() : simulation.make(Schedule::Hand))
            .first;
    std::vector<fluorite::DistributedImage<T>> now, next;
    const fluorite::Var x("x"), y("y"), z("z");
    for (const fluorite::ImageParam &field : found->second.fields) {
        now.emplace_back(field, size);
        next.emplace_back(size, "next");
        for (fluorite::DistributedImage<T> *image : {&now.back(), &next.back()}) {
            image->set_domain(x, y, z);
            image->placement().distribute(x, y, z);
        }
    }
    std::vector<T> values(static_cast<size_t>(size[0]) * static_cast<size_t>(size[1]) * static_cast<size_t>(size[2]));
    fluorite::run_on_ranks(ranks, [&] {
        std::vector<fluorite::StepField> fields;
        for (size_t f = 0; f < now.size(); f++) {
            now[f].allocate();
            next[f].allocate();
            fluorite::Buffer<T> part = now[f].get_buffer();
            part.for_each_element([&](const int *at) {
                part(at) =
                    static_cast<T>(simulation.start(static_cast<int>(f), at[0] / 11.0, at[1] / 9.0, at[2] / 10.0));
            });
            fields.push_back({now[f], next[f]});
        }
        fluorite::StepOptions options;
        options.steps = 4;
        options.steps_per_exchange = exchange;
        run_steps(found->second.step.pipeline(), fields, options);
        const fluorite::DistributedImage<T> &first = now[0];
        for (int k = 0; k < first.extent(2); k++) {
            for (int j = 0; j < first.height(); j++) {
                for (int i = 0; i < first.width(); i++) {
                    const int at[] = {first.global(0, i), first.global(1, j), first.global(2, k)};
                    values[static_cast<size_t>((at[2] * size[1] + at[1]) * size[0] + at[0])] = first(i, j, k);
                }
            }
        }
    });
    return values;
}

template <typename T> void expect_same_on_ranks(const RankedSimulation &simulation) {
    const std::vector<T> expected = on_ranks<T>(simulation, 1, 1);
    for (const int ranks : sizeof(T) == sizeof(float) ? std::vector{2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17, 31, 64}
                                                      : std::vector{2, 3, 8, 17, 31}) {
        EXPECT_EQ(on_ranks<T>(simulation, ranks, 1), expected) << simulation.name << " on " << ranks << " ranks";
    }
    EXPECT_EQ(on_ranks<T>(simulation, 6, 2), expected) << simulation.name << " with two steps for each exchange";
}

TEST(NavierStokesOnRanks, GivesTheBitsOfOneAndSoDoesHeat) {
    expect_same_on_ranks<float>(ranked_simulations()[0]);
    expect_same_on_ranks<double>(ranked_simulations()[1]);
}

} // namespace
} // namespace apps::navier_stokes_test
