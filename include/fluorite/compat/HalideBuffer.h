#pragma once
// Halide::Runtime::Buffer, which programs around ahead-of-time filters use: for C++11 or later, complete in this header
// and those that it includes. The file is long as it is one class. Nothing of the compiler is needed, and of the
// runtime, which is in each filter's library, only what a program calls.
//
// A Buffer has its own shape and shares its memory: copies, crops, slices and transposed buffers see the same elements,
// which live until the last of them ends. Memory that is passed to a constructor stays the caller's. Preconditions
// (ranks, types, positions inside of the buffer) are checked by assert; those of single elements only if
// HALIDE_RUNTIME_BUFFER_CHECK_INDICES is 1.

#include "HalideBufferDetail.h"
#include "HalideRuntime.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef HALIDE_RUNTIME_BUFFER_CHECK_INDICES
#define HALIDE_RUNTIME_BUFFER_CHECK_INDICES 0
#endif
// Of allocated memory, in bytes; a power of two.
#ifndef HALIDE_RUNTIME_BUFFER_ALLOCATION_ALIGNMENT
#define HALIDE_RUNTIME_BUFFER_ALLOCATION_ALIGNMENT 128
#endif

namespace fluorite {
template <typename T, int Dims> class Buffer;
} // namespace fluorite

namespace Halide {
namespace Runtime {

constexpr int AnyDims = -1;

/// See the top of this file. T is void, or const void, where the element type is known at run time only; Dims is
/// AnyDims where the rank is. The third parameter is accepted and has no effect: dimensions need no such storage.
template <typename T = void, int Dims = AnyDims,
          int InClassDimStorage = (Dims == AnyDims ? 4
                                   : Dims > 1      ? Dims
                                                   : 1)>
class Buffer {
    template <typename, int, int> friend class Buffer;
    using Scalar = typename std::remove_const<T>::type;
    using Device = buffer_detail::DeviceMemory;
    template <typename... A> using IfInts = buffer_detail::IfInts<A...>;
    static constexpr int one_less = Dims == AnyDims ? AnyDims : Dims - 1;
    static constexpr int one_more = Dims == AnyDims ? AnyDims : Dims + 1;

  public:
    static constexpr bool has_static_halide_type = !std::is_void<T>::value;
    static constexpr bool has_static_dimensions = Dims != AnyDims;
    /// T, or a byte if T is void.
    using not_void_T = typename std::conditional<
        has_static_halide_type, T,
        typename std::conditional<std::is_const<T>::value, const uint8_t, uint8_t>::type>::type;
    using not_const_T = typename std::remove_const<not_void_T>::type;
    using ElementType = T;
    using ElemType = T;

    /// The element type, which is halide_type_t() if T is void, and the rank, which is AnyDims if it is not static.
    static halide_type_t static_halide_type() { return buffer_detail::TypeOf<Scalar>::get(); }
    static constexpr int static_dimensions() { return Dims; }

    // ---- construction

