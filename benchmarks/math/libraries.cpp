// The math functions of glibc's vector library (libmvec) and of SLEEF, with the vectors that the compiler's flags
// allow. math_functions.py runs it: `libraries mvec` or `libraries sleef`. Vectors of fewer elements than a register's
// have functions of their own; longer ones are several calls. One element is the C library's function, or SLEEF's
// scalar one.
#include "benchmarks/math/functions.h"

#include <immintrin.h>
#include <sleef.h>

#include <cstring>
#include <memory>

using bench::math::Function;

namespace {

#if defined(__AVX512F__)
#define WIDEST 64
#elif defined(__AVX2__)
#define WIDEST 32
#else
#define WIDEST 16
#endif

// DECLARE(name): the vector functions of one operand; DECLARE2 of two.
#define DECLARE(name)                                                                                                  \
    extern "C" __m128 _ZGVbN4v_##name##f(__m128);                                                                      \
    extern "C" __m128d _ZGVbN2v_##name(__m128d);                                                                       \
    DECLARE_WIDE(name)
#define DECLARE2(name)                                                                                                 \
    extern "C" __m128 _ZGVbN4vv_##name##f(__m128, __m128);                                                             \
    extern "C" __m128d _ZGVbN2vv_##name(__m128d, __m128d);                                                             \
    DECLARE2_WIDE(name)
#if WIDEST >= 32
#define DECLARE_256(name)                                                                                              \
    extern "C" __m256 _ZGVdN8v_##name##f(__m256);                                                                      \
    extern "C" __m256d _ZGVdN4v_##name(__m256d);
#define DECLARE2_256(name)                                                                                             \
    extern "C" __m256 _ZGVdN8vv_##name##f(__m256, __m256);                                                             \
    extern "C" __m256d _ZGVdN4vv_##name(__m256d, __m256d);
#else
#define DECLARE_256(name)
#define DECLARE2_256(name)
#endif
#if WIDEST >= 64
#define DECLARE_WIDE(name)                                                                                             \
    DECLARE_256(name)                                                                                                  \
    extern "C" __m512 _ZGVeN16v_##name##f(__m512);                                                                     \
    extern "C" __m512d _ZGVeN8v_##name(__m512d);
#define DECLARE2_WIDE(name)                                                                                            \
    DECLARE2_256(name)                                                                                                 \
    extern "C" __m512 _ZGVeN16vv_##name##f(__m512, __m512);                                                            \
    extern "C" __m512d _ZGVeN8vv_##name(__m512d, __m512d);
#else
#define DECLARE_WIDE(name) DECLARE_256(name)
#define DECLARE2_WIDE(name) DECLARE2_256(name)
#endif

DECLARE(exp)
DECLARE(log)
DECLARE(exp2)
DECLARE(sin)
DECLARE(cos)
DECLARE(tan)
DECLARE(asin)
DECLARE(acos)
DECLARE(atan)
DECLARE(sinh)
DECLARE(cosh)
DECLARE(tanh)
DECLARE(asinh)
DECLARE(acosh)
DECLARE(atanh)
DECLARE(erf)
DECLARE2(pow)
DECLARE2(atan2)
DECLARE2(hypot)

/// How a vector of elements is loaded, stored and made of one number.
template <typename Vector> struct Memory {
    static Vector load(const void *from) {
        Vector vector;
        std::memcpy(&vector, from, sizeof vector);
        return vector;
    }
    static void store(void *to, Vector vector) { std::memcpy(to, &vector, sizeof vector); }
};

template <typename Element> struct Arrays {
    std::vector<Element> v, w, out;
};

template <typename Element>
bench::math::Row make_row(const Function &function, const std::string &name,
                          const std::function<void(Arrays<Element> &)> &run) {
    using namespace bench::math;
    auto arrays = std::make_shared<Arrays<Element>>();
    arrays->v = arguments<Element>(function.least_v, function.greatest_v, 1);
    arrays->w = arguments<Element>(function.least_w, function.greatest_w, 2);
    arrays->out.resize(count);
    const auto error = [=] {
        double worst = 0;
        for (int i = 0; i < count; i++) {
            const auto at = static_cast<std::size_t>(i);
            const long double wanted = function.value(arrays->v[at], arrays->w[at]);
            worst = std::max(worst, units(arrays->out[at], wanted, sizeof(Element) == 4 ? 24 : 53,
                                          sizeof(Element) == 4 ? -149 : -1074));
        }
        return worst;
    };
    return {name, [=] { run(*arrays); }, error};
}

/// Applies `function` to vectors of the arrays.
template <typename Vector, typename Element, typename Apply> auto over(Apply apply) {
    return [apply](Arrays<Element> &arrays) {
        constexpr int step = sizeof(Vector) / sizeof(Element);
        using M = Memory<Vector>;
        for (int i = 0; i < bench::math::count; i += step) {
            M::store(&arrays.out[i], apply(M::load(&arrays.v[i]), M::load(&arrays.w[i])));
        }
    };
}

using Rows = std::map<std::string, std::function<bench::math::Row(const std::string &)>>;

const Function &find(const std::string &name) {
    const auto &all = bench::math::functions();
    return *std::find_if(all.begin(), all.end(), [&](const Function &function) { return function.name == name; });
}

/// Adds the row of an expression of v and w, which are vectors of a type.
#define ROW(name, type, lanes, Element, Vector, expression)                                                            \
    rows[std::string(name) + "." type "." #lanes] = [](const std::string &row) {                                       \
        return make_row<Element>(find(name), row, over<Vector, Element>([](Vector v, Vector w) -> Vector {             \
                                     (void)w;                                                                          \
                                     return expression;                                                                \
                                 }));                                                                                  \
    };

/// Rows of one operand and of two for a library: F1(name) and F2(name) are its functions for such vectors.
#define ROWS(type, lanes, Element, Vector, F1, F2)                                                                     \
    ROW("exp", type, lanes, Element, Vector, F1(exp)(v))                                                               \
    ROW("log", type, lanes, Element, Vector, F1(log)(v))                                                               \
    ROW("pow(v,w)", type, lanes, Element, Vector, F2(pow)(v, w))                                                       \
    ROW("pow(v,0.4)", type, lanes, Element, Vector, F2(pow)(v, w))                                                     \
    ROW("pow(v,2.2)", type, lanes, Element, Vector, F2(pow)(v, w))                                                     \
    ROW("pow(2,v)", type, lanes, Element, Vector, F1(exp2)(v))                                                         \
    ROW("sigmoid", type, lanes, Element, Vector, Element(1) / (Element(1) + F1(exp)(-v)))                              \
    ROW("sin", type, lanes, Element, Vector, F1(sin)(v))                                                               \
    ROW("cos", type, lanes, Element, Vector, F1(cos)(v))                                                               \
    ROW("tan", type, lanes, Element, Vector, F1(tan)(v))                                                               \
    ROW("asin", type, lanes, Element, Vector, F1(asin)(v))                                                             \
    ROW("acos", type, lanes, Element, Vector, F1(acos)(v))                                                             \
    ROW("atan", type, lanes, Element, Vector, F1(atan)(v))                                                             \
    ROW("atan2", type, lanes, Element, Vector, F2(atan2)(v, w))                                                        \
    ROW("sinh", type, lanes, Element, Vector, F1(sinh)(v))                                                             \
    ROW("cosh", type, lanes, Element, Vector, F1(cosh)(v))                                                             \
    ROW("tanh", type, lanes, Element, Vector, F1(tanh)(v))                                                             \
    ROW("asinh", type, lanes, Element, Vector, F1(asinh)(v))                                                           \
    ROW("acosh", type, lanes, Element, Vector, F1(acosh)(v))                                                           \
    ROW("atanh", type, lanes, Element, Vector, F1(atanh)(v))                                                           \
    ROW("erf", type, lanes, Element, Vector, F1(erf)(v))

#define HYPOT(type, lanes, Element, Vector, hypot) ROW("hypot", type, lanes, Element, Vector, hypot(v, w))

Rows rows_of_mvec() {
    Rows rows;
#define LIBM_F(name) ::name##f
#define LIBM_D(name) ::name
    ROWS("f32", 1, float, float, LIBM_F, LIBM_F)
    ROWS("f64", 1, double, double, LIBM_D, LIBM_D)
    HYPOT("f32", 1, float, float, ::hypotf)
    HYPOT("f64", 1, double, double, ::hypot)
#define V4(name) _ZGVbN4v_##name##f
#define VV4(name) _ZGVbN4vv_##name##f
#define D2(name) _ZGVbN2v_##name
#define DD2(name) _ZGVbN2vv_##name
    ROWS("f32", 4, float, __m128, V4, VV4)
    HYPOT("f32", 4, float, __m128, _ZGVbN4vv_hypotf)
    ROWS("f64", 2, double, __m128d, D2, DD2)
    HYPOT("f64", 2, double, __m128d, _ZGVbN2vv_hypot)
#if WIDEST >= 32
#define V8(name) _ZGVdN8v_##name##f
#define VV8(name) _ZGVdN8vv_##name##f
#define D4(name) _ZGVdN4v_##name
#define DD4(name) _ZGVdN4vv_##name
    ROWS("f32", 8, float, __m256, V8, VV8)
    HYPOT("f32", 8, float, __m256, _ZGVdN8vv_hypotf)
    ROWS("f64", 4, double, __m256d, D4, DD4)
    HYPOT("f64", 4, double, __m256d, _ZGVdN4vv_hypot)
#endif
#if WIDEST >= 64
#define V16(name) _ZGVeN16v_##name##f
#define VV16(name) _ZGVeN16vv_##name##f
#define D8(name) _ZGVeN8v_##name
#define DD8(name) _ZGVeN8vv_##name
    ROWS("f32", 16, float, __m512, V16, VV16)
    HYPOT("f32", 16, float, __m512, _ZGVeN16vv_hypotf)
    ROWS("f64", 8, double, __m512d, D8, DD8)
    HYPOT("f64", 8, double, __m512d, _ZGVeN8vv_hypot)
#endif
    return rows;
}

Rows rows_of_sleef() {
    Rows rows;
#define S1(name) Sleef_##name##f_u10
#define SD1(name) Sleef_##name##_u10
    ROWS("f32", 1, float, float, S1, S1)
    ROWS("f64", 1, double, double, SD1, SD1)
    HYPOT("f32", 1, float, float, Sleef_hypotf_u05)
    HYPOT("f64", 1, double, double, Sleef_hypot_u05)
#if WIDEST >= 32
#define S4(name) Sleef_##name##f4_u10avx2128
#define SD2(name) Sleef_##name##d2_u10avx2128
    HYPOT("f32", 4, float, __m128, Sleef_hypotf4_u05avx2128)
    HYPOT("f64", 2, double, __m128d, Sleef_hypotd2_u05avx2128)
#else
#define S4(name) Sleef_##name##f4_u10sse4
#define SD2(name) Sleef_##name##d2_u10sse4
    HYPOT("f32", 4, float, __m128, Sleef_hypotf4_u05sse4)
    HYPOT("f64", 2, double, __m128d, Sleef_hypotd2_u05sse4)
#endif
    ROWS("f32", 4, float, __m128, S4, S4)
    ROWS("f64", 2, double, __m128d, SD2, SD2)
#if WIDEST >= 32
#define S8(name) Sleef_##name##f8_u10avx2
#define SD4(name) Sleef_##name##d4_u10avx2
    ROWS("f32", 8, float, __m256, S8, S8)
    ROWS("f64", 4, double, __m256d, SD4, SD4)
    HYPOT("f32", 8, float, __m256, Sleef_hypotf8_u05avx2)
    HYPOT("f64", 4, double, __m256d, Sleef_hypotd4_u05avx2)
#endif
#if WIDEST >= 64
#define S16(name) Sleef_##name##f16_u10avx512f
#define SD8(name) Sleef_##name##d8_u10avx512f
    ROWS("f32", 16, float, __m512, S16, S16)
    ROWS("f64", 8, double, __m512d, SD8, SD8)
    HYPOT("f32", 16, float, __m512, Sleef_hypotf16_u05avx512f)
    HYPOT("f64", 8, double, __m512d, Sleef_hypotd8_u05avx512f)
#endif
    return rows;
}

/// The greatest width of at most `lanes` elements for which the library has the function.
std::string width_in(const Rows &rows, const std::string &function, int lanes) {
    for (int width = lanes; width > 0; width /= 2) {
        const std::string name = function + "." + std::to_string(width);
        if (rows.count(name) != 0) {
            return name;
        }
    }
    return "";
}

} // namespace

int main(int argc, char **argv) {
    const Rows rows = argc > 1 && argv[1] == std::string("sleef") ? rows_of_sleef() : rows_of_mvec();
    const auto wanted = bench::math::option(argc, argv, "functions");
    const auto lanes = bench::math::option(argc, argv, "lanes"), types = bench::math::option(argc, argv, "types");
    std::vector<bench::math::Row> chosen;
    for (const Function &function : bench::math::functions()) {
        for (const std::string &type : types) {
            for (const std::string &width : lanes) {
                const std::string of = width_in(rows, std::string(function.name) + "." + type, std::stoi(width));
                if (!of.empty() && (wanted.empty() || wanted.count(function.name) != 0)) {
                    chosen.push_back(rows.at(of)(std::string(function.name) + "." + type + "." + width));
                }
            }
        }
    }
    return bench::math::serve_rows(chosen);
}
