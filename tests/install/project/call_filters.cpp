// Calls the filters beside plain C++, and counts what their registrations hand over.

#include <blur.h>
#include <blur_by_processor.h>
#include <sharpen.h>
#include <two_stages.h>

#include <HalideRuntime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr int width = 61, height = 23;
int registered = 0;

struct Image {
    std::vector<uint8_t> pixels = std::vector<uint8_t>(width * height);
    halide_dimension_t dims[2] = {};
    halide_buffer_t header = {};

    Image() {
        dims[0].extent = width, dims[0].stride = 1;
        dims[1].extent = height, dims[1].stride = width;
        header.host = pixels.data();
        header.type = halide_type_t{halide_type_uint, 8, 1};
        header.dimensions = 2;
        header.dim = dims;
    }
    int at(int x, int y) const { return pixels[std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1)]; }
};

int row(const Image &in, int x, int y) { return (in.at(x - 1, y) + 2 * in.at(x, y) + in.at(x + 1, y)) / 4; }

int blurred(const Image &in, int x, int y) { return (row(in, x, y - 1) + 2 * row(in, x, y) + row(in, x, y + 1)) / 4; }

int whole(const Image &in, int x, int y) { return in.at(x, y) / 2 + in.at(x, y + 1) / 2; }
int halved(const Image &in, int x, int y) { return whole(in, x, y) / 2 + whole(in, x + 1, y) / 2; }
int in_two_stages(const Image &in, int x, int y) { return halved(in, x, y) / 2 + halved(in, x, y - 1) / 2; }

int sharpened(const Image &in, int x, int y) {
    const int product = 3 * (2 * in.at(x, y) - in.at(x - 1, y) - in.at(x + 1, y));
    const int quarter = product >= 0 ? product / 4 : -((-product + 3) / 4);
    return std::clamp(in.at(x, y) + 5 + quarter, 0, 255);
}

template <typename Filter, typename Expected>
int differences(const char *name, const Image &in, Filter filter, Expected expected) {
    Image input = in, out;
    input.header.host = input.pixels.data();
    input.header.dim = input.dims;
    if (const int code = filter(&input.header, &out.header)) {
        std::printf("%s returns %d\n", name, code);
        return 1;
    }
    int bad = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            bad += out.at(x, y) != expected(in, x, y);
        }
    }
    std::printf("%s: %d differences\n", name, bad);
    return bad;
}

} // namespace

extern "C" void halide_register_argv_and_metadata(int (*)(void **), const halide_filter_metadata_t *metadata,
                                                  const char *const *) {
    registered += std::strcmp(metadata->name, "sharpen_strongly") == 0 && metadata->num_arguments == 3;
}

int main() {
    Image in;
    for (int i = 0; i < width * height; i++) {
        in.pixels[i] = static_cast<uint8_t>(i * 37 + i / 7 * 11);
    }
    int bad =
        differences("blur", in, blur, blurred) + differences("blur_by_processor", in, blur_by_processor, blurred) +
        differences("two_stages", in, own::filters::two_stages, in_two_stages) +
        differences(
            "sharpen", in, [](auto *input, auto *output) { return sharpen_strongly(input, 5, output); }, sharpened);
    std::printf("%d registered\n", registered);
    for (const char *path : {STMT, SCHEDULE}) {
        bad += !std::ifstream(path).good();
    }
    return bad != 0 || registered != 1;
}
