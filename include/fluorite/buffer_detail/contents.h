#pragma once
// The state behind a Buffer: the ABI struct with its dimensions, the memory that it owns, a name, and all operations
// that do not depend on the C++ element type. For use through fluorite/buffer.h.

#include "fluorite/require_cxx17.h"

#include "fluorite/buffer_detail/pages.h"
#include "fluorite/errors.h"
#include "fluorite/runtime_abi.h"
#include "fluorite/type.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fluorite {

/// Who frees the device memory of a buffer, and how.
enum class BufferDeviceOwnership : int {
    Allocated,              ///< the buffer does
    WrappedNative,          ///< the program, which has lent it; the buffer gives it back
    Unmanaged,              ///< the owner of the struct from which the buffer was made
    AllocatedDeviceAndHost, ///< as Allocated: host memory is counted on its own
    Cropped,                ///< the buffer releases its share
};

/// Converts a type to the ABI's form.
constexpr fluorite_type_t abi_type(Type type) {
    return {static_cast<fluorite_type_code_t>(type.code()), static_cast<uint8_t>(type.bits()),
            static_cast<uint16_t>(type.lanes())};
}
/// Converts a type from the ABI's form.
constexpr Type type_from_abi(fluorite_type_t type) { return {static_cast<TypeCode>(type.code), type.bits, type.lanes}; }

namespace buffer_detail {

using Dimension = fluorite_dimension_t;
using Dimensions = std::vector<Dimension>;

[[noreturn]] inline void fail(const char *slug, const std::string &where, const std::string &text,
                              const Location &place) {
    throw RuntimeError(slug, (where.empty() ? "in a Buffer: " : "in " + where + ": ") + text, place);
}

/// Checks that a storage order is empty or contains each dimension once.
inline void check_storage_order(const std::vector<int> &order, size_t rank, const std::string &name,
                                const Location &place) {
    std::vector<bool> seen(rank, false);
    bool good = order.empty() || order.size() == rank;
    for (const int d : order) {
        good = good && d >= 0 && static_cast<size_t>(d) < rank && !seen[static_cast<size_t>(d)];
        if (good) {
            seen[static_cast<size_t>(d)] = true;
        }
    }
    if (!good) {
        std::string text;
        for (const int d : order) {
            text += (text.empty() ? "" : ", ") + std::to_string(d);
        }
        fail("bad-dimension", name,
             "the storage order is {" + text + "}; the buffer has " + std::to_string(rank) + " dimension" +
                 (rank == 1 ? "" : "s") +
                 ", and an order names each of them once; list them from innermost to outermost",
             place);
    }
}

/// Dimensions of the given sizes with min 0; `storage_order` lists them from innermost (stride 1) to outermost.
inline Dimensions dense_dimensions(const std::vector<int> &sizes, const std::vector<int> &storage_order,
                                   const std::string &name, const Location &place) {
    Dimensions dims(sizes.size());
    check_storage_order(storage_order, sizes.size(), name, place);
    int64_t stride = 1;
    for (size_t k = 0; k < sizes.size(); k++) {
        const size_t d = storage_order.empty() ? k : static_cast<size_t>(storage_order[k]);
        if (sizes[d] < 0) {
            fail("negative-extent", name,
                 "the extent of dimension " + std::to_string(d) + " is " + std::to_string(sizes[d]) +
                     "; an extent is 0 or more; pass a size of 0 or more",
                 place);
        }
        if (stride > INT32_MAX) {
            fail("buffer-too-large", name,
                 "the stride of dimension " + std::to_string(d) + " would be " + std::to_string(stride) +
                     " elements; strides are 32-bit; use smaller inner extents",
                 place);
        }
        dims[d] = {0, sizes[d], static_cast<int>(stride)};
        stride *= sizes[d];
    }
    return dims;
}

/// Whether a buffer can hold elements of the type.
inline bool is_element_type(Type type) {
    const int bits = type.bits();
    const bool is_power = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    switch (type.code()) {
    case TypeCode::Int:
        return is_power && type.is_scalar();
    case TypeCode::UInt:
        return (is_power || bits == 1) && type.is_scalar();
    case TypeCode::Float:
        return is_power && bits != 8 && type.is_scalar();
    case TypeCode::BFloat:
        return bits == 16 && type.is_scalar();
    case TypeCode::Handle:
        return bits == 64 && type.is_scalar();
    }
    return false;
}

inline void check_element_type(Type type, const std::string &name, const Location &place) {
    if (!is_element_type(type)) {
        fail("bad-type", name,
             "its elements are to have the type " + (type.is_void() ? "without bits" : to_string(type)) +
                 "; integers have 8, 16, 32 or 64 bits, floats 16, 32 or 64, a bool 1, and an element is no vector; "
                 "use one of these",
             place);
    }
}

/// A header of the caller, before it is read.
inline void check_raw(const fluorite_buffer_t &raw, const std::string &name, const Location &place) {
    constexpr int most_dimensions = 64;
    if (raw.dimensions < 0 || raw.dimensions > most_dimensions || (raw.dimensions > 0 && raw.dim == nullptr)) {
        fail("bad-buffer-struct", name,
             raw.dimensions > 0 && raw.dimensions <= most_dimensions
                 ? "its struct has " + std::to_string(raw.dimensions) +
                       " dimensions, and dim is null; dim points to "
                       "one entry for each dimension; let it point there"
                 : "its struct has " + std::to_string(raw.dimensions) + " dimensions; a buffer has 0 to " +
                       std::to_string(most_dimensions) + "; set all fields of the struct",
             place);
    }
    check_element_type(type_from_abi(raw.type), name, place);
}

class Contents {
  public:
    Contents(Type type, Dimensions dims, std::string name) : name_(std::move(name)), dims_(std::move(dims)) {
        raw_.type = abi_type(type);
        refresh();
    }
    /// Copies the header of `raw`; its owner keeps the memory.
    Contents(const fluorite_buffer_t &raw, std::string name)
        : raw_(raw), name_(std::move(name)), dims_(raw.dim, raw.dim + raw.dimensions),
          device_ownership_(raw.device != 0 ? BufferDeviceOwnership::Unmanaged : BufferDeviceOwnership::Allocated) {
        refresh();
    }
    /// A second header over the same host and device memory. Its flags are its own from now on.
    Contents(const Contents &other) : raw_(other.raw_), name_(other.name_), dims_(other.dims_), memory_(other.memory_) {
        forget_device();
        refresh();
        if (other.raw_.device != 0 && other.raw_.device_interface != nullptr) {
            share_device(other.raw_, [](const auto &from, auto &to) {
                return from.device_interface->device_crop(nullptr, &from, &to);
            });
        }
    }
    Contents &operator=(const Contents &) = delete;
    ~Contents() { free_device(nullptr); }

