#pragma once
/* The C interface of the cache behind Func::memoize(): results of Funcs, kept between runs of pipelines.
 *
 * The calling thread builds a key part by part, then looks it up or stores under it. All functions are thread-safe.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begins a key. The text `identity` contains everything that determines values and layout of the result, except for the
 * parts that follow. It is compared in full; `hash` is its hash. */
int fluorite_memoization_begin(const char *identity, uint64_t hash);
int fluorite_memoization_key(uint64_t part);
/* Adds the next block of the result. A lookup copies values from the cache to it, a store copies them to the cache. */
int fluorite_memoization_block(void *host, int64_t bytes);
/* Returns 1 if there is a result under the key, which it then copies into the blocks; otherwise 0. */
int fluorite_memoization_lookup(void);
/* Stores the blocks under the key; `has_eviction_key` is 0 or 1. A result that is larger than the cache, or for which
 * memory cannot be allocated, is not kept. Returns 0. */
int fluorite_memoization_store(int32_t has_eviction_key, uint64_t eviction_key);

/* Sets the limit, in bytes, of all kept results; the least recently used are evicted first. 0 means the default, 1 MiB.
 * Results that are currently being copied do not count. */
void fluorite_memoization_cache_set_size(int64_t bytes);
/* Drops all results that were stored with this eviction key. */
void fluorite_memoization_cache_evict(uint64_t eviction_key);
/* Drops all results. */
void fluorite_memoization_cache_cleanup(void);
/* The number of kept results and their bytes, for tests and reports. */
int64_t fluorite_memoization_cache_entries(void);
int64_t fluorite_memoization_cache_bytes(void);

#ifdef __cplusplus
} /* extern "C" */
#endif
