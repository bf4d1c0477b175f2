#pragma once
// Gradients against central differences, both by the interpreter.

#include "driver/test_interpreter.h"
#include "fluorite/derivative.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace fluorite {

/// Numbers between low and high, at least `gap` from 0.
template <typename T>
Buffer<T> numbers(const std::vector<int> &sizes, unsigned seed, double low = -2, double high = 2, double gap = 0.05) {
    Buffer<T> buffer(sizes);
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> in_range(low, high);
    buffer.for_each_value([&](T &value) {
        double number = in_range(random);
        while (std::abs(number) < gap) {
            number = in_range(random);
        }
        value = static_cast<T>(number);
    });
    return buffer;
}

template <typename T> std::vector<double> values_of(const Buffer<T> &buffer) {
    std::vector<double> values;
    buffer.for_each_value([&](const T &value) { values.push_back(static_cast<double>(value)); });
    return values;
}

/// The region of an output, and the step and the error that are allowed, relative to the greatest derivative and 1.
struct GradientCase {
    std::vector<int> sizes, mins = {};
    double step = 1e-5, tolerance = 1e-6;
    DerivativeOptions options = {};
    bool compiled = false; // instead of interpreted, for C functions of the test
};

template <typename T> Buffer<T> at_region(const GradientCase &what, Buffer<T> buffer) {
    for (size_t d = 0; d < what.mins.size(); d++) {
        buffer.translate(static_cast<int>(d), what.mins[d]);
    }
    return buffer;
}

template <typename T>
std::vector<double> evaluated(const GradientCase &what, Func func, const std::vector<int> &sizes,
                              const std::vector<int> &mins) {
    if (!what.compiled) {
        return values_of(interpreted<T>(func, sizes, mins));
    }
    Buffer<T> buffer(sizes);
    for (size_t d = 0; d < mins.size(); d++) {
        buffer.translate(static_cast<int>(d), mins[d]);
    }
    func.realize(buffer);
    return values_of(buffer);
}

/// Expects the adjoint of each element of each input, which `output` reads, to be the central difference of the sum of
/// weight * output.
template <typename T>
void expect_gradients(const Func &output, const std::vector<Buffer<T>> &inputs, const GradientCase &what) {
    const Buffer<T> weights = at_region(what, numbers<T>(what.sizes, 77));
    const std::vector<double> weight = values_of(weights);
    const auto objective = [&] {
        const std::vector<double> seen = evaluated<T>(what, output, what.sizes, what.mins);
        double sum = 0;
        for (size_t i = 0; i < seen.size(); i++) {
            sum += weight[i] * seen[i];
        }
        return sum;
    };
    const Derivative d = propagate_adjoints(output, weights, what.options);
    for (size_t k = 0; k < inputs.size(); k++) {
        const Func adjoint = d(inputs[k]);
        ASSERT_TRUE(adjoint.defined()) << "input " << k;
        std::vector<int> sizes, mins;
        for (int i = 0; i < inputs[k].dimensions(); i++) {
            sizes.push_back(inputs[k].dim(i).extent());
            mins.push_back(inputs[k].dim(i).min());
        }
        const std::vector<double> seen = evaluated<T>(what, adjoint, sizes, mins);
        std::vector<double> wanted;
        double greatest = 1;
        Buffer<T> input = inputs[k];
        input.for_each_value([&](T &value) {
            const T kept = value;
            value = static_cast<T>(static_cast<double>(kept) + what.step);
            const double above = objective(), high = static_cast<double>(value);
            value = static_cast<T>(static_cast<double>(kept) - what.step);
            const double below = objective(), low = static_cast<double>(value);
            value = kept;
            wanted.push_back((above - below) / (high - low));
            greatest = std::max(greatest, std::abs(wanted.back()));
        });
        for (size_t i = 0; i < seen.size(); i++) {
            EXPECT_NEAR(seen[i], wanted[i], what.tolerance * greatest) << "input " << k << ", element " << i;
        }
    }
}

/// The number of updates of a Func, and whether one of them sums over an RDom.
inline bool has_sums(const Func &func) {
    for (int i = 0; i < func.num_update_definitions(); i++) {
        if (!func.rvars(i).empty()) {
            return true;
        }
    }
    return false;
}

} // namespace fluorite
