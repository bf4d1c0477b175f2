#pragma once
// The target of code generation.

#include "fluorite/require_cxx17.h"

#include "fluorite/errors.h"
#include "fluorite/type.h"

#include <bitset>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace fluorite {

enum class DeviceAPI : uint8_t; // fluorite/schedule_types.h

/// An architecture, an operating system, a width and a set of features; written `x86-64-linux-avx2-fma` or `host`.
struct Target {
    // There is code for 64-bit x86, ARM and RISC-V: files for Linux, bare machines, and, where they have the
    // architecture, Android, macOS, iOS and Windows. The others are named so that programs that select by target
    // compile.
    enum OS { OSUnknown = 0, Linux, Windows, OSX, Android, IOS, QuRT, NoOS, Fuchsia, WebAssemblyRuntime };
    enum Arch { ArchUnknown = 0, X86, ARM, Hexagon, POWERPC, WebAssembly, RISCV };
    enum Feature {
        JIT,
        Debug,
        NoAsserts,
        NoBoundsQuery,
        SSE41,
        AVX,
        AVX2,
        FMA,
        F16C,
        AVX512,                // F + CD
        AVX512_Skylake,        // + VL, BW, DQ
        AVX512_Cannonlake,     // + IFMA, VBMI
        AVX512_Zen4,           // + VBMI2, VNNI, BITALG, VPOPCNTDQ, BF16
        AVX512_SapphireRapids, // + FP16, AVX-VNNI, AMX
        NoRuntime,
        UserContext,
        CPlusPlusMangling,
        LargeBuffers,
        TraceLoads,
        TraceStores,
        TraceRealizations,
        TracePipeline,
        Checked,
        QuickCode,   // machine code is made in less than half the time and runs slower; no value changes
        StrictFloat, // has no effect: floats are strict unless a Func allows reassociation
        // Each turns off something that the compiler does beyond the schedule: docs/beyond_the_schedule.md.
        NoWidening,          // iterations of narrow vectors as one of the target's width
        NoPartitioning,      // boundary and interior of loops apart
        NoSliding,           // what earlier iterations computed is not computed again
        NoFolding,           // circular buffers where windows slide
        NoSkipping,          // stages that no selected value needs are left out
        NoDropping,          // memory that nothing reads, and stores to it
        NoLaneSums,          // sums over lanes made once, after the loop
        NoGatherSplitting,   // gathers at quotients and remainders as strided loads
        NoInterleaving,      // strided accesses that together are dense as one
        NoCommoning,         // values of the iteration before, kept in registers
        NoTransposes,        // rows in place of columns
        NoScalarReplacement, // what a loop accumulates, kept in registers
        NoHoisting,          // what is invariant, computed before the loop
        NoEarlyFrees,        // memory ends with its last use
        CUDA,                // kernels run on a device of NVIDIA
        OpenCL,              // kernels run on an OpenCL device
        // The oldest device with CUDA on which kernels shall run; 7.5 without one of them.
        CUDACapability50,
        CUDACapability61,
        CUDACapability70,
        CUDACapability75,
        CUDACapability80,
        CUDACapability86,
        CUDACapability90,
        // Have no effect: kernels for OpenCL use these types and atomics where the program does.
        CLDoubles,
        CLHalf,
        CLAtomics64,
        ARMDotProd, // sums of four products of bytes
        ARMFp16,    // arithmetic of float16
        RVV,        // vectors of RISC-V, of 128 bits or more
        // Not implemented: compiling for one of these throws CompileError [bad-target].
        FMA4,
        ARMv7s,
        NoNEON,
        SVE,
        SVE2,
        VSX,
        POWER_ARCH_2_07,
        WasmSimd128,
        SoftFloatABI,
        Metal,
        Vulkan,
        D3D12Compute,
        WebGPU,
        HVX,
        HexagonDma,
        Profile,
        ProfileByTimer,
        ASAN,
        MSAN,
        TSAN,
        EmbedBitcode,
        EnableLLVMLoopOpt,
        FuzzFloatStores,
        EnableBacktraces,
        CUDACapability30,
        CUDACapability32,
        CUDACapability35,
        EGL,
        AVXVNNI,
        AVX512_KNL,
        AVX512_Zen5,
        AVX10_1,
        X86APX,
        ARMv8a,
        ARMv81a,
        ARMv82a,
        ARMv83a,
        ARMv84a,
        ARMv85a,
        ARMv86a,
        ARMv87a,
        ARMv88a,
        ARMv89a,
        HVX_v62,
        HVX_v65,
        HVX_v66,
        HVX_v68,
        CheckUnsafePromises,
        WasmMvpOnly,
        WasmThreads,
        WasmBulkMemory,
        LLVMLargeCodeModel,
        SanitizerCoverage,
        SPIRV,
        VulkanInt8,
        VulkanInt16,
        VulkanInt64,
        VulkanFloat16,
        VulkanFloat64,
        VulkanV10,
        VulkanV12,
        VulkanV13,
        Semihosting,
        Simulator,
        FeatureEnd,
        HVX_128 = HVX
    };

    /// The processor for which code is tuned, independent of the allowed features; `tune_znver4` in texts.
    enum Processor {
        ProcessorGeneric,
        ZnVer1,
        ZnVer2,
        ZnVer3,
        ZnVer4,
        ZnVer5,
        K8,
        K8_SSE3,
        AMDFam10,
        BtVer1,
        BtVer2,
        BdVer1,
        BdVer2,
        BdVer3,
        BdVer4
    };

