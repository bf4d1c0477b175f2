// Emulated networks: times that can be computed by hand, equal contents, and agreement of threads' clocks.
#include "ranks/transport/emulated_transport.h"

#include "ranks/plan/test_sweeps.h"
#include "ranks/run/run_rank.h"
#include "ranks/transport/thread_transport.h"
#include "support/test_errors.h"

#include <chrono>
#include <cmath>
#include <mutex>

namespace fluorite::distribute::emulated_transport_test {

namespace {

LogGP network() {
    LogGP model;
    model.latency = 200e-6, model.overhead = 1e-6, model.gap = 2e-6, model.seconds_per_byte = 8e-9;
    return model;
}

TEST(EmulatedTransport, MessagesTakeWhatTheModelSays) {
    const LogGP model = network();
    ThreadRanks(3).run([&](Transport &below) {
        EmulatedTransport transport(below, model, EmulatedClock::Counted);
        std::vector<char> data(1001, 'x'), first(1001), second(501);
        if (transport.rank() == 0) { // both go through one port, one after the other
            transport.spend(1);
            transport.start(7, {{1, data.data(), 1001}, {2, data.data(), 501}}, {});
            transport.finish(7);
            EXPECT_DOUBLE_EQ(transport.now(), 1 + 2e-6);
            EXPECT_EQ(transport.messages(), 2);
            EXPECT_EQ(transport.bytes(), 1502);
        } else if (transport.rank() == 1) {
            transport.start(7, {{2, data.data(), 501}}, {{0, first.data(), 1001}});
            transport.finish(7);
            EXPECT_DOUBLE_EQ(transport.now(), 1 + 1e-6 + 200e-6 + 8e-6 + 1e-6);
            EXPECT_DOUBLE_EQ(transport.waited(), 1 + 208e-6);
            EXPECT_EQ(first, data);
        } else {
            transport.start(7, {}, {{0, first.data(), 501}, {1, second.data(), 501}});
            transport.finish(7);
            // Rank 1's came long before; that of rank 0 left after the first one and the gap.
            EXPECT_NEAR(transport.now(), 1 + 1e-6 + 8e-6 + 2e-6 + 200e-6 + 4e-6 + 2e-6, 1e-12);
            EXPECT_EQ(std::string(second.data(), 501), std::string(501, 'x'));
        }
    });
}

TEST(EmulatedTransport, MessagesToOnePortComeOneAfterTheOther) {
    LogGP model = network();
    model.overhead = 0;
    ThreadRanks(5).run([&](Transport &below) {
        EmulatedTransport transport(below, model, EmulatedClock::Counted);
        std::vector<char> data(4 * 126, 'x');
        std::vector<Incoming> receives;
        for (int64_t peer = 1; peer < 5; peer++) {
            receives.push_back({peer, data.data() + (peer - 1) * 126, 126});
        }
        if (transport.rank() == 0) {
            transport.start(0, {}, receives);
            transport.finish(0);
            EXPECT_NEAR(transport.now(), 200e-6 + 4 * 1e-6 + 3 * 2e-6, 1e-12);
        } else {
            transport.start(0, {{0, data.data(), 126}}, {});
            transport.finish(0);
            EXPECT_EQ(transport.now(), 0);
        }
        // A collective operation is as late as the last rank.
        EXPECT_EQ(transport.gather(uint64_t(transport.rank() + 3))[4], 7U);
        EXPECT_NEAR(transport.now(), 210e-6 + 3 * 200e-6, 1e-12);
        const std::vector<Request> requests = transport.exchange_requests({{(transport.rank() + 1) % 5, {1, 2, 3}}});
        ASSERT_EQ(requests.size(), 1U);
        EXPECT_EQ(requests[0].peer, (transport.rank() + 4) % 5);
        EXPECT_NEAR(transport.now(), 210e-6 + 6 * 200e-6 + 16e-9, 1e-12);
    });
}

TEST(EmulatedTransport, RealClocksWait) {
    const LogGP model = network();
    ThreadRanks(2).run([&](Transport &below) {
        EmulatedTransport transport(below, model, EmulatedClock::Real);
        const auto begin = std::chrono::steady_clock::now();
        std::vector<char> sent(20000, 'x'), received(20000);
        constexpr int rounds = 5;
        for (int i = 0; i < rounds; i++) {
            transport.start(0, {{1 - transport.rank(), sent.data(), 20000}},
                            {{1 - transport.rank(), received.data(), 20000}});
            transport.finish(0);
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        // A rank that begins late may find the message of the first round already there.
        EXPECT_GE(took.count(), (rounds - 1) * (200e-6 + 19999 * 8e-9));
        EXPECT_GE(transport.waited(), (rounds - 1) * 200e-6);
        EXPECT_EQ(sent, received);
    });
}

TEST(EmulatedTransport, ProgramsHaveTheSameBits) {
    const Box domain = box_of({12, 20});
    const DistributedProgram program = sweeps(domain, std::vector<Placement>(4, blocks({0, 1})));
    const std::vector<int32_t> expected = plain_sweeps(domain, 3, 1);
    for (const EmulatedClock clock : {EmulatedClock::Real, EmulatedClock::Processor, EmulatedClock::Counted}) {
        std::vector<int32_t> values(expected.size(), -1);
        std::mutex mutex;
        ThreadRanks(4).run([&](Transport &below) {
            EmulatedTransport transport(below, network(), clock);
            RankRun run(program, plan_rank(program, {domain, {}, {}, domain}, transport));
            OwnedArray input(run.plan().owned.front(), 4), output(run.plan().owned.back(), 4);
            for_each_point(run.plan().owned.front(),
                           [&](const std::vector<int64_t> &at) { set(input.view(), at, input_at(at)); });
            const double before = transport.now();
            run.run({input.view(), {}, {}, output.view()}, transport);
            EXPECT_GE(transport.now() - before, 3 * 200e-6); // three exchanges
            const std::lock_guard lock(mutex);
            for_each_point(output.view().box, [&](const std::vector<int64_t> &at) {
                values[static_cast<size_t>((at[1] - domain[1].begin) * domain[0].extent() + at[0])] =
                    get(output.view(), at);
            });
        });
        EXPECT_EQ(values, expected);
    }
}

TEST(EmulatedTransport, RefusesModelsWithoutMeaning) {
    LogGP model = network();
    model.gap = -1;
    NoTransport alone;
    expect_error<RuntimeError>([&] { EmulatedTransport(alone, model, EmulatedClock::Counted); }, "bad-replay",
                               "the network's gap is -1; a time is a finite number of seconds from 0 on; measure it");
}

} // namespace
} // namespace fluorite::distribute::emulated_transport_test
