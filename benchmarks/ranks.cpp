// Time loops on ranks with an emulated network, 200 us and 1 Gb/s: a 3-D heat equation in float32, by hand.
//
//   bench_ranks                               ranks are threads: modes, replay, planning, scaling
//   mpirun -n 8 bench_ranks_openmpi [SIZE]    ranks are processes, clocks are real: the modes
//
// Threads have clocks of their own, which advance by the processor time of the thread and by the model of the network,
// so that eight ranks on two cores are measured as if each had a core. Real clocks show what remains if they share
// cores. Every result is compared with plain loops, bit by bit.
#include "benchmarks/vector_loop.h"
#include "ranks/plan/plan_alone.h"
#include "ranks/replay/replay_program.h"
#include "ranks/run/estimate.h"
#include "ranks/run/time_loop.h"
#include "ranks/transport/emulated_transport.h"
#include "ranks/transport/thread_transport.h"

#ifdef FLUORITE_BENCH_MPI
#include "ranks/transport/mpi_transport.h"

#include <mpi.h>
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>

using namespace fluorite::distribute;

namespace {

LogGP network() {
    LogGP model;
    model.latency = 200e-6, model.overhead = 0, model.gap = 0, model.seconds_per_byte = 8e-9;
    return model;
}

const float *row(const ArrayView &view, int64_t y, int64_t z) {
    return reinterpret_cast<const float *>(view.data) + (y - view.box[1].begin) * view.strides[1] +
           (z - view.box[2].begin) * view.strides[2] - view.box[0].begin;
}

/// One explicit step, the edges of the cube repeated.
void heat_step(const ArrayView &in, const ArrayView &out, int64_t n) {
    const auto clamped = [n](int64_t at) { return std::max<int64_t>(0, std::min(at, n - 1)); };
    const Box &box = out.box;
    for (int64_t z = box[2].begin; z < box[2].end; z++) {
        for (int64_t y = box[1].begin; y < box[1].end; y++) {
            const float *here = row(in, y, z), *below = row(in, clamped(y - 1), z), *above = row(in, clamped(y + 1), z);
            const float *front = row(in, y, clamped(z - 1)), *back = row(in, y, clamped(z + 1));
            float *to = const_cast<float *>(row(out, y, z)); // NOLINT: its memory is not const
            const auto at = [&](int64_t x, int64_t left, int64_t right) {
                to[x] = here[x] + 0.1F * (((here[left] + here[right]) + (below[x] + above[x])) +
                                          ((front[x] + back[x]) - 6.0F * here[x]));
            };
            const int64_t first = std::max<int64_t>(box[0].begin, 1), last = std::min(box[0].end, n - 1);
            for (int64_t x = box[0].begin; x < std::min(first, box[0].end); x++) {
                at(x, clamped(x - 1), clamped(x + 1));
            }
            VECTOR_LOOP
            for (int64_t x = first; x < last; x++) {
                at(x, x - 1, x + 1);
            }
            for (int64_t x = std::max(first, last); x < box[0].end; x++) {
                at(x, clamped(x - 1), clamped(x + 1));
            }
        }
    }
}

DistributedProgram heat(int64_t n, const std::vector<int64_t> &grid = {}) {
    const Placement cube{Placement::Kind::Blocks, {0, 1, 2}, grid, {}};
    DistributedProgram program;
    program.name = "heat";
    program.arrays = {{"in", Array::Role::Input, 3, 4, cube}, {"out", Array::Role::Output, 3, 4, cube}};
    Segment step{"step", {0}, {1}, {}, {}};
    step.boxes = [n](const std::vector<Box> &writes) {
        SegmentBoxes boxes{writes, writes};
        for (Span &span : boxes.reads[0]) {
            span = span.empty() ? span : intersect(Span{span.begin - 1, span.end + 1}, Span{0, n});
        }
        return boxes;
    };
    step.compute = [n](const std::vector<ArrayView> &reads, const std::vector<ArrayView> &writes) {
        heat_step(reads[0], writes[0], n);
    };
    program.segments = {step};
    return program;
}

float start_of(int64_t x, int64_t y, int64_t z) {
    return static_cast<float>((x * 37 + y * 101 + z * 53 + x * y * z) % 1009) / 1009.0F;
}

template <typename Visit> void for_each_point(const Box &box, const Visit &visit) {
    for (int64_t z = box[2].begin; z < box[2].end; z++) {
        for (int64_t y = box[1].begin; y < box[1].end; y++) {
            for (int64_t x = box[0].begin; x < box[0].end; x++) {
                visit(x, y, z);
            }
        }
    }
}

std::vector<float> plain(int64_t n, int64_t steps) {
    const Box domain(3, Span{0, n});
    OwnedArray now(domain, 4), next(domain, 4);
    for_each_point(domain, [&](int64_t x, int64_t y, int64_t z) {
        const float value = start_of(x, y, z);
        std::memcpy(now.view().at({x, y, z}), &value, sizeof value);
    });
    for (int64_t step = 0; step < steps; step++) {
        heat_step(now.view(), next.view(), n);
        std::swap(now, next);
    }
    std::vector<float> values(static_cast<size_t>(n * n * n));
    std::memcpy(values.data(), now.view().data, values.size() * sizeof(float));
    return values;
}

double thread_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Seconds of a point and of a row, from a cube and from a slab that is four points wide: the parts of a rank.
LogGP calibrated(LogGP model, int64_t n) {
    const Box memory(3, Span{0, n + 2});
    OwnedArray in(memory, 4), out(memory, 4);
    std::memset(in.view().data, 0, static_cast<size_t>(in.size()));
    const auto measure = [&](int64_t width) {
        const Box box = {{1, 1 + width}, {1, 1 + n}, {1, 1 + n}};
        double best = 1e9;
        for (int repeat = 0; repeat < 20; repeat++) {
            const double begin = thread_seconds();
            const int64_t count = std::max<int64_t>(1, 1000000 / volume(box));
            for (int64_t i = 0; i < count; i++) {
                heat_step(in.view(), out.view().cropped(box), n + 2);
            }
            best = std::min(best, (thread_seconds() - begin) / static_cast<double>(count));
        }
        return best;
    };
    const double wide = measure(n), narrow = measure(4), rows = static_cast<double>(n * n);
    model.seconds_per_point = std::max(0.0, (wide - narrow) / (rows * static_cast<double>(n - 4)));
    model.seconds_per_row = std::max(0.0, narrow / rows - 4 * model.seconds_per_point);
    return model;
}

constexpr int64_t steps = 48;

/// Runs some steps on this rank; gives the seconds of the slowest of all ranks, and adds to `wrong` what is.
double run_steps(TimeLoop &loop, EmulatedTransport &transport, int64_t n, const std::vector<float> &expected,
                 int64_t &wrong) {
    const ArrayView first = loop.state(0);
    for_each_point(first.box, [&](int64_t x, int64_t y, int64_t z) {
        const float value = start_of(x, y, z);
        std::memcpy(first.at({x, y, z}), &value, sizeof value);
    });
    (void)transport.gather(0);
    const double begin = transport.now();
    loop.run({steps, "", steps}, transport);
    const double own = transport.now() - begin;
    double slowest = 0;
    for (const uint64_t each : transport.gather(static_cast<uint64_t>(own * 1e12))) {
        slowest = std::max(slowest, static_cast<double>(each) * 1e-12);
    }
    const ArrayView last = loop.state(0);
    for_each_point(last.box, [&](int64_t x, int64_t y, int64_t z) {
        wrong +=
            std::memcmp(last.at({x, y, z}), &expected[static_cast<size_t>((z * n + y) * n + x)], sizeof(float)) != 0;
    });
    return slowest;
}

DeepHalos mode_of(const LogGP &model, ExchangeMode mode, int64_t runs) {
    DeepHalos halos;
    halos.network = model;
    halos.options.mode = mode;
    halos.runs = runs;
    return halos;
}

int failures = 0;

const char *verdict(bool is_right) {
    failures += is_right ? 0 : 1;
    return is_right ? "" : "  DIFFERENT VALUES";
}

} // namespace

