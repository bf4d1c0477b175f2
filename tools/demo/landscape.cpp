// Paints the demo's own picture, back to front: sky with sun and clouds, three ranges of mountains, a meadow, a row of
// firs, a house, a broad-leaved tree, film grain.
//
// Coordinates are in units of the picture's height: u to the right, v downwards from 0 to 1. The painter computes one
// point at a time without state, so rows can be painted in any order, on all cores. It calls no sin, exp or similar
// function: floor and the four operations round alike everywhere, so the bytes are the same on every machine.

#include "noise.h"
#include "picture.h"

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

namespace fluorite::demo {
namespace {

struct Color {
    float r, g, b; // 0 to 1
};

Color operator*(const Color &c, float s) { return {c.r * s, c.g * s, c.b * s}; }
Color mix(const Color &a, const Color &b, float t) {
    return {demo::mix(a.r, b.r, t), demo::mix(a.g, b.g, t), demo::mix(a.b, b.b, t)};
}

constexpr Color haze{0.72f, 0.76f, 0.80f};
constexpr Color sunlight{1.0f, 0.86f, 0.62f};

struct Fir {
    float u, foot, height;
    uint32_t seed;
};

class Landscape {
  public:
    explicit Landscape(float aspect) : aspect_(aspect), sun_u_(0.70f * aspect) {
        for (int i = 0; i < 64; i++) {
            const float height = 0.07f + 0.10f * random(i, 1, 90);
            firs_.push_back({aspect * (static_cast<float>(i) + random(i, 2, 90)) / 64,
                             0.665f + 0.03f * random(i, 3, 90), height, static_cast<uint32_t>(i)});
        }
    }

    Color at(float u, float v) const {
        Color color;
        if (tree(u, v, color) || house(u, v, color) || firs(u, v, color) || meadow(u, v, color) ||
            mountains(u, v, color)) {
            return color;
        }
        return sky(u, v);
    }

  private:
    Color sky(float u, float v) const {
        const Color high{0.22f, 0.38f, 0.62f}, low{0.74f, 0.80f, 0.84f};
        Color color = mix(high, low, smooth_step(-0.1f, 0.55f, v));
        const float du = u - sun_u_, dv = v - sun_v, distance = std::sqrt(du * du + dv * dv);
        const float glow = 1 / (1 + 40 * distance * distance);
        color = mix(color, sunlight, 0.75f * glow);
        const float cover = fractal_noise(2.2f * u, 7 * v, 6, 10);
        const float cloud = 0.8f * smooth_step(0.52f, 0.72f, cover) * smooth_step(0.5f, 0.2f, v);
        const float lit = fractal_noise(2.2f * u + 0.05f, 7 * v - 0.12f, 4, 10) < cover ? 0.90f : 0.80f;
        color = mix(color, Color{lit, lit, lit + 0.03f}, cloud);
        return mix(color, Color{1.0f, 0.97f, 0.86f}, smooth_step(0.040f, 0.036f, distance));
    }

    // The height of a range above its foot is noise along u; its light is the slope, a difference of noise at two
    // points a step apart.
    bool mountains(float u, float v, Color &color) const {
        struct Range {
            float top, relief, scale, distance;
            Color rock;
            uint32_t seed;
        };
        static const Range ranges[] = {
            {0.60f, 0.16f, 2.6f, 0.25f, {0.20f, 0.27f, 0.20f}, 30},
            {0.54f, 0.26f, 1.7f, 0.50f, {0.27f, 0.30f, 0.30f}, 40},
            {0.47f, 0.34f, 1.3f, 0.72f, {0.36f, 0.38f, 0.43f}, 50},
        };
        for (const Range &range : ranges) {
            const float crest = range.top - range.relief * (fractal_noise(range.scale * u, 0.5f, 8, range.seed) - 0.4f);
            if (v < crest) {
                continue;
            }
            const float x = 9 * u, y = 14 * (v - crest) + 3 * u;
            const float slope = fractal_noise(x, y, 7, range.seed + 1);
            const float light = 0.75f + 4 * (slope - fractal_noise(x + 0.09f, y - 0.06f, 7, range.seed + 1));
            color = range.rock * std::fmax(0.35f, std::fmin(1.5f, light));
            const float snow = smooth_step(0.08f, 0.02f, v - crest + 0.10f * (slope - 0.5f));
            color = mix(color, Color{0.93f, 0.94f, 0.97f} * (0.8f + 0.2f * light), range.seed == 50 ? snow : 0.f);
            color = mix(color, haze, saturate(range.distance + 0.5f * (v - 0.5f)));
            return true;
        }
        return false;
    }

