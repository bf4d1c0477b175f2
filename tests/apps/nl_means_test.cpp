#include "app_test.h"
#include "apps/nl_means/nl_means.h"
#include "apps/nl_means/reference.h"

namespace apps::nl_means_test {
namespace {

TEST(NlMeans, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand, Schedule::HandPeer})) {
        NlMeans app(schedule, 5, 3);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<float>(width, height, 3, 0.4f, 0.6f); // more contrast makes weights 0
            app.input.set(over(input, 3));
            const Halide::Buffer<float> output = app.output.realize({width, height, 3});
            expect_near(output, reference::nl_means(input, 5, 3), 1e-3, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::nl_means_test
