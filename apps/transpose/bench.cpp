#include "apps/common/bench.h"
#include "apps/transpose/reference.h"
#include "apps/transpose/transpose.h"

int main(int argc, char **argv) {
    using namespace apps;
    return measure_filter<Transpose>("transpose", {argc, argv}, {4}, random_image<uint16_t>(8192, 8192),
                                     [](const auto &input) { return reference::transpose(input); });
}
