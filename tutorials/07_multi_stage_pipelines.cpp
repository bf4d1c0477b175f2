// Lesson 7: pipelines of several stages.
//
// Real pipelines are graphs of small functions. This lesson builds an edge-aware sharpening of a colour picture from
// seven of them, schedules it three ways, and checks that all agree with plain C++ to the last bit. It also shows the
// other answer to missing neighbours: compute only where there are some.

#include "lesson.h"

#include <algorithm>
#include <chrono>
#include <functional>

using namespace fluorite;
using lesson::check;

static Var x("x"), y("y"), c("c"), xi("xi"), yi("yi");

// The stages are members, so that a schedule can be applied from outside.
struct Sharpen {
    Func gray{"gray"}, blur_x{"blur_x"}, blur_y{"blur_y"}, detail{"detail"}, edge{"edge"}, gain{"gain"},
        output{"output"};

    // The input is read up to two pixels beyond each output pixel.
    explicit Sharpen(const Buffer<uint8_t, 3> &input) {
        const auto at = [&](const Expr &i, const Expr &j, int channel) { return cast<int16_t>(input(i, j, channel)); };
        gray(x, y) = (at(x, y, 0) + 2 * at(x, y, 1) + at(x, y, 2)) / 4;
        blur_x(x, y) = (gray(x - 1, y) + 2 * gray(x, y) + gray(x + 1, y)) / 4;
        blur_y(x, y) = (blur_x(x, y - 1) + 2 * blur_x(x, y) + blur_x(x, y + 1)) / 4;
        detail(x, y) = gray(x, y) - blur_y(x, y);
        edge(x, y) = max(absd(blur_y(x + 1, y), blur_y(x - 1, y)), absd(blur_y(x, y + 1), blur_y(x, y - 1)));
        gain(x, y) = clamp(cast<int16_t>(edge(x, y)) / 4, 0, 6); // flat areas, which hold noise only, stay as they are
        output(x, y, c) = cast<uint8_t>(clamp(cast<int16_t>(input(x, y, c)) + gain(x, y) * detail(x, y) / 2, 0, 255));
    }
};

// The same in plain C++: pixel by pixel, with everything computed anew.
static int reference(const Buffer<uint8_t, 3> &input, int i, int j, int channel) {
    const auto gray = [&](int u, int v) { return (input(u, v, 0) + 2 * input(u, v, 1) + input(u, v, 2)) / 4; };
    const auto blur_x = [&](int u, int v) { return (gray(u - 1, v) + 2 * gray(u, v) + gray(u + 1, v)) / 4; };
    const auto blur = [&](int u, int v) { return (blur_x(u, v - 1) + 2 * blur_x(u, v) + blur_x(u, v + 1)) / 4; };
    const int across = std::abs(blur(i + 1, j) - blur(i - 1, j)), down = std::abs(blur(i, j + 1) - blur(i, j - 1));
    const int gain = std::clamp(std::max(across, down) / 4, 0, 6);
    const int product = gain * (gray(i, j) - blur(i, j));
    const int half = product >= 0 ? product / 2 : -((1 - product) / 2); // rounds down
    return std::clamp(input(i, j, channel) + half, 0, 255);
}

// An output that starts at (2, 2) and ends two pixels before the input does needs no boundary condition.
static Buffer<uint8_t, 3> interior(const Buffer<uint8_t, 3> &input) {
    Buffer<uint8_t, 3> output(input.width() - 4, input.height() - 4, 3);
    output.set_min(2, 2, 0);
    return output;
}

static void run(const std::string &name, const Buffer<uint8_t, 3> &input, const Buffer<uint8_t, 3> &expected,
                const std::function<void(Sharpen &)> &schedule) {
    Sharpen sharpen(input);
    schedule(sharpen);
    const Buffer<uint8_t, 3> output = interior(input);
    sharpen.output.compile_jit();

    const auto start = std::chrono::steady_clock::now();
    sharpen.output.realize(output);
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    bool right = true;
    output.for_each_element([&](int i, int j, int k) { right = right && output(i, j, k) == expected(i, j, k); });
    check(right, name + ", " + std::to_string(elapsed.count()) + " ms");
}

// All stages inline: no memory, and each blur pixel computes nine grays, for each of the five blurs that a result
// reads.
static void inlined(Sharpen &) {}

// All stages at root: each value once; six pictures in memory. Rows are shared out and vectorized.
static void breadth_first(Sharpen &s) {
    for (Func *stage : {&s.gray, &s.blur_x, &s.blur_y, &s.detail, &s.edge, &s.gain}) {
        stage->compute_root().vectorize(x, 16).parallel(y, 16);
    }
    s.output.vectorize(x, 16).parallel(y, 16);
}

// Tiles: every stage that is read more than once is computed for a tile at a time; the others stay inline. All channels
// of a tile are done together, so they share the rest.
static void tiled(Sharpen &s) {
    s.output.tile(x, y, xi, yi, 64, 32).reorder(xi, yi, c, x, y).vectorize(xi, 16).parallel(y);
    for (Func *stage : {&s.gray, &s.blur_x, &s.blur_y, &s.gain}) {
        stage->compute_at(s.output, x).vectorize(x, 16);
    }
}

// A pipeline with two outputs shares what both need.
static void two_outputs(const Buffer<uint8_t, 3> &input, const std::string &folder) {
    std::printf("two outputs\n");
    Sharpen sharpen(input);
    Func edges("edges");
    edges(x, y) = cast<uint8_t>(clamp(sharpen.edge(x, y) * 4, 0, 255));
    sharpen.blur_y.compute_root();
    Pipeline both({sharpen.output, edges});

    const Buffer<uint8_t, 3> output = interior(input);
    Buffer<uint8_t, 2> edge_map(output.width(), output.height());
    edge_map.set_min(2, 2);
    both.realize({output, edge_map});
    check(output(20, 20, 1) == reference(input, 20, 20, 1), "the first output");
    lesson::save(output, folder, "07_sharp.png");
    lesson::save(edge_map, folder, "07_edges.png");
}

int main(int argc, char **argv) {
    const std::string folder = lesson::folder(argc, argv);
    const Buffer<uint8_t, 3> input = lesson::sample_picture(309, 211);
    lesson::save(input, folder, "07_input.png");
    Buffer<uint8_t, 3> expected = interior(input);
    expected.fill([&](int i, int j, int k) { return static_cast<uint8_t>(reference(input, i, j, k)); });

    std::printf("one algorithm, three schedules\n");
    run("inline", input, expected, inlined);
    run("breadth first", input, expected, breadth_first);
    run("tiled", input, expected, tiled);
    two_outputs(input, folder);
    return lesson::result();
}
