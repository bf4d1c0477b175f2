#pragma once
// The part of Buffer that does not depend on the element type: identity, shape, memory. For use through
// fluorite/buffer.h.

#include "fluorite/require_cxx17.h"

#include "fluorite/buffer_detail/contents.h"
#include "fluorite/buffer_detail/traits.h"
#include "fluorite/device_target.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fluorite::buffer_detail {

/// One dimension of a buffer; iterating over it gives its coordinates.
class DimensionView {
  public:
    explicit DimensionView(const fluorite_dimension_t &dim) : dim_(dim) {}
    int min() const { return dim_.min; }
    int extent() const { return dim_.extent; }
    int stride() const { return dim_.stride; }
    int max() const { return static_cast<int>(int64_t{dim_.min} + dim_.extent - 1); }

    struct Iterator {
        int64_t value; // 64-bit, because the end of a dimension may exceed the greatest coordinate by one
        int operator*() const { return static_cast<int>(value); }
        Iterator &operator++() { return ++value, *this; }
        bool operator!=(const Iterator &other) const { return value != other.value; }
        bool operator==(const Iterator &other) const { return value == other.value; }
    };
    Iterator begin() const { return {dim_.min}; }
    Iterator end() const { return {int64_t{dim_.min} + dim_.extent}; }

  private:
    fluorite_dimension_t dim_;
};

/// A shared header, or nothing.
class Handle {
  protected:
    using Place = Location;

  public:
    using Dimension = DimensionView;

    // ---- identity ---

    /// Whether there is a buffer behind this handle, and whether it is that of another handle.
    bool defined() const { return contents_ != nullptr; }
    bool same_as(const Handle &other) const { return contents_ == other.contents_; }

    /// The name, which errors show and under which code that reads the buffer names it.
    const std::string &name(Place place = Place::current()) const { return need(place).name(); }
    void set_name(const std::string &name, Place place = Place::current()) { need(place).set_name(name); }
    /// The struct of the C interface; valid as long as a handle of this buffer.
    fluorite_buffer_t *raw_buffer(Place place = Place::current()) const { return &need(place).raw(); }
    /// The owner of header and memory.
    const std::shared_ptr<Contents> &contents() const { return contents_; }

    // ---- shape ---

    /// One dimension, and its least coordinate, greatest one, extent, and stride in elements. Throws RuntimeError where
    /// there is no such dimension.
    Dimension dim(detail::Integer d, Place place = Place::current()) const {
        return Dimension(need(place).dim(d, place));
    }
    int min(detail::Integer d, Place place = Place::current()) const { return dim(d, place).min(); }
    int max(detail::Integer d, Place place = Place::current()) const { return dim(d, place).max(); }
    int extent(detail::Integer d, Place place = Place::current()) const { return dim(d, place).extent(); }
    int stride(detail::Integer d, Place place = Place::current()) const { return dim(d, place).stride(); }
    /// Extents of dimensions 0, 1, 2; 1 where the buffer has fewer.
    int width() const { return extent_or_1(0); }
    int height() const { return extent_or_1(1); }
    int channels() const { return extent_or_1(2); }
    int left(Place place = Place::current()) const { return dim(0, place).min(); }
    int right(Place place = Place::current()) const { return dim(0, place).max(); }
    int top(Place place = Place::current()) const { return dim(1, place).min(); }
    int bottom(Place place = Place::current()) const { return dim(1, place).max(); }

    /// The product of the extents.
    size_t number_of_elements(Place place = Place::current()) const { return need(place).raw().number_of_elements(); }
    /// Bytes from the lowest to the highest addressed element, both included.
    size_t size_in_bytes(Place place = Place::current()) const { return need(place).raw().size_in_bytes(); }
    bool is_bounds_query() const { return defined() && contents_->raw().is_bounds_query(); }
    template <typename... A, std::enable_if_t<all_indices<A...>, int> = 0> bool contains(const A &...position) const {
        return contains(std::vector<int>{static_cast<int>(position)...});
    }
    /// Whether the buffer contains the coordinates; with fewer coordinates than the rank, the other dimensions are not
    /// checked.
    bool contains(const std::vector<int> &position, Place place = Place::current()) const {
        const auto &dims = need(place).dims();
        for (size_t d = 0; d < position.size(); d++) {
            if (d >= dims.size() || position[d] < dims[d].min || position[d] - int64_t{dims[d].min} >= dims[d].extent) {
                return false;
            }
        }
        return true;
    }

