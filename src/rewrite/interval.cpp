// Interval arithmetic. Every operation returns an interval that contains all results over the integers; an end that
// does not fit 64 bits becomes infinite. Cost: constant.

#include "rewrite/interval.h"

#include "rewrite/fold.h"

#include <bit>

namespace fluorite::rewrite {

namespace {

constexpr int64_t minus_infinity = Interval::minus_infinity;
constexpr int64_t plus_infinity = Interval::plus_infinity;

bool is_infinite(int64_t value) { return value == minus_infinity || value == plus_infinity; }

int64_t clamp_end(__int128 value) {
    return value <= minus_infinity  ? minus_infinity
           : value >= plus_infinity ? plus_infinity
                                    : static_cast<int64_t>(value);
}

/// An infinite operand decides: lower ends (and upper ends) never meet the opposite infinity.
int64_t add_ends(int64_t a, int64_t b) {
    if (is_infinite(a) || is_infinite(b)) {
        return is_infinite(a) ? a : b;
    }
    return clamp_end(static_cast<__int128>(a) + b);
}

int64_t negate_end(int64_t a) { return is_infinite(a) ? (a == minus_infinity ? plus_infinity : minus_infinity) : -a; }

/// 0 times infinity is 0, as an infinite end stands for arbitrarily large integers.
int64_t multiply_ends(int64_t a, int64_t b) {
    if (a == 0 || b == 0) {
        return 0;
    }
    if (is_infinite(a) || is_infinite(b)) {
        return (a < 0) == (b < 0) ? plus_infinity : minus_infinity;
    }
    return clamp_end(static_cast<__int128>(a) * b);
}

int64_t divide_end(int64_t a, int64_t positive) { return is_infinite(a) ? a : euclidean_div(a, positive); }

/// The quotient by a range lo..hi of positive divisors.
Interval divide_positive(const Interval &a, int64_t lo, int64_t hi) {
    // a/b over positive b moves toward 0 (or -1) as b grows.
    const int64_t far_hi = hi == plus_infinity ? 0 : divide_end(a.hi, hi);
    const int64_t far_lo = hi == plus_infinity ? (a.lo < 0 ? -1 : 0) : divide_end(a.lo, hi);
    return {std::min(divide_end(a.lo, lo), far_lo),
            std::max(divide_end(a.hi, lo), a.hi < 0 ? divide_end(a.hi, hi == plus_infinity ? lo : hi) : far_hi)};
}

} // namespace

Interval range_of(Type type) {
    if (!type.is_int_or_uint()) {
        return {};
    }
    const int bits = type.bits();
    if (type.is_int()) {
        return bits == 64 ? Interval{} : Interval{-(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1};
    }
    return {0, bits == 64 ? plus_infinity : (int64_t{1} << bits) - 1};
}

Interval operator+(const Interval &a, const Interval &b) { return {add_ends(a.lo, b.lo), add_ends(a.hi, b.hi)}; }
Interval operator-(const Interval &a) { return {negate_end(a.hi), negate_end(a.lo)}; }
Interval operator-(const Interval &a, const Interval &b) { return a + -b; }

Interval operator*(const Interval &a, const Interval &b) {
    const auto [lo, hi] = std::minmax(
        {multiply_ends(a.lo, b.lo), multiply_ends(a.lo, b.hi), multiply_ends(a.hi, b.lo), multiply_ends(a.hi, b.hi)});
    return {lo, hi};
}

Interval min(const Interval &a, const Interval &b) { return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)}; }
Interval max(const Interval &a, const Interval &b) { return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)}; }

Interval divide(const Interval &a, const Interval &b) {
    Interval result = Interval::point(0);
    bool first = b.lo > 0 || b.hi < 0; // otherwise 0 is a divisor and contributes the quotient 0
    auto include = [&](const Interval &part) {
        result = first ? part : hull(result, part);
        first = false;
    };
    if (b.hi > 0) {
        include(divide_positive(a, std::max<int64_t>(b.lo, 1), b.hi));
    }
    if (b.lo < 0) { // a / -b = -(a / b) for Euclidean division
        include(-divide_positive(a, std::max<int64_t>(negate_end(b.hi), 1), negate_end(b.lo)));
    }
    return result;
}

Interval modulo(const Interval &a, const Interval &b) {
    if (b.is_point() && b.lo > 0 && a.is_finite() && a.hi - static_cast<__int128>(a.lo) < b.lo) {
        const int64_t lo = euclidean_mod(a.lo, b.lo), hi = euclidean_mod(a.hi, b.lo);
        if (lo <= hi) {
            return {lo, hi};
        }
    }
    const int64_t magnitude = std::max(b.hi, negate_end(b.lo)); // of the divisor
    const int64_t most = is_infinite(magnitude) ? plus_infinity : std::max<int64_t>(magnitude - 1, 0);
    // The remainder never exceeds a nonnegative dividend.
    return {0, a.lo >= 0 ? std::min(a.hi, most) : most};
}

int64_t mask_up_to(int64_t most) {
    return most <= 0 ? 0 : static_cast<int64_t>(~uint64_t{0} >> std::countl_zero(static_cast<uint64_t>(most)));
}

} // namespace fluorite::rewrite
