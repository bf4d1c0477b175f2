// Math functions and random numbers on cells.
//
// The functions are those of fluorite/runtime/math.h, which every back end calls or emits, so that their bits are the
// same everywhere. 16-bit floats use the function on float32 and round its result once.

#include "fluorite/runtime/math.h"
#include "interpret/cells.h"

namespace fluorite::interpret {

using ir::MathOp;

namespace {

template <auto f32> Cell math_unary_f32(Cell a) { return store(f32(load<float>(a))); }
template <auto f64> Cell math_unary_f64(Cell a) { return store(f64(load<double>(a))); }
template <auto f32, typename T> Cell math_unary_16(Cell a) {
    const auto result = f32(static_cast<float>(load<T>(a)));
    if constexpr (std::same_as<decltype(result), const bool>) {
        return store(result);
    } else {
        return store(T(result));
    }
}
template <auto f32, auto f64> Unary math_unary(Type type) {
    if (type == Float(32)) {
        return math_unary_f32<f32>;
    }
    if (type == Float(64)) {
        return math_unary_f64<f64>;
    }
    if (type == Float(16)) {
        return math_unary_16<f32, float16_t>;
    }
    return type == BFloat(16) ? math_unary_16<f32, bfloat16_t> : nullptr;
}

template <auto f32> Cell math_binary_f32(Cell a, Cell b) { return store(f32(load<float>(a), load<float>(b))); }
template <auto f64> Cell math_binary_f64(Cell a, Cell b) { return store(f64(load<double>(a), load<double>(b))); }
template <auto f32, typename T> Cell math_binary_16(Cell a, Cell b) {
    return store(T(f32(static_cast<float>(load<T>(a)), static_cast<float>(load<T>(b)))));
}
template <auto f32, auto f64> Binary math_binary(Type type) {
    if (type == Float(32)) {
        return math_binary_f32<f32>;
    }
    if (type == Float(64)) {
        return math_binary_f64<f64>;
    }
    if (type == Float(16)) {
        return math_binary_16<f32, float16_t>;
    }
    return type == BFloat(16) ? math_binary_16<f32, bfloat16_t> : nullptr;
}

} // namespace

Unary find_math_unary(MathOp op, Type type) {
#define FLUORITE_CASE(op, name)                                                                                        \
    case MathOp::op:                                                                                                   \
        return math_unary<fluorite_##name##_f32, fluorite_##name##_f64>(type)
    switch (op) {
        FLUORITE_CASE(Sqrt, sqrt);
        FLUORITE_CASE(Sin, sin);
        FLUORITE_CASE(Cos, cos);
        FLUORITE_CASE(Tan, tan);
        FLUORITE_CASE(Asin, asin);
        FLUORITE_CASE(Acos, acos);
        FLUORITE_CASE(Atan, atan);
        FLUORITE_CASE(Sinh, sinh);
        FLUORITE_CASE(Cosh, cosh);
        FLUORITE_CASE(Tanh, tanh);
        FLUORITE_CASE(Asinh, asinh);
        FLUORITE_CASE(Acosh, acosh);
        FLUORITE_CASE(Atanh, atanh);
        FLUORITE_CASE(Exp, exp);
        FLUORITE_CASE(Log, log);
        FLUORITE_CASE(Erf, erf);
        FLUORITE_CASE(Floor, floor);
        FLUORITE_CASE(Ceil, ceil);
        FLUORITE_CASE(Round, round);
        FLUORITE_CASE(Trunc, trunc);
        FLUORITE_CASE(FastLog, fast_log);
        FLUORITE_CASE(FastExp, fast_exp);
        FLUORITE_CASE(FastSin, fast_sin);
        FLUORITE_CASE(FastCos, fast_cos);
        FLUORITE_CASE(FastInverse, fast_inverse);
        FLUORITE_CASE(FastInverseSqrt, fast_inverse_sqrt);
        FLUORITE_CASE(IsNan, is_nan);
        FLUORITE_CASE(IsInf, is_inf);
        FLUORITE_CASE(IsFinite, is_finite);
    case MathOp::Atan2:
    case MathOp::Pow:
    case MathOp::Hypot:
    case MathOp::FastPow:
        return nullptr; // two operands
    }
#undef FLUORITE_CASE
    return nullptr;
}

Binary find_math_binary(MathOp op, Type type) {
    switch (op) {
    case MathOp::Atan2:
        return math_binary<fluorite_atan2_f32, fluorite_atan2_f64>(type);
    case MathOp::Pow:
        return math_binary<fluorite_pow_f32, fluorite_pow_f64>(type);
    case MathOp::Hypot:
        return math_binary<fluorite_hypot_f32, fluorite_hypot_f64>(type);
    case MathOp::FastPow:
        return math_binary<fluorite_fast_pow_f32, fluorite_fast_pow_f64>(type);
    default: // functions of one operand
        return nullptr;
    }
}

Cell random_value(uint32_t hash, Type type) {
    if (type.is_float()) {
        return store(fluorite_random_to_f32(hash));
    }
    return type.is_int() ? store(static_cast<int32_t>(hash)) : store(hash);
}

} // namespace fluorite::interpret
