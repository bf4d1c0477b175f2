#pragma once
// Closed intervals of 64-bit integers with infinite ends, and their arithmetic over the integers (no wrap-around).

#include "rewrite/simplify.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace fluorite::rewrite {

/// The interval lo..hi. The extreme values of int64 stand for minus and plus infinity. An interval with lo > hi is
/// empty, which only contradictory facts produce.
struct Interval {
    static constexpr int64_t minus_infinity = std::numeric_limits<int64_t>::min();
    static constexpr int64_t plus_infinity = std::numeric_limits<int64_t>::max();

    int64_t lo = minus_infinity;
    int64_t hi = plus_infinity;

    static Interval point(int64_t value) { return {value, value}; }
    static Interval of(const ConstInterval &other) {
        return {other.min.value_or(minus_infinity), other.max.value_or(plus_infinity)};
    }
    bool has_lo() const { return lo != minus_infinity; }
    bool has_hi() const { return hi != plus_infinity; }
    bool is_everything() const { return !has_lo() && !has_hi(); }
    bool is_finite() const { return has_lo() && has_hi(); }
    bool is_point() const { return lo == hi && is_finite(); }
    bool contains(const Interval &other) const { return lo <= other.lo && other.hi <= hi; }
    bool operator==(const Interval &) const = default;
};

inline Interval intersect(const Interval &a, const Interval &b) { return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)}; }
inline Interval hull(const Interval &a, const Interval &b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

/// The values of a type that int64 can represent; everything for floats and handles.
Interval range_of(Type type);

Interval operator+(const Interval &a, const Interval &b);
Interval operator-(const Interval &a);
Interval operator-(const Interval &a, const Interval &b);
Interval operator*(const Interval &a, const Interval &b);
Interval min(const Interval &a, const Interval &b);
Interval max(const Interval &a, const Interval &b);
/// Euclidean quotient and remainder. The divisor may contain 0, for which both are 0.
Interval divide(const Interval &a, const Interval &b);
Interval modulo(const Interval &a, const Interval &b);
/// All bits that can be set in a value in 0..most.
int64_t mask_up_to(int64_t most);

} // namespace fluorite::rewrite
