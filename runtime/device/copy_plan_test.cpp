// Plans of copies: which boxes they have, and that they copy what a loop over elements does.

#include "runtime/device/copy_plan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace copy_plan_test {

using namespace fluorite_runtime;

TEST(CopyPlan, DenseBuffersAreOneRow) {
    const CopyPlan plan = plan_copy(4, {{10, 4, 4}, {7, 40, 40}, {3, 280, 280}}, 0, 16);
    EXPECT_EQ(plan.count(), 1);
    EXPECT_EQ(plan.box.row_bytes, 840U);
    EXPECT_EQ(plan.box.rows, 1U);
    EXPECT_EQ(plan.box.planes, 1U);
    EXPECT_EQ(plan.box.to.offset, 16U);
}

TEST(CopyPlan, PaddedRowsAndPlanesAreOneBox) {
    const CopyPlan plan = plan_copy(2, {{10, 2, 2}, {7, 20, 32}, {3, 140, 320}}, 0, 0);
    EXPECT_EQ(plan.count(), 1);
    EXPECT_EQ(plan.box.row_bytes, 20U);
    EXPECT_EQ(plan.box.rows, 7U);
    EXPECT_EQ(plan.box.planes, 3U);
    EXPECT_EQ(plan.box.to.row_pitch, 32U);
    EXPECT_EQ(plan.box.to.plane_pitch, 320U);
    EXPECT_EQ(plan.box.from.plane_pitch, 140U);
}

TEST(CopyPlan, OneChannelOfInterleavedPixelsIsOneBox) {
    const CopyPlan plan = plan_copy(1, {{10, 3, 1}, {7, 30, 10}}, 1, 0);
    EXPECT_EQ(plan.count(), 1);
    EXPECT_EQ(plan.box.row_bytes, 1U);
    EXPECT_EQ(plan.box.rows, 70U); // the rows continue each other
    EXPECT_EQ(plan.box.from.row_pitch, 3U);
}

TEST(CopyPlan, PlanesThatAreNoMultipleOfRowsAreALoop) {
    const CopyPlan plan = plan_copy(1, {{4, 1, 1}, {5, 8, 8}, {3, 43, 41}}, 0, 0);
    EXPECT_EQ(plan.count(), 3);
    EXPECT_EQ(plan.box.rows, 5U);
}

TEST(CopyPlan, NothingIsCopiedOfEmptyBuffers) { EXPECT_EQ(plan_copy(4, {{10, 4, 4}, {0, 40, 40}}, 0, 0).count(), 0); }

TEST(CopyPlan, DimensionsBackwardsOnBothSidesAreOneRow) {
    const CopyPlan plan = plan_copy(4, {{10, -4, -4}}, 36, 36);
    EXPECT_EQ(plan.count(), 1);
    EXPECT_EQ(plan.box.row_bytes, 40U);
    EXPECT_EQ(plan.box.from.offset, 0U);
}

/// A random layout whose elements do not overlap: steps in a random order, with gaps, some backwards.
struct Layout {
    std::vector<int64_t> steps;
    int64_t first = 0, bytes = 0;

    Layout(std::mt19937 &random, const std::vector<int64_t> &extents, int64_t element) : steps(extents.size()) {
        std::vector<size_t> order(extents.size());
        for (size_t d = 0; d < order.size(); d++) {
            order[d] = d;
        }
        std::shuffle(order.begin(), order.end(), random);
        bytes = element;
        for (const size_t d : order) {
            int64_t step = bytes;
            step += random() % 3 == 0 ? static_cast<int64_t>(random() % 5) * element : 0;
            const bool backwards = random() % 4 == 0;
            steps[d] = backwards ? -step : step;
            first += backwards ? step * (extents[d] - 1) : 0;
            bytes = step * (extents[d] - 1) + bytes;
        }
    }
};

void copy_elements(const std::vector<int64_t> &extents, const Layout &from, const Layout &to, int64_t element,
                   const std::vector<uint8_t> &source, std::vector<uint8_t> &target) {
    std::vector<int64_t> at(extents.size(), 0);
    for (bool more = true; more;) {
        int64_t source_at = from.first, target_at = to.first;
        for (size_t d = 0; d < at.size(); d++) {
            source_at += at[d] * from.steps[d];
            target_at += at[d] * to.steps[d];
        }
        std::memcpy(target.data() + target_at, source.data() + source_at, static_cast<size_t>(element));
        more = false;
        for (size_t d = 0; d < at.size() && !more; d++) {
            more = ++at[d] < extents[d];
            at[d] = more ? at[d] : 0;
        }
    }
}

TEST(CopyPlan, RandomLayoutsAreCopiedElementByElement) {
    std::mt19937 random(1);
    for (int trial = 0; trial < 500; trial++) {
        const auto element = int64_t{1} << random() % 4;
        std::vector<int64_t> extents(random() % 6);
        for (int64_t &extent : extents) {
            extent = 1 + static_cast<int64_t>(random() % 4);
        }
        const Layout from(random, extents, element), to(random, extents, element);
        std::vector<uint8_t> source(static_cast<size_t>(from.bytes)), boxed(static_cast<size_t>(to.bytes), 7);
        for (uint8_t &byte : source) {
            byte = static_cast<uint8_t>(random());
        }
        std::vector<uint8_t> expected = boxed;
        copy_elements(extents, from, to, element, source, expected);

        std::vector<CopyDimension> dimensions;
        for (size_t d = 0; d < extents.size(); d++) {
            dimensions.push_back({extents[d], from.steps[d], to.steps[d]});
        }
        const CopyPlan plan = plan_copy(element, dimensions, from.first, to.first);
        const Status status = for_each_box(plan, [&](const Box &box) {
            EXPECT_GE(box.from.row_pitch, box.row_bytes);
            EXPECT_EQ(box.to.plane_pitch % box.to.row_pitch, 0U);
            EXPECT_GE(box.to.plane_pitch, box.rows * box.to.row_pitch);
            for (uint64_t plane = 0; plane < box.planes; plane++) {
                for (uint64_t row = 0; row < box.rows; row++) {
                    std::memcpy(&boxed.at(box.to.offset + plane * box.to.plane_pitch + row * box.to.row_pitch),
                                &source.at(box.from.offset + plane * box.from.plane_pitch + row * box.from.row_pitch),
                                box.row_bytes);
                }
            }
            return Status{};
        });
        EXPECT_FALSE(status.failed());
        ASSERT_EQ(boxed, expected) << "trial " << trial;
    }
}

} // namespace copy_plan_test
