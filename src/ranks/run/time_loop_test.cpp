// Time loops with checkpoints: ranks that die at any moment, restarts on other numbers of ranks, damaged files.
#include "ranks/run/time_loop.h"

#include "ranks/plan/test_sweeps.h"
#include "ranks/transport/thread_transport.h"
#include "support/test_errors.h"

#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>

namespace fluorite::distribute::time_loop_test {

namespace {

/// A transport that ends its rank after so many operations.
class DyingTransport : public Transport {
  public:
    DyingTransport(Transport &below, int64_t operations) : below_(below), left_(operations) {}
    int64_t rank() const override { return below_.rank(); }
    int64_t ranks() const override { return below_.ranks(); }
    void start(int64_t tag, const std::vector<Outgoing> &sends, const std::vector<Incoming> &receives) override {
        live();
        below_.start(tag, sends, receives);
    }
    void receive(int64_t tag) override {
        live();
        below_.receive(tag);
    }
    void finish(int64_t tag) override {
        live();
        below_.finish(tag);
    }
    void progress() override { below_.progress(); }
    std::vector<Request> exchange_requests(const std::vector<Request> &requests) override {
        live();
        return below_.exchange_requests(requests);
    }
    std::vector<uint64_t> gather(uint64_t value) override {
        live();
        return below_.gather(value);
    }

  private:
    Transport &below_;
    int64_t left_;
    void live() {
        if (left_-- == 0) {
            throw std::runtime_error("killed");
        }
    }
};

class TimeLoops : public testing::Test {
  protected:
    const std::string file = "time_loops.checkpoint";
    const Box domain = box_of({9, 21});
    DistributedProgram program = sweeps(domain, {blocks({0, 1}), as_needed, blocks({0, 1})}); // two sweeps a run

    void SetUp() override {
        program.hash = 4711;
        std::filesystem::remove(file);
    }

