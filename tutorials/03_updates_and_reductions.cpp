// Lesson 3: update definitions and reductions.
//
// After its pure definition a Func can be updated: later definitions read and replace values of earlier ones. An RDom
// (reduction domain) makes an update run over a box of points, in order, the first dimension innermost. So sums,
// maxima, convolutions and recurrences are written without leaving the language.

#include "lesson.h"

#include <algorithm>

using namespace fluorite;
using lesson::check;

// Updates happen one after the other, each over the whole function.
static void updates() {
    std::printf("updates\n");
    Var x("x"), y("y");
    Func f("f");
    f(x, y) = x + y;       // everywhere
    f(x, 0) = 100;         // then one row
    f(3, y) = f(3, y) + 1; // then one column; it reads what the row's update wrote
    Buffer<int32_t> output = f.realize({8, 8});
    check(output(5, 5) == 10, "the pure definition holds elsewhere");
    check(output(5, 0) == 100 && output(3, 4) == 8, "row and column are replaced");
    check(output(3, 0) == 101, "the later update saw the earlier one");
}

// An RDom is a box of points: (min, extent) for each dimension.
static void sums(const Buffer<uint8_t, 2> &image) {
    std::printf("sums\n");
    Var x("x"), y("y");
    RDom r(0, image.width(), 0, image.height());
    Func total("total");
    total() = cast<uint32_t>(0); // no coordinates: a single value
    total() += cast<uint32_t>(image(r.x, r.y));
    Buffer<uint32_t> sum = total.realize();

    // Pure coordinates beside reduction variables: one sum for each row. Without a pure definition += starts at 0.
    RDom column(0, image.width());
    Func row_sum("row_sum");
    row_sum(y) += cast<uint32_t>(image(column, y));
    Buffer<uint32_t> rows = row_sum.realize({image.height()});

    uint32_t expected = 0, last_row = 0;
    image.for_each_element([&](int i, int j) {
        expected += image(i, j);
        last_row += j == image.height() - 1 ? image(i, j) : 0u;
    });
    check(sum() == expected, "the sum of all pixels");
    check(rows(image.height() - 1) == last_row, "the sum of the last row");
}

// The points of an RDom run in order, so an update may use what its earlier points wrote.
static void recurrences() {
    std::printf("recurrences\n");
    Var x("x");
    RDom r(2, 18);
    Func fibonacci("fibonacci");
    fibonacci(x) = 1;
    fibonacci(r) = fibonacci(r - 1) + fibonacci(r - 2);
    Buffer<int32_t> output = fibonacci.realize({20});
    check(output(10) == 89 && output(19) == 6765, "the Fibonacci numbers");
}

// sum(), product(), maximum(), minimum(), argmax(), argmin() reduce inside a formula.
static void inline_reductions(const Buffer<uint8_t, 2> &image, const std::string &folder) {
    std::printf("inline reductions\n");
    Var x("x"), y("y");
    RDom window(-2, 5, -2, 5);
    Func padded = BoundaryConditions::repeat_edge(image); // lesson 4
    Func mean("mean"), dilated("dilated"), brightest("brightest");
    mean(x, y) = cast<uint8_t>(sum(cast<uint16_t>(padded(x + window.x, y + window.y))) / 25);
    dilated(x, y) = maximum(padded(x + window.x, y + window.y));

    Buffer<uint8_t> means = mean.realize({image.width(), image.height()});
    Buffer<uint8_t> maxima = dilated.realize({image.width(), image.height()});
    bool right = true;
    image.for_each_element([&](int i, int j) {
        int total = 0, largest = 0;
        for (int dy = -2; dy <= 2; dy++) {
            for (int dx = -2; dx <= 2; dx++) {
                const int value =
                    image(std::clamp(i + dx, 0, image.width() - 1), std::clamp(j + dy, 0, image.height() - 1));
                total += value;
                largest = std::max(largest, value);
            }
        }
        right = right && means(i, j) == total / 25 && maxima(i, j) == largest;
    });
    check(right, "means and maxima of 5 x 5 windows");
    lesson::save(means, folder, "03_mean.png");
    lesson::save(maxima, folder, "03_dilated.png");

    // argmax gives where, and then what: a Tuple.
    RDom all(0, image.width(), 0, image.height());
    brightest() = argmax(image(all.x, all.y));
    Realization found = brightest.realize();
    const int at_x = Buffer<int32_t>(found[0])(), at_y = Buffer<int32_t>(found[1])();
    const int value = Buffer<uint8_t>(found[2])();
    check(image(at_x, at_y) == value && value == *std::max_element(image.begin(), image.end()), "the brightest pixel");
}

// A predicate cuts points out of the box: here, the points of a disc.
static void predicates(const std::string &folder) {
    std::printf("predicates\n");
    Var x("x"), y("y");
    RDom r(0, 64, 0, 64);
    r.where((r.x - 32) * (r.x - 32) + (r.y - 32) * (r.y - 32) < 30 * 30);
    Func disc("disc");
    disc(x, y) = cast<uint8_t>(40);
    disc(r.x, r.y) = cast<uint8_t>(min(2 * (r.x + r.y), 255));
    Buffer<uint8_t> output = disc.realize({64, 64});
    bool right = true;
    output.for_each_element([&](int i, int j) {
        const bool inside = (i - 32) * (i - 32) + (j - 32) * (j - 32) < 900;
        right = right && output(i, j) == (inside ? std::min(2 * (i + j), 255) : 40);
    });
    check(right, "only the disc is updated");
    lesson::save(output, folder, "03_disc.png");
}

int main(int argc, char **argv) {
    const Buffer<uint8_t, 2> image = lesson::sample_picture(97, 63).sliced(2, 0);
    const std::string folder = lesson::folder(argc, argv);
    updates();
    sums(image.copy());
    recurrences();
    inline_reductions(image.copy(), folder);
    predicates(folder);
    return lesson::result();
}
