// Whether this processor can run code for a target.
//
// A function that is compiled for several targets (src/generator/dispatch.cpp) asks once a call for the features that
// each of them adds, and runs the code of the first target that it can. The question goes through
// halide_can_use_target_features, which programs may define or set, to choose otherwise. The features and what they
// contain are those of the compiler's description of its own machine (src/ir/host_target.cpp).
//
// Cost: the tables of the processor are read before main(); a call compares texts of some ten bytes, less than a
// microsecond. Does not do: processors other than x86-64, for which it says no.

#include "runtime/replaceable.h"

#include <atomic>
#include <cstring>

namespace {

struct Feature {
    const char *name;
    bool is_there;
};

#if defined(__x86_64__)
bool has_sapphire_rapids() {
#if defined(__clang__) ? __clang_major__ >= 16 : __GNUC__ >= 12
    return __builtin_cpu_supports("avx512fp16") && __builtin_cpu_supports("avxvnni");
#else
    return false;
#endif
}

/// The features of targets, as the compiler's description of its own machine finds them.
bool has_feature(const char *name, size_t length) {
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool fma = __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && fma && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd");
    const bool skylake = avx512 && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                         __builtin_cpu_supports("avx512dq");
    const bool cannonlake = skylake && __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vbmi");
    const bool zen4 = cannonlake && __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vnni") &&
                      __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq") &&
                      __builtin_cpu_supports("avx512bf16");
    const Feature features[] = {{"sse41", __builtin_cpu_supports("sse4.1") != 0},
                                {"avx", __builtin_cpu_supports("avx") != 0},
                                {"avx2", avx2},
                                {"fma", fma},
                                {"f16c", avx2}, // every processor with AVX2 has it
                                {"avx512", avx512},
                                {"avx512_skylake", skylake},
                                {"avx512_cannonlake", cannonlake},
                                {"avx512_zen4", zen4},
                                {"avx512_sapphirerapids", zen4 && has_sapphire_rapids()}};
    for (const Feature &feature : features) {
        if (std::strlen(feature.name) == length && std::strncmp(feature.name, name, length) == 0) {
            return feature.is_there;
        }
    }
    return false;
}
#else
bool has_feature(const char *, size_t) { return false; }
#endif

/// The features of processors by their numbers. The number of any other is the end.
struct Number {
    const char *name;
    int number;
};
constexpr Number numbers[] = {{"sse41", halide_target_feature_sse41},
                              {"avx", halide_target_feature_avx},
                              {"avx2", halide_target_feature_avx2},
                              {"avxvnni", halide_target_feature_avxvnni},
                              {"fma", halide_target_feature_fma},
                              {"fma4", halide_target_feature_fma4},
                              {"f16c", halide_target_feature_f16c},
                              {"avx512", halide_target_feature_avx512},
                              {"avx512_knl", halide_target_feature_avx512_knl},
                              {"avx512_skylake", halide_target_feature_avx512_skylake},
                              {"avx512_cannonlake", halide_target_feature_avx512_cannonlake},
                              {"avx512_zen4", halide_target_feature_avx512_zen4},
                              {"avx512_zen5", halide_target_feature_avx512_zen5},
                              {"avx512_sapphirerapids", halide_target_feature_avx512_sapphirerapids}};

int number_of(const char *name, size_t length) {
    for (const Number &each : numbers) {
        if (std::strlen(each.name) == length && std::strncmp(each.name, name, length) == 0) {
            return each.number;
        }
    }
    return halide_target_feature_end;
}

std::atomic<halide_can_use_target_features_t> can_use_function{halide_default_can_use_target_features};

} // namespace

extern "C" {

int halide_default_can_use_target_features(int count, const uint64_t *features) {
    for (const Number &each : numbers) {
        const int word = each.number / 64;
        const bool is_asked = word < count && (features[word] >> (each.number % 64) & 1) != 0;
        if (is_asked && !has_feature(each.name, std::strlen(each.name))) {
            return 0;
        }
    }
    return 1;
}
int fluorite_own_halide_can_use_target_features(int count, const uint64_t *features) {
    return can_use_function.load(std::memory_order_relaxed)(count, features);
}
halide_can_use_target_features_t halide_set_custom_can_use_target_features(halide_can_use_target_features_t function) {
    return can_use_function.exchange(function != nullptr ? function : halide_default_can_use_target_features);
}

/// Whether this processor has all of the features, which commas separate; an unknown one is none that it has.
__attribute__((weak)) int halide_can_use_features(const char *features) {
    uint64_t bits[(halide_target_feature_end + 63) / 64] = {};
    for (const char *begin = features; *begin != 0;) {
        const size_t length = std::strcspn(begin, ",");
        const int number = number_of(begin, length);
        if (number == halide_target_feature_end) {
            return 0;
        }
        bits[number / 64] |= uint64_t{1} << (number % 64);
        begin += length + (begin[length] == ',' ? 1 : 0);
    }
    return halide_can_use_target_features(static_cast<int>(sizeof(bits) / sizeof(bits[0])), bits);
}
}

FLUORITE_REPLACEABLE(int, halide_can_use_target_features, (int count, const uint64_t *features));
