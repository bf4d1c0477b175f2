#include "apps/common/bench.h"
#include "apps/nl_means/nl_means.h"
#include "apps/nl_means/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    return measure_filter<NlMeans>("nl_means", {argc, argv}, {24}, random_image<float>(1536, 1024, 3),
                                   [](const auto &input) { return reference::nl_means(input); });
}
