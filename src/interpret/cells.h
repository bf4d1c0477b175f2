#pragma once
// The C++ types of scalars: what cells hold, and the choice of a template's instance by a type at run time.

#include "fluorite/float16.h"
#include "interpret/scalar.h"

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace fluorite::interpret {

template <typename T>
concept AnyFloat = std::same_as<T, float> || std::same_as<T, double> || is_float16<T>;
template <typename T>
concept AnyInteger = std::integral<T>; // bool included

template <typename T> constexpr int bits_of = std::same_as<T, bool> ? 1 : static_cast<int>(sizeof(T)) * 8;

template <typename T> T load(Cell cell) {
    if constexpr (is_float16<T>) {
        return T::make_from_bits(static_cast<uint16_t>(cell));
    } else if constexpr (std::same_as<T, float>) {
        return std::bit_cast<float>(static_cast<uint32_t>(cell));
    } else if constexpr (std::same_as<T, double>) {
        return std::bit_cast<double>(cell);
    } else {
        return static_cast<T>(cell);
    }
}

template <typename T> Cell store(T value) {
    if constexpr (is_float16<T>) {
        return value.to_bits();
    } else if constexpr (std::same_as<T, float>) {
        return std::bit_cast<uint32_t>(value);
    } else if constexpr (std::same_as<T, double>) {
        return std::bit_cast<uint64_t>(value);
    } else if constexpr (std::signed_integral<T>) {
        return static_cast<uint64_t>(static_cast<int64_t>(value));
    } else {
        return static_cast<uint64_t>(value);
    }
}

/// Truncates a 64-bit result to an integer type (for bool, to the lowest bit).
template <AnyInteger T> T wrap(uint64_t value) {
    if constexpr (std::same_as<T, bool>) {
        return (value & 1) != 0;
    } else {
        return static_cast<T>(value);
    }
}

/// An integer extended to 64 bits according to its signedness.
template <AnyInteger T> uint64_t extend(T value) { return store(value); }

template <typename T> struct Tag {
    using type = T;
};

/// Calls function(Tag<T>()) with the C++ type of a scalar type; null for handles.
template <typename Function> auto visit_type(Type type, const Function &function) -> decltype(function(Tag<float>())) {
    switch (type.code()) {
    case TypeCode::Int:
        switch (type.bits()) {
        case 8:
            return function(Tag<int8_t>());
        case 16:
            return function(Tag<int16_t>());
        case 32:
            return function(Tag<int32_t>());
        case 64:
            return function(Tag<int64_t>());
        default:
            return nullptr;
        }
    case TypeCode::UInt:
        switch (type.bits()) {
        case 1:
            return function(Tag<bool>());
        case 8:
            return function(Tag<uint8_t>());
        case 16:
            return function(Tag<uint16_t>());
        case 32:
            return function(Tag<uint32_t>());
        case 64:
            return function(Tag<uint64_t>());
        default:
            return nullptr;
        }
    case TypeCode::Float:
        switch (type.bits()) {
        case 16:
            return function(Tag<float16_t>());
        case 32:
            return function(Tag<float>());
        case 64:
            return function(Tag<double>());
        default:
            return nullptr;
        }
    case TypeCode::BFloat:
        return type.bits() == 16 ? function(Tag<bfloat16_t>()) : nullptr;
    case TypeCode::Handle:
        return nullptr;
    }
    return nullptr;
}

/// The unsigned type of the same width.
template <AnyInteger T> struct UnsignedOf {
    using type = std::make_unsigned_t<T>;
};
template <> struct UnsignedOf<bool> {
    using type = bool;
};

} // namespace fluorite::interpret
