// Images that repeat themselves beyond their edges: ranks exchange halos around the edges, and nothing else.
#include "driver/on_ranks/test_images.h"

namespace fluorite::repeated_images_test {
namespace {

using namespace driver::testing;

const std::vector<int> all_rank_counts = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 64};

/// A step of an advection that repeats the image: reads around the point, and directly.
template <typename Image> Func advection(const Image &in, const Expr &weight = 0.25f) {
    Var x("x"), y("y");
    Func around = BoundaryConditions::repeat_image(in), step("step");
    step(x, y) = in(x, y) * 0.5f + (around(x - 1, y) - around(x + 2, y)) * weight + around(x, y - 2) * 0.125f;
    return step;
}

struct OnRanks {
    std::atomic<int> points = 0, wrong = 0;
    std::atomic<int64_t> most_messages = 0, most_bytes = 0, most_memory = 0;

    void note(const RankReport &report) {
        const auto raise = [](std::atomic<int64_t> &most, int64_t value) {
            for (int64_t known = most; known < value && !most.compare_exchange_weak(known, value);) {
            }
        };
        raise(most_messages, report.messages);
        raise(most_bytes, report.bytes_sent);
        raise(most_memory, report.bytes_allocated);
    }
};

/// Runs a pipeline over an image on so many ranks, all of which share its code.
template <typename T>
OnRanks &run_shared(int count, OnRanks &seen, const Func &pipeline, const ImageParam &source, const Buffer<T> &expected,
                    const Place &place = by_rows) {
    Var x("x"), y("y");
    const int w = expected.width(), h = expected.height();
    DistributedImage<T> in(source, {w, h}), out(w, h, "out");
    for (DistributedImage<T> *image : {&in, &out}) {
        image->set_domain(x, y);
        place(image->placement(), x, y);
    }
    run_on_ranks(count, [&] {
        in.allocate();
        out.allocate();
        fill(in);
        if (count == 3 || count == 8) { // it compiles the pipeline
            seen.note(explain_ranks(pipeline, out));
        }
        Func(pipeline).realize(out);
        compare(out, expected, seen.points, seen.wrong);
    });
    EXPECT_EQ(seen.wrong, 0) << count << " ranks";
    EXPECT_EQ(seen.points, w * h) << count << " ranks";
    return seen;
}

TEST(RepeatedImages, WrapAroundWithMessagesOfTheHaloOnly) {
    const int w = 40, h = 70;
    const Buffer<float> expected = advection(filled<float>(w, h)).realize({w, h});
    for (const Place &place : {Place(by_rows), Place(by_grid)}) {
        ImageParam source(Float(32), 2, "source");
        Func step = advection(source);
        place(step, Var("x"), Var("y"));
        for (const int count : all_rank_counts) {
            OnRanks seen;
            run_shared(count, seen, step, source, expected, place);
            if (count == 3 || count == 8) { // two rows and three columns around the part
                EXPECT_GE(seen.most_messages, 1) << count;
                EXPECT_LE(seen.most_messages, 8) << count;
                EXPECT_LE(seen.most_bytes, 4 * (2 * w + 3 * h)) << count;
            }
        }
    }
}

TEST(RepeatedImages, PartsInTheMiddleExchangeNothingAroundTheEdge) {
    run_on_ranks(5, [] {
        Var x("x"), y("y");
        DistributedImage<float> in(8, 50, "in"), out(8, 50, "out");
        Func step = advection(in);
        step.distribute(y);
        allocate<float>({&in, &out}, x, y);
        const RankReport report = explain_ranks(step, out);
        EXPECT_EQ(report.messages, 1); // two rows, upwards
        EXPECT_EQ(report.bytes_sent, 2 * 11 * 4);
        EXPECT_EQ(report.bytes_allocated, 4 * (11 * 12 + 8 * 10));
    });
}

/// Funcs between the image and the output repeat themselves as well; the edges are Params.
Func two_stages(const ImageParam &in, const Param<int> &w, const Param<int> &h) {
    Var x("x"), y("y");
    Func around = BoundaryConditions::repeat_image(in, {{0, w}, {0, h}}), first("first"), second("second");
    first(x, y) = around(x - 3, y + 1) * 3 + around(x, y);
    Func again = BoundaryConditions::repeat_image(first, {{0, w}, {0, h}});
    second(x, y) = again(x + 1, y - 2) + again(x, y) * 5 + first(x, y);
    first.compute_root().distribute(y);
    second.distribute(y);
    return second;
}

TEST(RepeatedImages, FuncsRepeatThemselvesBetweenEdgesThatAreParams) {
    const int w = 17, h = 23;
    ImageParam source(Int(32), 2, "source");
    Param<int> width("width"), height("height");
    Func result = two_stages(source, width, height);
    // Edges may be those of the image, or less: then what is repeated is another image, with memory of its own.
    for (const auto &[repeated_w, repeated_h] : {std::pair(w, h), {w, h - 4}, {w - 1, h}}) {
        width.set(repeated_w);
        height.set(repeated_h);
        Buffer<int> whole = filled<int>(w, h), expected(w, h);
        const auto at = [](int i, int n) { return ((i % n) + n) % n; };
        const auto first = [&](int i, int j) {
            return whole(at(i - 3, repeated_w), at(j + 1, repeated_h)) * 3 +
                   whole(at(i, repeated_w), at(j, repeated_h));
        };
        expected.for_each_element([&](int i, int j) {
            expected(i, j) = first(at(i + 1, repeated_w), at(j - 2, repeated_h)) +
                             first(at(i, repeated_w), at(j, repeated_h)) * 5 + first(i, j);
        });
        for (const int count : {1, 2, 3, 8, 31}) {
            OnRanks seen;
            run_shared(count, seen, result, source, expected);
        }
    }
}

TEST(RepeatedImages, TimeStepsTakeSeveralForEachExchange) {
    const int w = 12, h = 40, steps = 9;
    Buffer<float> state = filled<float>(w, h);
    for (int t = 0; t < steps; t++) {
        state = Buffer<float>(advection(state).realize({w, h}));
    }
    Var x("x"), y("y");
    ImageParam source(Float(32), 2, "source");
    Func step = advection(source);
    step.distribute(y).vectorize(x, 4);
    for (const int count : {1, 2, 3, 7, 16}) {
        for (const int steps_per_exchange : {0, 1, 4}) {
            DistributedImage<float> now(source, {w, h}), next(w, h, "next");
            for (DistributedImage<float> *image : {&now, &next}) {
                image->set_domain(x, y);
                image->placement().distribute(y);
            }
            std::atomic<int> points = 0, wrong = 0;
            run_on_ranks(count, [&] {
                now.allocate();
                next.allocate();
                fill(now);
                StepOptions options;
                options.steps = steps;
                options.steps_per_exchange = steps_per_exchange;
                run_steps(step, {{now, next}}, options);
                compare(now, state, points, wrong);
            });
            EXPECT_EQ(wrong, 0) << count << " ranks, " << steps_per_exchange;
            EXPECT_EQ(points, w * h);
        }
    }
}

TEST(RepeatedImages, StepsThatDependOnCoordinatesAreExchangedEachTime) {
    expect_on_ranks<RuntimeError>(
        "bad-distribution",
        "in step: 3 runs for each exchange, a periodic field, and segments whose values may depend on coordinates; "
        "ranks "
        "would compute them outside of the domain; exchange in each run, or compute values from what is read alone",
        [] {
            Var x("x"), y("y");
            DistributedImage<float> now(8, 9, "now"), next(8, 9, "next");
            Func step = advection(now, cast<float>(y));
            step.distribute(y);
            allocate<float>({&now, &next}, x, y);
            StepOptions options;
            options.steps = 6;
            options.steps_per_exchange = 3;
            run_steps(step, {{now, next}}, options);
        });
}

// Coordinates that jump are read where they are: a halo could be many times the image.
TEST(RepeatedImages, FarReadsKeepTheirWrapping) {
    const int w = 30;
    Var x("x");
    ImageParam source(Int(32), 1, "source");
    Func around = BoundaryConditions::repeat_image(source, {{0, w}}), inner("inner"), out("out");
    inner(x) = around(x - 1);
    out(x) = around(7 * x) + inner(x * x) + around(x + 1000) * 3 + around(1 - x);
    out.distribute(x);
    const auto value = [](int i) { return value_at<int>((i % w + w) % w, 0); };
    for (const int count : {1, 2, 3, 8}) {
        DistributedImage<int> in(source, {w}), result(w, "result");
        for (DistributedImage<int> *image : {&in, &result}) {
            image->set_domain(x);
            image->placement().distribute(x);
        }
        std::atomic<int> points = 0, wrong = 0;
        run_on_ranks(count, [&] {
            in.allocate();
            result.allocate();
            for (int i = 0; i < in.width(); i++) {
                in(i) = value_at<int>(in.global(0, i), 0);
            }
            EXPECT_LE(explain_ranks(out, result).bytes_allocated, 4 * 3 * w);
            out.realize(result);
            for (int i = 0; i < result.width(); i++) {
                const int g = result.global(0, i);
                points++;
                wrong += result(i) == value(7 * g) + value(g * g - 1) + value(g + 1000) * 3 + value(1 - g) ? 0 : 1;
            }
        });
        EXPECT_EQ(wrong, 0) << count;
        EXPECT_EQ(points, w);
    }
}

// One function serves images with parts and buffers that all ranks have; of the latter, ranks copy what they read.
TEST(RepeatedImages, OneFunctionTakesImagesAndWholeBuffers) {
    const int w = 13, h = 21;
    ImageParam source(Float(32), 2, "source");
    Var x("x"), y("y");
    Func step = advection(source);
    step.distribute(x, y);
    const Callable function = step.compile_to_callable({source});
    const Buffer<float> expected = advection(filled<float>(w, h)).realize({w, h});
    for (const int count : {1, 3, 8}) {
        std::atomic<int> points = 0, wrong = 0;
        run_on_ranks(count, [&] {
            DistributedImage<float> in(w, h, "in"), out(w, h, "out"), again(w, h, "again");
            allocate<float>({&in, &out, &again}, x, y, by_grid);
            fill(in);
            EXPECT_EQ(function(in.get_buffer(), out.get_buffer()), 0);
            EXPECT_EQ(function(filled<float>(w, h), again.get_buffer()), 0);
            compare(out, expected, points, wrong);
            compare(again, expected, points, wrong);
        });
        EXPECT_EQ(wrong, 0) << count;
        EXPECT_EQ(points, 2 * w * h);
    }
}

TEST(RepeatedImages, WhatIsRepeatedHasPointsAndLiesInTheImage) {
    Var x("x");
    ImageParam source(Int(32), 1, "source");
    Param<int> width("width");
    Func around = BoundaryConditions::repeat_image(source, {{0, width}}), out("out");
    out(x) = around(x - 1);
    out.distribute(x);
    const Callable function = out.compile_to_callable({source, width});
    run_on_ranks(2, [&] {
        DistributedImage<int> in(6, "in");
        in.set_domain(x);
        in.placement().distribute(x);
        in.allocate();
        Buffer<int> whole(6), result(6);
        whole.fill(0);
        expect_error<RuntimeError>([&] { function(whole, 7, result); }, "distributed-read",
                                   "in source (repeated): it is read over [0, 7), and the buffer has [0, 6); what is "
                                   "repeated lies inside of the buffer; repeat less, or pass a larger one");
        expect_error<RuntimeError>([&] { function(in.get_buffer(), 7, result); }, "distributed-read",
                                   "in source (repeated): it reads source over [0, 7), whose domain is [0, 6); no rank "
                                   "has what is outside of the domain; give the image a larger domain, or read it "
                                   "through a boundary condition");
        expect_error<RuntimeError>([&] { function(in.get_buffer(), 0, result); }, "distributed-read",
                                   "in out: it reads source (repeated) over [-1, 5), and dimension 0 of what is "
                                   "repeated has no points; an image that is repeated has some; repeat an image that "
                                   "is not empty");
    });
}

TEST(RepeatedImages, DirectReadsStayInTheDomain) {
    expect_on_ranks<RuntimeError>("distributed-read",
                                  "in step: it reads in over [0, 8) x [1, 10), whose domain is [0, 8) x [0, 9); no "
                                  "rank has what is outside of the "
                                  "domain; give the image a larger domain, or read it through a boundary condition",
                                  [] {
                                      Var x("x"), y("y");
                                      DistributedImage<float> in(8, 9, "in"), out(8, 9, "out");
                                      Func around = BoundaryConditions::repeat_image(in), step("step");
                                      step(x, y) = around(x, y - 1) + in(x, y + 1);
                                      step.distribute(y);
                                      allocate<float>({&in, &out}, x, y);
                                      step.realize(out);
                                  });
}

// A mirror shows what lies near the edge: ranks exchange halos, and not the whole image.
TEST(MirroredImages, NeedHalosOnly) {
    for (const bool repeats_edge : {true, false}) {
        for (const auto &[w, h] : {std::pair{13, 64}, {5, 3}, {1, 2}}) {
            const auto define = [repeats = repeats_edge](const auto &in) {
                Var x("x"), y("y");
                const Func around =
                    repeats ? BoundaryConditions::mirror_image(in) : BoundaryConditions::mirror_interior(in);
                Func sum("sum"), f("f");
                sum(x, y) = around(x, y - 2) + 3 * around(x + 1, y + 1);
                f(x, y) = sum(x, y) - sum(x, y + 1) * 5;
                sum.compute_root();
                if constexpr (std::is_same_v<std::decay_t<decltype(in)>, ImageParam>) {
                    sum.distribute(y);
                }
                return std::pair(sum, f);
            };
            const Buffer<int> source = filled<int>(w, h);
            const Buffer<int> expected = define(source).second.realize({w, h});
            const ImageParam param(Int(32), 2, "source");
            Func f = define(param).second;
            f.distribute(Var("y"));
            for (const int ranks : {1, 4, 7}) {
                std::atomic<int> points = 0, wrong = 0;
                std::atomic<int64_t> most_bytes = 0;
                DistributedImage<int> in(param, {w, h}), out(w, h, "out");
                for (DistributedImage<int> *image : {&in, &out}) {
                    image->set_domain(Var("x"), Var("y"));
                    image->placement().distribute(Var("y"));
                }
                run_on_ranks(ranks, [&] {
                    in.allocate();
                    out.allocate();
                    fill(in);
                    f.realize(out);
                    compare(out, expected, points, wrong);
                    const RankReport report = explain_ranks(f, out);
                    for (int64_t seen = most_bytes; report.bytes_sent > seen;) {
                        most_bytes.compare_exchange_weak(seen, report.bytes_sent);
                    }
                });
                EXPECT_EQ(points, w * h);
                EXPECT_EQ(wrong, 0) << w << " x " << h << " on " << ranks << " ranks";
                // Two rows of the image below, two above, one of the sum: to each of two neighbours at most that many.
                if (h == 64) {
                    EXPECT_LE(most_bytes, 6 * w * 4) << ranks << " ranks";
                }
            }
        }
    }
}

} // namespace
} // namespace fluorite::repeated_images_test