    Buffer() : Buffer(static_halide_type(), std::vector<halide_dimension_t>(static_cast<size_t>(std::max(Dims, 0)))) {}
    /// Allocates a dense buffer, dimension 0 innermost. The elements are undefined.
    template <typename... Rest, IfInts<Rest...> = 0>
    explicit Buffer(int first, Rest... rest) : Buffer(static_halide_type(), first, rest...) {}
    explicit Buffer(const std::vector<int> &sizes) : Buffer(static_halide_type(), sizes) {}
    /// The same with dimensions from innermost to outermost in `storage_order`.
    Buffer(const std::vector<int> &sizes, const std::vector<int> &storage_order)
        : Buffer(static_halide_type(), sizes, storage_order) {}
    template <typename... Rest, IfInts<Rest...> = 0>
    Buffer(halide_type_t type, int first, Rest... rest)
        : Buffer(type, std::vector<int>{first, static_cast<int>(rest)...}) {}
    Buffer(halide_type_t type, const std::vector<int> &sizes) : Buffer(type, sizes, std::vector<int>()) {}
    Buffer(halide_type_t type, const std::vector<int> &sizes, const std::vector<int> &storage_order)
        : Buffer(type, dense(sizes, storage_order)) {
        allocate();
    }
    /// Around memory of the caller, which may be null until allocate().
    template <typename... Rest, IfInts<Rest...> = 0>
    explicit Buffer(T *data, int first, Rest... rest)
        : Buffer(data, std::vector<int>{first, static_cast<int>(rest)...}) {}
    Buffer(T *data, const std::vector<int> &sizes) : Buffer(static_halide_type(), dense(sizes, {})) { set_host(data); }
    Buffer(T *data, int dimensions, const halide_dimension_t *shape)
        : Buffer(static_halide_type(), std::vector<halide_dimension_t>(shape, shape + dimensions)) {
        set_host(data);
    }
    Buffer(T *data, const std::vector<halide_dimension_t> &shape) : Buffer(static_halide_type(), shape) {
        set_host(data);
    }
    template <typename... Rest, IfInts<Rest...> = 0>
    Buffer(halide_type_t type, T *data, int first, Rest... rest)
        : Buffer(type, data, std::vector<int>{first, static_cast<int>(rest)...}) {}
    Buffer(halide_type_t type, T *data, const std::vector<int> &sizes) : Buffer(type, dense(sizes, {})) {
        set_host(data);
    }
    Buffer(halide_type_t type, T *data, int dimensions, const halide_dimension_t *shape)
        : Buffer(type, std::vector<halide_dimension_t>(shape, shape + dimensions)) {
        set_host(data);
    }
    /// Around a C array, whose last index is innermost.
    template <typename Array, size_t N,
              typename std::enable_if<std::is_same<typename std::remove_all_extents<Array>::type, not_void_T>::value,
                                      int>::type = 0>
    explicit Buffer(Array (&array)[N]) : Buffer(static_halide_type(), dense(extents(array), {})) {
        set_host(reinterpret_cast<not_void_T *>(&array));
    }
    /// A view of the memory of another struct, which must outlive it.
    explicit Buffer(const halide_buffer_t &raw, BufferDeviceOwnership ownership = BufferDeviceOwnership::Unmanaged)
        : Buffer(raw.type, std::vector<halide_dimension_t>(raw.dim, raw.dim + raw.dimensions)) {
        adopt_fields(raw);
        if (raw.device != 0) {
            device_ = std::make_shared<Device>(raw, ownership);
        }
    }
    /// A copy of a buffer of the language, as load_image() of the tools gives it.
    template <typename T2, int D2>
    Buffer(const fluorite::Buffer<T2, D2> &other) // NOLINT(google-explicit-constructor)
        : Buffer(Buffer(*other.raw_buffer()).copy()) {}
    Buffer(const Buffer &other) : Buffer(other, 0) {}
    Buffer(Buffer &&other) noexcept { *this = std::move(other); }
    /// From a buffer of another static type or rank; can_convert_from() tells whether it has them.
    template <typename T2, int D2, int S2>
    Buffer(const Buffer<T2, D2, S2> &other) : Buffer(other, 0) { // NOLINT(google-explicit-constructor)
        static_assert(!std::is_const<T2>::value || std::is_const<T>::value, "elements of const type stay const");
        assert(can_convert_from(other));
    }
    Buffer &operator=(const Buffer &other) {
        Buffer copy(other);
        return *this = std::move(copy);
    }
    Buffer &operator=(Buffer &&other) noexcept {
        std::swap(raw_, other.raw_);
        std::swap(dims_, other.dims_);
        std::swap(memory_, other.memory_);
        std::swap(device_, other.device_);
        refresh();
        other.refresh();
        return *this;
    }

    /// A buffer of rank 0, whose one element is new memory and undefined, or is at `data` in memory of the caller.
    static Buffer make_scalar() { return Buffer(std::vector<int>()); }
    static Buffer make_scalar(halide_type_t type) { return Buffer(type, std::vector<int>()); }
    static Buffer make_scalar(T *data) { return Buffer(data, std::vector<int>()); }
    /// Width x height x channels with the channels of each pixel adjacent in memory.
    static Buffer make_interleaved(int width, int height, int channels) {
        return Buffer({width, height, channels}, {2, 0, 1});
    }
    static Buffer make_interleaved(halide_type_t type, int width, int height, int channels) {
        return Buffer(type, std::vector<int>{width, height, channels}, {2, 0, 1});
    }
    static Buffer make_interleaved(T *data, int width, int height, int channels) {
        return Buffer(data, {{0, width, channels}, {0, height, channels * width}, {0, channels, 1}});
    }
    static Buffer make_interleaved(halide_type_t type, T *data, int width, int height, int channels) {
        Buffer result(type, {{0, width, channels}, {0, height, channels * width}, {0, channels, 1}});
        result.set_host(data);
        return result;
    }
    /// Allocates a dense buffer with the extents, mins and storage order of another.
    template <typename T2, int D2, int S2>
    static Buffer make_with_shape_of(const Buffer<T2, D2, S2> &other, void *(*allocate)(size_t) = nullptr,
                                     void (*release)(void *) = nullptr) {
        Buffer result(has_static_halide_type ? static_halide_type() : other.type(), other.compact());
        result.allocate(allocate, release);
        return result;
    }
    /// Sets the functions that allocate and free the memory of buffers made from now on, in the whole process, where a
    /// call names none; null for those of the C library.
    static void set_default_allocate_fn(void *(*allocate)(size_t)) {
        buffer_detail::default_allocator().allocate = allocate != nullptr ? allocate : std::malloc;
    }
    static void set_default_deallocate_fn(void (*release)(void *)) {
        buffer_detail::default_allocator().release = release != nullptr ? release : std::free;
    }

