#include "ranks/compiled/image_parts.h"

#include <gtest/gtest.h>

#include <optional>

namespace fluorite::distribute::image_parts_test {
namespace {

ImagePart part_of(int64_t extent) { return {{{0, extent}}, {}, {{0, extent}}}; }

TEST(ImageHeader, SaysWhichImageABufferIsTheMemoryOf) {
    fluorite_buffer_t header{};
    header.flags = fluorite_buffer_flag_host_dirty;
    EXPECT_EQ(ImageHeader::find(&header), nullptr);
    EXPECT_EQ(ImageHeader::find(nullptr), nullptr);
    {
        const ImageHeader image(&header, part_of(7));
        ASSERT_NE(ImageHeader::find(&header), nullptr);
        EXPECT_EQ(ImageHeader::find(&header)->domain, Box({{0, 7}}));
        EXPECT_TRUE(header.host_dirty());
        const fluorite_buffer_t copy = header;
        EXPECT_EQ(ImageHeader::find(&copy), nullptr) << "a copy is a buffer of its own";
    }
    EXPECT_EQ(ImageHeader::find(&header), nullptr);
    EXPECT_EQ(header.flags, uint64_t{fluorite_buffer_flag_host_dirty});
    EXPECT_EQ(header.padding, nullptr);
}

// Two images that change places have each other's memory before the first one has given its own up.
TEST(ImageHeader, TheLaterOneOfAHeaderCounts) {
    fluorite_buffer_t header{};
    auto first = std::make_optional<ImageHeader>(&header, part_of(1));
    const ImageHeader second(&header, part_of(2));
    EXPECT_EQ(ImageHeader::find(&header)->domain, Box({{0, 2}}));
    first.reset();
    ASSERT_NE(ImageHeader::find(&header), nullptr);
    EXPECT_EQ(ImageHeader::find(&header)->domain, Box({{0, 2}}));
}

// Callers do not write the padding.
TEST(ImageHeader, PaddingAloneSaysNothing) {
    fluorite_buffer_t header{};
    header.padding = &header;
    EXPECT_EQ(ImageHeader::find(&header), nullptr);
}

} // namespace
} // namespace fluorite::distribute::image_parts_test
