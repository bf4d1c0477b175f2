// Memory of the fields of an iteration: crops of inputs, copies of states, memory that is not there.

#include "runtime/iterate_fields.h"

#include "fluorite/runtime_abi.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace fluorite_runtime::iterate::iterate_fields_test {

namespace {

constexpr fluorite_type_t i16 = {fluorite_type_int, 16, 1};

fluorite_dimension_t dimension(int32_t min, int32_t extent, int32_t stride) {
    fluorite_dimension_t dim{};
    dim.min = min, dim.extent = extent, dim.stride = stride;
    return dim;
}

Header header(std::vector<int16_t> &memory, const Dims &dims) {
    Header result;
    result.buffer.host = reinterpret_cast<uint8_t *>(memory.data());
    result.buffer.type = i16;
    result.dims = dims;
    return result;
}

TEST(IterateFields, CropsInputsToTheDomain) {
    std::vector<int16_t> memory(7 * 10);
    std::iota(memory.begin(), memory.end(), int16_t{0});
    Header input = header(memory, {dimension(-2, 6, 1), dimension(3, 7, 10)}), part;
    part.buffer.type = i16;
    ASSERT_TRUE(crop(*input.get(), {dimension(1, 3, 1), dimension(5, 5, 3)}, part)) << "it ends where the input ends";
    EXPECT_EQ(*reinterpret_cast<int16_t *>(part.buffer.host), 3 + 2 * 10);
    EXPECT_EQ(part.dims[0].min, 1);
    EXPECT_EQ(part.dims[1].extent, 5);
    EXPECT_EQ(part.dims[1].stride, 10) << "that of the input";
}

TEST(IterateFields, RefusesInputsThatDoNotCoverTheDomain) {
    std::vector<int16_t> memory(70);
    const Dims whole = {dimension(-2, 6, 1), dimension(3, 7, 10)};
    Header input = header(memory, whole), part;
    for (const Dims &domain :
         {Dims{dimension(-3, 2, 1), dimension(3, 7, 2)}, Dims{dimension(-2, 7, 1), whole[1]},
          Dims{whole[0], dimension(2, 3, 6)}, Dims{whole[0], dimension(9, 2, 6)}, Dims{whole[0]}}) {
        EXPECT_FALSE(crop(*input.get(), domain, part)) << domain.size();
    }
    ASSERT_TRUE(crop(*input.get(), whole, part));
    Header interleaved = header(memory, {dimension(-2, 6, 2), dimension(3, 7, 10)});
    EXPECT_FALSE(crop(*interleaved.get(), whole, part)) << "its rows are not dense";
    input.buffer.host = nullptr;
    EXPECT_FALSE(crop(*input.get(), whole, part)) << "it has no memory";
}

TEST(IterateFields, CopiesWhateverTheStrides) {
    std::vector<int16_t> from(200), to;
    std::iota(from.begin(), from.end(), int16_t{1});
    const std::vector<std::pair<Dims, Dims>> cases = {
        {{}, {}},
        {{dimension(0, 5, 1)}, {dimension(0, 5, 3)}},
        {{dimension(0, 5, 1), dimension(0, 4, 9)}, {dimension(0, 5, 1), dimension(0, 4, 5)}},
        {{dimension(0, 5, 2), dimension(0, 3, 50), dimension(0, 4, 11)},
         {dimension(0, 5, 1), dimension(0, 3, 5), dimension(0, 4, 15)}}};
    for (const auto &[source, target] : cases) {
        to.assign(200, -1);
        copy_elements(*header(from, source).get(), *header(to, target).get());
        size_t copied = 0;
        const auto extent = [&](size_t d) { return d < source.size() ? source[d].extent : 1; };
        const auto offset = [](const Dims &dims, const std::vector<int32_t> &at) {
            int32_t sum = 0;
            for (size_t d = 0; d < dims.size(); d++) {
                sum += dims[d].stride * at[d];
            }
            return static_cast<size_t>(sum);
        };
        for (int32_t z = 0; z < extent(2); z++) {
            for (int32_t y = 0; y < extent(1); y++) {
                for (int32_t x = 0; x < extent(0); x++, copied++) {
                    EXPECT_EQ(to[offset(target, {x, y, z})], from[offset(source, {x, y, z})]);
                }
            }
        }
        EXPECT_EQ(static_cast<size_t>(std::count(to.begin(), to.end(), -1)), to.size() - copied)
            << "nothing else is written";
    }
}

TEST(IterateFields, AllocatesEachFieldByItsType) {
    Iteration iteration;
    iteration.fields = 2;
    iteration.types = {i16.as_u32(), fluorite_type_t{fluorite_type_float, 64, 1}.as_u32()};
    const Dims domain = {dimension(-1, 3, 1), dimension(0, 5, 3)};
    EXPECT_EQ(bytes_of(iteration, domain), (2 + 8) * 15);
    std::vector<Header> fields = headers_of(iteration, domain, nullptr);
    std::vector<Block> blocks;
    ASSERT_EQ(allocate(nullptr, "f", fields, blocks), 0);
    ASSERT_EQ(blocks.size(), 2U);
    EXPECT_EQ(fields[1].buffer.type.bits, 64);
    EXPECT_EQ(fields[1].buffer.host, blocks[1].host());
    EXPECT_NE(fields[0].buffer.host, fields[1].buffer.host);
    EXPECT_EQ(fields[0].get()->dimensions, 2);
}

} // namespace

} // namespace fluorite_runtime::iterate::iterate_fields_test
