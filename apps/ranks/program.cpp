// Applications and simulations on ranks, as programs: app_ranks runs them on threads, app_ranks_openmpi and
// app_ranks_mpich under mpirun.
//
//     app_ranks NAME [--size WxH[xD]] [--ranks N] [--steps N] [--checkpoint FILE] [--every N] [--exchange K] [--repeat N]
//                    [--output FILE] [--blocks] [--plain]
//
// NAME is one of the nine applications, `heat` or `navier_stokes`. It prints the lines that distribution adds to the
// schedule, what each rank allocates and sends, the time of a run or of a step (the fastest of N), and a number that
// depends on all bits of the result and not on the ranks. --plain runs the application without ranks, for comparison.

#include "apps/ranks/simulations.h"

#ifdef RANKS_OF_MPI
#include <mpi.h>
#endif

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>

namespace {

using namespace fluorite;
using apps::Cut;

struct Options {
    std::string name, checkpoint, output;
    std::vector<int> size;
    int ranks = 4, steps = 20, every = 100, exchange = 1, repeat = 3;
    bool is_plain = false;
    Cut cut = Cut::Rows;
};

[[noreturn]] void refuse(const std::string &text) {
    std::fprintf(stderr, "app_ranks: %s\n", text.c_str());
    std::exit(2);
}

int number_of(const std::string &text, const std::string &option) {
    char *end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end != 0 || value < 0 || value > 1000000000) {
        refuse(option + " takes a number of 0 or more, not " + text);
    }
    return static_cast<int>(value);
}

Options options_of(int argc, char **argv) {
    Options options;
    std::map<std::string, int *> numbers = {{"--ranks", &options.ranks},
                                            {"--steps", &options.steps},
                                            {"--every", &options.every},
                                            {"--exchange", &options.exchange},
                                            {"--repeat", &options.repeat}};
    std::map<std::string, std::string *> texts = {{"--checkpoint", &options.checkpoint}, {"--output", &options.output}};
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        const auto next = [&]() -> std::string { return i + 1 < argc ? argv[++i] : ""; };
        if (numbers.count(word) > 0) {
            *numbers[word] = number_of(next(), word);
        } else if (texts.count(word) > 0) {
            *texts[word] = next();
        } else if (word == "--size") {
            std::istringstream sizes(next());
            for (std::string part; std::getline(sizes, part, 'x');) {
                options.size.push_back(number_of(part, word));
            }
        } else if (word == "--blocks") {
            options.cut = Cut::Blocks;
        } else if (word == "--plain") {
            options.is_plain = true;
        } else if (options.name.empty() && word[0] != '-') {
            options.name = word;
        } else {
            refuse("the option " + word + " is none; see apps/ranks/program.cpp");
        }
    }
    if (options.name.empty()) {
        refuse("name an application or a simulation first");
    }
    return options;
}

// ---- Numbers that all ranks know.

/// A number of each rank, on every rank: an image with an element for each, realized as a whole.
class Gather {
  public:
    explicit Gather(int count) : count_(count), own_(count, "own") {
        Var i("i");
        values_(i) = own_(i);
        own_.set_domain(i);
        own_.placement().distribute(i);
        values_.compile_jit();
    }
    void allocate() { own_.allocate(); } // on each rank

    std::vector<uint64_t> operator()(uint64_t own) {
        own_(0) = own;
        Buffer<uint64_t> all = values_.realize({count_});
        return {all.data(), all.data() + count_};
    }

  private:
    int count_;
    DistributedImage<uint64_t> own_;
    Func values_{"values"};
};

std::unique_ptr<Gather> gather; // of the run

