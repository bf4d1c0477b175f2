#include "ir/host_target.h"

#include "support/test_errors.h"

#include <set>

namespace fluorite::ir::host_target_test {
namespace {

const Target haswell("x86-64-linux-avx2-fma-f16c"), zen4("x86-64-linux-avx512_zen4");

TEST(HostTarget, ProcessorsHaveNamesAndTargets) {
    std::set<std::string_view> names;
    for (const NamedProcessor &each : named_processors()) {
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        const Target target{std::string(each.target)};
        EXPECT_TRUE(target.supported()) << each.target;
        EXPECT_EQ(host_seen_as(std::string(each.name), target, "FLUORITE_HOST"), target);
    }
}

TEST(HostTarget, FeaturesAndGenerationAreThoseOfTheName) {
    EXPECT_EQ(host_seen_as("haswell", zen4, "FLUORITE_HOST").to_string(), "x86-64-linux-sse41-avx-avx2-fma-f16c");
    EXPECT_EQ(host_seen_as("zen3", haswell, "FLUORITE_HOST").to_string(),
              "x86-64-linux-sse41-avx-avx2-fma-f16c-tune_znver3");
    EXPECT_EQ(host_seen_as("zen4", zen4, "FLUORITE_HOST").processor_tune, Target::ZnVer4);
}

TEST(HostTarget, TheFirstMissingFeatureIsTheOneThatOthersRequire) {
    EXPECT_EQ(find_missing_feature(zen4, haswell), Target::AVX512);
    EXPECT_EQ(find_missing_feature(haswell, Target("x86-64-linux-sse41")), Target::AVX);
    EXPECT_EQ(find_missing_feature(haswell, zen4), Target::FeatureEnd);
}

TEST(HostTarget, ProcessorsThatThisMachineCannotBe) {
    expect_error([] { (void)host_seen_as("zen4", haswell, "FLUORITE_HOST"); }, "bad-host",
                 "in FLUORITE_HOST: its value is 'zen4', and this machine has no avx512; what is compiled for the "
                 "processor that it names runs here; use one of sse41, haswell, zen3, arm64, or unset it");
    expect_error([] { (void)host_seen_as("pentium", zen4, "FLUORITE_HOST"); }, "bad-host",
                 "in FLUORITE_HOST: its value is 'pentium'; it is the name of a processor, for which this machine is "
                 "taken; use one of sse41, haswell, zen3, skylake-avx512, zen4, arm64, or unset it");
}

TEST(HostTarget, AGenerationThatIsNamedIsKept) {
    const Target real = real_host_target();
    set_host_view([](const Target &) { return Target("x86-64-linux-avx2-tune_znver3"); });
    EXPECT_EQ(get_host_target().to_string(), "x86-64-linux-sse41-avx-avx2-tune_znver3"); // asked for the first time
    EXPECT_EQ(Target("host-checked").processor_tune, Target::ZnVer3);
    EXPECT_EQ(Target("host-tune_znver2").processor_tune, Target::ZnVer2);
    EXPECT_EQ(Target("tune_znver2-host").processor_tune, Target::ZnVer2);
    EXPECT_EQ(Target("host-tune_generic").processor_tune, Target::ProcessorGeneric);
    EXPECT_EQ(real_host_target(), real);
}

} // namespace
} // namespace fluorite::ir::host_target_test
