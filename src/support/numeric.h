#pragma once
// Bits and values of the language's scalar types: wrapping integers to a width, rounding floats to a format, hashing.

#include "fluorite/float16.h"
#include "fluorite/type.h"

#include <cstdint>
#include <string_view>

namespace fluorite {

/// The value of the lower `bits` bits (1..64), sign-extended.
constexpr int64_t wrap_signed(int64_t value, int bits) {
    const int unused = 64 - bits;
    return static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
}

/// The lower `bits` bits (1..64).
constexpr uint64_t wrap_unsigned(uint64_t value, int bits) { return value << (64 - bits) >> (64 - bits); }

/// The nearest value of a float type (ties to even), as a double.
constexpr double round_to_float(Type type, double value) {
    if (type.is_bfloat()) {
        return static_cast<double>(bfloat16_t(value));
    }
    switch (type.bits()) {
    case 16:
        return static_cast<double>(float16_t(value));
    case 32:
        return static_cast<double>(static_cast<float>(value));
    default:
        return value;
    }
}

/// A bijective mixer of 64 bits.
constexpr uint64_t mix_bits(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

/// Folds one more value into a hash; the order of values matters.
constexpr uint64_t combine_hash(uint64_t hash, uint64_t value) {
    return mix_bits((hash ^ (hash >> 32)) * 0x9E3779B97F4A7C15ULL + value);
}

/// A hash of a text that is the same in every run and on every machine.
constexpr uint64_t hash_text(std::string_view text) {
    uint64_t hash = 0xCBF29CE484222325ULL;
    for (char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    }
    return mix_bits(hash);
}

} // namespace fluorite
