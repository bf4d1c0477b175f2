#include "ranks/describe/description.h"

#include "support/test_errors.h"
#include "support/test_text.h"

namespace fluorite::distribute::description_test {

namespace {

std::string reported(const std::vector<std::string> &words) { return report(parse_plan_request(words), nullptr); }

ProgramReplay replay_of(const std::vector<std::string> &words) {
    const PlanRequest request = parse_plan_request(words);
    return replay_program(describe(request.description), request.rank, request.model);
}

int64_t messages(const std::vector<std::string> &words) { return replay_of(words).result.messages; }

} // namespace

TEST(Description, answers_with_plan_and_replay) {
    EXPECT_EQ(reported({"stencil", "--size", "12x10", "--ranks", "2", "--radius", "2", "--rank", "1"}),
              R"(layout [0, 12) x [0, 10) in 2 x 1 parts on 2 ranks
exchange sweep, tag 0: rank 1 of 2
  array: has [6, 12) x [0, 10), needs [4, 12) x [0, 10)
  receive  80 bytes from rank 0: array [4, 6) x [0, 10)
  send     80 bytes to rank 0: array [6, 8) x [0, 10)

memory         560 bytes, 480 for the parts of the rank alone
steps          1, 1 for each exchange
time           3.068 us, of which all ranks compute 2.0 %
messages       2, at most 1 of a rank at one point
bytes          160, at most 80 of a rank at one point
points         120
critical path  60 ns computing, 1 us overhead, 2 us latency, 7.9 ns bytes, 0 ns queueing; 1 messages
model          latency 2 us, overhead 500 ns, gap 500 ns, 0.1 ns a byte, 1 ns a point, 0 ns a packed byte
)");
}

TEST(Description, sweeps_need_not_divide_steps) {
    const std::vector<std::string> words = {"stencil", "--size", "100", "--ranks", "4", "--steps", "11"};
    std::vector<std::string> four = words;
    four.insert(four.end(), {"--sweeps", "4"});
    EXPECT_EQ(messages(words), 11 * 6);
    EXPECT_EQ(messages(four), 3 * 6);
    const ProgramReplay replay = replay_of(four);
    EXPECT_EQ(replay.steps, 11);
    EXPECT_EQ(replay.batch.steps, 4);
    // Six points are recomputed on each side of a cut in four sweeps, three in the last three.
    EXPECT_EQ(replay.result.points, 11 * 100 + 3 * 2 * (6 + 6 + 3));
    EXPECT_NEAR(replay.result.path.seconds(), replay.result.seconds, 1e-15);
}

TEST(Description, steps_are_those_for_one_exchange_unless_they_are_given) {
    const ProgramReplay four = replay_of({"stencil", "--size", "100", "--ranks", "4", "--sweeps", "4"});
    EXPECT_EQ(four.steps, 4);
    const ProgramReplay best = replay_of({"stencil", "--size", "1000x1000", "--ranks", "16", "--sweeps", "best",
                                          "--latency", "100", "--bandwidth", "100"});
    EXPECT_GT(best.batch.steps, 4) << "messages take long";
    EXPECT_EQ(best.steps, best.batch.steps);
    EXPECT_EQ(replay_of({"stencil", "--size", "1000x1000", "--ranks", "16", "--sweeps", "best", "--latency", "0",
                         "--overhead", "0", "--gap", "0", "--bandwidth", "1e9"})
                  .batch.steps,
              1)
        << "messages are free, recomputing is not";
}

TEST(Description, interiors_hide_messages) {
    std::vector<std::string> words = {"stencil", "--size", "800x800", "--ranks", "4", "--latency", "20"};
    const double apart = replay_of(words).result.seconds;
    words.emplace_back("--overlap");
    const ReplayResult result = replay_of(words).result;
    EXPECT_LT(result.seconds, apart - 19e-6);
    EXPECT_EQ(result.points, 800 * 800);
}

TEST(Description, pyramids_on_fewer_ranks_send_fewer_messages) {
    const std::vector<std::string> words = {"pyramid", "--size", "512x512", "--ranks", "64", "--levels", "7"};
    std::vector<std::string> fewer = words, one = words;
    fewer.insert(fewer.end(), {"--coarse-from", "4", "--coarse-ranks", "4"});
    one.insert(one.end(), {"--coarse-from", "4", "--coarse-ranks", "1"});
    EXPECT_GT(messages(words), messages(fewer));
    EXPECT_GT(messages(fewer), messages(one));
    const ProgramReplay replay = replay_of(fewer);
    EXPECT_EQ(replay.batch.program.segments.size(), 12u);
    EXPECT_EQ(to_string(replay.plan.layouts[4]), "[0, 32) x [0, 32) in 2 x 2 parts on 64 ranks");
}

TEST(Description, replicated_levels_are_gathered_once) {
    const ProgramReplay replay = replay_of({"pyramid", "--size", "64", "--ranks", "4", "--levels", "4", "--coarse-from",
                                            "2", "--coarse-ranks", "all", "--rank", "1"});
    ASSERT_EQ(replay.plan.exchanges.size(), 6u);
    const auto sent = [&](size_t segment) { return replay.plan.exchanges[segment].plan.sends.size(); };
    EXPECT_EQ(sent(1), 3u) << "onto all ranks";
    EXPECT_EQ(sent(2), 0u);
    EXPECT_EQ(sent(3), 0u);
    EXPECT_EQ(sent(4), 0u) << "from all ranks";
}

TEST(Description, transposes_between_all_ranks) {
    const ProgramReplay replay = replay_of({"transposition", "--size", "40x30x20", "--ranks", "5"});
    EXPECT_EQ(replay.result.messages, 5 * 4);
    EXPECT_EQ(to_string(replay.plan.layouts[1]), "[0, 20) x [0, 30) x [0, 40) in 1 x 1 x 5 parts on 5 ranks");
}

// One rank has the coarse levels: all send to it on the way down and receive from it on the way up.
TEST(Description, plans_have_what_each_rank_sends) {
    const std::vector<std::string> words = {"pyramid", "--size",        "64", "--ranks",        "4", "--levels",
                                            "3",       "--coarse-from", "1",  "--coarse-ranks", "1", "--rank"};
    for (const int64_t rank : {0, 1, 2, 3}) {
        std::vector<std::string> asked = words;
        asked.push_back(std::to_string(rank));
        const RankPlan plan = replay_of(asked).plan;
        EXPECT_EQ(plan.rank, rank);
        EXPECT_EQ(plan.exchanges[0].plan.sends.size(), rank == 0 ? 0u : 1u);
        EXPECT_EQ(plan.exchanges[0].plan.receives.size(), rank == 0 ? 3u : 0u);
        EXPECT_EQ(plan.exchanges[3].plan.sends.size(), rank == 0 ? 3u : 0u);
        EXPECT_EQ(plan.exchanges[3].plan.receives.size(), rank == 0 ? 0u : 1u);
    }
}

TEST(Description, weak_scaling_keeps_the_size_of_a_rank) {
    const std::string table = reported(
        {"stencil", "--size", "100x100", "--ranks", "6", "--scaling", "weak", "--steps", "10", "--sweeps", "best"});
    EXPECT_EQ(count(table, "\n"), 6u) << table;
    EXPECT_EQ(count(table, "     100.0 %"), 2u) << "one rank alone has no message\n" << table;
    const std::string strong = reported({"stencil", "--size", "100x100", "--ranks", "4", "--scaling", "strong"});
    EXPECT_EQ(count(strong, "\n"), 5u) << strong;
}

TEST(Description, draws_who_sends_what_to_whom) {
    std::string svg;
    report(parse_plan_request({"stencil", "--size", "30x30", "--ranks", "9", "--rank", "4"}), &svg);
    EXPECT_EQ(count(svg, "marker-end"), 8u) << "an arrow from each neighbour";
    EXPECT_EQ(count(svg, ">to "), 8u);
    EXPECT_NE(svg.find(">from 0: 4<"), std::string::npos);
    EXPECT_NE(svg.find("array: receives 176 bytes from 8 ranks"), std::string::npos);
    EXPECT_EQ(svg.rfind("<svg", 0), 0u);
    EXPECT_EQ(count(svg, "<svg"), count(svg, "</svg>"));
    report(parse_plan_request({"stencil", "--size", "30", "--ranks", "3", "--periodic", "0"}), &svg);
    EXPECT_EQ(count(svg, "marker-end"), 8u) << "a picture is not drawn over";
}

TEST(Description, refuses) {
    const auto expect = [](const std::vector<std::string> &words, const std::string &text,
                           const std::string &slug = "bad-replay", const std::vector<std::string> &applications = {}) {
        expect_error<RuntimeError>([&] { report(parse_plan_request(words, applications), nullptr); }, slug, text);
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
    expect({"stencil", "--size"}, "--size is given no value; it takes one, as in `--size 1000x1000`; add it");
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
    expect({"stencil", "--size", "10x10", "--ranks", "5", "--grid", "5"},
           "--grid has 1 dimensions, and --size has 2; a grid has a number of ranks for each dimension; use 1 where "
           "none is cut");
    expect({"stencil", "--size", "10x10", "--ranks", "5", "--grid", "2x3"},
           "in next: it is distributed over 2 x 3 ranks, and there are 5; a grid has at most as many ranks as run; "
           "leave the grid out, or start more ranks",
           "bad-distribution");
    expect({"stencil", "--size", "100", "--ranks", "100", "--steps", "1000000000"},
           "1000000000 runs of 198 messages each are replayed; at most 1000000000 messages are; use fewer ranks or "
           "steps");
}

TEST(Description, help_names_every_option_with_a_value_that_is_accepted) {
    EXPECT_EQ(plan_request_help().rfind("usage: fluorite_plan", 0), 0u);
    EXPECT_NO_THROW(
        parse_plan_request({"pyramid", "--size", "1000x1000", "--ranks", "64", "--grid", "8x8", "--periodic", "0,1",
                            "--levels", "4", "--coarse-from", "3", "--coarse-ranks", "all", "--overlap"}));
}

} // namespace fluorite::distribute::description_test
