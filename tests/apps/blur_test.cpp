#include "app_test.h"
#include "apps/blur/blur.h"
#include "apps/blur/reference.h"

namespace apps::blur_test {
namespace {

TEST(Blur, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        Blur app(schedule);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<uint16_t>(width, height);
            app.input.set(over(input, 2));
            const Halide::Buffer<uint16_t> output = app.output.realize({width, height});
            expect_near(output, reference::blur(input), 0, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::blur_test
