#pragma once
// Angles of any size: the reduction to a quarter of the circle by Payne and Hanek's method. See
// fluorite/runtime/math_kernels.h.
//
// x is an integer times 2^e. In x 2/pi, the words of 2/pi whose products with x are multiples of 4 quarters say nothing
// about the angle, and those that are small beside the result need not be read. What is left is a product of words of x
// and words of 2/pi, which e selects:
//
//   float32   2 words of x, 5 of 2/pi; 64 bits of fraction. No number is nearer than 2^-30 to a multiple of pi/2
//   float64   3 words of x, 8 of 2/pi; 128 bits of fraction. No number is nearer than 2^-62 to a multiple of pi/2
//
//   x = 1e22:  words 0 to 6 of 2/pi;  x 2/pi = 4 n + 3 + 0.3505... quarters  -->  quadrant 3, fraction 0.3505...
//
// The words are selected by a tree of selections of constants: no memory is read, so that vectors and devices need
// neither gathers nor tables.
//
// Cost: some 70 operations on 64-bit integers for float32, 220 for float64.

#include "fluorite/runtime/math_kernels/arithmetic.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace fluorite::math_kernels {

/// The binary fraction of 2/pi.
inline constexpr std::array<uint32_t, 37> two_over_pi = {
    0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561,
    0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E, 0xE88235F5, 0x2EBB4484,
    0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4, 0x9C845F8B, 0xBDF9283B, 0x1FF897FF, 0xDE05980F,
    0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7, 0x4F463F66, 0x9E5FEA2D, 0x7527BAC7, 0xEBE5F17B,
    0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1, 0x1F8D5D08, 0x56033046};

inline constexpr int64_t lower_word = 0xFFFFFFFF;

/// How much of the product a type needs. For 2^least <= |x|, x is an integer below 2^(32 limbs) times a power of 2^32:
/// 2^(32 (first + 1 - zeros)). `first` is the first word that matters of 2/pi with as many zeros before its point.
struct AngleWords {
    unsigned limbs, zeros;
    unsigned columns; // words of the product: quarters, fractions, and one for its carry
    int least;
    unsigned greatest; // half the number of values of `first`, a power of two
    constexpr size_t words() const { return limbs + columns - 1; }
};
inline constexpr AngleWords words_of_float32{2, 1, 4, 23, 2};
inline constexpr AngleWords words_of_float64{3, 2, 6, 20, 16};

template <class M, AngleWords of> using SelectedWords = std::array<typename M::Long, of.words()>;

/// The words of 2/pi from `first` on.
template <AngleWords of, class M> SelectedWords<M, of> select_two_over_pi(const M &m, typename M::Long first) {
    constexpr size_t count = of.words() + 2 * size_t{of.greatest} - 1;
    static_assert(count <= of.zeros + two_over_pi.size());
    std::array<typename M::Long, count> words;
    for (size_t i = 0; i < count; i++) {
        words[i] = m.constant(i < of.zeros ? int64_t{0} : int64_t{two_over_pi[i - of.zeros]});
    }
    for (size_t step = of.greatest; step > 0; step /= 2) {
        const auto stays = m.is_zero(m.both_bits(first, m.constant(static_cast<int64_t>(step))));
        for (size_t i = 0; i < of.words() + step - 1; i++) {
            words[i] = m.select(stays, words[i], words[i + step]);
        }
    }
    SelectedWords<M, of> selected;
    std::copy_n(words.begin(), selected.size(), selected.begin());
    return selected;
}

template <class M, AngleWords of> struct WordsOfAngle {
    typename M::Long first;
    std::array<typename M::Long, of.limbs> limbs; // 32 bits each, the lowest first
};

/// What it gives of infinities and NaN is unspecified.
template <AngleWords of, class M> WordsOfAngle<M, of> words_of_angle(const M &m, typename M::Double x) {
    constexpr int64_t bias = 1023;
    const auto word = m.constant(lower_word), magnitude = m.bits(m.abs(x));
    const auto exponent = m.minus(m.right(magnitude, 52), m.constant(bias + of.least));
    const auto integer =
        m.either_bits(m.both_bits(magnitude, m.constant(int64_t{0xFFFFFFFFFFFFF})), m.constant(int64_t{1} << 52));
    // 2^(exponent mod 32), as an integer
    const auto by = m.both_bits(exponent, m.constant(int64_t{31}));
    const auto power = m.from_bits(m.left(m.plus(by, m.constant(bias)), 52)) + m.number(0x1p52);
    const auto factor = m.both_bits(m.bits(power), word), first = m.right(exponent, 5);
    if constexpr (of.limbs == 2) { // the integer of a float32 has 24 bits
        const auto product = m.product(m.right(integer, 29), factor);
        return {first, {m.both_bits(product, word), m.right(product, 32)}};
    } else {
        const auto low = m.product(m.both_bits(integer, word), factor), high = m.product(m.right(integer, 32), factor);
        const auto middle = m.either_bits(m.right(low, 32), m.both_bits(high, word));
        return {first, {m.both_bits(low, word), middle, m.right(high, 32)}};
    }
}

/// |x| = (quadrant + fraction) pi/2, where `fraction` is the sum of the parts, at most a half, and negative where
/// `is_above`. The parts are numbers of 32 bits, the greatest first; quadrants count modulo 4.
template <class M, AngleWords of> struct QuartersOfCircle {
    typename M::Long quadrant;
    std::array<typename M::Double, of.columns - 2> parts;
    typename M::Bool is_above;
};

/// Precondition: x is a number of the type for which `of` is, and 2^least <= |x|.
template <AngleWords of, class M> QuartersOfCircle<M, of> reduce_large_angle(const M &m, typename M::Double x) {
    const WordsOfAngle<M, of> angle = words_of_angle<of>(m, x);
    const SelectedWords<M, of> words = select_two_over_pi<of>(m, angle.first);
    const auto word = m.constant(lower_word);
    // Column i has the weight 2^(-32 i); a product is added to two of them.
    std::array<typename M::Long, of.columns> columns;
    columns.fill(m.constant(int64_t{0}));
    for (size_t i = 0; i < of.columns; i++) {
        for (size_t limb = 0; limb < of.limbs; limb++) {
            const auto part = m.product(angle.limbs[limb], words[i + limb]);
            columns[i] = m.plus(columns[i], m.both_bits(part, word));
            if (i > 0) {
                columns[i - 1] = m.plus(columns[i - 1], m.right(part, 32));
            }
        }
    }
    for (size_t i = of.columns - 1; i > 0; i--) {
        columns[i - 1] = m.plus(columns[i - 1], m.right(columns[i], 32));
        columns[i] = m.both_bits(columns[i], word);
    }
    // A fraction above a half counts from the next quadrant: its bits are inverted.
    const auto carry = m.right(columns[1], 31);
    const auto inverted = m.both_bits(m.minus(m.constant(int64_t{0}), carry), word);
    QuartersOfCircle<M, of> result{m.plus(columns[0], carry), {}, m.negate(m.is_zero(carry))};
    double weight = 1;
    for (size_t i = 0; i < result.parts.size(); i++) {
        weight *= 0x1p-32;
        const auto bits = m.either_bits(m.other_bits(columns[i + 1], inverted), m.bits(m.number(0x1p52)));
        result.parts[i] = (m.from_bits(bits) - m.number(0x1p52)) * m.number(weight);
    }
    return result;
}

} // namespace fluorite::math_kernels
