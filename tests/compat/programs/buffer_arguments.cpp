// Buffers as arguments of compiled functions: callers pass another one in their place.
#include "Halide.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

using namespace Halide;

int main() {
    Var x("x"), y("y");
    Buffer<uint8_t> picture(16, 8, "picture");
    Buffer<float> weights(3);
    picture.fill(7);
    weights.fill(0.5f);
    Param<int> offset("offset");
    Func f("f");
    f(x, y) = cast<int>(picture(x, y) * (weights(0) + weights(1) + weights(2))) + offset;

    const Argument named = picture;
    if (named.name != "picture" || !named.is_buffer() || !named.is_input() || named.type != UInt(8) ||
        named.dimensions != 2) {
        std::printf("The argument is not the picture.\n");
        return 1;
    }

    Buffer<uint8_t> other(16, 8);
    other.fill(20);
    Buffer<int> result(16, 8);
    const Callable call = f.compile_to_callable({picture, offset}); // the weights are a part of the code
    call(other, 3, result);
    if (result(5, 5) != 33) {
        std::printf("The picture that is passed is not read: %d\n", result(5, 5));
        return 1;
    }

    const std::string file = "buffer_arguments.h";
    f.compile_to_header(file, {picture, weights, offset}, "weigh");
    std::ifstream stream(file);
    const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (text.find("_picture_buffer, struct halide_buffer_t *") == std::string::npos) {
        std::printf("The header declares other arguments:\n%s\n", text.c_str());
        return 1;
    }
    std::printf("Success!\n");
    return 0;
}
