#include "app_test.h"
#include "apps/heat3d/heat3d.h"
#include "apps/heat3d/reference.h"

namespace apps::heat3d_test {
namespace {

TEST(Heat3d, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        Heat3d app(schedule);
        for (const int steps : {0, 1, 4}) {
            for (const int depth : {3, 11}) {
                const auto input = random_image<float>(37, 9, depth);
                app.input.set(over(input, 3));
                app.steps.set(steps);
                const Halide::Buffer<float> output = app.output.realize({37, 9, depth});
                expect_near(output, reference::heat3d(input, steps), 1e-5, schedule);
                expect_interpreted(app.output, output, schedule);
            }
        }
    }
}

} // namespace
} // namespace apps::heat3d_test
