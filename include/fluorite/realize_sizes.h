#pragma once
// Overloads of realize with sizes as plain numbers, f.realize(width, height), and evaluate.

#include "fluorite/require_cxx17.h"

#include "fluorite/func.h"
#include "fluorite/pipeline.h"
#include "fluorite/realization.h"

namespace fluorite {

namespace detail {
template <typename... N, std::enable_if_t<all_sizes<N...>, int> = 0>
std::vector<int32_t> sizes_of(const Location &location, N... sizes) {
    return {checked_size(sizes, "realize", location)...};
}
} // namespace detail

template <typename X, std::enable_if_t<detail::is_size<X>, int>>
Realization Func::realize(X x, const Target &target, const Location &location) const {
    return realize(detail::sizes_of(location, x), target, location);
}
template <typename X, typename Y, std::enable_if_t<detail::all_sizes<X, Y>, int>>
Realization Func::realize(X x, Y y, const Target &target, const Location &location) const {
    return realize(detail::sizes_of(location, x, y), target, location);
}
template <typename X, typename Y, typename Z, std::enable_if_t<detail::all_sizes<X, Y, Z>, int>>
Realization Func::realize(X x, Y y, Z z, const Target &target, const Location &location) const {
    return realize(detail::sizes_of(location, x, y, z), target, location);
}
template <typename X, typename Y, typename Z, typename W, std::enable_if_t<detail::all_sizes<X, Y, Z, W>, int>>
Realization Func::realize(X x, Y y, Z z, W w, const Target &target, const Location &location) const {
    return realize(detail::sizes_of(location, x, y, z, w), target, location);
}
template <typename X, std::enable_if_t<detail::is_size<X>, int>>
void Func::infer_input_bounds(X x, const Location &location) const {
    infer_input_bounds(detail::sizes_of(location, x), Target(), location);
}
template <typename X, typename Y, std::enable_if_t<detail::all_sizes<X, Y>, int>>
void Func::infer_input_bounds(X x, Y y, const Location &location) const {
    infer_input_bounds(detail::sizes_of(location, x, y), Target(), location);
}
template <typename X, typename Y, typename Z, std::enable_if_t<detail::all_sizes<X, Y, Z>, int>>
void Func::infer_input_bounds(X x, Y y, Z z, const Location &location) const {
    infer_input_bounds(detail::sizes_of(location, x, y, z), Target(), location);
}
template <typename X, typename Y, typename Z, typename W, std::enable_if_t<detail::all_sizes<X, Y, Z, W>, int>>
void Func::infer_input_bounds(X x, Y y, Z z, W w, const Location &location) const {
    infer_input_bounds(detail::sizes_of(location, x, y, z, w), Target(), location);
}

inline void Func::set_error_handler(void (*handler)(void *context, const char *text)) {
    static void (*current)(void *context, const char *text) = nullptr;
    current = handler;
    fluorite::set_error_handler(handler ? [](void *context, int, const char *text) { current(context, text); }
                                        : fluorite_error_handler_t());
}

template <typename X, std::enable_if_t<detail::is_size<X>, int>>
Realization Pipeline::realize(X x, const Target &target, const Location &location) const {
    return realize(detail::sizes_of(location, x), target, location);
}
template <typename X, typename Y, std::enable_if_t<detail::all_sizes<X, Y>, int>>
Realization Pipeline::realize(X x, Y y, const Target &target, const Location &location) const {
    return realize(detail::sizes_of(location, x, y), target, location);
}
template <typename X, typename Y, typename Z, std::enable_if_t<detail::all_sizes<X, Y, Z>, int>>
Realization Pipeline::realize(X x, Y y, Z z, const Target &target, const Location &location) const {
    return realize(detail::sizes_of(location, x, y, z), target, location);
}
template <typename X, typename Y, typename Z, typename W, std::enable_if_t<detail::all_sizes<X, Y, Z, W>, int>>
Realization Pipeline::realize(X x, Y y, Z z, W w, const Target &target, const Location &location) const {
    return realize(detail::sizes_of(location, x, y, z, w), target, location);
}

/// Evaluates an expression without free variables; T is its type.
template <typename T>
T evaluate(JITUserContext *context, const Expr &value, const Location &location = Location::current()) {
    Func func(type_of<T>(), 0, "evaluate", location);
    func(location) = LocatedExpr(value, location);
    const Buffer<T, 0> result = func.realize(context, std::vector<int32_t>{}, Target(), location);
    return result();
}
template <typename T> T evaluate(const Expr &value, const Location &location = Location::current()) {
    return evaluate<T>(nullptr, value, location);
}
template <typename T> T evaluate_may_gpu(const Expr &value, const Location &location = Location::current()) {
    return evaluate<T>(nullptr, value, location);
}
namespace detail {
/// A Tuple and the location of the call that it is given to.
struct LocatedTuple {
    template <typename T, std::enable_if_t<std::is_convertible_v<const T &, Tuple>, int> = 0>
    LocatedTuple(const T &value, // NOLINT(google-explicit-constructor)
                 const Location &place = Location::current())
        : tuple(value), location(place) {}
    Tuple tuple;
    Location location;
};
} // namespace detail

/// Evaluates a Tuple into variables of its types.
template <typename First, typename... Rest>
void evaluate(JITUserContext *context, const detail::LocatedTuple &values, First *first, Rest *...rest) {
    Func func(std::vector<Type>{type_of<First>(), type_of<Rest>()...}, 0, "evaluate", values.location);
    func(values.location) = values.tuple;
    const Realization result = func.realize(context, std::vector<int32_t>{}, Target(), values.location);
    size_t index = 0;
    auto take = [&](auto *to) {
        const Buffer<std::remove_pointer_t<decltype(to)>, 0> value(result[index++]);
        *to = value();
    };
    take(first);
    (take(rest), ...);
}
template <typename First, typename... Rest>
void evaluate(const detail::LocatedTuple &values, First *first, Rest *...rest) {
    evaluate(static_cast<JITUserContext *>(nullptr), values, first, rest...);
}
template <typename First, typename... Rest>
void evaluate_may_gpu(const detail::LocatedTuple &values, First *first, Rest *...rest) {
    evaluate(static_cast<JITUserContext *>(nullptr), values, first, rest...);
}

} // namespace fluorite