    fluorite_buffer_t &raw() { return raw_; }
    Type type() const { return type_from_abi(raw_.type); }
    int rank() const { return raw_.dimensions; }
    const std::string &name() const { return name_; }
    void set_name(const std::string &name) { name_ = name; }
    /// The box of coordinates for messages: `[0, 9] x [0, 4]`.
    std::string box_text() const {
        std::string text;
        for (const Dimension &dim : dims_) {
            text += text.empty() ? "" : " x ";
            text += dim.extent <= 0 ? std::string("nothing")
                                    : "[" + std::to_string(dim.min) + ", " +
                                          std::to_string(int64_t{dim.min} + dim.extent - 1) + "]";
        }
        return text.empty() ? "one element, without coordinates" : text;
    }
    const std::shared_ptr<void> &memory() const { return memory_; }

    void set_host(void *host, std::shared_ptr<void> memory = nullptr) {
        raw_.host = static_cast<uint8_t *>(host);
        memory_ = std::move(memory);
    }

    /// Allocates uninitialized memory for the shape, aligned to 128 bytes with 128 readable bytes after its end.
    void allocate(const Location &place) {
        __int128 elements = raw_.is_empty() ? 0 : 1;
        for (const Dimension &dim : dims_) {
            elements += elements == 0 ? 0 : static_cast<__int128>(std::abs(int64_t{dim.stride})) * (dim.extent - 1);
        }
        const __int128 bytes = elements * raw_.type.bytes();
        auto block = bytes < (int64_t{1} << 46) ? allocate_elements(static_cast<size_t>(bytes)) : nullptr;
        if (block == nullptr) {
            const auto shown = static_cast<uint64_t>(std::min<__int128>(bytes, UINT64_MAX));
            fail("out-of-memory", name_,
                 "an allocation of " + std::to_string(shown) +
                     " bytes failed; a buffer must fit into memory; use a smaller buffer",
                 place);
        }
        memory_ = std::move(block);
        raw_.host = static_cast<uint8_t *>(memory_.get()) - raw_.begin_offset() * raw_.type.bytes();
    }

