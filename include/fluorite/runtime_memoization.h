#pragma once
/* The C interface of the cache behind Func::memoize(): results of Funcs, kept between runs of pipelines.
 *
 * A key is built for the calling thread, part by part, and then looked up or stored under. All functions may be called from
 * any thread at any time.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begins a key. `identity` is a text that all that decides values and layout of the result is written in, but for the parts that
 * follow; it is compared whole. `hash` is of the text. */
int fluorite_memoization_begin(const char *identity, uint64_t hash);
int fluorite_memoization_key(uint64_t part);
/* The next block of the result: its values are copied from the cache to there, or from there into the cache. */
int fluorite_memoization_block(void *host, int64_t bytes);
/* Whether there is a result under the key; then it has been copied into the blocks. 1 or 0. */
int fluorite_memoization_lookup(void);
/* Keeps the blocks under the key; `has_eviction_key` is 0 or 1. A result that is larger than the cache, or for which there is no
 * memory, is not kept. Returns 0. */
int fluorite_memoization_store(int32_t has_eviction_key, uint64_t eviction_key);

/* The bytes that kept results may take together; the ones used least recently go first. 0: the default, 1 MiB. Results that
 * are being copied at the moment do not count. */
void fluorite_memoization_cache_set_size(int64_t bytes);
/* Drops all results that were stored with this eviction key. */
void fluorite_memoization_cache_evict(uint64_t eviction_key);
/* Drops all results. */
void fluorite_memoization_cache_cleanup(void);
/* Kept results and their bytes, for tests and reports. */
int64_t fluorite_memoization_cache_entries(void);
int64_t fluorite_memoization_cache_bytes(void);

#ifdef __cplusplus
} /* extern "C" */
#endif
