#include "apps/common/bench.h"
#include "apps/hist_equalize/hist_equalize.h"
#include "apps/hist_equalize/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    return measure_filter<HistEqualize>("hist_equalize", {argc, argv}, {6}, random_image<uint8_t>(4096, 3072, 3),
                                        [](const auto &input) { return reference::hist_equalize(input); });
}