    BufferDeviceOwnership device_ownership() const { return device_ownership_; }
    void set_device_ownership(BufferDeviceOwnership ownership) { device_ownership_ = ownership; }
    /// Frees the device memory, or gives it back, as its ownership says. Returns 0 or an error code.
    int free_device(void *context) {
        int code = 0;
        if (raw_.device != 0 && raw_.device_interface != nullptr) {
            const fluorite_device_interface_t &device = *raw_.device_interface;
            switch (device_ownership_) {
            case BufferDeviceOwnership::Unmanaged:
                break;
            case BufferDeviceOwnership::WrappedNative:
                code = device.detach_native(context, &raw_);
                break;
            case BufferDeviceOwnership::Cropped:
                code = device.device_release_crop(context, &raw_);
                break;
            case BufferDeviceOwnership::Allocated:
            case BufferDeviceOwnership::AllocatedDeviceAndHost:
                code = device.device_free(context, &raw_);
                break;
            }
        }
        if (code == 0) {
            forget_device();
        }
        return code;
    }

    const Dimension &dim(int d, const Location &place) const {
        check_dimension(d, place);
        return dims_[static_cast<size_t>(d)];
    }
    void check_dimension(int d, const Location &place) const {
        if (d < 0 || d >= rank()) {
            fail("bad-dimension", name_,
                 "dimension " + std::to_string(d) + " is named; the buffer has " + std::to_string(rank()) +
                     "; use 0 to " + std::to_string(rank() - 1),
                 place);
        }
    }

    void crop(int d, int min, int extent, const Location &place) {
        check_dimension(d, place);
        Dimension &dim = dims_[static_cast<size_t>(d)];
        const int64_t end = int64_t{min} + extent;
        if (extent < 0 || min < dim.min || end > int64_t{dim.min} + dim.extent) {
            fail("bad-crop", name_,
                 "a crop to " + range_text(min, extent) + " along dimension " + std::to_string(d) + ", which holds " +
                     range_text(dim.min, dim.extent) + "; a crop lies inside the buffer; clamp the range to the buffer",
                 place);
        }
        const DeviceView before(*this);
        advance(int64_t{min} - dim.min, dim.stride);
        dim.min = min;
        dim.extent = extent;
        before.follow(
            *this, [](const auto &from, auto &to) { return from.device_interface->device_crop(nullptr, &from, &to); });
    }

    void slice(int d, int position, const Location &place) {
        check_dimension(d, place);
        const Dimension dim = dims_[static_cast<size_t>(d)];
        if (position < dim.min || position >= int64_t{dim.min} + dim.extent) {
            fail("bad-slice", name_,
                 "a slice at " + std::to_string(position) + " along dimension " + std::to_string(d) + ", which holds " +
                     range_text(dim.min, dim.extent) +
                     "; a slice lies inside the buffer; choose a position that it holds",
                 place);
        }
        const DeviceView before(*this);
        advance(int64_t{position} - dim.min, dim.stride);
        dims_.erase(dims_.begin() + d);
        refresh();
        before.follow(*this, [d, position](const auto &from, auto &to) {
            return from.device_interface->device_slice(nullptr, &from, d, position, &to);
        });
    }

    /// Inserts dimension `d` of extent 1 at `position`.
    void embed(int d, int position, const Location &place) {
        if (d < 0 || d > rank()) {
            fail("bad-dimension", name_,
                 "a new dimension " + std::to_string(d) + "; the buffer has " + std::to_string(rank()) + "; use 0 to " +
                     std::to_string(rank()),
                 place);
        }
        int64_t stride = 1;
        for (const Dimension &dim : dims_) {
            stride = std::max(stride, std::abs(int64_t{dim.stride}) * dim.extent);
        }
        dims_.insert(dims_.begin() + d, Dimension(position, 1, static_cast<int>(std::min<int64_t>(stride, INT32_MAX))));
        refresh();
    }
    void add_dimension_with_stride(int stride) {
        dims_.push_back({0, 1, stride});
        refresh();
    }