    /// Whether the other buffer has the element type and the rank of this class, as far as those are static.
    template <typename T2, int D2, int S2> static bool can_convert_from(const Buffer<T2, D2, S2> &other) {
        return (!has_static_halide_type || other.type() == static_halide_type()) &&
               (Dims == AnyDims || other.dimensions() == Dims);
    }
    /// An assert of that.
    template <typename T2, int D2, int S2> static void assert_can_convert_from(const Buffer<T2, D2, S2> &other) {
        check_convertible(other);
    }
    /// This buffer as one of another static type or rank, which it has.
    template <typename T2, int D2 = Dims, int S2 = InClassDimStorage> Buffer<T2, D2, S2> &as() & {
        Buffer<T2, D2, S2>::check_convertible(*this);
        return *reinterpret_cast<Buffer<T2, D2, S2> *>(this);
    }
    template <typename T2, int D2 = Dims, int S2 = InClassDimStorage> const Buffer<T2, D2, S2> &as() const & {
        Buffer<T2, D2, S2>::check_convertible(*this);
        return *reinterpret_cast<const Buffer<T2, D2, S2> *>(this);
    }
    template <typename T2, int D2 = Dims, int S2 = InClassDimStorage> Buffer<T2, D2, S2> as() && {
        return as<T2, D2, S2>();
    }
    Buffer<typename std::add_const<T>::type, Dims, InClassDimStorage> as_const() const { return *this; }

    // ---- identity and shape

    /// The argument of filters.
    halide_buffer_t *raw_buffer() { return &raw_; }
    const halide_buffer_t *raw_buffer() const { return &raw_; }
    operator halide_buffer_t *() { return &raw_; } // NOLINT(google-explicit-constructor)
    /// A buffer of the language over the same memory, which this one must outlive.
    template <typename T2, int D2> operator fluorite::Buffer<T2, D2>() const { // NOLINT(google-explicit-constructor)
        return fluorite::Buffer<T2, D2>(raw_);
    }

    /// The element type, and the rank.
    halide_type_t type() const { return raw_.type; }
    int dimensions() const { return raw_.dimensions; }
    class Dimension {
      public:
        /// One dimension of a buffer, which must outlive this object. The min, the extent and the max, which is the
        /// last coordinate, count positions; the stride is the distance in elements between neighbours in memory.
        explicit Dimension(const halide_dimension_t &its_dim) : dim_(its_dim) {}
        int min() const { return dim_.min; }
        int extent() const { return dim_.extent; }
        int stride() const { return dim_.stride; }
        int max() const { return dim_.min + dim_.extent - 1; }
        /// Iteration over the coordinates: for (int x : buffer.dim(0)).
        struct iterator {
            /// The coordinate, and the step to the next one.
            int val;
            int operator*() const { return val; }
            iterator &operator++() {
                val++;
                return *this;
            }
            bool operator!=(const iterator &other) const { return val != other.val; }
        };
        iterator begin() const { return {dim_.min}; }
        iterator end() const { return {dim_.min + dim_.extent}; }

      private:
        const halide_dimension_t &dim_;
    };
    /// Dimension d and its numbers: the first coordinate, the number of positions, and the distance in elements between
    /// neighbours in memory. An assert checks that 0 <= d < dimensions().
    Dimension dim(int d) const { return Dimension(raw_dim(d)); }
    int min(int d) const { return raw_dim(d).min; }
    int extent(int d) const { return raw_dim(d).extent; }
    int stride(int d) const { return raw_dim(d).stride; }
    /// The extents of dimensions 0, 1 and 2, which are 1 if the rank is lower.
    int width() const { return dimensions() > 0 ? extent(0) : 1; }
    int height() const { return dimensions() > 1 ? extent(1) : 1; }
    int channels() const { return dimensions() > 2 ? extent(2) : 1; }
    /// The first and last coordinates of dimension 0 (left, right) and of dimension 1 (top, bottom), which must exist.
    int left() const { return min(0); }
    int right() const { return dim(0).max(); }
    int top() const { return min(1); }
    int bottom() const { return dim(1).max(); }
    /// The product of the extents.
    size_t number_of_elements() const { return raw_.number_of_elements(); }
    /// The bytes from the lowest to the highest element in memory, both included, with those of gaps between them.
    size_t size_in_bytes() const { return raw_.size_in_bytes(); }

    /// data() is the element whose coordinates are all at their min. begin() is the lowest element in memory, which
    /// differs from data() if strides are negative, and end() and data_end() are one past the highest.
    not_void_T *data() const { return reinterpret_cast<not_void_T *>(raw_.host); }
    not_void_T *begin() const { return reinterpret_cast<not_void_T *>(raw_.begin()); }
    not_void_T *end() const { return reinterpret_cast<not_void_T *>(raw_.end()); }
    not_void_T *data_end() const { return end(); }

    // ---- memory

