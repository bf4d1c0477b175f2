#include "app_test.h"
#include "apps/max_filter/max_filter.h"
#include "apps/max_filter/reference.h"

namespace apps::max_filter_test {
namespace {

TEST(MaxFilter, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        MaxFilter app(schedule);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<uint8_t>(width, height);
            app.input.set(over(input, 2));
            const Halide::Buffer<uint8_t> output = app.output.realize({width, height});
            expect_near(output, reference::max_filter(input), 0, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::max_filter_test
