#include "app_test.h"
#include "apps/bilateral_grid/bilateral_grid.h"
#include "apps/bilateral_grid/reference.h"

namespace apps::bilateral_grid_test {
namespace {

TEST(BilateralGrid, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        BilateralGrid app(schedule);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<float>(width, height);
            app.input.set(over(input, 2));
            const Halide::Buffer<float> output = app.output.realize({width, height});
            expect_near(output, reference::bilateral_grid(input), 1e-4, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::bilateral_grid_test
