#pragma once
#include "apps/common/image.h"

namespace apps::reference {

/// Values on the points 1 to n of each axis, and zeros at 0 and n + 1. A plane has one layer and no zeros beside it.
class Grid {
  public:
    int width, height, depth;
    bool planar;

    Grid(int w, int h, int d, bool is_planar)
        : width(w), height(h), depth(d), planar(is_planar), values_(w + 2, h + 2, is_planar ? 1 : d + 2) {}

    double &operator()(int x, int y, int z) { return values_(x, y, planar ? 0 : z); }
    double operator()(int x, int y, int z) const { return values_(x, y, planar ? 0 : z); }

    Grid coarser() const { return {(width - 1) / 2, (height - 1) / 2, planar ? 1 : (depth - 1) / 2, planar}; }
    Grid zeros() const { return {width, height, depth, planar}; }

    double neighbours(int x, int y, int z) const {
        const Grid &v = *this;
        const double plane = v(x - 1, y, z) + v(x + 1, y, z) + v(x, y - 1, z) + v(x, y + 1, z);
        return planar ? plane : plane + v(x, y, z - 1) + v(x, y, z + 1);
    }

    template <typename Body> void for_each(Body body) const {
        for (int z = 1; z <= (planar ? 1 : depth); z++) {
            for (int y = 1; y <= height; y++) {
                for (int x = 1; x <= width; x++) {
                    body(x, y, z);
                }
            }
        }
    }

  private:
    Image<double> values_;
};

/// Poisson's equation laplace(u) = f, solved by cycles of multigrid.
class Poisson {
  public:
    int before = 4, coarsest = 4, after = 4; ///< steps of smoothing
    int visits = 1;                          ///< of each coarser grid: 1 for a V cycle, 2 for a W cycle
    int levels = 4;

    void cycle(Grid &u, const Grid &f, double spacing = 1, int level = 0) const {
        const bool is_last = level == levels - 1;
        for (int step = 0; step < (is_last ? coarsest : before); step++) {
            smooth(u, f, spacing);
        }
        if (is_last) {
            return;
        }
        const Grid coarse_f = restrict_defect(u, f, spacing);
        Grid error = coarse_f.zeros();
        for (int visit = 0; visit < visits; visit++) {
            cycle(error, coarse_f, 2 * spacing, level + 1);
        }
        correct(u, error);
        for (int step = 0; step < after; step++) {
            smooth(u, f, spacing);
        }
    }

    static Grid defect(const Grid &u, const Grid &f, double spacing = 1) {
        Grid result = u.zeros();
        const int points = u.planar ? 4 : 6;
        u.for_each([&](int x, int y, int z) {
            const double laplace = (u.neighbours(x, y, z) - points * u(x, y, z)) / (spacing * spacing);
            result(x, y, z) = f(x, y, z) - laplace;
        });
        return result;
    }

  private:
    static void smooth(Grid &u, const Grid &f, double spacing) {
        const Grid old = u;
        const double damping = u.planar ? 4.0 / 5 : 6.0 / 7, points = u.planar ? 4 : 6;
        u.for_each([&](int x, int y, int z) {
            const double jacobi = (old.neighbours(x, y, z) - spacing * spacing * f(x, y, z)) / points;
            u(x, y, z) = (1 - damping) * old(x, y, z) + damping * jacobi;
        });
    }

    static Grid restrict_defect(const Grid &u, const Grid &f, double spacing) {
        const Grid fine = defect(u, f, spacing);
        Grid coarse = u.coarser();
        const int beside = u.planar ? 0 : 1;
        coarse.for_each([&](int x, int y, int z) {
            double sum = 0;
            for (int k = -beside; k <= beside; k++) {
                for (int j = -1; j <= 1; j++) {
                    for (int i = -1; i <= 1; i++) {
                        const int weight = (i == 0 ? 2 : 1) * (j == 0 ? 2 : 1) * (k == 0 ? 2 : 1);
                        sum += weight * fine(2 * x + i, 2 * y + j, 2 * z + k);
                    }
                }
            }
            coarse(x, y, z) = sum / (u.planar ? 32 : 64); // k == 0 doubles all weights of a plane
        });
        return coarse;
    }

    static void correct(Grid &u, const Grid &error) {
        // Nothing lies beyond the points n + 1 of the coarser grid, where its values are 0.
        const int w = error.width + 1, h = error.height + 1, d = error.depth + 1;
        u.for_each([&](int x, int y, int z) {
            double sum = 0;
            int corners = 0;
            for (int k = z / 2; k <= (u.planar ? z / 2 : (z + 1) / 2); k++) {
                for (int j = y / 2; j <= (y + 1) / 2; j++) {
                    for (int i = x / 2; i <= (x + 1) / 2; i++) {
                        sum += error(std::min(i, w), std::min(j, h), std::min(k, d));
                        corners++;
                    }
                }
            }
            u(x, y, z) += sum / corners;
        });
    }
};

/// One cycle of `poisson` from `guess` for the right-hand side `f`; a plane has one channel.
inline Image<double> multigrid(const Poisson &poisson, const Image<double> &guess, const Image<double> &f,
                               bool planar) {
    Grid u(guess.width, guess.height, guess.channels, planar), right = u.zeros();
    u.for_each([&](int x, int y, int z) {
        u(x, y, z) = guess(x - 1, y - 1, z - 1);
        right(x, y, z) = f(x - 1, y - 1, z - 1);
    });
    poisson.cycle(u, right);
    Image<double> result(guess.width, guess.height, guess.channels);
    u.for_each([&](int x, int y, int z) { result(x - 1, y - 1, z - 1) = u(x, y, z); });
    return result;
}

} // namespace apps::reference
