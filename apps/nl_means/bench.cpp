#include "apps/common/bench.h"
#include "apps/nl_means/nl_means.h"
#include "apps/nl_means/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    const auto input = random_image<float>(1536, 1024, 3);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<NlMeans>(Schedule::Hand);
        app->input.set(over(input, 3));
        return app;
    };
    return measure("nl_means", {argc, argv}, {24 * pixels}, Halide::Buffer<float>(input.width, input.height, 3), make,
                   [&] { return reference::nl_means(input); });
}
