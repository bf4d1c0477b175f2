#pragma once
// A compressible viscous gas in a periodic box: the equations of Navier and Stokes for density, momentum and energy,
// with differences of eighth order in space and three stages of Runge and Kutta in time (Shu and Osher's). One run of
// the pipeline is one step; what it writes is what the next one reads.
//
//     d rho / dt = - div m                              m: momentum, u = m / rho: velocity, T: temperature
//     d m / dt   = - div (m u) - grad p + viscosity (lap u + 1/3 grad div u)
//     d E / dt   = - div ((E + p) u) + conductivity lap T + viscosity (u (lap u + 1/3 grad div u) + dissipation)
//
// Gases are ideal, with the inner energy T for each unit of mass.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace apps {

struct NavierStokes {
    static constexpr int fields = 5; ///< density, momentum along x, y and z, energy
    static constexpr double gamma = 1.4;
    /// Differences of eighth order: first[k] times f(k + 1) - f(-k - 1), over the spacing; second[0] times f(0) and
    /// second[k] times f(k) + f(-k), over its square.
    static constexpr double first[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    static constexpr double second[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};

    std::vector<Halide::ImageParam> input; ///< x, y, z; one for each field
    Halide::Param<double> time_step{"time_step", 1e-3}, spacing{"spacing", 1.0};
    Halide::Param<double> viscosity{"viscosity", 1e-2}, conductivity{"conductivity", 1e-2};
    Halide::Func output{"navier_stokes"}; ///< a Tuple of the fields

    explicit NavierStokes(Schedule schedule) {
        using namespace Halide;
        for (const char *name : {"density", "momentum_x", "momentum_y", "momentum_z", "energy"}) {
            input.emplace_back(Float(64), 3, name);
        }
        for (int d = 0; d < 3; d++) {
            box_.emplace_back(0, input[0].dim(d).extent());
        }
        std::vector<Func> periodic;
        for (ImageParam &field : input) {
            periodic.push_back(BoundaryConditions::repeat_image(field, box_));
        }
        const Field before = [=](int f, const Point &at) { return periodic[static_cast<size_t>(f)](at); };
        Func one("stage1"), two("stage2");
        define(one, before, before, 0, 1, 1);
        define(two, before, periodic_values(one), 3.0 / 4, 1.0 / 4, 2);
        define(output, before, periodic_values(two), 1.0 / 3, 2.0 / 3, 3);
        one.compute_root();
        two.compute_root();
        if (is_by_hand(schedule)) {
            const int lanes = get_jit_target_from_environment().natural_vector_size<double>();
            for (Func func : {one, two, output}) {
                func.parallel(z_).vectorize(x_, lanes, TailStrategy::GuardWithIf);
            }
            for (Func func : inner_) {
                func.parallel(z_).vectorize(x_, lanes, TailStrategy::GuardWithIf);
            }
        }
        if (is_on_gpu(schedule)) {
            for (Func func : {one, two, output}) {
                gpu_tiles(func, x_, y_).gpu_blocks(z_);
            }
            for (Func func : inner_) {
                gpu_tiles(func, x_, y_).gpu_blocks(z_);
            }
        }
    }

  private:
    using Point = std::vector<Halide::Expr>;
    using Field = std::function<Halide::Expr(int field, const Point &at)>;
    using Value = std::function<Halide::Expr(const Point &at)>;
    enum { u, v, w, pressure, temperature }; // values that follow from the fields

    Halide::Var x_{"x"}, y_{"y"}, z_{"z"};
    Halide::Region box_;
    std::vector<Halide::Func> inner_;

    static Point moved(Point at, int d, int by) {
        at[static_cast<size_t>(d)] += by;
        return at;
    }
    static Halide::Expr sum(const std::vector<Halide::Expr> &terms) {
        Halide::Expr all = terms[0];
        for (size_t i = 1; i < terms.size(); i++) {
            all = all + terms[i];
        }
        return all;
    }

    Halide::Expr slope(const Value &f, int d, const Point &at) const {
        std::vector<Halide::Expr> terms;
        for (int k = 1; k <= 4; k++) {
            terms.push_back(first[k - 1] * (f(moved(at, d, k)) - f(moved(at, d, -k))));
        }
        return sum(terms) / spacing;
    }
    Halide::Expr curvature(const Value &f, int d, const Point &at) const {
        std::vector<Halide::Expr> terms = {second[0] * f(at)};
        for (int k = 1; k <= 4; k++) {
            terms.push_back(second[k] * (f(moved(at, d, k)) + f(moved(at, d, -k))));
        }
        return sum(terms) / (spacing * spacing);
    }
    Halide::Expr laplacian(const Value &f, const Point &at) const {
        return sum({curvature(f, 0, at), curvature(f, 1, at), curvature(f, 2, at)});
    }

    Field periodic_values(const Halide::Func &func) const {
        const Halide::Func around = Halide::BoundaryConditions::repeat_image(func, box_);
        return [=](int f, const Point &at) -> Halide::Expr { return around(at)[f]; };
    }

    /// A stage: keep * what was before the step + renew * (now + time_step * change of now).
    void define(Halide::Func &stage, const Field &before, const Field &now, double keep, double renew, int number) {
        using namespace Halide;
        const Point at = {x_, y_, z_};
        const Field state = state_of(now, number);
        const Value divergence = divergence_of(state, number);
        std::vector<Expr> values;
        const std::vector<Expr> changes = changes_of(now, state, divergence);
        for (int f = 0; f < fields; f++) {
            const Expr next = now(f, at) + time_step * changes[static_cast<size_t>(f)];
            values.push_back(keep == 0 ? next : keep * before(f, at) + renew * next);
        }
        stage(x_, y_, z_) = Tuple(values);
    }

    /// Velocities, pressure and temperature.
    Field state_of(const Field &now, int number) {
        using namespace Halide;
        const Point at = {x_, y_, z_};
        Func func("state" + std::to_string(number));
        const Expr density = now(0, at);
        const Expr along_x = now(1, at) / density, along_y = now(2, at) / density, along_z = now(3, at) / density;
        const Expr inner = now(4, at) / density - 0.5 * sum({along_x * along_x, along_y * along_y, along_z * along_z});
        func(x_, y_, z_) = Tuple(along_x, along_y, along_z, (gamma - 1) * density * inner, inner);
        func.compute_root();
        inner_.push_back(func);
        return periodic_values(func);
    }

    Value divergence_of(const Field &state, int number) {
        const Point at = {x_, y_, z_};
        Halide::Func func("divergence" + std::to_string(number));
        func(x_, y_, z_) = sum({slope_of(state, u, 0, at), slope_of(state, v, 1, at), slope_of(state, w, 2, at)});
        func.compute_root();
        inner_.push_back(func);
        const Halide::Func around = Halide::BoundaryConditions::repeat_image(func, box_);
        return [=](const Point &there) -> Halide::Expr { return around(there); };
    }

    Halide::Expr slope_of(const Field &field, int f, int d, const Point &at) const {
        return slope([&](const Point &there) { return field(f, there); }, d, at);
    }

    std::vector<Halide::Expr> changes_of(const Field &now, const Field &state, const Value &divergence) const {
        using namespace Halide;
        const Point at = {x_, y_, z_};
        const auto flow = [&](const Value &what) { // its divergence with the velocity
            std::vector<Expr> terms;
            for (int d = 0; d < 3; d++) {
                terms.push_back(slope([&](const Point &there) { return what(there) * state(u + d, there); }, d, at));
            }
            return sum(terms);
        };
        std::vector<Expr> momentum, friction, dissipation;
        for (int d = 0; d < 3; d++) {
            friction.push_back(laplacian([&](const Point &there) { return state(u + d, there); }, at) +
                               1.0 / 3 * slope(divergence, d, at));
            momentum.push_back(
                -(flow([&](const Point &there) { return now(1 + d, there); }) + slope_of(state, pressure, d, at)) +
                viscosity * friction.back());
        }
        // Twice the squared rates of strain, less 2/3 of the squared divergence.
        for (int a = 0; a < 3; a++) {
            const Expr along = slope_of(state, u + a, a, at);
            dissipation.push_back(2.0 * along * along);
            for (int b = 0; b < a; b++) {
                const Expr across = slope_of(state, u + a, b, at) + slope_of(state, u + b, a, at);
                dissipation.push_back(across * across);
            }
        }
        const Expr compression = divergence(at);
        const Expr work = sum({state(u, at) * friction[0], state(v, at) * friction[1], state(w, at) * friction[2]}) +
                          (sum(dissipation) - 2.0 / 3 * compression * compression);
        const Expr energy = -flow([&](const Point &there) {
            return now(4, there) + state(pressure, there);
        }) + (conductivity * laplacian([&](const Point &there) { return state(temperature, there); }, at) +
              viscosity * work);
        const Expr density = -sum({slope_of(now, 1, 0, at), slope_of(now, 2, 1, at), slope_of(now, 3, 2, at)});
        return {density, momentum[0], momentum[1], momentum[2], energy};
    }
};

} // namespace apps
