#include "apps/common/bench.h"
#include "apps/harris/harris.h"
#include "apps/harris/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    return measure_filter<Harris>("harris", {argc, argv}, {16, 1}, random_image<float>(4096, 3072, 3),
                                  [](const auto &input) { return reference::harris(input); });
}
