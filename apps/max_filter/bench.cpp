#include "apps/common/bench.h"
#include "apps/max_filter/max_filter.h"
#include "apps/max_filter/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    return measure_filter<MaxFilter>("max_filter", {argc, argv}, {2}, random_image<uint8_t>(4096, 3072),
                                     [](const auto &input) { return reference::max_filter(input); });
}
