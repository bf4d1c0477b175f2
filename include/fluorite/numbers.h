#pragma once
// The C++ types that the API accepts as counts, positions, texts and values of a type. No C++ conversion that changes a
// value (10.5 to 10, a text to true, 300 to a uint8_t) happens implicitly.

#include "fluorite/require_cxx17.h"

#include "fluorite/errors.h"
#include "fluorite/type.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace fluorite::detail {

/// Characters are C++ integers, but the API does not accept them as numbers.
template <typename T>
inline constexpr bool is_character = std::is_same_v<T, char> || std::is_same_v<T, wchar_t> ||
#ifdef __cpp_char8_t
                                     std::is_same_v<T, char8_t> ||
#endif
                                     std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;
/// The type without reference, const and volatile.
template <typename T> using Plain = std::remove_cv_t<std::remove_reference_t<T>>;
/// A count or a position: an integer or an unscoped enumerator, but not a bool, character or float.
template <typename T>
inline constexpr bool is_whole =
    (std::is_integral_v<Plain<T>> && !std::is_same_v<Plain<T>, bool> && !is_character<Plain<T>>) ||
    (std::is_enum_v<Plain<T>> && std::is_convertible_v<T, int>);
/// A text; a null pointer is not one.
template <typename T>
inline constexpr bool is_text =
    std::is_convertible_v<const T &, std::string> && !std::is_same_v<Plain<T>, std::nullptr_t>;

/// A count or position argument. Values beyond int32 become its nearest end, which range checks reject.
class Integer {
  public:
    template <typename T, std::enable_if_t<is_whole<T>, int> = 0>
    constexpr Integer(T value) : value_(nearest(value)) {} // NOLINT(google-explicit-constructor)
    constexpr operator int() const { return value_; }      // NOLINT(google-explicit-constructor)

  private:
    template <typename T> static constexpr int nearest(T value) {
        if constexpr (std::is_enum_v<T>) {
            return static_cast<int>(value);
        } else {
            constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
            if constexpr (std::is_signed_v<T>) {
                return value < least ? least : value > most ? most : static_cast<int>(value);
            } else {
                return value > static_cast<unsigned>(most) ? most : static_cast<int>(value);
            }
        }
    }
    int value_;
};

/// A size as int32. Throws RuntimeError [buffer-too-large] if it does not fit.
template <typename T, std::enable_if_t<is_whole<T>, int> = 0>
int32_t checked_size(T size, const char *what, const Location &place) {
    const int32_t result = Integer(size);
    if constexpr (!std::is_enum_v<T>) {
        if (static_cast<T>(result) != size || (result < 0) != (size < T(0))) {
            throw RuntimeError("buffer-too-large",
                               std::string("in ") + what + ": the size " + std::to_string(size) +
                                   " is given; sizes are 32-bit; give one below 2147483648",
                               place);
        }
    }
    return result;
}

/// An argument that can set a Param of type T: a number or, for pointers and classes, anything that converts.
template <typename U, typename T>
inline constexpr bool can_set =
    std::is_arithmetic_v<U> || std::is_enum_v<U> ||
    (std::is_convertible_v<const U &, T> && (std::is_class_v<U> || !std::is_arithmetic_v<T>));

/// Whether an integer type can represent the value; floats must be whole.
template <typename T, typename U> bool is_value_of(U value) {
    if constexpr (std::is_same_v<T, bool>) {
        return value == U(0) || value == U(1);
    } else if constexpr (std::is_floating_point_v<U>) {
        return std::trunc(value) == value && value >= static_cast<U>(std::numeric_limits<T>::min()) &&
               value < std::ldexp(U(1), std::numeric_limits<T>::digits);
    } else {
        return static_cast<U>(static_cast<T>(value)) == value && (value < U(0)) == (static_cast<T>(value) < T(0));
    }
}

[[noreturn]] inline void fail_value(const std::string &name, const std::string &value, Type type,
                                    const Location &place) {
    throw RuntimeError("literal-out-of-range",
                       "in " + name + ": its value is set to " + value + ", and its type is " + to_string(type) +
                           "; a value is one of the type's, floats may round; set such a value, or give the Param "
                           "another type",
                       place);
}

/// The value as T, unchanged except for the rounding of floats. Otherwise throws RuntimeError [literal-out-of-range].
template <typename T, typename U> T exact_value(const U &value, const std::string &name, const Location &place) {
    if constexpr (std::is_enum_v<U>) {
        return exact_value<T>(static_cast<std::underlying_type_t<U>>(value), name, place);
    } else if constexpr (!std::is_arithmetic_v<U>) {
        return value;
    } else if constexpr (std::is_integral_v<T>) {
        if (!is_value_of<T>(value)) {
            fail_value(name, std::to_string(value), type_of<T>(), place);
        }
        return static_cast<T>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        const T result = static_cast<T>(value);
        if (std::isinf(result) && !std::isinf(static_cast<long double>(value))) {
            fail_value(name, std::to_string(value), type_of<T>(), place);
        }
        return result;
    } else if constexpr (std::is_convertible_v<U, T>) {
        return value;
    } else {
        return T(static_cast<double>(value));
    }
}

} // namespace fluorite::detail
