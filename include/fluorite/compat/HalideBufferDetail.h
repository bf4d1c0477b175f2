#pragma once
// What Halide::Runtime::Buffer consists of: device memory, calls of functions with coordinates, and walks over
// elements. For use through HalideBuffer.h.

#include "HalideRuntime.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace Halide {
namespace Runtime {

/// Who frees the device memory of a buffer, and how.
enum struct BufferDeviceOwnership : int {
    Allocated,              ///< the last buffer does
    WrappedNative,          ///< the program, which has lent it; the last buffer gives it back
    Unmanaged,              ///< the owner of the struct from which the buffer was made
    AllocatedDeviceAndHost, ///< the last buffer, together with the host's memory
    Cropped,                ///< the last buffer releases its share
};

namespace buffer_detail {

/// The functions that allocate host memory where a call names none; of the whole process.
struct Allocator {
    void *(*allocate)(size_t);
    void (*release)(void *);
};
inline Allocator &default_allocator() {
    static Allocator functions = {std::malloc, std::free};
    return functions;
}

/// Device memory, until its last buffer ends.
class DeviceMemory {
  public:
    DeviceMemory(const halide_buffer_t &raw, BufferDeviceOwnership ownership,
                 std::shared_ptr<DeviceMemory> whole = nullptr)
        : raw_(raw), ownership_(ownership), whole_(std::move(whole)) {
        raw_.dimensions = 0;
        raw_.dim = nullptr;
    }
    DeviceMemory(const DeviceMemory &) = delete;
    DeviceMemory &operator=(const DeviceMemory &) = delete;
    ~DeviceMemory() { release(nullptr); }

    BufferDeviceOwnership ownership() const { return ownership_; }
    /// Returns 0 or an error code; the memory then stays.
    int release(void *context) {
        int code = 0;
        if (raw_.device != 0 && raw_.device_interface != nullptr) {
            const halide_device_interface_t &device = *raw_.device_interface;
            switch (ownership_) {
            case BufferDeviceOwnership::Unmanaged:
                break;
            case BufferDeviceOwnership::WrappedNative:
                code = device.detach_native(context, &raw_);
                break;
            case BufferDeviceOwnership::Cropped:
                code = device.device_release_crop(context, &raw_);
                break;
            case BufferDeviceOwnership::Allocated:
                code = device.device_free(context, &raw_);
                break;
            case BufferDeviceOwnership::AllocatedDeviceAndHost:
                code = device.device_and_host_free(context, &raw_);
                break;
            }
        }
        if (code == 0) {
            raw_.device = 0;
        }
        return code;
    }

