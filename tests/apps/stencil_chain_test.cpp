#include "app_test.h"
#include "apps/stencil_chain/reference.h"
#include "apps/stencil_chain/stencil_chain.h"

namespace apps::stencil_chain_test {
namespace {

TEST(StencilChain, AgreesWithReferenceAndInterpreter) {
    for (const Schedule schedule : default_and({Schedule::Hand, Schedule::HandPeer})) {
        StencilChain app(schedule, 10);
        for (const auto &[width, height] : sizes_for(schedule)) {
            const auto input = random_image<uint16_t>(width, height);
            app.input.set(over(input, 2));
            const Halide::Buffer<uint16_t> output = app.output.realize({width, height});
            expect_near(output, reference::stencil_chain(input, 10), 0, schedule);
            expect_interpreted(app.output, output, schedule);
        }
    }
}

} // namespace
} // namespace apps::stencil_chain_test
