// Caches of processors.
//
// Where the numbers of the rows come from; those of all processors, and how they were found, are in costs.def:
//   - sizes, ways, stlb_entries: the manuals of the processors that a model is named after. Processors that are not in
//     the list have the least sizes; generic has those of Nehalem.
//   - rates of znver4: measured at 3.6 GHz with one stream of loads: 32 bytes a cycle in the L2 cache, 27 to 18 in the
//     last-level cache, and 5.6 (pages of 4 KB) to 9 (of 2 MB) beyond it. Loops of several streams reach
//     less, and the applications' times are told best by the numbers below. Other processors are assumed to have half.
//   - rates of sapphirerapids: `./dev probe` measures 38 bytes a cycle in the L2 cache, 10 to 13.5 in the last-level
//     cache and 5.3 to 8 beyond it. Those of the row are rounded down, the last two to what znver4 showed.
//   - gathered_cycles: `./dev probe --as` on Sapphire Rapids, for the code of each width.
//   - windows: Sapphire Rapids and Zen 4 are measured, the others assumed to be like Zen 4.
//   - streamed_rows: Zen 3, Zen 4 and Sapphire Rapids are measured. A processor gathers the parts of a line that passes
//     the caches in one of some ten buffers, and writes parts apart where it has none left.

#include "machine/cache_model.h"

#include <array>

namespace fluorite::machine {

namespace {

struct Sizes {
    std::string_view name;
    int64_t first; // kibibytes
    int64_t first_ways;
    int64_t second;  // kibibytes
    int64_t last;    // mebibytes
    int64_t ways;    // of the second cache
    int64_t pages;   // stlb_entries
    int64_t windows; // window_bytes, in KiB
    int64_t streamed_rows;
    double second_rate, last_rate, memory_rate;
    double gathered_cycles = 1;
};

constexpr std::array processors = {
    Sizes{"generic", 32, 8, 256, 8, 8, 512, 768, 1, 16, 8, 4, 1.3},
    Sizes{"haswell", 32, 8, 256, 8, 8, 1024, 768, 1, 16, 8, 4, 1.1},
    Sizes{"znver3", 32, 8, 512, 32, 8, 2048, 768, 1, 20, 10, 3},
    Sizes{"skylake-avx512", 32, 8, 1024, 32, 16, 1536, 3072, 1, 16, 8, 4},
    Sizes{"znver4", 32, 8, 1024, 32, 8, 3072, 3072, 1, 20, 10, 6},
    Sizes{"sapphirerapids", 48, 12, 2048, 32, 16, 2048, 2048, 4, 32, 8, 4},
};

} // namespace

CacheModel cache_model(const MachineModel &model) {
    CacheModel caches;
    for (const Sizes &row : processors) {
        if (row.name == model.name) {
            caches.l1_bytes = row.first * 1024;
            caches.l1_ways = row.first_ways;
            caches.l2_bytes = row.second * 1024;
            caches.llc_bytes = row.last * mebibyte;
            caches.l2_ways = row.ways;
            caches.stlb_entries = row.pages;
            caches.window_bytes = row.windows * 1024;
            caches.streamed_rows = row.streamed_rows;
            caches.l2_rate = row.second_rate;
            caches.llc_rate = row.last_rate;
            caches.memory_rate = row.memory_rate;
            caches.gathered_cycles = row.gathered_cycles;
        }
    }
    caches.vector_registers = model.vector_bits >= 512 ? 32 : 16;
    return caches;
}

} // namespace fluorite::machine
