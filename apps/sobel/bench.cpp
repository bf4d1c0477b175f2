#include "apps/common/bench.h"
#include "apps/sobel/reference.h"
#include "apps/sobel/sobel.h"

int main(int argc, char **argv) {
    using namespace apps;
    return measure_filter<Sobel>("sobel", {argc, argv}, {2}, random_image<uint8_t>(8192, 8192),
                                 [](const auto &input) { return reference::sobel(input); });
}
