// Lesson 4: boundary conditions.
//
// A stencil at the edge of an image asks for pixels that are not there. A Func has no edge, an image has one: reading
// outside it is refused when the pipeline runs. There are two ways out: compute less (lesson 7), or say what lies
// outside. BoundaryConditions has the five usual answers; each gives a Func that equals the image inside it.

#include "lesson.h"

#include <algorithm>
#include <functional>

using namespace fluorite;
using lesson::check;

// What a condition means for one dimension: the coordinate that is read instead of `i`, or -1 for "none".
using Rule = std::function<int(int i, int extent)>;

static int modulo(int a, int b) { return ((a % b) + b) % b; }

static int mirrored(int i, int extent) {
    const int at = modulo(i, 2 * extent); // 0 1 2 2 1 0 0 1 2 ...
    return at < extent ? at : 2 * extent - 1 - at;
}

static int mirrored_about_centres(int i, int extent) {
    const int period = 2 * (extent - 1); // 0 1 2 1 0 1 2 ...
    const int at = modulo(i, period);
    return at < extent ? at : period - at;
}

// Realizes a wide margin around the image and compares it with the rule.
static void compare(const std::string &name, Func padded, const Buffer<uint8_t, 3> &image, int outside,
                    const Rule &rule, const std::string &folder) {
    const int margin = 40;
    Buffer<uint8_t, 3> output(image.width() + 2 * margin, image.height() + 2 * margin, 3);
    output.set_min(-margin, -margin, 0); // lesson 2: results need not start at 0
    padded.realize(output);

    bool right = true;
    output.for_each_element([&](int x, int y, int c) {
        const int from_x = rule(x, image.width()), from_y = rule(y, image.height());
        const int expected = from_x < 0 || from_y < 0 ? outside : image(from_x, from_y, c);
        right = right && output(x, y, c) == expected;
    });
    check(right, name);
    lesson::save(output, folder, "04_" + name + ".png");
}

// The five conditions.
static void five_conditions(const Buffer<uint8_t, 3> &image, const std::string &folder) {
    std::printf("five conditions\n");
    using namespace BoundaryConditions;
    // A condition without a box takes the buffer's, in all its dimensions. The channels are never read outside, so they
    // need no condition: an undefined range leaves a dimension alone.
    const Region box = {{0, image.width()}, {0, image.height()}, {Expr(), Expr()}};

    const Rule inside = [](int i, int extent) { return i >= 0 && i < extent ? i : -1; };
    compare("constant_exterior", constant_exterior(image, cast<uint8_t>(200), box), image, 200, inside, folder);

    const Rule nearest = [](int i, int extent) { return std::clamp(i, 0, extent - 1); };
    compare("repeat_edge", repeat_edge(image, box), image, 0, nearest, folder);

    compare("repeat_image", repeat_image(image, box), image, 0, modulo, folder);
    compare("mirror_image", mirror_image(image, box), image, 0, mirrored, folder);
    compare("mirror_interior", mirror_interior(image, box), image, 0, mirrored_about_centres, folder);
}

// A stencil with and without a condition.
static void a_stencil(const Buffer<uint8_t, 3> &image, const std::string &folder) {
    std::printf("a stencil\n");
    Var x("x"), y("y"), c("c");
    Func unsafe("unsafe"), safe("safe"), padded = BoundaryConditions::repeat_edge(image);

    const auto laplacian = [&](const auto &f) {
        const auto at = [&](const Expr &i, const Expr &j) { return cast<int16_t>(f(i, j, c)); };
        const Expr value = 4 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1);
        return cast<uint8_t>(clamp(128 + value, 0, 255));
    };
    unsafe(x, y, c) = laplacian(image);
    safe(x, y, c) = laplacian(padded);

    lesson::check_refused("input-too-small", [&] { unsafe.realize({image.width(), image.height(), 3}); });
    Buffer<uint8_t> output = safe.realize({image.width(), image.height(), 3});
    bool right = true;
    output.for_each_element([&](int i, int j, int k) {
        const auto at = [&](int u, int v) {
            return int{image(std::clamp(u, 0, image.width() - 1), std::clamp(v, 0, image.height() - 1), k)};
        };
        const int value = 4 * at(i, j) - at(i - 1, j) - at(i + 1, j) - at(i, j - 1) - at(i, j + 1);
        right = right && output(i, j, k) == std::clamp(128 + value, 0, 255);
    });
    check(right, "with repeated edges every pixel has neighbours");
    lesson::save(output, folder, "04_laplacian.png");
}

// A condition can also be written out: clamp the coordinates. repeat_edge is that, and tells the compiler besides that
// the inside is what matters.
static void by_hand(const Buffer<uint8_t, 3> &image) {
    std::printf("by hand\n");
    Var x("x"), y("y"), c("c");
    Func clamped("clamped"), library = BoundaryConditions::repeat_edge(image), same("same");
    clamped(x, y, c) = image(clamp(x, 0, image.width() - 1), clamp(y, 0, image.height() - 1), c);
    same(x, y, c) = clamped(x - 20, y - 20, c) == library(x - 20, y - 20, c);
    Buffer<bool> output = same.realize({image.width() + 40, image.height() + 40, 3});
    check(output.all_equal(true), "clamped coordinates repeat the edge");
}

int main(int argc, char **argv) {
    const Buffer<uint8_t, 3> image = lesson::sample_picture(64, 48);
    const std::string folder = lesson::folder(argc, argv);
    five_conditions(image, folder);
    a_stencil(image, folder);
    by_hand(image);
    return lesson::result();
}