#ifdef FLUORITE_BENCH_MPI

int main(int argc, char **argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    const int64_t n = argc > 1 ? std::atoll(argv[1]) : 48;
    {
        const auto below = open_mpi_transport(60);
        const LogGP model = calibrated(network(), n / 2);
        const std::vector<float> expected = plain(n, steps);
        const DistributedProgram program = heat(n);
        const Box domain(3, Span{0, n});
        for (const auto &[name, halos] : {std::pair("basic", mode_of(model, ExchangeMode::Basic, 1)),
                                          {"overlapped", mode_of(model, ExchangeMode::Overlapped, 1)},
                                          {"4 steps", mode_of(model, ExchangeMode::Overlapped, 4)},
                                          {"8 steps", mode_of(model, ExchangeMode::Overlapped, 8)}}) {
            double best[] = {1e9, 1e9};
            int64_t wrong = 0, messages = 0;
            for (int repeat = 0; repeat < 10; repeat++) {
                const bool is_real = repeat % 2 == 1;
                EmulatedTransport transport(*below, model, is_real ? EmulatedClock::Real : EmulatedClock::Processor);
                TimeLoop loop(program, {domain, domain}, {{0, 1}}, std::vector<ArrayView>(2), halos, transport);
                best[is_real ? 1 : 0] =
                    std::min(best[is_real ? 1 : 0], run_steps(loop, transport, n, expected, wrong) / double(steps));
                messages = transport.messages();
            }
            int64_t all_wrong = 0;
            for (const uint64_t each : below->gather(static_cast<uint64_t>(wrong))) {
                all_wrong += static_cast<int64_t>(each);
            }
            if (below->rank() == 0) {
                std::printf("%6lld  %-22s own clocks %8.1f us, real ones %8.1f us, %5.2f messages%s\n",
                            static_cast<long long>(n), name, best[0] * 1e6, best[1] * 1e6,
                            static_cast<double>(messages) / double(steps), verdict(all_wrong == 0));
            }
        }
    }
    MPI_Finalize();
    return failures;
}

