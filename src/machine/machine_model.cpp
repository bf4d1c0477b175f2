// Models of processors.
//
// A row of `processors` holds the costs of a processor. Registers and instructions follow from the target's features,
// so that one row serves all targets of its processor, and code for any processor can be made on any host.
//
// Where the numbers come from:
//   - gathers: measured on Zen 3, Zen 5 and Sapphire Rapids. AVX2 gathers of Zen 3 take as long as scalar loads (image
//     warps run at 0.6 of the speed of scalar loads). On Zen 5, gathers from lookup tables win (hist_equalize 1.5 times),
//     those at computed coordinates lose (warps 0.6); on Sapphire Rapids gathers win throughout, as AVX2 in 0.63 of the
//     time of scalar loads (./dev probe --instructions). Code for AVX2 does without: by the published tables (uops.info)
//     a gather of eight floats takes 12 cycles on Haswell, where scalar loads take 8. Skylake is assumed to equal Sapphire
//     Rapids.
//   - moved_word_cost, moved_narrow_cost: the operations from which carrying values between iterations gains
//     (predictive_commoning), measured on Sapphire Rapids with the code for each width, as sums of three shifted chains of
//     one to eight operations with and without it. As AVX2, chains of floats gain from three on (1.09), of 8 and 16 bits
//     from six on (1.14; four and five lose, 0.93 to 0.97); as SSE4.1, floats from three on (1.12; two lose, 0.93), narrow
//     ones from three or four on (1.7); as AVX-512, floats from two on, narrow ones from six on. `./dev probe --instructions`
//     finds the same: a shifted vector takes as long as 1.4 (words) and 3 (bytes) additions as SSE4.1, 3.2 and 6 as AVX2,
//     1.8 and 4 as AVX-512. Zen 3 is not measured: by the published tables (uops.info) both shuffles of a shift take one
//     micro-operation of two ports, beside two additions of floats and four of integers a cycle.
//   - stack_block_bytes: half of a first-level cache of 32 KB, the smallest of these processors, so that values computed
//     from a temporary still fit. Other values were not tried.

#include "machine/machine_model.h"

#include <array>

namespace fluorite::machine {

namespace {

struct MoveCosts {
    int word, narrow;
};

constexpr MachineModel row(std::string_view name, Gathers gathers, MoveCosts moves) {
    MachineModel model;
    model.name = name;
    model.gathers = gathers;
    model.moved_word_cost = moves.word;
    model.moved_narrow_cost = moves.narrow;
    return model;
}

constexpr MoveCosts wide_moves = {2, 5};

enum Row : size_t { Generic, Haswell, Zen3, SkylakeServer, Zen4, SapphireRapids };

constexpr std::array processors = {
    row("generic", Gathers::Never, {3, 3}),       row("haswell", Gathers::Never, {3, 6}),
    row("znver3", Gathers::Never, {2, 4}),        row("skylake-avx512", Gathers::Always, wide_moves),
    row("znver4", Gathers::OfTables, wide_moves), row("sapphirerapids", Gathers::Always, wide_moves),
};

Row row_of(const Target &target) {
    if (target.arch != Target::X86) {
        return Generic;
    }
    const bool has_wide = target.has_feature(Target::AVX512);
    const Row zen = has_wide ? Zen4 : target.has_feature(Target::AVX2) ? Zen3 : Generic;
    switch (target.processor_tune) {
    case Target::ZnVer4:
    case Target::ZnVer5:
        return zen;
    case Target::ZnVer1:
    case Target::ZnVer2:
    case Target::ZnVer3:
        return has_wide ? SkylakeServer : zen;
    case Target::ProcessorGeneric:
    case Target::K8: // features say more of these than their names
    case Target::K8_SSE3:
    case Target::AMDFam10:
    case Target::BtVer1:
    case Target::BtVer2:
    case Target::BdVer1:
    case Target::BdVer2:
    case Target::BdVer3:
    case Target::BdVer4:
        break;
    }
    return target.has_feature(Target::AVX512_SapphireRapids) ? SapphireRapids
           : target.has_feature(Target::AVX512_Zen4)         ? Zen4
           : has_wide                                        ? SkylakeServer
           : target.has_feature(Target::AVX2)                ? Haswell
                                                             : Generic;
}

/// NEON, which every processor of 64 bits has. Gathers, scatters and masked accesses are scalar.
void set_arm_instructions(MachineModel &model, const Target &target) {
    model.instruction_set = InstructionSet::Arm;
    model.has_rounding = true;
    model.has_half_floats = true;
    model.has_half_arithmetic = target.has_feature(Target::ARMFp16);
    model.has_byte_dot_products = target.has_feature(Target::ARMDotProd);
    model.has_fma = true;
}

void set_instructions(MachineModel &model, const Target &target) {
    if (target.arch == Target::ARM) {
        return set_arm_instructions(model, target);
    }
    if (target.arch == Target::RISCV) {
        model.instruction_set = InstructionSet::RiscV;
        model.has_fma = true;
        return;
    }
    const auto has = [&](Target::Feature feature) { return target.has_feature(feature); };
    const bool has_bytes = has(Target::AVX512_Skylake);
    // The back end refuses targets without architecture.
    model.vector_bits = target.arch == Target::ArchUnknown ? 128 : target.natural_vector_bytes() * 8;
    model.short_vector_bits = has_bytes ? 512 : has(Target::AVX2) ? 256 : 128;
    model.least_masked_bits = has_bytes ? 8 : has(Target::AVX) ? 32 : 0;
    model.least_scattered_bits = has_bytes ? 32 : 0;
    model.least_permuted_bits = has(Target::AVX512_Cannonlake) ? 8 : has_bytes ? 16 : has(Target::AVX512) ? 32 : 0;
    model.least_moved_bits = has(Target::AVX512_Cannonlake) ? 8 : has_bytes ? 16 : has(Target::AVX2) ? 32 : 0;
    model.has_byte_shuffle = has(Target::SSE41) || model.vector_bits > 128;
    model.has_rounding = has(Target::SSE41);
    model.has_half_floats = has(Target::F16C);
    model.has_half_arithmetic = has(Target::AVX512_SapphireRapids);
    model.has_fma = has(Target::FMA);
    model.has_byte_products = has(Target::AVX512_Zen4);
    model.multiplies_bytes_by_fours = model.vector_bits == 512;
}

} // namespace

MachineModel machine_model(const Target &target) {
    MachineModel model = processors[row_of(target)];
    set_instructions(model, target);
    return model;
}

std::span<const MachineModel> processor_rows() { return processors; }

MachineModel device_model() {
    MachineModel model;
    model.name = "device";
    model.instruction_set = InstructionSet::Device;
    model.has_vectors = false;
    model.has_rounding = true;
    model.has_fma = true;
    model.has_half_floats = true;
    model.has_half_arithmetic = true;
    model.line_bytes =
        128; // of the second cache of NVIDIA's devices; CUDA C++ Programming Guide, compute capability 5 to 9
    return model;
}

} // namespace fluorite::machine