    /// Allocates memory for the shape by these functions, or by the default ones, aligned to 128 bytes with as many
    /// readable bytes after its end.
    void allocate(void *(*allocate)(size_t) = nullptr, void (*release)(void *) = nullptr) {
        assert(device_ == nullptr);
        constexpr size_t alignment = HALIDE_RUNTIME_BUFFER_ALLOCATION_ALIGNMENT;
        static_assert((alignment & (alignment - 1)) == 0, "an alignment is a power of two");
        const buffer_detail::Allocator &otherwise = buffer_detail::default_allocator();
        const size_t bytes = raw_.size_in_bytes() + 2 * alignment;
        memory_ = std::shared_ptr<void>((allocate != nullptr ? allocate : otherwise.allocate)(bytes),
                                        release != nullptr ? release : otherwise.release);
        assert(memory_ != nullptr);
        const uintptr_t start = (reinterpret_cast<uintptr_t>(memory_.get()) + alignment - 1) & ~(alignment - 1);
        raw_.host = reinterpret_cast<uint8_t *>(start) - raw_.begin_offset() * raw_.type.bytes();
    }
    /// Whether there is host memory, and whether this class allocated it and frees it with its last buffer.
    bool has_host_memory() const { return raw_.host != nullptr; }
    bool owns_host_memory() const { return memory_ != nullptr; }
    /// An assert that the bytes of the elements are a number of size_t.
    void check_overflow() {
        size_t bytes = static_cast<size_t>(raw_.type.bytes());
        for (const halide_dimension_t &dim : dims_) {
            const size_t extent = static_cast<size_t>(std::max(dim.extent, 0));
            assert(extent == 0 || bytes <= SIZE_MAX / extent);
            bytes *= extent;
        }
        (void)bytes; // which only the asserts read
    }
    /// In programs that are built with the sanitizer of undefined memory: reports an element that has no value.
    void msan_check_mem_is_initialized(bool entire = false) const {
        (void)entire;
#ifdef __has_feature
#if __has_feature(memory_sanitizer)
        for_each_value([](const not_void_T &element) { __msan_check_mem_is_initialized(&element, sizeof(element)); });
#endif
#endif
    }
    /// Ends this buffer's share of its memory, host and device, or device only; the shape stays.
    void deallocate() {
        memory_.reset();
        raw_.host = nullptr;
        device_deallocate();
    }
    void device_deallocate() {
        device_.reset();
        raw_.device = 0;
        raw_.device_interface = nullptr;
    }

    /// A new buffer with the same elements, shape and storage order, whose memory is dense. The device must not have
    /// newer elements, which an assert checks here and in all copies: call copy_to_host() before.
    Buffer<Scalar, Dims, InClassDimStorage> copy(void *(*allocate)(size_t) = nullptr,
                                                 void (*release)(void *) = nullptr) const {
        auto result = Buffer<Scalar, Dims, InClassDimStorage>::make_with_shape_of(*this, allocate, release);
        result.copy_from(*this);
        return result;
    }
    /// Copies of a buffer of rank 3 that keep its coordinates, with dimension 2 (interleaved) or 0 (planar) innermost.
    Buffer<Scalar, Dims, InClassDimStorage> copy_to_interleaved(void *(*allocate)(size_t) = nullptr,
                                                                void (*release)(void *) = nullptr) const {
        return copy_in_order({2, 0, 1}, allocate, release);
    }
    Buffer<Scalar, Dims, InClassDimStorage> copy_to_planar(void *(*allocate)(size_t) = nullptr,
                                                           void (*release)(void *) = nullptr) const {
        return copy_in_order({0, 1, 2}, allocate, release);
    }
    /// Copies the elements at all coordinates that both have.
    template <typename T2, int D2, int S2> void copy_from(const Buffer<T2, D2, S2> &source) {
        static_assert(!std::is_const<T>::value, "copy_from writes to the buffer");
        assert(source.type() == type() && source.dimensions() == dimensions());
        assert(!device_dirty() && !source.device_dirty());
        Buffer<void> to(raw_), from(source.raw_);
        for (int d = 0; d < dimensions(); d++) {
            const int low = std::max(min(d), source.min(d));
            const int64_t end = std::min(int64_t{min(d)} + extent(d), int64_t{source.min(d)} + source.extent(d));
            if (end <= low) {
                return;
            }
            to.shrink(d, low, static_cast<int>(end - low));
            from.shrink(d, low, static_cast<int>(end - low));
        }
        const size_t bytes = static_cast<size_t>(raw_.type.bytes());
        buffer_detail::Walk({&to.raw_, &from.raw_})
            .over({to.raw_.host, from.raw_.host},
                  [bytes](const std::vector<uint8_t *> &at, int64_t count, const std::vector<ptrdiff_t> &step) {
                      if (step[0] == static_cast<ptrdiff_t>(bytes) && step[1] == step[0]) {
                          std::memmove(at[0], at[1], static_cast<size_t>(count) * bytes);
                          return;
                      }
                      for (int64_t k = 0; k < count; k++) {
                          std::memcpy(at[0] + k * step[0], at[1] + k * step[1], bytes);
                      }
                  });
        set_host_dirty();
    }

    /// Another buffer of the same memory.
    Buffer alias() const { return *this; }
    /// Becomes a buffer as by the default constructor.
    void reset() { *this = Buffer(); }

