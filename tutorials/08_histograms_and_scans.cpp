// Lesson 8: histograms and scans.
//
// Where an update writes may depend on data: a histogram adds one at the place that a pixel names. What it writes may
// depend on what it wrote before: a scan. Both together equalize a picture's contrast. Scheduling them is scheduling
// updates: f.update(k) has the same directives as f, as long as they do not change the order of things that depend on
// each other.

#include "lesson.h"

#include <algorithm>
#include <array>

using namespace fluorite;
using lesson::check;

static Var x("x"), y("y"), i("i");

static std::array<int, 256> count_levels(const Buffer<uint8_t, 2> &image) {
    std::array<int, 256> counts{};
    image.for_each_value([&](uint8_t value) { counts[value]++; });
    return counts;
}

static bool equal(const Buffer<int32_t> &levels, const std::array<int, 256> &expected) {
    bool right = true;
    levels.for_each_element([&](int k) { right = right && levels(k) == expected[static_cast<size_t>(k)]; });
    return right;
}

// A histogram: the coordinate on the left is a pixel's value. Eight bits cannot leave 0..255, and the compiler knows
// it; wider values need a clamp.
static void a_histogram(const Buffer<uint8_t, 2> &image) {
    std::printf("a histogram\n");
    RDom r(0, image.width(), 0, image.height());
    Func histogram("histogram");
    histogram(i) = 0;
    histogram(cast<int32_t>(image(r.x, r.y))) += 1;
    check(equal(histogram.realize({256}), count_levels(image)), "it equals the counts in C++");

    // Two pixels may hold the same value, so the update's loops cannot simply run at the same time.
    lesson::check_refused("parallel-over-dependence", [&] { histogram.update().parallel(r.y); });
}

// The same work in independent pieces: a histogram for each row, then their sum. Rows are a pure coordinate of the
// first update and may run in parallel; levels are one of the second and may be vectorized.
static void a_parallel_histogram(const Buffer<uint8_t, 2> &image) {
    std::printf("a parallel histogram\n");
    RDom column(0, image.width(), "column"), row(0, image.height(), "row");
    Func partial("partial"), histogram("histogram");
    partial(i, y) = 0;
    partial(cast<int32_t>(image(column, y)), y) += 1;
    histogram(i) += partial(i, row);

    partial.compute_root().vectorize(i, 8).parallel(y);
    partial.update().parallel(y);
    histogram.vectorize(i, 8);
    histogram.update().reorder(i, row).vectorize(i, 8);
    check(equal(histogram.realize({256}), count_levels(image)), "rows apart give the same");
}

// A scan: each point adds its own value to its predecessor's sum. Over a picture, a scan along rows and one along
// columns make the summed-area table, from which the sum over any box takes four reads.
static void scans(const Buffer<uint8_t, 2> &image, const std::string &folder) {
    std::printf("scans\n");
    const int width = image.width(), height = image.height(), radius = 7;
    RDom right(1, width - 1), down(1, height - 1);
    Func table("table");
    table(x, y) = cast<uint32_t>(image(x, y));
    table(right, y) += table(right - 1, y);
    table(x, down) += table(x, down - 1);

    // Along rows, different y are independent; along columns, different x are. By default the pure coordinates of an
    // update are rounded up to whole vectors; here that would read beyond the image, so the last vector is cut instead.
    table.compute_root();
    table.update(0).parallel(y);
    table.update(1).reorder(x, down).vectorize(x, 8, TailStrategy::GuardWithIf);

    Func mean("mean");
    const Expr left = clamp(x - radius - 1, 0, width - 1), last = clamp(x + radius, 0, width - 1);
    const Expr top = clamp(y - radius - 1, 0, height - 1), bottom = clamp(y + radius, 0, height - 1);
    const Expr area = cast<uint32_t>((last - left) * (bottom - top));
    mean(x, y) =
        cast<uint8_t>((table(last, bottom) - table(left, bottom) - table(last, top) + table(left, top)) / area);
    Buffer<uint8_t> output = mean.realize({width, height});

    bool same = true;
    output.for_each_element([&](int u, int v) {
        const int u0 = std::max(u - radius - 1, 0), u1 = std::min(u + radius, width - 1);
        const int v0 = std::max(v - radius - 1, 0), v1 = std::min(v + radius, height - 1);
        unsigned sum = 0;
        for (int b = v0 + 1; b <= v1; b++) {
            for (int a = u0 + 1; a <= u1; a++) {
                sum += image(a, b);
            }
        }
        same = same && output(u, v) == sum / static_cast<unsigned>((u1 - u0) * (v1 - v0));
    });
    check(same, "means of 15 x 15 boxes from four reads each");
    lesson::save(output, folder, "08_box_mean.png");
}

// Histogram, scan, and a lookup through the result.
static void equalization(const Buffer<uint8_t, 2> &image, const std::string &folder) {
    std::printf("equalization\n");
    const int pixels = image.width() * image.height();
    RDom r(0, image.width(), 0, image.height()), level(1, 255);
    Func histogram("histogram"), cumulative("cumulative"), equalized("equalized");
    histogram(i) = 0;
    histogram(cast<int32_t>(image(r.x, r.y))) += 1;
    cumulative(i) = histogram(i);
    cumulative(level) += cumulative(level - 1);
    equalized(x, y) = cast<uint8_t>(cumulative(cast<int32_t>(image(x, y))) * 255 / pixels);

    histogram.compute_root();
    cumulative.compute_root();
    equalized.vectorize(x, 8);
    Buffer<uint8_t> output = equalized.realize({image.width(), image.height()});

    std::array<int, 256> sums = count_levels(image);
    for (size_t k = 1; k < sums.size(); k++) {
        sums[k] += sums[k - 1];
    }
    bool right = true;
    output.for_each_element([&](int u, int v) { right = right && output(u, v) == sums[image(u, v)] * 255 / pixels; });
    check(right, "every pixel equals plain C++");
    lesson::save(image, folder, "08_flat.png");
    lesson::save(output, folder, "08_equalized.png");
}

int main(int argc, char **argv) {
    const std::string folder = lesson::folder(argc, argv);
    // A flat exposure: levels 80 to 160 only.
    Buffer<uint8_t, 2> image = lesson::sample_picture(203, 149).sliced(2, 0).copy();
    image.for_each_value([](uint8_t &value) { value = static_cast<uint8_t>(80 + value * 80 / 255); });
    a_histogram(image);
    a_parallel_histogram(image);
    scans(image, folder);
    equalization(image, folder);
    return lesson::result();
}
