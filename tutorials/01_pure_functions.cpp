// Lesson 1: pure functions.
//
// A pipeline is made of functions from integer coordinates to values. A Func is such a function; a Var names one of its
// coordinates; an Expr is a formula. Writing a definition computes nothing: it says what each point is. realize(...)
// compiles the Func to machine code and evaluates it at all points of a box that starts at 0.

#include "lesson.h"

using namespace fluorite;
using lesson::check;

// f(x, y) = x + y: the simplest Func of two coordinates.
static void a_gradient() {
    std::printf("a gradient\n");
    Var x("x"), y("y"); // names are for messages and print-outs
    Func gradient("gradient");
    gradient(x, y) = x + y;

    // The type follows from the formula: coordinates are 32-bit integers, so is their sum.
    check(gradient.type() == Int(32), "the type is int32");
    check(gradient.dimensions() == 2, "there are two dimensions");

    Buffer<int32_t> output = gradient.realize({80, 60}); // 80 wide (x), 60 high (y)
    bool right = true;
    for (int j = 0; j < output.height(); j++) {
        for (int i = 0; i < output.width(); i++) {
            right = right && output(i, j) == i + j;
        }
    }
    check(right, "every point is x + y");
}

// Formulas use the operators and functions that C++ has for numbers. A C++ integer in a formula takes the type of what
// it is combined with; a number with a point does so beside floats, and makes integers floats (float32). Other types
// are brought to a common one, and cast<T>() converts explicitly.
static void formulas_and_types() {
    std::printf("formulas and types\n");
    Var x("x");
    Func wave("wave"), bytes("bytes"), quotient("quotient");

    wave(x) = sin(cast<float>(x) * 0.1f);
    check(wave.type() == Float(32), "the sine of a float is a float");

    // 200 + x in 8 bits wraps around at 256, as unsigned bytes do.
    bytes(x) = cast<uint8_t>(200) + cast<uint8_t>(x);
    Buffer<uint8_t> wrapped = bytes.realize({100});
    check(wrapped(55) == 255 && wrapped(56) == 0, "bytes wrap around");

    // Division rounds so that the remainder is never negative, whatever the signs: -1 / 4 is -1, and -1 % 4 is 3.
    quotient(x) = (x - 8) / 4;
    Buffer<int32_t> quotients = quotient.realize({16});
    check(quotients(7) == -1 && quotients(8) == 0 && quotients(0) == -2, "division rounds down for positive divisors");

    // By 4.0 it does not round: the result is a float, and so is what is realized.
    Func ratio("ratio");
    ratio(x) = (x - 8) / 4.0;
    check(ratio.type() == Float(32), "an integer divided by 4.0 is a float");
    Buffer<float> ratios = ratio.realize({16});
    check(ratios(7) == -0.25f && ratios(13) == 1.25f, "division by 4.0 keeps the fraction");
}

// Functions call functions, at any coordinates. Each name stands for its whole definition: nothing says yet whether the
// values are stored or recomputed. That is the schedule's business, from lesson 5 on.
static void functions_of_functions() {
    std::printf("functions of functions\n");
    Var x("x"), y("y");
    Func square("square"), difference("difference");
    square(x, y) = x * x + y * y;
    difference(x, y) = square(x + 1, y) - square(x, y); // (x + 1)^2 - x^2 = 2x + 1
    Buffer<int32_t> output = difference.realize({20, 20});
    check(output(7, 3) == 15 && output(0, 19) == 1, "the difference of squares");
}

// Conditions choose values: select(condition, then, otherwise). A third coordinate can count colour channels.
static void a_picture(const std::string &folder) {
    std::printf("a picture\n");
    Var x("x"), y("y"), c("c");
    Func rings("rings"), picture("picture");
    const int width = 192, height = 128;

    const Expr dx = cast<float>(x - width / 2), dy = cast<float>(y - height / 2);
    rings(x, y) = 0.5f + 0.5f * cos(sqrt(dx * dx + dy * dy) * 0.4f);

    // Red shows the rings, green a ramp, blue which half we are in.
    const Expr blue = select(x < width / 2, 60, 180);
    const Expr value = select(c == 0, cast<int32_t>(255 * rings(x, y)), c == 1, x + y / 2, blue);
    picture(x, y, c) = cast<uint8_t>(clamp(value, 0, 255));

    Buffer<uint8_t> output = picture.realize({width, height, 3});
    check(output(width / 2, height / 2, 0) == 255, "the middle of the rings is bright");
    check(output(10, 20, 1) == 20 && output(0, 0, 2) == 60 && output(width - 1, 0, 2) == 180,
          "green and blue are right");
    lesson::save(output, folder, "01_rings.png");
}

// A Func can have several values at each point: a Tuple.
static void several_values() {
    std::printf("several values\n");
    Var x("x");
    Func both("both"), distance("distance");
    both(x) = Tuple(x * 2, cast<float>(x) / 2);
    distance(x) = both(x)[0] - cast<int32_t>(both(x)[1]);
    Buffer<int32_t> output = distance.realize({10});
    check(output(6) == 12 - 3, "elements are taken with [ ]");

    Realization all = both.realize({10}); // one buffer for each element
    Buffer<float> halves = all[1];
    check(halves(5) == 2.5f, "realize gives every element");
}

// What has no meaning is refused, with the line of this program that is at fault.
static void mistakes() {
    std::printf("mistakes\n");
    Var x("x"), y("y");
    Func f("f"), nothing("nothing");
    f(x, y) = x + y;
    lesson::check_refused("wrong-arity", [&] {
        Func g("g"), h("h");
        g(x) = f(x);
    });
    lesson::check_refused("undefined-func", [&] {
        Func g("g");
        g(x) = nothing(x) + 1;
    });
}

int main(int argc, char **argv) {
    a_gradient();
    formulas_and_types();
    functions_of_functions();
    a_picture(lesson::folder(argc, argv));
    several_values();
    mistakes();
    return lesson::result();
}
