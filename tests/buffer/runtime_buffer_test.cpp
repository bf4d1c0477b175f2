// Runtime::Buffer: copies have headers of their own, and filters take it as argument.

#include "fluorite/runtime_buffer.h"

#include <gtest/gtest.h>

namespace {

using fluorite::Runtime::Buffer;

int filter(fluorite_buffer_t *input, fluorite_buffer_t *output) {
    return input->dim[0].extent * 10 + output->dim[0].extent;
}

TEST(RuntimeBuffer, CopiesShareMemoryOnly) {
    Buffer<int, 2> a(4, 3);
    a.fill(1);
    Buffer<int, 2> b = a;
    b.crop(0, 1, 2);
    b.set_min(5);
    EXPECT_EQ(a.width(), 4);
    EXPECT_EQ(a.min(0), 0);
    b(5, 0) = 9;
    EXPECT_EQ(a(1, 0), 9);
    Buffer<int> c;
    c = a;
    c.translate(0, 1);
    EXPECT_EQ(a.min(0), 0);
    const Buffer<const void> d = a;
    EXPECT_FALSE(d.same_as(a));
    EXPECT_EQ(d.begin(), reinterpret_cast<const uint8_t *>(a.begin()));
}

TEST(RuntimeBuffer, ViewsAreTakenByFilters) {
    Buffer<float, 3, 3> image(6, 4, 3);
    EXPECT_EQ(filter(image, image.cropped(0, 1, 2)), 62);
    EXPECT_EQ(filter(image.transposed(0, 2), image.sliced(0)), 34);
    EXPECT_EQ(filter(image.embedded(0), image.copy()), 16);
    EXPECT_EQ(filter(image.translated({1, 2}), (Buffer<float>::make_interleaved(5, 4, 3))), 65);
    auto scalar = Buffer<float>::make_scalar();
    scalar() = 2;
    EXPECT_EQ(scalar.dimensions(), 0);
    fluorite::Buffer<float> plain = image;
    EXPECT_EQ(plain.width(), 6);
    EXPECT_EQ(Buffer<float>(plain).as<const void>().type(), (fluorite_type_t{fluorite_type_float, 32, 1}));
}

} // namespace
