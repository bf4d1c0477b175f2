#include "apps/common/bench.h"
#include "apps/unsharp/reference.h"
#include "apps/unsharp/unsharp.h"

int main(int argc, char **argv) {
    using namespace apps;
    return measure_filter<Unsharp>("unsharp", {argc, argv}, {24}, random_image<float>(4096, 3072, 3),
                                   [](const auto &input) { return reference::unsharp(input); });
}
