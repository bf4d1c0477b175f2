// Questions about targets, and their texts.

#include "fluorite/errors.h"
#include "fluorite/schedule_types.h"
#include "fluorite/target.h"

#include <gtest/gtest.h>

#include <sstream>

namespace target_test {

using namespace fluorite;

template <typename T> std::string printed(const T &value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

TEST(Targets, EachFeatureHasANameThatParses) {
    for (int i = 0; i < Target::FeatureEnd; i++) {
        const auto feature = static_cast<Target::Feature>(i);
        const std::string name = Target::feature_to_name(feature);
        EXPECT_EQ(Target::feature_from_name(name), feature) << name;
        const Target target("x86-64-linux-" + name);
        EXPECT_TRUE(target.has_feature(feature)) << name;
        EXPECT_EQ(Target(target.to_string()), target) << name;
    }
    EXPECT_EQ(Target::HVX_128, Target::HVX);
}

TEST(Targets, ProcessorsAndWidthsHaveTexts) {
    const Target target(Target::Linux, Target::X86, 64, Target::BdVer2, {Target::AVX});
    EXPECT_EQ(printed(target), "x86-64-linux-sse41-avx-tune_bdver2");
    EXPECT_EQ(Target(target.to_string()), target);
    const Target wide(Target::Linux, Target::ARM, 64, Target::ProcessorGeneric, {Target::SVE2}, 256);
    EXPECT_EQ(printed(wide), "arm-64-linux-sve2-vector_bits_256");
    EXPECT_EQ(Target(wide.to_string()).vector_bits, 256);
    EXPECT_NE(wide, Target("arm-64-linux-sve2"));
    EXPECT_FALSE(Target::validate_target_string("arm-64-linux-sve2-vector_bits_wide"));
    EXPECT_FALSE(Target::validate_target_string("arm-64-linux-sve2-vector_bits_"));
}

TEST(Targets, LowerBoundsOfCapabilities) {
    EXPECT_EQ(Target("x86-64-linux").get_cuda_capability_lower_bound(), -1);
    EXPECT_EQ(Target("x86-64-linux-cuda").get_cuda_capability_lower_bound(), 75);
    EXPECT_EQ(Target("x86-64-linux-cuda-cuda_capability_35").get_cuda_capability_lower_bound(), 35);
    EXPECT_EQ(Target("x86-64-linux-cuda-cuda_capability_80-cuda_capability_61").get_cuda_capability_lower_bound(), 61);
    EXPECT_EQ(Target("x86-64-linux-vulkan").get_vulkan_capability_lower_bound(), -1);
    EXPECT_EQ(Target("x86-64-linux-vulkan-vk_v12").get_vulkan_capability_lower_bound(), 12);
    EXPECT_EQ(Target("arm-64-linux").get_arm_v8_lower_bound(), -1);
    EXPECT_EQ(Target("arm-64-linux-armv82a-armv84a").get_arm_v8_lower_bound(), 82);
}

TEST(Targets, SizesOfBuffers) {
    EXPECT_EQ(Target("x86-64-linux").maximum_buffer_size(), INT64_MAX);
    EXPECT_EQ(Target("x86-32-linux").maximum_buffer_size(), INT32_MAX);
    EXPECT_FALSE(Target("x86-64-linux").has_large_buffers());
    EXPECT_TRUE(Target("x86-64-linux-large_buffers").has_large_buffers());
    EXPECT_TRUE(Target("x86-64-linux-fma").get_features_bitset()[Target::FMA]);
}

TEST(Targets, CodeThatCallsFunctionsOfTwoTargets) {
    Target common;
    const Target avx2("x86-64-linux-avx2-fma-cuda"), avx512("x86-64-linux-avx512_skylake-opencl");
    ASSERT_TRUE(avx2.get_runtime_compatible_target(avx512, common));
    EXPECT_EQ(printed(common), "x86-64-linux-sse41-avx-avx2-fma-cuda-opencl");
    const Target before = common;
    EXPECT_FALSE(avx2.get_runtime_compatible_target(Target("arm-64-linux"), common));
    EXPECT_FALSE(avx2.get_runtime_compatible_target(Target("x86-64-linux-user_context"), common));
    EXPECT_EQ(common, before);
}

TEST(ScheduleTypes, PrintTheirNames) {
    EXPECT_EQ(printed(TailStrategy::ShiftInwardsAndBlend), "ShiftInwardsAndBlend");
    EXPECT_EQ(printed(TailStrategy::Auto), "Auto");
    EXPECT_EQ(printed(MemoryType::GPUShared), "GPUShared");
    EXPECT_EQ(printed(MemoryType::AMXTile), "Heap");
    EXPECT_EQ(printed(LoopAlignStrategy::NoAlign), "NoAlign");
    EXPECT_EQ(printed(Partition::Always), "Always");
    EXPECT_EQ(printed(PrefetchBoundStrategy::NonFaulting), "NonFaulting");
    EXPECT_EQ(printed(DeviceAPI::WebGPU), "WebGPU");
    EXPECT_EQ(printed(static_cast<TailStrategy>(77)), "TailStrategy(77)");
}

} // namespace target_test
