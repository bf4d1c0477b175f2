// Schedules of random groupings are distinct, legal and compute the interpreter's bits; the pipeline keeps its own.

#include "driver/sample_schedules.h"

#include "driver/test_interpreter.h"
#include "fluorite/fluorite.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace fluorite::sample_schedules_test {
namespace {

using driver::SampledSchedule;

class SampleSchedules : public testing::Test {
  protected:
    static constexpr size_t wanted = 12;
    AutoScheduleOptions options;

    void SetUp() override {
        options.sizes = {300, 200};
        options.parallelism = 2;
        options.target = Target("x86-64-linux-avx512_sapphirerapids"); // what is sampled depends on costs
    }

    /// Stencils in a chain with a branch that joins again, and a reduction that stands alone.
    static Func chain(const Buffer<float> &input) {
        const Var x("x"), y("y");
        const Func source = BoundaryConditions::repeat_edge(input);
        Func first("first"), second("second"), third("third"), most("most"), out("out");
        const auto around = [&](const Func &f) { return f(x - 1, y) + f(x + 1, y) * 0.5f + f(x, y - 1) + f(x, y + 1); };
        first(x, y) = around(source);
        second(x, y) = sqrt(abs(around(first)));
        third(x, y) = around(second) - around(first);
        const RDom r(0, 40);
        most() = 0.0f;
        most() = max(most(), first(r, 3));
        out(x, y) = around(third) + second(x, y) / (most() + 1.0f);
        return out;
    }

    static Buffer<float> picture() {
        Buffer<float> buffer({300, 200});
        uint32_t state = 1;
        buffer.for_each_value([&](float &value) {
            state = state * 1664525u + 1013904223u;
            value = static_cast<float>(state >> 12) / 1024.0f;
        });
        return buffer;
    }
};

TEST_F(SampleSchedules, AllComputeTheSameBits) {
    const Buffer<float> input = picture();
    const Func out = chain(input);
    Pipeline pipeline(out);
    const Schedule before = pipeline.schedule();
    const std::vector<SampledSchedule> samples = driver::sample_schedules(pipeline, options, wanted, 1);
    EXPECT_EQ(pipeline.schedule(), before);
    ASSERT_GE(samples.size(), 6U) << "four stages have more groupings than that";
    Buffer<float> expected(std::vector<int>{97, 61});
    interpret_into(out, {expected.raw_buffer()}, get_jit_target_from_environment().has_feature(Target::FMA));
    std::set<std::string> texts;
    for (const SampledSchedule &sample : samples) {
        EXPECT_TRUE(texts.insert(sample.schedule.text()).second) << "twice:\n" << sample.schedule.text();
        EXPECT_GT(sample.cycles, 0);
        Func again = chain(input);
        Pipeline(again).apply(sample.schedule);
        const Buffer<float> seen = again.realize({97, 61});
        EXPECT_EQ(interpret::compare_bits(*seen.raw_buffer(), *expected.raw_buffer()).text, "")
            << sample.explanation << sample.schedule.text();
    }
}

TEST_F(SampleSchedules, BeginWithTheSearchsOwnAndAllApart) {
    const Buffer<float> input = picture();
    Pipeline pipeline(chain(input));
    const std::vector<SampledSchedule> samples = driver::sample_schedules(pipeline, options, wanted, 1);
    ASSERT_GE(samples.size(), 2U);
    EXPECT_NE(samples[0].explanation.find("no grouping costs less"), std::string::npos) << samples[0].explanation;
    for (const SampledSchedule &sample : samples) {
        EXPECT_GE(sample.cycles, samples[0].cycles) << sample.explanation;
    }
    for (const char *group : {"group of first: alone", "group of second: alone", "group of third: alone"}) {
        EXPECT_NE(samples[1].explanation.find(group), std::string::npos) << samples[1].explanation;
    }
    EXPECT_EQ(samples[1].explanation.find("search:"), std::string::npos) << samples[1].explanation;
}

TEST_F(SampleSchedules, SeedsDecide) {
    const Buffer<float> input = picture();
    Pipeline pipeline(chain(input));
    const auto texts = [&](uint32_t seed) {
        std::vector<std::string> all;
        for (const SampledSchedule &sample : driver::sample_schedules(pipeline, options, 5, seed)) {
            all.push_back(sample.schedule.text());
        }
        return all;
    };
    EXPECT_EQ(texts(3), texts(3));
    EXPECT_NE(texts(3), texts(4));
}

} // namespace
} // namespace fluorite::sample_schedules_test
