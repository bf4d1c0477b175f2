#pragma once
// The types that Buffer accepts as sizes, names and element types. For use through fluorite/buffer.h.

#include "fluorite/require_cxx20.h"

#include "fluorite/numbers.h"
#include "fluorite/type.h"

#include <concepts>
#include <source_location>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace fluorite {

inline constexpr int any_dims = -1;
inline constexpr int AnyDims = any_dims;

namespace buffer_detail {

/// A coordinate of an element: an integer or an unscoped enumerator.
template <typename A>
concept Index =
    std::integral<std::remove_cvref_t<A>> || (std::is_enum_v<std::remove_cvref_t<A>> && std::convertible_to<A, int>);
/// Whether a coordinate is a 32-bit one.
template <Index A> constexpr bool fits_int(A position) {
    if constexpr (sizeof(A) > sizeof(int)) {
        return position == static_cast<A>(static_cast<int>(position));
    } else {
        return true;
    }
}
/// A size.
template <typename A>
concept Size = detail::Whole<A>;
template <typename A>
concept Name = detail::Text<std::remove_cvref_t<A>>;

/// A name. Unlike a string it cannot be made from a braced list of numbers, which would be a storage order.
class NameArgument {
  public:
    NameArgument() = default;
    template <Name N> NameArgument(const N &text) : text_(text) {} // NOLINT(google-explicit-constructor)
    operator const std::string &() const { return text_; }         // NOLINT(google-explicit-constructor)

  private:
    std::string text_;
};

/// Sizes as int32; throws if one is too large.
template <Size... A> std::vector<int> sizes(const Location &place, const A &...values) {
    return {detail::checked_size(values, "a Buffer", place)...};
}
template <Index... A> std::vector<int> coordinates(const A &...values) { return {static_cast<int>(values)...}; }

/// The N-th type of a list.
template <size_t N, typename... A> using Nth = std::tuple_element_t<N, std::tuple<A...>>;

/// A run that can provide one buffer: a Realization.
template <typename R, typename Untyped>
concept SingleBuffer = requires(const R &run, std::source_location place) {
    { run.single(place) } -> std::same_as<const Untyped &>;
};

/// Whether the types are sizes followed by at most one name, as constructors take them.
template <typename... A> constexpr bool is_sizes_and_name() {
    constexpr bool index[] = {Size<A>..., true};
    constexpr bool name[] = {Name<A>..., false};
    for (size_t i = 0; i < sizeof...(A); i++) {
        if (!index[i] && !(name[i] && i + 1 == sizeof...(A))) {
            return false;
        }
    }
    return true;
}
template <typename... A>
concept SizesAndName = is_sizes_and_name<A...>();

/// The first of any number of sizes, which also records the location of the call.
struct FirstSize {
    template <Size A>
    FirstSize(A size, const std::source_location &location =
                          std::source_location::current()) // NOLINT(google-explicit-constructor)
        : value(detail::checked_size(size, "a Buffer", location)), place(location) {}
    int value;
    std::source_location place;
};

struct ParsedSizes {
    std::vector<int> sizes;
    std::string name;
    template <Size A> void add(const A &size, const Location &place) {
        sizes.push_back(detail::checked_size(size, "a Buffer", place));
    }
    template <Name A> void add(const A &text, const Location &) { name = text; }
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
concept ConvertibleBuffer =
    (D == any_dims || E == any_dims || D == E) && (!std::is_const_v<From> || std::is_const_v<To>) &&
    (std::is_void_v<From> || std::is_void_v<To> ||
     static_type<std::remove_const_t<From>>() == static_type<std::remove_const_t<To>>());

} // namespace buffer_detail
} // namespace fluorite
