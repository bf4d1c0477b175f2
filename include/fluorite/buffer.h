#pragma once
// Buffer: a reference-counted n-dimensional array that pipelines read and write. The file is long as it is one class
// template, most of it short overloads with their constraints; buffer_detail/ has what needs neither T nor Dims.
//
// A Buffer is a handle: copies share the header (shape, name, dirty flags) and the memory. `cropped`, `sliced`,
// `transposed`, `translated` and `embedded` return a new header over the same memory; the forms without -ed edit the
// header of all copies of the handle. `copy` allocates new memory. Addresses have 64 bits, coordinates and strides 32.
//
// T is the element type, `const T` for read-only elements, or void if it is known only at run time. Dims is the rank,
// or any_dims if it is known only at run time. Conversions between these check type and rank and throw RuntimeError.
// Access outside the buffer is an error of the caller; with FLUORITE_CHECK_ACCESS = 1 (the default without NDEBUG) each
// access is checked and throws RuntimeError.

#include "fluorite/require_cxx17.h"

#include "fluorite/buffer_detail/handle.h"
#include "fluorite/buffer_detail/traits.h"
#include "fluorite/buffer_detail/walk.h"
#include "fluorite/expr.h"
#include "fluorite/float16.h"
#include "fluorite/located.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef FLUORITE_CHECK_ACCESS
#ifdef NDEBUG
#define FLUORITE_CHECK_ACCESS 0
#else
#define FLUORITE_CHECK_ACCESS 1
#endif
#endif