    /// Moves the coordinates so that they begin at these mins, dimension 0 first; the memory stays.
    void set_min(const std::vector<int> &mins, Place place = Place::current()) {
        for (size_t d = 0; d < mins.size(); d++) {
            need(place).set_min(static_cast<int>(d), mins[d], place);
        }
    }
    template <typename X, std::enable_if_t<is_index<X>, int> = 0> void set_min(X x, Place place = Place::current()) {
        set_min(coordinates(x), place);
    }
    template <typename X, typename Y, std::enable_if_t<all_indices<X, Y>, int> = 0>
    void set_min(X x, Y y, Place place = Place::current()) {
        set_min(coordinates(x, y), place);
    }
    template <typename X, typename Y, typename Z, std::enable_if_t<all_indices<X, Y, Z>, int> = 0>
    void set_min(X x, Y y, Z z, Place place = Place::current()) {
        set_min(coordinates(x, y, z), place);
    }
    template <typename... A, std::enable_if_t<(all_indices<A...> && sizeof...(A) > 3), int> = 0>
    void set_min(const A &...mins) {
        set_min(coordinates(mins...));
    }
    /// Adds `delta` to the coordinates, of one dimension or of all; the memory stays.
    void translate(detail::Integer d, detail::Integer delta, Place place = Place::current()) {
        need(place).translate(d, delta, place);
    }
    void translate(const std::vector<int> &delta, Place place = Place::current()) {
        for (size_t d = 0; d < delta.size(); d++) {
            need(place).translate(static_cast<int>(d), delta[d], place);
        }
    }
    /// Restricts dimension d to min .. min + extent - 1. Throws RuntimeError for a region that is not inside of this
    /// buffer.
    void crop(detail::Integer d, detail::Integer min, detail::Integer extent, Place place = Place::current()) {
        need(place).crop(d, min, extent, place);
    }
    /// Crops the first dimensions, each to a (min, extent).
    void crop(const std::vector<std::pair<int, int>> &box, Place place = Place::current()) {
        for (size_t d = 0; d < box.size(); d++) {
            need(place).crop(static_cast<int>(d), box[d].first, box[d].second, place);
        }
    }
    void transpose(detail::Integer d1, detail::Integer d2, Place place = Place::current()) {
        need(place).transpose(swapped(d1, d2, place), place);
    }
    /// Dimension i of the result is the former dimension order[i].
    void transpose(const std::vector<int> &order, Place place = Place::current()) {
        need(place).transpose(order, place);
    }

    // ---- memory ---

    /// Allocates new, uninitialized memory of the buffer's shape.
    void allocate(Place place = Place::current()) { need(place).allocate(place); }
    /// Drops the host memory and the device memory.
    void deallocate(Place place = Place::current()) {
        need(place).free_device(nullptr);
        need(place).set_host(nullptr);
    }
    void device_deallocate(Place place = Place::current()) { need(place).free_device(nullptr); }
    /// Makes the handle undefined.
    void reset() { contents_.reset(); }
    bool owns_host_memory() const { return defined() && contents_->memory() != nullptr; }
    bool has_host_memory() const { return defined() && contents_->raw().host != nullptr; }

    /// Marks of memory that was written on the host or on a device and not copied to the other. There are no devices:
    /// the library keeps the marks, and nothing copies.
    bool host_dirty() const { return defined() && contents_->raw().host_dirty(); }
    bool device_dirty() const { return defined() && contents_->raw().device_dirty(); }
    void set_host_dirty(bool on = true, Place place = Place::current()) { need(place).raw().set_host_dirty(on); }
    void set_device_dirty(bool on = true, Place place = Place::current()) { need(place).raw().set_device_dirty(on); }
    bool has_device_allocation() const { return defined() && contents_->raw().device != 0; }
    BufferDeviceOwnership device_ownership() const {
        return defined() ? contents_->device_ownership() : BufferDeviceOwnership::Allocated;
    }
    // Each of the following returns 0 or an error code, whose text the error handler has got
    // (fluorite/runtime_device.h).

