#pragma once
// Plain pictures and volumes for the references, the tests and the benchmarks: nothing of the compiler.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

namespace apps {

/// Width x height x channels values, x innermost, channel by channel.
template <typename T> struct Image {
    int width = 0, height = 0, channels = 1;
    std::vector<T> values;

    Image() = default;
    Image(int w, int h, int c = 1)
        : width(w), height(h), channels(c),
          values(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * static_cast<std::size_t>(c)) {}

    T &operator()(int x, int y, int c = 0) { return values[index(x, y, c)]; }
    const T &operator()(int x, int y, int c = 0) const { return values[index(x, y, c)]; }
    /// The value of the nearest pixel inside.
    const T &near(int x, int y, int c = 0) const {
        return (*this)(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1), c);
    }

  private:
    std::size_t index(int x, int y, int c) const {
        const std::size_t row =
            static_cast<std::size_t>(c) * static_cast<std::size_t>(height) + static_cast<std::size_t>(y);
        return row * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

/// Pseudo-random values from `least` to `most`, the same on every run.
template <typename T> Image<T> random_image(int width, int height, int channels, T least, T most, unsigned seed = 1) {
    Image<T> image(width, height, channels);
    std::mt19937 random(seed);
    for (T &value : image.values) {
        const double unit = static_cast<double>(random() >> 8) * 0x1p-24;
        const double range = static_cast<double>(most) - static_cast<double>(least) + (std::is_integral_v<T> ? 1 : 0);
        value = static_cast<T>(static_cast<double>(least) + unit * range);
    }
    return image;
}

/// Any unsigned or signed integers; floats from 0 to 1.
template <typename T> Image<T> random_image(int width, int height, int channels = 1, unsigned seed = 1) {
    if constexpr (std::is_integral_v<T>) {
        return random_image<T>(width, height, channels, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
                               seed);
    } else {
        return random_image<T>(width, height, channels, T(0), T(1), seed);
    }
}

} // namespace apps
