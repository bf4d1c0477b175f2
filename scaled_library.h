#ifndef FLUORITE_scaled_library_h_10213196888781254475
#define FLUORITE_scaled_library_h_10213196888781254475

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
int scaled_too(float _gain, struct fluorite_buffer_t *_in_buffer, struct fluorite_buffer_t *_scale_it_buffer);
/* The same with each argument behind a pointer: buffers as they are, scalars by address. */
int scaled_too_argv(void **args);
const struct fluorite_filter_metadata_t *scaled_too_metadata(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
