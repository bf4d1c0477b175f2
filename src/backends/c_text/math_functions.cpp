#include "backends/c_text/math_functions.h"

#include "backends/c_text/text_math.h"
#include "fluorite/runtime/math_kernels.h"
#include "fluorite/runtime/math_kernels/float64.h"
#include "fluorite/runtime/math_kernels/float64_inverses.h"
#include "fluorite/runtime/math_kernels/float64_rare.h"
#include "support/check.h"

namespace fluorite::backends::c_text {

using ir::MathOp;
namespace kernels = math_kernels;
namespace float64 = math_kernels::float64;

namespace {

using Single = TextMath::Single;
using Double = TextMath::Double;

/// The kernel for all operands.
Single kernel_of(const TextMath &m, MathOp op, const Single &x, const Single &y) {
    switch (op) {
    case MathOp::Exp:
        return kernels::exp(m, x);
    case MathOp::Log:
        return kernels::log(m, x);
    case MathOp::Pow:
        return kernels::pow(m, x, y);
    case MathOp::Sin:
        return kernels::sin(m, x);
    case MathOp::Cos:
        return kernels::cos(m, x);
    case MathOp::Tan:
        return kernels::tan(m, x);
    case MathOp::Asin:
        return kernels::asin(m, x);
    case MathOp::Acos:
        return kernels::acos(m, x);
    case MathOp::Atan:
        return kernels::atan(m, x);
    case MathOp::Atan2:
        return kernels::atan2(m, x, y);
    case MathOp::Sinh:
        return kernels::sinh(m, x);
    case MathOp::Cosh:
        return kernels::cosh(m, x);
    case MathOp::Tanh:
        return kernels::tanh(m, x);
    case MathOp::Asinh:
        return kernels::asinh(m, x);
    case MathOp::Acosh:
        return kernels::acosh(m, x);
    case MathOp::Atanh:
        return kernels::atanh(m, x);
    case MathOp::Erf:
        return kernels::erf(m, x);
    case MathOp::Hypot:
        return kernels::hypot(m, x, y);
    case MathOp::FastExp:
        return kernels::fast_exp(m, x);
    case MathOp::FastLog:
        return kernels::fast_log(m, x);
    case MathOp::FastSin:
        return kernels::fast_sin(m, x);
    case MathOp::FastCos:
        return kernels::fast_cos(m, x);
    case MathOp::FastPow:
        return kernels::fast_pow(m, x, y);
    default: // what is an operator or a function of OpenCL, see math_text
        unreachable("a function with a kernel");
    }
}

/// The same on float64, where the fast_ functions are the accurate ones.
Double kernel_of(const TextMath &m, MathOp op, const Double &x, const Double &y) {
    switch (op) {
    case MathOp::Exp:
    case MathOp::FastExp:
        return float64::exp(m, x);
    case MathOp::Log:
    case MathOp::FastLog:
        return float64::log(m, x);
    case MathOp::Pow:
    case MathOp::FastPow:
        return float64::pow(m, x, y);
    case MathOp::Sin:
    case MathOp::FastSin:
        return float64::sin(m, x);
    case MathOp::Cos:
    case MathOp::FastCos:
        return float64::cos(m, x);
    case MathOp::Tan:
        return float64::tan(m, x);
    case MathOp::Asin:
        return float64::asin(m, x);
    case MathOp::Acos:
        return float64::acos(m, x);
    case MathOp::Atan:
        return float64::atan(m, x);
    case MathOp::Atan2:
        return float64::atan2(m, x, y);
    case MathOp::Sinh:
        return float64::sinh(m, x);
    case MathOp::Cosh:
        return float64::cosh(m, x);
    case MathOp::Tanh:
        return float64::tanh(m, x);
    case MathOp::Asinh:
        return float64::asinh(m, x);
    case MathOp::Acosh:
        return float64::acosh(m, x);
    case MathOp::Atanh:
        return float64::atanh(m, x);
    case MathOp::Erf:
        return float64::erf(m, x);
    case MathOp::Hypot:
        return float64::hypot(m, x, y);
    default: // what is an operator or a function of OpenCL, see math_text
        unreachable("a function with a kernel");
    }
}

/// A function that returns the kernel's result.
template <typename T> std::string function_text(const std::string &name, MathOp op) {
    const TextMath m;
    const TextValue<T> result = kernel_of(m, op, m.parameter<T>("x"), m.parameter<T>("y"));
    const std::string type = std::is_same_v<T, float> ? "float" : "double";
    const std::string parameters = concat(type, " x", ir::math_arity(op) == 2 ? ", " + type + " y" : "");
    return concat("static ", type, " ", name, "(", parameters, ") {\n", m.text(), "    return ", result.name, ";\n}");
}

std::string call_of(Operators &operators, MathOp op, Type type, const std::vector<std::string> &args) {
    const std::string name = concat("fluorite_math_", ir::math_name(op), "_f", type.bits()); // not the runtime's name
    operators.helpers().with(
        name, [&] { return type.bits() == 32 ? function_text<float>(name, op) : function_text<double>(name, op); });
    return concat(name, "(", args[0], args.size() > 1 ? ", " + args[1] : "", ")");
}

} // namespace

std::string math_text(Operators &operators, MathOp op, Type type, const std::vector<std::string> &args) {
    if (is_short_float(type)) { // computes in float, and rounds once
        std::vector<std::string> wide;
        for (const std::string &arg : args) {
            wide.push_back(operators.widened(type, arg));
        }
        const std::string result = math_text(operators, op, Float(32), wide);
        const bool is_test = op == MathOp::IsNan || op == MathOp::IsInf || op == MathOp::IsFinite;
        return is_test ? result : operators.rounded(type, result);
    }
    const std::string &x = args[0], infinity = type.bits() == 32 ? "INFINITY" : "(double)INFINITY";
    switch (op) {
    case MathOp::Sqrt:
        return concat("sqrt(", x, ")");
    case MathOp::Floor:
        return concat("floor(", x, ")");
    case MathOp::Ceil:
        return concat("ceil(", x, ")");
    case MathOp::Round:
        return concat("rint(", x, ")");
    case MathOp::Trunc:
        return concat("trunc(", x, ")");
    case MathOp::FastInverse:
        return "1 / " + x;
    case MathOp::FastInverseSqrt:
        return concat("1 / sqrt(", x, ")");
    case MathOp::IsNan:
        return concat(x, " != ", x);
    case MathOp::IsInf:
        return concat("fabs(", x, ") == ", infinity);
    case MathOp::IsFinite:
        return concat("fabs(", x, ") < ", infinity);
    case MathOp::Sin:
    case MathOp::Cos:
    case MathOp::Tan:
    case MathOp::Asin:
    case MathOp::Acos:
    case MathOp::Atan:
    case MathOp::Atan2:
    case MathOp::Sinh:
    case MathOp::Cosh:
    case MathOp::Tanh:
    case MathOp::Asinh:
    case MathOp::Acosh:
    case MathOp::Atanh:
    case MathOp::Exp:
    case MathOp::Log:
    case MathOp::Pow:
    case MathOp::Hypot:
    case MathOp::Erf:
    case MathOp::FastLog:
    case MathOp::FastExp:
    case MathOp::FastSin:
    case MathOp::FastCos:
    case MathOp::FastPow:
        return call_of(operators, op, type, args);
    }
    unreachable("a math function of no kind");
}

} // namespace fluorite::backends::c_text