#else

namespace {

struct Measured {
    double seconds = 0;  // a step, of the slowest rank, at best
    double messages = 0; // a step and rank
    int64_t runs = 0;    // steps for each exchange
    double waited = 0;   // share of the ranks' time
    bool is_right = false;
    std::vector<RankActions> ranks;
    DistributedProgram batch;
};

Measured measure(int64_t ranks, int64_t n, const DeepHalos &halos, EmulatedClock clock,
                 const std::vector<float> &expected, int repeats) {
    Measured best;
    best.seconds = 1e9;
    const DistributedProgram program = heat(n);
    const Box domain(3, Span{0, n});
    for (int repeat = 0; repeat < repeats; repeat++) {
        ThreadRanks threads(ranks);
        Measured now;
        now.ranks.resize(static_cast<size_t>(ranks));
        int64_t wrong = 0;
        std::mutex mutex;
        threads.run([&](Transport &below) {
            EmulatedTransport transport(below, halos.network, clock);
            TimeLoop loop(program, {domain, domain}, {{0, 1}}, std::vector<ArrayView>(2), halos, transport);
            const double waited = transport.waited(), before = transport.now();
            const int64_t sent = transport.messages();
            int64_t own_wrong = 0;
            const double seconds = run_steps(loop, transport, n, expected, own_wrong) / static_cast<double>(steps);
            const double spent = transport.now() - before;
            const std::lock_guard lock(mutex);
            now.seconds = seconds;
            now.messages += static_cast<double>(transport.messages() - sent) / static_cast<double>(ranks * steps);
            now.waited += (transport.waited() - waited) / spent / static_cast<double>(ranks);
            now.runs = loop.runs_for_each_exchange();
            now.ranks[static_cast<size_t>(below.rank())] = {loop.batch().plan(), loop.batch().actions()};
            now.batch = loop.batch_program();
            wrong += own_wrong;
        });
        now.is_right = wrong == 0;
        if (now.seconds < best.seconds || !now.is_right) {
            best = std::move(now);
        }
        if (!best.is_right) {
            break;
        }
    }
    return best;
}

void print_modes(int64_t n, EmulatedClock clock, int repeats) {
    const LogGP model = calibrated(network(), n / 2);
    const std::vector<float> expected = plain(n, steps);
    const Measured basic = measure(8, n, mode_of(model, ExchangeMode::Basic, 1), clock, expected, repeats);
    const auto print = [&](const char *name, const Measured &measured) {
        std::printf("%6lld  %-9s %-22s %5lld %12.1f %12.2f %9.2f %9.1f %9.0f %%%s\n", static_cast<long long>(n),
                    clock == EmulatedClock::Real ? "real" : "own", name, static_cast<long long>(measured.runs),
                    measured.seconds * 1e6, measured.messages, basic.seconds / measured.seconds,
                    basic.messages / measured.messages, 100 * measured.waited, verdict(measured.is_right));
        std::fflush(stdout);
    };
    print("basic", basic);
    print("overlapped", measure(8, n, mode_of(model, ExchangeMode::Overlapped, 1), clock, expected, repeats));
    print("4 steps, not overlapped", measure(8, n, mode_of(model, ExchangeMode::Merged, 4), clock, expected, repeats));
    print("4 steps", measure(8, n, mode_of(model, ExchangeMode::Overlapped, 4), clock, expected, repeats));
    print("chosen by the model", measure(8, n, mode_of(model, ExchangeMode::Overlapped, 0), clock, expected, repeats));
}

void print_replay() {
    std::printf("\nThe replay beside the measured time of a step (own clocks), us:\n%6s %6s %6s %10s %10s %8s\n",
                "ranks", "cube", "steps", "measured", "replay", "ratio");
    for (const int64_t n : {48, 96}) {
        const LogGP model = calibrated(network(), n / 2);
        const std::vector<float> expected = plain(n, steps);
        for (const int64_t ranks : {2, 4, 8}) {
            for (const int64_t runs : {1, 4}) {
                const Measured measured = measure(ranks, n, mode_of(model, ExchangeMode::Overlapped, runs),
                                                  EmulatedClock::Processor, expected, 5);
                const double replayed =
                    replay_actions(measured.batch, measured.ranks, steps / runs, model).seconds / double(steps);
                std::printf("%6lld %6lld %6lld %10.1f %10.1f %8.3f%s\n", static_cast<long long>(ranks),
                            static_cast<long long>(n), static_cast<long long>(runs), measured.seconds * 1e6,
                            replayed * 1e6, replayed / measured.seconds, verdict(measured.is_right));
            }
        }
    }
}

void print_planning() {
    std::printf(
        "\nPlanning one rank of 16384, ms (heat, halos of as many steps as are exchanged at once):\n%24s %6s %10s "
        "%10s %10s\n",
        "domain", "steps", "plan", "actions", "messages");
    for (const int64_t n : {2000, 25600}) {
        for (const int64_t runs : {1, 4, 8}) {
            const UnrolledProgram program = unrolled(heat(n), {{0, 1}}, runs);
            std::vector<Box> domains(program.program.arrays.size(), Box(3, Span{0, n}));
            double plan_time = 1e9, actions_time = 1e9;
            int64_t messages = 0;
            for (const int64_t rank : {int64_t{0}, int64_t{5461}, int64_t{8199}}) {
                const std::vector<Request> requests = requests_for(program.program, domains, rank, 16384);
                for (int repeat = 0; repeat < 3; repeat++) {
                    LoneTransport transport(rank, 16384, requests);
                    const double begin = thread_seconds();
                    const RankPlan plan = plan_rank(program.program, domains, transport);
                    const double middle = thread_seconds();
                    const std::vector<Action> actions = plan_actions(program.program, plan, {});
                    plan_time = std::min(plan_time, middle - begin);
                    actions_time = std::min(actions_time, thread_seconds() - middle);
                    messages = std::max(messages, static_cast<int64_t>(plan.exchanges[0].plan.sends.size()));
                }
            }
            std::printf("%22lld^3 %5lld %10.3f %10.3f %10lld\n", static_cast<long long>(n),
                        static_cast<long long>(runs), plan_time * 1e3, actions_time * 1e3,
                        static_cast<long long>(messages));
        }
    }
}

void print_scaling() {
    const LogGP model = calibrated(network(), 64);
    const auto replayed = [&](int64_t ranks, int64_t extent) {
        ProgramOnRanks program{heat(extent), std::vector<Box>(2, Box(3, Span{0, extent})), ranks, 16, {{0, 1}}, 4, {}};
        return replay_program(program, 0, model).result;
    };
    const std::vector<int64_t> counts = {1, 8, 64, 512, 4096};
    const auto weak = [&](int64_t ranks) {
        return replayed(ranks, 64 * static_cast<int64_t>(std::lround(std::cbrt(ranks))));
    };
    const auto strong = [&](int64_t ranks) { return replayed(ranks, 512); };
    std::printf("\nPrediction, %s: 16 steps, 4 for each exchange. Weak, 64^3 points a rank:\n%s",
                to_string(model).c_str(), to_string(scaling_of(weak, counts, Scaling::Weak)).c_str());
    std::printf("Strong, 512^3 points:\n%s", to_string(scaling_of(strong, counts, Scaling::Strong)).c_str());
}

} // namespace

int main() {
    std::printf(
        "3-D heat, float32, 8 ranks as 2 x 2 x 2, 200 us and 1 Gb/s, %lld steps; us and messages for a step and "
        "rank,\nfactors beside the basic mode\n%6s  %-9s %-22s %5s %12s %12s %9s %9s %11s\n",
        static_cast<long long>(steps), "cube", "clocks", "mode", "steps", "us", "messages", "faster", "fewer",
        "waiting");
    for (const int64_t n : {32, 48, 64, 96, 128, 192}) {
        print_modes(n, EmulatedClock::Processor, 3);
    }
    print_modes(48, EmulatedClock::Real, 3);
    print_replay();
    print_planning();
    print_scaling();
    return failures;
}

#endif
