#include "app_test.h"
#include "apps/wavelet/reference.h"
#include "apps/wavelet/wavelet.h"

namespace apps::wavelet_test {
namespace {

class Wavelets : public testing::TestWithParam<Wavelet> {};
INSTANTIATE_TEST_SUITE_P(Both, Wavelets, testing::Values(Wavelet::Haar, Wavelet::Daubechies));

TEST_P(Wavelets, PartsAgreeWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        WaveletForward app(schedule, GetParam());
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<float>(width, height);
            app.input.set(over(input, 2));
            const Halide::Buffer<float> output = app.output.realize({(width + 1) / 2, (height + 1) / 2, 4});
            expect_near(output, reference::wavelet(input, GetParam() == Wavelet::Haar), 1e-5, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

TEST_P(Wavelets, InverseGivesThePictureBack) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        WaveletForward forward(schedule, GetParam());
        WaveletInverse inverse(schedule, GetParam());
        const auto input = random_image<float>(70, 46);
        forward.input.set(over(input, 2));
        inverse.input.set(forward.output.realize({35, 23, 4}));
        const Halide::Buffer<float> output = inverse.output.realize({70, 46});
        expect_interpreted(inverse.output, output, schedule);
        // At the first pixels, Daubechies' filters need coefficients that the transform does not store.
        for (int y = 2; y < 46; y++) {
            for (int x = 2; x < 70; x++) {
                ASSERT_NEAR(output(x, y), input(x, y), 1e-5) << name_of(schedule) << ' ' << x << ' ' << y;
            }
        }
    }
}

} // namespace
} // namespace apps::wavelet_test
