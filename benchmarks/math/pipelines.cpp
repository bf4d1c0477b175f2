// The math functions in vectors of several widths, by whichever library Halide.h belongs to. math_functions.py runs it.
#include "benchmarks/math/functions.h"

#include <Halide.h>

#include <memory>

using namespace Halide;
using bench::math::Function;

namespace {

Expr apply(const std::string &name, const Expr &v, const Expr &w) {
    const Expr one = cast(v.type(), Expr(1)), two = cast(v.type(), Expr(2));
    const std::map<std::string, std::function<Expr()>> all = {
        {"exp", [&] { return exp(v); }},
        {"log", [&] { return log(v); }},
        {"pow(v,w)", [&] { return pow(v, w); }},
        {"pow(v,0.4)", [&] { return pow(v, cast(v.type(), Expr(0.4f))); }},
        {"pow(v,2.2)", [&] { return pow(v, cast(v.type(), Expr(2.2f))); }},
        {"pow(2,v)", [&] { return pow(two, v); }},
        {"sigmoid", [&] { return one / (one + exp(-v)); }},
        {"sin", [&] { return sin(v); }},
        {"cos", [&] { return cos(v); }},
        {"tan", [&] { return tan(v); }},
        {"asin", [&] { return asin(v); }},
        {"acos", [&] { return acos(v); }},
        {"atan", [&] { return atan(v); }},
        {"atan2", [&] { return atan2(v, w); }},
        {"sinh", [&] { return sinh(v); }},
        {"cosh", [&] { return cosh(v); }},
        {"tanh", [&] { return tanh(v); }},
        {"asinh", [&] { return asinh(v); }},
        {"acosh", [&] { return acosh(v); }},
        {"atanh", [&] { return atanh(v); }},
        {"erf", [&] { return erf(v); }},
        {"hypot", [&] { return hypot(v, w); }},
        {"sqrt", [&] { return sqrt(v); }},
        {"floor", [&] { return floor(v); }},
        {"ceil", [&] { return ceil(v); }},
        {"round", [&] { return round(v); }},
        {"trunc", [&] { return trunc(v); }},
        {"fast_exp", [&] { return fast_exp(v); }},
        {"fast_log", [&] { return fast_log(v); }},
        {"fast_pow", [&] { return fast_pow(v, cast(v.type(), Expr(2.2f))); }},
        {"fast_sin", [&] { return fast_sin(v); }},
        {"fast_cos", [&] { return fast_cos(v); }},
    };
    return all.at(name)();
}

/// The fast_ functions exist in float32 only, and so does the peer's erf.
bool is_of_float32(const std::string &name) {
#if __has_include("fluorite/fluorite.h")
    const bool has_erf = true;
#else
    const bool has_erf = false;
#endif
    return name.rfind("fast_", 0) == 0 || (name == "erf" && !has_erf);
}

/// 16-bit floats are computed in float32.
template <typename Element> Expr value_of(const Function &function, const Expr &v, const Expr &w) {
    if (sizeof(Element) == 2) {
        return cast<Element>(apply(function.name, cast<float>(v), cast<float>(w)));
    }
    return apply(function.name, v, w);
}

template <typename Element> bench::math::Row make_row(const Function &function, const std::string &name, int lanes) {
    constexpr int count = bench::math::count;
    const auto numbers = [&](const std::vector<float> &singles, const std::vector<double> &doubles) {
        Buffer<Element> buffer(count);
        for (int i = 0; i < count; i++) {
            buffer(i) = sizeof(Element) == 8 ? static_cast<Element>(doubles[i]) : static_cast<Element>(singles[i]);
        }
        return buffer;
    };
    const auto draw = [&](double least, double greatest, std::uint64_t seed) {
        return numbers(bench::math::arguments<float>(least, greatest, seed),
                       bench::math::arguments<double>(least, greatest, seed));
    };
    const Buffer<Element> v = draw(function.least_v, function.greatest_v, 1);
    const Buffer<Element> w = draw(function.least_w, function.greatest_w, 2);
    Var x("x");
    Func f("row");
    f(x) = value_of<Element>(function, v(x), w(x));
    if (lanes > 1) {
        f.vectorize(x, lanes);
    }
    f.compile_jit();
    Buffer<Element> out(count);
    const auto run = [f, out]() mutable { f.realize(out); };
    const auto error = [=]() mutable {
        const int bits = sizeof(Element) == 8                 ? 53
                         : sizeof(Element) == 4               ? 24
                         : std::is_same_v<Element, float16_t> ? 11
                                                              : 8;
        const int least = sizeof(Element) == 8 ? -1074 : sizeof(Element) == 4 ? -149 : bits == 11 ? -24 : -133;
        double worst = 0;
        for (int i = 0; i < count; i++) {
            const auto wide = [](Element number) { return static_cast<long double>(static_cast<double>(number)); };
            const bool is_constant = function.least_w == function.greatest_w; // and is no 16-bit float
            const long double exponent = is_constant ? function.least_w : wide(w(i));
            const long double wanted = function.value(wide(v(i)), exponent);
            worst = std::max(worst, bench::math::units(wide(out(i)), wanted, bits, least));
        }
        return worst;
    };
    return {name, run, error};
}

bench::math::Row make_row(const Function &function, const std::string &type, const std::string &name, int lanes) {
    if (type == "f16") {
        return make_row<float16_t>(function, name, lanes);
    }
    if (type == "bf16") {
        return make_row<bfloat16_t>(function, name, lanes);
    }
    return type == "f32" ? make_row<float>(function, name, lanes) : make_row<double>(function, name, lanes);
}

} // namespace

int main(int argc, char **argv) {
    const auto wanted = bench::math::option(argc, argv, "functions");
    const auto lanes = bench::math::option(argc, argv, "lanes"), types = bench::math::option(argc, argv, "types");
    std::vector<bench::math::Row> rows;
    for (const Function &function : bench::math::functions()) {
        for (const std::string &type : types) {
            for (const std::string &width : lanes) {
                if (!wanted.empty() && wanted.count(function.name) == 0) {
                    continue;
                }
                if (type == "f64" && is_of_float32(function.name)) {
                    continue;
                }
                const std::string name = std::string(function.name) + "." + type + "." + width;
                rows.push_back(make_row(function, type, name, std::stoi(width)));
            }
        }
    }
    return bench::math::serve_rows(rows);
}
