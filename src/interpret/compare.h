#pragma once
// Bit-for-bit comparison of buffers, for tests and the fuzzer.

#include "fluorite/runtime_abi.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fluorite::interpret {

/// The difference between two buffers. Converts to true where they agree.
struct Comparison {
    /// Empty where the buffers agree, otherwise one line that describes the difference.
    std::string text;
    /// The number of differing elements, and the first of them (dimension 0 fastest) with its bits in both buffers.
    uint64_t differing = 0;
    std::vector<int32_t> first;
    uint64_t bits_a = 0, bits_b = 0;

    explicit operator bool() const { return text.empty(); }
};

enum class NanPolicy : uint8_t {
    AnyNan, // NaNs are equal regardless of sign and payload, which machine arithmetic does not define
    Exact,  // every bit counts
};

/// Compares type, rank, mins, extents and every element; strides may differ. Zeros of different sign differ.
Comparison compare_bits(const fluorite_buffer_t &a, const fluorite_buffer_t &b, NanPolicy nans = NanPolicy::AnyNan);

/// `x y z` as `(x, y, z)`.
std::string point_text(const std::vector<int32_t> &point);

} // namespace fluorite::interpret
