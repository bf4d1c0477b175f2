#pragma once
// What all tests of applications share: a compiled output beside the plain reference and beside the interpreter.

#include "apps/common/buffers.h"
#include "apps/common/image.h"
#include "apps/common/schedule.h"
#include "driver/test_interpreter.h"

#include <cmath>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace apps {

/// Odd sizes, some smaller than any vector. Hand schedules get those that their vectors fit into.
inline std::vector<std::pair<int, int>> sizes_for(Schedule schedule, int least = 1) {
    std::vector<std::pair<int, int>> sizes = {{67, 41}, {37, 83}};
    if (schedule == Schedule::Default) {
        sizes.insert(sizes.end(), {{1, 1}, {3, 2}, {13, 9}});
    }
    std::erase_if(sizes, [&](const auto &size) { return size.first < least || size.second < least; });
    return sizes;
}

inline const char *name_of(Schedule schedule) { return schedule == Schedule::Hand ? "hand" : "default"; }

inline double difference(double a, double b) { return std::isnan(a) && std::isnan(b) ? 0 : std::fabs(a - b); }

/// Every value of the output is within `tolerance` of the reference; 0 asks for the same.
template <typename T>
void expect_near(const Halide::Buffer<T> &output, const Image<T> &expected, double tolerance, Schedule schedule) {
    ASSERT_EQ(output.number_of_elements(), expected.values.size());
    for (size_t i = 0; i < expected.values.size(); i++) {
        const double is = static_cast<double>(output.data()[i]), should = static_cast<double>(expected.values[i]);
        ASSERT_LE(difference(is, should), tolerance * std::fmax(1, std::fabs(should)))
            << name_of(schedule) << " schedule, " << expected.width << " x " << expected.height << ", value " << i
            << ": " << is << " instead of " << should;
    }
}

/// The interpreter gives the same bits.
template <typename T>
void expect_interpreted(const Halide::Func &func, const Halide::Buffer<T> &output, Schedule schedule) {
    Halide::Buffer<T> expected = Halide::Buffer<T>::make_with_shape_of(output);
    fluorite::interpret_into(func, {expected.raw_buffer()},
                             fluorite::get_jit_target_from_environment().has_feature(fluorite::Target::FMA));
    for (size_t i = 0; i < expected.number_of_elements(); i++) {
        ASSERT_EQ(std::memcmp(&output.data()[i], &expected.data()[i], sizeof(T)), 0)
            << name_of(schedule) << " schedule, value " << i << ": " << static_cast<double>(output.data()[i])
            << ", interpreted " << static_cast<double>(expected.data()[i]);
    }
}

} // namespace apps
