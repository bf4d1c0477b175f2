// Programs with DistributedImages: the bits of an ordinary run on every number of ranks.
#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>

namespace fluorite {
namespace {

constexpr int rank_counts[] = {1, 2, 3, 5, 8};

/// A value for each point, different at all points of small images.
template <typename T> T value_at(int x, int y, int z = 0) { return static_cast<T>((x * 7 + y * 131 + z * 17) % 251); }

template <typename T> void fill(const DistributedImage<T> &image) {
    for (int y = 0; y < image.height(); y++) {
        for (int x = 0; x < image.width(); x++) {
            image(x, y) = value_at<T>(image.global(0, x), image.global(1, y));
        }
    }
}

template <typename T> Buffer<T> filled(int w, int h) {
    Buffer<T> image(w, h);
    image.for_each_element([&](int x, int y) { image(x, y) = value_at<T>(x, y); });
    return image;
}

/// Adds the number of points at which this rank's part differs.
template <typename T>
void compare(const DistributedImage<T> &image, const Buffer<T> &expected, std::atomic<int> &points,
             std::atomic<int> &wrong) {
    for (int y = 0; y < image.height(); y++) {
        for (int x = 0; x < image.width(); x++) {
            points++;
            wrong += image(x, y) == expected(image.global(0, x), image.global(1, y)) ? 0 : 1;
        }
    }
}

/// A blur of three by three points over an image or a DistributedImage, clamped at the edges.
struct Blur {
    Var x{"x"}, y{"y"};
    Func clamped{"clamped"}, blur_x{"blur_x"}, blur_y{"blur_y"};