    /// Copies the newest elements to the host; does nothing if the device has no newer ones.
    int copy_to_host(void *context = nullptr, Place place = Place::current()) {
        fluorite_buffer_t &raw = need(place).raw();
        return raw.device_dirty() && raw.device_interface ? raw.device_interface->copy_to_host(context, &raw) : 0;
    }
    /// Copies the newest elements to the device, with memory for them if there is none yet.
    int copy_to_device(const fluorite_device_interface_t *device, void *context = nullptr,
                       Place place = Place::current()) {
        return device->copy_to_device(context, &need(place).raw(), device);
    }
    /// On the device of a target, or of an API that the target has. Throws CompileError [bad-target] for one without.
    int copy_to_device(const Target &target = get_jit_target_from_environment(), void *context = nullptr,
                       Place place = Place::current()) {
        return copy_to_device(DeviceAPI::Default_GPU, target, context, place);
    }
    int copy_to_device(DeviceAPI api, const Target &target = get_jit_target_from_environment(), void *context = nullptr,
                       Place place = Place::current()) {
        return copy_to_device(required_device(api, target, place), context, place);
    }
    int device_malloc(const fluorite_device_interface_t *device, void *context = nullptr,
                      Place place = Place::current()) {
        return device->device_malloc(context, &need(place).raw(), device);
    }
    int device_malloc(const Target &target = get_jit_target_from_environment(), void *context = nullptr,
                      Place place = Place::current()) {
        return device_malloc(DeviceAPI::Default_GPU, target, context, place);
    }
    int device_malloc(DeviceAPI api, const Target &target = get_jit_target_from_environment(), void *context = nullptr,
                      Place place = Place::current()) {
        return device_malloc(required_device(api, target, place), context, place);
    }
    /// Frees the device memory; elements that only the device has are lost.
    int device_free(void *context = nullptr, Place place = Place::current()) {
        return need(place).free_device(context);
    }
    /// Uses memory of the program: an OpenCL cl_mem, a CUDA device pointer.
    int device_wrap_native(const fluorite_device_interface_t *device, uint64_t handle, void *context = nullptr,
                           Place place = Place::current()) {
        Contents &contents = need(place);
        const int code = device->wrap_native(context, &contents.raw(), handle, device);
        if (code == 0) {
            contents.set_device_ownership(BufferDeviceOwnership::WrappedNative);
        }
        return code;
    }
    int device_wrap_native(DeviceAPI api, uint64_t handle, const Target &target = get_jit_target_from_environment(),
                           void *context = nullptr, Place place = Place::current()) {
        return device_wrap_native(required_device(api, target, place), handle, context, place);
    }
    int device_detach_native(void *context = nullptr, Place place = Place::current()) {
        fluorite_buffer_t &raw = need(place).raw();
        const int code = raw.device_interface ? raw.device_interface->detach_native(context, &raw) : 0;
        if (code == 0) {
            need(place).set_device_ownership(BufferDeviceOwnership::Allocated);
        }
        return code;
    }
    int device_and_host_malloc(const fluorite_device_interface_t *device, void *context = nullptr,
                               Place place = Place::current()) {
        const int code = device_malloc(device, context, place);
        if (code == 0) {
            need(place).allocate(place);
            need(place).set_device_ownership(BufferDeviceOwnership::AllocatedDeviceAndHost);
        }
        return code;
    }
    int device_and_host_free(const fluorite_device_interface_t * = nullptr, void *context = nullptr,
                             Place place = Place::current()) {
        const int code = device_free(context, place);
        if (code == 0) {
            need(place).set_host(nullptr);
        }
        return code;
    }
    int device_sync(void *context = nullptr, Place place = Place::current()) {
        fluorite_buffer_t &raw = need(place).raw();
        return raw.device_interface ? raw.device_interface->device_sync(context, &raw) : 0;
    }

  protected:
    Handle() = default;

    Contents &need(Location place) const {
        if (contents_ == nullptr) {
            fail("undefined-buffer", "",
                 "the buffer is undefined; only a default-constructed buffer "
                 "is; give it a size or assign another buffer first",
                 place);
        }
        return *contents_;
    }
    Contents &need_host(Location place) const {
        auto &contents = need(place);
        if (contents.raw().host == nullptr && !contents.raw().is_empty()) {
            fail("host-is-null", contents.name(),
                 "the buffer has no host memory; elements are read and "
                 "written in host memory; call allocate() first",
                 place);
        }
        return contents;
    }
    int extent_or_1(int d) const { return defined() && d < contents_->rank() ? contents_->raw().dim[d].extent : 1; }
    std::vector<int> swapped(int d1, int d2, Place place) const {
        need(place).check_dimension(d1, place);
        need(place).check_dimension(d2, place);
        std::vector<int> order(static_cast<size_t>(contents_->rank()));
        for (size_t i = 0; i < order.size(); i++) {
            order[i] = static_cast<int>(i);
        }
        std::swap(order[static_cast<size_t>(d1)], order[static_cast<size_t>(d2)]);
        return order;
    }
    void check_access(const int *position, int count, Place place) const {
        while (count > contents_->rank() && position[count - 1] == 0) {
            count--;
        }
        need_host(place);
        if (!contains(std::vector<int>(position, position + count))) {
            std::string text = "(";
            for (int d = 0; d < count; d++) {
                text += (d > 0 ? ", " : "") + std::to_string(position[d]);
            }
            fail("bad-access", contents_->name(),
                 "the element at " + text + ") is touched; the buffer holds " + contents_->box_text() +
                     "; keep coordinates inside",
                 place);
        }
    }

    std::shared_ptr<Contents> contents_;
};

} // namespace fluorite::buffer_detail
