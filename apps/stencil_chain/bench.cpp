#include "apps/common/bench.h"
#include "apps/stencil_chain/reference.h"
#include "apps/stencil_chain/stencil_chain.h"

int main(int argc, char **argv) {
    using namespace apps;
    const auto input = random_image<uint16_t>(1536, 2560);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<StencilChain>(Schedule::Hand);
        app->input.set(over(input, 2));
        return app;
    };
    return measure("stencil_chain", {argc, argv}, {4 * pixels}, Halide::Buffer<uint16_t>(input.width, input.height),
                   make, [&] { return reference::stencil_chain(input); });
}
