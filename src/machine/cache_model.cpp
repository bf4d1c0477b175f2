// Caches of processors.
//
// Where the numbers come from:
//   - sizes: the manuals of the processors that a model is named after; the last cache is the part of it that one core
//     complex or the cores of one program can expect. Processors that are not in the list have the least sizes; generic has those of Nehalem.
//   - rates of znver4: measured at 3.6 GHz with one stream of loads, 32 bytes a cycle within the second cache, 27 to 18
//     within the last, and 5.6 (pages of 4 KB) to 9 (of 2 MB) beyond it; loops of several streams reach less, and the
//     applications' times are told best by the numbers below (twice the memory's rate made pyramid_blend 1.1 times as
//     slow and resize 1.25 times). Other processors are assumed to have the half.
//   - rates of sapphirerapids: `./dev probe` measures 38 bytes a cycle in the second cache, 10 to 13.5 in the last and 5.3 to 8
//     beyond it. Those of the row are rounded down, the last two to what znver4 showed of loops of several streams: with 10
//     and 5 in their place, the schedules of 15 applications took 1.08 times as long, nearly all of it in iir_blur (2.8 times).
//   - gathered_cycles: with the code of each width on Sapphire Rapids (./dev probe --as), for an element of a vector: 1.3 as
//     SSE4.1, 1.1 as AVX2, both by scalar loads; as AVX-512, by gathers, 0.66, which is rounded up to what Zen 4 takes.
//   - window_bytes: from iterations over 512^3 floats in blocks of 64 rows (benchmarks/stencils.cpp). On Sapphire
//     Rapids, 40 sweeps of 7 points take 27.5 ms a sweep with 3 a pass (1.7 MB), 28.8 with 4 (2.3 MB), 31.7 with 5 (2.9
//     MB), 37 with 8, 38 one by one; on Zen 4, 5, of which the last cache holds a part, take 26, and one takes 40. The
//     others are assumed to be like Zen 4.
//   - loads, scalar_operations, sum_cycles, vector_registers, ways of caches, stlb_entries: the manuals of these processors.
//   - page_walk_cycles: from a transposition of 8192 x 8192 16-bit values on Zen 4, whose columns of 4096 rows took 77 ms where
//     columns of 1024 took 14: two million lines, each on a page that the second buffer does not hold any more.
//   - stlb_cycles: from products of matrices of 1024 x 1024 floats on Zen 4, whose blocks of 8 to 24 vectors of sums read
//     a column of 1024 pages each, against the same with copied columns: 3 to 4 cycles for each page.
//   - task_cycles to fresh_byte_cycles: rounded from runs of small pipelines; a schedule depends on their magnitude.
//   - streamed_rows: a processor gathers the parts of a line that passes the caches in one of some ten buffers, and
//     writes parts apart where it has none left. On Zen 3, 14 rows of half lines took 1.3 times as long streamed. On Zen
//     4, four rows of bytes took 1.5 to 1.8 times as long, four of 16-bit values that are computed in 32 bits 1.7 times.
//     On Sapphire Rapids, with two threads on 800 MB, four rows of bytes take 0.91 to 0.92 of the time where a vector
//     fills a line, four of such 16-bit values 0.91 to 0.93; half lines take as long as stores through the caches.
//   - followed_rows: the prefetcher of Intel's second caches keeps one stream for each of 32 pages (Intel's Optimization Reference
//     Manual, Data Prefetch to L2). Sums down a picture of 16 KB rows, in columns of 48 floats, took 25 ms on Sapphire Rapids
//     where a column has 23 rows, 31 with 39, 44 with 71 and 67 with 135. Other processors are assumed to do the same.
//   - gathered_lines: gathers of floats by hand on Sapphire Rapids, of a picture of 256 MB beside one in the caches. What takes
//     longer is 1.0 to 1.8 times the bytes of the elements at the last cache's rate for pictures that are turned by 2 to
//     45 degrees, and 16 and more, whole lines, for columns and random places. 4 lies between them; with 1 and with 16,
//     42 programs have the same schedules.
//   - stream_cycles: a compromise between blur, whose times about 500 describes, and harris, whose times about 50 does.
//     It stands for what the model does not know of prefetching, so a schedule that depends on it deserves a trial.

#include "machine/cache_model.h"

#include <array>

namespace fluorite::machine {

namespace {

constexpr int64_t mebibyte = 1024 * 1024;

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
