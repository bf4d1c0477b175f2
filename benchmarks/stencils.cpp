// Iterated stencils from their plain definition, beside C written by hand: sweeps of the mean of 5 points over a square
// and of 7 points over a cube of floats, whose edges repeat; of the cube also single sweeps of 13 points, two on each
// side.
//
// Ours is iterate() without a schedule. The C has three forms: with clamps at every read, as the definition says; with
// edges apart and the interior in vectors that bypass the caches; and that with several steps in one pass, in strips a
// thread that overlap, from circles of four rows (of a cube: planes of a block of rows) a step. All divide by IEEE's
// rules. The programs run by turns in one process, and the results are compared bit by bit. Beside them, how fast a
// copy that bypasses the caches moves memory.
#include "benchmarks/vector_loop.h"
#include "benchmarks/vectors.h"
#include "fluorite/fluorite.h"
#include "fluorite/iterate.h"
#include "fluorite/stencil.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace fluorite;

namespace {

constexpr int block = 32; // rows of a cube that a thread takes at a time

int inside(int at, int size) { return std::min(std::max(at, 0), size - 1); }

void on_threads(int threads, int tasks, const std::function<void(int)> &run) {
    std::atomic<int> next = 0;
    const auto work = [&] {
        for (int i = next.fetch_add(1); i < tasks; i = next.fetch_add(1)) {
            run(i);
        }
    };
    std::vector<std::thread> others;
    for (int t = 1; t < threads; t++) {
        others.emplace_back(work);
    }
    work();
    for (std::thread &other : others) {
        other.join();
    }
}

// ---- C.

struct Grid {
    int width = 0, height = 0, depth = 1;
    bool is_cube() const { return depth > 1; }
    size_t points() const {
        return static_cast<size_t>(width) * static_cast<size_t>(height) * static_cast<size_t>(depth);
    }
    size_t row(int y, int z) const {
        return (static_cast<size_t>(z) * static_cast<size_t>(height) + static_cast<size_t>(y)) *
               static_cast<size_t>(width);
    }
};

/// Rows that a row of results is computed from: itself, its neighbours in the plane, and in the planes beside it.
struct Rows {
    const float *here, *up, *down, *before, *after; // the last two are null for a square
};

/// One point of a row, or a vector of them, from the first on.
template <typename Value> Value read(const float *from);
template <> float read<float>(const float *from) { return *from; }
template <> Vector read<Vector>(const float *from) { return load_vector(from); }

/// The sum in the order of the definition: planes, rows and points in ascending order.
template <bool cube, typename Value = float> Value mean(const Rows &r, int x, int left, int right) {
    const auto at = [](const float *row, int i) { return read<Value>(row + i); };
    if constexpr (cube) {
        return (at(r.before, x) + at(r.up, x) + at(r.here, left) + at(r.here, x) + at(r.here, right) + at(r.down, x) +
                at(r.after, x)) /
               7.0f;
    } else {
        return (at(r.up, x) + at(r.here, left) + at(r.here, x) + at(r.here, right) + at(r.down, x)) / 5.0f;
    }
}

template <bool cube> void sweep_row(const Rows &r, float *out, int width, bool streams) {
    out[0] = mean<cube>(r, 0, 0, std::min(1, width - 1));
    int x = 1;
    const int end = width - 1;
    if (streams) {
        for (; x < end && reinterpret_cast<uintptr_t>(out + x) % 64 != 0; x++) {
            out[x] = mean<cube>(r, x, x - 1, x + 1);
        }
        x = stream_vectors(out, x, end, [&r](int i) { return mean<cube, Vector>(r, i, i - 1, i + 1); });
    }
    VECTOR_LOOP
    for (; x < end; x++) {
        out[x] = mean<cube>(r, x, x - 1, x + 1);
    }
    if (width > 1) {
        out[width - 1] = mean<cube>(r, width - 1, width - 2, width - 1);
    }
}

template <bool cube> void sweep_with_clamps(const Grid &g, const float *in, float *out, int threads) {
    on_threads(threads, cube ? g.depth : g.height, [&](int task) {
        for (int i = 0; i < (cube ? g.height : 1); i++) {
            const int y = cube ? i : task, z = cube ? task : 0;
            const auto at = [&](int dx, int dy, int dz, int x) {
                return in[g.row(inside(y + dy, g.height), inside(z + dz, g.depth)) +
                          static_cast<size_t>(inside(x + dx, g.width))];
            };
            float *row = out + g.row(y, z);
            for (int x = 0; x < g.width; x++) {
                if constexpr (cube) {
                    row[x] = (at(0, 0, -1, x) + at(0, -1, 0, x) + at(-1, 0, 0, x) + at(0, 0, 0, x) + at(1, 0, 0, x) +
                              at(0, 1, 0, x) + at(0, 0, 1, x)) /
                             7.0f;
                } else {
                    row[x] =
                        (at(0, -1, 0, x) + at(-1, 0, 0, x) + at(0, 0, 0, x) + at(1, 0, 0, x) + at(0, 1, 0, x)) / 5.0f;
                }
            }
        }
    });
}

/// The mean of 13 points of a cube, with a clamp at each read.
void sweep_of_13_points(const Grid &g, const float *in, float *out, int threads) {
    on_threads(threads, g.depth, [&](int z) {
        for (int y = 0; y < g.height; y++) {
            for (int x = 0; x < g.width; x++) {
                float sum = 0;
                const auto add = [&](int dx, int dy, int dz) {
                    sum += in[g.row(inside(y + dy, g.height), inside(z + dz, g.depth)) +
                              static_cast<size_t>(inside(x + dx, g.width))];
                };
                add(0, 0, -2), add(0, 0, -1), add(0, -2, 0), add(0, -1, 0);
                add(-2, 0, 0), add(-1, 0, 0), add(0, 0, 0), add(1, 0, 0), add(2, 0, 0);
                add(0, 1, 0), add(0, 2, 0), add(0, 0, 1), add(0, 0, 2);
                out[g.row(y, z) + static_cast<size_t>(x)] = sum / 13.0f;
            }
        }
    });
}

/// A pass of several steps over the rows [first, last), through all planes of a cube.
template <bool cube> class Strip {
  public:
    Strip(const Grid &g, const float *in, float *out, int steps, int first, int last)
        : g_(g), in_(in), out_(out), steps_(steps), first_(first), last_(last),
          circles_(static_cast<size_t>(steps) * 4 * plane()) {}

    void run() {
        // Step t computes row (plane) s - t + 1, which needs those up to s - t + 2 of the step before.
        const int begin = cube ? 0 : std::max(first_ - steps_, 0),
                  end = cube ? g_.depth : std::min(last_ + steps_, g_.height);
        for (int s = begin; s < end + steps_; s++) {
            for (int t = 1; t <= steps_; t++) {
                const int at = s - t + 1, halo = steps_ - t;
                const int low = std::max(first_ - halo, 0), high = std::min(last_ + halo, g_.height);
                if (cube && at >= 0 && at < g_.depth) {
                    for (int y = low; y < high; y++) {
                        row(t, y, at);
                    }
                } else if (!cube && at >= low && at < high) {
                    row(t, at, 0);
                }
            }
        }
    }

  private:
    const Grid &g_;
    const float *in_;
    float *out_;
    int steps_, first_, last_;
    std::vector<float> circles_;

    size_t pitch() const { return static_cast<size_t>(g_.width + 16); }
    size_t plane() const { return (cube ? static_cast<size_t>(last_ - first_ + 2 * steps_) : 1) * pitch(); }
    float *kept(int t, int y, int z) {
        const int slice = cube ? z : y, row = cube ? y - first_ + steps_ : 0;
        return circles_.data() + (static_cast<size_t>(t - 1) * 4 + static_cast<size_t>(slice & 3)) * plane() +
               static_cast<size_t>(row) * pitch();
    }
    const float *source(int t, int y, int z) {
        y = inside(y, g_.height), z = inside(z, g_.depth);
        return t == 0 ? in_ + g_.row(y, z) : kept(t, y, z);
    }
    void row(int t, int y, int z) {
        Rows rows = {source(t - 1, y, z), source(t - 1, y - 1, z), source(t - 1, y + 1, z), nullptr, nullptr};
        if (cube) {
            rows.before = source(t - 1, y, z - 1);
            rows.after = source(t - 1, y, z + 1);
        }
        sweep_row<cube>(rows, t == steps_ ? out_ + g_.row(y, z) : kept(t, y, z), g_.width, t == steps_);
    }
};

template <bool cube> void pass(const Grid &g, const float *in, float *out, int steps, int threads) {
    const int rows = cube ? block : (g.height + threads - 1) / threads;
    on_threads(threads, (g.height + rows - 1) / rows,
               [&](int i) { Strip<cube>(g, in, out, steps, i * rows, std::min((i + 1) * rows, g.height)).run(); });
}

/// `steps` steps in passes of `together`; the result is in `out`, through `other`.
template <bool cube>
void by_hand(const Grid &g, const float *in, float *out, float *other, int steps, int together, int threads) {
    const int passes = (steps + together - 1) / together;
    const float *from = in;
    for (int p = 0; p < passes; p++) {
        float *to = (passes - 1 - p) % 2 == 0 ? out : other;
        pass<cube>(g, from, to, std::min(together, steps - p * together), threads);
        from = to;
    }
}

// ---- Ours.

using Offsets = std::vector<std::vector<int>>;

Offsets neighbours(int dimensions) {
    return dimensions == 2 ? Offsets{{0, -1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}}
                           : Offsets{{0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
}

const Offsets thirteen = {{0, 0, -2}, {0, 0, -1}, {0, -2, 0}, {0, -1, 0}, {-2, 0, 0}, {-1, 0, 0}, {0, 0, 0},
                          {1, 0, 0},  {2, 0, 0},  {0, 1, 0},  {0, 2, 0},  {0, 0, 1},  {0, 0, 2}};

Func sweeps(const ImageParam &image, const Expr &steps, const Offsets &offsets) {
    const auto mean = [](const std::vector<Expr> &a) {
        Expr sum = a[0];
        for (size_t i = 1; i < a.size(); i++) {
            sum += a[i];
        }
        return sum / static_cast<float>(a.size());
    };
    Region domain;
    for (int d = 0; d < image.dimensions(); d++) {
        domain.emplace_back(0, image.dim(d).extent());
    }
    return iterate(steps, domain, image, [&](const IterationStep &s) { return stencil(offsets, mean, s.field()); });
}

// ---- Both.

struct Program {
    std::string name;
    int steps;
    std::function<void()> run;
    double best = 1e9;
};

double seconds(const std::function<void()> &run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The bytes a second that a copy moves which bypasses the caches.
double copy_speed(const float *in, float *out, size_t count, int threads) {
    constexpr size_t piece = 1 << 20;
    const double time = seconds([&] {
        on_threads(threads, static_cast<int>(count / piece), [&](int i) {
            const float *from = in + static_cast<size_t>(i) * piece;
            float *to = out + static_cast<size_t>(i) * piece;
            stream_vectors(to, 0, static_cast<int>(piece), [from](int k) { return load_vector(from + k); });
        });
    });
    return 8.0 * static_cast<double>(count / piece * piece) / time;
}

template <bool cube> bool measure(int size, int rounds, int threads, int many) {
    const Grid g{size, size, cube ? size : 1};
    const std::vector<int> extents(cube ? 3 : 2, size);
    Buffer<float> in(extents), out(extents), expected(extents), other(extents);
    for (size_t i = 0; i < g.points(); i++) {
        in.data()[i] = static_cast<float>(i * 2654435761U >> 8 & 1023) / 1024;
    }
    ImageParam image(Float(32), cube ? 3 : 2, "image");
    image.set(in);
    Param<int> steps("steps");
    const Offsets offsets = neighbours(cube ? 3 : 2);
    Func single = sweeps(image, 1, offsets), five = sweeps(image, 5, offsets), any = sweeps(image, steps, offsets);
    const auto c = [&](int count, int together) {
        by_hand<cube>(g, in.data(), expected.data(), other.data(), count, together, threads);
    };
    std::vector<Program> programs = {
        {"C, clamp at each read", 1, [&] { sweep_with_clamps<cube>(g, in.data(), other.data(), threads); }},
        {"C, edges apart", 1, [&] { c(1, 1); }},
        {"ours", 1, [&] { single.realize(out); }},
        {"C, 5 steps a pass", 5, [&] { c(5, 5); }},
        {"ours, 5 steps", 5, [&] { five.realize(out); }},
    };
    if (many > 0) {
        constexpr int together = cube ? 5 : 10;
        programs.push_back({"C, " + std::to_string(together) + " steps a pass", many, [&] { c(many, together); }});
        programs.push_back({"ours, any number of steps", many, [&] {
                                steps.set(many);
                                any.realize(out);
                            }});
    }
    Func far;
    bool agree = true;
    if constexpr (cube) {
        far = sweeps(image, 1, thirteen);
        sweep_of_13_points(g, in.data(), expected.data(), threads);
        far.realize(out);
        agree = std::memcmp(out.data(), expected.data(), out.size_in_bytes()) == 0;
        std::printf("%s", agree ? "" : "  DIFFERENT results: ours, 13 points\n");
        programs.push_back({"ours, 13 points", 1, [&] { far.realize(out); }});
    }
    double copied = 0;
    for (int round = 0; round <= rounds; round++) {
        copied = std::max(copied, copy_speed(in.data(), other.data(), g.points(), threads));
        for (size_t i = 0; i < programs.size(); i++) {
            Program &program = programs[i];
            const double time = seconds(program.run);
            program.best = round > 0 ? std::min(program.best, time) : program.best; // the first one warms up
            if (round == 0 && program.name.starts_with("ours") && program.name.find("13") == std::string::npos &&
                std::memcmp(out.data(), expected.data(), out.size_in_bytes()) != 0) {
                std::printf("  DIFFERENT results: %s\n", program.name.c_str());
                agree = false;
            }
        }
    }
    const double bound = 8.0 * static_cast<double>(g.points()) / copied;
    std::printf(
        "mean of %d points, %d%s floats, %d threads, least of %d rounds; a copy moves %.1f GB/s: %.1f ms a sweep\n",
        cube ? 7 : 5, size, cube ? "^3" : "^2", threads, rounds, copied * 1e-9, bound * 1e3);
    std::printf("  %-28s %6s %10s %10s %10s\n", "", "steps", "ms", "ms/step", "Gpoints/s");
    for (const Program &program : programs) {
        std::printf("  %-28s %6d %10.1f %10.2f %10.2f\n", program.name.c_str(), program.steps, program.best * 1e3,
                    program.best * 1e3 / program.steps,
                    static_cast<double>(g.points()) * program.steps / program.best * 1e-9);
    }
    std::printf("  single sweep: %.2f of the copy's speed, %.2f of C; five: %.2f of C's time, %.2f of clamped reads\n",
                bound / programs[2].best, programs[2].best / programs[1].best, programs[4].best / programs[3].best,
                programs[4].best / (5 * programs[0].best));
    if (cube) {
        std::printf("  single sweep of 13 points: %.2f of the copy's speed\n", bound / programs.back().best);
    }
    return agree;
}

} // namespace

int main(int argc, char **argv) {
    const auto argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
    const int square = argument(1, 10000), cube = argument(2, 512), rounds = argument(3, 3), many = argument(4, 100);
    const int threads = argument(5, static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
    if (square < 0 || cube < 0 || rounds < 1 || many < 0 || threads < 1 || argc > 6) {
        std::fprintf(stderr,
                     "bench_stencils [SQUARE [CUBE [ROUNDS [STEPS [THREADS]]]]]: a size of 0 leaves the square or "
                     "the cube out; STEPS of the long runs, 0 for none\n");
        return 2;
    }
    JITSharedRuntime::set_num_threads(threads);
    const bool square_agrees = square == 0 || measure<false>(square, rounds, threads, many);
    const bool cube_agrees = cube == 0 || measure<true>(cube, rounds, threads, many);
    return square_agrees && cube_agrees ? 0 : 1;
}
