#pragma once
// The divergence of fluxes on a grid of cells, added to what the cells hold: one step of a finite-volume solver. A cell
// holds five components: density, momentum in x, y and z, energy. Each has a value on every face between two cells, an
// average of fourth order of the four cells around the face, and flows through it with the velocity there.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

#include <string>
#include <vector>

namespace apps {

struct MiniFluxDiv {
    static constexpr int components = 5; ///< of a cell; component 1 + d is the velocity along dimension d
    static constexpr int ghosts = 2;     ///< cells beyond each end of a dimension, which `input` has to hold

    Halide::ImageParam input; ///< x, y (, z), component; ghost cells are at -2, -1, n and n + 1
    Halide::Func output{"minifluxdiv"};

    /// Of 2 or 3 `dimensions`.
    explicit MiniFluxDiv(Schedule schedule, int dimensions = 3)
        : input(Halide::Float(64), dimensions + 1, "input"), axes_({Halide::Var("x"), Halide::Var("y")}) {
        using namespace Halide;
        if (dimensions == 3) {
            axes_.emplace_back("z");
        }
        std::vector<Expr> here(axes_.begin(), axes_.end());
        here.emplace_back(c_);
        Expr sum = input(here);
        for (int d = 0; d < dimensions; d++) {
            const Func flux = flux_along(d);
            sum += flux(moved(here, d, 1)) - flux(here);
        }
        output(args()) = sum;
        if (is_by_hand(schedule)) {
            schedule_by_hand();
        }
        if (is_on_gpu(schedule)) {
            std::vector<VarOrRVar> order = {c_};
            order.insert(order.end(), axes_.begin(), axes_.end());
            output.reorder(order).bound(c_, 0, components).unroll(c_);
            gpu_tiles(output, axes_[0], axes_[1]);
            if (dimensions == 3) {
                output.gpu_blocks(axes_[2]);
            }
        }
    }

  private:
    std::vector<Halide::Var> axes_;
    Halide::Var c_{"c"};

    std::vector<Halide::Var> args() const {
        std::vector<Halide::Var> all = axes_;
        all.push_back(c_);
        return all;
    }

    static std::vector<Halide::Expr> moved(std::vector<Halide::Expr> at, int d, int by) {
        at[static_cast<size_t>(d)] += by;
        return at;
    }

    /// The average on the face between the cells i - 1 and i along dimension d.
    Halide::Expr on_face(const std::vector<Halide::Expr> &at, int d) const {
        return Halide::Expr(7.0 / 12) * (input(moved(at, d, -1)) + input(at)) -
               Halide::Expr(1.0 / 12) * (input(moved(at, d, -2)) + input(moved(at, d, 1)));
    }

    Halide::Func flux_along(int d) {
        using namespace Halide;
        const std::string axis(1, "xyz"[d]);
        Func speed("speed_" + axis), flux("flux_" + axis);
        std::vector<Expr> here(axes_.begin(), axes_.end());
        here.emplace_back(1 + d);
        speed(axes_) = on_face(here, d);
        here.back() = c_;
        flux(args()) = on_face(here, d) * speed(axes_);
        return flux;
    }

    /// Faces are computed for both of their cells: that was faster than keeping them in any way that was tried. The
    /// components of a cell share the velocities on its faces.
    void schedule_by_hand() {
        using namespace Halide;
        const int lanes = get_jit_target_from_environment().natural_vector_size<double>();
        const Var x = axes_[0], strip("strip");
        Var outermost = axes_.back();
        if (axes_.size() == 2) {
            output.split(outermost, strip, outermost, 16, TailStrategy::GuardWithIf);
            output.reorder(c_, x, outermost, strip);
            outermost = strip;
        } else {
            output.reorder(c_, x, axes_[1], outermost);
        }
        output.bound(c_, 0, components).unroll(c_).parallel(outermost);
        output.vectorize(x, lanes, TailStrategy::GuardWithIf);
    }
};

} // namespace apps