namespace fluorite {

namespace buffer_detail {
/// A coordinate in an algorithm: converts to Expr, and is neither a float nor a text.
template <typename A>
inline constexpr bool is_coordinate =
    std::is_convertible_v<A, Expr> && !std::is_floating_point_v<detail::Plain<A>> && !detail::is_text<A>;
template <typename... A> inline constexpr bool all_coordinates = (is_coordinate<A> && ...);
/// The first coordinate, which also records the location of the call.
struct FirstCoordinate {
    template <typename T, std::enable_if_t<is_coordinate<T>, int> = 0>
    FirstCoordinate(const T &value, // NOLINT(google-explicit-constructor)
                    const Location &place = Location::current())
        : expr(LocatedExpr(value, place).expr), location(place) {}
    FirstCoordinate(const Expr &value, const Location &place) : expr(value), location(place) {}
    Expr expr;
    Location location;
};
} // namespace buffer_detail

template <typename T = void, int Dims = any_dims> class Buffer;

/// Reads a buffer in an algorithm, as in `f(x, y) = image(x + 1, y)`. Implemented in src/language.
Expr buffer_expr_call(const Buffer<void, any_dims> &buffer, const std::vector<Expr> &coordinates,
                      const Location &location);

template <typename T, int Dims> class Buffer : public buffer_detail::Handle {
    template <typename, int> friend class Buffer;
    using NameArgument = buffer_detail::NameArgument;
    static constexpr bool is_typed = !std::is_void_v<T>;
    using Scalar = std::remove_const_t<T>;

  public:
    /// T, or a byte if T is void.
    using Element = std::conditional_t<is_typed, T, std::conditional_t<std::is_const_v<T>, const uint8_t, uint8_t>>;
    using ElementType = T;
    using ElemType = T;
    static constexpr bool has_static_type = is_typed;
    static constexpr bool has_static_halide_type = is_typed;
    static constexpr bool has_static_dimensions = Dims != any_dims;
    static constexpr int static_dimensions() { return Dims; }
    /// What Dims is where the rank is known at run time only, and T in the form of the ABI.
    static constexpr int AnyDims = any_dims;
    static constexpr fluorite_type_t static_halide_type() { return static_type(); }
    static constexpr Type static_type() { return buffer_detail::static_type<Scalar>(); }

    // ---- construction -----------------------------------------------------------------------------------------

    /// An undefined buffer: defined() is false.
    Buffer() = default;
    Buffer(std::nullptr_t) = delete;

    /// Allocates a dense buffer of the given sizes (dimension 0 innermost); the last argument may be a name. The
    /// elements are uninitialized.
    template <typename X, std::enable_if_t<buffer_detail::is_size<X> && is_typed, int> = 0>
    explicit Buffer(X x, const NameArgument &name = {}, Place place = Place::current())
        : Buffer(buffer_detail::sizes(place, x), name, place) {}
    template <typename X, typename Y, std::enable_if_t<buffer_detail::all_sizes<X, Y> && is_typed, int> = 0>
    explicit Buffer(X x, Y y, const NameArgument &name = {}, Place place = Place::current())
        : Buffer(buffer_detail::sizes(place, x, y), name, place) {}
    template <typename X, typename Y, typename Z,
              std::enable_if_t<buffer_detail::all_sizes<X, Y, Z> && is_typed, int> = 0>
    explicit Buffer(X x, Y y, Z z, const NameArgument &name = {}, Place place = Place::current())
        : Buffer(buffer_detail::sizes(place, x, y, z), name, place) {}
    template <typename X, typename Y, typename Z, typename W,
              std::enable_if_t<buffer_detail::all_sizes<X, Y, Z, W> && is_typed, int> = 0>
    explicit Buffer(X x, Y y, Z z, W w, const NameArgument &name = {}, Place place = Place::current())
        : Buffer(buffer_detail::sizes(place, x, y, z, w), name, place) {}
    template <typename... A, std::enable_if_t<(is_typed && buffer_detail::is_sizes_and_name<A...> &&
                                               buffer_detail::begins_with_sizes<4, A...>),
                                              int> = 0>
    explicit Buffer(const buffer_detail::FirstSize &first, const A &...rest) {
        const buffer_detail::ParsedSizes parsed(first, rest...);
        create(static_type(), parsed.sizes, {}, parsed.name, first.place).allocate(first.place);
    }
    template <typename I, std::enable_if_t<std::is_same_v<I, int> && is_typed, int> = 0>
    explicit Buffer(std::initializer_list<I> sizes, const NameArgument &name = {}, Place place = Place::current())
        : Buffer(std::vector<int>(sizes), name, place) {}
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    explicit Buffer(const std::vector<int> &sizes, const NameArgument &name = {}, Place place = Place::current()) {
        create(static_type(), sizes, {}, name, place).allocate(place);
    }
    /// Allocates a dense buffer; `storage_order` lists the dimensions from innermost to outermost in memory.
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    Buffer(const std::vector<int> &sizes, const std::vector<int> &storage_order, const NameArgument &name = {},
           Place place = Place::current()) {
        create(static_type(), sizes, storage_order, name, place).allocate(place);
    }

    /// As above with an element type given at run time. Where T is not void, the type must be T's.
    template <typename X, std::enable_if_t<buffer_detail::is_size<X>, int> = 0>
    Buffer(Type type, X x, const NameArgument &name = {}, Place place = Place::current())
        : Buffer(type, buffer_detail::sizes(place, x), name, place) {}
    template <typename X, typename Y, std::enable_if_t<buffer_detail::all_sizes<X, Y>, int> = 0>
    Buffer(Type type, X x, Y y, const NameArgument &name = {}, Place place = Place::current())
        : Buffer(type, buffer_detail::sizes(place, x, y), name, place) {}
    template <typename X, typename Y, typename Z, std::enable_if_t<buffer_detail::all_sizes<X, Y, Z>, int> = 0>
    Buffer(Type type, X x, Y y, Z z, const NameArgument &name = {}, Place place = Place::current())
        : Buffer(type, buffer_detail::sizes(place, x, y, z), name, place) {}
    template <typename X, typename Y, typename Z, typename W,
              std::enable_if_t<buffer_detail::all_sizes<X, Y, Z, W>, int> = 0>
    Buffer(Type type, X x, Y y, Z z, W w, const NameArgument &name = {}, Place place = Place::current())
        : Buffer(type, buffer_detail::sizes(place, x, y, z, w), name, place) {}
    template <typename... A,
              std::enable_if_t<(buffer_detail::is_sizes_and_name<A...> && buffer_detail::begins_with_sizes<4, A...>),
                               int> = 0>
    Buffer(Type type, const buffer_detail::FirstSize &first, const A &...rest) {
        const buffer_detail::ParsedSizes parsed(first, rest...);
        create(type, parsed.sizes, {}, parsed.name, first.place).allocate(first.place);
    }
    Buffer(Type type, const std::vector<int> &sizes, const NameArgument &name = {}, Place place = Place::current()) {
        create(type, sizes, {}, name, place).allocate(place);
    }
    Buffer(Type type, const std::vector<int> &sizes, const std::vector<int> &storage_order,
           const NameArgument &name = {}, Place place = Place::current()) {
        create(type, sizes, storage_order, name, place).allocate(place);
    }

    /// Wraps memory of the caller, which must outlive the buffer, with dense sizes or a full shape.
    template <typename... A, std::enable_if_t<is_typed && buffer_detail::is_sizes_and_name<A...>, int> = 0>
    explicit Buffer(Element *data, const buffer_detail::FirstSize &first, const A &...rest) {
        const buffer_detail::ParsedSizes parsed(first, rest...);
        create(static_type(), parsed.sizes, {}, parsed.name, first.place).set_host(host_of(data));
    }
    template <typename I, std::enable_if_t<std::is_same_v<I, int> && is_typed, int> = 0>
    explicit Buffer(Element *data, std::initializer_list<I> sizes, const NameArgument &name = {},
                    Place place = Place::current())
        : Buffer(data, std::vector<int>(sizes), name, place) {}
    template <typename I, typename N,
              std::enable_if_t<std::is_same_v<I, int> && detail::is_text<N> && is_typed, int> = 0>
    explicit Buffer(Element *data, std::initializer_list<I> sizes, const N &name, Place place = Place::current())
        : Buffer(data, std::vector<int>(sizes), name, place) {}
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    explicit Buffer(Element *data, const std::vector<int> &sizes, const NameArgument &name = {},
                    Place place = Place::current()) {
        create(static_type(), sizes, {}, name, place).set_host(host_of(data));
    }
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    Buffer(Element *data, int dimensions, const fluorite_dimension_t *shape, const NameArgument &name = {},
           Place place = Place::current()) {
        create_shaped(static_type(), {shape, shape + dimensions}, name, place).set_host(host_of(data));
    }
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    Buffer(Element *data, const std::vector<fluorite_dimension_t> &shape, const NameArgument &name = {},
           Place place = Place::current()) {
        create_shaped(static_type(), shape, name, place).set_host(host_of(data));
    }
    template <typename... A, std::enable_if_t<buffer_detail::is_sizes_and_name<A...>, int> = 0>
    explicit Buffer(Type type, void *data, const buffer_detail::FirstSize &first, const A &...rest) {
        const buffer_detail::ParsedSizes parsed(first, rest...);
        create(type, parsed.sizes, {}, parsed.name, first.place).set_host(data);
    }
    explicit Buffer(Type type, void *data, const std::vector<int> &sizes, const NameArgument &name = {},
                    Place place = Place::current()) {
        create(type, sizes, {}, name, place).set_host(data);
    }
    Buffer(Type type, void *data, int dimensions, const fluorite_dimension_t *shape, const NameArgument &name = {},
           Place place = Place::current()) {
        create_shaped(type, {shape, shape + dimensions}, name, place).set_host(data);
    }

    /// Wraps a C array, whose last index is innermost.
    template <typename Array, size_t N,
              std::enable_if_t<is_typed && std::is_same_v<std::remove_all_extents_t<Array>, T>, int> = 0>
    explicit Buffer(Array (&array)[N], const NameArgument &name = {}, Place place = Place::current()) {
        std::vector<int> sizes;
        array_sizes<Array[N]>(sizes);
        create(static_type(), sizes, {}, name, place).set_host(const_cast<Scalar *>(first_of(array)));
    }

    /// Makes a new header over the memory of an ABI buffer, which must outlive it.
    explicit Buffer(const fluorite_buffer_t &raw, const NameArgument &name = {}, Place place = Place::current()) {
        buffer_detail::check_raw(raw, name, place);
        adopt(std::make_shared<buffer_detail::Contents>(raw, name), place);
    }
    explicit Buffer(std::shared_ptr<buffer_detail::Contents> contents, Place place = Place::current()) {
        adopt(std::move(contents), place);
    }

    /// The same buffer with another static type and rank. Throws RuntimeError if the buffer does not have them.
    template <typename T2, int D2, std::enable_if_t<buffer_detail::is_convertible_buffer<T2, D2, T, Dims>, int> = 0>
    Buffer(const Buffer<T2, D2> &other, Place place = Place::current()) { // NOLINT(google-explicit-constructor)
        adopt(other.contents_, place);
    }
    /// The buffer of a run with one value. Throws RuntimeError for several values, or for another element type or rank.
    template <typename R, std::enable_if_t<buffer_detail::is_single_buffer<R, Buffer<void, any_dims>>, int> = 0>
    Buffer(const R &realization, Place place = Place::current()) // NOLINT(google-explicit-constructor)
        : Buffer(realization.single(place), place) {}
    /// Whether the other one is such a buffer, or undefined, and const elements stay const.
    template <typename T2, int D2> static bool can_convert_from(const Buffer<T2, D2> &other) {
        const bool keeps_const = std::is_const_v<T> || !std::is_const_v<T2>;
        return keeps_const && other.template is_convertible_to<T, Dims>();
    }
    template <typename T2, int D2 = any_dims> bool is_convertible_to() const {
        return !defined() || (fits_type<T2>(type()) && (D2 == any_dims || dimensions() == D2));
    }
    template <typename T2, int D2 = Dims> Buffer<T2, D2> as(Place place = Place::current()) const {
        return Buffer<T2, D2>(contents_, place);
    }

    /// A buffer of no dimensions, hence of one element: allocated, or at `data`, which the caller keeps.
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    static Buffer make_scalar(const NameArgument &name = {}) {
        return Buffer(std::vector<int>{}, name);
    }
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    static Buffer make_scalar(Element *data, const NameArgument &name = {}) {
        return Buffer(data, std::vector<int>{}, name);
    }
    static Buffer make_scalar(Type type, const NameArgument &name = {}) {
        return Buffer(type, std::vector<int>{}, name);
    }

    /// Allocates width x height x channels with the channels of each pixel adjacent in memory.
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    static Buffer make_interleaved(int width, int height, int channels, const NameArgument &name = {},
                                   Place place = Place::current()) {
        return Buffer(static_type(), {width, height, channels}, {2, 0, 1}, name, place);
    }
    static Buffer make_interleaved(Type type, int width, int height, int channels, const NameArgument &name = {},
                                   Place place = Place::current()) {
        return Buffer(type, {width, height, channels}, {2, 0, 1}, name, place);
    }
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    static Buffer make_interleaved(Element *data, int width, int height, int channels, const NameArgument &name = {},
                                   Place place = Place::current()) {
        const fluorite_dimension_t shape[] = {{0, width, channels}, {0, height, width * channels}, {0, channels, 1}};
        return Buffer(data, 3, shape, name, place);
    }
    /// Allocates a dense buffer with the extents, mins and storage order of another.
    template <typename T2, int D2>
    static Buffer make_with_shape_of(const Buffer<T2, D2> &other, const NameArgument &name = {},
                                     Place place = Place::current()) {
        Buffer result;
        const auto &source = other.need(place);
        result
            .create_shaped(is_typed ? static_type() : other.type(), buffer_detail::compact(source.dims(), name, place),
                           name, place)
            .allocate(place);
        return result;
    }

    // ---- identity ---------------------------------------------------------------------------------------------

    /// The element type; for an undefined buffer, that of T.
    Type type() const { return defined() ? contents_->type() : static_type(); }
    int dimensions() const { return defined() ? contents_->rank() : std::max(Dims, 0); }

    /// The buffer itself; with it, code that was written for pointers to buffers compiles.
    Buffer *get() { return this; }
    const Buffer *get() const { return this; }
    // ---- shape ------------------------------------------------------------------------------------------------

    /// A buffer of the same memory whose coordinates are greater by `delta`, in one dimension or in all.
    Buffer translated(detail::Integer d, detail::Integer delta, Place place = Place::current()) const {
        return edited(place, [&](auto &c) { c.translate(d, delta, place); });
    }
    Buffer translated(const std::vector<int> &delta, Place place = Place::current()) const {
        Buffer result = edited(place, [](auto &) {});
        result.translate(delta, place);
        return result;
    }

    /// A buffer of the same memory that is restricted to min .. min + extent - 1 of dimension d, or to a box of one
    /// (min, extent) for each dimension. Throws RuntimeError for a region that is not inside of this buffer.
    Buffer cropped(detail::Integer d, detail::Integer min, detail::Integer extent,
                   Place place = Place::current()) const {
        return edited(place, [&](auto &c) { c.crop(d, min, extent, place); });
    }
    Buffer cropped(const std::vector<std::pair<int, int>> &box, Place place = Place::current()) const {
        Buffer result = edited(place, [](auto &) {});
        result.crop(box, place);
        return result;
    }

    /// Removes dimension d of this buffer, at the given position or, without one, at its min. For buffers of any rank;
    /// sliced() gives another buffer.
    template <int D = Dims, std::enable_if_t<D == any_dims, int> = 0>
    void slice(detail::Integer d, detail::Integer position, Place place = Place::current()) {
        need(place).slice(d, position, place);
    }
    template <int D = Dims, std::enable_if_t<D == any_dims, int> = 0>
    void slice(detail::Integer d, Place place = Place::current()) {
        need(place).slice(d, min(d, place), place);
    }
    /// Removes dimension d, at the given position or, without one, at the dimension's min.
    auto sliced(detail::Integer d, detail::Integer position, Place place = Place::current()) const {
        auto contents = std::make_shared<buffer_detail::Contents>(need(place));
        contents->slice(d, position, place);
        return Buffer < T, Dims == any_dims ? any_dims : Dims - 1 > (std::move(contents), place);
    }
    auto sliced(detail::Integer d, Place place = Place::current()) const { return sliced(d, min(d, place), place); }

    /// Inserts a dimension d that contains only `position`; for buffers of any rank.
    template <int D = Dims, std::enable_if_t<D == any_dims, int> = 0>
    void embed(detail::Integer d, detail::Integer position = 0, Place place = Place::current()) {
        need(place).embed(d, position, place);
    }
    /// Inserts a new dimension d that contains only `position`.
    auto embedded(detail::Integer d, detail::Integer position = 0, Place place = Place::current()) const {
        auto contents = std::make_shared<buffer_detail::Contents>(need(place));
        contents->embed(d, position, place);
        return Buffer < T, Dims == any_dims ? any_dims : Dims + 1 > (std::move(contents), place);
    }
    template <int D = Dims, std::enable_if_t<D == any_dims, int> = 0>
    void add_dimension(Place place = Place::current()) {
        need(place).embed(dimensions(), 0, place);
    }
    template <int D = Dims, std::enable_if_t<D == any_dims, int> = 0>
    void add_dimension_with_stride(detail::Integer stride, Place place = Place::current()) {
        need(place).add_dimension_with_stride(stride);
    }

    /// A buffer of the same memory with two dimensions exchanged, or with dimension order[i] as dimension i.
    Buffer transposed(detail::Integer d1, detail::Integer d2, Place place = Place::current()) const {
        return transposed(swapped(d1, d2, place), place);
    }
    Buffer transposed(const std::vector<int> &order, Place place = Place::current()) const {
        return edited(place, [&](auto &c) { c.transpose(order, place); });
    }

    // ---- memory -----------------------------------------------------------------------------------------------

    /// The element at the min of every dimension.
    Element *data() const { return defined() ? reinterpret_cast<Element *>(contents_->raw().host) : nullptr; }
    /// The lowest addressed element, and the position past the highest one.
    Element *begin() const { return defined() ? reinterpret_cast<Element *>(contents_->raw().begin()) : nullptr; }
    Element *end() const { return defined() ? reinterpret_cast<Element *>(contents_->raw().end()) : nullptr; }
    Element *data_end() const { return end(); }

    // ---- elements ---------------------------------------------------------------------------------------------

    /// The element at the coordinates. With fewer coordinates than the rank, the other dimensions are at their min.
    /// Additional coordinates must be 0, so that a buffer without dimensions has its element at (0) too. If the buffer
    /// has device memory, elements that may be written make the host's copy the newest.
    template <typename X, std::enable_if_t<buffer_detail::is_index<X> && is_typed, int> = 0>
    const Element &operator()(X x, Place place = Place::current()) const {
        return *located(place, x);
    }
    template <typename X, typename Y, std::enable_if_t<buffer_detail::all_indices<X, Y> && is_typed, int> = 0>
    const Element &operator()(X x, Y y, Place place = Place::current()) const {
        return *located(place, x, y);
    }
    template <typename X, typename Y, typename Z,
              std::enable_if_t<buffer_detail::all_indices<X, Y, Z> && is_typed, int> = 0>
    const Element &operator()(X x, Y y, Z z, Place place = Place::current()) const {
        return *located(place, x, y, z);
    }
    template <typename X, typename Y, typename Z, typename W,
              std::enable_if_t<buffer_detail::all_indices<X, Y, Z, W> && is_typed, int> = 0>
    const Element &operator()(X x, Y y, Z z, W w, Place place = Place::current()) const {
        return *located(place, x, y, z, w);
    }
    template <typename... A,
              std::enable_if_t<
                  (buffer_detail::all_indices<A...> && (is_typed && (sizeof...(A) == 0 || sizeof...(A) > 4))), int> = 0>
    const Element &operator()(const A &...position) const {
        return *address_of(position...);
    }
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    const Element &operator()(const int *position, Place place = Place::current()) const {
        return *address(position, dimensions(), place);
    }
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    const Element &operator()(const std::vector<int> &position, Place place = Place::current()) const {
        return *address(position.data(), static_cast<int>(position.size()), place);
    }
    template <typename X, std::enable_if_t<buffer_detail::is_index<X> && is_typed, int> = 0>
    Element &operator()(X x, Place place = Place::current()) {
        return *touched(located(place, x));
    }
    template <typename X, typename Y, std::enable_if_t<buffer_detail::all_indices<X, Y> && is_typed, int> = 0>
    Element &operator()(X x, Y y, Place place = Place::current()) {
        return *touched(located(place, x, y));
    }
    template <typename X, typename Y, typename Z,
              std::enable_if_t<buffer_detail::all_indices<X, Y, Z> && is_typed, int> = 0>
    Element &operator()(X x, Y y, Z z, Place place = Place::current()) {
        return *touched(located(place, x, y, z));
    }
    template <typename X, typename Y, typename Z, typename W,
              std::enable_if_t<buffer_detail::all_indices<X, Y, Z, W> && is_typed, int> = 0>
    Element &operator()(X x, Y y, Z z, W w, Place place = Place::current()) {
        return *touched(located(place, x, y, z, w));
    }
    template <typename... A,
              std::enable_if_t<
                  (buffer_detail::all_indices<A...> && (is_typed && (sizeof...(A) == 0 || sizeof...(A) > 4))), int> = 0>
    Element &operator()(const A &...position) {
        return *touched(address_of(position...));
    }
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    Element &operator()(const int *position, Place place = Place::current()) {
        return *touched(address(position, dimensions(), place));
    }
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    Element &operator()(const std::vector<int> &position, Place place = Place::current()) {
        return *touched(address(position.data(), static_cast<int>(position.size()), place));
    }
    void operator()(std::nullptr_t) const = delete;
    template <typename... A, std::enable_if_t<buffer_detail::all_indices<A...>, int> = 0>
    Element *address_of(const A &...position) const {
        return located({}, position...);
    }
    Element *address_of(const int *position) const { return address(position, dimensions(), {}); }
    Element *address_of(const std::vector<int> &position) const {
        return address(position.data(), static_cast<int>(position.size()), {});
    }

    template <typename... A, std::enable_if_t<buffer_detail::all_indices<A...> && !is_typed, int> = 0>
    void operator()(const A &...position) const = delete; // elements need a type
    using FirstCoordinate = buffer_detail::FirstCoordinate;
    /// Reads the buffer in an algorithm if any argument is not a number, as in `image(x, y, 0)`.
    template <typename... Rest, std::enable_if_t<buffer_detail::all_coordinates<Rest...>, int> = 0>
    Expr operator()(const buffer_detail::FirstCoordinate &first, const Rest &...rest) const {
        return buffer_expr_call(Buffer<void, any_dims>(contents_), {first.expr, LocatedExpr(rest).expr...},
                                first.location);
    }
    Expr operator()(const std::vector<Expr> &coordinates, Place place = Place::current()) const {
        return buffer_expr_call(Buffer<void, any_dims>(contents_), coordinates, place);
    }

    // ---- whole buffers ----------------------------------------------------------------------------------------

    /// Allocates a dense copy with the same elements, extents, mins and storage order.
    Buffer<Scalar, Dims> copy(Place place = Place::current()) const {
        auto result = Buffer<Scalar, Dims>::make_with_shape_of(*this, need(place).name(), place);
        buffer_detail::copy_overlap(*result.contents_, need_host(place));
        return result;
    }
    /// A dense copy of a width x height x channels buffer with the channels of each pixel adjacent in memory.
    Buffer<Scalar, Dims> copy_to_interleaved(Place place = Place::current()) const {
        return copy_in_order({2, 0, 1}, place);
    }
    Buffer<Scalar, Dims> copy_to_planar(Place place = Place::current()) const {
        return copy_in_order({0, 1, 2}, place);
    }
    /// Copies the elements at all coordinates that both buffers contain.
    template <
        typename T2, int D2,
        std::enable_if_t<buffer_detail::is_convertible_buffer<std::remove_const_t<T2>, D2, Scalar, Dims>, int> = 0>
    void copy_from(const Buffer<T2, D2> &source, Place place = Place::current()) {
        static_assert(!std::is_const_v<T>, "copy_from writes to the buffer");
        auto &to = need_host(place);
        auto &from = source.need_host(place);
        if (from.type() != to.type() || from.rank() != to.rank()) {
            buffer_detail::fail("bad-copy", to.name(),
                                "copy_from() of " + std::to_string(from.rank()) + " dimensions of " +
                                    to_string(from.type()) + " into " + std::to_string(to.rank()) + " of " +
                                    to_string(to.type()) +
                                    "; a copy needs equal types and ranks; convert the "
                                    "elements or slice the buffer first",
                                place);
        }
        buffer_detail::copy_overlap(to, from);
        set_host_dirty();
    }

    /// Sets every element.
    template <bool writes = is_typed && !std::is_const_v<T>, std::enable_if_t<writes, int> = 0>
    Buffer &fill(const buffer_detail::Same<Element> &value, Place place = Place::current()) {
        const Scalar copy = value;
        for_each_run(place, [&copy](auto *at, int64_t count, ptrdiff_t step) {
            for (int64_t k = 0; k < count; k++) {
                at[k * step] = copy;
            }
        });
        set_host_dirty();
        return *this;
    }
    /// Whether every element has the value; true for a buffer without elements.
    template <bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    bool all_equal(const buffer_detail::Same<Element> &value, Place place = Place::current()) const {
        bool equal = true;
        for_each_run(place, [&](const Scalar *at, int64_t count, ptrdiff_t step) {
            for (int64_t k = 0; k < count && equal; k++) {
                equal = at[k * step] == value;
            }
        });
        return equal;
    }

    /// Calls f with each element and the corresponding elements of the other buffers, whose positions count from their
    /// mins. All buffers must have the same extents; the iteration order is that of this buffer's memory.
    template <typename F, bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    const Buffer &for_each_value(F &&f, Place place = Place::current()) const {
        return walk_values(place, *this, std::forward<F>(f));
    }
    template <typename F, typename T2, int D2, bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    const Buffer &for_each_value(F &&f, const Buffer<T2, D2> &other, Place place = Place::current()) const {
        return walk_values(place, *this, std::forward<F>(f), other);
    }
    template <typename F, typename... T2, int... D2, std::enable_if_t<(is_typed && sizeof...(T2) > 1), int> = 0>
    const Buffer &for_each_value(F &&f, const Buffer<T2, D2> &...others) const {
        return walk_values({}, *this, std::forward<F>(f), others...);
    }
    template <typename F, bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    Buffer &for_each_value(F &&f, Place place = Place::current()) {
        mark_written();
        return walk_values(place, *this, std::forward<F>(f));
    }
    template <typename F, typename T2, int D2, bool typed = is_typed, std::enable_if_t<typed, int> = 0>
    Buffer &for_each_value(F &&f, const Buffer<T2, D2> &other, Place place = Place::current()) {
        mark_written();
        return walk_values(place, *this, std::forward<F>(f), other);
    }
    template <typename F, typename... T2, int... D2, std::enable_if_t<(is_typed && sizeof...(T2) > 1), int> = 0>
    Buffer &for_each_value(F &&f, const Buffer<T2, D2> &...others) {
        mark_written();
        return walk_values({}, *this, std::forward<F>(f), others...);
    }

    /// Calls f at every coordinate, dimension 0 innermost, with one int per dimension or with a `const int *`. A
    /// function of fewer coordinates is called at those of the first dimensions; the last ones are not iterated over.
    template <typename F> const Buffer &for_each_element(F &&f, Place place = Place::current()) const {
        constexpr bool by_pointer = std::is_invocable_v<F, const int *> && !std::is_invocable_v<F, int>;
        constexpr int arguments = buffer_detail::arity<F>();
        static_assert(by_pointer || arguments >= 0, "for_each_element calls f(int, int, ...) or f(const int *)");
        if (!by_pointer && arguments > dimensions()) {
            fail_arity("for_each_element", arguments, place);
        }
        const auto &dims = need(place).dims();
        buffer_detail::for_each_position(dims, by_pointer ? dims.size() : static_cast<size_t>(arguments), f);
        return *this;
    }
    template <typename F> Buffer &for_each_element(F &&f, Place place = Place::current()) {
        static_cast<const Buffer &>(*this).for_each_element(std::forward<F>(f), place);
        return *this;
    }

    /// Sets each element to f(coordinates...); f has a signature as for for_each_element.
    template <typename F,
              std::enable_if_t<is_typed && !std::is_const_v<T> && !std::is_convertible_v<F, Element>, int> = 0>
    Buffer &fill(F &&f, Place place = Place::current()) {
        if constexpr (std::is_invocable_v<F, const int *> && !std::is_invocable_v<F, int>) {
            for_each_element([&](const int *position) { (*this)(position) = f(position); }, place);
        } else {
            fill_by_coordinates(f, std::make_index_sequence<static_cast<size_t>(buffer_detail::arity<F>())>(), place);
        }
        return *this;
    }

  private:
    template <typename T2> static bool fits_type(Type type) {
        return std::is_void_v<T2> || type == buffer_detail::static_type<std::remove_const_t<T2>>();
    }
    template <typename Pointer> static void *host_of(Pointer *data) {
        return const_cast<std::remove_const_t<Pointer> *>(data);
    }
    template <typename Array> static void array_sizes(std::vector<int> &sizes) {
        if constexpr (std::is_array_v<Array>) {
            array_sizes<std::remove_extent_t<Array>>(sizes);
            sizes.push_back(static_cast<int>(std::extent_v<Array>));
        }
    }
    template <typename Array> static auto *first_of(Array &array) {
        if constexpr (std::is_array_v<Array>) {
            return first_of(array[0]);
        } else {
            return &array;
        }
    }

    void adopt(std::shared_ptr<buffer_detail::Contents> contents, const Location &place) {
        if (contents != nullptr && !fits_type<T>(contents->type())) {
            buffer_detail::fail("wrong-buffer-type", contents->name(),
                                "the buffer has elements of type " + to_string(contents->type()) + "; a buffer of " +
                                    to_string(static_type()) + " was asked for; use the type that it has",
                                place);
        }
        if (contents != nullptr && Dims != any_dims && contents->rank() != Dims) {
            buffer_detail::fail("wrong-buffer-rank", contents->name(),
                                "the buffer has " + std::to_string(contents->rank()) + " dimensions; " +
                                    std::to_string(Dims) + " were asked for; slice or embed it first",
                                place);
        }
        contents_ = std::move(contents);
    }
    buffer_detail::Contents &create_shaped(Type type, buffer_detail::Dimensions dims, const std::string &name,
                                           Location place) {
        buffer_detail::check_element_type(type, name, place);
        for (size_t d = 0; d < dims.size(); d++) {
            if (dims[d].extent < 0) {
                buffer_detail::fail("negative-extent", name,
                                    "the extent of dimension " + std::to_string(d) + " is " +
                                        std::to_string(dims[d].extent) +
                                        "; an extent is 0 or more; pass a size of 0 or more",
                                    place);
            }
        }
        adopt(std::make_shared<buffer_detail::Contents>(type, std::move(dims), name), place);
        return *contents_;
    }
    buffer_detail::Contents &create(Type type, const std::vector<int> &sizes, const std::vector<int> &storage_order,
                                    const std::string &name, Location place) {
        return create_shaped(type, buffer_detail::dense_dimensions(sizes, storage_order, name, place), name, place);
    }

    template <typename Edit> Buffer edited(Place place, Edit &&edit) const {
        auto contents = std::make_shared<buffer_detail::Contents>(need(place));
        edit(*contents);
        return Buffer(std::move(contents), place);
    }

    /// Elements of the host that may be written are newer than those of the device.
    void mark_written() {
        if constexpr (!std::is_const_v<T>) {
            if (defined() && contents_->raw().device != 0) {
                contents_->raw().set_host_dirty();
            }
        }
    }
    Element *touched(Element *element) {
        mark_written();
        return element;
    }
    template <typename... A> Element *located(Place place, const A &...position) const {
        if (FLUORITE_CHECK_ACCESS && !(buffer_detail::fits_int(position) && ...)) {
            const int none[] = {
                (buffer_detail::fits_int(position) ? static_cast<int>(position) : std::numeric_limits<int>::max())...,
                0};
            check_access(none, static_cast<int>(sizeof...(A)), place);
        }
        const int at[sizeof...(A) + 1] = {static_cast<int>(position)..., 0};
        return address(at, static_cast<int>(sizeof...(A)), place);
    }
    Element *address(const int *position, int count, Place place) const {
        auto &raw = need(place).raw();
        if (FLUORITE_CHECK_ACCESS) {
            check_access(position, count, place);
        }
        ptrdiff_t offset = 0;
        for (int d = 0; d < std::min(count, raw.dimensions); d++) {
            offset +=
                static_cast<ptrdiff_t>(raw.dim[d].stride) * (static_cast<ptrdiff_t>(position[d]) - raw.dim[d].min);
        }
        return reinterpret_cast<Element *>(raw.host + offset * (is_typed ? int{sizeof(Element)} : raw.type.bytes()));
    }
    template <typename Run> void for_each_run(Place place, Run &&run) const {
        auto &contents = need_host(place);
        const auto walk = buffer_detail::plan_walk<1>({&contents.dims()}, {int{sizeof(Element)}});
        buffer_detail::walk_runs<1>(
            walk, {contents.raw().host}, [&run](const auto &at, int64_t count, const auto &steps) {
                constexpr ptrdiff_t size = sizeof(Element);
                auto *first = reinterpret_cast<Element *>(at[0]);
                steps[0] == size ? run(first, count, ptrdiff_t{1}) : run(first, count, steps[0] / size);
            });
    }
    template <typename Self, typename F, typename... T2, int... D2>
    static Self &walk_values(Location place, Self &self, F &&f, const Buffer<T2, D2> &...others) {
        constexpr size_t n = 1 + sizeof...(T2);
        static_assert((!std::is_void_v<T2> && ...), "for_each_value needs the element types of all buffers");
        auto &contents = self.need_host(place);
        (self.check_extents(others.need_host(place), place), ...);
        const auto walk = buffer_detail::plan_walk<n>({&contents.dims(), &others.contents_->dims()...},
                                                      {int{sizeof(Element)}, int{sizeof(T2)}...});
        using Own = std::conditional_t<std::is_const_v<Self>, const Element, Element>;
        run_values<Own, T2...>(walk, {contents.raw().host, others.contents_->raw().host...}, f,
                               std::make_index_sequence<n>());
        return self;
    }
    template <typename... E, size_t N, typename F, size_t... I>
    static void run_values(const buffer_detail::Walk<N> &walk, const std::array<uint8_t *, N> &hosts, F &f,
                           std::index_sequence<I...>) {
        buffer_detail::walk_runs<N>(walk, hosts, [&f](const auto &at, int64_t count, const auto &steps) {
            const bool dense = ((steps[I] == static_cast<ptrdiff_t>(sizeof(E))) && ...);
            if (dense) {
                for (int64_t k = 0; k < count; k++) {
                    f(reinterpret_cast<E *>(at[I])[k]...);
                }
            } else {
                for (int64_t k = 0; k < count; k++) {
                    f(*reinterpret_cast<E *>(at[I] + k * steps[I])...);
                }
            }
        });
    }
    void check_extents(const buffer_detail::Contents &other, Location place) const {
        if (!contents_->has_same_extents(other)) {
            buffer_detail::fail("bad-shape", contents_->name(),
                                "for_each_value() with buffers of different extents; "
                                "all must have the same; crop them first",
                                place);
        }
    }
    [[noreturn]] void fail_arity(const char *function, int arguments, Place place) const {
        buffer_detail::fail("bad-arity", name(place),
                            std::string(function) + "() with a function of " + std::to_string(arguments) +
                                " coordinates; the buffer has " + std::to_string(dimensions()) +
                                " dimensions; take one int for each, or const int *",
                            place);
    }
    template <typename F, size_t... I> void fill_by_coordinates(F &f, std::index_sequence<I...>, Place place) {
        if (sizeof...(I) != static_cast<size_t>(dimensions())) {
            fail_arity("fill", static_cast<int>(sizeof...(I)), place);
        }
        for_each_element([&](decltype(static_cast<void>(I), int{})... at) { (*this)(at...) = f(at...); }, place);
    }
    Buffer<Scalar, Dims> copy_in_order(const std::vector<int> &order, Place place) const {
        auto &source = need_host(place);
        std::vector<int> sizes;
        for (const auto &dim : source.dims()) {
            sizes.push_back(dim.extent);
        }
        if (sizes.size() != order.size()) {
            buffer_detail::fail(
                "wrong-buffer-rank", source.name(),
                "the buffer has " + std::to_string(sizes.size()) +
                    " dimensions; interleaving is defined for width x height x channels; slice or embed "
                    "it first",
                place);
        }
        Buffer<Scalar, Dims> result(type(), sizes, order, source.name(), place);
        for (int d = 0; d < 3; d++) {
            result.contents_->set_min(d, source.dims()[static_cast<size_t>(d)].min, place);
        }
        buffer_detail::copy_overlap(*result.contents_, source);
        return result;
    }
};

} // namespace fluorite
