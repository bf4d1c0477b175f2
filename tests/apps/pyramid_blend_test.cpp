#include "app_test.h"
#include "apps/pyramid_blend/pyramid_blend.h"
#include "apps/pyramid_blend/reference.h"

namespace apps::pyramid_blend_test {
namespace {

TEST(PyramidBlend, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        PyramidBlend app(schedule, 5);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<float>(width, height, 3);
            const auto second = random_image<float>(width, height, 3, 2u),
                       mask = random_image<float>(width, height, 1, 3u);
            app.first.set(over(input, 3));
            app.second.set(over(second, 3));
            app.mask.set(over(mask, 2));
            const Halide::Buffer<float> output = app.output.realize({width, height, 3});
            expect_near(output, reference::pyramid_blend(input, second, mask, 5), 1e-5, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::pyramid_blend_test
