// Buffers that share memory, checked against sets of addresses.

#include "fluorite/runtime_abi.h"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

namespace overlap_test {

namespace {

struct Shape {
    std::vector<fluorite_dimension_t> dims;
    fluorite_buffer_t buffer{};

    Shape(uint8_t *host, int bytes, std::vector<fluorite_dimension_t> shape) : dims(std::move(shape)) {
        buffer.host = host;
        buffer.type = fluorite_type_t(fluorite_type_uint, static_cast<uint8_t>(bytes * 8));
        buffer.dimensions = static_cast<int32_t>(dims.size());
        buffer.dim = dims.data();
    }

    std::set<const uint8_t *> bytes() const {
        std::set<const uint8_t *> found;
        std::vector<int> at;
        for (const fluorite_dimension_t &dim : dims) {
            at.push_back(dim.min);
        }
        while (!buffer.is_empty()) {
            for (int i = 0; i < buffer.type.bytes(); i++) {
                found.insert(buffer.address_of(at.data()) + i);
            }
            size_t d = 0;
            while (d < at.size() && ++at[d] == dims[d].min + dims[d].extent) {
                at[d] = dims[d].min;
                d++;
            }
            if (d == at.size()) {
                break;
            }
        }
        return found;
    }
};

TEST(Overlap, AgreesWithTheAddresses) {
    std::vector<uint8_t> memory(4096);
    std::mt19937 random(7);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    int shared = 0;
    for (int round = 0; round < 1000; round++) {
        std::vector<Shape> both;
        both.reserve(2);
        for (int k = 0; k < 2; k++) {
            std::vector<fluorite_dimension_t> dims;
            int stride = 1 + below(3);
            for (int d = below(4); d >= 0; d--) {
                const int extent = below(20) == 0 ? 0 : 1 + below(5);
                dims.emplace_back(below(7) - 3, extent, below(4) == 0 ? -stride : stride);
                stride = stride * (1 + below(5)) + below(2);
            }
            both.emplace_back(memory.data() + 1500 + below(200), 1 << below(3), dims);
        }
        const std::set<const uint8_t *> a = both[0].bytes(), b = both[1].bytes();
        bool expected = false;
        for (const uint8_t *byte : a) {
            expected = expected || b.contains(byte);
        }
        shared += expected ? 1 : 0;
        EXPECT_EQ(fluorite_buffers_overlap(&both[0].buffer, &both[1].buffer, 0), expected ? 1 : 0) << round;
        EXPECT_EQ(fluorite_buffers_overlap(&both[1].buffer, &both[0].buffer, 0), expected ? 1 : 0) << round;
    }
    EXPECT_GT(shared, 100);
    EXPECT_LT(shared, 900);
}

TEST(Overlap, EqualPointsMayShare) {
    std::vector<uint8_t> memory(4096);
    const Shape image(memory.data(), 1, {{0, 10, 1}, {0, 10, 10}}),
        crop(memory.data() + 22, 1, {{2, 5, 1}, {2, 5, 10}}), shifted(memory.data() + 22, 1, {{0, 5, 1}, {0, 5, 10}});
    EXPECT_EQ(fluorite_buffers_overlap(&image.buffer, &image.buffer, 0), 1);
    EXPECT_EQ(fluorite_buffers_overlap(&image.buffer, &image.buffer, 1), 0);
    EXPECT_EQ(fluorite_buffers_overlap(&image.buffer, &crop.buffer, 1), 0);
    EXPECT_EQ(fluorite_buffers_overlap(&image.buffer, &shifted.buffer, 1), 1);
}

} // namespace

} // namespace overlap_test
