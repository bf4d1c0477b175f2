#pragma once
// For tests: machine code of a reduction under a schedule against the interpreter.

#include "fluorite/fluorite.h"
#include "interpret/compare.h"
#include "interpret/interpret.h"
#include "language/freeze.h"

#include <gtest/gtest.h>
#include <random>

namespace fluorite {

/// Every bit random; floats between -100 and 100.
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

/// Machine code against the interpreter, which evaluates the definition as the program wrote it.
inline void expect_interpreted(Func f, const std::vector<int> &sizes, const std::string &what = "") {
    std::vector<Buffer<>> seen, wanted;
    std::vector<fluorite_buffer_t *> raw;
    for (const Type &type : f.types()) {
        seen.emplace_back(type, sizes);
        wanted.emplace_back(type, sizes);
        raw.push_back(wanted.back().raw_buffer());
    }
    const Target target = get_host_target();
    f.realize(Realization(seen), target);
    language::FreezeOptions options;
    options.contract_fma = target.has_feature(Target::FMA);
    interpret::Region region{std::vector<int32_t>(sizes.size(), 0), {}};
    region.extent.assign(sizes.begin(), sizes.end());
    interpret::evaluate(language::freeze({f}, options).graph, 0, region, raw);
    for (size_t i = 0; i < seen.size(); i++) {
        const interpret::Comparison same = interpret::compare_bits(*seen[i].raw_buffer(), *wanted[i].raw_buffer());
        EXPECT_TRUE(same) << what << ", value " << i << ": " << same.text;
    }
}

} // namespace fluorite
