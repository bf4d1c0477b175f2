// What ranks have to agree on, and what may change between runs.
#include "driver/on_ranks/test_images.h"

#include <filesystem>

namespace fluorite::distributed_runs_test {
namespace {

using namespace driver::testing;

TEST(DistributedRuns, CheckpointsAreOfTheAlgorithmWhateverTheScheduleAndTheGrid) {
    const int w = 23, h = 19;
    Buffer<float> state = filled<float>(w, h);
    for (int t = 0; t < 9; t++) {
        state = Buffer<float>(diffusion(state).realize({w, h}));
    }
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("runs-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const std::string file = (folder / "state").string();
    Var x("x"), y("y");
    struct Part {
        int ranks, steps, steps_between, steps_per_exchange;
        std::function<void(Func &)> place, schedule;
    };
    const std::vector<Part> parts = {
        {3, 4, 2, 1, [&](Func &f) { f.distribute(y); }, [](Func &) {}},
        {4, 7, 1, 2, [&](Func &f) { f.distribute(x, y, 2, 2); }, [&](Func &f) { f.vectorize(x, 4); }},
        {2, 9, 3, 1, [&](Func &f) { f.distribute({x}, {2}); }, [&](Func &f) { f.parallel(y); }},
    };
    for (const Part &part : parts) {
        std::atomic<int> wrong = 0, points = 0;
        run_on_ranks(part.ranks, [&] {
            DistributedImage<float> now(w, h, "now"), next(w, h, "next");
            Func step = diffusion(now);
            part.schedule(step);
            part.place(step);
            allocate<float>({&now, &next}, x, y, [&](Func &placement, Var, Var) { part.place(placement); });
            fill(now);
            run_steps(step, {{now, next}}, {part.steps, file, part.steps_between, part.steps_per_exchange});
            if (part.steps == 9) {
                compare(now, state, points, wrong);
            }
        });
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(points, part.steps == 9 ? w * h : 0);
    }
    std::filesystem::remove_all(folder);
}

TEST(DistributedRuns, RanksWithOtherSchedulesOrLayoutsAreRefused) {
    for (const bool differs_in_layout : {false, true}) {
        std::atomic<int> refused = 0;
        run_on_ranks(3, [&] {
            Var x("x"), y("y");
            DistributedImage<float> in(20, 20, "in"), out(20, 20, "out");
            Func step = diffusion(in);
            Param<int> parts("parts");
            const bool is_other = ranks().rank == 1;
            parts.set(is_other && differs_in_layout ? 2 : 3);
            step.distribute({y}, {parts});
            if (is_other && !differs_in_layout) {
                step.vectorize(x, 8);
            }
            allocate<float>({&in, &out}, x, y);
            expect_error<RuntimeError>(
                [&] { step.realize(out); }, "ranks-disagree",
                std::string("in step: ") + (differs_in_layout ? "layouts" : "definitions or schedules") +
                    " of rank 1 are not those of rank 0; all ranks run one program with one schedule over the same "
                    "domains; look for what depends on the rank");
            refused++;
        });
        EXPECT_EQ(refused, 3);
    }
}

// Two sizes alternate: fields of the image in definitions are those of the run, also where its plan is known.
TEST(DistributedRuns, KnownPlansSeeTheDomainOfTheirRun) {
    run_on_ranks(2, [] {
        Var x("x");
        DistributedImage<int> small(10, "small"), large(30, "large");
        Func f("f");
        f(x) = x;
        f(x) += 100 * f.output_buffer().dim(0).extent();
        f.distribute(x);
        f.update().distribute(x);
        for (DistributedImage<int> *image : {&small, &large}) {
            image->set_domain(x);
            image->placement().distribute(x);
            image->allocate();
        }
        for (int turn = 0; turn < 3; turn++) {
            f.realize(small);
            f.realize(large);
            EXPECT_EQ(small(0), small.global(0, 0) + 1000);
            EXPECT_EQ(large(0), large.global(0, 0) + 3000);
        }
    });
}

// One pipeline runs on any number of ranks, one after another: plans are of one number.
TEST(DistributedRuns, KnownPlansAreOfTheNumberOfRanks) {
    Var x("x");
    ImageParam source(Int(32), 1, "source");
    Func f("f");
    f(x) = source(11 - x);
    f.distribute(x);
    for (const int count : {1, 2, 3, 2}) {
        DistributedImage<int> in(source, {12}), out(12, "out");
        for (DistributedImage<int> *image : {&in, &out}) {
            image->set_domain(x);
            image->placement().distribute(x);
        }
        std::atomic<int> points = 0, wrong = 0;
        run_on_ranks(count, [&] {
            in.allocate();
            out.allocate();
            for (int i = 0; i < in.width(); i++) {
                in(i) = in.global(0, i);
            }
            f.realize(out);
            for (int i = 0; i < out.width(); i++) {
                points++;
                wrong += out(i) == 11 - out.global(0, i) ? 0 : 1;
            }
        });
        EXPECT_EQ(wrong, 0) << "on " << count << " ranks";
        EXPECT_EQ(points, 12) << "on " << count << " ranks";
    }
}

// Ranks that are threads share a pipeline that none of them has compiled: all of them run one copy of its code, and so
// know alike what is planned already.
TEST(DistributedRuns, ThreadsCompileASharedPipelineOnce) {
    constexpr int w = 14, h = 23;
    const Buffer<int> source = filled<int>(w, h);
    const Buffer<int> expected = Blur(source, w, h).blur_y.realize({w, h});
    for (int round = 0; round < 4; round++) {
        DistributedImage<int> in(w, h, "in"), out(w, h, "out");
        Blur blur(in, w, h);
        blur.blur_x.compute_root().distribute(blur.y);
        blur.blur_y.distribute(blur.y);
        for (DistributedImage<int> *image : {&in, &out}) {
            image->set_domain(blur.x, blur.y);
            image->placement().distribute(blur.y);
        }
        std::atomic<int> points = 0, wrong = 0;
        run_on_ranks(6, [&] {
            in.allocate();
            out.allocate();
            fill(in);
            blur.blur_y.realize(out);
            blur.blur_y.realize(out);
            compare(out, expected, points, wrong);
        });
        EXPECT_EQ(points, w * h);
        EXPECT_EQ(wrong, 0);
    }
}

} // namespace
} // namespace fluorite::distributed_runs_test
