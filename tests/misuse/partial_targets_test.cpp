// Targets that say something and no architecture, and questions that such targets have no answer to.
#include "fluorite/auto_schedule.h"
#include "fluorite/certify.h"
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace fluorite::partial_targets_test {
namespace {

class PartialTargets : public testing::Test {
  protected:
    Var x{"x"};
    Func f{"f"};

    void SetUp() override { f(x) = x; }
    static void expect_refused(const std::function<void()> &run, const std::string &text,
                               const char *slug = "bad-target") {
        expect_error<CompileError>(run, slug, text, {"tests/misuse/partial_targets_test.cpp"});
    }
};

TEST_F(PartialTargets, VectorsOfNoArchitecture) {
    const std::string text =
        "in a Target: the size of its vectors is asked for, and it has no architecture; an undefined "
        "Target has no registers; use get_host_target(), or name an architecture";
    expect_refused([] { (void)Target().natural_vector_size(4); }, text);
    expect_refused([] { (void)Target().natural_vector_size(Float(32)); }, text);
    expect_refused([] { (void)Target().natural_vector_size<float>(); }, text);
    expect_refused([] { (void)Target().natural_vector_bytes(); }, text);
    const Target host("x86-64-linux-avx2");
    EXPECT_EQ(host.natural_vector_size<float>(), 8);
    EXPECT_EQ(host.natural_vector_size(4), 8);
    EXPECT_EQ(Target("arm-64-linux").natural_vector_size(Float(32)), 4);
    for (const int bytes : {0, -1}) {
        expect_refused([&] { (void)host.natural_vector_size(bytes); },
                       "in a Target: a vector of elements of " + std::to_string(bytes) +
                           " bytes is asked for; elements have 1 byte or more; give a type that values have",
                       "bad-type");
    }
    expect_refused(
        [&] { (void)host.natural_vector_size(Type()); },
        "in a Target: a vector of elements of 0 bytes is asked for; elements have 1 byte or more; give a type "
        "that values have",
        "bad-type");
}

TEST_F(PartialTargets, FeaturesWithoutAnArchitecture) {
    Target features;
    features.set_feature(Target::NoSliding);
    Target system;
    system.os = Target::Linux;
    for (const auto &[target, name] :
         {std::pair(features, "arch_unknown-os_unknown-no_sliding"), std::pair(system, "arch_unknown-linux")}) {
        const std::string text =
            std::string("target ") + name +
            ": it has no architecture; only Target(), which says nothing, stands for the target of "
            "the environment; begin with get_host_target() and add features to it, or name an "
            "architecture";
        const Target &partial = target;
        expect_refused([&] { (void)f.realize({4}, partial); }, text);
        expect_refused([&] { f.compile_jit(partial); }, text);
        expect_refused([&] { (void)f.compile_to_callable({}, partial); }, text);
        expect_refused([&] { (void)Pipeline(f).compile_report(partial); }, text);
        expect_refused([&] { (void)compile_certified(f, {}, partial); }, text);
        expect_refused([&] { (void)validate_schedule(f, {}, partial); }, text);
        AutoScheduleOptions options;
        options.sizes = {64};
        options.target = partial;
        expect_refused([&] { (void)Pipeline(f).auto_schedule(options); }, text);
    }
    EXPECT_EQ((Buffer<int>(f.realize({4}, Target()))(3)), 3);
    EXPECT_EQ((Buffer<int>(f.realize({4}, Target().with_feature(Target::JIT)))(3)), 3);
    EXPECT_EQ((Buffer<int>(f.realize({4}, get_host_target().with_feature(Target::NoSliding)))(3)), 3);
}

TEST_F(PartialTargets, SchedulesForCodeThatCannotBeMade) {
    f.set_estimate(x, 0, 64);
    for (const char *name : {"arm-32-linux", "x86-32-linux", "x86-64-linux-vulkan"}) {
        expect_refused([&] { Pipeline(f).apply_autoscheduler(Target(name), AutoschedulerParams("Fluorite")); },
                       "in auto_schedule: target " + std::string(name) +
                           " has no code generator here; a schedule is found for code that can be made; use a target "
                           "for which Target::supported() holds");
    }
    Pipeline(f).apply_autoscheduler(Target("x86-64-linux-avx2"), AutoschedulerParams("Fluorite"));
    EXPECT_EQ((Buffer<int>(f.realize({4}))(3)), 3);
}

TEST_F(PartialTargets, NumbersThatAreNoFeatures) {
    expect_error<CompileError>([] { (void)Target::feature_to_name(Target::FeatureEnd); }, "no-such-value",
                               "in a Target: its feature " + std::to_string(static_cast<int>(Target::FeatureEnd)) +
                                   " is named, which is none; use one of Target::Feature's names");
    EXPECT_FALSE(get_host_target().has_feature(Target::FeatureEnd));
}

} // namespace
} // namespace fluorite::partial_targets_test
