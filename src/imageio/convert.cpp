// Converts the values of an image to another element type.
//
// Meaning: an unsigned integer v of n bits denotes v / (2^n - 1), a signed one v / (2^(n-1) - 1), a bool 0 or 1, a
// float itself. The result is the target value nearest to the source's meaning, clamped to the target's range. Between
// integers of equal kind the rule is exact in integers (uint8 to uint16 multiplies by 257); via 64-bit integers and
// doubles it is exact to a double's 53 bits.
//
// Method: one function for each pair of types, over runs of elements in memory order. Cost: about a nanosecond each.

#include "fluorite/image_io.h"

#include <cmath>
#include <limits>

namespace fluorite {

namespace {

template <typename T> constexpr bool is_float16_like = std::is_same_v<T, float16_t> || std::is_same_v<T, bfloat16_t>;

template <typename T> double meaning_of(T value) {
    if constexpr (std::is_floating_point_v<T> || is_float16_like<T>) {
        return static_cast<double>(value);
    } else {
        return static_cast<double>(value) / static_cast<double>(std::numeric_limits<T>::max());
    }
}

template <typename To> To from_meaning(double meaning) {
    if constexpr (std::is_same_v<To, bool>) {
        return meaning >= 0.5;
    } else if constexpr (std::is_integral_v<To>) {
        const double scaled = std::nearbyint(meaning * static_cast<double>(std::numeric_limits<To>::max()));
        if (!(scaled > static_cast<double>(std::numeric_limits<To>::min()))) {
            return std::isnan(scaled) ? To{0} : std::numeric_limits<To>::min();
        }
        // The comparison uses the limit rounded up for 64 bits, so the cast below is always in range.
        return scaled >= static_cast<double>(std::numeric_limits<To>::max()) ? std::numeric_limits<To>::max()
                                                                             : static_cast<To>(scaled);
    } else {
        return static_cast<To>(meaning);
    }
}

template <typename From, typename To> To convert_value(From value) {
    if constexpr (std::is_unsigned_v<From> && std::is_unsigned_v<To> && sizeof(From) < 4 && sizeof(To) < 4 &&
                  !std::is_same_v<From, bool> && !std::is_same_v<To, bool>) {
        constexpr uint32_t from_max = std::numeric_limits<From>::max();
        constexpr uint32_t to_max = std::numeric_limits<To>::max();
        if constexpr (to_max >= from_max) {
            return static_cast<To>(value * (to_max / from_max));
        } else {
            return static_cast<To>((value * to_max + from_max / 2) / from_max);
        }
    } else {
        return from_meaning<To>(meaning_of(value));
    }
}

// Calls visit with a value of the C++ type of a scalar type; returns false if there is none.
template <typename Visit> bool with_type(Type type, const Visit &visit) {
    const auto is = [&](Type other) { return type == other; };
    if (is(Bool()))
        return visit(bool{}), true;
    if (is(UInt(8)))
        return visit(uint8_t{}), true;
    if (is(UInt(16)))
        return visit(uint16_t{}), true;
    if (is(UInt(32)))
        return visit(uint32_t{}), true;
    if (is(UInt(64)))
        return visit(uint64_t{}), true;
    if (is(Int(8)))
        return visit(int8_t{}), true;
    if (is(Int(16)))
        return visit(int16_t{}), true;
    if (is(Int(32)))
        return visit(int32_t{}), true;
    if (is(Int(64)))
        return visit(int64_t{}), true;
    if (is(Float(16)))
        return visit(float16_t{}), true;
    if (is(BFloat(16)))
        return visit(bfloat16_t{}), true;
    if (is(Float(32)))
        return visit(float{}), true;
    if (is(Float(64)))
        return visit(double{}), true;
    return false;
}

} // namespace

Buffer<> convert_image(const Buffer<const void> &image, Type type, std::source_location place) {
    if (image.type() == type) {
        return image.copy(place);
    }
    bool known = false;
    Buffer<> result;
    with_type(image.type(), [&](auto from) {
        using From = decltype(from);
        known = with_type(type, [&](auto to) {
            using To = decltype(to);
            auto target = Buffer<To>::make_with_shape_of(image, image.name(place), place);
            target.for_each_value([](To &out, From in) { out = convert_value<From, To>(in); },
                                  Buffer<const From>(image, place));
            result = target;
        });
    });
    if (!known) {
        throw RuntimeError("image-unsupported",
                           "in convert_image(): the elements are of type " + to_string(image.type()) +
                               " and are asked for as " + to_string(type) +
                               "; numbers of 8 to 64 bits are converted; choose one of these types",
                           place);
    }
    return result;
}

} // namespace fluorite
