#pragma once
// Boundary conditions: a Func that equals a source inside a box and extends it outside.
//
// The box is given as ranges, one per dimension from dimension 0; missing dimensions and undefined ranges stay
// unbounded. For an ImageParam or a Buffer the box may be omitted and defaults to the buffer's.

#include "fluorite/require_cxx17.h"

#include "fluorite/buffer.h"
#include "fluorite/func.h"
#include "fluorite/image_param.h"

namespace fluorite::BoundaryConditions {

namespace detail {

/// The box of a buffer or ImageParam.
template <typename Image> Region region_of(const Image &image) {
    Region region;
    for (int i = 0; i < image.dimensions(); i++) {
        region.push_back({Expr(image.dim(i).min()), Expr(image.dim(i).extent())});
    }
    return region;
}

/// A buffer or ImageParam: it can be called with Exprs and has dimensions.
template <typename T, typename = void> inline constexpr bool is_image = false;
template <typename T>
inline constexpr bool is_image<T, std::void_t<decltype(std::declval<const T &>().dim(0).extent())>> =
    !std::is_base_of_v<Func, T>;

inline Region region_from(const std::vector<Expr> &numbers) {
    Region region;
    for (size_t i = 0; i + 1 < numbers.size(); i += 2) {
        region.push_back({numbers[i], numbers[i + 1]});
    }
    return region;
}

template <typename T, std::enable_if_t<is_image<T>, int> = 0> Func as_func(const T &image, const Location &location) {
    if constexpr (std::is_constructible_v<Func, const T &, const Location &>) {
        return Func(image, location); // a Buffer
    } else {
        return Func(image(std::vector<Expr>{Expr(_)}, location), location);
    }
}
inline const Func &as_func(const Func &func, const Location &) { return func; }

} // namespace detail

/// Outside the box: the value of the nearest pixel inside.
Func repeat_edge(const Func &source, const Region &bounds, const Location &location = Location::current());
template <typename T, std::enable_if_t<detail::is_image<T>, int> = 0>
Func repeat_edge(const T &source, const Location &location = Location::current()) {
    return repeat_edge(detail::as_func(source, location), detail::region_of(source), location);
}
template <typename T, std::enable_if_t<detail::is_image<T>, int> = 0>
Func repeat_edge(const T &source, const Region &bounds, const Location &location = Location::current()) {
    return repeat_edge(detail::as_func(source, location), bounds, location);
}

/// Outside the box: a constant of the source's type, or one constant for each value of the source.
Func constant_exterior(const Func &source, const Tuple &value, const Region &bounds,
                       const Location &location = Location::current());
Func constant_exterior(const Func &source, const LocatedExpr &value, const Region &bounds);
template <typename T, std::enable_if_t<detail::is_image<T>, int> = 0>
Func constant_exterior(const T &source, const LocatedExpr &value) {
    return constant_exterior(detail::as_func(source, value.location), value, detail::region_of(source));
}
template <typename T, std::enable_if_t<detail::is_image<T>, int> = 0>
Func constant_exterior(const T &source, const LocatedExpr &value, const Region &bounds) {
    return constant_exterior(detail::as_func(source, value.location), value, bounds);
}

/// Outside the box: the image repeats periodically.
Func repeat_image(const Func &source, const Region &bounds, const Location &location = Location::current());
template <typename T, std::enable_if_t<detail::is_image<T>, int> = 0>
Func repeat_image(const T &source, const Location &location = Location::current()) {
    return repeat_image(detail::as_func(source, location), detail::region_of(source), location);
}
template <typename T, std::enable_if_t<detail::is_image<T>, int> = 0>
Func repeat_image(const T &source, const Region &bounds, const Location &location = Location::current()) {
    return repeat_image(detail::as_func(source, location), bounds, location);
}

/// Outside the box: the image is mirrored at its edges, which repeats edge pixels.
Func mirror_image(const Func &source, const Region &bounds, const Location &location = Location::current());
template <typename T, std::enable_if_t<detail::is_image<T>, int> = 0>
Func mirror_image(const T &source, const Location &location = Location::current()) {
    return mirror_image(detail::as_func(source, location), detail::region_of(source), location);
}
template <typename T, std::enable_if_t<detail::is_image<T>, int> = 0>
Func mirror_image(const T &source, const Region &bounds, const Location &location = Location::current()) {
    return mirror_image(detail::as_func(source, location), bounds, location);
}

/// Outside the box: the image is mirrored at the centres of its edge pixels, which does not repeat them.
Func mirror_interior(const Func &source, const Region &bounds, const Location &location = Location::current());
template <typename T, std::enable_if_t<detail::is_image<T>, int> = 0>
Func mirror_interior(const T &source, const Location &location = Location::current()) {
    return mirror_interior(detail::as_func(source, location), detail::region_of(source), location);
}
template <typename T, std::enable_if_t<detail::is_image<T>, int> = 0>
Func mirror_interior(const T &source, const Region &bounds, const Location &location = Location::current()) {
    return mirror_interior(detail::as_func(source, location), bounds, location);
}

// The box as numbers: repeat_edge(source, min0, extent0, min1, extent1, ...).
template <typename T, typename... Numbers,
          std::enable_if_t<sizeof...(Numbers) % 2 == 1 && (std::is_convertible_v<Numbers, Expr> && ...), int> = 0>
Func repeat_edge(const T &source, const LocatedExpr &first, const Numbers &...numbers) {
    return repeat_edge(source, detail::region_from({first.expr, Expr(numbers)...}), first.location);
}
template <typename T, typename... Numbers,
          std::enable_if_t<sizeof...(Numbers) % 2 == 1 && (std::is_convertible_v<Numbers, Expr> && ...), int> = 0>
Func repeat_image(const T &source, const LocatedExpr &first, const Numbers &...numbers) {
    return repeat_image(source, detail::region_from({first.expr, Expr(numbers)...}), first.location);
}
template <typename T, typename... Numbers,
          std::enable_if_t<sizeof...(Numbers) % 2 == 1 && (std::is_convertible_v<Numbers, Expr> && ...), int> = 0>
Func mirror_image(const T &source, const LocatedExpr &first, const Numbers &...numbers) {
    return mirror_image(source, detail::region_from({first.expr, Expr(numbers)...}), first.location);
}
template <typename T, typename... Numbers,
          std::enable_if_t<sizeof...(Numbers) % 2 == 1 && (std::is_convertible_v<Numbers, Expr> && ...), int> = 0>
Func mirror_interior(const T &source, const LocatedExpr &first, const Numbers &...numbers) {
    return mirror_interior(source, detail::region_from({first.expr, Expr(numbers)...}), first.location);
}
template <typename T, typename... Numbers,
          std::enable_if_t<(sizeof...(Numbers) % 2 == 0 && sizeof...(Numbers) > 0 &&
                            (std::is_convertible_v<Numbers, Expr> && ...)),
                           int> = 0>
Func constant_exterior(const T &source, const LocatedExpr &value, const Numbers &...numbers) {
    return constant_exterior(source, value, detail::region_from({Expr(numbers)...}));
}

} // namespace fluorite::BoundaryConditions
