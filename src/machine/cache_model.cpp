// Caches of processors.
//
// Where the numbers come from:
//   - sizes: the manuals of server processors; the last cache is that of one core complex. What has 512-bit registers
//     has second caches of a megabyte or more.
//   - rates: measured on Zen 4 with streams of loads and of copies, at 44 to 50 GB/s within the second cache, 16 to 30
//     within the last and 10 to 12 beyond it, at some 3 GHz. Other processors are assumed to be alike.
//   - task_cycles to fresh_byte_cycles: rounded from runs of small pipelines; a schedule depends on their magnitude.

#include "machine/cache_model.h"

namespace fluorite::machine {

CacheModel cache_model(const MachineModel &model) {
    CacheModel caches;
    if (model.vector_bits >= 512) {
        caches.second_cache_bytes = 1024 * 1024;
        caches.last_cache_bytes = 32 * 1024 * 1024;
    }
    return caches;
}

} // namespace fluorite::machine
