#include "distribute/replay/replay.h"

#include "support/test_errors.h"

namespace fluorite::distribute::replay_test {

namespace {

// Powers of two, so that sums are exact.
const LogGP model{.latency = 64, .overhead = 8, .gap = 4, .seconds_per_byte = 0.5, .seconds_per_point = 2};

Phase stencil_phase(const Layout &layout, int64_t radius) {
    return deep_halo_phase("sweep", layout, std::vector<int64_t>(layout.dimensions(), radius), 1, 4, 1);
}

Program program_of(std::vector<Phase> phases, int64_t ranks, int64_t rounds = 1) {
    return {"test", ranks, std::move(phases), rounds, {}};
}

/// One rank needs all of an array of `parts` ranks, each with one element of 4 bytes.
Phase gather(int64_t parts) {
    const Layout have = Layout::blocks({{0, parts}}, parts);
    const Layout one = agglomerated(have, 1);
    return {"gather", {"gather", 0, {{"a", have, one, {AxisNeed::all({0, parts})}, 4}}}, {{one, {}, 1}}, false};
}

} // namespace

TEST(Replay, computing_alone) {
    const Layout layout = Layout::blocks({{0, 10}}, 4);
    const ReplayResult result = replay(program_of({{"c", {}, {{layout, {}, 3}}, false}}, 4, 5), model);
    EXPECT_EQ(result.seconds, 3 * 3 * 2 * 5) << "the largest slice has three points";
    EXPECT_EQ(result.points, 50);
    EXPECT_EQ(result.messages, 0);
    EXPECT_EQ(result.path.computing, result.seconds);
}

// Two ranks exchange one element of 8 bytes each: o + (k - 1) G + L + o, then the sweep.
TEST(Replay, one_message) {
    const Layout layout = Layout::blocks({{0, 8}}, 2);
    Phase phase = deep_halo_phase("sweep", layout, {1}, 1, 8, 1);
    const ReplayResult result = replay(program_of({phase}, 2), model);
    const double message = 8 + 7 * 0.5 + 64 + 8;
    EXPECT_EQ(result.seconds, message + 4 * 2);
    EXPECT_EQ(result.messages, 2);
    EXPECT_EQ(result.bytes, 16);
    EXPECT_EQ(result.path.latency, 64);
    EXPECT_EQ(result.path.overhead, 16);
    EXPECT_EQ(result.path.bytes, 3.5);
    EXPECT_EQ(result.path.seconds(), result.seconds);
    EXPECT_EQ(replay(program_of({phase}, 2, 10), model).seconds, 10 * result.seconds);
}

TEST(Replay, epilogues_run_once) {
    const Layout layout = Layout::blocks({{0, 10}}, 2);
    Program program = program_of({{"c", {}, {{layout, {}, 1}}, false}}, 2, 3);
    program.epilogue = {stencil_phase(layout, 1)};
    const ReplayResult result = replay(program, model);
    EXPECT_EQ(result.seconds, 3 * 5 * 2 + 8 + 1.5 + 64 + 8 + 5 * 2);
    EXPECT_EQ(result.points, 40);
    EXPECT_EQ(result.messages, 2);
}

TEST(Replay, packing_costs_both_sides) {
    LogGP packing = model;
    packing.seconds_per_packed_byte = 1;
    const Program program = program_of({deep_halo_phase("sweep", Layout::blocks({{0, 8}}, 2), {1}, 1, 8, 1)}, 2);
    EXPECT_EQ(replay(program, packing).seconds, replay(program, model).seconds + 2 * 8);
}

// Messages to one rank queue at its port: all are under way at once and each occupies it for (k - 1) G + g.
TEST(Replay, messages_queue_at_the_receiver) {
    for (int64_t parts : {2, 3, 9, 100}) {
        const ReplayResult result = replay(program_of({gather(parts)}, parts), model);
        const auto n = static_cast<double>(parts - 1);
        EXPECT_EQ(result.seconds, 8 + 64 + n * 1.5 + (n - 1) * 4 + n * 8 + 2 * static_cast<double>(parts));
        EXPECT_EQ(result.path.seconds(), result.seconds);
        EXPECT_EQ(result.most_messages, 1);
        EXPECT_EQ(result.path.queueing, (n - 1) * (1.5 + 4));
    }
}

// Messages of one rank queue at its port; here the port is slower than the processor.
TEST(Replay, messages_queue_at_the_sender) {
    const Layout fine = Layout::blocks({{0, 90}}, 9), one = agglomerated(fine, 1);
    const Phase scatter{"scatter", {"scatter", 0, {{"a", one, fine, {AxisNeed::same(0)}, 4}}}, {}, false};
    const ReplayResult result = replay(program_of({scatter}, 9), model);
    const double port = 39 * 0.5;
    EXPECT_EQ(result.seconds, 8 + 7 * (port + 4) + 64 + port + 8);
    EXPECT_EQ(result.most_messages, 8);
}

// With the interior computed meanwhile, what is left of a message is what the interior does not cover.
TEST(Replay, interiors_hide_messages) {
    for (int64_t extent : {8, 40, 160, 800}) {
        const Layout layout = Layout::blocks({{0, extent}}, 2);
        Phase phase = stencil_phase(layout, 1);
        const double apart = replay(program_of({phase}, 2), model).seconds;
        phase.overlaps = true;
        EXPECT_EQ(interior_points(phase, 0), extent / 2 - 1);
        const ReplayResult result = replay(program_of({phase}, 2), model);
        const double message = 1.5 + 64, interior = static_cast<double>(extent / 2 - 1) * 2;
        EXPECT_EQ(result.seconds, 8 + std::max(message, interior) + 8 + 2);
        EXPECT_LT(result.seconds, apart);
        EXPECT_EQ(result.path.seconds(), result.seconds);
    }
}

TEST(Replay, interiors_need_nothing_of_others) {
    Layout layout = Layout::blocks({{0, 30}, {0, 30}}, 9);
    const Phase phase = stencil_phase(layout, 2);
    EXPECT_EQ(interior_points(phase, 4), 6 * 6);
    EXPECT_EQ(interior_points(phase, 0), 8 * 8) << "nothing is needed beyond the edges of the domain";
    for (Axis &axis : layout.axes) {
        axis.periodic = true;
    }
    EXPECT_EQ(interior_points(stencil_phase(layout, 2), 0), 6 * 6);
    layout = Layout::blocks({{0, 30}, {0, 30}}, 3, {1, 3});
    layout.axes[0].periodic = true;
    EXPECT_EQ(interior_points(stencil_phase(layout, 2), 1), 30 * 6) << "a dimension on one rank wraps around there";
}

// k sweeps for each exchange: k times fewer messages, each k times as long, and recomputed points.
TEST(Replay, deep_halos) {
    const Layout layout = Layout::blocks({{0, 64}}, 4);
    for (int64_t sweeps : {1, 2, 4, 8}) {
        const Phase phase = deep_halo_phase("sweep", layout, {1}, sweeps, 1, 1);
        // Three cuts, each with (k - 1) + ... + 0 points on both sides.
        EXPECT_EQ(redundant_points(phase), 3 * sweeps * (sweeps - 1));
        const ReplayResult result = replay(program_of({phase}, 4, 8 / sweeps), model);
        EXPECT_EQ(result.messages, 6 * 8 / sweeps);
        EXPECT_EQ(result.bytes, 6 * 8);
        EXPECT_EQ(result.points, 64 * 8 + 8 / sweeps * 3 * sweeps * (sweeps - 1));
    }
}

TEST(Replay, chooses_deeper_halos_for_slower_networks) {
    const Layout layout = Layout::blocks({{0, 1000}, {0, 1000}}, 16);
    LogGP network{.latency = 0, .overhead = 0, .gap = 0, .seconds_per_byte = 0, .seconds_per_point = 1e-9};
    EXPECT_EQ(choose_sweeps(layout, {1, 1}, 4, 1, network, 64), 1) << "messages are free, recomputing is not";
    // A sweep costs L / k, and on average (k - 1) / 2 times 4 x 250 points more: k is near sqrt(1e-4 / 5e-7).
    network.latency = 1e-4;
    EXPECT_EQ(choose_sweeps(layout, {1, 1}, 4, 1, network, 64), 14);
    network.latency = 1;
    EXPECT_EQ(choose_sweeps(layout, {1, 1}, 4, 1, network, 64), 64);
    EXPECT_EQ(choose_sweeps(layout, {50, 50}, 4, 1, network, 64), 5) << "halos come from neighbours";
}

TEST(Replay, scaling_is_relative_to_the_first_row) {
    const auto weak = [](int64_t ranks) {
        return program_of({{"c", {}, {{Layout::blocks({{0, 100 * ranks}}, ranks), {}, 1}}, false}}, ranks);
    };
    for (const ScalingRow &row : scaling(weak, {1, 2, 16}, model, Scaling::Weak)) {
        EXPECT_EQ(row.efficiency, 1);
    }
    const auto strong = [](int64_t ranks) {
        return program_of({stencil_phase(Layout::blocks({{0, 96}}, ranks), 1)}, ranks);
    };
    const auto rows = scaling(strong, {1, 2, 4}, model, Scaling::Strong);
    EXPECT_EQ(rows[0].efficiency, 1);
    EXPECT_EQ(rows[1].efficiency, 192.0 / (96 + 81.5) / 2);
    EXPECT_LT(rows[2].efficiency, rows[1].efficiency);
}

TEST(Replay, prints) {
    const ReplayResult result = replay(program_of({stencil_phase(Layout::blocks({{0, 8}}, 2), 1)}, 2), model);
    EXPECT_EQ(to_string(result, 2), R"(time           89.5 s, of which all ranks compute 8.9 %
messages       2, at most 1 of a rank at one point
bytes          8, at most 4 of a rank at one point
points         8
critical path  8 s computing, 16 s overhead, 64 s latency, 1.5 s bytes, 0 ns queueing; 1 messages
)");
    EXPECT_EQ(to_string(std::vector<ScalingRow>{{2, result, 1}}),
              "   ranks         time   efficiency  messages/rank     bytes/rank   computing\n"
              "       2       89.5 s      100.0 %            1.0              4       8.9 %\n");
    EXPECT_EQ(to_string(LogGP{}),
              "latency 2 us, overhead 500 ns, gap 500 ns, 0.1 ns a byte, 1 ns a point, 0 ns a packed byte");
}

TEST(Replay, refuses) {
    const auto expect = [](const Program &program, const LogGP &network, const std::string &text) {
        expect_error<RuntimeError>([&] { replay(program, network); }, "bad-replay", text);
    };
    const Layout layout = Layout::blocks({{0, 8}}, 2);
    LogGP broken = model;
    broken.gap = -1;
    expect(program_of({}, 2), broken,
           "the network's gap is -1; a time is a finite number of seconds from 0 on; measure it");
    expect(program_of({}, 2, 0), model, "in the program test: 0 rounds; a program runs at least once; use 1 or more");
    expect(program_of({stencil_phase(layout, 1)}, 3), model,
           "in the program test: phase sweep exchanges among 2 of 3 ranks; all ranks take part in a phase; give its "
           "layouts as many ranks");
    expect(program_of({{"c", {}, {{layout, {}, 1}}, false}}, 3), model,
           "in the program test: phase c computes on 2 of 3 ranks; all ranks take part in a phase; give its layouts as "
           "many ranks");
    expect(
        program_of({{"c", {}, {{layout, {1, 1}, -1}}, false}}, 2), model,
        "in the program test: phase c grows 2 dimensions of 1 at a cost of -1 a point; only dimensions that there are "
        "can grow, and no cost is below 0; change them");
    expect(
        program_of({stencil_phase(layout, 1)}, 2, 100'000'000), model,
        "in the program test: more than 50000000 messages; the replay holds each in memory; use fewer ranks or rounds");
    expect_error<RuntimeError>([&] { deep_halo_phase("f", layout, {1}, 0, 4, 1); }, "bad-replay",
                               "in f: 0 sweeps for each exchange; an exchange serves at least one; use 1 or more");
}

} // namespace fluorite::distribute::replay_test