uint64_t sum_of_ranks(uint64_t own) {
    uint64_t sum = 0;
    for (const uint64_t value : (*gather)(own)) {
        sum += value;
    }
    return sum;
}
double most_of_ranks(double own) { // of times
    uint64_t most = 0;
    for (const uint64_t value : (*gather)(static_cast<uint64_t>(own * 1e12))) {
        most = std::max(most, value);
    }
    return static_cast<double>(most) * 1e-12;
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// ---- Images.

/// A picture: gradients and stripes in the range of the type.
template <typename T> T start_at(const int *at, int dimensions) {
    uint32_t value = 17;
    for (int d = 0; d < dimensions; d++) {
        value = value * 31 + static_cast<uint32_t>(at[d] / (d + 2));
    }
    return std::is_floating_point_v<T> ? static_cast<T>(value % 1024 / 1024.0) : static_cast<T>(value % 1024);
}

template <typename T> uint64_t bits_of(const int *at, int dimensions, T value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    for (int d = 0; d < dimensions; d++) {
        bits = (bits ^ static_cast<uint64_t>(at[d])) * 0x9E3779B97F4A7C15;
        bits ^= bits >> 29;
    }
    return bits;
}

/// Of the elements that this rank has.
template <typename T> uint64_t bits_of(const DistributedImage<T> &image) {
    const Buffer<T> part = image.get_buffer();
    uint64_t sum = 0;
    part.for_each_element([&](const int *at) {
        std::vector<int> point(at, at + part.dimensions());
        sum += image.mine(point) ? bits_of(at, part.dimensions(), part(at)) : 0;
    });
    return sum;
}

template <typename T> void place(DistributedImage<T> &image, Cut cut) {
    const std::vector<Var> all = {Var("x"), Var("y"), Var("c"), Var("d")};
    image.set_domain({all.begin(), all.begin() + image.dimensions()});
    if (image.dimensions() == 1) {
        image.placement().distribute(all[0]);
    } else {
        cut == Cut::Rows ? image.placement().distribute(all[1]) : image.placement().distribute(all[0], all[1]);
    }
}

void print_lines(const std::string &name, const std::vector<std::string> &lines) {
    std::printf("%s: %zu added lines of schedule\n", name.c_str(), lines.size());
    for (const std::string &line : lines) {
        std::printf("    %s\n", line.c_str());
    }
}

/// Prints what each rank has, one after the other.
void print_ranks(const RankReport &report) {
    if (report.rank == 0) {
        std::printf("%6s %14s %18s %10s %14s\n", "rank", "bytes of parts", "with what it gets", "messages",
                    "bytes sent");
    }
    for (int rank = 0; rank < report.ranks; rank++) {
        if (rank == report.rank) {
            std::printf("%6d %14lld %18lld %10lld %14lld\n", rank, static_cast<long long>(report.bytes_owned),
                        static_cast<long long>(report.bytes_allocated), static_cast<long long>(report.messages),
                        static_cast<long long>(report.bytes_sent));
            std::fflush(stdout);
        }
        (void)sum_of_ranks(0); // in order
    }
}

void print_time(const Options &options, const char *what, double time, uint64_t bits, int count) {
    std::printf("%s on %d ranks: %.3f ms for one %s, bits %016llx\n", options.name.c_str(), count, time * 1e3, what,
                static_cast<unsigned long long>(bits));
    std::fflush(stdout);
}

/// The fastest of some calls, of the slowest rank.
template <typename Call, typename Most> double fastest(int repeat, const Call &call, const Most &most) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= repeat; i++) { // the first one plans and touches memory
        (void)most(0);
        const double begin = seconds();
        call();
        const double time = most(seconds() - begin);
        best = i == 0 ? best : std::min(best, time);
    }
    return best;
}

// ---- Applications.

/// What ranks share if they are threads: the pipeline and the images.
template <typename In, typename Out> struct SharedApp {
    apps::OnRanks app;
    DistributedImage<In> in;
    DistributedImage<Out> out;

    SharedApp(apps::OnRanks made, Cut cut)
        : app(std::move(made)), in(app.input, app.input_sizes), out(app.output_sizes, "result") {
        place(in, cut);
        place(out, cut);
        app.output.compile_jit();
    }

    void run(const Options &options) {
        in.allocate(app.output, out);
        out.allocate();
        Buffer<In> part = in.get_buffer();
        part.for_each_element([&](const int *at) { part(at) = start_at<In>(at, part.dimensions()); });
        const double time = fastest(options.repeat, [&] { app.output.realize(out); }, most_of_ranks);
        print_ranks(explain_ranks(app.output, out));
        const uint64_t bits = sum_of_ranks(bits_of(out));
        if (!options.output.empty()) {
            out.write(options.output);
        }
        if (ranks().rank == 0) {
            print_time(options, "run", time, bits, ranks().count);
        }
    }
};

template <typename In, typename Out> void run_plain(const Options &options, apps::OnRanks app) {
    Buffer<In> in(app.input_sizes);
    Buffer<Out> out(app.output_sizes);
    in.for_each_element([&](const int *at) { in(at) = start_at<In>(at, in.dimensions()); });
    app.input.set(in);
    app.output.compile_jit();
    const double time = fastest(options.repeat, [&] { app.output.realize(out); }, [](double own) { return own; });
    uint64_t bits = 0;
    out.for_each_element([&](const int *at) { bits += bits_of(at, out.dimensions(), out(at)); });
    print_time(options, "run", time, bits, 0);
}

void on_ranks(const Options &options, const std::function<void()> &body) {
    const auto with_gather = [&] {
        gather->allocate();
        body();
    };
#ifdef RANKS_OF_MPI
    (void)options;
    gather = std::make_unique<Gather>(ranks().count);
    with_gather();
    gather.reset();
#else
    gather = std::make_unique<Gather>(options.ranks);
    run_on_ranks(options.ranks, with_gather);
#endif
}

/// Rank 0 of processes, and the only process of threads.
bool is_first() {
#ifdef RANKS_OF_MPI
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
#else
    return true;
#endif
}

