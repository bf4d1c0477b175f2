#pragma once
// The rows of the table of math functions: names, ranges of arguments, and values to compare with.
#include "benchmarks/cases/serve.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace bench::math {

/// A function, of v or of v and w, where v and w are within these ranges. `value` computes with 11 bits more than
/// float64.
struct Function {
    const char *name;
    double least_v, greatest_v, least_w, greatest_w;
    long double (*value)(long double v, long double w);
};

inline const std::vector<Function> &functions() {
    using N = long double;
    static const std::vector<Function> all = {
        {"exp", -20, 20, 0, 0, [](N v, N) { return std::exp(v); }},
        {"log", 0.01, 100, 0, 0, [](N v, N) { return std::log(v); }},
        {"pow(v,w)", 0, 10, -3, 3, [](N v, N w) { return std::pow(v, w); }},
        {"pow(v,0.4)", 0, 10, 0.4f, 0.4f, [](N v, N w) { return std::pow(v, w); }},
        {"pow(v,2.2)", 0, 10, 2.2f, 2.2f, [](N v, N w) { return std::pow(v, w); }},
        {"pow(2,v)", -20, 20, 0, 0, [](N v, N) { return std::exp2(v); }},
        {"sigmoid", -20, 20, 0, 0, [](N v, N) { return 1 / (1 + std::exp(-v)); }},
        {"sin", -20, 20, 0, 0, [](N v, N) { return std::sin(v); }},
        {"cos", -20, 20, 0, 0, [](N v, N) { return std::cos(v); }},
        {"tan", -1.5, 1.5, 0, 0, [](N v, N) { return std::tan(v); }},
        {"asin", -1, 1, 0, 0, [](N v, N) { return std::asin(v); }},
        {"acos", -1, 1, 0, 0, [](N v, N) { return std::acos(v); }},
        {"atan", -20, 20, 0, 0, [](N v, N) { return std::atan(v); }},
        {"atan2", -20, 20, -20, 20, [](N v, N w) { return std::atan2(v, w); }},
        {"sinh", -20, 20, 0, 0, [](N v, N) { return std::sinh(v); }},
        {"cosh", -20, 20, 0, 0, [](N v, N) { return std::cosh(v); }},
        {"tanh", -5, 5, 0, 0, [](N v, N) { return std::tanh(v); }},
        {"asinh", -20, 20, 0, 0, [](N v, N) { return std::asinh(v); }},
        {"acosh", 1, 20, 0, 0, [](N v, N) { return std::acosh(v); }},
        {"atanh", -1, 1, 0, 0, [](N v, N) { return std::atanh(v); }},
        {"erf", -3, 3, 0, 0, [](N v, N) { return std::erf(v); }},
        {"hypot", -20, 20, -20, 20, [](N v, N w) { return std::hypot(v, w); }},
        {"sqrt", 0, 10, 0, 0, [](N v, N) { return std::sqrt(v); }},
        {"floor", -20, 20, 0, 0, [](N v, N) { return std::floor(v); }},
        {"ceil", -20, 20, 0, 0, [](N v, N) { return std::ceil(v); }},
        {"round", -20, 20, 0, 0, [](N v, N) { return std::nearbyint(v); }},
        {"trunc", -20, 20, 0, 0, [](N v, N) { return std::trunc(v); }},
        {"fast_exp", -20, 20, 0, 0, [](N v, N) { return std::exp(v); }},
        {"fast_log", 0.01, 100, 0, 0, [](N v, N) { return std::log(v); }},
        {"fast_pow", 0.01, 10, 2.2f, 2.2f, [](N v, N w) { return std::pow(v, w); }},
        {"fast_sin", -20, 20, 0, 0, [](N v, N) { return std::sin(v); }},
        {"fast_cos", -20, 20, 0, 0, [](N v, N) { return std::cos(v); }},
    };
    return all;
}

constexpr int count =
    65536; // arguments of a run: calling a pipeline takes little beside, and the second cache holds them

/// Pseudo-random numbers within a range, rounded to Element.
template <typename Element> std::vector<Element> arguments(double least, double greatest, std::uint64_t seed) {
    std::vector<Element> numbers(count);
    for (Element &number : numbers) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const double part = static_cast<double>(seed >> 11) * 0x1p-53;
        number = static_cast<Element>(static_cast<float>(least + (greatest - least) * part));
        if (sizeof(Element) == 8) {
            number = static_cast<Element>(least + (greatest - least) * part);
        }
    }
    return numbers;
}

/// The distance of `got` in units in the last place of a format with so many bits.
inline double units(long double got, long double wanted, int bits, int least_exponent) {
    if (std::isnan(got) || std::isnan(wanted)) {
        return std::isnan(got) == std::isnan(wanted) ? 0 : std::numeric_limits<double>::infinity();
    }
    // Halves overflow early.
    if (got == wanted || (std::isinf(got) && std::fabs(wanted) > 65519 && bits == 11)) {
        return 0;
    }
    int exponent = 0;
    (void)std::frexp(wanted, &exponent);
    return static_cast<double>(std::fabs(got - wanted) / std::ldexp(1.0L, std::max(exponent - bits, least_exponent)));
}

inline double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The value of an option `--name a,b,c`; empty without it.
inline std::set<std::string> option(int argc, char **argv, const std::string &name) {
    std::set<std::string> words;
    for (int i = 1; i + 1 < argc; i++) {
        if (argv[i] == "--" + name) {
            std::stringstream list(argv[i + 1]);
            // Commas in names are within parentheses.
            for (std::string word, part; std::getline(list, part, ',');) {
                word += (word.empty() ? "" : ",") + part;
                if (std::count(word.begin(), word.end(), '(') == std::count(word.begin(), word.end(), ')')) {
                    words.insert(word);
                    word.clear();
                }
            }
        }
    }
    return words;
}

/// What is measured: rows `FUNCTION.TYPE.LANES`.
struct Row {
    std::string name;
    std::function<void()> run;
    std::function<double()> error;
};

/// Serves repetitions: `value ROW NANOSECONDS` of a value for each row, by processor time; the first repetition also
/// prints `value ROW.ulp UNITS`.
inline int serve_rows(std::vector<Row> &rows) {
    return serve([&](int repetition) {
        for (const Row &row : rows) {
            constexpr int times = 8;
            const double start = processor_seconds();
            for (int i = 0; i < times; i++) {
                row.run();
            }
            report(row.name, (processor_seconds() - start) / times / count * 1e9);
            if (repetition == 1) {
                report(row.name + ".ulp", row.error());
            }
        }
    });
}

} // namespace bench::math
