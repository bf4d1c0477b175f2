#include "ranks/compiled/description.h"

#include "support/test_errors.h"

#include <gtest/gtest.h>

namespace fluorite::distribute::description_test {
namespace {

/// Each member differs from what it is without a text, so that none can be left out.
ProgramDescription sample() {
    ProgramDescription program;
    program.name = R"(a "name" with \ and spaces)";
    program.hash = ~uint64_t{0};
    program.schedule_hash = 17;
    program.poisons = true;
    DescribedArray in{"in", Array::Role::Input, {fluorite_type_uint, 8}, 2, {}, {}, 0, true, true};
    DescribedArray out{"out", Array::Role::Output, {fluorite_type_float, 64}, 2, {}, {}, 1, false, false};
    out.placement = {Placement::Kind::Blocks, {1, 0}, {2, 3}, {1, 8}, 4};
    out.cuts = {{1, true, {1, -1}, {8, -1}}, {0, false, {1, 0}, {-3, -1}}};
    out.most_ranks = {2, 0};
    out.order = {1, 0};
    program.arrays = {in, out};
    program.arguments = {
        {"in", false, 0, {}, false}, {"gain", true, 0, {fluorite_type_int, 32}, true}, {"out", false, 1, {}, false}};
    program.fields = {{0, DescribedField::Kind::Stride, 1}, {1, DescribedField::Kind::Max, 0}};
    program.views = {{1, {{1, {-4, 2}, {9, 3}}, {0, {5, -1}, {6, -1}}}}};
    program.segments = {{"out",
                         {0},
                         {1},
                         {{DescribedOperand::Kind::Context, 0},
                          {DescribedOperand::Kind::Array, 1},
                          {DescribedOperand::Kind::Field, 0}}}};
    program.segments.push_back({"repeated", {2}, {1}, {{DescribedOperand::Kind::Ranks, 0}}, true});
    program.number_count = 1;
    program.number_operands = {{DescribedOperand::Kind::Numbers, 0}};
    DescribedIteration iteration;
    iteration.name = "heat";
    iteration.dimensions = 2;
    iteration.types = {{fluorite_type_float, 32}, {fluorite_type_uint, 8}};
    iteration.has_before = iteration.stops = true;
    iteration.steps_per_exchange = 3;
    iteration.results = {2, -1};
    iteration.control.program.name = "control";
    iteration.initial.program.name = "initial";
    iteration.initial.sources = {{DescribedSource::Kind::Output, 2}};
    iteration.body.program.segments = program.segments;
    iteration.body.sources = {{DescribedSource::Kind::Before, 1}, {DescribedSource::Kind::Step, 0}};
    program.iterations = {iteration};
    program.arguments.push_back({"heat", false, 0, {}, false, true});
    return program;
}

TEST(ProgramDescription, IsItsText) {
    EXPECT_EQ(parse_program(to_text(sample())), sample());
    EXPECT_EQ(to_text(parse_program(to_text(sample()))), to_text(sample()));
    EXPECT_EQ(parse_program(to_text({})), ProgramDescription());
    EXPECT_EQ(sample().outputs(), std::vector<size_t>{1});
    EXPECT_EQ(sample().passed_count(), 3U);
    EXPECT_EQ(sample().function_count(), 3U);
    EXPECT_EQ(sample().all_function_count(), 5U);
}

// A text that has been cut off anywhere, or goes on, is refused and not read as something else.
TEST(ProgramDescription, OtherTextsAreRefused) {
    const std::string text = to_text(sample());
    for (size_t end = 0; end < text.size(); end++) {
        EXPECT_THROW((void)parse_program(text.substr(0, end)), RuntimeError) << end;
    }
    EXPECT_THROW((void)parse_program(text + " 1"), RuntimeError);
    expect_error<RuntimeError>([] { (void)parse_program("fluorite-ranks-0 \"f\""); }, "bad-distribution",
                               "in a pipeline that was compiled for ranks: its description begins with "
                               "`fluorite-ranks-0`; object and library are of one version; compile the pipeline again "
                               "with this one");
    expect_error<RuntimeError>([] { (void)parse_program("fluorite-ranks-4 f"); }, "bad-distribution",
                               "in a pipeline that was compiled for ranks: its description cannot be read at character "
                               "17; object and library are of one version; compile the pipeline again with this one");
}

} // namespace
} // namespace fluorite::distribute::description_test
