#pragma once
// What all tests of applications share: the compiled output is compared with the reference and with the interpreter.

#include "apps/common/buffers.h"
#include "apps/common/image.h"
#include "apps/common/schedule.h"
#include "driver/test_interpreter.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string_view>
#include <utility>
#include <vector>

namespace apps {

/// Odd sizes, some smaller than any vector. Hand schedules are tested with the sizes that their vectors fit into.
inline std::vector<std::pair<int, int>> sizes_for(Schedule schedule, int least = 1) {
    std::vector<std::pair<int, int>> sizes = {{67, 41}, {37, 83}};
    if (schedule == Schedule::Default) {
        sizes.insert(sizes.end(), {{1, 1}, {3, 2}, {13, 9}});
    }
    std::erase_if(sizes, [&](const auto &size) { return size.first < least || size.second < least; });
    return sizes;
}

/// The default schedule and others. A run for a target with fewer features (FLUORITE_JIT_TARGET) omits the default
/// schedule, as its code has no vectors that could differ.
inline std::vector<Schedule> default_and(std::vector<Schedule> schedules) {
    const char *target = std::getenv("FLUORITE_JIT_TARGET");
    if (!target || !*target || std::string_view(target).starts_with("host")) {
        schedules.insert(schedules.begin(), Schedule::Default);
    }
    return schedules;
}

inline const char *name_of(Schedule schedule) {
    switch (schedule) {
    case Schedule::Default:
        return "default";
    case Schedule::Hand:
        return "hand";
    case Schedule::HandPeer:
        return "the peer's hand";
    case Schedule::Gpu:
        break;
    }
    return "GPU";
}

inline double difference(double a, double b) { return std::isnan(a) && std::isnan(b) ? 0 : std::fabs(a - b); }

/// The values in the order of an Image. The rows of an output may have gaps, as some schedules round extents up.
template <typename T> std::vector<T> values_of(const Halide::Buffer<T> &buffer) {
    std::vector<T> values(buffer.number_of_elements());
    std::vector<int> extents;
    for (int d = 0; d < buffer.dimensions(); d++) {
        extents.push_back(buffer.extent(d));
    }
    Halide::Buffer<T>(values.data(), extents).copy_from(buffer);
    return values;
}

/// Checks that every value of the output is within `tolerance` of the reference; for floats beyond 1, the tolerance is
/// relative.
template <typename T>
void expect_near(const Halide::Buffer<T> &output, const Image<T> &expected, double tolerance, Schedule schedule) {
    const std::vector<T> values = values_of(output);
    ASSERT_EQ(values.size(), expected.values.size());
    for (size_t i = 0; i < values.size(); i++) {
        const double is = static_cast<double>(values[i]), should = static_cast<double>(expected.values[i]);
        ASSERT_LE(difference(is, should), tolerance * (std::is_integral_v<T> ? 1 : std::fmax(1, std::fabs(should))))
            << name_of(schedule) << " schedule, " << expected.width << " x " << expected.height << ", value " << i
            << ": " << is << " instead of " << should;
    }
}

/// Checks that the interpreter gives the same bits.
template <typename T>
void expect_interpreted(const Halide::Func &func, const Halide::Buffer<T> &output, Schedule schedule) {
    Halide::Buffer<T> expected = Halide::Buffer<T>::make_with_shape_of(output);
    fluorite::interpret_into(func, {expected.raw_buffer()},
                             fluorite::get_jit_target_from_environment().has_feature(fluorite::Target::FMA));
    const std::vector<T> is = values_of(output), should = values_of(expected);
    for (size_t i = 0; i < is.size(); i++) {
        ASSERT_EQ(std::memcmp(&is[i], &should[i], sizeof(T)), 0)
            << name_of(schedule) << " schedule, value " << i << ": " << static_cast<double>(is[i]) << ", interpreted "
            << static_cast<double>(should[i]);
    }
}

} // namespace apps
