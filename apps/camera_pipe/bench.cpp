#include "apps/common/bench.h"
#include "apps/camera_pipe/camera_pipe.h"
#include "apps/camera_pipe/reference.h"

int main(int argc, char **argv) {
    using namespace apps;
    return measure_filter<CameraPipe>("camera_pipe", {argc, argv}, {5, 3},
                                      random_image<uint16_t>(2592, 1968, 1, 0, 1023),
                                      [](const auto &input) { return reference::camera_pipe(input); });
}