    // ---- changes of the shape, in place and as a new buffer of the same memory

    /// Restricts dimension d, or the first dimensions by a (min, extent) for each, to positions that an assert requires
    /// to be inside of the buffer. The crop shares the device memory too if the device can crop; otherwise it has none.
    void crop(int d, int new_min, int new_extent) {
        assert(new_min >= min(d) && int64_t{new_min} + new_extent <= int64_t{min(d)} + extent(d));
        const std::shared_ptr<Device> whole = device_;
        const halide_buffer_t before = raw_;
        const std::vector<halide_dimension_t> shape = dims_;
        shrink(d, new_min, new_extent);
        follow(before, shape, whole, -1, 0);
    }
    void crop(const std::vector<std::pair<int, int>> &box) {
        for (size_t d = 0; d < box.size(); d++) {
            crop(static_cast<int>(d), box[d].first, box[d].second);
        }
    }
    Buffer cropped(int d, int new_min, int new_extent) const {
        return edited([=](Buffer &b) { b.crop(d, new_min, new_extent); });
    }
    Buffer cropped(const std::vector<std::pair<int, int>> &box) const {
        return edited([&](Buffer &b) { b.crop(box); });
    }
    /// Adds to the min of dimension d, or to those of the first dimensions; no element moves in memory.
    void translate(int d, int delta) { raw_dim(d).min += delta; }
    void translate(const std::vector<int> &delta) {
        for (size_t d = 0; d < delta.size(); d++) {
            translate(static_cast<int>(d), delta[d]);
        }
    }
    Buffer translated(int d, int delta) const {
        return edited([=](Buffer &b) { b.translate(d, delta); });
    }
    Buffer translated(const std::vector<int> &delta) const {
        return edited([&](Buffer &b) { b.translate(delta); });
    }
    /// Sets the mins of the first dimensions, at most as many as there are; the extents and the elements stay.
    void set_min(const std::vector<int> &mins) {
        assert(mins.size() <= dims_.size());
        for (size_t d = 0; d < mins.size(); d++) {
            dims_[d].min = mins[d];
        }
    }
    void set_min() {}
    template <typename... Rest, IfInts<Rest...> = 0> void set_min(int first, Rest... rest) {
        set_min(std::vector<int>{first, static_cast<int>(rest)...});
    }
    /// Exchanges dimensions d1 and d2; no element moves in memory.
    void transpose(int d1, int d2) { std::swap(raw_dim(d1), raw_dim(d2)); }
    /// Dimension order[i] becomes dimension i.
    void transpose(const std::vector<int> &order) {
        assert(order.size() == dims_.size());
        const std::vector<halide_dimension_t> before = dims_;
        for (size_t i = 0; i < order.size(); i++) {
            dims_[i] = before.at(static_cast<size_t>(order[i]));
        }
    }
    Buffer transposed(int d1, int d2) const {
        return edited([=](Buffer &b) { b.transpose(d1, d2); });
    }
    Buffer transposed(const std::vector<int> &order) const {
        return edited([&](Buffer &b) { b.transpose(order); });
    }
    /// Removes dimension d, at a position, which an assert requires to be inside of the buffer, or at its min.
    void slice(int d, int position) {
        static_assert(Dims == AnyDims, "slice() changes the rank: use sliced()");
        remove_dimension(d, position);
    }
    void slice(int d) { slice(d, min(d)); }
    Buffer<T, one_less> sliced(int d, int position) const {
        Buffer<T, AnyDims> result(*this);
        result.slice(d, position);
        return result;
    }
    Buffer<T, one_less> sliced(int d) const { return sliced(d, min(d)); }
    /// Inserts a dimension d that has only `position`.
    void embed(int d, int position = 0) {
        static_assert(Dims == AnyDims, "embed() changes the rank: use embedded()");
        assert(d >= 0 && d <= dimensions());
        add_dimension();
        std::rotate(dims_.begin() + d, dims_.end() - 1, dims_.end());
        translate(d, position);
    }
    Buffer<T, one_more> embedded(int d, int position = 0) const {
        Buffer<T, AnyDims> result(*this);
        result.embed(d, position);
        return result;
    }
    /// Appends a dimension of min 0 and extent 1 whose stride, in elements, is given or is the largest
    /// stride * extent of the other dimensions.
    void add_dimension() {
        int stride = 1;
        for (const halide_dimension_t &dim : dims_) {
            stride = std::max(stride, std::abs(dim.stride) * std::max(dim.extent, 1));
        }
        add_dimension_with_stride(stride);
    }
    void add_dimension_with_stride(int stride) {
        static_assert(Dims == AnyDims, "add_dimension() changes the rank: use embedded()");
        dims_.push_back(halide_dimension_t(0, 1, stride));
        refresh();
    }

    // ---- elements

