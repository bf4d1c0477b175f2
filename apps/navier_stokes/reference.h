#pragma once
#include <array>
#include <cstddef>
#include <vector>

namespace apps::reference {

/// A gas in a periodic box of n[0] x n[1] x n[2] cells: five fields, x innermost.
struct Gas {
    std::array<int, 3> n{};
    std::array<std::vector<double>, 5> fields;

    explicit Gas(std::array<int, 3> sizes) : n(sizes) {
        for (std::vector<double> &field : fields) {
            field.resize(static_cast<size_t>(n[0]) * static_cast<size_t>(n[1]) * static_cast<size_t>(n[2]));
        }
    }
    size_t index(int x, int y, int z) const {
        const auto inside = [](int at, int size) { return ((at % size) + size) % size; };
        return (static_cast<size_t>(inside(z, n[2])) * static_cast<size_t>(n[1]) +
                static_cast<size_t>(inside(y, n[1]))) *
                   static_cast<size_t>(n[0]) +
               static_cast<size_t>(inside(x, n[0]));
    }
};

namespace detail {

using Cells = std::vector<double>;

inline double slope(const Gas &gas, const Cells &f, int d, std::array<int, 3> at, double h) {
    const double weights[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    double sum = 0;
    for (int k = 1; k <= 4; k++) {
        std::array<int, 3> ahead = at, behind = at;
        ahead[static_cast<size_t>(d)] += k, behind[static_cast<size_t>(d)] -= k;
        sum += weights[k - 1] *
               (f[gas.index(ahead[0], ahead[1], ahead[2])] - f[gas.index(behind[0], behind[1], behind[2])]);
    }
    return sum / h;
}

inline double laplacian(const Gas &gas, const Cells &f, std::array<int, 3> at, double h) {
    const double weights[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
    double sum = 0;
    for (size_t d = 0; d < 3; d++) {
        sum += weights[0] * f[gas.index(at[0], at[1], at[2])];
        for (int k = 1; k <= 4; k++) {
            std::array<int, 3> ahead = at, behind = at;
            ahead[d] += k, behind[d] -= k;
            sum += weights[k] *
                   (f[gas.index(ahead[0], ahead[1], ahead[2])] + f[gas.index(behind[0], behind[1], behind[2])]);
        }
    }
    return sum / (h * h);
}

} // namespace detail

/// The change of a gas in time.
inline Gas changes(const Gas &gas, double h, double viscosity, double conductivity) {
    using detail::laplacian;
    using detail::slope;
    const size_t cells = gas.fields[0].size();
    std::array<std::vector<double>, 3> speed, momentum_flow[3], energy_flow;
    std::vector<double> pressure(cells), heat(cells), divergence(cells);
    for (size_t d = 0; d < 3; d++) {
        speed[d].resize(cells), energy_flow[d].resize(cells);
        for (size_t e = 0; e < 3; e++) {
            momentum_flow[d][e].resize(cells);
        }
    }
    for (size_t i = 0; i < cells; i++) {
        double squares = 0;
        for (size_t d = 0; d < 3; d++) {
            speed[d][i] = gas.fields[1 + d][i] / gas.fields[0][i];
            squares += speed[d][i] * speed[d][i];
        }
        heat[i] = gas.fields[4][i] / gas.fields[0][i] - 0.5 * squares;
        pressure[i] = 0.4 * gas.fields[0][i] * heat[i];
        for (size_t d = 0; d < 3; d++) {
            energy_flow[d][i] = (gas.fields[4][i] + pressure[i]) * speed[d][i];
            for (size_t e = 0; e < 3; e++) {
                momentum_flow[d][e][i] = gas.fields[1 + d][i] * speed[e][i];
            }
        }
    }
    const auto for_each = [&](const auto &visit) {
        for (int z = 0; z < gas.n[2]; z++) {
            for (int y = 0; y < gas.n[1]; y++) {
                for (int x = 0; x < gas.n[0]; x++) {
                    visit(std::array<int, 3>{x, y, z}, gas.index(x, y, z));
                }
            }
        }
    };
    for_each([&](std::array<int, 3> at, size_t i) {
        for (int d = 0; d < 3; d++) {
            divergence[i] += slope(gas, speed[static_cast<size_t>(d)], d, at, h);
        }
    });
    Gas change(gas.n);
    for_each([&](std::array<int, 3> at, size_t i) {
        double work = 0;
        for (size_t d = 0; d < 3; d++) {
            const int axis = static_cast<int>(d);
            const double friction = laplacian(gas, speed[d], at, h) + slope(gas, divergence, axis, at, h) / 3;
            change.fields[0][i] -= slope(gas, gas.fields[1 + d], axis, at, h);
            change.fields[1 + d][i] = viscosity * friction - slope(gas, pressure, axis, at, h);
            change.fields[4][i] -= slope(gas, energy_flow[d], axis, at, h);
            for (int e = 0; e < 3; e++) {
                change.fields[1 + d][i] -= slope(gas, momentum_flow[d][static_cast<size_t>(e)], e, at, h);
                const double across =
                    slope(gas, speed[d], e, at, h) + slope(gas, speed[static_cast<size_t>(e)], axis, at, h);
                work += 0.5 * across * across;
            }
            work += speed[d][i] * friction;
        }
        work -= 2.0 / 3 * divergence[i] * divergence[i];
        change.fields[4][i] += conductivity * laplacian(gas, heat, at, h) + viscosity * work;
    });
    return change;
}

/// One step of Shu and Osher's method of third order.
inline Gas navier_stokes(const Gas &before, double step, double h, double viscosity, double conductivity) {
    Gas now = before;
    const double keep[] = {0, 3.0 / 4, 1.0 / 3};
    for (const double kept : keep) {
        const Gas change = changes(now, h, viscosity, conductivity);
        for (size_t f = 0; f < 5; f++) {
            for (size_t i = 0; i < now.fields[f].size(); i++) {
                now.fields[f][i] =
                    kept * before.fields[f][i] + (1 - kept) * (now.fields[f][i] + step * change.fields[f][i]);
            }
        }
    }
    return now;
}

} // namespace apps::reference
