#include "app_test.h"
#include "apps/interpolate/interpolate.h"
#include "apps/interpolate/reference.h"

namespace apps::interpolate_test {
namespace {

TEST(Interpolate, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        Interpolate app(schedule, 6);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<float>(width, height, 4);
            app.input.set(over(input, 3));
            const Halide::Buffer<float> output = app.output.realize({width, height, 3});
            expect_near(output, reference::interpolate(input, 6), 1e-4, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::interpolate_test
