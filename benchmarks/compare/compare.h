#pragma once
// Whether two outputs of one application are the same, element by element.
//
// Integers have to be equal, unless the application states by how much they may be off. Floats may be off by a fraction
// of the local scale: the greatest magnitude of the expected values in the 3 x 3 elements around (along the first two
// dimensions). An error is so judged by what lies beside it and never by the greatest value of the whole output: a
// spectrum's peak excuses nothing elsewhere, and an element near 0 between large ones may carry the rounding of the
// sums that made them all. A NaN is never right, and an infinity only where the other side has the same one.
//
// Cost: one pass; the neighbourhood is looked at only where elements differ.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

/// How far elements of an output may be from those of another program.
struct Tolerance {
    double relative = 0; ///< of the local scale
    double absolute = 0; ///< added to it; the unit for integers
};

/// What the comparison found. `worst` is the greatest error: as a fraction of the local scale for floats, as it is for
/// integers.
struct Difference {
    std::size_t count = 0;  ///< elements that are not the same
    std::size_t beyond = 0; ///< of these, elements that are further off than allowed
    std::size_t first = 0;  ///< the first of those that are beyond
    double worst = 0;
};

/// The elements around one, in an array whose first two extents are `width` and `height`; a plane follows the other.
class Neighbourhood {
  public:
    explicit Neighbourhood(const std::vector<std::size_t> &extents)
        : width_(extents.empty() ? 1 : extents[0]), height_(extents.size() < 2 ? 1 : extents[1]) {}

    template <typename T> double scale(const T *expected, std::size_t element) const {
        const std::size_t x = element % width_, y = element / width_ % height_, row = element - x;
        double greatest = 0;
        for (std::size_t v = y > 0 ? y - 1 : 0; v <= std::min(y + 1, height_ - 1); v++) {
            for (std::size_t u = x > 0 ? x - 1 : 0; u <= std::min(x + 1, width_ - 1); u++) {
                const double value = std::fabs(static_cast<double>(expected[row + v * width_ - y * width_ + u]));
                if (std::isfinite(value)) {
                    greatest = std::max(greatest, value);
                }
            }
        }
        return greatest;
    }

  private:
    std::size_t width_, height_;
};

/// By how much an element is off, in the unit of Difference::worst; infinite where no error would be small enough.
template <typename T> double error_at(const T *is, const T *expected, std::size_t i, const Neighbourhood &around) {
    const double a = static_cast<double>(is[i]), b = static_cast<double>(expected[i]);
    if constexpr (std::is_integral_v<T>) {
        return std::fabs(a - b);
    } else {
        if (!std::isfinite(a) || !std::isfinite(b)) {
            return a == b ? 0 : INFINITY;
        }
        const double scale = around.scale(expected, i);
        return a == b ? 0 : scale > 0 ? std::fabs(a - b) / scale : INFINITY;
    }
}

template <typename T> bool allowed(const T *is, const T *expected, std::size_t i, double error, const Tolerance &most) {
    if constexpr (std::is_integral_v<T>) {
        return error <= most.absolute;
    } else {
        const double off = std::fabs(static_cast<double>(is[i]) - static_cast<double>(expected[i]));
        return error <= most.relative || (std::isfinite(off) && off <= most.absolute);
    }
}

/// Compares `count` elements; `extents` are innermost first and multiply to `count`.
template <typename T>
Difference compare(const T *is, const T *expected, std::size_t count, const std::vector<std::size_t> &extents,
                   const Tolerance &most) {
    const Neighbourhood around(extents);
    Difference found;
    for (std::size_t i = 0; i < count; i++) {
        const bool is_number = is[i] == is[i]; // a NaN that both sides have is no result either
        if (is_number && is[i] == expected[i]) {
            continue;
        }
        const double error = error_at(is, expected, i, around);
        found.count++;
        if (!allowed(is, expected, i, error, most)) {
            found.first = found.beyond == 0 ? i : found.first;
            found.beyond++;
        }
        found.worst = std::max(found.worst, error);
    }
    return found;
}

} // namespace bench
