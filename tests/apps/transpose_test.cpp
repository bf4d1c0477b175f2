#include "app_test.h"
#include "apps/transpose/reference.h"
#include "apps/transpose/transpose.h"

namespace apps::transpose_test {
namespace {

TEST(Transpose, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        Transpose app(schedule);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<uint16_t>(width, height);
            app.input.set(over(input, 2));
            const Halide::Buffer<uint16_t> output = app.output.realize({height, width});
            expect_near(output, reference::transpose(input), 0, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::transpose_test
