#include "apps/common/bench.h"
#include "apps/harris/harris.h"
#include "apps/harris/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    // The determinant is the difference of two products of sums, which cancel along edges.
    const Tolerance tolerance = {1e-5};
    return measure_filter<Harris>("harris", {argc, argv}, {16, 1, tolerance}, random_image<float>(4096, 3072, 3),
                                  [](const auto &input) { return reference::harris(input); });
}
