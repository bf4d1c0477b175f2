// What LLVM calls the targets of the language.
//
// What: an architecture and a system give a triple, which also decides on the format of files: ELF, MachO or COFF.
// Features are those of rows; each row names what its instructions are called in LLVM. Code for x86 is tuned for the
// processor of the machine's costs.
//
// Does not do: processors of 32 bits, whose buffers have another layout; calls of the runtime on systems other than
// Linux are made, but it is built for Linux only.

#include "backends/llvm/triples.h"

#include "backends/x86_features.h"
#include "ir/host_target.h"
#include "machine/machine_model.h"
#include "support/check.h"

#include <optional>

namespace fluorite::backends {

namespace {

struct System {
    Target::Arch arch;
    Target::OS os;
    const char *triple;
};

constexpr System systems[] = {
    {Target::X86, Target::Linux, "x86_64-unknown-linux-gnu"},
    {Target::X86, Target::NoOS, "x86_64-unknown-unknown-elf"},
    {Target::X86, Target::Android, "x86_64-unknown-linux-android"},
    {Target::X86, Target::OSX, "x86_64-apple-macosx10.14.0"},
    {Target::X86, Target::Windows, "x86_64-pc-windows-msvc"},
    {Target::ARM, Target::Linux, "aarch64-unknown-linux-gnu"},
    {Target::ARM, Target::NoOS, "aarch64-unknown-unknown-elf"},
    {Target::ARM, Target::Android, "aarch64-unknown-linux-android"},
    {Target::ARM, Target::OSX, "arm64-apple-macosx11.0.0"},
    {Target::ARM, Target::IOS, "arm64-apple-ios12.0.0"},
    {Target::ARM, Target::Windows, "aarch64-pc-windows-msvc"},
    {Target::RISCV, Target::Linux, "riscv64-unknown-linux-gnu"},
    {Target::RISCV, Target::NoOS, "riscv64-unknown-unknown-elf"},
};

struct Architecture {
    Target::Arch arch;
    const char *processor, *features, *abi;
};

constexpr Architecture architectures[] = {
    {Target::X86, "x86-64", "+sse2,+cx16", ""},
    {Target::ARM, "generic", "+neon", ""},
    {Target::RISCV, "generic-rv64", "+m,+a,+f,+d,+c", "lp64d"},
};

/// Those of x86 are in x86_features.h.
constexpr std::pair<Target::Feature, const char *> instructions[] = {
    {Target::ARMDotProd, ",+dotprod"},
    {Target::ARMFp16, ",+fullfp16"},
    {Target::RVV, ",+v,+zvl128b"},
};

const Architecture *find_architecture(const Target &target) {
    for (const Architecture &row : architectures) {
        if (row.arch == target.arch && target.bits == 64) {
            return &row;
        }
    }
    return nullptr;
}

const System *find_system(const Target &target) {
    const Target::OS os = target.os == Target::OSUnknown ? Target::NoOS : target.os;
    for (const System &row : systems) {
        if (row.arch == target.arch && row.os == os) {
            return &row;
        }
    }
    return nullptr;
}

void check_features(const Target &target) {
    const Target::Feature foreign = target.foreign_feature();
    if (foreign != Target::FeatureEnd) {
        throw CompileError("bad-target", concat("target ", target.to_string(), ": ", Target::feature_to_name(foreign),
                                                " is a feature of another architecture; a feature is honoured or "
                                                "refused; leave it out"));
    }
    const Target::Feature missing = ir::find_unimplemented_feature(target);
    if (missing != Target::FeatureEnd) {
        throw CompileError("bad-target",
                           concat("target ", target.to_string(), ": ", Target::feature_to_name(missing),
                                  " has no implementation here; a feature is honoured or refused; leave it out"));
    }
}

} // namespace

LlvmTarget llvm_target_of(const Target &target) {
    const Architecture *architecture = find_architecture(target);
    if (!architecture) {
        throw CompileError("bad-target",
                           concat("target ", target.to_string(), " has no code generator here; this build makes ",
                                  "code for x86-64, arm-64 and riscv-64; use a target that begins with one of these"));
    }
    const System *system = find_system(target);
    if (!system) {
        throw CompileError("bad-target", concat("target ", target.to_string(), " names an operating system for which ",
                                                "no files are written here; this build writes those of linux, noos, "
                                                "and, where they have this architecture, android, osx, ios and "
                                                "windows; use one of these"));
    }
    check_features(target);
    LlvmTarget result{system->triple, architecture->processor, architecture->features,
                      std::string(machine::machine_model(target).name), architecture->abi};
    for (const std::string_view name : x86_features(target)) {
        result.features += concat(",+", name);
    }
    for (const auto &[feature, text] : instructions) {
        if (target.has_feature(feature)) {
            result.features += text;
        }
    }
    return result;
}

} // namespace fluorite::backends
