#pragma once
// Runtime::Buffer: a Buffer for programs that call ahead-of-time filters. It differs from fluorite::Buffer in two ways:
// a copy has its own header over the same memory (cropping a copy leaves the original unchanged), and it converts to
// the pointer that filters take.

#include "fluorite/require_cxx17.h"

#include "fluorite/buffer.h"

#include <utility>
#include <vector>

namespace fluorite::Runtime {

using fluorite::BufferDeviceOwnership;

/// See the top of this file. The third parameter is accepted for compatibility and ignored: dimensions need no such
/// storage.
template <typename T = void, int Dims = any_dims, int InClassDimStorage = 4>
class Buffer : public fluorite::Buffer<T, Dims> {
    using Base = fluorite::Buffer<T, Dims>;
    using Place = Location;
    template <typename T2, int D2> using With = Buffer<T2, D2, InClassDimStorage>;
    static constexpr int one_less = Dims == any_dims ? any_dims : Dims - 1;
    static constexpr int one_more = Dims == any_dims ? any_dims : Dims + 1;

  public:
    using Base::Base;
    Buffer() = default;
    /// Takes the element type in the form of the ABI; the further arguments are those that follow a Type in other
    /// constructors.
    template <typename... A>
    explicit Buffer(const fluorite_type_t &type, const A &...arguments)
        : Base(Type(static_cast<TypeCode>(type.code), type.bits), arguments...) {}
    Buffer(const Buffer &other) : Base(own_header(other)) {}
    Buffer(Buffer &&) noexcept = default;
    Buffer &operator=(const Buffer &other) {
        if (this != &other) {
            Base::operator=(Base(own_header(other)));
        }
        return *this;
    }
    Buffer &operator=(Buffer &&) noexcept = default;

    /// From any buffer with a compatible type and rank; throws RuntimeError otherwise.
    template <typename T2, int D2, std::enable_if_t<buffer_detail::is_convertible_buffer<T2, D2, T, Dims>, int> = 0>
    Buffer(const fluorite::Buffer<T2, D2> &other, Place place = Place::current()) // NOLINT(google-explicit-constructor)
        : Base(own_header(other), place) {}

    /// The argument of filters. The pointer is valid as long as the buffer.
    operator fluorite_buffer_t *() const { return this->raw_buffer(); } // NOLINT(google-explicit-constructor)

    /// The element type in the form of the ABI: of this buffer, or of T.
    fluorite_type_t type() const { return abi_type(Base::type()); }
    static constexpr fluorite_type_t static_halide_type() { return abi_type(Base::static_type()); }
    static constexpr bool has_static_halide_type = Base::has_static_type;

    /// The functions of fluorite::Buffer, which return a Runtime::Buffer here.
    Buffer cropped(int d, int min, int extent, Place place = Place::current()) const {
        return Base::cropped(d, min, extent, place);
    }
    Buffer cropped(const std::vector<std::pair<int, int>> &box, Place place = Place::current()) const {
        return Base::cropped(box, place);
    }
    Buffer translated(int d, int delta, Place place = Place::current()) const {
        return Base::translated(d, delta, place);
    }
    Buffer translated(const std::vector<int> &delta, Place place = Place::current()) const {
        return Base::translated(delta, place);
    }
    Buffer transposed(int d1, int d2, Place place = Place::current()) const { return Base::transposed(d1, d2, place); }
    Buffer transposed(const std::vector<int> &order, Place place = Place::current()) const {
        return Base::transposed(order, place);
    }
    With<T, one_less> sliced(int d, int position, Place place = Place::current()) const {
        return Base::sliced(d, position, place);
    }
    With<T, one_less> sliced(int d, Place place = Place::current()) const { return Base::sliced(d, place); }
    With<T, one_more> embedded(int d, int position = 0, Place place = Place::current()) const {
        return Base::embedded(d, position, place);
    }
    With<std::remove_const_t<T>, Dims> copy(Place place = Place::current()) const { return Base::copy(place); }
    With<std::remove_const_t<T>, Dims> copy_to_interleaved(Place place = Place::current()) const {
        return Base::copy_to_interleaved(place);
    }
    With<std::remove_const_t<T>, Dims> copy_to_planar(Place place = Place::current()) const {
        return Base::copy_to_planar(place);
    }
    template <typename T2, int D2 = Dims> With<T2, D2> as(Place place = Place::current()) const {
        return Base::template as<T2, D2>(place);
    }

    /// The functions of fluorite::Buffer that make buffers; this type is what they return here.
    template <typename... A> static Buffer make_scalar(const A &...arguments) {
        return Base::make_scalar(arguments...);
    }
    template <typename... A> static Buffer make_interleaved(const A &...arguments) {
        return Base::make_interleaved(arguments...);
    }
    template <typename T2, int D2>
    static Buffer make_with_shape_of(const fluorite::Buffer<T2, D2> &other, Place place = Place::current()) {
        return Base::make_with_shape_of(other, "", place);
    }

  private:
    template <typename T2, int D2>
    static std::shared_ptr<buffer_detail::Contents> own_header(const fluorite::Buffer<T2, D2> &other) {
        return other.defined() ? std::make_shared<buffer_detail::Contents>(*other.contents()) : nullptr;
    }
};

} // namespace fluorite::Runtime
