// Iterations on ranks: the bits of one machine, for every number of ranks, layout, boundary rule and number of steps.
#include "driver/on_ranks/test_images.h"
#include "fluorite/iterate.h"
#include "fluorite/stencil.h"

#include <array>
#include <cstring>

namespace fluorite::distributed_iterations_test {
namespace {

using namespace driver::testing;

/// What a program defines over an image; sizes are those of the image.
using Define = std::function<Func(const Func &in)>;

/// Realizes the definition over a whole image.
template <typename T> Buffer<T> on_one_machine(const Define &define, int w, int h) {
    const Buffer<T> in = filled<T>(w, h);
    Var x("x"), y("y");
    Func source("source");
    source(x, y) = in(x, y);
    return Buffer<T>(define(source).realize({w, h}));
}

/// Compares ranks with one machine. All ranks share the pipeline.
template <typename T>
void expect_same_on(const std::vector<int> &counts, const Define &define, int w, int h, const Place &place,
                    const std::string &what) {
    const Buffer<T> expected = on_one_machine<T>(define, w, h);
    Var x("x"), y("y");
    ImageParam image(type_of<T>(), 2, "image");
    Func source("source");
    source(x, y) = image(x, y);
    Func result = define(source);
    for (const int count : counts) {
        std::atomic<int> points = 0, wrong = 0;
        DistributedImage<T> in(image, {w, h}), out(w, h, "out");
        for (DistributedImage<T> *each : {&in, &out}) {
            each->set_domain(x, y);
            place(each->placement(), x, y);
        }
        run_on_ranks(count, [&] {
            count % 2 == 0 ? in.allocate() : in.allocate(result, out);
            out.allocate();
            fill(in);
            result.realize(out);
            compare(out, expected, points, wrong);
        });
        EXPECT_EQ(points, w * h) << what;
        EXPECT_EQ(wrong, 0) << count << " ranks, " << what;
    }
}

const std::vector<int> all_counts = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};

Func diffused(const Func &source, const Expr &steps, int w, int h, const StencilBoundary &boundary) {
    return iterate(steps, {{0, w}, {0, h}}, source, [&](const IterationStep &s) {
        return stencil_2d(
            {{0, -1}, {-1, 0}, {0, 0}, {2, 0}, {0, 1}},
            [](const std::vector<Expr> &a) { return (a[0] + a[1] * 2 + a[2] + a[3] + a[4]) / 6; }, s.field(), boundary);
    });
}

TEST(DistributedIteration, GivesTheBitsOfOneMachineOnEveryNumberOfRanks) {
    const int w = 23, h = 19;
    const auto define = [&](const Func &source) { return diffused(source, 7, w, h, StencilBoundary::edge()); };
    expect_same_on<float>(all_counts, define, w, h, by_rows, "rows");
    expect_same_on<float>(all_counts, define, w, h, by_grid, "grid");
}

TEST(DistributedIteration, HasAnyBoundaryRuleAndNumberOfSteps) {
    const int w = 13, h = 11;
    const std::vector<std::pair<const char *, StencilBoundary>> rules = {
        {"edge", StencilBoundary::edge()},     {"zero", StencilBoundary::zero()},
        {"wrap", StencilBoundary::wrap()},     {"constant", StencilBoundary::constant(7)},
        {"mirror", StencilBoundary::mirror()}, {"interior", StencilBoundary::mirror_interior()}};
    for (const auto &[name, rule] : rules) {
        for (const int steps : name == std::string("wrap") ? std::vector{0, 5} : std::vector{4}) {
            const auto define = [&, &rule = rule](const Func &source) { return diffused(source, steps, w, h, rule); };
            const std::string what = std::string(name) + ", " + std::to_string(steps) + " steps";
            expect_same_on<int32_t>({1, 2, 5, 12}, define, w, h, steps == 0 ? by_rows : by_grid, what);
        }
    }
}

TEST(DistributedIteration, MayBeSmallerThanTheRanksAndHaveNoPoints) {
    for (const auto &[w, h] : {std::pair(1, 1), {2, 5}}) {
        const auto define = [w = w, h = h](const Func &source) {
            return diffused(source, 3, w, h, StencilBoundary::wrap());
        };
        expect_same_on<float>({1, 3, 9}, define, w, h, by_grid, std::to_string(w) + " x " + std::to_string(h));
    }
    std::atomic<int> runs = 0;
    run_on_ranks(3, [&] {
        Var x("x"), y("y");
        DistributedImage<float> in(4, 4, "in"), out(4, 4, "out");
        Param<int> extent("extent");
        Func source("source"), result("result");
        source(x, y) = in(x, y);
        const Func none = iterate(2, {{0, extent}, {0, 4}}, source, [&](const IterationStep &s) {
            Func next("next");
            next(x, y) = s.field()(x, y) + 1;
            return next;
        });
        result(x, y) = select(extent > 0, none(clamp(x, 0, max(extent - 1, 0)), y), 5.0F);
        extent.set(4);
        allocate<float>({&in, &out}, x, y);
        fill(in);
        result.realize(out);
        for (int j = 0; j < out.height(); j++) {
            runs += out(0, j) == in(0, j) + 2 ? 1 : 0;
        }
    });
    EXPECT_EQ(runs, 4);
}

// Two fields of different types, of which the step before is read as well.
TEST(DistributedIteration, HasSeveralFieldsAndTwoPastSteps) {
    const int w = 17, h = 14;
    for (const int steps : {1, 6}) {
        const auto define = [&](const Func &source) {
            Var x("x"), y("y");
            Func initial("initial"), before("before"), sum("sum");
            initial(x, y) = {source(x, y), cast<uint8_t>(x + 3 * y)};
            before(x, y) = {source(x, y) - 1, cast<uint8_t>(x * y)};
            IterateOptions options;
            options.before = before;
            const Func wave = iterate(
                steps, {{0, w}, {0, h}}, initial,
                [&](const IterationStep &s) {
                    const Func u = BoundaryConditions::repeat_edge(s.field(0));
                    const Func v = BoundaryConditions::constant_exterior(s.field(1), cast<uint8_t>(9));
                    const Func old = BoundaryConditions::mirror_image(s.past(1));
                    Func next("next");
                    next(x, y) = {u(x - 1, y) + u(x, y + 1) - s.past(0)(x, y) + cast<float>(s.t) / 8,
                                  cast<uint8_t>(v(x + 1, y) + old(x, y - 2) + cast<uint8_t>(s.t))};
                    return next;
                },
                options);
            sum(x, y) = wave(x, y)[0] + cast<float>(wave(x, y)[1]);
            return sum;
        };
        expect_same_on<float>({1, 2, 4, 7, 17}, define, w, h, by_grid, std::to_string(steps) + " steps");
    }
}

/// Two fields, one of which is read two steps back; the number of the step matters.
Func tiled_wave(const Func &source, int steps, int together, int w, int h, const StencilBoundary &boundary) {
    Var x("x"), y("y");
    Func initial("initial"), before("before"), first("first");
    initial(x, y) = {source(x, y), x * 5 + y};
    before(x, y) = {source(x, y) / 2, y - x};
    IterateOptions options;
    options.before = before;
    Iterated wave = iterate(
        steps, {{0, w}, {0, h}}, initial,
        [&](const IterationStep &s) {
            const auto sum = [](const std::vector<Expr> &a) { return a[0] * 2 + a[1] - a[2]; };
            const Func u = stencil_2d({{-1, 0}, {0, 1}, {2, 0}}, sum, s.field(0), boundary);
            const Func v = stencil_2d({{0, -1}, {1, 0}, {0, 0}}, sum, s.past(1), boundary);
            Func next("next");
            next(x, y) = {u(x, y) - s.past(0)(x, y) + s.t, v(x, y) + s.field(0)(x, y) / 3 + s.field(1)(x, y)};
            return next;
        },
        options);
    wave.time_tile(together);
    first(x, y) = wave(x, y)[0] + wave(x, y)[1] * 7;
    return first;
}

// A time tile is a halo for several steps.
TEST(DistributedIteration, ComputesSeveralStepsForEachExchange) {
    const int w = 19, h = 16;
    for (const auto &[name, rule] : {std::pair("edge", StencilBoundary::edge()),
                                     {"wrap", StencilBoundary::wrap()},
                                     {"mirror", StencilBoundary::mirror()}}) {
        for (const auto &[steps, together] : {name[0] == 'w' ? std::pair(7, 3) : std::pair(3, 8)}) {
            const auto define = [&, &rule = rule, steps = steps, together = together](const Func &source) {
                return tiled_wave(source, steps, together, w, h, rule);
            };
            const std::string what = std::string(name) + ", " + std::to_string(together) + " together";
            expect_same_on<int32_t>({1, 2, 6, 17}, define, w, h, together % 2 == 0 ? by_rows : by_grid, what);
        }
    }
    for (const int together : {5}) {
        const auto define = [&](const Func &source) {
            Iterated heat = iterate(11, {{0, w}, {0, h}}, source, [&](const IterationStep &s) {
                return stencil_2d(
                    {{0, -1}, {-1, 0}, {1, 0}, {0, 1}},
                    [](const std::vector<Expr> &a) { return (a[0] + a[1] + a[2] + a[3]) / 4; }, s.field(),
                    StencilBoundary::wrap());
            });
            heat.time_tile(together);
            return Func(heat);
        };
        expect_same_on<float>({1, 2, 4, 9, 16}, define, w, h, by_grid, std::to_string(together) + " wrapped");
    }
}

TEST(DistributedIteration, IsExplained) {
    const int w = 12, h = 30;
    for (const int together : {1, 3}) {
        std::vector<RankReport> reports(3);
        run_on_ranks(3, [&] {
            Var x("x"), y("y");
            DistributedImage<float> in(w, h, "in"), out(w, h, "out");
            Func source("source");
            source(x, y) = in(x, y);
            Iterated heat = iterate(6, {{0, w}, {0, h}}, source, [&](const IterationStep &s) {
                const Func u = BoundaryConditions::repeat_edge(s.field());
                Func next("next");
                next(x, y) = u(x, y - 1) + u(x, y + 1);
                return next;
            });
            heat.time_tile(together);
            allocate<float>({&in, &out}, x, y);
            reports[static_cast<size_t>(ranks().rank)] = explain_ranks(heat, out);
        });
        EXPECT_EQ(reports[1].messages, 2);
        EXPECT_EQ(reports[1].bytes_sent, 2 * together * w * 4); // as many rows to each side
        EXPECT_EQ(reports[0].messages, 1);
        const std::string begin = together == 1 ? "one step of next, next on rank 1 of 3: 2 messages with 96 bytes"
                                                : "3 steps of next, next on rank 1 of 3: 2 messages with 288 bytes";
        EXPECT_EQ(reports[1].text.substr(0, begin.size()), begin) << reports[1].text;
        EXPECT_EQ(reports[1].pictures.size(), 1U);
    }
}

// Without a time tile, a model of the network chooses the steps for each exchange: few, where they cost more than
// messages.
TEST(DistributedIteration, ChoosesTheStepsForEachExchange) {
    struct Case {
        int w, h, steps;
        const char *begin;
    };
    for (const Case &each :
         {Case{12, 30, 40, "15 steps of"}, {4000, 3000, 40, "one step of"}, {12, 30, 3, "3 steps of"}}) {
        std::vector<RankReport> reports(3);
        run_on_ranks(3, [&] {
            Var x("x"), y("y");
            DistributedImage<float> in(each.w, each.h, "in"), out(each.w, each.h, "out");
            Func source("source");
            source(x, y) = in(x, y);
            const Func heat = iterate(each.steps, {{0, each.w}, {0, each.h}}, source, [&](const IterationStep &s) {
                const Func u = BoundaryConditions::repeat_edge(s.field());
                Func next("next");
                next(x, y) = u(x, y - 1) + u(x, y + 1);
                return next;
            });
            allocate<float>({&in, &out}, x, y);
            reports[static_cast<size_t>(ranks().rank)] = explain_ranks(heat, out);
        });
        for (const RankReport &report : reports) {
            EXPECT_EQ(report.text.substr(0, std::string(each.begin).size()), each.begin) << report.text;
        }
    }
}

TEST(DistributedIteration, StopsOnAllRanksTogether) {
    const int w = 16, h = 12;
    const auto define = [&](const Func &source) {
        Var x("x"), y("y");
        IterateOptions options;
        options.until = [&](const IterationStep &s, const Func &next) {
            RDom r(0, w, 0, h);
            Func change("change");
            change() = 0.0F;
            change() += abs(next(r.x, r.y) - s.field()(r.x, r.y));
            return change() < 900.0F || s.t >= 40;
        };
        return Func(iterate(
            1000, {{0, w}, {0, h}}, source,
            [&](const IterationStep &s) {
                return stencil_2d(
                    {{-1, 0}, {0, 0}, {1, 0}}, [](const std::vector<Expr> &a) { return (a[0] + a[1] + a[2]) / 3; },
                    s.field());
            },
            options));
    };
    expect_same_on<float>({1, 2, 3, 8, 17}, define, w, h, by_rows, "norm");
}

// The sum of a condition is of blocks of rows, which do not depend on the ranks; ranks exchange sums in place of the
// field.
TEST(DistributedIteration, StopsByASumThatRanksShare) {
    const int w = 16, h = 30;
    const auto define = [&](const Func &source, bool is_shared) {
        IterateOptions options;
        options.until = [=](const IterationStep &s, const Func &next) {
            RDom r(0, w, 0, h);
            Func change("change");
            change() = 0.0F;
            change() += abs(next(r.x, r.y) - s.field()(r.x, r.y)) / 3;
            change.allow_reassociation();
            if (is_shared) {
                Var u("u");
                RVar ro("ro"), ri("ri");
                Func blocks = change.update().split(r.y, ro, ri, 4).rfactor(ro, u);
                blocks.compute_root().distribute(u);
                blocks.update().distribute(u);
            }
            return change() < 300.0F || s.t >= 40;
        };
        return Func(iterate(
            1000, {{0, w}, {0, h}}, source,
            [](const IterationStep &s) {
                return stencil_2d(
                    {{-1, 0}, {0, 0}, {0, 1}}, [](const std::vector<Expr> &a) { return (a[0] + a[1] + a[2]) / 3; },
                    s.field());
            },
            options));
    };
    expect_same_on<float>(
        {1, 2, 3, 8, 17}, [&](const Func &source) { return define(source, true); }, w, h, by_rows, "norm of blocks");
    std::array<std::atomic<int64_t>, 2> bytes{}; // of a step
    for (const bool is_shared : {false, true}) {
        run_on_ranks(3, [&] {
            Var x("x"), y("y");
            DistributedImage<float> in(w, h, "in"), out(w, h, "out");
            Func source("source");
            source(x, y) = in(x, y);
            allocate<float>({&in, &out}, x, y);
            bytes[is_shared ? 1 : 0] += explain_ranks(define(source, is_shared), out).bytes_sent;
        });
    }
    EXPECT_GT(bytes[0], 2 * w * h * 4);
    EXPECT_LT(bytes[1], 1000);
}

// The result is read with a halo, and is the initial value of further steps, whose body exchanges a Func of its own.
TEST(DistributedIteration, MeetsOtherFuncsAndIterations) {
    const int w = 21, h = 18;
    for (const bool is_distributed : {false, true}) {
        const auto define = [&](const Func &source) {
            Var x("x"), y("y");
            const Func first = diffused(source, 2, w, h, StencilBoundary::edge());
            Func between("between");
            between(x, y) = first(x, y) * 2 - first(w - 1 - x, y);
            const Func second = iterate(3, {{0, w}, {0, h}}, between, [&](const IterationStep &s) {
                const Func u = BoundaryConditions::repeat_image(s.field());
                Func flux("flux"), next("next");
                flux(x, y) = u(x + 1, y) - u(x, y) + u(x, y - 1);
                next(x, y) = u(x, y) + (flux(x, y) - flux(x - 1, y) + flux(x, y + 1)) / 4;
                if (is_distributed) {
                    flux.compute_root().distribute(y);
                    next.distribute(y);
                }
                return next;
            });
            const Func around = BoundaryConditions::repeat_edge(second, {{0, w}, {0, h}});
            Func blurred("blurred");
            blurred(x, y) = around(x, y - 2) + around(x + 3, y);
            return blurred;
        };
        expect_same_on<float>({1, 2, 3, 6, 13}, define, w, h, by_rows, is_distributed ? "exchanged" : "inlined");
    }
}

TEST(DistributedIteration, IsDistributedByItsSchedule) {
    const int w = 15, h = 20;
    Buffer<int32_t> in = filled<int32_t>(w, h);
    for (const bool in_body : {false, true}) {
        const auto define = [&](bool is_distributed) {
            Var x("x"), y("y");
            Func source("source");
            source(x, y) = in(x, y);
            Func result = iterate(4, {{0, w}, {0, h}}, source, [&](const IterationStep &s) {
                const Func u = BoundaryConditions::repeat_edge(s.field());
                Func next("next");
                next(x, y) = u(x - 1, y) + u(x + 1, y + 1) * 3 - s.t;
                if (is_distributed && in_body) {
                    next.distribute(x, y).vectorize(x, 4);
                }
                return next;
            });
            if (is_distributed && !in_body) {
                result.distribute(result.args()[1]);
            }
            return result;
        };
        const Buffer<int32_t> expected(define(false).realize({w, h}));
        for (const int count : {1, 2, 5, 6}) {
            std::atomic<int> wrong = 0;
            run_on_ranks(count, [&] {
                Buffer<int32_t> whole(w, h);
                if (in_body) {
                    DistributedImage<int32_t> out(w, h, "out");
                    Var x("x"), y("y");
                    allocate<int32_t>({&out}, x, y);
                    define(true).realize(out);
                    std::atomic<int> points = 0;
                    compare(out, expected, points, wrong);
                    return;
                }
                define(true).realize(whole);
                wrong += std::memcmp(whole.data(), expected.data(), expected.size_in_bytes()) == 0 ? 0 : 1;
            });
            EXPECT_EQ(wrong, 0) << count << " ranks";
        }
    }
}

// One function for all numbers of ranks and of steps, as in an object file.
TEST(DistributedIteration, IsCompiledToAFunction) {
    const int w = 14, h = 18;
    Var x("x"), y("y");
    ImageParam image(Float(32), 2, "image");
    Param<int> steps("steps");
    Func source("source"), result("result");
    source(x, y) = image(x, y) * 2;
    Iterated heat = iterate(steps, {{0, image.width()}, {0, image.height()}}, source, [&](const IterationStep &s) {
        return stencil_2d(
            {{0, -1}, {-1, 0}, {0, 1}}, [](const std::vector<Expr> &a) { return (a[0] + a[1] + a[2]) / 3; }, s.field(),
            StencilBoundary::wrap());
    });
    heat.time_tile(2);
    result(x, y) = heat(x, y) + heat(x, 0);
    Buffer<float> in = filled<float>(w, h);
    image.set(in);
    std::vector<Buffer<float>> expected;
    for (const int count : {0, 1, 5}) {
        steps.set(count);
        expected.emplace_back(result.realize({w, h}));
    }
    image.reset();
    result.distribute(y);
    const Callable function = result.compile_to_callable({image, steps});
    for (const int ranks : {1, 2, 5}) {
        std::atomic<int> points = 0, wrong = 0;
        run_on_ranks(ranks, [&] {
            DistributedImage<float> part(w, h), out(w, h);
            allocate<float>({&part, &out}, x, y);
            fill(part);
            for (size_t i = 0; i < expected.size(); i++) {
                EXPECT_EQ(function(part.get_buffer(), std::vector{0, 1, 5}[i], out.get_buffer()), 0);
                compare(out, expected[i], points, wrong);
            }
        });
        EXPECT_EQ(points, 3 * w * h);
        EXPECT_EQ(wrong, 0) << ranks << " ranks";
    }
}

TEST(DistributedIteration, RefusesWhatItRefusesElsewhere) {
    Param<int> steps("steps");
    const auto run = [&](const Expr &extent) {
        Var x("x"), y("y");
        DistributedImage<int> in(8, 8, "in"), out(8, 8, "out");
        Func source("source");
        source(x, y) = in(x, y);
        Func result = iterate(steps, {{0, 8}, {0, extent}}, source, [&](const IterationStep &s) {
            Func next("next");
            next(x, y) = s.field()(x, y) + 1;
            return next;
        });
        allocate<int>({&in, &out}, x, y);
        result.realize(out);
    };
    steps.set(-3);
    expect_on_ranks<RuntimeError>("iterate-negative-steps",
                                  "in next: it is to run -3 steps; a number of steps is 0 or more; pass 0 or more",
                                  [&] { run(8); });
    expect_on_ranks<RuntimeError>("iterate-negative-extent",
                                  "in next: its domain has -3 points along dimension 1; an extent is 0 or more; give a "
                                  "min and an extent, not a min and a max",
                                  [&] { run(steps); });
}

} // namespace
} // namespace fluorite::distributed_iterations_test
