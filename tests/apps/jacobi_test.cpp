#include "app_test.h"
#include "apps/jacobi/jacobi.h"
#include "apps/jacobi/reference.h"

namespace apps::jacobi_test {
namespace {

class JacobiStars : public testing::TestWithParam<std::pair<int, int>> {};
INSTANTIATE_TEST_SUITE_P(All, JacobiStars,
                         testing::Values(std::pair(2, 1), std::pair(2, 2), std::pair(3, 1), std::pair(3, 2)));

TEST_P(JacobiStars, AgreeWithReferenceAndInterpreter) {
    const auto [dimensions, reach] = GetParam();
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        for (const int sweeps : {1, 3}) {
            Jacobi app(schedule, {dimensions, reach}, sweeps);
            for (const auto &[width, height] : sizes_for(schedule)) {
                const auto input = dimensions == 2 ? random_image<float>(width, height)
                                                   : random_image<float>(width, height / 4 + 1, 9);
                app.input.set(over(input, dimensions));
                const Halide::Buffer<float> output =
                    dimensions == 2 ? app.output.realize({input.width, input.height})
                                    : app.output.realize({input.width, input.height, input.channels});
                expect_near(output, reference::jacobi(input, dimensions, reach, sweeps), 1e-5, schedule);
                expect_interpreted(app.output, output, schedule);
            }
        }
    }
}

} // namespace
} // namespace apps::jacobi_test
