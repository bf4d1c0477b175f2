#pragma once
// Stencils that are applied again and again, each from its plain definition and without a schedule: relaxation, heat on
// chips, speckle removal, waves, reactions, life. Every function returns what is left after `steps` steps; boundary
// rules are stated where they are not edges that repeat. reference.h has the same in plain C++.

#include "fluorite/fluorite.h"
#include "fluorite/iterate.h"
#include "fluorite/stencil.h"

#include <vector>

namespace apps::stencils {

using namespace fluorite;
using Offsets = std::vector<std::vector<int>>;

/// The origin, and `radius` neighbours on both sides along each dimension, in ascending order.
inline Offsets star(int dimensions, int radius) {
    Offsets offsets;
    const auto along = [&](int d, int distance) {
        std::vector<int> offset(static_cast<size_t>(dimensions), 0);
        offset[static_cast<size_t>(d)] = distance;
        offsets.push_back(offset);
    };
    for (int d = dimensions - 1; d > 0; d--) {
        for (int i = -radius; i < 0; i++) {
            along(d, i);
        }
    }
    for (int i = -radius; i <= radius; i++) {
        along(0, i);
    }
    for (int d = 1; d < dimensions; d++) {
        for (int i = 1; i <= radius; i++) {
            along(d, i);
        }
    }
    return offsets;
}

/// All offsets of a cube of edge 2 radius + 1 (of a square in two dimensions) that touch at most `most` dimensions.
inline Offsets box(int dimensions, int radius, int most) {
    Offsets offsets;
    const int edge = 2 * radius + 1;
    for (int i = 0; i < (dimensions == 2 ? edge * edge : edge * edge * edge); i++) {
        std::vector<int> offset;
        int touched = 0;
        for (int d = 0, rest = i; d < dimensions; d++, rest /= edge) {
            offset.push_back(rest % edge - radius);
            touched += offset.back() != 0 ? 1 : 0;
        }
        if (touched <= most) {
            offsets.push_back(offset);
        }
    }
    return offsets;
}

inline Region domain_of(const ImageParam &image) {
    Region domain;
    for (int d = 0; d < image.dimensions(); d++) {
        domain.emplace_back(image.dim(d).min(), image.dim(d).extent());
    }
    return domain;
}

inline Expr sum(const std::vector<Expr> &values) {
    Expr total = values[0];
    for (size_t i = 1; i < values.size(); i++) {
        total += values[i];
    }
    return total;
}

/// The mean of the points of a shape: 5 and 9 points of a square, 7, 13 and 27 of a cube.
inline Iterated jacobi(const ImageParam &image, const Expr &steps, const Offsets &offsets) {
    const auto mean = [](const std::vector<Expr> &a) { return sum(a) / static_cast<float>(a.size()); };
    return iterate(steps, domain_of(image), image,
                   [&](const IterationStep &s) { return stencil(offsets, mean, s.field()); });
}

/// 25 points, with binomial weights.
inline Iterated gaussian(const ImageParam &image, const Expr &steps) {
    const auto weighted = [](const std::vector<Expr> &a) {
        constexpr float weights[] = {1, 4, 6, 4, 1};
        std::vector<Expr> products;
        for (size_t i = 0; i < a.size(); i++) {
            products.push_back(a[i] * (weights[i % 5] * weights[i / 5]));
        }
        return sum(products) / 256.0f;
    };
    return iterate(steps, domain_of(image), image,
                   [&](const IterationStep &s) { return stencil(box(2, 2, 2), weighted, s.field()); });
}

/// The length of the gradient, by central differences; one step.
inline Func gradient(const ImageParam &image) {
    const auto length = [](const std::vector<Expr> &a) {
        const Expr dx = a[1] - a[0], dy = a[3] - a[2];
        return sqrt(dx * dx + dy * dy) * 0.5f;
    };
    return stencil({{-1, 0}, {1, 0}, {0, -1}, {0, 1}}, length, image);
}

/// Relaxation of the Laplacian with 19 points; outside, the potential is 0.
inline Iterated poisson(const ImageParam &image, const ImageParam &charge, const Expr &steps) {
    const Offsets offsets = box(3, 1, 2);
    const auto relaxed = [offsets](const Expr &f, const std::vector<Expr> &a) {
        std::vector<Expr> faces, edges;
        for (size_t i = 0; i < a.size(); i++) {
            int touched = 0;
            for (const int at : offsets[i]) {
                touched += at != 0 ? 1 : 0;
            }
            if (touched > 0) {
                (touched == 1 ? faces : edges).push_back(a[i]);
            }
        }
        return (2.0f * sum(faces) + sum(edges) - 6.0f * f) / 24.0f;
    };
    return iterate(steps, domain_of(image), image, [&](const IterationStep &s) {
        return stencil(offsets, relaxed, charge, s.field(), StencilBoundary::zero());
    });
}

struct Chip {
    float step = 0.2f, x = 0.3f, y = 0.25f, z = 0.1f, air = 0.05f, ambient = 80.0f;
};

/// The temperature of a chip under a power that each point takes.
inline Iterated hotspot(const ImageParam &heat, const ImageParam &power, const Expr &steps, const Chip &chip = {}) {
    const bool is_cube = heat.dimensions() == 3;
    // In the order of star(): planes and rows before the point, the row, and what follows.
    const auto warmed = [&](const Expr &p, const std::vector<Expr> &a) {
        const size_t here = a.size() / 2;
        const Expr &t = a[here];
        Expr flow =
            p + (a[here - 2] + a[here + 2] - 2.0f * t) * chip.y + (a[here - 1] + a[here + 1] - 2.0f * t) * chip.x;
        if (is_cube) {
            flow = flow + (a[here - 3] + a[here + 3] - 2.0f * t) * chip.z;
        }
        return t + chip.step * (flow + (chip.ambient - t) * chip.air);
    };
    return iterate(steps, domain_of(heat), heat, [&](const IterationStep &s) {
        return stencil(star(heat.dimensions(), 1), warmed, power, s.field());
    });
}

/// Speckle reducing anisotropic diffusion: the coefficient of each step depends on mean and variance of the picture.
inline Iterated srad(const ImageParam &image, const Expr &steps, float rate = 0.5f) {
    Var x("x"), y("y");
    return iterate(steps, domain_of(image), image, [&](const IterationStep &s) {
        const Func j = BoundaryConditions::repeat_edge(s.field());
        RDom r(s.domain[0].min, s.domain[0].extent, s.domain[1].min, s.domain[1].extent, "r");
        Func total("total"), noise("noise"), c("coefficient"), extended, next("srad");
        total() = Tuple(0.0f, 0.0f);
        const Expr value = s.field()(r.x, r.y);
        total() = Tuple(total()[0] + value, total()[1] + value * value);
        const Expr mean = total()[0] / cast<float>(s.domain[0].extent * s.domain[1].extent);
        const Expr square = total()[1] / cast<float>(s.domain[0].extent * s.domain[1].extent);
        noise() = (square - mean * mean) / (mean * mean);
        const Expr here = j(x, y);
        const Expr n = j(x, y - 1) - here, e = j(x + 1, y) - here, w = j(x - 1, y) - here, south = j(x, y + 1) - here;
        const Expr g = (n * n + south * south + w * w + e * e) / (here * here), l = (n + south + w + e) / here;
        const Expr q = (0.5f * g - 0.0625f * (l * l)) / ((1.0f + 0.25f * l) * (1.0f + 0.25f * l));
        c(x, y) = clamp(1.0f / (1.0f + (q - noise()) / (noise() * (1.0f + noise()))), 0.0f, 1.0f);
        extended = BoundaryConditions::repeat_edge(c, s.domain);
        next(x, y) =
            here + 0.25f * rate *
                       (extended(x, y) * n + extended(x, y + 1) * south + extended(x, y) * w + extended(x + 1, y) * e);
        return next;
    });
}

/// Half of the coefficients of the second derivative, from the centre on.
inline std::vector<float> second_derivative(int order) {
    switch (order) {
    case 4:
        return {-5.0f / 2, 4.0f / 3, -1.0f / 12};
    case 8:
        return {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560};
    default:
        return {-3.0548441f,    16.0f / 9,    -14.0f / 45,    112.0f / 1485, -7.0f / 396,
                112.0f / 32175, -2.0f / 3861, 16.0f / 315315, -1.0f / 411840};
    }
}

/// The acoustic wave equation in two dimensions, of second order in time and of order 4, 8 or 16 in space: two past
/// steps, a speed for each point, and a source at one. Outside, there is no pressure.
inline Iterated wave(const ImageParam &pressure, const ImageParam &speed, const Expr &steps, int order) {
    const std::vector<float> c = second_derivative(order);
    Var x("x"), y("y");
    IterateOptions options;
    options.before = pressure;
    return iterate(
        steps, domain_of(pressure), pressure,
        [&](const IterationStep &s) {
            const Func p = BoundaryConditions::constant_exterior(s.field(), 0);
            Expr laplacian = 2.0f * c[0] * p(x, y);
            for (int i = 1; i < static_cast<int>(c.size()); i++) {
                laplacian += c[static_cast<size_t>(i)] * (p(x - i, y) + p(x + i, y) + p(x, y - i) + p(x, y + i));
            }
            const Expr pulse = select(x == s.domain[0].min && y == s.domain[1].min, 1.0f / cast<float>(1 + s.t), 0.0f);
            Func next("wave");
            next(x, y) = 2.0f * s.field()(x, y) - s.past()(x, y) + speed(x, y) * laplacian + pulse;
            return next;
        },
        options);
}

/// Two substances that react and diffuse on a torus (Gray and Scott). Values: both concentrations.
inline Iterated reaction(const ImageParam &a, const ImageParam &b, const Expr &steps, float feed = 0.055f,
                         float kill = 0.062f) {
    Var x("x"), y("y");
    Func both("both");
    both(x, y) = Tuple(a(x, y), b(x, y));
    return iterate(steps, domain_of(a), both, [&](const IterationStep &s) {
        const auto react = [&](const std::vector<Tuple> &at) {
            const auto laplacian = [&](int k) {
                std::vector<Expr> sides, corners;
                for (size_t i = 0; i < 9; i++) {
                    if (i != 4) {
                        (i % 2 == 1 ? sides : corners).push_back(at[i][k]);
                    }
                }
                return 0.2f * sum(sides) + 0.05f * sum(corners) - at[4][k];
            };
            const Expr u = at[4][0], v = at[4][1], reacted = u * v * v;
            return Tuple(u + (laplacian(0) - reacted + feed * (1.0f - u)),
                         v + (0.5f * laplacian(1) + reacted - (kill + feed) * v));
        };
        return stencil(box(2, 1, 2), react, s.fields, StencilBoundary::wrap());
    });
}

/// Conway's game of life on a torus; cells are 0 and 1.
inline Iterated life(const ImageParam &cells, const Expr &steps) {
    const auto born = [](const std::vector<Expr> &a) {
        std::vector<Expr> others;
        for (size_t i = 0; i < a.size(); i++) {
            if (i != 4) {
                others.push_back(a[i]);
            }
        }
        const Expr count = sum(others);
        return select(count == 3 || (count == 2 && a[4] == 1), cast<uint8_t>(1), cast<uint8_t>(0));
    };
    return iterate(steps, domain_of(cells), cells, [&](const IterationStep &s) {
        return stencil(box(2, 1, 2), born, s.field(), StencilBoundary::wrap());
    });
}

} // namespace apps::stencils
