#pragma once
// Buffers with host memory for tests of devices.

#include "fluorite/runtime_device.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace fluorite_runtime {

/// A buffer of int32 with memory of its own, whose bytes between elements are -1.
struct TestBuffer {
    std::vector<fluorite_dimension_t> dims;
    std::vector<int32_t> memory;
    fluorite_buffer_t raw{};

    explicit TestBuffer(std::vector<fluorite_dimension_t> shape) : dims(std::move(shape)) {
        raw.type = fluorite_type_t(fluorite_type_int, 32);
        raw.dimensions = static_cast<int32_t>(dims.size());
        raw.dim = dims.data();
        memory.assign(static_cast<size_t>(raw.end_offset() - raw.begin_offset()), -1);
        raw.host = reinterpret_cast<uint8_t *>(memory.data() - raw.begin_offset());
    }
    TestBuffer(const TestBuffer &) = delete;
    TestBuffer &operator=(const TestBuffer &) = delete;

    int32_t &at(const std::vector<int> &position) {
        return *reinterpret_cast<int32_t *>(raw.address_of(position.data()));
    }
    template <typename F> void for_each(const F &f) {
        std::vector<int> position;
        for (const auto &dim : dims) {
            position.push_back(dim.min);
        }
        for (bool more = !raw.is_empty(); more;) {
            f(position);
            more = false;
            for (size_t d = 0; d < dims.size() && !more; d++) {
                more = ++position[d] < dims[d].min + dims[d].extent;
                position[d] = more ? position[d] : dims[d].min;
            }
        }
    }
    /// 1000 y + x and so on: what each coordinate has here.
    static int32_t value_at(const std::vector<int> &position) {
        uint32_t value = 0, unit = 1; // which wrap
        for (const int coordinate : position) {
            value += static_cast<uint32_t>(coordinate) * unit;
            unit *= 1000;
        }
        return static_cast<int32_t>(value);
    }
    void fill() {
        for_each([this](const std::vector<int> &position) { at(position) = value_at(position); });
        raw.set_host_dirty();
    }
    void clear(int32_t value = -2) {
        for_each([this, value](const std::vector<int> &position) { at(position) = value; });
    }
    /// The elements that are not `factor` times what fill() has written.
    int wrong_elements(int32_t factor = 1) {
        int count = 0;
        for_each(
            [&](const std::vector<int> &position) { count += at(position) != factor * value_at(position) ? 1 : 0; });
        return count;
    }
    /// The bytes between elements that have been written.
    int wrong_gaps() {
        const std::vector<int32_t> copy = memory;
        std::fill(memory.begin(), memory.end(), 0);
        clear(1);
        int count = 0;
        for (size_t k = 0; k < copy.size(); k++) {
            count += memory[k] == 0 && copy[k] != -1 ? 1 : 0;
        }
        std::copy(copy.begin(), copy.end(), memory.begin()); // `host` points into it
        return count;
    }
};

/// The text of the thread's last error, which is then cleared.
inline std::string take_error() {
    std::string text = fluorite_last_error_message();
    fluorite_clear_error();
    return text;
}

} // namespace fluorite_runtime
