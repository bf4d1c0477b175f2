#include "app_test.h"
#include "apps/camera_pipe/camera_pipe.h"
#include "apps/camera_pipe/reference.h"

namespace apps::camera_pipe_test {
namespace {

TEST(CameraPipe, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        CameraPipe app(schedule);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<uint16_t>(width, height, 1, 0, 1023);
            app.input.set(over(input, 2));
            const Halide::Buffer<uint8_t> output = app.output.realize({width, height, 3});
            expect_near(output, reference::camera_pipe(input), 1, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::camera_pipe_test
