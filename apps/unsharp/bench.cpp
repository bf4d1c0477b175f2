#include "apps/common/bench.h"
#include "apps/unsharp/reference.h"
#include "apps/unsharp/unsharp.h"

int main(int argc, char **argv) {
    using namespace apps;
    // A ratio of sums of up to 49 products, one of them the difference of two others.
    const Tolerance tolerance = {3e-6};
    return measure_filter<Unsharp>("unsharp", {argc, argv}, {24, 0, tolerance}, random_image<float>(4096, 3072, 3),
                                   [](const auto &input) { return reference::unsharp(input); });
}