    bool meadow(float u, float v, Color &color) const {
        const float edge = 0.645f + 0.02f * fractal_noise(3 * u, 7.5f, 4, 60);
        if (v < edge) {
            return false;
        }
        const float depth = 1 / (v - edge + 0.06f); // perspective compresses the rows of the ground towards the horizon
        const float patch = fractal_noise(1.5f * u * depth * 0.25f, depth * 2, 5, 61);
        const float blades = noise(260 * u, 70 * v, 62) * smooth_step(edge, 0.95f, v);
        color = mix(Color{0.22f, 0.33f, 0.10f}, Color{0.45f, 0.48f, 0.19f}, patch);
        color = mix(color * (0.70f + 0.45f * blades), haze, 0.25f * smooth_step(0.15f, 0, v - edge));
        const float flower = random(static_cast<int>(420 * u), static_cast<int>(300 * v), 63);
        if (flower > 0.9985f && v > edge + 0.08f) {
            color = flower > 0.9993f ? Color{0.92f, 0.88f, 0.80f} : Color{0.85f, 0.66f, 0.18f};
        }
        path(u, v, edge, color);
        return true;
    }

    // A gravel path from the lower edge to the house's door.
    void path(float u, float v, float edge, Color &color) const {
        const float t = (v - 0.775f) / 0.225f;
        if (v < edge || t < 0) {
            return;
        }
        const float centre = door_u() - 0.22f * t * t, width = 0.014f + 0.05f * t;
        const float off = std::fabs(u - centre) + 0.012f * (noise(60 * u, 60 * v, 64) - 0.5f);
        const float stones = 0.55f + 0.25f * noise(330 * u, 200 * v, 65);
        color = mix(color, Color{stones, stones * 0.92f, stones * 0.80f}, smooth_step(width, width * 0.9f, off));
    }

    bool firs(float u, float v, Color &color) const {
        for (size_t i = firs_.size(); i-- > 0;) {
            const Fir &fir = firs_[i];
            const float t = (v - (fir.foot - fir.height)) / fir.height; // 0 at the tip, 1 at the foot
            const float off = u - fir.u;
            if (t < 0 || t > 1 || std::fabs(off) > 0.3f * fir.height) {
                continue;
            }
            const float tier = 8 * t - std::floor(8 * t);
            const float needles = noise(400 * u, 400 * v, 100 + fir.seed);
            const float half = fir.height * 0.25f * t * (0.55f + 0.35f * tier + 0.25f * (needles - 0.5f));
            if (std::fabs(off) < half) {
                const float light = 0.35f + 0.45f * needles + 0.35f * off / half;
                color = mix(Color{0.16f, 0.24f, 0.15f} * light, haze, 0.12f);
                return true;
            }
        }
        return false;
    }

    float house_u() const { return 0.62f * aspect_; }
    float door_u() const { return house_u() + 0.065f; }

    // The gable end is on the left, a long side on the right; x and y are measured upwards from the lower left corner.
    bool house(float u, float v, Color &color) const {
        const float x = u - house_u(), y = 0.785f - v;
        constexpr float gable = 0.13f, length = 0.40f, eaves = 0.105f, ridge = 0.185f;
        const float roof_top = eaves + (ridge - eaves) * (1 - std::fabs(x - gable / 2) / (gable / 2));
        if (x > 0.27f && x < 0.295f && y > eaves && y < ridge + 0.04f) {
            color = chimney(x, y);
            return true;
        }
        if (x >= -0.008f && x <= gable + 0.008f && y >= 0 && y < roof_top) {
            color = y > roof_top - 0.012f ? Color{0.86f, 0.84f, 0.80f} : gable_end(x, y);
            return true;
        }
        const float roof_left = gable / 2 + (ridge - y) / (ridge - eaves) * gable / 2;
        if (y >= eaves - 0.006f && y <= ridge && x > roof_left && x < length - 0.02f + (ridge - y) * 0.4f) {
            color = tiles(x, y, y < eaves);
            return true;
        }
        if (x > gable && x < length && y >= 0 && y < eaves) {
            color = long_side(x - gable, y);
            return true;
        }
        return false;
    }

    static Color chimney(float x, float y) {
        const int row = static_cast<int>(y * 250);
        const float brick = x * 120 + (row % 2 ? 0.5f : 0.f);
        const bool joint = brick - std::floor(brick) < 0.12f || y * 250 - std::floor(y * 250) < 0.18f;
        const float shade = 0.8f + 0.2f * random(static_cast<int>(brick), row, 70);
        return joint ? Color{0.60f, 0.57f, 0.53f} : Color{0.52f, 0.24f, 0.18f} * shade;
    }

    static Color boards(float y, const Color &paint) {
        const float board = y * 110;
        return paint * (board - std::floor(board) < 0.14f ? 0.72f : 1.f);
    }

    static Color gable_end(float x, float y) {
        if (x > 0.05f && x < 0.08f && y < 0.062f) {
            const bool knob = x > 0.074f && x < 0.077f && y > 0.026f && y < 0.030f;
            const bool frame = x < 0.053f || x > 0.077f || y > 0.058f;
            return knob ? Color{0.9f, 0.8f, 0.4f} : frame ? Color{0.9f, 0.88f, 0.84f} : Color{0.16f, 0.26f, 0.33f};
        }
        const float dx = x - 0.065f, dy = y - 0.118f;
        if (dx * dx + dy * dy < 0.018f * 0.018f) {
            return std::fabs(dx) < 0.0016f || std::fabs(dy) < 0.0016f ? Color{0.9f, 0.88f, 0.84f}
                                                                      : Color{0.15f, 0.19f, 0.24f};
        }
        return boards(y, Color{0.62f, 0.20f, 0.15f});
    }

