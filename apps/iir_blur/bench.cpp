#include "apps/common/bench.h"
#include "apps/iir_blur/iir_blur.h"
#include "apps/iir_blur/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    // Each value goes through four recursions, which carry the roundings of some twenty values before it.
    const Tolerance tolerance = {2e-6};
    return measure_filter<IirBlur>("iir_blur", {argc, argv}, {24, 0, tolerance}, random_image<float>(2048, 1536, 3),
                                   [](const auto &input) { return reference::iir_blur(input); });
}
