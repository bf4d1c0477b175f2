#include "app_test.h"
#include "apps/fft/fft.h"
#include "apps/fft/reference.h"

namespace apps::fft_test {
namespace {

class Ffts : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Sides, Ffts, testing::Values(16, 32, 64));

TEST_P(Ffts, AgreeWithReferenceAndInterpreter) {
    const int side = GetParam();
    const auto input = random_image<float>(side, side, 2, -1.0f, 1.0f);
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        for (const Domain domain : {Domain::Complex, Domain::Real}) {
            const bool real = domain == Domain::Real;
            const int rows = real ? side / 2 + 1 : side;
            Fft app(schedule, side, domain);
            app.input.set(over(input, 3));
            const Halide::Buffer<float> output = app.output.realize({side, rows, 2});
            expect_near(output, reference::fft(input, real, rows), 2e-4, schedule);
            if (side == 16) {
                expect_interpreted(app.output, output, schedule);
            }
        }
    }
}

} // namespace
} // namespace apps::fft_test
