// Casts of floats beyond the range of the type: the nearest value, or the low bits where the program asks for it, as it
// does with -DHALIDE_FLOAT_CASTS_KEEP_LOW_BITS.
#include "Halide.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

using namespace Halide;

namespace {

constexpr int count = 24;
constexpr float infinity = std::numeric_limits<float>::infinity();
const float values[count] = {0.0f,     1.9f,     -1.9f,     127.5f,    128.0f,   200.7f,   255.9f,   256.0f,
                             300.0f,   -128.9f,  -129.0f,   -300.5f,   32767.9f, 32768.0f, 40000.0f, 65535.9f,
                             65536.0f, 70000.0f, -32769.0f, -70000.5f, 1e9f,     -1e9f,    infinity, -infinity};

template <typename T> T nearest(float value) {
    const double low = static_cast<double>(std::numeric_limits<T>::min());
    const double high = static_cast<double>(std::numeric_limits<T>::max());
    return static_cast<T>(std::fmin(std::fmax(std::trunc(static_cast<double>(value)), low), high));
}

/// As scalars and in vectors.
template <typename T> bool check(bool keeps_low_bits) {
    Buffer<float> in(count);
    for (int i = 0; i < count; i++) {
        in(i) = values[i];
    }
    for (int lanes : {1, 8}) {
        Var x("x");
        Func f("f");
        f(x) = cast<T>(in(x));
        if (lanes > 1) {
            f.vectorize(x, lanes);
        }
        const Buffer<T> seen = f.realize({count});
        for (int i = 0; i < count; i++) {
            const T expected =
                keeps_low_bits && sizeof(T) < 4 ? static_cast<T>(nearest<int32_t>(values[i])) : nearest<T>(values[i]);
            if (seen(i) != expected) {
                std::printf("%g in %d lanes is %lld, and not %lld\n", values[i], lanes, static_cast<long long>(seen(i)),
                            static_cast<long long>(expected));
                return false;
            }
        }
    }
    return true;
}

bool check_all(bool keeps_low_bits) {
    return check<uint8_t>(keeps_low_bits) && check<int8_t>(keeps_low_bits) && check<uint16_t>(keeps_low_bits) &&
           check<int16_t>(keeps_low_bits) && check<int32_t>(keeps_low_bits) && check<uint32_t>(keeps_low_bits);
}

} // namespace

int main() {
    using fluorite::FloatConversions;
    const FloatConversions before = fluorite::set_float_conversions(FloatConversions::LowBits);
    const bool is_right = check_all(true);
    fluorite::set_float_conversions(before);
    if (!is_right || before != FloatConversions::Saturate || !check_all(false)) {
        return 1;
    }
    std::printf("Success!\n");
    return 0;
}