    /// Dimension i of the result is the former dimension order[i].
    void transpose(const std::vector<int> &order, const Location &place) {
        Dimensions reordered;
        std::vector<bool> seen(dims_.size());
        for (const int d : order) {
            check_dimension(d, place);
            if (!seen[static_cast<size_t>(d)]) {
                reordered.push_back(dims_[static_cast<size_t>(d)]);
            }
            seen[static_cast<size_t>(d)] = true;
        }
        if (reordered.size() != dims_.size() || order.size() != dims_.size()) {
            fail("bad-dimension", name_,
                 "the order of a transpose has " + std::to_string(order.size()) + " entries, not each of the " +
                     std::to_string(rank()) +
                     " dimensions once; a transpose is a permutation; list each dimension once",
                 place);
        }
        dims_ = std::move(reordered);
        refresh();
    }

    void set_min(int d, int min, const Location &place) {
        check_dimension(d, place);
        move(d, min, place);
    }
    void translate(int d, int delta, const Location &place) {
        check_dimension(d, place);
        move(d, int64_t{dims_[static_cast<size_t>(d)].min} + delta, place);
    }

    bool has_same_extents(const Contents &other) const {
        return std::equal(dims_.begin(), dims_.end(), other.dims_.begin(), other.dims_.end(),
                          [](const Dimension &a, const Dimension &b) { return a.extent == b.extent; });
    }
    const Dimensions &dims() const { return dims_; }

    /// A slot in which src/language keeps its data for this buffer.
    std::shared_ptr<void> attachment;

  private:
    void forget_device() {
        raw_.device = 0;
        raw_.device_interface = nullptr;
        raw_.set_device_dirty(false);
        device_ownership_ = BufferDeviceOwnership::Allocated;
    }
    /// Gets a share of the device memory behind another header by `share(from, to)`; none if it fails.
    template <typename Share> void share_device(const fluorite_buffer_t &from, const Share &share) {
        const uint64_t flags = from.flags;
        if (share(from, raw_) == 0) {
            device_ownership_ = BufferDeviceOwnership::Cropped;
            raw_.flags = flags;
        }
    }
    /// The header before its shape is changed in place, whose part of the device memory the changed header then has.
    struct DeviceView {
        fluorite_buffer_t raw;
        Dimensions dims;
        explicit DeviceView(const Contents &contents) : raw(contents.raw_) {
            if (raw.device != 0) {
                dims = contents.dims_;
                raw.dim = dims.data();
            }
        }
        template <typename Share> void follow(Contents &contents, const Share &share) const {
            if (raw.device == 0 || raw.device_interface == nullptr) {
                return;
            }
            const BufferDeviceOwnership ownership = contents.device_ownership_;
            contents.forget_device();
            contents.share_device(raw, share);
            Contents former(raw, "");
            former.device_ownership_ = ownership; // its destructor frees what the buffer had
        }
    };
    static std::string range_text(int64_t min, int64_t extent) {
        return extent <= 0 ? "nothing" : "[" + std::to_string(min) + ", " + std::to_string(min + extent - 1) + "]";
    }
    void move(int d, int64_t min, const Location &place) {
        Dimension &dim = dims_[static_cast<size_t>(d)];
        if (min < INT32_MIN || min > INT32_MAX || min + dim.extent - 1 > INT32_MAX) {
            fail("region-overflow", name_,
                 "dimension " + std::to_string(d) + " would hold " + range_text(min, std::max(dim.extent, 1)) +
                     "; coordinates are integers of 32 bits; begin nearer to 0",
                 place);
        }
        dim.min = static_cast<int>(min);
    }
    void advance(int64_t steps, int64_t stride) {
        if (raw_.host != nullptr) {
            raw_.host += steps * stride * raw_.type.bytes();
        }
    }
    void refresh() {
        raw_.dimensions = static_cast<int>(dims_.size());
        raw_.dim = dims_.data();
    }

    fluorite_buffer_t raw_{};
    std::string name_;
    Dimensions dims_;
    std::shared_ptr<void> memory_;
    BufferDeviceOwnership device_ownership_ = BufferDeviceOwnership::Allocated;
};

} // namespace buffer_detail
} // namespace fluorite