    /// Whether each coordinate is inside of its dimension; there may be fewer coordinates than dimensions.
    template <typename... A, IfInts<A...> = 0> bool contains(A... position) const {
        return contains(std::vector<int>{static_cast<int>(position)...});
    }
    bool contains(const std::vector<int> &position) const {
        for (size_t d = 0; d < position.size(); d++) {
            const int i = static_cast<int>(d);
            if (position[d] < min(i) || position[d] > dim(i).max()) {
                return false;
            }
        }
        return true;
    }
    /// The element at a position; with fewer coordinates than dimensions, the others are at their min.
    /// If the buffer has device memory, elements that may be written make the host's copy the newest.
    template <typename... A, IfInts<A...> = 0> const not_void_T &operator()(A... position) const {
        return *address_of(position...);
    }
    const not_void_T &operator()(const int *position) const { return *address_of(position); }
    template <typename... A, IfInts<A...> = 0> not_void_T &operator()(A... position) {
        mark_written();
        return *address_of(position...);
    }
    not_void_T &operator()(const int *position) {
        mark_written();
        return *address_of(position);
    }
    template <typename... A, IfInts<A...> = 0> not_void_T *address_of(A... position) const {
        const int at[] = {static_cast<int>(position)..., 0};
        return address(at, static_cast<int>(sizeof...(A)));
    }
    not_void_T *address_of(const int *position) const { return address(position, dimensions()); }

    /// Sets all elements to a value, and makes the host's copy the newest; the device must not have newer elements.
    Buffer &fill(not_const_T value) {
        for_each_value([value](not_void_T &element) { element = value; });
        set_host_dirty();
        return *this;
    }
    /// Sets each element to f(coordinates...), or f(const int *).
    template <typename F, typename std::enable_if<!std::is_convertible<F, not_const_T>::value, int>::type = 0>
    Buffer &fill(F &&f) {
        using Plain = typename std::remove_reference<F>::type;
        visit([&](const int *position) { (*this)(position) = buffer_detail::Calls<Plain>::at(f, position); });
        set_host_dirty();
        return *this;
    }
    /// Whether all elements have this value, as is true of a buffer without elements.
    bool all_equal(not_const_T value) const {
        bool equal = true;
        for_each_value([&](const not_const_T &element) { equal = equal && element == value; });
        return equal;
    }
    /// Calls f with each element and those of the other buffers, which have the same extents, at the same place; in the
    /// order of this buffer's memory.
    template <typename F, typename... B> const Buffer &for_each_value(F &&f, B &&...others) const {
        walk_values(f, typename buffer_detail::MakeIndices<1 + sizeof...(B)>::Type(), *this, others...);
        return *this;
    }
    template <typename F, typename... B> Buffer &for_each_value(F &&f, B &&...others) {
        mark_written();
        walk_values(f, typename buffer_detail::MakeIndices<1 + sizeof...(B)>::Type(), *this, others...);
        return *this;
    }
    /// Calls f at every position, dimension 0 innermost, with an int for each dimension, or with the first ones, or
    /// with `const int *`. Dimensions that f takes no int for are not iterated over.
    template <typename F> const Buffer &for_each_element(F &&f) const {
        using Plain = typename std::remove_reference<F>::type;
        const int arity = buffer_detail::Calls<Plain>::value;
        assert(arity <= dimensions());
        visit([&](const int *position) { buffer_detail::Calls<Plain>::at(f, position); },
              arity < 0 ? dimensions() : arity);
        return *this;
    }
    template <typename F> Buffer &for_each_element(F &&f) {
        static_cast<const Buffer &>(*this).for_each_element(f);
        return *this;
    }

    // ---- devices, through the interface that the buffer has or is given; functions return 0 or an error code

