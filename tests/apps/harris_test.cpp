#include "app_test.h"
#include "apps/harris/harris.h"
#include "apps/harris/reference.h"

namespace apps::harris_test {
namespace {

TEST(Harris, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        Harris app(schedule);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<float>(width, height, 3);
            app.input.set(over(input, 3));
            const Halide::Buffer<float> output = app.output.realize({width, height});
            expect_near(output, reference::harris(input), 1e-4, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::harris_test
