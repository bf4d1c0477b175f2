#pragma once
// For tests: evaluates a Func with the interpreter and as machine code.

#include "fluorite/fluorite.h"
#include "interpret/compare.h"
#include "interpret/interpret.h"
#include "language/freeze.h"

#include <gtest/gtest.h>
#include <random>

namespace fluorite {

/// Integers of random bits; floats between -100 and 100.
template <typename T>
Buffer<T> random_buffer(const std::vector<int> &sizes, unsigned seed, const std::vector<int> &mins = {}) {
    Buffer<T> buffer(sizes);
    std::mt19937_64 random(seed);
    buffer.for_each_value([&](T &value) {
        if constexpr (std::is_same_v<T, bool>) {
            value = (random() & 1) != 0;
        } else if constexpr (std::is_integral_v<T>) {
            value = static_cast<T>(random());
        } else {
            value = static_cast<T>(std::uniform_real_distribution<float>(-100, 100)(random));
        }
    });
    for (size_t d = 0; d < mins.size(); d++) {
        buffer.translate(static_cast<int>(d), mins[d]);
    }
    return buffer;
}

inline interpret::Region region_of(const fluorite_buffer_t &buffer) {
    interpret::Region region;
    for (int32_t d = 0; d < buffer.dimensions; d++) {
        region.min.push_back(buffer.dim[d].min);
        region.extent.push_back(buffer.dim[d].extent);
    }
    return region;
}

/// Fills the buffers, one per value of the Func, with the interpreter's results.
inline void interpret_into(const Func &func, const std::vector<fluorite_buffer_t *> &buffers,
                           bool contract_fma = false) {
    language::FreezeOptions options;
    options.contract_fma = contract_fma;
    const schedule::ScheduledGraph frozen = language::freeze({func}, options);
    interpret::evaluate(frozen.graph, 0, region_of(*buffers[0]), buffers);
}

template <typename T>
Buffer<T> interpreted(const Func &func, const std::vector<int> &sizes, const std::vector<int> &mins = {}) {
    Buffer<T> buffer(sizes);
    for (size_t d = 0; d < mins.size(); d++) {
        buffer.translate(static_cast<int>(d), mins[d]);
    }
    interpret_into(func, {buffer.raw_buffer()});
    return buffer;
}

/// Expects machine code and interpreter to return the same bits.
template <typename T> void expect_same(const Func &func, const std::vector<int> &sizes, const std::string &what = "") {
    const Buffer<T> seen = Func(func).realize(sizes), expected = interpreted<T>(func, sizes);
    EXPECT_EQ(interpret::compare_bits(*seen.raw_buffer(), *expected.raw_buffer()).text, "") << what;
}

} // namespace fluorite
