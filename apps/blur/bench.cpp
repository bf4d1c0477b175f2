#include "apps/common/bench.h"
#include "apps/blur/blur.h"
#include "apps/blur/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    return measure_filter<Blur>("blur", {argc, argv}, {4}, random_image<uint16_t>(8192, 6144),
                                [](const auto &input) { return reference::blur(input); });
}
