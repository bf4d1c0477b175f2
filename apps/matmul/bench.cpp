#include "apps/common/bench.h"
#include "apps/matmul/matmul.h"
#include "apps/matmul/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    constexpr int side = 1024;
    const auto a = random_image<float>(side, side), b = random_image<float>(side, side, 1, 2u);
    const auto make = [&] {
        auto app = std::make_unique<Matmul>(Schedule::Hand);
        app->a.set(over(a, 2));
        app->b.set(over(b, 2));
        return app;
    };
    return measure("matmul", {argc, argv}, {12.0 * side * side, 2.0 * side * side * side},
                   Halide::Buffer<float>(side, side), make, [&] { return reference::matmul(a, b); });
}
