#include "apps/common/bench.h"
#include "apps/camera_pipe/camera_pipe.h"
#include "apps/camera_pipe/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    const auto input = random_image<uint16_t>(2592, 1968, 1, 0, 1023);
    const double pixels = 1.0 * input.width * input.height;
    const auto make = [&] {
        auto app = std::make_unique<CameraPipe>(Schedule::Hand);
        app->input.set(over(input, 2));
        return app;
    };
    return measure("camera_pipe", {argc, argv}, {5 * pixels}, Halide::Buffer<uint8_t>(input.width, input.height, 3),
                   make, [&] { return reference::camera_pipe(input); });
}
