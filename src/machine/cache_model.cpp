// Caches of processors.
//
// Where the numbers come from:
//   - sizes: the manuals of the processors that a model is named after; the last cache is the part of it that one core
//     complex or the cores of one program can expect. Processors that are not in the list have the least sizes.
//   - rates: measured on Zen 4 with streams of loads and of copies, at 44 to 50 GB/s within the second cache, 16 to 30
//     within the last and 10 to 12 beyond it, at some 3 GHz. Other processors are assumed to be alike.
//   - loads, scalar_operations, sum_cycles, vector_registers, ways of caches, second_pages: the manuals of these processors.
//   - walk_cycles: from a transposition of 8192 x 8192 16-bit values on Zen 4, whose columns of 4096 rows took 77 ms where
//     columns of 1024 took 14: two million lines, each on a page that the second buffer does not hold any more.
//   - page_cycles: from products of matrices of 1024 x 1024 floats on Zen 4, whose blocks of 8 to 24 vectors of sums read
//     a column of 1024 pages each, against the same with copied columns: 3 to 4 cycles for each page.
//   - task_cycles to fresh_byte_cycles: rounded from runs of small pipelines; a schedule depends on their magnitude.
//   - stream_cycles: a compromise between blur, whose times about 500 describes, and harris, whose times about 50 does.
//     It stands for what the model does not know of prefetching, so a schedule that depends on it deserves a trial.

#include "machine/cache_model.h"

#include <array>

namespace fluorite::machine {

namespace {

constexpr int64_t mebibyte = 1024 * 1024;

struct Sizes {
    std::string_view name;
    int64_t second, last; // mebibytes
    int64_t ways;         // of the second cache
    int64_t pages;        // second_pages
};

constexpr std::array server_processors = {
    Sizes{"skylake-avx512", 1, 32, 16, 1536},
    Sizes{"znver4", 1, 32, 8, 3072},
    Sizes{"sapphirerapids", 2, 32, 16, 2048},
};

} // namespace

CacheModel cache_model(const MachineModel &model) {
    CacheModel caches;
    for (const Sizes &row : server_processors) {
        if (row.name == model.name) {
            caches.second_cache_bytes = row.second * mebibyte;
            caches.last_cache_bytes = row.last * mebibyte;
            caches.second_cache_ways = row.ways;
            caches.second_pages = row.pages;
        }
    }
    caches.vector_registers = model.vector_bits >= 512 ? 32 : 16;
    return caches;
}

} // namespace fluorite::machine
