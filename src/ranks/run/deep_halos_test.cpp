// Several runs of a program for each exchange: equal bits for every number, for all that programs consist of.
#include "ranks/plan/test_sweeps.h"
#include "ranks/run/time_loop.h"
#include "ranks/transport/thread_transport.h"
#include "support/test_errors.h"

#include <filesystem>
#include <mutex>

namespace fluorite::distribute::deep_halos_test {

namespace {

/// Adds arrays point by point, each times its number from 1 on.
Segment combine(const std::string &name, std::vector<size_t> reads, size_t to) {
    const size_t count = reads.size();
    Segment segment{name, std::move(reads), {to}, {}, {}};
    segment.boxes = [count](const std::vector<Box> &writes) {
        return SegmentBoxes{std::vector<Box>(count, writes[0]), writes};
    };
    segment.compute = [](const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes) {
        for_each_point(writes[0].box, [&](const std::vector<int64_t> &at) {
            uint32_t sum = 0;
            for (size_t i = 0; i < reads.size(); i++) {
                sum += static_cast<uint32_t>(get(reads[i], at)) * static_cast<uint32_t>(i + 1);
            }
            set(writes[0], at, static_cast<int32_t>(sum % 1000003));
        });
    };
    return segment;
}

/// A wave: u and its value before, v, with a coefficient that all runs read, an inner array that ranks exchange, and an
/// output that is no field. Array 6 is u, 7 is v after a run.
DistributedProgram wave(const Box &domain, const Placement &placement, const Placement &inner) {
    const size_t dimensions = domain.size();
    DistributedProgram program;
    program.name = "wave";
    program.hash = 12;
    const auto add = [&](const std::string &name, Array::Role role, const Placement &where) {
        program.arrays.push_back(array(name, role, dimensions, where));
    };
    add("u", Array::Role::Input, placement), add("v", Array::Role::Input, placement);
    add("coefficient", Array::Role::Input, placement);
    add("laplacian", Array::Role::Inner, inner), add("sum", Array::Role::Inner, as_needed);
    add("energy", Array::Role::Output, placement);
    add("next u", Array::Role::Output, placement), add("next v", Array::Role::Output, placement);
    program.segments = {stencil("laplacian", 0, 3, domain, 1), combine("sum", {3, 2}, 4),
                        stencil("smooth", 4, 6, domain, 1), combine("v", {0, 1}, 7), combine("energy", {6, 7, 0}, 5)};
    return program;
}
const std::vector<Field> wave_fields = {{0, 6}, {1, 7}};

int32_t start_of(size_t array, const std::vector<int64_t> &at) {
    return input_at(at) % 1009 + 17 * static_cast<int32_t>(array);
}

/// The arrays 5, 6 and 7 after so many runs, as plain loops.
std::vector<int32_t> plain(const DistributedProgram &program, const Box &domain, int64_t runs) {
    std::vector<OwnedArray> arrays;
    for (size_t a = 0; a < program.arrays.size(); a++) {
        arrays.emplace_back(domain, 4);
        for_each_point(domain, [&](const std::vector<int64_t> &at) { set(arrays[a].view(), at, start_of(a, at)); });
    }
    for (int64_t run = 0; run < runs; run++) {
        for (const Segment &segment : program.segments) {
            std::vector<ArrayView> reads, writes;
            for (const size_t a : segment.reads) {
                reads.push_back(arrays[a].view());
            }
            for (const size_t a : segment.writes) {
                writes.push_back(arrays[a].view());
            }
            segment.compute(reads, writes);
        }
        std::swap(arrays[0], arrays[6]), std::swap(arrays[1], arrays[7]);
    }
    std::vector<int32_t> values;
    for (const size_t a : {5, 0, 1}) {
        for_each_point(domain, [&](const std::vector<int64_t> &at) { values.push_back(get(arrays[a].view(), at)); });
    }
    return values;
}

struct Outcome {
    std::vector<int32_t> values;
    int64_t messages = 0, runs = 0;
    int64_t most_bytes = 0; // of a rank's fields and inner arrays
    std::vector<int64_t> part;
};

Outcome run(int64_t ranks, const DistributedProgram &program, const Box &domain, int64_t runs, const DeepHalos &halos,
            const std::string &file = "") {
    Outcome outcome;
    const auto count = static_cast<size_t>(volume(domain));
    outcome.values.resize(3 * count, -1);
    std::vector<Box> domains(program.arrays.size(), domain);
    ThreadRanks threads(ranks);
    std::mutex mutex;
    int64_t before = 0;
    threads.run([&](Transport &transport) {
        std::vector<ArrayView> others(program.arrays.size());
        const Box part = [&] {
            TimeLoop probe(program, plan_rank(program, domains, transport), wave_fields, others);
            return probe.state(0).box;
        }();
        OwnedArray coefficient(part, 4), energy(part, 4);
        poison(energy.view());
        others[2] = coefficient.view(), others[5] = energy.view();
        TimeLoop loop(program, domains, wave_fields, others, halos, transport);
        loop.set_poison(true);
        for (const size_t f : {0, 1}) {
            EXPECT_EQ(loop.state(f).box, part);
            for_each_point(part, [&](const std::vector<int64_t> &at) { set(loop.state(f), at, start_of(f, at)); });
        }
        for_each_point(part, [&](const std::vector<int64_t> &at) { set(coefficient.view(), at, start_of(2, at)); });
        (void)transport.gather(0);
        if (transport.rank() == 0) {
            before = threads.messages();
        }
        (void)transport.gather(0);
        loop.run({runs, file, 4}, transport);
        EXPECT_EQ(loop.runs_done(), runs);
        const std::lock_guard lock(mutex);
        outcome.runs = loop.runs_for_each_exchange();
        outcome.most_bytes = std::max(outcome.most_bytes, loop.bytes_allocated());
        const std::vector<ArrayView> results = {energy.view(), loop.state(0), loop.state(1)};
        for (size_t i = 0; i < results.size(); i++) {
            for_each_point(part, [&](const std::vector<int64_t> &at) {
                size_t index = 0;
                for (size_t d = at.size(); d-- > 0;) {
                    index =
                        index * static_cast<size_t>(domain[d].extent()) + static_cast<size_t>(at[d] - domain[d].begin);
                }
                outcome.values[i * count + index] = get(results[i], at);
            });
        }
    });
    outcome.messages = threads.messages() - before;
    return outcome;
}

TEST(DeepHalos, HaveTheSameBitsForEveryDepthAndRankCount) {
    for (const auto &extents : std::vector<std::vector<int64_t>>{{53}, {17, 26}, {9, 8, 11}}) {
        const Box domain = box_of(extents);
        std::vector<size_t> dimensions;
        for (size_t d = 0; d < extents.size(); d++) {
            dimensions.push_back(d);
        }
        const Placement placement = blocks(dimensions);
        constexpr int64_t runs = 7;
        const DistributedProgram program = wave(domain, placement, placement);
        const std::vector<int32_t> expected = plain(program, domain, runs);
        for (const int64_t ranks : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 64}) {
            for (const int64_t depth : {1, 2, 3, 4, 7, 9}) {
                const bool is_large = extents.size() == 3 && ranks > 8;
                if (ranks > 4 &&
                    (depth == 4 || depth == 9 || (ranks > 8 && depth != 3) || (is_large && ranks % 4 != 0))) {
                    continue; // the same again, for many threads
                }
                DeepHalos halos;
                halos.runs = depth;
                EXPECT_EQ(run(ranks, program, domain, runs, halos).values, expected)
                    << ranks << " ranks, " << depth << " runs for each exchange, over " << to_string(domain);
            }
        }
    }
}

TEST(DeepHalos, InnerArraysMayBeEverywhereOrElsewhere) {
    const Box domain = box_of({12, 14});
    for (const Placement &inner : {everywhere, as_needed, blocks({0})}) {
        const DistributedProgram program = wave(domain, blocks({1}), inner);
        const std::vector<int32_t> expected = plain(program, domain, 5);
        for (const int64_t ranks : {1, 3, 4}) {
            for (const int64_t depth : {1, 2, 3}) {
                DeepHalos halos;
                halos.runs = depth;
                EXPECT_EQ(run(ranks, program, domain, 5, halos).values, expected) << ranks << ", " << depth;
            }
        }
    }
}

TEST(DeepHalos, CostMemoryForHalosOnly) {
    const Box domain = box_of({10, 160});
    const DistributedProgram program = wave(domain, blocks({1}), blocks({1}));
    const std::vector<int32_t> expected = plain(program, domain, 8);
    const auto outcome = [&](int64_t depth) {
        DeepHalos halos;
        halos.runs = depth;
        Outcome result = run(4, program, domain, 8, halos);
        EXPECT_EQ(result.values, expected);
        return result;
    };
    const Outcome one = outcome(1), four = outcome(4), eight = outcome(8);
    // Two exchanges a run, of the inputs and of the inner array; then one.
    EXPECT_EQ(one.messages, 8 * 2 * 6);
    EXPECT_EQ(four.messages, 2 * 6);
    EXPECT_EQ(eight.messages, 6);
    // u and v twice, two inner arrays, the coefficient with halos; of 40 rows and, for each run, two rows on each side.
    EXPECT_EQ(one.most_bytes, (2 * (40 + 2) + 2 * 40 + 42 + 42 + 42) * 10 * 4);
    EXPECT_LE(four.most_bytes, 7 * (40 + 4 * 4) * 10 * 4);
    EXPECT_LE(eight.most_bytes, 7 * (40 + 8 * 4) * 10 * 4);
}

TEST(DeepHalos, ExchangesWaitForAllOfTheirArrays) {
    const Box domain = box_of({8, 40});
    DistributedProgram program = wave(domain, blocks({1}), blocks({1}));
    // All ranks have u. An inner array is read with a halo, beside an input that is there from the begin.
    program.arrays[0].placement = program.arrays[6].placement = everywhere;
    const Segment smooth = stencil("smooth", 3, 4, domain, 1);
    for (const std::vector<size_t> &reads : {std::vector<size_t>{3, 2}, std::vector<size_t>{2, 3}}) {
        Segment &sum = program.segments[1];
        sum = combine("sum", reads, 4);
        sum.boxes = [smooth](const std::vector<Box> &writes) {
            SegmentBoxes boxes = smooth.boxes(writes);
            boxes.reads.push_back(boxes.reads[0]);
            return boxes;
        };
        ThreadRanks(3).run([&](Transport &transport) {
            const RankPlan plan = plan_rank(program, std::vector<Box>(8, domain), transport);
            EXPECT_EQ(plan.exchanges[1].flows, reads);
            EXPECT_EQ(plan.exchanges[1].ready, 1U);
        });
    }
}

TEST(DeepHalos, CheckpointsMayLieBetweenExchanges) {
    const Box domain = box_of({8, 40});
    const DistributedProgram program = wave(domain, blocks({1}), blocks({1}));
    const std::string file = "deep_halos.checkpoint"; // after every fourth run
    for (const auto &[first, second] : std::vector<std::pair<int64_t, int64_t>>{{3, 5}, {8, 1}, {1, 3}}) {
        std::filesystem::remove(file);
        DeepHalos halos;
        halos.runs = first;
        EXPECT_EQ(run(3, program, domain, 6, halos, file).values, plain(program, domain, 6));
        halos.runs = second;
        const std::vector<int32_t> values = run(2, program, domain, 11, halos, file).values;
        EXPECT_EQ(values, plain(program, domain, 11));
    }
    std::filesystem::remove(file);
}

TEST(DeepHalos, DepthIsChosenByTheNetwork) {
    const Box domain = box_of({16, 64});
    DistributedProgram program = wave(domain, blocks({1}), blocks({1}));
    program.segments[4].cost = 0; // earlier runs do not compute it
    const auto chosen = [&](double latency, double seconds_per_byte, double seconds_per_point, int64_t ranks) {
        DeepHalos halos;
        halos.network.latency = latency, halos.network.seconds_per_byte = seconds_per_byte;
        halos.network.seconds_per_point = seconds_per_point;
        const Outcome outcome = run(ranks, program, domain, 20, halos);
        EXPECT_EQ(outcome.values, plain(program, domain, 20));
        return outcome.runs;
    };
    EXPECT_EQ(chosen(1e-3, 0, 1e-12, 4), 15); // the greatest that is tried: nothing but latency costs
    EXPECT_EQ(chosen(1e-9, 0, 1e-6, 4), 1);   // points are dear
    const int64_t between = chosen(2e-5, 1e-9, 1e-8, 4);
    EXPECT_GT(between, 1);
    EXPECT_LT(between, 15);
    EXPECT_EQ(chosen(1e-3, 0, 1e-12, 1), 1); // nobody to talk to
    NoTransport alone;
    DeepHalos none;
    none.runs = -1;
    expect_error<RuntimeError>(
        [&] { TimeLoop(program, std::vector<Box>(8, domain), wave_fields, std::vector<ArrayView>(8), none, alone); },
        "bad-distribution", "in wave: -1 runs for each exchange; an exchange serves at least one; use 1 or more");
}

TEST(DeepHalos, FieldsAreDistinct) {
    const Box domain = box_of({8, 40});
    const DistributedProgram program = wave(domain, blocks({1}), blocks({1}));
    NoTransport alone;
    expect_error<RuntimeError>(
        [&] { TimeLoop(program, std::vector<Box>(8, domain), {{0, 6}, {1, 6}}, std::vector<ArrayView>(8), {}, alone); },
        "bad-distribution",
        "in wave: next u becomes v in the next run, and one of them belongs to another field, too; each field has an "
        "input and an output of its own; copy the values into another output");
    expect_error<RuntimeError>(
        [&] { TimeLoop(program, std::vector<Box>(8, domain), {{0, 4}}, std::vector<ArrayView>(8), {}, alone); },
        "bad-distribution",
        "in wave: sum becomes u in the next run, but one is no input or the other no output; name an input and an "
        "output "
        "of the program");
}

} // namespace
} // namespace fluorite::distribute::deep_halos_test
