#include "app_test.h"
#include "apps/resize/reference.h"
#include "apps/resize/resize.h"

namespace apps::resize_test {
namespace {

class ResizeFilters : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(All, ResizeFilters, testing::Range(0, 4));

TEST_P(ResizeFilters, AgreeWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        for (const float factor : {0.5f, 1.25f}) {
            Resize app(schedule, static_cast<Filter>(GetParam()), factor);
            for (const auto &[width, height] : {std::pair(67, 41), std::pair(29, 34)}) {
                const auto input = random_image<float>(width, height, 3);
                app.input.set(over(input, 3));
                const int w = static_cast<int>(static_cast<float>(width) * factor),
                          h = static_cast<int>(static_cast<float>(height) * factor);
                const Halide::Buffer<float> output = app.output.realize({w, h, 3});
                expect_near(output, reference::resize(input, w, h, GetParam(), factor), 1e-4, schedule);
                expect_interpreted(app.output, output, schedule);
            }
        }
    }
}

} // namespace
} // namespace apps::resize_test
