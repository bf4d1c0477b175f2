#pragma once
// A cycle of geometric multigrid for Poisson's equation, laplace(u) = f, on a grid of points in the plane or in space.
// The spacing of the finest grid is 1; for another one, f is to be multiplied by its square. Outside the grid u is 0.
//
// A visit of a grid smooths the values that it is given, by Jacobi's iteration with the damping that is best for the
// dimension; restricts the defect to the next coarser grid, where it is the right-hand side; visits that grid once (V)
// or twice (W), starting from zero; adds the interpolated result; and smooths again. On the coarsest grid it only
// smooths. Point i of a coarser grid is point 2i + 1 of the finer one, so grids of 2^k - 1 points fit into each other.
// Where there is an even number of points, the coarser grid ends one point early, and only smoothing acts on the last.

#include "apps/common/gpu.h"
#include "apps/common/schedule.h"

#include <Halide.h>

#include <algorithm>
#include <string>
#include <vector>

namespace apps {

enum class Cycle { V, W };

/// Steps of Jacobi's iteration, none or more of each. With none on the coarsest grid, that grid gives no correction and
/// is not visited.
struct Smoothing {
    int before = 4, coarsest = 4, after = 4;
};

struct MultigridOptions {
    int dimensions = 2; ///< 2 or 3
    Cycle cycle = Cycle::V;
    Smoothing smoothing = {}; ///< at least one step on the finest grid
    int levels = 4;           ///< grids, the finest one included; at least one
};

struct Multigrid {
    Halide::ImageParam guess, right; ///< x, y (, z), of equal extents: what the cycle starts from, and f
    Halide::Func output;             ///< closer to the solution

    explicit Multigrid(Schedule schedule, const MultigridOptions &options = {})
        : guess(Halide::Float(64), options.dimensions, "guess"), right(Halide::Float(64), options.dimensions, "right"),
          options_(options), axes_({Halide::Var("x"), Halide::Var("y")}) {
        if (options.dimensions == 3) {
            axes_.emplace_back("z");
        }
        output = visit(0, bounded(guess, 0), right).plain;
        for (Run &run : runs_) {
            if (is_by_hand(schedule)) {
                schedule_by_hand(run);
            } else if (is_on_gpu(schedule)) {
                for (Stage &stage : run.stages) {
                    gpu_tiles(stage.plain.compute_root(), axes_[0], axes_[1]);
                    if (axes_.size() == 3) {
                        stage.plain.gpu_blocks(axes_[2]);
                    }
                }
            } else {
                for (Stage &stage : run.stages) {
                    stage.plain.compute_root();
                }
            }
        }
    }

    /// How many stages there are.
    size_t stages() const {
        size_t count = 0;
        for (const Run &run : runs_) {
            count += run.stages.size();
        }
        return count;
    }

  private:
    /// The values of a grid. Both Funcs are undefined where all values are zero.
    struct Stage {
        Halide::Func plain;   ///< only inside the grid
        Halide::Func bounded; ///< with zeros around it
    };

    /// Stages of which each reads the one before. Only the last one is read by other runs.
    struct Run {
        int level; ///< of the last one; 0 is the finest grid
        std::vector<Stage> stages = {};
        bool is_restriction = false;
    };

    MultigridOptions options_;
    std::vector<Halide::Var> axes_;
    std::vector<Run> runs_;

    std::vector<Halide::Expr> here() const { return {axes_.begin(), axes_.end()}; }

    Stage bounded(const Halide::Func &values, int level) const {
        Halide::Region region;
        for (int d = 0; d < options_.dimensions; d++) {
            // Of n points the next coarser grid has (n - 1) / 2.
            region.push_back({0, Halide::max((guess.dim(d).extent() + 1 >> level) - 1, 0)});
        }
        return {values, Halide::BoundaryConditions::constant_exterior(values, Halide::Expr(0.0), region)};
    }

    Stage add_stage(Run &run, const std::string &name, const Halide::Expr &value) const {
        Halide::Func result(name + std::to_string(run.level));
        result(axes_) = value;
        run.stages.push_back(bounded(result, run.level));
        return run.stages.back();
    }

    /// The sum of the neighbours along all axes.
    Halide::Expr around(const Halide::Func &values) const {
        Halide::Expr sum;
        for (size_t d = 0; d < axes_.size(); d++) {
            std::vector<Halide::Expr> before = here(), after = here();
            before[d] = axes_[d] - 1;
            after[d] = axes_[d] + 1;
            const Halide::Expr both = values(before) + values(after);
            sum = d == 0 ? both : sum + both;
        }
        return sum;
    }

    /// Steps of the damped iteration. No step on zeros gives zeros.
    Stage smooth(Run &run, Stage values, const Halide::Func &f, int steps, const char *name) const {
        const double squared_spacing = static_cast<double>(1 << 2 * run.level), points = 2.0 * options_.dimensions;
        const double damping = points / (points + 1); // smooths errors between grids best
        const Halide::Expr source = Halide::Expr(squared_spacing) * f(axes_);
        for (int step = 0; step < steps; step++) {
            if (values.plain.defined()) {
                const Halide::Func before = values.bounded;
                values = add_stage(run, name,
                                   Halide::Expr(1 - damping) * before(axes_) +
                                       Halide::Expr(damping / points) * (around(before) - source));
            } else {
                values = add_stage(run, name, Halide::Expr(-damping / points) * source);
            }
        }
        return values;
    }

