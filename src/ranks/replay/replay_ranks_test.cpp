#include "ranks/replay/replay_ranks.h"

#include "support/test_errors.h"

namespace fluorite::distribute::replay_ranks_test {

namespace {

using Kind = ReplayStep::Kind;

// Powers of two, so that sums are exact.
const LogGP model{.latency = 64, .overhead = 8, .gap = 4, .seconds_per_byte = 0.5, .seconds_per_point = 2};

ReplayStep computing(double seconds) { return {Kind::Compute, 0, seconds, 1}; }

/// Two ranks send each other so many bytes, then compute.
std::vector<ReplayRank> exchange(int64_t bytes, double seconds) {
    std::vector<ReplayRank> ranks(2);
    for (int64_t rank = 0; rank < 2; rank++) {
        ReplayRank &own = ranks[static_cast<size_t>(rank)];
        own.steps = {{Kind::Send}, {Kind::Receive}, computing(seconds)};
        own.receives = {{{1 - rank, bytes}}};
    }
    add_sends(ranks);
    return ranks;
}

/// All ranks but the first send it 4 bytes.
std::vector<ReplayRank> gather(int64_t count) {
    std::vector<ReplayRank> ranks(static_cast<size_t>(count));
    for (ReplayRank &rank : ranks) {
        rank.steps = {{Kind::Send}};
        rank.receives.resize(1);
    }
    ranks[0].steps = {{Kind::Receive}};
    // In the order of peers: the nearest in both directions first.
    for (int64_t away = 1; away <= count / 2; away++) {
        ranks[0].receives[0].push_back({away, 4});
        if (away != count - away) {
            ranks[0].receives[0].push_back({count - away, 4});
        }
    }
    add_sends(ranks);
    return ranks;
}

/// One row of a table.
ReplayResult taking(double seconds) {
    ReplayResult result;
    result.seconds = seconds;
    return result;
}

} // namespace

TEST(ReplayRanks, ComputingAloneLastsAsLongAsTheSlowestRank) {
    const std::vector<ReplayRank> ranks = {{{computing(6)}, {}, {}}, {{computing(18)}, {}, {}}};
    const ReplayResult result = replay_ranks(ranks, 5, model);
    EXPECT_EQ(result.seconds, 5 * 18);
    EXPECT_EQ(result.points, 10);
    EXPECT_EQ(result.messages, 0);
    EXPECT_EQ(result.path.computing, result.seconds);
    EXPECT_EQ(result.efficiency(2), 24.0 / 36);
}

// o + (k - 1) G + L + o, then what is computed.
TEST(ReplayRanks, OneMessage) {
    const ReplayResult result = replay_ranks(exchange(8, 8), 1, model);
    EXPECT_EQ(result.seconds, 8 + 7 * 0.5 + 64 + 8 + 8);
    EXPECT_EQ(result.messages, 2);
    EXPECT_EQ(result.bytes, 16);
    EXPECT_EQ(result.path.latency, 64);
    EXPECT_EQ(result.path.overhead, 16);
    EXPECT_EQ(result.path.bytes, 3.5);
    EXPECT_EQ(result.path.seconds(), result.seconds);
    EXPECT_EQ(replay_ranks(exchange(8, 8), 10, model).seconds, 10 * result.seconds);
    LogGP packing = model;
    packing.seconds_per_packed_byte = 1;
    EXPECT_EQ(replay_ranks(exchange(8, 8), 1, packing).seconds, result.seconds + 2 * 8) << "on both sides";
}

TEST(ReplayRanks, PartsFollowEachOtherWithoutABarrier) {
    const std::vector<ReplayRank> first = {{{computing(6)}, {}, {}}, {{computing(18)}, {}, {}}},
                                  second = {{{computing(50)}, {}, {}}, {{computing(1)}, {}, {}}};
    const ReplayResult result = replay_parts({{first, 2}, {second, 1}}, model);
    EXPECT_EQ(result.seconds, 2 * 6 + 50);
    EXPECT_EQ(result.computing, 2 * 24 + 51);
    const ReplayResult exchanged = replay_parts({{exchange(8, 8), 3}, {exchange(4, 1), 1}}, model);
    EXPECT_EQ(exchanged.seconds, 3 * (8 + 3.5 + 64 + 8 + 8) + (8 + 1.5 + 64 + 8 + 1));
    EXPECT_EQ(exchanged.path.seconds(), exchanged.seconds);
    EXPECT_EQ(exchanged.messages, 8);
}

// Messages to one rank queue at its port: all are under way at once and each occupies it for (k - 1) G + g.
TEST(ReplayRanks, MessagesQueueAtTheReceiver) {
    for (const int64_t count : {2, 3, 9, 100}) {
        const ReplayResult result = replay_ranks(gather(count), 1, model);
        const auto n = static_cast<double>(count - 1);
        EXPECT_EQ(result.seconds, 8 + 64 + n * 1.5 + (n - 1) * 4 + n * 8);
        EXPECT_EQ(result.path.seconds(), result.seconds);
        EXPECT_EQ(result.most_messages, 1);
        EXPECT_EQ(result.path.queueing, (n - 1) * (1.5 + 4));
    }
}

// Messages of one rank queue at its port; here the port is slower than the processor.
TEST(ReplayRanks, MessagesQueueAtTheSender) {
    std::vector<ReplayRank> ranks(9);
    for (ReplayRank &rank : ranks) {
        rank.steps = {{Kind::Receive}};
        rank.receives = {{{0, 40}}};
    }
    ranks[0] = {{{Kind::Send}}, {}, {{}}};
    add_sends(ranks);
    const ReplayResult result = replay_ranks(ranks, 1, model);
    const double port = 39 * 0.5;
    EXPECT_EQ(result.seconds, 8 + 7 * (port + 4) + 64 + port + 8);
    EXPECT_EQ(result.most_messages, 8);
}

// What is left of a message is what the computation meanwhile does not cover.
TEST(ReplayRanks, ComputingHidesMessages) {
    for (const double interior : {0.0, 16.0, 65.5, 800.0}) {
        std::vector<ReplayRank> ranks = exchange(4, 2);
        for (ReplayRank &rank : ranks) {
            rank.steps.insert(rank.steps.begin() + 1, computing(interior));
        }
        const ReplayResult result = replay_ranks(ranks, 1, model);
        EXPECT_EQ(result.seconds, 8 + std::max(1.5 + 64, interior) + 8 + 2);
        EXPECT_EQ(result.path.seconds(), result.seconds);
    }
}

TEST(ReplayRanks, ScalingIsRelativeToTheFirstRow) {
    for (const ScalingRow &row : scaling_of([](int64_t) { return taking(3); }, {1, 2, 16}, Scaling::Weak)) {
        EXPECT_EQ(row.efficiency, 1);
    }
    const auto strong = [](int64_t ranks) { return taking(96.0 / static_cast<double>(ranks) + (ranks > 1 ? 8 : 0)); };
    const std::vector<ScalingRow> rows = scaling_of(strong, {1, 2, 4}, Scaling::Strong);
    EXPECT_EQ(rows[0].efficiency, 1);
    EXPECT_EQ(rows[1].efficiency, 96.0 / 56 / 2);
    EXPECT_EQ(rows[2].efficiency, 96.0 / 32 / 4);
}

TEST(ReplayRanks, Prints) {
    const ReplayResult result = replay_ranks(exchange(4, 8), 1, model);
    EXPECT_EQ(to_string(result, 2), R"(time           89.5 s, of which all ranks compute 8.9 %
messages       2, at most 1 of a rank at one point
bytes          8, at most 4 of a rank at one point
points         2
critical path  8 s computing, 16 s overhead, 64 s latency, 1.5 s bytes, 0 ns queueing; 1 messages
)");
    EXPECT_EQ(to_string(std::vector<ScalingRow>{{2, result, 1}}),
              "   ranks         time   efficiency  messages/rank     bytes/rank   computing\n"
              "       2       89.5 s      100.0 %            1.0              4       8.9 %\n");
    EXPECT_EQ(to_string(LogGP{}),
              "latency 2 us, overhead 500 ns, gap 500 ns, 0.1 ns a byte, 1 ns a point, 0 ns a packed byte");
}

TEST(ReplayRanks, Refuse) {
    LogGP broken = model;
    broken.gap = -1;
    expect_error<RuntimeError>([&] { replay_ranks(exchange(4, 8), 1, broken); }, "bad-replay",
                               "the network's gap is -1; a time is a finite number of seconds from 0 on; measure it");
    expect_error<RuntimeError>([&] { replay_ranks(exchange(4, 8), 500'000'001, model); }, "bad-replay",
                               "500000001 runs of 2 messages each are replayed; at most 1000000000 messages are; use "
                               "fewer ranks or steps");
}

} // namespace fluorite::distribute::replay_ranks_test
