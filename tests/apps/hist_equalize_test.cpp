#include "app_test.h"
#include "apps/hist_equalize/hist_equalize.h"
#include "apps/hist_equalize/reference.h"

namespace apps::hist_equalize_test {
namespace {

TEST(HistEqualize, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        HistEqualize app(schedule);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<uint8_t>(width, height, 3);
            app.input.set(over(input, 3));
            const Halide::Buffer<uint8_t> output = app.output.realize({width, height, 3});
            expect_near(output, reference::hist_equalize(input), 0, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::hist_equalize_test
