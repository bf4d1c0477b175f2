// Models of processors.
//
// A row of `processors` holds the costs of a processor. Registers and instructions follow from the target's features,
// so that one row serves all targets of its processor, and code for any processor can be made on any host.
//
// Where the numbers come from:
//   - gathers: measured on Zen 3, Zen 5 and Sapphire Rapids. AVX2 gathers of Zen 3 take as long as scalar loads (image
//     warps run at 0.6 of the speed of scalar loads). On Zen 5, gathers from lookup tables win (hist_equalize 1.5 times),
//     those at computed coordinates lose (warps 0.6); on Sapphire Rapids gathers win throughout. Haswell is assumed to
//     equal Zen 3, and Skylake Sapphire Rapids: neither was measured.
//   - moved_word_cost, moved_narrow_cost: instructions per shifted copy (predictive_commoning), counted in the code for
//     Zen 3 and Zen 5: 512-bit registers shift words across by one instruction (valignd) and narrower lanes by a sequence
//     that costs four; 256- and 128-bit registers take two (vperm2f128 and vpalignr).
//   - stack_block_bytes: half of a first-level cache of 32 KB, the smallest of these processors, so that values computed
//     from a temporary still fit. Other values were not tried.

#include "machine/machine_model.h"

#include <array>

namespace fluorite::machine {

namespace {

constexpr MachineModel row(std::string_view name) {
    MachineModel model;
    model.name = name;
    return model;
}

/// A processor with 512-bit registers.
constexpr MachineModel wide_row(std::string_view name, Gathers gathers) {
    MachineModel model = row(name);
    model.gathers = gathers;
    model.moved_word_cost = 2;
    model.moved_narrow_cost = 5;
    return model;
}

enum Row : size_t { Generic, Haswell, SkylakeServer, Zen4, SapphireRapids };

constexpr std::array processors = {
    row("generic"),
    row("haswell"),
    wide_row("skylake-avx512", Gathers::Always),
    wide_row("znver4", Gathers::OfTables),
    wide_row("sapphirerapids", Gathers::Always),
};

Row row_of(const Target &target) {
    if (target.arch != Target::X86) {
        return Generic;
    }
    const bool has_wide = target.has_feature(Target::AVX512);
    switch (target.processor_tune) {
    case Target::ZnVer4:
    case Target::ZnVer5:
        return has_wide ? Zen4 : Haswell;
    case Target::ZnVer1:
    case Target::ZnVer2:
    case Target::ZnVer3:
        return has_wide ? SkylakeServer : target.has_feature(Target::AVX2) ? Haswell : Generic;
    case Target::ProcessorGeneric:
        break;
    }
    return target.has_feature(Target::AVX512_SapphireRapids) ? SapphireRapids
           : target.has_feature(Target::AVX512_Zen4)         ? Zen4
           : has_wide                                        ? SkylakeServer
           : target.has_feature(Target::AVX2)                ? Haswell
                                                             : Generic;
}

void set_instructions(MachineModel &model, const Target &target) {
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

} // namespace fluorite::machine