    /// f minus the equation's left side.
    Stage defect(Run &run, const Stage &values, const Halide::Func &f) const {
        const double points = 2.0 * options_.dimensions, scale = 1.0 / static_cast<double>(1 << 2 * run.level);
        const Halide::Func &u = values.bounded;
        return add_stage(run, "defect", f(axes_) + Halide::Expr(scale) * (Halide::Expr(points) * u(axes_) - around(u)));
    }

    /// Averages with the weights 1 2 1 along each axis.
    Stage restricted(Run &run, const Stage &fine) const {
        run.level++;
        run.is_restriction = true;
        const Halide::Expr sum = weighted(fine.bounded, {}, axes_.size());
        return add_stage(run, "restricted", sum / Halide::Expr(options_.dimensions == 2 ? 16.0 : 64.0));
    }

    /// The weighted sum over the first `dimensions` axes of a finer grid; the other coordinates are `rest`.
    Halide::Expr weighted(const Halide::Func &fine, const std::vector<Halide::Expr> &rest, size_t dimensions) const {
        if (dimensions == 0) {
            return fine(rest);
        }
        const auto part = [&](int by) {
            std::vector<Halide::Expr> at = {2 * axes_[dimensions - 1] + by};
            at.insert(at.end(), rest.begin(), rest.end());
            return weighted(fine, at, dimensions - 1);
        };
        return part(0) + Halide::Expr(2.0) * part(1) + part(2);
    }

    /// The sum over the coarser grid's points around each point, 2 along each axis. Points between two of that grid are
    /// halfway; at its own points both are that point.
    Halide::Expr corners(const Halide::Func &coarse, const std::vector<Halide::Expr> &rest, size_t dimensions) const {
        if (dimensions == 0) {
            return coarse(rest);
        }
        const auto part = [&](const Halide::Expr &coordinate) {
            std::vector<Halide::Expr> at = {coordinate};
            at.insert(at.end(), rest.begin(), rest.end());
            return corners(coarse, at, dimensions - 1);
        };
        const Halide::Var &axis = axes_[dimensions - 1];
        return part((axis - 1) / 2) + part(axis / 2);
    }

    /// Adds the linear interpolation of a coarser grid's values.
    Stage corrected(Run &run, const Stage &values, const Stage &coarse) const {
        const Halide::Expr between =
            corners(coarse.bounded, {}, axes_.size()) / Halide::Expr(static_cast<double>(1 << options_.dimensions));
        return add_stage(run, "corrected", values.plain.defined() ? values.bounded(axes_) + between : between);
    }

    /// What a visit of a grid makes of values.
    Stage visit(int level, const Stage &values, const Halide::Func &f) {
        const Smoothing &steps = options_.smoothing;
        const bool coarsest = level == options_.levels - 1;
        Run first{level};
        Stage result = smooth(first, values, f, coarsest ? steps.coarsest : steps.before, "smooth");
        add(first);
        if (coarsest || (level == options_.levels - 2 && steps.coarsest == 0)) {
            return result;
        }
        Run down{level};
        const Stage inside = result.plain.defined() ? defect(down, result, f) : bounded(f, level);
        const Stage coarse_f = restricted(down, inside);
        add(down);
        Stage error;
        for (int visits = options_.cycle == Cycle::V ? 1 : 2; visits > 0; visits--) {
            error = visit(level + 1, error, coarse_f.plain);
        }
        Run up{level};
        if (error.plain.defined()) {
            result = corrected(up, result, error);
        }
        result = smooth(up, result, f, steps.after, "after");
        add(up);
        return result;
    }

    void add(const Run &run) {
        if (!run.stages.empty()) {
            runs_.push_back(run);
        }
    }

    /// What a run stores: its last stage. What the coarser grid takes as its f is only read inside, and the output has
    /// no zeros around it; all else is stored with them, which makes the loops of its readers plain.
    Halide::Func stored(const Run &run) const {
        const Stage &last = run.stages.back();
        return run.is_restriction || last.plain.name() == output.name() ? last.plain : last.bounded;
    }

    /// Strips of a plane's rows, or blocks of a space's rows and layers, in parallel. Along a strip the rows of all
    /// stages of a run slide, through a block their layers. Stages of small grids stand alone, as they stay in the
    /// caches.
    void schedule_by_hand(const Run &run) const {
        using namespace Halide;
        Func last = stored(run);
        const bool is_small = run.level >= 3;
        const Var outer = cut(last.compute_root(), run.level);
        for (size_t i = 0; i + 1 < run.stages.size(); i++) {
            Func before = run.stages[i].bounded;
            if (is_small) {
                cut(before.compute_root(), run.level);
            } else {
                before.store_at(last, outer).compute_at(last, last.args().back()).vectorize(before.args()[0], lanes());
            }
        }
    }

    static int lanes() { return Halide::get_jit_target_from_environment().natural_vector_size<double>(); }

    /// Gives the loop around the loops of a strip or block.
    static Halide::Var cut(Halide::Func &func, int level) {
        using namespace Halide;
        const Var x = func.args()[0], y = func.args()[1], strip("strip"), slab("slab");
        // Chosen by measurement: of 8191 x 8191 points, strips of 128 rows were slower.
        const int rows = func.dimensions() == 2 ? std::max(512 >> level, 32) : 32;
        func.split(y, strip, y, rows, TailStrategy::GuardWithIf).vectorize(x, lanes(), TailStrategy::GuardWithIf);
        if (func.dimensions() == 3) {
            const Var z = func.args()[2];
            func.split(z, slab, z, 128, TailStrategy::GuardWithIf).reorder(x, y, z, strip, slab).parallel(slab);
        }
        func.parallel(strip);
        return strip;
    }
};

} // namespace apps
