#include "apps/common/bench.h"
#include "apps/interpolate/interpolate.h"
#include "apps/interpolate/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    return measure_filter<Interpolate>("interpolate", {argc, argv}, {28, 3}, random_image<float>(1536, 2560, 4),
                                       [](const auto &input) { return reference::interpolate(input); });
}
