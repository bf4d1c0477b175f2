#pragma once
// Plain pyramids for the references. Pyramids of the compiled programs continue the picture and, where the next level
// is made from it, level 3 (the fence); other levels reach as far beyond the picture as coarser ones ask. So does this.

#include "image.h"

#include <cmath>
#include <functional>
#include <vector>

namespace apps::reference {

/// Floor of i / 2.
inline int half(int i) { return i >> 1; }

struct Range {
    int first = 0, last = 0;
};

/// Values of a level on a box that need not start at 0.
struct Level {
    Range xs, ys;
    Image<float> values;

    Level() = default;
    Level(Range x, Range y, int channels = 1)
        : xs(x), ys(y), values(x.last - x.first + 1, y.last - y.first + 1, channels) {}
    float &operator()(int x, int y, int c = 0) { return values(x - xs.first, y - ys.first, c); }
    float operator()(int x, int y, int c = 0) const { return values(x - xs.first, y - ys.first, c); }
    template <typename F> void fill(F &&value) {
        for (int c = 0; c < values.channels; c++) {
            for (int y = ys.first; y <= ys.last; y++) {
                for (int x = xs.first; x <= xs.last; x++) {
                    (*this)(x, y, c) = value(x, y, c);
                }
            }
        }
    }
};

constexpr size_t fence = 3; ///< the level that is continued by its edge where the next one is made

/// What each of `levels` levels has to hold for `count` pixels at the finest one, when a level reads `up` pixels beyond
/// half its range from the coarser one, and from `-before` to `after` around twice its range from the finer one.
struct Ranges {
    std::vector<Range> asked, held;
    Ranges(int count, int levels, int up, int before, int after) : asked(static_cast<size_t>(levels)) {
        asked[0] = {0, count - 1};
        for (size_t j = 1; j < asked.size(); j++) {
            asked[j] = {half(asked[j - 1].first) - up, half(asked[j - 1].last) + up};
        }
        held = asked;
        for (size_t j = held.size() - 1; j-- > 0;) {
            if (j == fence) {
                continue;
            }
            held[j] = {std::min(held[j].first, 2 * held[j + 1].first - before),
                       std::max(held[j].last, 2 * held[j + 1].last + after)};
        }
    }
};

/// The level as the next one reads it; `width` and `height` are the picture's.
inline Level fenced(const Level &level, size_t number, Range xs, Range ys, int width, int height) {
    if (number != fence) {
        return level;
    }
    const int w = (width + 7) / 8, h = (height + 7) / 8;
    Level continued({2 * xs.first - 1, 2 * xs.last + 2}, {2 * ys.first - 1, 2 * ys.last + 2}, level.values.channels);
    continued.fill([&](int x, int y, int c) { return level(std::clamp(x, 0, w - 1), std::clamp(y, 0, h - 1), c); });
    return continued;
}

/// 1 3 3 1 along both axes: pixel i of the result lies between 2i and 2i + 1.
inline Level down_1331(const Level &fine, Range xs, Range ys) {
    Level coarse(xs, ys, fine.values.channels);
    const float weight[4] = {1, 3, 3, 1};
    coarse.fill([&](int x, int y, int c) {
        float sum = 0;
        for (int j = 0; j < 4; j++) {
            for (int i = 0; i < 4; i++) {
                sum += weight[i] * weight[j] * fine(2 * x + i - 1, 2 * y + j - 1, c);
            }
        }
        return sum / 64;
    });
    return coarse;
}

/// The linear interpolation between such pixels.
inline float up_1331(const Level &coarse, int x, int y, int c = 0) {
    const int x0 = half(x), y0 = half(y), x1 = x0 + (x & 1 ? 1 : -1), y1 = y0 + (y & 1 ? 1 : -1);
    return 0.5625f * coarse(x0, y0, c) + 0.1875f * (coarse(x1, y0, c) + coarse(x0, y1, c)) +
           0.0625f * coarse(x1, y1, c);
}

} // namespace apps::reference
