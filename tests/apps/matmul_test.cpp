#include "app_test.h"
#include "apps/matmul/matmul.h"
#include "apps/matmul/reference.h"

namespace apps::matmul_test {
namespace {

TEST(Matmul, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand})) {
        Matmul app(schedule);
        for (const int side : {1, 17, 67}) {
            const auto a = random_image<float>(side, side), b = random_image<float>(side, side, 1, 2u);
            app.a.set(over(a, 2));
            app.b.set(over(b, 2));
            if (schedule == Schedule::Hand && side < 67) {
                continue; // a tile has 64x32 values
            }
            const Halide::Buffer<float> output = app.output.realize({side, side});
            expect_near(output, reference::matmul(a, b), 1e-5, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::matmul_test
