// PointTable against a std::map.

#include "interpret/point_table.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace fluorite::interpret::point_table_test {
namespace {

/// Inserts random points of a range; checks that exactly those are found, with their rows.
void check_random(size_t rank, int32_t low, int32_t high, size_t count, bool hashed) {
    std::mt19937 random(static_cast<uint32_t>(rank));
    std::uniform_int_distribution<int32_t> coordinate(low, high);
    PointTable table(rank, 2);
    std::map<std::vector<int32_t>, Cell> expected;
    std::vector<int32_t> point(rank);
    const auto draw = [&] {
        for (int32_t &at : point) {
            at = coordinate(random);
        }
    };
    for (size_t i = 0; i < count; i++) {
        draw();
        Cell *row = table.find(point.data());
        ASSERT_EQ(row != nullptr, expected.count(point) != 0);
        if (row == nullptr) {
            row = table.insert(point.data());
            ASSERT_EQ(row[0], 0U);
            row[0] = i;
            row[1] = ~i;
            expected[point] = i;
        }
    }
    ASSERT_EQ(table.size(), expected.size());
    EXPECT_EQ(table.is_hashed(), hashed) << rank;
    for (const auto &[at, value] : expected) {
        const Cell *row = table.find(at.data());
        ASSERT_NE(row, nullptr);
        ASSERT_EQ(row[0], value);
        ASSERT_EQ(row[1], ~value);
    }
    for (size_t i = 0; i < count; i++) {
        draw();
        ASSERT_EQ(table.find(point.data()) != nullptr, expected.count(point) != 0);
    }
}

TEST(PointTable, DensePoints) {
    check_random(0, 0, 0, 3, false);
    check_random(1, -50, 80, 200, false);
    check_random(2, -7, 30, 2000, false);
    check_random(3, -3, 9, 2000, false);
    check_random(5, 0, 3, 2000, false);
}

TEST(PointTable, ScatteredPointsAreHashed) {
    check_random(1, INT32_MIN, INT32_MAX, 3000, true);
    check_random(2, -1000000, 1000000, 3000, true);
    check_random(4, INT32_MIN, INT32_MAX, 3000, true);
}

TEST(PointTable, TheEndsOfTheCoordinates) {
    PointTable table(1, 1);
    for (int32_t at : {INT32_MAX, INT32_MAX - 1, INT32_MAX - 20, INT32_MIN, INT32_MIN + 1}) {
        ASSERT_EQ(table.find(&at), nullptr);
        *table.insert(&at) = static_cast<Cell>(at);
    }
    for (int32_t at : {INT32_MAX, INT32_MAX - 1, INT32_MAX - 20, INT32_MIN, INT32_MIN + 1}) {
        ASSERT_NE(table.find(&at), nullptr);
        EXPECT_EQ(*table.find(&at), static_cast<Cell>(at));
    }
}

TEST(PointTable, ReservedBox) {
    PointTable table(2, 1);
    const int32_t min[] = {-2, 5}, extent[] = {300, 200};
    table.reserve(min, extent);
    const int32_t inside[] = {297, 204}, outside[] = {298, 204};
    EXPECT_EQ(table.find(inside), nullptr);
    *table.insert(inside) = 4;
    EXPECT_EQ(*table.find(inside), 4U);
    EXPECT_EQ(table.find(outside), nullptr);
}

} // namespace
} // namespace fluorite::interpret::point_table_test
