#include "app_test.h"
#include "apps/level_set/level_set.h"
#include "apps/level_set/reference.h"

namespace apps::level_set_test {
namespace {

TEST(LevelSet, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        LevelSet app(schedule);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<float>(width, height);
            const auto phi = random_image<float>(width, height, 1, -1.0f, 1.0f, 2);
            app.input.set(over(input, 2));
            app.phi.set(over(phi, 2));
            const Halide::Buffer<float> output = app.output.realize({width, height});
            expect_near(output, reference::level_set(input, phi), 1e-5, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::level_set_test