  private:
    halide_buffer_t raw_;
    BufferDeviceOwnership ownership_;
    std::shared_ptr<DeviceMemory> whole_; // of which this is a crop
};

// std::index_sequence, which C++11 lacks.
template <size_t... I> struct Indices {};
template <size_t n, size_t... I> struct MakeIndices : MakeIndices<n - 1, n - 1, I...> {};
template <size_t... I> struct MakeIndices<0, I...> {
    using Type = Indices<I...>;
};

template <bool...> struct Bools {};
/// Whether all types are integers or enumerators, as sizes and coordinates are.
template <typename... A>
using AllInts = std::is_same<Bools<true, std::is_convertible<A, int>::value...>,
                             Bools<std::is_convertible<A, int>::value..., true>>;
template <typename... A> using IfInts = typename std::enable_if<AllInts<A...>::value, int>::type;

template <typename T> struct TypeOf {
    static halide_type_t get() { return halide_type_of<T>(); }
};
template <> struct TypeOf<void> {
    static halide_type_t get() { return halide_type_t(); }
};

/// Whether f can be called with n ints.
template <typename F, typename Ints, typename = void> struct TakesInts : std::false_type {};
template <size_t> using Int = int;
template <typename F, size_t... I>
struct TakesInts<F, Indices<I...>, decltype(static_cast<void>(std::declval<F &>()(std::declval<Int<I>>()...)))>
    : std::true_type {};
template <typename F, typename = void> struct TakesPointer : std::false_type {};
template <typename F>
struct TakesPointer<F, decltype(static_cast<void>(std::declval<F &>()(static_cast<const int *>(nullptr))))>
    : std::integral_constant<bool, !TakesInts<F, Indices<0>>::value> {};

/// The number of ints that a function takes, up to 16; that of a function of `const int *` is -1.
template <typename F, size_t n = 0, bool found = TakesInts<F, typename MakeIndices<n>::Type>::value>
struct Arity : Arity<F, n + 1> {};
template <typename F, size_t n> struct Arity<F, n, true> : std::integral_constant<int, static_cast<int>(n)> {};
template <typename F> struct Arity<F, 17, false> {
    static_assert(sizeof(F) == 0, "the function takes one int for each dimension, or const int *");
};
template <typename F, bool by_pointer = TakesPointer<F>::value> struct Calls : std::integral_constant<int, -1> {
    static auto at(F &f, const int *position) -> decltype(f(position)) { return f(position); }
};
template <typename F> struct Calls<F, false> : Arity<F> {
    template <size_t... I>
    static auto spread(F &f, const int *position, Indices<I...>) -> decltype(f(Int<I>(position[I])...)) {
        return f(position[I]...);
    }
    static auto at(F &f, const int *position)
        -> decltype(spread(f, position, typename MakeIndices<static_cast<size_t>(Arity<F>::value)>::Type())) {
        return spread(f, position, typename MakeIndices<static_cast<size_t>(Arity<F>::value)>::Type());
    }
};

/// Sorts a short vector by a key; keeps the order of equal keys.
template <typename V, typename Key> void sort_by(std::vector<V> &values, Key key) {
    for (size_t i = 1; i < values.size(); i++) {
        for (size_t k = i; k > 0 && key(values[k]) < key(values[k - 1]); k--) {
            std::swap(values[k], values[k - 1]);
        }
    }
}

/// The dimensions in which several buffers are walked, innermost first, those that are dense merged.
struct Walk {
    struct Loop {
        int64_t extent;
        std::vector<ptrdiff_t> strides; // in bytes, one for each buffer
    };
    std::vector<Loop> loops;
    bool empty = false;

    explicit Walk(const std::vector<const halide_buffer_t *> &buffers) {
        for (int d = 0; d < buffers[0]->dimensions; d++) {
            Loop loop{buffers[0]->dim[d].extent, {}};
            for (const halide_buffer_t *buffer : buffers) {
                assert(buffer->dimensions == buffers[0]->dimensions && buffer->dim[d].extent == loop.extent);
                loop.strides.push_back(static_cast<ptrdiff_t>(buffer->dim[d].stride) * buffer->type.bytes());
            }
            empty = empty || loop.extent <= 0;
            if (loop.extent != 1) {
                loops.push_back(loop);
            }
        }
        sort_by(loops, [](const Loop &loop) { return std::abs(loop.strides[0]); });
        size_t kept = 0;
        for (size_t i = 1; i < loops.size(); i++) {
            bool dense = true;
            for (size_t k = 0; k < buffers.size(); k++) {
                dense = dense && loops[i].strides[k] == loops[kept].strides[k] * loops[kept].extent;
            }
            if (dense) {
                loops[kept].extent *= loops[i].extent;
            } else {
                loops[++kept] = loops[i];
            }
        }
        loops.resize(std::min(loops.size(), kept + 1));
    }

    /// Calls run(pointers, count, strides) for each innermost run of elements.
    template <typename Run> void over(std::vector<uint8_t *> at, Run &&run) const {
        if (!empty) {
            loops.empty() ? run(at, int64_t{1}, std::vector<ptrdiff_t>(at.size())) : level(loops.size() - 1, at, run);
        }
    }

  private:
    template <typename Run> void level(size_t i, std::vector<uint8_t *> at, Run &run) const {
        if (i == 0) {
            run(at, loops[0].extent, loops[0].strides);
            return;
        }
        for (int64_t k = 0; k < loops[i].extent; k++) {
            level(i - 1, at, run);
            for (size_t b = 0; b < at.size(); b++) {
                at[b] += loops[i].strides[b];
            }
        }
    }
};

} // namespace buffer_detail
} // namespace Runtime
} // namespace Halide
