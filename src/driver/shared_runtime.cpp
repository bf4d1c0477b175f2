// The runtime's settings that pipelines compiled in memory share, under the names of fluorite/memoize.h.

#include "fluorite/memoize.h"
#include "fluorite/runtime_abi.h"
#include "fluorite/runtime_device.h"
#include "fluorite/runtime_memoization.h"

namespace fluorite {

void JITSharedRuntime::memoization_cache_set_size(int64_t bytes) { fluorite_memoization_cache_set_size(bytes); }
void JITSharedRuntime::memoization_cache_evict(uint64_t eviction_key) {
    fluorite_memoization_cache_evict(eviction_key);
}
void JITSharedRuntime::release_all() {
    fluorite_memoization_cache_cleanup();
    fluorite_device_release(nullptr, fluorite_opencl_device_interface());
    fluorite_device_release(nullptr, fluorite_cuda_device_interface());
}
void JITSharedRuntime::reuse_device_allocations(bool on) { fluorite_reuse_device_allocations(nullptr, on ? 1 : 0); }
int JITSharedRuntime::get_num_threads() { return fluorite_get_num_threads(); }
int JITSharedRuntime::set_num_threads(int count, const Location &location) {
    if (count < 0) {
        throw RuntimeError("bad-thread-count",
                           "in set_num_threads: " + std::to_string(count) +
                               " threads are asked for; a number of threads is 0, for the default, or more; pass one",
                           location);
    }
    return fluorite_set_num_threads(count);
}

} // namespace fluorite
