#include "apps/common/bench.h"
#include "apps/local_laplacian/local_laplacian.h"
#include "apps/local_laplacian/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    // A product that is added to without rounding can pick the next entry of the table: few values, 2 % of the range at most.
    const Tolerance tolerance = {1310, 0.02};
    return measure_filter<LocalLaplacian>("local_laplacian", {argc, argv}, {12, 3, tolerance},
                                          random_image<uint16_t>(1536, 2560, 3),
                                          [](const auto &input) { return reference::local_laplacian(input); });
}
