#include "apps/common/bench.h"
#include "apps/bilateral_grid/bilateral_grid.h"
#include "apps/bilateral_grid/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    return measure_filter<BilateralGrid>("bilateral_grid", {argc, argv}, {8}, random_image<float>(3072, 2048),
                                         [](const auto &input) { return reference::bilateral_grid(input); });
}
