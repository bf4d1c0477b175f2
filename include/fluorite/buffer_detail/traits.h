#pragma once
// The types that Buffer accepts as sizes, names and element types. For use through fluorite/buffer.h.

#include "fluorite/require_cxx17.h"

#include "fluorite/numbers.h"
#include "fluorite/type.h"

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fluorite {

inline constexpr int any_dims = -1;
inline constexpr int AnyDims = any_dims;

namespace buffer_detail {

/// A coordinate of an element: an integer or an unscoped enumerator.
template <typename A>
inline constexpr bool is_index =
    std::is_integral_v<detail::Plain<A>> || (std::is_enum_v<detail::Plain<A>> && std::is_convertible_v<A, int>);
template <typename... A> inline constexpr bool all_indices = (is_index<A> && ...);
/// Whether a coordinate is a 32-bit one.
template <typename A, std::enable_if_t<is_index<A>, int> = 0> constexpr bool fits_int(A position) {
    if constexpr (sizeof(A) > sizeof(int)) {
        return position == static_cast<A>(static_cast<int>(position));
    } else {
        return true;
    }
}
/// A size.
template <typename A> inline constexpr bool is_size = detail::is_whole<A>;
template <typename... A> inline constexpr bool all_sizes = (is_size<A> && ...);
/// A name.
template <typename A> inline constexpr bool is_name = detail::is_text<detail::Plain<A>>;
/// The type itself, in a parameter from which it is not to be deduced.
template <typename T> struct Identity {
    using Type = T;
};
template <typename T> using Same = typename Identity<T>::Type;

/// A name. Unlike a string it cannot be made from a braced list of numbers, which would be a storage order.
class NameArgument {
  public:
    NameArgument() = default;
    template <typename N, std::enable_if_t<is_name<N>, int> = 0>
    NameArgument(const N &text) : text_(text) {}           // NOLINT(google-explicit-constructor)
    operator const std::string &() const { return text_; } // NOLINT(google-explicit-constructor)

  private:
    std::string text_;
};

/// Sizes as int32; throws if one is too large.
template <typename... A, std::enable_if_t<all_sizes<A...>, int> = 0>
std::vector<int> sizes(const Location &place, const A &...values) {
    return {detail::checked_size(values, "a Buffer", place)...};
}
template <typename... A, std::enable_if_t<all_indices<A...>, int> = 0>
std::vector<int> coordinates(const A &...values) {
    return {static_cast<int>(values)...};
}

/// Whether the first `count` types are sizes.
template <size_t count, typename... A> constexpr bool are_sizes() {
    constexpr bool sizes[] = {is_size<A>..., false};
    size_t found = 0;
    while (found < sizeof...(A) && sizes[found]) {
        found++;
    }
    return found >= count;
}
template <size_t count, typename... A> inline constexpr bool begins_with_sizes = are_sizes<count, A...>();

/// A run that can provide one buffer: a Realization.
template <typename R, typename Untyped, typename = const Untyped &> inline constexpr bool is_single_buffer = false;
template <typename R, typename Untyped>
inline constexpr bool
    is_single_buffer<R, Untyped, decltype(std::declval<const R &>().single(std::declval<const Location &>()))> = true;

/// Whether the types are sizes followed by at most one name, as constructors take them.
template <typename... A> constexpr bool are_sizes_and_name() {
    constexpr bool index[] = {is_size<A>..., true};
    constexpr bool name[] = {is_name<A>..., false};
    for (size_t i = 0; i < sizeof...(A); i++) {
        if (!index[i] && !(name[i] && i + 1 == sizeof...(A))) {
            return false;
        }
    }
    return true;
}
template <typename... A> inline constexpr bool is_sizes_and_name = are_sizes_and_name<A...>();

/// The first of any number of sizes, which also records the location of the call.
struct FirstSize {
    template <typename A, std::enable_if_t<is_size<A>, int> = 0>
    FirstSize(A size, const Location &location = Location::current()) // NOLINT(google-explicit-constructor)
        : value(detail::checked_size(size, "a Buffer", location)), place(location) {}
    int value;
    Location place;
};

struct ParsedSizes {
    std::vector<int> sizes;
    std::string name;
    template <typename A, std::enable_if_t<is_size<A>, int> = 0> void add(const A &size, const Location &place) {
        sizes.push_back(detail::checked_size(size, "a Buffer", place));
    }
    template <typename A, std::enable_if_t<is_name<A>, int> = 0> void add(const A &text, const Location &) {
        name = text;
    }
    template <typename... A> explicit ParsedSizes(const FirstSize &first, const A &...rest) : sizes{first.value} {
        (add(rest, first.place), ...);
    }
};

template <typename T> constexpr Type static_type() {
    if constexpr (std::is_void_v<T>) {
        return {};
    } else {
        return type_of<T>();
    }
}

/// Whether a conversion from Buffer<From, D> to Buffer<To, E> can succeed for some buffer.
template <typename From, int D, typename To, int E>
inline constexpr bool is_convertible_buffer =
    (D == any_dims || E == any_dims || D == E) && (!std::is_const_v<From> || std::is_const_v<To>) &&
    (std::is_void_v<From> || std::is_void_v<To> ||
     static_type<std::remove_const_t<From>>() == static_type<std::remove_const_t<To>>());

} // namespace buffer_detail
} // namespace fluorite
