// Exact division by a constant c: fma(x, high, x * low), with high = 1/c rounded towards 0 and low = 1/c - high,
// rounded.
//
// The method is that of Brisebarre, Muller and Raina, "Accelerating correctly rounded floating-point division when the
// divisor is known in advance" (IEEE Transactions on Computers, 2004). `high` is rounded towards 0 here, so that `low`
// has its sign: then zeros keep the sign of the quotient, and infinities stay infinite and do not become NaN.
//
// Exactness. Let p be the number of significant bits. The value before the last rounding differs from x/c by at most 8
// * 2^-2p of it: `low` is below 2^(1-p) of 1/c and within 1.5 units of its last place, hence 6 * 2^-2p, and its product
// with x is rounded, hence 2 * 2^-2p. So the result is wrong only if x/c is that close to the middle of two neighbours,
// and no quotient is such a middle. With x and c scaled to integers X and C of p bits, middles are M / 2^k, with M odd,
// and k = p where X >= C and p + 1 otherwise. The distance of x/c from one is |X 2^k - M C| / (C 2^k), which is too
// small only if |X 2^k - M C| = j <= 16. For each such j, X solves a congruence modulo C, which has few solutions of p
// bits, because j is a multiple of what C has of the factor 2. All of these candidates are tried; if each is right, all
// x are. Where one is wrong, a neighbour of `low` may be right.
//
// Scaling by powers of two changes nothing while no operation underflows. The product x * low has the least magnitude,
// so `least` is the number from which on it is normal. If the quotient overflows, the last operation overflows as well.
//
// Relies on std::fma and the host's arithmetic, rounding to nearest. Cost: a hundred divisions.

#include "backends/llvm/arith/split_reciprocal.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace fluorite::backends {

namespace {

/// The inverse of 2^exponent modulo an odd number.
uint64_t inverse_of_power(int exponent, uint64_t modulus) {
    unsigned __int128 inverse = 1, power = (modulus + 1) / 2;
    for (; exponent > 0; exponent /= 2) {
        inverse = exponent % 2 == 1 ? inverse * power % modulus : inverse;
        power = power * power % modulus;
    }
    return static_cast<uint64_t>(inverse);
}

/// Whether fma(x, high, x * low) is x / c for every x, where nothing underflows.
template <class T> bool is_exact(T c, T high, T low) {
    constexpr int p = std::numeric_limits<T>::digits;
    constexpr int most = 16; // j of the file's first lines
    constexpr uint64_t begin = uint64_t{1} << (p - 1);
    int exponent = 0;
    const auto integer = static_cast<uint64_t>(std::ldexp(std::frexp(std::abs(c), &exponent), p));
    const int even = std::countr_zero(integer);
    const uint64_t odd = integer >> even;
    for (int k : {p, p + 1}) {
        const uint64_t inverse = inverse_of_power(k - even, odd);
        for (int64_t j = int64_t{1} << even; j <= most; j += int64_t{1} << even) {
            const auto factor = static_cast<uint64_t>(j >> even) % odd;
            const auto root = static_cast<uint64_t>(static_cast<unsigned __int128>(factor) * inverse % odd);
            for (uint64_t residue : {root, (odd - root) % odd}) { // of j and of -j
                const uint64_t skipped = residue < begin ? (begin - residue + odd - 1) / odd : 0;
                for (uint64_t candidate = residue + skipped * odd; candidate < 2 * begin; candidate += odd) {
                    const T x = std::ldexp(static_cast<T>(candidate), exponent - p);
                    if (std::fma(x, high, x * low) != x / c) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

} // namespace

template <class T> std::optional<SplitReciprocal<T>> split_reciprocal(T divisor) {
    using Limits = std::numeric_limits<T>;
    // Programs divide by numbers between 2^-32 and 2^32 (doubles: 2^-256), mostly; `least` is below 2^-32, too.
    constexpr int most_exponent = Limits::max_exponent / 4;
    int exponent = 0;
    if (!std::isfinite(divisor) || std::abs(std::frexp(divisor, &exponent)) <= T(0.5) ||
        std::abs(exponent) > most_exponent) {
        return std::nullopt;
    }
    T high = 1 / divisor;
    if (std::fma(high, divisor, T(-1)) > 0) {
        high = std::nextafter(high, T(0));
    }
    const T nearest = std::fma(-high, divisor, T(1)) / divisor;
    const T beyond = std::copysign(Limits::infinity(), divisor);
    for (T low : {nearest, std::nextafter(nearest, T(0)), std::nextafter(nearest, beyond)}) {
        const T least = std::ldexp(T(1), Limits::min_exponent - std::ilogb(low));
        const bool is_small = low != 0 && least < std::ldexp(T(1), -most_exponent);
        if (is_small && is_exact(divisor, high, low)) {
            return SplitReciprocal<T>{high, low, least};
        }
    }
    return std::nullopt;
}

template std::optional<SplitReciprocal<float>> split_reciprocal(float divisor);
template std::optional<SplitReciprocal<double>> split_reciprocal(double divisor);

} // namespace fluorite::backends
