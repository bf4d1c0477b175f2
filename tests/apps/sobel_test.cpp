#include "app_test.h"
#include "apps/sobel/reference.h"
#include "apps/sobel/sobel.h"

namespace apps::sobel_test {
namespace {

TEST(Sobel, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        Sobel app(schedule);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<uint8_t>(width, height);
            app.input.set(over(input, 2));
            const Halide::Buffer<uint8_t> output = app.output.realize({width, height});
            expect_near(output, reference::sobel(input), 0, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::sobel_test
