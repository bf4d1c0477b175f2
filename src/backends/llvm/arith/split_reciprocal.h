#pragma once
// Reciprocals by which floats are divided exactly: the correctly rounded quotient of x by a constant is one
// multiplication and one fused multiply-add.

#include <optional>

namespace fluorite::backends {

/// The sum of two numbers of one type, near 1 / divisor, such that fma(x, high, x * low) is x / divisor, rounded to
/// nearest, for every x that is 0, infinite, NaN, or of a magnitude of at least `least`. Signs of zeros are those of
/// the quotient, and so are overflows; quotients of smaller magnitudes may differ in their last bit.
template <class T> struct SplitReciprocal {
    T high;
    T low;
    T least; // a power of two
};

/// No value if the divisor is 0, not finite, a power of two, so large or so small that `least` would be no small
/// number, or one of the few (3 % of random ones, no integer below 2000) for which no such sum is known.
template <class T> std::optional<SplitReciprocal<T>> split_reciprocal(T divisor);

extern template std::optional<SplitReciprocal<float>> split_reciprocal(float divisor);
extern template std::optional<SplitReciprocal<double>> split_reciprocal(double divisor);

} // namespace fluorite::backends
