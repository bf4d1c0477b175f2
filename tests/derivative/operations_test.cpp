// The rule of every operation and function, against differences and exactly.
#include "tests/derivative/gradients.h"

#include "fluorite/extern_functions.h"

extern "C" double derivative_test_cube(double x, double y) { return x * x * x + y; }

FLUORITE_EXTERN_2(double, derivative_test_cube, double, double)

namespace fluorite::operations_test {
namespace {

const Var x("x");

using Unary = std::function<Expr(Expr)>;
using Binary = std::function<Expr(Expr, Expr)>;

void expect_unary(const char *name, const Unary &function, double low, double high) {
    SCOPED_TRACE(name);
    const Buffer<double> a = numbers<double>({9}, 5, low, high);
    Func f("f");
    f(x) = function(a(x));
    expect_gradients<double>(f, {a}, {{9}});
}

void expect_binary(const char *name, const Binary &function, double low = -2, double high = 2) {
    SCOPED_TRACE(name);
    const Buffer<double> a = numbers<double>({9}, 5, low, high), b = numbers<double>({9}, 6, low, high);
    Func f("f");
    f(x) = function(a(x), b(x));
    expect_gradients<double>(f, {a, b}, {{9}});
}

TEST(DerivativeOperations, FunctionsOfOneOperand) {
    expect_unary("sqrt", [](Expr e) { return sqrt(e); }, 0.5, 2);
    expect_unary("sin", [](Expr e) { return sin(e); }, -3, 3);
    expect_unary("cos", [](Expr e) { return cos(e); }, -3, 3);
    expect_unary("tan", [](Expr e) { return tan(e); }, -1, 1);
    expect_unary("asin", [](Expr e) { return asin(e); }, -0.9, 0.9);
    expect_unary("acos", [](Expr e) { return acos(e); }, -0.9, 0.9);
    expect_unary("atan", [](Expr e) { return atan(e); }, -3, 3);
    expect_unary("sinh", [](Expr e) { return sinh(e); }, -2, 2);
    expect_unary("cosh", [](Expr e) { return cosh(e); }, -2, 2);
    expect_unary("tanh", [](Expr e) { return tanh(e); }, -2, 2);
    expect_unary("asinh", [](Expr e) { return asinh(e); }, -2, 2);
    expect_unary("acosh", [](Expr e) { return acosh(e); }, 1.2, 3);
    expect_unary("atanh", [](Expr e) { return atanh(e); }, -0.9, 0.9);
    expect_unary("exp", [](Expr e) { return exp(e); }, -2, 2);
    expect_unary("log", [](Expr e) { return log(e); }, 0.5, 3);
    expect_unary("erf", [](Expr e) { return erf(e); }, -2, 2);
    expect_unary("floor", [](Expr e) { return floor(e) * e; }, 0.1, 0.9);
    expect_unary("ceil", [](Expr e) { return ceil(e) * e; }, 0.1, 0.9);
    expect_unary("round", [](Expr e) { return round(e) * e; }, 0.6, 0.9);
    expect_unary("trunc", [](Expr e) { return trunc(e) * e; }, 1.1, 1.9);
    expect_unary("fract", [](Expr e) { return fract(e) * e; }, 1.1, 1.9);
    expect_unary("abs", [](Expr e) { return abs(e) * e; }, -2, 2);
    expect_unary("-", [](Expr e) { return -e; }, -2, 2);
    expect_unary("pow(e, 3)", [](Expr e) { return pow(e, 3); }, -2, 2);
    expect_unary("pow(e, 2.5)", [](Expr e) { return pow(e, 2.5); }, 0.2, 2);
    expect_unary("pow(2.5, e)", [](Expr e) { return pow(cast<double>(2.5), e); }, -2, 2);
    expect_unary("likely", [](Expr e) { return likely(e) * strict_float(e); }, -2, 2);
}

TEST(DerivativeOperations, FunctionsOfTwoOperands) {
    expect_binary("+", [](Expr a, Expr b) { return a + b * 2; });
    expect_binary("-", [](Expr a, Expr b) { return a - b; });
    expect_binary("*", [](Expr a, Expr b) { return a * b; });
    expect_binary("/", [](Expr a, Expr b) { return a / b + a / 3 + 2 / b; }, 0.5, 2);
    expect_binary("%", [](Expr a, Expr b) { return (a * 5) % b; }, 0.5, 2);
    expect_binary("min", [](Expr a, Expr b) { return min(a * 2, b); });
    expect_binary("max", [](Expr a, Expr b) { return max(a * 2, b); });
    expect_binary("absd", [](Expr a, Expr b) { return absd(a, b); });
    expect_binary("clamp", [](Expr a, Expr b) { return clamp(a, -abs(b), abs(b) * 2); });
    expect_binary("select", [](Expr a, Expr b) { return select(a > b, a * b, a < 0, sin(a), b * b); });
    expect_binary("pow", [](Expr a, Expr b) { return pow(a, b); }, 0.3, 2);
    expect_binary("hypot", [](Expr a, Expr b) { return hypot(a, b); });
    expect_binary("atan2", [](Expr a, Expr b) { return atan2(a, b); });
    expect_binary("lerp", [](Expr a, Expr b) { return lerp(a, b, abs(sin(a))); });
}

TEST(DerivativeOperations, Approximations) {
    const Buffer<float> a = numbers<float>({9}, 5, 0.5, 2), b = numbers<float>({9}, 6, 0.5, 2);
    Func f("f");
    f(x) = fast_exp(a(x)) + fast_log(b(x)) + fast_sin(a(x)) * fast_cos(b(x)) + fast_pow(a(x), b(x)) +
           fast_inverse(a(x)) + fast_inverse_sqrt(b(x));
    expect_gradients<float>(f, {a, b}, {{9}, {}, 1e-2, 2e-3});
}

/// The adjoint of a(0) where f is this function of it, and the adjoint of f is 1.
template <typename T> T derivative_at(T value, const Unary &function) {
    Buffer<T> a(1);
    a(0) = value;
    Func f("f");
    f() = function(a(Expr(0)));
    return interpreted<T>(propagate_adjoints(f)(a), {1})(0);
}

TEST(DerivativeOperations, AtEndsAndKinks) {
    EXPECT_EQ(derivative_at<double>(0, [](Expr e) { return abs(e); }), 0);
    EXPECT_EQ(derivative_at<double>(0, [](Expr e) { return absd(e, 0); }), 0);
    EXPECT_EQ(derivative_at<double>(0, [](Expr e) { return hypot(e, 0); }), 0);
    EXPECT_EQ(derivative_at<double>(0, [](Expr e) { return sqrt(e); }), HUGE_VAL);
    EXPECT_EQ(derivative_at<double>(0, [](Expr e) { return pow(e, 2.5); }), 0);
    EXPECT_EQ(derivative_at<double>(0, [](Expr e) { return pow(e, e + 1); }), 1);
    EXPECT_EQ(derivative_at<double>(0, [](Expr e) { return pow(e, 0 * e); }), 0);
    // The operand that max and min return has the derivative.
    EXPECT_EQ(derivative_at<double>(1, [](Expr e) { return max(e * 2, e + 1); }), 1);
    EXPECT_EQ(derivative_at<double>(1, [](Expr e) { return min(e * 2, e + 1); }), 1);
    EXPECT_TRUE(std::isnan(derivative_at<double>(NAN, [](Expr e) { return abs(e); })));
}

TEST(DerivativeOperations, BranchesThatAreNotTakenGiveZero) {
    EXPECT_EQ(derivative_at<double>(0, [](Expr e) { return select(e > 0, sqrt(e), 0); }), 0);
    EXPECT_EQ(derivative_at<double>(-1, [](Expr e) { return select(e > 0, log(e) * sqrt(e), e * 3); }), 3);
    EXPECT_EQ(derivative_at<double>(0, [](Expr e) { return select(e != 0, select(e > 0, 1 / e, sqrt(-e)), sin(e)); }),
              1);
    EXPECT_EQ(derivative_at<double>(0, [](Expr e) { return max(e + 1, sqrt(e)); }), 1);
}

TEST(DerivativeOperations, Conversions) {
    EXPECT_EQ(derivative_at<float>(1.5f, [](Expr e) { return cast<float>(cast<double>(e) * 3); }), 3);
    EXPECT_EQ(derivative_at<float>(1.5f, [](Expr e) { return cast<float>(cast<int>(e)) * e; }), 1);
    EXPECT_EQ(derivative_at<float>(1.5f, [](Expr e) { return cast<float>(saturating_cast<float16_t>(e)) * 2; }), 2);
    EXPECT_EQ(derivative_at<float>(1.5f, [](Expr e) { return cast<float>(e > 1) * e; }), 1);
    EXPECT_EQ(derivative_at<float>(1.5f, [](Expr e) { return reinterpret<float>(reinterpret<uint32_t>(e) + 1) + e; }),
              1);
}

template <typename T> void products_in_type() {
    Buffer<T> a(3), b(3), weights(3);
    for (int i = 0; i < 3; i++) {
        a(i) = static_cast<T>(0.5f * static_cast<float>(i + 1));
        b(i) = static_cast<T>(static_cast<float>(i - 2));
        weights(i) = static_cast<T>(static_cast<float>(2 * i + 1));
    }
    Func f("f");
    f(x) = a(x) * b(2 - x);
    f(x) += a(Expr(0)) * 2;
    const Derivative d = propagate_adjoints(f, weights);
    EXPECT_EQ(d(a).type(), type_of<T>());
    const Buffer<T> seen_a = interpreted<T>(d(a), {3}), seen_b = interpreted<T>(d(b), {3});
    for (int i = 0; i < 3; i++) {
        const float sum = i == 0 ? 2.0f * (1 + 3 + 5) : 0.0f;
        EXPECT_EQ(static_cast<float>(seen_a(i)), static_cast<float>((2 * i + 1) * -i) + sum) << i;
        EXPECT_EQ(static_cast<float>(seen_b(i)),
                  static_cast<float>(2 * (2 - i) + 1) * 0.5f * static_cast<float>(3 - i));
    }
}

TEST(DerivativeOperations, EveryFloatType) {
    products_in_type<float>();
    products_in_type<double>();
    products_in_type<float16_t>();
    products_in_type<bfloat16_t>();
}

TEST(DerivativeOperations, FunctionsInFloat32) {
    const Buffer<float> a = numbers<float>({9}, 5, 0.3, 0.9), b = numbers<float>({9}, 6, 0.5, 2);
    Func f("f");
    f(x) = sin(a(x)) * exp(b(x)) + atan2(a(x), b(x)) + acosh(b(x) + 1) + atanh(a(x)) + pow(a(x), b(x)) + erf(a(x)) +
           cast<float>(widening_mul(a(x), b(x)));
    expect_gradients<float>(f, {a, b}, {{9}, {}, 1e-2, 2e-3});
}

TEST(DerivativeOperations, CFunctionsWithARule) {
    const Buffer<double> a = numbers<double>({5}, 1), b = numbers<double>({5}, 2);
    Func f("f");
    f(x) = derivative_test_cube(a(x) * b(x), b(x)) * a(x);
    GradientCase what{{5}};
    what.compiled = true;
    what.options.externs["derivative_test_cube"] = [](const std::vector<Expr> &operands, const Expr &) {
        return std::vector<Expr>{3 * operands[0] * operands[0], Expr(1.0)};
    };
    expect_gradients<double>(f, {a, b}, what);
}

TEST(DerivativeOperations, CFunctionsOfConstantsNeedNoRule) {
    const Buffer<double> a = numbers<double>({5}, 1);
    Func f("f");
    f(x) = derivative_test_cube(cast<double>(x), 1.0) * a(x);
    GradientCase what{{5}};
    what.compiled = true;
    expect_gradients<double>(f, {a}, what);
}

TEST(DerivativeOperations, EffectsAndTagsPassValuesOn) {
    const Buffer<double> a = numbers<double>({5}, 1);
    Func f("f");
    f(x) = require(a(x) < 100, a(x) * a(x), "too large") + memoize_tag(a(x) * 3);
    expect_gradients<double>(f, {a}, {{5}});
    bool has_effects = false;
    ir::for_each_node(propagate_adjoints(f, numbers<double>({5}, 2))(a).value(), [&](const Expr &node) {
        has_effects = has_effects || node->kind() == ir::ExprKind::Require || node->kind() == ir::ExprKind::MemoizeTag;
    });
    EXPECT_FALSE(has_effects);
}

TEST(DerivativeOperations, RandomNumbersThatAreOnlyAdded) {
    const Buffer<double> a = numbers<double>({5}, 1);
    Func f("f");
    f(x) = a(x) * 3 + random_float();
    const Buffer<double> seen = interpreted<double>(propagate_adjoints(f, numbers<double>({5}, 2))(a), {5});
    EXPECT_EQ(seen(2), numbers<double>({5}, 2)(2) * 3);
}

} // namespace
} // namespace fluorite::operations_test
