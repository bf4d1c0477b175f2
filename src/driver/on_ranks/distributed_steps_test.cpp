// Time steps of DistributedImages: steps for each exchange, mistakes. (distributed_runs_test.cpp has checkpoints.)
#include "driver/on_ranks/test_images.h"

namespace fluorite::distributed_steps_test {
namespace {

using namespace driver::testing;

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
                allocate<float>({&now, &next}, x, y, by_grid);
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
} // namespace fluorite::distributed_steps_test