    /// Whether there is neither host nor device memory, so that a filter stores the shape that it needs here.
    bool is_bounds_query() const { return raw_.is_bounds_query(); }
    /// Whether the host, or the device, has newer elements than the other. An assert keeps both from being set at once.
    bool host_dirty() const { return raw_.host_dirty(); }
    bool device_dirty() const { return raw_.device_dirty(); }
    void set_host_dirty(bool dirty = true) {
        assert((!dirty || !device_dirty()) && "the device has newer elements");
        raw_.set_host_dirty(dirty);
    }
    void set_device_dirty(bool dirty = true) {
        assert((!dirty || !host_dirty()) && "the host has newer elements");
        raw_.set_device_dirty(dirty);
    }
    /// Whether there is device memory, and who frees it, which is Allocated where there is none.
    bool has_device_allocation() const { return raw_.device != 0; }
    BufferDeviceOwnership device_ownership() const {
        return device_ != nullptr ? device_->ownership() : BufferDeviceOwnership::Allocated;
    }
    /// Brings the host, or the device, up to date; does nothing and returns 0 if it is. copy_to_device() allocates
    /// device memory where there is none.
    int copy_to_host(void *context = nullptr) {
        return device_dirty() ? raw_.device_interface->copy_to_host(context, &raw_) : 0;
    }
    int copy_to_device(const halide_device_interface_t *device, void *context = nullptr) {
        if (has_device_allocation() && !host_dirty()) {
            return 0;
        }
        return owned(device->copy_to_device(context, &raw_, device), BufferDeviceOwnership::Allocated);
    }
    /// Allocates device memory for the shape, or device and host memory that are freed together; copies no elements.
    int device_malloc(const halide_device_interface_t *device, void *context = nullptr) {
        return owned(device->device_malloc(context, &raw_, device), BufferDeviceOwnership::Allocated);
    }
    int device_and_host_malloc(const halide_device_interface_t *device, void *context = nullptr) {
        return owned(device->device_and_host_malloc(context, &raw_, device),
                     BufferDeviceOwnership::AllocatedDeviceAndHost);
    }
    /// Uses device memory that the caller keeps; `handle` is what the device interface takes for it.
    int device_wrap_native(const halide_device_interface_t *device, uint64_t handle, void *context = nullptr) {
        return owned(device->wrap_native(context, &raw_, handle, device), BufferDeviceOwnership::WrappedNative);
    }
    /// Ends this buffer's share of the device memory, which is freed, or given back if it was wrapped, with the last
    /// share; newer elements are not copied to the host. device_and_host_free() also sets the host pointer to null. An
    /// error leaves the buffer as it was.
    int device_free(void *context = nullptr) { return give_back(context); }
    int device_and_host_free(const halide_device_interface_t *, void *context = nullptr) {
        const int code = give_back(context);
        raw_.host = code == 0 ? nullptr : raw_.host;
        return code;
    }
    int device_detach_native(void *context = nullptr) { return give_back(context); }
    /// Waits until the device has done its work on this buffer; returns 0 at once without a device.
    int device_sync(void *context = nullptr) {
        return raw_.device_interface != nullptr ? raw_.device_interface->device_sync(context, &raw_) : 0;
    }

  private:
    halide_buffer_t raw_ = halide_buffer_t();
    std::vector<halide_dimension_t> dims_;
    std::shared_ptr<void> memory_;
    std::shared_ptr<Device> device_;

