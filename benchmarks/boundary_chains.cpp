// What conditions at boundaries cost in chains of sweeps: five 5-point sweeps over a square, five 7-point sweeps over
// a cube of floats. Each stage is read by the next one as it is (from a larger input), through a plain clamp, and
// through each of BoundaryConditions. The square is worked on in strips of 625 rows, the cube in tiles of 64 rows that
// move through all planes; each stage is computed inside the loop that moves on, and kept as long as a window needs it.
// Beside each stands hand-written C on the same strips, with circles of four rows (planes) for each stage, and edges
// apart. What repeats is computed beyond the edges, as the values are the same there. All programs run by turns, and
// the results of both sides are compared.
#include "benchmarks/vector_loop.h"
#include "benchmarks/vectors.h"
#include "fluorite/fluorite.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

using namespace fluorite;

namespace {

constexpr int steps = 5, strip = 625, tile = 64;
constexpr float outside = 0.75f; // of constant_exterior

enum class Rule : uint8_t { None, Clamp, RepeatEdge, Constant, MirrorImage, MirrorInterior, RepeatImage };
constexpr int rules = 7;
constexpr const char *names[rules] = {"no condition", "clamp",           "repeat_edge", "constant_exterior",
                                      "mirror_image", "mirror_interior", "repeat_image"};

// ---- Ours.

Func continued(const Func &stage, Rule rule, const Region &box) {
    switch (rule) {
    case Rule::None:
        return stage;
    case Rule::Clamp: {
        std::vector<Var> vars(box.size());
        std::vector<Expr> clamped;
        for (size_t d = 0; d < box.size(); d++) {
            clamped.push_back(clamp(vars[d], 0, box[d].extent - 1));
        }
        Func result("clamped");
        result(vars) = stage(clamped);
        return result;
    }
    case Rule::RepeatEdge:
        return BoundaryConditions::repeat_edge(stage, box);
    case Rule::Constant:
        return BoundaryConditions::constant_exterior(stage, outside, box);
    case Rule::MirrorImage:
        return BoundaryConditions::mirror_image(stage, box);
    case Rule::MirrorInterior:
        return BoundaryConditions::mirror_interior(stage, box);
    case Rule::RepeatImage:
        break;
    }
    return BoundaryConditions::repeat_image(stage, box);
}

Func chain(const ImageParam &input, int dimensions, Rule rule) {
    Var x("x"), y("y"), z("z"), outer("outer"), inner("inner");
    Region box;
    for (int d = 0; d < dimensions; d++) {
        box.emplace_back(0, input.dim(d).extent());
    }
    std::vector<Func> stages;
    Func before = continued(input, rule, box);
    for (int s = 0; s < steps; s++) {
        Func f("sweep" + std::to_string(s));
        if (dimensions == 2) {
            f(x, y) =
                0.2f * (((before(x, y) + before(x - 1, y)) + (before(x + 1, y) + before(x, y - 1))) + before(x, y + 1));
        } else {
            f(x, y, z) =
                0.125f * (((before(x, y, z) + before(x - 1, y, z)) + (before(x + 1, y, z) + before(x, y - 1, z))) +
                          ((before(x, y + 1, z) + before(x, y, z - 1)) + before(x, y, z + 1)));
        }
        f.vectorize(x, 16);
        stages.push_back(f);
        before = s + 1 < steps ? continued(f, rule, box) : f;
    }
    Func last = stages.back();
    if (dimensions == 2) {
        last.split(y, outer, inner, strip).parallel(outer);
    } else {
        last.split(y, outer, inner, tile).reorder(inner, z, outer).reorder(x, inner).parallel(outer);
    }
    last.stream_stores();
    stages.pop_back();
    for (Func &stage : stages) {
        stage.store_at(last, outer).compute_at(last, dimensions == 2 ? inner : z);
    }
    last.compile_jit();
    return last;
}

// ---- By hand.

/// Where the rule finds what stands at `at`; -1: nowhere.
int found_at(int at, int size, Rule rule) {
    if (at >= 0 && at < size) {
        return at;
    }
    switch (rule) {
    case Rule::Constant:
        return -1;
    case Rule::MirrorImage:
        return at < 0 ? -1 - at : 2 * size - 1 - at;
    case Rule::MirrorInterior:
        return at < 0 ? -at : 2 * size - 2 - at;
    case Rule::RepeatImage:
        return at < 0 ? at + size : at - size;
    default:
        return std::clamp(at, 0, size - 1);
    }
}

bool computes_beyond(Rule rule) { return rule == Rule::None || rule == Rule::RepeatImage; }

/// One row of a sweep; `beside` it are its neighbours in the other dimensions: 2 of a square, 4 of a cube.
template <int dimensions>
void sweep_row(const float *row, const std::array<const float *, 4> &beside, float *out, int begin, int end, int size,
               Rule rule, bool streams) {
    const auto [up, down, before, after] = beside;
    const auto point = [&](int x, float left, float right) {
        if constexpr (dimensions == 2) {
            out[x] = 0.2f * (((row[x] + left) + (right + up[x])) + down[x]);
        } else {
            out[x] = 0.125f * (((row[x] + left) + (right + up[x])) + ((down[x] + before[x]) + after[x]));
        }
    };
    const auto edge = [&](int x) {
        const int at = found_at(x, size, rule);
        return at < 0 ? outside : row[at];
    };
    int x = begin;
    if (rule != Rule::None) {
        point(0, edge(-1), size > 1 ? row[1] : edge(1));
        if (size > 1) {
            point(size - 1, row[size - 2], edge(size));
        }
        x++, end--;
    }
    if (streams) {
        for (; x < end && reinterpret_cast<uintptr_t>(out + x) % 64 != 0; x++) {
            point(x, row[x - 1], row[x + 1]);
        }
        x = stream_vectors(out, x, end, [=](int i) {
            const auto at = [i](const float *p) { return load_vector(p + i); };
            const Vector first = (at(row) + at(row - 1)) + (at(row + 1) + at(up));
            if constexpr (dimensions == 2) {
                return 0.2f * (first + at(down));
            } else {
                return 0.125f * (first + ((at(down) + at(before)) + at(after)));
            }
        });
    }
    VECTOR_LOOP
    for (; x < end; x++) {
        point(x, row[x - 1], row[x + 1]);
    }
}

/// The chain over rows (and of a cube all planes) from `first` to `last`, in circles of one thread.
template <int dimensions> class HandStrip {
  public:
    HandStrip(const float *input, float *output, int size, Rule rule, int first, int last)
        : input_(input), output_(output), size_(size), rule_(rule), first_(first), last_(last),
          margin_(rule == Rule::None ? steps : 0), nowhere_(static_cast<size_t>(size + 2 * steps), outside),
          circles_(static_cast<size_t>(steps) * 4 * plane()) {}

    void run() {
        // Level t computes slice s - t + 1, which needs slices up to s - t + 2 of the level before.
        const int begin = dimensions == 2 ? first_ : 0, end = dimensions == 2 ? last_ : size_;
        for (int s = begin - steps + 1; s < end + steps - 1; s++) {
            for (int t = 1; t <= steps; t++) {
                const int at = s - t + 1, halo = steps - t;
                const int low = computes_beyond(rule_) ? begin - halo : std::max(begin - halo, 0);
                const int high = computes_beyond(rule_) ? end + halo : std::min(end + halo, size_);
                if (at >= low && at < high) {
                    slice(t, at);
                }
            }
        }
    }

  private:
    const float *input_;
    float *output_;
    int size_;
    Rule rule_;
    int first_, last_, margin_;
    std::vector<float> nowhere_, circles_;

    size_t pitch() const { return static_cast<size_t>(size_ + 2 * steps + 15) / 16 * 16; }
    size_t plane() const { return (dimensions == 2 ? 1 : static_cast<size_t>(last_ - first_ + 2 * steps)) * pitch(); }

    float *kept(int t, int y, int z) {
        const int slice = dimensions == 2 ? y : z, row = dimensions == 2 ? 0 : y - first_ + steps;
        return circles_.data() + (static_cast<size_t>(t - 1) * 4 + static_cast<size_t>(slice & 3)) * plane() +
               static_cast<size_t>(row) * pitch() + steps;
    }

    const float *row_of(int t, int y, int z) {
        const bool as_it_is = t > 0 ? computes_beyond(rule_) : rule_ == Rule::None;
        const int row = as_it_is ? y : found_at(y, size_, rule_);
        const int slice = as_it_is || dimensions == 2 ? z : found_at(z, size_, rule_);
        if (!as_it_is && (row < 0 || slice < 0)) {
            return nowhere_.data() + steps;
        }
        if (t > 0) {
            return kept(t, row, slice);
        }
        const size_t width = static_cast<size_t>(size_ + 2 * margin_);
        const size_t slices = dimensions == 2 ? 0 : static_cast<size_t>(slice + margin_);
        return input_ + (slices * width + static_cast<size_t>(row + margin_)) * width + margin_;
    }

    void slice(int t, int at) {
        if (dimensions == 2) {
            return row(t, at, 0);
        }
        const int halo = steps - t;
        const int low = computes_beyond(rule_) ? first_ - halo : std::max(first_ - halo, 0);
        const int high = computes_beyond(rule_) ? last_ + halo : std::min(last_ + halo, size_);
        for (int y = low; y < high; y++) {
            row(t, y, at);
        }
    }

    void row(int t, int y, int z) {
        const size_t line = (dimensions == 2 ? 0 : static_cast<size_t>(z)) * static_cast<size_t>(size_);
        float *out = t < steps ? kept(t, y, z) : output_ + (line + static_cast<size_t>(y)) * static_cast<size_t>(size_);
        std::array<const float *, 4> beside = {row_of(t - 1, y - 1, z), row_of(t - 1, y + 1, z), nullptr, nullptr};
        if (dimensions == 3) {
            beside[2] = row_of(t - 1, y, z - 1);
            beside[3] = row_of(t - 1, y, z + 1);
        }
        const int halo = rule_ == Rule::None ? steps - t : 0;
        sweep_row<dimensions>(row_of(t - 1, y, z), beside, out, -halo, size_ + halo, size_, rule_, t == steps);
    }
};

template <int dimensions> void chain_by_hand(const Buffer<float> &in, Buffer<float> &out, Rule rule, int threads) {
    const int size = out.width(), rows = dimensions == 2 ? strip : tile;
    std::atomic<int> next = 0;
    const auto work = [&] {
        for (int first = next.fetch_add(rows); first < size; first = next.fetch_add(rows)) {
            HandStrip<dimensions>(in.data(), out.data(), size, rule, first, std::min(first + rows, size)).run();
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

// ---- Both.

/// The same values wherever the image begins.
Buffer<float> filled(const std::vector<int> &extents, int margin) {
    Buffer<float> buffer(extents);
    const size_t width = static_cast<size_t>(extents[0]), height = static_cast<size_t>(extents[1]);
    for (size_t i = 0; i < buffer.number_of_elements(); i++) {
        buffer.data()[i] = static_cast<float>((i % width * 7 + i / width % height * 13 + i / width / height * 5) % 101);
    }
    buffer.set_min(std::vector<int>(extents.size(), -margin));
    return buffer;
}

struct Program {
    std::unique_ptr<ImageParam> input;
    std::function<void()> ours, by_hand;
    double best = 1e9, best_by_hand = 1e9;
};

double seconds(const std::function<void()> &run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <int dimensions> bool measure(int size, int rounds, int threads) {
    const std::vector<int> extents(dimensions, size), wider(dimensions, size + 2 * steps);
    Buffer<float> in = filled(extents, 0), wide = filled(wider, steps), out(extents), expected(extents);
    std::vector<Program> programs(rules);
    for (int r = 0; r < rules; r++) {
        const Rule rule = static_cast<Rule>(r);
        const Buffer<float> &source = rule == Rule::None ? wide : in;
        Program &program = programs[static_cast<size_t>(r)];
        program.input = std::make_unique<ImageParam>(Float(32), dimensions, "input");
        program.input->set(source);
        program.ours = [f = chain(*program.input, dimensions, rule), out]() mutable { f.realize(out); };
        program.by_hand = [source, expected, rule, threads]() mutable {
            chain_by_hand<dimensions>(source, expected, rule, threads);
        };
    }
    bool agree = true;
    for (int round = 0; round <= rounds; round++) {
        for (int r = 0; r < rules; r++) {
            Program &program = programs[static_cast<size_t>(r)];
            const double ours = seconds(program.ours), by_hand = seconds(program.by_hand);
            if (round > 0) {
                program.best = std::min(program.best, ours);
                program.best_by_hand = std::min(program.best_by_hand, by_hand);
            } else if (std::memcmp(out.data(), expected.data(), out.size_in_bytes()) != 0) { // the first warms up
                std::printf("  DIFFERENT results: %s\n", names[r]);
                agree = false;
            }
        }
    }
    std::printf("five %d-point sweeps, %d%s floats, %d threads, least of %d rounds\n", 2 * dimensions + 1, size,
                dimensions == 2 ? "^2" : "^3", threads, rounds);
    std::printf("  %-18s %10s %10s %10s %14s %14s\n", "condition", "ours ms", "C ms", "ours / C", "ours / without",
                "C / without");
    for (int r = 0; r < rules; r++) {
        const Program &program = programs[static_cast<size_t>(r)];
        std::printf("  %-18s %10.1f %10.1f %10.2f %14.2f %14.2f\n", names[r], program.best * 1e3,
                    program.best_by_hand * 1e3, program.best / program.best_by_hand, program.best / programs[0].best,
                    program.best_by_hand / programs[0].best_by_hand);
    }
    return agree;
}

} // namespace

int main(int argc, char **argv) {
    const auto argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
    const int square = argument(1, 10000), cube = argument(2, 512), rounds = argument(3, 5);
    const int threads = argument(4, static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
    const auto is_size = [](int size, int least) { return size == 0 || size >= least; };
    if (!is_size(square, strip) || !is_size(cube, tile) || rounds < 1 || threads < 1 || argc > 5) {
        std::fprintf(stderr,
                     "bench_boundary_chains [SQUARE [CUBE [ROUNDS [THREADS]]]]: a size of 0 leaves the square or the "
                     "cube out; else it is %d or more (%d of the cube)\n",
                     strip, tile);
        return 2;
    }
    JITSharedRuntime::set_num_threads(threads);
    const bool square_agrees = square == 0 || measure<2>(square, rounds, threads);
    const bool cube_agrees = cube == 0 || measure<3>(cube, rounds, threads);
    return square_agrees && cube_agrees ? 0 : 1;
}
