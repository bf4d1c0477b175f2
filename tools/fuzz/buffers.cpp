#include "buffers.h"

#include <cstring>
#include <sanitizer/asan_interface.h>

namespace fluorite::fuzz {

namespace {

constexpr size_t guard = 256; // bytes before and after the elements

/// With the address sanitizer, the guards may be accessed only during the lifetime of this object.
class OpenGuards {
  public:
    explicit OpenGuards(const std::vector<uint8_t> &memory) : memory_(memory) {
        ASAN_UNPOISON_MEMORY_REGION(memory.data(), memory.size());
    }
    ~OpenGuards() { close(memory_); }
    OpenGuards(const OpenGuards &) = delete;
    OpenGuards &operator=(const OpenGuards &) = delete;
    static void close(const std::vector<uint8_t> &memory) {
        ASAN_POISON_MEMORY_REGION(memory.data(), guard);
        ASAN_POISON_MEMORY_REGION(memory.data() + memory.size() - guard, guard);
    }

  private:
    [[maybe_unused]] const std::vector<uint8_t> &memory_;
};

std::vector<fluorite_dimension_t> shape_of(const Box &box, Layout layout) {
    int rank = static_cast<int>(box.min.size());
    std::vector<fluorite_dimension_t> shape(box.min.size());
    int32_t stride = layout == Layout::Strided ? 3 : 1;
    auto add = [&](int d) {
        size_t i = static_cast<size_t>(d);
        shape[i] = fluorite_dimension_t(box.min[i], box.extent[i], stride);
        stride *= std::max(box.extent[i], 1);
        if (layout == Layout::Padded) {
            stride += 5;
        }
    };
    if (layout == Layout::Interleaved && rank > 0) {
        add(rank - 1);
    }
    for (int d = 0; d < (layout == Layout::Interleaved ? rank - 1 : rank); d++) {
        add(d);
    }
    return shape;
}

uint64_t extreme(Type type, uint64_t mix) {
    if (type.is_float()) {
        static const double values[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e30, -1e30, 65504, HUGE_VAL, -HUGE_VAL, NAN, 255.5};
        double value = values[mix % 12];
        uint64_t bits = 0;
        if (type == Float(64)) {
            std::memcpy(&bits, &value, 8);
        } else if (type == Float(32)) {
            float narrow = static_cast<float>(value);
            std::memcpy(&bits, &narrow, 4);
        } else {
            float narrow = static_cast<float>(value);
            bits = type.is_bfloat() ? bfloat16_t(narrow).to_bits() : float16_t(narrow).to_bits();
        }
        return bits;
    }
    uint64_t top = uint64_t(1) << (type.bits() - 1);
    const uint64_t values[] = {0, 1, ~uint64_t(0), top, top - 1, top + 1, 2, ~uint64_t(1)};
    return values[mix % 8];
}

uint64_t element(Type type, InputGene::Values values, uint64_t mix) {
    if (type.is_bool()) {
        return mix & 1;
    }
    if (values == InputGene::Values::Extreme) {
        return extreme(type, mix);
    }
    bool small = values == InputGene::Values::Small;
    uint64_t bits = small ? mix % 16 : mix;
    if (type == Float(32)) {
        float value = small ? static_cast<float>(bits) : static_cast<float>(static_cast<int32_t>(mix)) * 0x1p-24f;
        std::memcpy(&bits, &value, 4);
    } else if (type == Float(64)) {
        double value = small ? static_cast<double>(bits) : static_cast<double>(static_cast<int64_t>(mix)) * 0x1p-50;
        std::memcpy(&bits, &value, 8);
    } else if (type.is_float()) {
        float value = small ? static_cast<float>(bits) : static_cast<float>(static_cast<int16_t>(mix)) * 0x1p-7f;
        bits = type.is_bfloat() ? bfloat16_t(value).to_bits() : float16_t(value).to_bits();
    }
    return bits;
}

} // namespace

int64_t Box::size() const {
    int64_t size = 1;
    for (int e : extent) {
        size *= e;
    }
    return size;
}

GuardedBuffer::GuardedBuffer(Type type, const Box &box, Layout layout, uint8_t poison) : poison_(poison) {
    std::vector<fluorite_dimension_t> shape = shape_of(box, layout);
    int64_t last = 0;
    for (const fluorite_dimension_t &dim : shape) {
        last += static_cast<int64_t>(std::max(dim.extent - 1, 0)) * dim.stride;
    }
    if (box.size() > 4000000 || last > 16000000) {
        throw RuntimeError("input-too-large", "the case touches a region that is too large to try");
    }
    size_t bytes = static_cast<size_t>((last + 1) * type.bytes());
    memory_ = std::make_shared<std::vector<uint8_t>>(bytes + 2 * guard, poison);
    begin_ = guard;
    buffer_ = Buffer<>(type, memory_->data() + begin_, static_cast<int>(shape.size()), shape.data());
    if (type.is_bool()) {
        for_each_element([&](const std::vector<int> &, size_t at) { (*memory_)[at] = 0; });
    }
    OpenGuards::close(*memory_);
}

template <typename Visit> void GuardedBuffer::for_each_element(const Visit &visit) const {
    int rank = buffer_.dimensions();
    std::vector<int> position(static_cast<size_t>(rank));
    for (int d = 0; d < rank; d++) {
        position[static_cast<size_t>(d)] = buffer_.dim(d).min();
        if (buffer_.dim(d).extent() <= 0) {
            return;
        }
    }
    while (true) {
        int64_t offset = 0;
        for (int d = 0; d < rank; d++) {
            offset +=
                static_cast<int64_t>(position[static_cast<size_t>(d)] - buffer_.dim(d).min()) * buffer_.dim(d).stride();
        }
        visit(position, begin_ + static_cast<size_t>(offset * buffer_.type().bytes()));
        int d = 0;
        while (d < rank && ++position[static_cast<size_t>(d)] >= buffer_.dim(d).min() + buffer_.dim(d).extent()) {
            position[static_cast<size_t>(d)] = buffer_.dim(d).min();
            d++;
        }
        if (d == rank) {
            return;
        }
    }
}

bool GuardedBuffer::is_intact() const {
    const OpenGuards open(*memory_);
    std::vector<uint8_t> copy = *memory_;
    for_each_element([&](const std::vector<int> &, size_t at) {
        std::memset(copy.data() + at, poison_, static_cast<size_t>(buffer_.type().bytes()));
    });
    for (uint8_t byte : copy) {
        if (byte != poison_) {
            return false;
        }
    }
    return true;
}

void GuardedBuffer::fill(InputGene::Values values, uint64_t salt) {
    for_each_element([&](const std::vector<int> &position, size_t at) { fill_element(position, at, values, salt); });
}

void GuardedBuffer::fill_outside(const Box &box, InputGene::Values values, uint64_t salt) {
    for_each_element([&](const std::vector<int> &position, size_t at) {
        bool is_inside = true;
        for (size_t d = 0; d < position.size(); d++) {
            const int64_t from_min = int64_t{position[d]} - box.min[d];
            is_inside = is_inside && from_min >= 0 && from_min < box.extent[d];
        }
        if (!is_inside) {
            fill_element(position, at, values, salt);
        }
    });
}

void GuardedBuffer::fill_element(const std::vector<int> &position, size_t at, InputGene::Values values, uint64_t salt) {
    uint64_t mix = salt;
    for (size_t d = 0; d < position.size(); d++) {
        mix = Random(mix ^ (static_cast<uint64_t>(position[d] + 1000) << (8 * d))).next();
    }
    const uint64_t bits = element(buffer_.type(), values, mix);
    std::memcpy(memory_->data() + at, &bits, static_cast<size_t>(buffer_.type().bytes()));
}

} // namespace fluorite::fuzz