    OS os = OSUnknown;
    Arch arch = ArchUnknown;
    int bits = 0;
    int vector_bits = 0; ///< of registers whose width features do not say, as those of SVE; 0: not said
    Processor processor_tune = ProcessorGeneric;

    Target() = default;
    /// A target of these parts.
    Target(OS os, Arch arch, int bits, const std::vector<Feature> &features = {});
    Target(OS os, Arch arch, int bits, Processor processor_tune, const std::vector<Feature> &features = {},
           int vector_bits = 0)
        : Target(os, arch, bits, features) {
        this->processor_tune = processor_tune;
        this->vector_bits = vector_bits;
    }
    /// Parses `host`, `host-no_asserts`, `x86-64-linux-avx2`...; throws CompileError [bad-target] that names the
    /// unknown part.
    explicit Target(const std::string &text, const Location &location = Location::current());
    explicit Target(const char *text, const Location &location = Location::current())
        : Target(std::string(text), location) {}

    /// Whether the feature is set; any, or all of several.
    bool has_feature(Feature feature) const {
        return static_cast<unsigned>(feature) < FeatureEnd && features_.test(feature);
    }
    bool features_any_of(const std::vector<Feature> &features) const;
    bool features_all_of(const std::vector<Feature> &features) const;
    /// Whether a GPU feature is requested. There is code for CUDA and OpenCL.
    bool has_gpu_feature() const { return features_any_of({CUDA, OpenCL, Metal, Vulkan, D3D12Compute, WebGPU}); }
    /// Whether operating system, architecture or width are not set.
    bool has_unknowns() const { return os == OSUnknown || arch == ArchUnknown || bits == 0; }
    /// Whether there is a code generator for this target.
    bool supported() const;
    /// The first feature of another architecture, such as avx2 of an ARM target; FeatureEnd if there is none.
    Feature foreign_feature() const;
    /// Whether values of the type can be computed: true for all types of the language.
    bool supports_type(const Type &type) const { return type.bits() <= 64; }
    /// The same for code of a device; false for a device that the target does not have.
    bool supports_type(const Type &type, DeviceAPI api) const {
        return supports_device_api(api) && supports_type(type);
    }
    /// Whether the target has devices of this API: Host and None always, Default_GPU with any feature of a GPU.
    bool supports_device_api(DeviceAPI api) const;
    /// The API of the devices that the target names first; None where it names none.
    DeviceAPI get_required_device_api() const;
    /// Whether the text parses.
    static bool validate_target_string(const std::string &text);
    /// Throws CompileError [no-such-value] for a number that is no feature.
    static std::string feature_to_name(Feature feature);
    /// FeatureEnd for an unknown name.
    static Feature feature_from_name(const std::string &name);
    /// A copy with the feature set, or not; set_feature changes this target.
    Target with_feature(Feature feature) const;
    Target without_feature(Feature feature) const;
    void set_feature(Feature feature, bool value = true, const Location &location = Location::current());
    void set_features(const std::vector<Feature> &features, bool value = true);
    bool operator==(const Target &other) const {
        return os == other.os && arch == other.arch && bits == other.bits && vector_bits == other.vector_bits &&
               processor_tune == other.processor_tune && features_ == other.features_;
    }
    bool operator!=(const Target &other) const { return !(*this == other); }

    /// All features, each at its number.
    const std::bitset<FeatureEnd> &get_features_bitset() const { return features_; }
    /// Whether large_buffers is set, and the most bytes that a buffer may have: buffers of 64-bit targets are indexed
    /// with 64 bits, with and without it.
    bool has_large_buffers() const { return has_feature(LargeBuffers); }
    int64_t maximum_buffer_size() const { return bits == 64 ? INT64_MAX : INT32_MAX; }
    /// The least capability that the target names: of CUDA (75 for 7.5, which it is without one), of Vulkan (12 for
    /// 1.2) and of ARMv8 (82 for v8.2); -1 where it names none.
    int get_cuda_capability_lower_bound() const;
    int get_vulkan_capability_lower_bound() const;
    int get_arm_v8_lower_bound() const;
    /// Sets `result` to the target of code that calls functions of both targets: what both processors have, and the
    /// devices of either. Returns false where no such code runs: another architecture, system or width, or a feature
    /// that changes how functions are called.
    bool get_runtime_compatible_target(const Target &other, Target &result) const;

    /// The text form, which parses to an equal target.
    std::string to_string() const;
    /// The bytes of the widest vector register, and the number of lanes of `T` in it. Throws CompileError [bad-target]
    /// for a target without architecture, [bad-type] for elements of no bytes.
    int natural_vector_bytes(const Location &location = Location::current()) const;
    int natural_vector_size(int element_bytes, const Location &location = Location::current()) const;
    int natural_vector_size(const Type &type, const Location &location = Location::current()) const {
        return natural_vector_size(type.bytes(), location);
    }
    template <typename T> int natural_vector_size(const Location &location = Location::current()) const {
        return natural_vector_size(static_cast<int>(sizeof(T)), location);
    }

  private:
    std::bitset<FeatureEnd> features_;
};

/// Prints the text form.
std::ostream &operator<<(std::ostream &stream, const Target &target);

/// The machine that runs this program.
Target get_host_target();
/// Whether this machine has the devices that the target names; false if it names none.
bool host_supports_target_device(const Target &target);
/// The value of FLUORITE_TARGET or HL_TARGET, else the host.
Target get_target_from_environment(const Location &location = Location::current());
/// The value of FLUORITE_JIT_TARGET or HL_JIT_TARGET, else the host, with feature JIT.
Target get_jit_target_from_environment(const Location &location = Location::current());

} // namespace fluorite
