// Models of processors.
//
// A row of `processors` holds what was measured: costs and sizes. Registers and instructions come from the features of
// the target, so that one row serves all targets of its processor, and code can be made for any processor on any host.
//
// Where the numbers come from:
//   - gathers: AVX2 gathers of Haswell to Zen 3 take as long as scalar loads (warps, 0.6 against 1.4 of the peer's
//     speed on Zen 3). On Zen 5 gathers of tables of values win (hist_equalize 1.5 times), those at computed
//     coordinates lose (warps 0.6); on Sapphire Rapids gathers win throughout.
//   - moved_word_cost, moved_narrow_cost: shifted copies shared between iterations (predictive_commoning) on Zen 5 and
//     Zen 3: words of 512-bit registers move across by one instruction (valignd), narrower lanes of theirs by what
//     costs four; 256- and 128-bit registers by two (vperm2f128 and vpalignr).
//   - caches: lscpu of the machines: Zen 3 EPYC (32 KB, 512 KB, 32 MB), Zen 5 EPYC (48 KB, 1 MB, 32 MB), Sapphire
//     Rapids (48 KB, 2 MB, 105 MB over all cores).
//   - copy_gigabytes: ./dev bench --bandwidth, one thread, stores past the caches: 18 on Sapphire Rapids, 35 to 65 on
//     Zen 5.
//   - fork_microseconds: the same command; under two wherever it was measured.
//   - stack_block_bytes: half of the smallest first-level cache, so that what is computed from it still fits.

#include "machine/machine_model.h"

#include <array>

namespace fluorite::machine {

namespace {

constexpr MachineModel with_memory(std::string_view name, std::string_view scheduling_model, int64_t l1, int64_t l2,
                                   int64_t l3, double copy) {
    MachineModel model;
    model.name = name;
    model.scheduling_model = scheduling_model;
    model.l1_bytes = l1;
    model.l2_bytes = l2;
    model.l3_bytes = l3;
    model.copy_gigabytes = copy;
    return model;
}

constexpr MachineModel with_wide_moves(MachineModel model, Gathers gathers) {
    model.gathers = gathers;
    model.moved_word_cost = 2;
    model.moved_narrow_cost = 5;
    return model;
}

constexpr int64_t kilobyte = 1024, megabyte = 1024 * kilobyte;

enum Row : size_t { Generic, Haswell, SkylakeServer, Zen4, SapphireRapids };

constexpr std::array processors = {
    with_memory("generic", "generic", 32 * kilobyte, 256 * kilobyte, 8 * megabyte, 11),
    with_memory("haswell", "haswell", 32 * kilobyte, 512 * kilobyte, 32 * megabyte, 18),
    with_wide_moves(with_memory("skylake-avx512", "skylake-avx512", 32 * kilobyte, megabyte, 32 * megabyte, 18),
                    Gathers::Always),
    with_wide_moves(with_memory("znver4", "znver4", 32 * kilobyte, megabyte, 32 * megabyte, 50), Gathers::OfTables),
    with_wide_moves(with_memory("sapphirerapids", "sapphirerapids", 48 * kilobyte, 2 * megabyte, 105 * megabyte, 18),
                    Gathers::Always),
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
    model.vector_bits = target.natural_vector_bytes() * 8;
    model.short_vector_bits = has_bytes ? 512 : has(Target::AVX2) ? 256 : 128;
    model.vector_registers = has(Target::AVX512) ? 32 : 16;
    model.least_masked_bits = has_bytes ? 8 : has(Target::AVX) ? 32 : 0;
    model.least_scattered_bits = has_bytes ? 32 : 0;
    model.least_permuted_bits = has(Target::AVX512_Cannonlake) ? 8 : has_bytes ? 16 : has(Target::AVX512) ? 32 : 0;
    model.least_moved_bits = has(Target::AVX512_Cannonlake) ? 8 : has_bytes ? 16 : has(Target::AVX2) ? 32 : 0;
    model.has_byte_shuffle = has(Target::SSE41) || model.vector_bits > 128;
    model.has_rounding = has(Target::SSE41);
    model.has_half_floats = has(Target::F16C);
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

std::span<const MachineModel> measured_processors() { return processors; }

} // namespace fluorite::machine