template <typename In, typename Out> void run_with(const Options &options, apps::OnRanks made) {
    if (options.is_plain) {
        run_plain<In, Out>(options, std::move(made));
        return;
    }
    if (is_first()) {
        print_lines(options.name, made.lines);
    }
    SharedApp<In, Out> shared(std::move(made), options.cut);
    on_ranks(options, [&] { shared.run(options); });
}

void run_app(const Options &options, const apps::RankedApp &app) {
    const std::vector<int> size = options.size.empty() ? std::vector{1024, 768} : options.size;
    if (size.size() != 2 || size[0] < 1 || size[1] < 1) {
        refuse("--size of an application is WxH");
    }
    apps::OnRanks made = app.make(size[0], size[1], apps::Schedule::Hand, options.is_plain ? Cut::None : options.cut);
    const Type in = made.input.type(), out = made.output.types()[0];
    if (in == Float(32) && out == Float(32)) {
        run_with<float, float>(options, std::move(made));
    } else if (in == UInt(16) && out == UInt(8)) {
        run_with<uint16_t, uint8_t>(options, std::move(made));
    } else if (in == UInt(16) && out == UInt(16)) {
        run_with<uint16_t, uint16_t>(options, std::move(made));
    } else if (in == UInt(8) && out == UInt(8)) {
        run_with<uint8_t, uint8_t>(options, std::move(made));
    } else {
        refuse("elements of " + options.name + " have types that this program does not know");
    }
}

// ---- Simulations.

template <typename T> void run_simulation(const Options &options, const apps::RankedSimulation &simulation) {
    const std::vector<int> size = options.size.empty() ? std::vector{64, 64, 64} : options.size;
    if (size.size() != 3 || *std::min_element(size.begin(), size.end()) < 1) {
        refuse("--size of a simulation is WxHxD");
    }
    apps::Simulation made = simulation.make(apps::Schedule::Hand);
    if (is_first()) {
        print_lines(options.name, made.lines);
    }
    std::vector<DistributedImage<T>> now, next;
    std::vector<Var> domain = {Var("x"), Var("y"), Var("z")};
    for (const ImageParam &field : made.fields) {
        now.emplace_back(field, size);
        next.emplace_back(size, "next_" + field.name());
        for (DistributedImage<T> *image : {&now.back(), &next.back()}) {
            image->set_domain(domain);
            image->placement().distribute(domain[0], domain[1], domain[2]);
        }
    }
    on_ranks(options, [&] {
        std::vector<StepField> fields;
        for (size_t f = 0; f < now.size(); f++) {
            now[f].allocate();
            next[f].allocate();
            Buffer<T> part = now[f].get_buffer();
            part.for_each_element([&](const int *at) {
                part(at) = static_cast<T>(simulation.start(static_cast<int>(f), double(at[0]) / size[0],
                                                           double(at[1]) / size[1], double(at[2]) / size[2]));
            });
            fields.push_back({now[f], next[f]});
        }
        const Pipeline step = made.step.pipeline();
        StepOptions steps;
        steps.steps_per_exchange = options.exchange;
        run_steps(step, fields, steps); // compiles and plans
        steps.steps = options.steps, steps.checkpoint = options.checkpoint, steps.steps_between = options.every;
        (void)most_of_ranks(0);
        const double begin = seconds();
        run_steps(step, fields, steps);
        const double time = most_of_ranks(seconds() - begin) / std::max(1, options.steps);
        uint64_t bits = 0;
        std::vector<Buffer<>> outputs;
        for (const DistributedImage<T> &field : now) {
            bits += sum_of_ranks(bits_of(field)) * (outputs.size() + 1);
            outputs.push_back(next[outputs.size()].get_buffer());
        }
        print_ranks(explain_ranks(step, Realization(outputs)));
        if (!options.output.empty()) {
            now[0].write(options.output);
        }
        if (ranks().rank == 0) {
            print_time(options, "step", time, bits, ranks().count);
        }
    });
}

void run(const Options &options) {
    for (const apps::RankedSimulation &simulation : apps::ranked_simulations()) {
        if (options.name == simulation.name) {
            options.name == "heat" ? run_simulation<float>(options, simulation)
                                   : run_simulation<double>(options, simulation);
            return;
        }
    }
    for (const apps::RankedApp &app : apps::ranked_apps()) {
        if (options.name == app.name) {
            run_app(options, app);
            return;
        }
    }
    refuse("there is no application or simulation " + options.name);
}

} // namespace

int main(int argc, char **argv) {
#ifdef RANKS_OF_MPI
    MPI_Init(&argc, &argv);
#endif
    int code = 0;
    try {
        run(options_of(argc, argv));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "app_ranks: %s\n", error.what());
        code = 2;
    }
#ifdef RANKS_OF_MPI
    if (code != 0) {
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    MPI_Finalize();
#endif
    return code;
}
