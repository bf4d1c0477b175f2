// Conversions between scalars: casts, reinterpretation, literals, and elements in memory.
//
// A cast to an integer wraps integers, and truncates floats towards zero into the range of the type: int8(300) = 44,
// int8(300.0f) = 127, int8(NaN) = 0. A saturating cast does the latter for integers, too. A cast to a float rounds
// once, to nearest even. Each is a template over the two C++ types, of which visit_type selects the instance.

#include "interpret/cells.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace fluorite::interpret {

namespace {

template <AnyInteger To, AnyFloat From> To truncate_saturating(From source) {
    const double value = static_cast<double>(source); // exact
    if (!(value == value)) {
        return To(0);
    }
    // 2^digits is exact as a double for every type; so is the least value.
    const double above = std::ldexp(1.0, std::same_as<To, bool> ? 1 : std::numeric_limits<To>::digits);
    if (value >= above) {
        return std::numeric_limits<To>::max();
    }
    if (value <= static_cast<double>(std::numeric_limits<To>::min())) {
        return std::numeric_limits<To>::min();
    }
    if constexpr (std::same_as<To, bool>) {
        return value >= 1.0;
    } else {
        return static_cast<To>(value);
    }
}

template <AnyInteger To, AnyInteger From> To clamp_to(From value) {
    using Limits = std::numeric_limits<To>;
    if constexpr (std::signed_integral<From>) {
        const int64_t wide = value;
        if constexpr (std::signed_integral<To>) {
            return wide < Limits::min() ? Limits::min()
                                        : (wide > Limits::max() ? Limits::max() : static_cast<To>(wide));
        } else {
            const uint64_t high = static_cast<uint64_t>(Limits::max());
            return wide < 0 ? To(0) : (static_cast<uint64_t>(wide) > high ? Limits::max() : static_cast<To>(wide));
        }
    } else {
        const uint64_t wide = value;
        return wide > static_cast<uint64_t>(Limits::max()) ? Limits::max() : static_cast<To>(wide);
    }
}

template <typename To, typename From> To convert(From value) {
    if constexpr (std::same_as<To, bool>) {
        return !(value == From(0));
    } else if constexpr (AnyInteger<To> && AnyInteger<From>) {
        return wrap<To>(extend(value));
    } else if constexpr (AnyInteger<To>) {
        return truncate_saturating<To>(value);
    } else if constexpr (is_float16<From>) {
        return static_cast<To>(static_cast<float>(value)); // exact, then rounded once
    } else {
        return static_cast<To>(value);
    }
}

template <typename To, typename From> To convert_saturating(From value) {
    if constexpr (AnyInteger<To> && AnyInteger<From>) {
        return clamp_to<To>(value);
    } else if constexpr (AnyInteger<To>) {
        return truncate_saturating<To>(value);
    } else {
        return convert<To>(value);
    }
}

template <typename From, typename To> Cell cast_cell(Cell cell) { return store(convert<To>(load<From>(cell))); }
template <typename From, typename To> Cell saturating_cast_cell(Cell cell) {
    return store(convert_saturating<To>(load<From>(cell)));
}

/// Keeps the low bits and extends them according to the type.
template <typename To> Cell extend_bits(Cell cell) {
    if constexpr (AnyInteger<To>) {
        return store(wrap<To>(cell));
    } else {
        return store(load<To>(cell));
    }
}

} // namespace

Unary find_cast(Type from, Type to) {
    if (from.is_handle() && to.is_handle()) {
        return [](Cell cell) { return cell; };
    }
    return visit_type(from, [to](auto from_tag) -> Unary {
        using From = typename decltype(from_tag)::type;
        return visit_type(to, [](auto to_tag) -> Unary { return cast_cell<From, typename decltype(to_tag)::type>; });
    });
}

Unary find_saturating_cast(Type from, Type to) {
    return visit_type(from, [to](auto from_tag) -> Unary {
        using From = typename decltype(from_tag)::type;
        return visit_type(
            to, [](auto to_tag) -> Unary { return saturating_cast_cell<From, typename decltype(to_tag)::type>; });
    });
}

Unary find_reinterpret(Type from, Type to) {
    if (from.bits() != to.bits()) {
        return nullptr;
    }
    if (to.is_handle()) {
        return [](Cell cell) { return cell; };
    }
    return visit_type(to, [](auto tag) -> Unary { return extend_bits<typename decltype(tag)::type>; });
}

// ---- Memory and literals.

namespace {
template <typename T> Cell load_from_memory(const void *address) {
    if constexpr (std::same_as<T, bool>) {
        return *static_cast<const uint8_t *>(address) != 0 ? 1 : 0;
    } else {
        T value;
        std::memcpy(&value, address, sizeof(T));
        return store(value);
    }
}
} // namespace

Loader find_loader(Type type) {
    if (type.is_handle()) {
        return load_from_memory<uint64_t>;
    }
    return visit_type(type, [](auto tag) -> Loader { return load_from_memory<typename decltype(tag)::type>; });
}

void store_element(void *address, Type type, Cell cell) {
    std::memcpy(address, &cell, static_cast<size_t>(type.bytes()));
}

uint64_t element_bits(Cell cell, Type type) {
    uint64_t bits = 0;
    store_element(&bits, type, cell);
    return bits;
}

Cell cell_of_int(Type type, int64_t value) {
    const Unary cast = find_cast(Int(64), type.element_of());
    return cast(static_cast<uint64_t>(value));
}
Cell cell_of_uint(Type type, uint64_t value) {
    const Unary cast = find_cast(UInt(64), type.element_of());
    return cast(value);
}
Cell cell_of_float(Type type, double value) {
    const Unary cast = find_cast(Float(64), type.element_of());
    return cast(store(value));
}

} // namespace fluorite::interpret