    template <typename Image> Blur(const Image &in, int w, int h) {
        clamped(x, y) = in(clamp(x, 0, w - 1), clamp(y, 0, h - 1));
        blur_x(x, y) = (clamped(x - 1, y) + clamped(x, y) + clamped(x + 1, y)) / 3;
        blur_y(x, y) = (blur_x(x, y - 1) + blur_x(x, y) + blur_x(x, y + 1)) / 3;
    }
};

/// Runs the blur on ranks, with a schedule and a placement of both images.
void expect_blur(int w, int h, const std::function<void(Blur &)> &schedule,
                 const std::function<void(Func &, Var, Var)> &place, bool has_room = true) {
    const Buffer<int> in = filled<int>(w, h);
    const Buffer<int> expected = Blur(in, w, h).blur_y.realize({w, h});
    for (const int count : rank_counts) {
        std::atomic<int> points = 0, wrong = 0;
        run_on_ranks(count, [&] {
            DistributedImage<int> input(w, h, "input"), output(w, h, "output");
            Blur blur(input, input.global_width(), input.global_height());
            schedule(blur);
            input.set_domain(blur.x, blur.y);
            place(input.placement(), blur.x, blur.y);
            has_room ? input.allocate(blur.blur_y, output) : input.allocate();
            output.set_domain(blur.x, blur.y);
            place(output.placement(), blur.x, blur.y);
            output.allocate();
            fill(input);
            blur.blur_y.realize(output);
            compare(output, expected, points, wrong);
            output.get_buffer().fill(-1);
            blur.blur_y.realize(output.get_buffer());
            compare(output, expected, points, wrong);
        });
        EXPECT_EQ(wrong, 0) << "on " << count << " ranks";
        EXPECT_EQ(points, 2 * w * h) << "each point is one rank's, on " << count << " ranks";
    }
}

void by_rows(Func &placement, Var, Var y) { placement.distribute(y); }
void by_grid(Func &placement, Var x, Var y) { placement.distribute(x, y); }

TEST(DistributedImage, StagesExchangeRows) {
    expect_blur(
        40, 30,
        [](Blur &blur) {
            blur.blur_x.compute_root().distribute(blur.y);
            blur.blur_y.compute_root().distribute(blur.y);
        },
        by_rows);
}

TEST(DistributedImage, ComputeRankRecomputes) {
    expect_blur(
        33, 17,
        [](Blur &blur) {
            blur.blur_x.compute_rank().vectorize(blur.x, 8);
            blur.blur_y.compute_root().distribute(blur.x, blur.y).parallel(blur.y);
        },
        by_grid);
}

TEST(DistributedImage, GridsOfNumbersAndSplitLoops) {
    expect_blur(
        33, 29,
        [](Blur &blur) {
            Var yo("yo"), yi("yi"), tile("tile");
            const auto [p, q] = approx_factors_near_sqrt(ranks().count);
            blur.blur_x.compute_root().distribute(blur.x, blur.y, p, q);
            blur.blur_y.split(blur.y, yo, yi, 4).distribute(yo).parallel(yo).vectorize(blur.x, 8);
        },
        by_rows);
}

TEST(DistributedImage, MemoryWithoutRoomIsCopiedAndLayoutsMayDiffer) {
    expect_blur(21, 34, [](Blur &blur) { blur.blur_x.compute_root(); }, by_rows, false);
    expect_blur(
        21, 34,
        [](Blur &blur) {
            blur.blur_x.compute_root().distribute(blur.x);
            blur.blur_y.distribute(blur.y);
        },
        by_grid, false);
}

TEST(DistributedImage, ScheduleTextsHaveTheDirectives) {
    const Buffer<int> in = filled<int>(8, 8);
    Blur blur(in, 8, 8);
    Var yo("yo"), yi("yi");
    blur.blur_x.compute_rank();
    blur.blur_y.split(blur.y, yo, yi, 4).distribute(blur.x, yo, 2, 3);
    const Schedule schedule = Pipeline(blur.blur_y).schedule();
    EXPECT_NE(schedule.text().find("blur_x.compute_rank()\n"), std::string::npos) << schedule.text();
    EXPECT_NE(schedule.text().find("blur_y.distribute({x, yo}, 2, 3)\n"), std::string::npos) << schedule.text();
    Blur again(in, 8, 8);
    Pipeline(again.blur_y).apply(Schedule::parse(schedule.text()));
    EXPECT_EQ(Pipeline(again.blur_y).schedule().text(), schedule.text());
}

TEST(DistributedImage, EveryRankGetsAWholeBuffer) {
    const int w = 25, h = 13;
    const Buffer<int> in = filled<int>(w, h);
    const Buffer<int> expected = Blur(in, w, h).blur_y.realize({w, h});
    for (const int count : rank_counts) {
        std::atomic<int> wrong = 0;
        run_on_ranks(count, [&] {
            Blur blur(in, w, h);
            blur.blur_x.compute_root().distribute(blur.y);
            blur.blur_y.distribute(blur.x);
            const Buffer<int> all = blur.blur_y.realize({w, h});
            all.for_each_element([&](int x, int y) { wrong += all(x, y) == expected(x, y) ? 0 : 1; });
            DistributedImage<int> whole(w, h, "whole"); // without a placement
            whole.allocate();
            blur.blur_y.realize(whole);
            wrong += whole.width() == w && whole.height() == h ? 0 : 1;
            whole.get_buffer().for_each_element([&](int x, int y) { wrong += whole(x, y) == expected(x, y) ? 0 : 1; });
        });
        EXPECT_EQ(wrong, 0) << "on " << count << " ranks";
    }
}

TEST(DistributedImage, TuplesAndSeveralOutputs) {
    const int w = 18, h = 11;
    const auto define = [](auto &in, Func &pair, Func &sum) {
        Var x("x"), y("y");
        pair(x, y) = Tuple(cast<uint8_t>(in(x, y)), cast<double>(in(x, y)) * 0.5);
        pair(x, y) = Tuple(pair(x, y)[0] + 1, pair(x, y)[1] - 2.0);
        sum(x) = cast<float>(pair(x, 3)[1]) + cast<float>(pair(x, 7)[0]);
    };
    const Buffer<int> in = filled<int>(w, h);
    Func pair("pair"), sum("sum");
    define(in, pair, sum);
    pair.compute_root();
    Buffer<uint8_t> first(w, h);
    Buffer<double> second(w, h);
    Buffer<float> third(w);
    Pipeline({pair, sum}).realize({first, second, third});
    for (const int count : rank_counts) {
        std::atomic<int> points = 0, wrong = 0;
        run_on_ranks(count, [&] {
            Var x("x"), y("y");
            DistributedImage<int> input(w, h, "input");
            DistributedImage<uint8_t> a(w, h, "a");
            DistributedImage<double> b(w, h, "b");
            DistributedImage<float> c(w, "c");
            Func f("pair"), g("sum");
            define(input, f, g);
            f.compute_root().distribute(y);
            f.update().distribute(y);
            g.compute_root();
            for (detail::DistributedImageBase *image :
                 {static_cast<detail::DistributedImageBase *>(&input), static_cast<detail::DistributedImageBase *>(&a),
                  static_cast<detail::DistributedImageBase *>(&b)}) {
                image->set_domain(x, y);
                image == &b ? image->placement().distribute(x) : image->placement().distribute(y);
                image->allocate();
            }
            c.set_domain(x);
            c.placement().distribute(x);
            c.allocate();
            fill(input);
            Pipeline({f, g}).realize({a, b, c});
            compare(a, first, points, wrong);
            compare(b, second, points, wrong);
            for (int i = 0; i < c.width(); i++) {
                points++;
                wrong += c(i) == third(c.global(i)) ? 0 : 1;
            }
        });
        EXPECT_EQ(wrong, 0) << "on " << count << " ranks";
        EXPECT_EQ(points, 2 * w * h + w) << "on " << count << " ranks";
    }
}

TEST(DistributedImage, PipelinesOverImageParamsRunAsTheyAre) {
    const int w = 20, h = 15;
    const Buffer<int> in = filled<int>(w, h);
    for (const int count : rank_counts) {
        std::atomic<int> points = 0, wrong = 0;
        run_on_ranks(count, [&] {
            ImageParam source(Int(32), 2, "source");
            Var x("x"), y("y");
            Func f("f");
            f(x, y) = BoundaryConditions::mirror_image(source)(x - 3, y + 2) + source.width();
            source.set(in);
            const Buffer<int> expected = f.realize({w, h});
            source.reset();
            {
                DistributedImage<int> input(source, {w, h}), output(w, h, "output");
                f.distribute(y, x);
                for (DistributedImage<int> *image : {&input, &output}) {
                    image->set_domain(x, y);
                    image->placement().distribute(y);
                    image->allocate();
                }
                fill(input);
                f.realize(output);
                compare(output, expected, points, wrong);
                expect_error<RuntimeError>([&] { source.set(in); }, "bad-distribution",
                                           "in source: it is set to a buffer, and a DistributedImage has its elements; "
                                           "it has one source of elements; use another ImageParam");
            }
            source.set(in); // the image is gone
        });
        EXPECT_EQ(wrong, 0) << "on " << count << " ranks";
        EXPECT_EQ(points, w * h) << "on " << count << " ranks";
    }
}

TEST(DistributedImage, SwappedImagesTakeTurns) {
    const int w = 16, h = 12;
    for (const int count : {1, 3}) {
        std::atomic<int> wrong = 0;
        run_on_ranks(count, [&] {
            Var x("x"), y("y");
            DistributedImage<int> now(w, h, "now"), next(w, h, "next");
            Func step("step");
            step(x, y) = now(x, (y + 1) % h) * 2 + 1; // the row below, around the end
            step.distribute(y);
            for (DistributedImage<int> *image : {&now, &next}) {
                image->set_domain(x, y);
                image->placement().distribute(y);
                image->allocate();
            }
            fill(now);
            for (int t = 0; t < 3; t++) {
                t == 1 ? step.realize(next.get_buffer()) : step.realize(next);
                now.swap(next);
            }
            for (int j = 0; j < now.height(); j++) {
                for (int i = 0; i < w; i++) {
                    wrong += now(i, j) == value_at<int>(i, (now.global(1, j) + 3) % h) * 8 + 7 ? 0 : 1;
                }
            }
        });
        EXPECT_EQ(wrong, 0) << "on " << count << " ranks";
    }
}

// Pipelines and images that are made outside are compiled once, for more ranks than would compile one each.
TEST(DistributedImage, RanksSharePipelines) {
    const int w = 37, h = 41;
    const Buffer<int> in = filled<int>(w, h);
    const Buffer<int> expected = Blur(in, w, h).blur_y.realize({w, h});
    for (const int count : {4, 17, 31, 64}) {
        DistributedImage<int> input(w, h, "input"), output(w, h, "output");
        Blur one(input, w, h);
        one.blur_x.compute_root().distribute(one.y);
        one.blur_y.distribute(one.x, one.y);
        one.blur_y.compile_jit();
        for (DistributedImage<int> *image : {&input, &output}) {
            image->set_domain(one.x, one.y);
            image->placement().distribute(one.x, one.y);
        }
        std::atomic<int> points = 0, wrong = 0;
        run_on_ranks(count, [&] {
            input.allocate(one.blur_y, output);
            output.allocate();
            fill(input);
            one.blur_y.realize(output);
            compare(output, expected, points, wrong);
        });
        EXPECT_EQ(wrong, 0) << "on " << count << " ranks";
        EXPECT_EQ(points, w * h) << "on " << count << " ranks";
    }
}

TEST(DistributedImage, CoordinatesAndSizes) {
    run_on_ranks(3, [] {
        Var x("x"), y("y");
        DistributedImage<uint16_t> image(10, 20, "image");
        image.set_domain(x, y);
        image.placement().distribute(y);
        image.allocate();
        const int rank = ranks().rank, begin = rank * 20 / 3, end = (rank + 1) * 20 / 3;
        EXPECT_EQ(image.global_width(), 10);
        EXPECT_EQ(image.global_height(), 20);
        EXPECT_EQ(image.dimensions(), 2);
        EXPECT_EQ(image.width(), 10);
        EXPECT_EQ(image.height(), end - begin);
        EXPECT_EQ(image.global(1, 0), begin);
        EXPECT_EQ(image.local(1, begin + 2), 2);
        EXPECT_EQ(image.allocated_min(1), begin);
        EXPECT_TRUE(image.mine(9, begin));
        EXPECT_FALSE(image.mine(9, end));
        EXPECT_FALSE(image.mine(10, begin));
        image(9, 1) = 77;
        EXPECT_EQ(image.get_buffer()(9, begin + 1), 77);
        EXPECT_EQ(image.data()[19], 77);
    });
}

TEST(DistributedImage, RoomForHalos) {
    run_on_ranks(3, [] {
        Var x("x"), y("y");
        DistributedImage<int> input(12, 30, "input"), output(12, 30, "output");
        Blur blur(input, 12, 30);
        blur.blur_x.compute_rank();
        blur.blur_y.distribute(blur.y);
        input.set_domain(x, y);
        input.placement().distribute(y);
        input.allocate(blur.blur_y, output);
        EXPECT_EQ(input.allocated_extent(1), 10); // the output has no placement yet
        input(0, 0) = 5;
        output.set_domain(x, y);
        output.placement().distribute(y);
        output.allocate();
        EXPECT_EQ(input.allocated_min(1), std::max(0, ranks().rank * 10 - 1));
        EXPECT_EQ(input.allocated_extent(1), ranks().rank == 1 ? 12 : 11);
        EXPECT_EQ(input(0, 0), 5); // kept
    });
}

TEST(DistributedImage, StepsContinueFromCheckpoints) {
    const int w = 23, h = 19;
    const auto define = [](const auto &in) {
        Var x("x"), y("y");
        Func around = BoundaryConditions::repeat_edge(in), step("step");
        step(x, y) =
            around(x, y) * 0.5f + (around(x - 1, y) + around(x + 1, y) + around(x, y - 1) + around(x, y + 1)) * 0.125f;
        return step;
    };
    Buffer<float> state = filled<float>(w, h);
    for (int t = 0; t < 9; t++) {
        state = Buffer<float>(define(state).realize({w, h}));
    }
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("steps-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const std::string file = (folder / "state").string();
    int steps = 4;
    for (const int count : {3, 5}) { // 4 steps on 3 ranks, then 5 more on 5
        std::atomic<int> points = 0, wrong = 0;
        run_on_ranks(count, [&] {
            Var x("x"), y("y");
            DistributedImage<float> now(w, h, "now"), next(w, h, "next");
            const Func step = define(now);
            Func(step).distribute(y);
            for (DistributedImage<float> *image : {&now, &next}) {
                image->set_domain(x, y);
                image->placement().distribute(y);
                image->allocate();
            }
            fill(now);
            run_steps(step, {{now, next}}, {steps, file, 2, count % 2 == 0 ? 1 : 2});
            if (steps == 9) {
                compare(now, state, points, wrong);
            }
        });
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(points, steps == 9 ? w * h : 0);
        steps = 9;
    }
    std::filesystem::remove_all(folder);
}

TEST(DistributedImage, StepsForEachExchangeChangeNoBits) {
    const int w = 31, h = 28;
    const auto define = [](const auto &in) {
        Var x("x"), y("y");
        Func around = BoundaryConditions::constant_exterior(in, 1.0f), step("step");
        step(x, y) = (around(x, y) + around(x - 2, y) * 0.25f + around(x + 1, y - 1) * 0.5f + around(x, y + 2)) * 0.4f;
        return step;
    };
    Buffer<float> state = filled<float>(w, h);
    for (int t = 0; t < 7; t++) {
        state = Buffer<float>(define(state).realize({w, h}));
    }
    for (const int count : {1, 2, 5}) {
        for (const int exchange : {0, 1, 2, 3, 7, 20}) {
            std::atomic<int> points = 0, wrong = 0;
            run_on_ranks(count, [&] {
                Var x("x"), y("y");
                DistributedImage<float> now(w, h, "now"), next(w, h, "next");
                const Func step = define(now);
                Func(step).distribute(x, y);
                for (DistributedImage<float> *image : {&now, &next}) {
                    image->set_domain(x, y);
                    image->placement().distribute(x, y);
                    image->allocate();
                }
                fill(now);
                StepOptions options;
                options.steps = 7;
                options.steps_per_exchange = exchange;
                run_steps(step, {{now, next}}, options);
                compare(now, state, points, wrong);
            });
            EXPECT_EQ(wrong, 0) << count << " ranks, " << exchange;
            EXPECT_EQ(points, w * h);
        }
    }
}

TEST(DistributedImage, ReportsSayWhatRanksDo) {
    std::vector<RankReport> reports(3);
    run_on_ranks(3, [&] {
        DistributedImage<int> input(12, 30, "input"), output(12, 30, "output");
        Blur blur(input, 12, 30);
        blur.blur_x.compute_root().distribute(blur.y);
        blur.blur_y.distribute(blur.y);
        for (DistributedImage<int> *image : {&input, &output}) {
            image->set_domain(blur.x, blur.y);
            image->placement().distribute(blur.y);
            image->allocate();
        }
        reports[static_cast<size_t>(ranks().rank)] = explain_ranks(blur.blur_y, output);
    });
    const RankReport &middle = reports[1];
    EXPECT_EQ(middle.rank, 1);
    EXPECT_EQ(middle.ranks, 3);
    EXPECT_EQ(middle.messages, 2); // a row to each side
    EXPECT_EQ(middle.bytes_sent, 2 * 12 * 4);
    EXPECT_EQ(reports[0].messages, 1);
    EXPECT_EQ(middle.bytes_owned, 3 * 10 * 12 * 4); // of the image, of both stages
    EXPECT_EQ(middle.bytes_allocated, (10 + 12 + 10) * 12 * 4);
    EXPECT_EQ(middle.text.substr(0, middle.text.find("\ncompute") + 1),
              "blur_y on rank 1 of 3: 2 messages with 96 bytes; 1536 bytes of memory, 1440 for its parts alone\n"
              "  input input over [0, 12) x [0, 30): its part is [0, 12) x [10, 20), it reads [0, 12) x [10, 20)\n"
              "  Func blur_x over [0, 12) x [-1, 31): its part is [0, 12) x [10, 20), it reads [0, 12) x [9, 21)\n"
              "  output blur_y over [0, 12) x [0, 30): its part is [0, 12) x [10, 20)\n");
    EXPECT_NE(middle.text.find("48 bytes to rank 2: blur_x [0, 12) x [19, 20)\n"), std::string::npos) << middle.text;
    EXPECT_NE(middle.text.find("while messages travel\n"), std::string::npos) << middle.text;
    ASSERT_EQ(middle.pictures.size(), 1U);
    EXPECT_EQ(middle.pictures[0].substr(0, 4), "<svg");
}

// Vectors and tiles make no layouts of their own where the image, or the reader, is cut alike.
TEST(DistributedImage, FuncsFollowTheirReaders) {
    run_on_ranks(3, [] {
        DistributedImage<int> input(12, 32, "input"), output(12, 32, "output");
        Blur blur(input, 12, 32);
        Var yi("yi");
        blur.blur_x.compute_root().distribute(blur.y).parallel(blur.y, 4);
        blur.blur_y.split(blur.y, blur.y, yi, 8).distribute(blur.y);
        for (DistributedImage<int> *image : {&input, &output}) {
            image->set_domain(blur.x, blur.y);
            image->placement().distribute(blur.y);
            image->allocate();
        }
        const RankReport report = explain_ranks(blur.blur_y, output);
        EXPECT_EQ(report.messages, report.rank == 1 ? 2 : 1) << report.text;
        EXPECT_EQ(report.text.find("copy"), std::string::npos) << report.text;
    });
}

// ---- Mistakes.

template <typename Error>
void expect_on_ranks(const char *slug, const std::string &text, const std::function<void()> &body) {
    expect_error<Error>([&] { run_on_ranks(2, body); }, slug, text);
}

TEST(DistributedImage, ThereAreRanks) {
    expect_error<RuntimeError>(
        [] {
            DistributedImage<int> image(4, 4, "image");
            image.allocate();
        },
        "no-mpi",
        "in a distributed pipeline: the program has no MPI library; ranks talk through MPI; link it with Open MPI or "
        "MPICH (mpicxx), or run without `distribute`");
    expect_error<RuntimeError>(
        [] {
            const Buffer<int> in = filled<int>(8, 8);
            Blur blur(in, 8, 8);
            blur.blur_y.distribute(blur.y);
            (void)blur.blur_y.realize({8, 8});
        },
        "no-mpi",
        "in a distributed pipeline: the program has no MPI library; ranks talk through MPI; link it with Open MPI or "
        "MPICH (mpicxx), or run without `distribute`");
}

TEST(DistributedImage, GridsHaveAtMostAsManyPartsAsRanks) {
    expect_on_ranks<RuntimeError>(
        "bad-distribution",
        "in image: it is distributed over 2 x 2 ranks, and there are 2; a grid has at most as "
        "many ranks as run; leave the grid out, or start more ranks",
        [] {
            Var x("x"), y("y");
            DistributedImage<int> image(4, 4, "image");
            image.set_domain(x, y);
            image.placement().distribute(x, y, 2, 2);
            image.allocate();
        });
}

TEST(DistributedImage, OrderOfCalls) {
    expect_on_ranks<RuntimeError>("bad-distribution",
                                  "in image: placement() before set_domain(); a placement names dimensions; call "
                                  "set_domain(x, y) with one Var for each",
                                  [] { DistributedImage<int>(4, 4, "image").placement(); });
    expect_on_ranks<RuntimeError>("bad-distribution",
                                  "in image: an element is asked for before allocate(); which part this rank has is "
                                  "known from then on; call placement() and allocate() first",
                                  [] { DistributedImage<int>(4, 4, "image")(0, 0) = 1; });
    expect_on_ranks<RuntimeError>(
        "bad-distribution", "in image: set_domain() names 1 dimensions; it has 2; give one Var for each dimension",
        [] { DistributedImage<int>(4, 4, "image").set_domain(Var("x")); });
    expect_on_ranks<RuntimeError>("bad-distribution",
                                  "in input: the image has no memory yet; a run reads images that are allocated; call "
                                  "allocate() after placement()",
                                  [] {
                                      Var x("x"), y("y");
                                      DistributedImage<int> input(4, 4, "input"), output(4, 4, "output");
                                      Func f("f");
                                      f(x, y) = input(x, y);
                                      output.allocate();
                                      f.realize(output);
                                  });
}

TEST(DistributedImage, ElementsAreThoseOfThePart) {
    expect_on_ranks<RuntimeError>("bad-distribution",
                                  "in image: element (0, 3) of this rank's part is asked for, which is [0, 4) x [0, 3) "
                                  "of the image; local coordinates begin at 0, one for each dimension; use mine() and "
                                  "local() for coordinates of the whole image",
                                  [] {
                                      Var x("x"), y("y");
                                      DistributedImage<int> image(4, 6, "image");
                                      image.set_domain(x, y);
                                      image.placement().distribute(y);
                                      image.allocate();
                                      if (ranks().rank == 0) {
                                          image(0, 3) = 1;
                                      }
                                  });
}

TEST(DistributedImage, RanksRunTheSameProgram) {
    expect_on_ranks<RuntimeError>("ranks-disagree",
                                  "in f: definitions or schedules of rank 1 are not those of rank 0; all ranks run one "
                                  "program with one schedule over the same domains; look for what depends on the rank",
                                  [] {
                                      Var x("x");
                                      Func f("f");
                                      f(x) = x + ranks().rank;
                                      f.distribute(x);
                                      (void)f.realize({8});
                                  });
}

TEST(DistributedImage, DirectivesThatHaveNoMeaning) {
    const auto with = [](const std::function<void(Blur &)> &schedule) {
        return [schedule] {
            const Buffer<int> in = filled<int>(8, 8);
            Blur blur(in, 8, 8);
            blur.blur_x.compute_root();
            blur.blur_y.distribute(blur.y);
            schedule(blur);
            (void)blur.blur_y.realize({8, 8});
        };
    };
    expect_on_ranks<CompileError>(
        "distributed-func",
        "in blur_x: memoize is applied to it, and its values are exchanged between ranks; "
        "their memory and the time of their computation belong to the distributed run; remove "
        "memoize, or compute the Func inside of a consumer",
        with([](Blur &blur) { blur.blur_x.memoize(); }));
    expect_on_ranks<CompileError>("distributed-func",
                                  "in clamped: it is distributed, but not computed at root; ranks exchange what is "
                                  "computed as a whole; call compute_root() or compute_rank()",
                                  with([](Blur &blur) { blur.clamped.distribute(blur.x); }));
}

TEST(DistributedImage, OnlyRealized) {
    const Buffer<int> in = filled<int>(8, 8);
    Blur blur(in, 8, 8);
    blur.blur_y.distribute(blur.y);
    expect_error<CompileError>(
        [&] { (void)blur.blur_y.compile_to_callable({}); }, "not-built",
        "in blur_y: compile_to_callable of a pipeline that runs on ranks is asked for; such "
        "pipelines are realized only; remove distribute() and compute_rank(), or call realize()");
    expect_error<CompileError>(
        [&] { blur.blur_y.infer_input_bounds({8, 8}); }, "not-built",
        "in blur_y: infer_input_bounds of a pipeline that runs on ranks is asked for; such "
        "pipelines are realized only; remove distribute() and compute_rank(), or call realize()");
}

TEST(DistributedImage, StepsNeedFieldsThatAreRead) {
    expect_on_ranks<RuntimeError>(
        "bad-distribution",
        "in other: it is a field of the time steps, and no step reads it; a field is read and "
        "written; name an image that the pipeline reads",
        [] {
            Var x("x");
            DistributedImage<int> now(8, "now"), other(8, "other"), next(8, "next");
            Func f("f");
            f(x) = now(x) + 1;
            for (DistributedImage<int> *image : {&now, &other, &next}) {
                image->allocate();
            }
            run_steps(f, {{other, next}}, {3, "", 1, 1});
        });
}

} // namespace
} // namespace fluorite
