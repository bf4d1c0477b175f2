// Runs under mpirun: sweeps on the ranks of MPI against plain loops, and mistakes against the exact texts that they
// get. Each rank returns 0 where all of its values are right; mpirun returns the first code that is not 0.
//
// ranks [lost | uninitialized | single | disagree | loop FILE MILLISECONDS]
#include "fluorite/errors.h"
#include "ranks/plan/test_sweeps.h"
#include "ranks/run/run_rank.h"
#include "ranks/run/time_loop.h"
#include "ranks/transport/emulated_transport.h"
#include "ranks/transport/mpi_transport.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>

namespace {

using namespace fluorite;
using namespace fluorite::distribute;

int failures = 0;

void expect(bool is_right, const std::string &what) {
    if (!is_right) {
        std::printf("FAILED: %s\n", what.c_str());
        failures++;
    }
}

void expect_refused(const std::string &slug, const std::string &text, const std::function<void()> &work) {
    try {
        work();
        expect(false, "nothing is refused; expected: " + text);
    } catch (const RuntimeError &error) {
        expect(error.slug() == slug && error.message() == text, error.message() + " [" + error.slug() + "]");
    }
}

void sweep(Transport &transport, const std::vector<int64_t> &extents, const std::vector<Placement> &placements) {
    const Box domain = box_of(extents);
    const DistributedProgram program = sweeps(domain, placements);
    std::vector<Box> domains(placements.size());
    domains.front() = domains.back() = domain;
    RankRun run(program, plan_rank(program, domains, transport));
    run.set_poison(true);
    const RankPlan &plan = run.plan();
    OwnedArray input(plan.owned.front(), 4), output(plan.owned.back(), 4), whole(domain, 4);
    std::vector<ArrayView> bound(placements.size());
    bound.front() = input.view(), bound.back() = output.view();
    for (int round = 0; round < 3; round++) {
        poison(output.view());
        for_each_point(plan.owned.front(),
                       [&](const std::vector<int64_t> &at) { set(input.view(), at, input_at(at) + 2 - round); });
        run.run(bound, transport);
    }
    const std::vector<int32_t> expected = plain_sweeps(domain, static_cast<int>(placements.size()) - 1, 1);
    std::memcpy(whole.view().data, expected.data(), expected.size() * sizeof(int32_t));
    int wrong = 0;
    for_each_point(plan.owned.back(), [&](const std::vector<int64_t> &at) {
        wrong += get(output.view(), at) != get(whole.view(), at) ? 1 : 0;
    });
    expect(wrong == 0, std::to_string(wrong) + " values are wrong over " + to_string(domain));
}

void sweep_all(Transport &transport) {
    sweep(transport, {301}, std::vector<Placement>(4, blocks({0})));
    sweep(transport, {13, 29}, std::vector<Placement>(6, blocks({1})));
    sweep(transport, {130, 290}, std::vector<Placement>(3, blocks({0, 1})));
    sweep(transport, {12, 7, 31}, std::vector<Placement>(4, blocks({0, 1, 2})));
    sweep(transport, {2, 2}, std::vector<Placement>(4, blocks({0, 1})));
    sweep(transport, {64, 20}, {blocks({0}), blocks({1}), everywhere, as_needed, blocks({0, 1}), blocks({0})});
}

/// A square that is turned, large enough that ranks read each other's memory. One rank may fail in the last round.
void turn(Transport &transport, int64_t failing = -1) {
    DistributedProgram program = turning(blocks({1}));
    bool fails = false;
    const auto compute = program.segments[0].compute;
    program.segments[0].compute = [&](const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes) {
        if (fails) {
            throw RuntimeError("out-of-memory", "in turned: no memory");
        }
        compute(reads, writes);
    };
    const Box domain = {{-5, 595}, {-5, 595}};
    RankRun run(program, plan_rank(program, {domain, domain}, transport));
    run.set_poison(true);
    OwnedArray in(run.plan().owned[0], 4), out(run.plan().owned[1], 4);
    for (int32_t round = 0; round < 3; round++) {
        for_each_point(run.plan().owned[0],
                       [&](const std::vector<int64_t> &at) { set(in.view(), at, input_at(at) + round); });
        fails = round == 2 && transport.rank() == failing;
        run.run({in.view(), out.view()}, transport);
        int wrong = 0;
        for_each_point(run.plan().owned[1], [&](const std::vector<int64_t> &at) {
            const int32_t right = 3 * (input_at({at[1], at[0]}) + round) + static_cast<int32_t>(at[0]);
            wrong += get(out.view(), at) != right ? 1 : 0;
        });
        expect(wrong == 0, std::to_string(wrong) + " values of a turned square are wrong");
    }
    const int64_t peer = (transport.rank() + 1) % transport.ranks();
    expect(transport.ranks() == 1 || transport.least_read_in_place(peer) <= size_t{1} << 16,
           "ranks of one machine read each other's memory");
}

/// Time loops that exchange once for several runs, in all modes, with and without a slow network.
void deep_halos(Transport &below) {
    const Box domain = box_of({24, 25, 26});
    const DistributedProgram program = sweeps(domain, std::vector<Placement>(2, blocks({0, 1, 2})));
    LogGP network;
    network.latency = 50e-6, network.seconds_per_byte = 8e-9;
    EmulatedTransport slow(below, network, EmulatedClock::Real);
    constexpr int runs = 9;
    OwnedArray whole(domain, 4);
    const std::vector<int32_t> expected = plain_sweeps(domain, runs, 1);
    std::memcpy(whole.view().data, expected.data(), expected.size() * sizeof(int32_t));
    for (Transport *transport : {&below, static_cast<Transport *>(&slow)}) {
        for (const ExchangeMode mode : {ExchangeMode::Basic, ExchangeMode::Merged, ExchangeMode::Overlapped}) {
            for (const int64_t depth : {0, 1, 4}) {
                DeepHalos halos;
                halos.runs = depth, halos.network = network, halos.options.mode = mode;
                halos.options.points_between_progress = 1000;
                TimeLoop loop(program, {domain, domain}, {{0, 1}}, {}, halos, *transport);
                loop.set_poison(true);
                const ArrayView first = loop.state(0);
                for_each_point(first.box, [&](const std::vector<int64_t> &at) { set(first, at, input_at(at)); });
                loop.run({runs, "", 1}, *transport);
                const ArrayView last = loop.state(0);
                int wrong = 0;
                for_each_point(
                    last.box, [&](const std::vector<int64_t> &at) { wrong += get(last, at) != get(whole.view(), at); });
                expect(wrong == 0, std::to_string(wrong) + " values are wrong with " + std::to_string(depth) +
                                       " runs for each exchange");
            }
        }
    }
}

/// Who sends goes on before the message is taken: rank 1 takes a long one only after a short one that rank 0 sends
/// later. If `receive` waited for what is sent, neither would come further.
void late_receiver(Transport &transport) {
    if (transport.ranks() < 2 || transport.rank() > 1) {
        return;
    }
    std::vector<char> longer(size_t{1} << 22, static_cast<char>(transport.rank() == 0 ? 7 : 0));
    char shorter = transport.rank() == 0 ? 'a' : 'b';
    if (transport.rank() == 0) {
        transport.start(5, {{1, longer.data(), longer.size()}}, {});
        transport.receive(5);
        transport.start(6, {{1, &shorter, 1}}, {});
    } else {
        transport.start(6, {}, {{0, &shorter, 1}});
        transport.receive(6);
        expect(shorter == 'a', "the short message has its contents");
        transport.start(5, {}, {{0, longer.data(), longer.size()}});
        transport.receive(5);
        expect(std::count(longer.begin(), longer.end(), 7) == static_cast<std::ptrdiff_t>(longer.size()),
               "the long message has its contents");
    }
    transport.finish(6);
    transport.finish(5);
}

/// A time loop over a cube with a checkpoint after every fourth run of two sweeps. This process kills itself after so
/// many milliseconds, if they are not negative; otherwise the result is compared with plain loops.
void loop(Transport &transport, const std::string &file, int milliseconds) {
    constexpr int runs = 40;
    const Box domain = box_of({14, 15, 16});
    DistributedProgram program = sweeps(domain, {blocks({0, 1, 2}), as_needed, blocks({0, 1, 2})});
    program.hash = 815;
    std::thread killer([milliseconds] {
        if (milliseconds >= 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
            (void)raise(SIGKILL);
        }
    });
    DeepHalos halos;
    halos.runs = 3; // checkpoints lie between exchanges
    TimeLoop steps(program, {domain, {}, domain}, {{0, 2}}, {}, halos, transport);
    const ArrayView first = steps.state(0);
    for_each_point(first.box, [&](const std::vector<int64_t> &at) { set(first, at, input_at(at)); });
    steps.run({runs, file, 4}, transport);
    killer.join();
    OwnedArray whole(domain, 4);
    const std::vector<int32_t> expected = plain_sweeps(domain, 2 * runs, 1);
    std::memcpy(whole.view().data, expected.data(), expected.size() * sizeof(int32_t));
    const ArrayView last = steps.state(0);
    int wrong = 0;
    for_each_point(last.box, [&](const std::vector<int64_t> &at) { wrong += get(last, at) != get(whole.view(), at); });
    expect(wrong == 0, std::to_string(wrong) + " values are wrong");
    std::printf("rank %lld has compared\n", static_cast<long long>(transport.rank()));
}

void mistake(const std::string &which, int rank) {
    if (which == "lost") {
        const auto transport = open_mpi_transport(1), other = open_mpi_transport(1), third = open_mpi_transport(1);
        // Who has read from a rank that fails afterwards is told: what it has read may have changed.
        if (rank == 1) {
            expect_refused("out-of-memory", "in turned: no memory", [&] { turn(*third, 1); });
        } else {
            expect_refused("lost-rank",
                           "on rank " + std::to_string(rank) +
                               ": no message within 1 s to or from rank 1; all ranks of a distributed pipeline run to "
                               "its end; look at the first error of the other ranks",
                           [&] { turn(*third, 1); });
        }
        if (rank == 1) { // comes too late
            std::this_thread::sleep_for(std::chrono::seconds(4));
            return;
        }
        expect_refused("lost-rank",
                       "on rank " + std::to_string(rank) +
                           ": not all ranks have come to a collective operation within 1 s; all ranks of a "
                           "distributed pipeline run to its end; look at the first error of the other ranks",
                       [&] { sweep(*transport, {100, 100}, std::vector<Placement>(3, blocks({1}))); });
        char byte = 0;
        other->start(3, {}, {{1, &byte, 1}});
        expect_refused("lost-rank",
                       "on rank " + std::to_string(rank) +
                           ": no message within 1 s to or from rank 1; all ranks of a distributed pipeline run to its "
                           "end; look at the first error of the other ranks",
                       [&] { other->finish(3); });
        expect_refused(
            "lost-rank",
            "in a distributed pipeline: not all ranks have come to a collective operation within 0.25 s; all "
            "ranks of a distributed pipeline run to its end; look at the first error of the other ranks",
            [] { (void)open_mpi_transport(0.25); });
        std::printf("rank %d was told\n", rank);
    } else if (which == "single") {
        expect(open_mpi_transport()->ranks() == 3, "the thread that has initialized MPI may use it at every level");
        std::thread([] {
            expect_refused("no-mpi",
                           "in a distributed pipeline: this is not the thread that has initialized MPI, and MPI was "
                           "initialized for calls of that thread only; call MPI_Init_thread with MPI_THREAD_SERIALIZED "
                           "or more",
                           [] { (void)open_mpi_transport(); });
        }).join();
    } else if (which == "disagree") {
        const auto transport = open_mpi_transport(20);
        expect_refused(
            "ranks-disagree",
            "in sweeps: domains of rank 2 are not those of rank 0; all ranks run one program with one "
            "schedule over the same domains; look for what depends on the rank",
            [&] { sweep(*transport, {100, rank == 2 ? 101 : 100}, std::vector<Placement>(3, blocks({1}))); });
    } else {
        expect(false, "unknown argument " + which);
    }
}

} // namespace

int main(int argc, char **argv) {
    const std::string which = argc > 1 ? argv[1] : "";
    if (which == "uninitialized") {
        expect_refused("no-mpi", "in a distributed pipeline: MPI is not initialized; call MPI_Init before",
                       [] { (void)open_mpi_transport(); });
        return failures;
    }
    int level = MPI_THREAD_SINGLE, rank = 0;
    MPI_Init_thread(&argc, &argv, which == "single" ? MPI_THREAD_SINGLE : MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (which.empty()) {
        const auto transport = open_mpi_transport(60);
        sweep_all(*transport);
        deep_halos(*transport);
        turn(*transport);
        late_receiver(*transport);
    } else if (which == "loop" && argc >= 4) {
        // Each rank has its own number of milliseconds, the last one's for all others.
        const auto transport = open_mpi_transport(60);
        loop(*transport, argv[2], std::atoi(argv[std::min(3 + rank, argc - 1)]));
    } else {
        mistake(which, rank);
    }
    if (which == "lost") { // operations without all ranks are still open, so that MPI_Finalize could wait forever
        std::fflush(stdout);
        MPI_Barrier(MPI_COMM_WORLD);
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return failures;
}
