#include "apps/camera_pipe/camera_pipe.h"
#include "apps/camera_pipe/reference.h"
#include "apps/common/buffers.h"
#include "apps/common/program.h"

int main(int argc, char **argv) {
    using namespace apps;
    Program program{"camera_pipe",
                    "Takes a colour picture as a camera's sensor sees it and develops it again.",
                    Channels::Color,
                    Halide::Float(32),
                    2,
                    64};
    program.parameters = {{"temperature", 3700, 2000, 12000, "of the light, in kelvin"},
                          {"gamma", 2, 0.5, 5, "of the tone curve"},
                          {"contrast", 50, 0, 100, "of the tone curve"},
                          {"sharpness", 1, 0, 3.9, "how much a blur's difference counts"}};
    program.run = [](const Halide::Buffer<> &picture, const Request &request) -> Halide::Buffer<> {
        Image<float> color(picture.width(), picture.height(), 3);
        over(color, 3).copy_from(Halide::Buffer<float>(picture));
        // A scene in linear light, somewhat dark: what the tone curve is made for.
        for (float &value : color.values) {
            value = 0.05f + 0.5f * value * value;
        }
        const Image<uint16_t> raw = reference::mosaic(color);
        CameraPipe app(request.schedule);
        app.input.set(over(raw, 2));
        app.temperature.set(static_cast<float>(request.number("temperature")));
        app.gamma.set(static_cast<float>(request.number("gamma")));
        app.contrast.set(static_cast<float>(request.number("contrast")));
        app.sharpness.set(static_cast<float>(request.number("sharpness")));
        return request.scheduled(app.output, {raw.width, raw.height, 3}).realize({raw.width, raw.height, 3});
    };
    program.print_loop_nest = [](const Request &request) { CameraPipe(request.schedule).output.print_loop_nest(); };
    return run_program(program, argc, argv);
}
