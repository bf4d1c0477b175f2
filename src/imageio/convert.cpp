// Converts the values of an image to another element type.
//
// Meaning: an unsigned integer v of n bits denotes v / (2^n - 1), a signed one v / (2^(n-1) - 1), a bool 0 or 1, a
// float itself. The result is the target value nearest to the source's meaning, clamped to the target's range. Between
// unsigned integers of 8 and 16 bits the nearest value is unique (uint8 to uint16 multiplies by 257), and a double
// finds it; results of 64 bits are exact to a double's 53 bits.
//
// Method: runs of elements in memory order, piece by piece through doubles: one function for each type that is read and
// one for each that is written, instead of one for each pair. Cost: one or two nanoseconds an element.

#include "fluorite/image_io.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace fluorite {

namespace {

template <typename T> constexpr bool is_float16_like = std::is_same_v<T, float16_t> || std::is_same_v<T, bfloat16_t>;

template <typename T> double meaning_of(T value) {
    if constexpr (std::is_floating_point_v<T> || is_float16_like<T>) {
        return static_cast<double>(value);
    } else {
        return static_cast<double>(value) / static_cast<double>(std::numeric_limits<T>::max());
    }
}

template <typename To> To from_meaning(double meaning) {
    if constexpr (std::is_same_v<To, bool>) {
        return meaning >= 0.5;
    } else if constexpr (std::is_integral_v<To>) {
        const double scaled = std::nearbyint(meaning * static_cast<double>(std::numeric_limits<To>::max()));
        if (!(scaled > static_cast<double>(std::numeric_limits<To>::min()))) {
            return std::isnan(scaled) ? To{0} : std::numeric_limits<To>::min();
        }
        // The comparison uses the limit rounded up for 64 bits, so the cast below is always in range.
        return scaled >= static_cast<double>(std::numeric_limits<To>::max()) ? std::numeric_limits<To>::max()
                                                                             : static_cast<To>(scaled);
    } else {
        return static_cast<To>(meaning);
    }
}

using Piece = std::array<double, 256>;

template <typename From> void read_values(const uint8_t *from, ptrdiff_t step, int64_t count, Piece &values) {
    for (int64_t k = 0; k < count; k++) {
        values[static_cast<size_t>(k)] = meaning_of(*reinterpret_cast<const From *>(from + k * step));
    }
}

template <typename To> void write_values(const Piece &values, int64_t count, uint8_t *to, ptrdiff_t step) {
    for (int64_t k = 0; k < count; k++) {
        *reinterpret_cast<To *>(to + k * step) = from_meaning<To>(values[static_cast<size_t>(k)]);
    }
}

using Read = decltype(&read_values<double>);
using Write = decltype(&write_values<double>);

// Calls visit with a value of the C++ type of a scalar type; returns false if there is none.
template <typename Visit> bool with_type(Type type, const Visit &visit) {
    const auto is = [&](Type other) { return type == other; };
    if (is(Bool()))
        return visit(bool{}), true;
    if (is(UInt(8)))
        return visit(uint8_t{}), true;
    if (is(UInt(16)))
        return visit(uint16_t{}), true;
    if (is(UInt(32)))
        return visit(uint32_t{}), true;
    if (is(UInt(64)))
        return visit(uint64_t{}), true;
    if (is(Int(8)))
        return visit(int8_t{}), true;
    if (is(Int(16)))
        return visit(int16_t{}), true;
    if (is(Int(32)))
        return visit(int32_t{}), true;
    if (is(Int(64)))
        return visit(int64_t{}), true;
    if (is(Float(16)))
        return visit(float16_t{}), true;
    if (is(BFloat(16)))
        return visit(bfloat16_t{}), true;
    if (is(Float(32)))
        return visit(float{}), true;
    if (is(Float(64)))
        return visit(double{}), true;
    return false;
}

buffer_detail::Dimensions dimensions_of(const Buffer<const void> &image) {
    buffer_detail::Dimensions dims;
    for (int d = 0; d < image.dimensions(); d++) {
        dims.push_back(image.raw_buffer()->dim[d]);
    }
    return dims;
}

void convert_elements(const Buffer<const void> &from, Read read, const Buffer<> &to, Write write) {
    const buffer_detail::Dimensions source = dimensions_of(from), target = dimensions_of(to);
    const auto walk = buffer_detail::plan_walk<2>({&target, &source}, {to.type().bytes(), from.type().bytes()});
    const std::array<uint8_t *, 2> hosts{to.raw_buffer()->host, from.raw_buffer()->host};
    buffer_detail::walk_runs<2>(walk, hosts, [&](const auto &at, int64_t count, const auto &steps) {
        Piece values;
        constexpr int64_t most = std::tuple_size_v<Piece>;
        for (int64_t k = 0; k < count; k += most) {
            const int64_t left = std::min(most, count - k);
            read(at[1] + k * steps[1], steps[1], left, values);
            write(values, left, at[0] + k * steps[0], steps[0]);
        }
    });
}

} // namespace

Buffer<> convert_image(const Buffer<const void> &image, Type type, Location place) {
    const bool is_missing = image.defined() && !image.has_host_memory() && image.number_of_elements() > 0;
    if (image.type() == type || is_missing) { // then copy() refuses it
        return image.copy(place);
    }
    Read read = nullptr;
    Write write = nullptr;
    with_type(image.type(), [&](auto from) { read = read_values<decltype(from)>; });
    with_type(type, [&](auto to) { write = write_values<decltype(to)>; });
    if (!read || !write) {
        throw RuntimeError("image-unsupported",
                           "in convert_image(): the elements are of type " + to_string(image.type()) +
                               " and are asked for as " + to_string(type) +
                               "; numbers of 8 to 64 bits are converted; choose one of these types",
                           place);
    }
    const buffer_detail::Dimensions dims = buffer_detail::compact(dimensions_of(image), image.name(place), place);
    Buffer<> result(type, nullptr, image.dimensions(), dims.data(), image.name(place), place);
    result.allocate(place);
    convert_elements(image, read, result, write);
    return result;
}

} // namespace fluorite
