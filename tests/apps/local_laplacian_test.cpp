#include "app_test.h"
#include "apps/local_laplacian/local_laplacian.h"
#include "apps/local_laplacian/reference.h"

namespace apps::local_laplacian_test {
namespace {

TEST(LocalLaplacian, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        LocalLaplacian app(schedule, 5, 4);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<uint16_t>(width, height, 3);
            app.input.set(over(input, 3));
            const Halide::Buffer<uint16_t> output = app.output.realize({width, height, 3});
            expect_near(output, reference::local_laplacian(input, 5, 4), 2, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::local_laplacian_test
