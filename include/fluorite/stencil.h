#pragma once
// stencil: a Func that combines, at each point, values of a source at fixed offsets from the point.

#include "fluorite/require_cxx17.h"

#include "fluorite/boundary_conditions.h"
#include "fluorite/func.h"
#include "fluorite/image_param.h"

#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace fluorite {

/// What a stencil reads: a Func, and the box inside which its values are, as one (min, extent) for each dimension. An
/// image has a box of its own; that of several images is the first one's, and they become the values of one Func.
class StencilSource {
  public:
    /// A Buffer or ImageParam, with the box that it holds.
    template <typename T, std::enable_if_t<BoundaryConditions::detail::is_image<T>, int> = 0>
    StencilSource(const T &image, // NOLINT(google-explicit-constructor)
                  const Location &location = Location::current())
        : func_(BoundaryConditions::detail::as_func(image, location)),
          box_(BoundaryConditions::detail::region_of(image)) {}
    /// A Func whose values count inside the box.
    StencilSource(const Func &func, const Region &box) : func_(func), box_(box) {}
    /// Without a box; the boundary must be none() or a Func.
    StencilSource(const Func &func) : func_(func) {}     // NOLINT(google-explicit-constructor)
    StencilSource(const std::vector<ImageParam> &images, // NOLINT(google-explicit-constructor)
                  const Location &location = Location::current());

    /// The Func that is read, and the box, which is empty if there is none.
    const Func &func() const { return func_; }
    const Region &box() const { return box_; }

  private:
    Func func_;
    Region box_; // empty: none
};

/// The values of a source outside its box.
class StencilBoundary {
  public:
    enum class Rule : uint8_t { Edge, Constant, Wrap, Mirror, MirrorInterior, Function, None };

    /// That of the nearest point inside; the default.
    static StencilBoundary edge() { return {Rule::Edge, {}, {}}; }
    /// A constant: 0, or a value of the source's type.
    static StencilBoundary zero() { return {Rule::Constant, {}, {}}; }
    static StencilBoundary constant(const Expr &value) { return {Rule::Constant, {value}, {}}; }
    /// One constant for each value of the source.
    static StencilBoundary constant(const Tuple &values) { return {Rule::Constant, values.as_vector(), {}}; }
    /// The source repeats periodically.
    static StencilBoundary wrap() { return {Rule::Wrap, {}, {}}; }
    /// The source is mirrored at its edges, which repeats the outermost points.
    static StencilBoundary mirror() { return {Rule::Mirror, {}, {}}; }
    /// The source is mirrored at the centres of its outermost points, which does not repeat them.
    static StencilBoundary mirror_interior() { return {Rule::MirrorInterior, {}, {}}; }
    /// All reads are from this Func instead, inside and outside.
    static StencilBoundary function(const Func &func) { return {Rule::Function, {}, func}; }
    /// The source is read as it is: reads of an image outside its box are errors at run time.
    static StencilBoundary none() { return {Rule::None, {}, {}}; }

    /// Which of the above it is, with the constants of constant() and the Func of function().
    Rule rule() const { return rule_; }
    const std::vector<Expr> &values() const { return values_; }
    const Func &func() const { return *func_; }

  private:
    StencilBoundary(Rule rule, std::vector<Expr> values, std::optional<Func> func)
        : rule_(rule), values_(std::move(values)), func_(std::move(func)) {}
    Rule rule_;
    std::vector<Expr> values_;
    std::optional<Func> func_;
};

