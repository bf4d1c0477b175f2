#pragma once
// The programs of stencils.h in plain C++, written from their definitions without the compiler.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace apps::stencils::reference {

/// Values over a box from the origin; a square has one plane.
template <typename T> struct Grid {
    int width = 0, height = 0, depth = 1;
    std::vector<T> values;

    Grid(int width, int height, int depth = 1)
        : width(width), height(height), depth(depth),
          values(static_cast<size_t>(width) * static_cast<size_t>(height) * static_cast<size_t>(depth)) {}
    T &operator()(int x, int y, int z = 0) {
        return values[(static_cast<size_t>(z) * static_cast<size_t>(height) + static_cast<size_t>(y)) *
                          static_cast<size_t>(width) +
                      static_cast<size_t>(x)];
    }
    T operator()(int x, int y, int z = 0) const { return const_cast<Grid &>(*this)(x, y, z); }
    T edge(int x, int y, int z = 0) const {
        return (*this)(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1), std::clamp(z, 0, depth - 1));
    }
    T zero(int x, int y, int z = 0) const {
        const bool is_inside = x >= 0 && x < width && y >= 0 && y < height && z >= 0 && z < depth;
        return is_inside ? (*this)(x, y, z) : T(0);
    }
    T wrap(int x, int y) const { return (*this)((x + width) % width, (y + height) % height); }
};

template <typename T> using Step = std::function<T(const Grid<T> &, int x, int y, int z)>;

template <typename T> Grid<T> iterated(Grid<T> now, int steps, const Step<T> &step) {
    for (int t = 0; t < steps; t++) {
        Grid<T> next = now;
        for (int z = 0; z < now.depth; z++) {
            for (int y = 0; y < now.height; y++) {
                for (int x = 0; x < now.width; x++) {
                    next(x, y, z) = step(now, x, y, z);
                }
            }
        }
        now = next;
    }
    return now;
}

using Offsets = std::vector<std::vector<int>>;

inline Grid<float> jacobi(const Grid<float> &grid, int steps, const Offsets &offsets) {
    return iterated<float>(grid, steps, [&](const Grid<float> &u, int x, int y, int z) {
        float sum = 0;
        for (const std::vector<int> &at : offsets) {
            sum += u.edge(x + at[0], y + at[1], z + (at.size() > 2 ? at[2] : 0));
        }
        return sum / static_cast<float>(offsets.size());
    });
}

inline Grid<float> gaussian(const Grid<float> &grid, int steps) {
    constexpr std::array<float, 5> weights = {1, 4, 6, 4, 1};
    return iterated<float>(grid, steps, [&](const Grid<float> &u, int x, int y, int) {
        float sum = 0;
        for (int j = -2; j <= 2; j++) {
            for (int i = -2; i <= 2; i++) {
                sum += weights[static_cast<size_t>(i + 2)] * weights[static_cast<size_t>(j + 2)] * u.edge(x + i, y + j);
            }
        }
        return sum / 256;
    });
}

inline Grid<float> gradient(const Grid<float> &grid) {
    return iterated<float>(grid, 1, [](const Grid<float> &u, int x, int y, int) {
        return std::hypot(u.edge(x + 1, y) - u.edge(x - 1, y), u.edge(x, y + 1) - u.edge(x, y - 1)) / 2;
    });
}

inline Grid<float> poisson(const Grid<float> &grid, const Grid<float> &charge, int steps) {
    return iterated<float>(grid, steps, [&](const Grid<float> &u, int x, int y, int z) {
        float sum = -6 * charge(x, y, z);
        for (int k = -1; k <= 1; k++) {
            for (int j = -1; j <= 1; j++) {
                for (int i = -1; i <= 1; i++) {
                    const int touched = std::abs(i) + std::abs(j) + std::abs(k);
                    sum += touched == 1   ? 2 * u.zero(x + i, y + j, z + k)
                           : touched == 2 ? u.zero(x + i, y + j, z + k)
                                          : 0;
                }
            }
        }
        return sum / 24;
    });
}

struct Chip {
    float step = 0.2f, x = 0.3f, y = 0.25f, z = 0.1f, air = 0.05f, ambient = 80.0f;
};

inline Grid<float> hotspot(const Grid<float> &heat, const Grid<float> &power, int steps, const Chip &chip = {}) {
    return iterated<float>(heat, steps, [&](const Grid<float> &t, int x, int y, int z) {
        const float here = t(x, y, z);
        const float flow = power(x, y, z) + chip.y * (t.edge(x, y - 1, z) + t.edge(x, y + 1, z) - 2 * here) +
                           chip.x * (t.edge(x - 1, y, z) + t.edge(x + 1, y, z) - 2 * here) +
                           (t.depth > 1 ? chip.z * (t.edge(x, y, z - 1) + t.edge(x, y, z + 1) - 2 * here) : 0) +
                           chip.air * (chip.ambient - here);
        return here + chip.step * flow;
    });
}

