#pragma once
#include "apps/common/image.h"

#include <cmath>
#include <complex>

namespace apps::reference {

/// By the definition, in double precision; channel 1 of the input is ignored for a real picture.
inline Image<float> fft(const Image<float> &input, bool real, int rows) {
    const int n = input.width;
    using Value = std::complex<double>;
    std::vector<Value> roots, down(static_cast<size_t>(n) * static_cast<size_t>(n));
    for (int k = 0; k < n; k++) {
        roots.push_back(std::polar(1.0, -2 * 3.14159265358979323846 * k / n));
    }
    const auto root = [&](int product) { return roots[static_cast<size_t>(product % n)]; };
    for (int k = 0; k < n; k++) {
        for (int x = 0; x < n; x++) {
            Value sum = 0;
            for (int y = 0; y < n; y++) {
                sum += root(k * y) * Value(input(x, y, 0), real ? 0 : input(x, y, 1));
            }
            down[static_cast<size_t>(k * n + x)] = sum;
        }
    }
    Image<float> output(n, rows, 2);
    for (int l = 0; l < rows; l++) {
        for (int k = 0; k < n; k++) {
            Value sum = 0;
            for (int x = 0; x < n; x++) {
                sum += root(k * x) * down[static_cast<size_t>(l * n + x)];
            }
            output(k, l, 0) = static_cast<float>(sum.real());
            output(k, l, 1) = static_cast<float>(sum.imag());
        }
    }
    return output;
}

} // namespace apps::reference
