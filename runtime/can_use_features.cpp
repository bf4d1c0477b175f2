// Whether this processor can run code for a target.
//
// A function that is compiled for several targets (src/generator/dispatch.cpp) asks once a call for the features that
// each of them adds, and runs the code of the first target that it can. The features and what they contain are those of
// the compiler's description of its own machine (src/ir/host_target.cpp). Programs may define a function of this name
// themselves, to choose otherwise. Cost: the tables of the processor are read before main(); a call compares texts of
// some ten bytes, less than a microsecond. Does not do: processors other than x86-64, for which it says no.

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

} // namespace

/// Whether this processor has all of the features, which commas separate; an unknown one is none that it has.
extern "C" int halide_can_use_features(const char *features) {
    for (const char *begin = features; *begin;) {
        const size_t length = std::strcspn(begin, ",");
        if (!has_feature(begin, length)) {
            return 0;
        }
        begin += length + (begin[length] == ',' ? 1 : 0);
    }
    return 1;
}
