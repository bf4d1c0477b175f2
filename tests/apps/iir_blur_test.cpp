#include "app_test.h"
#include "apps/iir_blur/iir_blur.h"
#include "apps/iir_blur/reference.h"

namespace apps::iir_blur_test {
namespace {

TEST(IirBlur, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        IirBlur app(schedule);
        for (const auto &[width, height] : sizes_for(schedule, 2)) {
            const auto input = random_image<float>(width, height, 3);
            app.input.set(over(input, 3));
            const Halide::Buffer<float> output = app.output.realize({width, height, 3});
            expect_near(output, reference::iir_blur(input), 1e-5, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::iir_blur_test
