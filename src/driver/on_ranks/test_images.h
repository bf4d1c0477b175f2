#pragma once
// DistributedImages of which every element is known, and pipelines over them, for tests.

#include "fluorite/fluorite.h"
#include "support/test_errors.h"

#include <atomic>
#include <functional>
#include <initializer_list>
#include <string>

namespace fluorite::driver::testing {

constexpr int rank_counts[] = {1, 2, 3, 5, 8};

/// A value for each point, different at all points of small images.
template <typename T> T value_at(int x, int y, int z = 0) { return static_cast<T>((x * 7 + y * 131 + z * 17) % 251); }

template <typename T> void fill(const DistributedImage<T> &image) {
    for (int y = 0; y < image.height(); y++) {
        for (int x = 0; x < image.width(); x++) {
            image(x, y) = value_at<T>(image.global(0, x), image.global(1, y));
        }
    }
}

template <typename T> Buffer<T> filled(int w, int h) {
    Buffer<T> image(w, h);
    image.for_each_element([&](int x, int y) { image(x, y) = value_at<T>(x, y); });
    return image;
}

/// Adds the number of points at which this rank's part differs.
template <typename T>
void compare(const DistributedImage<T> &image, const Buffer<T> &expected, std::atomic<int> &points,
             std::atomic<int> &wrong) {
    for (int y = 0; y < image.height(); y++) {
        for (int x = 0; x < image.width(); x++) {
            points++;
            wrong += image(x, y) == expected(image.global(0, x), image.global(1, y)) ? 0 : 1;
        }
    }
}

/// Distributes the image of a placement.
using Place = std::function<void(Func &placement, Var x, Var y)>;
inline void by_rows(Func &placement, Var, Var y) { placement.distribute(y); }
inline void by_grid(Func &placement, Var x, Var y) { placement.distribute(x, y); }

/// Gives all images the same placement, and memory.
template <typename T>
void allocate(std::initializer_list<DistributedImage<T> *> images, Var x, Var y, const Place &place = by_rows) {
    for (DistributedImage<T> *image : images) {
        image->set_domain(x, y);
        place(image->placement(), x, y);
        image->allocate();
    }
}

/// A blur of three by three points over an image or a DistributedImage, clamped at the edges.
struct Blur {
    Var x{"x"}, y{"y"};
    Func clamped{"clamped"}, blur_x{"blur_x"}, blur_y{"blur_y"};

    template <typename Image> Blur(const Image &in, int w, int h) {
        clamped(x, y) = in(clamp(x, 0, w - 1), clamp(y, 0, h - 1));
        blur_x(x, y) = (clamped(x - 1, y) + clamped(x, y) + clamped(x + 1, y)) / 3;
        blur_y(x, y) = (blur_x(x, y - 1) + blur_x(x, y) + blur_x(x, y + 1)) / 3;
    }
};

/// One step of a diffusion over an image, clamped at the edges.
template <typename Image> Func diffusion(const Image &in) {
    Var x("x"), y("y");
    Func around = BoundaryConditions::repeat_edge(in), step("step");
    step(x, y) =
        around(x, y) * 0.5f + (around(x - 1, y) + around(x + 1, y) + around(x, y - 1) + around(x, y + 1)) * 0.125f;
    return step;
}

/// Runs on two ranks, and expects an error of the run with this slug and text.
template <typename Error>
void expect_on_ranks(const char *slug, const std::string &text, const std::function<void()> &body) {
    expect_error<Error>([&] { run_on_ranks(2, body); }, slug, text);
}

} // namespace fluorite::driver::testing
