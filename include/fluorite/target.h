#pragma once
// What machine code is made for.

#include <cstdint>
#include <string>
#include <vector>

namespace fluorite {

/// An architecture, an operating system, a width and a set of features; written `x86-64-linux-avx2-fma` or `host`.
struct Target {
    enum OS { OSUnknown = 0, Linux, NoOS };
    enum Arch { ArchUnknown = 0, X86, ARM };
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
        FeatureEnd
    };

    OS os = OSUnknown;
    Arch arch = ArchUnknown;
    int bits = 0;

    Target() = default;
    Target(OS os, Arch arch, int bits, const std::vector<Feature> &features = {});
    /// Parses `host`, `host-no_asserts`, `x86-64-linux-avx2`...; throws CompileError [bad-target] naming the unknown part.
    explicit Target(const std::string &text);

    bool has_feature(Feature feature) const { return features_ >> feature & 1; }
    bool features_any_of(const std::vector<Feature> &features) const;
    Target with_feature(Feature feature) const;
    Target without_feature(Feature feature) const;
    void set_feature(Feature feature, bool value = true);
    bool operator==(const Target &other) const = default;

    std::string to_string() const;
    /// Bytes of the widest vector register; lanes of `T` that fit it.
    int natural_vector_bytes() const;
    int natural_vector_size(int element_bytes) const;
    template <typename T> int natural_vector_size() const { return natural_vector_size(static_cast<int>(sizeof(T))); }

  private:
    uint64_t features_ = 0;
};

/// The machine that runs this program.
Target get_host_target();
/// The value of FLUORITE_TARGET or HL_TARGET, else the host.
Target get_target_from_environment();
/// The value of FLUORITE_JIT_TARGET or HL_JIT_TARGET, else the host, with feature JIT.
Target get_jit_target_from_environment();

} // namespace fluorite