    static Color long_side(float x, float y) {
        const float cell = x / 0.09f, in = (cell - std::floor(cell)) * 0.09f - 0.045f, up = y - 0.056f;
        if (std::fabs(in) < 0.024f && std::fabs(up) < 0.026f) {
            const bool frame =
                std::fabs(in) > 0.021f || std::fabs(up) > 0.023f || std::fabs(in) < 0.0014f || std::fabs(up) < 0.0014f;
            const float reflection = 0.30f + 5 * (up + 0.5f * in);
            return frame ? Color{0.92f, 0.91f, 0.87f} : Color{0.55f, 0.65f, 0.75f} * saturate(reflection);
        }
        return boards(y, Color{0.78f, 0.27f, 0.19f});
    }

    static Color tiles(float x, float y, bool edge) {
        if (edge) {
            return {0.25f, 0.24f, 0.24f};
        }
        const int row = static_cast<int>(y * 160);
        const float tile = x * 110 + (row % 2 ? 0.5f : 0.f);
        const bool joint = tile - std::floor(tile) < 0.10f || y * 160 - std::floor(y * 160) < 0.16f;
        return Color{0.33f, 0.32f, 0.34f} * (joint ? 0.6f : 0.85f + 0.3f * random(static_cast<int>(tile), row, 71));
    }

    // A crown of leaves; the sky shows through its rim.
    bool tree(float u, float v, Color &color) const {
        const float x = u - 0.22f * aspect_, y = v - 0.46f;
        if (std::fabs(x) > 0.32f || v > 0.90f || v < 0.08f) {
            return false;
        }
        const float rough = fractal_noise(14 * u, 14 * v, 4, 80) - 0.5f;
        const float rim = x * x / (0.25f * 0.25f) + y * y / (0.27f * 0.27f) + 0.9f * rough;
        const float leaf = noise(190 * u + 9 * rough, 190 * v, 81);
        if (rim < 1 && leaf > 1.6f * (rim - 0.55f)) {
            const float clump = fractal_noise(22 * u + 0.3f, 22 * v - 0.3f, 3, 80) - 0.5f;
            const float light = 0.55f + 0.9f * x - 0.5f * y + 1.6f * clump + 0.45f * (leaf - 0.5f);
            color = mix(Color{0.05f, 0.09f, 0.03f}, Color{0.50f, 0.58f, 0.16f}, saturate(light));
            return true;
        }
        const float spread = 0.024f + 0.05f * smooth_step(0.83f, 0.90f, v) + 0.01f * rough;
        if (v > 0.5f && v < 0.885f + 0.02f * rough && std::fabs(x + 0.02f * rough) < spread) {
            const float bark = fractal_noise(120 * u, 16 * v, 4, 82);
            color = Color{0.30f, 0.22f, 0.15f} * (0.45f + 0.8f * bark + 9 * x);
            return true;
        }
        return false;
    }

    static constexpr float sun_v = 0.20f;
    float aspect_, sun_u_;
    std::vector<Fir> firs_;
};

/// Film grain: approximately normal, as the sum of four uniform values; stronger in the middle tones.
float grain(int x, int y, uint32_t channel, float value) {
    float sum = -2;
    for (uint32_t i = 0; i < 4; i++) {
        sum += random(x, y, 200 + 4 * channel + i);
    }
    return sum * (0.018f + 0.07f * value * (1 - value));
}

void paint_row(const Landscape &landscape, Picture &picture, int y) {
    const float scale = 1 / static_cast<float>(picture.height());
    for (int x = 0; x < picture.width(); x++) {
        const Color color =
            landscape.at((static_cast<float>(x) + 0.5f) * scale, (static_cast<float>(y) + 0.5f) * scale);
        const float channels[] = {color.r, color.g, color.b};
        for (int c = 0; c < 3; c++) {
            const float value = saturate(channels[c]);
            // A slightly flat exposure: black is not quite black.
            const float exposed = 0.05f + 0.85f * value + grain(x, y, static_cast<uint32_t>(c), value);
            picture(x, y, c) = static_cast<uint8_t>(saturate(exposed) * 255 + 0.5f);
        }
    }
}

} // namespace

Picture paint_landscape(int width, int height) {
    Picture picture(width, height, 3);
    const Landscape landscape(static_cast<float>(width) / static_cast<float>(height));
    std::atomic<int> next_row{0};
    const auto paint = [&] {
        for (int y = next_row++; y < height; y = next_row++) {
            paint_row(landscape, picture, y);
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); i++) {
        threads.emplace_back(paint);
    }
    paint();
    for (std::thread &thread : threads) {
        thread.join();
    }
    return picture;
}

} // namespace fluorite::demo
