// The CUDA driver: copies on a device if there is one, and what is said if there is none.

#include "runtime/device/test_buffer.h"

#include <gtest/gtest.h>

namespace cuda_test {

using namespace fluorite_runtime;

TEST(Cuda, CopiesOrSaysWhatIsMissing) {
    const int printed = fluorite_print_errors(0);
    const fluorite_device_interface_t *on = fluorite_cuda_device_interface();
    if (fluorite_device_sync_global(nullptr, on) != 0) {
        const std::string text = take_error();
        EXPECT_EQ(text.find("in CUDA: "), 0U) << text;
        EXPECT_TRUE(text.ends_with("[no-device-driver]") || text.ends_with("[no-device]") ||
                    text.ends_with("[device-too-old]"))
            << text;
        TestBuffer buffer({{0, 4, 1}});
        EXPECT_EQ(fluorite_device_malloc(nullptr, &buffer.raw, on), -29);
        EXPECT_EQ(buffer.raw.device, 0U);
        fluorite_clear_error();
        fluorite_print_errors(printed);
        GTEST_SKIP() << "this machine has no device for CUDA: " << text;
    }
    for (const auto &shape : std::vector<std::vector<fluorite_dimension_t>>{
             {{0, 10, 1}}, {{2, 5, 1}, {3, 4, 8}, {-1, 3, 40}}, {{0, 6, 3}, {0, 4, 18}}, {{0, 5, -1}, {0, 4, -6}}}) {
        TestBuffer buffer(shape), target(shape);
        buffer.fill();
        EXPECT_EQ(fluorite_copy_to_device(nullptr, &buffer.raw, on), 0) << take_error();
        EXPECT_EQ(fluorite_buffer_copy(nullptr, &buffer.raw, on, &target.raw), 0) << take_error();
        EXPECT_EQ(fluorite_copy_to_host(nullptr, &target.raw), 0) << take_error();
        EXPECT_EQ(target.wrong_elements(), 0);
        EXPECT_EQ(target.wrong_gaps(), 0);
        EXPECT_EQ(fluorite_device_free(nullptr, &buffer.raw), 0);
        EXPECT_EQ(fluorite_device_free(nullptr, &target.raw), 0);
    }
    fluorite_device_release(nullptr, on);
    fluorite_print_errors(printed);
}

} // namespace cuda_test
