// Programs with DistributedImages: the bits of an ordinary run on every number of ranks.
#include "driver/on_ranks/test_images.h"

namespace fluorite::distributed_image_test {
namespace {

using namespace driver::testing;

/// Runs the blur on ranks, with a schedule and a placement of both images.
void expect_blur(int w, int h, const std::function<void(Blur &)> &schedule, const Place &place, bool has_room = true) {
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

// A value of a Func that nobody reads is cut where the others are: they are computed together.
TEST(DistributedImage, ValuesOfOneFuncAreCutAlike) {
    const int w = 16, h = 3;
    const Buffer<int> in = filled<int>(w, h);
    for (const int read : {0, 1}) {
        const auto make = [&](bool is_distributed) {
            Var x("x"), y("y");
            Func pair("pair"), last("last");
            const Func inside = BoundaryConditions::repeat_edge(in);
            pair(x, y) = Tuple(inside(x, y) * 2, inside(x, y) * 3);
            last(x, y) = pair(x - 1, y)[read] + 1;
            pair.compute_root();
            if (is_distributed) {
                pair.distribute(x);
                last.distribute(x);
            }
            return last;
        };
        const Buffer<int> expected = make(false).realize({w, h});
        for (const int count : {2, 3, 5, 7}) {
            std::atomic<int> wrong = 0;
            run_on_ranks(count, [&] {
                const Buffer<int> seen = make(true).realize({w, h});
                seen.for_each_element([&](int x, int y) { wrong += seen(x, y) == expected(x, y) ? 0 : 1; });
            });
            EXPECT_EQ(wrong, 0) << "value " << read << " on " << count << " ranks";
        }
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
                allocate<int>({&input, &output}, x, y);
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
            allocate<int>({&now, &next}, x, y);
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

TEST(DistributedImage, FieldsAreThoseOfTheWholeImage) {
    std::atomic<int> points{0}, wrong{0};
    run_on_ranks(3, [&] {
        Var x("x"), y("y");
        DistributedImage<int> input(6, 9, "input"), output(6, 9, "output");
        const ImageParam &in = input.parameter();
        Func f("f");
        f(x, y) = input(x, y) + in.dim(1).stride() * 10000 + in.width() * 1000 + in.dim(1).max() * 100;
        f.distribute(y);
        allocate<int>({&input, &output}, x, y);
        fill(input);
        f.realize(output);
        Buffer<int> expected = filled<int>(6, 9);
        expected.for_each_value([](int &value) { value += 6 * 10000 + 6 * 1000 + 8 * 100; });
        compare(output, expected, points, wrong);
    });
    EXPECT_EQ(points, 54);
    EXPECT_EQ(wrong, 0);
}

} // namespace
} // namespace fluorite::distributed_image_test
