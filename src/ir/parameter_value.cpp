#include "ir/parameter_value.h"

#include "fluorite/float16.h"

#include <bit>

namespace fluorite::ir {

namespace {

double float_of(Type type, uint64_t bits) {
    if (type.bits() == 64) {
        return std::bit_cast<double>(bits);
    }
    if (type.bits() == 32) {
        return std::bit_cast<float>(static_cast<uint32_t>(bits));
    }
    const auto half = static_cast<uint16_t>(bits);
    return type.is_bfloat() ? static_cast<float>(bfloat16_t::make_from_bits(half))
                            : static_cast<float>(float16_t::make_from_bits(half));
}

} // namespace

Expr value_of(const Parameter &parameter) {
    const Type type = parameter.type;
    if (!parameter.has_value || parameter.is_buffer || type.is_handle()) {
        return {};
    }
    if (type.is_float()) {
        return make_float(type, float_of(type, parameter.value_bits));
    }
    if (type.is_uint()) {
        return make_uint(type, parameter.value_bits);
    }
    const int unused = 64 - type.bits(); // bits are stored without their sign
    return make_int(type, static_cast<int64_t>(parameter.value_bits << unused) >> unused);
}

} // namespace fluorite::ir