namespace detail {

/// The value at a point, from the invariant's values there and the neighbours' values in the order of the offsets.
struct StencilFunction {
    std::function<Tuple(const Tuple &, const std::vector<Tuple> &)> of_tuples;
    bool takes_single_values = false;
};

inline Tuple as_tuple(const Expr &value) { return Tuple(value); }
inline Tuple as_tuple(const Tuple &values) { return values; }

inline std::vector<Expr> first_values(const std::vector<Tuple> &tuples) {
    std::vector<Expr> values;
    for (const Tuple &tuple : tuples) {
        values.push_back(tuple.as_vector()[0]);
    }
    return values;
}

template <typename F> StencilFunction stencil_function(const F &f) {
    using Exprs = const std::vector<Expr> &;
    using Tuples = const std::vector<Tuple> &;
    if constexpr (std::is_invocable_v<F, const Expr &, Exprs>) {
        return {[f](const Tuple &c, Tuples a) { return as_tuple(f(c.as_vector()[0], first_values(a))); }, true};
    } else if constexpr (std::is_invocable_v<F, const Tuple &, Tuples>) {
        return {[f](const Tuple &c, Tuples a) { return as_tuple(f(c, a)); }, false};
    } else if constexpr (std::is_invocable_v<F, Exprs>) {
        return {[f](const Tuple &, Tuples a) { return as_tuple(f(first_values(a))); }, true};
    } else {
        static_assert(
            std::is_invocable_v<F, Tuples>,
            "a stencil's function takes the neighbours' values as a std::vector of Expr or of Tuple, after the "
            "invariant's value if there is one, and returns an Expr or a Tuple");
        return {[f](const Tuple &, Tuples a) { return as_tuple(f(a)); }, false};
    }
}

Func make_stencil(const std::vector<std::vector<int>> &offsets, const StencilFunction &f,
                  const StencilSource *invariant, const StencilSource &source, const StencilBoundary &boundary,
                  const Location &location);

inline std::vector<std::vector<int>> offset_vectors(const std::vector<int> &offsets) {
    std::vector<std::vector<int>> vectors;
    for (const int offset : offsets) {
        vectors.push_back({offset});
    }
    return vectors;
}
template <size_t N> std::vector<std::vector<int>> offset_vectors(const std::vector<std::array<int, N>> &offsets) {
    std::vector<std::vector<int>> vectors;
    for (const std::array<int, N> &offset : offsets) {
        vectors.emplace_back(offset.begin(), offset.end());
    }
    return vectors;
}

} // namespace detail

/// At each point p, f of the values of `source` at p + offset for each offset, in the order in which they are listed.
/// Offsets have a component for each dimension of the source, innermost first; they may be asymmetric, repeat, and lack
/// the origin. `f` takes the neighbours' values as std::vector<Expr> (std::vector<Tuple> for a source of several
/// values) and returns an Expr or a Tuple, the value of the result. It is called once.
///
///     Func mean = stencil({{0, -1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}},
///                         [](const std::vector<Expr> &a) { return (a[0] + a[1] + a[2] + a[3] + a[4]) / 5; }, image);
///
/// The result is defined everywhere; outside the source's box its neighbours are outside too. Throws CompileError for
/// no offsets [stencil-empty], offsets of another rank [stencil-rank], a boundary that needs a box where the source
/// has none [stencil-no-box], and single values of a source that has several [stencil-tuple].
template <typename F, std::enable_if_t<!std::is_convertible_v<F, StencilSource>, int> = 0>
Func stencil(const std::vector<std::vector<int>> &offsets, const F &f, const StencilSource &source,
             const StencilBoundary &boundary = StencilBoundary::edge(),
             const Location &location = Location::current()) {
    return detail::make_stencil(offsets, detail::stencil_function(f), nullptr, source, boundary, location);
}

/// The same with an invariant, which is read at p only: f(its value, the neighbours' values). Where both have boxes,
/// these have equal extents [stencil-invariant]: checked for constants; else a smaller image is refused at run time.
template <typename F, std::enable_if_t<!std::is_convertible_v<F, StencilSource>, int> = 0>
Func stencil(const std::vector<std::vector<int>> &offsets, const F &f, const StencilSource &invariant,
             const StencilSource &source, const StencilBoundary &boundary = StencilBoundary::edge(),
             const Location &location = Location::current()) {
    return detail::make_stencil(offsets, detail::stencil_function(f), &invariant, source, boundary, location);
}

/// stencil() for a fixed rank: offsets as numbers, or as arrays of the rank.
#define FLUORITE_STENCIL(name, Offset)                                                                                 \
    template <typename F, std::enable_if_t<!std::is_convertible_v<F, StencilSource>, int> = 0>                         \
    Func name(const std::vector<Offset> &offsets, const F &f, const StencilSource &source,                             \
              const StencilBoundary &boundary = StencilBoundary::edge(),                                               \
              const Location &location = Location::current()) {                                                        \
        return stencil(detail::offset_vectors(offsets), f, source, boundary, location);                                \
    }                                                                                                                  \
    template <typename F, std::enable_if_t<!std::is_convertible_v<F, StencilSource>, int> = 0>                         \
    Func name(const std::vector<Offset> &offsets, const F &f, const StencilSource &invariant,                          \
              const StencilSource &source, const StencilBoundary &boundary = StencilBoundary::edge(),                  \
              const Location &location = Location::current()) {                                                        \
        return stencil(detail::offset_vectors(offsets), f, invariant, source, boundary, location);                     \
    }
FLUORITE_STENCIL(stencil_1d, int)
using StencilOffset2d = std::array<int, 2>;
FLUORITE_STENCIL(stencil_2d, StencilOffset2d)
using StencilOffset3d = std::array<int, 3>;
FLUORITE_STENCIL(stencil_3d, StencilOffset3d)
#undef FLUORITE_STENCIL

} // namespace fluorite
