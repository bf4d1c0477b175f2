// Bit-for-bit comparison of buffers.

#include "interpret/compare.h"

#include "interpret/scalar.h"
#include "support/check.h"

#include <bit>
#include <charconv>
#include <cstring>

namespace fluorite::interpret {

namespace {

Type type_of_buffer(const fluorite_buffer_t &buffer) {
    return {static_cast<TypeCode>(buffer.type.code), buffer.type.bits, 1};
}

bool is_nan(uint64_t bits, Type type) { return type.is_float() && find_math_unary(ir::MathOp::IsNan, type)(bits) != 0; }

std::string hex(uint64_t bits) {
    char digits[20];
    return "0x" + std::string(digits, std::to_chars(digits, digits + sizeof(digits), bits, 16).ptr);
}

/// The value as a number of its type, for messages.
std::string value_text(uint64_t bits, Type type) {
    if (type.is_float()) {
        return concat(std::bit_cast<double>(find_cast(type, Float(64))(bits)));
    }
    if (type.is_int()) {
        return concat(static_cast<int64_t>(find_loader(type)(&bits)));
    }
    return concat(bits);
}

/// A description of the difference in shape, or an empty text.
std::string shape_difference(const fluorite_buffer_t &a, const fluorite_buffer_t &b) {
    if (type_of_buffer(a) != type_of_buffer(b)) {
        return concat("the types are ", to_string(type_of_buffer(a)), " and ", to_string(type_of_buffer(b)));
    }
    if (a.dimensions != b.dimensions) {
        return concat("the ranks are ", a.dimensions, " and ", b.dimensions);
    }
    for (int32_t d = 0; d < a.dimensions; d++) {
        if (a.dim[d].min != b.dim[d].min || a.dim[d].extent != b.dim[d].extent) {
            return concat("dimension ", d, " starts at ", a.dim[d].min, " with extent ", a.dim[d].extent, " and at ",
                          b.dim[d].min, " with extent ", b.dim[d].extent);
        }
    }
    return "";
}

} // namespace

std::string point_text(const std::vector<int32_t> &point) {
    std::string text = "(";
    for (size_t d = 0; d < point.size(); d++) {
        text += (d == 0 ? "" : ", ") + std::to_string(point[d]);
    }
    return text + ")";
}

Comparison compare_bits(const fluorite_buffer_t &a, const fluorite_buffer_t &b, NanPolicy nans) {
    Comparison result;
    result.text = shape_difference(a, b);
    if (!result.text.empty() || a.is_empty()) {
        return result;
    }
    const Type type = type_of_buffer(a);
    const size_t bytes = static_cast<size_t>(type.bytes());
    std::vector<int32_t> point(static_cast<size_t>(a.dimensions));
    for (size_t d = 0; d < point.size(); d++) {
        point[d] = a.dim[d].min;
    }
    for (bool more = true; more;) {
        uint64_t bits_a = 0, bits_b = 0;
        std::memcpy(&bits_a, a.address_of(point.data()), bytes);
        std::memcpy(&bits_b, b.address_of(point.data()), bytes);
        const bool both_nan =
            nans == NanPolicy::AnyNan && bits_a != bits_b && is_nan(bits_a, type) && is_nan(bits_b, type);
        if (bits_a != bits_b && !both_nan && result.differing++ == 0) {
            result.first = point;
            result.bits_a = bits_a;
            result.bits_b = bits_b;
        }
        more = false;
        for (size_t d = 0; d < point.size() && !more; d++) {
            more = ++point[d] < a.dim[d].min + a.dim[d].extent;
            if (!more) {
                point[d] = a.dim[d].min;
            }
        }
    }
    if (result.differing != 0) {
        result.text = concat(result.differing, " of ", a.number_of_elements(), " elements differ, the first at ",
                             point_text(result.first), ": ", value_text(result.bits_a, type), " (", hex(result.bits_a),
                             ") and ", value_text(result.bits_b, type), " (", hex(result.bits_b), ")");
    }
    return result;
}

} // namespace fluorite::interpret
