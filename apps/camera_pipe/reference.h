#pragma once
#include "apps/common/image.h"
#include "apps/sobel/reference.h" // mirrored

#include <cmath>

namespace apps::reference {

/// What a camera with a mosaic G R / B G and 10 bits would see.
inline Image<std::uint16_t> mosaic(const Image<float> &color) {
    Image<std::uint16_t> raw(color.width, color.height);
    for (int y = 0; y < raw.height; y++) {
        for (int x = 0; x < raw.width; x++) {
            const int channel = x % 2 == y % 2 ? 1 : x % 2 == 1 ? 0 : 2;
            raw(x, y) = static_cast<std::uint16_t>(1023 * color(x, y, channel) + 0.5f);
        }
    }
    return raw;
}

class CameraPipe {
  public:
    CameraPipe(const Image<std::uint16_t> &raw, float temperature, float gamma, float contrast, float sharpness)
        : raw_(raw), matrix_(matrix_for(temperature)),
          strength_(static_cast<int>(std::clamp(sharpness * 32, 0.f, 127.f))) {
        for (int i = 0; i < 1024; i++) {
            const float bent = std::pow(static_cast<float>(i) / 1023.0f, 1 / gamma);
            const float value = bent + (bent * bent * (3 - 2 * bent) - bent) * contrast / 100;
            curve_[i] = static_cast<int>(std::clamp(value * 255 + 0.5f, 0.f, 255.f));
        }
    }

    Image<std::uint8_t> run() {
        const int w = raw_.width, h = raw_.height, margin = 1;
        Image<int> curved(w + 2 * margin, h + 2 * margin, 3);
        denoise();
        for (int y = -margin; y < h + margin; y++) {
            for (int x = -margin; x < w + margin; x++) {
                int rgb[3];
                demosaic(x, y, rgb);
                for (int c = 0; c < 3; c++) {
                    const int *m = &matrix_[static_cast<size_t>(4 * c)];
                    const int sum = (m[0] * rgb[0] + m[1] * rgb[1] + m[2] * rgb[2] + m[3]) >> 8;
                    curved(x + margin, y + margin, c) =
                        curve_[std::clamp(static_cast<int>(static_cast<std::int16_t>(sum)), 0, 1023)];
                }
            }
        }
        Image<std::uint8_t> output(w, h, 3);
        for (int c = 0; c < 3; c++) {
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) {
                    const auto column = [&](int i) {
                        return (curved(i, y, c) + 2 * curved(i, y + 1, c) + curved(i, y + 2, c)) / 4;
                    };
                    const int blurred = (column(x) + 2 * column(x + 1) + column(x + 2)) / 4;
                    const int value = curved(x + 1, y + 1, c);
                    output(x, y, c) =
                        static_cast<std::uint8_t>(std::clamp(value + ((value - blurred) * strength_ >> 5), 0, 255));
                }
            }
        }
        return output;
    }

  private:
    static std::vector<int> matrix_for(float temperature) {
        const float warm[12] = {1.62f, -0.41f, -0.21f, -12, -0.38f, 1.49f, -0.11f, -12, -0.12f, -0.92f, 2.04f, -12};
        const float cold[12] = {1.95f, -0.62f, -0.33f, -12, -0.29f, 1.47f, -0.18f, -12, -0.04f, -0.55f, 1.59f, -12};
        const float share = (1 / temperature - 1.0f / 3000) / (1.0f / 6500 - 1.0f / 3000);
        std::vector<int> matrix(12);
        for (size_t i = 0; i < 12; i++) {
            matrix[i] = static_cast<int>((cold[i] * share + warm[i] * (1 - share)) * 256);
        }
        return matrix;
    }

    int raw(int x, int y) const { return raw_(mirrored(x, raw_.width), mirrored(y, raw_.height)); }

    static constexpr int border = 8;
    void denoise() {
        denoised_ = Image<int>(raw_.width + 2 * border, raw_.height + 2 * border);
        for (int y = -border; y < raw_.height + border; y++) {
            for (int x = -border; x < raw_.width + border; x++) {
                const int most =
                    std::max(std::max(raw(x - 2, y), raw(x + 2, y)), std::max(raw(x, y - 2), raw(x, y + 2)));
                denoised_(x + border, y + border) = std::min(raw(x, y), most);
            }
        }
    }
    int at(int x, int y) const { return denoised_(x + border, y + border); }
    static int mean(int a, int b) { return (a + b + 1) >> 1; }

    int green(int x, int y) const {
        if ((x & 1) == (y & 1)) {
            return at(x, y);
        }
        const int left = at(x - 1, y), right = at(x + 1, y), up = at(x, y - 1), down = at(x, y + 1);
        const bool across = std::abs(left - right) < std::abs(up - down);
        // At equal differences red sites take the column and blue sites, too.
        return across ? mean(left, right) : mean(up, down);
    }
    /// The colour of the pixels at +-(dx, dy), at a pixel of another colour.
    int along(int x, int y, int dx, int dy) const {
        return green(x, y) - mean(green(x - dx, y - dy), green(x + dx, y + dy)) +
               mean(at(x - dx, y - dy), at(x + dx, y + dy));
    }
    /// The opposite colour at a red or blue site.
    int across(int x, int y) const {
        const bool rising =
            std::abs(at(x + 1, y - 1) - at(x - 1, y + 1)) < std::abs(at(x - 1, y - 1) - at(x + 1, y + 1));
        return rising ? along(x, y, 1, -1) : along(x, y, 1, 1);
    }
    void demosaic(int x, int y, int *rgb) const {
        rgb[1] = green(x, y);
        const bool red_row = (y & 1) == 0;
        if ((x & 1) == (y & 1)) {
            rgb[red_row ? 0 : 2] = along(x, y, 1, 0);
            rgb[red_row ? 2 : 0] = along(x, y, 0, 1);
        } else {
            rgb[red_row ? 0 : 2] = at(x, y);
            rgb[red_row ? 2 : 0] = across(x, y);
        }
    }

    const Image<std::uint16_t> &raw_;
    Image<int> denoised_;
    std::vector<int> matrix_;
    int curve_[1024], strength_;
};

inline Image<std::uint8_t> camera_pipe(const Image<std::uint16_t> &raw, float temperature = 3700, float gamma = 2,
                                       float contrast = 50, float sharpness = 1) {
    return CameraPipe(raw, temperature, gamma, contrast, sharpness).run();
}

} // namespace apps::reference
