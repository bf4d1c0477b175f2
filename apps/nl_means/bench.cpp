#include "apps/common/bench.h"
#include "apps/nl_means/nl_means.h"
#include "apps/nl_means/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    // Of noise with full contrast each pixel resembles itself alone, and the output would be the input.
    const auto input = random_image<float>(1536, 1024, 3, 0.4f, 0.6f);
    // fast_exp is each library's own approximation, the reference's is exact; weights multiply differences of at most
    // 0.2 from
    // the mean.
    const Tolerance tolerance = {3e-6};
    return measure_filter<NlMeans>("nl_means", {argc, argv}, {24, 0, tolerance}, input,
                                   [](const auto &input) { return reference::nl_means(input); });
}
