#pragma once
// Roundings to whole numbers, and the parity of whole numbers, for float32 and float64 alike. Processors with
// instructions for them use those; these are for the others, where LLVM would call the C library. See
// fluorite/runtime/math_kernels.h.
//
// The sum of a magnitude and 2^23 (float64: 2^52) is a whole number, to which it was rounded with ties to even. Greater
// magnitudes are whole numbers already. The sign is that of x, also of a zero.

#include "fluorite/runtime/math_kernels/arithmetic.h"

namespace fluorite::math_kernels {

// The number in the type of x.
template <class M> typename M::Single number_like(const M &m, typename M::Single /*x*/, float value) {
    return m.single(value);
}
template <class M> typename M::Double number_like(const M &m, typename M::Double /*x*/, float value) {
    return m.number(static_cast<double>(value));
}

/// The least number from which on all numbers of the type are whole.
template <class M> typename M::Single least_whole(const M &m, typename M::Single /*x*/) { return m.single(0x1p23F); }
template <class M> typename M::Double least_whole(const M &m, typename M::Double /*x*/) { return m.number(0x1p52); }

/// |x| to the nearest whole number, ties to even.
template <class M, class T> T nearest_magnitude(const M &m, T x) {
    const T magnitude = m.abs(x), least = least_whole(m, x);
    return m.select(magnitude < least, (magnitude + least) - least, magnitude);
}

template <class M, class T> T round(const M &m, T x) { return with_sign(m, nearest_magnitude(m, x), x); }

template <class M, class T> T trunc(const M &m, T x) {
    const T nearest = nearest_magnitude(m, x);
    return with_sign(m, m.select(nearest > m.abs(x), nearest - number_like(m, x, 1), nearest), x);
}

template <class M, class T> T floor(const M &m, T x) {
    const T nearest = round(m, x);
    return with_sign(m, m.select(nearest > x, nearest - number_like(m, x, 1), nearest), x);
}

template <class M, class T> T ceil(const M &m, T x) {
    const T nearest = round(m, x);
    return with_sign(m, m.select(nearest < x, nearest + number_like(m, x, 1), nearest), x);
}

template <class M, class T> typename M::Bool is_whole(const M &m, T x) { return nearest_magnitude(m, x) == m.abs(x); }

/// Whether x is an odd whole number.
template <class M, class T> typename M::Bool is_odd(const M &m, T x) {
    return m.both(is_whole(m, x), m.negate(is_whole(m, x * number_like(m, x, 0.5F))));
}

} // namespace fluorite::math_kernels

namespace fluorite::math_kernels::float64 {
using math_kernels::ceil;
using math_kernels::floor;
using math_kernels::round;
using math_kernels::trunc;
} // namespace fluorite::math_kernels::float64
