// Image files of programs that call compiled functions: their buffers are Halide::Runtime::Buffer.
#include "HalideBuffer.h"
#include "halide_image_io.h"

#include <cstdint>
#include <cstdio>

using namespace Halide::Tools;

template <typename T> using Image = Halide::Runtime::Buffer<T>;

int main() {
    Image<uint8_t> picture(40, 30, 3);
    picture.for_each_element(
        [&](int x, int y, int c) { picture(x, y, c) = static_cast<uint8_t>(x * 3 + y * 2 + c * 60); });
    convert_and_save_image(picture, "runtime_image.png");
    Image<uint8_t> loaded = load_image("runtime_image.png");
    Image<uint16_t> wide = load_and_convert_image("runtime_image.png");
    Image<const uint8_t> fixed = load_and_convert_image("runtime_image.png");
    Image<float> again(1, 1, 1);
    again = load_and_convert_image("runtime_image.png");
    Halide::Runtime::Buffer<uint8_t, 3> ranked = load_and_convert_image("runtime_image.png");
    std::remove("runtime_image.png");
    int wrong = loaded.dimensions() == 3 && ranked.channels() == 3 && again.width() == 40 ? 0 : 1;
    picture.for_each_element([&](int x, int y, int c) {
        const int value = picture(x, y, c);
        wrong += loaded(x, y, c) != value || wide(x, y, c) != value * 257 || fixed(x, y, c) != value ||
                 ranked(x, y, c) != value || static_cast<int>(again(x, y, c) * 255.0f + 0.5f) != value;
    });
    std::printf("%s\n", wrong == 0 ? "Success!" : "Images differ.");
    return wrong == 0 ? 0 : 1;
}
