// The target of the machine that runs the program.
//
// Its features are read from the processor, and so is the generation of AMD's cores, by which the row of the machine's
// costs is chosen (machine/machine_model.cpp); rows of other makers follow from features alone.
//
// A program can take the machine for another processor, to see what it does there: its target has then the features
// and the generation of that processor, so that code, costs and texts agree. Code that is made for it runs here, so
// only a processor whose instructions this machine has can be named. Who reads the name is above this module
// (driver/target_environment.cpp) and installs itself by set_host_view().

#include "ir/host_target.h"

#include "fluorite/errors.h"
#include "support/check.h"

#include <array>

namespace fluorite {

namespace ir {

namespace {

constexpr std::array processors = {
    NamedProcessor{"sse41", "x86-64-linux-sse41"},
    NamedProcessor{"haswell", "x86-64-linux-avx2-fma-f16c"},
    NamedProcessor{"zen3", "x86-64-linux-avx2-fma-f16c-tune_znver3"},
    NamedProcessor{"skylake-avx512", "x86-64-linux-avx512_skylake"},
    NamedProcessor{"zen4", "x86-64-linux-avx512_zen4-tune_znver4"},
    NamedProcessor{"sapphirerapids", "x86-64-linux-avx512_sapphirerapids"},
    NamedProcessor{"arm64", "arm-64-linux"}, // in an emulator (backends/emulated)
};

HostView host_view = nullptr;

#if defined(__x86_64__)
void add_features(Target &target) {
    const auto add = [&](bool present, Target::Feature feature) {
        if (present) {
            target.set_feature(feature);
        }
    };
    const bool has_bits = __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool avx2 = __builtin_cpu_supports("avx2") && has_bits, fma = __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && fma && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd");
    const bool skylake = avx512 && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                         __builtin_cpu_supports("avx512dq");
    const bool cannonlake = skylake && __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vbmi");
    const bool zen4 = cannonlake && __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vnni") &&
                      __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq") &&
                      __builtin_cpu_supports("avx512bf16");
    add(__builtin_cpu_supports("sse4.1"), Target::SSE41);
    add(__builtin_cpu_supports("avx"), Target::AVX);
    add(avx2, Target::AVX2);
    add(fma, Target::FMA);
    add(avx2, Target::F16C); // every processor with AVX2 has it, and older ones gain nothing from it
    add(avx512, Target::AVX512);
    add(skylake, Target::AVX512_Skylake);
    add(cannonlake, Target::AVX512_Cannonlake);
    add(zen4, Target::AVX512_Zen4);
#if defined(__clang__) ? __has_builtin(__builtin_cpu_supports) && __clang_major__ >= 16 : __GNUC__ >= 12
    add(zen4 && __builtin_cpu_supports("avx512fp16") && __builtin_cpu_supports("avxvnni"),
        Target::AVX512_SapphireRapids);
#endif
}

/// The generation of a core of AMD's; generic for other cores and for those that compilers do not know yet.
Target::Processor find_generation(const Target &target) {
    if (__builtin_cpu_is("amdfam19h")) {
        return target.has_feature(Target::AVX512) ? Target::ZnVer4 : Target::ZnVer3;
    }
    if (__builtin_cpu_is("amdfam17h")) {
        return __builtin_cpu_is("znver2") ? Target::ZnVer2 : Target::ZnVer1;
    }
    return Target::ProcessorGeneric;
}
#endif

Target find_host_target() {
    Target target(Target::Linux, Target::ArchUnknown, static_cast<int>(sizeof(void *)) * 8);
#if defined(__x86_64__)
    target.arch = Target::X86;
    __builtin_cpu_init();
    add_features(target);
    target.processor_tune = find_generation(target);
#elif defined(__aarch64__)
    target.arch = Target::ARM;
#endif
    return target;
}

/// The names of the processors whose code runs on a machine.
std::string names_for(const Target &machine) {
    std::string names;
    for (const NamedProcessor &each : processors) {
        if (find_missing_feature(Target(std::string(each.target)), machine) == Target::FeatureEnd) {
            names += concat(names.empty() ? "" : ", ", each.name);
        }
    }
    return names;
}

} // namespace

std::span<const NamedProcessor> named_processors() { return processors; }

const Target &real_host_target() {
    static const Target host = find_host_target();
    return host;
}

Target::Feature find_missing_feature(const Target &wanted, const Target &machine) {
    for (int i = Target::SSE41; i <= Target::AVX512_SapphireRapids; i++) {
        const auto feature = static_cast<Target::Feature>(i);
        if (wanted.has_feature(feature) && !machine.has_feature(feature)) {
            return feature;
        }
    }
    return Target::FeatureEnd;
}

Target host_seen_as(const std::string &name, const Target &real, std::string_view variable) {
    for (const NamedProcessor &each : processors) {
        if (name != each.name) {
            continue;
        }
        const Target target{std::string(each.target)};
        const Target::Feature missing = find_missing_feature(target, real);
        if (missing != Target::FeatureEnd) {
            throw CompileError("bad-host",
                               concat("in ", variable, ": its value is '", name, "', and this machine has no ",
                                      Target::feature_to_name(missing),
                                      "; what is compiled for the processor that it names runs here; use one of ",
                                      names_for(real), ", or unset it"),
                               {});
        }
        return target;
    }
    throw CompileError("bad-host",
                       concat("in ", variable, ": its value is '", name,
                              "'; it is the name of a processor, for which this machine is taken; use one of ",
                              names_for(real), ", or unset it"),
                       {});
}

void set_host_view(HostView view) { host_view = view; }

} // namespace ir

Target get_host_target() {
    static const Target host = ir::host_view ? ir::host_view(ir::real_host_target()) : ir::real_host_target();
    return host;
}

} // namespace fluorite
