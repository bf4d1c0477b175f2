// Math functions against <cmath>, fast_ ones within their error, strict_float, rounding, random numbers.
#include <Halide.h>

#include <stdio.h>

using namespace Halide;

int main() {
    Var x("x");
    Buffer<float> in(200);
    for (int i = 0; i < 200; i++) {
        in(i) = (i - 100) / 20.0f;
    }
    Expr v = in(x), p = abs(v) + 0.125f, u = v / 6.0f;
    struct Case {
        const char *name;
        Expr e;
        float (*want)(float v, float p, float u);
        float tolerance;
    } cases[] = {
        {"sin", sin(v), [](float v, float, float) { return std::sin(v); }, 1e-6f},
        {"cos", cos(v), [](float v, float, float) { return std::cos(v); }, 1e-6f},
        {"tan", tan(u), [](float, float, float u) { return std::tan(u); }, 1e-5f},
        {"asin", asin(u), [](float, float, float u) { return std::asin(u); }, 1e-6f},
        {"acos", acos(u), [](float, float, float u) { return std::acos(u); }, 1e-6f},
        {"atan", atan(v), [](float v, float, float) { return std::atan(v); }, 1e-6f},
        {"atan2", atan2(v, p), [](float v, float p, float) { return std::atan2(v, p); }, 1e-6f},
        {"sinh", sinh(u), [](float, float, float u) { return std::sinh(u); }, 1e-6f},
        {"cosh", cosh(u), [](float, float, float u) { return std::cosh(u); }, 1e-6f},
        {"tanh", tanh(v), [](float v, float, float) { return std::tanh(v); }, 1e-6f},
        {"asinh", asinh(v), [](float v, float, float) { return std::asinh(v); }, 1e-6f},
        {"acosh", acosh(p + 1), [](float, float p, float) { return std::acosh(p + 1); }, 1e-5f},
        {"atanh", atanh(u * 0.9f), [](float, float, float u) { return std::atanh(u * 0.9f); }, 1e-5f},
        {"exp", exp(u), [](float, float, float u) { return std::exp(u); }, 1e-6f},
        {"log", log(p), [](float, float p, float) { return std::log(p); }, 1e-6f},
        {"pow", pow(p, v), [](float v, float p, float) { return std::pow(p, v); }, 1e-5f},
        {"pow3", pow(v, 3), [](float v, float, float) { return v * v * v; }, 1e-5f},
        {"sqrt", sqrt(p), [](float, float p, float) { return std::sqrt(p); }, 0},
        {"hypot", hypot(v, p), [](float v, float p, float) { return std::hypot(v, p); }, 1e-6f},
        {"erf", erf(v), [](float v, float, float) { return std::erf(v); }, 1e-5f},
        {"floor", floor(v), [](float v, float, float) { return std::floor(v); }, 0},
        {"ceil", ceil(v), [](float v, float, float) { return std::ceil(v); }, 0},
        {"round", round(v), [](float v, float, float) { return std::nearbyint(v); }, 0},
        {"trunc", trunc(v), [](float v, float, float) { return std::trunc(v); }, 0},
        {"fract", fract(v), [](float v, float, float) { return v - std::trunc(v); }, 0},
        {"fast_exp", fast_exp(u), [](float, float, float u) { return std::exp(u); }, 1e-3f},
        {"fast_log", fast_log(p), [](float, float p, float) { return std::log(p); }, 1e-3f},
        {"fast_pow", fast_pow(p, u), [](float, float p, float u) { return std::pow(p, u); }, 1e-3f},
        {"fast_sin", fast_sin(v), [](float v, float, float) { return std::sin(v); }, 1e-3f},
        {"fast_cos", fast_cos(v), [](float v, float, float) { return std::cos(v); }, 1e-3f},
        {"fast_inverse", fast_inverse(p), [](float, float p, float) { return 1 / p; }, 5e-3f},
        {"fast_inverse_sqrt", fast_inverse_sqrt(p), [](float, float p, float) { return 1 / std::sqrt(p); }, 5e-3f},
        {"strict", strict_float((v + 1e6f) - 1e6f),
         [](float v, float, float) {
             volatile float t = v + 1e6f;
             return t - 1e6f;
         },
         0},
    };
    for (const Case &c : cases) {
        Func f(c.name);
        f(x) = c.e;
        f.vectorize(x, 8);
        Buffer<float> out = f.realize({200});
        for (int i = 0; i < 200; i++) {
            float v = in(i), want = c.want(v, std::abs(v) + 0.125f, v / 6.0f);
            if (std::abs(out(i) - want) > c.tolerance * std::max(1.0f, std::abs(want))) {
                printf("%s(%f): %.9g instead of %.9g\n", c.name, v, out(i), want);
                return 1;
            }
        }
    }
    Func nan("nan");
    nan(x) = cast<uint8_t>(is_nan(in(x) / 0.0f * 0.0f)) + 2 * cast<uint8_t>(is_inf(1.0f / (in(x)-in(x)))) +
             4 * cast<uint8_t>(is_finite(in(x)));
    Buffer<uint8_t> nans = nan.realize({10});
    Func noise("noise");
    noise(x) = {random_float(), random_uint(), random_int(), random_float(7)};
    Realization r = noise.realize({4096}), again = noise.realize({4096});
    Buffer<float> fl = r[0], fl2 = again[0], seeded = r[3];
    Buffer<uint32_t> ui = r[1];
    double mean = 0, same = 0, umean = 0;
    for (int i = 0; i < 4096; i++) {
        mean += fl(i), same += fl(i) == seeded(i), umean += ui(i) / 4294967296.0;
        if (!(fl(i) >= 0 && fl(i) < 1)) {
            return 2;
        }
    }
    return nans(3) == 7 && std::abs(mean / 4096 - 0.5) < 0.05 && std::abs(umean / 4096 - 0.5) < 0.05 && same < 100 ? 0
                                                                                                                   : 3;
}
