#include "distribute/describe/description.h"

#include "support/test_errors.h"
#include "support/test_text.h"

namespace fluorite::distribute::description_test {

namespace {

std::string answered(const std::vector<std::string> &words) { return answer(parse_question(words), nullptr); }

Program program_of(const std::vector<std::string> &words) {
    const Question question = parse_question(words);
    return describe(question.description, question.model);
}

int64_t messages(const Program &program) { return replay(program, {}).messages; }

} // namespace

TEST(Description, answers_with_plan_and_replay) {
    EXPECT_EQ(answered({"stencil", "--size", "12x10", "--ranks", "2", "--radius", "2", "--rank", "1"}),
              R"(layout [0, 12) x [0, 10) in 2 x 1 parts on 2 ranks
exchange sweeps, tag 0: rank 1 of 2
  array: has [6, 12) x [0, 10), needs [4, 14) x [-2, 12)
  local    240 bytes: array [6, 12) x [0, 10)
  receive   80 bytes from rank 0: array [4, 6) x [0, 10)
  send      80 bytes to rank 0: array [6, 8) x [0, 10)

1 rounds of 1 phases
time           3.068 us, of which all ranks compute 2.0 %
messages       2, at most 1 of a rank at one point
bytes          160, at most 80 of a rank at one point
points         120
critical path  60 ns computing, 1 us overhead, 2 us latency, 7.9 ns bytes, 0 ns queueing; 1 messages
model          latency 2 us, overhead 500 ns, gap 500 ns, 0.1 ns a byte, 1 ns a point, 0 ns a packed byte
)");
}

TEST(Description, sweeps_need_not_divide_steps) {
    const Program program = program_of({"stencil", "--size", "100", "--ranks", "4", "--steps", "11", "--sweeps", "4"});
    EXPECT_EQ(program.rounds, 2);
    ASSERT_EQ(program.epilogue.size(), 1u);
    EXPECT_EQ(program.epilogue[0].computations.size(), 3u);
    EXPECT_EQ(messages(program), 3 * 6);
}

TEST(Description, pyramids_on_fewer_ranks_send_fewer_messages) {
    const std::vector<std::string> words = {"pyramid", "--size", "512x512", "--ranks", "64", "--levels", "7"};
    std::vector<std::string> fewer = words, one = words;
    fewer.insert(fewer.end(), {"--coarse-from", "4", "--coarse-ranks", "4"});
    one.insert(one.end(), {"--coarse-from", "4", "--coarse-ranks", "1"});
    const int64_t all = messages(program_of(words)), four = messages(program_of(fewer)),
                  single = messages(program_of(one));
    EXPECT_GT(all, four);
    EXPECT_GT(four, single);
    const Program program = program_of(fewer);
    EXPECT_EQ(program.phases.size(), 12u);
    EXPECT_EQ(to_string(program.phases[3].computations[0].layout), "[0, 32) x [0, 32) in 2 x 2 parts on 64 ranks");
}

TEST(Description, replicated_levels_are_gathered_once) {
    const Program program = program_of(
        {"pyramid", "--size", "64", "--ranks", "4", "--levels", "4", "--coarse-from", "2", "--coarse-ranks", "all"});
    ASSERT_EQ(program.phases.size(), 6u);
    const auto sent = [&](size_t phase) { return plan_exchange(program.phases[phase].exchange, 1).sends.size(); };
    EXPECT_EQ(sent(1), 3u) << "onto all ranks";
    EXPECT_EQ(sent(2), 0u);
    EXPECT_EQ(sent(3), 0u);
    EXPECT_EQ(sent(4), 0u) << "from all ranks";
}

TEST(Description, transposes_between_all_ranks) {
    const Program program = program_of({"transposition", "--size", "40x30x20", "--ranks", "5"});
    EXPECT_EQ(messages(program), 5 * 4);
    EXPECT_EQ(to_string(program.phases[0].computations[0].layout),
              "[0, 20) x [0, 30) x [0, 40) in 1 x 1 x 5 parts on 5 ranks");
}

TEST(Description, weak_scaling_keeps_the_size_of_a_rank) {
    const std::string table = answered(
        {"stencil", "--size", "100x100", "--ranks", "6", "--scaling", "weak", "--steps", "10", "--sweeps", "best"});
    EXPECT_EQ(count(table, "\n"), 6u) << table;
    EXPECT_EQ(count(table, "     100.0 %"), 2u) << "one rank alone has no message\n" << table;
    const std::string strong = answered({"stencil", "--size", "100x100", "--ranks", "4", "--scaling", "strong"});
    EXPECT_EQ(count(strong, "\n"), 5u) << strong;
}

TEST(Description, draws_who_sends_what_to_whom) {
    std::string svg;
    answer(parse_question({"stencil", "--size", "30x30", "--ranks", "9", "--rank", "4"}), &svg);
    EXPECT_EQ(count(svg, "marker-end"), 8u) << "an arrow from each neighbour";
    EXPECT_EQ(count(svg, ">to "), 8u);
    EXPECT_NE(svg.find(">from 0: 4<"), std::string::npos);
    EXPECT_NE(svg.find("array: receives 176 bytes from 8 ranks"), std::string::npos);
    EXPECT_EQ(svg.rfind("<svg", 0), 0u);
    EXPECT_EQ(count(svg, "<svg"), count(svg, "</svg>"));
    answer(parse_question({"stencil", "--size", "30", "--ranks", "3", "--periodic", "0"}), &svg);
    EXPECT_EQ(count(svg, "marker-end"), 8u) << "a picture is not drawn over";
}

TEST(Description, refuses) {
    const auto expect = [](const std::vector<std::string> &words, const std::string &text,
                           const std::string &slug = "bad-replay", const std::vector<std::string> &applications = {}) {
        expect_error<RuntimeError>([&] { answer(parse_question(words, applications), nullptr); }, slug, text);
    };
    expect({}, "no program is named; programs are stencil, pyramid and transposition; begin with one of them");
    expect({"blur"}, "'blur' is not known; programs are stencil, pyramid and transposition; begin with one of them");
    expect({"stencil"}, "no size is given; plans are of arrays whose size is known; add --size, for example --size "
                        "1000x1000");
    expect(
        {"blur,sobel", "--size", "5"},
        "'sobel' is not known; programs are stencil, pyramid and transposition, blur, wavelet; begin with one of them",
        "bad-replay", {"blur", "wavelet"});
    expect({"blur,wavelet", "--size", "5"},
           "several applications and no table; plans are printed of one at a time; name one, or add --scaling",
           "bad-replay", {"blur", "wavelet"});
    expect({"stencil", "--size", "5", "--ranks", "4", "--scaling", "weak", "--from", "8"},
           "the table begins at 8 ranks, and ends at 4; it goes up; give --from at most that number");
    expect({"stencil", "--sise", "5"}, "'--sise' is not known; --help lists the options; use one of them");
    expect({"stencil", "--size"}, "--size has no value; it is followed by one, for example 1000x1000; add it");
    expect({"stencil", "--size", "5y5"}, "--size is '5y5'; it is a whole number from 1 to 2147483647; give one");
    expect({"stencil", "--size", "5", "--cost", "-1"},
           "--cost is '-1'; it is a finite number from 0 on; give one such as 2.5");
    expect({"stencil", "--size", "5", "--bandwidth", "0"},
           "--bandwidth is 0; without bandwidth no message arrives; give one above 0");
    expect({"stencil", "--size", "5", "--scaling", "up"},
           "--scaling is 'up'; scaling is 'weak' or 'strong'; give one of them");
    expect({"stencil", "--size", "5", "--scaling", "weak", "--grid", "1"},
           "--scaling with --grid; each number of ranks has its own grid; leave --grid out");
    expect({"stencil", "--size", "5", "--periodic", "1"}, "dimension 1 is periodic, but there are 1; count from 0");
    expect({"stencil", "--size", "5", "--ranks", "2", "--rank", "2"},
           "the plan of rank 2 of 2 is asked for; ranks are numbered from 0; use one of them");
    expect({"transposition", "--size", "5"},
           "a transposition of one dimension; two dimensions change places; give a size such as 1000x1000");
    expect(
        {"stencil", "--size", "10x10", "--ranks", "5", "--grid", "2x3"},
        "in the layout of the array: a grid of 2 x 3 on 5 ranks; a grid has at least one rank in each dimension and no "
        "more ranks than there are; use another grid or more ranks",
        "bad-distribution");
}

TEST(Description, help_names_every_option_with_a_value_that_is_accepted) {
    EXPECT_EQ(question_help().rfind("usage: fluorite_plan", 0), 0u);
    EXPECT_NO_THROW(
        parse_question({"pyramid", "--size", "1000x1000", "--ranks", "64", "--grid", "8x8", "--periodic", "0,1",
                        "--levels", "4", "--coarse-from", "3", "--coarse-ranks", "all", "--overlap"}));
}

} // namespace fluorite::distribute::description_test