    Buffer(halide_type_t type, std::vector<halide_dimension_t> dims) : dims_(std::move(dims)) {
        raw_.type = type;
        refresh();
    }
    template <typename T2, int D2, int S2>
    Buffer(const Buffer<T2, D2, S2> &other, int) : dims_(other.dims_), memory_(other.memory_), device_(other.device_) {
        raw_ = other.raw_;
        refresh();
    }
    template <typename T2, int D2, int S2> static void check_convertible(const Buffer<T2, D2, S2> &other) {
        static_assert(!std::is_const<T2>::value || std::is_const<T>::value, "elements of const type stay const");
        assert(can_convert_from(other));
        (void)other;
    }
    void refresh() {
        raw_.dimensions = static_cast<int32_t>(dims_.size());
        raw_.dim = dims_.data();
    }
    void adopt_fields(const halide_buffer_t &raw) {
        raw_ = raw;
        refresh();
        assert(!has_static_halide_type || raw.type == static_halide_type());
        assert(Dims == AnyDims || raw.dimensions == Dims);
    }
    void set_host(T *data) {
        raw_.host = reinterpret_cast<uint8_t *>(const_cast<Scalar *>(data));
        assert(Dims == AnyDims || dimensions() == Dims);
    }
    halide_dimension_t &raw_dim(int d) {
        assert(d >= 0 && d < dimensions());
        return dims_[static_cast<size_t>(d)];
    }
    const halide_dimension_t &raw_dim(int d) const {
        assert(d >= 0 && d < dimensions());
        return dims_[static_cast<size_t>(d)];
    }
    static std::vector<halide_dimension_t> dense(const std::vector<int> &sizes, const std::vector<int> &order) {
        std::vector<halide_dimension_t> dims(sizes.size());
        int64_t stride = 1;
        for (size_t k = 0; k < sizes.size(); k++) {
            const size_t d = order.empty() ? k : static_cast<size_t>(order.at(k));
            dims.at(d) = halide_dimension_t(0, sizes[d], static_cast<int32_t>(stride));
            stride *= sizes[d];
        }
        return dims;
    }
    template <typename Array, size_t N> static std::vector<int> extents(Array (&array)[N]) {
        std::vector<int> sizes = inner(array[0]);
        sizes.push_back(static_cast<int>(N));
        return sizes;
    }
    template <typename Array, size_t N> static std::vector<int> inner(Array (&array)[N]) { return extents(array); }
    template <typename Element> static std::vector<int> inner(Element &) { return {}; }
    /// Dense dimensions with the extents, mins and storage order of this buffer.
    std::vector<halide_dimension_t> compact() const {
        std::vector<int> sizes, order;
        for (int d = 0; d < dimensions(); d++) {
            sizes.push_back(extent(d));
            order.push_back(d);
        }
        buffer_detail::sort_by(order, [&](int d) { return std::abs(stride(d)); });
        std::vector<halide_dimension_t> dims = dense(sizes, order);
        for (int d = 0; d < dimensions(); d++) {
            dims[static_cast<size_t>(d)].min = min(d);
        }
        return dims;
    }
    Buffer<Scalar, Dims, InClassDimStorage> copy_in_order(const std::vector<int> &order, void *(*allocate)(size_t),
                                                          void (*release)(void *)) const {
        assert(dimensions() == 3);
        Buffer<Scalar, Dims, InClassDimStorage> result(type(), dense({width(), height(), channels()}, order));
        result.allocate(allocate, release);
        result.set_min(min(0), min(1), min(2));
        result.copy_from(*this);
        return result;
    }
    template <typename Edit> Buffer edited(Edit &&edit) const {
        Buffer result(*this);
        edit(result);
        return result;
    }
    void shrink(int d, int new_min, int new_extent) {
        halide_dimension_t &dim = raw_dim(d);
        advance(int64_t{new_min} - dim.min, dim.stride);
        dim.min = new_min;
        dim.extent = new_extent;
    }
    void advance(int64_t elements, int stride) {
        if (raw_.host != nullptr) {
            raw_.host += elements * stride * raw_.type.bytes();
        }
    }
    void remove_dimension(int d, int position) {
        assert(position >= min(d) && position <= dim(d).max());
        const std::shared_ptr<Device> whole = device_;
        const halide_buffer_t before = raw_;
        const std::vector<halide_dimension_t> shape = dims_;
        advance(int64_t{position} - min(d), stride(d));
        dims_.erase(dims_.begin() + d);
        refresh();
        follow(before, shape, whole, d, position);
    }
    /// The device memory of this crop, or slice at `position` of dimension d >= 0, of a buffer that had some.
    void follow(halide_buffer_t before, std::vector<halide_dimension_t> shape, const std::shared_ptr<Device> &whole,
                int d, int position) {
        if (before.device == 0 || before.device_interface == nullptr) {
            return;
        }
        before.dim = shape.data();
        raw_.device = 0;
        raw_.device_interface = nullptr;
        const halide_device_interface_t &device = *before.device_interface;
        const int code = d < 0 ? device.device_crop(nullptr, &before, &raw_)
                               : device.device_slice(nullptr, &before, d, position, &raw_);
        device_ = code == 0 ? std::make_shared<Device>(raw_, BufferDeviceOwnership::Cropped, whole) : nullptr;
    }
    void mark_written() {
        if (!std::is_const<T>::value && raw_.device != 0) {
            set_host_dirty();
        }
    }
    int owned(int code, BufferDeviceOwnership ownership) {
        if (code == 0 && device_ == nullptr && raw_.device != 0) {
            device_ = std::make_shared<Device>(raw_, ownership);
        }
        return code;
    }
    /// Ends this buffer's share of the device memory, which is freed with the last one.
    int give_back(void *context) {
        const int code = device_ != nullptr && device_.use_count() == 1 ? device_->release(context) : 0;
        if (code == 0) {
            raw_.set_device_dirty(false);
            device_deallocate();
        }
        return code;
    }
    not_void_T *address(const int *position, int count) const {
#if HALIDE_RUNTIME_BUFFER_CHECK_INDICES
        assert(contains(std::vector<int>(position, position + count)));
#endif
        ptrdiff_t offset = 0;
        for (int d = 0; d < std::min(count, raw_.dimensions); d++) {
            offset +=
                static_cast<ptrdiff_t>(raw_.dim[d].stride) * (static_cast<ptrdiff_t>(position[d]) - raw_.dim[d].min);
        }
        return reinterpret_cast<not_void_T *>(raw_.host + offset * raw_.type.bytes());
    }
    template <typename Visit> void visit(Visit &&visit) const { this->visit(visit, dimensions()); }
    template <typename Visit> void visit(Visit &&visit, int rank) const {
        std::vector<int> at(static_cast<size_t>(rank) + 1);
        for (int d = 0; d < rank; d++) {
            if (extent(d) <= 0) {
                return;
            }
            at[static_cast<size_t>(d)] = min(d);
        }
        for (int d = 0; d < std::max(rank, 1);) {
            visit(static_cast<const int *>(at.data()));
            for (d = 0; d < rank && ++at[static_cast<size_t>(d)] > dim(d).max(); d++) {
                at[static_cast<size_t>(d)] = min(d);
            }
            if (d < rank) {
                d = 0;
            } else {
                return;
            }
        }
    }
    template <typename B> using ElementOf = typename std::remove_reference<B>::type::not_void_T;
    template <typename F, size_t... I, typename... B>
    static void walk_values(F &f, buffer_detail::Indices<I...>, B &...buffers) {
        buffer_detail::Walk({buffers.raw_buffer()...})
            .over({buffers.raw_buffer()->host...},
                  [&f](const std::vector<uint8_t *> &at, int64_t count, const std::vector<ptrdiff_t> &step) {
                      for (int64_t k = 0; k < count; k++) {
                          f(*reinterpret_cast<ElementOf<B> *>(at[I] + k * step[I])...);
                      }
                  });
    }
};

} // namespace Runtime
} // namespace Halide
