// The math functions on float32, in vectors of 8.
#include "batch.h"

using namespace Halide;

int main() {
    bench::Batch batch;
    Var x("x"), y("y");
    const auto add = [&](const char *name, const std::function<Expr(Expr)> &function, float low, float high,
                         const bench::Tolerance &tolerance = bench::rounding) {
        const Buffer<float> in = bench::random_buffer<float>({4096, 16}, 65536, (high - low) / 65536, low);
        Func f(std::string(name) + "_of");
        f(x, y) = function(in(x, y));
        f.vectorize(x, 8);
        batch.add(name, f, Buffer<float>(4096, 16), 4, tolerance);
    };
    add("exp", [](Expr v) { return exp(v); }, -20, 20);
    add("log", [](Expr v) { return log(v); }, 0.01f, 100);
    add("pow", [](Expr v) { return pow(v, 2.2f); }, 0, 10);
    add("sin", [](Expr v) { return sin(v); }, -20, 20);
    add("cos", [](Expr v) { return cos(v); }, -20, 20);
    add("tan", [](Expr v) { return tan(v); }, -1.5f, 1.5f);
    add("asin", [](Expr v) { return asin(v); }, -1, 1);
    add("acos", [](Expr v) { return acos(v); }, -1, 1);
    add("atan", [](Expr v) { return atan(v); }, -20, 20);
    add("atan2", [](Expr v) { return atan2(v, v * v - 3.0f); }, -20, 20);
    add("sinh", [](Expr v) { return sinh(v); }, -20, 20);
    add("cosh", [](Expr v) { return cosh(v); }, -20, 20);
    add("tanh", [](Expr v) { return tanh(v); }, -5, 5);
    add("erf", [](Expr v) { return erf(v); }, -3, 3);
    add("sqrt", [](Expr v) { return sqrt(v); }, 0, 10);
    // Each library has its own approximations for these, of some 20 bits.
    const bench::Tolerance approximate = {1e-5};
    add("fast_exp", [](Expr v) { return fast_exp(v); }, -20, 20, approximate);
    add("fast_log", [](Expr v) { return fast_log(v); }, 0.01f, 100);
    add("fast_pow", [](Expr v) { return fast_pow(v, 2.2f); }, 0.01f, 10, approximate);
    return batch.serve();
}
