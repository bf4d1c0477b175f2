#pragma once
/* The C interface of iterated pipelines (fluorite/iterate.h): the loop that runs the parts of a module again and again.
 *
 * This header is C99 and C++; it includes nothing of the compiler. */

#include "fluorite/runtime_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the plan. Returns 0 or the code of the error that was reported. runtime/iterate.cpp describes the plan, a text of
 * decimal numbers, and the operands that it refers to. */
int fluorite_iterate(void *context, const char *plan, void *const *operands);
/* An iteration is to run fewer than 0 steps. */
int fluorite_error_iterate_negative_steps(void *context, const char *func, int32_t steps);
/* A dimension of an iteration's domain has an extent below 0. */
int fluorite_error_iterate_negative_extent(void *context, const char *func, int32_t dim, int32_t extent);
/* A step, or what reads the result, reads a field outside of the domain; `field` says which one. */
int fluorite_error_iterate_outside_domain(void *context, const char *field, const char *reader, int32_t dim,
                                          const char *dim_name, int32_t min_touched, int32_t max_touched,
                                          int32_t min_valid, int32_t max_valid);

#ifdef __cplusplus
} /* extern "C" */
#endif
