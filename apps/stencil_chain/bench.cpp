#include "apps/common/bench.h"
#include "apps/stencil_chain/reference.h"
#include "apps/stencil_chain/stencil_chain.h"

int main(int argc, char **argv) {
    using namespace apps;
    return measure_filter<StencilChain>("stencil_chain", {argc, argv}, {4}, random_image<uint16_t>(1536, 2560),
                                        [](const auto &input) { return reference::stencil_chain(input); });
}
