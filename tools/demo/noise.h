#pragma once
// Lattice noise from integer hashes and float arithmetic without library functions: the same bits on every machine.

#include <cmath>
#include <cstdint>

namespace fluorite::demo {

inline uint32_t hash(int x, int y, uint32_t seed) {
    uint32_t h = static_cast<uint32_t>(x) * 0x9E3779B1u ^ static_cast<uint32_t>(y) * 0x85EBCA77u ^ seed * 0xC2B2AE3Du;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    h = (h ^ h >> 12) * 0x297A2D39u;
    return h ^ h >> 15;
}

/// Uniform in [0, 1).
inline float random(int x, int y, uint32_t seed) { return static_cast<float>(hash(x, y, seed) >> 8) * 0x1p-24f; }

inline float mix(float a, float b, float t) { return a + (b - a) * t; }
inline float saturate(float t) { return t < 0 ? 0 : t > 1 ? 1 : t; }
/// 0 below a, 1 above b, smooth between them.
inline float smooth_step(float a, float b, float t) {
    t = saturate((t - a) / (b - a));
    return t * t * (3 - 2 * t);
}

/// Smooth noise in [0, 1) that varies at distances of 1.
inline float noise(float x, float y, uint32_t seed) {
    const float left = std::floor(x), top = std::floor(y);
    const int ix = static_cast<int>(left), iy = static_cast<int>(top);
    const float fx = smooth_step(0, 1, x - left), fy = smooth_step(0, 1, y - top);
    const float upper = mix(random(ix, iy, seed), random(ix + 1, iy, seed), fx);
    const float lower = mix(random(ix, iy + 1, seed), random(ix + 1, iy + 1, seed), fx);
    return mix(upper, lower, fy);
}

/// The sum of octaves of noise, each at twice the frequency and half the weight: in [0, 1), mean 0.5.
inline float fractal_noise(float x, float y, int octaves, uint32_t seed) {
    float sum = 0, weight = 0.5f;
    for (int i = 0; i < octaves; i++) {
        sum += weight * noise(x, y, seed + static_cast<uint32_t>(i));
        // A shift that is no multiple of the lattice hides its lines.
        x = 2 * x + 17.31f;
        y = 2 * y + 5.77f;
        weight *= 0.5f;
    }
    return sum + weight; // the missing octaves contribute their mean
}

} // namespace fluorite::demo