inline Grid<float> srad(Grid<float> j, int steps, float rate = 0.5f) {
    for (int t = 0; t < steps; t++) {
        double sum = 0, squares = 0;
        for (const float value : j.values) {
            sum += value;
            squares += double{value} * value;
        }
        const double mean = sum / static_cast<double>(j.values.size());
        const double noise = (squares / static_cast<double>(j.values.size()) - mean * mean) / (mean * mean);
        Grid<float> c = j;
        const auto differences = [&](int x, int y) {
            const float here = j(x, y);
            return std::array<float, 4>{j.edge(x, y - 1) - here, j.edge(x, y + 1) - here, j.edge(x - 1, y) - here,
                                        j.edge(x + 1, y) - here};
        };
        for (int y = 0; y < j.height; y++) {
            for (int x = 0; x < j.width; x++) {
                float g = 0, l = 0;
                for (const float d : differences(x, y)) {
                    g += d * d / (j(x, y) * j(x, y));
                    l += d / j(x, y);
                }
                const double q = (0.5 * g - l * l / 16.0) / ((1 + 0.25 * l) * (1 + 0.25 * l));
                c(x, y) = static_cast<float>(std::clamp(1 / (1 + (q - noise) / (noise * (1 + noise))), 0.0, 1.0));
            }
        }
        Grid<float> next = j;
        for (int y = 0; y < j.height; y++) {
            for (int x = 0; x < j.width; x++) {
                const auto d = differences(x, y);
                next(x, y) += rate / 4 * (c(x, y) * (d[0] + d[2]) + c.edge(x, y + 1) * d[1] + c.edge(x + 1, y) * d[3]);
            }
        }
        j = next;
    }
    return j;
}

inline Grid<float> wave(const Grid<float> &pressure, const Grid<float> &speed, int steps, const std::vector<float> &c) {
    Grid<float> now = pressure, before = pressure;
    for (int t = 0; t < steps; t++) {
        Grid<float> next = now;
        for (int y = 0; y < now.height; y++) {
            for (int x = 0; x < now.width; x++) {
                float laplacian = 2 * c[0] * now(x, y);
                for (int i = 1; i < static_cast<int>(c.size()); i++) {
                    laplacian += c[static_cast<size_t>(i)] *
                                 (now.zero(x - i, y) + now.zero(x + i, y) + now.zero(x, y - i) + now.zero(x, y + i));
                }
                next(x, y) = 2 * now(x, y) - before(x, y) + speed(x, y) * laplacian;
            }
        }
        next(0, 0) += 1.0f / static_cast<float>(1 + t);
        before = now;
        now = next;
    }
    return now;
}

inline std::pair<Grid<float>, Grid<float>> reaction(Grid<float> u, Grid<float> v, int steps, float feed = 0.055f,
                                                    float kill = 0.062f) {
    const auto laplacian = [](const Grid<float> &g, int x, int y) {
        return 0.2f * (g.wrap(x - 1, y) + g.wrap(x + 1, y) + g.wrap(x, y - 1) + g.wrap(x, y + 1)) +
               0.05f * (g.wrap(x - 1, y - 1) + g.wrap(x + 1, y - 1) + g.wrap(x - 1, y + 1) + g.wrap(x + 1, y + 1)) -
               g(x, y);
    };
    for (int t = 0; t < steps; t++) {
        Grid<float> next_u = u, next_v = v;
        for (int y = 0; y < u.height; y++) {
            for (int x = 0; x < u.width; x++) {
                const float reacted = u(x, y) * v(x, y) * v(x, y);
                next_u(x, y) += laplacian(u, x, y) - reacted + feed * (1 - u(x, y));
                next_v(x, y) += 0.5f * laplacian(v, x, y) + reacted - (kill + feed) * v(x, y);
            }
        }
        u = next_u;
        v = next_v;
    }
    return {u, v};
}

inline Grid<uint8_t> life(const Grid<uint8_t> &cells, int steps) {
    return iterated<uint8_t>(cells, steps, [](const Grid<uint8_t> &g, int x, int y, int) {
        int count = 0;
        for (int j = -1; j <= 1; j++) {
            for (int i = -1; i <= 1; i++) {
                count += i != 0 || j != 0 ? g.wrap(x + i, y + j) : 0;
            }
        }
        return static_cast<uint8_t>(count == 3 || (count == 2 && g(x, y) != 0) ? 1 : 0);
    });
}

} // namespace apps::stencils::reference
