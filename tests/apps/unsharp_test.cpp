#include "app_test.h"
#include "apps/unsharp/reference.h"
#include "apps/unsharp/unsharp.h"

namespace apps::unsharp_test {
namespace {

TEST(Unsharp, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        Unsharp app(schedule);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<float>(width, height, 3);
            app.input.set(over(input, 3));
            const Halide::Buffer<float> output = app.output.realize({width, height, 3});
            expect_near(output, reference::unsharp(input), 1e-5, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::unsharp_test