    /// Runs on so many ranks; a rank dies after so many operations if `victim` is one of them. Returns the values.
    std::vector<int32_t> run(int64_t ranks, int64_t runs, int64_t between, int64_t victim = -1,
                             int64_t operations = 0) {
        std::vector<int32_t> values(static_cast<size_t>(volume(domain)), -1);
        std::mutex mutex;
        ThreadRanks(ranks).run([&](Transport &healthy) {
            DyingTransport dying(healthy, operations);
            Transport &transport = healthy.rank() == victim ? dying : healthy;
            TimeLoop loop(program, plan_rank(program, {domain, {}, domain}, transport), {{0, 2}}, {});
            const ArrayView first = loop.state(0);
            for_each_point(first.box, [&](const std::vector<int64_t> &at) { set(first, at, input_at(at)); });
            loop.run({runs, file, between}, transport);
            EXPECT_EQ(loop.runs_done(), runs);
            const ArrayView last = loop.state(0);
            const std::lock_guard lock(mutex);
            for_each_point(last.box, [&](const std::vector<int64_t> &at) {
                values[static_cast<size_t>((at[1] - domain[1].begin) * domain[0].extent() + at[0])] = get(last, at);
            });
        });
        return values;
    }
};

TEST_F(TimeLoops, RunsAreSweepsInARow) {
    for (const int64_t ranks : {1, 2, 6, 13}) {
        for (const int64_t runs : {0, 1, 2, 5}) {
            std::filesystem::remove(file);
            EXPECT_EQ(run(ranks, runs, 100), plain_sweeps(domain, static_cast<int>(2 * runs), 1))
                << ranks << ", " << runs;
        }
    }
}

TEST_F(TimeLoops, ContinueWhereOthersEnded) {
    (void)run(6, 3, 100); // an odd number
    EXPECT_EQ(run(4, 8, 100), plain_sweeps(domain, 16, 1));
    EXPECT_EQ(run(1, 9, 100), plain_sweeps(domain, 18, 1));
    EXPECT_EQ(run(11, 9, 100), plain_sweeps(domain, 18, 1)); // it is there already
}

TEST_F(TimeLoops, DoNotGoBack) {
    (void)run(2, 6, 2);
    expect_error<RuntimeError>(
        [&] { (void)run(3, 5, 2); }, "bad-checkpoint",
        "in the checkpoint time_loops.checkpoint: it holds the state after step 6, and 5 steps "
        "are asked for; steps count from the beginning, those before the checkpoint included; ask "
        "for 6 or more, or begin anew");
}

TEST_F(TimeLoops, SurviveRanksThatDieAtAnyMoment) {
    const std::vector<int32_t> expected = plain_sweeps(domain, 16, 1);
    std::mt19937 random(7);
    int killed = 0;
    for (int trial = 0; trial < 100; trial++) {
        std::filesystem::remove(file);
        std::filesystem::remove(file + ".part");
        for (int attempt = 0; attempt < 2; attempt++) { // a restart may be killed, too
            const int64_t ranks = 1 + static_cast<int64_t>(random() % 5);
            try {
                (void)run(ranks, 8, 2, static_cast<int64_t>(random() % static_cast<uint32_t>(ranks)),
                          static_cast<int64_t>(random() % 50));
            } catch (const std::exception &error) {
                killed++;
            }
        }
        EXPECT_EQ(run(1 + static_cast<int64_t>(random() % 5), 8, 2), expected) << "trial " << trial;
    }
    EXPECT_GT(killed, 50);
}

TEST_F(TimeLoops, RefuseFilesOfOthersAndDamagedOnes) {
    const std::string about = "in the checkpoint time_loops.checkpoint: ";
    const std::string fix =
        "; a run continues from a whole checkpoint of its own program; use an earlier one, or begin anew";
    const auto refused = [&](const std::string &why) {
        expect_error<RuntimeError>([&] { (void)run(3, 8, 2); }, "bad-checkpoint", about + why + fix);
    };
    (void)run(2, 4, 2);
    const std::string whole = [&] {
        std::ifstream stream(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    }();
    const auto write = [&](const std::string &contents) {
        std::filesystem::remove(file);
        std::ofstream(file, std::ios::binary) << contents;
    };
    write("P6 640 480 255\n");
    refused("it is not a checkpoint");
    write("");
    refused("it is not a checkpoint");
    write("fluorite-checkpoint 2" + whole.substr(21));
    refused("it has version 2 of the format, which here is 1");
    write(whole.substr(0, 60));
    refused("its beginning is damaged");
    std::string changed = whole;
    changed[changed.find("step 4") + 5] = '6';
    write(changed);
    refused("its beginning is damaged");
    write(whole.substr(0, 4096 + 700));
    refused("the values of a0 are not all there");
    for (const size_t at : {size_t{4096}, size_t{4096 + 755}}) {
        changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 4);
        write(changed);
        refused("the values of a0 are not those that were written");
    }
    changed = whole; // two elements change places
    std::swap_ranges(changed.begin() + 4096, changed.begin() + 4100, changed.begin() + 4200);
    write(changed);
    refused("the values of a0 are not those that were written");
    write(whole);
    program.hash = 4712;
    refused("it was written by another program, or by another version of it");
    program.hash = 4711;
    program.arrays[0].name = "other";
    refused("it does not hold other over [0, 9) x [5, 26) with elements of 4 bytes");
}

TEST(CheckpointWriter, WritesTheValuesOfItsMomentWhileTheyChange) {
    const std::string file = "moment.checkpoint";
    std::filesystem::remove(file);
    const Box domain = {{-3, 697}, {0, 40}, {0, 9}}; // more than one piece of the file is written at once
    ThreadRanks(3).run([&](Transport &transport) {
        const int64_t rank = transport.rank();
        const Box owned = {domain[0], {rank * 40 / 3, (rank + 1) * 40 / 3}, domain[2]};
        const Box memory = {{-4, 698}, {owned[1].begin - 2, owned[1].end + 2}, {-1, 10}};
        OwnedArray values(memory, 4), read(memory, 4);
        const auto fill = [&](int32_t add) {
            for_each_point(owned, [&](const std::vector<int64_t> &at) { set(values.view(), at, input_at(at) + add); });
        };
        const std::vector<CheckpointArray> arrays = {{"values", domain, owned, values.view()}};
        fill(1);
        {
            const CheckpointWriter given_up(file, {4711, 1}, arrays, transport);
        }
        (void)transport.gather(0);
        EXPECT_FALSE(std::filesystem::exists(file)) << "without complete()";
        CheckpointWriter writer(file, {4711, 2}, arrays, transport);
        fill(7);
        writer.complete(transport);
        EXPECT_EQ(read_checkpoint(file, 4711, {{"values", domain, owned, read.view()}}, transport), 2);
        int wrong = 0;
        for_each_point(
            owned, [&](const std::vector<int64_t> &at) { wrong += get(read.view(), at) != input_at(at) + 1 ? 1 : 0; });
        EXPECT_EQ(wrong, 0);
    });
}

TEST_F(TimeLoops, SayWhatTheDiskRefuses) {
    ThreadRanks(2).run([&](Transport &transport) {
        TimeLoop loop(program, plan_rank(program, {domain, {}, domain}, transport), {{0, 2}}, {});
        const std::string cause =
            transport.rank() == 0 ? "it cannot be created: No such file or directory" : "rank 0 could not do its part";
        expect_error<RuntimeError>([&] { loop.run({1, "no_such_folder/state", 1}, transport); }, "checkpoint-io",
                                   "in the checkpoint no_such_folder/state: " + cause +
                                       "; an earlier checkpoint is as it was; look for space and rights on the disk of "
                                       "all ranks");
    });
    std::filesystem::create_directory("folder.checkpoint"); // can be opened, but not read
    ThreadRanks(2).run([&](Transport &transport) {
        TimeLoop loop(program, plan_rank(program, {domain, {}, domain}, transport), {{0, 2}}, {});
        expect_error<RuntimeError>([&] { loop.run({1, "folder.checkpoint", 1}, transport); }, "checkpoint-io",
                                   "in the checkpoint folder.checkpoint: it cannot be read: Is a directory; an earlier "
                                   "checkpoint is as it was; look for space and rights on the disk of all ranks");
    });
    const DistributedProgram moves = sweeps(domain, {blocks({0}), blocks({1})});
    NoTransport alone;
    expect_error<RuntimeError>([&] { TimeLoop(moves, plan_rank(moves, {domain, domain}, alone), {{0, 1}}, {}); },
                               "bad-distribution",
                               "in sweeps: a1 becomes a0 in the next run, but it has another domain, placement or "
                               "type; what is computed again "
                               "and again stays where it is; give both the same");
}

} // namespace
} // namespace fluorite::distribute::time_loop_test
