// Targets: their text form, the features that others imply, and vector widths.
//
// The text form is `arch-bits-os-feature-...`, such as x86-64-linux-avx2-fma or
// x86-64-linux-avx512_skylake-tune_znver4. Parts may come in any order. `host` denotes the machine that runs the
// program, to which the other parts are added; a text that names only features means the host too. Feature names are
// Halide's. A feature implies those it requires: avx512_skylake implies avx512, avx2, fma, f16c, avx, sse41.

#include "fluorite/target.h"

#include "fluorite/errors.h"
#include "ir/host_target.h"
#include "support/check.h"
#include "support/reporting.h"

#include <cstring>
#include <iterator>
#include <ostream>
#include <utility>

namespace fluorite {

namespace {

constexpr const char *names[] = {
    "jit",
    "debug",
    "no_asserts",
    "no_bounds_query",
    "sse41",
    "avx",
    "avx2",
    "fma",
    "f16c",
    "avx512",
    "avx512_skylake",
    "avx512_cannonlake",
    "avx512_zen4",
    "avx512_sapphirerapids",
    "no_runtime",
    "user_context",
    "c_plus_plus_name_mangling",
    "large_buffers",
    "trace_loads",
    "trace_stores",
    "trace_realizations",
    "trace_pipeline",
    "checked",
    "quick_code",
    "strict_float",
    "no_widening",
    "no_partitioning",
    "no_sliding",
    "no_folding",
    "no_skipping",
    "no_dropping",
    "no_lane_sums",
    "no_gather_splitting",
    "no_interleaving",
    "no_commoning",
    "no_transposes",
    "no_scalar_replacement",
    "no_hoisting",
    "no_early_frees",
    "cuda",
    "opencl",
    "cuda_capability_50",
    "cuda_capability_61",
    "cuda_capability_70",
    "cuda_capability_75",
    "cuda_capability_80",
    "cuda_capability_86",
    "cuda_capability_90",
    "cl_doubles",
    "cl_half",
    "cl_atomics64",
    "arm_dot_prod",
    "arm_fp16",
    "rvv",
    "fma4",
    "armv7s",
    "no_neon",
    "sve",
    "sve2",
    "vsx",
    "power_arch_2_07",
    "wasm_simd128",
    "soft_float_abi",
    "metal",
    "vulkan",
    "d3d12compute",
    "webgpu",
    "hvx",
    "hexagon_dma",
    "profile",
    "profile_by_timer",
    "asan",
    "msan",
    "tsan",
    "embed_bitcode",
    "enable_llvm_loop_opt",
    "fuzz_float_stores",
    "enable_backtraces",
    "cuda_capability_30",
    "cuda_capability_32",
    "cuda_capability_35",
    "egl",
    "avxvnni",
    "avx512_knl",
    "avx512_zen5",
    "avx10_1",
    "x86apx",
    "armv8a",
    "armv81a",
    "armv82a",
    "armv83a",
    "armv84a",
    "armv85a",
    "armv86a",
    "armv87a",
    "armv88a",
    "armv89a",
    "hvx_v62",
    "hvx_v65",
    "hvx_v66",
    "hvx_v68",
    "check_unsafe_promises",
    "wasm_mvponly",
    "wasm_threads",
    "wasm_bulk_memory",
    "llvm_large_code_model",
    "sanitizer_coverage",
    "spirv",
    "vk_int8",
    "vk_int16",
    "vk_int64",
    "vk_float16",
    "vk_float64",
    "vk_v10",
    "vk_v12",
    "vk_v13",
    "semihosting",
    "simulator",
};
static_assert(std::size(names) == Target::FeatureEnd, "each feature has a name");

constexpr const char *os_names[] = {"os_unknown", "linux", "windows", "osx",     "android",
                                    "ios",        "qurt",  "noos",    "fuchsia", "wasmrt"};
static_assert(std::size(os_names) == Target::WebAssemblyRuntime + 1, "each system has a name");
constexpr const char *arch_names[] = {"arch_unknown", "x86", "arm", "hexagon", "powerpc", "wasm", "riscv"};
static_assert(std::size(arch_names) == Target::RISCV + 1, "each architecture has a name");
constexpr const char *processor_names[] = {"tune_generic",  "tune_znver1", "tune_znver2", "tune_znver3",
                                           "tune_znver4",   "tune_znver5", "tune_k8",     "tune_k8_sse3",
                                           "tune_amdfam10", "tune_btver1", "tune_btver2", "tune_bdver1",
                                           "tune_bdver2",   "tune_bdver3", "tune_bdver4"};
static_assert(std::size(processor_names) == Target::BdVer4 + 1, "each processor has a name");
constexpr const char *vector_bits_word = "vector_bits_";

/// Whether code can be made for a feature: those before FMA4 and some of the peer's after it.
bool is_implemented(int feature) {
    return feature < Target::FMA4 || feature == Target::Profile || feature == Target::ProfileByTimer;
}

/// The index of a name in a list, or -1.
template <size_t N> int find_name(const char *const (&list)[N], const std::string &name) {
    for (size_t i = 0; i < N; i++) {
        if (name == list[i]) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

/// The number of a part such as vector_bits_256, or -1.
int vector_bits_of(const std::string &part) {
    const std::string digits = part.rfind(vector_bits_word, 0) == 0 ? part.substr(std::strlen(vector_bits_word)) : "";
    const bool is_number =
        !digits.empty() && digits.size() < 6 && digits.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? std::stoi(digits) : -1;
}

/// The feature that this one directly implies; calls chain.
Target::Feature rests_on(Target::Feature feature) {
    switch (feature) {
    case Target::AVX:
        return Target::SSE41;
    case Target::AVX2:
    case Target::FMA:
    case Target::F16C:
        return Target::AVX;
    case Target::AVX512:
        return Target::AVX2;
    case Target::AVX512_Skylake:
        return Target::AVX512;
    case Target::AVX512_Cannonlake:
        return Target::AVX512_Skylake;
    case Target::AVX512_Zen4:
        return Target::AVX512_Cannonlake;
    case Target::AVX512_SapphireRapids:
        return Target::AVX512_Zen4;
    default:
        return Target::FeatureEnd;
    }
}

[[noreturn]] void refuse(const std::string &text, const std::string &part, const Location &location) {
    std::string known;
    for (int i = 0; i < Target::FeatureEnd; i++) {
        known += is_implemented(i) ? std::string(known.empty() ? "" : ", ") + names[i] : "";
    }
    throw CompileError("bad-target",
                       concat("target '", text, "': '", part, "' is not known; parts are x86, arm, 32, 64, linux, ",
                              "noos, host, tune_<processor> and features; use ", known),
                       location);
}

} // namespace

Target::Target(OS os, Arch arch, int bits, const std::vector<Feature> &features) : os(os), arch(arch), bits(bits) {
    for (Feature feature : features) {
        set_feature(feature);
    }
}

Target::Target(const std::string &text, const Location &location) {
    bool has_arch = false, has_os = false, has_bits = false, has_processor = false;
    const auto once = [&](bool &has, const char *what, const std::string &part) {
        if (std::exchange(has, true)) {
            throw CompileError("bad-target",
                               concat("target '", text, "': '", part, "' is a second ", what,
                                      "; a target has one; leave one of both out"),
                               location);
        }
    };
    const auto apply = [&](const std::string &part) {
        if (part == "host") {
            const Target before = *this;
            *this = get_host_target();
            features_ |= before.features_;
            processor_tune = has_processor ? before.processor_tune : processor_tune;
        } else if (const int found_arch = find_name(arch_names, part); found_arch >= 0) {
            once(has_arch, "architecture", part);
            arch = static_cast<Arch>(found_arch);
        } else if (const int found_os = find_name(os_names, part); found_os >= 0) {
            once(has_os, "operating system", part);
            os = static_cast<OS>(found_os);
        } else if (part == "32" || part == "64") {
            once(has_bits, "number of bits", part);
            bits = part == "32" ? 32 : 64;
        } else if (const int processor = find_name(processor_names, part); processor >= 0) {
            processor_tune = static_cast<Processor>(processor);
            has_processor = true;
        } else if (const int feature = find_name(names, part); feature >= 0) {
            set_feature(static_cast<Feature>(feature));
        } else if (const int width = vector_bits_of(part); width > 0) {
            vector_bits = width;
        } else {
            refuse(text, part, location);
        }
    };
    size_t begin = 0;
    while (begin <= text.size()) {
        const size_t end = std::min(text.find('-', begin), text.size());
        apply(text.substr(begin, end - begin));
        begin = end + 1;
    }
    if (arch == ArchUnknown && bits == 0 && os == OSUnknown) {
        apply("host");
    }
}

bool Target::features_any_of(const std::vector<Feature> &features) const {
    for (Feature feature : features) {
        if (has_feature(feature)) {
            return true;
        }
    }
    return false;
}

bool Target::features_all_of(const std::vector<Feature> &features) const {
    for (Feature feature : features) {
        if (!has_feature(feature)) {
            return false;
        }
    }
    return true;
}

/// Of an architecture, the systems for which files are written.
static bool has_files_for(Target::Arch arch, Target::OS os) {
    switch (arch) {
    case Target::X86:
        return os == Target::Linux || os == Target::NoOS || os == Target::Android || os == Target::OSX ||
               os == Target::Windows;
    case Target::ARM:
        return os == Target::IOS || has_files_for(Target::X86, os);
    case Target::RISCV:
        return os == Target::Linux || os == Target::NoOS;
    default: // without a code generator
        return false;
    }
}

bool Target::supported() const {
    return bits == 64 && has_files_for(arch, os) && ir::find_unimplemented_feature(*this) == FeatureEnd &&
           foreign_feature() == FeatureEnd;
}

Target::Feature ir::find_unimplemented_feature(const Target &target) {
    for (int i = Target::FMA4; i < Target::FeatureEnd; i++) {
        const auto feature = static_cast<Target::Feature>(i);
        if (target.has_feature(feature) && !is_implemented(i)) {
            return feature;
        }
    }
    return Target::FeatureEnd;
}

static Target::Arch arch_of(Target::Feature feature, Target::Arch otherwise) {
    if ((feature >= Target::SSE41 && feature <= Target::AVX512_SapphireRapids) || feature == Target::FMA4) {
        return Target::X86;
    }
    if (feature == Target::ARMDotProd || feature == Target::ARMFp16 ||
        (feature >= Target::ARMv7s && feature <= Target::SVE2)) {
        return Target::ARM;
    }
    return feature == Target::RVV ? Target::RISCV : otherwise;
}

Target::Feature Target::foreign_feature() const {
    for (int i = 0; i < FeatureEnd; i++) {
        const auto feature = static_cast<Feature>(i);
        if (has_feature(feature) && arch_of(feature, arch) != arch) {
            return feature;
        }
    }
    return FeatureEnd;
}

bool Target::validate_target_string(const std::string &text) {
    try {
        const NoReports guard;
        return !Target(text).has_unknowns();
    } catch (const CompileError &) {
        return false;
    }
}

static void check_feature(Target::Feature feature, const Location &location) {
    if (static_cast<unsigned>(feature) >= Target::FeatureEnd) {
        throw CompileError("no-such-value",
                           concat("in a Target: its feature ", static_cast<unsigned>(feature),
                                  " is named, which is none; use one of Target::Feature's names"),
                           location);
    }
}

std::string Target::feature_to_name(Feature feature) {
    check_feature(feature, {});
    return names[feature];
}

Target::Feature Target::feature_from_name(const std::string &name) {
    const int found = find_name(names, name);
    return found < 0 ? FeatureEnd : static_cast<Feature>(found);
}

void Target::set_features(const std::vector<Feature> &features, bool value) {
    for (Feature feature : features) {
        set_feature(feature, value, {});
    }
}

Target Target::with_feature(Feature feature) const {
    Target copy = *this;
    copy.set_feature(feature, true, {});
    return copy;
}

Target Target::without_feature(Feature feature) const {
    Target copy = *this;
    copy.set_feature(feature, false, {});
    return copy;
}

void Target::set_feature(Feature feature, bool value, const Location &location) {
    check_feature(feature, location);
    if (!value) {
        features_.reset(feature);
        return;
    }
    for (Feature at = feature; at != FeatureEnd; at = rests_on(at)) {
        features_.set(at);
    }
    if (feature >= AVX512 && feature <= AVX512_SapphireRapids) {
        features_.set(FMA).set(F16C);
    }
}

std::string Target::to_string() const {
    std::string text = arch_names[arch];
    text += bits != 0 ? concat("-", bits) : ""; // a target that was parsed from parts prints so that it parses again
    text += concat("-", os_names[os]);
    for (size_t i = 0; i < std::size(names); i++) {
        if (has_feature(static_cast<Feature>(i))) {
            text += concat("-", names[i]);
        }
    }
    if (processor_tune != ProcessorGeneric) {
        text += concat("-", processor_names[processor_tune]);
    }
    return vector_bits != 0 ? concat(text, "-", vector_bits_word, vector_bits) : text;
}

std::ostream &operator<<(std::ostream &stream, const Target &target) { return stream << target.to_string(); }

namespace {
/// The number that belongs to the first of these features that the target has, or `otherwise`.
int first_of(const Target &target, const std::vector<std::pair<Target::Feature, int>> &numbers, int otherwise) {
    for (const auto &[feature, number] : numbers) {
        if (target.has_feature(feature)) {
            return number;
        }
    }
    return otherwise;
}

/// Features that change how functions are called, or what they are linked with.
constexpr Target::Feature must_be_equal[] = {Target::SoftFloatABI, Target::UserContext, Target::CPlusPlusMangling,
                                             Target::LargeBuffers, Target::ASAN,        Target::MSAN,
                                             Target::TSAN,         Target::Debug};
} // namespace

int Target::get_cuda_capability_lower_bound() const {
    if (!has_feature(CUDA)) {
        return -1;
    }
    return first_of(*this,
                    {{CUDACapability30, 30},
                     {CUDACapability32, 32},
                     {CUDACapability35, 35},
                     {CUDACapability50, 50},
                     {CUDACapability61, 61},
                     {CUDACapability70, 70},
                     {CUDACapability75, 75},
                     {CUDACapability80, 80},
                     {CUDACapability86, 86},
                     {CUDACapability90, 90}},
                    75);
}

int Target::get_vulkan_capability_lower_bound() const {
    return has_feature(Vulkan) ? first_of(*this, {{VulkanV10, 10}, {VulkanV12, 12}, {VulkanV13, 13}}, -1) : -1;
}

int Target::get_arm_v8_lower_bound() const {
    return first_of(*this,
                    {{ARMv8a, 80},
                     {ARMv81a, 81},
                     {ARMv82a, 82},
                     {ARMv83a, 83},
                     {ARMv84a, 84},
                     {ARMv85a, 85},
                     {ARMv86a, 86},
                     {ARMv87a, 87},
                     {ARMv88a, 88},
                     {ARMv89a, 89}},
                    -1);
}

bool Target::get_runtime_compatible_target(const Target &other, Target &result) const {
    if (os != other.os || arch != other.arch || bits != other.bits) {
        return false;
    }
    for (const Feature feature : must_be_equal) {
        if (has_feature(feature) != other.has_feature(feature)) {
            return false;
        }
    }
    const auto is_of_device = [](size_t feature) {
        return (feature >= CUDA && feature <= CLAtomics64) || (feature >= Metal && feature <= WebGPU) ||
               (feature >= CUDACapability30 && feature <= EGL) || feature == NoNEON;
    };
    Target common(os, arch, bits);
    for (size_t i = 0; i < FeatureEnd; i++) {
        const bool both = features_.test(i) && other.features_.test(i);
        const bool either = features_.test(i) || other.features_.test(i);
        common.features_.set(i, is_of_device(i) ? either : both);
    }
    common.processor_tune = processor_tune == other.processor_tune ? processor_tune : ProcessorGeneric;
    common.vector_bits = vector_bits == other.vector_bits ? vector_bits : 0;
    result = common;
    return true;
}

int Target::natural_vector_bytes(const Location &location) const {
    if (arch == ArchUnknown) {
        throw CompileError(
            "bad-target",
            "in a Target: the size of its vectors is asked for, and it has no architecture; an undefined "
            "Target has no registers; use get_host_target(), or name an architecture",
            location);
    }
    if (arch != X86) {
        return 16;
    }
    return has_feature(AVX512_Skylake) || has_feature(AVX512) ? 64 : has_feature(AVX2) || has_feature(AVX) ? 32 : 16;
}

int Target::natural_vector_size(int element_bytes, const Location &location) const {
    if (element_bytes < 1) {
        throw CompileError("bad-type",
                           concat("in a Target: a vector of elements of ", element_bytes,
                                  " bytes is asked for; elements have 1 byte or more; give a type that values have"),
                           location);
    }
    // 256-bit integer arithmetic needs AVX2, and 8- and 16-bit lanes in 512 bits need AVX512BW; callers pass only a
    // size.
    int bytes = natural_vector_bytes(location);
    if (element_bytes <= 2 && bytes == 64 && !has_feature(AVX512_Skylake)) {
        bytes = 32;
    }
    return std::max(1, bytes / element_bytes);
}

} // namespace fluorite
