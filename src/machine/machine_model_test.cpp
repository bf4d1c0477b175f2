#include "machine/machine_model.h"

#include <gtest/gtest.h>

#include <set>

namespace fluorite::machine::machine_model_test {
namespace {

MachineModel model_of(const std::string &features) { return machine_model(Target("x86-64-linux-" + features)); }

TEST(MachineModel, FeaturesSayWhatThereIs) {
    EXPECT_EQ(model_of("sse41").vector_bits, 128);
    EXPECT_EQ(model_of("sse41").least_masked_bits, 0);
    EXPECT_EQ(model_of("avx2").vector_bits, 256);
    EXPECT_EQ(model_of("avx2").least_masked_bits, 32);
    EXPECT_EQ(model_of("avx").short_vector_bits, 128);
    EXPECT_EQ(model_of("avx512").short_vector_bits, 256);
    EXPECT_EQ(model_of("avx512_skylake").least_masked_bits, 8);
    EXPECT_EQ(model_of("avx512_skylake").least_permuted_bits, 16);
    EXPECT_EQ(model_of("avx512_cannonlake").least_permuted_bits, 8);
    EXPECT_FALSE(model_of("avx512_cannonlake").has_byte_products);
    EXPECT_TRUE(model_of("avx512_zen4").has_byte_products);
    EXPECT_EQ(machine_model(Target(Target::Linux, Target::ARM, 64)).name, "generic");
}

TEST(MachineModel, TheProcessorSaysWhatItCosts) {
    EXPECT_EQ(model_of("sse41").name, "generic");
    EXPECT_EQ(model_of("avx2").gathers, Gathers::Never);
    EXPECT_EQ(model_of("avx512_skylake").gathers, Gathers::Always);
    EXPECT_EQ(model_of("avx512_zen4").gathers, Gathers::OfTables);
    EXPECT_EQ(model_of("avx512_sapphirerapids").gathers, Gathers::Always);
}

TEST(MachineModel, TuningIsApartFromFeatures) {
    const MachineModel zen = model_of("avx512_skylake-tune_znver4"), intel = model_of("avx512_skylake");
    EXPECT_EQ(zen.gathers, Gathers::OfTables);
    EXPECT_EQ(zen.name, "znver4");
    EXPECT_EQ(zen.least_permuted_bits, intel.least_permuted_bits);
    EXPECT_EQ(model_of("avx2-tune_znver4").name, "znver3");
    EXPECT_EQ(model_of("avx2-tune_znver2").name, "znver3");
    EXPECT_EQ(model_of("avx2").name, "haswell");
    EXPECT_EQ(model_of("sse41-tune_znver2").name, "generic");
}

TEST(MachineModel, MovesOfLanesCostMoreInTwoHalves) {
    EXPECT_EQ(model_of("sse41").moved_word_cost, 3);
    EXPECT_EQ(model_of("sse41").moved_narrow_cost, 3);
    EXPECT_EQ(model_of("avx2").moved_word_cost, 3);
    EXPECT_EQ(model_of("avx2").moved_narrow_cost, 6);
    EXPECT_EQ(model_of("avx512_skylake").moved_word_cost, 2);
}

TEST(MachineModel, RowsHaveNamesOfTheirOwn) {
    std::set<std::string_view> names;
    for (const MachineModel &model : processor_rows()) {
        EXPECT_TRUE(names.insert(model.name).second) << model.name;
    }
    EXPECT_FALSE(names.contains(""));
}

} // namespace
} // namespace fluorite::machine::machine_model_test
