// Lesson 2: images in and out, and inputs that change from run to run.
//
// A Buffer holds an image. A pipeline can read one directly (then the Buffer is part of the program), or through an
// ImageParam, a named place for a buffer that is bound later. A Param does the same for a number. A pipeline with
// parameters is compiled once and run many times, on images of any size.

#include "lesson.h"

using namespace fluorite;
using lesson::check;

// An image file is loaded into a Buffer, changed, and saved. Dimension 0 is x, 1 is y, 2 is the channel.
static void brighten(const std::string &folder) {
    std::printf("brighten an image\n");
    lesson::save(lesson::sample_picture(160, 120), folder, "02_input.png");

    // load_image gives a Buffer<> whose type and rank come from the file; assigning it to a Buffer<uint8_t> checks
    // them.
    Buffer<uint8_t> input = load_image(folder + "/02_input.png");
    check(input.width() == 160 && input.height() == 120 && input.channels() == 3, "the file came back");

    Var x("x"), y("y"), c("c");
    Func brighter("brighter");
    Expr value = cast<float>(input(x, y, c)); // 8 bits would wrap around
    value = min(value * 1.5f, 255.0f);
    brighter(x, y, c) = cast<uint8_t>(value);

    Buffer<uint8_t> output = brighter.realize({input.width(), input.height(), input.channels()});
    bool right = true;
    input.for_each_element([&](int i, int j, int k) {
        right = right &&
                output(i, j, k) == static_cast<uint8_t>(std::fmin(static_cast<float>(input(i, j, k)) * 1.5f, 255.0f));
    });
    check(right, "every pixel equals the same formula in C++");
    lesson::save(output, folder, "02_brighter.png");
}

// Parameters: one compilation, several runs.
static void compile_once(const std::string &folder) {
    std::printf("compile once, run often\n");
    Var x("x"), y("y"), c("c");
    ImageParam image(UInt(8), 3, "image");
    Param<float> gamma("gamma", 1.0f, 0.1f, 10.0f); // a first value and the range that runs accept
    Func corrected("corrected");
    corrected(x, y, c) = cast<uint8_t>(255.0f * pow(cast<float>(image(x, y, c)) / 255.0f, 1.0f / gamma) + 0.5f);
    corrected.compile_jit(); // optional: the first realize would compile too

    const Buffer<uint8_t, 3> large = lesson::sample_picture(160, 120), small = lesson::sample_picture(33, 17);
    for (const float value : {1.0f, 2.2f}) {
        gamma.set(value);
        image.set(large);
        Buffer<uint8_t> output = corrected.realize({large.width(), large.height(), 3});
        bool right = true;
        large.for_each_element([&](int i, int j, int k) {
            const double exact = 255 * std::pow(large(i, j, k) / 255.0, 1.0 / value);
            right = right && std::fabs(output(i, j, k) - exact) < 0.51;
        });
        check(right, "gamma " + std::to_string(value));
        lesson::save(output, folder, value == 1.0f ? "02_gamma_1.png" : "02_gamma_2.png");
    }
    image.set(small); // another size needs no other code
    Buffer<uint8_t> output = corrected.realize({33, 17, 3});
    check(output.width() == 33 && output.height() == 17, "another size runs with the same code");

    gamma.set(99.0f);
    lesson::check_refused("param-too-large", [&] { corrected.realize({33, 17, 3}); });
}

// Results go into a new buffer, or into one that exists, of any strides; and they need not start at 0.
static void where_results_go() {
    std::printf("where results go\n");
    Var x("x"), y("y");
    Func f("f");
    f(x, y) = x * 1000 + y;

    Buffer<int32_t, 2> shifted(8, 4);
    shifted.set_min(100, 50); // the box 100..107 x 50..53
    f.realize(shifted);
    check(shifted(100, 50) == 100050 && shifted(107, 53) == 107053, "a box that starts at (100, 50)");

    // A window of a larger buffer: only the window is written.
    Buffer<int32_t, 2> canvas(32, 32);
    canvas.fill(-1);
    Buffer<int32_t, 2> window = canvas.cropped({{10, 5}, {20, 3}});
    f.realize(window);
    check(canvas(10, 20) == 10020 && canvas(14, 22) == 14022, "the window is filled");
    check(canvas(9, 20) == -1 && canvas(15, 20) == -1 && canvas(10, 23) == -1, "its surroundings are untouched");
}

// A pipeline knows which part of its input it needs, and refuses inputs that are too small before it touches a pixel.
static void required_inputs() {
    std::printf("required inputs\n");
    Var x("x"), y("y");
    ImageParam image(UInt(8), 2, "image");
    Func slope("slope");
    slope(x, y) = cast<int16_t>(image(x + 1, y)) - cast<int16_t>(image(x, y));

    Buffer<uint8_t, 2> input(64, 48);
    input.fill([](int i, int j) { return static_cast<uint8_t>(3 * i + j); });
    image.set(input);
    Buffer<int16_t> output = slope.realize({63, 48}); // x + 1 stays inside
    check(output(20, 30) == 3, "63 columns can be computed of 64");
    lesson::check_refused("input-too-small", [&] { slope.realize({64, 48}); });

    // infer_input_bounds asks the pipeline for a buffer that is large enough.
    image.reset();
    slope.infer_input_bounds({200, 100});
    const Buffer<> inferred = image.get();
    check(inferred.width() == 201 && inferred.height() == 100, "201 x 100 pixels are needed for 200 x 100 differences");
}

// Files that are no images are refused with the reason.
static void bad_files(const std::string &folder) {
    std::printf("bad files\n");
    lesson::check_refused("image-missing", [&] { load_image(folder + "/02_there_is_no_such_file.png"); });
}

int main(int argc, char **argv) {
    const std::string folder = lesson::folder(argc, argv);
    brighten(folder);
    compile_once(folder);
    where_results_go();
    required_inputs();
    bad_files(folder);
    return lesson::result();
}
