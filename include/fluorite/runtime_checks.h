#pragma once
/* The C interface of checks that compiled code makes of its arguments and, in checked code, of its accesses.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include "fluorite/runtime_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether regions and coordinates that follow from the arguments fit 32 bits: 0, or the code of the error that is reported.
 * `program` is one of runtime_ranges.h. */
int fluorite_check_ranges(void *context, const char *program, const double *arguments, int32_t count);
/* The first and the last element of a buffer, counted from the one that its host pointer names; the last before the first where
 * there are none. */
void fluorite_element_range(const fluorite_buffer_t *buffer, int64_t *range);
/* Whether two elements of a buffer are one place in memory, as far as any two of its dimensions tell: 1 or 0. */
int fluorite_buffer_overlaps_itself(const fluorite_buffer_t *buffer);
/* In checked code: element `index` of a buffer is touched, which has those from `first` to `last`. */
int fluorite_error_bad_access(void *context, const char *buffer, int64_t index, int64_t first, int64_t last);

#ifdef __cplusplus
} /* extern "C" */
#endif
