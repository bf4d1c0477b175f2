#ifndef FLUORITE__h_11915163753815553971
#define FLUORITE__h_11915163753815553971

#include <stdbool.h>
#include <stdint.h>
#ifdef __has_include
#if __has_include("fluorite/runtime_abi.h")
#include "fluorite/runtime_abi.h"
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct fluorite_buffer_t;
struct fluorite_filter_metadata_t;

/* Returns 0, or an error code of fluorite/runtime_abi.h. */
int k(struct fluorite_buffer_t *_in_buffer, int32_t _p, struct fluorite_buffer_t *_k_buffer);
/* The same with each argument behind a pointer: buffers as they are, scalars by address. */
int k_argv(void **args);
const struct fluorite_filter_metadata_t *k_metadata(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
